#ifndef LTE_KERNELS_METHODS_INVERSE_BLOCKS_CUH
#define LTE_KERNELS_METHODS_INVERSE_BLOCKS_CUH
/*
 * LU and inverse as published (kernels/methods/inverse/inverse.h, Source): one block a matrix, one
 * thread a row, the NB columns in work in the thread's registers, what is needed of U or L in
 * shared memory, the matrix by columns in global memory, one launch a step. Versions:
 *
 *   lu 1 (delayed and immediate)   threads and shared memory on demand: those of the rows that a
 *                                  step works on
 *   lu 2 (both)                    the most that any step needs, for all steps
 *
 * lte_inverse_traffic counts what these kernels read and write. Rows of L that pivots exchange move
 * once a block of columns, columns of the inverse once at the end.
 */
#include "kernels/methods/inverse/published/inverse_blocks_factor.cuh"
#include "kernels/methods/inverse/published/inverse_blocks_solve.cuh"

namespace
{

template <class T>
lte_status lu_blocks(const lte_inverse_blocks *how, const lte_inverse_batch *matrices,
                     cudaStream_t stream)
{
    const int n = matrices->n, n_matrices = matrices->n_matrices;
    const size_t n2 = (size_t)n * (size_t)n;
    const batch<T> b = {n,
                        (const T *)matrices->a,
                        (T *)matrices->x,
                        (T *)matrices->work,
                        (uint8_t *)matrices->work + n_matrices * n2 * sizeof(T),
                        matrices->flag};
    const int last = (n - 1) / NB * NB, all = threads_of(n);
    const dim3 tile(WARP, 8);
    const size_t square = 2 * NB * NB * sizeof(T);
    const size_t most = (size_t)(last + NB) * NB * sizeof(T);
    const auto threads = [&](int rows) { return how->on_demand ? threads_of(rows) : all; };
    const auto bytes = [&](int rows) {
        return how->on_demand ? (size_t)rows * NB * sizeof(T) : most;
    };
    lte_status status = LTE_CUDA(cudaMemsetAsync(matrices->flag, 0, (size_t)n_matrices, stream));
    if (status)
        return status;
    if (!how->delayed)
        lay_out_kernel<<<n_matrices, tile, 0, stream>>>(b);
    for (int k = 0; k < n; k += NB) {
        if (how->delayed)
            lu_delayed_kernel<<<n_matrices, all, 0, stream>>>(b, k);
        else
            lu_immediate_kernel<<<n_matrices, threads(n - k), 0, stream>>>(b, k);
    }
    for (int k = 0; k < n; k += NB) {
        const int rows = k + NB < n ? k + NB : n;
        if (how->delayed)
            upper_delayed_kernel<<<n_matrices, threads(rows), bytes(rows), stream>>>(b, k);
        else
            upper_immediate_kernel<<<n_matrices, threads(rows), square, stream>>>(b, k);
    }
    if (!how->delayed)
        lower_kernel<<<n_matrices, all, 0, stream>>>(b);
    for (int k = last; k >= 0; k -= NB) {
        if (how->delayed)
            columns_delayed_kernel<<<n_matrices, all, bytes(n - k), stream>>>(b, k);
        else
            columns_immediate_kernel<<<n_matrices, all, square, stream>>>(b, k);
    }
    exchange_kernel<<<n_matrices, tile, 0, stream>>>(b);
    return LTE_LAUNCHED(exchange_kernel);
}

} // namespace

#endif
