#ifndef LTE_PHY_DETECTORS_H
#define LTE_PHY_DETECTORS_H
/*
 * The list of the detectors and what is said of each. What they compute: phy/detection/detection.h.
 *
 * To add a detector: its id here, its row in phy/detection/detectors.c, and, unless it solves a
 * loaded Gram matrix as phy/detection/solving.h does, of which the row's loading says all:
 * lte_<id>_prepare and lte_<id>_apply in a file of its own, as phy/detection/mrc.h, included by
 * phy/detection/other_detectors.h, and its recipe for large arrays in
 * kernels/cuda/large/large_detect_cuda.cu. Nothing else: backends, scenario, replay, reports and
 * tests follow the lists; its formula in double, which its decisions are held against, goes into
 * tests/kernels/test_stages.c.
 *
 * A detector may have a parameter: a scenario can list it several times with different ones. Where
 * "int detector" stands, an id of the list stands for the detector with its usual parameter, and
 * lte_detector_with(id, parameter) for any other; lte_detector_id and lte_detector_row take both.
 */

#include <stdbool.h>

/* Ids, in the order of reports: those that solve the loaded Gram matrix, then all others. */
#define LTE_SOLVING_DETECTORS(X) X(zf) X(mmse)
#define LTE_OTHER_DETECTORS(X) X(mrc) X(cg) X(neumann)
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

/* A number that a detector takes, 1 to most. */
typedef struct {
    const char *name; /* as written in a scenario; NULL: the detector has none */
    int usual;        /* where nothing is said */
    int most;
} lte_parameter;

/* What is said of a detector outside its formulas. */
typedef struct {
    const char *name; /* as written in a scenario */
    const char *text; /* one line for --list */
    bool has_gram;    /* works on the loaded Gram matrix, */
    bool inverts;     /* which it inverts by the scenario's inverter */
    float loading;    /* of its diagonal in units of n0 */
    int max_tx;       /* layers that it takes */
    lte_sinr_law law; /* which closed forms of phy/theory/ber_theory.h it has */
    lte_parameter parameter;
    /* complex elements that it keeps of a matrix; at least n_rx n_tx */
    int (*state_size)(int n_rx, int n_tx, bool with_sinr);
    double (*prepare_flops)(int n_rx, int n_tx); /* of a matrix, beside Gram and inverse */
    double (*apply_flops)(int n_rx, int n_tx, int parameter); /* of a resource element */
} lte_detector;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_detector lte_detector_rows[LTE_N_DETECTORS];

/* The row of a detector, whatever its parameter. */
const lte_detector *lte_detector_row(int detector);

/* A detector with a parameter of its own; the same with its usual one is the id. */
int lte_detector_with(int id, int parameter);

/* The parameter; 0 if it has none. */
int lte_detector_parameter(int detector);

/* The name of a detector: "mmse", or with its parameter "cg-4". */
typedef struct {
    char text[24];
} lte_detector_name;
lte_detector_name lte_detector_named(int detector);

/*
 * The detector of such a name, in upper or lower case; without a number it has its usual parameter.
 * -1: there is none.
 */
int lte_detector_find(const char *name);

/* The largest state_size of all detectors. */
int lte_largest_state(int n_rx, int n_tx, bool with_sinr);

#ifdef __cplusplus
}
#endif

/* Of a detector: the id in the low bits, and in the others its parameter, 0 for the usual one. */
enum { LTE_DETECTOR_BITS = 8 };
static inline int lte_detector_id(int detector)
{
    return detector & ((1 << LTE_DETECTOR_BITS) - 1);
}

/* True for one of LTE_SOLVING_DETECTORS. */
static inline bool lte_detector_solves(int detector)
{
#define ONE(id) +1
    return lte_detector_id(detector) < 0 LTE_SOLVING_DETECTORS(ONE);
#undef ONE
}

#endif
