#ifndef LTE_PHY_PLUGIN_H
#define LTE_PHY_PLUGIN_H
/*
 * Plug-ins: detectors that a scenario brings with it, as shared objects. Their rows are made while
 * the scenario is read.
 *
 *     int id;
 *     status = lte_plugin_declare(&said, &id);           // by whoever reads a scenario
 *     lte_plugin_bring(id, &functions, sha256);          // by a run, which has loaded the file
 *     const lte_plugin *plugin = lte_plugin_of(detector);
 *
 * Ids go on behind LTE_N_DETECTORS, in the order of their first declaration; each set of parameters
 * has one. Until its functions are there, a row says that it takes everything. The functions work
 * on one resource element at a time; what they return is checked where they are called
 * (kernels/cpu/plugin_cpu.h).
 */

#include <stddef.h>
#include <stdint.h>

#include "phy/detection/detectors.h"

enum {
    LTE_MOST_PLUGINS = 256,
    LTE_PLUGIN_SIZES = 16,
    LTE_PLUGIN_FLOATS = 1 << 24 /* of a state, and of work memory: at most */
};

/* What a scenario says of one. */
typedef struct {
    char name[24];
    char path[400];
    char sha256[65]; /* that the file must have, in hexadecimal digits; empty: any */
    int n_parameters;
    struct {
        char name[24];
        double value;
    } parameter[LTE_MOST_PARAMETERS]; /* in the order that they are written in */
} lte_plugin_text;

/*
 * Its functions; h [n_rx][n_tx] and y [n_rx] as pairs of real and imaginary parts.
 *
 *   state, work   floats that prepare keeps of a matrix, and that both may use
 *   prepare       true: there is no state for such a matrix
 *   detect        label [n_tx], and if not NULL llr [n_tx][n_bits]  out; true: it was not finished
 */
typedef struct {
    const void *self;
    int max_rx, max_tx;
    unsigned modulations, outputs; /* as of lte_detector_row */
    size_t (*state)(const void *self, const lte_detector_plan *plan);
    size_t (*work)(const void *self, const lte_detector_plan *plan);
    bool (*prepare)(const void *self, const lte_detector_plan *plan, const float *h, float n0,
                    float *state, float *work);
    bool (*detect)(const void *self, const lte_detector_plan *plan, float *state, const float *y,
                   uint32_t *label, float *llr, float *work);
} lte_plugin_verbs;

typedef struct {
    lte_plugin_text said;
    lte_detector_row row;
    lte_plugin_verbs verbs; /* self NULL: it is not loaded */
    struct {
        size_t state, work; /* floats, with LLRs or without, whichever are more */
        int n_rx, n_tx, n_bits;
    } size[LTE_PLUGIN_SIZES]; /* those that have been asked for, so that each is asked for once */
    int n_sizes;
    char name[48];   /* with its parameters, as in tables */
    char sha256[65]; /* of the file that is loaded, else empty */
} lte_plugin;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The id of what a scenario says of a plug-in. Returns LTE_ENOMEM for more than LTE_MOST_PLUGINS of
 * them in a process.
 */
lte_status lte_plugin_declare(const lte_plugin_text *said, int *id);

/* The plug-in of a detector; NULL: it is of the list. */
const lte_plugin *lte_plugin_of(lte_detector detector);

/* The plug-in of that name with its parameters, declared last; -1: there is none. */
int lte_plugin_find(const char *name);

/* Gives a row its functions, and the SHA-256 of the file that they are of. */
void lte_plugin_bring(int id, const lte_plugin_verbs *verbs, const char *sha256);

/* LTE_EINVAL, with a line, for a size at which it asks for more than LTE_PLUGIN_FLOATS. */
lte_status lte_plugin_takes(const lte_detector_plan *plan);

/* Floats of its work memory in front of what lanes decide: one matrix, one y and its own work. */
size_t lte_plugin_alone(const lte_detector_plan *plan);

/*
 * Records that it has returned a label beyond the modulation, or an LLR that is not finite; by
 * several threads at a time.
 */
void lte_plugin_blame(lte_detector detector, bool of_label);

/* LTE_EINVAL, with a line, if one of the process has been blamed. */
lte_status lte_plugin_check(void);

#ifdef __cplusplus
}
#endif

#endif
