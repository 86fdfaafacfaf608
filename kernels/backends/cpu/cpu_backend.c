/* The CPU backend of an instruction set (kernels/cpu/lanes_cpu.h): its table. */
#ifndef LTE_SET_HEADER
#define LTE_SET_HEADER "kernels/cpu/set_ref.h"
#endif
#include LTE_SET_HEADER

#include "kernels/backends/cpu/cpu.h"
#include "kernels/base/levels.h"

static int n_devices(void)
{
    return LTE_SET_USABLE() ? 1 : 0;
}

const lte_backend lte_set_backend = {.name = LTE_SET_NAME,
                                     .text = LTE_SET_TEXT,
                                     .stages = &lte_set_stages,
                                     .sweep = &lte_cpu_sweep_ops,
                                     .slots = &lte_cpu_slot_ops,
                                     .matrices = &lte_cpu_matrix_ops,
                                     .decoding = &lte_cpu_decoder_ops,
                                     .n_devices = n_devices,
                                     .describe = lte_cpu_describe,
                                     .create = lte_cpu_create,
                                     .free = lte_cpu_free,
                                     .threads = lte_cpu_threads,
                                     .choices = lte_cpu_choices,
                                     .host_alloc = lte_cpu_host_alloc,
                                     .host_free = lte_cpu_host_free};
