#ifndef LTE_KERNELS_DEVICE_CUH
#define LTE_KERNELS_DEVICE_CUH
/* What the kernels of several stages share: lists as device code, batches, sums over a warp. */

#include "kernels/base/cuda_status.h"
#include "kernels/base/launcher.cuh"
#include "kernels/base/order.h"
#include "kernels/link/slot_memory.h"
#include "phy/channel/channel.h"
#include "phy/detection/count.h"
#include "phy/channel/correlate.h"
#include "phy/detection/demap.h"
#include "phy/detection/detectors.h"
#include "phy/inversion/inversion.h"
#include "phy/channel/receive.h"
#include "phy/channel/taps.h"

enum { WARP = 32 };

/* The channel matrix, 0 to n_h - 1, of a symbol. */
static __device__ __forceinline__ int matrix_of(const lte_link &link, int symbol)
{
    return link.channel.n_h > 1 ? symbol : 0;
}

/*
 * H of one subcarrier from the taps of a channel matrix. A call: as a part of every kernel it takes
 * registers from the rest, and 5 to 10 % of the time of channels that are made so.
 */
static __device__ __noinline__ void channel_of_taps(const lte_link &link, const lte_cf32 *tap,
                                                    lte_word sc, lte_cplx *h)
{
    const lte_fading fading = {&link.channel.profile, tap};
    lte_channel_taps(&link.channel.draws, &fading, sc, h);
}

/*
 * Channel matrix m of one subcarrier by the link's model, its antennas correlated: h [n_rx][n_tx].
 * tap: those of the slot (lte_taps_cuda), which are so already.
 */
