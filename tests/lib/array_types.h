#ifndef LTE_TESTS_LIB_ARRAY_TYPES_H
#define LTE_TESTS_LIB_ARRAY_TYPES_H
/* Array types by text, and what their tests ask of them. */

#include "tests/lib/unit.h"

#include <string.h>

#include "kernels/methods/array/array.h"
#include "kernels/methods/product/threads.h"

static lte_array type_of(const lte_array_name *names, const char *text)
{
    lte_array a;
    assert_int_equal(lte_array_parse(&a, names, "%s", text), LTE_OK);
    assert_int_equal(lte_array_check(&a), LTE_OK);
    return a;
}

/* With references to one type, A. */
static lte_array view_of(const lte_array *type, const char *text)
{
    const lte_array_name names[] = {{"A", type}, {NULL, NULL}};
    return type_of(names, text);
}

/* A dimension as a table: the oracle of trees. */
enum { MOST = 240, NODES = 48, POOL = 6, TREES = 10000 };
typedef struct {
    int n, n_sub, sub[3];
    int64_t at[MOST];
} table;
typedef struct {
    lte_array type;
    int n_nodes;
    table node[NODES];
} tree;

#endif
