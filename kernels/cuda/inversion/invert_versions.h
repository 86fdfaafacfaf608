#ifndef LTE_KERNELS_INVERT_VERSIONS_H
#define LTE_KERNELS_INVERT_VERSIONS_H
/*
 * The batched inverters on the device, version by version, and the choice among them. All
 * versions of one inverter give the same bits as phy/inversion/gauss_jordan.h or
 * phy/inversion/ldl.h.
 *
 *     const lte_invert_version *v = lte_invert_choose(LTE_INVERTER_ldl, n, n_matrices);
 *     lte_status status = v->run(n, n_matrices, d_a, d_x, d_flag, stream);
 *
 * To add a version: its kernels in invert_cuda.cu and its line in the list there. An inverter
 * needs none.
 */

#include "kernels/link/link.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* a cudaStream_t points to it */

typedef struct {
    const char *name;    /* "gauss-jordan 1" */
    const char *mapping; /* who holds what, in a few words */
    int inverter;        /* LTE_INVERTER_* */

    /*
     * x <- a^-1 for contiguous row-major matrices of order n; x may be a.
     *
     *   d_a      [n_matrices][n][n]   d_a and d_x begin on 16 bytes
     *   d_x      [n_matrices][n][n]   out; zero where flagged
     *   d_flag   [n_matrices]         out: 1 where there is no finite inverse, else 0
     *
     * Only starts the work on the stream. Returns LTE_EDEVICE.
     */
    lte_status (*run)(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x, uint8_t *d_flag,
                      struct CUstream_st *stream);
} lte_invert_version;

/* Every version; an entry without name ends the list. */
extern const lte_invert_version lte_invert_versions[];

/*
 * The fastest version for a batch, never NULL: an inverter without versions has a thread per
 * matrix.
 */
const lte_invert_version *lte_invert_choose(int inverter, int n, int n_matrices);

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
