/*
 * The bits in the air of a subframe of every grid, link and order of redundancy versions, by a
 * chain of its own after TS 36.212 and 36.211: each transmission of a block that never arrives; and
 * the bits that a receiver decides wrongly before decoding, counted on the elements with data.
 */
#include "tests/lib/unit.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/coding/coded.h"
#include "kernels/cpu/stages.h"
#include "tests/lib/own_chain.h"

enum {
    MOST_BLOCKS = 14, /* code blocks */
    MOST_BITS = 86016,
    MOST_LAYERS = 5,
    MOST_LABELS = 14 * MOST_LAYERS * 1200,
    TRANSMISSIONS = 4,
    DROP = 120,
    PERIOD = 16, /* slots from one transmission to the next */
    NONE = 2
};

/* What is sent: all code blocks of a codeword have k bits. */
typedef struct {
    const char *name;
    int n_sc, n_layers, n_bits;
    lte_grid_plan grid;
    own_block block;
    int n_blocks;
    int versions[TRANSMISSIONS];
    int soft_bits; /* N_IR */
    int columns;   /* of the channel interleaver; 0: none */
} a_case;

#define SMALL                                                                                      \
    {                                                                                              \
        1024, 31, 64                                                                               \
    } /* K, f1, f2 of table 5.1.3-3 */
#define LARGE                                                                                      \
    {                                                                                              \
        6144, 263, 480                                                                             \
    }
static const a_case cases_of[] = {
    {"full, uplink", 72, 1, 2, {.kind = LTE_GRID_full}, SMALL, 1, {0, 2, 3, 1}, 0, 0},
    {"full, chase", 72, 2, 4, {.kind = LTE_GRID_full}, SMALL, 1, {0, 0, 0, 0}, 0, 0},
    {"pdsch, 1 layer", 72, 1, 4, {LTE_GRID_pdsch, 4, 1, false}, SMALL, 1, {0, 1, 2, 3}, 0, 0},
    {"pdsch, 2 layers", 300, 2, 6, {LTE_GRID_pdsch, 3, 2, false}, LARGE, 2, {0, 0, 1, 2}, 0, 0},
    {"pdsch, 3 layers", 72, 3, 4, {LTE_GRID_pdsch, 1, 3, false}, SMALL, 1, {0, 1, 2, 3}, 0, 0},
    {"pdsch, 4 layers", 180, 4, 2, {LTE_GRID_pdsch, 2, 4, false}, SMALL, 1, {0, 1, 2, 3}, 0, 0},
    {"pdsch, 5 layers", 180, 5, 2, {LTE_GRID_pdsch, 2, 5, false}, SMALL, 1, {0, 1, 2, 3}, 0, 0},
    {"pdsch, limited", 300, 2, 6, {LTE_GRID_pdsch, 3, 2, false}, LARGE, 2, {0, 1, 2, 3}, 14600, 0},
    {"pusch", 72, 1, 2, {.kind = LTE_GRID_pusch}, SMALL, 1, {0, 2, 3, 1}, 0, 12},
    {"pusch, SRS", 72, 2, 4, {LTE_GRID_pusch, 0, 0, true}, SMALL, 1, {0, 2, 3, 1}, 0, 11},
    {"pusch, 14 blocks", 1200, 1, 6, {.kind = LTE_GRID_pusch}, LARGE, 14, {0, 2, 3, 1}, 0, 12},
};
enum { N_CASES = sizeof cases_of / sizeof *cases_of };

static int bits_of(const a_case *c)
{
    return c->n_blocks * (c->block.k - (c->n_blocks > 1 ? 24 : 0)) - 24;
}

/* ---- a chain of its own ---- */

