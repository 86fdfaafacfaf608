#ifndef LTE_TESTS_BENCH_GPU_LIBRARIES_H
#define LTE_TESTS_BENCH_GPU_LIBRARIES_H
/*
 * The functions of cuBLAS and cuSOLVER that the topics on the device take, found at run time:
 * ltebench starts on machines that have neither. Their types come from the libraries' headers.
 */

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <stdbool.h>

/* member, function as the library exports it */
#define BENCH_CUBLAS(X)                                                                            \
    X(create, cublasCreate_v2)                                                                     \
    X(destroy, cublasDestroy_v2)                                                                   \
    X(set_stream, cublasSetStream_v2)                                                              \
    X(property, cublasGetProperty)                                                                 \
    X(matinv, cublasCmatinvBatched)                                                                \
    X(getrf, cublasCgetrfBatched)                                                                  \
    X(getri, cublasCgetriBatched)                                                                  \
    X(trsm, cublasCtrsmBatched)                                                                    \
    X(sgeam, cublasSgeam)                                                                          \
    X(cgeam, cublasCgeam)                                                                          \
    X(zgeam, cublasZgeam)                                                                          \
    X(sgemm, cublasSgemm_v2)                                                                       \
    X(cgemm, cublasCgemm_v2)                                                                       \
    X(cgemm_batched, cublasCgemmStridedBatched)

#define BENCH_CUSOLVER(X)                                                                          \
    X(solver_create, cusolverDnCreate)                                                             \
    X(solver_destroy, cusolverDnDestroy)                                                           \
    X(solver_set_stream, cusolverDnSetStream)                                                      \
    X(solver_property, cusolverGetProperty)                                                        \
    X(potrf, cusolverDnCpotrfBatched)

struct bench_libraries {
#define BENCH_MEMBER(member, function) __typeof__(function) *member;
    BENCH_CUBLAS(BENCH_MEMBER)
    BENCH_CUSOLVER(BENCH_MEMBER)
#undef BENCH_MEMBER
    void *cublas_file, *cusolver_file; /* of dlopen */
    cublasHandle_t cublas;             /* NULL: not here */
    cusolverDnHandle_t cusolver;       /* NULL: not here */
};

#endif
