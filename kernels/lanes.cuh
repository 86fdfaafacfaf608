#ifndef LTE_KERNELS_LANES_CUH
#define LTE_KERNELS_LANES_CUH
/*
 * The inverters with a matrix shared by neighbouring lanes of a warp, for batches too small to
 * fill the device with a thread per matrix: the chain of dependent operations becomes N times
 * shorter. Every element is updated by the same operations in the same order as in
 * phy/gauss_jordan.h and phy/ldl.h, so the bits are the same.
 */

#include "kernels/device.cuh"

/* Lanes of a matrix of order n: the next power of two, so that no matrix straddles warps. */
__host__ __device__ constexpr int lanes_of(int n)
{
    return n <= 1 ? 1 : n <= 2 ? 2 : n <= 4 ? 4 : 8;
}

/* x of the lane `from` of this group of L lanes. */
template <int L> static __device__ __forceinline__ lte_cplx lane_get(lte_cplx x, int from)
{
    lte_cplx o = {__shfl_sync(~0u, x.re, from, L), __shfl_sync(~0u, x.im, from, L)};
    return o;
}

/* True in all lanes of a group if it is in one. */
template <int L> static __device__ __forceinline__ bool lanes_any(bool x)
{
    const uint32_t group = (L == WARP ? ~0u : (1u << L % WARP) - 1u)
                           << (threadIdx.x % WARP / L * L);
    return (__ballot_sync(~0u, x) & group) != 0;
}

/*
 * L D L' with column j of the lower triangle in lane j: a[i] = a_ij for i >= j, the rest unused.
 * On return a[i] = (A^-1)_ij for i >= j, zero if flagged. Lanes from N on follow along.
 */
template <int N> static __device__ __forceinline__ bool ldl_lanes(lte_cplx *a)
{
    constexpr int L = lanes_of(N);
    const int j = (int)threadIdx.x % L;
    float inverse_d[N];
    lte_cplx m[N]; /* column j of L^-1 */
    bool flag = false;
#pragma unroll
    for (int k = 0; k < N; k++) {
        lte_cplx column[N], b = c_zero(); /* column k as it stands, b = a_jk */
#pragma unroll
        for (int i = k; i < N; i++) {
            column[i] = lane_get<L>(a[i], k);
            b = c_sel(i == j, column[i], b);
        }
        const float d = column[k].re;
        flag = flag || !lte_divides(d * d);
        inverse_d[k] = 1.0f / d;
#pragma unroll
        for (int i = k + 1; i < N; i++) {
            const lte_cplx scaled = c_scale(column[i], inverse_d[k]);
            a[i] = c_sel(j > k && i >= j, c_nmacc(a[i], scaled, b), c_sel(j == k, scaled, a[i]));
        }
    }
    /* m_ij = -(l_ij + sum_{j < k < i} l_ik m_kj), m_jj = 1 */
#pragma unroll
    for (int i = 0; i < N; i++) {
        const lte_cplx one = {1.0f, 0.0f};
        lte_cplx s = a[i];
#pragma unroll
        for (int k = 1; k < i; k++) {
            const lte_cplx l = lane_get<L>(a[i], k);
            s = c_sel(k > j, c_mac(s, l, m[k]), s);
        }
        m[i] = c_sel(i == j, one, c_neg(s));
    }
    /* x_ij = m_ij / d_i + sum_{k > i} conj(m_ki) / d_k m_kj */
#pragma unroll
    for (int i = 0; i < N; i++) {
        lte_cplx s = c_scale(m[i], inverse_d[i]);
#pragma unroll
        for (int k = i + 1; k < N; k++) {
            const lte_cplx weighted = c_scale(c_conj(lane_get<L>(m[k], i)), inverse_d[k]);
            s = c_mac(s, weighted, m[k]);
        }
        s.im = i == j ? 0.0f : s.im;
        a[i] = s;
        flag = flag || (j < N && i >= j && !(r_finite(s.re) && r_finite(s.im)));
    }
    flag = lanes_any<L>(flag);
#pragma unroll
    for (int i = 0; i < N; i++)
        a[i] = c_sel(flag, c_zero(), a[i]);
    return flag;
}

/*
 * Gauss-Jordan with full pivoting, row i of the matrix in lane i: a[j] = a_ij. On return lane i
 * holds row *row of the inverse, zero if flagged. Rows do not move between lanes: each lane knows
 * which row its own stands for. Lanes from N on follow along and must hold zeros.
 */
