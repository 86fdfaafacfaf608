/* Transport blocks: where their bits go, and how they come back, in one transmission or several. */

#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/coding/turbo_batch.h"
#include "phy/coding/mcs.h"
#include "phy/coding/rate_matching.h"
#include "phy/coding/soft_buffer.h"
#include "phy/coding/transport.h"
#include "phy/detection/demap.h"
#include "phy/detection/qam.h"
#include "tests/lib/code_blocks.h"
#include "tests/lib/log_map.h"

enum { MOST_BITS = 30000, MOST_SENT = 90000, MOST_ENCODED = 100000 };

static uint64_t random_state = 36213;

/* Work memory of the tests: one transport block at a time. */
static uint8_t payload[MOST_BITS], work[MOST_BITS + LTE_CRC_BITS + MOST_K], d[MOST_ENCODED];
static uint8_t decoded[MOST_ENCODED], back[MOST_BITS + LTE_CRC_BITS];
static uint32_t place[MOST_SENT];
static int32_t soft[MOST_ENCODED];
static int8_t llr[MOST_ENCODED];

static void codewords_have_their_layers(void **state)
{
    static const int table[][2] = {{1, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {3, 4}, {4, 4}};
    (void)state;
    for (int n = 1; n <= 8; n++) {
        int sum = 0;
        assert_int_equal(lte_codewords(n), n == 1 ? 1 : 2);
        for (int q = 0; q < lte_codewords(n); q++) {
            assert_int_equal(lte_codeword_layers(n, q), table[n - 1][q]);
            assert_int_equal(lte_codeword_first(n, q), sum);
            sum += lte_codeword_layers(n, q);
        }
        assert_int_equal(sum, n);
    }
    static const int up[] = {0, 2, 3, 1}, down[] = {0, 1, 2, 3}, dense[] = {0, 0, 1, 2};
    for (int n_bits = 2; n_bits <= 8; n_bits += 2) {
        const lte_versions of_up = lte_versions_of(true, n_bits);
        const lte_versions of_down = lte_versions_of(false, n_bits);
        for (int i = 0; i < LTE_MAX_TRANSMISSIONS; i++) {
            assert_int_equal(of_up.of[i], up[i]);
            assert_int_equal(of_down.of[i], n_bits < 6 ? down[i] : dense[i]);
        }
    }
    /* TS 36.211, 6.3.1: 2^14 n_RNTI + 2^13 q + 2^9 floor(n_s / 2) + N_ID */
    assert_int_equal(lte_scrambling_init(1, 0, 0, 0), 16384);
    assert_int_equal(lte_scrambling_init(3, 1, 19, 503), 3 * 16384 + 8192 + 9 * 512 + 503);
}

/* Of some sizes: few bits, fillers, many code blocks of two sizes. */
static const struct {
    int bits, n_layers, n_bits, n_elements;
} blocks[] = {{16, 1, 2, 100},    {40, 2, 4, 72},      {600, 1, 2, 1000},   {6120, 1, 6, 3000},
              {6121, 2, 4, 2000}, {10680, 4, 2, 1500}, {21384, 3, 4, 2500}, {28336, 2, 8, 4000},
              {1000, 1, 8, 128},  {1544, 4, 6, 70}};
enum { N_BLOCKS = sizeof blocks / sizeof *blocks };

static lte_transport transport_of(int i)
{
    lte_transport t;
    assert_int_equal(lte_transport_of(blocks[i].bits, blocks[i].n_layers, blocks[i].n_bits,
                                      blocks[i].n_elements, &t),
                     LTE_OK);
    assert_true(lte_transport_sent(&t) <= MOST_SENT && lte_transport_encoded(&t) <= MOST_ENCODED);
    return t;
}

/* Shares one after the other, of whole symbols on all layers; each is its block's rate matching. */
static void places_are_those_of_code_blocks(void **state)
{
    static uint32_t order[MOST_SENT];
    (void)state;
    for (int i = 0; i < N_BLOCKS; i++) {
        const lte_transport t = transport_of(i);
        const int g = lte_transport_sent(&t);
        assert_int_equal(g, blocks[i].n_layers * blocks[i].n_bits * blocks[i].n_elements);
        for (int version = 0; version < LTE_N_REDUNDANCY_VERSIONS; version++) {
            int at = 0, first = 0;
            assert_int_equal(lte_transport_places(&t, version, place), LTE_OK);
            for (int r = 0; r < t.s.n; r++) {
                const int n = lte_rate_matching_share(g, t.s.n, r, t.n_layers, t.n_bits);
                const lte_rate_matching m = {.block = lte_segment_block(&t.s, r),
                                             .filler = lte_segment_filler(&t.s, r),
                                             .version = version};
                assert_int_equal(n % (t.n_layers * t.n_bits), 0);
                assert_int_equal(lte_rate_matching_order(&m, n, order), LTE_OK);
                for (int e = 0; e < n; e++)
                    assert_int_equal(place[at + e], (uint32_t)first + order[e]);
                at += n;
                first += 3 * lte_code_block_stream(m.block);
            }
            assert_int_equal(at, g);
            assert_int_equal(first, lte_transport_encoded(&t));
        }
    }
}

/* Decodes what is in soft; true if all CRCs hold. */
static bool decode(const lte_transport *t)
{
    uint8_t *bits = decoded;
    lte_transport_soft(t, soft, llr);
    for (int r = 0; r < t->s.n; r++) {
        const lte_code_block *block = lte_segment_block(&t->s, r);
        const lte_turbo_plan plan = {
            .block = block, .windows = lte_code_block_windows(block), .iterations = 6};
        lte_turbo_batch *batch = NULL;
        uint8_t used;
        assert_int_equal(lte_turbo_batch_create(lte_turbo_best(), &plan, 1, &batch), LTE_OK);
        lte_turbo_batch_run(batch, 1, llr + lte_transport_block(t, r), bits, &used);
        lte_turbo_batch_free(batch);
        bits += block->k;
    }
    return lte_transport_join(t, decoded, back);
}

/* Adds a transmission by BPSK with noise of a variance, times 8. */
static void receive(const lte_transport *t, int version, double variance)
{
    assert_int_equal(lte_transport_places(t, version, place), LTE_OK);
    for (int e = 0; e < lte_transport_sent(t); e++) {
        const double y = (d[place[e]] ? -1.0 : 1.0) + sqrt(variance) * random_normal(&random_state);
        soft[place[e]] += row_of(16.0 * y / variance, -127.0);
    }
}

static void draw(const lte_transport *t)
{
    draw_bits(&random_state, payload, t->bits);
    lte_transport_encode(t, payload, work, d);
    memset(soft, 0, sizeof soft);
}

static void blocks_come_back(void **state)
{
    (void)state;
    for (int i = 0; i < N_BLOCKS; i++) {
        const lte_transport t = transport_of(i);
        draw(&t);
        receive(&t, 0, 0.01);
        assert_true(lte_transport_rate(&t) > 0.9 || decode(&t));
        receive(&t, 2, 0.01); /* rates near 1 need more parity */
        assert_true(decode(&t));
        assert_memory_equal(back, payload, (size_t)t.bits);
        soft[0] = soft[1] = 0;
        for (int e = 0; e < lte_transport_encoded(&t); e++)
            soft[e] = -soft[e];
        assert_false(decode(&t));
    }
}

/* Filler bits and their parity are known, whatever was received. */
static void fillers_are_known(void **state)
{
    (void)state;
    for (int i = 0; i < N_BLOCKS; i++) {
        const lte_transport t = transport_of(i);
        const int stream = lte_code_block_stream(lte_segment_block(&t.s, 0));
        for (int e = 0; e < lte_transport_encoded(&t); e++)
            soft[e] = e % 3 == 0 ? 1000 : e % 3 == 1 ? -1000 : -e % 100;
        lte_transport_soft(&t, soft, llr);
        for (int e = 0; e < lte_transport_encoded(&t); e++) {
            const bool filler = e < 2 * stream && e % stream < t.s.filler;
            const int cut = soft[e] > 127 ? 127 : soft[e] < -127 ? -127 : soft[e];
            assert_int_equal(llr[e], filler ? 127 : cut);
        }
    }
}

/*
 * Each CRC is asked: of a code block whose own is wrong, and of blocks that are right one by one.
 */
static void joined_blocks_are_checked(void **state)
{
    (void)state;
    for (int i = 0; i < N_BLOCKS; i++) {
        const lte_transport t = transport_of(i);
        uint8_t *at = decoded;
        draw(&t);
        for (int r = 0; r < t.s.n; r++) {
            lte_segment(&t.s, work, r,
                        at); /* what lte_transport_encode left there: block and CRC */
            at += lte_segment_block(&t.s, r)->k;
        }
        assert_true(lte_transport_join(&t, decoded, back));
        assert_memory_equal(back, payload, (size_t)t.bits);
        const int k = lte_segment_block(&t.s, 0)->k, first = lte_segment_filler(&t.s, 0);
        decoded[k - 1] ^= 1; /* of several blocks its own CRC alone */
        assert_false(lte_transport_join(&t, decoded, back));
        decoded[k - 1] ^= 1;
        decoded[first] ^= 1;
        if (t.s.n > 1)
            lte_crc_attach(LTE_CRC_24B, decoded, k - LTE_CRC_BITS);
        assert_false(lte_transport_join(&t, decoded, back));
    }
}

/* All four versions together have every element, filler bits but for. */
static void versions_complete_each_other(void **state)
{
    (void)state;
    for (int i = 0; i < N_BLOCKS; i++) {
        const lte_transport t = transport_of(i);
        const int n = lte_transport_encoded(&t),
                  stream = lte_code_block_stream(lte_segment_block(&t.s, 0));
        int missing = 0;
        memset(decoded, 0, sizeof decoded);
        for (int version = 0; version < LTE_N_REDUNDANCY_VERSIONS; version++) {
            assert_int_equal(lte_transport_places(&t, version, place), LTE_OK);
            for (int e = 0; e < lte_transport_sent(&t); e++)
                decoded[place[e]] = 1;
        }
        for (int e = 0; e < n; e++) {
            const bool filler = e % stream < t.s.filler && e < 2 * stream;
            assert_false(filler && decoded[e]);
            missing += !filler && !decoded[e];
        }
        assert_true(lte_transport_rate(&t) > 0.75 || missing == 0);
    }
}

/*
 * Of many noisy blocks each transmission leaves fewer wrong, and new parity fewer than the old
 * again.
 */
static void every_transmission_helps(void **state)
{
    enum { BLOCKS = 60 };
    lte_transport t;
    int wrong[2][LTE_MAX_TRANSMISSIONS] = {{0}};
    (void)state;
    assert_int_equal(lte_transport_of(1000, 1, 2, 680, &t), LTE_OK); /* rate 0.75 */
    for (int b = 0; b < BLOCKS; b++) {
        for (int chase = 0; chase < 2; chase++) {
            draw(&t);
            for (int i = 0; i < LTE_MAX_TRANSMISSIONS; i++) {
                receive(&t, chase ? 0 : lte_versions_of(true, 2).of[i], 1.1);
                const bool right = decode(&t);
                wrong[chase][i] += !right;
                assert_true(!right || memcmp(back, payload, (size_t)t.bits) == 0);
            }
        }
    }
    for (int chase = 0; chase < 2; chase++)
        print_message("%s: %d %d %d %d of %d wrong\n", chase ? "chase" : "incremental",
                      wrong[chase][0], wrong[chase][1], wrong[chase][2], wrong[chase][3], BLOCKS);
    assert_int_equal(wrong[0][0], BLOCKS);
    assert_true(wrong[0][1] <= wrong[0][0] && wrong[0][2] <= wrong[0][1] && wrong[0][3] == 0);
    assert_true(wrong[1][2] <= wrong[1][1] && wrong[1][3] <= wrong[1][2]);
    assert_true(wrong[0][1] + wrong[0][2] < wrong[1][1] + wrong[1][2]);
}

static void what_does_not_fit_is_refused(void **state)
{
    static const int wrong[][4] = {{0, 1, 2, 100}, {100, 0, 2, 100}, {100, 5, 2, 100},
                                   {100, 1, 2, 0}, {100, 1, 2, 61},  {400000, 4, 8, 100000}};
    lte_transport t;
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lte_transport_of(wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3], &t),
                         LTE_EINVAL);
    assert_int_equal(*failures_seen(), (int)(sizeof wrong / sizeof *wrong));
    (void)lte_fail_handler_set(handler);
    assert_int_equal(lte_transport_of(100, 1, 2, 62, &t), LTE_OK);
    assert_int_equal(lte_transport_bits(0.5, 1, 2, 100), 72); /* (72 + 24) / 200 */
    assert_int_equal(lte_transport_bits(0.5, 1, 2, 16), 0);
    assert_int_equal(lte_transport_of(lte_transport_bits(1.0 / 3.0, 2, 4, 14400), 2, 4, 14400, &t),
                     LTE_OK);
    assert_true(lte_transport_rate(&t) <= 1.0 / 3.0 && lte_transport_rate(&t) > 0.333);
}

