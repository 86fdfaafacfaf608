#ifndef LTE_PHY_STATUS_H
#define LTE_PHY_STATUS_H
/*
 * What a function that can fail returns, and the one place where a failure is announced.
 *
 *     if (n_tx < 1)
 *         return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d)", n_tx, LTE_MAX_TX);
 *
 * A failure is announced where it is found and only passed on above; only main turns it into an
 * exit code.
 */

#include "phy/base/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Announces a failure through the handler and returns status. Use it through LTE_FAIL. */
lte_status lte_fail(lte_status status, const char *file, int line, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

#define LTE_FAIL(status, ...) lte_fail(status, __FILE__, __LINE__, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
