/*
 * The stages: every table of a build against the reference loops bit for bit, the fused paths
 * against the stages, and the stages against their formulas in double.
 */

#include "tests/lib/stages.h"

#include "kernels/base/labels.h"
#include "phy/channel/correlation.h"

static void assert_same_sent(const batch *a, const batch *b)
{
    assert_memory_equal(a->sent, b->sent, a->labels_size);
    assert_memory_equal(a->h, b->h, a->h_size);
    assert_memory_equal(a->y, b->y, a->y_size);
    assert_memory_equal(&a->power, &b->power, sizeof a->power);
}

static void assert_same_decided(const batch *a, const batch *b, int detector)
{
    if ((lte_detector_rows[detector].needs & LTE_NEEDS_INVERSE))
        assert_memory_equal(a->g, b->g, a->g_size);
    assert_memory_equal(a->flag, b->flag, a->flag_size);
    assert_memory_equal(a->decided, b->decided, a->labels_size);
    assert_memory_equal(a->bits, b->bits, a->bits_size);
    assert_memory_equal(a->errors, b->errors, a->errors_size);
}

/* The turned planes are the batches they came from, with zeros behind the last subcarrier. */
static void assert_turns_back(const lte_stages *stages, const batch *sent)
{
    const lte_link *link = &sent->link;
    const int n_h = link->channel.n_h * link->n_rx * link->n_tx,
              n_y = link->n_rx * LTE_SLOT_SYMBOLS;
    batch b;
    batch_init(&b, link, 0x5a);
    stages->corner_turn(link, 0, link->carrier.n_groups, sent->h_planes, sent->y_planes, b.h, b.y);
    for (int sc = 0; sc < link->carrier.n_groups * LTE_LANES; sc++) {
        const bool live = sc < link->carrier.n_sc;
        for (int e = 0; e < 2 * n_h; e++) {
            const size_t at = label_at(2 * n_h, sc, e);
            assert_true(b.h[at] == (live ? sent->h[at] : 0.0f));
        }
        for (int e = 0; e < 2 * n_y; e++) {
            const size_t at = label_at(2 * n_y, sc, e);
            assert_true(b.y[at] == (live ? sent->y[at] : 0.0f));
        }
    }
    batch_fini(&b);
}

/* The fused sweep counts, in one call for all detectors, what the stages count one by one. */
static void assert_fused_sweep(const lte_stages *stages, const batch *decided, lte_noise noise)
{
    lte_detector detectors[LTE_N_DETECTORS];
    const int n = detectors_for(decided[0].link.n_tx, decided[0].link.n_bits, detectors);
    const size_t row_size = decided[0].errors_size;
    uint32_t *errors = poisoned((size_t)n * row_size, 0x5a);
    lte_power power;
    sweep_slot(stages, &decided[0].link, noise, detectors, n, SLOT, &power, errors);
    assert_memory_equal(&power, &decided[0].power, sizeof power);
    for (int d = 0; d < n; d++)
        assert_memory_equal(&errors[lte_counts_at(decided[0].link.output.n_counts, d)],
                            decided[detectors[d].id].errors, row_size);
    free(errors);
}

/*
 * A slot that carries the labels of batches counts the same, and its LLRs have the signs of what is
 * decided, where they are not rounded to zero.
 */