/* ---- what the receiver keeps, and the channel interleaver ---- */

/* N_IR of categories, from TS 36.212, 5.1.4.1.2, with two layers and with one. */
static void categories_keep_their_soft_bits(void **state)
{
    static const int of[][3] = {{1, 1, 31296},  {2, 2, 77328},  {3, 2, 77328},  {3, 1, 154656},
                                {4, 2, 114192}, {5, 4, 229200}, {6, 2, 114192}, {6, 4, 228384},
                                {7, 1, 228384}, {8, 8, 449784}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_int_equal(lte_soft_buffer(lte_category_soft_bits(of[i][0]), of[i][1]), of[i][2]);
}

/* Category 4, two layers, 75376 bits: 13 code blocks of 5824, N_cb 8784 of 17568. */
static void a_limited_buffer_sends_its_part_alone(void **state)
{
    enum { MOST = 90000 };
    lte_transport whole, t;
    uint32_t *first = malloc(MOST * sizeof *first), *second = malloc(MOST * sizeof *second);
    (void)state;
    assert_int_equal(lte_transport_of(75376, 1, 6, 14400, &whole), LTE_OK);
    t = whole;
    assert_int_equal(lte_transport_limit(&t, 114192), LTE_OK);
    assert_int_equal(t.s.n, 13);
    assert_int_equal(t.s.size->k, 5824);
    assert_int_equal(lte_transport_buffer(&whole, t.s.size), 17568);
    assert_int_equal(lte_transport_buffer(&t, t.s.size), 8784);
    /* version 2 begins at R (2 ceil(N_cb / (8 R)) 2 + 2), R = 183: places 4758 and 9150 */
    assert_int_equal(lte_transport_places(&t, 2, first), LTE_OK);
    assert_int_equal(lte_transport_places(&whole, 2, second), LTE_OK);
    uint32_t most = 0;
    const int stream = lte_code_block_stream(t.s.size);
    int late = 0;
    for (int e = 0; e < lte_rate_matching_share(lte_transport_sent(&t), 13, 0, 1, 6); e++) {
        most = first[e] > most ? first[e] : most;
        late += (int)first[e] >= stream;
    }
    assert_true(most < (uint32_t)(3 * stream) && late > 0);
    assert_memory_not_equal(first, second, 100 * sizeof *first);
    /* what lies beyond N_cb is never sent: in no version */
    uint8_t *sent = calloc(1, (size_t)lte_transport_encoded(&t));
    for (int v = 0; v < LTE_N_REDUNDANCY_VERSIONS; v++) {
        assert_int_equal(lte_transport_places(&t, v, first), LTE_OK);
        for (int e = 0; e < lte_transport_sent(&t); e++)
            sent[first[e]] = 1;
    }
    int n = 0;
    for (int i = 0; i < 3 * stream; i++)
        n += sent[i];
    /* N_cb less the dummies in it: 28 of the systematic stream's 5856, and of each parity some */
    assert_true(n <= 8784 - 28 && n > 8784 - 28 - 32);
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_transport_limit(&t, 13 * 5800), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    free(sent);
    free(second);
    free(first);
}

/* Adds a transmission by 64QAM over AWGN. */
static void receive_64qam(const lte_transport *t, int version, double snr_db)
{
    const double n0 = pow(10.0, -snr_db / 10.0);
    assert_int_equal(lte_transport_places(t, version, place), LTE_OK);
    for (int e = 0; e < lte_transport_sent(t); e += 6) {
        unsigned label = 0;
        float of_bit[6];
        for (int b = 0; b < 6; b++)
            label |= (unsigned)d[place[e + b]] << b;
        lte_cplx y = lte_qam_map(6, label);
        y.re += (float)(sqrt(0.5 * n0) * random_normal(&random_state));
        y.im += (float)(sqrt(0.5 * n0) * random_normal(&random_state));
        lte_demap_soft(6, LTE_DEMAPPER_exact, y, (float)(1.0 / n0), of_bit);
        for (int b = 0; b < 6; b++)
            soft[place[e + b]] += row_of(8.0 * (double)of_bit[b], -127.0);
    }
}

/* Blocks of N that are wrong after versions 0 and 2: by log-MAP in doubles, and by the library. */
static void count_wrong(const lte_transport *t, double snr_db, int n, int wrong[2])
{
    const int k = t->s.size->k, stream = lte_code_block_stream(t->s.size);
    double *values = malloc(3 * (size_t)stream * sizeof *values);
    uint8_t *bits = malloc((size_t)k);
    wrong[0] = wrong[1] = 0;
    for (int i = 0; i < n; i++) {
        draw(t);
        receive_64qam(t, 0, snr_db);
        receive_64qam(t, 2, snr_db);
        wrong[1] += !decode(t);
        for (int e = 0; e < 3 * stream; e++)
            values[e] = soft[e] / 8.0;
        log_map_decode(t->s.size, 6, values, bits);
        wrong[0] += memcmp(bits, payload, (size_t)t->bits) != 0;
    }
    print_message("N_cb %d, %.1f dB: %d of %d wrong (log-MAP), %d (library)\n",
                  lte_transport_buffer(t, t->s.size), snr_db, wrong[0], n, wrong[1]);
    free(bits);
    free(values);
}

/* One of the 13 code blocks of before, 64QAM at a code rate of 0.88: the buffer costs 1.3 dB. */
static void a_limited_buffer_costs_more_than_a_decibel(void **state)
{
    enum { N = 8 };
    lte_transport whole, limited;
    int wrong[2];
    (void)state;
    assert_int_equal(lte_transport_of(5824 - 24, 1, 6, 1108, &whole), LTE_OK);
    limited = whole;
    assert_int_equal(lte_transport_limit(&limited, 8784), LTE_OK);
    count_wrong(&whole, 9.0, N, wrong);
    assert_true(wrong[0] == N && wrong[1] == N);
    count_wrong(&whole, 9.8, N, wrong);
    assert_true(wrong[0] == 0 && wrong[1] <= 1);
    count_wrong(&limited, 10.4, N, wrong);
    assert_true(wrong[0] == N && wrong[1] == N);
    count_wrong(&limited, 11.0, N, wrong);
    assert_true(wrong[0] >= N / 2 && wrong[1] >= N / 2);
    count_wrong(&limited, 12.0, N, wrong);
    assert_true(wrong[0] == 0 && wrong[1] == 0);
}

/* TS 36.212, 5.2.2.8: two rows of twelve are read 0 12 1 13 2 14 ... 11 23, in groups of bits. */
static void the_channel_interleaver_reads_columns(void **state)
{
    enum { ROWS = 2, COLUMNS = 12, GROUP = 8, N = ROWS * COLUMNS * GROUP };
    uint32_t order[N], copy[N];
    lte_transport t;
    (void)state;
    assert_int_equal(lte_transport_of(40, 2, 4, ROWS * COLUMNS, &t), LTE_OK);
    assert_int_equal(lte_transport_sent(&t), N);
    for (uint32_t i = 0; i < N; i++)
        order[i] = i;
    lte_transport_interleave(&t, COLUMNS, order, copy);
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        const uint32_t from = i / 2 + 12 * (i % 2);
        for (uint32_t b = 0; b < GROUP; b++)
            assert_int_equal(order[i * GROUP + b], from * GROUP + b);
    }
}

