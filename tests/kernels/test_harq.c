/*
 * HARQ processes that go on: what they deliver over channels whose outcome is known, and how blocks
 * across the end of a drop are counted, beside a count of their own.
 */
#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/coding/coded.h"

/* ---- how blocks are counted, with made-up CRCs ---- */

enum { MOST_SUBFRAMES = 300 };

/* A block as it happened. */
typedef struct {
    int n, at[LTE_MAX_TRANSMISSIONS], iterations[LTE_MAX_TRANSMISSIONS];
    bool holds[LTE_MAX_TRANSMISSIONS];
} told;

/* Adds what a block counts, by the rule as it is written down: 12 c / L twelfths. */
static void count_told(const told *block, int counted, int n_blocks, int bits, uint64_t *sums)
{
    int before = 0, iterations = 0;
    for (int i = 0; i < block->n; i++) {
        before += block->at[i] < counted;
        iterations += block->iterations[i];
    }
    const bool right = block->holds[block->n - 1];
    const uint64_t weight = (uint64_t)(12 * before / block->n);
    assert_int_equal(12 * before % block->n, 0);
    sums[LTE_CODED_BLOCKS] += weight;
    sums[LTE_CODED_WRONG_FIRST] += block->holds[0] ? 0 : weight;
    sums[LTE_CODED_WRONG] += right ? 0 : weight;
    sums[LTE_CODED_TRANSMISSIONS] += weight * (uint64_t)block->n;
    sums[LTE_CODED_DECODED] += weight * (uint64_t)(block->n * n_blocks);
    sums[LTE_CODED_ITERATIONS] += weight * (uint64_t)iterations;
    sums[LTE_CODED_BITS] += weight * (uint64_t)bits;
    sums[LTE_CODED_DELIVERED] += right ? weight * (uint64_t)bits : 0;
}

/* One process of two codewords, whose CRCs hold at random with a probability of their own. */
static void run_process(const lte_code_plan *plan, int process, const double *holds, uint64_t *seen,
                        uint64_t *expected, int *silent)
{
    enum { N_BLOCKS = 3, BITS = 1000 };
    const int counted = lte_code_counted(plan), n = lte_code_subframes(plan);
    lte_harq_word word[2] = {{0}};
    told block[2] = {{.n = 0}};
    uint32_t coded[LTE_N_CODED_COUNTS] = {0};
    for (int subframe = process; subframe < n; subframe += 8) {
        const bool open = word[0].sent > 0 || word[1].sent > 0;
        const bool sends = lte_harq_sends(plan, subframe, open);
        assert_true(sends == (subframe < counted || block[0].n > 0 || block[1].n > 0));
        *silent += !sends;
        for (int q = 0; q < 2 && sends; q++) {
            const bool right = rand() < holds[q] * RAND_MAX;
            const int iterations = 1 + rand() % 6;
            lte_harq_begin(plan, subframe, &word[q]);
            assert_true(word[q].begins == (block[q].n == 0));
            assert_true(word[q].fills == (block[q].n == 0 && subframe >= counted));
            if (word[q].fills) {
                lte_harq_end(&word[q]);
                continue;
            }
            told *b = &block[q];
            b->at[b->n] = subframe;
            b->iterations[b->n] = iterations;
            b->holds[b->n++] = right;
            const uint32_t weight =
                lte_harq_judge(plan, subframe, right, (uint32_t)iterations, &word[q]);
            assert_true((weight > 0) == (right || b->n == plan->transmissions));
            if (weight == 0)
                continue;
            lte_harq_count(&word[q], weight, BITS, N_BLOCKS, right, right ? 0 : 7, coded);
            lte_harq_end(&word[q]);
            count_told(b, counted, N_BLOCKS, BITS, expected);
            b->n = 0;
        }
    }
    assert_true(block[0].n == 0 && block[1].n == 0); /* all that was begun has ended */
    for (int i = 0; i < LTE_N_CODED_COUNTS; i++)
        seen[i] += coded[i];
}

