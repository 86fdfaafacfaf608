#ifndef LTE_KERNELS_LANES_CUH
#define LTE_KERNELS_LANES_CUH
/*
 * The inverters with a matrix shared by neighbouring lanes of a warp, for batches too small to
 * fill the device with a thread per matrix: the chain of dependent operations becomes N times
 * shorter. Every element is updated by the same operations in the same order as in
 * phy/inversion/gauss_jordan.h and phy/inversion/ldl.h, so the bits are the same.
 */

#include "kernels/cuda/device/device.cuh"

/*
 * What a device has for an inverter beside a thread per matrix with phy/'s formula. One that is
 * not specialised below has the formula alone.
 */
template <int INV> struct overrides {
    static constexpr bool lanes = false;       /* a matrix shared by lanes: run<N> */
    static constexpr bool hermitian = false;   /* reads the lower triangle; row i stays in lane i */
    static constexpr bool by_address = false;  /* swaps are undone by address: rows and columns */
    static constexpr bool copies_at_4 = false; /* order 4 is bound by bytes alone */
};

/* Lanes of a matrix of order n: the next power of two, so that no matrix straddles warps. */
static_assert(LTE_MAX_ORDER == 8, "lanes and places of a permutation are for orders up to 8");
__host__ __device__ constexpr int lanes_of(int n)
{
    return n <= 1 ? 1 : n <= 2 ? 2 : n <= 4 ? 4 : 8;
}

/*
 * Permutations of up to 8 places in a word, four bits each. Undoing the swaps of an elimination
 * from the last step to the first takes place i to place_of(p, i), where p starts as LTE_PLACES
 * and goes through places_swapped in the order of the steps: for rows with the columns that were
 * swapped, for columns with the rows.
 */
