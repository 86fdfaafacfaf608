#ifndef LTE_TESTS_TIMED_SLOTS_H
#define LTE_TESTS_TIMED_SLOTS_H
/*
 * Slots of a deadline run for the tests of the CUDA backend, and what the CPU makes of them.
 *
 *     new_slots(engine, &link, n_distinct, n_out, &t);
 *     fill_slots(&link, detector, noise, SEED, &t);
 *     poison_bits(&t);
 *     // the device's turn: t.slots
 *     compare_bits(&t, 0, n_out);
 *     free_slots(engine, &t);
 */

#include <math.h>

#include "kernels/backends/backend.h"
#include "phy/detection/detection.h"
#include "tests/lib/batch.h"
#include "tests/lib/cuda_links.h"

/* Slots in pinned memory whose planes hold any numbers; what the CPU makes of them. */
typedef struct {
    lte_slot_memory slots;
    uint8_t *expected; /* [n_distinct][bits] */
    size_t bits_size, h_size, y_size;
    int unwritten; /* a symbol that has no LLRs; -1: none */
} slot_data;

/* What the receiver of slot i goes by: h and the noise; c [7] what that may refer to. */
static inline lte_noise know_slot(const lte_link *link, lte_noise noise, uint64_t i,
                                  const slot_data *t, void *work, lte_cf32 *h, lte_combination *c)
{
    const lte_stages *cpu = lte_stages_best();
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->carrier.n_sc;
    const size_t size = lte_planes_size(link, 1);
    const lte_cf32 *y = lte_slot_memory_pilots(link, &t->slots, i);
    int64_t residual;
    if (!lte_link_estimates(link))
        return noise;
    if (link->receiver.pilots == 1)
        return estimate_planes(link, cpu, noise, y, h, &residual);
    lte_cf32 *both = poisoned(2 * size * sizeof *both, 0x5a);
    lte_noise known = lte_stages_estimate_subframe(
        cpu, link, noise, y + (ptrdiff_t)LTE_PILOT_SYMBOL * link->carrier.n_sc, stride, both, work);
    lte_link_combine(link, i, &known, c);
    cpu->combine(link, c, 0, link->carrier.n_groups, both + i % 2 * size,
                 both + lte_other_slot(i) % 2 * size, h);
    free(both);
    return known;
}

/* Numbers for which some metrics overflow, or all do. */
static inline void put_extremes(lte_cf32 *y, size_t n)
{
    static const float numbers[] = {1e10f, 1e18f, 3e18f, 1e19f,    1.8e19f, 3e19f,
                                    1e20f, 1e25f, 3e38f, INFINITY, NAN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        y[17 * i % n].re = numbers[i];
        y[(29 * i + 5) % n].im = -numbers[i];
    }
}

static inline void fill_slots(const lte_link *link, lte_detector detector, lte_noise noise,
                              uint64_t seed, slot_data *t)
{
    const lte_stages *cpu = lte_stages_best();
    void *work = poisoned(lte_stage_work(link), 0x5a);
    for (uint64_t i = 0; i < t->slots.n_in; i++) {
        lte_cf32 *h = t->slots.h + i * t->h_size;
        lte_cf32 *y = t->slots.y + i * t->y_size;
        fill_planes(h, !lte_link_estimates(link) ? t->h_size : 0, seed + 2 * i);
        fill_planes(y, t->y_size, seed + 2 * i + 1);
        if (detector.id >= LTE_N_ESTIMATING_DETECTORS && !lte_link_estimates(link))
            put_extremes(y, t->y_size);
        for (size_t j = 0; j < t->y_size && lte_link_estimates(link); j++) {
            y[j].re *= 1.0f + 3.0f * (float)i; /* another level of noise in each slot */
            y[j].im *= 1.0f + 3.0f * (float)i;
        }
    }
    for (uint64_t i = 0; i < t->slots.n_in; i++) {
        lte_cf32 *h = t->slots.h + i * t->h_size;
        lte_cf32 *y = t->slots.y + i * t->y_size;
        lte_combination c[LTE_SLOT_SYMBOLS];
        const lte_noise known = know_slot(link, noise, i, t, work, h, c);
        cpu->slot(link, detector, known, lte_groups_of(0, link->carrier.n_groups, work), h, y,
                  t->expected + i * t->bits_size);
        memset(h, 0xa5,
               !lte_link_estimates(link) ? 0
                                         : t->h_size * sizeof *h); /* the device makes its own */
    }
    free(work);
}

