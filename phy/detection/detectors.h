#ifndef LTE_PHY_DETECTORS_H
#define LTE_PHY_DETECTORS_H
/*
 * The list of the detectors and what is said of each. What they compute: phy/detection/detection.h.
 *
 *     const lte_detector cg = lte_detector_usual(LTE_DETECTOR_cg);
 *     lte_detector other;
 *     if (lte_detector_find("cg-8", &other) && lte_detector_compare(cg, other) != 0) ...
 *
 * To add a detector: its id here, its row in phy/detection/detectors.c, and its two verbs in a file
 * of its own (phy/detection/detector.h), as phy/detection/kbest.h, included by
 * phy/detection/searching_detectors.h. One that makes estimates of symbols has lte_<id>_estimate in
 * place of lte_<id>_detect, as phy/detection/mrc.h in phy/detection/other_detectors.h, and may have
 * a recipe for large arrays on devices, kernels/cuda/large/large_<id>.cuh; one that solves a loaded
 * Gram matrix as phy/detection/solving.h does has neither, its row's loading says all. Nothing
 * else of the product: backends, scenario, replay and reports follow the lists. A link has at least
 * as many receive antennas as layers.
 *
 * Of the tests, tests/kernels/test_stage_formulas.c has the formula in double of each that makes
 * estimates, and an empty row of one that searches, which has a test as tests/phy/test_kbest.c;
 * tests/instances.txt has how many kernels its objects have. Its parameters stand in
 * scenarios/README.md.
 *
 * A detector may have parameters: a scenario can list it several times with different ones.
 */

#include <stdbool.h>

#include "phy/base/modulations.h"
#include "phy/base/status.h"

/*
 * Ids, in the order of reports: those that solve the loaded Gram matrix, others that make estimates
 * of symbols, and those that search for decisions.
 */
#define LTE_SOLVING_DETECTORS(X) X(zf) X(mmse)
#define LTE_OTHER_DETECTORS(X) X(mrc) X(cg) X(neumann)
#define LTE_SEARCHING_DETECTORS(X) X(kbest) X(ml) X(mmse_sic) X(fsd) X(lr_mmse)
#define LTE_DETECTORS(X) LTE_SOLVING_DETECTORS(X) LTE_OTHER_DETECTORS(X) LTE_SEARCHING_DETECTORS(X)

#define LTE_DETECTOR_ID(id) LTE_DETECTOR_##id,
enum { LTE_DETECTORS(LTE_DETECTOR_ID) LTE_N_DETECTORS };
#undef LTE_DETECTOR_ID

/* Those that solve, which come first, and all that make estimates. */
#define LTE_DETECTOR_ONE(id) +1
enum {
    LTE_N_SOLVING_DETECTORS = 0 LTE_SOLVING_DETECTORS(LTE_DETECTOR_ONE),
    LTE_N_ESTIMATING_DETECTORS = LTE_N_SOLVING_DETECTORS LTE_OTHER_DETECTORS(LTE_DETECTOR_ONE)
};
#undef LTE_DETECTOR_ONE

enum { LTE_MOST_PARAMETERS = 4 };

/* A detector: its row, and the values of the row's parameters, 0 where it has no more. */
typedef struct {
    int id; /* LTE_DETECTOR_* */
    double value[LTE_MOST_PARAMETERS];
} lte_detector;

/* A detector at the size of a link. */
typedef struct {
    lte_detector detector;
    int n_rx, n_tx, n_bits; /* antennas, layers, bits of a QAM symbol */
    bool llrs;              /* it is to give LLRs, or the SINR of its estimates */
    int demapper;           /* LTE_DEMAPPER_*, of LLRs */
    float loading;          /* of the Gram matrix in units of n0, its row's */
    bool filters;           /* its state begins with a filter W: lte_linear_estimate */
} lte_detector_plan;

/* A number that a detector takes, or a word, which is kept as its number. */
typedef struct {
    const char *name; /* as written in a scenario; NULL: there are no more */
    double usual;     /* where nothing is said; below least: that is for others to say */
    double least, most;
    bool real;                /* multiples of 1/1000; false: whole numbers only */
    bool of_llrs;             /* hard decisions do not depend on it */
    const char *const *words; /* [least .. most], least being 0; NULL: numbers */
    /* what a value below least is at a size; NULL: that is for others to say */
    double (*otherwise)(int n_rx, int n_tx);
} lte_parameter;

/* What is known of a detector's SINR over Rayleigh fading; of one layer all are alike. */
typedef enum {
    LTE_SINR_OTHER, /* of several layers: nothing */
    LTE_SINR_GAMMA, /* no layer disturbs another: Gamma of shape n_rx - n_tx + 1 */
    LTE_SINR_MMSE,  /* the law of lte_ber_mmse */
    LTE_N_SINR_LAWS
} lte_sinr_law;

/* What is made of a channel matrix before a detector prepares: bits of its needs. */
enum {
    LTE_NEEDS_GRAM = 1,   /* the loaded Gram matrix H'H + loading n0 I */
    LTE_NEEDS_INVERSE = 2 /* and its inverse, by the scenario's inverter */
};

