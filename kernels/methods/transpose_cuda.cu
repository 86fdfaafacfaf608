/*
 * Transposition on a grid of threads (kernels/methods/transpose.h). Copy's time over it, 4096 x
 * 4096 of 4, 8 and 16 bytes on one H200: version 1 0.42, 0.53, 0.86; version 2 0.99, 0.97, 0.97.
 *
 *   1  16 x 16 threads, one element each, through a tile of shared memory, block and thread indices
 *      exchanged, as published
 *   2  tiles of 64 x 64 (32 x 32 of 16 bytes) and 256 threads, each with all its loads in flight;
 *      16 bytes an access wherever rows of both matrices are whole numbers of them: a thread
 *      transposes 4 x 4 or 2 x 2 elements in registers, and the tile is swizzled, so that no access
 *      meets a bank conflict; one element an access where they are not
 *
 * Blocks are numbered down the columns of tiles, matrix after matrix: so any shape fits, and blocks
 * that run at a time write neighbouring lines.
 */
#include "kernels/launch.cuh"
#include "kernels/methods/methods_cuda.h"

/* A matrix of the batch, in tiles. */
struct tiling {
    uint32_t n_rows, n_columns;
    uint32_t down, across; /* tiles of a column and of a row */
};

/* First element of a block's tile; first: of its matrix. */
struct corner {
    uint32_t row, column;
    size_t first;
};

static __device__ __forceinline__ corner corner_of(const tiling &t, uint32_t side)
{
    const uint32_t tile_column = blockIdx.x / t.down;
    corner o;
    o.row = blockIdx.x % t.down * side;
    o.column = tile_column % t.across * side;
    o.first = (size_t)(tile_column / t.across) * t.n_rows * t.n_columns;
    return o;
}

enum { TILE = 16 };

template <class ELEMENT>
static __global__ void transpose_kernel1(tiling t, const ELEMENT *a, ELEMENT *x)
{
    __shared__ ELEMENT tile[TILE][TILE];
    const corner at = corner_of(t, TILE);
    const uint32_t i = at.row + threadIdx.y, j = at.column + threadIdx.x;
    if (i < t.n_rows && j < t.n_columns)
        tile[threadIdx.y][threadIdx.x] = a[at.first + (size_t)i * t.n_columns + j];
    __syncthreads();
    const uint32_t x_i = at.column + threadIdx.y, x_j = at.row + threadIdx.x;
    if (x_i < t.n_columns && x_j < t.n_rows)
        x[at.first + (size_t)x_i * t.n_rows + x_j] = tile[threadIdx.x][threadIdx.y];
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
static __global__ void transpose_kernel2(tiling t, const ELEMENT *a, ELEMENT *x)
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
            in[s][p] = *(const wide *)&a[at.first + (size_t)(i + p) * t.n_columns + j];
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
            *(wide *)&x[at.first + (size_t)j * t.n_rows + i] = out;
    }
}

template <class ELEMENT>
static lte_status launch(int version, int n_batches, int n_rows, int n_columns, const void *d_a,
                         void *d_x, cudaStream_t stream)
{
    enum { PER = 16 / sizeof(ELEMENT) };
    const int side = version == 1 ? (int)TILE : side_of<ELEMENT>;
    const int down = blocks_of(n_rows, side), across = blocks_of(n_columns, side);
    const int64_t n_tiles = (int64_t)down * across;
    if (n_tiles > INT32_MAX / n_batches)
        return LTE_FAIL(LTE_EINVAL, "%d x %d x %d elements are too many", n_batches, n_rows,
                        n_columns);
    const tiling t = {(uint32_t)n_rows, (uint32_t)n_columns, (uint32_t)down, (uint32_t)across};
    const unsigned n_blocks = (unsigned)(n_tiles * n_batches);
    const ELEMENT *a = (const ELEMENT *)d_a;
    ELEMENT *x = (ELEMENT *)d_x;
    if (version == 1)
        transpose_kernel1<<<n_blocks, dim3(TILE, TILE), 0, stream>>>(t, a, x);
    else if (n_rows % PER == 0 && n_columns % PER == 0 && on_16_bytes(a) && on_16_bytes(x))
        transpose_kernel2<ELEMENT, PER><<<n_blocks, THREADS, 0, stream>>>(t, a, x);
    else
        transpose_kernel2<ELEMENT, 1><<<n_blocks, THREADS, 0, stream>>>(t, a, x);
    return LTE_LAUNCHED(transpose_kernel);
}

lte_status lte_transpose_cuda(int version, int element_size, int n_batches, int n_rows,
                              int n_columns, const void *d_a, void *d_x, cudaStream_t stream)
{
    lte_status status = lte_transpose_check(element_size, n_batches, n_rows, n_columns, d_a, d_x);
    if (status)
        return status;
    if (version < 1 || version > 2)
        return LTE_FAIL(LTE_EINVAL, "version=%d (1 or 2)", version);
    if (element_size == 4)
        return launch<uint32_t>(version, n_batches, n_rows, n_columns, d_a, d_x, stream);
    if (element_size == 8)
        return launch<uint2>(version, n_batches, n_rows, n_columns, d_a, d_x, stream);
    return launch<uint4>(version, n_batches, n_rows, n_columns, d_a, d_x, stream);
}