/* The elements that carry data, [14][n_sc]; drawn anew from the figures, not from formulas. */
static bool is_data(const a_case *c, int m, int sc)
{
    const int symbol = m % 7, n = c->n_layers, six = sc % 6, twelve = sc % 12;
    if (c->grid.kind == LTE_GRID_full)
        return true;
    if (c->grid.kind == LTE_GRID_pusch)
        return symbol != 3 && !(c->grid.srs && m == 13);
    if (m < c->grid.control_symbols)
        return false;
    const bool one = (symbol == 0 && six == 0) || (symbol == 4 && six == 3);
    const bool two = one || (symbol == 0 && six == 3) || (symbol == 4 && six == 0);
    const bool four = two || (symbol == 1 && six % 3 == 0);
    if (n == 1 ? one : n == 2 || n > 4 ? two : four)
        return false;
    return n <= 4 || symbol < 5 ||
           (twelve != 0 && twelve != 1 && twelve != 5 && twelve != 6 && twelve != 10 &&
            twelve != 11);
}

/*
 * Transmission i of the block that begins in slot 0, sent in a slot: labels [14][n_layers][n_sc] of
 * the elements that carry data.
 */
static void own_labels(const a_case *c, const lte_draws *draws, int i, int slot, uint8_t *labels)
{
    static uint8_t transport[MOST_BITS + 24], block[OWN_MOST_K], w[3 * OWN_MOST_PADDED];
    static uint8_t sent[OWN_MOST_SENT], air[OWN_MOST_SENT];
    const int bits = bits_of(c), crc = c->n_blocks > 1 ? 24 : 0;
    const int n_codewords = c->n_layers > 1 ? 2 : 1;
    int elements = 0;
    for (int m = 0; m < 14; m++) {
        for (int sc = 0; sc < c->n_sc; sc++)
            elements += is_data(c, m, sc);
    }
    for (int q = 0; q < n_codewords; q++) {
        const int before = q == 0 ? 0 : c->n_layers / 2;
        const int n = n_codewords == 1 ? 1 : q == 0 ? c->n_layers / 2 : c->n_layers - before;
        const int group = n * c->n_bits, g = elements * group, units = g / group;
        assert_in_range(g, 1, OWN_MOST_SENT);
        for (int b = 0; b < bits; b++) {
            const lte_words words = lte_draw(draws, 0, LTE_DRAW_TRANSPORT,
                                             (uint32_t)(q * LTE_CODE_DRAWS + b / LTE_CODE_DRAWN));
            transport[b] = (uint8_t)(words.v[b % LTE_CODE_DRAWN / 32] >> b % 32 & 1);
        }
        own_crc(0x864cfb, transport, bits);
        for (int r = 0, at = 0; r < c->n_blocks; r++) {
            const int longer = r >= c->n_blocks - units % c->n_blocks;
            const int e = group * (units / c->n_blocks + longer);
            memcpy(block, transport + r * (c->block.k - crc), (size_t)(c->block.k - crc));
            if (crc > 0)
                own_crc(0x800063, block, c->block.k - 24);
            own_buffer(&c->block, block, w);
            own_selection(&c->block, w, c->soft_bits / c->n_blocks, c->versions[i], e, sent + at);
            at += e;
        }
        for (int s = 0; s < elements; s++) { /* 5.2.2.8: written by rows, read by columns */
            const int rows = c->columns ? elements / c->columns : 1;
            const int from = c->columns ? s % rows * c->columns + s / rows : s;
            memcpy(air + s * group, sent + from * group, (size_t)group);
        }
        own_scrambling(1u << 14 | (uint32_t)q << 13 | (uint32_t)(slot % 20 / 2) << 9, g, air);
        const uint8_t *next = air;
        for (int m = 0; m < 14; m++) {
            for (int sc = 0; sc < c->n_sc; sc++) {
                for (int k = 0; k < n && is_data(c, m, sc); k++, next += c->n_bits) {
                    unsigned label = 0;
                    for (int b = 0; b < c->n_bits; b++)
                        label |= (unsigned)next[b] << b;
                    labels[(m * c->n_layers + before + k) * c->n_sc + sc] = (uint8_t)label;
                }
            }
        }
        assert_ptr_equal(next, air + g);
    }
}

/* ---- what the library sends ---- */

static lte_code_plan plan_of(const a_case *c, int transmissions)
{
    lte_code_plan plan = {.bits = {bits_of(c), bits_of(c)},
                          .transmissions = transmissions,
                          .drop_slots = DROP,
                          .soft_bits = c->soft_bits,
                          .interleaved = c->columns > 0,
                          .iterations = 1};
    memcpy(plan.versions.of, c->versions, sizeof c->versions);
    return plan;
}