/* ---- TS 36.213, 7.1.7 and 8.6.1 ---- */

/* I_MCS 0 to 10 QPSK, to 20 16QAM, to 28 64QAM; I_TBS I, I - 1, I - 2: sizes of I_TBS downlink. */
static void pusch_has_a_table_of_its_own(void **state)
{
    static const int downlink_of[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 11, 12, 13, 14,
                                      15, 16, 18, 19, 20, 21, 21, 22, 23, 24, 25, 26, 27, 28};
    (void)state;
    assert_int_equal(lte_mcs_count(LTE_MCS_PUSCH), 29);
    for (int mcs = 0; mcs < 29; mcs++) {
        assert_int_equal(lte_mcs_bits(LTE_MCS_PUSCH, mcs), mcs <= 10 ? 2 : mcs <= 20 ? 4 : 6);
        assert_int_equal(lte_mcs_transport_bits(LTE_MCS_PUSCH, mcs, 50, 1),
                         lte_mcs_transport_bits(LTE_MCS_64QAM, downlink_of[mcs], 50, 1));
    }
    assert_int_equal(lte_mcs_transport_bits(LTE_MCS_PUSCH, 15, 50, 1), 14112); /* A13 */
    assert_int_equal(lte_mcs_transport_bits(LTE_MCS_PUSCH, 6, 50, 1), 5160);   /* A12 */
}

