#ifndef LTE_KERNELS_SLOT_CARRIER_ESTIMATOR_CUH
#define LTE_KERNELS_SLOT_CARRIER_ESTIMATOR_CUH
/*
 * The estimate of H over the whole carrier in a persistent kernel, where a layer has few unknowns:
 * as kernels/cuda/slot/slot_estimator.cuh, whose blocks and teams these are.
 *
 *   1 every block    sums of its own groups of subcarriers, forwarded
 *   2 block b        adds up its share of the sums over all groups in their order, forwards totals
 *   3 every block    takes all totals, multiplies them by the small matrix, makes H of its own
 *
 * Blocks so wait for each other twice; a third time for the residual, if it tells the noise. What
 * depends on the noise is kept from period to period while the level stays. A 4x4 slot of eva from
 * host memory at 20 MHz, noise estimated, p50 and p99.9 on one H200: 16.3 and 20.6 us.
 */
#include "kernels/cuda/slot/slot_exchange.cuh"

/* Whether a persistent kernel makes a link's estimates: matrices fit shared memory. */
static inline bool lte_persistent_estimates(const lte_link *link)
{
    return link->receiver.estimator.n_basis <= LTE_ESTIMATOR_PAD;
}

template <int N> struct carrier_estimator {
    typedef estimating_block<N> block;
    static constexpr int K = block::K, L = block::L, TEAM = block::TEAM, STRIDE = block::STRIDE;
    static constexpr int GROUPS = K / LTE_LANES; /* of a block */
    static constexpr int PITCH = K + 1;          /* lanes on different banks */
    static constexpr int ANTENNAS_AT_ONCE = 4;
    static_assert(K % LTE_LANES == 0, "groups straddle no blocks");

    /* What depends on the noise, of the kept set and of the last level's. */
    struct set_memory {
        lte_cplx *matrix; /* [n][n], column by column */
        float *error;     /* [K] */
        int *number;      /* of the set, -1: none yet */
    };

    const block own;
    int n_basis, n, pitch; /* unknowns of a layer, and of all; complex elements between rows */
    int n_sums, share;     /* of all antennas, and those that a block adds up */
    lte_cplx *planes;      /* [n_rx][N][STRIDE]  out */
    lte_cplx *row;         /* [K][pitch]  b_i */
    lte_cplx *reference;   /* [N][PITCH] */
    lte_cplx *received;    /* [n_rx][K] */
    lte_cplx *matched;     /* [n_rx][N][PITCH] */
    lte_cplx *gathered;    /* [share][n_groups] */
    lte_cplx *sum;         /* [n_rx][n]  c */
    lte_cplx *unknown;     /* [n_rx][n]  g */
    set_memory set[2];

    static __host__ __device__ int share_of(const lte_link &link)
    {
        const int units = (link.carrier.n_sc + K - 1) / K;
        return (link.n_rx * N * link.receiver.estimator.n_basis + units - 1) / units;
    }
    static __host__ __device__ int elements(const lte_link &link)
    {
        const int n_basis = link.receiver.estimator.n_basis, n = N * n_basis, n_rx = link.n_rx;
        return K * (n_basis | 1) + N * PITCH + n_rx * (K + N * PITCH) +
               share_of(link) * link.carrier.n_groups + 2 * n_rx * n + 2 * (n * n + K / 2 + 1);
    }

    __device__ __forceinline__ carrier_estimator(const slot_args &args, int unit,
                                                 lte_cplx *planes_of_h, lte_cplx *memory)
        : own(args, unit), planes(planes_of_h), row(memory)
    {
        const lte_link &link = args.link;
        n_basis = link.receiver.estimator.n_basis;
        n = N * n_basis;
        pitch = n_basis | 1;
        n_sums = link.n_rx * n;
        share = share_of(link);
        reference = row + K * pitch;
        received = reference + N * PITCH;
        matched = received + link.n_rx * K;
        gathered = matched + link.n_rx * N * PITCH;
        sum = gathered + share * link.carrier.n_groups;
        unknown = sum + n_sums;
        lte_cplx *at = unknown + n_sums;
#pragma unroll
        for (int i = 0; i < 2; i++) {
            set[i].matrix = at;
            set[i].error = (float *)(at + n * n);
            set[i].number = (int *)(set[i].error + K);
            at += n * n + K / 2 + 1;
        }
    }

    /* Brings in a set, by n_threads. */
    __device__ __forceinline__ void bring(int number, const set_memory &to, int n_threads) const
    {
        const lte_estimator &estimator = own.a.link.receiver.estimator;
        const int padded = lte_estimator_pitch(&estimator), width = N * padded;
        const float *const from = estimator.matrix + (ptrdiff_t)number * n * 2 * width;
#pragma unroll 4
        for (int e = (int)threadIdx.x; e < n * n; e += n_threads) {
            const int v = e / n, u = e % n;
            const float *const m = from + 2 * v * width + u / n_basis * padded + u % n_basis;
            to.matrix[e] = lte_cplx{m[0], m[width]};
        }
        for (int i = (int)threadIdx.x; i < own.n_live; i += n_threads)
            to.error[i] =
                estimator.estimation_error[number * own.a.link.carrier.n_groups * LTE_LANES +
                                           own.sc0 + i];
    }

    /* Brings in what stays, by all of the block's threads. */
    __device__ __forceinline__ void cache() const
    {
        const lte_link &link = own.a.link;
        const int padded = lte_estimator_pitch(&link.receiver.estimator),
                  n_threads = (int)blockDim.x;
        for (int i = (int)threadIdx.x; i < own.n_live * n_basis; i += n_threads) {
            const int j = i / n_basis, b = i % n_basis;
            const float *const from =
                link.receiver.estimator.row + (ptrdiff_t)2 * (own.sc0 + j) * padded + b;
            row[j * pitch + b] = lte_cplx{from[0], from[padded]};
        }
        for (int i = (int)threadIdx.x; i < N * K; i += n_threads) {
            const int k = i / K, j = i % K;
            if (j < own.n_live)
                reference[k * PITCH + j] =
                    ((const lte_cplx *)
                         link.receiver.estimator.reference)[k * link.carrier.n_sc + own.sc0 + j];
        }
        bring(own.kept_set(), set[0], n_threads);
        if (threadIdx.x == 0)
            *set[1].number = -1;
    }

    /* Sums of the block's groups; forward [n_sums][n_groups][2]. */
    __device__ __forceinline__ void correlate(uint64_t *forward, uint32_t round) const
    {
        for (int item = (int)threadIdx.x; item < GROUPS * n_sums; item += TEAM) {
            const int group = item / n_sums, s = item % n_sums;
            const int layer = s / n_basis, i = s % n_basis; /* rx N + k */
            const int first = group * LTE_LANES, left = own.n_live - first;
            const lte_cplx *const b = row + first * pitch + i;
            const lte_cplx *const z = matched + layer * PITCH + first;
            lte_cplx c = c_zero();
            if (left <= 0)
                continue;
            if (left >= LTE_LANES) {
#pragma unroll
                for (int j = 0; j < LTE_LANES; j++)
                    c = c_cmac(c, b[j * pitch], z[j]);
            } else {
                for (int j = 0; j < left; j++)
                    c = c_cmac(c, b[j * pitch], z[j]);
            }
            const int g = own.unit * GROUPS + group;
            pair_write(forward + 2 * ((ptrdiff_t)s * own.a.link.carrier.n_groups + g),
                       forwarded(c, round));
        }
    }

    /* Adds up the block's share of them; total [n_sums][2]. */
    __device__ __forceinline__ void add_up(const uint64_t *forward, uint64_t *total,
                                           uint32_t round) const
    {
        const int n_groups = own.a.link.carrier.n_groups, first = own.unit * share;
        const int here = n_sums - first < share ? n_sums - first : share;
        if (here <= 0)
            return;
        const uint64_t *const from = forward + 2 * (ptrdiff_t)first * n_groups;
        take_forwarded<TEAM>(
            here * n_groups, round, [&](int i) { return from + 2 * i; },
            [&](int i, lte_cplx part) { gathered[i] = part; });
        barrier_wait(TEAM_BARRIER, TEAM);
        for (int s = (int)threadIdx.x; s < here; s += TEAM) {
            lte_cplx c = gathered[s * n_groups];
#pragma unroll 8
            for (int g = 1; g < n_groups; g++) {
                c.re += gathered[s * n_groups + g].re;
                c.im += gathered[s * n_groups + g].im;
            }
            pair_write(total + 2 * (first + s), forwarded(c, round));
        }
    }

    /* g = M c of all antennas. */
    __device__ __forceinline__ void fit(const lte_cplx *matrix) const
    {
        for (int item = (int)threadIdx.x; item < n_sums; item += TEAM) {
            const lte_cplx *const c = sum + item / n * n, *const m = matrix + item % n;
            lte_cplx g = c_zero();
#pragma unroll 4
            for (int v = 0; v < n; v++)
                g = c_mac(g, m[v * n], c[v]);
            unknown[item] = g;
        }
    }

    /* H of this thread's subcarrier and layer, all antennas. */
    __device__ __forceinline__ void synthesise() const
    {
        const int lane = own.lane(), place = own.place(), layer = lane < N ? lane : 0;
        const int n_rx = own.a.link.n_rx;
        const lte_cplx *const b = row + own.live_place() * pitch, *const g =
                                                                      unknown + layer * n_basis;
        for (int r0 = 0; r0 < n_rx; r0 += ANTENNAS_AT_ONCE) {
            lte_cplx h[ANTENNAS_AT_ONCE];
#pragma unroll
            for (int r = 0; r < ANTENNAS_AT_ONCE; r++)
                h[r] = c_zero();
#pragma unroll 3
            for (int i = 0; i < n_basis; i++) {
                const lte_cplx b_i = b[i];
#pragma unroll
                for (int r = 0; r < ANTENNAS_AT_ONCE; r++)
                    h[r] = c_mac(h[r], b_i, g[(r0 + r < n_rx ? r0 + r : r0) * n + i]);
            }
#pragma unroll
            for (int r = 0; r < ANTENNAS_AT_ONCE; r++) {
                if (r0 + r < n_rx && lane < N)
                    planes[((r0 + r) * N + layer) * STRIDE + place] =
                        place < own.n_live ? h[r] : c_zero();
            }
        }
    }

    /* Estimates by a set, of the sums. */
    __device__ __forceinline__ void estimate(const set_memory &from) const
    {
        fit(from.matrix);
        barrier_wait(TEAM_BARRIER, TEAM);
        synthesise();
        barrier_wait(TEAM_BARRIER, TEAM);
    }

    /* As window_estimator's. */
    __device__ __forceinline__ float run(const float2 *y, int carrier, uint64_t period) const
    {
        const slot_args &a = own.a;
        const int place = own.live_place();
        const uint32_t round = (uint32_t)period;
        uint64_t *const forward = own.forward(carrier);
        uint64_t *const totals = forward + 2 * (ptrdiff_t)n_sums * a.link.carrier.n_groups;
        int64_t units = 0;
        own.receive(y + (ptrdiff_t)LTE_PILOT_SYMBOL * a.link.carrier.n_sc, [&](int r, int j,
                                                                               lte_cplx here) {
            received[r * K + j] = here;
#pragma unroll
            for (int k = 0; k < N; k++)
                matched[(r * N + k) * PITCH + j] = c_macc(c_zero(), here, reference[k * PITCH + j]);
        });
        barrier_wait(TEAM_BARRIER, TEAM);
        correlate(forward, round);
        add_up(forward, totals, round);
        take_forwarded<TEAM>(
            n_sums, round, [&](int i) { return totals + 2 * i; },
            [&](int i, lte_cplx c) { sum[i] = c; });
        barrier_wait(TEAM_BARRIER, TEAM);
        estimate(set[0]);
        if (!a.link.receiver.noise_known)
            units = own.total(carrier, period, own.residual(received, planes, reference, PITCH));
        const float n0 = noise_of(a.link, a.job.noise, &units);
        if (own.keeps_the_final())
            return lte_effective_n0(n0, set[0].error[place]);
        const int number = lte_link_weights(&a.link, n0);
        if (*set[1].number != number) {
            bring(number, set[1], TEAM);
            barrier_wait(TEAM_BARRIER, TEAM);
            if (threadIdx.x == 0) /* read again in the next period */
                *set[1].number = number;
        }
        estimate(set[1]);
        return lte_effective_n0(n0, set[1].error[place]);
    }
};

#endif
