#ifndef LTE_KERNELS_SLOT_ESTIMATOR_CUH
#define LTE_KERNELS_SLOT_ESTIMATOR_CUH
/*
 * The estimate of H in a persistent kernel. A block keeps its latency_subcarriers as long as it
 * lives and has two teams of warps: one estimates, detects and answers, with L lanes to a
 * subcarrier and a layer to each lane; the other reads y meanwhile.
 *
 * What helped a 4x4 slot from host memory, p50 and p99.9 in us on one H200:
 *     25     36   before
 *     21.3   28   weights and sequences kept in shared memory without bank conflicts; y read by a
 *                 second team
 *     12.8   17   the reference symbol forwarded from block to block, so that no two blocks read
 *                 the same line of host memory at once (the second waits for the first: three of
 *                 them took 8 us)
 */
#include "kernels/cuda/slot/slot_exchange.cuh"

/*
 * Estimates of a block's subcarriers in windows, of one layer each lane: from the reference symbol
 * received to planes of H, both in shared memory. So are sequences and weights, for as long as the
 * kernel lives: the doorbell's acquire empties the first-level cache each time.
 */
template <int N> struct window_estimator {
    typedef estimating_block<N> block;
    static constexpr int K = block::K, L = block::L, TEAM = block::TEAM, STRIDE = block::STRIDE;
    static constexpr int WINDOW = LTE_ESTIMATOR_WINDOW;
    static constexpr int PITCH =
        (K + WINDOW + 15) / 16 * 16 + 16 / L;  /* lanes on different banks */
    static constexpr int ANTENNAS_AT_ONCE = 4; /* antennas */

    const block own;
    int needed, beyond;  /* subcarriers of the windows: needed .. beyond - 1 */
    lte_cplx *planes;    /* [n_rx][N][STRIDE]  out */
    lte_cplx *weight;    /* [window][TEAM]  of the kept set */
    lte_cplx *reference; /* [N][PITCH], from needed on */
    lte_cplx *received;  /* [n_rx][K] */
    lte_cplx *matched;   /* [n_rx][N][PITCH], from needed on */
    float *error;        /* [K]  of the kept set */

    static __host__ __device__ int elements(const lte_link &link)
    {
        return WINDOW * TEAM + N * PITCH + link.n_rx * (K + N * PITCH) + K / 2;
    }

    __device__ __forceinline__ window_estimator(const slot_args &args, int unit,
                                                lte_cplx *planes_of_h, lte_cplx *memory)
        : own(args, unit), planes(planes_of_h), weight(memory)
    {
        const lte_link &link = args.link;
        const int window = link.receiver.estimator.window;
        needed = lte_estimator_start(link.carrier.n_sc, window, own.sc0);
        beyond = lte_estimator_start(link.carrier.n_sc, window, own.sc0 + own.n_live - 1) + window;
        reference = weight + WINDOW * TEAM;
        received = reference + N * PITCH;
        matched = received + link.n_rx * K;
        error = (float *)(matched + link.n_rx * N * PITCH);
    }

    /* Weights in a table of thread t: [window]. */
    __device__ __forceinline__ const lte_cplx *table(int set, int t) const
    {
        const lte_link &link = own.a.link;
        const int window = link.receiver.estimator.window;
        const int layer = t % L < N ? t % L : 0;
        const int sc = own.sc0 + (t / L < own.n_live ? t / L : 0);
        const int row = sc - lte_estimator_start(link.carrier.n_sc, window, sc);
        return (const lte_cplx *)link.receiver.estimator.weight +
               (((ptrdiff_t)set * N + layer) * window + row) * window;
    }

    /* Brings in what stays, by all of the block's threads. */
    __device__ __forceinline__ void cache() const
    {
        const lte_link &link = own.a.link;
        const lte_estimator &estimator = link.receiver.estimator;
        const int set = own.kept_set(), n_threads = (int)blockDim.x;
        for (int i = (int)threadIdx.x; i < estimator.window * TEAM; i += n_threads)
            weight[i] = table(set, i % TEAM)[i / TEAM];
        for (int i = (int)threadIdx.x; i < N * PITCH; i += n_threads) {
            const int sc = needed + i % PITCH;
            if (sc < beyond)
                reference[i] =
                    ((const lte_cplx *)estimator.reference)[i / PITCH * link.carrier.n_sc + sc];
        }
        for (int i = (int)threadIdx.x; i < own.n_live; i += n_threads)
            error[i] =
                estimator.estimation_error[set * link.carrier.n_groups * LTE_LANES + own.sc0 + i];
    }

    __device__ __forceinline__ void match(int r, int sc, lte_cplx here) const
    {
        const int j = sc - needed;
#pragma unroll
        for (int k = 0; k < N; k++)
            matched[(r * N + k) * PITCH + j] = c_macc(c_zero(), here, reference[k * PITCH + j]);
    }

    /*
     * Reads the block's own part of the reference symbol, hands it on and takes the neighbours';
     * matched filters of both.
     *
     *   symbol    [n_rx] planes of the symbol, as y
     *   forward   [n_rx][n_sc][2]
     */
    __device__ __forceinline__ void receive(const float2 *symbol, uint64_t *forward,
                                            uint32_t round) const
    {
        const int n_sc = own.a.link.carrier.n_sc, left = own.sc0 - needed;
        const int n_others = beyond - needed - own.n_live; /* subcarriers of neighbours */
        const auto sc_of = [&](int i) {
            const int j = i % n_others;
            return j < left ? needed + j : own.sc0 + own.n_live + j - left;
        };
        own.receive(symbol, [&](int r, int j, lte_cplx here) {
            pair_write(forward + 2 * ((ptrdiff_t)r * n_sc + own.sc0 + j), forwarded(here, round));
            received[r * K + j] = here;
            match(r, own.sc0 + j, here);
        });
        take_forwarded<TEAM>(
            own.a.link.n_rx * n_others, round,
            [&](int i) { return forward + 2 * ((ptrdiff_t)(i / n_others) * n_sc + sc_of(i)); },
            [&](int i, lte_cplx here) { match(i / n_others, sc_of(i), here); });
    }

    /* H by the weights w[0], w[step], .. of this thread. */
    __device__ __forceinline__ void apply_weights(const lte_cplx *w, int step) const
    {
        const lte_link &link = own.a.link;
        const int lane = own.lane(), place = own.place(), layer = lane < N ? lane : 0;
        const int window = link.receiver.estimator.window, n_rx = link.n_rx;
        const lte_cplx *const z =
            matched + layer * PITCH +
            lte_estimator_start(link.carrier.n_sc, window, own.sc0 + own.live_place()) - needed;
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
                    planes[((r0 + i) * N + layer) * STRIDE + place] =
                        place < own.n_live ? sum[i] : c_zero();
            }
        }
    }

    /*
     * Estimates H from the reference symbol of y, whose planes start at y, for this thread's
     * subcarrier; returns what its detector goes by.
     */
    __device__ __forceinline__ float run(const float2 *y, int carrier, uint64_t round) const
    {
        const slot_args &a = own.a;
        const int t = (int)threadIdx.x, place = own.live_place();
        int64_t sum = 0;
        receive(y + (ptrdiff_t)LTE_PILOT_SYMBOL * a.link.carrier.n_sc, own.forward(carrier),
                (uint32_t)round);
        barrier_wait(TEAM_BARRIER, TEAM);
        apply_weights(weight + t, TEAM);
        barrier_wait(TEAM_BARRIER, TEAM);
        if (!a.link.receiver.noise_known)
            sum = own.total(carrier, round,
                            own.residual(received, planes, reference + (own.sc0 - needed), PITCH));
        if (own.keeps_the_final())
            return lte_effective_n0(noise_of(a.link, a.job.noise, &sum), error[place]);
        apply_weights(table(weights_of(a.link, a.job.noise, &sum), t), 1);
        barrier_wait(TEAM_BARRIER, TEAM);
        return effective_n0(a.link, a.job.noise, &sum, own.sc0 + place);
    }
};

#endif
