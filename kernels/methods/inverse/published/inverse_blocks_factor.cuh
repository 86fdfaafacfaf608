#ifndef LTE_KERNELS_METHODS_INVERSE_BLOCKS_FACTOR_CUH
#define LTE_KERNELS_METHODS_INVERSE_BLOCKS_FACTOR_CUH
/* L and U of the published mapping (inverse_blocks.cuh), a block of columns a launch. */
#include "kernels/methods/inverse/published/inverse_blocks_matrix.cuh"

namespace
{

/* What the threads of a block tell each other while they factor. */
template <class T> struct factoring {
    typename ops<T>::real size[WARP];
    int row[WARP];
    T pivot[NB], other[NB];
    T u[2][NB][NB];
    int pivots[NB];
};

/*
 * Columns j0 .. j0 + width, row r in c: pivots, multipliers, and each other's corrections. Returns
 * the row from which row r came, or -1 if a pivot cannot be divided by.
 */
template <class T>
__device__ __forceinline__ int factor(int n, int j0, int width, int r, factoring<T> &f, T *c)
{
    typedef typename ops<T>::real real;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t >= width)
            continue;
        const int k = j0 + t;
        real size = r >= k && r < n ? ops<T>::abs2(c[t]) : 0;
        size = size > 0 ? size : 0; /* not NaN */
        int row = r >= k && r < n ? r : n;
        for (int d = WARP / 2; d > 0; d /= 2) {
            const real other = __shfl_xor_sync(~0u, size, d);
            const int other_row = __shfl_xor_sync(~0u, row, d);
            if (other > size || (other == size && other_row < row)) {
                size = other;
                row = other_row;
            }
        }
        if (threadIdx.x % WARP == 0) {
            f.size[threadIdx.x / WARP] = size;
            f.row[threadIdx.x / WARP] = row;
        }
        __syncthreads();
        size = f.size[0];
        row = f.row[0];
        for (int w = 1; w < (int)blockDim.x / WARP; w++) {
            if (f.size[w] > size || (f.size[w] == size && f.row[w] < row)) {
                size = f.size[w];
                row = f.row[w];
            }
        }
        if (!ops<T>::divides(size))
            return -1;
        if (r == row) {
#pragma unroll
            for (int s = 0; s < NB; s++)
                f.pivot[s] = c[s];
            f.pivots[t] = row;
        }
        if (r == k) {
#pragma unroll
            for (int s = 0; s < NB; s++)
                f.other[s] = c[s];
        }
        __syncthreads();
        if (r == row || r == k) {
#pragma unroll
            for (int s = 0; s < NB; s++)
                c[s] = r == k ? f.pivot[s] : f.other[s];
        }
        if (r > k) {
            c[t] = ops<T>::mul(c[t], ops<T>::of_pivot(f.pivot[t]));
#pragma unroll
            for (int s = t + 1; s < NB; s++)
                c[s] = ops<T>::nmac(c[s], c[t], f.pivot[s]);
        }
    }
    int from = r;
    for (int t = width - 1; t >= 0; t--)
        from = from == j0 + t ? f.pivots[t] : from == f.pivots[t] ? j0 + t : from;
    return from;
}

/* The rows of L left of column j0 and the order follow the pivots; r: of a row or beyond. */
template <class T>
__device__ __forceinline__ void exchange_rows(const matrix<T> &m, int j0, int r, int from,
                                              bool first)
{
    const bool moves = r < m.n && from != r;
    for (int j = 0; j < j0; j += NB) {
        T c[NB];
#pragma unroll
        for (int t = 0; t < NB; t++) {
            if (moves)
                c[t] = m.w[(j + t) * m.n + from];
        }
        __syncthreads();
#pragma unroll
        for (int t = 0; t < NB; t++) {
            if (moves)
                m.w[(j + t) * m.n + r] = c[t];
        }
    }
    const uint8_t row = r < m.n ? (first ? (uint8_t)from : m.order[from]) : (uint8_t)0;
    __syncthreads();
    if (r < m.n)
        m.order[r] = row;
}