static lte_link link_of_case(const a_case *c, const lte_code_plan *plan, lte_code **code)
{
    const lte_output output = {.llr_scale = 8.0f};
    lte_link link;
    assert_int_equal(lte_link_init(&link, c->n_sc, c->n_layers, c->n_layers, c->n_bits,
                                   LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, 36212),
                     LTE_OK);
    link.carrier.grid = lte_grid_of(&c->grid);
    assert_int_equal(lte_code_create(&link, plan, code), LTE_OK);
    assert_int_equal(lte_link_set_transport_code(&link, *code, &output), LTE_OK);
    return link;
}

static uint8_t heard[TRANSMISSIONS][MOST_LABELS];

/* A stage that hears nothing but chance, and notes what was sent. */
static void carry(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                  int n_detectors, const lte_carried_slot *carried, void *work)
{
    const uint64_t slot = carried->slot;
    const size_t n = 7 * (size_t)link->n_tx * (size_t)link->carrier.n_sc;
    (void)noise;
    (void)detectors;
    (void)work;
    assert_int_equal(n_detectors, 1);
    if (slot / PERIOD < TRANSMISSIONS)
        memcpy(heard[slot / PERIOD] + slot % 2 * n, carried->labels, n);
    *carried->power = (lte_power){1, 1};
    memset(carried->errors, 0, (size_t)link->output.n_counts * sizeof *carried->errors);
    for (ptrdiff_t i = 0; i < lte_llr_planes(link); i++)
        carried->llrs[i] = (int8_t)((7 * i + i * i % 11) % 5 - 2);
}

static void every_transmission_sends_the_bits_of_the_standard(void **state)
{
    const lte_stages stages = {.carry_slot = carry};
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    uint8_t *own = malloc(MOST_LABELS);
    (void)state;
    for (int i = 0; i < N_CASES; i++) {
        const a_case *c = &cases_of[i];
        const lte_code_plan plan = plan_of(c, TRANSMISSIONS);
        lte_code *code = NULL;
        lte_code_worker *worker = NULL;
        lte_link link = link_of_case(c, &plan, &code);
        uint32_t *errors =
            calloc((size_t)lte_counts_at(link.output.n_counts, DROP), sizeof *errors);
        lte_power power[DROP];
        const lte_code_rows rows = {power, errors, 0, 1};
        assert_int_equal(lte_code_worker_create(code, &link, 1, &worker), LTE_OK);
        lte_code_run(worker, &stages, lte_noise_of(1, 1.0), &detector, 0, NULL, &rows);
        for (int t = 0; t < TRANSMISSIONS; t++) {
            int wrong = 0;
            own_labels(c, &link.channel.draws, t, PERIOD * t, own);
            for (int row = 0; row < 14 * c->n_layers; row++) {
                for (int sc = 0; sc < c->n_sc; sc++)
                    wrong += is_data(c, row / c->n_layers, sc) &&
                             own[row * c->n_sc + sc] != heard[t][row * c->n_sc + sc];
            }
            if (wrong > 0)
                print_message("%s, transmission %d: %d of the symbols differ\n", c->name, t, wrong);
            assert_int_equal(wrong, 0);
        }
        lte_code_worker_free(worker);
        lte_code_free(code);
        free(errors);
    }
    free(own);
}

/* ---- what is counted before decoding ---- */

