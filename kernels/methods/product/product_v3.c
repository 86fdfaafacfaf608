/* Products in tiles for x86-64-v3: 8 lanes of AVX2. */
#define LTE_REAL_HEADER "kernels/base/real_v3.h"
#include "kernels/methods/product/product_tiles.h"

const lte_product_level lte_product_v3 = LTE_PRODUCT_LEVEL("cpu:v3", lte_has_v3);