/* What comes of it: bits of its outputs. */
enum { LTE_GIVES_LABELS = 1, LTE_GIVES_LLRS = 2, LTE_GIVES_SINR = 4 };

/* Modulations by the bits of a symbol: the bits of a row's modulations. */
#define LTE_MODULATION(n_bits) (1u << (n_bits))
#define LTE_MODULATION_BIT(n_bits, ...) | LTE_MODULATION(n_bits)
#define LTE_ALL_MODULATIONS (0u LTE_MODULATIONS(LTE_MODULATION_BIT))

/* Most detectors' range of channels; products of two powers stay in a float's. */
#define LTE_USUAL_RANGE 0x1p18f
#define LTE_LEAST_RANGE 0x1p12f /* the least of all rows */

/* What is said of a detector outside its formulas. */
typedef struct {
    const char *name;    /* as written in a scenario */
    const char *printed; /* as reports write it; NULL: as they write any name */
    const char *text;    /* one line for --list */
    const char *source;  /* of its formulas */
    lte_parameter parameter[LTE_MOST_PARAMETERS];
    unsigned needs;       /* LTE_NEEDS_* */
    float loading;        /* of the Gram matrix's diagonal in units of n0, if it makes one or not */
    int max_rx, max_tx;   /* antennas and layers that it takes */
    unsigned modulations; /* LTE_MODULATION(n_bits) */
    unsigned outputs;     /* LTE_GIVES_* */
    lte_sinr_law law;     /* which closed forms of phy/theory/ber_theory.h it has */
    float range;          /* the largest part of each column of H is taken as it is from 1 / range
                             to range: phy/detection/detector.h */
    bool on_devices;      /* CUDA devices have it, too */
    bool varies;          /* its time depends on what is received */
    /* what of these it does not take at a size, in words; NULL: nothing */
    const char *(*refuses)(const lte_detector_plan *plan);
    /* whether its state is a filter at such a size; NULL: never */
    bool (*filters)(const lte_detector_plan *plan);
    /* complex elements that it keeps of a matrix, at least n_rx n_tx, and of its work memory */
    int (*state)(const lte_detector_plan *plan);
    int (*work)(const lte_detector_plan *plan);
    /* lte_detector_lookups; NULL: none */
    int (*lookups)(const lte_detector_plan *plan);
    /* operations (phy/detection/operations.h) of a matrix, beside Gram and inverse, and of a
       resource element, to labels, or to LLRs if the plan has them */
    double (*prepare_flops)(const lte_detector_plan *plan);
    double (*detect_flops)(const lte_detector_plan *plan);
    /* nodes that a search may enter at most, and those that it does for an element
       (phy/detection/ml/ml_nodes.h); NULL: its time has a bound */
    double (*most_nodes)(const lte_detector_plan *plan);
    double (*nodes)(const lte_detector_plan *plan, const float *h, float n0, const float *y,
                    double most, float *memory);
    /* operations of each node of these beyond n_tx - 1, those of the first vector; or NULL */
    double (*node_flops)(const lte_detector_plan *plan);
} lte_detector_row;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_detector_row lte_detector_rows[LTE_N_DETECTORS];

/* The row of a detector; whether that has one of LTE_NEEDS_*. */
const lte_detector_row *lte_detector_row_of(lte_detector detector);

bool lte_detector_needs(lte_detector detector, unsigned what);

/* The detector of a row with the usual values of its parameters. */
lte_detector lte_detector_usual(int id);

/* < 0 where a comes before b in reports: by their rows, then by their values; 0: they are alike. */
int lte_detector_compare(lte_detector a, lte_detector b);

/*
 * The name of a detector: its row's; the first parameter if it is a number, and others that have
 * not their usual value: "mmse", "mmse-max-log", "cg-4", "kbest-16-clip12".
 */
typedef struct {
    char text[48];
} lte_detector_name;
lte_detector_name lte_detector_named(lte_detector detector);

/* The detector of such a name, in upper or lower case; false: there is none. */
bool lte_detector_find(const char *name, lte_detector *detector);

/*
 * The LTE_DEMAPPER_* that a detector's own parameter says, or else the other one; -1 of a detector
 * that has no such parameter.
 */
int lte_detector_demapper(lte_detector detector, int other);

/* A detector at a size; its LLRs are exact, unless its parameter says otherwise. */
lte_detector_plan lte_detector_plan_of(lte_detector detector, int n_rx, int n_tx, int n_bits,
                                       bool llrs);

/* Words of its work that a lane looks up by an index of its own. */
int lte_detector_lookups(const lte_detector_plan *plan);

/* Returns LTE_EINVAL for sizes, a modulation and an output that the detector does not have. */
lte_status lte_detector_takes(const lte_detector_plan *plan);

/*
 * Whether a value lies within the bounds of a parameter and is one of its multiples, but for
 * rounding; *value is then that one.
 */
bool lte_parameter_takes(const lte_parameter *parameter, double *value);

#ifdef __cplusplus
}
#endif

/* True for one of LTE_SOLVING_DETECTORS. */
static inline bool lte_detector_solves(int id)
{
    return id < LTE_N_SOLVING_DETECTORS;
}

#endif
