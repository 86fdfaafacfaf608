/*
 * The list of the versions of batched inversion on the device, and the choice among them.
 *
 * Orders 1 to 8: on one H200, time over that of a copy for 1e6 matrices of order 2, 4, 8, and
 * microseconds for 1200 of order 4, 8 in a graph:
 *
 *   version          who holds what                              1e6: 2    4    8  1200: 4     8
 *   gauss-jordan 1   as published:    block (N, K), matrices       3.6  7.1 16.0     6.7  15.4
 *                    and swaps in shared memory
 *   gauss-jordan 2   its first counter-example: a thread per      1.4  4.2  4.9     4.9  22.2
 *                    matrix, straight from memory
 *   gauss-jordan 3   its second: a block per matrix                  52   27   22     6.2  12.7
 *   gauss-jordan 4   a thread per matrix in registers, swaps by   1.06 1.09 2.09     2.8  14.0
 *                    selection and undone by address, a warp's
 *                    matrices staged through shared memory (order
 *                    2: through the neighbour lane) so that
 *                    neighbours meet neighbouring addresses
 *   gauss-jordan 5   a row per lane, pivots and rows by shuffles   1.4  1.6  2.2     1.9   3.3
 *   ldl 1            as gauss-jordan 4                            1.04 1.04 1.08     2.1   6.9
 *   ldl 2            a row per lane, stored as columns, no branch  1.2  1.1  1.4     1.5   2.2
 *
 * Orders 9 to 256: ms on one H200, complex floats, batches of 1e6, 1e5, 1e5, 2e4 and 2000:
 *
 *   version                  order: 16     32     64    128   256
 *   lu 1, delayed                 16.8    5.1   26.6   39.8  35.5   as published, on demand
 *   lu 1, immediate               24.4    7.3   37.4   50.9  42.4
 *   lu 2, delayed                 16.8    5.1   27.0   40.3  35.9   the same, static
 *   lu 2, immediate               24.4    7.3   42.2   59.1  54.6
 *   lu 3                             -    1.8   14.1   22.1     -   matrix in registers
 *   lu 4                           2.0      -      -      -     -   row per lane
 *   cholesky 1                     6.2    2.4   13.7   22.2  20.7   blocks of columns, then of rows
 *   cholesky 2                     1.4    0.8    5.1    7.4     -   triangle in registers
 *   copy of the same bytes         1.0    0.4    1.5    1.2   0.5
 *
 * Delayed updates write a block of columns once, and resources on demand spare the immediate ones
 * the threads that have no row left. In registers a matrix is read and written once. lu 3 looks for
 * the pivots of the next block while this one corrects the rest: orders 64 and 128 took 15.2 and
 * 30.0 ms when everyone waited for them, and 16.1 and 22.3 with threads of their own for it, which
 * left room for fewer blocks. Its tiles are 4 x 8: 8 x 4, 16 x 2, 4 x 4 and 8 x 8 and columns in
 * blocks of 4 or 16 took up to 45 % longer. lu 4 has nobody to wait for: tiles took 3.8 ms at order
 * 16. cholesky 2 has two barriers a block since the thread that has the diagonal's tile factors it;
 * with a warp for that, and rows of the panel in one bank, it took 2.5, 1.0, 6.4 and 8.3 ms.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/cuda/inversion/inversion_lanes.cuh"
#include "kernels/cuda/inversion/inversion_published.cuh"
#include "kernels/cuda/inversion/inversion_threads.cuh"
#include "kernels/cuda/inversion/inversion_versions.h"
#include "kernels/methods/inverse/inverse_cuda.h"

namespace
{

/* A version of small matrices, complex floats, as lte_inversion_version.run. */
typedef lte_status small_version(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                                 uint8_t *d_flag, cudaStream_t stream);

template <small_version RUN>
lte_status small(int, int n, int n_matrices, const void *d_a, void *d_x, uint8_t *d_flag, void *,
                 cudaStream_t stream)
{
    return RUN(n, n_matrices, (const lte_cf32 *)d_a, (lte_cf32 *)d_x, d_flag, stream);
}

