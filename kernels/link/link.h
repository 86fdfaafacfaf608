#ifndef LTE_KERNELS_LINK_H
#define LTE_KERNELS_LINK_H
/*
 * The link that every stage works on.
 *
 *     lte_link link;
 *     lte_link_init(&link, n_sc, n_rx, n_tx, n_bits, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, seed);
 *
 * A slot has n_h channel matrices on a subcarrier: one, or 7, one for each symbol, if it moves.
 * Where all of it lies in memory: kernels/link/layouts.h.
 */

#include <stddef.h>
#include <stdint.h>

#include "kernels/base/labels.h"
#include "phy/detection/detectors.h"
#include "phy/detection/demap.h"
#include "phy/base/resource_grid.h"
#include "phy/channel/draws.h"
#include "phy/theory/information.h"
#include "phy/inversion/inverters.h"
#include "phy/estimation/estimator.h"
#include "phy/channel/profile.h"
#include "phy/estimation/pilot_combination.h"
#include "phy/base/status.h"

enum { LTE_LANES = 16 };

/* Of integer LLRs: with less all is rounded to zero, with more all is cut. */
enum { LTE_LEAST_LLR_SCALE = 1, LTE_MOST_LLR_SCALE = 64 };

/* The resource elements. */
typedef struct {
    int n_sc;      /* subcarriers */
    int n_groups;  /* ceil(n_sc / LTE_LANES) */
    lte_grid grid; /* of a code: the elements that carry it, those of the pilot as well */
} lte_carrier_part;

/* What is between transmitter and receiver, and all that is drawn. */
typedef struct {
    int model; /* LTE_CHANNEL_*; LTE_NO_CHANNEL: nothing is drawn, matrices are given */
    int n_h;   /* channel matrices of a slot on a subcarrier: 1 or 7 */
    lte_profile profile;
    lte_doppler doppler;
    int hold_slots; /* of a channel without Doppler: slots in a row that have the same */
    const float *correlation_factor; /* NULL: antennas are independent; else their factor, see
                                        lte_correlate; not owned */
    const lte_cf32 *stored; /* [n_stored][n_rx][n_tx][n_h][n_sc] of a stored channel; not owned */
    uint64_t n_stored;      /* slot s has channel s mod n_stored; 0: none is stored */
    bool wide; /* elements of H may lie outside the range that fast kernels of devices take
                  (phy/detection/detector.h) */
    lte_draws draws;
} lte_channel_part;

enum { LTE_NO_CHANNEL = -1 };

/* What the receiver knows, and by what it detects. */
typedef struct {
    int csi;          /* LTE_CSI_*, what the receiver knows of H */
    int n_csi;        /* channel matrices that it works with: n_h; 1 if it estimates, 7 from
                                two */
    int pilot;        /* the symbol that is a pilot, -1 if none is: all carry data */
    int pilots;       /* estimates that a symbol's H is made of: 1, or both of the subframe, 2 */
    bool noise_known; /* n0 is not estimated */
    lte_estimator estimator;                  /* if it estimates; not owned */
    lte_pilot_lags lags[LTE_SUBFRAME_PILOTS]; /* of 2 pilots: in even slots, in odd ones */
    int inverter;                             /* LTE_INVERTER_* */
    int inversion;       /* LTE_INVERSION_*: on a device; processors have none */
    int n_state, n_work; /* complex elements of the largest state and work of its detectors */
    bool searches;       /* one of them is of LTE_SEARCHING_DETECTORS */
} lte_receiver_part;

/*
 * What is counted of detectors: wrong bits of their decisions; these and what their LLRs are worth;
 * or the transport blocks that are decoded from their LLRs. Each is a row of tables by these
 * numbers: kernels/coding/counted.h, sim/jobs/sweep/counted.h, sim/report/results/counted_words.h.
 */
enum { LTE_COUNTED_BITS, LTE_COUNTED_LLRS, LTE_COUNTED_BLOCKS, LTE_N_COUNTED };

/* What comes of a detector beside decisions, and what is counted of it. */
typedef struct {
    int counted;                  /* LTE_COUNTED_*, set by the link */
    int demapper;                 /* LTE_DEMAPPER_*; this and the next are of LLRs */
    float llr_scale;              /* an integer LLR is L times that */
    const uint32_t *scale_losses; /* [LTE_SCALE_LOSSES]; not owned */
    /* of a code: rows of counts have records (transport_code.h), by this [LTE_LLR_VALUES]; or NULL;
       not owned */
    const uint32_t *integer_losses;
    /* set by the link: */
    const struct lte_code
        *code;      /* that it carries (kernels/coding/coded.h); NULL: none; not owned */
    int n_counts;   /* of a row of what a detector got wrong */
    unsigned asked; /* LTE_GIVES_*: what it takes of each detector */
} lte_output;