static void assert_carried_slot(const lte_stages *stages, const batch *decided, lte_noise noise)
{
    lte_link link = decided[0].link;
    lte_detector detectors[LTE_N_DETECTORS];
    int zeros = 0;
    const int n_tx = link.n_tx, n_bits = link.n_bits, n = detectors_for(n_tx, n_bits, detectors);
    const size_t n_labels = LTE_SLOT_SYMBOLS * (size_t)n_tx * (size_t)link.carrier.n_sc;
    const size_t row_size = decided[0].errors_size, work_size = lte_sweep_work(&link, n);
    if (LTE_IS_LARGE(link.n_rx, n_tx))
        return;
    link.output.demapper = LTE_DEMAPPER_max_log;
    link.output.llr_scale = 64.0f;
    uint8_t *labels = poisoned(n_labels * (size_t)lte_label_bytes(n_bits), 0x5a);
    uint32_t *errors = poisoned((size_t)n * row_size, 0x5a);
    int8_t *llrs = poisoned((size_t)(n * lte_llr_planes(&link)), 0x5a);
    void *work = poisoned(work_size, 0x5a);
    lte_power power;
    for (size_t i = 0; i < n_labels; i++) {
        const int row = (int)i / link.carrier.n_sc, sc = (int)i % link.carrier.n_sc;
        lte_label_put(
            n_bits, labels, (ptrdiff_t)i,
            decided[0].sent[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, row / n_tx, row % n_tx)]);
    }
    const lte_carried_slot carried = {SLOT, labels, &power, errors, llrs};
    stages->carry_slot(&link, noise, detectors, n, &carried, work);
    assert_memory_equal(&power, &decided[0].power, sizeof power);
    for (int d = 0; d < n; d++) {
        const batch *b = &decided[detectors[d].id];
        const int8_t *llr = llrs + d * lte_llr_planes(&link);
        assert_memory_equal(&errors[lte_counts_at(link.output.n_counts, d)], b->errors, row_size);
        for (size_t i = 0; i < n_labels; i++) {
            const int row = (int)i / link.carrier.n_sc, sc = (int)i % link.carrier.n_sc;
            const uint32_t label =
                b->decided[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, row / n_tx, row % n_tx)];
            for (int bit = 0; bit < n_bits && row / n_tx != link.receiver.pilot; bit++) {
                const int8_t *const value = &llr[(row * n_bits + bit) * link.carrier.n_sc + sc];
                zeros += *value == 0;
                /* the LLRs of mmse-sic are not of its decisions alone */
                assert_true(detectors[d].id == LTE_DETECTOR_mmse_sic || *value == 0 ||
                            (*value < 0) == (label >> bit & 1));
            }
        }
    }
    assert_true(link.channel.n_stored > 0 || 2 * (size_t)zeros < n_labels * (size_t)(n * n_bits));
    free(labels);
    free(errors);
    free(llrs);
    free(work);
}

/* All stages of a table and its fused paths against batches of the reference, one a detector. */
static void compare_table(const lte_stages *stages, const void *arg)
{
    const batch *reference = arg;
    const lte_link *link = &reference[0].link;
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    batch b;
    batch_init(&b, link, 0x5a);
    batch_send(&b, stages, SLOT, noise);
    assert_same_sent(&reference[0], &b);
    assert_turns_back(stages, &b);
    assert_fused_sweep(stages, reference, noise);
    assert_carried_slot(stages, reference, noise);
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        if (!takes_layers(d, link->n_tx, link->n_bits))
            continue;
        batch_decide(&b, stages, lte_detector_usual(d), noise);
        assert_same_decided(&reference[d], &b, d);
        assert_fused_slot(stages, &reference[d], lte_detector_usual(d), noise);
    }
    batch_fini(&b);
}

static void compare_tables(const lte_link *link)
{
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    batch reference[LTE_N_DETECTORS];
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        batch_init(&reference[detector], link, 0xa5);
        batch_send(&reference[detector], lte_stages_all[0], SLOT, noise);
        if (takes_layers(detector, link->n_tx, link->n_bits))
            batch_decide(&reference[detector], lte_stages_all[0], lte_detector_usual(detector),
                         noise);
    }
    for_each_table(compare_table, reference);
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++)
        batch_fini(&reference[detector]);
}

static void compare_shapes(int n_sc, int n_bits, int inverter)
{
    const int most = is_short() && n_bits != 4 ? 3 : LTE_MAX_ORDER;
    for (int n_tx = 1; n_tx <= most; n_tx++) {
        const int n_rx[] = {n_tx, n_tx + 1, LTE_FEW_RX};
        for (int i = 0; i < 3; i++) {
            if ((n_bits > 8 || is_short()) && i != n_tx % 3) /* searches of many points take long */
                continue;
            const lte_link link = link_of(n_sc, n_rx[i], n_tx, n_bits, LTE_CHANNEL_rayleigh,
                                          inverter_for(inverter, n_tx));
            compare_tables(&link);
        }
    }
}

/* Every modulation and every inverter; in the long form each with each, but for the densest. */
static void compare_modulations(int n_sc)
{
    enum { N_MODULATIONS = LTE_MAX_BITS / 2 };
    for (int i = 0; i < N_MODULATIONS; i++) {
        for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
            if ((is_long() && i < N_MODULATIONS - 1) || inverter % N_MODULATIONS == i)
                compare_shapes(n_sc, 2 * i + 2, inverter);
        }
    }
}

static void tables_agree_on_many_subcarriers(void **state)
{
    (void)state;
    compare_shapes(is_short() ? 67 : share_of(1003), 6, LTE_INVERTER_gauss_jordan);
}

/* Two groups of lanes and a half. */
static void tables_agree_on_40_subcarriers(void **state)
{
    (void)state;
    compare_modulations(40);
}

