#ifndef LTE_KERNELS_METHODS_INVERSE_BLOCKS_MATRIX_CUH
#define LTE_KERNELS_METHODS_INVERSE_BLOCKS_MATRIX_CUH
/* What a block of the published mapping works on, and the matrix laid out by columns and back. */
#include "kernels/methods/inverse/inverse_device.cuh"

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

/* c <- columns j0 + t, from <= t < to, of row r of W; the others zero. */
template <class T>
__device__ __forceinline__ void read_columns(const matrix<T> &m, int j0, int from, int to, int r,
                                             T *c)
{
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = t >= from && t < to ? m.w[(j0 + t) * m.n + r] : ops<T>::of(0);
}

/* The same columns of W <- c. */
template <class T>
__device__ __forceinline__ void write_columns(const matrix<T> &m, int j0, int from, int to, int r,
                                              const T *c)
{
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t >= from && t < to)
            m.w[(j0 + t) * m.n + r] = c[t];
    }
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

} // namespace

#endif