static __device__ __forceinline__ void draw_channel(const lte_link &link, const lte_cf32 *tap,
                                                    uint64_t slot, int m, lte_word sc, lte_cplx *h)
{
    const int n = link.n_rx * link.n_tx;
    if (link.channel.n_stored > 0) {
        const lte_cplx *const planes = (const lte_cplx *)lte_stored_planes(&link, slot);
        for (int e = 0; e < n; e++)
            h[e] = (int)sc < link.carrier.n_sc
                       ? planes[lte_plane_at(link.channel.n_h, link.carrier.n_sc, e, m) + sc]
                       : c_zero();
        return;
    }
    if (link.channel.profile.n_taps > 0) {
        channel_of_taps(link, tap + m * link.channel.profile.n_taps * n, sc, h);
        return;
    }
#define DRAW(id)                                                                                   \
    if (link.channel.model == LTE_CHANNEL_##id)                                                    \
        lte_channel_##id(&link.channel.draws, lte_held_slot(&link, slot), sc, h);
    LTE_DRAWN_CHANNELS(DRAW)
#undef DRAW
    if (link.channel.correlation_factor)
        lte_correlate(n, link.channel.correlation_factor, h);
}

/*
 * The noise variance of a slot that a link's receiver goes by: from the slot's residual if it is
 * estimated. Without the error of the estimate of H.
 */
static __device__ __forceinline__ float noise_of(const lte_link &link, lte_noise noise,
                                                 const int64_t *residual)
{
    return link.receiver.noise_known ? noise.n0
                                     : lte_estimator_noise(&link.receiver.estimator, *residual);
}

/* lte_link_weights of a slot. */
static __device__ __forceinline__ int weights_of(const lte_link &link, lte_noise noise,
                                                 const int64_t *residual)
{
    return lte_link_weights(&link, noise_of(link, noise, residual));
}

/* What the detector of a subcarrier goes by; see lte_effective_noise. */
static __device__ __forceinline__ float effective_n0(const lte_link &link, lte_noise noise,
                                                     const int64_t *residual, int sc)
{
    if (!lte_link_estimates(&link))
        return noise.n0;
    const int set = weights_of(link, noise, residual);
    return lte_effective_n0(
        noise_of(link, noise, residual),
        link.receiver.estimator.estimation_error[set * link.carrier.n_groups * LTE_LANES + sc]);
}

/*
 * The same in symbol l of a slot whose H is made of two estimates; residuals and combinations are
 * those of many slots, this one's at place.
 */
static __device__ __forceinline__ float combined_n0(const lte_link &link, lte_noise noise,
                                                    const int64_t *residual, uint64_t place, int l,
                                                    int sc)
{
    const int64_t *const own = residual ? residual + place : NULL;
    const int set = weights_of(link, noise, own);
    return lte_combined_n0(
        noise.combination[place * LTE_SLOT_SYMBOLS + (uint64_t)l], noise_of(link, noise, own),
        link.receiver.estimator.estimation_error[set * link.carrier.n_groups * LTE_LANES + sc]);
}

/*
 * The inverters as a template parameter; those of detectors that invert nothing have none.
 * ANY_INVERTER: by the link, at run time, where registers are no matter and one kernel for all
 * takes less time to compile.
 */
enum { NO_INVERTER = -1, ANY_INVERTER = -2 };

/* a <- a^-1 for a [N][N] in registers by an inverter that the compiler may know. */
template <int N> static __device__ __forceinline__ lte_mask inverse_by(int inverter, lte_cplx *a)
{
    lte_mask flag = 1;
#define INVERT(id)                                                                                 \
    if (inverter == LTE_INVERTER_##id)                                                             \
        flag = lte_##id(N, a);
    LTE_SMALL_INVERTERS(INVERT)
#undef INVERT
    return flag;
}

/* The same by inverter INV, as lte_inverse_fn. */
template <int N, int INV> static __device__ __forceinline__ lte_mask inverse(int, lte_cplx *a)
{
    return inverse_by<N>(INV, a);
}

/*
 * The detectors as a template parameter: those that solve the loaded Gram matrix differ in its
 * loading, not in speed, and share an instance; each other one has its id and objects of its own.
 */
enum { SOLVING = -1 };

/* True for an inverter of small matrices, which kernels take that ask for it at run time. */
static inline bool inverts_small(int inverter)
{
#define IS(id)                                                                                     \
    if (inverter == LTE_INVERTER_##id)                                                             \
        return true;
    LTE_SMALL_INVERTERS(IS)
#undef IS
    return false;
}

/*
 * prepare and the estimates of a detector (phy/detection/detection.h); loading: of its row, which:
 * the link's inverter. For SOLVING: solving_detectors.cuh, for an id: general_detectors.cuh.
 */
namespace
{
template <int DET> struct detector;
}

/* CHOICE::of<N>(link) for a link's order. */
template <class CHOICE> auto instance_for_order(const lte_link *link)
{
    decltype(CHOICE::template of<1>(link)) instance = {};
#define INSTANCE(n) instance = CHOICE::template of<n>(link)
    LTE_FOR_ORDER(link->n_tx, INSTANCE)
#undef INSTANCE
    return instance;
}

/*
 * Orders as a template parameter: of detectors that solve 1, 2, 4 and 8 have kernels of their own,
 * of the others those that device_objects.cmake names. The rest share one whose layers are counted
 * at run time: it takes the time of a few kernels to compile, and at most twice the time of one to
 * run. (Of detectors that solve the sweep's to bits took 2.3 times as long: they have their own.)
 */
enum { ANY_ORDER = 0 };

/* True for the orders that have no kernel for each inverter and each number of pilots. */
static __host__ __device__ constexpr bool is_rare(int n)
{
    return n == ANY_ORDER || (n & (n - 1)) != 0;
}

/* The layers of a kernel for N of them, or for those of a link. */
template <int N> static __device__ __forceinline__ int layers_of(const lte_link &link)
{
    return N != ANY_ORDER ? N : link.n_tx;
}

/*
 * Room for them in arrays; loops over all of it, of those that there are, keep arrays in registers.
 */
static __host__ __device__ constexpr int layer_room(int n)
{
    return n != ANY_ORDER ? n : LTE_MAX_ORDER;
}

/* The inverter of kernels of a detector that take any. */
static __host__ __device__ constexpr int any_inverter(int detector)
{
    return detector == SOLVING ? ANY_INVERTER : NO_INVERTER;
}

/* CHOICE::of<N>(link) for a link's order, N = ANY_ORDER for those that share a kernel. */
template <class CHOICE> auto instance_for_order_or_any(const lte_link *link)
{
    decltype(CHOICE::template of<1>(link)) instance = {};
#define INSTANCE(n) instance = CHOICE::template of < is_rare(n) ? ANY_ORDER : (n) > (link)
    LTE_FOR_ORDER(link->n_tx, INSTANCE)
#undef INSTANCE
    return instance;
}

/* The same for the orders that are named. */
template <class CHOICE, int... ORDERS> auto instance_for_orders(const lte_link *link)
{
    auto instance = CHOICE::template of<ANY_ORDER>(link);
    ((instance = link->n_tx == ORDERS ? CHOICE::template of<ORDERS>(link) : instance), ...);
    return instance;
}

/*
 * Labels of n estimates; the number of bits becomes a constant for the loops over them. The list is
 * in ascending order, and the first one that fits is the last to be asked for. Of comparisons for
 * equality the compiler would make a table of jumps, which a warp waits for.
 */
static __device__ __forceinline__ void demap(int n, int n_bits, const lte_cplx *x, lte_word *label)
{
#define DEMAP(bits, ...)                                                                           \
    if (n_bits <= bits) {                                                                          \
        lte_demap_hard(n, bits, x, label);                                                         \
        return;                                                                                    \
    }
    LTE_MODULATIONS(DEMAP)
#undef DEMAP
}

/*
 * Labels of the layers of a kernel of order N or any; of any layer by layer, so that they stay in
 * registers.
 */
template <int N>
static __device__ __forceinline__ void demap_layers(int n_tx, int n_bits, const lte_cplx *x,
                                                    lte_word *label)
{
    if constexpr (N != ANY_ORDER) {
        demap(n_tx, n_bits, x, label);
    } else {
#pragma unroll
        for (int k = 0; k < LTE_MAX_ORDER; k++) {
            if (k < n_tx)
                demap(1, n_bits, &x[k], &label[k]);
        }
    }
}

/* Element 0 of lane i's matrix in a batch of n elements each; the next lies 2 LTE_LANES on. */
template <class T> static __device__ __forceinline__ T *batch_at(T *batch, int n, int i)
{
    return batch + (ptrdiff_t)(i / LTE_LANES) * n * 2 * LTE_LANES + i % LTE_LANES;
}
static __device__ __forceinline__ lte_cplx batch_load(const float *p, int element)
{
    lte_cplx o = {p[element * 2 * LTE_LANES], p[element * 2 * LTE_LANES + LTE_LANES]};
    return o;
}
/* The lane of a batch, as batch_at counts them, that holds matrix m of n of subcarrier sc. */
static __device__ __forceinline__ int matrix_lane(int n, int sc, int m)
{
    return (int)lte_lane_at(n, 1, sc, m, 0);
}
static __device__ __forceinline__ void batch_store(float *p, int element, lte_cplx x)
{
    p[element * 2 * LTE_LANES] = x.re;
    p[element * 2 * LTE_LANES + LTE_LANES] = x.im;
}

/* The sum of the warp's values, each below 2^63, if it is below 2^64. All lanes must be here. */
static __device__ __forceinline__ int64_t warp_sum_wide(int64_t value)
{
    const uint32_t mask = (1u << 21) - 1u;
    const uint64_t v = (uint64_t)value;
    const uint64_t low = __reduce_add_sync(~0u, (uint32_t)v & mask);
    const uint64_t middle = __reduce_add_sync(~0u, (uint32_t)(v >> 21) & mask);
    const uint64_t high = __reduce_add_sync(~0u, (uint32_t)(v >> 42) & mask);
    return (int64_t)(low + (middle << 21) + (high << 42));
}

/* Adds it to *sum. */
static __device__ __forceinline__ void warp_add_wide(int64_t value, int64_t *sum)
{
    const int64_t all = warp_sum_wide(value);
    if (threadIdx.x % WARP == 0)
        atomicAdd((unsigned long long *)sum, (unsigned long long)all);
}

/* The same of 32 bits, if there is anything to add. */
static __device__ __forceinline__ void warp_add(uint32_t value, uint32_t *count)
{
    const uint32_t sum = __reduce_add_sync(~0u, value);
    if (threadIdx.x % WARP == 0 && sum)
        atomicAdd(count, sum);
}

/*
 * The stages one by one: blocks so small that a slot of 1200 subcarriers occupies many
 * multiprocessors.
 */
enum { STAGE_BLOCK = 32 };
static inline unsigned stage_blocks(const lte_link *link)
{
    return (unsigned)blocks_of((int64_t)link->carrier.n_groups * LTE_LANES, STAGE_BLOCK);
}
/* The same for a thread per matrix that the receiver works with. */
static inline unsigned matrix_blocks(const lte_link *link)
{
    return (unsigned)blocks_of((int64_t)link->carrier.n_groups * link->receiver.n_csi * LTE_LANES,
                               STAGE_BLOCK);
}

/*
 * What a thread keeps of a size known at run time: n complex elements of dynamic shared memory, of
 * which the block has memory_of_block. An odd stride: no bank twice.
 */
static __device__ __forceinline__ lte_cplx *thread_memory(int n)
{
    extern __shared__ lte_cplx of_block[];
    return of_block + threadIdx.x * (n | 1);
}

/* Its bytes for blocks of a kernel; lets the kernel have them. */
static inline lte_status memory_of_block(const void *kernel, int block, int n, size_t *bytes)
{
    const size_t every_kernel_has = 48 << 10;
    *bytes = (size_t)(block * (n | 1)) * sizeof(lte_cplx);
    return *bytes <= every_kernel_has ? LTE_OK : allow_shared(kernel, *bytes);
}

#endif
