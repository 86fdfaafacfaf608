/*
 * The inverters and detectors of an instruction set for an order known at run time, and stages 5
 * and 6: one instance of each, which all pieces call.
 */
#include "kernels/cpu/inverters_cpu.h"

/* lte_prepare for a link: one instance, which the stages and both fused paths call. */
static lte_mask prepare(const lte_link *link, int detector, const lte_cplx *h, lte_real n0,
                        bool with_sinr, lte_cplx *g, lte_cplx *state)
{
#define BODY(n)                                                                                    \
    return lte_prepare(detector, link->n_rx, n, h, n0, inverses[link->inverter], with_sinr, g,     \
                       state)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
    return m_none();
}

/* lte_finish for a link, without the SINR. */
static void finish(const lte_link *link, int detector, const lte_cplx *h, lte_real n0,
                   const lte_cplx *x, lte_cplx *state)
{
#define BODY(n) lte_finish(detector, link->n_rx, n, h, n0, false, x, state)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

/* lte_apply for a link. */
static void apply(const lte_link *link, int detector, lte_cplx *state, const lte_cplx *y,
                  lte_cplx *x, lte_real *rho){
#define BODY(n) lte_apply(detector, link->n_rx, n, link->n_bits, state, y, x, rho)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

/* Stage 5: loaded Gram matrices. */
LTE_INLINE void gram(int n_tx, const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                     const float *h, float *g, const stage_lanes *lanes)
{
    const int n_rx = link->n_rx;
    for (int i = g0 * link->n_csi; i < g1 * link->n_csi; i++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            c_load_all(n_rx * n_tx, &h[(ptrdiff_t)i * n_rx * n_tx * 2 * LTE_LANES + lane],
                       lanes->h);
            const int sc = i / link->n_csi * LTE_LANES + lane;
            lte_gram(n_rx, n_tx, lanes->h, lanes->g);
            lte_gram_load(n_tx, lanes->g,
                          lte_loading(detector, noise_lanes(noise, i % link->n_csi, sc)));
            c_store_all(n_tx * n_tx, &g[(ptrdiff_t)i * n_tx * n_tx * 2 * LTE_LANES + lane],
                        lanes->g);
        }
    }
}

static void gram_stage(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                       const float *h, float *g, void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
#define BODY(n) gram(n, link, detector, noise, g0, g1, h, g, &lanes)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

/* Stage 6: inverses, a matrix in each lane. */
static void invert_stage(const lte_link *link, int g0, int g1, float *a, uint8_t *flag, void *work)
{
    const int n_tx = link->n_tx, n2 = n_tx * n_tx;
    lte_cplx *const matrix = lanes_in(link, work).g;
    for (int g = g0 * link->n_csi; g < g1 * link->n_csi; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            float *here = &a[(ptrdiff_t)g * n2 * 2 * LTE_LANES + lane];
            c_load_all(n2, here, matrix);
            flag_lanes(inverses[link->inverter](n_tx, matrix),
                       &flag[(ptrdiff_t)g * LTE_LANES + lane]);
            c_store_all(n2, here, matrix);
        }
    }
}

const lte_lane_detectors lte_set_detectors = {.prepare = prepare,
                                              .finish = finish,
                                              .apply = apply,
                                              .gram = gram_stage,
                                              .invert = invert_stage};
