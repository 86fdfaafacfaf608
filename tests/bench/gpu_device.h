#ifndef LTE_TESTS_BENCH_GPU_DEVICE_H
#define LTE_TESTS_BENCH_GPU_DEVICE_H
/*
 * The GPU that the topics measure: a stream, its clock, and the libraries found on the machine.
 *
 *     bench_device device;
 *     lte_status status = bench_device_open(&device);
 *     status = bench_device_start(&device, 20 * n_calls);
 *     ...                                                 // n_calls calls on device.stream
 *     status = bench_device_stop(&device, &us);
 *     bench_device_close(&device);
 */

#include <stddef.h>

#include "kernels/cuda/launchers.h"
#include "tests/bench/bench.h"

/* cuBLAS and cuSOLVER, opened at run time; gpu_libraries.h has what is inside. */
typedef struct bench_libraries bench_libraries;

typedef struct {
    cudaStream_t stream;
    cudaEvent_t start, stop;
    size_t l2_bytes;
    bench_libraries *libraries; /* NULL: not built */
} bench_device;

/* In every case device is for bench_device_close. */
lte_status bench_device_open(bench_device *device);
void bench_device_close(bench_device *device);

/*
 * Time on the stream from start to stop. Between the two the caller queues what is timed, within
 * queue_us microseconds: so long the stream is kept busy, so that what is queued runs gapless.
 */
lte_status bench_device_start(bench_device *device, int queue_us);
lte_status bench_device_stop(bench_device *device, double *us);

/* Calls of call_bytes each that together exceed three times the L2, at least eight. */
size_t bench_device_calls(const bench_device *device, size_t call_bytes);

/* Opens what this machine has, for work on the stream. Returns LTE_ENOMEM. */
lte_status bench_libraries_open(cudaStream_t stream, bench_libraries **libraries);
void bench_libraries_close(bench_libraries *libraries);

/* Names and versions, as "cuBLAS 13.0.2, cuSOLVER 12.0.4". */
void bench_libraries_text(const bench_libraries *libraries, char *text, size_t size);

#endif
