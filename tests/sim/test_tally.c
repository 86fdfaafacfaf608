/* Tallies: whatever slots are cut into, their records have what the slots come to. */
#include "tests/lib/unit.h"

#include <stdlib.h>
#include <string.h>

#include "sim/jobs/workers/tally.h"

enum {
    N_TX = 2,
    N_BITS = 2,
    N_LOST = N_TX * N_BITS, /* layers and bits */
    N_DETECTORS = 3,
    N_COUNTS = LTE_N_HARD_COUNTS(N_TX) + N_LOST + LTE_N_LLR_SCALES + 1,
    N_SUMS = N_COUNTS + LTE_SQUARE_WORDS * N_LOST,
    MOST_SLOTS = 400
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t below(uint64_t *random, uint64_t n)
{
    *random += 0x9e3779b97f4a7c15u;
    return mix(*random) % n;
}

/* Counts of slots from some slot on, as a worker has them. */
static lte_power power[MOST_SLOTS];
static uint32_t errors[MOST_SLOTS][N_DETECTORS][N_COUNTS];

static void make_counts(uint64_t *random)
{
    for (int i = 0; i < MOST_SLOTS; i++) {
        power[i].signal = (int64_t)below(random, 1000000) - 500000;
        power[i].noise = (int64_t)below(random, 1000);
        for (int k = 0; k < N_DETECTORS; k++) {
            for (int c = 0; c < N_COUNTS; c++) /* losses so large that squares take three words */
                errors[i][k][c] =
                    (uint32_t)below(random, c > lte_flagged_at(N_TX) ? UINT64_C(1) << 32 : 40000);
        }
    }
}

/* What a record of `slots` slots, `at` of the counts' first on, should hold. */
static void assert_record(const lte_tally *t, int r, int at, int slots)
{
    const lte_tally_head *head = lte_tally_head_of(t, r);
    const int drop = t->cut.drop_slots;
    const bool whole = head->first % (uint64_t)drop == 0 && slots >= drop;
    int64_t signal = 0, noise = 0;
    for (int i = at; i < at + slots; i++) {
        signal += power[i].signal;
        noise += power[i].noise;
    }
    assert_true(head->signal == signal && head->noise == noise);
    for (int k = 0; k < N_DETECTORS; k++) {
        const lte_tally_row *row = lte_tally_row_of(t, r, k);
        lte_tally_row expected = {0};
        uint64_t counts[N_COUNTS] = {0}, of_drop = 0, lost[N_LOST + 1] = {0};
        lte_u128 squares[N_LOST] = {0};
        int64_t d = 0;
        for (int i = at; i < at + slots; i++) {
            const uint64_t sum = lte_bit_errors(N_TX, errors[i][k]);
            for (int c = 0; c < N_COUNTS; c++)
                counts[c] += errors[i][k][c];
            expected.errors += sum;
            expected.groups[(head->first + (uint64_t)(i - at)) / (uint64_t)drop % LTE_N_GROUPS] +=
                sum;
            of_drop += sum;
            for (int b = 0; b < N_LOST; b++)
                expected.lost_groups[(head->first + (uint64_t)(i - at)) / (uint64_t)drop %
                                     LTE_N_GROUPS] += errors[i][k][lte_lost_at(N_TX, N_BITS, 0, b)];
            for (int b = 0; b < N_LOST; b++) {
                lost[b] += errors[i][k][lte_lost_at(N_TX, N_BITS, 0, b)];
                lost[N_LOST] += errors[i][k][lte_lost_at(N_TX, N_BITS, 0, b)];
            }
            d += (int64_t)lte_bit_errors(N_TX, errors[i][0]) - (int64_t)sum;
            if (whole && (i - at + 1) % drop == 0) {
                expected.errors2 += (lte_u128)of_drop * of_drop;
                expected.d.sum += d;
                expected.d.sum_abs += (uint64_t)llabs(d);
                expected.d.sum2 += (lte_u128)((lte_i128)d * d);
                expected.d.sum2_up += d > 0 ? (lte_u128)((lte_i128)d * d) : 0;
                expected.lost2 += (lte_u128)lost[N_LOST] * lost[N_LOST];
                for (int b = 0; b < N_LOST; b++)
                    squares[b] += (lte_u128)lost[b] * lost[b];
                memset(lost, 0, sizeof lost);
                of_drop = 0;
                d = 0;
            }
        }
        for (int b = 0; b < N_LOST; b++)
            assert_true(lte_lost_squares(&t->cut, lte_tally_counts_of(t, r, k), b) == squares[b]);
        assert_memory_equal(row, &expected, sizeof expected);
        assert_memory_equal(lte_tally_counts_of(t, r, k), counts, sizeof counts);
    }
}

/* Each of one round, of whole drops or of a part of one; none that could be one with the next. */
static void assert_records(const lte_tally *t, uint64_t first, int n_slots)
{
    const uint64_t drop = (uint64_t)t->cut.drop_slots, round = (uint64_t)t->cut.round_slots;
    uint64_t slot = first;
    assert_in_range(t->n, 1, lte_tally_records(&t->cut, first, n_slots));
    for (int r = 0; r < t->n; r++) {
        const lte_tally_head *head = lte_tally_head_of(t, r);
        const uint64_t last = head->first + head->slots - 1;
        assert_int_equal(head->first, slot);
        assert_int_equal(head->first / round, last / round);
        assert_true((head->first % drop == 0 && head->slots % drop == 0) ||
                    head->first / drop == last / drop);
        assert_record(t, r, (int)(slot - first), (int)head->slots);
        slot += head->slots;
    }
    assert_int_equal(slot, first + (uint64_t)n_slots);
}

static void records_have_what_their_slots_come_to(void **state)
{
    static const int cuts[][2] = {{64, 1}, {1, 1},  {7, 1},    {64, 8},
                                  {8, 8},  {40, 5}, {360, 60}, {100000, 1}};
    uint64_t random = 5;
    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        lte_tally tally = {.cut = {.n_tx = N_TX,
                                   .n_bits = N_BITS,
                                   .counted = LTE_COUNTED_LLRS,
                                   .n_lost = N_TX * N_BITS,
                                   .n_counts = N_COUNTS,
                                   .n_sums = N_SUMS,
                                   .round_slots = cuts[i][0],
                                   .drop_slots = cuts[i][1]}};
        for (int n = 0; n < 100; n++) {
            const uint64_t first = n % 2 ? below(&random, 500) : (uint64_t)cuts[i][0] * 3;
            const int n_slots = 1 + (int)below(&random, n % 3 ? MOST_SLOTS : 9);
            make_counts(&random);
            assert_int_equal(lte_tally_begin(&tally, N_DETECTORS, first, n_slots), LTE_OK);
            for (int done = 0, piece; done < n_slots; done += piece) {
                piece = 1 + (int)below(&random, (uint64_t)(n_slots - done));
                assert_int_equal(lte_tally_add(&tally, piece, &power[done], errors[done][0]),
                                 LTE_OK);
            }
            assert_records(&tally, first, n_slots);
        }
        lte_tally_free(&tally);
    }
}

