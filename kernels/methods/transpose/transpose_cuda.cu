/*
 * Transposition, and other orders of dimensions, on a grid of threads (transpose.h). Copy's time
 * over it, 4096 x 4096 of 4, 8 and 16 bytes on one H200: version 1 0.42, 0.53, 0.86; version 2
 * 0.99, 0.97, 0.97.
 *
 *   1  16 x 16 threads, one element each, through a tile of shared memory, block and thread indices
 *      exchanged, as published
 *   2  tiles of 64 x 64 (32 x 32 of 16 bytes) and 256 threads, each with all its loads in flight;
 *      16 bytes an access wherever rows of both matrices are whole numbers of them: a thread
 *      transposes 4 x 4 or 2 x 2 elements in registers, and the tile is swizzled, so that no access
 *      meets a bank conflict; one element an access where they are not
 *
 * Blocks are numbered down the columns of tiles, matrix after matrix: so any shape fits, and blocks
 * that run at a time write neighbouring lines. Rows may lie apart, and matrices in any order.
 */
#include "kernels/base/launcher.cuh"
#include "kernels/methods/transpose/transpose_cuda.h"

enum { BATCHES = 4, LEAST_SIDE = 4 /* below it tiles are nearly empty */ };

/* Matrices in tiles. */
struct tiling {
    uint32_t n_rows, n_columns;
    uint32_t pitch, x_pitch; /* elements from row to row of a, of x */
    uint32_t down, across;   /* tiles of a column and of a row */
    int n_batches;           /* dimensions that count matrices, the last one fastest */
    lte_step batch[BATCHES];
};

/* A block's tile, and where its matrices begin. */
struct corner {
    uint32_t row, column;
    int64_t a, x;
};

static __device__ __forceinline__ corner corner_of(const tiling &t, uint32_t side)
{
    const uint32_t tile_column = blockIdx.x / t.down;
    uint32_t matrix = tile_column / t.across;
    corner o = {blockIdx.x % t.down * side, tile_column % t.across * side, 0, 0};
    for (int i = t.n_batches - 1; i >= 0; i--) {
        const uint32_t size = (uint32_t)t.batch[i].size, at = matrix % size;
        o.a += at * t.batch[i].from;
        o.x += at * t.batch[i].to;
        matrix /= size;
    }
    return o;
}

enum { TILE = 16 };

template <class ELEMENT>
static __global__ void transpose_kernel1(const __grid_constant__ tiling t, const ELEMENT *a,
                                         ELEMENT *x)
{
    __shared__ ELEMENT tile[TILE][TILE];
    const corner at = corner_of(t, TILE);
    const uint32_t i = at.row + threadIdx.y, j = at.column + threadIdx.x;
    if (i < t.n_rows && j < t.n_columns)
        tile[threadIdx.y][threadIdx.x] = a[at.a + (size_t)i * t.pitch + j];
    __syncthreads();
    const uint32_t x_i = at.column + threadIdx.y, x_j = at.row + threadIdx.x;
    if (x_i < t.n_columns && x_j < t.n_rows)
        x[at.x + (size_t)x_i * t.x_pitch + x_j] = tile[threadIdx.x][threadIdx.y];
}

/* PER elements of a row, one access. */
template <class ELEMENT, int PER> struct alignas(PER * sizeof(ELEMENT)) word {
    ELEMENT e[PER];
};

enum { THREADS = 256, BANKS = 128 /* bytes that shared memory moves at once */ };

template <class ELEMENT> constexpr int side_of = sizeof(ELEMENT) > 8 ? 32 : 64;

/*
 * The tile as N x N squares of PER x PER elements, turned in registers; n_rows and n_columns are
 * multiples of PER. Squares beyond the matrix load its last ones, and are not stored. Row c of the
 * tile holds column c of a, its words exchanged so that the words of a column of squares, which one
 * access writes, lie in different banks.
 */
