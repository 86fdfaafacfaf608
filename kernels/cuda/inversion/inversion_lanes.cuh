#ifndef LTE_KERNELS_INVERSION_LANES_CUH
#define LTE_KERNELS_INVERSION_LANES_CUH
/*
 * A row of a matrix for each lane, by the inverters that have overrides<> with lanes; and the
 * stage, which inverts the batches of a link where they lie.
 */

#include "kernels/base/launcher.cuh"
#include "kernels/cuda/device/lanes.cuh"

namespace
{

/* A matrix shared by lanes; two warps a block, so that 1200 matrices reach every multiprocessor. */
enum { LANES_BLOCK = 64 };

/* Row `own` of a matrix that lies as it is. */
template <int N>
__device__ __forceinline__ void load_row(const lte_cf32 *matrix, int own, lte_cplx *row)
{
    const float2 *const in = (const float2 *)matrix + own * N;
    if constexpr (N % 2 == 0) {
#pragma unroll
        for (int j = 0; j < N; j += 2) {
            const float4 z = *(const float4 *)(in + j);
            row[j].re = z.x;
            row[j].im = z.y;
            row[j + 1].re = z.z;
            row[j + 1].im = z.w;
        }
    } else {
#pragma unroll
        for (int j = 0; j < N; j++) {
            const float2 z = in[j];
            row[j].re = z.x;
            row[j].im = z.y;
        }
    }
}

/* Row `index` of the inverse, which the lane has. */
template <int N, int INV>
__device__ __forceinline__ void store_row(lte_cf32 *matrix, int lane, int index, bool flag,
                                          const lte_cplx *row)
{
    float2 *const out = (float2 *)matrix;
    if constexpr (overrides<INV>::hermitian) {
        /* Hermitian: the row is its conjugate, the column, whose lanes lie side by side */
#pragma unroll
        for (int i = 0; i < N; i++) {
            const bool as_is = flag || i == lane; /* conj(+0) would be -0 */
            out[i * N + lane] = make_float2(row[i].re, as_is ? row[i].im : -row[i].im);
        }
    } else if constexpr (N % 2 == 0) {
#pragma unroll
        for (int j = 0; j < N; j += 2)
            *(float4 *)(out + index * N + j) =
                make_float4(row[j].re, row[j].im, row[j + 1].re, row[j + 1].im);
    } else {
#pragma unroll
        for (int j = 0; j < N; j++)
            out[index * N + j] = make_float2(row[j].re, row[j].im);
    }
}

/*
 * Matrices d_a one after another, whose inverses go to d_x; or, for the stage, those of a batch as
 * kernels/link/link.h lays them out, which become their inverses.
 */
template <int N, int INV>
__global__ __launch_bounds__(LANES_BLOCK) void lanes_kernel(int n_matrices, const lte_cf32 *d_a,
                                                            lte_cf32 *d_x, float *batch,
                                                            uint8_t *d_flag)
{
    constexpr int L = lanes_of(N);
    const int lane = (int)threadIdx.x % L;
    const int matrix = (int)(blockIdx.x * (LANES_BLOCK / L) + threadIdx.x / L);
    const bool exists = matrix < n_matrices;
    const int source = exists ? matrix : n_matrices - 1;
    const int own = lane < N ? lane : N - 1;
    float *const in_batch = batch_at(batch, N * N, source);
    __shared__ lte_cplx tiles[LANES_BLOCK / L][lane_tile<N>::size];
    lte_cplx row[N];
    int index;
    if (batch) {
#pragma unroll
        for (int j = 0; j < N; j++)
            row[j] = batch_load(in_batch, own * N + j);
    } else {
        load_row<N>(d_a + (ptrdiff_t)source * N * N, own, row);
    }
    const bool flag = overrides<INV>::template run<N>(tiles[threadIdx.x / L], row, &index);
    if (!exists)
        return;
    if (lane == 0)
        d_flag[matrix] = (uint8_t)flag;
    if (lane >= N)
        return;
    if (batch) {
#pragma unroll
        for (int j = 0; j < N; j++)
            batch_store(in_batch, index * N + j, row[j]);
    } else {
        store_row<N, INV>(d_x + (ptrdiff_t)matrix * N * N, lane, index, flag, row);
    }
}

template <int INV>
lte_status lanes_any_order(int n, int n_matrices, const lte_cf32 *d_a, lte_cf32 *d_x,
                           uint8_t *d_flag, cudaStream_t stream)
{
#define RUN(order)                                                                                 \
    lanes_kernel<order, INV>                                                                       \
        <<<blocks_of(n_matrices, LANES_BLOCK / lanes_of(order)), LANES_BLOCK, 0, stream>>>(        \
            n_matrices, d_a, d_x, NULL, d_flag)
    LTE_FOR_ORDER(n, RUN)
#undef RUN
    return LTE_LAUNCHED(lanes_kernel);
}

/* The stage by a thread per matrix, of inverters without lanes. */
template <int N, int INV>
__global__ __launch_bounds__(LANES_BLOCK) void stage_thread_kernel(lte_link link, float *a_batch,
                                                                   uint8_t *flags)
{
    const int i = (int)(blockIdx.x * LANES_BLOCK + threadIdx.x);
    if (i >= link.carrier.n_groups * link.receiver.n_csi * LTE_LANES)
        return;
    float *const matrix = batch_at(a_batch, N * N, i);
    lte_cplx a[N * N];
#pragma unroll
    for (int e = 0; e < N * N; e++)
        a[e] = batch_load(matrix, e);
    flags[i] = (uint8_t)inverse<N, INV>(N, a);
#pragma unroll
    for (int e = 0; e < N * N; e++)
        batch_store(matrix, e, a[e]);
}

template <int N, int INV>
void run_stage(const lte_link *link, float *a, uint8_t *flag, cudaStream_t stream)
{
    const int n = link->carrier.n_groups * link->receiver.n_csi * LTE_LANES;
    if constexpr (overrides<INV>::lanes)
        lanes_kernel<N, INV><<<blocks_of(n, LANES_BLOCK / lanes_of(N)), LANES_BLOCK, 0, stream>>>(
            n, NULL, NULL, a, flag);
    else
        stage_thread_kernel<N, INV>
            <<<blocks_of(n, LANES_BLOCK), LANES_BLOCK, 0, stream>>>(*link, a, flag);
}

template <int INV>
lte_status stage_any(const lte_link *link, float *a, uint8_t *flag, cudaStream_t stream)
{
#define RUN(order) run_stage<order, INV>(link, a, flag, stream)
    LTE_FOR_ORDER(link->n_tx, RUN)
#undef RUN
    return LTE_LAUNCHED(lanes_kernel);
}

} // namespace

#endif
