/*
 * Slots that give LLRs, and subframes whose blocks are decoded, in the periods of a deadline run:
 * LLRs are those that a sweep makes of the same slots, and bits those of the plain decoder.
 */
#include "tests/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "kernels/coding/blocks.h"
#include "kernels/cpu/stages.h"
#include "phy/base/gold.h"

enum {
    N_SC = 84,
    DISTINCT = 22 /* slots: more subframes than a frame has */,
    CARRIERS = 4,
    MANY = 90 /* that fill a device */
};

/* What a link is made of. */
typedef struct {
    int n_rx, n_tx, n_bits, channel, inverter, csi, pilots, detector;
    double doppler_hz, snr_db, rate;
    bool early;
} a_case;

static const a_case cases_of[] = {
    {1, 1, 2, LTE_CHANNEL_awgn, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mmse, 0.0, 0.4,
     0.44, false}, /* with filler bits */
    {2, 2, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_gauss_jordan, LTE_CSI_perfect, 1, LTE_DETECTOR_zf,
     0.0, 16.0, 0.5, true},
    {4, 4, 6, LTE_CHANNEL_eva, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mmse, 0.0, 24.0,
     0.6, true},
    {4, 3, 8, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mmse, 0.0,
     40.0, 0.3, true},
    {2, 1, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl, LTE_CSI_dmrs_ls, 1, LTE_DETECTOR_mmse, 0.0, 8.0,
     0.5, true},
    {4, 2, 4, LTE_CHANNEL_etu, LTE_INVERTER_ldl, LTE_CSI_dmrs_mmse, 2, LTE_DETECTOR_mmse, 70.0, 9.0,
     0.4, true},
    {8, 8, 2, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mmse, 0.0,
     6.0, 0.3, true},
    {4, 2, 2, LTE_CHANNEL_eva, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mrc, 300.0, -7.0,
     0.1, true}, /* elements sent several times; H moves within a slot */
    {4, 2, 2, LTE_CHANNEL_eva, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mmse, 0.0, 3.0,
     0.1, true}, /* the same, where sums of an element's LLRs are beyond 127 and -127 */
    {4, 4, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_kbest, 0.0,
     14.0, 0.5, true},
    {4, 2, 6, LTE_CHANNEL_etu, LTE_INVERTER_ldl, LTE_CSI_dmrs_mmse, 2, LTE_DETECTOR_kbest, 70.0,
     24.0, 0.4, true},
    {3, 3, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_ml, 0.0, 12.0,
     0.5, true},
    {4, 2, 6, LTE_CHANNEL_etu, LTE_INVERTER_ldl, LTE_CSI_dmrs_mmse, 2, LTE_DETECTOR_ml, 70.0, 22.0,
     0.4, true},
    {4, 4, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mmse_sic,
     0.0, 16.0, 0.5, true},
    {17, 3, 2, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_mmse_sic,
     0.0, 0.0, 0.4, true},
    {20, 4, 4, LTE_CHANNEL_eva, LTE_INVERTER_cholesky_delayed, LTE_CSI_perfect, 1,
     LTE_DETECTOR_mmse, 300.0, 4.0, 0.5, true}, /* a large array */
    {17, 3, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, LTE_CSI_perfect, 1, LTE_DETECTOR_kbest, 0.0,
     0.0, 0.4, true},
};
enum { N_CASES = sizeof cases_of / sizeof *cases_of };

/* A link that gives LLRs, or carries a code. */
typedef struct {
    lte_link link;
    lte_estimator estimator;
    lte_code *code;
    lte_noise noise;
    size_t planes;
    int8_t *llrs;    /* [DISTINCT] of planes, not descrambled: as a sweep has them */
    uint8_t *blocks; /* [DISTINCT / 2] of lte_block_bytes */
} subject;

