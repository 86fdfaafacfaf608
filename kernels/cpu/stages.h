#ifndef LTE_KERNELS_STAGES_H
#define LTE_KERNELS_STAGES_H
/*
 * The stages of the link: what each takes and gives, in the order in which a slot passes them, as
 * one table per instruction set of the CPU, and the two fused paths that run them all without
 * touching memory between. All tables give the same bits.
 *
 *     const lte_stages *stages = lte_stages_best();
 *     void *work = lte_stage_work_alloc(&link);
 *     stages->source(&link, slot, 0, link.carrier.n_groups, label, work);
 *
 * Batches lie as kernels/link/layouts.h says; every stage works on groups g0 .. g1 - 1 of a slot.
 * Stages that run at the same time have work memory of their own. The same stages on a device:
 * kernels/cuda/launchers.h.
 */

#include <stdbool.h>

#include "kernels/link/layouts.h"
#include "kernels/base/levels.h"

/* Groups first .. end - 1 of a slot, and work memory, of stages that take many arguments beside. */
typedef struct {
    int first, end;
    void *work;
} lte_groups;
LTE_INLINE lte_groups lte_groups_of(int first, int end, void *work)
{
    const lte_groups groups = {first, end, work};
    return groups;
}

/*
 * 1. Source: draws the payload labels.
 *
 *   label   [n_groups][7][n_tx][LTE_LANES]  out
 */
typedef void lte_source_fn(const lte_link *link, uint64_t slot, int g0, int g1, uint32_t *label,
                           void *work);

/*
 * 2. Channel: draws the matrices by the link's channel model.
 *
 *   h   [n_groups][n_h][n_rx][n_tx][2][LTE_LANES]  out
 */
typedef void lte_channel_fn(const lte_link *link, uint64_t slot, int g0, int g1, float *h,
                            void *work);

/*
 * 3. Receive: y = H x + sqrt(n0) z; symbol 0's power is added to *power.
 *
 *   h       [n_groups][n_h][n_rx][n_tx][2][LTE_LANES]
 *   label   [n_groups][7][n_tx][LTE_LANES]
 *   y       [n_groups][7][n_rx][2][LTE_LANES]  out
 */
typedef void lte_receive_fn(const lte_link *link, uint64_t slot, lte_noise noise, lte_groups groups,
                            const float *h, const uint32_t *label, float *y, lte_power *power);

/*
 * 3b. Estimate, where the receiver estimates its channel: matrices out of the reference symbol
 * with a set of matrices or weights. Formulas: phy/estimation/estimator.h. If it goes over the
 * carrier, three steps: sums of groups, which lte_estimator_totals adds up; the unknowns, c the
 * totals; synthesis.
 *
 *   set        LTE_LS_WEIGHTS, or that of final estimates
 *   y          [n_rx] planes [n_sc] of the reference symbol, stride elements from one to the next
 *   sum        [n_groups][n_rx][2][n_tx][padded]  out: those of the groups g0 .. g1 - 1
 *   c          [n_rx][2][n_tx][padded]
 *   unknown    [n_rx][2][n_tx][padded]  out, then in; not read by estimates in windows
 *   h          [n_rx][n_tx][n_sc]  out
 *   residual   NULL, or += the sum of lte_residual_units over antennas and subcarriers: with
 *              LTE_LS_WEIGHTS it tells the noise
 */
typedef void lte_correlate_fn(const lte_link *link, int g0, int g1, const lte_cf32 *y,
                              ptrdiff_t stride, float *sum, void *work);
typedef void lte_fit_fn(const lte_link *link, int set, const float *c, float *unknown);
typedef void lte_estimate_fn(const lte_link *link, int set, lte_groups groups, const lte_cf32 *y,
                             ptrdiff_t stride, const float *unknown, lte_cf32 *h,
                             int64_t *residual);

/*
 * 3c. Combine, where estimates are made from both reference symbols of a subframe: a matrix for
 * every symbol of a slot. Formulas: phy/estimation/pilot_combination.h.
 *
 *   c            [7]  lte_link_combine of the slot
 *   own, other   [n_rx][n_tx][n_sc]  estimates from its reference symbol, and from the other
 *   h            [n_rx][n_tx][7][n_sc]  out
 */
typedef void lte_combine_fn(const lte_link *link, const lte_combination *c, int g0, int g1,
                            const lte_cf32 *own, const lte_cf32 *other, lte_cf32 *h);