template <class ELEMENT, int PER>
static __global__ void transpose_kernel2(const __grid_constant__ tiling t, const ELEMENT *a,
                                         ELEMENT *x)
{
    typedef word<ELEMENT, PER> wide;
    enum {
        SIDE = side_of<ELEMENT>,
        N = SIDE / PER,
        SQUARES = N * N / THREADS, /* of a thread */
        MASK = BANKS / sizeof(wide) - 1
    };
    __shared__ wide tile[SIDE][N];
    const corner at = corner_of(t, SIDE);
    wide in[SQUARES][PER];
    LTE_UNROLL
    for (int s = 0; s < SQUARES; s++) {
        const uint32_t k = threadIdx.x + s * THREADS;
        const uint32_t i = min(at.row + k / N * PER, t.n_rows - PER);
        const uint32_t j = min(at.column + k % N * PER, t.n_columns - PER);
        LTE_UNROLL
        for (int p = 0; p < PER; p++)
            in[s][p] = *(const wide *)&a[at.a + (size_t)(i + p) * t.pitch + j];
    }
    __syncwarp(); /* all loads are on their way before the first is waited for */
    LTE_UNROLL
    for (int s = 0; s < SQUARES; s++) {
        const uint32_t k = threadIdx.x + s * THREADS, row = k / N, column = k % N;
        LTE_UNROLL
        for (int q = 0; q < PER; q++) {
            wide out;
            LTE_UNROLL
            for (int p = 0; p < PER; p++)
                out.e[p] = in[s][p].e[q];
            tile[column * PER + q][row ^ (column & MASK)] = out;
        }
    }
    __syncthreads();
    LTE_UNROLL
    for (int s = 0; s < SQUARES * PER; s++) {
        const uint32_t k = threadIdx.x + s * THREADS, column = k / N, row = k % N;
        const uint32_t i = at.row + row * PER, j = at.column + column;
        const wide out = tile[column][row ^ (column / PER & MASK)];
        if (i < t.n_rows && j < t.n_columns)
            *(wide *)&x[at.x + (size_t)j * t.x_pitch + i] = out;
    }
}

/*
 * The last two steps are rows and columns, the others count matrices. Indices of a tile have 32
 * bits.
 */
template <class ELEMENT>
static lte_status transpose(int version, const lte_steps *steps, const void *d_a, void *d_x,
                            cudaStream_t stream)
{
    enum { PER = 16 / sizeof(ELEMENT) };
    const int side = version == 1 ? (int)TILE : side_of<ELEMENT>, n_steps = steps->n;
    const lte_step rows = steps->step[n_steps - 2], columns = steps->step[n_steps - 1];
    const int down = blocks_of(rows.size, side), across = blocks_of(columns.size, side);
    tiling t = {(uint32_t)rows.size,
                (uint32_t)columns.size,
                (uint32_t)rows.from,
                (uint32_t)columns.to,
                (uint32_t)down,
                (uint32_t)across,
                0,
                {}};
    int64_t n_blocks = (int64_t)down * across;
    int64_t all = rows.size | rows.from | columns.size | columns.to; /* multiples of PER? */
    for (int i = 0; i < n_steps - 2; i++) {
        const lte_step batch = steps->step[i];
        if (batch.size == 1)
            continue;
        all |= batch.from | batch.to;
        if (batch.size > INT32_MAX / n_blocks)
            return LTE_FAIL(LTE_EINVAL, "there are more matrices than blocks in a grid");
        n_blocks *= batch.size;
        t.batch[t.n_batches++] = batch;
    }
    const ELEMENT *a = (const ELEMENT *)d_a;
    ELEMENT *x = (ELEMENT *)d_x;
    const unsigned n = (unsigned)n_blocks;
    if (version == 1)
        transpose_kernel1<<<n, dim3(TILE, TILE), 0, stream>>>(t, a, x);
    else if (all % PER == 0 && on_16_bytes(a) && on_16_bytes(x))
        transpose_kernel2<ELEMENT, PER><<<n, THREADS, 0, stream>>>(t, a, x);
    else
        transpose_kernel2<ELEMENT, 1><<<n, THREADS, 0, stream>>>(t, a, x);
    return LTE_LAUNCHED(transpose_kernel);
}

