/*
 * Large arrays on a device: decisions. A thread has a layer of a subcarrier, in all symbols that
 * share a channel matrix at once; a block has whole subcarriers.
 *
 *   recipe     where                                    x^_k
 *   matched    solving detectors, large arrays          gain_k sum_j x_kj z_j, z = H'y by the block
 *   filter     solving detectors, small arrays          sum_r w_kr y_r, w_kr made on the way
 *   mrc        maximum-ratio combining                  the same
 *   cg         conjugate gradients                      products with the loaded Gram matrix: a
 *              thread
 *   neumann    Neumann series                           has row k, the block hands vectors around
 */
#include "kernels/cuda/large/large.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "phy/detection/cg.h"
#include "phy/detection/mrc.h"
#include "phy/detection/neumann.h"
#include "phy/detection/solving.h"

namespace
{

enum { RECIPE_MATCHED, RECIPE_FILTER, RECIPE_MRC, RECIPE_CG, RECIPE_NEUMANN };

/* True for those that make the state, and its flag, themselves. */
__host__ __device__ constexpr bool flags(int recipe)
{
    return recipe == RECIPE_MRC || recipe == RECIPE_CG || recipe == RECIPE_NEUMANN;
}

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
    const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.n_csi + m;
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
    const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.n_csi + m;
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

/* Estimates of S symbols from m S on by the matched filter and the inverse. */
template <int S>
__device__ __forceinline__ void matched(const decide_args &a, const place &at, int m, lte_cplx *z,
                                        lte_cplx *x)
{
    const int n_tx = a.link.n_tx;
    const lte_cplx *const row = row_of(a, at, m);
    lte_cplx *const all = z + at.u * S * n_tx;
    lte_cplx s[S];
    matched_filter<S>(a, at, m, s);
    hand_around<S>(n_tx, at.k, s, all);
    row_product<S>(n_tx, row, all, x);
    const float loading = a.loading * symbol_n0(a.link, a.units, a.noise, a.residual, at.unit, m);
    const float gain = lte_solving_gain(loading, row[at.k].re);
#pragma unroll
    for (int i = 0; i < S; i++)
        x[i] = c_scale(x[i], gain);
}

/* The same by the filter of a small array. */
template <int S>
__device__ __forceinline__ void filtered(const decide_args &a, const place &at, int m, lte_cplx *x)
{
    const int n_tx = a.link.n_tx, n_rx = a.link.n_rx;
    const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.n_csi + m;
    const lte_cplx *const h = a.h + matrix * n_rx * n_tx;
    const lte_cplx *const row = a.x + matrix * n_tx * n_tx + (ptrdiff_t)at.k * n_tx;
    const lte_cplx *const y = a.y + ((ptrdiff_t)at.unit * LTE_SLOT_SYMBOLS + m * S) * n_rx;
    const float loading = a.loading * symbol_n0(a.link, a.units, a.noise, a.residual, at.unit, m);
    const float gain = lte_solving_gain(loading, row[at.k].re);
#pragma unroll
    for (int i = 0; i < S; i++)
        x[i] = c_zero();
    for (int r = 0; r < n_rx; r++) {
        const lte_cplx w = lte_filter_element(n_tx, h + r * n_tx, row, gain);
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = c_mac(x[i], w, y[i * n_rx + r]);
    }
}

/* The same by maximum-ratio combining; returns whether the layer has no filter. */
template <int S>
__device__ __forceinline__ bool combined(const decide_args &a, const place &at, int m, lte_cplx *x)
{
    const int n_tx = a.link.n_tx, n_rx = a.link.n_rx;
    const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.n_csi + m;
    const lte_cplx *const h = a.h + matrix * n_rx * n_tx + at.k;
    const lte_cplx *const y = a.y + ((ptrdiff_t)at.unit * LTE_SLOT_SYMBOLS + m * S) * n_rx;
    float power = 0.0f;
    for (int r = 0; r < n_rx; r++)
        lte_add_power(h[r * n_tx], &power);
    const float inverse = 1.0f / power;
    bool none = !lte_divides(power * power);
#pragma unroll
    for (int i = 0; i < S; i++)
        x[i] = c_zero();
    for (int r = 0; r < n_rx; r++) {
        const lte_cplx w = lte_mrc_element(h[r * n_tx], inverse);
        none = none || !r_finite(w.re) || !r_finite(w.im);
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = c_mac(x[i], w, y[i * n_rx + r]);
    }
    return none;
}

/* Re(a'b) over layers in their order, from every thread's elements a [S] and b [S]; out [S]. */
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

/* The end of an iteration: gains; returns whether the thread's row cannot be worked with. */
template <int S>
__device__ __forceinline__ bool finished(const decide_args &a, const place &at, int m,
                                         const lte_cplx *row, lte_cplx *x)
{
    const float n0 = symbol_n0(a.link, a.units, a.noise, a.residual, at.unit, m);
    const float gain = lte_iterating_layer(row[at.k].re, n0).im;
#pragma unroll
    for (int i = 0; i < S; i++)
        x[i] = lte_iterating_estimate(x[i], gain);
    return lte_iterating_refuses(a.link.n_tx, at.k, row);
}

/* The same by conjugate gradients: phy/detection/cg.h. */
template <int S>
__device__ __forceinline__ bool descended(const decide_args &a, const place &at, int m, lte_cplx *z,
                                          lte_cplx *x)
{
    const int n_tx = a.link.n_tx;
    const lte_cplx *const row = row_of(a, at, m);
    lte_cplx *const all = z + at.u * S * n_tx;
    lte_cplx rest[S], direction[S];
    float left[S], next[S];
    matched_filter<S>(a, at, m, rest);
#pragma unroll
    for (int i = 0; i < S; i++) {
        x[i] = c_zero();
        direction[i] = rest[i];
    }
    layer_product<S>(n_tx, at.k, rest, rest, (float *)all, left);
#pragma unroll 1
    for (int step = 0; step < a.parameter; step++) {
        lte_cplx image[S];
        float along[S];
        hand_around<S>(n_tx, at.k, direction, all);
        row_product<S>(n_tx, row, all, image);
        layer_product<S>(n_tx, at.k, direction, image, (float *)all, along);
#pragma unroll
        for (int i = 0; i < S; i++) {
            const float length = lte_cg_ratio(left[i], along[i]);
            x[i] = c_add_scaled(x[i], direction[i], length);
            rest[i] = c_add_scaled(rest[i], image[i], -length);
        }
        layer_product<S>(n_tx, at.k, rest, rest, (float *)all, next);
#pragma unroll
        for (int i = 0; i < S; i++) {
            direction[i] = c_add_scaled(rest[i], direction[i], lte_cg_ratio(next[i], left[i]));
            left[i] = next[i];
        }
    }
    return finished<S>(a, at, m, row, x);
}

/* The same by the Neumann series: phy/detection/neumann.h. */
template <int S>
__device__ __forceinline__ bool summed(const decide_args &a, const place &at, int m, lte_cplx *z,
                                       lte_cplx *x)
{
    const int n_tx = a.link.n_tx;
    const lte_cplx *const row = row_of(a, at, m);
    lte_cplx *const all = z + at.u * S * n_tx;
    const float d = 1.0f / row[at.k].re;
    lte_cplx s[S];
    matched_filter<S>(a, at, m, s);
#pragma unroll
    for (int i = 0; i < S; i++)
        x[i] = c_scale(s[i], d);
#pragma unroll 1
    for (int step = 0; step < a.parameter; step++) {
        hand_around<S>(n_tx, at.k, x, all);
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = lte_neumann_step(n_tx, at.k, row, d, s[i], &all[i * n_tx]);
    }
    return finished<S>(a, at, m, row, x);
}

/* Shared memory of a block, in its order. */
struct shared_parts {
    size_t z, flagged, counts, labels, all;
};
__host__ __device__ shared_parts parts_of(int n_tx, int n_counts, int subcarriers, int together)
{
    shared_parts p;
    const size_t threads = (size_t)(subcarriers * n_tx);
    p.z = 0;
    p.flagged = p.z + threads * (size_t)together * sizeof(lte_cplx);
    p.counts = p.flagged + (size_t)subcarriers * sizeof(uint32_t);
    p.labels = p.counts + (size_t)n_counts * sizeof(uint32_t);
    p.all = p.labels + LTE_SLOT_SYMBOLS * (threads + 32);
    return p;
}

/* Grid: blocks of subcarriers x, slots y. S symbols share a matrix. */
template <int RECIPE, int S>
__global__
__launch_bounds__(DETECT_MOST_THREADS) void decide_kernel(const __grid_constant__ decide_args a)
{
    extern __shared__ __align__(16) unsigned char block_memory[];
    const int n_tx = a.link.n_tx, n_bits = a.link.n_bits, n_sc = a.link.n_sc;
    const shared_parts parts = parts_of(n_tx, a.link.n_counts, a.subcarriers, S);
    lte_cplx *const z = (lte_cplx *)(block_memory + parts.z);
    uint32_t *const flagged = (uint32_t *)(block_memory + parts.flagged);
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
    for (int i = t; i < a.link.n_counts; i += n_threads)
        counts[i] = 0;
    for (int i = t; !a.sent && i < LTE_SLOT_SYMBOLS * n_labels; i += n_threads)
        labels[i] = 0;
    for (int m = 0; m < LTE_SLOT_SYMBOLS / S; m++) {
        lte_cplx x[S];
        uint32_t label[S];
        const bool has_matrix = m < a.link.n_csi && (S > 1 || m != a.link.pilot);
        if (t < a.subcarriers)
            flagged[t] = 0;
        __syncthreads();
        if (RECIPE == RECIPE_MATCHED) {
            matched<S>(a, at, m, z, x);
        } else if (RECIPE == RECIPE_FILTER) {
            filtered<S>(a, at, m, x);
        } else if (RECIPE == RECIPE_MRC       ? combined<S>(a, at, m, x)
                   : RECIPE == RECIPE_NEUMANN ? summed<S>(a, at, m, z, x)
                                              : descended<S>(a, at, m, z, x)) {
            flagged[at.u] = 1;
        }
        __syncthreads();
        const bool none =
            flags(RECIPE) ? flagged[at.u] != 0 : a.flag[(ptrdiff_t)at.unit * a.link.n_csi + m] != 0;
        if (has_matrix && at.live && at.k == 0 && none)
            no_state++;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = flags(RECIPE) && none ? c_zero() : x[i];
        demap(S, n_bits, x, label);
#pragma unroll
        for (int i = 0; i < S; i++) {
            const int symbol = m * S + i;
            if (symbol == a.link.pilot || !at.live)
                continue;
            if (a.sent) {
                const uint32_t differ =
                    label[i] ^
                    a.sent[((ptrdiff_t)at.unit * LTE_SLOT_SYMBOLS + symbol) * n_tx + at.k];
                bits += lte_bits_set(differ);
                symbols += differ ? 1 : 0;
            } else {
                labels[symbol * n_labels + t] = (uint8_t)label[i];
            }
        }
    }
    if (a.sent) {
        atomicAdd(&counts[lte_bits_at(at.k)], bits);
        atomicAdd(&counts[lte_symbols_at(n_tx, at.k)], symbols);
        if (no_state)
            atomicAdd(&counts[lte_flagged_at(n_tx)], no_state);
        __syncthreads();
        const ptrdiff_t row = (ptrdiff_t)lte_units_place(&a.units, slot) * a.n_columns;
        uint32_t *const out = a.errors + lte_counts_at(a.link.n_counts, row);
        for (int i = t; i < a.link.n_counts; i += n_threads) {
            if (counts[i])
                atomicAdd(&out[i], counts[i]);
        }
    } else {
        const int left = n_sc - sc0;
        __syncthreads();
        write_labels(n_bits, labels, n_labels, LTE_SLOT_SYMBOLS, n_tx, sc0,
                     left < a.subcarriers ? left : a.subcarriers,
                     lte_slot_memory_bits(&a.memory, a.first + (uint64_t)slot), a.memory.row_bytes,
                     t, n_threads);
    }
}

typedef void decide_fn(decide_args a);

template <int RECIPE> decide_fn *kernel_of(const lte_link *link)
{
    return link->n_csi > 1 ? decide_kernel<RECIPE, 1> : decide_kernel<RECIPE, LTE_SLOT_SYMBOLS>;
}

/* The kernel of a detector. */
decide_fn *kernel_for(const lte_link *link, lte_detector detector)
{
    if (lte_detector_solves(detector.id))
        return LTE_IS_LARGE(link->n_rx, link->n_tx) ? kernel_of<RECIPE_MATCHED>(link)
                                                    : kernel_of<RECIPE_FILTER>(link);
    switch (detector.id) {
    case LTE_DETECTOR_mrc:
        return kernel_of<RECIPE_MRC>(link);
    case LTE_DETECTOR_cg:
        return kernel_of<RECIPE_CG>(link);
    case LTE_DETECTOR_neumann:
        return kernel_of<RECIPE_NEUMANN>(link);
    }
    return NULL;
}

lte_status decide(decide_args *a, lte_detector detector, const lte_large_memory *memory,
                  cudaStream_t stream)
{
    const lte_link *link = &a->link;
    decide_fn *const kernel = kernel_for(link, detector);
    a->loading = lte_detector_row_of(detector)->loading;
    a->parameter = (int)detector.value[0];
    a->h = (const lte_cplx *)memory->h;
    a->x = (const lte_cplx *)memory->x;
    a->y = (const lte_cplx *)memory->y;
    a->flag = memory->flag;
    a->subcarriers = detect_subcarriers(link->n_tx);
    const int together = link->n_csi > 1 ? 1 : LTE_SLOT_SYMBOLS;
    const size_t bytes = parts_of(link->n_tx, link->n_counts, a->subcarriers, together).all;
    const lte_status status = allow_shared((const void *)kernel, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)blocks_of(link->n_sc, a->subcarriers), (unsigned)a->units.n_slots);
    kernel<<<grid, (unsigned)(a->subcarriers * link->n_tx), bytes, stream>>>(*a);
    return LTE_LAUNCHED(decide_kernel);
}

} // namespace

lte_status lte_large_count_cuda(const lte_link *link, const lte_units *units, lte_detector detector,
                                lte_noise noise, const lte_residuals *residual,
                                const lte_large_memory *memory, int n_columns, uint32_t *d_errors,
                                cudaStream_t stream)
{
    decide_args a = {};
    a.link = *link;
    a.units = *units;
    a.noise = noise;
    a.residual = *residual;
    a.sent = memory->label;
    a.n_columns = n_columns;
    a.errors = d_errors;
    return decide(&a, detector, memory, stream);
}

lte_status lte_large_detect_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, int n_slots,
                                 const lte_large_memory *memory, cudaStream_t stream)
{
    decide_args a = {};
    a.link = *link;
    a.units = lte_units_of(link, first, n_slots);
    a.noise = job->noise;
    a.residual = residuals_of(d_residual, first, job->memory.n_h_in);
    a.memory = job->memory;
    a.first = first;
    return decide(&a, job->detector, memory, stream);
}