static void tables_agree_on_large_arrays(void **state)
{
    (void)state;
    static const int shapes[][2] = {{17, 1}, {20, 4}, {64, 8}, {9, 9}, {33, 16}, {40, 21}};
    const size_t n_shapes = is_short() ? 2 : sizeof shapes / sizeof *shapes;
    for (size_t i = 0; i < n_shapes * LTE_N_INVERTERS; i++) {
        const int *const shape = shapes[i / LTE_N_INVERTERS], inverter = (int)i % LTE_N_INVERTERS;
        const int n_rx = shape[0], n_tx = shape[1];
        if (lte_inverter_rows[inverter].max_order < n_tx)
            continue;
        lte_link link =
            link_of(37, n_rx, n_tx, 4, i % 2 ? LTE_CHANNEL_epa : LTE_CHANNEL_rayleigh, inverter);
        compare_tables(&link);
        if (link.channel.profile.n_taps == 0)
            continue;
        assert_int_equal(lte_link_set_doppler(&link, 70.0, 4), LTE_OK);
        compare_tables(&link);
    }
}

static void tables_agree_on_1_subcarrier(void **state)
{
    (void)state;
    if (is_short())
        compare_shapes(1, 4, LTE_INVERTER_gauss_jordan);
    else
        compare_modulations(1);
}

static void tables_agree_on_a_20_mhz_carrier(void **state)
{
    (void)state;
    const lte_link link =
        link_of(is_short() ? 300 : 1200, 4, 4, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_gauss_jordan);
    compare_tables(&link);
}

static void tables_agree_on_every_channel(void **state)
{
    (void)state;
    for (int channel = 0; channel < N_MADE; channel++) {
        for (int n = 1; n <= LTE_MAX_ORDER; n++) {
            const int one_of = is_long() ? 1 : is_short() ? 8 : 2;
            if (n % one_of != channel % one_of)
                continue;
            lte_link link = link_of(37, n, n, is_short() ? 4 : 8, channel, inverter_for(n, n));
            compare_tables(&link);
            if (link.channel.profile.n_taps == 0)
                continue;
            assert_int_equal(lte_link_set_doppler(&link, 300.0, 4), LTE_OK);
            compare_tables(&link);
            link = link_of(37, LTE_FEW_RX, n, 2, channel, inverter_for(n, n));
            assert_int_equal(lte_link_set_doppler(&link, 5.0, 10000), LTE_OK);
            compare_tables(&link);
        }
    }
    float factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    for (int channel = 0; channel < N_MADE; channel++) {
        for (int n = is_short() ? 2 : 1; n <= LTE_MAX_ORDER;
             n *= is_short() ? 8 : 2) { /* antennas that correlate */
            const lte_correlation c = {.alpha = 0.7, .beta = 0.4};
            if (lte_channel_rows[channel].not_correlated)
                continue;
            lte_link link = link_of(37, LTE_MAX_ORDER, n, 4, channel, inverter_for(n, n));
            assert_int_equal(lte_correlation_factor(&c, LTE_MAX_ORDER, n, factor), LTE_OK);
            link.channel.correlation_factor = factor;
            compare_tables(&link);
            if (link.channel.profile.n_taps > 0)
                assert_int_equal(lte_link_set_doppler(&link, 300.0, 4), LTE_OK);
            compare_tables(&link);
        }
    }
}

static void tables_agree_on_stored_channels(void **state)
{
    (void)state;
    for (int n = 1; n <= LTE_MAX_ORDER; n += is_short() ? 3 : 1) {
        for (int i = 0; i < (is_short() ? 2 : 4); i++) {
            lte_cf32 *h = NULL;
            const lte_link link =
                stored_link(i < 2 ? 37 : 1, i % 2 ? LTE_FEW_RX : n, n, i % 2 ? 7 : 1, 2, &h);
            compare_tables(&link);
            free(h);
        }
    }
}

/* Groups first .. end - 1 of an array hold the whole's bytes, all others are untouched. */
static void assert_groups(const void *part, const void *whole, size_t size, int n_groups, int first,
                          int end)
{
    const size_t group = size / (size_t)n_groups;
    const uint8_t *p = part, *w = whole;
    for (size_t i = 0; i < size; i++) {
        const bool inside = i >= (size_t)first * group && i < (size_t)end * group;
        assert_int_equal(p[i], inside ? w[i] : 0x5a);
    }
}

enum { N_GROUPS = 5, FIRST = 1, END = 3 };

