#ifndef LTE_KERNELS_SLOT_EXCHANGE_CUH
#define LTE_KERNELS_SLOT_EXCHANGE_CUH
/*
 * What the blocks of a persistent kernel that estimates tell each other, and what its two kinds of
 * estimates share: barriers, words from block to block, the reading of the reference symbol, the
 * residual.
 */
#include "kernels/cuda/slot/slot.cuh"

/* Named barriers; 0 is that of __syncthreads. */
enum { TEAM_BARRIER = 1, REQUESTED_BARRIER, Y_BARRIER };

/*
 * Waits for n_threads of the block, whole warps, to come to a barrier; or says only: I was here,
 * and what I wrote to shared memory is there.
 */
static __device__ __forceinline__ void barrier_wait(int barrier, int n_threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(n_threads) : "memory");
}
static __device__ __forceinline__ void barrier_pass(int barrier, int n_threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(n_threads) : "memory");
}

/*
 * Where the blocks of a carrier add up their residuals, one word for the lower bits, one for the
 * others: each word counts in its top bits the warps that have added to it, so that whoever finds
 * all of them there needs no order among the two, which a fence would cost. Ticks take them in
 * turn.
 */
enum { COUNTERS = LTE_COUNTER_WORDS / 2, COUNTER_LOW = 40, COUNTER_WARPS = 48 };

/* Two words that other blocks write, each whole by itself. */
struct word_pair {
    uint64_t first, second;
};
static __device__ __forceinline__ word_pair pair_read(const uint64_t *p)
{
    word_pair w;
    asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];"
                 : "=l"(w.first), "=l"(w.second)
                 : "l"(p)
                 : "memory");
    return w;
}
static __device__ __forceinline__ void pair_write(uint64_t *p, word_pair w)
{
    asm volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(w.first), "l"(w.second)
                 : "memory");
}

/*
 * The reference symbol's subcarriers that other blocks have read, from block to block: each float
 * beside the period's number, so that whoever finds the number has the float, without a flag or a
 * fence. One place for each is enough: the doorbell rings again when all blocks have answered.
 */
static __device__ __forceinline__ word_pair forwarded(lte_cplx z, uint32_t round)
{
    return {(uint64_t)round << 32 | r_bits(z.re), (uint64_t)round << 32 | r_bits(z.im)};
}
static __device__ __forceinline__ bool is_forwarded(word_pair w, uint32_t round)
{
    return (uint32_t)(w.first >> 32) == round && (uint32_t)(w.second >> 32) == round;
}

/*
 * Takes n values that blocks have forwarded in a period, value i from where(i), by TEAM threads:
 * take(i, value).
 */
template <int TEAM, class WHERE, class TAKE>
static __device__ __forceinline__ void take_forwarded(int n, uint32_t round, WHERE where, TAKE take)
{
    constexpr int AT_ONCE = 2; /* that a thread asks for: 4x4 needs 1 and 2 */
    for (int i0 = (int)threadIdx.x; i0 < n; i0 += AT_ONCE * TEAM) {
        word_pair taken[AT_ONCE];
        bool all;
        do { /* without branches: all are asked for before one is waited for */
            all = true;
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++)
                taken[i] = pair_read(where(i0 + i * TEAM < n ? i0 + i * TEAM : i0));
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++)
                all = all && is_forwarded(taken[i], round);
        } while (!all);
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++) {
            const lte_cplx value = {r_from_bits((uint32_t)taken[i].first),
                                    r_from_bits((uint32_t)taken[i].second)};
            if (i0 + i * TEAM < n)
                take(i0 + i * TEAM, value);
        }
    }
}

/*
 * A block of a persistent kernel that estimates: its subcarriers sc0 .. sc0 + n_live - 1, K at
 * most, and its team of TEAM threads, L for each of them.
 */
