#ifndef LTE_KERNELS_DEVICE_CODE_H
#define LTE_KERNELS_DEVICE_CODE_H
/*
 * What code for processors calls of a program's device code, if it has some; backends have tables
 * of their own (kernels/backends/backend.h).
 *
 *     if (lte_device_code_here)
 *         status = lte_device_code_here->allocate(false, size, &d_x);
 */

#include <stdbool.h>
#include <stddef.h>

#include "phy/base/status.h"

struct CUstream_st;
struct lte_steps; /* kernels/methods */
struct lte_product;
struct lte_threads;

typedef struct {
    const char *version; /* of the CUDA toolkit that compiled it, "13.0" */

    /* Device memory, or pinned host memory. Returns LTE_ENOMEM, LTE_EDEVICE. */
    lte_status (*allocate)(bool pinned, size_t size, void **x);
    void (*release)(bool pinned, void *x);

    /* As lte_permute, of device memory, on a stream. Returns LTE_EDEVICE. */
    lte_status (*permute)(int element_size, const struct lte_steps *steps, const void *d_a,
                          void *d_x, struct CUstream_st *stream);

    /* The plain product by CUDA threads, and waits for it. Returns LTE_EINVAL, LTE_EDEVICE. */
    lte_status (*product)(const struct lte_threads *threads, const struct lte_product *p,
                          const void *d_a, const void *d_b, void *d_c);
} lte_device_code;

/*
 * The CUDA code; and that of this program, NULL if it has none (kernels/backends/program_parts.h).
 */
extern const lte_device_code lte_cuda_code;
extern const lte_device_code *const lte_device_code_here;

#endif
