/* The slots of a deadline run: made, handed over, and their errors counted. */
#include "kernels/backends/slot_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/base/labels.h"
#include "kernels/coding/blocks.h"
#include "kernels/coding/counted.h"
#include "phy/base/pool.h"

struct lte_slot_buffer {
    const lte_backend *backend;
    lte_engine *engine; /* of the backend: its memory holds the slots */
    lte_link link;
    lte_noise noise;
    const lte_stages *stages;
    int n_distinct;
    int n_outputs;          /* of the distinct slots: as many, or their subframes */
    lte_slot_memory memory; /* n_out a multiple of n_outputs; no h if it is estimated */
};

void lte_slot_buffer_free(lte_slot_buffer *buffer)
{
    if (!buffer)
        return;
    buffer->backend->host_free(buffer->engine, buffer->memory.h);
    buffer->backend->host_free(buffer->engine, buffer->memory.y);
    buffer->backend->host_free(buffer->engine, buffer->memory.bits);
    free(buffer);
}

typedef struct {
    lte_pool pool;
    float *h, *y;
    uint32_t *label;
    void *work;
    lte_code_worker *worker; /* of a link that carries a code */
} batches;

/* What differs by what is counted of a link. */
typedef struct {
    lte_status (*worker)(const lte_link *link, batches *b);
    void (*labels)(const lte_slot_buffer *buffer, int slot, const batches *b);
    lte_status (*count)(const lte_slot_buffer *buffer, const batches *b, const uint8_t *output,
                        lte_output_errors *errors);
} output_kind;
static const output_kind *kind_of(const lte_link *link);

static bool batches_init(const lte_link *link, batches *b)
{
    *b = (batches){.worker = NULL};
    b->h = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_H));
    b->y = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_Y));
    b->label = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_LABEL));
    b->work = lte_pool_take(&b->pool, lte_stage_work(link));
    return !b->pool.missing && kind_of(link)->worker(link, b) == LTE_OK;
}

static void batches_fini(batches *b)
{
    lte_code_worker_free(b->worker);
    lte_pool_free(&b->pool);
}

static lte_status no_worker(const lte_link *link, batches *b)
{
    (void)link;
    (void)b;
    return LTE_OK;
}

static lte_status make_worker(const lte_link *link, batches *b)
{
    return lte_code_worker_create(link->output.code, link, 1, &b->worker);
}

/* A slot's labels: drawn, or those of its half of a subframe. */
static void draw_labels(const lte_slot_buffer *buffer, int slot, const batches *b)
{
    const lte_link *link = &buffer->link;
    buffer->stages->source(link, (uint64_t)slot, 0, link->carrier.n_groups, b->label, b->work);
}

static void send_labels(const lte_slot_buffer *buffer, int slot, const batches *b)
{
    const lte_link *link = &buffer->link;
    const ptrdiff_t n = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_tx;
    const int second = slot % 2;
    const uint8_t *labels =
        lte_code_send(b->worker, (uint64_t)(slot - second)) + second * lte_label_planes(link);
    for (int i = 0; i < n; i++) {
        for (int sc = 0; sc < link->carrier.n_groups * LTE_LANES; sc++)
            b->label[lte_lane_at(1, (int)n, sc, 0, i)] =
                sc < link->carrier.n_sc
                    ? lte_label_at(link->n_bits, labels, i * link->carrier.n_sc + sc)
                    : 0;
    }
}

static void make_slot(lte_slot_buffer *buffer, int slot, batches *b)
{
    const lte_link *link = &buffer->link;
    const int parts = buffer->memory.parts;
    const lte_slot_memory memory = lte_slot_memory_part(link, &buffer->memory, slot % parts);
    lte_power power = {0, 0};
    lte_cf32 *h = lte_slot_memory_h(link, &memory, (uint64_t)(slot / parts));
    lte_cf32 *y = lte_slot_memory_y(link, &memory, (uint64_t)(slot / parts));
    kind_of(link)->labels(buffer, slot, b);
    buffer->stages->channel(link, (uint64_t)slot, 0, link->carrier.n_groups, b->h, b->work);
    buffer->stages->receive(link, (uint64_t)slot, buffer->noise,
                            lte_groups_of(0, link->carrier.n_groups, b->work), b->h, b->label, b->y,
                            &power);
    if (h)
        (void)lte_layout_copy(link, LTE_BATCH_H, b->h, LTE_PLANES_H, h);
    (void)lte_layout_copy(link, LTE_BATCH_Y, b->y, LTE_PLANES_Y, y);
}

