#ifndef LTE_KERNELS_BACKENDS_CUDA_TABLES_H
#define LTE_KERNELS_BACKENDS_CUDA_TABLES_H
/*
 * What a link refers to, on the device.
 *
 *     lte_cuda_tables tables = {0};
 *     lte_status status = lte_cuda_tables_init(&link, stream, &tables);    // link now refers there
 *     lte_cuda_tables_fini(&tables);
 */

#include <cuda_runtime_api.h>

#include "kernels/link/link.h"

enum { LTE_CUDA_MOST_TABLES = 12 };

typedef struct {
    void *table[LTE_CUDA_MOST_TABLES];
    int n;
} lte_cuda_tables;

/*
 * Copies the link's tables in the stream's order and turns its pointers to the copies.
 *
 * Returns LTE_ENOMEM, LTE_EDEVICE; whatever it returns, fini is due.
 */
lte_status lte_cuda_tables_init(lte_link *link, cudaStream_t stream, lte_cuda_tables *tables);

void lte_cuda_tables_fini(lte_cuda_tables *tables);

#endif
