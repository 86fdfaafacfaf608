#include "kernels/ring.h"

#include <stdlib.h>
#include <sys/mman.h>

struct lte_ring {
    lte_link link;
    const lte_stages *stages;
    int n_distinct;
    uint64_t n_out;   /* outputs; a multiple of n_distinct */
    size_t h_size;    /* elements of a slot's planes of H */
    size_t y_size;    /* elements of a slot's planes of y */
    size_t bits_size; /* bytes of a slot's output */
    lte_cf32 *h;      /* [n_distinct][n_rx][n_tx][n_sc] */
    lte_cf32 *y;      /* [n_distinct][n_rx][7][n_sc] */
    uint8_t *bits;    /* [n_out][7][row bytes] */
};

void lte_ring_free(lte_ring *ring)
{
    if (!ring)
        return;
    free(ring->h);
    free(ring->y);
    free(ring->bits);
    free(ring);
}

/*
 * Memory of n planes' elements, on large pages where the system gives them: a slot reads dozens of
 * planes at once, each on pages of its own.
 */
static lte_cf32 *planes_alloc(size_t n)
{
    const size_t page = (size_t)2 << 20;
    const size_t size = (n * sizeof(lte_cf32) + page - 1) / page * page;
    lte_cf32 *planes = aligned_alloc(page, size);
    if (planes)
        (void)madvise(planes, size, MADV_HUGEPAGE); /* a wish: refused, it costs only time */
    return planes;
}

/* One plane out of element e of n_elements of a batch. */
static void plane_of(const lte_link *link, const float *batch, int n_elements, int e,
                     lte_cf32 *plane)
{
    for (int sc = 0; sc < link->n_sc; sc++) {
        const float *element =
            &batch[((ptrdiff_t)(sc / LTE_LANES) * n_elements + e) * 2 * LTE_LANES];
        plane[sc].re = element[sc % LTE_LANES];
        plane[sc].im = element[LTE_LANES + sc % LTE_LANES];
    }
}

typedef struct {
    float *h, *y;
    uint32_t *label;
} batches;

static bool batches_init(const lte_link *link, batches *b)
{
    const size_t lanes = (size_t)link->n_groups * LTE_LANES;
    const size_t n_rx = (size_t)link->n_rx, n_tx = (size_t)link->n_tx;
    b->h = malloc(lanes * n_rx * n_tx * 2 * sizeof(float));
    b->y = malloc(lanes * n_rx * LTE_SLOT_SYMBOLS * 2 * sizeof(float));
    b->label = malloc(lanes * n_tx * LTE_SLOT_SYMBOLS * sizeof(uint32_t));
    return b->h && b->y && b->label;
}

static void batches_fini(batches *b)
{
    free(b->h);
    free(b->y);
    free(b->label);
}

static void make_slot(lte_ring *ring, lte_noise noise, int slot, batches *b)
{
    const lte_link *link = &ring->link;
    const int n_h = link->n_rx * link->n_tx, n_y = LTE_SLOT_SYMBOLS * link->n_rx;
    lte_power power = {0, 0};
    lte_cf32 *h = &ring->h[(size_t)slot * ring->h_size], *y = &ring->y[(size_t)slot * ring->y_size];
    ring->stages->source(link, (uint64_t)slot, 0, link->n_groups, b->label);
    ring->stages->channel(link, (uint64_t)slot, 0, link->n_groups, b->h);
    ring->stages->receive(link, (uint64_t)slot, noise, 0, link->n_groups, b->h, b->label, b->y,
                          &power);
    for (int e = 0; e < n_h; e++)
        plane_of(link, b->h, n_h, e, &h[(size_t)e * (size_t)link->n_sc]);
    for (int rx = 0; rx < link->n_rx; rx++) {
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            plane_of(link, b->y, n_y, symbol * link->n_rx + rx,
                     &y[((size_t)rx * LTE_SLOT_SYMBOLS + (size_t)symbol) * (size_t)link->n_sc]);
    }
}

lte_status lte_ring_create(const lte_link *link, lte_noise noise, int n_distinct, lte_ring **ring)
{
    *ring = NULL;
    lte_ring *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the slots of the deadline run");
    const size_t n_rx = (size_t)link->n_rx, n_sc = (size_t)link->n_sc;
    made->link = *link;
    made->stages = lte_stages_best();
    made->n_distinct = n_distinct;
    made->h_size = n_rx * (size_t)link->n_tx * n_sc;
    made->y_size = n_rx * LTE_SLOT_SYMBOLS * n_sc;
    made->bits_size = LTE_SLOT_SYMBOLS * lte_packed_row(link);
    made->h = planes_alloc((size_t)n_distinct * made->h_size);
    made->y = planes_alloc((size_t)n_distinct * made->y_size);
    lte_status status = LTE_OK;
    if (!made->h || !made->y)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for deadline.distinct=%d slots", n_distinct);
    else
        status = lte_ring_reserve(made, 1);
    if (status) {
        lte_ring_free(made);
        return status;
    }
    bool enough = true;
#pragma omp parallel
    {
        batches b;
        const bool mine = batches_init(link, &b);
#pragma omp critical
        enough = enough && mine;
#pragma omp barrier
        if (enough) {
#pragma omp for schedule(dynamic)
            for (int slot = 0; slot < n_distinct; slot++)
                make_slot(made, noise, slot, &b);
        }
        batches_fini(&b);
    }
    if (!enough) {
        lte_ring_free(made);
        return LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
    }
    *ring = made;
    return LTE_OK;
}

lte_status lte_ring_reserve(lte_ring *ring, int n_carriers)
{
    const uint64_t distinct = (uint64_t)ring->n_distinct;
    const uint64_t n_out = ((uint64_t)n_carriers + distinct - 1) / distinct * distinct;
    if (n_out <= ring->n_out)
        return LTE_OK;
    uint8_t *bits = calloc(n_out, ring->bits_size);
    if (!bits)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the outputs of %d carriers", n_carriers);
    free(ring->bits);
    ring->bits = bits;
    ring->n_out = n_out;
    return LTE_OK;
}

lte_slot_io lte_ring_slot(const lte_ring *ring, uint64_t i)
{
    const size_t distinct = i % (uint64_t)ring->n_distinct;
    lte_slot_io io;
    io.h = &ring->h[distinct * ring->h_size];
    io.y = &ring->y[distinct * ring->y_size];
    io.bits = &ring->bits[i % ring->n_out * ring->bits_size];
    return io;
}

lte_status lte_ring_errors(const lte_ring *ring, uint64_t i, uint64_t *errors)
{
    const lte_link *link = &ring->link;
    const uint8_t *decided = lte_ring_slot(ring, i).bits;
    lte_status status = LTE_OK;
    batches b;
    uint8_t *sent = calloc(1, ring->bits_size);
    *errors = 0;
    if (!batches_init(link, &b) || !sent) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory to count the errors of a slot");
        goto cleanup;
    }
    ring->stages->source(link, i % (uint64_t)ring->n_distinct, 0, link->n_groups, b.label);
    ring->stages->pack(link, 0, link->n_groups, b.label, sent);
    for (size_t k = 0; k < ring->bits_size; k++)
        *errors += (uint64_t)__builtin_popcount(sent[k] ^ decided[k]);
cleanup:
    batches_fini(&b);
    free(sent);
    return status;
}

void lte_ring_channel(const lte_ring *ring, int distinct, float *h)
{
    ring->stages->channel(&ring->link, (uint64_t)distinct, 0, ring->link.n_groups, h);
}
