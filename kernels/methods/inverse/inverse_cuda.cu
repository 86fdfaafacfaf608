/*
 * The list of the versions on the device, and the choice among them. Milliseconds on one H200,
 * complex floats, batches of 1e6, 1e5, 1e5, 2e4 and 2000:
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
 * left room for fewer blocks. lu 4 has nobody to wait for: tiles took 3.8 ms at order 16. cholesky
 * 2 has two barriers a block since the thread that has the diagonal's tile factors it; with a warp
 * for that, and rows of the panel in one bank, it took 2.5, 1.0, 6.4 and 8.3 ms.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/methods/inverse/inverse_cuda.h"

#include <limits.h>

namespace
{

size_t no_work(int, int, int)
{
    return 0;
}

/* The matrices again, and their orders of rows. */
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
    return (single ? lte_inverse_lu_blocks_single : lte_inverse_lu_blocks_double)(
        &how, element, n, n_matrices, d_a, d_x, d_flag, d_work, stream);
}

enum { ALL = (1 << LTE_N_NUMBERS) - 1, COMPLEX = 1 << LTE_CFLOAT, MOST = LTE_INVERSE_MAX_ORDER };

} // namespace

const lte_inverse_version lte_inverse_versions[] = {
    {"lu 4", "row per lane", LTE_INVERSE_LU_DELAYED, COMPLEX, 1, 16, no_work, lte_inverse_lu_rows},
    {"lu 3", "matrix in registers", LTE_INVERSE_LU_DELAYED, COMPLEX, 17, 128, no_work,
     lte_inverse_lu_registers},
    {"lu 1", "thread per row, on demand", LTE_INVERSE_LU_DELAYED, ALL, 1, MOST, blocks_work,
     lu_blocks<true, true>},
    {"lu 2", "thread per row, static", LTE_INVERSE_LU_DELAYED, ALL, 1, MOST, blocks_work,
     lu_blocks<true, false>},
    {"lu 1", "thread per row, on demand", LTE_INVERSE_LU_IMMEDIATE, ALL, 1, MOST, blocks_work,
     lu_blocks<false, true>},
    {"lu 2", "thread per row, static", LTE_INVERSE_LU_IMMEDIATE, ALL, 1, MOST, blocks_work,
     lu_blocks<false, false>},
    {"cholesky 2", "triangle in registers", LTE_INVERSE_CHOLESKY_DELAYED, COMPLEX, 1, 128, no_work,
     lte_inverse_cholesky_registers},
    {"cholesky 1", "thread per row and column", LTE_INVERSE_CHOLESKY_DELAYED, ALL, 1, MOST,
     blocks_work, lte_inverse_cholesky_blocks},
    {NULL, NULL, 0, 0, 0, 0, NULL, NULL},
};

bool lte_inverse_takes(const lte_inverse_version *version, int element, int n)
{
    return (version->elements >> element & 1u) != 0 && n >= version->min_order &&
           n <= version->max_order;
}

const lte_inverse_version *lte_inverse_choose(int method, int element, int n)
{
    const lte_inverse_version *v = lte_inverse_versions;
    while (v->name && (v->method != method || !lte_inverse_takes(v, element, n)))
        v++;
    return v->name ? v : NULL;
}

lte_status lte_inverse_cuda(const lte_inverse_version *version, int element, int n, int n_matrices,
                            const void *d_a, void *d_x, uint8_t *d_flag, void *d_work,
                            cudaStream_t stream)
{
    lte_status status = lte_inverse_check(version->method, element, n, n_matrices, d_a, d_x);
    if (status)
        return status;
    if (!lte_inverse_takes(version, element, n))
        return LTE_FAIL(LTE_EINVAL, "%s takes orders %d to %d of some types, not order %d of %d",
                        version->name, version->min_order, version->max_order, n, element);
    if (!on_16_bytes(d_a) || !on_16_bytes(d_x) || !on_16_bytes(d_work))
        return LTE_FAIL(LTE_EINVAL, "device memory that does not begin on 16 bytes");
    return version->run(element, n, n_matrices, d_a, d_x, d_flag, d_work, stream);
}