typedef struct {
    int n_rx, n_tx, n_bits; /* antennas, layers, bits of a QAM symbol */
    lte_carrier_part carrier;
    lte_channel_part channel;
    lte_receiver_part receiver;
    lte_output output;
} lte_link;

/* One SNR; what a receiver makes of it if it estimates the channel. */
typedef struct {
    float n0;    /* noise variance per receive antenna, linear, > 0 */
    float sigma; /* sqrt(n0) */
    /* NULL, or of lte_estimator: the detector sees n0 (1 + estimation_error) */
    const float *estimation_error;
    /* NULL, or [7], if estimates are made from both pilots of a subframe: lte_combined_n0 */
    const lte_combination *combination; /* not owned */
} lte_noise;

/* Power of the slot's symbol 0 over all antennas and subcarriers, in units of 2^-20. */
typedef struct {
    int64_t signal, noise;
} lte_power;

#ifdef __cplusplus
extern "C" {
#endif

/* Returns LTE_EINVAL where an inverter does not take the order of so many layers. */
lte_status lte_inverter_takes(const lte_inverter *inverter, int n_tx);

/*
 * Returns LTE_EINVAL for sizes outside phy/base/limits.h (n_sc: any from 1), n_tx > n_rx, or n_rx
 * that a channel does not take.
 */
lte_status lte_link_init(lte_link *link, int n_sc, int n_rx, int n_tx, int n_bits, int channel,
                         int inverter, uint64_t seed);

/* The same of a link that draws nothing: what is received and its channel are given. */
lte_status lte_link_init_given(lte_link *link, int n_sc, int n_rx, int n_tx, int n_bits,
                               int inverter);

/*
 * Lets the channel of a link move. Returns LTE_EINVAL for a channel that is not made of taps and
 * for values outside phy/channel/profile.h, and for a drop too long for so many antennas: the
 * sinusoids of all taps are at most 2^32.
 */
lte_status lte_link_set_doppler(lte_link *link, double doppler_hz, int drop_slots);

/* Lets a channel that does not move stand still for so many slots in a row, from 1 on. */
void lte_link_hold_channel(lte_link *link, int hold_slots);

/* The slot that a slot's channel is drawn in. */
LTE_INLINE uint64_t lte_held_slot(const lte_link *link, uint64_t slot)
{
    return link->channel.hold_slots > 1 ? slot - slot % (uint64_t)link->channel.hold_slots : slot;
}

/* Lets the receiver of a link know its channel and n0, as lte_link_init does. */
void lte_link_set_perfect_csi(lte_link *link);

/*
 * Lets the receiver of a link estimate its channel, after lte_link_set_doppler and anything else.
 * estimator are those of its channel, size and csi; they must outlive the link.
 */
void lte_link_estimate(lte_link *link, int csi, bool noise_known, lte_estimator estimator);

/*
 * Lets the receiver of a link estimate from one reference symbol, or from both of the subframe,
 * after lte_link_estimate. Returns LTE_EINVAL for other numbers; for both where the receiver does
 * not estimate, where nothing moves by a Doppler that it could know, or where drops split a
 * subframe, and then changes nothing.
 */
lte_status lte_link_set_dmrs_symbols(lte_link *link, int pilots);

/* OFDM symbols of a slot that carry data, if all elements of the grid do. */
int lte_data_symbols(const lte_link *link);

/* Resource elements of a subframe that carry data. */
int lte_data_elements(const lte_link *link);

/* Bits that they carry in a slot over all layers, the mean over a subframe. */
uint64_t lte_slot_bits(const lte_link *link);

/* Whether one of them is subcarrier sc of a symbol of a slot. */
LTE_INLINE bool lte_link_carries(const lte_link *link, uint64_t slot, int symbol, int sc)
{
    return symbol != link->receiver.pilot &&
           lte_grid_carries(&link->carrier.grid, slot, symbol, sc);
}

/* Matrices of a slot that data are detected with. */
int lte_link_matrices(const lte_link *link);

/* How the estimates of a subframe combine in a slot: c [7]  out, which the noise then goes by. */
void lte_link_combine(const lte_link *link, uint64_t slot, lte_noise *noise, lte_combination *c);

/*
 * What the detector goes by: n0 as known or, from the residual, as estimated, and the error of the
 * estimate of H.
 */
lte_noise lte_effective_noise(const lte_link *link, lte_noise noise, int64_t residual);

/*
 * Lets a link be for these detectors alone, after its output; before that it is for every row of
 * the list with its usual parameters. Its work memory is for the largest of them. Returns
 * LTE_EINVAL where one of them does not take the link (lte_detector_takes), and then changes
 * nothing.
 */
lte_status lte_link_set_detectors(lte_link *link, const lte_detector *detectors, int n_detectors);

/*
 * A detector at the size of a link, with its own demapper or the link's; asked: LTE_GIVES_* that it
 * is to give, output.asked where the link counts it.
 */
lte_detector_plan lte_link_plan(const lte_link *link, lte_detector detector, unsigned asked);

/*
 * Lets LLRs of the detectors of a link be counted, too. Returns LTE_EINVAL for a scale outside
 * LTE_LEAST_LLR_SCALE to LTE_MOST_LLR_SCALE, and then changes nothing.
 */
lte_status lte_link_set_llr_output(lte_link *link, const lte_output *output);

/*
 * Lets the slots of a link carry a code; output says of what kind its LLRs are. Returns LTE_EINVAL
 * as lte_link_set_llr_output.
 */
lte_status lte_link_set_transport_code(lte_link *link, const struct lte_code *code,
                                       const lte_output *output);

/*
 * Lets a device invert the matrices of a link by one of the versions of its inverter,
 * LTE_INVERSION_* of kernels/link/inversion_rows.h, with the same bits. Returns LTE_EINVAL for that
 * of another inverter and for an order that it does not take, and then changes nothing.
 */
lte_status lte_link_set_inversion(lte_link *link, int inversion);

/*
 * Gives a link of a stored channel its planes [n_stored][n_rx][n_tx][n_h][n_sc], which live as long
 * as the link; before that no stage may run. Returns LTE_EINVAL for a channel that is not stored,
 * for none and for n_h other than 1 and 7.
 */
lte_status lte_link_set_channel_data(lte_link *link, const lte_cf32 *stored, uint64_t n_stored,
                                     int n_h);

/*
 * The same where the caller knows wide: whether one of the slots is not lte_planes_moderate
 * (kernels/link/channel_range.h) for LTE_LEAST_RANGE. lte_link_set_channel_data looks at all of
 * them.
 */
lte_status lte_link_set_known_channel_data(lte_link *link, const lte_cf32 *stored,
                                           uint64_t n_stored, int n_h, bool wide);

/* n0 = n_tx / snr and its root, snr linear. */
lte_noise lte_noise_of(int n_tx, double snr);

/*
 * Bytes of work memory, on 64 and a multiple of it, that a stage takes on a processor, and a slot
 * of a sweep.
 */
size_t lte_stage_work(const lte_link *link);
size_t lte_sweep_work(const lte_link *link, int n_detectors);

/* Taps of a slot, [n_h][n_taps][n_rx][n_tx]: their number, 0 for channels that have none. */
size_t lte_slot_taps(const lte_link *link);

/* Bytes of a symbol's packed decisions: n_sc n_tx n_bits bits, rounded up to whole bytes. */
size_t lte_packed_row(const lte_link *link);

/* Bytes of what a slot gives of a symbol: of those, or of its LLRs [n_tx][n_bits][n_sc]. */
size_t lte_output_row(const lte_link *link);

#ifdef __cplusplus
}
#endif

