/*
 * Transposition on the device against the plain loops, bit for bit. Skipped (exit 77) without a
 * device. With LTE_TEST_SMALL set the largest matrices are left out.
 */

#include "kernels/backends/backend.h"
#include "kernels/base/cuda_status.h"
#include "kernels/link/layouts.h"
#include "kernels/methods/transpose/transpose_cuda.h"
#include "phy/base/philox.h"
#include "tests/lib/batch.h"
#include "tests/lib/device.h"

enum { N_VERSIONS = 2, POISON = 0xa5 };

static void fill(uint8_t *bytes, size_t n)
{
    const lte_philox_key key = lte_philox_key_of(20260);
    for (size_t i = 0; i < n; i += sizeof(lte_words)) {
        const lte_words w = lte_philox(&key, i, 0);
        memcpy(&bytes[i], w.v, n - i < sizeof w.v ? n - i : sizeof w.v);
    }
}

/* Both versions; a and x begin so many elements behind a boundary of 16 bytes. */
static void check_shape(int element_size, int n_batches, int n_rows, int n_columns, int a_offset,
                        int x_offset)
{
    const size_t size = (size_t)element_size;
    const size_t all = (size_t)n_batches * (size_t)n_rows * (size_t)n_columns * size;
    const size_t before = (size_t)x_offset * size, room = before + all + size;
    const size_t a_before = (size_t)a_offset * size;
    uint8_t *a = poisoned(a_before + all, 0), *x = poisoned(room, 0), *expected;
    fill(a, a_before + all);
    expected = poisoned(room, POISON);
    assert_int_equal(
        lte_transpose(element_size, n_batches, n_rows, n_columns, a + a_before, expected + before),
        LTE_OK);
    for (int version = 1; version <= N_VERSIONS; version++) {
        memset(x, POISON, room);
        uint8_t *d_a = on_device(a, a_before + all), *d_x = on_device(x, room);
        assert_int_equal(lte_transpose_cuda(version, element_size, n_batches, n_rows, n_columns,
                                            d_a + a_before, d_x + before, NULL),
                         LTE_OK);
        to_host(x, d_x, room);
        ok(cudaFree(d_a));
        assert_memory_equal(expected, x, room); /* and nothing outside */
    }
    free(a);
    free(x);
    free(expected);
}

static void every_version_equals_the_cpu(void **state)
{
    (void)state;
    static const int shapes[][2] = {{1, 1},    {1, 1003},  {1003, 1},  {16, 16},
                                    {17, 33},  {64, 128},  {1003, 75}, {100, 75},
                                    {75, 100}, {300, 212}, {8, 8400}};
    for (int size = 4; size <= 16; size *= 2) {
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            const int n_rows = shapes[s][0], n_columns = shapes[s][1];
            check_shape(size, 1, n_rows, n_columns, 0, 0);
            check_shape(size, 3, n_rows, n_columns, 0, 0);
            check_shape(size, 1, n_rows, n_columns, 1, 0);
            check_shape(size, 1, n_rows, n_columns, 0, 1);
        }
        check_shape(size, 1003, 4, 8, 0, 0);
    }
}

static void large_matrices_equal_those_of_the_cpu(void **state)
{
    (void)state;
    if (small())
        skip();
    for (int size = 4; size <= 16; size *= 2)
        check_shape(size, 1, 4096, 4096, 0, 0);
    check_shape(4, 1, 3000001, 5, 0, 0); /* more tiles in a column than a grid has rows */
    check_shape(8, 1, 2, 5000001, 0, 0);
    check_shape(4, 300001, 3, 2, 0, 0);
}

