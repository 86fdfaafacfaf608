/* Copies between array types on a device (kernels/methods/array.h): a thread per element. */
#include "kernels/launch.cuh"
#include "kernels/methods/methods_cuda.h"

enum { BLOCK = 256 };

template <class WORD>
static __global__ void array_copy_kernel(const __grid_constant__ lte_array from, const WORD *x,
                                         const __grid_constant__ lte_array to, WORD *y)
{
    const int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < from.dim[0].size)
        y[lte_at(&to, i)] = x[lte_at(&from, i)];
}

template <class WORD>
static lte_status launch(const lte_array *from, const void *d_x, const lte_array *to, void *d_y,
                         cudaStream_t stream)
{
    const unsigned n_blocks = (unsigned)blocks_of(from->dim[0].size, BLOCK);
    array_copy_kernel<<<n_blocks, BLOCK, 0, stream>>>(*from, (const WORD *)d_x, *to, (WORD *)d_y);
    return LTE_LAUNCHED(array_copy_kernel);
}

static bool is_reachable(const lte_array *a)
{
    return a->memory == LTE_DEVICE || a->memory == LTE_PINNED;
}

lte_status lte_array_copy_cuda(const lte_array *from, const void *d_x, const lte_array *to,
                               void *d_y, cudaStream_t stream)
{
    lte_status status = lte_array_copy_check(from, to);
    if (status)
        return status;
    if (!is_reachable(from) || !is_reachable(to))
        return LTE_FAIL(LTE_EINVAL, "a device's copy between memory that it cannot reach");
    if (from->dim[0].size > (int64_t)INT32_MAX * BLOCK)
        return LTE_FAIL(LTE_EINVAL, "%lld elements are too many", (long long)from->dim[0].size);
    int64_t n_batches, n_rows, n_columns;
    const int size = lte_element_size(from->element);
    if (lte_dim_is_contiguous(from, 0) && lte_dim_is_contiguous(to, 0))
        return LTE_CUDA(cudaMemcpyAsync(d_y, d_x, (size_t)(from->dim[0].size * size),
                                        cudaMemcpyDefault, stream));
    if (size >= 4 && lte_array_copy_transposes(from, to, &n_batches, &n_rows, &n_columns))
        return lte_transpose_cuda(2, size, (int)n_batches, (int)n_rows, (int)n_columns, d_x, d_y,
                                  stream);
    if (size == 1)
        return launch<uint8_t>(from, d_x, to, d_y, stream);
    if (size == 4)
        return launch<uint32_t>(from, d_x, to, d_y, stream);
    if (size == 8)
        return launch<uint2>(from, d_x, to, d_y, stream);
    return launch<uint4>(from, d_x, to, d_y, stream);
}
