/* The corner turn to matrices, on the host and on the device: which transpositions it is. */
#include "kernels/corner_turn_matrices.h"

#include "kernels/methods/transpose.h"
#ifdef LTE_HAVE_CUDA
#include "kernels/methods/methods_cuda.h"
#endif

lte_status lte_corner_turn_matrices(const lte_link *link, const lte_cf32 *h_planes,
                                    const lte_cf32 *y_planes, lte_cf32 *h, lte_cf32 *y)
{
    const int n = link->n_rx * link->n_tx, n_y = LTE_SLOT_SYMBOLS * link->n_sc;
    lte_status status = lte_transpose(sizeof *h, 1, n, link->n_h * link->n_sc, h_planes, h);
    return status ? status : lte_transpose(sizeof *y, 1, link->n_rx, n_y, y_planes, y);
}

#ifdef LTE_HAVE_CUDA
lte_status lte_corner_turn_matrices_cuda(const lte_link *link, const lte_cf32 *d_h_planes,
                                         const lte_cf32 *d_y_planes, lte_cf32 *d_h, lte_cf32 *d_y,
                                         struct CUstream_st *stream)
{
    enum { FASTER = 2 }; /* version of the transposition */
    const int n = link->n_rx * link->n_tx, n_y = LTE_SLOT_SYMBOLS * link->n_sc;
    lte_status status = lte_transpose_cuda(FASTER, sizeof *d_h, 1, n, link->n_h * link->n_sc,
                                           d_h_planes, d_h, stream);
    return status ? status
                  : lte_transpose_cuda(FASTER, sizeof *d_y, 1, link->n_rx, n_y, d_y_planes, d_y,
                                       stream);
}
#endif
