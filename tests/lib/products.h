#ifndef LTE_TESTS_PRODUCTS_H
#define LTE_TESTS_PRODUCTS_H
/*
 * Factors of products in the storage orders of Cui, Li, Chen, and what the plain product on one
 * thread makes of them.
 *
 *     operands o;
 *     operands_init(&o, &(problem){A_H, HALVES, ROWS, BLOCKS, n_batches, m, n, k});
 *     operands_expect(&o);
 *     operands_poison(&o);
 *     assert_int_equal(lte_product_run(&o.p, 1, o.a, o.b, o.c, work), LTE_OK);
 *     operands_check(&o);
 *     operands_fini(&o);
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/methods/product/product.h"
#include "phy/base/philox.h"
#include "tests/lib/unit.h"

/* Element and op. */
enum { REAL, A_H, B_H, BOTH_H, COMPLEX, COMPLEX_A_H, COMPLEX_B_H, COMPLEX_BOTH_H, N_KINDS };

/* Row-major, columns in two or four parts, 2 x 2 blocks, column-major, padded rows. */
enum { ROWS, HALVES, QUARTERS, BLOCKS, COLUMNS, PADDED, N_ORDERS };

typedef struct {
    int kind, a_order, b_order, c_order, n_batches, m, n, k;
} problem;

typedef struct {
    lte_product p;
    size_t c_size; /* bytes */
    void *a, *b, *c, *expected;
} operands;

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
static inline lte_array
type_of(const char *format, ...)
{
    char text[256];
    va_list args;
    lte_array a;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_int_equal(lte_array_parse(&a, NULL, "%s", text), LTE_OK);
    return a;
}

/* A matrix per batch; rows and columns are multiples of what the order cuts them into. */
static inline lte_array matrix_of(bool is_complex, int order, int n_batches, int rows, int columns)
{
    static const char *const views[N_ORDERS] = {
        [ROWS] = "[#A_0][#A_1][#A_2]",
        [HALVES] = "[#A_0][#A_2][[#A_1][#A_3]]",
        [QUARTERS] = "[#A_0][#A_2][[#A_1][#A_3]]",
        [BLOCKS] = "[#A_0][[#A_1][#A_3]][[#A_2][#A_4]]",
        [COLUMNS] = "[#A_0][#A_2][#A_1]",
    };
    const char *const element = is_complex ? "cfloat" : "float";
    const int parts = order == QUARTERS ? 4 : 2;
    lte_array stored, a;
    if (order == HALVES || order == QUARTERS)
        stored = type_of("%s [%d][%d][%d][%d]", element, n_batches, parts, rows, columns / parts);
    else if (order == BLOCKS)
        stored = type_of("%s [%d][2][2][%d][%d]", element, n_batches, rows / 2, columns / 2);
    else if (order == COLUMNS)
        stored = type_of("%s [%d][%d][%d]", element, n_batches, columns, rows);
    else
        stored =
            type_of("%s [%d][%d][%d]", element, n_batches, rows, columns + 3 * (order == PADDED));
    const lte_array_name names[] = {{"A", &stored}, {NULL, NULL}};
    const lte_status status =
        order == PADDED ? lte_array_parse(&a, names, "%s [#A_0][#A_1][%d #A_2]", element, columns)
                        : lte_array_parse(&a, names, "%s %s", element, views[order]);
    assert_int_equal(status, LTE_OK);
    return a;
}

/* Numbers of many sizes and both signs, so that sums round. */
static inline void fill_floats(float *x, size_t n, uint32_t stream)
{
    const lte_philox_key key = lte_philox_key_of(20261);
    for (size_t i = 0; i < n; i++) {
        const lte_words w = lte_philox(&key, i, stream);
        x[i] = ldexpf((float)(int32_t)w.v[0] + 0.5f, -31 - (int)(w.v[1] % 4));
    }
}

static inline size_t bytes_of(const lte_array *a)
{
    const int64_t room = lte_array_room(a);
    return (size_t)(room < 1 ? 1 : room) * (size_t)lte_element_size(a->element);
}

static inline void operands_poison(operands *o)
{
    memset(o->c, 0xa5, o->c_size);
}

static inline void operands_init(operands *o, const problem *q)
{
    const bool is_complex = q->kind >= COMPLEX, a_h = q->kind & 1, b_h = q->kind & 2;
    o->p.a_h = a_h;
    o->p.b_h = b_h;
    o->p.a = matrix_of(is_complex, q->a_order, q->n_batches, a_h ? q->k : q->m, a_h ? q->m : q->k);
    o->p.b = matrix_of(is_complex, q->b_order, q->n_batches, b_h ? q->n : q->k, b_h ? q->k : q->n);
    o->p.c = matrix_of(is_complex, q->c_order, q->n_batches, q->m, q->n);
    o->c_size = bytes_of(&o->p.c);
    assert_int_equal(lte_array_create(&o->p.a, &o->a), LTE_OK);
    assert_int_equal(lte_array_create(&o->p.b, &o->b), LTE_OK);
    assert_int_equal(lte_array_create(&o->p.c, &o->c), LTE_OK);
    o->expected = malloc(o->c_size);
    assert_non_null(o->expected);
    fill_floats(o->a, bytes_of(&o->p.a) / sizeof(float), 1);
    fill_floats(o->b, bytes_of(&o->p.b) / sizeof(float), 2);
    operands_poison(o);
}

/* What the plain product on one thread gives. */
static inline void operands_expect(operands *o)
{
    lte_threads one;
    memset(o->expected, 0xa5, o->c_size);
    assert_int_equal(lte_threads_parse(&one, "serial [1][1]"), LTE_OK);
    assert_int_equal(lte_product_on(&one, &o->p, o->a, o->b, o->expected), LTE_OK);
}

/* The bits of the expected product, and nothing between them. */
static inline void operands_check(const operands *o)
{
    assert_memory_equal(o->c, o->expected, o->c_size);
}

static inline void operands_fini(operands *o)
{
    lte_array_destroy(&o->p.a, o->a);
    lte_array_destroy(&o->p.b, o->b);
    lte_array_destroy(&o->p.c, o->c);
    free(o->expected);
}

#endif
