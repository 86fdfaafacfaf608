#ifndef LTESIM_DETECTOR_H
#define LTESIM_DETECTOR_H
/*
 * A detector of one's own, as a shared object that a scenario names:
 *
 *     detectors = ( "mmse", { name = "mine"; plugin = "./mine.so"; k = 4; } );
 *
 *     #include <ltesim/detector.h>
 *     ... functions of the types below ...
 *     const ltesim_detector ltesim_own_detector = {
 *         LTESIM_DETECTOR_ABI, "k best by trial", "k", 1, 0, 0, 0, LTESIM_LABELS | LTESIM_LLRS,
 *         state, work, prepare, detect };
 *
 *     cc -O2 -fPIC -shared -o mine.so mine.c
 *
 * The model is y = H x + n: x of n_tx layers, noise n of variance n0 on each of n_rx antennas.
 * Matrices are row by row, complex numbers pairs of real and imaginary parts.
 *
 * Functions are called by several threads at a time, and keep nothing between calls but the state.
 * Memory is aligned for float alone. Compile without -ffast-math.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these types; a plug-in of another version is refused. */
#define LTESIM_DETECTOR_ABI 1

enum { LTESIM_LABELS = 1, LTESIM_LLRS = 2 };

/* The size that it works at. */
typedef struct {
    int n_rx, n_tx;          /* antennas, layers */
    int n_bits;              /* of a QAM symbol: 2, 4, 6, 8 or 10 */
    const float *points;     /* [2^n_bits] pairs: the symbol of each label, of mean power 1 */
    int llrs;                /* LLRs are asked for */
    const double *parameter; /* [4] of its parameters, in their order, or its usual ones */
} ltesim_plan;

/* Floats of the state that prepare makes of a matrix, and of memory that both may use. */
typedef size_t ltesim_size(const ltesim_plan *plan);

/*
 * Once a channel matrix h [n_rx][n_tx]: state  out. Returns 0, or 1 if there is no state; then all
 * that is detected with it is decided as an estimate of zero is, and the matrix counted.
 */
typedef int ltesim_prepare(const ltesim_plan *plan, const float *h, float n0, float *state,
                           float *work);

/*
 * Each resource element, of what is received, y [n_rx]:
 *
 *   label   [n_tx]  out: below 2^n_bits; bit i of it is bit i of the symbol (TS 36.211, 7.1)
 *   llr     NULL, or [n_tx][n_bits]  out: ln P(bit = 0) / P(bit = 1), finite
 *
 * Returns 0, or 1 if it had to end early with what it had. A label of 2^n_bits or more, or an LLR
 * that is not finite, ends the run.
 */
typedef int ltesim_detect(const ltesim_plan *plan, const float *state, const float *y,
                          uint32_t *label, float *llr, float *work);

/* What a shared object has under the name ltesim_own_detector. */
typedef struct {
    int abi;                /* LTESIM_DETECTOR_ABI */
    const char *text;       /* one line on what it is */
    const char *parameters; /* names, one after the other with spaces between, at most four */
    double usual[4];        /* of these where a scenario gives none */
    int max_rx, max_tx;     /* that it takes; 0: any */
    int max_bits;           /* the same of n_bits */
    int outputs;            /* LTESIM_LABELS, with LTESIM_LLRS if it gives them */
    ltesim_size *state, *work;
    ltesim_prepare *prepare;
    ltesim_detect *detect;
} ltesim_detector;

#ifdef __cplusplus
}
#endif

#endif
