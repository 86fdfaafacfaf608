/* Products in tiles for aarch64: 4 lanes of NEON. */
#define LTE_REAL_HEADER "kernels/base/real_neon.h"
#include "kernels/methods/product/product_tiles.h"

const lte_product_level lte_product_neon = LTE_PRODUCT_LEVEL("cpu:neon", lte_has_neon);
