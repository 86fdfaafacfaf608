/*
 * Cholesky of any order and element type (kernels/methods/inverse/inverse.h): version "cholesky 1".
 * One block a matrix, delayed: each block of NB columns of L (a thread a row), NB rows of M and NB
 * rows of X (a thread a column) is in registers while all that was solved before corrects it, and
 * is written once. W holds L by columns below the diagonal and M by rows above: neighbours read
 * neighbours.
 */
#include "kernels/methods/inverse/inverse_device.cuh"

namespace
{

template <class T> struct work {
    const T *a;
    T *w; /* [row or column k][n] */
    int n;
};

/* l [k][t] of row j0 + t of L, or of columns i0 + t of M, NB values at a time. */
template <class T> __device__ __forceinline__ T *rows_in_shared()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return (T *)memory;
}

/* Columns j0 .. of L; r [n]: 1 over its diagonal; false if a pivot cannot be divided by. */
template <class T> __device__ bool lower(const work<T> &m, int j0, T *l, typename ops<T>::real *r)
{
    const int n = m.n, i = threadIdx.x, width = min((int)NB, n - j0);
    for (int e = i; e < j0 * NB; e += blockDim.x) /* rows j0 .. of L */
        l[e] = e % NB < width ? m.w[e / NB * n + j0 + e % NB] : ops<T>::of(0);
    T c[NB];
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = i < n && t < width && i >= j0 + t ? m.a[i * n + j0 + t] : ops<T>::of(0);
    __syncthreads();
    for (int k = 0; k < j0 && i >= j0 && i < n; k++) {
        const T x = m.w[k * n + i];
#pragma unroll
        for (int t = 0; t < NB; t++)
            c[t] = ops<T>::nmacc(c[t], x, l[k * NB + t]);
    }
    __syncthreads();
    bool divides = true;
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t >= width)
            continue;
        if (i == j0 + t)
            l[NB] = c[t];
        __syncthreads();
        const typename ops<T>::real d = ops<T>::part(l[NB]);
        divides = divides && ops<T>::divides(d * d);
        const typename ops<T>::real inverse = ops<T>::root_inverse(d);
        if (i == j0 + t)
            r[i] = inverse;
        c[t] = ops<T>::scale(c[t], inverse);
        if (i > j0 + t && i < j0 + NB)
            l[i - j0] = c[t];
        __syncthreads();
#pragma unroll
        for (int s = t + 1; s < NB; s++)
            c[s] = ops<T>::nmacc(c[s], c[t], l[s]);
        __syncthreads();
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t < width && i > j0 + t && i < n)
            m.w[(j0 + t) * n + i] = c[t];
    }
    __syncthreads();
    return divides;
}

/* Rows i0 .. of M = L^-1, row k in place k of W, left of the diagonal. */
template <class T>
__device__ void inverse_rows(const work<T> &m, int i0, T *l, const typename ops<T>::real *r)
{
    const int n = m.n, j = threadIdx.x, width = min((int)NB, n - i0);
    for (int e = j; e < (i0 + width) * NB; e += blockDim.x) { /* rows i0 .. of L */
        const int k = e / NB, i = i0 + e % NB;
        l[e] = i < n && k < i ? m.w[k * n + i] : ops<T>::of(0);
    }
    __syncthreads();
    T c[NB];
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = ops<T>::of(0);
    for (int k = j; k < i0; k++) {
        const T x = k == j ? ops<T>::of(r[j]) : m.w[k * n + j];
#pragma unroll
        for (int t = 0; t < NB; t++)
            c[t] = ops<T>::nmac(c[t], l[k * NB + t], x);
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        if (t >= width || j > i0 + t)
            continue;
        c[t] = j == i0 + t ? ops<T>::of(r[j]) : ops<T>::scale(c[t], r[i0 + t]);
#pragma unroll
        for (int s = t + 1; s < NB; s++)
            c[s] = ops<T>::nmac(c[s], l[(i0 + t) * NB + s], c[t]);
        if (j < i0 + t)
            m.w[(i0 + t) * n + j] = c[t];
    }
    __syncthreads();
}

