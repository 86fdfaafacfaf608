#ifndef LTE_TESTS_BATCH_H
#define LTE_TESTS_BATCH_H
/*
 * All arrays of one slot of a link (kernels/link/layouts.h has the shapes), and the stages run over
 * them.
 *
 *     batch b;
 *     batch_init(&b, &link, 0xa5);
 *     batch_send(&b, stages, slot, noise);
 *     batch_decide(&b, stages, zf, noise);    // b.errors, b.bits
 *     batch_fini(&b);
 */

#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/stages.h"
#include "phy/base/philox.h"
#include "tests/lib/unit.h"

typedef struct {
    lte_link link;
    uint32_t *sent, *decided;
    float *h, *y, *g;
    uint8_t *flag, *bits;
    void *work; /* of stages */
    lte_cf32 *h_planes, *y_planes;
    uint32_t *errors; /* [LTE_N_HARD_COUNTS(n_tx)] */
    size_t labels_size, h_size, y_size, g_size, flag_size, bits_size, errors_size; /* bytes */
    lte_power power;
} batch;

/* False for a detector that inverts nothing, with another inverter than the first. */
static inline bool is_a_case(int detector, int inverter)
{
    return inverter == 0 || (lte_detector_rows[detector].needs & LTE_NEEDS_INVERSE);
}

/* Memory on 64, as the work of a sweep wants it. */
static inline void *poisoned(size_t size, int poison)
{
    void *p = aligned_alloc(64, (size + 63) / 64 * 64);
    assert_non_null(p);
    return memset(p, poison, size);
}

/* Fills n bytes, the same each time, of all values. */
static inline void random_bytes(void *to, size_t n)
{
    const lte_philox_key key = lte_philox_key_of(20260);
    for (size_t i = 0; i < n; i += sizeof(lte_words)) {
        const lte_words w = lte_philox(&key, i, 0);
        memcpy((uint8_t *)to + i, w.v, n - i < sizeof w.v ? n - i : sizeof w.v);
    }
}

/* Fills every array with bytes `poison`, so that what a stage leaves out differs between two. */
static inline void batch_init(batch *b, const lte_link *link, int poison)
{
    b->link = *link;
    b->labels_size = lte_layout_bytes(link, LTE_BATCH_LABEL);
    b->h_size = lte_layout_bytes(link, LTE_BATCH_H);
    b->y_size = lte_layout_bytes(link, LTE_BATCH_Y);
    b->g_size = lte_layout_bytes(link, LTE_BATCH_GRAM);
    b->flag_size = lte_layout_bytes(link, LTE_BATCH_FLAG);
    b->bits_size = lte_layout_bytes(link, LTE_BITS);
    b->errors_size = (size_t)LTE_N_HARD_COUNTS(link->n_tx) * sizeof(uint32_t);
    b->sent = poisoned(b->labels_size, poison);
    b->decided = poisoned(b->labels_size, poison);
    b->h = poisoned(b->h_size, poison);
    b->y = poisoned(b->y_size, poison);
    b->g = poisoned(b->g_size, poison);
    b->flag = poisoned(b->flag_size, poison);
    b->bits = poisoned(b->bits_size, poison);
    b->h_planes = poisoned(lte_layout_bytes(link, LTE_PLANES_H), poison);
    b->y_planes = poisoned(lte_layout_bytes(link, LTE_PLANES_Y), poison);
    b->work = poisoned(lte_stage_work(link), poison);
    b->errors = poisoned(b->errors_size, 0);
    b->power = (lte_power){0, 0};
}

static inline void batch_fini(batch *b)
{
    free(b->sent);
    free(b->decided);
    free(b->h);
    free(b->y);
    free(b->g);
    free(b->flag);
    free(b->bits);
    free(b->work);
    free(b->errors);
    free(b->h_planes);
    free(b->y_planes);
}

/* Place of element e of n of subcarrier sc in an array of labels. */
static inline size_t label_at(int n, int sc, int e)
{
    return ((size_t)(sc / LTE_LANES) * (size_t)n + (size_t)e) * LTE_LANES +
           (size_t)(sc % LTE_LANES);
}

