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

/* lte_solve_finish for a link, without the SINR. */
static void finish(const lte_link *link, int detector, const lte_cplx *h, lte_real n0,
                   const lte_cplx *x, lte_cplx *state)
{
    const lte_real loading = lte_loading(detector, n0);
    if (LTE_IS_LARGE(link->n_rx, link->n_tx)) {
        for (int e = 0; e < link->n_rx * link->n_tx; e++)
            state[e] = h[e];
        for (int e = 0; e < link->n_tx * link->n_tx; e++)
            state[link->n_rx * link->n_tx + e] = x[e];
        lte_matched_finish(loading, link->n_rx, link->n_tx, n0, false, state);
        return;
    }
#define BODY(n) lte_solve_finish(loading, link->n_rx, n, h, n0, false, x, state)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
