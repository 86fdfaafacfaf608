#ifndef LTE_KERNELS_LARGE_DECIDE_CUH
#define LTE_KERNELS_LARGE_DECIDE_CUH
/*
 * Large arrays on a device: decisions by the recipe of a detector. A thread has a layer of a
 * subcarrier, in all symbols that share a channel matrix at once; a block has whole subcarriers.
 *
 *     struct recipe {
 *         static constexpr bool flags;   // it makes the state, and its flag, itself
 *         // estimates x [S] of S symbols from m S on, whose block has z [7][n_tx] of each
 *         // subcarrier to share; returns whether there is no state (if flags)
 *         template <int S> static bool estimate(a, at, m, z, x);
 *     };
 *     LTE_LARGE_DETECTOR(cg, recipe)
 */

#include "kernels/base/labels.h"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/large/large.cuh"

struct decide_args {
    lte_link link;
    lte_units units;
    lte_noise noise;
    lte_residuals residual;
    float loading;
    int parameter; /* of the detector */
    const lte_cplx *h, *x, *y;
    const uint8_t *flag;
    int subcarriers; /* of a block */
    /* a sweep's */
    const uint8_t *sent; /* NULL: a slot's bits are wanted */
    int n_columns;
    uint32_t *errors;
    /* a deadline run's */
    lte_slot_memory memory;
    uint64_t first;
};

namespace
{

/* A thread's place. */
struct place {
    int k, u;  /* layer; subcarrier of the block */
    bool live; /* there is such a subcarrier */
    int unit;  /* some that there is, if not */
};

/* Of S symbols from m S on: element k of H'y, s [S]  out. */
template <int S>
__device__ __forceinline__ void matched_filter(const decide_args &a, const place &at, int m,
                                               lte_cplx *s)
{
    const int n_tx = a.link.n_tx, n_rx = a.link.n_rx;
    const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.receiver.n_csi + m;
    const lte_cplx *const h = a.h + matrix * n_rx * n_tx + at.k;
    const lte_cplx *const y = a.y + ((ptrdiff_t)at.unit * LTE_SLOT_SYMBOLS + m * S) * n_rx;
#pragma unroll
    for (int i = 0; i < S; i++)
        s[i] = c_zero();
#pragma unroll 4
    for (int r = 0; r < n_rx; r++) {
        const lte_cplx element = h[r * n_tx];
#pragma unroll
        for (int i = 0; i < S; i++)
            s[i] = c_cmac(s[i], element, y[i * n_rx + r]);
    }
}

/* Row k of the inverse, or of the loaded Gram matrix. */
__device__ __forceinline__ const lte_cplx *row_of(const decide_args &a, const place &at, int m)
{
    const int n_tx = a.link.n_tx;
    const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.receiver.n_csi + m;
    return a.x + matrix * n_tx * n_tx + (ptrdiff_t)at.k * n_tx;
}

/* Hands each thread's values [S] to all of its subcarrier: shared [S][n_tx] of that. */
template <int S, class T>
__device__ __forceinline__ void hand_around(int n_tx, int k, const T *own, T *shared)
{
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S; i++)
        shared[i * n_tx + k] = own[i];
    __syncthreads();
}

/* row [n_tx] times S vectors, all [S][n_tx]; out [S]. */
template <int S>
__device__ __forceinline__ void row_product(int n_tx, const lte_cplx *row, const lte_cplx *all,
                                            lte_cplx *out)
{
#pragma unroll
    for (int i = 0; i < S; i++)
        out[i] = c_zero();
#pragma unroll 4
    for (int j = 0; j < n_tx; j++) {
        const lte_cplx element = row[j];
#pragma unroll
        for (int i = 0; i < S; i++)
            out[i] = c_mac(out[i], element, all[i * n_tx + j]);
    }
}

/*
 * Re(a'b) over layers in their order, from every thread's elements a [S] and b [S]; out [S].
 */
template <int S>
__device__ __forceinline__ void layer_product(int n_tx, int k, const lte_cplx *a, const lte_cplx *b,
                                              float *shared, float *out)
{
    float own[S];
#pragma unroll
    for (int i = 0; i < S; i++)
        own[i] = c_dot(a[i], b[i]);
    hand_around<S>(n_tx, k, own, shared);
#pragma unroll
    for (int i = 0; i < S; i++)
        out[i] = 0.0f;
    for (int j = 0; j < n_tx; j++) {
#pragma unroll
        for (int i = 0; i < S; i++)
            out[i] = out[i] + shared[i * n_tx + j];
    }
}

/* Shared memory of a block, in its order. */
struct shared_parts {
    size_t z, flagged, wrong, counts, labels, all;
};
__host__ __device__ static inline shared_parts parts_of(const lte_link &link, int subcarriers)
{
    shared_parts p;
    const size_t threads = (size_t)(subcarriers * link.n_tx);
    p.z = 0;
    p.flagged = p.z + threads * LTE_SLOT_SYMBOLS * sizeof(lte_cplx);
    p.wrong = p.flagged + (size_t)subcarriers * sizeof(uint32_t);
    p.counts = p.wrong + (size_t)subcarriers * sizeof(uint32_t);
    p.labels = p.counts + (size_t)link.output.n_counts * sizeof(uint32_t);
    p.all = p.labels + LTE_SLOT_SYMBOLS * (threads + 32) * (size_t)lte_label_bytes(link.n_bits);
    return p;
}

