#ifndef LTE_SIM_CHANNEL_STATISTICS_H
#define LTE_SIM_CHANNEL_STATISTICS_H
/*
 * Sums over independent drops of a channel, as the stages draw it, from which its second-order
 * statistics follow.
 *
 *     lte_channel_statistics *sums = NULL;
 *     lte_status status = lte_channel_statistics_create(&link, &model, &sums);
 *     for (uint64_t drop = 0; !status && drop < sums->n_drops; drop++)
 *         lte_channel_statistics_add(sums, lte_stages_best()->channel, &link);
 *     lte_channel_statistics_free(sums);
 *
 * A drop is a slot, or the slots that share a moving realisation. Of each drop at most 8 slots are
 * drawn, over 300 subcarriers at most, whatever the length of a run.
 */

#include <complex.h>

#include "kernels/cpu/stages.h"
#include "phy/channel/correlation.h"
#include "phy/base/pool.h"

/* What a channel is said to be. */
typedef struct {
    int channel; /* LTE_CHANNEL_* */
    double doppler_hz;
    int drop_slots;                     /* of a channel that moves */
    const lte_correlation *correlation; /* NULL: entries are independent; not owned */
} lte_channel_model;

enum {
    LTE_STATISTICS_SPACINGS = 300, /* subcarriers 0 to 300, as far as they are there */
    LTE_STATISTICS_SC = 4,         /* of them, 0 and evenly up to the last, for what asks for any */
    LTE_STATISTICS_SLOTS = 8,      /* of a drop */
    LTE_STATISTICS_LEVELS = 3      /* that the envelope crosses */
};

/* 0.3, 0.7 and 1, the root of the mean power. */
extern const double lte_statistics_levels[LTE_STATISTICS_LEVELS];

typedef struct {
    uint64_t n_drops;    /* to be drawn */
    uint64_t done;       /* so far */
    uint64_t drop_slots; /* from one drop to the next; 1 if nothing moves */
    int n_entries;       /* n_rx n_tx */
    int n_spacings;      /* least of LTE_STATISTICS_SPACINGS and n_sc - 1 */
    int sc[LTE_STATISTICS_SC], n_sc;
    int n_slots, slot_step; /* slots 0, slot_step, ... of each drop; 1 if nothing moves */
    int n_times;            /* symbols of these slots; 0 if nothing moves */
    double *time_s;         /* [n_times] from the drop's first symbol */
    int far_from;           /* the first symbol beyond f_D tau = 2; n_times: there is none */
    double watched_s;       /* time between neighbouring symbols, in a drop */
    size_t n_envelopes;     /* independent ones */

    /* over drops; entries e, subcarriers s of sc, of the drop's first symbol unless a time t is
     * told; h0 is subcarrier 0, or time 0 */
    double complex *matrix;            /* [n_entries][n_entries], i >= j: h_i h_j* over s */
    double complex *frequency;         /* [n_spacings + 1]: h(d) h0* over e */
    double *frequency_power;           /* [n_spacings + 1]: |h(d)|^2 over e */
    double complex slope;              /* u h*, u = h'(f) j / (2 pi), at subcarrier 2, over e */
    double slope_power, slope_h_power; /* |u|^2 and |h|^2 there */
    double complex next_drop;          /* h(0) of a drop times h(0)* of the one before, over e */
    double *envelope;                  /* [n_envelopes] |h| of the last symbol drawn of a drop */
    double complex *time;              /* [n_times]: h(t) h0* over e and s */
    double *time_power;                /* [n_times]: |h(t)|^2 */
    double *time_gap2;                 /* [n_times]: (|h(t)|^2 - |h0|^2)^2 */
    double far, far2;                  /* (|h(t)|^2 - 1) (|h0|^2 - 1) of a drop, t from far_from on,
                                          over e and s; and squared */
    double crossings[LTE_STATISTICS_LEVELS], crossings2[LTE_STATISTICS_LEVELS];
    /* ups of |h| through a level in a drop, over e and s; and squared */

    double complex *first, *before; /* [n_sc][n_entries], [n_entries]: this drop's, the last's */
    double *last;                   /* [n_sc][n_entries]: |h|^2 of the symbol before */
    float *h;                       /* what the stage drew */
    void *work;                     /* of the stage */
    int n_groups, n_h;              /* its shape */
    lte_pool pool;                  /* of all arrays */
} lte_channel_statistics;

/*
 * Of a link that should follow a model; both may differ, which is what a validation is about.
 *
 * Returns LTE_ENOMEM. The caller frees the sums.
 */
lte_status lte_channel_statistics_create(const lte_link *link, const lte_channel_model *model,
                                         lte_channel_statistics **sums);
void lte_channel_statistics_free(lte_channel_statistics *sums);

/* Draws the next drop and adds it. */
void lte_channel_statistics_add(lte_channel_statistics *sums, lte_channel_fn *channel,
                                const lte_link *link);

#endif
