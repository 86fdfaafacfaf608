#ifndef LTE_KERNELS_LAYOUTS_H
#define LTE_KERNELS_LAYOUTS_H
/*
 * How the arrays of a link lie in memory: each layout by name, as an array type
 * (kernels/methods/array/array.h), and the one copy between any two of them.
 *
 *     float *g = malloc(lte_layout_bytes(&link, LTE_BATCH_GRAM));
 *     status = lte_layout_copy(&link, LTE_BATCH_GRAM, g, LTE_MATRICES_GRAM, grams);
 *
 * The last group of a batch may be partly used: its spare lanes hold the draws of subcarriers that
 * do not exist (zeros where channels are stored), and are never counted.
 *
 * Inner loops take their offsets from the functions at the end of this page, which
 * tests/kernels/test_layouts.c holds to the types. To add a layout: its line.
 */

#include "kernels/link/link.h"
#include "kernels/methods/array/array.h"

/*
 * Name, element, and what each index means: RX, TX, LAYER (antennas; the column of a Gram matrix),
 * H, CSI, SYMBOL (times: n_h, n_csi, 7 of them), SC or GROUP and LANE (LTE_LANES neighbouring
 * subcarriers), PART (real, imaginary), BIT (of a QAM symbol), WIDTH (bytes of a label), BYTES (of
 * a symbol's packed bits).
 */
#define LTE_LAYOUTS(X)                                                                             \
    X(PLANES_H, CFLOAT, RX, TX, H, SC) /* H as drawn; a slot of stored channels and their files */ \
    X(PLANES_CSI, CFLOAT, RX, TX, CSI, SC) /* H as the receiver knows it: a front-haul's slot */   \
    X(PLANES_Y, CFLOAT, RX, SYMBOL, SC)                                                            \
    X(BATCH_H, FLOAT, GROUP, H, RX, TX, PART, LANE) /* batches: between stages (stages.h) */       \
    X(BATCH_CSI, FLOAT, GROUP, CSI, RX, TX, PART, LANE)                                            \
    X(BATCH_GRAM, FLOAT, GROUP, CSI, TX, LAYER, PART, LANE) /* also inverses */                    \
    X(BATCH_FLAG, BYTE, GROUP, CSI, LANE)                                                          \
    X(BATCH_Y, FLOAT, GROUP, SYMBOL, RX, PART, LANE)                                               \
    X(BATCH_LABEL, U32, GROUP, SYMBOL, TX, LANE)                                                   \
    X(MATRICES_CSI, CFLOAT, CSI, SC, RX, TX) /* one by one: inversion alone, products */           \
    X(MATRICES_GRAM, CFLOAT, CSI, SC, TX, LAYER)                                                   \
    X(MATRICES_Y, CFLOAT, SYMBOL, SC, RX)                                                          \
    X(UNITS_CSI, CFLOAT, SC, CSI, RX, TX) /* a subcarrier's together: large arrays (large_cuda) */ \
    X(UNITS_GRAM, CFLOAT, SC, CSI, TX, LAYER)                                                      \
    X(UNITS_Y, CFLOAT, SC, SYMBOL, RX)                                                             \
    X(UNITS_FLAG, BYTE, SC, CSI)                                                                   \
    X(UNITS_H, CFLOAT, SC, H, RX, TX)                                                              \
    X(UNITS_POWER, CFLOAT, SC, RX, PART)        /* H x, noise */                                   \
    X(UNITS_LABEL, BYTE, SC, SYMBOL, TX, WIDTH) /* lte_label_bytes each */                         \
    X(UNITS_LLR, FLOAT, SC, SYMBOL, TX, BIT)                                                       \
    X(BITS, BYTE, SYMBOL, BYTES) /* decisions, rows of lte_packed_row bytes */

typedef enum {
#define LTE_LAYOUT_ID(id, ...) LTE_##id,
    LTE_LAYOUTS(LTE_LAYOUT_ID) LTE_N_LAYOUTS
#undef LTE_LAYOUT_ID
} lte_layout_id;

struct CUstream_st; /* a cudaStream_t points to it */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The type of n_slots slots one after the other, [n_slots] and then the layout's dimensions: so
 * they lie in the ring of a deadline run and in a file. A fault stays in it (lte_array_check).
 */
lte_array lte_layout_of(const lte_link *link, lte_layout_id layout, int64_t n_slots);

/* Bytes of one slot. */
size_t lte_layout_bytes(const lte_link *link, lte_layout_id layout);

/*
 * One slot from layout to layout, each number to where it has the same indices, by lte_permute:
 * what is a transposition is done as one. Spare lanes are not read, and not written.
 *
 * Returns LTE_EINVAL for layouts of other dimensions, and arrays that overlap.
 */
lte_status lte_layout_copy(const lte_link *link, lte_layout_id from, const void *x,
                           lte_layout_id to, void *y);

/*
 * Slots one after the other in device memory; only starts the work on the stream. Returns
 * LTE_EDEVICE, too.
 */
lte_status lte_layout_copy_cuda(const lte_link *link, int n_slots, lte_layout_id from,
                                const void *d_x, lte_layout_id to, void *d_y,
                                struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

/*
 * Among lanes: the place of element e of n, at time i of n_times, of subcarrier sc; and of its real
 * part in a batch of complex numbers, LTE_LANES before the imaginary one.
 */
LTE_INLINE ptrdiff_t lte_lane_at(int n_times, int n, int sc, int i, int e)
{
    return (((ptrdiff_t)(sc / LTE_LANES) * n_times + i) * n + e) * LTE_LANES + sc % LTE_LANES;
}
LTE_INLINE ptrdiff_t lte_batch_at(int n_times, int n, int sc, int i, int e)
{
    return lte_lane_at(n_times, 2 * n, sc, i, 2 * e);
}

/* The plane [n_sc] of element e at time i of n_times; of element n: the size of a slot of n. */
LTE_INLINE ptrdiff_t lte_plane_at(int n_times, int n_sc, int e, int i)
{
    return ((ptrdiff_t)e * n_times + i) * n_sc;
}

/* Elements of a slot's planes of H, [n_rx][n_tx][n_times][n_sc]: n_times is n_h, or n_csi. */
LTE_INLINE size_t lte_planes_size(const lte_link *link, int n_times)
{
    return (size_t)lte_plane_at(n_times, link->carrier.n_sc, link->n_rx * link->n_tx, 0);
}

/* A slot's planes of a stored channel. */
LTE_INLINE const lte_cf32 *lte_stored_planes(const lte_link *link, uint64_t slot)
{
    return &link->channel.stored[(size_t)(slot % link->channel.n_stored) *
                                 lte_planes_size(link, link->channel.n_h)];
}

#endif
