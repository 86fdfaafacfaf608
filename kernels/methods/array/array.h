#ifndef LTE_KERNELS_METHODS_ARRAY_H
#define LTE_KERNELS_METHODS_ARRAY_H
/*
 * Array types: how a program sees an array, apart from where its elements lie.
 *
 *     lte_array a, b;
 *     lte_status status = lte_array_parse(&a, NULL, "float pinned [[3][2]][4]");
 *     const lte_array_name names[] = {{"A", &a}, {NULL, NULL}};
 *     status = lte_array_parse(&b, names, "float pinned [#A_1][#A_0]");  // transposed
 *     status = lte_array_create(&a, (void **)&x);
 *     x[lte_at2(&b, 2, 5)] = 1.0f;                                       // row 5, column 2 of a
 *     lte_array_destroy(&a, x);
 *
 * A type is a tree of dimensions. [[3][2]][4] is 6 x 4, its rows 3 x 2; it may be taken as one
 * dimension of 24 elements, as two or as three. Written so, elements lie in the order of their
 * indices, the last one fastest. [#B_1_0] takes sizes and offsets of a dimension of another type;
 * [n #B_1_0] and [[p][q] #B_1_0] take its offsets alone, for n or p x q elements of it. So
 * [#A_1][#A_0] is the transposed, [#A_1][[#A_0][#A_2]] are columns stored in parts, and so on.
 *
 * Offsets add up: that of [[i][j]][k] is the sum of what i, j and k have in their dimensions. A
 * dimension whose offsets would not is refused when the type is built, as is every other error.
 * Functions that are not for the host alone, those of array_build.h too, are constant expressions
 * in C++: a constant type costs a kernel nothing.
 *
 * Source: Cui, Li, Chen, Matrix multiplication based on Parray array types, sections 2 and 4.
 */

#include <stdbool.h>
#include <stddef.h>

#include "kernels/methods/transpose/transpose.h"
#include "phy/base/real.h"

#ifdef __cplusplus
#define LTE_CONSTANT constexpr LTE_INLINE
#define LTE_ZEROS                                                                                  \
    {                                                                                              \
    }
