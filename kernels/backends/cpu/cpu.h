#ifndef LTE_KERNELS_BACKENDS_CPU_H
#define LTE_KERNELS_BACKENDS_CPU_H
/*
 * The CPU backends: the same code over the stages of one instruction set each. Their tables are in
 * cpu_backend.c, which is compiled once for every set.
 */

#include "kernels/backends/backend.h"

/* What they have in common, without name, text, stages and n_devices. */
extern const lte_sweep_ops lte_cpu_sweep_ops;
extern const lte_slot_ops lte_cpu_slot_ops;
extern const lte_matrix_ops lte_cpu_matrix_ops;
extern const lte_decoder_ops lte_cpu_decoder_ops;
lte_status lte_cpu_describe(int i, lte_device *device);
lte_status lte_cpu_create(const lte_backend *self, const lte_link *link,
                          const lte_engine_options *options, lte_engine **engine);
void lte_cpu_free(lte_engine *engine);
int lte_cpu_threads(const lte_engine *engine);
const char *lte_cpu_choices(const lte_engine *engine);
lte_status lte_cpu_host_alloc(lte_engine *engine, size_t size, void **memory);
void lte_cpu_host_free(lte_engine *engine, void *memory);

#endif
