#ifndef LTE_KERNELS_ORDER_H
#define LTE_KERNELS_ORDER_H
/* From an order known at run time to one that the compiler knows. */

/* Runs body(n) with n a constant, so that the loops over layers unroll. */
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
    default:                                                                                       \
        body(8);                                                                                   \
        break;                                                                                     \
    }

#endif
