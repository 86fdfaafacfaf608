/*
 * One slot of the deadline run with its stages fused, for many carriers, which are a matter of
 * bytes: a thread per subcarrier, planes straight into registers; where the channel moves, a thread
 * per subcarrier and symbol.
 */
#include "kernels/slot.cuh"

namespace
{

/* ORs a label into rows of bits in shared memory at bit position at. */
__device__ __forceinline__ void put_label(uint32_t *row, int at, uint32_t label, int n_bits)
{
    const int shift = at % 32;
    atomicOr(&row[at / 32], label << shift);
    if (shift + n_bits > 32)
        atomicOr(&row[at / 32 + 1], label >> (32 - shift));
}

/*
 * Writes the block's bits, rows [n_rows][words] in shared memory, behind n_before subcarriers of
 * as many of the slot's rows: n_live subcarriers of re_bits bits. A block's bits start on a byte.
 */
__device__ __forceinline__ void write_rows(int n_rows, const uint32_t *rows, int words,
                                           int n_before, int n_live, int re_bits, uint8_t *bits,
                                           size_t row_bytes, int t, int n_threads)
{
    uint8_t *const out = bits + (size_t)n_before * (size_t)re_bits / 8;
    const int n_bytes = (n_live * re_bits + 7) / 8;
    if (((size_t)out | row_bytes | (size_t)n_bytes) % 4 == 0) {
        const int n_words = n_bytes / 4;
        for (int i = t; i < n_rows * n_words; i += n_threads)
            ((uint32_t *)(out + (size_t)(i / n_words) * row_bytes))[i % n_words] =
                rows[i / n_words * words + i % n_words];
    } else {
        for (int i = t; i < n_rows * n_bytes; i += n_threads)
            out[(size_t)(i / n_bytes) * row_bytes + (size_t)(i % n_bytes)] =
                ((const uint8_t *)(rows + i / n_bytes * words))[i % n_bytes];
    }
}

/*
 * A thread per subcarrier, and per symbol where the channel moves: blockIdx.y then. RX antennas in
 * registers, or (RX = 0) any number with H and W in shared memory.
 */
enum { THROUGHPUT_BLOCK = 128 };

struct throughput_shared {
    static int stride(int n_rx, int n_tx)
    {
        return 2 * n_rx * n_tx | 1;
    }
    static size_t bits(int n_tx, int n_bits, int block)
    {
        return sizeof(uint32_t) * LTE_SLOT_SYMBOLS * (size_t)(block * n_tx * n_bits / 32);
    }
};

template <int N, int RX, int INV>
__global__
__launch_bounds__(THROUGHPUT_BLOCK) void throughput_kernel(const __grid_constant__ slot_args a,
                                                           uint64_t first, int stride)
{
    extern __shared__ __align__(16) unsigned char memory[];
    const int n_rx = RX ? RX : a.link.n_rx, n_sc = a.link.n_sc, n_bits = a.link.n_bits;
    const int n = n_rx * N, n_csi = a.link.n_csi, t = (int)threadIdx.x, block = (int)blockDim.x;
    const int symbol0 = (int)blockIdx.y, n_symbols = n_csi > 1 ? 1 : LTE_SLOT_SYMBOLS;
    const int words = block * N * n_bits / 32;
    uint32_t *const rows = (uint32_t *)memory;
    lte_cplx *const matrices = (lte_cplx *)(memory + 8 * ((LTE_SLOT_SYMBOLS * words + 1) / 2));
    const uint64_t slot = first + blockIdx.x / (unsigned)a.units;
    const int sc0 = (int)(blockIdx.x % (unsigned)a.units) * block, sc = sc0 + t;
    const int n_live = n_sc - sc0 < block ? n_sc - sc0 : block;
    const float2 *const h_planes =
        (const float2 *)a.job.memory.h +
        ((slot % a.job.memory.n_h_in) * (uint64_t)(n * n_csi) + (uint64_t)symbol0) *
            (uint64_t)n_sc +
        sc;
    const float2 *const y_planes =
        (const float2 *)a.job.memory.y +
        ((slot % a.job.memory.n_in) * (uint64_t)(n_rx * LTE_SLOT_SYMBOLS) + (uint64_t)symbol0) *
            (uint64_t)n_sc +
        sc;
    uint8_t *const bits = a.job.memory.bits + (slot % a.job.memory.n_out) *
                                                  (uint64_t)LTE_SLOT_SYMBOLS *
                                                  a.job.memory.row_bytes;

    for (int i = t; i < LTE_SLOT_SYMBOLS * words; i += block)
        rows[i] = 0;
    __syncthreads();
    if (t < n_live) {
        lte_cplx h_registers[RX ? RX * N : 1], w_registers[RX ? RX * N : 1];
        lte_cplx y_registers[RX ? RX * LTE_SLOT_SYMBOLS : 1];
        lte_cplx *const h = RX ? h_registers : matrices + t * stride;
        lte_cplx *const w = RX ? w_registers : h + n;
#pragma unroll(RX ? RX *N : 4)
        for (int e = 0; e < n; e++) {
            const float2 z = h_planes[(ptrdiff_t)(e * n_csi) * n_sc];
            h[e].re = z.x;
            h[e].im = z.y;
        }
        if (RX) { /* asked for before they are needed */
#pragma unroll
            for (int e = 0; e < RX * LTE_SLOT_SYMBOLS; e++) {
                if (e % LTE_SLOT_SYMBOLS >= n_symbols)
                    continue;
                const float2 z = y_planes[(ptrdiff_t)e * n_sc];
                y_registers[RX ? e : 0].re = z.x;
                y_registers[RX ? e : 0].im = z.y;
            }
        }
        {
            lte_cplx g[N * N];
            float gain[N];
            lte_gram(n_rx, N, h, g);
            const float n0 =
                effective_n0(a.link, a.job.noise, a.residual + slot % a.job.memory.n_h_in, sc);
            lte_gram_load(N, g, loading_of(a.job.detector, n0));
            invert<N, INV>(g);
            gains_of(a.job.detector, N, g, n0, gain);
            if (RX) {
                lte_filter(RX, N, h, g, gain, w);
            } else {
#pragma unroll 1
                for (int r = 0; r < n_rx; r++)
                    lte_filter_antenna(N, h + r * N, g, gain, w + r * N);
            }
        }
#pragma unroll(RX ? LTE_SLOT_SYMBOLS : 1)
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            lte_cplx estimate[N];
            uint32_t label[N];
            if (symbol >= n_symbols)
                break;
            if (symbol == a.link.pilot)
                continue;
#pragma unroll
            for (int k = 0; k < N; k++)
                estimate[k] = c_zero();
#pragma unroll(RX ? RX : 1)
            for (int r = 0; r < n_rx; r++) {
                const int e = r * LTE_SLOT_SYMBOLS + symbol;
                lte_cplx y;
                if (RX) {
                    y = y_registers[RX ? e : 0];
                } else {
                    const float2 z = y_planes[(ptrdiff_t)e * n_sc];
                    y.re = z.x;
                    y.im = z.y;
                }
                lte_equalise_antenna(N, w + r * N, y, estimate);
            }
            decide(N, n_bits, estimate, label);
            uint64_t value = 0;
#pragma unroll
            for (int k = 0; k < N; k++)
                value |= (uint64_t)label[k] << (n_bits * k);
            uint32_t *const row = rows + symbol * words;
            if (N * n_bits == 16) {
                ((uint16_t *)row)[t] = (uint16_t)value;
            } else if (N * n_bits == 32) {
                row[t] = (uint32_t)value;
            } else {
                for (int k = 0; k < N; k++)
                    put_label(row, (t * N + k) * n_bits, label[k], n_bits);
            }
        }
    }
    __syncthreads();
    write_rows(n_symbols, rows, words, sc0, n_live, N * n_bits,
               bits + (size_t)symbol0 * a.job.memory.row_bytes, a.job.memory.row_bytes, t, block);
}

