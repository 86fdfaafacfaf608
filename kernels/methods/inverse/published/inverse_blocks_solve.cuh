#ifndef LTE_KERNELS_METHODS_INVERSE_BLOCKS_SOLVE_CUH
#define LTE_KERNELS_METHODS_INVERSE_BLOCKS_SOLVE_CUH
/*
 * U^-1 and X L = U^-1 of the published mapping (inverse_blocks.cuh), a block of columns a launch.
 */
#include "kernels/methods/inverse/published/inverse_blocks_matrix.cuh"

namespace
{

template <class T> __device__ __forceinline__ T *shared_memory()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return (T *)memory;
}

/*
 * Row r of U^-1 in columns j0 .., u [k][t] those of U from row `first` on: the solve within them.
 */
template <class T>
__device__ __forceinline__ void solve_upper(int j0, int width, int r, const T *u, T *c)
{
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t >= width)
            continue;
        const int k = j0 + t;
        const T inverse = ops<T>::of_pivot(u[t * NB + t]);
        if (r < k)
            c[t] = ops<T>::mul(c[t], inverse);
        if (r == k)
            c[t] = inverse;
        if (r <= k) {
#pragma unroll
            for (int s = t + 1; s < NB; s++)
                c[s] = ops<T>::nmac(c[s], c[t], u[t * NB + s]);
        }
    }
}

/* u [k - k0][t] <- columns j0 + t of W, rows k0 <= k < k1; beyond the matrix zero. */
template <class T>
__device__ __forceinline__ void fetch(const matrix<T> &m, int k0, int k1, int j0, T *u)
{
    for (int t = 0; t < NB; t++) {
        for (int k = k0 + threadIdx.x; k < k1; k += blockDim.x)
            u[(k - k0) * NB + t] = j0 + t < m.n ? m.w[(j0 + t) * m.n + k] : ops<T>::of(0);
    }
}

/* The same of L where lower_kernel put it, in x; zero from the diagonal up. */
template <class T>
__device__ __forceinline__ void fetch_lower(const matrix<T> &m, int k0, int k1, int j0, T *l)
{
    for (int t = 0; t < NB; t++) {
        for (int k = k0 + threadIdx.x; k < k1; k += blockDim.x)
            l[(k - k0) * NB + t] = k > j0 + t ? m.x[(j0 + t) * m.n + k] : ops<T>::of(0);
    }
}

/* Delayed: block column j0 of U^-1 is corrected by those on its left, then solved. */
template <class T> __global__ void upper_delayed_kernel(batch<T> b, int j0)
{
    T *const u = shared_memory<T>(); /* [j1][NB] */
    const matrix<T> m = matrix_of(b);
    const int n = m.n, r = threadIdx.x, width = min((int)NB, n - j0);
    if (*m.flag)
        return;
    fetch(m, 0, j0 + width, j0, u);
    __syncthreads();
    T c[NB];
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = ops<T>::of(0);
    for (int k = r; k < j0; k++) {
        const T w = m.w[k * n + r];
#pragma unroll
        for (int t = 0; t < NB; t++)
            c[t] = ops<T>::nmac(c[t], w, u[k * NB + t]);
    }
    solve_upper(j0, width, r, u + j0 * NB, c);
    write_columns(m, j0, r - j0, width, r, c);
}