/* The LLRs of all slots by the sweep's stage; labels of a code or the source's. */
static void expect_llrs(subject *s, lte_detector detector)
{
    const lte_stages *stages = lte_stages_all[0];
    const lte_link *link = &s->link;
    const ptrdiff_t n = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_tx;
    lte_code_worker *worker = NULL;
    uint8_t *labels = calloc((size_t)n, N_SC);
    uint32_t *drawn = malloc(lte_layout_bytes(link, LTE_BATCH_LABEL));
    uint32_t *errors = malloc((size_t)link->output.n_counts * sizeof *errors);
    void *work = aligned_alloc(64, lte_sweep_work(link, 1)), *of_stage = lte_stage_work_alloc(link);
    if (s->code)
        assert_int_equal(lte_code_worker_create(s->code, link, 1, &worker), LTE_OK);
    for (int slot = 0; slot < DISTINCT; slot++) {
        lte_power power;
        const uint8_t *of_slot = labels;
        if (s->code) {
            of_slot = lte_code_send(worker, (uint64_t)slot / 2 * 2) + slot % 2 * n * N_SC;
        } else {
            stages->source(link, (uint64_t)slot, 0, link->carrier.n_groups, drawn, of_stage);
            for (int i = 0; i < n; i++)
                for (int sc = 0; sc < N_SC; sc++)
                    labels[i * N_SC + sc] = (uint8_t)drawn[lte_lane_at(1, (int)n, sc, 0, i)];
        }
        const lte_carried_slot carried = {(uint64_t)slot, of_slot, &power, errors,
                                          s->llrs + (size_t)slot * s->planes};
        stages->carry_slot(link, s->noise, &detector, 1, &carried, work);
    }
    lte_code_worker_free(worker);
    free(of_stage);
    free(work);
    free(errors);
    free(drawn);
    free(labels);
}

/*
 * Descrambles and collects codeword q of a subframe, decodes it plainly, and packs it; true if it
 * is right.
 */
static bool expect_codeword(const subject *s, int subframe, int q, uint8_t *out)
{
    const lte_code *code = s->code;
    const lte_transport *t = &code->transport[q];
    const int g = lte_transport_sent(t), encoded = lte_transport_encoded(t);
    int32_t *soft = calloc((size_t)encoded, sizeof *soft);
    int8_t *llr = malloc((size_t)encoded);
    uint8_t *decoded = malloc((size_t)t->s.n * 6144), *joined = malloc((size_t)t->s.n_bits);
    lte_gold gold =
        lte_gold_at(lte_scrambling_init(LTE_CODE_RNTI, q, 2 * subframe % 20, LTE_CODE_CELL), 0);
    uint32_t word = 0;
    for (int e = 0; e < g; e++) {
        const uint32_t at = code->symbol[q][e / t->n_bits];
        const uint32_t row = at / N_SC * (uint32_t)t->n_bits + (uint32_t)(e % t->n_bits);
        const int8_t value = s->llrs[(size_t)(2 * subframe) * s->planes + row * N_SC + at % N_SC];
        word = e % 32 ? word >> 1 : lte_gold_word(&gold);
        soft[code->place[q][e]] += word & 1 ? -value : value;
    }
    lte_transport_soft(t, soft, llr);
    uint8_t *to = decoded;
    for (int r = 0; r < t->s.n; r++) {
        const lte_code_block *block = lte_segment_block(&t->s, r);
        const lte_turbo_plan plan = lte_code_decoding(code, q, block);
        void *work = aligned_alloc(64, (lte_turbo_work(&plan) + 63) / 64 * 64);
        (void)lte_turbo_decode(&plan, llr + lte_transport_block(t, r), work, to);
        to += block->k;
        free(work);
    }
    const bool right = lte_transport_join(t, decoded, joined);
    for (int i = 0; i < t->bits; i++)
        out[i / 8] |= (uint8_t)(joined[i] << i % 8);
    out[(t->bits + 7) / 8] = right;
    free(joined);
    free(decoded);
    free(llr);
    free(soft);
    return right;
}