/* Grid: blocks of subcarriers x, slots y. S symbols share a matrix. */
template <class RECIPE, int S>
__global__
__launch_bounds__(DETECT_MOST_THREADS) void decide_kernel(const __grid_constant__ decide_args a)
{
    extern __shared__ __align__(16) unsigned char block_memory[];
    const int n_tx = a.link.n_tx, n_bits = a.link.n_bits, n_sc = a.link.carrier.n_sc;
    const shared_parts parts = parts_of(a.link, a.subcarriers);
    lte_cplx *const z = (lte_cplx *)(block_memory + parts.z);
    uint32_t *const flagged = (uint32_t *)(block_memory + parts.flagged);
    uint32_t *const wrong = (uint32_t *)(block_memory + parts.wrong); /* a bit a symbol */
    uint32_t *const counts = (uint32_t *)(block_memory + parts.counts);
    uint8_t *const labels = block_memory + parts.labels;
    const int n_labels = a.subcarriers * n_tx + 32, t = (int)threadIdx.x,
              n_threads = (int)blockDim.x;
    const int slot = (int)blockIdx.y, sc0 = (int)blockIdx.x * a.subcarriers;
    place at;
    at.u = t / n_tx;
    at.k = t % n_tx;
    at.live = sc0 + at.u < n_sc;
    at.unit = slot * n_sc + (at.live ? sc0 + at.u : n_sc - 1);
    uint32_t bits = 0, symbols = 0, no_state = 0;
    for (int i = t; i < a.link.output.n_counts; i += n_threads)
        counts[i] = 0;
    if (t < a.subcarriers)
        wrong[t] = 0;
    for (int i = t; !a.sent && i < LTE_SLOT_SYMBOLS * n_labels; i += n_threads)
        lte_label_put(n_bits, labels, i, 0);
    for (int m = 0; m < LTE_SLOT_SYMBOLS / S; m++) {
        lte_cplx x[S];
        uint32_t label[S];
        const bool has_matrix = m < a.link.receiver.n_csi && (S > 1 || m != a.link.receiver.pilot);
        if (t < a.subcarriers)
            flagged[t] = 0;
        __syncthreads();
        if (RECIPE::template estimate<S>(a, at, m, z, x))
            flagged[at.u] = 1;
        __syncthreads();
        const bool none = RECIPE::flags
                              ? flagged[at.u] != 0
                              : a.flag[(ptrdiff_t)at.unit * a.link.receiver.n_csi + m] != 0;
        if (has_matrix && at.live && at.k == 0 && none)
            no_state++;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = RECIPE::flags && none ? c_zero() : x[i];
        demap(S, n_bits, x, label);
#pragma unroll
        for (int i = 0; i < S; i++) {
            const int symbol = m * S + i;
            if (symbol == a.link.receiver.pilot || !at.live)
                continue;
            if (a.sent) {
                const uint32_t differ =
                    label[i] ^
                    lte_label_at(n_bits, a.sent,
                                 ((ptrdiff_t)at.unit * LTE_SLOT_SYMBOLS + symbol) * n_tx + at.k);
                bits += lte_bits_set(differ);
                symbols += differ ? 1 : 0;
                if (differ)
                    atomicOr(&wrong[at.u], 1u << symbol);
            } else {
                lte_label_put(n_bits, labels, symbol * n_labels + t, label[i]);
            }
        }
    }
    if (a.sent) {
        atomicAdd(&counts[lte_bits_at(at.k)], bits);
        atomicAdd(&counts[lte_symbols_at(n_tx, at.k)], symbols);
        if (no_state)
            atomicAdd(&counts[lte_flagged_at(n_tx)], no_state);
        __syncthreads();
        if (t < a.subcarriers && wrong[t])
            atomicAdd(&counts[lte_vectors_at(n_tx)], lte_bits_set(wrong[t]));
        __syncthreads();
        const ptrdiff_t row = (ptrdiff_t)lte_units_place(&a.units, slot) * a.n_columns;
        uint32_t *const out = a.errors + lte_counts_at(a.link.output.n_counts, row);
        for (int i = t; i < a.link.output.n_counts; i += n_threads) {
            if (counts[i])
                atomicAdd(&out[i], counts[i]);
        }
    } else {
        const int left = n_sc - sc0;
        __syncthreads();
        write_labels(n_bits,
                     {labels, n_labels, LTE_SLOT_SYMBOLS, n_tx,
                      left < a.subcarriers ? left : a.subcarriers, sc0},
                     lte_slot_memory_bits(&a.memory, a.first + (uint64_t)slot), a.memory.row_bytes,
                     t, n_threads);
    }
}

} // namespace

typedef void decide_fn(decide_args a);

template <class RECIPE> decide_fn *decide_kernel_of(const lte_link *link)
{
    return link->receiver.n_csi > 1 ? decide_kernel<RECIPE, 1>
                                    : decide_kernel<RECIPE, LTE_SLOT_SYMBOLS>;
}

/* The kernel of one of LTE_OTHER_DETECTORS; one that has no recipe has none. */
#define LTE_LARGE_WITHOUT_RECIPE(id)                                                               \
    extern "C" decide_fn *lte_large_##id(const lte_link *)                                         \
    {                                                                                              \
        return NULL;                                                                               \
    }
#define LTE_LARGE_DETECTOR(id, recipe)                                                             \
    extern "C" decide_fn *lte_large_##id(const lte_link *link)                                     \
    {                                                                                              \
        return decide_kernel_of<recipe>(link);                                                     \
    }

#endif