/* Symbols and bits that MMSE decides wrongly in a slot that carries labels, on the data alone. */
static void count_own(const a_case *c, const lte_stages *stages, const lte_link *link,
                      lte_noise noise, int slot, const uint8_t *labels, uint32_t *errors)
{
    const int n = 7 * c->n_layers;
    uint32_t *sent = calloc(1, lte_layout_bytes(link, LTE_BATCH_LABEL));
    uint32_t *decided = calloc(1, lte_layout_bytes(link, LTE_BATCH_LABEL));
    float *h = aligned_alloc(64, lte_layout_bytes(link, LTE_BATCH_H));
    float *y = aligned_alloc(64, lte_layout_bytes(link, LTE_BATCH_Y));
    float *x = aligned_alloc(64, lte_layout_bytes(link, LTE_BATCH_GRAM));
    uint8_t *flag = calloc((size_t)link->carrier.n_groups, LTE_LANES);
    void *work = lte_stage_work_alloc(link);
    lte_power power = {0, 0};
    for (int i = 0; i < n; i++) {
        for (int sc = 0; sc < c->n_sc; sc++)
            sent[lte_lane_at(1, n, sc, 0, i)] = labels[i * c->n_sc + sc];
    }
    stages->channel(link, (uint64_t)slot, 0, link->carrier.n_groups, h, work);
    stages->receive(link, (uint64_t)slot, noise, lte_groups_of(0, link->carrier.n_groups, work), h,
                    sent, y, &power);
    lte_stages_detect(stages, link, lte_detector_usual(LTE_DETECTOR_mmse), noise,
                      lte_groups_of(0, link->carrier.n_groups, work), h, y,
                      &(lte_decided){x, decided, flag});
    for (int i = 0; i < n; i++) {
        const int m = slot % 2 * 7 + i / c->n_layers, k = i % c->n_layers;
        for (int sc = 0; sc < c->n_sc; sc++) {
            const int at = (int)lte_lane_at(1, n, sc, 0, i);
            const uint32_t differ = is_data(c, m, sc) ? sent[at] ^ decided[at] : 0;
            errors[lte_bits_at(k)] += (uint32_t)__builtin_popcount(differ);
            errors[lte_symbols_at(c->n_layers, k)] += differ != 0;
        }
    }
    free(work);
    free(flag);
    free(x);
    free(y);
    free(h);
    free(decided);
    free(sent);
}

static void errors_are_those_of_the_elements_that_carry_data(void **state)
{
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    uint8_t *labels = malloc(MOST_LABELS);
    (void)state;
    for (int i = 0; i < N_CASES; i++) {
        for (int s = 0; lte_stages_all[s]; s++) {
            const a_case *c = &cases_of[i];
            const lte_stages *stages = lte_stages_all[s];
            const lte_code_plan plan = plan_of(c, 1);
            const int n_hard = 2 * c->n_layers;
            lte_code *code = NULL;
            lte_code_worker *worker = NULL;
            if (!stages->usable())
                continue;
            lte_link link = link_of_case(c, &plan, &code);
            const lte_noise noise = lte_noise_of(c->n_layers, 3.0);
            uint32_t *errors =
                calloc((size_t)lte_counts_at(link.output.n_counts, 2), sizeof *errors);
            uint32_t own[2 * MOST_LAYERS] = {0}, seen[2 * MOST_LAYERS] = {0};
            void *work = aligned_alloc(64, lte_sweep_work(&link, 1));
            lte_power power[2];
            const lte_code_rows rows = {power, errors, 0, 1};
            assert_int_equal(lte_code_worker_create(code, &link, 1, &worker), LTE_OK);
            memcpy(labels, lte_code_send(worker, 0), 14 * (size_t)c->n_layers * (size_t)c->n_sc);
            lte_code_run(worker, stages, noise, &detector, 0, work, &rows);
            own_labels(c, &link.channel.draws, 0, 0,
                       labels); /* the others stay as the library sends them */
            for (int slot = 0; slot < 2; slot++) {
                const uint32_t *row = errors + lte_counts_at(link.output.n_counts, slot);
                count_own(c, stages, &link, noise, slot, labels + slot * 7 * c->n_layers * c->n_sc,
                          own);
                for (int k = 0; k < n_hard; k++)
                    seen[k] += row[k];
            }
            assert_true(own[0] > 0);
            assert_memory_equal(seen, own, sizeof own);
            lte_code_worker_free(worker);
            lte_code_free(code);
            free(work);
            free(errors);
        }
    }
    free(labels);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(grid_bits, every_transmission_sends_the_bits_of_the_standard),
        LTE_CASE(grid_bits, errors_are_those_of_the_elements_that_carry_data),
    };
    return cmocka_run_group_tests_name("grid_bits", cases, NULL, NULL);
}