template <int N> static __device__ __forceinline__ bool gauss_jordan_lanes(lte_cplx *a, int *row)
{
    constexpr int L = lanes_of(N);
    const int lane = (int)threadIdx.x % L;
    int at = lane; /* the row that this lane's stands for */
    int row_is[N], column_is[N];
    bool flag = false;
#pragma unroll
    for (int k = 0; k < N; k++) {
        float size = 0.0f;
        int place = k * N + k;
#pragma unroll
        for (int j = k; j < N; j++) {
            const float here = c_abs2(a[j]);
            const bool larger = at >= k && size < here;
            size = larger ? here : size;
            place = larger ? at * N + j : place;
        }
        /* the largest size, then the lowest place: one number that orders both */
        uint64_t best = (uint64_t)r_bits(size) << 32 | (uint32_t)(63 - place) << 3 | (uint32_t)lane;
#pragma unroll
        for (int step = 1; step < L; step *= 2) {
            const uint64_t other = __shfl_xor_sync(~0u, best, step, L);
            best = other > best ? other : best;
        }
        size = r_from_bits((uint32_t)(best >> 32));
        place = 63 - (int)((uint32_t)best >> 3 & 63u);
        const int owner = (int)((uint32_t)best & 7u);
        flag = flag || !lte_divides(size);
        row_is[k] = place / N;
        column_is[k] = place - row_is[k] * N;

        const lte_cplx old = a[k];
#pragma unroll
        for (int j = k + 1; j < N; j++) {
            const lte_cplx other = a[j];
            a[j] = c_sel(column_is[k] == j, old, other);
            a[k] = c_sel(column_is[k] == j, other, a[k]);
        }
        lte_cplx pivot_row[N];
#pragma unroll
        for (int j = 0; j < N; j++)
            pivot_row[j] = lane_get<L>(a[j], owner);
        const float inverse_size = 1.0f / size;
        const lte_cplx p = {pivot_row[k].re * inverse_size, -(pivot_row[k].im * inverse_size)};
        const lte_cplx factor = a[k];
        const bool mine = lane == owner;
#pragma unroll
        for (int j = 0; j < N; j++) {
            const lte_cplx scaled = c_mul(pivot_row[j], p);
            a[j] = c_sel(mine, scaled, c_nmac(a[j], factor, scaled));
        }
        a[k] = c_sel(mine, p, c_neg(c_mul(factor, p)));
        at = mine ? k : at == k ? row_is[k] : at;
    }
#pragma unroll
    for (int k = N - 1; k >= 0; k--) {
        lte_mask m[N];
        lte_places(N, k, (uint32_t)row_is[k], m);
        lte_swap(N, k, m, a);
        at = at == k ? column_is[k] : at == column_is[k] ? k : at;
    }
#pragma unroll
    for (int j = 0; j < N; j++)
        flag = flag || (lane < N && !(r_finite(a[j].re) && r_finite(a[j].im)));
    flag = lanes_any<L>(flag);
#pragma unroll
    for (int j = 0; j < N; j++)
        a[j] = c_sel(flag, c_zero(), a[j]);
    *row = at;
    return flag;
}

/*
 * Inverse of a matrix shared by lanes: element (i, j) comes from get(i, j) and goes out through
 * put(i, j, x), each by one lane of the group.
 */
template <int N, int INV, class Get, class Put>
static __device__ __forceinline__ bool invert_lanes(Get get, Put put)
{
    constexpr int L = lanes_of(N);
    const int lane = (int)threadIdx.x % L;
    lte_cplx a[N];
    bool flag;
    if constexpr (INV == LTE_INVERTER_ldl) {
#pragma unroll
        for (int i = 0; i < N; i++)
            a[i] = lane < N && i >= lane ? get(i, lane) : c_zero();
        flag = ldl_lanes<N>(a);
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (lane < N && i >= lane) {
                put(i, lane, a[i]);
                if (i > lane)
                    put(lane, i, flag ? c_zero() : c_conj(a[i]));
            }
        }
    } else {
        int row;
#pragma unroll
        for (int j = 0; j < N; j++)
            a[j] = lane < N ? get(lane, j) : c_zero();
        flag = gauss_jordan_lanes<N>(a, &row);
#pragma unroll
        for (int j = 0; j < N; j++) {
            if (lane < N)
                put(row, j, a[j]);
        }
    }
    return flag;
}

#endif