static subject new_subject(const a_case *c, bool coded)
{
    const lte_output output = {.demapper = 0, .llr_scale = 8.0f};
    subject s = {.noise = lte_noise_of(c->n_tx, __builtin_pow(10.0, c->snr_db / 10.0))};
    assert_int_equal(
        lte_link_init(&s.link, N_SC, c->n_rx, c->n_tx, c->n_bits, c->channel, c->inverter, 36213),
        LTE_OK);
    if (c->doppler_hz > 0.0)
        assert_int_equal(lte_link_set_doppler(&s.link, c->doppler_hz, 4), LTE_OK);
    if (lte_csi_estimates(c->csi)) {
        assert_int_equal(lte_estimator_create(c->channel, N_SC, c->n_rx, c->n_tx,
                                              lte_csi_rows[c->csi].estimator, &s.estimator),
                         LTE_OK);
        lte_link_estimate(&s.link, c->csi, false, s.estimator);
    }
    if (c->pilots > 1)
        assert_int_equal(lte_link_set_dmrs_symbols(&s.link, c->pilots), LTE_OK);
    s.planes = (size_t)lte_llr_planes(&s.link);
    s.llrs = calloc(DISTINCT, s.planes);
    if (coded) {
        lte_code_plan plan = {.transmissions = 1, .iterations = 4, .early = c->early};
        for (int q = 0; q < lte_codewords(c->n_tx); q++)
            plan.bits[q] = lte_transport_bits(c->rate, lte_codeword_layers(c->n_tx, q), c->n_bits,
                                              2 * lte_data_symbols(&s.link) * N_SC);
        assert_int_equal(lte_code_create(&s.link, &plan, &s.code), LTE_OK);
        assert_int_equal(lte_link_set_transport_code(&s.link, s.code, &output), LTE_OK);
    } else {
        assert_int_equal(lte_link_set_llr_output(&s.link, &output), LTE_OK);
    }
    expect_llrs(&s, lte_detector_usual(c->detector));
    if (coded) {
        int right = 0;
        s.blocks = calloc(DISTINCT / 2, lte_block_bytes(s.code));
        for (int i = 0; i < DISTINCT / 2; i++) {
            for (int q = 0; q < s.code->n_codewords; q++)
                right += expect_codeword(&s, i, q,
                                         s.blocks + (size_t)i * lte_block_bytes(s.code) +
                                             lte_block_at(s.code, q));
        }
        assert_true(right > 0);
    }
    return s;
}

static void free_subject(subject *s)
{
    lte_code_free(s->code);
    lte_estimator_free(&s->estimator);
    free(s->llrs);
    free(s->blocks);
}

/*
 * All outputs of a buffer, which has been cleared before the periods; what: where they came from.
 */
static void assert_outputs(const subject *s, const lte_slot_buffer *buffer, uint64_t n,
                           const char *what)
{
    const lte_slot_memory memory = lte_slot_buffer_memory(buffer);
    const uint64_t distinct = s->code ? DISTINCT / 2 : DISTINCT;
    const uint8_t *expected = s->code ? s->blocks : (const uint8_t *)s->llrs;
    for (uint64_t i = 0; i < n; i++) {
        if (memcmp(memory.bits + i * memory.out_bytes, expected + i % distinct * memory.out_bytes,
                   memory.out_bytes) != 0)
            fail_msg("%s: output %d of %d differs: %d by %d, %d bits, %s", what, (int)i, (int)n,
                     s->link.n_rx, s->link.n_tx, s->link.n_bits, s->code ? "a code" : "LLRs");
    }
}

/* What the periods of a backend go over. */
typedef struct {
    const subject *s;
    const lte_backend *backend;
    lte_engine *engine;
    lte_slot_buffer *buffer;
} bench_of_slots;

static void begin(const bench_of_slots *b, const lte_slot_plan *plan)
{
    lte_slot_setup setup;
    lte_slot_buffer_clear(b->buffer, 0, UINT64_MAX);
    assert_int_equal(b->backend->slots->begin(b->engine, plan, &setup), LTE_OK);
}

/* Periods of n carriers, more than all outputs take. */
static void check_periods(const bench_of_slots *b, const lte_slot_plan *plan, int n)
{
    const lte_slot_memory *memory = &plan->job.memory;
    double at, done, gap = 0.0;
    begin(b, plan);
    for (int k = 0; k < memory->parts * ((int)memory->n_out / n + 2); k++) {
        const uint64_t first = (uint64_t)k * (uint64_t)plan->job.n_carriers;
        assert_int_equal(b->backend->slots->run(b->engine, first, 0.0, &at, &gap), LTE_OK);
        if (b->s->code && k % memory->parts == memory->parts - 1) {
            assert_int_equal(b->backend->slots->decode(b->engine, first, &done), LTE_OK);
            assert_true(done >= at && done <= lte_seconds());
        }
    }
    assert_int_equal(b->backend->slots->end(b->engine), LTE_OK);
}

