/* The slots of a deadline run: made, handed over, and their errors counted. */
#include "kernels/backends/slot_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "phy/pool.h"

struct lte_slot_buffer {
    const lte_backend *backend;
    lte_engine *engine; /* of the backend: its memory holds the slots */
    lte_link link;
    lte_noise noise;
    const lte_stages *stages;
    int n_distinct;
    lte_slot_memory memory; /* n_in = n_distinct, n_out a multiple of it; no h if it is estimated */
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
} batches;

static bool batches_init(const lte_link *link, batches *b)
{
    b->pool = (lte_pool){0};
    b->h = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_H));
    b->y = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_Y));
    b->label = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_LABEL));
    b->work = lte_pool_take(&b->pool, lte_stage_work(link));
    return !b->pool.missing;
}

static void make_slot(lte_slot_buffer *buffer, int slot, batches *b)
{
    const lte_link *link = &buffer->link;
    lte_power power = {0, 0};
    lte_cf32 *h = lte_slot_memory_h(link, &buffer->memory, (uint64_t)slot);
    lte_cf32 *y = lte_slot_memory_y(link, &buffer->memory, (uint64_t)slot);
    buffer->stages->source(link, (uint64_t)slot, 0, link->n_groups, b->label, b->work);
    buffer->stages->channel(link, (uint64_t)slot, 0, link->n_groups, b->h, b->work);
    buffer->stages->receive(link, (uint64_t)slot, buffer->noise, 0, link->n_groups, b->h, b->label,
                            b->y, &power, b->work);
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
    if (n_distinct % link->references != 0)
        return LTE_FAIL(LTE_EINVAL, "%d slots to estimate from both of a subframe", n_distinct);
    lte_slot_buffer *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the slots of the deadline run");
    made->backend = backend;
    made->engine = engine;
    made->link = *link;
    made->noise = noise;
    made->stages = backend->stages ? backend->stages : lte_stages_best();
    made->n_distinct = n_distinct;
    made->memory.n_in = made->memory.n_h_in = (uint64_t)n_distinct;
    made->memory.row_bytes = lte_packed_row(link);
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
        lte_slot_buffer_clear(made, 0, (uint64_t)n_distinct);
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
        lte_pool_free(&b.pool);
    }
    return enough ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
}

lte_status lte_slot_buffer_reserve(lte_slot_buffer *buffer, int n_carriers)
{
    const uint64_t distinct = (uint64_t)buffer->n_distinct;
    const uint64_t n_out = ((uint64_t)n_carriers + distinct - 1) / distinct * distinct;
    if (n_out <= buffer->memory.n_out)
        return LTE_OK;
    void *bits = NULL;
    const lte_status status = buffer->backend->host_alloc(
        buffer->engine, n_out * lte_slot_bits_size(&buffer->memory), &bits);
    if (status)
        return status;
    buffer->backend->host_free(buffer->engine, buffer->memory.bits);
    buffer->memory.bits = bits;
    buffer->memory.n_out = n_out;
    return LTE_OK;
}

void lte_slot_buffer_clear(lte_slot_buffer *buffer, uint64_t first, uint64_t n)
{
    const size_t size = lte_slot_bits_size(&buffer->memory);
    const uint64_t n_out = buffer->memory.n_out;
    if (first < n_out)
        memset(buffer->memory.bits + first * size, 0,
               (n < n_out - first ? n : n_out - first) * size);
}

lte_slot_memory lte_slot_buffer_memory(const lte_slot_buffer *buffer)
{
    return buffer->memory;
}

lte_status lte_slot_buffer_errors(const lte_slot_buffer *buffer, uint64_t i, uint64_t *errors)
{
    const lte_link *link = &buffer->link;
    const uint8_t *decided = lte_slot_memory_bits(&buffer->memory, i);
    const size_t bits_size = lte_slot_bits_size(&buffer->memory);
    lte_status status = LTE_OK;
    batches b;
    uint8_t *sent = calloc(1, bits_size);
    *errors = 0;
    if (!batches_init(link, &b) || !sent) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory to count the errors of a slot");
        goto cleanup;
    }
    buffer->stages->source(link, i % (uint64_t)buffer->n_distinct, 0, link->n_groups, b.label,
                           b.work);
    buffer->stages->pack(link, 0, link->n_groups, b.label, sent);
    const size_t row = lte_packed_row(link);
    for (size_t k = 0; k < bits_size; k++) {
        if ((int)(k / row) != link->pilot)
            *errors += (uint64_t)__builtin_popcount(sent[k] ^ decided[k]);
    }
cleanup:
    lte_pool_free(&b.pool);
    free(sent);
    return status;
}