/* Memory of all slots' planes. */
static lte_status planes_alloc(const lte_slot_buffer *buffer, lte_layout_id layout,
                               lte_cf32 **planes)
{
    const size_t size = (size_t)buffer->n_distinct * lte_layout_bytes(&buffer->link, layout);
    void *memory = NULL;
    const lte_status status = buffer->backend->host_alloc(buffer->engine, size, &memory);
    *planes = memory;
    return status;
}

lte_status lte_slot_buffer_create(const lte_backend *backend, lte_engine *engine,
                                  const lte_link *link, lte_noise noise, int n_distinct,
                                  lte_slot_buffer **buffer)
{
    *buffer = NULL;
    if (n_distinct % link->receiver.pilots != 0)
        return LTE_FAIL(LTE_EINVAL,
                        "%d slots: estimates from both slots of a subframe need an even number",
                        n_distinct);
    const int due_slots = lte_counted_of(link)->due_slots;
    if (n_distinct % due_slots != 0)
        return LTE_FAIL(LTE_EINVAL, "%d slots: subframes need an even number", n_distinct);
    lte_slot_buffer *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the slots of the deadline run");
    made->backend = backend;
    made->engine = engine;
    made->link = *link;
    made->noise = noise;
    made->stages = backend->stages ? backend->stages : lte_stages_best();
    made->n_distinct = n_distinct;
    made->n_outputs = n_distinct / due_slots;
    made->memory.parts = lte_due_parts(link);
    made->memory.n_in = made->memory.n_h_in = (uint64_t)(n_distinct / made->memory.parts);
    made->memory.row_bytes = lte_output_row(link);
    made->memory.out_bytes = lte_due_bytes(link);
    lte_status status = LTE_OK;
    if (!lte_link_estimates(link))
        status = planes_alloc(made, LTE_PLANES_CSI, &made->memory.h);
    if (!status)
        status = planes_alloc(made, LTE_PLANES_Y, &made->memory.y);
    if (!status)
        status = lte_slot_buffer_reserve(made, 1);
    if (status) {
        lte_slot_buffer_free(made);
        made = NULL;
    } else {
        lte_slot_buffer_clear(made, 0, made->memory.n_out);
    }
    *buffer = made;
    return status;
}

lte_status lte_slot_buffer_make(lte_slot_buffer *buffer, int first, int n)
{
    bool enough = true;
#pragma omp parallel
    {
        batches b;
        const bool mine = batches_init(&buffer->link, &b);
#pragma omp critical
        enough = enough && mine;
#pragma omp barrier
        if (enough) {
#pragma omp for schedule(dynamic)
            for (int slot = first; slot < first + n; slot++)
                make_slot(buffer, slot, &b);
        }
        batches_fini(&b);
    }
    return enough ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
}

lte_status lte_slot_buffer_reserve(lte_slot_buffer *buffer, int n_carriers)
{
    const uint64_t distinct = (uint64_t)buffer->n_outputs;
    const uint64_t n_out = ((uint64_t)n_carriers + distinct - 1) / distinct * distinct;
    if (n_out <= buffer->memory.n_out)
        return LTE_OK;
    void *bits = NULL;
    const lte_status status =
        buffer->backend->host_alloc(buffer->engine, n_out * buffer->memory.out_bytes, &bits);
    if (status)
        return status;
    buffer->backend->host_free(buffer->engine, buffer->memory.bits);
    buffer->memory.bits = bits;
    buffer->memory.n_out = n_out;
    return LTE_OK;
}

void lte_slot_buffer_clear(lte_slot_buffer *buffer, uint64_t first, uint64_t n)
{
    const size_t size = buffer->memory.out_bytes;
    const uint64_t n_out = buffer->memory.n_out;
    if (first < n_out)
        memset(buffer->memory.bits + first * size, 0,
               (n < n_out - first ? n : n_out - first) * size);
}