/* The published mapping works in the matrices again, and in their orders of rows. */
size_t blocks_work(int element, int n, int n_matrices)
{
    return (size_t)n_matrices * (size_t)n *
           ((size_t)n * (size_t)lte_element_size((lte_element)element) + 1);
}

template <bool DELAYED, bool ON_DEMAND>
lte_status lu_blocks(int element, int n, int n_matrices, const void *d_a, void *d_x,
                     uint8_t *d_flag, void *d_work, cudaStream_t stream)
{
    const lte_inverse_blocks how = {DELAYED, ON_DEMAND};
    const bool single = element == LTE_FLOAT || element == LTE_CFLOAT;
    const lte_inverse_batch batch = {element, n, n_matrices, d_a, d_x, d_flag, d_work};
    return (single ? lte_inverse_lu_blocks_single : lte_inverse_lu_blocks_double)(&how, &batch,
                                                                                  stream);
}

enum {
    ALL = (1 << LTE_N_NUMBERS) - 1,
    COMPLEX = 1 << LTE_CFLOAT,
    /*
     * Lanes share a matrix while there are fewer than 256 matrices for each multiprocessor, eight
     * warps of one thread each: then the time is that of one matrix's chain of operations. Above, a
     * thread for each matrix does the same with fewer instructions.
     */
    FEW = 256
};

} // namespace

