#ifndef LTE_KERNELS_ORDER_H
#define LTE_KERNELS_ORDER_H
/*
 * From an order known at run time to one that the compiler knows, so that the loops over layers
 * unroll:
 *
 *     #define BODY(n) gram(n, link, h, g)
 *     LTE_FOR_ORDER(link->n_tx, BODY)
 *     #undef BODY
 *
 * lte_link_init refuses orders below 1; larger ones are large arrays (phy/base/limits.h), which
 * have texts of their own on devices.
 */

#include "phy/base/limits.h"

#ifdef __cplusplus
static_assert(LTE_MAX_ORDER == 8, "every order has a case");
#else
_Static_assert(LTE_MAX_ORDER == 8, "every order has a case");
#endif

#define LTE_FOR_ORDER(n, body)                                                                     \
    switch (n) {                                                                                   \
    case 1:                                                                                        \
        body(1);                                                                                   \
        break;                                                                                     \
    case 2:                                                                                        \
        body(2);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        body(3);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        body(4);                                                                                   \
        break;                                                                                     \
    case 5:                                                                                        \
        body(5);                                                                                   \
        break;                                                                                     \
    case 6:                                                                                        \
        body(6);                                                                                   \
        break;                                                                                     \
    case 7:                                                                                        \
        body(7);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        body(8);                                                                                   \
        break;                                                                                     \
    }

/*
 * The same on processors, where one instance for any order, known at run time, stands for all
 * larger ones; and for the plain loops for all, whose fmaf may be a call: an order that the
 * compiler knows gains nothing there.
 */
#ifdef LTE_REAL_HEADER
#define LTE_FOR_ANY_ORDER(n, body)                                                                 \
    if ((n) > LTE_MAX_ORDER) {                                                                     \
        body(n);                                                                                   \
    } else                                                                                         \
        LTE_FOR_ORDER(n, body)
#else
#define LTE_FOR_ANY_ORDER(n, body) body(n);
#endif

#endif
