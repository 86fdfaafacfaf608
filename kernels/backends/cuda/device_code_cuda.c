/* The device code that is compiled by a CUDA toolkit. */
#include "kernels/base/device_code.h"

#include "kernels/base/cuda_status.h"
#include "kernels/methods/product/product_cuda.h"
#include "kernels/methods/transpose/transpose_cuda.h"

static lte_status allocate(bool pinned, size_t size, void **x)
{
    return pinned ? LTE_CUDA(cudaMallocHost(x, size)) : LTE_CUDA(cudaMalloc(x, size));
}

static void release(bool pinned, void *x)
{
    if (pinned)
        (void)cudaFreeHost(x);
    else
        (void)cudaFree(x);
}

static lte_status product(const lte_threads *threads, const lte_product *p, const void *d_a,
                          const void *d_b, void *d_c)
{
    const lte_status status = lte_product_on_cuda(threads, p, d_a, d_b, d_c, NULL);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(NULL));
}

const lte_device_code lte_cuda_code = {.version = LTE_CUDA_VERSION,
                                       .allocate = allocate,
                                       .release = release,
                                       .permute = lte_permute_cuda,
                                       .product = product};