static void arguments_are_refused_as_by_the_cpu(void **state)
{
    (void)state;
    float *d = on_device((float[64]){0}, 64 * sizeof *d);
    assert_int_equal(lte_transpose_cuda(0, 4, 1, 2, 2, d, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_transpose_cuda(N_VERSIONS + 1, 4, 1, 2, 2, d, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_transpose_cuda(2, 5, 1, 2, 2, d, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_transpose_cuda(2, 4, 1, 0, 2, d, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_transpose_cuda(2, 4, 1, 2, 2, d, d, NULL), LTE_EINVAL);
    assert_int_equal(lte_transpose_cuda(2, 8, 1, 2, 2, d + 1, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_transpose_cuda(1, 4, 1 << 30, 17, 1, d, (char *)d + (1ll << 40), NULL),
                     LTE_EINVAL); /* more tiles than a grid has blocks */
    ok(cudaFree(d));
}

/* Slots of planes to units, and back, in one launch each: what lies between rows, and its ends. */
static void slots_in_units_equal_those_of_the_cpu(void **state)
{
    (void)state;
    static const int shapes[][4] = {
        {1200, 64, 4, 1}, {1200, 16, 16, 7}, {75, 33, 3, 7}, {300, 2, 2, 7}, {1, 32, 16, 1}};
    enum { SLOTS = 3 };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        lte_link link = link_of(shapes[s][0], shapes[s][1], shapes[s][2], 2, LTE_CHANNEL_eva,
                                LTE_N_INVERTERS - 1);
        link.channel.n_h = link.receiver.n_csi = shapes[s][3];
        const lte_layout_id pairs[][2] = {{LTE_PLANES_CSI, LTE_UNITS_CSI},
                                          {LTE_UNITS_CSI, LTE_PLANES_CSI},
                                          {LTE_PLANES_Y, LTE_UNITS_Y},
                                          {LTE_UNITS_Y, LTE_MATRICES_Y}};
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
            const lte_layout_id from = pairs[p][0], to = pairs[p][1];
            const size_t size = lte_layout_bytes(&link, from), all = SLOTS * size;
            uint8_t *x = poisoned(all, 0), *y = poisoned(all, 0), *z = poisoned(all, POISON);
            fill(x, all);
            for (size_t i = 0; i < SLOTS; i++)
                assert_int_equal(lte_layout_copy(&link, from, x + i * size, to, y + i * size),
                                 LTE_OK);
            uint8_t *d_x = on_device(x, all), *d_z = on_device(z, all);
            assert_int_equal(lte_layout_copy_cuda(&link, SLOTS, from, d_x, to, d_z, NULL), LTE_OK);
            to_host(z, d_z, all);
            assert_memory_equal(y, z, all);
            ok(cudaFree(d_x));
            free(x);
            free(y);
            free(z);
        }
    }
}

static void check_corner_turn(int n_sc, int n_rx, int n_tx, int n_h)
{
    lte_link link = link_of(n_sc, n_rx, n_tx, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    if (n_h > 1)
        assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
    assert_int_equal(link.channel.n_h, n_h);
    const size_t plane = (size_t)n_sc * sizeof(lte_cf32);
    const size_t h_size = (size_t)(n_rx * n_tx * n_h) * plane;
    const size_t y_size = (size_t)(n_rx * LTE_SLOT_SYMBOLS) * plane;
    lte_cf32 *h_planes = poisoned(h_size, 0), *y_planes = poisoned(y_size, 0);
    lte_cf32 *h = poisoned(h_size, 0), *y = poisoned(y_size, 0);
    lte_cf32 *host_h = poisoned(h_size, POISON), *host_y = poisoned(y_size, POISON);
    fill((uint8_t *)h_planes, h_size);
    fill((uint8_t *)y_planes, y_size);
    lte_cf32 *d_h_planes = on_device(h_planes, h_size), *d_h = on_device(host_h, h_size);
    lte_cf32 *d_y_planes = on_device(y_planes, y_size), *d_y = on_device(host_y, y_size);
    assert_int_equal(lte_layout_copy(&link, LTE_PLANES_CSI, h_planes, LTE_MATRICES_CSI, h), LTE_OK);
    assert_int_equal(lte_layout_copy(&link, LTE_PLANES_Y, y_planes, LTE_MATRICES_Y, y), LTE_OK);
    assert_int_equal(
        lte_layout_copy_cuda(&link, 1, LTE_PLANES_CSI, d_h_planes, LTE_MATRICES_CSI, d_h, NULL),
        LTE_OK);
    assert_int_equal(
        lte_layout_copy_cuda(&link, 1, LTE_PLANES_Y, d_y_planes, LTE_MATRICES_Y, d_y, NULL),
        LTE_OK);
    to_host(host_h, d_h, h_size);
    to_host(host_y, d_y, y_size);
    assert_memory_equal(h, host_h, h_size);
    assert_memory_equal(y, host_y, y_size);
    ok(cudaFree(d_h_planes));
    ok(cudaFree(d_y_planes));
    free(h_planes);
    free(y_planes);
    free(h);
    free(y);
    free(host_h);
    free(host_y);
}

static void corner_turn_equals_that_of_the_cpu(void **state)
{
    (void)state;
    for (int n_h = 1; n_h <= LTE_SLOT_SYMBOLS; n_h += LTE_SLOT_SYMBOLS - 1) {
        check_corner_turn(75, 3, 2, n_h);
        check_corner_turn(1200, 4, 4, n_h);
        check_corner_turn(1003, 16, 8, n_h);
        check_corner_turn(72, 1, 1, n_h);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda_transpose, every_version_equals_the_cpu),
        LTE_CASE(cuda_transpose, large_matrices_equal_those_of_the_cpu),
        LTE_CASE(cuda_transpose, arguments_are_refused_as_by_the_cpu),
        LTE_CASE(cuda_transpose, slots_in_units_equal_those_of_the_cpu),
        LTE_CASE(cuda_transpose, corner_turn_equals_that_of_the_cpu),
    };
    return LTE_RUN_GPU_CASES("cuda_transpose", cases);
}