static void blocks_across_the_point_count_their_share(void **state)
{
    static const int drops[] = {112, 128, 130, 256};
    static const double holds[][2] = {{0.5, 0.9}, {0.1, 0.1}, {1.0, 0.0}, {0.0, 1.0}, {0.7, 0.3}};
    (void)state;
    srand(36321);
    for (int t = 2; t <= LTE_MAX_TRANSMISSIONS; t++) {
        for (size_t d = 0; d < sizeof drops / sizeof *drops; d++) {
            const lte_code_plan plan = {.transmissions = t, .drop_slots = drops[d]};
            const int counted = lte_code_counted(&plan);
            assert_int_equal(counted, drops[d] / 2 - 8 * (t - 1));
            for (size_t h = 0; h < sizeof holds / sizeof *holds; h++) {
                uint64_t seen[LTE_N_CODED_COUNTS] = {0}, expected[LTE_N_CODED_COUNTS] = {0};
                int silent = 0;
                for (int p = 0; p < 8; p++)
                    run_process(&plan, p, holds[h], seen, expected, &silent);
                for (int i = 0; i <= LTE_CODED_ITERATIONS; i++)
                    assert_int_equal(seen[i], expected[i]);
                assert_int_equal(seen[LTE_CODED_BITS], expected[LTE_CODED_BITS]);
                assert_int_equal(seen[LTE_CODED_DELIVERED], expected[LTE_CODED_DELIVERED]);
                /* each subframe before the point has a transmission of both */
                assert_int_equal(seen[LTE_CODED_TRANSMISSIONS], 12 * 2 * counted);
                assert_true(silent <= 8 * (t - 1));
            }
        }
    }
}

/* ---- whole links ---- */

enum { N_SC = 300, N_BITS = 2, DROPS_EACH = 2, MOST_COUNTS = 64 };

/* A link of stored flat channels, one for each drop, H = diag(gain), and its code. */
typedef struct {
    lte_link link;
    lte_code *code;
    uint64_t sums[LTE_N_CODED_COUNTS];
    uint32_t *errors;
    lte_power *power;
    int n_slots;
} subject;

static lte_cf32 stored[2048 * N_SC]; /* of the longest of four states */

/* gain [n_states][n_layers]; each state lasts DROPS_EACH drops. */
static void run_states(int n_layers, int n_states, const double *gain, int transmissions,
                       int drop_slots, double snr_db, subject *s)
{
    const lte_output output = {.llr_scale = 8.0f};
    const int n_drops = n_states * DROPS_EACH;
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    const size_t planes = (size_t)n_layers * (size_t)n_layers * N_SC;
    *s = (subject){.n_slots = n_drops * drop_slots};
    assert_int_equal(lte_link_init(&s->link, N_SC, n_layers, n_layers, N_BITS, LTE_CHANNEL_file,
                                   LTE_INVERTER_ldl, 36321),
                     LTE_OK);
    assert_true((size_t)s->n_slots * planes <= sizeof stored / sizeof *stored);
    memset(stored, 0, sizeof stored);
    for (int slot = 0; slot < s->n_slots; slot++) {
        const double *g = gain + slot / drop_slots / DROPS_EACH * n_layers;
        for (int k = 0; k < n_layers; k++)
            for (int sc = 0; sc < N_SC; sc++)
                stored[(size_t)slot * planes + (size_t)((k * n_layers + k) * N_SC + sc)].re =
                    (float)g[k];
    }
    assert_int_equal(lte_link_set_channel_data(&s->link, stored, (uint64_t)s->n_slots, 1), LTE_OK);
    lte_code_plan plan = {
        .transmissions = transmissions, .drop_slots = drop_slots, .iterations = 6, .early = true};
    for (int q = 0; q < lte_codewords(n_layers); q++)
        plan.bits[q] = lte_transport_bits(1.0 / 3.0, lte_codeword_layers(n_layers, q), N_BITS,
                                          2 * lte_data_symbols(&s->link) * N_SC);
    assert_int_equal(lte_code_create(&s->link, &plan, &s->code), LTE_OK);
    assert_int_equal(lte_link_set_transport_code(&s->link, s->code, &output), LTE_OK);

    const lte_engine_options options = {.n_threads = 2, .n_detectors = 1};
    const lte_backend *backend = lte_backends[0];
    lte_engine *engine = NULL;
    s->errors =
        calloc((size_t)lte_counts_at(s->link.output.n_counts, s->n_slots), sizeof *s->errors);
    s->power = calloc((size_t)s->n_slots, sizeof *s->power);
    assert_int_equal(backend->create(backend, &s->link, &options, &engine), LTE_OK);
    assert_int_equal(backend->sweep->start(engine, lte_noise_of(n_layers, pow(10.0, snr_db / 10.0)),
                                           &detector, 1, 0, s->n_slots, s->power, s->errors),
                     LTE_OK);
    assert_int_equal(backend->sweep->wait(engine), LTE_OK);
    backend->free(engine);
    for (int slot = 0; slot < s->n_slots; slot++)
        for (int i = 0; i < LTE_N_CODED_COUNTS; i++)
            s->sums[i] +=
                s->errors[lte_counts_at(s->link.output.n_counts, slot) + lte_coded_at(n_layers, i)];
}

