/*
 * The bits in the air of a codeword that always arrives, beside one that never does: new data in
 * each subframe, to the end of the drop, by a chain of its own after TS 36.212 and 36.211; and what
 * is recorded of each transmission.
 */
#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/coding/coded.h"
#include "kernels/cpu/stages.h"
#include "tests/lib/own_chain.h"

enum {
    N_SC = 72,
    N_TX = 2,
    N_BITS = 2,
    BITS = 1000,                  /* of a transport block; with its CRC one code block: */
    K = 1024,                     /* f1 = 31, f2 = 64 (table 5.1.3-3) */
    SENT = 2 * 7 * N_SC * N_BITS, /* bits of a codeword in a subframe */
    ROWS = (K + 4 + 31) / 32,     /* of the sub-block interleaver */
    PADDED = 32 * ROWS,
    DROP = 120,
    TRANSMISSIONS = 4,
    SUBFRAMES = DROP / 2
};

/* ---- by a chain of its own ---- */

/* Codeword 0 of a new block in the subframe of a slot, as bits in the air: by subcarrier, then
 * symbol. */
static void own_bits(const lte_draws *draws, uint64_t slot, uint8_t *e)
{
    static const own_block block = {K, 31, 64};
    uint8_t c[K], w[3 * PADDED];
    for (int i = 0; i < BITS; i++) {
        const lte_words words =
            lte_draw(draws, slot, LTE_DRAW_TRANSPORT, (uint32_t)(i / LTE_CODE_DRAWN));
        c[i] = (uint8_t)(words.v[i % LTE_CODE_DRAWN / 32] >> i % 32 & 1);
    }
    own_crc(0x864cfb, c, BITS);
    own_buffer(&block, c, w);
    own_selection(&block, w, 0, 0, SENT, e);
    own_scrambling(1u << 14 | (uint32_t)(slot % 20 / 2) << 9, SENT, e); /* RNTI 1 in cell 0 */
}

/* ---- a channel of its own ---- */

static uint8_t sent[DROP][7 * N_TX * N_SC];
static bool was_sent[DROP];

/* What is heard of layer 1, whatever was sent. */
static int8_t noise_of(int m, int b, int sc)
{
    return (int8_t)((7 * sc + 3 * m + b + sc * sc) % 5 - 2);
}

/* Layer 0 arrives with LLRs of 32 / 8, layer 1 not at all. */
static void carry(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                  int n_detectors, const lte_carried_slot *carried, void *work)
{
    const uint64_t slot = carried->slot;
    const uint8_t *const labels = carried->labels;
    (void)noise;
    (void)detectors;
    (void)work;
    assert_int_equal(n_detectors, 1);
    assert_false(was_sent[slot]);
    was_sent[slot] = true;
    memcpy(sent[slot], labels, sizeof sent[slot]);
    *carried->power = (lte_power){1, 1};
    memset(carried->errors, 0, (size_t)link->output.n_counts * sizeof *carried->errors);
    memset(carried->llrs, 0, (size_t)lte_llr_planes(link));
    for (int m = 0; m < 7; m++)
        for (int b = 0; b < N_BITS; b++)
            for (int sc = 0; sc < N_SC; sc++) {
                int8_t *const at = &carried->llrs[(m * N_TX * N_BITS + b) * N_SC + sc];
                at[0] = labels[m * N_TX * N_SC + sc] >> b & 1 ? -32 : 32;
                at[N_BITS * N_SC] = noise_of(m, b, sc);
            }
}

/* What the LLRs of layer 1 have lost in a subframe, of a symbol. */
static double own_loss(int slot)
{
    double sum = 0.0;
    for (int m = 0; m < 14; m++)
        for (int b = 0; b < N_BITS; b++)
            for (int sc = 0; sc < N_SC; sc++) {
                const int bit = sent[slot + m / 7][(m % 7 * N_TX + 1) * N_SC + sc] >> b & 1;
                sum += log2(1.0 + exp((bit ? 1.0 : -1.0) * noise_of(m % 7, b, sc) / 8.0));
            }
    return 65536.0 * sum / (14 * N_SC);
}