/* Rows i0 .. of X = M' M up to the diagonal, and their mirror; false if one is not finite. */
template <class T>
__device__ bool product(const work<T> &m, int i0, T *l, const typename ops<T>::real *r, T *x)
{
    const int n = m.n, j = threadIdx.x, width = min((int)NB, n - i0);
    for (int e = j; e < (n - i0) * NB; e += blockDim.x) { /* columns i0 .. of M */
        const int k = i0 + e / NB, i = i0 + e % NB;
        l[e] = i < k ? m.w[k * n + i] : ops<T>::of(i == k ? r[k] : 0);
    }
    __syncthreads();
    T c[NB];
    bool finite = true;
#pragma unroll
    for (int t = 0; t < NB; t++)
        c[t] = ops<T>::of(0);
    for (int k = i0; k < n && j < i0 + width; k++) {
        const T v = ops<T>::conj(j < k ? m.w[k * n + j] : ops<T>::of(j == k ? r[k] : 0));
#pragma unroll
        for (int t = 0; t < NB; t++) {
            if (k >= i0 + t)
                c[t] = ops<T>::nmacc(c[t], ops<T>::conj(l[(k - i0) * NB + t]), v);
        }
    }
#pragma unroll
    for (int t = 0; t < NB; t++) {
        const int i = i0 + t;
        if (t >= width || j > i)
            continue;
        T o = ops<T>::neg(c[t]);
        if (i == j)
            o = ops<T>::of(ops<T>::part(o));
        finite = finite && ops<T>::finite(o);
        x[i * n + j] = o;
        if (i != j)
            x[j * n + i] = ops<T>::conj(o);
    }
    __syncthreads();
    return finite;
}

template <class T>
__global__ void cholesky_kernel(int n, const T *d_a, T *d_x, T *d_work, uint8_t *d_flag)
{
    __shared__ typename ops<T>::real r[LTE_INVERSE_MAX_ORDER];
    const size_t n2 = (size_t)n * n;
    const work<T> m = {d_a + blockIdx.x * n2, d_work + blockIdx.x * n2, n};
    T *const x = d_x + blockIdx.x * n2, *const l = rows_in_shared<T>();
    bool good = true;
    for (int j0 = 0; j0 < n; j0 += NB)
        good = lower(m, j0, l, r) && good;
    for (int i0 = 0; i0 < n && good; i0 += NB)
        inverse_rows(m, i0, l, r);
    for (int i0 = 0; i0 < n && good; i0 += NB)
        good = __syncthreads_or(!product(m, i0, l, r, x)) == 0;
    if (!good) {
        for (size_t e = threadIdx.x; e < n2; e += blockDim.x)
            x[e] = ops<T>::of(0);
    }
    if (threadIdx.x == 0)
        d_flag[blockIdx.x] = (uint8_t)!good;
}

template <class T>
lte_status launch(int n, int n_matrices, const void *d_a, void *d_x, uint8_t *d_flag, void *d_work,
                  cudaStream_t stream)
{
    cholesky_kernel<<<n_matrices, threads_of(n), (size_t)(n + NB) * NB * sizeof(T), stream>>>(
        n, (const T *)d_a, (T *)d_x, (T *)d_work, d_flag);
    return LTE_LAUNCHED(cholesky_kernel);
}

} // namespace

lte_status lte_inverse_cholesky_blocks(int element, int n, int n_matrices, const void *d_a,
                                       void *d_x, uint8_t *d_flag, void *d_work,
                                       cudaStream_t stream)
{
    if (element == LTE_FLOAT)
        return launch<float>(n, n_matrices, d_a, d_x, d_flag, d_work, stream);
    if (element == LTE_CFLOAT)
        return launch<lte_cplx>(n, n_matrices, d_a, d_x, d_flag, d_work, stream);
    if (element == LTE_DOUBLE)
        return launch<double>(n, n_matrices, d_a, d_x, d_flag, d_work, stream);
    return launch<lte_cf64>(n, n_matrices, d_a, d_x, d_flag, d_work, stream);
}
