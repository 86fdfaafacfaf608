/* Products in tiles by the plain loops. */
#include "kernels/methods/product/product_tiles.h"

const lte_product_level lte_product_ref = LTE_PRODUCT_LEVEL("cpu:ref", lte_has_ref);