/* Those behind the receiver, of one detector; a and b have been sent. */
static void detect_in_groups(const lte_stages *stages, lte_detector detector, lte_noise noise,
                             batch *a, batch *b)
{
    const lte_link *link = &a->link;
    batch_decide(a, stages, detector, noise);
    if (lte_detector_needs(detector, LTE_NEEDS_INVERSE)) {
        memset(b->g, 0x5a, b->g_size);
        memset(b->flag, 0x5a, b->flag_size);
        stages->gram(link, detector, noise, FIRST, END, a->h, b->g, b->work);
        stages->invert(link, FIRST, END, b->g, b->flag, b->work);
        assert_groups(b->g, a->g, a->g_size, N_GROUPS, FIRST, END);
        assert_groups(b->flag, a->flag, a->flag_size, N_GROUPS, FIRST, END);
    }
    memset(b->flag, 0x5a, b->flag_size);
    memset(b->decided, 0x5a, b->labels_size);
    lte_stages_detect(stages, link, detector, noise, lte_groups_of(FIRST, END, b->work), a->h, a->y,
                      &(lte_decided){b->g, b->decided, b->flag});
    assert_groups(b->flag, a->flag, a->flag_size, N_GROUPS, FIRST, END);
    assert_groups(b->decided, a->decided, a->labels_size, N_GROUPS, FIRST, END);
    const size_t size = a->labels_size / sizeof(uint32_t) * sizeof(float);
    float *whole = poisoned(size, 0xa5), *part = poisoned(size, 0x5a);
    stages->sinr(link, detector, noise, lte_groups_of(0, N_GROUPS, b->work), a->h, a->y, whole);
    stages->sinr(link, detector, noise, lte_groups_of(FIRST, END, b->work), a->h, a->y, part);
    assert_groups(part, whole, size, N_GROUPS, FIRST, END);
    free(whole);
    free(part);
}

