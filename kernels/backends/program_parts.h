#ifndef LTE_KERNELS_PARTS_H
#define LTE_KERNELS_PARTS_H
/*
 * What a program has: the tables of its instruction sets and its device code. CMake writes them
 * (kernels/parts.cmake) for this machine's program, for the whole one and for the tests'; nothing
 * else differs between those. Lists begin with the slowest; NULL ends them.
 */

#include "kernels/backends/backend.h"
#include "kernels/base/device_code.h"
#include "kernels/coding/turbo_batch.h"
#include "kernels/cpu/stages.h"
#include "kernels/methods/inverse/inverse.h"
#include "kernels/methods/product/product.h"

#endif
