/*
 * Kernels over constant array types. Their types leave no trace in the machine code of sm_90: the
 * offsets of figure 7's kernel are shifts and constants, no type is stored, no loop is left.
 */
#include "kernels/methods/array/array_build.h"
#include "kernels/methods/product/threads.cuh"
#include "tests/cuda/array_probe.h"

enum { N = 128, TILE = 16 };

/* [[128/16][16]][[128/16][16]] */
LTE_CONSTANT lte_array matrix_type()
{
    lte_array a = lte_array_begin(LTE_CFLOAT, LTE_DEVICE);
    for (int i = 0; i < 2; i++) {
        lte_dim_open(&a);
        lte_dim_of(&a, N / TILE);
        lte_dim_of(&a, TILE);
        lte_dim_close(&a);
    }
    lte_array_end(&a);
    return a;
}

/* A: [16][17], and [#A_0][16 #A_1], which leaves its last column out */
LTE_CONSTANT lte_array padded_type()
{
    lte_array a = lte_array_begin(LTE_CFLOAT, LTE_SHARED);
    lte_dim_of(&a, TILE);
    lte_dim_of(&a, TILE + 1);
    lte_array_end(&a);
    return a;
}
LTE_CONSTANT lte_array tile_type()
{
    const lte_array a = padded_type();
    lte_array b = lte_array_begin(LTE_CFLOAT, LTE_SHARED);
    lte_dim_ref(&b, &a, lte_dim_in(&a, 0, 0));
    lte_dim_of_as(&b, TILE, &a, lte_dim_in(&a, 0, 1));
    lte_array_end(&b);
    return b;
}

/* Element (i, j) of tile (y, x). */
static __device__ __forceinline__ int64_t element_at(int64_t y, int64_t i, int64_t x, int64_t j)
{
    constexpr lte_array m = matrix_type();
    constexpr int rows = lte_dim_in(&m, 0, 0), columns = lte_dim_in(&m, 0, 1);
    return lte_dim_at(&m, lte_dim_in(&m, rows, 0), y) + lte_dim_at(&m, lte_dim_in(&m, rows, 1), i) +
           lte_dim_at(&m, lte_dim_in(&m, columns, 0), x) +
           lte_dim_at(&m, lte_dim_in(&m, columns, 1), j);
}

/* cuda [[128/16][128/16]][[16][16]] */
LTE_CONSTANT lte_threads turning_threads()
{
    lte_threads t = {LTE_THREADS_CUDA, lte_array_begin(LTE_BYTE, LTE_REGISTER)};
    for (int i = 0; i < 2; i++) {
        lte_dim_open(&t.dims);
        lte_dim_of(&t.dims, i == 0 ? N / TILE : TILE);
        lte_dim_of(&t.dims, i == 0 ? N / TILE : TILE);
        lte_dim_close(&t.dims);
    }
    lte_array_end(&t.dims);
    return t;
}

struct turning {
    const lte_cf32 *d_x;
    lte_cf32 *d_y;
    __device__ void operator()(const lte_threads &, int64_t tid) const
    {
        constexpr lte_array padded = padded_type(), seen = tile_type();
        constexpr lte_threads t = turning_threads();
        constexpr int blocks = lte_dim_in(&t.dims, 0, 0), block = lte_dim_in(&t.dims, 0, 1);
        static_assert(padded.fault == LTE_ARRAY_FITS && seen.fault == LTE_ARRAY_FITS, "types");
        __shared__ lte_cf32 tile[lte_array_room(&padded)];
        const int64_t y = lte_tid(&t, tid, lte_dim_in(&t.dims, blocks, 0));
        const int64_t x = lte_tid(&t, tid, lte_dim_in(&t.dims, blocks, 1));
        const int64_t i = lte_tid(&t, tid, lte_dim_in(&t.dims, block, 0));
        const int64_t j = lte_tid(&t, tid, lte_dim_in(&t.dims, block, 1));
        tile[lte_at2(&seen, i, j)] = d_x[element_at(y, i, x, j)];
        __syncthreads();
        d_y[element_at(x, i, y, j)] = tile[lte_at2(&seen, j, i)];
    }
};

lte_status lte_probe_turn(const lte_cf32 *d_x, lte_cf32 *d_y, cudaStream_t stream)
{
    const lte_threads threads = turning_threads();
    return detour_cuda(&threads, turning{d_x, d_y}, stream);
}

static __global__ void guide_kernel(int width, const float *a, const float *b, float *c)
{
    const int row = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float s = 0.0f;
    for (int e = 0; e < width; e++)
        s = fmaf(a[row * width + e], b[e * width + column], s);
    c[row * width + column] = s;
}

lte_status lte_probe_guide(int width, const float *d_a, const float *d_b, float *d_c,
                           cudaStream_t stream)
{
    const unsigned n = (unsigned)width / TILE;
    guide_kernel<<<dim3(n, n), dim3(TILE, TILE), 0, stream>>>(width, d_a, d_b, d_c);
    return LTE_LAUNCHED(guide_kernel);
}

struct noting {
    int64_t *d_seen;
    __device__ void operator()(const lte_threads &threads, int64_t tid) const
    {
        int64_t *const seen = d_seen + 4 * tid;
        seen[0] = blockIdx.x;
        seen[1] = threadIdx.x;
        seen[2] = lte_tid(&threads, tid, lte_dim_in(&threads.dims, 0, 0));
        seen[3] = lte_tid(&threads, tid, lte_dim_in(&threads.dims, 0, 1));
    }
};

lte_status lte_probe_places(const lte_threads *threads, int64_t *d_seen, cudaStream_t stream)
{
    return detour_cuda(threads, noting{d_seen}, stream);
}