/* Slot after slot, or subframe after subframe, by stages. */
static void check_stages(const bench_of_slots *b, const lte_slot_plan *plan)
{
    const lte_slot_ops *slots = b->backend->slots;
    double us[LTE_N_TIMED];
    begin(b, plan);
    for (uint64_t i = 0; i < plan->job.memory.n_out; i++) {
        assert_int_equal(slots->stages(b->engine, i, us), LTE_OK);
        assert_true(us[LTE_TIMED_DETECTION] > 0.0);
        if (plan->job.detector.id < LTE_N_ESTIMATING_DETECTORS &&
            !LTE_IS_LARGE(b->s->link.n_rx, b->s->link.n_tx)) /* one stage for all of it */
            assert_true(us[LTE_TIMED_CORNER_TURN] == 0.0 && us[LTE_TIMED_GRAM] == 0.0);
        for (int k = LTE_TIMED_RATE_MATCHING; k <= LTE_TIMED_CRC; k++)
            assert_true(b->s->code ? us[k] > 0.0 : us[k] == 0.0);
    }
    if (slots->inversion)
        assert_int_equal(slots->inversion(b->engine, N_SC, us), LTE_OK);
    assert_int_equal(slots->end(b->engine), LTE_OK);
}

static void check_backend(const subject *s, const lte_backend *backend, lte_detector detector,
                          int n_threads)
{
    const lte_engine_options options = {.n_threads = n_threads};
    const int carriers[] = {1, CARRIERS, MANY}, n_carriers = backend->stages ? 2 : 3;
    const int neighbours = s->code && s->link.receiver.pilots > 1 ? 2 : 1;
    bench_of_slots b = {.s = s, .backend = backend};
    assert_int_equal(backend->create(backend, &s->link, &options, &b.engine), LTE_OK);
    assert_int_equal(
        lte_slot_buffer_create(backend, b.engine, &s->link, s->noise, DISTINCT, &b.buffer), LTE_OK);
    assert_int_equal(lte_slot_buffer_make(b.buffer, 0, DISTINCT), LTE_OK);
    for (int i = 0; i < backend->slots->n_placements * n_carriers; i++) {
        const int n = carriers[i % n_carriers], placement = i / n_carriers;
        char what[64];
        assert_int_equal(lte_slot_buffer_reserve(b.buffer, n * neighbours), LTE_OK);
        const lte_slot_memory memory = lte_slot_buffer_memory(b.buffer);
        const lte_slot_plan plan = {
            .job = {memory, s->noise, .detector = detector, .n_carriers = n * neighbours},
            .placement = placement,
            .n_threads = n == 1 ? 0 : n_threads};
        (void)snprintf(what, sizeof what, "%s, %s, %d carriers", backend->name,
                       lte_placement_names[placement], n);
        check_periods(&b, &plan, n);
        assert_outputs(s, b.buffer, memory.n_out, what);
        check_stages(&b, &plan);
        assert_outputs(s, b.buffer, memory.n_out, "by stages");
    }
    lte_slot_buffer_free(b.buffer);
    backend->free(b.engine);
}

static void check_all(bool coded)
{
    for (int i = 0; i < N_CASES; i += is_short() ? 7 : 1) {
        subject s = new_subject(&cases_of[i], coded);
        for (int b = 0; lte_backends[b]; b++) {
            const bool takes =
                lte_backends[b]->stages || lte_detector_rows[cases_of[i].detector].on_devices;
            if (takes && lte_backends[b]->n_devices() > 0)
                check_backend(&s, lte_backends[b], lte_detector_usual(cases_of[i].detector),
                              1 + i % 2);
        }
        free_subject(&s);
    }
}

static void periods_give_the_llrs_of_the_sweep(void **state)
{
    (void)state;
    check_all(false);
}

static void periods_give_the_blocks_of_the_plain_decoder(void **state)
{
    (void)state;
    check_all(true);
}