lte_slot_memory lte_slot_buffer_memory(const lte_slot_buffer *buffer)
{
    return buffer->memory;
}

/* Of a slot's LLRs; the sign of 0 is that of a bit 0. */
static lte_status count_signs(const lte_slot_buffer *buffer, const batches *b,
                              const uint8_t *output, lte_output_errors *errors)
{
    const lte_link *link = &buffer->link;
    const int n = LTE_SLOT_SYMBOLS * link->n_tx;
    for (int i = 0; i < n; i++) {
        if (i / link->n_tx == link->receiver.pilot)
            continue;
        for (int sc = 0; sc < link->carrier.n_sc; sc++) {
            const uint32_t sent = b->label[lte_lane_at(1, n, sc, 0, i)];
            for (int bit = 0; bit < link->n_bits; bit++) {
                const int8_t llr =
                    (int8_t)output[(i * link->n_bits + bit) * link->carrier.n_sc + sc];
                errors->bit_errors += (uint32_t)(llr < 0) != (sent >> bit & 1);
            }
        }
    }
    return LTE_OK;
}

/* Of a slot's decisions. */
static lte_status count_packed(const lte_slot_buffer *buffer, const batches *b,
                               const uint8_t *output, lte_output_errors *errors)
{
    const lte_link *link = &buffer->link;
    const size_t size = buffer->memory.out_bytes, row = buffer->memory.row_bytes;
    uint8_t *sent = calloc(1, size);
    if (!sent)
        return LTE_FAIL(LTE_ENOMEM, "no memory to count the errors of a slot");
    buffer->stages->pack(link, 0, link->carrier.n_groups, b->label, sent);
    for (size_t k = 0; k < size; k++) {
        if ((int)(k / row) != link->receiver.pilot)
            errors->bit_errors += (uint64_t)__builtin_popcount(sent[k] ^ output[k]);
    }
    free(sent);
    return LTE_OK;
}

/* Of the blocks of a subframe that has just been sent. */
static lte_status count_blocks(const lte_slot_buffer *buffer, const batches *b,
                               const uint8_t *output, lte_output_errors *errors)
{
    const lte_code *code = buffer->link.output.code;
    for (int q = 0; q < code->n_codewords; q++) {
        const int n = code->transport[q].bits;
        const uint8_t *payload = lte_code_payload(b->worker, q);
        const uint8_t *bits = output + lte_block_at(code, q);
        int wrong = 0;
        for (int i = 0; i < n; i++)
            wrong += (bits[i / 8] >> i % 8 & 1) != payload[i];
        errors->bit_errors += (uint64_t)wrong;
        errors->blocks++;
        errors->wrong += wrong > 0;
        errors->undetected += wrong > 0 && bits[(n + 7) / 8];
    }
    return LTE_OK;
}

static const output_kind *kind_of(const lte_link *link)
{
    static const output_kind kinds[LTE_N_COUNTED] = {
        [LTE_COUNTED_BITS] = {no_worker, draw_labels, count_packed},
        [LTE_COUNTED_LLRS] = {no_worker, draw_labels, count_signs},
        [LTE_COUNTED_BLOCKS] = {make_worker, send_labels, count_blocks},
    };
    return &kinds[link->output.counted];
}

lte_status lte_slot_buffer_errors(const lte_slot_buffer *buffer, uint64_t i,
                                  lte_output_errors *errors)
{
    const lte_link *link = &buffer->link;
    const uint8_t *output = lte_slot_memory_bits(&buffer->memory, i);
    const int n = (int)(i % (uint64_t)buffer->n_outputs);
    lte_status status = LTE_OK;
    batches b;
    *errors = (lte_output_errors){0};
    if (!batches_init(link, &b)) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory to count the errors of a slot");
        goto cleanup;
    }
    kind_of(link)->labels(buffer, n * lte_counted_of(link)->due_slots, &b);
    status = kind_of(link)->count(buffer, &b, output, errors);
cleanup:
    batches_fini(&b);
    return status;
}
