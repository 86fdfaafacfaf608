#ifndef LTE_KERNELS_INVERSION_VERSIONS_H
#define LTE_KERNELS_INVERSION_VERSIONS_H
/*
 * The inversion of batches of matrices on the device, version by version, and the choice among
 * them: orders 1 to 256, all inverters. Every version of an inverter gives the bits of its formula,
 * phy/inversion/gauss_jordan.h, phy/inversion/ldl.h or kernels/methods/inverse/inverse.h.
 *
 *     const lte_inversion_version *v =
 *         lte_inversion_choose(LTE_INVERTER_ldl, LTE_CFLOAT, n, n_matrices);
 *     lte_inverse_batch batch = {LTE_CFLOAT, n, n_matrices, d_a, d_x, d_flag, NULL};
 *     lte_status status = lte_inversion_cuda(v, &batch, stream);
 *
 * To add a version: its row in kernels/link/inversion_rows.h, its kernels, and its line in the list
 * of inversion_cuda.cu, both before those that it is faster than. A small inverter needs none: a
 * thread for each matrix runs its formula.
 */

#include "kernels/link/inversion_rows.h"
#include "kernels/link/link.h"
#include "kernels/methods/inverse/inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* a cudaStream_t points to it */

typedef struct {
    const char *name;    /* "ldl 2" */
    const char *mapping; /* who holds what, in a few words */
    int id;              /* LTE_INVERSION_*, whose row of kernels/link/inversion_rows.h has these */
    int inverter;        /* LTE_INVERTER_* */
    unsigned elements;   /* bit e: takes element type e, an LTE_FLOAT .. LTE_CDOUBLE */
    int min_order, max_order;
    int most_each; /* chosen for fewer matrices a multiprocessor than this; 0: for any number */
    /* Bytes of device memory that a batch works in; NULL: none. */
    size_t (*work)(int element, int n, int n_matrices);
    /* Starts the work, for arguments that were checked. */
    lte_status (*run)(int element, int n, int n_matrices, const void *d_a, void *d_x,
                      uint8_t *d_flag, void *d_work, struct CUstream_st *stream);
} lte_inversion_version;

/*
 * Every version, those of an inverter in the order in which they are chosen; an entry without name
 * ends the list.
 */
extern const lte_inversion_version lte_inversion_versions[];

/* LTE_INVERSE_* of the version's inverter; -1 of a small one. */
int lte_inversion_method(const lte_inversion_version *version);

bool lte_inversion_takes(const lte_inversion_version *version, int element, int n);

/*
 * The fastest version for a batch; NULL for an order or an element type that the inverter does not
 * take.
 */
const lte_inversion_version *lte_inversion_choose(int inverter, int element, int n, int n_matrices);

/* The version that a link asks for, of complex floats; the fastest for a batch unless it does. */
const lte_inversion_version *lte_inversion_of(const lte_link *link, int n_matrices);

/* Bytes of device memory that a batch works in. */
size_t lte_inversion_work(const lte_inversion_version *version, int element, int n, int n_matrices);

/*
 * Inverts a batch in device memory: only starts the work on the stream. a, x and work are on
 * boundaries of 16 bytes; x is zero where flagged; work has lte_inversion_work bytes, or is NULL:
 * then they come and go with the stream.
 *
 * Returns LTE_EINVAL as lte_inverse_check does and for what the version does not take, LTE_EDEVICE
 * if a launch failed or there was no memory.
 */
lte_status lte_inversion_cuda(const lte_inversion_version *version, const lte_inverse_batch *batch,
                              struct CUstream_st *stream);

/*
 * The stage of inversion, on batches of lanes: a <- a^-1 as lte_invert_fn has it. Only starts the
 * work on the stream. Returns LTE_EDEVICE.
 */
lte_status lte_invert_cuda(const lte_link *link, float *d_a, uint8_t *d_flag,
                           struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#endif
