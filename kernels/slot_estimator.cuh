#ifndef LTE_KERNELS_SLOT_ESTIMATOR_CUH
#define LTE_KERNELS_SLOT_ESTIMATOR_CUH
/*
 * The estimate of H in a persistent kernel. A block keeps its latency_subcarriers as long as it
 * lives and has two teams of warps: one estimates, detects and answers, with L lanes to a
 * subcarrier and a layer to each lane; the other reads y meanwhile.
 *
 * What helped a 4x4 slot from host memory, p50 and p99.9 in us on one H200:
 *     25     36   before
 *     21.3   28   weights and references kept in shared memory without bank conflicts; y read by a
 *                 second team
 *     12.8   17   the reference symbol forwarded from block to block, so that no two blocks read
 *                 the same line of host memory at once (the second waits for the first: three of
 *                 them took 8 us)
 */
#include "kernels/slot.cuh"

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
 * Estimates of a block's subcarriers sc0 .. sc0 + n_live - 1, of one layer each lane: from the
 * reference symbol received to planes of H, both in shared memory. So are references and weights,
 * for as long as the kernel lives: the doorbell's acquire empties the first-level cache each time.
 */
template <int N> struct estimator {
    static constexpr int K = latency_subcarriers(N), L = lanes_of(N), TEAM = K * L;
    static constexpr int STRIDE = plane_stride(K), WINDOW = LTE_PILOT_WINDOW;
    static constexpr int PITCH =
        (K + WINDOW + 15) / 16 * 16 + 16 / L;  /* lanes on different banks */
    static constexpr int ANTENNAS_AT_ONCE = 4; /* antennas */
    static constexpr int SUBCARRIERS_AT_ONCE =
        2; /* subcarriers that a thread asks for: 4x4 needs 1 and 2 */

    const slot_args &a;
    int sc0, n_live;
    int needed, beyond;  /* subcarriers of the windows: needed .. beyond - 1 */
    lte_cplx *planes;    /* [n_rx][N][STRIDE]  out */
    lte_cplx *weight;    /* [window][TEAM]  of the kept set */
    lte_cplx *reference; /* [N][PITCH], from needed on */
    lte_cplx *received;  /* [n_rx][K] */
    lte_cplx *matched;   /* [n_rx][N][PITCH], from needed on */
    float *error;        /* [K]  of the kept set */

    static __host__ __device__ int elements(int n_rx)
    {
        return WINDOW * TEAM + N * PITCH + n_rx * (K + N * PITCH) + K / 2;
    }

    __device__ __forceinline__ estimator(const slot_args &args, int unit, lte_cplx *planes_of_h,
                                         lte_cplx *memory)
        : a(args), sc0(unit * K), planes(planes_of_h), weight(memory)
    {
        const lte_link &link = a.link;
        const int n_sc = link.n_sc, window = link.pilots.window;
        n_live = n_sc - sc0 < K ? n_sc - sc0 : K;
        needed = lte_pilot_start(n_sc, window, sc0);
        beyond = lte_pilot_start(n_sc, window, sc0 + n_live - 1) + window;
        reference = weight + WINDOW * TEAM;
        received = reference + N * PITCH;
        matched = received + link.n_rx * K;
        error = (float *)(matched + link.n_rx * N * PITCH);
    }

    __device__ __forceinline__ uint64_t *words_of(int carrier) const
    {
        return a.shared + (ptrdiff_t)carrier * (ptrdiff_t)lte_shared_words(&a.link);
    }

    /* The set of weights kept: the final one if it is known, that of the residual otherwise. */
    __device__ __forceinline__ int cached_set() const
    {
        return a.link.noise_known ? weights_of(a.link, a.job.noise, NULL) : LTE_LS_WEIGHTS;
    }
    __device__ __forceinline__ bool caches_the_final() const
    {
        return a.link.noise_known || !lte_pilots_have_levels(&a.link.pilots);
    }

    /* Weights in a table of thread t: [window]. */
    __device__ __forceinline__ const lte_cplx *table(int set, int t) const
    {
        const int window = a.link.pilots.window;
        const int own = t % L < N ? t % L : 0, sc = sc0 + (t / L < n_live ? t / L : 0);
        const int row = sc - lte_pilot_start(a.link.n_sc, window, sc);
        return (const lte_cplx *)a.link.pilots.weight +
               (((ptrdiff_t)set * N + own) * window + row) * window;
    }

    /* Brings in what stays, by all of the block's threads. */
    __device__ __forceinline__ void cache() const
    {
        const lte_pilots &pilots = a.link.pilots;
        const int set = cached_set(), n_threads = (int)blockDim.x;
        for (int i = (int)threadIdx.x; i < pilots.window * TEAM; i += n_threads)
            weight[i] = table(set, i % TEAM)[i / TEAM];
        for (int i = (int)threadIdx.x; i < N * PITCH; i += n_threads) {
            const int sc = needed + i % PITCH;
            if (sc < beyond)
                reference[i] = ((const lte_cplx *)pilots.reference)[i / PITCH * a.link.n_sc + sc];
        }
        for (int i = (int)threadIdx.x; i < n_live; i += n_threads)
            error[i] = pilots.estimation_error[set * a.link.n_groups * LTE_LANES + sc0 + i];
    }

    /* Where in the reference symbol: the block's own part, and what it needs of its neighbours'. */
    struct position {
        int r, sc;
        bool there;
    };
    __device__ __forceinline__ position own_position(int i) const
    {
        const int r = i / K, j = i % K;
        return {r, sc0 + j, r < a.link.n_rx && j < n_live};
    }
    __device__ __forceinline__ position neighbours_position(int i) const
    {
        const int r = i / WINDOW, j = i % WINDOW, left = sc0 - needed;
        const int sc = j < left ? needed + j : sc0 + n_live + j - left;
        return {r, sc, r < a.link.n_rx && sc < beyond};
    }

    __device__ __forceinline__ void match(position s, lte_cplx here) const
    {
        const int j = s.sc - needed;
#pragma unroll
        for (int k = 0; k < N; k++)
            matched[(s.r * N + k) * PITCH + j] = c_macc(c_zero(), here, reference[k * PITCH + j]);
    }

    /*
     * Reads the block's own part of the reference symbol, hands it on and takes the neighbours';
     * matched filters of both. Tells the other team when its own part is on its way.
     *
     *   symbol   [n_rx] planes of the symbol, as y
     *   forward     [n_rx][n_sc][2]
     */
    __device__ __forceinline__ void receive(const float2 *symbol, uint64_t *forward,
                                            uint32_t round) const
    {
        const int t = (int)threadIdx.x, n_rx = a.link.n_rx, n_sc = a.link.n_sc;
        float2 requested[SUBCARRIERS_AT_ONCE];
        const auto request = [&](int i0) {
#pragma unroll
            for (int i = 0; i < SUBCARRIERS_AT_ONCE; i++) {
                const position s = own_position(i0 + i * TEAM);
                requested[i] =
                    s.there ? __ldcv(symbol + (ptrdiff_t)(s.r * LTE_SLOT_SYMBOLS) * n_sc + s.sc)
                            : make_float2(0.0f, 0.0f);
            }
        };
        request(t);
        barrier_pass(REQUESTED_BARRIER, 2 * TEAM);
        for (int i0 = t; i0 < n_rx * K; i0 += SUBCARRIERS_AT_ONCE * TEAM) {
#pragma unroll
            for (int i = 0; i < SUBCARRIERS_AT_ONCE; i++) {
                const position s = own_position(i0 + i * TEAM);
                const lte_cplx here = {requested[i].x, requested[i].y};
                if (s.there) {
                    pair_write(forward + 2 * ((ptrdiff_t)s.r * n_sc + s.sc),
                               forwarded(here, round));
                    received[s.r * K + s.sc - sc0] = here;
                    match(s, here);
                }
            }
            request(i0 + SUBCARRIERS_AT_ONCE * TEAM);
        }
        for (int i0 = t; i0 < n_rx * WINDOW; i0 += SUBCARRIERS_AT_ONCE * TEAM) {
            word_pair taken[SUBCARRIERS_AT_ONCE];
            bool all;
            do { /* without branches: all are asked for before one is waited for */
                all = true;
#pragma unroll
                for (int i = 0; i < SUBCARRIERS_AT_ONCE; i++) {
                    const position s = neighbours_position(i0 + i * TEAM);
                    taken[i] =
                        pair_read(forward + 2 * (s.there ? (ptrdiff_t)s.r * n_sc + s.sc : sc0));
                }
#pragma unroll
                for (int i = 0; i < SUBCARRIERS_AT_ONCE; i++)
                    all = all && is_forwarded(taken[i], round);
            } while (!all);
#pragma unroll
            for (int i = 0; i < SUBCARRIERS_AT_ONCE; i++) {
                const position s = neighbours_position(i0 + i * TEAM);
                if (s.there)
                    match(s, {r_from_bits((uint32_t)taken[i].first),
                              r_from_bits((uint32_t)taken[i].second)});
            }
        }
    }

    /* H by the weights w[0], w[step], .. of this thread. */
    __device__ __forceinline__ void apply_weights(const lte_cplx *w, int step) const
    {
        const int lane = (int)threadIdx.x % L, place = (int)threadIdx.x / L;
        const int own = lane < N ? lane : 0, sc = sc0 + (place < n_live ? place : 0);
        const int window = a.link.pilots.window, n_rx = a.link.n_rx;
        const lte_cplx *const z =
            matched + own * PITCH + lte_pilot_start(a.link.n_sc, window, sc) - needed;
        for (int r0 = 0; r0 < n_rx; r0 += ANTENNAS_AT_ONCE) {
            lte_cplx sum[ANTENNAS_AT_ONCE];
#pragma unroll
            for (int i = 0; i < ANTENNAS_AT_ONCE; i++)
                sum[i] = c_zero();
#pragma unroll 12
            for (int j = 0; j < window; j++) {
                const lte_cplx weight_j = w[j * step];
#pragma unroll
                for (int i = 0; i < ANTENNAS_AT_ONCE; i++) {
                    const int r = r0 + i < n_rx ? r0 + i : r0;
                    sum[i] = c_mac(sum[i], weight_j, z[r * N * PITCH + j]);
                }
            }
#pragma unroll
            for (int i = 0; i < ANTENNAS_AT_ONCE; i++) {
                if (r0 + i < n_rx && lane < N)
                    planes[((r0 + i) * N + own) * STRIDE + place] =
                        place < n_live ? sum[i] : c_zero();
            }
        }
    }

    /* What this thread's antennas hold besides the estimate, in units of lte_residual_units. */
    __device__ __forceinline__ int64_t residual() const
    {
        const int lane = (int)threadIdx.x % L, place = (int)threadIdx.x / L;
        const int j = sc0 + place - needed;
        int64_t units = 0;
        for (int r = lane; r < a.link.n_rx && place < n_live; r += L) {
            lte_cplx left = received[r * K + place];
#pragma unroll
            for (int k = 0; k < N; k++)
                left = c_nmac(left, planes[(r * N + k) * STRIDE + place], reference[k * PITCH + j]);
            units += lte_residual_units(c_abs2(left));
        }
        return units;
    }

    /* The sum of all blocks' residuals of a carrier in a period: waits for them. */
    __device__ __forceinline__ int64_t total(int carrier, uint64_t round) const
    {
        __shared__ uint64_t sum;
        constexpr uint64_t one = (uint64_t)1 << COUNTER_WARPS,
                           low = ((uint64_t)1 << COUNTER_LOW) - 1;
        uint64_t *const counters = words_of(carrier);
        uint64_t *const counter = counters + round % COUNTERS * 2;
        static_assert((LTE_MAX_SC + K - 1) / K * (TEAM / WARP) <=
                          1 << (COUNTER_WARPS - COUNTER_LOW),
                      "lower bits of all warps run into the count");
        const uint64_t all = (uint64_t)a.units * (TEAM / WARP);
        const uint64_t mine = (uint64_t)warp_sum_wide(residual());
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
                counters[(round + 2) % COUNTERS * 2] = counters[(round + 2) % COUNTERS * 2 + 1] = 0;
        }
        barrier_wait(TEAM_BARRIER, TEAM);
        return (int64_t)sum;
    }

    /*
     * Estimates H from the reference symbol of y, whose planes start at y, for this thread's
     * subcarrier; returns what its detector goes by.
     */
    __device__ __forceinline__ float run(const float2 *y, int carrier, uint64_t round) const
    {
        const int t = (int)threadIdx.x, place = t / L < n_live ? t / L : 0;
        int64_t sum = 0;
        receive(y + (ptrdiff_t)LTE_PILOT_SYMBOL * a.link.n_sc,
                words_of(carrier) + LTE_COUNTER_WORDS, (uint32_t)round);
        barrier_wait(TEAM_BARRIER, TEAM);
        apply_weights(weight + t, TEAM);
        barrier_wait(TEAM_BARRIER, TEAM);
        if (!a.link.noise_known)
            sum = total(carrier, round);
        if (caches_the_final())
            return lte_effective_n0(noise_of(a.link, a.job.noise, &sum), error[place]);
        apply_weights(table(weights_of(a.link, a.job.noise, &sum), t), 1);
        barrier_wait(TEAM_BARRIER, TEAM);
        return effective_n0(a.link, a.job.noise, &sum, sc0 + place);
    }
};

#endif
