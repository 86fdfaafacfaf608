/* Random words against published vectors, cuRAND's addressing and the draw addresses of draws.h. */

#include "tests/lib/unit.h"

#include <stdlib.h>
#include <string.h>

#include "phy/base/modulations.h"
#include "phy/channel/channel.h"
#include "phy/channel/draws.h"
#include "phy/channel/taps.h"

typedef struct {
    uint32_t counter[4], key[2], word[4];
} known_answer;

/* The published vectors of philox4x32-10. */
static const known_answer zeros = {
    {0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}};
static const known_answer ones = {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                                  {0xffffffff, 0xffffffff},
                                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}};
static const known_answer pi = {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                {0xa4093822, 0x299f31d0},
                                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};

static void assert_known_answer(const known_answer *known)
{
    const uint32_t *c = known->counter;
    lte_philox_key key =
        lte_philox_key_of(((uint64_t)known->key[1] << 32) | (uint64_t)known->key[0]);
    lte_words w = lte_philox_rounds(&key, c[0], c[1], c[2], c[3]);
    assert_memory_equal(w.v, known->word, sizeof known->word);
}

static void known_answer_of_zeros_holds(void **state)
{
    (void)state;
    assert_known_answer(&zeros);
}

static void known_answer_of_ones_holds(void **state)
{
    (void)state;
    assert_known_answer(&ones);
}

static void known_answer_of_pi_holds(void **state)
{
    (void)state;
    assert_known_answer(&pi);
}

/*
 * The generator once more, word by word: word `offset` of a subsequence, as cuRAND's device API
 * lays its counter out: (offset / 4) in the lower 64 bits, the subsequence in the upper 64.
 */
static uint32_t word_at(uint64_t seed, uint64_t subsequence, uint64_t offset)
{
    uint64_t low = offset / 4, high = subsequence, key = seed;
    for (int round = 0; round < 10; round++) {
        const uint64_t even = (low & 0xffffffffu) * 0xD2511F53u;
        const uint64_t odd = (high & 0xffffffffu) * 0xCD9E8D57u;
        const uint64_t mixed_low = (odd >> 32) ^ (low >> 32) ^ (key & 0xffffffffu);
        const uint64_t mixed_high = (even >> 32) ^ (high >> 32) ^ (key >> 32);
        low = mixed_low | (odd << 32);
        high = mixed_high | (even << 32);
        const uint64_t key_low = ((key & 0xffffffffu) + 0x9E3779B9u) & 0xffffffffu;
        const uint64_t key_high = ((key >> 32) + 0xBB67AE85u) & 0xffffffffu;
        key = key_low | (key_high << 32);
    }
    const uint64_t half = offset % 4 < 2 ? low : high;
    return (uint32_t)(offset % 2 == 0 ? half : half >> 32);
}

static const uint64_t seeds[] = {0, 1, 2, 0xffffffff, 0x100000000, 0x7fffffffffffffff};
enum { N_SEEDS = sizeof seeds / sizeof seeds[0] };

static void words_lie_where_curand_has_them(void **state)
{
    (void)state;
    static const uint64_t subsequences[] = {0, 1, 9, 0xffffffff, 0x100000001, 0xfffffffffffffff7};
    static const uint32_t blocks[] = {0, 1, 2, 1003, 0x3fffffff, 0x40000000, 0xffffffff};
    for (int s = 0; s < N_SEEDS; s++) {
        const lte_philox_key key = lte_philox_key_of(seeds[s]);
        for (size_t q = 0; q < sizeof subsequences / sizeof subsequences[0]; q++) {
            for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
                const lte_words w = lte_philox(&key, subsequences[q], blocks[b]);
                for (uint64_t i = 0; i < 4; i++)
                    assert_int_equal(
                        w.v[i], word_at(seeds[s], subsequences[q], 4 * (uint64_t)blocks[b] + i));
            }
        }
    }
}

static int compare_blocks(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(lte_words));
}