static void transport_blocks_have_the_published_sizes(void **state)
{
    static const int blocks_of[] = {6, 15, 25, 50, 75, 100};
    static const int known[][4] = {/* mcs, resource blocks, layers, bits */
                                   {28, 100, 1, 75376}, {28, 100, 2, 149776}, {28, 100, 4, 299856},
                                   {16, 50, 1, 15264},  {9, 100, 1, 15840},   {0, 6, 1, 152},
                                   {28, 50, 2, 75376},  {28, 25, 3, 55056}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(
            lte_mcs_transport_bits(LTE_MCS_64QAM, known[i][0], known[i][1], known[i][2]),
            known[i][3]);
    assert_int_equal(lte_mcs_count(LTE_MCS_64QAM), 29);
    assert_int_equal(lte_mcs_count(LTE_MCS_256QAM), 28);
    for (int table = 0; table < LTE_N_MCS_TABLES; table++) {
        for (int c = 0; c < 6; c++) {
            for (int layers = 1; layers <= 4; layers++) {
                int before = 0;
                for (int mcs = 0; mcs < lte_mcs_count(table); mcs++) {
                    const int bits = lte_mcs_transport_bits(table, mcs, blocks_of[c], layers);
                    const int one = lte_mcs_transport_bits(table, mcs, blocks_of[c], 1);
                    lte_segmentation s;
                    assert_int_equal(lte_segmentation_of(bits, &s), LTE_OK);
                    assert_true(s.n == 1 || s.filler == 0); /* chosen so that none is needed */
                    assert_true(bits >= before && bits % 8 == 0);
                    assert_near((double)bits / one, layers, 0.28 * (layers - 1));
                    for (int more = 0; more < 6; more++) { /* as many layers, or resource blocks */
                        if (blocks_of[more] == layers * blocks_of[c])
                            assert_int_equal(
                                bits, lte_mcs_transport_bits(table, mcs, blocks_of[more], 1));
                    }
                    before = bits;
                }
            }
        }
    }
    assert_int_equal(lte_mcs_transport_bits(LTE_MCS_64QAM, 0, 1, 1), 16);
    assert_int_equal(lte_mcs_transport_bits(LTE_MCS_64QAM, 28, 110, 1), 75376);
    assert_int_equal(lte_mcs_transport_bits(LTE_MCS_64QAM, 0, 0, 1), 0);
    assert_int_equal(lte_mcs_transport_bits(LTE_MCS_64QAM, 0, 111, 1), 0);
    assert_int_equal(lte_mcs_transport_bits(LTE_MCS_64QAM, 0, 6, 5), 0);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(transport, codewords_have_their_layers),
        LTE_CASE(transport, places_are_those_of_code_blocks),
        LTE_CASE(transport, blocks_come_back),
        LTE_CASE(transport, fillers_are_known),
        LTE_CASE(transport, joined_blocks_are_checked),
        LTE_CASE(transport, versions_complete_each_other),
        LTE_CASE(transport, categories_keep_their_soft_bits),
        LTE_CASE(transport, a_limited_buffer_sends_its_part_alone),
        LTE_CASE(transport, the_channel_interleaver_reads_columns),
        LTE_CASE(transport, pusch_has_a_table_of_its_own),
        LTE_CASE(transport, transport_blocks_have_the_published_sizes),
        LTE_CASE(transport, what_does_not_fit_is_refused),
    };
    static const struct CMUnitTest more[] = {
        LTE_CASE(transport, every_transmission_helps),
        LTE_CASE(transport, a_limited_buffer_costs_more_than_a_decibel),
    };
    return RUN_CASES_AND_MORE("transport");
}