lte_status lte_transpose_cuda(int version, int element_size, int n_batches, int n_rows,
                              int n_columns, const void *d_a, void *d_x, cudaStream_t stream)
{
    const lte_steps steps = lte_transpose_steps(n_batches, n_rows, n_columns);
    const lte_status status =
        lte_transpose_check(element_size, n_batches, n_rows, n_columns, d_a, d_x);
    if (status)
        return status;
    if (version < 1 || version > 2)
        return LTE_FAIL(LTE_EINVAL, "version=%d (1 or 2)", version);
    return element_size == 4   ? transpose<uint32_t>(version, &steps, d_a, d_x, stream)
           : element_size == 8 ? transpose<uint2>(version, &steps, d_a, d_x, stream)
                               : transpose<uint4>(version, &steps, d_a, d_x, stream);
}

/* A thread an element, the last step fastest. */
template <class ELEMENT>
static __global__ void permute_kernel(const __grid_constant__ lte_steps steps, int64_t n,
                                      const ELEMENT *a, ELEMENT *x)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x, from = 0, to = 0;
    if (i >= n)
        return;
    for (int k = steps.n - 1; k >= 0; k--) {
        const int64_t at = i % steps.step[k].size;
        from += at * steps.step[k].from;
        to += at * steps.step[k].to;
        i /= steps.step[k].size;
    }
    x[to] = a[from];
}

static bool transposes(const lte_steps *s)
{
    if (s->n < 2 || s->n > 2 + BATCHES)
        return false;
    const lte_step rows = s->step[s->n - 2], columns = s->step[s->n - 1];
    return rows.to == 1 && columns.from == 1 && rows.size >= LEAST_SIDE &&
           columns.size >= LEAST_SIDE && (rows.size | columns.size) <= INT32_MAX &&
           (rows.from | columns.to) <= INT32_MAX;
}

template <class ELEMENT>
static lte_status permute(const lte_steps *s, const void *d_a, void *d_x, cudaStream_t stream)
{
    int64_t n = 1;
    if constexpr (sizeof(ELEMENT) > 1) {
        if (transposes(s))
            return transpose<ELEMENT>(2, s, d_a, d_x, stream);
    }
    for (int k = 0; k < s->n; k++)
        n *= s->step[k].size;
    if (s->n == 0 || (s->n == 1 && s->step[0].from == 1 && s->step[0].to == 1))
        return LTE_CUDA(
            cudaMemcpyAsync(d_x, d_a, (size_t)n * sizeof(ELEMENT), cudaMemcpyDefault, stream));
    if (n > (int64_t)INT32_MAX * THREADS)
        return LTE_FAIL(LTE_EINVAL, "%lld elements are too many", (long long)n);
    permute_kernel<<<(unsigned)blocks_of(n, THREADS), THREADS, 0, stream>>>(
        *s, n, (const ELEMENT *)d_a, (ELEMENT *)d_x);
    return LTE_LAUNCHED(permute_kernel);
}

lte_status lte_permute_cuda(int element_size, const lte_steps *steps, const void *d_a, void *d_x,
                            cudaStream_t stream)
{
    lte_steps s;
    const lte_status status = lte_steps_order(element_size, steps, d_a, d_x, &s);
    if (status)
        return status;
    if (((uintptr_t)d_a | (uintptr_t)d_x) % (uintptr_t)element_size != 0)
        return LTE_FAIL(LTE_EINVAL, "an address is not a multiple of %d", element_size);
    return element_size == 1   ? permute<uint8_t>(&s, d_a, d_x, stream)
           : element_size == 4 ? permute<uint32_t>(&s, d_a, d_x, stream)
           : element_size == 8 ? permute<uint2>(&s, d_a, d_x, stream)
                               : permute<uint4>(&s, d_a, d_x, stream);
}
