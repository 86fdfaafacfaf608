/*
 * Large arrays on a device: slots from planes to packed bits in one kernel, for detectors that
 * solve and the inverter cholesky-delayed. H and y are read once, where they lie, and nothing but
 * bits is written; the bits are those of the stages (large_cuda.cu, large_detect_cuda.cu).
 *
 * large_fused.cuh makes H'y and the inverse; then a thread decides on a layer, X z, in all symbols.
 *
 * What binds on an H200, with carriers enough: issue slots, 64 to 71 % of them busy; the rest are
 * barriers between the phases of a block, of which a multiprocessor has 8 (64 x 8) to 1 (128 x 32).
 * Memory is at 48, 26 and 16 % of its rate.
 */
#include "kernels/base/labels.h"
#include "kernels/cuda/large/large.cuh"
#include "kernels/cuda/large/large_fused.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "phy/detection/solving.h"

namespace
{

using namespace fused;

struct fused_args {
    lte_link link;
    lte_noise noise;
    lte_units units;
    lte_residuals residual;
    float loading; /* of the detector's row */
    lte_slot_memory memory;
    uint64_t first;
};

/* Labels of layer k in all symbols: gain x_k z; z [7][n_tx], x [n_tx][n_tx] of one subcarrier. */
__device__ __forceinline__ void decide(const lte_link &link, int k, float loading, bool bad,
                                       const lte_cplx *x, const lte_cplx *z,
                                       uint32_t (&label)[LTE_SLOT_SYMBOLS])
{
    const int n_tx = link.n_tx;
    lte_cplx s[LTE_SLOT_SYMBOLS];
#pragma unroll
    for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
        s[i] = c_zero();
#pragma unroll 4
    for (int j = 0; j < n_tx; j++) {
        const lte_cplx element = x[(k * n_tx + j) * SUBS];
#pragma unroll
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
            s[i] = c_mac(s[i], element, z[(i * n_tx + j) * SUBS]);
    }
    const float gain = lte_solving_gain(loading, x[(k * n_tx + k) * SUBS].re);
#pragma unroll
    for (int i = 0; i < LTE_SLOT_SYMBOLS; i++)
        s[i] = bad ? c_zero() : c_scale(s[i], gain);
    demap(LTE_SLOT_SYMBOLS, link.n_bits, s, label);
}

/* Labels of a block, and zeros to fill 32 bits. */
__host__ __device__ int labels_of(int n_tx)
{
    return SUBS * n_tx + 32;
}

/* Grid: blocks of subcarriers x, slots y. WIDE: subcarriers that are copied together. */
template <int WIDE>
__global__ void __launch_bounds__(MOST_THREADS) fused_kernel(const __grid_constant__ fused_args a)
{
    extern __shared__ __align__(16) unsigned char block_memory[];
    const lte_link &link = a.link;
    const int n_tx = link.n_tx, n_sc = link.carrier.n_sc, n_labels = labels_of(n_tx);
    const int t = (int)threadIdx.x, n_threads = (int)blockDim.x;
    const int sc0 = (int)blockIdx.x * SUBS, n_live = n_sc - sc0, slot = (int)blockIdx.y;
    const uint64_t number = a.first + (uint64_t)slot;
    const made of = made_in(block_memory, n_tx);
    uint8_t *const labels = block_memory + parts_of(n_tx).all;
    const share s = share_of(n_tx, t);
    const bool live = s.u < n_live;
    const int unit = slot * n_sc + sc0 + (live ? s.u : n_live - 1);
    const float loading = a.loading * unit_n0(link, a.units, a.noise, a.residual, unit);
    for (int i = t; i < LTE_SLOT_SYMBOLS * n_labels; i += n_threads)
        lte_label_put(link.n_bits, labels, i, 0);
    invert_planes<WIDE>(link, (const lte_cplx *)lte_slot_memory_h(&link, &a.memory, number) + sc0,
                        (const lte_cplx *)lte_slot_memory_y(&link, &a.memory, number) + sc0, n_live,
                        loading, s, of);
    for (int k = s.p; k < n_tx; k += n_threads / SUBS) {
        uint32_t label[LTE_SLOT_SYMBOLS];
        decide(link, k, loading, of.bad[s.u] != 0, of.x + s.u, of.z + s.u, label);
#pragma unroll
        for (int i = 0; i < LTE_SLOT_SYMBOLS; i++) {
            if (i != link.receiver.pilot && live)
                lte_label_put(link.n_bits, labels, i * n_labels + s.u * n_tx + k, label[i]);
        }
    }
    __syncthreads();
    write_labels(link.n_bits,
                 {labels, n_labels, LTE_SLOT_SYMBOLS, n_tx, n_live < SUBS ? n_live : SUBS, sc0},
                 lte_slot_memory_bits(&a.memory, number), a.memory.row_bytes, t, n_threads);
}

/* Bytes of a block's shared memory. */
size_t memory_of(const lte_link *link)
{
    return parts_of(link->n_tx).all +
           LTE_SLOT_SYMBOLS * (size_t)labels_of(link->n_tx) * (size_t)lte_label_bytes(link->n_bits);
}

} // namespace

/*
 * The choice. Other detectors and inverters and small arrays have other operations, a channel that
 * moves seven matrices a subcarrier; orders up to MOST_TX whose threads are a block's, if the
 * device has the shared memory. A sweep has its channels as matrices and is not asked. Against the
 * stages on one H200, a slot's p50 and the 20 MHz carriers that are held: 64 x 8 32 us for 80 and
 * 127 for 14, 64 x 16 41 for 81 and 43 for 9, 128 x 32 102 for 209 and 8 for 2.
 */
bool lte_large_fuses(const lte_link *link, lte_detector detector)
{
    int device = 0, shared = 0;
    if (link->channel.wide || !lte_detector_solves(detector.id) ||
        !LTE_IS_LARGE(link->n_rx, link->n_tx) || link->receiver.n_csi > 1 ||
        link->receiver.inverter != LTE_INVERTER_cholesky_delayed ||
        link->receiver.inversion != LTE_INVERSION_FAST || link->n_tx > MOST_TX ||
        link->n_tx % SIDE != 0)
        return false;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess)
        (void)cudaGetLastError();
    return memory_of(link) <= (size_t)shared;
}

lte_status lte_large_fused_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                cudaStream_t stream)
{
    const fused_args a = {*link,
                          job->noise,
                          lte_units_of(link, first, n_slots),
                          residuals_of(d_residual, first, job->memory.n_h_in),
                          lte_detector_row_of(job->detector)->loading,
                          job->memory,
                          first};
    const bool wide =
        link->carrier.n_sc % 2 == 0 && on_16_bytes(job->memory.h) && on_16_bytes(job->memory.y);
    const auto kernel = wide ? fused_kernel<2> : fused_kernel<1>;
    const size_t bytes = memory_of(link);
    const int threads = block_of(link->n_tx);
    const lte_status status = allow_shared((const void *)kernel, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)blocks_of(link->carrier.n_sc, SUBS), (unsigned)n_slots);
    kernel<<<grid, (unsigned)threads, bytes, stream>>>(a);
    return LTE_LAUNCHED(fused_kernel);
}
