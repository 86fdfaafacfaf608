/* A program's own slots through the slot periods of a backend: planes in, packed bits out. */
#include "ltesim/detection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "kernels/link/channel_range.h"
#include "phy/base/limits.h"
#include "phy/base/pool.h"
#include "phy/theory/information.h"
#include "sim/library/choices.h"
#include "sim/scenario/scenario.h"

enum { MOST_SLOTS = 65536 };

struct lte_detection {
    const lte_backend *backend;
    lte_engine *engine;
    lte_slot_buffer *buffer;
    lte_link link;
    lte_detector detector;
    int n_slots;
    int n_ran; /* slots of the last run, whose H lies in the buffer; 0: there is none */
    lte_noise noise;
    uint32_t losses[LTE_SCALE_LOSSES]; /* that a link with LLRs refers to */
};

/* As where a scenario names none. */
static int first_inverter(int n_tx)
{
    int inverter = 0;
    while (inverter < LTE_N_INVERTERS - 1 && lte_inverter_rows[inverter].max_order < n_tx)
        inverter++;
    return inverter;
}

lte_status lte_modulation_bits(const char *name, int *n_bits)
{
    const lte_names names = LTE_NAMES(lte_modulation_rows);
    const int row = name ? lte_name_find(&names, name) : -1;
    *n_bits = row < 0 ? 0 : lte_modulation_rows[row].n_bits;
    return row < 0 ? lte_refuse_name("modulation", name ? name : "", &names) : LTE_OK;
}

static lte_status choose_link(const lte_detection_plan *plan, lte_link *link)
{
    const lte_names names = LTE_NAMES(lte_inverter_rows);
    const int inverter =
        plan->inverter ? lte_name_find(&names, plan->inverter) : first_inverter(plan->n_tx);
    if (inverter < 0)
        return lte_refuse_name("inverter", plan->inverter, &names);
    if (plan->n_sc > LTE_MAX_SC)
        return LTE_FAIL(LTE_EINVAL, "n_sc=%d (1 to %d)", plan->n_sc, LTE_MAX_SC);
    return lte_link_init_given(link, plan->n_sc, plan->n_rx, plan->n_tx, plan->n_bits, inverter);
}

/* LLRs, if they are asked for. */
static lte_status choose_output(const lte_detection_plan *plan, lte_detection *d)
{
    static const float usual = 8.0f;
    const lte_names names = LTE_NAMES(lte_demapper_names);
    const float scale = plan->llr_scale != 0.0f ? plan->llr_scale : usual;
    if (!plan->demapper)
        return LTE_OK;
    const int demapper = lte_name_find(&names, plan->demapper);
    if (demapper < 0)
        return lte_refuse_name("demapper", plan->demapper, &names);
    if (scale >= (float)LTE_LEAST_LLR_SCALE && scale <= (float)LTE_MOST_LLR_SCALE)
        lte_scale_losses((double)scale, d->losses);
    const lte_output output = {.demapper = demapper, .llr_scale = scale, .scale_losses = d->losses};
    return lte_link_set_llr_output(&d->link, &output);
}

static lte_status choose_detector(const lte_detection_plan *plan, lte_detector *detector)
{
    const lte_names names = LTE_NAMES(lte_detector_rows);
    if (!lte_detector_find(plan->detector ? plan->detector : "mmse", detector))
        return lte_refuse_name("detector", plan->detector, &names);
    if (plan->n_slots < 0 || plan->n_slots > MOST_SLOTS)
        return LTE_FAIL(LTE_EINVAL, "n_slots=%d (1 to %d)", plan->n_slots, MOST_SLOTS);
    return LTE_OK;
}

/* "auto" is a processor for a detector that runs there alone. */
static lte_status choose_backend(const lte_detection_plan *plan, lte_detection *d, int *device)
{
    const bool on_devices = lte_detector_row_of(d->detector)->on_devices;
    const bool any = plan->backend && strcmp(plan->backend, "auto") == 0;
    const lte_status status = lte_choose_backend(any && !on_devices ? "cpu" : plan->backend,
                                                 plan->n_threads, &d->backend, device);
    if (!status && !d->backend->stages && !on_devices)
        return LTE_FAIL(LTE_EINVAL, "backend %s: detector %s runs on processors only",
                        plan->backend, lte_detector_named(d->detector).text);
    return status;
}

