#ifndef LTE_PHY_NAMES_H
#define LTE_PHY_NAMES_H
/*
 * The lists that a scenario chooses from, by their ids; what host and device share. To add a
 * detector or inverter: write its file (its functions carry the name of the first column) and add
 * its line here; a channel: phy/channels.h; a csi: phy/csi.h. Tables, messages, --list and the
 * checks follow.
 *
 *     for (int i = 0; i < LTE_N_DETECTORS; i++)
 *         puts(lte_detector_names[i].name);
 */

#include <stddef.h>

/* Ids alone; what they are stands in the rows of phy/channels.c. */
#define LTE_DRAWN_CHANNELS(X) X(rayleigh) X(awgn)        /* subcarrier by subcarrier */
#define LTE_TAP_CHANNELS(X) X(flat) X(epa) X(eva) X(etu) /* made of taps */
#define LTE_STORED_CHANNELS(X) X(file)                   /* made elsewhere: lte_link_store */
#define LTE_CHANNELS(X) LTE_DRAWN_CHANNELS(X) LTE_TAP_CHANNELS(X) LTE_STORED_CHANNELS(X)

/* Ids alone; rows in phy/csi.c. */
#define LTE_CSIS(X) X(perfect) X(dmrs_ls) X(dmrs_mmse)

/* Column 1: C name. Column 2: name in scenarios. Column 3: what it is. */
#define LTE_DETECTORS(X)                                                                           \
    X(zf, "zf", "zero forcing, (H'H)^-1 H'y")                                                      \
    X(mmse, "mmse", "unbiased MMSE, (H'H + n0 I)^-1 H'y / mu")

#define LTE_INVERTERS(X)                                                                           \
    X(gauss_jordan, "gauss-jordan", "in place, full pivoting, any matrix")                         \
    X(ldl, "ldl", "L D L', no pivoting, Hermitian positive definite")

#define LTE_NAME_CHANNEL(id) LTE_CHANNEL_##id,
#define LTE_NAME_DETECTOR(id, name, text) LTE_DETECTOR_##id,
#define LTE_NAME_INVERTER(id, name, text) LTE_INVERTER_##id,
#define LTE_NAME_CSI(id) LTE_CSI_##id,
enum { LTE_CHANNELS(LTE_NAME_CHANNEL) LTE_N_CHANNELS };
enum { LTE_DETECTORS(LTE_NAME_DETECTOR) LTE_N_DETECTORS };
enum { LTE_INVERTERS(LTE_NAME_INVERTER) LTE_N_INVERTERS };
enum { LTE_CSIS(LTE_NAME_CSI) LTE_N_CSI };
#undef LTE_NAME_CHANNEL
#undef LTE_NAME_DETECTOR
#undef LTE_NAME_INVERTER
#undef LTE_NAME_CSI

typedef struct {
    const char *name; /* as written in a scenario */
    const char *text; /* one line for --list */
} lte_name;

extern const lte_name lte_detector_names[LTE_N_DETECTORS];
extern const lte_name lte_inverter_names[LTE_N_INVERTERS];

/* The names of rows of any type that has a member name. */
typedef struct {
    const char *const *first; /* that of row 0 */
    size_t stride;            /* size of a row */
    int n;
} lte_names;

#define LTE_NAMES(rows)                                                                            \
    {                                                                                              \
        &(rows)[0].name, sizeof *(rows), (int)(sizeof(rows) / sizeof *(rows))                      \
    }

/* That of row i. */
const char *lte_name_at(const lte_names *names, int i);

/* The row of a name, or -1. */
int lte_name_find(const lte_names *names, const char *name);

#endif
