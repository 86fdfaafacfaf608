#ifndef LTE_KERNELS_INVERSION_ROWS_H
#define LTE_KERNELS_INVERSION_ROWS_H
/*
 * The names of the versions of batched inversion on a device, which every program knows, with or
 * without device code. The versions: kernels/cuda/inversion/inversion_versions.h.
 *
 *     const int version = lte_inversion_named(LTE_INVERTER_gauss_jordan, "published");
 *     if (version >= 0)
 *         status = lte_link_set_inversion(&link, version);
 */

#include <stdbool.h>

#include "kernels/methods/inverse/inverse.h"
#include "phy/base/limits.h"
#include "phy/inversion/inverters.h"

/*
 *   X(id, name, mapping: who holds what, inverter, orders from, to, published: as its source
 *     describes it)
 *
 * in the order in which they are chosen among those of an inverter.
 */
#define LTE_INVERSIONS(X)                                                                          \
    X(gauss_jordan_5, "gauss-jordan 5", "row per lane", gauss_jordan, 2, LTE_MAX_ORDER, false)     \
    X(gauss_jordan_4, "gauss-jordan 4", "thread per matrix, staged", gauss_jordan, 1,              \
      LTE_MAX_ORDER, false)                                                                        \
    X(gauss_jordan_1, "gauss-jordan 1", "block (N, K) in shared memory, as published",             \
      gauss_jordan, 1, LTE_MAX_ORDER, true)                                                        \
    X(gauss_jordan_2, "gauss-jordan 2", "thread per matrix", gauss_jordan, 1, LTE_MAX_ORDER,       \
      false)                                                                                       \
    X(gauss_jordan_3, "gauss-jordan 3", "block per matrix", gauss_jordan, 1, LTE_MAX_ORDER, false) \
    X(ldl_2, "ldl 2", "row per lane", ldl, 2, LTE_MAX_ORDER, false)                                \
    X(ldl_1, "ldl 1", "thread per matrix, staged", ldl, 1, LTE_MAX_ORDER, false)                   \
    X(lu_4, "lu 4", "row per lane", lu_delayed, 1, 16, false)                                      \
    X(lu_3, "lu 3", "matrix in registers", lu_delayed, 17, 128, false)                             \
    X(lu_1_delayed, "lu 1", "thread per row, on demand", lu_delayed, 1, LTE_INVERSE_MAX_ORDER,     \
      true)                                                                                        \
    X(lu_2_delayed, "lu 2", "thread per row, static", lu_delayed, 1, LTE_INVERSE_MAX_ORDER, false) \
    X(lu_1_immediate, "lu 1", "thread per row, on demand", lu_immediate, 1, LTE_INVERSE_MAX_ORDER, \
      true)                                                                                        \
    X(lu_2_immediate, "lu 2", "thread per row, static", lu_immediate, 1, LTE_INVERSE_MAX_ORDER,    \
      false)                                                                                       \
    X(cholesky_2, "cholesky 2", "triangle in registers", cholesky_delayed, 1, 128, false)          \
    X(cholesky_1, "cholesky 1", "thread per row and column", cholesky_delayed, 1,                  \
      LTE_INVERSE_MAX_ORDER, true)

#define LTE_INVERSION_ID(id, ...) LTE_INVERSION_##id,
enum {
    LTE_INVERSION_FAST, /* none of them: that which is fastest for the matrices at hand */
    LTE_INVERSIONS(LTE_INVERSION_ID) LTE_N_INVERSIONS
};
#undef LTE_INVERSION_ID

/* What is said of a version outside its kernels. */
typedef struct {
    const char *name, *mapping;
    int inverter; /* LTE_INVERTER_*, of FAST -1 */
    int min_order, max_order;
    bool published;
} lte_inversion_row;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_inversion_row lte_inversion_rows[LTE_N_INVERSIONS];

/*
 * The version LTE_INVERSION_* of an inverter by its name in any case; "published" is the one that
 * is as its source describes it, "fast" is LTE_INVERSION_FAST. -1: there is none.
 */
int lte_inversion_named(int inverter, const char *name);

#ifdef __cplusplus
}
#endif

#endif