static void free_subject(subject *s)
{
    lte_code_free(s->code);
    free(s->errors);
    free(s->power);
}

/*
 * Four states over AWGN, in which the first, the second, the third and no transmission is decoded:
 * with the same bits again, m of them are as one of m times the SNR, and blocks of 2776 bits are
 * all wrong 0.9 dB below the SNR of BLER 0.5, and all right as far above it.
 */
static void throughput_is_that_of_the_states(void **state)
{
    static const double half_db = -1.3;
    static const int drops[] = {112, 128, 130, 256};
    const double gain[4] = {pow(10.0, 3.0 / 20.0), pow(10.0, -1.5 / 20.0), pow(10.0, -3.9 / 20.0),
                            pow(10.0, -12.0 / 20.0)};
    (void)state;
    for (int t = 2; t <= LTE_MAX_TRANSMISSIONS; t++) {
        for (size_t d = 0; d < sizeof drops / sizeof *drops; d++) {
            subject s;
            run_states(1, 4, gain, t, drops[d], half_db, &s);
            const uint64_t subframes = (uint64_t)lte_code_counted(&s.code->plan) * 4 * DROPS_EACH;
            /* twelfths of the four states' shares: 1, 1/2, 1/3 if there is a third, 0 */
            const uint64_t shares = 12 + 6 + (t > 2 ? 4 : 0);
            const uint64_t each = (uint64_t)s.code->transport[0].bits * subframes / 4;
            assert_int_equal(s.sums[LTE_CODED_SUBFRAMES], subframes);
            assert_int_equal(s.sums[LTE_CODED_DELIVERED], each * shares);
            assert_int_equal(s.sums[LTE_CODED_TRANSMISSIONS], 12 * subframes);
            assert_int_equal(s.sums[LTE_CODED_UNDETECTED], 0);
            free_subject(&s);
        }
    }
}

/* A strong layer and a hopeless one: all of the strong codeword's payload, each millisecond. */
static void codewords_go_on_independently(void **state)
{
    const double gain[2] = {1.0, 0.03};
    enum { DROP = 130 };
    (void)state;
    subject s;
    run_states(2, 1, gain, 4, DROP, 20.0, &s);
    const uint64_t subframes = (uint64_t)lte_code_counted(&s.code->plan) * DROPS_EACH;
    assert_int_equal(s.code->n_codewords, 2);
    assert_int_equal(s.sums[LTE_CODED_SUBFRAMES], subframes);
    assert_int_equal(s.sums[LTE_CODED_DELIVERED],
                     12 * subframes * (uint64_t)s.code->transport[0].bits);
    assert_int_equal(s.sums[LTE_CODED_BLOCKS], 12 * subframes + 3 * subframes);
    assert_int_equal(s.sums[LTE_CODED_WRONG], 3 * subframes);
    assert_int_equal(s.sums[LTE_CODED_BITS],
                     12 * subframes * (uint64_t)s.code->transport[0].bits +
                         3 * subframes * (uint64_t)s.code->transport[1].bits);
    assert_int_equal(s.sums[LTE_CODED_TRANSMISSIONS], 2 * 12 * subframes);
    for (int slot = 0; slot < s.n_slots; slot++) { /* nothing behind the point */
        const bool counts = slot % DROP / 2 < lte_code_counted(&s.code->plan);
        const uint32_t *row = &s.errors[lte_counts_at(s.link.output.n_counts, slot)];
        assert_true((s.power[slot].noise > 0) == counts);
        assert_true((row[lte_bits_at(1)] > 0) == counts);
        assert_true((row[lte_coded_at(2, LTE_CODED_SIGNAL)] > 0) == counts);
    }
    free_subject(&s);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        cmocka_unit_test(blocks_across_the_point_count_their_share),
        cmocka_unit_test(codewords_go_on_independently),
    };
    static const struct CMUnitTest more[] = {
        cmocka_unit_test(throughput_is_that_of_the_states),
    };
    return RUN_CASES_AND_MORE("harq");
}
