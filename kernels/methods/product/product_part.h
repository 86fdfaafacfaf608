#ifndef LTE_KERNELS_METHODS_PRODUCT_PART_H
#define LTE_KERNELS_METHODS_PRODUCT_PART_H
/*
 * The plain product's one text, for threads of the host and of a device:
 *
 *     product_part(threads, tid, &work);      // the elements of c that thread tid has
 */

#include "kernels/methods/product/product.h"
#include "phy/base/cplx.h"

typedef struct {
    lte_product p;
    lte_product_size size;
    const void *a, *b;
    void *c;
} product_work;

/* Offset of element (i, j) of op(a) in a batch. */
LTE_INLINE int64_t product_offset(const lte_array *a, lte_matrix_dims d, bool h, int64_t batch,
                                  int64_t i, int64_t j)
{
    return lte_dim_at(a, d.batch, batch) + lte_dim_at(a, d.row, h ? j : i) +
           lte_dim_at(a, d.column, h ? i : j);
}

/* What of the product thread tid has; see lte_product_on. */
LTE_INLINE void product_part(const lte_threads *threads, int64_t tid, const product_work *w)
{
    const lte_product *const p = &w->p;
    const lte_matrix_dims da = lte_matrix_dims_of(&p->a), db = lte_matrix_dims_of(&p->b),
                          dc = lte_matrix_dims_of(&p->c);
    const int rows = lte_dim_in(&threads->dims, 0, 0), columns = lte_dim_in(&threads->dims, 0, 1);
    const int64_t row_step = lte_dim_size(&threads->dims, rows);
    const int64_t column_step = lte_dim_size(&threads->dims, columns);
    for (int64_t batch = 0; batch < w->size.n_batches; batch++) {
        for (int64_t i = lte_tid(threads, tid, rows); i < w->size.m; i += row_step) {
            for (int64_t j = lte_tid(threads, tid, columns); j < w->size.n; j += column_step) {
                const int64_t at = product_offset(&p->c, dc, false, batch, i, j);
                if (p->c.element == LTE_FLOAT) {
                    const float *const a = (const float *)w->a, *const b = (const float *)w->b;
                    float s = 0.0f;
                    for (int64_t k = 0; k < w->size.k; k++)
                        s = r_fma(a[product_offset(&p->a, da, p->a_h, batch, i, k)],
                                  b[product_offset(&p->b, db, p->b_h, batch, k, j)], s);
                    ((float *)w->c)[at] = s;
                } else {
                    const lte_cplx *const a = (const lte_cplx *)w->a;
                    const lte_cplx *const b = (const lte_cplx *)w->b;
                    lte_cplx s = c_zero();
                    for (int64_t k = 0; k < w->size.k; k++) {
                        const lte_cplx x = a[product_offset(&p->a, da, p->a_h, batch, i, k)];
                        const lte_cplx y = b[product_offset(&p->b, db, p->b_h, batch, k, j)];
                        s = c_mac(s, p->a_h ? c_conj(x) : x, p->b_h ? c_conj(y) : y);
                    }
                    ((lte_cplx *)w->c)[at] = s;
                }
            }
        }
    }
}

#endif