/* Nothing is cut besides. */
static void whole_rounds_are_a_record_each(void **state)
{
    lte_tally tally = {.cut = {.n_tx = N_TX,
                               .n_counts = N_COUNTS,
                               .n_sums = N_COUNTS,
                               .round_slots = 32,
                               .drop_slots = 8}};
    uint64_t random = 1;
    (void)state;
    make_counts(&random);
    assert_int_equal(lte_tally_begin(&tally, N_DETECTORS, 320, 320), LTE_OK);
    assert_int_equal(lte_tally_add(&tally, 320, power, errors[0][0]), LTE_OK);
    assert_int_equal(tally.n, 10);
    lte_tally_free(&tally);
}

/* What it has no room for is refused, and what is there stays. */
static void slots_beyond_the_last_are_refused(void **state)
{
    lte_tally tally = {.cut = {.n_tx = N_TX,
                               .n_counts = N_COUNTS,
                               .n_sums = N_COUNTS,
                               .round_slots = 4,
                               .drop_slots = 4}};
    uint64_t random = 1;
    (void)state;
    make_counts(&random);
    const lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_tally_begin(&tally, LTE_MAX_DETECTORS + 1, 0, 8), LTE_EINVAL);
    assert_null(tally.memory);
    assert_int_equal(lte_tally_begin(&tally, N_DETECTORS, 0, 8), LTE_OK);
    assert_int_equal(lte_tally_add(&tally, 9, power, errors[0][0]), LTE_EINVAL);
    assert_int_equal(tally.n, 0);
    assert_int_equal(lte_tally_add(&tally, 8, power, errors[0][0]), LTE_OK);
    assert_int_equal(lte_tally_add(&tally, 1, power, errors[0][0]), LTE_EINVAL);
    assert_int_equal(tally.n, 2);
    tally.end = 12, tally.most = 2; /* as if a record had been miscounted */
    assert_int_equal(lte_tally_add(&tally, 4, power, errors[0][0]), LTE_EINVAL);
    assert_int_equal(tally.n, 2);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 4);
    lte_tally_free(&tally);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(tally, records_have_what_their_slots_come_to),
        LTE_CASE(tally, whole_rounds_are_a_record_each),
        LTE_CASE(tally, slots_beyond_the_last_are_refused),
    };
    return cmocka_run_group_tests_name("tally", cases, NULL, NULL);
}
