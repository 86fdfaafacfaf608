/*
 * Device memory beneath the gpu unit tests (ld --wrap): all of it is filled, so that what is read
 * before it is written is not zero by chance. With LTE_TEST_SMALL it stays as it comes: compute-
 * sanitizer's initcheck sees such reads by itself.
 */
#include <cuda_runtime_api.h>
#include <stdlib.h>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of ld --wrap
cudaError_t __real_cudaMalloc(void **memory, size_t size);
cudaError_t __wrap_cudaMalloc(void **memory, size_t size);
cudaError_t __wrap_cudaMalloc(void **memory, size_t size)
{
    cudaError_t error = __real_cudaMalloc(memory, size);
    if (error != cudaSuccess || size == 0 || getenv("LTE_TEST_SMALL"))
        return error;
    error = cudaMemset(*memory, 0x5a, size);
    return error != cudaSuccess ? error : cudaStreamSynchronize(NULL);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
