/* Array types: their faults, memory for them, copies. */
#include "kernels/methods/array/array.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/base/device_code.h"
#include "kernels/methods/array/array_build.h"

const char *lte_array_fault_text(lte_array_fault fault)
{
    static const char *const texts[] = {
        [LTE_ARRAY_FITS] = "no fault",
        [LTE_ARRAY_SIZE] = "a dimension of less than one element",
        [LTE_ARRAY_OVERFLOW] = "2^63 bytes or more",
        [LTE_ARRAY_DEEP] = "more than 32 dimensions",
        [LTE_ARRAY_EMPTY] = "a dimension without a size, or brackets that do not match",
        [LTE_ARRAY_MISSING] = "a reference to a dimension that does not exist",
        [LTE_ARRAY_BEYOND] = "more elements than the dimension that they refer to",
        [LTE_ARRAY_UNEVEN] = "a dimension that is split unevenly into parts",
        [LTE_ARRAY_MIXED] =
            "sizes together with references, which leaves the positions of the elements undefined",
        [LTE_ARRAY_KIND] = "an unknown element or memory",
    };
    return texts[fault];
}

lte_status lte_array_check(const lte_array *a)
{
    return a->fault ? LTE_FAIL(LTE_EINVAL, "array type: %s", lte_array_fault_text(a->fault))
                    : LTE_OK;
}

lte_status lte_array_of_dim(const lte_array *a, int d, lte_array *type)
{
    *type = lte_array_begin(a->element, a->memory);
    if (!lte_dim_exists(type, a, d)) {
        lte_array_end(type);
        return lte_array_check(type);
    }
    for (int e = d; e < a->dim[d].end; e++) {
        type->dim[e - d] = a->dim[e];
        type->dim[e - d].end -= d;
    }
    type->n_dims = a->dim[d].end - d;
    return LTE_OK;
}

static size_t bytes_of(const lte_array *a)
{
    return (size_t)lte_array_room(a) * (size_t)lte_element_size(a->element);
}

lte_status lte_array_create(const lte_array *a, void **x)
{
    *x = NULL;
    lte_status status = lte_array_check(a);
    if (status)
        return status;
    const size_t size = bytes_of(a);
    if (a->memory == LTE_SHARED || a->memory == LTE_REGISTER)
        return LTE_FAIL(LTE_EINVAL, "shared memory and registers exist only in kernels");
    if (a->memory == LTE_PAGEABLE) {
        *x = size > SIZE_MAX - 63 ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
        return *x ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for an array of %zu bytes", size);
    }
    if (!lte_device_code_here)
        return LTE_FAIL(LTE_EDEVICE, "pinned and device memory: this program has no device code");
    return lte_device_code_here->allocate(a->memory == LTE_PINNED, size, x);
}

void lte_array_destroy(const lte_array *a, void *x)
{
    if (a->memory == LTE_PAGEABLE)
        free(x);
    else if (lte_device_code_here && (a->memory == LTE_PINNED || a->memory == LTE_DEVICE))
        lte_device_code_here->release(a->memory == LTE_PINNED, x);
}

/* By size, each stride must step over all that the smaller ones reach. */
bool lte_array_lies_apart(const lte_array *a)
{
    lte_dim digit[LTE_ARRAY_DIMS];
    const int n = lte_dim_digits(a, 0, digit);
    int64_t last = 0; /* of the elements by the strides so far */
    for (int done = 0; done < n; done++) {
        int least = done;
        for (int i = done + 1; i < n; i++) {
            if (digit[i].stride < digit[least].stride)
                least = i;
        }
        const lte_dim next = digit[least];
        digit[least] = digit[done];
        if (next.stride <= last)
            return false;
        last += (next.size - 1) * next.stride;
    }
    return true;
}

lte_status lte_array_copy_check(const lte_array *from, const lte_array *to)
{
    lte_status status = lte_array_check(from);
    if (!status)
        status = lte_array_check(to);
    if (status)
        return status;
    if (from->element != to->element)
        return LTE_FAIL(LTE_EINVAL, "a copy between different elements");
    for (int i = 0; lte_dim_in(from, 0, i) >= 0 || lte_dim_in(to, 0, i) >= 0; i++) {
        const int d = lte_dim_in(from, 0, i), e = lte_dim_in(to, 0, i);
        if (d < 0 || e < 0 || from->dim[d].size != to->dim[e].size)
            return LTE_FAIL(LTE_EINVAL, "a copy between different dimensions");
    }
    if (from->dim[0].size != to->dim[0].size)
        return LTE_FAIL(LTE_EINVAL, "a copy between different dimensions");
    if (!lte_array_lies_apart(to))
        return LTE_FAIL(LTE_EINVAL, "a copy to a type that has two elements at the same address");
    return LTE_OK;
}

static bool is_host(const lte_array *a)
{
    return a->memory == LTE_PAGEABLE || a->memory == LTE_PINNED;
}

/* Cut from the last leaves on, the larger of the two by the smaller. */
bool lte_array_steps(const lte_array *from, const lte_array *to, lte_steps *steps)
{
    lte_dim a[LTE_ARRAY_DIMS], b[LTE_ARRAY_DIMS];
    int n_a = lte_dim_digits(from, 0, a), n_b = lte_dim_digits(to, 0, b);
    steps->n = 0;
    while (n_a > 0 && n_b > 0) {
        lte_dim *const x = &a[n_a - 1], *const y = &b[n_b - 1];
        const int64_t size = x->size < y->size ? x->size : y->size;
        if (x->size % size != 0 || y->size % size != 0)
            return false;
        steps->step[steps->n++] = (lte_step){size, x->stride, y->stride};
        x->size /= size;
        x->stride *= size;
        y->size /= size;
        y->stride *= size;
        n_a -= x->size == 1;
        n_b -= y->size == 1;
    }
    return true;
}

lte_status lte_array_copy(const lte_array *from, const void *x, const lte_array *to, void *y)
{
    lte_steps steps;
    lte_status status = lte_array_copy_check(from, to);
    if (status)
        return status;
    if (!is_host(from) || !is_host(to))
        return LTE_FAIL(LTE_EINVAL,
                        "a copy by the host between memory that the host cannot access");
    const int size = lte_element_size(from->element);
    if (lte_array_steps(from, to, &steps))
        return lte_permute(size, &steps, x, y);
    status = lte_overlap_check(x, (int64_t)bytes_of(from), y, (int64_t)bytes_of(to));
    for (int64_t i = 0; i < from->dim[0].size && !status; i++)
        memcpy((char *)y + lte_at(to, i) * size, (const char *)x + lte_at(from, i) * size,
               (size_t)size);
    return status;
}

static bool is_device(const lte_array *a)
{
    return a->memory == LTE_DEVICE || a->memory == LTE_PINNED;
}

lte_status lte_array_copy_cuda(const lte_array *from, const void *d_x, const lte_array *to,
                               void *d_y, struct CUstream_st *stream)
{
    lte_steps steps;
    const lte_status status = lte_array_copy_check(from, to);
    if (status)
        return status;
    if (!is_device(from) || !is_device(to))
        return LTE_FAIL(LTE_EINVAL, "a copy by a device between memory that it cannot access");
    if (!lte_array_steps(from, to, &steps))
        return LTE_FAIL(LTE_EINVAL,
                        "a copy by a device between dimensions that are split differently");
    if (!lte_device_code_here)
        return LTE_FAIL(LTE_EDEVICE, "a copy by a device: this program has no device code");
    return lte_device_code_here->permute(lte_element_size(from->element), &steps, d_x, d_y, stream);
}
