/*
 * Channels and received vectors that are zero or not finite, and detectors side by side: nothing
 * else changes.
 */
#include "tests/lib/stages.h"

#include <math.h>

static const double not_finite[] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
enum { N_NOT_FINITE = 3, BAD_SC = 21, N_BAD_SC = 37 };

/* All at once, in either order, against each alone. */
static void order_of_detectors_changes_no_count(const lte_stages *stages, const void *arg)
{
    lte_detector all[LTE_N_DETECTORS], turned[LTE_N_DETECTORS];
    const int n = detectors_for(4, 4, all);
    enum { N_COUNTS = LTE_N_HARD_COUNTS(4) };
    uint32_t one[LTE_N_DETECTORS][N_COUNTS], other[LTE_N_DETECTORS][N_COUNTS], alone[N_COUNTS];
    lte_power first, power;
    (void)arg;
    for (int d = 0; d < n; d++)
        turned[n - 1 - d] = all[d];
    for (int i = 0; i < LTE_N_INVERTERS; i++) {
        const lte_link link = link_of(203, 4, 4, 4, LTE_CHANNEL_rayleigh, inverter_for(i, 4));
        const lte_noise noise = lte_noise_of(4, 16.0);
        sweep_slot(stages, &link, noise, all, n, SLOT, &first, one[0]);
        sweep_slot(stages, &link, noise, turned, n, SLOT, &power, other[0]);
        assert_memory_equal(&power, &first, sizeof power);
        for (int d = 0; d < n; d++) {
            sweep_slot(stages, &link, noise, &all[d], 1, SLOT, &power, alone);
            assert_memory_equal(&power, &first, sizeof power);
            assert_memory_equal(one[d], other[n - 1 - d], sizeof alone);
            assert_memory_equal(one[d], alone, sizeof alone);
            for (int k = 0; k < d; k++)
                assert_memory_not_equal(one[d], one[k], sizeof alone);
        }
    }
}

static void detectors_do_not_disturb_each_other(void **state)
{
    (void)state;
    for_each_table(order_of_detectors_changes_no_count, NULL);
}

/* One resource element, symbol < 0 meaning all, decides as zero does; no other decision differs. */
static void assert_only_zeroed(const batch *clean, const batch *spoiled, int bad_sc, int bad_symbol)
{
    const lte_link *link = &clean->link;
    const lte_cplx zero = {0.0f, 0.0f};
    for (int sc = 0; sc < link->carrier.n_sc; sc++) {
        for (int e = 0; e < LTE_SLOT_SYMBOLS * link->n_tx; e++) {
            const size_t at = label_at(LTE_SLOT_SYMBOLS * link->n_tx, sc, e);
            const bool bad = sc == bad_sc && (bad_symbol < 0 || e / link->n_tx == bad_symbol);
            const uint32_t expected = bad ? lte_qam_slice(link->n_bits, zero) : clean->decided[at];
            assert_int_equal(spoiled->decided[at], expected);
        }
    }
}

static void decide_from_planes(batch *b, const lte_stages *stages, int detector, lte_noise noise)
{
    stages->corner_turn(&b->link, 0, b->link.carrier.n_groups, b->h_planes, b->y_planes, b->h,
                        b->y);
    batch_decide(b, stages, lte_detector_usual(detector), noise);
    assert_fused_slot(stages, b, lte_detector_usual(detector), noise);
}

/* The same slot twice, the first decided: the second is there to be spoiled. */
static void twins(const lte_link *link, const lte_stages *stages, int detector, lte_noise noise,
                  batch *clean, batch *b)
{
    batch_init(clean, link, 0xa5);
    batch_init(b, link, 0x5a);
    batch_send(clean, stages, SLOT, noise);
    batch_send(b, stages, SLOT, noise);
    decide_from_planes(clean, stages, detector, noise);
}

static void spoil_channel(const lte_stages *stages, const lte_link *link, int detector)
{
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    const int n_h = link->n_rx * link->n_tx;
    batch clean, b;
    twins(link, stages, detector, noise, &clean, &b);
    for (int e = 0; e < n_h; e += is_short() ? 3 : 1) {
        lte_cf32 *entry = &b.h_planes[(ptrdiff_t)e * link->carrier.n_sc + BAD_SC];
        const lte_cf32 good = *entry;
        for (int i = 0; i < 2 * N_NOT_FINITE; i++) {
            if (!is_long() && i != e % (2 * N_NOT_FINITE))
                continue;
            *entry = good;
            if (i % 2)
                entry->im = (float)not_finite[i / 2];
            else
                entry->re = (float)not_finite[i / 2];
            decide_from_planes(&b, stages, detector, noise);
            for (int sc = 0; sc < link->carrier.n_sc; sc++)
                assert_int_equal(b.flag[label_at(1, sc, 0)], sc == BAD_SC);
            assert_only_zeroed(&clean, &b, BAD_SC, -1);
        }
        *entry = good;
    }
    batch_fini(&clean);
    batch_fini(&b);
}

