#ifndef LTE_TESTS_UNIT_H
#define LTE_TESTS_UNIT_H
/*
 * cmocka with the headers it needs, and cases named <unit>.<claim>.
 *
 *     static const struct CMUnitTest cases[] = {LTE_CASE(carrier, has_12_subcarriers_per_block)};
 *     int main(void) { return cmocka_run_group_tests_name("carrier", cases, NULL, NULL); }
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* glibc has it only for compilers that claim to be a recent gcc. */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

#define LTE_CASE(unit, claim)                                                                      \
    {                                                                                              \
#unit "." #claim, claim, NULL, NULL, NULL                                                  \
    }

/* True if |a - b| <= tol; written positively, so that NaN fails. */
#define assert_near(a, b, tol)                                                                     \
    do {                                                                                           \
        double near_a = (double)(a), near_b = (double)(b), near_tol = (double)(tol);               \
        double near_gap = near_a > near_b ? near_a - near_b : near_b - near_a;                     \
        if (!(near_gap <= near_tol))                                                               \
            fail_msg("%s = %.17g, %s = %.17g: further apart than %g", #a, near_a, #b, near_b,      \
                     near_tol);                                                                    \
    } while (0)

#endif