/* What rows of kernels/link/inversion_rows.h say of a version, [id]. */
namespace rows
{
#define ROW(id, name, mapping, inverter, low, high, published)                                     \
    constexpr lte_inversion_row id = {name, mapping, LTE_INVERTER_##inverter, low, high, published};
LTE_INVERSIONS(ROW)
#undef ROW
} // namespace rows

#define VERSION(id, elements, most_each, work, run)                                                \
    {                                                                                              \
        rows::id.name, rows::id.mapping, LTE_INVERSION_##id, rows::id.inverter, elements,          \
            rows::id.min_order, rows::id.max_order, most_each, work, run                           \
    }
#define SMALL_VERSION(id, most_each, run) VERSION(id, COMPLEX, most_each, NULL, small<run>)

const lte_inversion_version lte_inversion_versions[] = {
    SMALL_VERSION(gauss_jordan_5, FEW, lanes_any_order<LTE_INVERTER_gauss_jordan>),
    SMALL_VERSION(gauss_jordan_4, 0, staged_any<LTE_INVERTER_gauss_jordan>),
    SMALL_VERSION(gauss_jordan_1, 0, gauss_jordan_1),
    SMALL_VERSION(gauss_jordan_2, 0, gauss_jordan_2),
    SMALL_VERSION(gauss_jordan_3, 0, gauss_jordan_3),
    SMALL_VERSION(ldl_2, FEW, lanes_any_order<LTE_INVERTER_ldl>),
    SMALL_VERSION(ldl_1, 0, staged_any<LTE_INVERTER_ldl>),
    VERSION(lu_4, COMPLEX, 0, NULL, lte_inverse_lu_rows),
    VERSION(lu_3, COMPLEX, 0, NULL, lte_inverse_lu_registers),
    VERSION(lu_1_delayed, ALL, 0, blocks_work, (lu_blocks<true, true>)),
    VERSION(lu_2_delayed, ALL, 0, blocks_work, (lu_blocks<true, false>)),
    VERSION(lu_1_immediate, ALL, 0, blocks_work, (lu_blocks<false, true>)),
    VERSION(lu_2_immediate, ALL, 0, blocks_work, (lu_blocks<false, false>)),
    VERSION(cholesky_2, COMPLEX, 0, NULL, lte_inverse_cholesky_registers),
    VERSION(cholesky_1, ALL, 0, blocks_work, lte_inverse_cholesky_blocks),
    {NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL},
};
static_assert(sizeof lte_inversion_versions / sizeof *lte_inversion_versions == LTE_N_INVERSIONS,
              "every row of kernels/link/inversion_rows.h has one version");
#undef SMALL_VERSION
#undef VERSION

/* Every small inverter as it is without a version of its own. */
#define BY_FORMULA(id)                                                                             \
    {#id,                                                                                          \
     "thread per matrix",                                                                          \
     LTE_INVERSION_FAST,                                                                           \
     LTE_INVERTER_##id,                                                                            \
     COMPLEX,                                                                                      \
     1,                                                                                            \
     LTE_MAX_ORDER,                                                                                \
     0,                                                                                            \
     NULL,                                                                                         \
     small<staged_any<LTE_INVERTER_##id>>},
static const lte_inversion_version by_formula[] = {LTE_SMALL_INVERTERS(BY_FORMULA)};
#undef BY_FORMULA

int lte_inversion_method(const lte_inversion_version *version)
{
    return lte_inverse_method(lte_inverter_rows[version->inverter].name);
}

bool lte_inversion_takes(const lte_inversion_version *version, int element, int n)
{
    return (version->elements >> element & 1u) != 0 && n >= version->min_order &&
           n <= version->max_order;
}

static int multiprocessors(void)
{
    enum { COMMON = 108 /* if the device does not tell */ };
    int device = 0, n = COMMON;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        (void)cudaGetLastError();
    return n;
}

const lte_inversion_version *lte_inversion_choose(int inverter, int element, int n, int n_matrices)
{
    const int each = n_matrices / multiprocessors();
    for (const lte_inversion_version *v = lte_inversion_versions; v->name; v++) {
        if (v->inverter == inverter && lte_inversion_takes(v, element, n) &&
            (v->most_each == 0 || each < v->most_each))
            return v;
    }
    for (const lte_inversion_version &v : by_formula) {
        if (v.inverter == inverter && lte_inversion_takes(&v, element, n))
            return &v;
    }
    return NULL;
}

const lte_inversion_version *lte_inversion_of(const lte_link *link, int n_matrices)
{
    if (link->receiver.inversion == LTE_INVERSION_FAST)
        return lte_inversion_choose(link->receiver.inverter, LTE_CFLOAT, link->n_tx, n_matrices);
    const lte_inversion_version *v = lte_inversion_versions;
    while (v->id != link->receiver.inversion)
        v++;
    return v;
}

size_t lte_inversion_work(const lte_inversion_version *version, int element, int n, int n_matrices)
{
    return version->work ? version->work(element, n, n_matrices) : 0;
}

lte_status lte_inversion_cuda(const lte_inversion_version *version, const lte_inverse_batch *batch,
                              cudaStream_t stream)
{
    const int element = batch->element, n = batch->n, n_matrices = batch->n_matrices;
    lte_status status = lte_inverse_check(element, n, n_matrices, batch->a, batch->x);
    if (status)
        return status;
    if (!lte_inversion_takes(version, element, n))
        return LTE_FAIL(LTE_EINVAL, "%s takes orders %d to %d of some types, not order %d of %d",
                        version->name, version->min_order, version->max_order, n, element);
    if (!on_16_bytes(batch->a) || !on_16_bytes(batch->x) || !on_16_bytes(batch->work))
        return LTE_FAIL(LTE_EINVAL, "the device memory is not aligned to 16 bytes");
    const size_t size = batch->work ? 0 : lte_inversion_work(version, element, n, n_matrices);
    void *work = NULL;
    if (size > 0)
        status = LTE_CUDA(cudaMallocAsync(&work, size, stream));
    if (status)
        return status;
    status = version->run(element, n, n_matrices, batch->a, batch->x, batch->flag,
                          work ? work : batch->work, stream);
    const lte_status freed = work ? LTE_CUDA(cudaFreeAsync(work, stream)) : LTE_OK;
    return status ? status : freed;
}

lte_status lte_invert_cuda(const lte_link *link, float *d_a, uint8_t *d_flag, cudaStream_t stream)
{
#define STAGE(id)                                                                                  \
    if (link->receiver.inverter == LTE_INVERTER_##id)                                              \
        return stage_any<LTE_INVERTER_##id>(link, d_a, d_flag, stream);
    LTE_SMALL_INVERTERS(STAGE)
#undef STAGE
    return LTE_FAIL(LTE_EINVAL, "inverter=%d (0 to %d)", link->receiver.inverter,
                    LTE_N_INVERTERS - 1);
}