static void spoil_received(const lte_stages *stages, const lte_link *link, int detector)
{
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    batch clean, b;
    twins(link, stages, detector, noise, &clean, &b);
    for (int plane = 0; plane < link->n_rx * LTE_SLOT_SYMBOLS; plane += is_short() ? 5 : 1) {
        lte_cf32 *entry = &b.y_planes[(ptrdiff_t)plane * link->carrier.n_sc + BAD_SC];
        const lte_cf32 good = *entry;
        for (int i = 0; i < N_NOT_FINITE; i++) {
            if (!is_long() && i != plane % N_NOT_FINITE)
                continue;
            entry->re = (float)not_finite[i];
            decide_from_planes(&b, stages, detector, noise);
            assert_memory_equal(b.flag, clean.flag, b.flag_size);
            assert_only_zeroed(&clean, &b, BAD_SC, plane % LTE_SLOT_SYMBOLS);
        }
        *entry = good;
    }
    batch_fini(&clean);
    batch_fini(&b);
}

typedef void spoil_link(const lte_stages *stages, const lte_link *link, int detector);

static void spoil_everywhere(const lte_stages *stages, const void *arg)
{
    spoil_link *const *spoil = arg;
    static const int shapes[][2] = {{1, 1}, {2, 1}, {2, 2}, {3, 3}, {5, 4}, {8, 8}};
    for (int s = 0; s < 6; s += is_short() ? 2 : 1) {
        for (int i = 0; i < LTE_N_INVERTERS * LTE_N_DETECTORS; i++) {
            const int detector = i / LTE_N_INVERTERS, inverter = i % LTE_N_INVERTERS;
            if (shapes[s][1] > most_layers(detector, inverter) ||
                !takes_layers(detector, shapes[s][1], 6) || !is_a_case(detector, inverter))
                continue;
            const lte_link link =
                link_of(N_BAD_SC, shapes[s][0], shapes[s][1], 6, LTE_CHANNEL_rayleigh, inverter);
            (*spoil)(stages, &link, detector);
        }
    }
}

static void channel_that_is_not_finite_decides_as_zero(void **state)
{
    (void)state;
    spoil_link *const spoil = spoil_channel;
    for_each_table(spoil_everywhere, &spoil);
}

static void received_that_is_not_finite_decides_as_zero(void **state)
{
    (void)state;
    spoil_link *const spoil = spoil_received;
    for_each_table(spoil_everywhere, &spoil);
}

/* A channel of zeros has no inverse without a loading; other detectors have silent layers alone. */
static void silent_channel_decides_as_zero(const lte_stages *stages, const void *arg)
{
    (void)arg;
    for (int i = 0; i < LTE_N_INVERTERS * LTE_N_DETECTORS; i++) {
        const int detector = i / LTE_N_INVERTERS, inverter = i % LTE_N_INVERTERS;
        const lte_noise noise = noise_of_n0(0.25);
        const bool inverts = lte_detector_solves(detector);
        const bool loaded = lte_detector_rows[detector].loading > 0.0f;
        if (4 > most_layers(detector, inverter))
            continue;
        const lte_link link = link_of(N_BAD_SC, 4, 4, 4, LTE_CHANNEL_rayleigh, inverter);
        batch clean, b;
        batch_init(&clean, &link, 0xa5);
        batch_init(&b, &link, 0x5a);
        batch_send(&clean, stages, SLOT, noise);
        batch_send(&b, stages, SLOT, noise);
        decide_from_planes(&clean, stages, detector, noise);
        for (int e = 0; e < 16; e++)
            b.h_planes[e * N_BAD_SC + BAD_SC] = (lte_cf32){0.0f, 0.0f};
        decide_from_planes(&b, stages, detector, noise);
        assert_int_equal(b.flag[label_at(1, BAD_SC, 0)], inverts && !loaded);
        assert_only_zeroed(&clean, &b, BAD_SC, -1);
        batch_fini(&clean);
        batch_fini(&b);
    }
}

static void channel_of_zeros_decides_as_zero(void **state)
{
    (void)state;
    for_each_table(silent_channel_decides_as_zero, NULL);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(stages, detectors_do_not_disturb_each_other),
    LTE_CASE(stages, channel_that_is_not_finite_decides_as_zero),
    LTE_CASE(stages, received_that_is_not_finite_decides_as_zero),
    LTE_CASE(stages, channel_of_zeros_decides_as_zero),
};

int main(void)
{
    return cmocka_run_group_tests_name("stages", cases, NULL, NULL);
}
