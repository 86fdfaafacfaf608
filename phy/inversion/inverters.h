#ifndef LTE_PHY_INVERTERS_H
#define LTE_PHY_INVERTERS_H
/*
 * The list of the inverters of small complex matrices and what is said of each. What they compute:
 * phy/inversion/inversion.h.
 *
 * To add an inverter: its id here, its row in phy/inversion/inverters.c, and lte_<id>(n, a), as
 * lte_ldl, in phy/inversion/<id>.h, included by phy/inversion/inversion.h. Processors run it with a
 * matrix in each lane, devices with one in each thread, or, one of any order, by the method of
 * kernels/methods/inverse/inverse.h that kernels/cuda/inversion/inversion_cuda.cu lists. Faster on
 * a device, if that pays: overrides<> specialised in kernels/cuda/device/lanes.cuh, versions of the
 * batched inversion in kernels/cuda/inversion/inversion_versions.h. Of the tests,
 * tests/sim/test_limits.c knows which inverters have published versions, tests/instances.txt how
 * many kernels there are.
 */

#include <stdbool.h>

/*
 * Ids, which host and device share: those of small matrices, of which a thread of a device takes a
 * whole one, and those of any order, to which devices give whole batches
 * (kernels/cuda/large/large_cuda.h).
 */
#define LTE_SMALL_INVERTERS(X) X(gauss_jordan) X(ldl)
#define LTE_BATCH_INVERTERS(X) X(cholesky_delayed) X(lu_delayed) X(lu_immediate)
#define LTE_INVERTERS(X) LTE_SMALL_INVERTERS(X) LTE_BATCH_INVERTERS(X)

#define LTE_INVERTER_ID(id) LTE_INVERTER_##id,
enum { LTE_INVERTERS(LTE_INVERTER_ID) LTE_N_INVERTERS };
#undef LTE_INVERTER_ID

/* How the matrices of a batch lie. */
typedef enum {
    LTE_LAYOUT_LANES, /* element by element, [n][n][2][LTE_LANES], a matrix in each lane */
    LTE_LAYOUT_MATRIX /* one matrix after the other, [n][n] */
} lte_layout;

/* What is said of an inverter outside its formula. */
typedef struct {
    const char *name;       /* as written in a scenario */
    const char *text;       /* one line for --list */
    int max_order;          /* from 1 */
    bool hermitian;         /* takes Hermitian positive definite matrices alone */
    bool definite;          /* flags those that are not positive definite as rounded */
    lte_layout layout;      /* that it works on */
    double (*flops)(int n); /* of one matrix */
} lte_inverter;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_inverter lte_inverter_rows[LTE_N_INVERTERS];

#ifdef __cplusplus
}
#endif

#endif
