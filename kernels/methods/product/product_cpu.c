/* Products on the host: what is refused, the plain one, and the choice of a fast one. */
#include "kernels/methods/product/product.h"

#include "kernels/base/device_code.h"
#include "kernels/base/levels.h"
#include "kernels/methods/product/product_part.h"

/* Sizes of op(a); another number of dimensions than two or three: all zero. */
static lte_product_size matrix_size(const lte_array *a, bool h)
{
    const lte_product_size none = {0, 0, 0, 0};
    if (lte_dim_in(a, 0, 1) < 0 || lte_dim_in(a, 0, 3) >= 0)
        return none;
    const lte_matrix_dims d = lte_matrix_dims_of(a);
    const int64_t rows = a->dim[d.row].size, columns = a->dim[d.column].size;
    const lte_product_size s = {d.batch < 0 ? 1 : a->dim[d.batch].size, h ? columns : rows,
                                h ? rows : columns, 0};
    return s;
}

lte_status lte_product_check(const lte_product *p, lte_product_size *size)
{
    lte_status status = lte_array_check(&p->a);
    if (!status)
        status = lte_array_check(&p->b);
    if (!status)
        status = lte_array_check(&p->c);
    if (status)
        return status;
    const lte_element element = p->c.element;
    if ((element != LTE_FLOAT && element != LTE_CFLOAT) || p->a.element != element ||
        p->b.element != element)
        return LTE_FAIL(LTE_EINVAL, "a product needs elements that are all float or all cfloat");
    const lte_product_size a = matrix_size(&p->a, p->a_h), b = matrix_size(&p->b, p->b_h),
                           c = matrix_size(&p->c, false);
    if (a.m == 0 || b.m == 0 || c.m == 0)
        return LTE_FAIL(LTE_EINVAL,
                        "a product needs arrays [rows][columns] or [batches][rows][columns]");
    if (a.m != c.m || b.n != c.n || a.n != b.m)
        return LTE_FAIL(LTE_EINVAL, "%lld x %lld is not the product of %lld x %lld and %lld x %lld",
                        (long long)c.m, (long long)c.n, (long long)a.m, (long long)a.n,
                        (long long)b.m, (long long)b.n);
    if ((lte_dim_in(&p->a, 0, 2) >= 0 && a.n_batches != c.n_batches) ||
        (lte_dim_in(&p->b, 0, 2) >= 0 && b.n_batches != c.n_batches))
        return LTE_FAIL(LTE_EINVAL, "%lld products of %lld and %lld matrices",
                        (long long)c.n_batches, (long long)a.n_batches, (long long)b.n_batches);
    if (!lte_array_lies_apart(&p->c))
        return LTE_FAIL(LTE_EINVAL, "the product has two elements at the same address");
    *size = (lte_product_size){c.n_batches, c.m, c.n, a.n};
    return LTE_OK;
}

static bool is_reachable(const lte_array *a, bool on_device)
{
    return a->memory == LTE_PINNED || a->memory == (on_device ? LTE_DEVICE : LTE_PAGEABLE);
}

static bool overlap(const lte_array *type, const void *x, const lte_array *c_type, const void *c)
{
    const uintptr_t size = (uintptr_t)lte_element_size(c_type->element);
    const uintptr_t from = (uintptr_t)x, to = (uintptr_t)c;
    return from < to ? to - from < (uintptr_t)lte_array_room(type) * size
                     : from - to < (uintptr_t)lte_array_room(c_type) * size;
}

lte_status lte_product_memory_check(const lte_product *p, bool on_device, const void *a,
                                    const void *b, const void *c)
{
    if (!is_reachable(&p->a, on_device) || !is_reachable(&p->b, on_device) ||
        !is_reachable(&p->c, on_device))
        return LTE_FAIL(LTE_EINVAL, "the product is in memory that its threads cannot access");
    const uintptr_t any = (uintptr_t)a | (uintptr_t)b | (uintptr_t)c;
    if (any % (uintptr_t)lte_element_size(p->c.element) != 0)
        return LTE_FAIL(LTE_EINVAL,
                        "the product is at an address that is not a multiple of the element size");
    if (overlap(&p->a, a, &p->c, c) || overlap(&p->b, b, &p->c, c))
        return LTE_FAIL(LTE_EINVAL, "the product overlaps its factors");
    return LTE_OK;
}

static void product_body(const lte_threads *threads, int64_t tid, void *with)
{
    product_part(threads, tid, with);
}

lte_status lte_product_on(const lte_threads *threads, const lte_product *p, const void *a,
                          const void *b, void *c)
{
    product_work w = {*p, {0, 0, 0, 0}, a, b, c};
    const bool on_device = threads->kind == LTE_THREADS_CUDA;
    lte_status status = lte_product_check(p, &w.size);
    if (!status)
        status = lte_product_memory_check(p, on_device, a, b, c);
    if (status || !on_device)
        return status ? status : lte_detour(threads, product_body, &w);
    if (!lte_device_code_here)
        return LTE_FAIL(LTE_EDEVICE, "CUDA threads: this program has no device code");
    return lte_device_code_here->product(threads, p, a, b, c);
}

const lte_product_level *lte_product_best(void)
{
    const lte_product_level *best = lte_product_levels[0];
    for (int i = 0; lte_product_levels[i]; i++) {
        if (lte_product_levels[i]->usable())
            best = lte_product_levels[i];
    }
    return best;
}

size_t lte_product_work(int n_threads)
{
    return n_threads < 1 ? 0 : (size_t)n_threads * lte_product_best()->work;
}

lte_status lte_product_run(const lte_product *p, int n_threads, const void *a, const void *b,
                           void *c, void *work)
{
    lte_product_size size;
    lte_status status = lte_product_check(p, &size);
    if (!status)
        status = lte_product_memory_check(p, false, a, b, c);
    if (status)
        return status;
    if (n_threads < 1 || (uintptr_t)work % 64 != 0)
        return LTE_FAIL(LTE_EINVAL,
                        "n_threads=%d (1 or more), or the work memory is not aligned to 64 bytes",
                        n_threads);
    lte_product_best()->run(p, &size, n_threads, a, b, c, work);
    return LTE_OK;
}
