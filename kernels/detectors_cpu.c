/* What the detectors keep of the lanes' channels, for an order known at run time. */
#include "kernels/lanes_cpu.h"

/* lte_prepare for a link: one instance, which the stages and both fused paths call. */
static lte_mask prepare(const lte_link *link, int detector, const lte_cplx *h, lte_real n0,
                        bool with_sinr, lte_cplx *g, lte_cplx *state)
{
    lte_mask flag = m_none();
#define BODY(n)                                                                                    \
    flag =                                                                                         \
        lte_prepare(detector, link->n_rx, n, h, n0, inverses[link->inverter], with_sinr, g, state)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
    return flag;
}

/* lte_finish for a link, without the SINR. */
static void finish(const lte_link *link, int detector, const lte_cplx *h, lte_real n0,
                   const lte_cplx *x, lte_cplx *state)
{
#define BODY(n) lte_finish(detector, link->n_rx, n, h, n0, false, x, state)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