/*
 * What a detector got wrong is a row of counts:
 *
 *     bit errors [n_tx], symbol errors [n_tx], matrices that had no inverse [1], wrong vectors [1],
 *     unfinished elements [1], silent layers [1]
 *
 * and, of LLRs (phy/theory/information.h),
 *
 *     lost information [n_tx][n_bits], losses by scales of the integers of symbol 0 of the first
 *     LTE_MAX_ORDER layers [LTE_N_LLR_SCALES], integers that were cut [1]
 *
 * Several slots and detectors have theirs as [n_slots][n_detectors][n_counts]. Here is all that
 * knows where a count lies: how many a row has, where in it each stands, and where row i begins.
 */
#define LTE_N_HARD_COUNTS(n_tx) (2 * (n_tx) + 4)
#define LTE_N_LLR_COUNTS(n_tx, n_bits)                                                             \
    (LTE_N_HARD_COUNTS(n_tx) + (n_tx) * (n_bits) + LTE_N_LLR_SCALES + 1)
LTE_INLINE int lte_bits_at(int k)
{
    return k;
}
LTE_INLINE int lte_symbols_at(int n_tx, int k)
{
    return n_tx + k;
}
LTE_INLINE int lte_flagged_at(int n_tx)
{
    return 2 * n_tx;
}
LTE_INLINE int lte_vectors_at(int n_tx)
{
    return 2 * n_tx + 1;
}
LTE_INLINE int lte_unfinished_at(int n_tx)
{
    return 2 * n_tx + 2;
}
/* Kernels leave it 0: who sums the rows knows the silent layers of the stored channels. */
LTE_INLINE int lte_silent_at(int n_tx)
{
    return 2 * n_tx + 3;
}
LTE_INLINE int lte_lost_at(int n_tx, int n_bits, int k, int bit)
{
    return LTE_N_HARD_COUNTS(n_tx) + k * n_bits + bit;
}
LTE_INLINE int lte_scaled_at(int n_tx, int n_bits, int s)
{
    return lte_lost_at(n_tx, n_bits, n_tx, s);
}
LTE_INLINE int lte_cut_at(int n_tx, int n_bits)
{
    return lte_scaled_at(n_tx, n_bits, LTE_N_LLR_SCALES);
}
/*
 * What is told of a matrix and of what is detected with it, in a byte: it has no finite state, and,
 * shifted by a symbol, the element of that symbol was not finished.
 */
