#ifndef LTE_KERNELS_METHODS_INVERSE_VERSIONS_H
#define LTE_KERNELS_METHODS_INVERSE_VERSIONS_H
/*
 * The inverses of kernels/methods/inverse/inverse.h on the device, version by version, and the
 * choice among them. All give the bits of the plain loops.
 *
 *     const lte_inverse_version *v = lte_inverse_choose(LTE_INVERSE_LU_DELAYED,
 *                                                       LTE_CFLOAT, n);
 *     status = LTE_CUDA(cudaMalloc(&d_work, v->work(LTE_CFLOAT, n, n_matrices)));
 *     status = lte_inverse_cuda(v, LTE_CFLOAT, n, n_matrices, d_a, d_x, d_flag, d_work,
 *                               stream);
 *
 * To add a version: its kernels and its line in the list of inverse_cuda.cu; if it is the fastest,
 * its place before the others there.
 */

#include "kernels/methods/inverse/inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* a cudaStream_t points to it */

enum { LTE_INVERSE_BLOCK = 8 /* columns of a block of the published mapping, NB */ };

typedef struct {
    const char *name;    /* "lu 1" */
    const char *mapping; /* who holds what, in a few words */
    int method;          /* LTE_INVERSE_* */
    unsigned elements;   /* bit e: takes element type e */
    int min_order, max_order;
    /* Bytes of device memory that a batch works in; 0: none. */
    size_t (*work)(int element, int n, int n_matrices);
    /* Starts the work, for arguments that were checked. */
    lte_status (*run)(int element, int n, int n_matrices, const void *d_a, void *d_x,
                      uint8_t *d_flag, void *d_work, struct CUstream_st *stream);
} lte_inverse_version;

/*
 * Every version, the faster one of a method and order first; an entry without name ends the list.
 */
extern const lte_inverse_version lte_inverse_versions[];

bool lte_inverse_takes(const lte_inverse_version *version, int element, int n);

/* The fastest version of a method, never NULL for what lte_inverse_check lets pass. */
const lte_inverse_version *lte_inverse_choose(int method, int element, int n);

/*
 * lte_inverse on the device: only starts the work on the stream.
 *
 *   d_a, d_x   as lte_inverse's a and x, on boundaries of 16 bytes
 *   d_work     version->work bytes on a boundary of 16
 *
 * Returns LTE_EINVAL as lte_inverse_check does and for what the version does not take, LTE_EDEVICE
 * if a launch failed.
 */
lte_status lte_inverse_cuda(const lte_inverse_version *version, int element, int n, int n_matrices,
                            const void *d_a, void *d_x, uint8_t *d_flag, void *d_work,
                            struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#endif
