/*
 * Reference matrices on a grid of threads (kernels/methods/reference/reference.h). A fill's time
 * over them, 4096 x 4096 on one H200, Zadoff-Chu and chirp: version 1 0.42, 0.51; version 2 0.89,
 * 0.91.
 *
 *   1  16 x 16 threads, one per element; what its rows and columns share is computed once per block
 *      into shared memory, as published
 *   2  each thread writes 16 bytes a time, the same columns of 16 rows: columns once per thread in
 *      registers, rows once per block in shared memory
 *
 * A set of parameters says what a row, a column and an element are, and how elements are stored.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/methods/reference/reference_cuda.h"

struct zc_set {
    typedef lte_zc_row row;
    typedef lte_zc_column column;
    enum { PER_STORE = 2 }; /* elements in 16 bytes */

    lte_zc zc;
    const lte_zc_row *rows;
    lte_cf32 *x;

    __device__ row row_of(uint32_t m) const
    {
        return rows[m];
    }
    __device__ column column_of(uint32_t n) const
    {
        return lte_zc_column_of(&zc, n);
    }
    __device__ uint32_t angle(row r, column c) const
    {
        return lte_zc_angle(&zc, r, c);
    }
    __device__ void store(ptrdiff_t at, lte_cplx v) const
    {
        ((float2 *)x)[at] = make_float2(v.re, v.im);
    }
    __device__ void store_wide(ptrdiff_t at, const lte_cplx *v) const
    {
        *(float4 *)&x[at] = make_float4(v[0].re, v[0].im, v[1].re, v[1].im);
    }
};

struct sar_set {
    typedef double row;    /* chirp rate */
    typedef double column; /* time */
    enum { PER_STORE = 4 };

    lte_sar sar;
    float *re, *im;

    __device__ row row_of(uint32_t m) const
    {
        return lte_sar_rate(&sar, lte_sar_range(&sar, m));
    }
    __device__ column column_of(uint32_t n) const
    {
        return lte_sar_time(&sar, n);
    }
    __device__ uint32_t angle(row rate, column time) const
    {
        return lte_chirp_angle(rate, time);
    }
    __device__ void store(ptrdiff_t at, lte_cplx v) const
    {
        re[at] = v.re;
        im[at] = v.im;
    }
    __device__ void store_wide(ptrdiff_t at, const lte_cplx *v) const
    {
        *(float4 *)&re[at] = make_float4(v[0].re, v[1].re, v[2].re, v[3].re);
        *(float4 *)&im[at] = make_float4(v[0].im, v[1].im, v[2].im, v[3].im);
    }
};

enum { TILE = 16 }; /* rows of a block, and in version 1 its columns */

/* Blocks are numbered along the rows of the grid, n_across a row: so any shape fits. */
template <class SET>
static __global__ void reference_kernel1(SET set, uint32_t n_rows, uint32_t n_columns,
                                         uint32_t n_across)
{
    __shared__ typename SET::row row[TILE];
    __shared__ typename SET::column column[TILE];
    const uint32_t m0 = blockIdx.x / n_across * TILE, n0 = blockIdx.x % n_across * TILE;
    const uint32_t m = m0 + threadIdx.y, n = n0 + threadIdx.x;
    if (threadIdx.y == 0 && m0 + threadIdx.x < n_rows)
        row[threadIdx.x] = set.row_of(m0 + threadIdx.x);
    if (threadIdx.y == TILE / 2 && n < n_columns) /* in another warp */
        column[threadIdx.x] = set.column_of(n);
    __syncthreads();
    if (m < n_rows && n < n_columns)
        set.store((ptrdiff_t)m * n_columns + n,
                  lte_phasor(set.angle(row[threadIdx.y], column[threadIdx.x])));
}

enum { THREADS = 128 };

template <class SET>
static __global__ void reference_kernel2(SET set, uint32_t n_rows, uint32_t n_columns,
                                         uint32_t n_across, bool wide)
{
    enum { PER = SET::PER_STORE };
    __shared__ typename SET::row row[TILE];
    const uint32_t m0 = blockIdx.x / n_across * TILE;
    const uint32_t n = (blockIdx.x % n_across * THREADS + threadIdx.x) * PER;
    if (threadIdx.x < TILE && m0 + threadIdx.x < n_rows)
        row[threadIdx.x] = set.row_of(m0 + threadIdx.x);
    __syncthreads();
    if (n >= n_columns)
        return;
    typename SET::column column[PER];
    LTE_UNROLL
    for (int p = 0; p < PER; p++)
        column[p] = set.column_of(n + (uint32_t)p);
    const uint32_t n_here = n_rows - m0 < TILE ? n_rows - m0 : TILE;
    ptrdiff_t at = (ptrdiff_t)m0 * n_columns + n;
    for (uint32_t i = 0; i < n_here; i++, at += n_columns) {
        lte_cplx x[PER];
        LTE_UNROLL
        for (int p = 0; p < PER; p++)
            x[p] = lte_phasor(set.angle(row[i], column[p]));
        if (wide) {
            set.store_wide(at, x);
        } else {
            LTE_UNROLL
            for (int p = 0; p < PER; p++) {
                if (n + (uint32_t)p < n_columns)
                    set.store(at + p, x[p]);
            }
        }
    }
}

/* wide: version 2 may store 16 bytes where rows have a whole number of them. */
template <class SET>
static lte_status launch(int version, const SET &set, int n_rows, int n_columns, bool wide,
                         cudaStream_t stream)
{
    if (version < 1 || version > 2)
        return LTE_FAIL(LTE_EINVAL, "version=%d (1 or 2)", version);
    const int n_across = blocks_of(n_columns, version == 1 ? TILE : THREADS * SET::PER_STORE);
    const int64_t n_blocks = (int64_t)blocks_of(n_rows, TILE) * n_across;
    if (n_blocks > INT32_MAX)
        return LTE_FAIL(LTE_EINVAL, "%d x %d elements are too many", n_rows, n_columns);
    const uint32_t rows = (uint32_t)n_rows, columns = (uint32_t)n_columns;
    if (version == 1)
        reference_kernel1<<<(unsigned)n_blocks, dim3(TILE, TILE), 0, stream>>>(set, rows, columns,
                                                                               (uint32_t)n_across);
    else
        reference_kernel2<<<(unsigned)n_blocks, THREADS, 0, stream>>>(
            set, rows, columns, (uint32_t)n_across, wide && n_columns % SET::PER_STORE == 0);
    return LTE_LAUNCHED(reference_kernel);
}

lte_status lte_reference_zc_cuda(int version, const lte_zc *zc, const lte_zc_row *d_rows,
                                 int n_rows, int n_columns, lte_cf32 *d_x, cudaStream_t stream)
{
    const zc_set set = {*zc, d_rows, d_x};
    lte_status status = lte_reference_check(n_rows, n_columns);
    return status ? status : launch(version, set, n_rows, n_columns, on_16_bytes(d_x), stream);
}

lte_status lte_reference_sar_cuda(int version, const lte_sar *sar, int n_rows, int n_columns,
                                  float *d_re, float *d_im, cudaStream_t stream)
{
    const sar_set set = {*sar, d_re, d_im};
    lte_status status = lte_reference_sar_check(sar, n_rows, n_columns);
    const bool wide = on_16_bytes(d_re) && on_16_bytes(d_im);
    return status ? status : launch(version, set, n_rows, n_columns, wide, stream);
}
