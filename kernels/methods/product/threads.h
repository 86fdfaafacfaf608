#ifndef LTE_KERNELS_METHODS_THREADS_H
#define LTE_KERNELS_METHODS_THREADS_H
/*
 * Thread arrays: threads are numbered by a tree of dimensions, as elements are by an array type
 * (array.h). Control goes into all of them and comes back.
 *
 *     lte_threads threads;
 *     lte_status status = lte_threads_parse(&threads, "openmp [2][2]");
 *     status = lte_detour(&threads, body, &with);    // body(&threads, tid, &with), tid 0 to 3
 *
 * A body asks for its place by dimension: lte_tid(&threads, tid, lte_dim_in(&threads.dims, 0, 1))
 * is tid_1. Kinds: "serial", one after the other in the caller; "openmp", threads of a processor;
 * "mpi", the processes of a run; "cuda", [blocks][threads of a block], each of the two of any
 * shape: tid_0 is blockIdx.x, tid_1 threadIdx.x (detour_cuda of threads.cuh).
 *
 * Source: Cui, Li, Chen, Matrix multiplication based on Parray array types, 2.3 and 2.4.
 */

#include "kernels/methods/array/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* id, as text names it */
#define LTE_THREAD_KINDS(X)                                                                        \
    X(SERIAL, "serial")                                                                            \
    X(OPENMP, "openmp")                                                                            \
    X(MPI, "mpi")                                                                                  \
    X(CUDA, "cuda")

typedef enum {
#define LTE_THREAD_KIND_ID(id, text) LTE_THREADS_##id,
    LTE_THREAD_KINDS(LTE_THREAD_KIND_ID) LTE_N_THREAD_KINDS
#undef LTE_THREAD_KIND_ID
} lte_thread_kind;

typedef struct lte_threads {
    lte_thread_kind kind;
    lte_array dims; /* without references; its elements are threads */
} lte_threads;

/* Where thread tid stands in dimension d of the array; 0 if there is no such dimension (-1). */
LTE_CONSTANT int64_t lte_tid(const lte_threads *threads, int64_t tid, int d)
{
    return lte_dim_index(&threads->dims, d, tid);
}

/*
 * A thread array from its text, the kind and the dimensions; format as of printf.
 *
 * Returns LTE_EINVAL with the reason, also for CUDA threads that are not [blocks][threads], at
 * most 2^31 - 1 and 1024 of them.
 */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
lte_status
lte_threads_parse(lte_threads *threads, const char *format, ...);

typedef void (*lte_thread_body)(const lte_threads *threads, int64_t tid, void *with);

/*
 * Runs body once for every thread of the array, and returns when all have ended. Of MPI processes,
 * which all call this, each runs its own, whose number is its rank.
 *
 * Returns LTE_EINVAL for CUDA threads, whose body is not a function of the host, and for another
 * number of processes than the array has; LTE_EDEVICE where there is no MPI.
 */
lte_status lte_detour(const lte_threads *threads, lte_thread_body body, void *with);

#ifdef __cplusplus
}
#endif

#endif
