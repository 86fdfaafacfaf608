#ifndef LTE_KERNELS_METHODS_ARRAY_BUILD_H
#define LTE_KERNELS_METHODS_ARRAY_BUILD_H
/*
 * Array types (array.h) built one bracket at a time, on the host and in kernels.
 *
 *     lte_array a = lte_array_begin(LTE_FLOAT, LTE_DEVICE);   // float device
 *     lte_dim_open(&a);                                       // [
 *     lte_dim_of(&a, 3);                                      //  [3]
 *     lte_dim_of(&a, 2);                                      //  [2]
 *     lte_dim_close(&a);                                      // ]
 *     lte_dim_ref(&a, &b, lte_dim_in(&b, 0, 1));              // [#B_1]
 *     lte_array_end(&a);
 *
 * [16 #B_1] is lte_dim_of_as, the bracket behind [[p][q] #B_1] is lte_dim_close_as. A fault stays
 * in the type, and what follows it does nothing; lte_array_check says what it was.
 */

#include "kernels/methods/array/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first fault stays. */
LTE_CONSTANT void lte_array_spoil(lte_array *a, lte_array_fault fault)
{
    if (a->fault == LTE_ARRAY_FITS)
        a->fault = fault;
}

/* The leaves of dimension d, those of one element left out, those that lie as one made one. */
LTE_CONSTANT int lte_dim_digits(const lte_array *a, int d, lte_dim *digit)
{
    int n = 0;
    for (int e = d; e < a->dim[d].end; e++) {
        const lte_dim leaf = a->dim[e];
        if (leaf.end != e + 1 || leaf.size == 1)
            continue;
        if (n > 0 && digit[n - 1].stride == leaf.size * leaf.stride) {
            digit[n - 1].size *= leaf.size;
            digit[n - 1].stride = leaf.stride;
        } else {
            digit[n++] = leaf;
        }
    }
    return n;
}

/* Leaf e becomes n_parts leaves, part [n_parts] from the last to the first. */
LTE_CONSTANT void lte_dim_split(lte_array *a, int e, int n_parts, const lte_dim *part)
{
    if (n_parts < 2) {
        a->dim[e].stride = n_parts == 0 ? 0 : part[0].stride;
        return;
    }
    if (a->n_dims + n_parts > LTE_ARRAY_DIMS) {
        lte_array_spoil(a, LTE_ARRAY_DEEP);
        return;
    }
    for (int i = a->n_dims - 1; i > e; i--)
        a->dim[i + n_parts] = a->dim[i];
    a->n_dims += n_parts;
    for (int i = 0; i < a->n_dims; i++) {
        if ((i <= e || i > e + n_parts) && a->dim[i].end > e)
            a->dim[i].end += n_parts;
    }
    for (int i = 0; i < n_parts; i++) {
        a->dim[e + 1 + i] = part[n_parts - 1 - i];
        a->dim[e + 1 + i].end = e + 2 + i;
    }
}

/*
 * Gives the leaves of dimension d the offsets of the first of digit [n_digits]'s elements: from the
 * last leaf on each takes as many of the last digits as it has elements, whole ones or a divisor
 * of one.
 */
LTE_CONSTANT void lte_dim_place(lte_array *a, int d, int n_digits, const lte_dim *digit)
{
    int64_t before = a->dim[d].size, have = 1, stride = 0; /* have: what is left of the digit */
    for (int e = a->dim[d].end - 1; e >= d && a->fault == LTE_ARRAY_FITS; e--) {
        if (a->dim[e].end != e + 1)
            continue;
        if (a->dim[e].stride != LTE_UNPLACED) {
            lte_array_spoil(a, LTE_ARRAY_MIXED);
            return;
        }
        lte_dim part[LTE_ARRAY_DIMS] = LTE_ZEROS;
        int n_parts = 0;
        int64_t want = a->dim[e].size;
        if (want < 1) { /* not built by these functions */
            lte_array_spoil(a, LTE_ARRAY_SIZE);
            return;
        }
        before /= want; /* elements that the leaves in front have together */
        while (want > 1) {
            if (have == 1) {
                if (n_digits == 0) {
                    lte_array_spoil(a, LTE_ARRAY_BEYOND);
                    return;
                }
                have = digit[--n_digits].size;
                have = have < before * want ? have : before * want; /* the rest is not needed */
                stride = digit[n_digits].stride;
            }
            const int64_t take = want < have ? want : have;
            if (want % take != 0 || have % take != 0) {
                lte_array_spoil(a, LTE_ARRAY_UNEVEN);
                return;
            }
            part[n_parts].size = take;
            part[n_parts++].stride = stride;
            want /= take;
            have /= take;
            stride *= take;
        }
        lte_dim_split(a, e, n_parts, part);
    }
}

LTE_CONSTANT void lte_dim_open(lte_array *a)
{
    if (a->n_dims >= LTE_ARRAY_DIMS)
        lte_array_spoil(a, LTE_ARRAY_DEEP);
    if (a->fault != LTE_ARRAY_FITS)
        return;
    a->dim[a->n_dims].size = 1;
    a->dim[a->n_dims].stride = LTE_NOT_LINEAR;
    a->dim[a->n_dims++].end = 0; /* open */
}

/* The innermost open dimension; -1 without any. */
LTE_CONSTANT int lte_dim_opened(const lte_array *a)
{
    int d = a->n_dims - 1;
    while (d >= 0 && a->dim[d].end != 0)
        d--;
    return d;
}