/*
 * 4. Corner turn: planes, one subcarrier after the other, to batches, one matrix per subcarrier;
 * spare lanes become zero. Matrices one after the other are the plain transposition of the planes
 * (kernels/methods/transpose/transpose.h); batches, for lanes that work side by side, are the
 * transposed of 16 such matrices each, so the planes' subcarriers stay neighbours and this stage
 * moves them without one. Source: Beijing Institute of Technology, CN101937425A, 2009, for the step
 * itself.
 *
 *   h_planes   [n_rx][n_tx][n_csi][n_sc]
 *   y_planes   [n_rx][7][n_sc]
 *   h          [n_groups][n_csi][n_rx][n_tx][2][LTE_LANES]  out
 *   y          [n_groups][7][n_rx][2][LTE_LANES]            out
 */
typedef void lte_corner_turn_fn(const lte_link *link, int g0, int g1, const lte_cf32 *h_planes,
                                const lte_cf32 *y_planes, float *h, float *y);

/*
 * 5. Gram, for detectors that invert: G = H'H + loading I, the loading being the detector's.
 *
 *   h   [n_groups][n_csi][n_rx][n_tx][2][LTE_LANES]
 *   g   [n_groups][n_csi][n_tx][n_tx][2][LTE_LANES]  out
 */
typedef void lte_gram_fn(const lte_link *link, lte_detector detector, lte_noise noise, int g0,
                         int g1, const float *h, float *g, void *work);

/*
 * 6. Inversion, for detectors that invert: a <- a^-1 for n_tx x n_tx matrices, by the link's
 * inverter (phy/inversion/inverters.h).
 *
 *   a      [n_groups][n_csi][n_tx][n_tx][2][LTE_LANES]  in and out; zero where flagged
 *   flag   [n_groups][n_csi][LTE_LANES]  out: 1 where there is no finite inverse, else 0
 */
typedef void lte_invert_fn(const lte_link *link, int g0, int g1, float *a, uint8_t *flag,
                           void *work);

/*
 * 7. Detection: labels decided.
 *
 *   h       [n_groups][n_csi][n_rx][n_tx][2][LTE_LANES]
 *   y       [n_groups][7][n_rx][2][LTE_LANES]
 *
 *   x       [n_groups][n_csi][n_tx][n_tx][2][LTE_LANES]  inverses of the loaded Gram matrices; not
 *           read by a detector that inverts none
 *   label   [n_groups][7][n_tx][LTE_LANES]  out
 *   flag    [n_groups][n_csi][LTE_LANES]    out of a detector that inverts none: LTE_FLAG_* of
 *           kernels/link/link.h; NULL: not asked for
 */
typedef struct {
    float *x;
    uint32_t *label;
    uint8_t *flag;
} lte_decided;
typedef void lte_detect_fn(const lte_link *link, lte_detector detector, lte_noise noise,
                           lte_groups groups, const float *h, const float *y,
                           const lte_decided *decided);

/*
 * SINR of the estimates as the detector has it, linear; zero where a matrix is flagged.
 *
 *   h, y   as in stage 7
 *   rho    [n_groups][7][n_tx][LTE_LANES]  out
 */
typedef void lte_sinr_fn(const lte_link *link, lte_detector detector, lte_noise noise,
                         lte_groups groups, const float *h, const float *y, float *rho);

/*
 * Flags of matrices alone, of any detector: no symbol is detected.
 *
 *   h      as in stage 7
 *   flag   [n_groups][n_csi][LTE_LANES]  out: LTE_FLAG_NO_STATE where the detector has no finite
 *          state of the matrix, else 0
 */
typedef void lte_flag_fn(const lte_link *link, lte_detector detector, lte_noise noise,
                         lte_groups groups, const float *h, uint8_t *flag);

/*
 * Packs labels as hard bits, lowest first: [7][n_sc][n_tx][n_bits] bits, each symbol's row of
 * lte_packed_row(link) bytes. Groups write their own bytes alone.
 */
typedef void lte_pack_fn(const lte_link *link, int g0, int g1, const uint32_t *label,
                         uint8_t *bits);

/*
 * 8. Count: adds what groups g0 .. g1 - 1 have wrong to errors.
 *
 *   sent, decided   [n_groups][7][n_tx][LTE_LANES]
 *   flag            [n_groups][n_csi][LTE_LANES]; that of a reference symbol does not count
 *   errors          [n_counts]  in and out
 */
typedef void lte_count_fn(const lte_link *link, int g0, int g1, const uint32_t *sent,
                          const uint32_t *decided, const uint8_t *flag, uint32_t *errors);