static void seeds_slots_and_purposes_never_share_a_block(void **state)
{
    (void)state;
    enum { N_SLOTS = 8, N_PURPOSES = 3, N_BLOCKS = 64 };
    enum { N = N_SEEDS * N_SLOTS * N_PURPOSES * N_BLOCKS };
    static const uint64_t slots[N_SLOTS] = {0, 1, 2, 3, 63, 64, 0x20000000, 0x10000000000};
    lte_words *w = malloc(N * sizeof *w);
    assert_non_null(w);
    size_t n = 0;
    for (int s = 0; s < N_SEEDS; s++) {
        const lte_draws draws = lte_draws_of(seeds[s], 4, 4, 4);
        for (int slot = 0; slot < N_SLOTS; slot++) {
            for (int purpose = 0; purpose < N_PURPOSES; purpose++) {
                for (uint32_t block = 0; block < N_BLOCKS; block++)
                    w[n++] = lte_draw(&draws, slots[slot], purpose, block);
            }
        }
    }
    assert_int_equal(n, N);
    qsort(w, n, sizeof *w, compare_blocks);
    for (size_t i = 1; i < n; i++)
        assert_memory_not_equal(&w[i - 1], &w[i], sizeof *w);
    free(w);
}

static void purposes_are_the_documented_numbers(void **state)
{
    (void)state;
    assert_int_equal(LTE_DRAW_PAYLOAD, 0);
    assert_int_equal(LTE_DRAW_CHANNEL, 1);
    assert_int_equal(LTE_DRAW_NOISE, 2);
}

/* The draws of draws.h rebuilt from its description, in whole numbers and one word at a time. */
enum { SEED = 20260731 };
static const uint64_t test_slots[] = {0, 5, 0x123456789};
static const uint32_t test_subcarriers[] = {0, 1, 2, 17, 1199};
enum {
    N_TEST_SLOTS = sizeof test_slots / sizeof test_slots[0],
    N_TEST_SUBCARRIERS = sizeof test_subcarriers / sizeof test_subcarriers[0]
};

static uint64_t ceil_ratio(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* Word k of subcarrier sc, or of resource element sc, where each owns n_blocks blocks. */
static uint32_t word_of(uint64_t slot, uint64_t purpose, uint64_t sc, uint64_t n_blocks, uint64_t k)
{
    return word_at(SEED, 8 * slot + purpose, 4 * sc * n_blocks + k);
}

static void assert_normal(lte_cplx drawn, uint64_t slot, uint64_t purpose, uint64_t sc,
                          uint64_t n_blocks, uint64_t i)
{
    const lte_cplx z = lte_normal(word_of(slot, purpose, sc, n_blocks, 2 * i),
                                  word_of(slot, purpose, sc, n_blocks, 2 * i + 1));
    assert_memory_equal(&drawn, &z, sizeof z);
}

static void assert_labels(int n_tx, int n_bits, uint64_t slot, uint32_t sc)
{
    const lte_draws draws = lte_draws_of(SEED, LTE_FEW_RX, n_tx, n_bits);
    const uint64_t per_word = 32 / (uint64_t)n_bits;
    const uint64_t n_blocks = ceil_ratio(ceil_ratio(7 * (uint64_t)n_tx, per_word), 4);
    lte_word label[LTE_SLOT_SYMBOLS * LTE_MAX_ORDER];
    lte_draw_labels(&draws, slot, sc, label);
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        for (int tx = 0; tx < n_tx; tx++) {
            const uint64_t q = (uint64_t)symbol * (uint64_t)n_tx + (uint64_t)tx;
            uint32_t expected = 0;
            for (uint64_t bit = 0; bit < (uint64_t)n_bits; bit++) {
                const uint32_t word = word_of(slot, 0, sc, n_blocks, q / per_word);
                expected |= ((word >> (q % per_word * (uint64_t)n_bits + bit)) & 1u) << bit;
            }
            assert_int_equal(label[q], expected);
        }
    }
}

