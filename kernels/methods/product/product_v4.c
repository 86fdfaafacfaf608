/* Products in tiles for x86-64-v4: 16 lanes of AVX-512. */
#define LTE_REAL_HEADER "kernels/base/real_v4.h"
#include "kernels/methods/product/product_tiles.h"

const lte_product_level lte_product_v4 = LTE_PRODUCT_LEVEL("cpu:v4", lte_has_v4);