extern "C" {
#else
#define LTE_CONSTANT LTE_INLINE
#define LTE_ZEROS                                                                                  \
    {                                                                                              \
        0                                                                                          \
    }
#endif

/* id, as text names it, bytes */
#define LTE_ELEMENTS(X)                                                                            \
    X(FLOAT, "float", 4)                                                                           \
    X(CFLOAT, "cfloat", 8)                                                                         \
    X(DOUBLE, "double", 8)                                                                         \
    X(CDOUBLE, "cdouble", 16)                                                                      \
    X(BYTE, "byte", 1)                                                                             \
    X(U32, "u32", 4)                                                                               \
    X(I64, "i64", 8)

/* id, as text names it */
#define LTE_MEMORIES(X)                                                                            \
    X(PAGEABLE, "pageable")                                                                        \
    X(PINNED, "pinned")                                                                            \
    X(DEVICE, "device")                                                                            \
    X(SHARED, "shared")                                                                            \
    X(REGISTER, "register")

typedef enum {
#define LTE_ELEMENT_ID(id, text, bytes) LTE_##id,
    LTE_ELEMENTS(LTE_ELEMENT_ID) LTE_N_ELEMENTS
#undef LTE_ELEMENT_ID
} lte_element;

typedef enum {
#define LTE_MEMORY_ID(id, text) LTE_##id,
    LTE_MEMORIES(LTE_MEMORY_ID) LTE_N_MEMORIES
#undef LTE_MEMORY_ID
} lte_memory;

/* Why a type is none. */
typedef enum {
    LTE_ARRAY_FITS,
    LTE_ARRAY_SIZE,     /* a dimension below 1 */
    LTE_ARRAY_OVERFLOW, /* 2^63 bytes or more */
    LTE_ARRAY_DEEP,     /* more than LTE_ARRAY_DIMS dimensions */
    LTE_ARRAY_EMPTY,    /* a dimension without a size, or a bracket too few or too many */
    LTE_ARRAY_MISSING,  /* a reference to a dimension that is not there, or to no type */
    LTE_ARRAY_BEYOND,   /* more elements than the dimension whose offsets they take */
    LTE_ARRAY_UNEVEN,   /* parts of a dimension whose offsets would not add up */
    LTE_ARRAY_MIXED,    /* sizes beside references: their offsets are not said */
    LTE_ARRAY_KIND      /* another element or memory than those above */
} lte_array_fault;

enum { LTE_ARRAY_DIMS = 32, LTE_NOT_LINEAR = -1, LTE_UNPLACED = -2 };

/* A dimension; its sub-dimensions stand behind it, each with its own. */
typedef struct {
    int64_t size;   /* elements */
    int64_t stride; /* element i lies at i stride; LTE_NOT_LINEAR: at the sum over sub-dimensions */
    int end;        /* first dimension that is not part of this one */
} lte_dim;

/* An array type; dim[0] is the whole, of size 0 if there is a fault. */
typedef struct {
    int n_dims;
    lte_array_fault fault;
    lte_element element;
    lte_memory memory;
    lte_dim dim[LTE_ARRAY_DIMS];
} lte_array;

/* Offset of element i of dimension d; 0 where there is no such dimension (-1). */
LTE_CONSTANT int64_t lte_dim_at(const lte_array *a, int d, int64_t i)
{
    if (d < 0)
        return 0;
    if (a->dim[d].stride != LTE_NOT_LINEAR)
        return i * a->dim[d].stride;
    int64_t offset = 0;
    for (int e = a->dim[d].end - 1; e > d; e--) {
        if (a->dim[e].end == e + 1) {
            offset += i % a->dim[e].size * a->dim[e].stride;
            i /= a->dim[e].size;
        }
    }
    return offset;
}

/* Elements of dimension d; 1 where there is no such dimension (-1). */
LTE_CONSTANT int64_t lte_dim_size(const lte_array *a, int d)
{
    return d < 0 ? 1 : a->dim[d].size;
}

/* Index in dimension d of what lies at an offset, in a type without references; 0 for -1. */
LTE_CONSTANT int64_t lte_dim_index(const lte_array *a, int d, int64_t offset)
{
    return d < 0 || a->dim[d].size == 1 ? 0 : offset / a->dim[d].stride % a->dim[d].size;
}

/* Sub-dimension i of dimension d (A_0_1 is that of 1 in that of 0 in 0); -1 if there is none. */
LTE_CONSTANT int lte_dim_in(const lte_array *a, int d, int i)
{
    if (d < 0 || d >= a->n_dims || i < 0)
        return -1;
    int sub = d + 1;
    for (; i > 0 && sub < a->dim[d].end; i--)
        sub = a->dim[sub].end;
    return sub < a->dim[d].end ? sub : -1;
}

/* True if the elements of dimension d follow one another. */
LTE_CONSTANT bool lte_dim_is_contiguous(const lte_array *a, int d)
{
    return a->dim[d].size == 1 || a->dim[d].stride == 1;
}

/* Offsets of an element by one index, and by one of each of the type's two or three dimensions. */
LTE_CONSTANT int64_t lte_at(const lte_array *a, int64_t i)
{
    return lte_dim_at(a, 0, i);
}
LTE_CONSTANT int64_t lte_at2(const lte_array *a, int64_t i, int64_t j)
{
    return lte_dim_at(a, lte_dim_in(a, 0, 0), i) + lte_dim_at(a, lte_dim_in(a, 0, 1), j);
}
LTE_CONSTANT int64_t lte_at3(const lte_array *a, int64_t i, int64_t j, int64_t k)
{
    return lte_at2(a, i, j) + lte_dim_at(a, lte_dim_in(a, 0, 2), k);
}

/* Bytes; 1 for what is no element. */
LTE_CONSTANT int lte_element_size(lte_element element)
{
#define LTE_ELEMENT_BYTES(id, text, bytes)                                                         \
    if (element == LTE_##id)                                                                       \
        return bytes;
    LTE_ELEMENTS(LTE_ELEMENT_BYTES)
#undef LTE_ELEMENT_BYTES
    return 1;
}

/* Elements from the first to the last in memory; what lies between may belong to no index. */
LTE_CONSTANT int64_t lte_array_room(const lte_array *a)
{
    int64_t last = 0;
    for (int e = 0; e < a->n_dims; e++) {
        if (a->dim[e].end == e + 1)
            last += (a->dim[e].size - 1) * a->dim[e].stride;
    }
    return a->dim[0].size == 0 ? 0 : last + 1;
}

/* The rest is for the host. */

/* A type by the name that references have for it. */
typedef struct {
    const char *name;
    const lte_array *type;
} lte_array_name;

/*
 * A type from its text: element, memory (none: pageable), dimensions. A size is an integer or a
 * product or quotient without remainder of some, as 128/16.
 *
 *   names   what references may name, up to one whose name is NULL; NULL: nothing
 *   format  as of printf, so that sizes may be %d
 *
 * Returns LTE_EINVAL with the reason, and a type of no elements.
 */
#ifdef __GNUC__
__attribute__((format(printf, 3, 4)))
#endif
lte_status
lte_array_parse(lte_array *a, const lte_array_name *names, const char *format, ...);

/* Why a type is none, in words. */
const char *lte_array_fault_text(lte_array_fault fault);

/* LTE_OK for a type that was built without a fault, else LTE_EINVAL with the reason. */
lte_status lte_array_check(const lte_array *a);

/* The dimension by its name, "" the whole, "0_1" A_0_1. Returns LTE_EINVAL if there is none. */
lte_status lte_array_find(const lte_array *a, const char *name, int *d);

/* A dimension as a type. Returns LTE_EINVAL if there is none. */
lte_status lte_array_of_dim(const lte_array *a, int d, lte_array *type);

/* True only if no two elements of a type without a fault lie at the same place. */
bool lte_array_lies_apart(const lte_array *a);

/*
 * Memory for lte_array_room elements, not set; and its end (NULL does nothing).
 *
 * Returns LTE_EINVAL for shared and register memory, which only kernels have; LTE_EDEVICE for
 * pinned and device memory in a program without device code; LTE_ENOMEM.
 */
lte_status lte_array_create(const lte_array *a, void **x);
void lte_array_destroy(const lte_array *a, void *x);

/*
 * Element by element, in the order of indices: y[to[i]] = x[from[i]]. Where the types differ by the
 * order of dimensions alone, by lte_permute, which transposes what is a transposition.
 *
 * Both types have the same elements and as many dimensions of the same sizes. Memory is pageable
 * or pinned. lte_array_copy_cuda is for the device.
 *
 * Returns LTE_EINVAL for other types, where two elements of `to` lie at the same place, and for
 * arrays that overlap.
 */
lte_status lte_array_copy(const lte_array *from, const void *x, const lte_array *to, void *y);

/*
 * The same on a device, on a stream; both arrays in device or pinned memory. Returns LTE_EINVAL
 * where there are no steps, too, LTE_EDEVICE.
 */
struct CUstream_st;
lte_status lte_array_copy_cuda(const lte_array *from, const void *d_x, const lte_array *to,
                               void *d_y, struct CUstream_st *stream);

/* LTE_EINVAL for two types that no copy goes between, wherever they lie. */
lte_status lte_array_copy_check(const lte_array *from, const lte_array *to);

/*
 * The steps of a copy between types of as many elements; false where there are none, as between
 * two parts of three and three parts of two.
 */
bool lte_array_steps(const lte_array *from, const lte_array *to, lte_steps *steps);

#ifdef __cplusplus
}
#endif

#endif