/* Immediate: block column k0 of U^-1 is solved, and everything to its right corrected. */
template <class T> __global__ void upper_immediate_kernel(batch<T> b, int k0)
{
    T *const u = shared_memory<T>(); /* [2][NB][NB] */
    const matrix<T> m = matrix_of(b);
    const int n = m.n, r = threadIdx.x, width = min((int)NB, n - k0);
    if (*m.flag)
        return;
    fetch(m, k0, k0 + width, k0, u);
    T c[NB];
    read_columns(m, k0, 0, r < k0 ? width : 0, r, c);
    __syncthreads();
    solve_upper(k0, width, r, u, c);
    write_columns(m, k0, r - k0, width, r, c);
    for (int j0 = k0 + NB; j0 < n; j0 += NB) {
        T *const v = u + ((j0 - k0) / NB & 1) * NB * NB;
        fetch(m, k0, k0 + NB, j0, v);
        __syncthreads();
        const int columns = min((int)NB, n - j0);
        T a[NB];
        read_columns(m, j0, 0, r < k0 ? columns : 0, r, a);
#pragma unroll
        for (int t = 0; t < NB; t++) {
            if (r <= k0 + t) {
#pragma unroll
                for (int s = 0; s < NB; s++)
                    a[s] = ops<T>::nmac(a[s], c[t], v[t * NB + s]);
            }
        }
        write_columns(m, j0, 0, r < k0 + NB ? columns : 0, r, a);
    }
}

/* The solve within columns j0 .. of X L = U^-1, l [k - j0][t]; false if one is not finite. */
template <class T> __device__ __forceinline__ bool solve_columns(int width, const T *l, T *c)
{
    bool finite = true;
#pragma unroll
    for (int t = NB - 1; t >= 0; t--) {
        if (t >= width)
            continue;
        finite = finite && ops<T>::finite(c[t]);
#pragma unroll
        for (int s = 0; s < t; s++)
            c[s] = ops<T>::nmac(c[s], c[t], l[t * NB + s]);
    }
    return finite;
}

/* Delayed: block column j0 of X is corrected by those on its right, then solved. */
template <class T> __global__ void columns_delayed_kernel(batch<T> b, int j0)
{
    T *const l = shared_memory<T>(); /* [n - j0][NB] */
    const matrix<T> m = matrix_of(b);
    const int n = m.n, r = threadIdx.x, width = min((int)NB, n - j0);
    if (*m.flag)
        return;
    fetch(m, j0, n, j0, l);
    T c[NB];
    read_columns(m, j0, r - j0, width, r, c);
    __syncthreads();
    if (r >= n)
        return;
    for (int k = n - 1; k >= j0 + width; k--) {
        const T x = m.w[k * n + r];
#pragma unroll
        for (int t = 0; t < NB; t++)
            c[t] = ops<T>::nmac(c[t], x, l[(k - j0) * NB + t]);
    }
    if (!solve_columns(width, l, c))
        *m.flag = 1;
    write_columns(m, j0, 0, width, r, c);
}

/* Immediate: block column k0 of X is solved, and everything to its left corrected. */
template <class T> __global__ void columns_immediate_kernel(batch<T> b, int k0)
{
    T *const l = shared_memory<T>(); /* [2][NB][NB] */
    const matrix<T> m = matrix_of(b);
    const int n = m.n, r = threadIdx.x, width = min((int)NB, n - k0);
    if (*m.flag)
        return;
    fetch_lower(m, k0, k0 + width, k0, l);
    T c[NB];
    read_columns(m, k0, 0, r < n ? width : 0, r, c);
    __syncthreads();
    const bool finite = solve_columns(width, l, c);
    if (r < n && !finite)
        *m.flag = 1;
    write_columns(m, k0, 0, r < n ? width : 0, r, c);
    for (int j0 = 0; j0 < k0; j0 += NB) {
        T *const v = l + (1 - (j0 / NB & 1)) * NB * NB;
        fetch_lower(m, k0, k0 + width, j0, v);
        __syncthreads();
        if (r >= n)
            continue;
        T a[NB];
        read_columns(m, j0, 0, NB, r, a);
#pragma unroll
        for (int t = NB - 1; t >= 0; t--) {
            if (t >= width)
                continue;
#pragma unroll
            for (int s = 0; s < NB; s++)
                a[s] = ops<T>::nmac(a[s], c[t], v[t * NB + s]);
        }
        write_columns(m, j0, 0, NB, r, a);
    }
}

} // namespace

#endif
