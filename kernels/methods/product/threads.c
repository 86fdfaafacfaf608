/* Thread arrays on the host. */
#include "kernels/methods/product/threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef LTE_HAVE_MPI
#include <mpi.h>
#endif

enum { MOST_BLOCK = 1024, MOST_OPENMP = 1024 };

lte_status lte_threads_parse(lte_threads *threads, const char *format, ...)
{
#define WORD(id, text) text,
    static const char *const kinds[] = {LTE_THREAD_KINDS(WORD)};
#undef WORD
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* a text cut short lacks a bracket */
    va_end(args);
    const size_t length = strcspn(text, " [");
    int kind = 0;
    while (kind < LTE_N_THREAD_KINDS &&
           (strlen(kinds[kind]) != length || strncmp(text, kinds[kind], length) != 0))
        kind++;
    threads->kind = (lte_thread_kind)kind;
    lte_status status = lte_array_parse(&threads->dims, NULL, "byte %s", text + length);
    if (status)
        return status;
    if (kind == LTE_N_THREAD_KINDS)
        return LTE_FAIL(LTE_EINVAL, "\"%s\" (serial, openmp, mpi or cuda threads)", text);
    const lte_array *const dims = &threads->dims;
    if (kind == LTE_THREADS_CUDA) {
        const int blocks = lte_dim_in(dims, 0, 0), block = lte_dim_in(dims, 0, 1);
        if (block < 0 || lte_dim_in(dims, 0, 2) >= 0 || dims->dim[blocks].size > INT32_MAX ||
            dims->dim[block].size > MOST_BLOCK)
            return LTE_FAIL(LTE_EINVAL, "\"%s\" ([blocks, below 2^31][threads, to 1024])", text);
    }
    return LTE_OK;
}

/* Runs the body of this process. */
static lte_status run_process(const lte_threads *threads, lte_thread_body body, void *with)
{
#ifdef LTE_HAVE_MPI
    int started = 0, n = 0, rank = 0;
    if (MPI_Initialized(&started) != MPI_SUCCESS || !started ||
        MPI_Comm_size(MPI_COMM_WORLD, &n) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS)
        return LTE_FAIL(LTE_EDEVICE, "MPI is not started");
    if (n != threads->dims.dim[0].size)
        return LTE_FAIL(LTE_EINVAL, "MPI has %d processes, but the array has %lld", n,
                        (long long)threads->dims.dim[0].size);
    body(threads, rank, with);
    return MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS ? LTE_OK
                                                      : LTE_FAIL(LTE_EDEVICE, "a process was lost");
#else
    (void)threads;
    (void)body;
    (void)with;
    return LTE_FAIL(LTE_EDEVICE, "processes: this program was built without MPI");
#endif
}

lte_status lte_detour(const lte_threads *threads, lte_thread_body body, void *with)
{
    lte_status status = lte_array_check(&threads->dims);
    if (status)
        return status;
    const int64_t n = threads->dims.dim[0].size;
    switch (threads->kind) {
    case LTE_THREADS_SERIAL:
        for (int64_t tid = 0; tid < n; tid++)
            body(threads, tid, with);
        return LTE_OK;
    case LTE_THREADS_OPENMP:
#pragma omp parallel for schedule(static, 1) num_threads((int)(n < MOST_OPENMP ? n : MOST_OPENMP))
        for (int64_t tid = 0; tid < n; tid++)
            body(threads, tid, with);
        return LTE_OK;
    case LTE_THREADS_MPI:
        return run_process(threads, body, with);
    case LTE_THREADS_CUDA:
    case LTE_N_THREAD_KINDS:
        break;
    }
    return LTE_FAIL(LTE_EINVAL, "a host function cannot run on threads of a device");
}