static void labels_are_the_documented_bits(void **state)
{
    (void)state;
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
            for (int s = 0; s < N_TEST_SLOTS; s++) {
                for (int i = 0; i < N_TEST_SUBCARRIERS; i++)
                    assert_labels(n_tx, n_bits, test_slots[s], test_subcarriers[i]);
            }
        }
    }
}

static void assert_channel(int n_rx, int n_tx, uint64_t slot, uint32_t sc)
{
    const lte_draws draws = lte_draws_of(SEED, n_rx, n_tx, 6);
    const int n = n_rx * n_tx;
    lte_cplx h[LTE_FEW_RX * LTE_MAX_ORDER];
    lte_channel_rayleigh(&draws, slot, sc, h);
    const uint64_t n_blocks = ceil_ratio((uint64_t)n, 2);
    for (int e = 0; e < n; e++)
        assert_normal(h[e], slot, 1, sc, n_blocks, (uint64_t)e);
    /* tap sc % 9 has the draws of subcarrier sc % 9 */
    lte_profile profile = {.n_taps = LTE_MAX_TAPS};
    const int l = (int)(sc % LTE_MAX_TAPS);
    profile.amplitude[l] = 1.0f;
    for (int e = 0; e < n; e++) {
        lte_cplx z[2];
        lte_draw_tap_pair(&draws, &profile, slot, l, (lte_word)e / 2, z);
        assert_normal(z[e % 2], slot, 1, (uint64_t)l, n_blocks, (uint64_t)e);
    }
}

static void assert_noise(int n_rx, uint64_t slot, uint32_t sc)
{
    const lte_draws draws = lte_draws_of(SEED, n_rx, 1, 6);
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_cplx z[LTE_FEW_RX];
        lte_draw_noise(&draws, slot, sc, symbol, z);
        for (int rx = 0; rx < n_rx; rx++)
            assert_normal(z[rx], slot, 2, 7 * (uint64_t)sc + (uint64_t)symbol,
                          ceil_ratio((uint64_t)n_rx, 2), (uint64_t)rx);
    }
}

static void channel_and_noise_are_the_documented_normals(void **state)
{
    (void)state;
    for (int s = 0; s < N_TEST_SLOTS; s++) {
        for (int i = 0; i < N_TEST_SUBCARRIERS; i++) {
            for (int n_rx = 1; n_rx <= LTE_FEW_RX; n_rx++) {
                assert_noise(n_rx, test_slots[s], test_subcarriers[i]);
                for (int n_tx = 1; n_tx <= n_rx && n_tx <= LTE_MAX_ORDER; n_tx++)
                    assert_channel(n_rx, n_tx, test_slots[s], test_subcarriers[i]);
            }
        }
    }
}

static void awgn_channel_is_root_n_tx_times_identity(void **state)
{
    (void)state;
    for (int n = 1; n <= LTE_MAX_ORDER; n++) {
        const lte_draws draws = lte_draws_of(SEED, n, n, 4);
        lte_cplx h[LTE_MAX_ORDER * LTE_MAX_ORDER];
        lte_channel_awgn(&draws, 3, 5, h);
        for (int i = 0; i < n * n; i++) {
            const double gain = i % (n + 1) == 0 ? sqrt((double)n) : 0.0;
            assert_near(h[i].re, gain, 0x1p-23);
            assert_true(h[i].im == 0.0f);
        }
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(philox, known_answer_of_zeros_holds),
    LTE_CASE(philox, known_answer_of_ones_holds),
    LTE_CASE(philox, known_answer_of_pi_holds),
    LTE_CASE(philox, words_lie_where_curand_has_them),
    LTE_CASE(draws, seeds_slots_and_purposes_never_share_a_block),
    LTE_CASE(draws, purposes_are_the_documented_numbers),
    LTE_CASE(draws, labels_are_the_documented_bits),
    LTE_CASE(draws, channel_and_noise_are_the_documented_normals),
    LTE_CASE(draws, awgn_channel_is_root_n_tx_times_identity),
};

int main(void)
{
    return cmocka_run_group_tests_name("philox", cases, NULL, NULL);
}