#define LTE_PLACES 0x76543210u
static __device__ __forceinline__ uint32_t places_swapped(uint32_t places, int k, int i)
{
    const uint32_t differ = (places >> (4 * k) ^ places >> (4 * i)) & 15u;
    return places ^ (differ << (4 * k) | differ << (4 * i));
}
static __device__ __forceinline__ int place_of(uint32_t places, int i)
{
    return (int)(places >> (4 * i) & 15u);
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
 * A matrix in shared memory, element (i, j) at i pitch + j, and the matrices of a warp one after
 * the other: lanes at their rows and lanes along a row fall on different banks.
 */
template <int N> struct lane_tile {
    static constexpr int pitch = N + 1;
    static constexpr int size = N * pitch;
};

/*
 * L D L' with row j of the lower triangle in lane j: a[k] = a_jk for k <= j, the rest unused. On
 * return lane j holds column j: a[i] = (A^-1)_ij for i >= j, zero if flagged. Lanes from N on
 * follow along.
 *
 * The three sums of phy/inversion/ldl.h go in one pass over k: as soon as d_k and row k of L are
 * known, row k of M = L^-1 follows, and its part of M' D^-1 M. So other work overlaps with the
 * chain from pivot to pivot, which sets the time, as long as the steps have selections and no
 * branches or barriers: with these, 1200 matrices of order 8 took half a microsecond more.
 */
template <int N> static __device__ __forceinline__ bool ldl_lanes(lte_cplx *a)
{
    constexpr int L = lanes_of(N);
    const int j = (int)threadIdx.x % L;
    const lte_cplx one = {1.0f, 0.0f};
    lte_cplx l[N][N], lj[N], m[N], x[N]; /* all of L; columns j of L, M and the inverse */
    bool flag = false;
#pragma unroll
    for (int i = 0; i < N; i++)
        lj[i] = c_zero();
#pragma unroll
    for (int k = 0; k < N; k++) {
        lte_cplx column[N]; /* column k as it stands */
#pragma unroll
        for (int i = k; i < N; i++)
            column[i] = lane_get<L>(a[k], i);
        const float d = column[k].re, inverse_d = r_reciprocal_moderate(d);
        flag = flag || !lte_divides(d * d);
        const lte_cplx ljk = c_scale(a[k], inverse_d);
#pragma unroll
        for (int i = k + 1; i < N; i++) {
            a[i] = c_nmacc(a[i], ljk, column[i]); /* counts for i <= j alone */
            l[i][k] = c_scale(column[i], inverse_d);
            lj[i] = c_sel(j == k, l[i][k], lj[i]);
        }
        /* m_kj = -(l_kj + sum_{j < i < k} l_ki m_ij), m_jj = 1 */
        lte_cplx s = lj[k];
#pragma unroll
        for (int i = 1; i < k; i++)
            s = c_sel(i > j, c_mac(s, l[k][i], m[i]), s);
        m[k] = c_sel(k == j, one, c_neg(s));
        /* x_ij = m_ij / d_i + sum_{k > i} conj(m_ki) / d_k m_kj */
        x[k] = c_scale(m[k], inverse_d);
#pragma unroll
        for (int i = 0; i < k; i++)
            x[i] = c_mac(x[i], c_conj(lane_get<L>(x[k], i)), m[k]);
    }
#pragma unroll
    for (int i = 0; i < N; i++) {
        x[i].im = i == j ? 0.0f : x[i].im;
        flag = flag || (j < N && i >= j && !(r_finite(x[i].re) && r_finite(x[i].im)));
    }
    flag = lanes_any<L>(flag);
#pragma unroll
    for (int i = 0; i < N; i++)
        a[i] = c_sel(flag, c_zero(), x[i]);
    return flag;
}

/*
 * Gauss-Jordan with full pivoting, row i of the matrix in lane i: a[j] = a_ij. On return a[j] is
 * element (*row, column j of *columns) of the inverse, four bits a column; zero if flagged. Rows do
 * not move between lanes: each lane knows which row its own stands for. Lanes from N on follow
 * along and must hold zeros.
 */
template <int N>
static __device__ __forceinline__ bool gauss_jordan_lanes(lte_cplx *a, int *row, uint32_t *columns)
{
    constexpr int L = lanes_of(N);
    const int lane = (int)threadIdx.x % L;
    int at = lane; /* the row that this lane's stands for */
    uint32_t rows_out = LTE_PLACES, columns_out = LTE_PLACES;
    bool flag = false;
#pragma unroll
    for (int k = 0; k < N; k++) {
        float size = 0.0f;
        int place = at == k ? k * N + k : 64; /* 64: no candidate */
#pragma unroll
        for (int j = k; j < N; j++) {
            const float here = c_abs2(a[j]);
            const bool larger = at >= k && size < here;
            size = larger ? here : size;
            place = larger ? at * N + j : place;
        }
        /* the largest size, then the lowest place: one number that orders both */
        uint64_t best = (uint64_t)r_bits(size) << 32 | (uint32_t)(64 - place) << 3 | (uint32_t)lane;
#pragma unroll
        for (int step = 1; step < L; step *= 2) {
            const uint64_t other = __shfl_xor_sync(~0u, best, step, L);
            best = other > best ? other : best;
        }
        size = r_from_bits((uint32_t)(best >> 32));
        place = 64 - (int)((uint32_t)best >> 3 & 127u);
        const int owner = (int)((uint32_t)best & 7u);
        flag = flag || !lte_divides(size);
        const int row_is = place / N, column_is = place - row_is * N;
        rows_out = places_swapped(rows_out, k, column_is);
        columns_out = places_swapped(columns_out, k, row_is);

        const lte_cplx old = a[k];
#pragma unroll
        for (int j = k + 1; j < N; j++) {
            const lte_cplx other = a[j];
            a[j] = c_sel(column_is == j, old, other);
            a[k] = c_sel(column_is == j, other, a[k]);
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
        at = mine ? k : at == k ? row_is : at;
    }
#pragma unroll
    for (int j = 0; j < N; j++)
        flag = flag || (lane < N && !(r_finite(a[j].re) && r_finite(a[j].im)));
    flag = lanes_any<L>(flag);
#pragma unroll
    for (int j = 0; j < N; j++)
        a[j] = c_sel(flag, c_zero(), a[j]);
    *row = place_of(rows_out, at);
    *columns = columns_out;
    return flag;
}

/*
 * Inverse of a matrix shared by lanes, the lane's row in and out: overrides<INV>::run<N>(tile, row,
 * index); tile is this matrix's memory.
 *
 *   row   [N]  the lane's row of the matrix, of a Hermitian one up to the diagonal; on return a row
 *              of the inverse, zero if flagged
 *
 * Returns the flag; *index is which row it is then.
 */
template <> struct overrides<LTE_INVERTER_ldl> {
    static constexpr bool lanes = true, hermitian = true, by_address = false, copies_at_4 = true;

    template <int N>
    static __device__ __forceinline__ bool run(lte_cplx *tile, lte_cplx *row, int *index)
    {
        constexpr int pitch = lane_tile<N>::pitch;
        const int lane = (int)threadIdx.x % lanes_of(N), own = lane < N ? lane : N - 1;
        const bool flag = ldl_lanes<N>(row);
        /* the row's part left of the diagonal lies in other lanes' columns */
#pragma unroll
        for (int i = 1; i < N; i++) {
            if (i > lane)
                tile[i * pitch + lane] = row[i];
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < N; j++) {
            const lte_cplx left = tile[own * pitch + j]; /* always: no branches */
            row[j].im = flag || j == lane ? 0.0f : -row[j].im;
            row[j] = c_sel(j < lane, left, row[j]);
        }
        *index = lane;
        return flag;
    }
};

template <> struct overrides<LTE_INVERTER_gauss_jordan> {
    static constexpr bool lanes = true, hermitian = false, by_address = true, copies_at_4 = false;

    template <int N>
    static __device__ __forceinline__ bool run(lte_cplx *tile, lte_cplx *row, int *index)
    {
        constexpr int pitch = lane_tile<N>::pitch;
        const int lane = (int)threadIdx.x % lanes_of(N);
        uint32_t columns;
#pragma unroll
        for (int j = 0; j < N; j++)
            row[j] = c_sel(lane < N, row[j], c_zero());
        const bool flag = gauss_jordan_lanes<N>(row, index, &columns);
        __syncwarp();   /* the row may have come from the tile */
        if (lane < N) { /* columns change places on the way through memory */
#pragma unroll
            for (int j = 0; j < N; j++)
                tile[lane * pitch + place_of(columns, j)] = row[j];
#pragma unroll
            for (int j = 0; j < N; j++)
                row[j] = tile[lane * pitch + j];
        }
        return flag;
    }
};

#endif