/* Rows k0 .. of c become rows of U, u[t] them, by L's diagonal block; threads of one warp. */
template <class T>
__device__ __forceinline__ void solve_rows(const matrix<T> &m, int k0, int r, T (*u)[NB], T *c)
{
    for (int t = 0; t < NB; t++) {
        if (r == k0 + t) {
#pragma unroll
            for (int s = 0; s < NB; s++)
                u[t][s] = c[s];
        }
        __syncwarp();
        if (r > k0 + t && r < k0 + NB) {
            const T l = m.w[(k0 + t) * m.n + r];
#pragma unroll
            for (int s = 0; s < NB; s++)
                c[s] = ops<T>::nmac(c[s], l, u[t][s]);
        }
    }
}

/* Delayed: block column j0, taken from a, is corrected by those on its left, then factored. */
template <class T> __global__ void lu_delayed_kernel(batch<T> b, int j0)
{
    __shared__ __align__(16) unsigned char memory[sizeof(factoring<T>)];
    factoring<T> &f = *(factoring<T> *)memory;
    const matrix<T> m = matrix_of(b);
    const int n = m.n, r = threadIdx.x, width = min((int)NB, n - j0);
    const bool live = r < n;
    if (*m.flag)
        return;
    const int from = !live ? 0 : j0 == 0 ? r : m.order[r];
    T c[NB];
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = live && t < width ? m.a[from * n + j0 + t] : ops<T>::of(0);
    for (int k0 = 0; k0 < j0; k0 += NB) {
        T(*const u)[NB] = f.u[k0 / NB & 1];
        if (r / WARP == k0 / WARP)
            solve_rows(m, k0, r, u, c);
        __syncthreads();
        if (live && r >= k0 + NB) {
            for (int t = 0; t < NB; t++) {
                const T l = m.w[(k0 + t) * n + r];
#pragma unroll
                for (int s = 0; s < NB; s++)
                    c[s] = ops<T>::nmac(c[s], l, u[t][s]);
            }
        }
    }
    __syncthreads();
    const int source = factor(n, j0, width, r, f, c);
    if (source < 0) {
        *m.flag = 1;
        return;
    }
    write_columns(m, j0, 0, live ? width : 0, r, c);
    exchange_rows(m, j0, r, source, j0 == 0);
}

/* Immediate: block column k0 is factored, and everything to its right corrected. */
template <class T> __global__ void lu_immediate_kernel(batch<T> b, int k0)
{
    __shared__ __align__(16) unsigned char memory[sizeof(factoring<T>)];
    factoring<T> &f = *(factoring<T> *)memory;
    const matrix<T> m = matrix_of(b);
    const int n = m.n, r = k0 + threadIdx.x, width = min((int)NB, n - k0);
    const bool live = r < n;
    if (*m.flag)
        return;
    T c[NB];
    read_columns(m, k0, 0, live ? width : 0, r, c);
    const int source = factor(n, k0, width, r, f, c);
    if (source < 0) {
        *m.flag = 1;
        return;
    }
    write_columns(m, k0, 0, live ? width : 0, r, c);
    if (k0 == 0 && live)
        m.order[r] = (uint8_t)r;
    __syncthreads();
    exchange_rows(m, k0, r, source, false);
    for (int j0 = k0 + NB; j0 < n; j0 += NB) {
        const int columns = live ? min((int)NB, n - j0) : 0;
        T(*const u)[NB] = f.u[j0 / NB & 1];
        T a[NB];
        read_columns(m, j0, 0, columns, source, a);
        if (threadIdx.x < WARP)
            solve_rows(m, k0, r, u, a);
        __syncthreads(); /* all rows are read before one is written */
        if (live && r >= k0 + NB) {
#pragma unroll
            for (int t = 0; t < NB; t++) {
#pragma unroll
                for (int s = 0; s < NB; s++)
                    a[s] = ops<T>::nmac(a[s], c[t], u[t][s]);
            }
        }
        write_columns(m, j0, 0, columns, r, a);
    }
}

} // namespace

#endif
