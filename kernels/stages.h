#ifndef LTE_KERNELS_STAGES_H
#define LTE_KERNELS_STAGES_H
/*
 * The stages of the link as one table per instruction set of the CPU, and the two fused paths
 * that run them all without touching memory between. All tables give the same bits.
 *
 *     const lte_stages *stages = lte_stages_best();
 *     stages->source(&link, slot, 0, link.n_groups, label);
 */

#include <stdbool.h>

#include "kernels/channel.h"
#include "kernels/count.h"
#include "kernels/detect.h"
#include "kernels/estimate.h"
#include "kernels/gram.h"
#include "kernels/invert.h"
#include "kernels/receive.h"
#include "kernels/source.h"
#include "kernels/turn.h"

/*
 * All stages of one slot of a sweep, for several detectors over the same draws.
 *
 *   detectors   [n_detectors]  LTE_DETECTOR_*
 *   work        lte_sweep_work(link) bytes, on 8
 *   errors      [n_detectors]  out
 */
typedef void lte_sweep_slot_fn(const lte_link *link, lte_noise noise, const int *detectors,
                               int n_detectors, uint64_t slot, void *work, lte_power *power,
                               lte_errors *errors);

/*
 * Corner turn to packed bits for groups g0 .. g1 - 1 of a slot in planes (kernels/turn.h and
 * kernels/detect.h have the shapes). Estimates, if there are any, are made before; noise is what
 * the receiver goes by (lte_noise_known).
 */
typedef void lte_slot_fn(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                         const lte_cf32 *h_planes, const lte_cf32 *y_planes, uint8_t *bits);

typedef struct lte_stages {
    const char *name; /* as in backend = "cpu:v3" */
    bool (*usable)(void);
    lte_source_fn *source;
    lte_channel_fn *channel;
    lte_receive_fn *receive;
    lte_estimate_fn *estimate;
    lte_turn_fn *turn;
    lte_gram_fn *gram;
    lte_invert_fn *invert;
    lte_detect_fn *detect;
    lte_count_fn *count;
    lte_pack_fn *pack;
    lte_sweep_slot_fn *sweep_slot;
    lte_slot_fn *slot;
} lte_stages;

/* Every table of this build, slowest first; NULL ends the list. */
extern const lte_stages *const lte_stages_all[];

/* The fastest table that this processor runs. */
const lte_stages *lte_stages_best(void);

/*
 * All groups of a slot's estimate, out of planes y of its reference symbol (kernels/estimate.h);
 * h [n_rx][n_tx][n_sc]  out. Returns the noise that the receiver goes by.
 */
lte_noise lte_stages_estimate(const lte_stages *stages, const lte_link *link, lte_noise noise,
                              const lte_cf32 *y, ptrdiff_t stride, lte_cf32 *h);

/* The table called name, or NULL. */
const lte_stages *lte_stages_find(const char *name);

#endif
