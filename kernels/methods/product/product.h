#ifndef LTE_KERNELS_METHODS_PRODUCT_H
#define LTE_KERNELS_METHODS_PRODUCT_H
/*
 * Products of matrices of any shape and storage order,
 *
 *     c[b] = op(a[b]) op(b[b]),   op: nothing, or the conjugate transpose,
 *
 * of float or complex float, each element by one sum over k = 0, 1, ... of fused multiply-adds
 * (phy/base/cplx.h: c_mac), so that all functions here give the same bits on every processor and
 * device.
 *
 *     lte_product p = {.a = row_major, .b = halves, .c = row_major};     // array types
 *     status = lte_product_on(&threads, &p, a, b, c);                    // the plain one
 *     status = lte_product_run(&p, n_threads, a, b, c, work);            // the fast one
 *
 * Source: Cui, Li, Chen, Matrix multiplication based on Parray array types, sections 3 and 4.
 */

#include "kernels/methods/product/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Types of the matrices, [rows][columns] or [batches][rows][columns], of any trees below that. An
 * a or b of two dimensions serves every batch.
 */
typedef struct lte_product {
    lte_array a, b, c;
    bool a_h, b_h; /* the conjugate transpose of a, of b */
} lte_product;

/* Sizes of a product: op(a) [m][k], op(b) [k][n], c [m][n]. */
typedef struct {
    int64_t n_batches, m, n, k;
} lte_product_size;

/* The dimensions of a matrix: its batches (-1: one), rows and columns. */
typedef struct {
    int batch, row, column;
} lte_matrix_dims;

LTE_CONSTANT lte_matrix_dims lte_matrix_dims_of(const lte_array *a)
{
    const bool batched = lte_dim_in(a, 0, 2) >= 0;
    const lte_matrix_dims d = {batched ? lte_dim_in(a, 0, 0) : -1, lte_dim_in(a, 0, batched),
                               lte_dim_in(a, 0, batched + 1)};
    return d;
}

/*
 * Returns LTE_EINVAL, with the reason, for types with a fault, other elements than float or complex
 * float, sizes that do not go together, or two elements of c at the same place.
 */
lte_status lte_product_check(const lte_product *p, lte_product_size *size);

/*
 * The plain product: thread tid of the array has the rows tid_0, tid_0 + dim_0, ... of c and of
 * those the columns tid_1, tid_1 + dim_1, ... It moves from one thread to many, and to a device, by
 * the thread array alone. Of MPI processes each writes its own elements of its own c.
 *
 *   a, b, c   memory that those threads can reach, as the types say; c apart from a and b
 *
 * CUDA threads are started on the null stream and waited for.
 *
 * Returns LTE_EINVAL as lte_product_check and lte_detour do, for memory of another kind, and for c
 * over a or b; LTE_EDEVICE where there are no such threads.
 */
lte_status lte_product_on(const lte_threads *threads, const lte_product *p, const void *a,
                          const void *b, void *c);

/* A product in register tiles, for one instruction set; see lte_product_run. */
typedef struct {
    const char *name;
    bool (*usable)(void); /* on this processor */
    size_t work;          /* bytes of work memory for each thread, a multiple of 64 */
    void (*run)(const lte_product *p, const lte_product_size *size, int n_threads, const float *a,
                const float *b, float *c, void *work);
} lte_product_level;

extern const lte_product_level lte_product_ref, lte_product_v3, lte_product_v4, lte_product_neon;

/* Those of this build, the plain loops first; NULL ends the list. */
extern const lte_product_level *const lte_product_levels[];

/* The last usable one. */
const lte_product_level *lte_product_best(void);

/*
 * The product on the host, fast.
 *
 *   n_threads   1 or more
 *   work        lte_product_work(n_threads) bytes, at a multiple of 64
 *
 * Returns LTE_EINVAL as lte_product_on does.
 */
lte_status lte_product_run(const lte_product *p, int n_threads, const void *a, const void *b,
                           void *c, void *work);
size_t lte_product_work(int n_threads);

/* LTE_EINVAL if memory of the three types is none of those, or c lies over a or b. */
lte_status lte_product_memory_check(const lte_product *p, bool on_device, const void *a,
                                    const void *b, const void *c);

#ifdef __cplusplus
}
#endif

#endif