static void keep_to_the_groups(const lte_stages *stages, const void *arg)
{
    const lte_link link =
        link_of(N_GROUPS * LTE_LANES, 4, 3, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    const lte_noise noise = lte_noise_of(3, 10.0);
    lte_detector detectors[LTE_N_DETECTORS];
    const int n_detectors = detectors_for(3, 4, detectors);
    batch a, b;
    (void)arg;
    batch_init(&a, &link, 0xa5);
    batch_init(&b, &link, 0x5a);
    batch_send(&a, stages, SLOT, noise);
    stages->source(&link, SLOT, FIRST, END, b.sent, b.work);
    assert_groups(b.sent, a.sent, a.labels_size, N_GROUPS, FIRST, END);
    stages->channel(&link, SLOT, FIRST, END, b.h, b.work);
    assert_groups(b.h, a.h, a.h_size, N_GROUPS, FIRST, END);
    stages->receive(&link, SLOT, noise, lte_groups_of(FIRST, END, b.work), a.h, a.sent, b.y,
                    &b.power);
    assert_groups(b.y, a.y, a.y_size, N_GROUPS, FIRST, END);
    assert_true(b.power.signal > 0 && b.power.signal < a.power.signal);
    stages->receive(&link, SLOT, noise, lte_groups_of(0, FIRST, b.work), a.h, a.sent, b.y,
                    &b.power);
    stages->receive(&link, SLOT, noise, lte_groups_of(END, N_GROUPS, b.work), a.h, a.sent, b.y,
                    &b.power);
    assert_memory_equal(&b.power, &a.power, sizeof a.power);
    memset(b.h, 0x5a, b.h_size);
    memset(b.y, 0x5a, b.y_size);
    stages->corner_turn(&link, FIRST, END, a.h_planes, a.y_planes, b.h, b.y);
    assert_groups(b.h, a.h, a.h_size, N_GROUPS, FIRST, END);
    assert_groups(b.y, a.y, a.y_size, N_GROUPS, FIRST, END);
    for (int d = 0; d < n_detectors; d++)
        detect_in_groups(stages, detectors[d], noise, &a, &b);
    const size_t row = lte_packed_row(&link);
    stages->pack(&link, FIRST, END, a.decided, b.bits);
    for (size_t symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
        assert_groups(&b.bits[symbol * row], &a.bits[symbol * row], row, N_GROUPS, FIRST, END);
    stages->count(&link, FIRST, END, a.sent, a.decided, a.flag, b.errors);
    assert_true(b.errors[lte_bits_at(0)] > 0 &&
                b.errors[lte_bits_at(0)] < a.errors[lte_bits_at(0)]);
    stages->count(&link, 0, FIRST, a.sent, a.decided, a.flag, b.errors);
    stages->count(&link, END, N_GROUPS, a.sent, a.decided, a.flag, b.errors);
    assert_memory_equal(b.errors, a.errors, a.errors_size);
    batch_fini(&a);
    batch_fini(&b);
}

static void stages_keep_to_their_groups(void **state)
{
    (void)state;
    for_each_table(keep_to_the_groups, NULL);
}

/* Bits of [symbol][subcarrier][layer][bit], lowest first, each symbol from a new byte on. */
static void check_packed(const batch *b)
{
    const lte_link *link = &b->link;
    const size_t row_bits = 8 * lte_packed_row(link);
    size_t n_used = 0;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        size_t at = (size_t)symbol * row_bits;
        for (int sc = 0; sc < link->carrier.n_sc; sc++) {
            for (int tx = 0; tx < link->n_tx; tx++) {
                const uint32_t label = b->decided[label_at(LTE_SLOT_SYMBOLS * link->n_tx, sc,
                                                           symbol * link->n_tx + tx)];
                for (int bit = 0; bit < link->n_bits; bit++, at++)
                    assert_int_equal((b->bits[at / 8] >> (at % 8)) & 1, (label >> bit) & 1);
            }
        }
        n_used = at - (size_t)symbol * row_bits;
        for (; at % row_bits != 0; at++)
            assert_int_equal((b->bits[at / 8] >> (at % 8)) & 1, 0);
    }
    assert_true(row_bits >= n_used && row_bits < n_used + 8);
    assert_int_equal(b->bits_size, LTE_SLOT_SYMBOLS * row_bits / 8);
}

/* A row has a place for each of its counts and no other. */
static void counts_of_a_row_have_places_of_their_own(void **state)
{
    (void)state;
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        int seen[LTE_N_HARD_COUNTS(LTE_MAX_ORDER)] = {0};
        for (int k = 0; k < n_tx; k++) {
            assert_int_equal(lte_bits_at(k) - lte_bits_at(0), k);
            assert_int_equal(lte_symbols_at(n_tx, k) - lte_symbols_at(n_tx, 0), k);
            seen[lte_bits_at(k)]++;
            seen[lte_symbols_at(n_tx, k)]++;
        }
        seen[lte_flagged_at(n_tx)]++;
        seen[lte_vectors_at(n_tx)]++;
        seen[lte_unfinished_at(n_tx)]++;
        seen[lte_silent_at(n_tx)]++;
        assert_int_equal(lte_counts_at(LTE_N_HARD_COUNTS(n_tx), 3), 3 * LTE_N_HARD_COUNTS(n_tx));
        for (int i = 0; i < LTE_N_HARD_COUNTS(n_tx); i++)
            assert_int_equal(seen[i], 1);
    }
}

static void check_counted(const batch *b)
{
    const int n_tx = b->link.n_tx;
    uint32_t expected[LTE_N_HARD_COUNTS(LTE_MAX_ORDER)] = {0};
    for (int sc = 0; sc < b->link.carrier.n_sc; sc++) {
        bool is_wrong[LTE_SLOT_SYMBOLS] = {false};
        for (int e = 0; e < LTE_SLOT_SYMBOLS * n_tx; e++) {
            const size_t at = label_at(LTE_SLOT_SYMBOLS * n_tx, sc, e);
            const uint32_t wrong = b->sent[at] ^ b->decided[at];
            expected[lte_bits_at(e % n_tx)] += (uint32_t)__builtin_popcount(wrong);
            expected[lte_symbols_at(n_tx, e % n_tx)] += wrong != 0;
            is_wrong[e / n_tx] = is_wrong[e / n_tx] || wrong;
        }
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            expected[lte_vectors_at(n_tx)] += is_wrong[symbol];
        const unsigned flag = b->flag[label_at(1, sc, 0)];
        expected[lte_flagged_at(n_tx)] += flag & 1;
        expected[lte_unfinished_at(n_tx)] += (uint32_t)__builtin_popcount(flag >> 1);
    }
    assert_memory_equal(b->errors, expected, b->errors_size);
}