LTE_CONSTANT lte_array lte_array_begin(lte_element element, lte_memory memory)
{
    lte_array a = LTE_ZEROS;
    a.element = element;
    a.memory = memory;
    if (element < LTE_FLOAT || element >= LTE_N_ELEMENTS || memory < LTE_PAGEABLE ||
        memory >= LTE_N_MEMORIES)
        lte_array_spoil(&a, LTE_ARRAY_KIND);
    lte_dim_open(&a);
    return a;
}

LTE_CONSTANT void lte_dim_close(lte_array *a)
{
    const int d = lte_dim_opened(a);
    if (d < 0 || d + 1 == a->n_dims)
        lte_array_spoil(a, LTE_ARRAY_EMPTY);
    if (a->fault != LTE_ARRAY_FITS)
        return;
    a->dim[d].end = a->n_dims;
    for (int sub = d + 1; sub < a->n_dims; sub = a->dim[sub].end) {
        if (a->dim[sub].size < 1 || a->dim[d].size > INT64_MAX / a->dim[sub].size) {
            lte_array_spoil(a, LTE_ARRAY_OVERFLOW);
            return;
        }
        a->dim[d].size *= a->dim[sub].size;
    }
}

LTE_CONSTANT void lte_dim_of(lte_array *a, int64_t n)
{
    lte_dim_open(a);
    if (n < 1)
        lte_array_spoil(a, LTE_ARRAY_SIZE);
    if (a->fault != LTE_ARRAY_FITS)
        return;
    a->dim[a->n_dims - 1].size = n;
    a->dim[a->n_dims - 1].stride = LTE_UNPLACED;
    a->dim[a->n_dims - 1].end = a->n_dims;
}

/* True if there is a dimension d of b; else a fault of a. */
LTE_CONSTANT bool lte_dim_exists(lte_array *a, const lte_array *b, int d)
{
    const bool exists = b && b->fault == LTE_ARRAY_FITS && d >= 0 && d < b->n_dims;
    if (!exists)
        lte_array_spoil(a, LTE_ARRAY_MISSING);
    return exists && a->fault == LTE_ARRAY_FITS;
}

/* Gives dimension k of a, which has only sizes, the offsets of dimension d of b. */
LTE_CONSTANT void lte_dim_take(lte_array *a, int k, const lte_array *b, int d)
{
    lte_dim digit[LTE_ARRAY_DIMS] = LTE_ZEROS;
    if (!lte_dim_exists(a, b, d) || !b || k < 0)
        return;
    if (a->dim[k].size > b->dim[d].size) {
        lte_array_spoil(a, LTE_ARRAY_BEYOND);
        return;
    }
    const int n_digits = lte_dim_digits(b, d, digit);
    lte_dim_place(a, k, n_digits, digit);
}

LTE_CONSTANT void lte_dim_close_as(lte_array *a, const lte_array *b, int d)
{
    const int k = lte_dim_opened(a);
    lte_dim_close(a);
    lte_dim_take(a, k, b, d);
}

LTE_CONSTANT void lte_dim_of_as(lte_array *a, int64_t n, const lte_array *b, int d)
{
    const int k = a->n_dims;
    lte_dim_of(a, n);
    lte_dim_take(a, k, b, d);
}

LTE_CONSTANT void lte_dim_ref(lte_array *a, const lte_array *b, int d)
{
    if (!lte_dim_exists(a, b, d) || !b)
        return;
    const int by = a->n_dims - d;
    if (b->dim[d].end + by > LTE_ARRAY_DIMS) {
        lte_array_spoil(a, LTE_ARRAY_DEEP);
        return;
    }
    for (int e = d; e < b->dim[d].end; e++) {
        a->dim[e + by] = b->dim[e];
        a->dim[e + by].end += by;
    }
    a->n_dims = b->dim[d].end + by;
}

LTE_CONSTANT void lte_array_end(lte_array *a)
{
    lte_dim digit[LTE_ARRAY_DIMS] = LTE_ZEROS;
    int64_t inner = 1; /* elements of the leaves behind */
    bool natural = true;
    lte_dim_close(a);
    if (lte_dim_opened(a) >= 0)
        lte_array_spoil(a, LTE_ARRAY_EMPTY);
    for (int e = 0; e < a->n_dims && a->fault == LTE_ARRAY_FITS; e++)
        natural = natural && (a->dim[e].end != e + 1 || a->dim[e].stride == LTE_UNPLACED);
    for (int e = a->n_dims - 1; e >= 0 && a->fault == LTE_ARRAY_FITS && natural; e--) {
        if (a->dim[e].end == e + 1) {
            a->dim[e].stride = a->dim[e].size > 1 ? inner : 0;
            inner *= a->dim[e].size;
        }
    }
    const int64_t most = INT64_MAX / lte_element_size(a->element);
    int64_t last = 0; /* offset of the last element so far */
    for (int e = 0; e < a->n_dims && a->fault == LTE_ARRAY_FITS; e++) {
        if (a->dim[e].end == e + 1) {
            const int64_t steps = a->dim[e].size - 1, stride = a->dim[e].stride;
            if (stride == LTE_UNPLACED)
                lte_array_spoil(a, LTE_ARRAY_MIXED);
            else if (steps > 0 && stride > (most - 1 - last) / steps)
                lte_array_spoil(a, LTE_ARRAY_OVERFLOW);
            else
                last += steps * stride;
        } else {
            const int n = lte_dim_digits(a, e, digit);
            a->dim[e].stride = n == 0 ? 0 : n == 1 ? digit[0].stride : (int64_t)LTE_NOT_LINEAR;
        }
    }
    if (a->fault != LTE_ARRAY_FITS) {
        a->n_dims = 1;
        a->dim[0].size = 0;
        a->dim[0].stride = 0;
        a->dim[0].end = 1;
    }
}

#ifdef __cplusplus
}
#endif

#endif