/* Engine and memory for what was chosen. */
static lte_status init(lte_detection *d, const lte_engine_options *options)
{
    const lte_noise none = {0};
    lte_status status = d->backend->create(d->backend, &d->link, options, &d->engine);
    if (!status)
        status =
            lte_slot_buffer_create(d->backend, d->engine, &d->link, none, d->n_slots, &d->buffer);
    return status ? status : lte_slot_buffer_reserve(d->buffer, d->n_slots);
}

lte_status lte_detection_create(const lte_detection_plan *plan, lte_detection **detection)
{
    lte_engine_options options = {.n_threads = plan->n_threads, .n_detectors = 1};
    lte_detection *made = calloc(1, sizeof *made);
    *detection = NULL;
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a detection");
    made->n_slots = plan->n_slots ? plan->n_slots : 1;
    lte_status status = choose_link(plan, &made->link);
    if (!status)
        status = choose_output(plan, made);
    if (!status)
        status = choose_detector(plan, &made->detector);
    if (!status)
        status = lte_link_set_detectors(&made->link, &made->detector, 1);
    if (!status)
        status = choose_backend(plan, made, &options.device);
    if (!status)
        status = init(made, &options);
    if (status)
        lte_detection_free(made);
    else
        *detection = made;
    return status;
}

size_t lte_detection_row(const lte_detection *detection)
{
    return lte_packed_row(&detection->link);
}

/* Slots of the caller's, wherever they lie, to planes. */
static lte_status take(const lte_detection *d, int n_slots, lte_layout_id from, const void *x,
                       lte_layout_id to, void *planes)
{
    const lte_slot_ops *ops = d->backend->slots;
    const size_t size = lte_layout_bytes(&d->link, from);
    lte_status status = LTE_OK;
    if (ops->holds && ops->holds(d->engine, x))
        return ops->take(d->engine, n_slots, from, x, to, planes);
    for (size_t i = 0; i < (size_t)n_slots && !status; i++)
        status = lte_layout_copy(&d->link, from, (const char *)x + i * size, to,
                                 (char *)planes + i * size);
    return status;
}

/* One period of all slots, released at once. */
static lte_status detect(const lte_detection *d, int n_slots)
{
    const lte_slot_ops *ops = d->backend->slots;
    const lte_slot_plan plan = {.job = {.memory = lte_slot_buffer_memory(d->buffer),
                                        .noise = d->noise,
                                        .detector = d->detector,
                                        .n_carriers = n_slots},
                                .placement = LTE_PLACEMENT_HOST,
                                .n_threads = d->backend->threads(d->engine)};
    lte_slot_setup setup;
    double completed_s, gap_s = 0.0;
    lte_status status = ops->begin(d->engine, &plan, &setup);
    if (status)
        return status;
    status = ops->run(d->engine, 0, lte_seconds(), &completed_s, &gap_s);
    const lte_status ended = ops->end(d->engine);
    return status ? status : ended;
}

/* Slots in, and what the backend makes of them into its memory; out: where it will go. */
static lte_status run(lte_detection *detection, int n_slots, float n0, const float *h,
                      const float *y, const void *out)
{
    lte_status status = lte_need_array("h", h);
    if (!status)
        status = lte_need_array("y", y);
    if (!status)
        status = lte_need_array("the output", out);
    if (status)
        return status;
    if (n_slots < 1 || n_slots > detection->n_slots)
        return LTE_FAIL(LTE_EINVAL, "n_slots=%d (1 to %d)", n_slots, detection->n_slots);
    if (!(n0 > 0.0f && n0 <= 3.4e38f))
        return LTE_FAIL(LTE_EINVAL, "n0=%g (more than 0, finite)", (double)n0);
    if (((uintptr_t)h | (uintptr_t)y) % sizeof(lte_cf32) != 0)
        return LTE_FAIL(LTE_EINVAL, "h or y is at an address that is not a multiple of %d",
                        (int)sizeof(lte_cf32));
    const lte_slot_memory memory = lte_slot_buffer_memory(detection->buffer);
    lte_slot_buffer_clear(detection->buffer, 0, (uint64_t)n_slots);
    detection->n_ran = 0;
    detection->noise = (lte_noise){.n0 = n0, .sigma = sqrtf(n0)};
    status = take(detection, n_slots, LTE_MATRICES_CSI, h, LTE_PLANES_CSI, memory.h);
    if (!status)
        status = take(detection, n_slots, LTE_MATRICES_Y, y, LTE_PLANES_Y, memory.y);
    if (!status)
        status = detect(detection, n_slots);
    if (!status)
        detection->n_ran = n_slots;
    return status;
}

