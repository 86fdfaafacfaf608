#ifndef LTE_KERNELS_METHODS_INVERSE_BLOCKS_CUH
#define LTE_KERNELS_METHODS_INVERSE_BLOCKS_CUH
/*
 * LU and inverse as published (kernels/methods/inverse.h, Source): one block a matrix, one thread a
 * row, the NB columns in work in the thread's registers, what is needed of U or L in shared memory,
 * the matrix by columns in global memory, one launch a step. Versions:
 *
 *   lu 1 (delayed and immediate)   threads and shared memory on demand: those of the rows that a
 *                                  step works on
 *   lu 2 (both)                    the most that any step needs, for all steps
 *
 * lte_inverse_traffic counts what these kernels read and write. Rows of L that pivots exchange move
 * once a block of columns, columns of the inverse once at the end.
 */
#include "kernels/methods/inverse_device.cuh"

namespace
{

/* The batch: a and x as the caller has them, the rest in work memory. */
template <class T> struct batch {
    int n;
    const T *a;
    T *x;
    T *w;           /* [n_matrices][column][row] */
    uint8_t *order; /* [n_matrices][n]: the row of a that stands there */
    uint8_t *flag;
};

/* What one block works on. */
template <class T> struct matrix {
    int n;
    const T *a;
    T *x, *w;
    uint8_t *order, *flag;
};

template <class T> __device__ __forceinline__ matrix<T> matrix_of(const batch<T> &b)
{
    const size_t n2 = (size_t)b.n * b.n, m = blockIdx.x;
    return {b.n, b.a + m * n2, b.x + m * n2, b.w + m * n2, b.order + m * b.n, b.flag + m};
}

template <class T> __device__ __forceinline__ T *shared_memory()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return (T *)memory;
}

/* W <- a by columns, tile by tile. */
template <class T> __global__ void lay_out_kernel(batch<T> b)
{
    __shared__ unsigned char memory[WARP * (WARP + 1) * sizeof(T)];
    T(*const tile)[WARP + 1] = (T(*)[WARP + 1]) memory;
    const matrix<T> m = matrix_of(b);
    const int x = threadIdx.x, y = threadIdx.y;
    for (int i0 = 0; i0 < m.n; i0 += WARP) {
        for (int j0 = 0; j0 < m.n; j0 += WARP) {
            for (int i = y; i < WARP; i += blockDim.y) {
                if (i0 + i < m.n && j0 + x < m.n)
                    tile[i][x] = m.a[(i0 + i) * m.n + j0 + x];
            }
            __syncthreads();
            for (int j = y; j < WARP; j += blockDim.y) {
                if (j0 + j < m.n && i0 + x < m.n)
                    m.w[(j0 + j) * m.n + i0 + x] = tile[x][j];
            }
            __syncthreads();
        }
    }
}

/* x <- W with its columns exchanged as the rows were, by rows; zero where flagged. */
template <class T> __global__ void exchange_kernel(batch<T> b)
{
    __shared__ unsigned char memory[WARP * (WARP + 1) * sizeof(T)];
    __shared__ uint8_t column[LTE_INVERSE_MAX_ORDER]; /* of W that becomes column j of x */
    T(*const tile)[WARP + 1] = (T(*)[WARP + 1]) memory;
    const matrix<T> m = matrix_of(b);
    const int x = threadIdx.x, y = threadIdx.y;
    const bool zero = *m.flag != 0;
    for (int k = y * WARP + x; k < m.n && !zero; k += WARP * blockDim.y)
        column[m.order[k]] = (uint8_t)k;
    __syncthreads();
    for (int i0 = 0; i0 < m.n; i0 += WARP) {
        for (int j0 = 0; j0 < m.n; j0 += WARP) {
            for (int j = y; j < WARP; j += blockDim.y) {
                if (j0 + j < m.n && i0 + x < m.n && !zero)
                    tile[j][x] = m.w[column[j0 + j] * m.n + i0 + x];
            }
            __syncthreads();
            for (int i = y; i < WARP; i += blockDim.y) {
                if (i0 + i < m.n && j0 + x < m.n)
                    m.x[(i0 + i) * m.n + j0 + x] = zero ? ops<T>::of(0) : tile[x][i];
            }
            __syncthreads();
        }
    }
}

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
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (live && t < width)
            m.w[(j0 + t) * n + r] = c[t];
    }
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
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = live && t < width ? m.w[(k0 + t) * n + r] : ops<T>::of(0);
    const int source = factor(n, k0, width, r, f, c);
    if (source < 0) {
        *m.flag = 1;
        return;
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (live && t < width)
            m.w[(k0 + t) * n + r] = c[t];
    }
    if (k0 == 0 && live)
        m.order[r] = (uint8_t)r;
    __syncthreads();
    exchange_rows(m, k0, r, source, false);
    for (int j0 = k0 + NB; j0 < n; j0 += NB) {
        const int columns = min((int)NB, n - j0);
        T(*const u)[NB] = f.u[j0 / NB & 1];
        T a[NB];
#pragma unroll
        for (int s = 0; s < NB; s++)
            a[s] = live && s < columns ? m.w[(j0 + s) * n + source] : ops<T>::of(0);
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
#pragma unroll
        for (int s = 0; s < NB; s++) {
            if (live && s < columns)
                m.w[(j0 + s) * n + r] = a[s];
        }
    }
}