/* A process of a drop; errors [DROP][n_counts]. */
static void run_process(lte_link *link, lte_code *code, int process, uint32_t *errors)
{
    const lte_stages stages = {.carry_slot = carry};
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    lte_code_worker *worker = NULL;
    lte_power power[DROP];
    const lte_code_rows rows = {power, errors, 0, 1};
    assert_int_equal(lte_code_worker_create(code, link, 1, &worker), LTE_OK);
    lte_code_run(worker, &stages, lte_noise_of(N_TX, 1.0), &detector, (uint64_t)process, NULL,
                 &rows);
    lte_code_worker_free(worker);
}

static void a_strong_codeword_sends_new_data_in_each_subframe(void **state)
{
    uint32_t losses[LTE_LLR_VALUES];
    const lte_output output = {.llr_scale = 8.0f, .integer_losses = losses};
    const lte_code_plan plan = {.bits = {BITS, BITS},
                                .transmissions = TRANSMISSIONS,
                                .drop_slots = DROP,
                                .iterations = 6,
                                .early = true};
    lte_link link;
    lte_code *code = NULL;
    (void)state;
    lte_integer_losses(8.0, losses);
    assert_int_equal(lte_link_init(&link, N_SC, N_TX, N_TX, N_BITS, LTE_CHANNEL_rayleigh,
                                   LTE_INVERTER_ldl, 36212),
                     LTE_OK);
    assert_int_equal(lte_code_create(&link, &plan, &code), LTE_OK);
    assert_int_equal(lte_link_set_transport_code(&link, code, &output), LTE_OK);
    uint32_t *errors = calloc((size_t)lte_counts_at(link.output.n_counts, DROP), sizeof *errors);
    memset(was_sent, 0, sizeof was_sent);
    for (int p = 0; p < 8; p++)
        run_process(&link, code, p, errors);

    const int counted = lte_code_counted(&plan);
    for (int subframe = 0; subframe < SUBFRAMES; subframe++) {
        const int slot = 2 * subframe, turn = subframe / 8;
        /* the other codeword begins a block each fourth turn, and ends it behind the point */
        const int of_process = (counted - subframe % 8 + 7) / 8;
        const bool is_sent =
            turn < (of_process + TRANSMISSIONS - 1) / TRANSMISSIONS * TRANSMISSIONS;
        const uint32_t *row = errors + lte_counts_at(link.output.n_counts, slot);
        const uint32_t *record = row + lte_record_at(N_TX, 0);
        uint8_t e[SENT];
        assert_true(was_sent[slot] == is_sent && was_sent[slot + 1] == is_sent);
        if (!is_sent) {
            assert_true(record[0] == 0 && record[1] == 0);
            continue;
        }
        own_bits(&link.channel.draws, (uint64_t)slot, e);
        for (int s = 0; s < SENT / N_BITS; s++) {
            const int m = s / N_SC, sc = s % N_SC; /* of one layer: symbol by symbol */
            const unsigned label = e[2 * s] | (unsigned)e[2 * s + 1] << 1;
            assert_int_equal(sent[slot + m / 7][(m % 7 * N_TX) * N_SC + sc], label);
        }
        /* recorded: the first transmission of a block that holds, but for those that fill */
        if (subframe < counted) {
            assert_int_equal(lte_record_number(record[0]), 1);
            assert_true(lte_record_holds(record[0]));
        } else {
            assert_int_equal(record[0], 0);
        }
        assert_int_equal(lte_record_number(record[1]), turn % TRANSMISSIONS + 1);
        assert_int_equal(lte_record_iterations(record[1]), 6);
        assert_false(lte_record_holds(record[1]));
        /* two bits whose LLRs are 4 and right */
        const uint32_t strong = (uint32_t)lround(2.0 * 65536.0 * log2(1.0 + exp(-4.0)));
        assert_in_range(row[lte_record_loss_at(N_TX, 0)], strong - 1, strong + 1);
        assert_true(fabs(row[lte_record_loss_at(N_TX, 1)] - own_loss(slot)) < 2.0);
    }
    free(errors);
    lte_code_free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strong_codeword_sends_new_data_in_each_subframe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