typedef void throughput_fn(slot_args a, uint64_t first, int stride);

struct instance {
    throughput_fn *kernel;
    bool square; /* it keeps matrices in registers */
};

template <int N, int INV> struct throughput_instance {
    static instance of(const lte_link *link)
    {
        if constexpr (N == 2 || N == 4) {
            if (link->n_rx == N)
                return {throughput_kernel<N, N, INV>, true};
        }
        return {throughput_kernel<N, 0, INV>, false};
    }
};

} // namespace

lte_status lte_slot_throughput_cuda(const lte_link *link, const lte_slot_job *job,
                                    const int64_t *d_residual, uint64_t first, cudaStream_t stream)
{
    int device = 0, limit = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (status)
        return status;
    const instance i = instance_for<throughput_instance>(link);
    const int stride = i.square ? 0 : throughput_shared::stride(link->n_rx, link->n_tx);
    int block = THROUGHPUT_BLOCK;
    size_t bytes;
    for (;; block -= WARP) {
        bytes = throughput_shared::bits(link->n_tx, link->n_bits, block) + 8 +
                sizeof(lte_cplx) * (size_t)block * (size_t)stride;
        if (bytes <= (size_t)limit || block == WARP)
            break;
    }
    const slot_args args = {*link, *job, d_residual, blocks_of(link->n_sc, block), NULL};
    status = allow_shared((const void *)i.kernel, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)(job->n_carriers * args.units), (unsigned)link->n_csi);
    i.kernel<<<grid, (unsigned)block, bytes, stream>>>(args, first, stride);
    return LTE_LAUNCHED(throughput_kernel);
}
