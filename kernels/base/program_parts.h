#ifndef LTE_KERNELS_PARTS_H
#define LTE_KERNELS_PARTS_H
/*
 * What a program has: the tables of its instruction sets and its device code. CMake writes them
 * (kernels/parts.cmake) for this machine's program, for the whole one and for the tests'; nothing
 * else differs between those. Lists begin with the slowest; NULL ends them.
 */

#include "kernels/backends/backend.h"
#include "kernels/backends/cuda/cuda.h"
#include "kernels/coding/turbo_batch.h"
#include "kernels/base/device_code.h"
#include "kernels/methods/inverse/inverse.h"
#include "kernels/methods/product/product.h"
#include "kernels/cpu/stages.h"

/*
 * Sets are defined once each; those of other architectures are nowhere. Those of inverses and products
 * are declared by their headers.
 */
extern const lte_stages lte_stages_ref, lte_stages_v3, lte_stages_v4, lte_stages_neon;
extern const lte_turbo_version lte_turbo_ref, lte_turbo_v3, lte_turbo_v4, lte_turbo_neon;
extern const lte_backend lte_backend_cpu_ref, lte_backend_cpu_v3, lte_backend_cpu_v4;
extern const lte_backend lte_backend_cpu_neon;
extern const lte_device_code lte_cuda_code;

#endif