static inline void new_slots(lte_engine *engine, const lte_link *link, int n_distinct, int n_out,
                             slot_data *t)
{
    void *h, *y, *bits;
    memset(t, 0, sizeof *t); /* nothing is scrambled */
    t->h_size = (size_t)link->n_rx * (size_t)link->n_tx * (size_t)link->receiver.n_csi *
                (size_t)link->carrier.n_sc;
    t->y_size = (size_t)link->n_rx * LTE_SLOT_SYMBOLS * (size_t)link->carrier.n_sc;
    t->bits_size = LTE_SLOT_SYMBOLS * lte_output_row(link);
    t->unwritten = link->output.counted == LTE_COUNTED_LLRS ? link->receiver.pilot : -1;
    const size_t n = (size_t)n_distinct;
    assert_int_equal(lte_backend_cuda.host_alloc(engine, n * t->h_size * sizeof(lte_cf32), &h),
                     LTE_OK);
    assert_int_equal(lte_backend_cuda.host_alloc(engine, n * t->y_size * sizeof(lte_cf32), &y),
                     LTE_OK);
    assert_int_equal(lte_backend_cuda.host_alloc(engine, (size_t)n_out * t->bits_size, &bits),
                     LTE_OK);
    t->slots.h = h;
    t->slots.y = y;
    t->slots.bits = bits;
    t->slots.n_in = t->slots.n_h_in = (uint64_t)n_distinct;
    t->slots.n_out = (uint64_t)n_out;
    t->slots.row_bytes = lte_output_row(link);
    t->slots.out_bytes = t->bits_size;
    t->slots.parts = 1;
    t->expected = malloc(n * t->bits_size);
    assert_non_null(t->expected);
}

/* What fill_slots makes of a seed, to be put there again: it takes longer than the periods do. */
typedef struct {
    lte_cf32 *h, *y;
    uint8_t *expected;
} kept_slots;

static inline void *copy_of(const void *from, size_t size)
{
    void *copy = malloc(size);
    assert_non_null(copy);
    return memcpy(copy, from, size);
}

static inline kept_slots keep_slots(const lte_link *link, lte_detector detector, lte_noise noise,
                                    uint64_t seed, slot_data *t)
{
    fill_slots(link, detector, noise, seed, t);
    return (kept_slots){copy_of(t->slots.h, t->slots.n_in * t->h_size * sizeof(lte_cf32)),
                        copy_of(t->slots.y, t->slots.n_in * t->y_size * sizeof(lte_cf32)),
                        copy_of(t->expected, t->slots.n_in * t->bits_size)};
}

static inline void put_slots(const kept_slots *kept, slot_data *t)
{
    memcpy(t->slots.h, kept->h, t->slots.n_in * t->h_size * sizeof(lte_cf32));
    memcpy(t->slots.y, kept->y, t->slots.n_in * t->y_size * sizeof(lte_cf32));
    memcpy(t->expected, kept->expected, t->slots.n_in * t->bits_size);
}

static inline void free_kept(const kept_slots *kept)
{
    free(kept->h);
    free(kept->y);
    free(kept->expected);
}

static inline void free_slots(lte_engine *engine, slot_data *t)
{
    lte_backend_cuda.host_free(engine, t->slots.h);
    lte_backend_cuda.host_free(engine, t->slots.y);
    lte_backend_cuda.host_free(engine, t->slots.bits);
    free(t->expected);
}

enum { UNTOUCHED = 0xa5 }; /* what outputs hold before */

/* The row of a reference symbol: zeros, or nothing has been written. */
static inline void check_unwritten(const uint8_t *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_true(row[i] == row[0] && (row[0] == 0 || row[0] == UNTOUCHED));
}

static inline void compare_bits(const slot_data *t, uint64_t first, int n)
{
    const size_t row = t->slots.row_bytes;
    for (uint64_t i = first; i < first + (uint64_t)n; i++) {
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const size_t at = (size_t)symbol * row;
            const uint8_t *const bits = t->slots.bits + i % t->slots.n_out * t->bits_size + at;
            if (symbol == t->unwritten)
                check_unwritten(bits, row);
            else
                assert_memory_equal(bits, t->expected + i % t->slots.n_in * t->bits_size + at, row);
        }
    }
}

static inline void poison_bits(const slot_data *t)
{
    memset(t->slots.bits, UNTOUCHED, t->slots.n_out * t->bits_size);
}

#endif
