/*
 * Pieces of memory that are given back together: leaks and double frees are the sanitizers' to see.
 */

#include "tests/lib/unit.h"

#include <stdint.h>
#include <string.h>

#include "phy/base/pool.h"

static void pieces_are_apart_and_aligned(void **state)
{
    (void)state;
    lte_pool pool = {0};
    unsigned char *piece[LTE_POOL_PIECES];
    for (int i = 0; i < LTE_POOL_PIECES; i++) {
        piece[i] = lte_pool_take(&pool, 100 * (size_t)i);
        assert_non_null(piece[i]);
        assert_true((uintptr_t)piece[i] % 64 == 0);
        memset(piece[i], i, 100 * (size_t)i);
    }
    for (int i = 1; i < LTE_POOL_PIECES; i++)
        assert_true(piece[i][0] == i && piece[i][100 * i - 1] == i);
    assert_int_equal(lte_pool_check(&pool, "this test"), LTE_OK);
    lte_pool_free(&pool);
    assert_int_equal(pool.n, 0);
}

static void zeros_are_zeros(void **state)
{
    (void)state;
    lte_pool pool = {0};
    for (int again = 0; again < 2; again++) {
        unsigned char *x = lte_pool_zeros(&pool, 3001);
        assert_non_null(x);
        for (int i = 0; i < 3001; i++)
            assert_int_equal(x[i], 0);
        memset(x, 255, 3001); /* the next may be handed the same memory */
        lte_pool_free(&pool);
    }
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    lte_pool pool = {0};
    for (int i = 0; i < LTE_POOL_PIECES; i++)
        assert_non_null(lte_pool_take(&pool, 0));
    assert_int_equal(lte_pool_check(&pool, "this test"), LTE_OK);
    assert_null(lte_pool_zeros(&pool, 1)); /* one too many */
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_pool_check(&pool, "this test"), LTE_ENOMEM);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 1);
    lte_pool_free(&pool);
    assert_int_equal(lte_pool_check(&pool, "this test"), LTE_OK);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(pool, pieces_are_apart_and_aligned),
    LTE_CASE(pool, zeros_are_zeros),
    LTE_CASE(pool, what_is_missing_is_said),
};

int main(void)
{
    return cmocka_run_group_tests_name("pool", cases, NULL, NULL);
}