/* Place of the real part of element e of n of subcarrier sc; the imaginary one: + LTE_LANES. */
static inline size_t batch_at(int n, int sc, int e)
{
    return label_at(2 * n, sc, 2 * e);
}

/* The planes of h and y. */
static inline void batch_turn(batch *b)
{
    assert_int_equal(lte_layout_copy(&b->link, LTE_BATCH_H, b->h, LTE_PLANES_H, b->h_planes),
                     LTE_OK);
    assert_int_equal(lte_layout_copy(&b->link, LTE_BATCH_Y, b->y, LTE_PLANES_Y, b->y_planes),
                     LTE_OK);
}

/* Source to receiver, and the planes of the result. */
static inline void batch_send(batch *b, const lte_stages *stages, uint64_t slot, lte_noise noise)
{
    const lte_link *link = &b->link;
    const int n_groups = link->carrier.n_groups;
    b->power = (lte_power){0, 0};
    stages->source(link, slot, 0, n_groups, b->sent, b->work);
    stages->channel(link, slot, 0, n_groups, b->h, b->work);
    stages->receive(link, slot, noise, lte_groups_of(0, n_groups, b->work), b->h, b->sent, b->y,
                    &b->power);
    batch_turn(b);
}

/*
 * What the receiver of a slot makes of its reference symbol, in two pieces as threads share a
 * slot: y_planes [n_rx][7][n_sc], h [n_rx][n_tx][n_sc]  out. Returns the noise that it goes by.
 */
static inline lte_noise estimate_planes(const lte_link *link, const lte_stages *stages,
                                        lte_noise noise, const lte_cf32 *y_planes, lte_cf32 *h,
                                        int64_t *residual)
{
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->carrier.n_sc;
    const lte_cf32 *y = &y_planes[(ptrdiff_t)LTE_PILOT_SYMBOL * link->carrier.n_sc];
    const int middle = link->carrier.n_groups / 3;
    const bool spans = lte_estimator_spans_carrier(&link->receiver.estimator);
    void *work = poisoned(lte_stage_work(link), 0x5a);
    float *sum = poisoned((size_t)lte_sums_size(link) * sizeof *sum + 1, 0x5a);
    float *unknown =
        poisoned((size_t)(link->n_rx * lte_unknowns_size(link)) * sizeof *unknown + 1, 0x5a);
    const float *c = NULL;
    *residual = 0;
    if (spans) {
        stages->correlate(link, middle, link->carrier.n_groups, y, stride, sum, work);
        stages->correlate(link, 0, middle, y, stride, sum, work);
        c = lte_estimator_totals(link, sum);
    }
    if (lte_needs_least_squares(link)) {
        if (spans)
            stages->fit(link, LTE_LS_WEIGHTS, c, unknown);
        stages->estimate(link, LTE_LS_WEIGHTS, lte_groups_of(middle, link->carrier.n_groups, work),
                         y, stride, unknown, h, residual);
        stages->estimate(link, LTE_LS_WEIGHTS, lte_groups_of(0, middle, work), y, stride, unknown,
                         h, residual);
    }
    const lte_noise known = lte_effective_noise(link, noise, *residual);
    const int set = lte_link_weights(link, known.n0);
    if (set != LTE_LS_WEIGHTS) {
        if (spans)
            stages->fit(link, set, c, unknown);
        stages->estimate(link, set, lte_groups_of(0, middle, work), y, stride, unknown, h, NULL);
        stages->estimate(link, set, lte_groups_of(middle, link->carrier.n_groups, work), y, stride,
                         unknown, h, NULL);
    }
    free(sum);
    free(unknown);
    free(work);
    return known;
}

/* Gram to packed bits and counts, from h and y. */
static inline void batch_decide(batch *b, const lte_stages *stages, lte_detector detector,
                                lte_noise noise)
{
    const lte_link *link = &b->link;
    const int n_groups = link->carrier.n_groups;
    memset(b->errors, 0, b->errors_size);
    lte_stages_detect(stages, link, detector, noise, lte_groups_of(0, n_groups, b->work), b->h,
                      b->y, &(lte_decided){b->g, b->decided, b->flag});
    stages->pack(link, 0, n_groups, b->decided, b->bits);
    stages->count(link, 0, n_groups, b->sent, b->decided, b->flag, b->errors);
}

