#ifndef LTESIM_DETECTION_H
#define LTESIM_DETECTION_H
/*
 * Slots of a carrier, detected: from a program's own channels and received symbols to hard bits or
 * LLRs.
 *
 *     lte_detection *detection = NULL;
 *     lte_detection_plan plan = {0};
 *     plan.n_sc = 1200, plan.n_rx = 4, plan.n_tx = 4, plan.n_bits = 4;
 *     lte_status status = lte_detection_create(&plan, &detection);
 *     uint8_t *bits = malloc(7 * lte_detection_row(detection));
 *     status = lte_detection_run(detection, 1, n0, h, y, bits);
 *     lte_detection_free(detection);
 */

#include <stddef.h>
#include <stdint.h>

#include "ltesim/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be detected, by what; zeros are the defaults. */
typedef struct {
    int n_sc;             /* subcarriers, 1 to 1200; required, as the next three */
    int n_rx;             /* receive antennas, n_tx to 256 */
    int n_tx;             /* layers, 1 to 128 */
    int n_bits;           /* of a QAM symbol: 2, 4, 6, 8 or 10, mapped as in TS 36.211 7.1 */
    int n_slots;          /* most of one run; 0: 1 */
    int n_threads;        /* of processors, 1 to 1024; 0: as many as there are processors */
    const char *detector; /* a name of ltesim --list, or "cg-4" with its parameter; NULL: "mmse" */
    const char *inverter; /* likewise; NULL: the first that takes n_tx */
    const char *backend;  /* "auto", "cpu", "cpu:ref", "cuda", "cuda:1", ...; NULL: "cpu" */
    const char *demapper; /* "exact" or "max-log": LLRs (lte_detection_run_llr); NULL: hard bits */
    float llr_scale;      /* of integer LLRs, 1 to 64; 0: 8 */
} lte_detection_plan;

typedef struct lte_detection lte_detection;

/*
 * Takes the memory for such slots; the caller frees it. One thread at a time may run it.
 *
 * Returns LTE_EINVAL for a name that there is not and a size out of range, LTE_ENOMEM, and
 * LTE_EDEVICE for a backend that this machine does not have.
 */
LTE_API lte_status lte_detection_create(const lte_detection_plan *plan, lte_detection **detection);

/*
 * n_bits of a modulation, "qpsk", "16qam", "64qam", "256qam" or "1024qam". Returns LTE_EINVAL for
 * another name.
 */
LTE_API lte_status lte_modulation_bits(const char *name, int *n_bits);

/* Bytes of a symbol's decided bits: n_sc n_tx n_bits / 8, rounded up. */
LTE_API size_t lte_detection_row(const lte_detection *detection);

/*
 * Decides the bits of slots of 7 OFDM symbols, with the same bits on every backend.
 *
 *     y = H x + n,  E|x_k|^2 = 1;  the detector's estimate of x, with mmse
 *     (H'H + n0 I)^-1 H'y without its bias, goes to the nearest QAM symbol
 *
 *   n0     noise variance per receive antenna, linear, > 0
 *   h      [n_slots][n_sc][n_rx][n_tx]   real and imaginary parts in turn, as those of y
 *   y      [n_slots][7][n_sc][n_rx]
 *   bits   [n_slots][7][lte_detection_row]  out: [n_sc][n_tx][n_bits] bits, in bytes lowest first
 *
 * Arrays lie in host memory, h and y also in that of the backend's CUDA device, where they must be
 * complete for the default stream; these two on boundaries of 8 bytes. Estimates from a matrix
 * without a finite inverse are zero, and decided as any other. With a CUDA backend these functions
 * leave its device current in the calling thread.
 *
 * Returns LTE_EINVAL for a number of slots, n0 or addresses out of range or NULL, LTE_EDEVICE.
 */
LTE_API lte_status lte_detection_run(lte_detection *detection, int n_slots, float n0,
                                     const float *h, const float *y, uint8_t *bits);

/*
 * The same with LLRs in the place of bits, of a plan with a demapper.
 *
 *     L = ln P(b = 0) / P(b = 1) from the detector's estimate and its SINR;  scale L rounded to an
 *     integer, -127 to 127
 *
 *   llr    [n_slots][7][n_sc][n_tx][n_bits]  out; as lte_decoding_run (decoding.h) takes them
 *
 * Returns LTE_EINVAL also for a plan without a demapper, as lte_detection_run does for one with it.
 */
LTE_API lte_status lte_detection_run_llr(lte_detection *detection, int n_slots, float n0,
                                         const float *h, const float *y, int8_t *llr);

/* What lte_detection_flags says of a channel matrix. */
enum {
    LTE_DETECTION_NO_STATE = 1,  /* the detector has no finite state of it: its symbols are zero */
    LTE_DETECTION_SILENT = 2,    /* a layer is silent */
    LTE_DETECTION_NOT_FINITE = 4 /* an element of it is not finite */
};

/*
 * Flags of the matrices of the last run's slots, the same on every backend. Nothing of them is
 * computed by a run: the processor does it now.
 *
 *     a layer is silent where every element of its column of H is 0 after a division by
 *     2^floor(log2 m), m the largest finite |re| or |im| of H (by 1 where m = 0)
 *
 *   n_slots   the first ones of that run
 *   flags     [n_slots][n_sc]  out: the sum of LTE_DETECTION_* of each matrix, 0 if there is none
 *
 * Returns LTE_EINVAL before any run, after one that a device broke off, and for more slots than the
 * last one had; LTE_ENOMEM. A run that was refused is none.
 */
LTE_API lte_status lte_detection_flags(lte_detection *detection, int n_slots, uint8_t *flags);

/* free(NULL) is fine. */
LTE_API void lte_detection_free(lte_detection *detection);

#ifdef __cplusplus
}
#endif

#endif
