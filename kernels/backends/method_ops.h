#ifndef LTE_KERNELS_BACKENDS_METHOD_OPS_H
#define LTE_KERNELS_BACKENDS_METHOD_OPS_H
/*
 * The methods of kernels/methods by themselves, version by version, on data of the host: for those
 * who compare versions, not for receivers.
 *
 *     const char *mapping;
 *     for (int i = 0; ops->version(&job, i, &mapping); i++)
 *         status = ops->run(device, &job, i, &us);     // job.x has the results
 */

#include "kernels/methods/product/product.h"
#include "kernels/methods/reference/sar.h"

typedef enum {
    LTE_METHOD_INVERSES,  /* x <- a^-1, count complex floats of order n, flags */
    LTE_METHOD_TRANSPOSE, /* x <- a', n x n elements of element_size bytes */
    LTE_METHOD_AZIMUTH,   /* x: planes [2][n][n] of sar */
    LTE_METHOD_SEQUENCES, /* x [n][n]: rows of zc */
    LTE_METHOD_PRODUCT,   /* x <- a b, of product */
    LTE_METHOD_COPY,      /* x <- a */
    LTE_METHOD_FILL       /* x <- 0 */
} lte_method_kind;

/* A piece of work; what its kind does not take is zero. */
typedef struct {
    lte_method_kind kind;
    int n, count;
    int inverter;     /* LTE_INVERTER_* */
    int element_size; /* 4, 8 or 16 */
    const lte_sar *sar;
    const lte_zc *zc;
    const lte_zc_row *rows; /* [n] */
    const lte_product *product;
    const void *a, *b;
    void *x;
    uint8_t *flag; /* [count] */
    size_t a_size, b_size, x_size;
} lte_method_job;

typedef struct {
    /* The name of version i of a job, from 0, and who holds what; NULL beyond the last. */
    const char *(*version)(const lte_method_job *job, int i, const char **mapping);

    /*
     * Version i, once with its results to x and flag, then some more times; *us: the median time of
     * one in the device's memory, many started at once. Returns LTE_ENOMEM, LTE_EDEVICE and what
     * the version refuses.
     */
    lte_status (*run)(int device, const lte_method_job *job, int i, double *us);
} lte_method_ops;

#endif