/* Row r of U^-1 in columns j0 .., u [k][t] those of U from row `first` on: the solve within them. */
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
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t < width && r <= j0 + t)
            m.w[(j0 + t) * n + r] = c[t];
    }
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
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = r < k0 && t < width ? m.w[(k0 + t) * n + r] : ops<T>::of(0);
    __syncthreads();
    solve_upper(k0, width, r, u, c);
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t < width && r <= k0 + t)
            m.w[(k0 + t) * n + r] = c[t];
    }
    for (int j0 = k0 + NB; j0 < n; j0 += NB) {
        T *const v = u + ((j0 - k0) / NB & 1) * NB * NB;
        fetch(m, k0, k0 + NB, j0, v);
        __syncthreads();
        T a[NB];
#pragma unroll
        for (int s = 0; s < NB; s++)
            a[s] = r < k0 && j0 + s < n ? m.w[(j0 + s) * n + r] : ops<T>::of(0);
#pragma unroll
        for (int t = 0; t < NB; t++) {
            if (r <= k0 + t) {
#pragma unroll
                for (int s = 0; s < NB; s++)
                    a[s] = ops<T>::nmac(a[s], c[t], v[t * NB + s]);
            }
        }
#pragma unroll
        for (int s = 0; s < NB; s++) {
            if (r < k0 + NB && j0 + s < n)
                m.w[(j0 + s) * n + r] = a[s];
        }
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
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = t < width && r <= j0 + t ? m.w[(j0 + t) * n + r] : ops<T>::of(0);
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
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t < width)
            m.w[(j0 + t) * n + r] = c[t];
    }
}

/* Immediate: L leaves the place of X, for x, which nobody needs yet. */
template <class T> __global__ void lower_kernel(batch<T> b)
{
    const matrix<T> m = matrix_of(b);
    for (int j = 0; j < m.n; j++) {
        for (int i = j + 1 + threadIdx.x; i < m.n; i += blockDim.x) {
            m.x[j * m.n + i] = m.w[j * m.n + i];
            m.w[j * m.n + i] = ops<T>::of(0);
        }
    }
}

/* Immediate: block column k0 of X is solved, and everything to its left corrected. */
template <class T> __global__ void columns_immediate_kernel(batch<T> b, int k0)
{
    T *const l = shared_memory<T>(); /* [2][NB][NB] */
    const matrix<T> m = matrix_of(b);
    matrix<T> lower = m;
    lower.w = m.x;
    const int n = m.n, r = threadIdx.x, width = min((int)NB, n - k0);
    if (*m.flag)
        return;
    fetch(lower, k0, k0 + width, k0, l);
    T c[NB];
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = t < width && r < n ? m.w[(k0 + t) * n + r] : ops<T>::of(0);
    __syncthreads();
    const bool finite = solve_columns(width, l, c);
    if (r < n && !finite)
        *m.flag = 1;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t < width && r < n)
            m.w[(k0 + t) * n + r] = c[t];
    }
    for (int j0 = 0; j0 < k0; j0 += NB) {
        T *const v = l + (1 - (j0 / NB & 1)) * NB * NB;
        fetch(lower, k0, k0 + width, j0, v);
        __syncthreads();
        if (r >= n)
            continue;
        T a[NB];
#pragma unroll
        for (int s = 0; s < NB; s++)
            a[s] = m.w[(j0 + s) * n + r];
#pragma unroll
        for (int t = NB - 1; t >= 0; t--) {
            if (t >= width)
                continue;
#pragma unroll
            for (int s = 0; s < NB; s++)
                a[s] = ops<T>::nmac(a[s], c[t], v[t * NB + s]);
        }
#pragma unroll
        for (int s = 0; s < NB; s++)
            m.w[(j0 + s) * n + r] = a[s];
    }
}

template <class T>
lte_status lu_blocks(const lte_inverse_blocks *how, int n, int n_matrices, const void *d_a,
                     void *d_x, uint8_t *d_flag, void *d_work, cudaStream_t stream)
{
    const size_t n2 = (size_t)n * (size_t)n;
    const batch<T> b = {n,
                        (const T *)d_a,
                        (T *)d_x,
                        (T *)d_work,
                        (uint8_t *)d_work + n_matrices * n2 * sizeof(T),
                        d_flag};
    const int last = (n - 1) / NB * NB, all = threads_of(n);
    const dim3 tile(WARP, 8);
    const size_t square = 2 * NB * NB * sizeof(T);
    const size_t most = (size_t)(last + NB) * NB * sizeof(T);
    const auto threads = [&](int rows) { return how->on_demand ? threads_of(rows) : all; };
    const auto bytes = [&](int rows) {
        return how->on_demand ? (size_t)rows * NB * sizeof(T) : most;
    };
    lte_status status = LTE_CUDA(cudaMemsetAsync(d_flag, 0, (size_t)n_matrices, stream));
    if (status)
        return status;
    if (!how->delayed)
        lay_out_kernel<<<n_matrices, tile, 0, stream>>>(b);
    for (int k = 0; k < n; k += NB) {
        if (how->delayed)
            lu_delayed_kernel<<<n_matrices, all, 0, stream>>>(b, k);
        else
            lu_immediate_kernel<<<n_matrices, threads(n - k), 0, stream>>>(b, k);
    }
    for (int k = 0; k < n; k += NB) {
        const int rows = k + NB < n ? k + NB : n;
        if (how->delayed)
            upper_delayed_kernel<<<n_matrices, threads(rows), bytes(rows), stream>>>(b, k);
        else
            upper_immediate_kernel<<<n_matrices, threads(rows), square, stream>>>(b, k);
    }
    if (!how->delayed)
        lower_kernel<<<n_matrices, all, 0, stream>>>(b);
    for (int k = last; k >= 0; k -= NB) {
        if (how->delayed)
            columns_delayed_kernel<<<n_matrices, all, bytes(n - k), stream>>>(b, k);
        else
            columns_immediate_kernel<<<n_matrices, all, square, stream>>>(b, k);
    }
    exchange_kernel<<<n_matrices, tile, 0, stream>>>(b);
    return LTE_LAUNCHED(exchange_kernel);
}

} // namespace

#endif
