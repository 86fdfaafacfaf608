#ifndef LTE_KERNELS_LARGE_CUDA_H
#define LTE_KERNELS_LARGE_CUDA_H
/*
 * Large arrays on a device, and inverters that take whole batches: stages over matrices one after
 * the other, row major, one for each unit, a subcarrier of a slot; unit i is subcarrier i mod n_sc
 * of slot i / n_sc of those at hand. Bits are those of the stages on processors.
 *
 *     status = lte_large_slots_cuda(&link, &job, d_residual, first, n_slots, &memory, stream);
 *
 * All only start work on a stream; memory (d_) is the device's. Where estimates are made from two
 * reference symbols, noise.combination is there, too: [n][7], a slot's where its residual is.
 */

#include "kernels/base/cuda_status.h"
#include "kernels/link/inversion_rows.h"
#include "kernels/link/slot_memory.h"

/* Whether a thread or its lanes may hold a matrix of a link, and invert it as they choose. */
static inline bool lte_link_fits_threads(const lte_link *link)
{
    return !LTE_IS_LARGE(link->n_rx, link->n_tx) && link->inversion == LTE_INVERSION_FAST &&
           lte_inverter_rows[link->inverter].layout == LTE_LAYOUT_LANES;
}

/*
 * Whether there is work memory for a link's slots: where no thread holds a matrix, and where two
 * estimates a slot are more than some kernels take. Which path one takes: sweep_cuda.cu,
 * cuda_paths.c.
 */
static inline bool lte_link_in_batches(const lte_link *link)
{
    return !lte_link_fits_threads(link) || link->pilots > 1;
}

/* Work memory for some slots, one after the other (kernels/link/layouts.h). */
typedef struct {
    lte_cf32 *h;      /* UNITS_CSI, that the receiver goes by */
    lte_cf32 *x;      /* UNITS_GRAM: loaded, then inverses if the detector inverts them */
    lte_cf32 *y;      /* UNITS_Y */
    uint8_t *flag;    /* UNITS_FLAG */
    lte_cf32 *sent_h; /* UNITS_H of a sweep whose receiver estimates, else h */
    lte_cf32 *power;  /* UNITS_POWER of sweeps, of symbol 0 */
    uint8_t *label;   /* UNITS_LABEL of sweeps: sent */
} lte_large_memory;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A sweep over n_at_once slots at a time, for which there is memory, or over sc_at_once subcarriers
 * of one; as lte_sweep_cuda, which calls it.
 *
 *   d_tap        [n_slots][lte_slot_taps], if the channel has some
 *   d_estimate   [n_slots][n_rx][n_tx][n_sc] and
 *   d_residual   [n_slots], if the receiver makes some. With two pilots estimates begin with
 *                the subframe that slot first is in, and end with one.
 *   d_power, d_errors   zero; n_columns detectors in a row of errors; NULL: no power is asked for
 */
lte_status lte_large_sweep_cuda(const lte_link *link, lte_noise noise,
                                const lte_detector *detectors, int n_detectors, int n_columns,
                                uint64_t first, int n_slots, int n_at_once, int sc_at_once,
                                const lte_cf32 *d_tap, const lte_cf32 *d_estimate,
                                const int64_t *d_residual, const lte_large_memory *memory,
                                lte_power *d_power, uint32_t *d_errors, cudaStream_t stream);

/*
 * Slots of a deadline run: planes to matrices, loaded Gram matrices, inverses, decisions, for
 * n_slots slots from first on at once; all, or by stages.
 *
 *   d_residual   [n_h_in], if the noise is estimated
 */
lte_status lte_large_slots_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                const lte_large_memory *memory, cudaStream_t stream);
/* Planes of y and H; of two estimates, [n_h_in][n_rx][n_tx][n_sc] in whole subframes, their H. */
lte_status lte_large_turn_cuda(const lte_link *link, lte_noise noise, const lte_slot_memory *slots,
                               uint64_t first, int n_slots, const lte_large_memory *memory,
                               cudaStream_t stream);
lte_status lte_large_gram_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                               const int64_t *d_residual, int n_slots,
                               const lte_large_memory *memory, cudaStream_t stream);
lte_status lte_large_invert_cuda(const lte_link *link, int n_slots, const lte_large_memory *memory,
                                 cudaStream_t stream);
/* Decisions of n_slots slots of a sweep: d_errors [n_slots] rows, n_columns rows apart, += . */
lte_status lte_large_count_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                                const int64_t *d_residual, int n_slots,
                                const lte_large_memory *memory, int n_columns, uint32_t *d_errors,
                                cudaStream_t stream);
lte_status lte_large_detect_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, int n_slots,
                                 const lte_large_memory *memory, cudaStream_t stream);

/*
 * The same slots by one kernel (large_fused_cuda.cu), up to LTE_LARGE_FUSED_SLOTS of them, with no
 * work memory and the same bits. It is faster wherever lte_large_fuses says that it takes the link
 * and the detector.
 */
enum { LTE_LARGE_FUSED_SLOTS = 65535 };
bool lte_large_fuses(const lte_link *link, lte_detector detector);
lte_status lte_large_fused_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
