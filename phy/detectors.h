#ifndef LTE_PHY_DETECTORS_H
#define LTE_PHY_DETECTORS_H
/*
 * The list of the detectors and what is said of each. What they compute: phy/detection.h.
 *
 * To add a detector: its id here, its row in phy/detectors.c, and, unless it solves a loaded Gram
 * matrix as phy/solving.h does, of which the row's loading says all: lte_<id>_prepare and
 * lte_<id>_apply in a file of its own, as phy/mrc.h, included by phy/other_detectors.h.
 * Nothing else: backends, scenario, replay, reports and tests follow the lists; its formula in
 * double, which its decisions are held against, goes into tests/test_stages.c.
 */

#include <stdbool.h>

/* Ids, in the order of reports: those that solve the loaded Gram matrix, then all others. */
#define LTE_SOLVING_DETECTORS(X) X(zf) X(mmse)
#define LTE_OTHER_DETECTORS(X) X(mrc)
#define LTE_DETECTORS(X) LTE_SOLVING_DETECTORS(X) LTE_OTHER_DETECTORS(X)

#define LTE_DETECTOR_ID(id) LTE_DETECTOR_##id,
enum { LTE_DETECTORS(LTE_DETECTOR_ID) LTE_N_DETECTORS };
#undef LTE_DETECTOR_ID

/* What is known of a detector's SINR over Rayleigh fading; of one layer all are alike. */
typedef enum {
    LTE_SINR_OTHER, /* of several layers: nothing */
    LTE_SINR_GAMMA, /* no layer disturbs another: Gamma of shape n_rx - n_tx + 1 */
    LTE_SINR_MMSE,  /* the law of lte_ber_mmse */
    LTE_N_SINR_LAWS
} lte_sinr_law;

/* What is said of a detector outside its formulas. */
typedef struct {
    const char *name; /* as written in a scenario */
    const char *text; /* one line for --list */
    bool inverts;     /* the Gram matrix, by the scenario's inverter */
    float loading;    /* of its diagonal in units of n0, of those that solve it */
    int max_tx;       /* layers that it takes */
    lte_sinr_law law; /* which closed forms of phy/ber_theory.h it has */
    /* complex elements that it keeps of a matrix; at least n_rx n_tx */
    int (*state_size)(int n_rx, int n_tx, bool with_sinr);
    double (*prepare_flops)(int n_rx, int n_tx); /* of a matrix, beside Gram and inverse */
    double (*apply_flops)(int n_rx, int n_tx);   /* of a resource element */
} lte_detector;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_detector lte_detector_rows[LTE_N_DETECTORS];

/* The largest state_size of all detectors. */
int lte_largest_state(int n_rx, int n_tx, bool with_sinr);

#ifdef __cplusplus
}
#endif

#endif
