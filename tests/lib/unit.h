#ifndef LTE_TESTS_UNIT_H
#define LTE_TESTS_UNIT_H
/*
 * cmocka with the headers it needs, cases named <unit>.<claim>, and failures that are expected.
 *
 *     static const struct CMUnitTest cases[] = {LTE_CASE(carrier, has_12_subcarriers_per_block)};
 *     int main(void) { return cmocka_run_group_tests_name("carrier", cases, NULL, NULL); }
 *
 *     lte_fail_handler handler = expect_failures();
 *     assert_int_equal(lte_transpose(0, 1, 1, 1, a, x), LTE_EINVAL);
 *     (void)lte_fail_handler_set(handler);
 *     assert_int_equal(*failures_seen(), 1);
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "phy/base/double_complex.h"
#include "phy/base/status.h"

/* A case and its whole name; LTE_CASE_AFTER: its set-up goes before it. */
#define LTE_CASE_AFTER(unit, claim, setup)                                                         \
    {                                                                                              \
#unit "." #claim, claim, setup, NULL, NULL                                                 \
    }
#define LTE_CASE(unit, claim) LTE_CASE_AFTER(unit, claim, NULL)

/* True if |a - b| <= tol; written positively, so that NaN fails. */
#define assert_near(a, b, tol)                                                                     \
    do {                                                                                           \
        double near_a = (double)(a), near_b = (double)(b), near_tol = (double)(tol);               \
        double near_gap = near_a > near_b ? near_a - near_b : near_b - near_a;                     \
        if (!(near_gap <= near_tol))                                                               \
            fail_msg("%s = %.17g, %s = %.17g: further apart than %g", #a, near_a, #b, near_b,      \
                     near_tol);                                                                    \
    } while (0)

/* True in the long form of a test (tests/slow.cmake), which takes every case. */
static inline bool is_long(void)
{
    return getenv("LTE_TEST_LONG");
}

/*
 * True where each step takes many times as long, under a sanitizer or an emulator (LTE_TEST_SHORT):
 * cases are left out whose paths others take as well, as statistics, and of sizes some are taken.
 */
static inline bool is_short(void)
{
    return getenv("LTE_TEST_SHORT");
}

/* A unit's `cases`, and `more` of them but in the short form: how many failed. */
#define RUN_CASES_AND_MORE(name)                                                                   \
    (cmocka_run_group_tests_name(name, cases, NULL, NULL) +                                        \
     (is_short() ? 0 : cmocka_run_group_tests_name(name, more, NULL, NULL)))

/*
 * The slots or draws of a statistic: in the long form all, else a quarter. The claims are the same,
 * their intervals twice as wide.
 */
static inline int share_of(int all)
{
    return is_long() ? all : (all + 3) / 4;
}

/* Failures announced since expect_failures. */
static inline int *failures_seen(void)
{
    static int n;
    return &n;
}

static inline void see_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)file;
    (void)line;
    assert_true(status != LTE_OK && text[0] != '\0');
    ++*failures_seen();
}

/* Counts the failures from here on instead of printing them. Returns the handler to put back. */
static inline lte_fail_handler expect_failures(void)
{
    *failures_seen() = 0;
    return lte_fail_handler_set(see_failure);
}

#endif