template <int N> struct estimating_block {
    static constexpr int K = latency_subcarriers(N), L = lanes_of(N), TEAM = K * L;
    static constexpr int STRIDE = plane_stride(K);
    static constexpr int AT_ONCE = 2; /* subcarriers that a thread asks for: 4x4 needs 1 */

    const slot_args &a;
    int unit, sc0, n_live;

    __device__ __forceinline__ estimating_block(const slot_args &args, int number)
        : a(args), unit(number), sc0(number * K)
    {
        n_live = a.link.carrier.n_sc - sc0 < K ? a.link.carrier.n_sc - sc0 : K;
    }

    /* Of this thread: its place among the subcarriers, one of the live ones, its lane. */
    __device__ __forceinline__ int place() const
    {
        return (int)threadIdx.x / L;
    }
    __device__ __forceinline__ int live_place() const
    {
        return place() < n_live ? place() : 0;
    }
    __device__ __forceinline__ int lane() const
    {
        return (int)threadIdx.x % L;
    }

    /* Words of a carrier: counters, then what is forwarded. */
    __device__ __forceinline__ uint64_t *counters(int carrier) const
    {
        return a.shared + (ptrdiff_t)carrier * (ptrdiff_t)lte_shared_words(&a.link);
    }
    __device__ __forceinline__ uint64_t *forward(int carrier) const
    {
        return counters(carrier) + LTE_COUNTER_WORDS;
    }

    /* The set that a kernel keeps: the final one if it is known, that of the residual otherwise. */
    __device__ __forceinline__ int kept_set() const
    {
        return a.link.receiver.noise_known ? weights_of(a.link, a.job.noise, NULL) : LTE_LS_WEIGHTS;
    }
    __device__ __forceinline__ bool keeps_the_final() const
    {
        return a.link.receiver.noise_known || !lte_estimator_has_levels(&a.link.receiver.estimator);
    }

    /*
     * Reads the block's own part of the reference symbol, [n_rx] planes of y from symbol on:
     * take(r, j, value) for its j-th subcarrier. Tells the other team when it is on its way.
     */
    template <class TAKE>
    __device__ __forceinline__ void receive(const float2 *symbol, TAKE take) const
    {
        const int t = (int)threadIdx.x, n_rx = a.link.n_rx, n_sc = a.link.carrier.n_sc;
        float2 requested[AT_ONCE];
        const auto request = [&](int i0) {
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                const int r = (i0 + i * TEAM) / K, j = (i0 + i * TEAM) % K;
                requested[i] =
                    r < n_rx && j < n_live
                        ? __ldcv(symbol + (ptrdiff_t)(r * LTE_SLOT_SYMBOLS) * n_sc + sc0 + j)
                        : make_float2(0.0f, 0.0f);
            }
        };
        request(t);
        barrier_pass(REQUESTED_BARRIER, 2 * TEAM);
        for (int i0 = t; i0 < n_rx * K; i0 += AT_ONCE * TEAM) {
#pragma unroll
            for (int i = 0; i < AT_ONCE; i++) {
                const int r = (i0 + i * TEAM) / K, j = (i0 + i * TEAM) % K;
                if (r < n_rx && j < n_live)
                    take(r, j, lte_cplx{requested[i].x, requested[i].y});
            }
            request(i0 + AT_ONCE * TEAM);
        }
    }

    /*
     * What this thread's antennas hold besides the estimate, in units of lte_residual_units.
     *
     *   received    [n_rx][K]
     *   planes      [n_rx][N][STRIDE] of H
     *   reference   [N][pitch], from sc0 on
     */
    __device__ __forceinline__ int64_t residual(const lte_cplx *received, const lte_cplx *planes,
                                                const lte_cplx *reference, int pitch) const
    {
        int64_t units = 0;
        for (int r = lane(); r < a.link.n_rx && place() < n_live; r += L) {
            lte_cplx left = received[r * K + place()];
#pragma unroll
            for (int k = 0; k < N; k++)
                left = c_nmac(left, planes[(r * N + k) * STRIDE + place()],
                              reference[k * pitch + place()]);
            units += lte_residual_units(c_abs2(left));
        }
        return units;
    }

    /* The sum of all threads' residuals of a carrier in a period: waits for all blocks. */
    __device__ __forceinline__ int64_t total(int carrier, uint64_t round, int64_t units) const
    {
        __shared__ uint64_t sum;
        constexpr uint64_t one = (uint64_t)1 << COUNTER_WARPS,
                           low = ((uint64_t)1 << COUNTER_LOW) - 1;
        uint64_t *const words = counters(carrier);
        uint64_t *const counter = words + round % COUNTERS * 2;
        static_assert((LTE_MAX_SC + K - 1) / K * (TEAM / WARP) <=
                          1 << (COUNTER_WARPS - COUNTER_LOW),
                      "lower bits of all warps run into the count");
        const uint64_t all = (uint64_t)a.units * (TEAM / WARP);
        const uint64_t mine = (uint64_t)warp_sum_wide(units);
        if (threadIdx.x % WARP == 0) {
            atomicAdd((unsigned long long *)&counter[0], one | (mine & low));
            atomicAdd((unsigned long long *)&counter[1], one | (mine >> COUNTER_LOW));
        }
        if (threadIdx.x == 0) {
            word_pair g = pair_read(counter);
            while (g.first >> COUNTER_WARPS != all || g.second >> COUNTER_WARPS != all)
                g = pair_read(counter);
            sum = (g.first & (one - 1)) + ((g.second & (one - 1)) << COUNTER_LOW);
            if (sc0 == 0) /* for the period after the next; no block is there now */
                words[(round + 2) % COUNTERS * 2] = words[(round + 2) % COUNTERS * 2 + 1] = 0;
        }
        barrier_wait(TEAM_BARRIER, TEAM);
        return (int64_t)sum;
    }
};

#endif