static void bits_are_packed_and_errors_counted_by_layer(void **state)
{
    (void)state;
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
            const lte_link link =
                link_of(75, n_tx, n_tx, n_bits, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
            const lte_noise noise = lte_noise_of(n_tx, 3.0);
            batch b;
            batch_init(&b, &link, 0xa5);
            batch_send(&b, lte_stages_best(), SLOT, noise);
            batch_decide(&b, lte_stages_best(), lte_detector_usual(LTE_DETECTOR_zf), noise);
            assert_true(b.errors[lte_bits_at(n_tx - 1)] > 0);
            check_packed(&b);
            check_counted(&b);
            b.flag[3] = b.flag[74] = LTE_FLAG_NO_STATE;
            b.flag[74] |= LTE_FLAG_UNFINISHED << 6;
            b.flag[4] = LTE_FLAG_UNFINISHED | LTE_FLAG_UNFINISHED << 2;
            b.flag[75] = 0xff; /* a spare lane */
            memset(b.errors, 0, b.errors_size);
            lte_stages_best()->count(&link, 0, link.carrier.n_groups, b.sent, b.decided, b.flag,
                                     b.errors);
            check_counted(&b);
            assert_int_equal(b.errors[lte_flagged_at(n_tx)], 2);
            assert_int_equal(b.errors[lte_unfinished_at(n_tx)], 3);
            batch_fini(&b);
        }
    }
}

static void tables_are_found_by_name(void **state)
{
    (void)state;
    assert_string_equal(lte_stages_all[0]->name, "cpu:ref");
    for (int t = 0; lte_stages_all[t]; t++)
        assert_ptr_equal(lte_stages_find(lte_stages_all[t]->name), lte_stages_all[t]);
    assert_true(lte_stages_all[0]->usable());
    assert_true(lte_stages_best()->usable());
    assert_null(lte_stages_find("cpu"));
    assert_null(lte_stages_find(""));
}

static void links_outside_the_limits_are_refused(void **state)
{
    (void)state;
    static const int bad[][6] = {
        {0, 4, 4, 4, 0, 0},      {-1, 4, 4, 4, 0, 0},
        {72, 4, 0, 4, 0, 0},     {72, 16, 9, 4, 0, 0},
        {72, 256, 129, 4, 0, 0}, {72, 3, 4, 4, 0, 0},
        {72, 257, 4, 4, 0, 0},   {72, 4, 4, 0, 0, 0},
        {72, 4, 4, 3, 0, 0},     {72, 4, 4, LTE_MAX_BITS + 2, 0, 0},
        {72, 4, 4, 4, -1, 0},    {72, 4, 4, 4, LTE_N_CHANNELS, 0},
        {72, 4, 4, 4, 0, -1},    {72, 4, 4, 4, 0, LTE_N_INVERTERS},
    };
    enum { N_BAD = sizeof bad / sizeof bad[0] };
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < N_BAD; i++) {
        lte_link link;
        const int *b = bad[i];
        assert_int_equal(lte_link_init(&link, b[0], b[1], b[2], b[3], b[4], b[5], 1), LTE_EINVAL);
    }
    const lte_cf32 h[LTE_SLOT_SYMBOLS] = {{0}};
    lte_link drawn = link_of(1, 1, 1, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    lte_link stored = link_of(1, 1, 1, 4, LTE_CHANNEL_file, LTE_INVERTER_ldl);
    assert_int_equal(lte_link_set_channel_data(&drawn, h, 1, 1), LTE_EINVAL);
    assert_int_equal(lte_link_set_channel_data(&stored, h, 0, 1), LTE_EINVAL);
    assert_int_equal(lte_link_set_channel_data(&stored, NULL, 1, 1), LTE_EINVAL);
    assert_int_equal(lte_link_set_channel_data(&stored, h, 1, 2), LTE_EINVAL);
    assert_int_equal(lte_link_set_doppler(&stored, 70.0, 8), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), N_BAD + 5);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(stages, tables_agree_on_many_subcarriers),
    LTE_CASE(stages, tables_agree_on_40_subcarriers),
    LTE_CASE(stages, tables_agree_on_1_subcarrier),
    LTE_CASE(stages, tables_agree_on_large_arrays),
    LTE_CASE(stages, tables_agree_on_a_20_mhz_carrier),
    LTE_CASE(stages, tables_agree_on_every_channel),
    LTE_CASE(stages, tables_agree_on_stored_channels),
    LTE_CASE(stages, counts_of_a_row_have_places_of_their_own),
    LTE_CASE(stages, bits_are_packed_and_errors_counted_by_layer),
    LTE_CASE(stages, stages_keep_to_their_groups),
    LTE_CASE(stages, tables_are_found_by_name),
    LTE_CASE(stages, links_outside_the_limits_are_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("stages", cases, NULL, NULL);
}