lte_status lte_detection_run(lte_detection *detection, int n_slots, float n0, const float *h,
                             const float *y, uint8_t *bits)
{
    if (detection->link.output.asked != LTE_GIVES_LABELS)
        return LTE_FAIL(LTE_EINVAL, "a plan with a demapper gives LLRs: lte_detection_run_llr");
    const lte_status status = run(detection, n_slots, n0, h, y, bits);
    const lte_slot_memory memory = lte_slot_buffer_memory(detection->buffer);
    if (!status)
        memcpy(bits, memory.bits, (size_t)n_slots * memory.out_bytes);
    return status;
}

/* Planes [n_tx][n_bits][n_sc] of one symbol to [n_sc][n_tx][n_bits]. */
static void turn(const lte_link *link, const int8_t *planes, int8_t *llr)
{
    const size_t n = (size_t)link->n_tx * (size_t)link->n_bits, n_sc = (size_t)link->carrier.n_sc;
    for (size_t i = 0; i < n; i++) {
        for (size_t sc = 0; sc < n_sc; sc++)
            llr[sc * n + i] = planes[i * n_sc + sc];
    }
}

lte_status lte_detection_run_llr(lte_detection *detection, int n_slots, float n0, const float *h,
                                 const float *y, int8_t *llr)
{
    const lte_link *link = &detection->link;
    if (link->output.asked != LTE_GIVES_LLRS)
        return LTE_FAIL(LTE_EINVAL, "a plan without a demapper gives bits: lte_detection_run");
    const lte_status status = run(detection, n_slots, n0, h, y, llr);
    const lte_slot_memory memory = lte_slot_buffer_memory(detection->buffer);
    const size_t row = lte_output_row(link);
    for (size_t i = 0; !status && i < (size_t)n_slots; i++) {
        const int8_t *planes = (const int8_t *)lte_slot_memory_bits(&memory, i);
        for (size_t symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            turn(link, planes + symbol * row, llr + (i * LTE_SLOT_SYMBOLS + symbol) * row);
    }
    return status;
}

_Static_assert((int)LTE_DETECTION_NO_STATE == (int)LTE_FLAG_NO_STATE &&
                   (int)LTE_DETECTION_SILENT == (int)LTE_MATRIX_SILENT &&
                   (int)LTE_DETECTION_NOT_FINITE == (int)LTE_MATRIX_NOT_FINITE,
               "flags have the same bits in the library and below");

lte_status lte_detection_flags(lte_detection *detection, int n_slots, uint8_t *flags)
{
    const lte_link *link = &detection->link;
    const lte_stages *stages = lte_stages_best();
    const lte_slot_memory memory = lte_slot_buffer_memory(detection->buffer);
    const size_t n_sc = (size_t)link->carrier.n_sc;
    lte_pool pool = {0};
    if (detection->n_ran == 0)
        return LTE_FAIL(LTE_EINVAL, "flags are of slots that ran, and none has");
    if (n_slots < 1 || n_slots > detection->n_ran)
        return LTE_FAIL(LTE_EINVAL, "n_slots=%d (1 to %d, those of the last run)", n_slots,
                        detection->n_ran);
    float *const h = lte_pool_zeros(&pool, lte_layout_bytes(link, LTE_BATCH_H)); /* spare lanes */
    uint8_t *const no_state = lte_pool_take(&pool, lte_layout_bytes(link, LTE_BATCH_FLAG));
    void *const work = lte_pool_take(&pool, lte_stage_work(link));
    lte_status status = lte_pool_check(&pool, "the flags of a slot");
    for (int i = 0; i < n_slots && !status; i++) {
        const lte_cf32 *planes = lte_slot_memory_h(link, &memory, (uint64_t)i);
        uint8_t *const of_slot = flags + (size_t)i * n_sc;
        (void)lte_planes_silent(link, 1, planes, of_slot);
        status = lte_layout_copy(link, LTE_PLANES_H, planes, LTE_BATCH_H, h);
        if (status)
            break;
        stages->flag(link, detection->detector, detection->noise,
                     lte_groups_of(0, link->carrier.n_groups, work), h, no_state);
        for (size_t sc = 0; sc < n_sc; sc++)
            of_slot[sc] = (uint8_t)(of_slot[sc] | no_state[sc]);
    }
    lte_pool_free(&pool);
    return status;
}

void lte_detection_free(lte_detection *detection)
{
    if (!detection)
        return;
    lte_slot_buffer_free(detection->buffer);
    if (detection->backend)
        detection->backend->free(detection->engine);
    free(detection);
}
