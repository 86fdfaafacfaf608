#ifndef LTE_TESTS_OPERATIONS_COUNTED_H
#define LTE_TESTS_OPERATIONS_COUNTED_H
/* Operations on floats of a text that has run, one by one. */

typedef struct {
    double add, multiply, multiply_add, reciprocal, divide, root; /* add: and subtract */
} operations_counted;

#endif