enum { LTE_FLAG_NO_STATE = 1, LTE_FLAG_UNFINISHED = 2 };

LTE_INLINE ptrdiff_t lte_counts_at(int n_counts, ptrdiff_t i)
{
    return i * n_counts;
}

/* Bytes of the labels of a slot, [7][n_tx][n_sc] of lte_label_bytes. */
LTE_INLINE ptrdiff_t lte_label_planes(const lte_link *link)
{
    return (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_tx * link->carrier.n_sc *
           lte_label_bytes(link->n_bits);
}

/* Integers of the LLRs of a slot of a detector. */
LTE_INLINE ptrdiff_t lte_llr_planes(const lte_link *link)
{
    return (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_tx * link->n_bits * link->carrier.n_sc;
}

/* Lost information of all layers and bits in a row of a slot's counts. */
LTE_INLINE uint64_t lte_information_lost(int n_tx, int n_bits, const uint32_t *counts)
{
    uint64_t sum = 0;
    for (int i = lte_lost_at(n_tx, n_bits, 0, 0); i < lte_scaled_at(n_tx, n_bits, 0); i++)
        sum += counts[i];
    return sum;
}

/* Bit errors of all layers in a row of a slot's counts. */
LTE_INLINE uint64_t lte_bit_errors(int n_tx, const uint32_t *counts)
{
    uint64_t sum = 0;
    for (int k = 0; k < n_tx; k++)
        sum += counts[lte_bits_at(k)];
    return sum;
}

/* Whether the receiver estimates its channel. */
LTE_INLINE bool lte_link_estimates(const lte_link *link)
{
    return link->receiver.pilot >= 0;
}

/* The set of a link's final estimates at a noise variance. */
LTE_INLINE int lte_link_weights(const lte_link *link, float n0)
{
    return lte_estimator_final_set(&link->receiver.estimator, n0);
}

/* How the estimates of a subframe combine in symbol l of a slot; n0: known or estimated. */
LTE_INLINE lte_combination lte_link_combination(const lte_link *link, float n0, uint64_t slot,
                                                int l)
{
    const lte_estimator *p = &link->receiver.estimator;
    return lte_combine(&link->receiver.lags[slot % LTE_SUBFRAME_PILOTS], link->n_tx,
                       n0 * p->mean_error[lte_link_weights(link, n0)], lte_estimator_has_levels(p),
                       l);
}

/* Whether a slot's estimate by the set LTE_LS_WEIGHTS is made: for itself or for the noise. */
LTE_INLINE bool lte_needs_least_squares(const lte_link *link)
{
    return lte_link_estimates(link) &&
           (link->receiver.estimator.n_sets == 1 || !link->receiver.noise_known);
}

/*
 * Floats of one antenna's unknowns [2][n_tx][padded], over the carrier, and of the sums that lead
 * to them, [n_groups][n_rx] and then [n_rx] of those; 0 if estimates are made in windows.
 */
LTE_INLINE ptrdiff_t lte_unknowns_size(const lte_link *link)
{
    return (ptrdiff_t)2 * link->n_tx * lte_estimator_pitch(&link->receiver.estimator);
}
LTE_INLINE ptrdiff_t lte_sums_size(const lte_link *link)
{
    return (ptrdiff_t)(link->carrier.n_groups + 1) * link->n_rx * lte_unknowns_size(link);
}

#endif
