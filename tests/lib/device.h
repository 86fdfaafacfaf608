#ifndef LTE_TESTS_DEVICE_H
#define LTE_TESTS_DEVICE_H
/*
 * Arrays on the device, for gpu tests; what fails there fails the test.
 *
 *     float *d_x = on_device(x, size);
 *     assert_int_equal(lte_transpose_cuda(..., d_x, NULL), LTE_OK);
 *     to_host(x, d_x, size);
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime_api.h>

#include "kernels/backends/backend.h"
#include "tests/lib/unit.h"

enum { SKIPPED = 77 };

/* Fewer shapes, for tools that slow kernels down. */
static inline bool small(void)
{
    return getenv("LTE_TEST_SMALL") != NULL;
}

/*
 * Runs the cases of a gpu unit: those that match LTE_TEST_CASE, if it is set; SKIPPED without a
 * device.
 */
#define LTE_RUN_GPU_CASES(name, cases) run_gpu_cases(name, cases, sizeof(cases) / sizeof *(cases))
static inline int run_gpu_cases(const char *name, const struct CMUnitTest *cases, size_t n)
{
    if (lte_backend_cuda.n_devices() == 0) {
        (void)puts("no usable CUDA device: skipped");
        return SKIPPED;
    }
    if (getenv("LTE_TEST_CASE"))
        cmocka_set_test_filter(getenv("LTE_TEST_CASE"));
    return _cmocka_run_group_tests(name, cases, n, NULL, NULL);
}

static inline void ok(cudaError_t error)
{
    if (error != cudaSuccess)
        fail_msg("%s", cudaGetErrorString(error));
}

static inline void *on_device(const void *from, size_t size)
{
    void *d = NULL;
    ok(cudaMalloc(&d, size));
    ok(cudaMemcpy(d, from, size, cudaMemcpyHostToDevice));
    return d;
}

/* Fetches and frees. */
static inline void to_host(void *to, void *d, size_t size)
{
    ok(cudaDeviceSynchronize());
    ok(cudaMemcpy(to, d, size, cudaMemcpyDeviceToHost));
    ok(cudaFree(d));
}

#endif