/* Errors of outputs: signs of LLRs, and bits and CRCs of blocks. */
static void outputs_are_compared_with_what_was_sent(void **state)
{
    const lte_backend *backend = lte_backends[0];
    (void)state;
    for (int i = 0; i < 2 * N_CASES; i += is_short() ? 11 : 1) {
        const bool coded = i % 2;
        subject s = new_subject(&cases_of[i / 2], coded);
        const lte_engine_options options = {.n_threads = 1};
        lte_engine *engine = NULL;
        lte_slot_buffer *buffer = NULL;
        lte_output_errors errors;
        assert_int_equal(backend->create(backend, &s.link, &options, &engine), LTE_OK);
        if (coded) { /* half a subframe */
            const lte_fail_handler handler = expect_failures();
            assert_int_equal(lte_slot_buffer_create(backend, engine, &s.link, s.noise, 5, &buffer),
                             LTE_EINVAL);
            (void)lte_fail_handler_set(handler);
        }
        assert_int_equal(
            lte_slot_buffer_create(backend, engine, &s.link, s.noise, DISTINCT, &buffer), LTE_OK);
        assert_int_equal(lte_slot_buffer_make(buffer, 0, DISTINCT), LTE_OK);
        const lte_slot_memory memory = lte_slot_buffer_memory(buffer);
        if (coded) { /* as the code has it, one bit wrong, a CRC that holds or not */
            lte_code_worker *worker = NULL;
            assert_int_equal(lte_code_worker_create(s.code, &s.link, 1, &worker), LTE_OK);
            (void)lte_code_send(worker, 4);
            uint8_t *const out = memory.bits + 2 * memory.out_bytes;
            memset(out, 0, memory.out_bytes);
            for (int q = 0; q < s.code->n_codewords; q++) {
                for (int b = 0; b < s.code->transport[q].bits; b++)
                    out[lte_block_at(s.code, q) + (size_t)(b / 8)] |=
                        (uint8_t)(lte_code_payload(worker, q)[b] << b % 8);
            }
            assert_int_equal(lte_slot_buffer_errors(buffer, 2, &errors), LTE_OK);
            assert_int_equal(errors.bit_errors, 0);
            assert_int_equal(errors.blocks, s.code->n_codewords);
            assert_int_equal(errors.wrong + errors.undetected, 0);
            out[1] ^= 4;
            assert_int_equal(lte_slot_buffer_errors(buffer, 2, &errors), LTE_OK);
            assert_int_equal(errors.bit_errors, 1);
            assert_int_equal(errors.wrong, 1);
            assert_int_equal(errors.undetected, 0);
            out[(s.code->transport[0].bits + 7) / 8] = 1;
            assert_int_equal(lte_slot_buffer_errors(buffer, 2, &errors), LTE_OK);
            assert_int_equal(errors.undetected, 1);
            lte_code_worker_free(worker);
        } else { /* all signs the other way: all that was right is wrong */
            uint64_t of[2];
            memcpy(memory.bits, s.llrs, s.planes);
            for (size_t k = 0; k < s.planes; k++) /* none is 0 */
                memory.bits[k] = memory.bits[k] ? memory.bits[k] : 1;
            for (int turn = 0; turn < 2; turn++) {
                assert_int_equal(lte_slot_buffer_errors(buffer, 0, &errors), LTE_OK);
                of[turn] = errors.bit_errors;
                for (size_t k = 0; k < s.planes; k++)
                    memory.bits[k] = (uint8_t)-memory.bits[k];
            }
            assert_int_equal(errors.blocks, 0);
            assert_true(of[0] < of[1]);
            assert_int_equal(of[0] + of[1], (uint64_t)lte_data_symbols(&s.link) *
                                                (uint64_t)(s.link.n_tx * s.link.n_bits) * N_SC);
        }
        lte_slot_buffer_free(buffer);
        backend->free(engine);
        free_subject(&s);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(subframes, periods_give_the_llrs_of_the_sweep),
    LTE_CASE(subframes, periods_give_the_blocks_of_the_plain_decoder),
    LTE_CASE(subframes, outputs_are_compared_with_what_was_sent),
};

int main(void)
{
    return cmocka_run_group_tests_name("subframes", cases, NULL, NULL);
}