/*
 * All stages of one slot of a sweep, for several detectors over the same draws.
 *
 *   detectors   [n_detectors]  LTE_DETECTOR_*
 *   work        lte_sweep_work(link, n_detectors) bytes, on 64
 *   errors      [n_detectors][n_counts]  out
 */
typedef void lte_sweep_slot_fn(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                               int n_detectors, uint64_t slot, void *work, lte_power *power,
                               uint32_t *errors);

/*
 * The same of a slot that carries what its caller gives it, up to LTE_MAX_ORDER layers, with the
 * LLRs of each detector as integers by the link's output; errors are those of hard decisions.
 *
 *   labels   [7][n_tx][n_sc]
 *   llrs     [n_detectors][7][n_tx][n_bits][n_sc]  out; those of a reference symbol are left as
 *            they are
 */
typedef struct {
    uint64_t slot;
    const uint8_t *labels; /* NULL: payload is drawn */
    lte_power *power;
    uint32_t *errors;
    int8_t *llrs; /* NULL: they are counted, or not asked for */
} lte_carried_slot;
typedef void lte_carry_slot_fn(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                               int n_detectors, const lte_carried_slot *carried, void *work);

/*
 * Corner turn to packed bits for a slot in planes; of a link that gives LLRs to those, as integers
 * [7][n_tx][n_bits][n_sc]. Estimates, if there are any, are made before; noise is what the receiver
 * goes by (lte_effective_noise). LLRs of a reference symbol are left as they are.
 */
typedef void lte_slot_fn(const lte_link *link, lte_detector detector, lte_noise noise,
                         lte_groups groups, const lte_cf32 *h_planes, const lte_cf32 *y_planes,
                         uint8_t *bits);

typedef struct lte_stages {
    const char *name; /* as in backend = "cpu:v3" */
    bool (*usable)(void);
    lte_source_fn *source;
    lte_channel_fn *channel;
    lte_receive_fn *receive;
    lte_correlate_fn *correlate;
    lte_fit_fn *fit;
    lte_estimate_fn *estimate;
    lte_combine_fn *combine;
    lte_corner_turn_fn *corner_turn;
    lte_gram_fn *gram;
    lte_invert_fn *invert;
    lte_detect_fn *detect;
    lte_sinr_fn *sinr;
    lte_flag_fn *flag;
    lte_count_fn *count;
    lte_pack_fn *pack;
    lte_sweep_slot_fn *sweep_slot;
    lte_carry_slot_fn *carry_slot;
    lte_slot_fn *slot;
} lte_stages;

/* Each set has one, defined once; those of other architectures are nowhere. */
extern const lte_stages lte_stages_ref, lte_stages_v3, lte_stages_v4, lte_stages_neon;

/*
 * Every table of this program (kernels/backends/program_parts.h), slowest first; NULL ends the
 * list.
 */
extern const lte_stages *const lte_stages_all[];

/* The fastest table that this processor runs. */
const lte_stages *lte_stages_best(void);

/*
 * The sums of all groups, in their order: c [n_rx][2][n_tx][padded]  out. They follow the groups in
 * the same memory: c is &sum[n_groups n_rx lte_unknowns_size], which it returns.
 */
const float *lte_estimator_totals(const lte_link *link, float *sum);

/*
 * All groups of a slot's estimate, out of planes y of its reference symbol (stage 3b);
 * h [n_rx][n_tx][n_sc]  out. Returns the noise that the receiver goes by.
 */
lte_noise lte_stages_estimate(const lte_stages *stages, const lte_link *link, lte_noise noise,
                              const lte_cf32 *y, ptrdiff_t stride, lte_cf32 *h, void *work);

/*
 * The same from both reference symbols of a subframe: y those of its first slot and then, n_rx
 * stride further, of its second; h [2][n_rx][n_tx][n_sc]  out. They share the noise, so both slots
 * of a subframe have the same estimates. The caller combines them (stage 3c).
 */
lte_noise lte_stages_estimate_subframe(const lte_stages *stages, const lte_link *link,
                                       lte_noise noise, const lte_cf32 *y, ptrdiff_t stride,
                                       lte_cf32 *h, void *work);

/* Stages 5 to 7, as far as the detector has them; decided->x is then where inverses are made. */
void lte_stages_detect(const lte_stages *stages, const lte_link *link, lte_detector detector,
                       lte_noise noise, lte_groups groups, const float *h, const float *y,
                       const lte_decided *decided);

/* Work memory of stages for a link, to be freed; NULL if there is none. */
void *lte_stage_work_alloc(const lte_link *link);

/* The table called name, or NULL. */
const lte_stages *lte_stages_find(const char *name);

#endif