/*
 * Whether a detector takes n_tx layers. Maximum likelihood, which may have to go through all
 * vectors of all layers but one, and fsd are tried only where they are short at any SNR.
 */
static inline bool takes_layers(int detector, int n_tx, int n_bits)
{
    const lte_detector_row *row = &lte_detector_rows[detector];
    const double full = detector == LTE_DETECTOR_fsd ? row->parameter[0].otherwise(n_tx, n_tx) : 0;
    return n_tx <= row->max_tx && n_bits * full <= 8 &&
           (detector != LTE_DETECTOR_ml || n_bits * (n_tx - 1) <= 12);
}

/* Whether a detector is tried with a link, as its parameters usually are. */
static inline bool takes_link(int detector, const lte_link *link)
{
    const lte_detector_row *row = &lte_detector_rows[detector];
    const lte_detector_plan plan =
        lte_link_plan(link, lte_detector_usual(detector), link->output.asked);
    return takes_layers(detector, link->n_tx, link->n_bits) &&
           !(link->output.asked & ~row->outputs & LTE_GIVES_LLRS) &&
           !(row->refuses && row->refuses(&plan));
}

/* The detectors that take n_tx layers: detector [LTE_N_DETECTORS]  out. Returns how many. */
static inline int detectors_for(int n_tx, int n_bits, lte_detector *detector)
{
    int n = 0;
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        if (takes_layers(d, n_tx, n_bits))
            detector[n++] = lte_detector_usual(d);
    }
    assert_true(n > 0);
    return n;
}

/* The same without those that search, which take long. */
static inline int quick_detectors_for(int n_tx, int n_bits, lte_detector *detector)
{
    const int n = detectors_for(n_tx, n_bits, detector);
    int kept = 0;
    for (int d = 0; d < n; d++) {
        if (detector[d].id < LTE_N_ESTIMATING_DETECTORS)
            detector[kept++] = detector[d];
    }
    return kept;
}

/* The i-th inverter, or the next that takes matrices of order n_tx. */
static inline int inverter_for(int i, int n_tx)
{
    for (int k = i; k < i + LTE_N_INVERTERS; k++) {
        if (n_tx <= lte_inverter_rows[k % LTE_N_INVERTERS].max_order)
            return k % LTE_N_INVERTERS;
    }
    fail_msg("no inverter of order %d", n_tx);
    return -1;
}

/* Layers of a small array that a detector takes over an inverter. */
static inline int most_layers(int detector, int inverter)
{
    const int a = lte_detector_rows[detector].max_tx, b = lte_inverter_rows[inverter].max_order;
    const int most = a < b ? a : b;
    return most < LTE_MAX_ORDER ? most : LTE_MAX_ORDER;
}

/* Calls visit for every usable table. */
typedef void table_visit(const lte_stages *stages, const void *arg);

static inline void for_each_table(table_visit *visit, const void *arg)
{
    for (int t = 0; lte_stages_all[t]; t++) {
        if (lte_stages_all[t]->usable())
            visit(lte_stages_all[t], arg);
    }
}

/* stages->sweep_slot with work memory of its own. */
static inline void sweep_slot(const lte_stages *stages, const lte_link *link, lte_noise noise,
                              const lte_detector *detectors, int n_detectors, uint64_t slot,
                              lte_power *power, uint32_t *errors)
{
    void *work = poisoned(lte_sweep_work(link, n_detectors), 0x5a);
    stages->sweep_slot(link, noise, detectors, n_detectors, slot, work, power, errors);
    free(work);
}

static inline lte_link link_of(int n_sc, int n_rx, int n_tx, int n_bits, int channel, int inverter)
{
    lte_link link;
    assert_int_equal(lte_link_init(&link, n_sc, n_rx, n_tx, n_bits, channel, inverter, 77), LTE_OK);
    return link;
}

#endif
