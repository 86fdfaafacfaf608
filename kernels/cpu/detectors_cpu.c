/*
 * The inverters and detectors of an instruction set for an order known at run time, and stages 5
 * and 6: one instance of each, which all pieces call.
 */
#include "kernels/cpu/inverters_cpu.h"
#include "kernels/cpu/plugin_cpu.h"

/* A plan with layers that the compiler knows. */
LTE_INLINE lte_detector_plan of_order(const lte_detector_plan *plan, int n)
{
    lte_detector_plan o = *plan;
    o.n_tx = n;
    return o;
}

/* Each one instance, which the stages and both fused paths call. */
LTE_INLINE lte_mask prepare_order(lte_detector_plan plan, int inverter, const lte_cplx *h,
                                  lte_real n0, lte_cplx *state, lte_cplx *work, lte_mask *extreme)
{
    const lte_mask flag = lte_prepare(&plan, h, lte_white(n0), inverses[inverter], state, work);
    *extreme = lte_is_extreme_state(&plan, flag, n0, state, work);
    return flag;
}

static lte_mask prepare_fast(const lte_detector_plan *plan, int inverter, const lte_cplx *h,
                             lte_real n0, lte_cplx *state, lte_cplx *work, lte_mask *extreme)
{
#define BODY(n) return prepare_order(of_order(plan, n), inverter, h, n0, state, work, extreme)
    LTE_FOR_ANY_ORDER(plan->n_tx, BODY)
#undef BODY
    *extreme = m_none();
    return m_none();
}

/*
 * The lanes whose state is to be made at another scale: it has left the range, and so has the
 * channel or n0. Flags of the others stay: those of singular matrices, for instance. H = 0, as
 * behind the end of a carrier, has the state that it has.
 */
static lte_mask lanes_to_scale(const lte_detector_plan *plan, const lte_cplx *h, lte_real n0,
                               lte_mask extreme, lte_mask *zero)
{
    const float range = lte_detector_row_of(plan->detector)->range;
    const lte_mask moderate = lte_is_moderate_channel(plan->n_rx, plan->n_tx, h, range, zero);
    const lte_mask wide = m_or(m_not(moderate), lte_is_extreme_noise(n0, range));
    return m_and(m_and(extreme, wide), m_not(*zero));
}

static lte_mask prepare(const lte_detector_plan *plan, int inverter, const lte_cplx *h, lte_real n0,
                        lte_cplx *state, lte_cplx *work)
{
    lte_mask extreme, zero;
    if (plan->detector.id >= LTE_N_DETECTORS)
        return plugin_prepare(plan, h, n0, state, work);
    lte_mask flag = prepare_fast(plan, inverter, h, n0, state, work, &extreme);
    if (!m_any(extreme))
        return flag;
    const lte_mask lanes = lanes_to_scale(plan, h, n0, extreme, &zero);
    if (m_any(lanes))
        flag = lte_set_prepare_scaled(plan, lanes, h, n0, inverses[inverter], state, work);
    return lte_detector_solves(plan->detector.id) ? flag : m_and(flag, m_not(zero));
}

LTE_INLINE void finish_order(lte_detector_plan plan, const lte_cplx *h, lte_real n0,
                             const lte_cplx *x, lte_cplx *state)
{
    plan.llrs = false;
    lte_solving_finish(&plan, h, lte_white(n0), x, state);
}

static void finish(const lte_detector_plan *plan, const lte_cplx *h, lte_real n0, const lte_cplx *x,
                   lte_cplx *state){
#define BODY(n) finish_order(of_order(plan, n), h, n0, x, state)
    LTE_FOR_ANY_ORDER(plan->n_tx, BODY)
#undef BODY
}

LTE_INLINE lte_mask detect_order(lte_detector_plan plan, lte_cplx *state, const lte_cplx *y,
                                 const lte_decision *decision, lte_cplx *work)
{
    return lte_detect(&plan, state, y, decision, work);
}

static lte_mask detect(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                       const lte_decision *decision, lte_cplx *work)
{
    if (plan->detector.id >= LTE_N_DETECTORS)
        return plugin_detect(plan, state, y, decision, work);
#define BODY(n) return detect_order(of_order(plan, n), state, y, decision, work)
    LTE_FOR_ANY_ORDER(plan->n_tx, BODY)
#undef BODY
    return m_none();
}

/* Stage 5: loaded Gram matrices. */
LTE_INLINE void gram(int n_tx, const lte_link *link, float loading, lte_noise noise,
                     lte_groups groups, const float *h, float *g)
{
    const stage_lanes own = lanes_in(link, groups.work), *const lanes = &own;
    const int g0 = groups.first, g1 = groups.end;
    const int n_rx = link->n_rx;
    for (int i = g0 * link->receiver.n_csi; i < g1 * link->receiver.n_csi; i++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            c_load_all(n_rx * n_tx, &h[(ptrdiff_t)i * n_rx * n_tx * 2 * LTE_LANES + lane],
                       lanes->h);
            const int sc = i / link->receiver.n_csi * LTE_LANES + lane;
            lte_gram(n_rx, n_tx, lanes->h, lanes->g);
            lte_gram_load(n_tx, lanes->g,
                          r_set(loading) * noise_lanes(noise, i % link->receiver.n_csi, sc));
            c_store_all(n_tx * n_tx, &g[(ptrdiff_t)i * n_tx * n_tx * 2 * LTE_LANES + lane],
                        lanes->g);
        }
    }
}

static void gram_stage(const lte_link *link, lte_detector detector, lte_noise noise, int g0, int g1,
                       const float *h, float *g, void *work)
{
    const float loading = lte_detector_row_of(detector)->loading;
#define BODY(n) gram(n, link, loading, noise, lte_groups_of(g0, g1, work), h, g)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

/* Stage 6: inverses, a matrix in each lane. */
static void invert_stage(const lte_link *link, int g0, int g1, float *a, uint8_t *flag, void *work)
{
    const int n_tx = link->n_tx, n2 = n_tx * n_tx;
    lte_cplx *const matrix = lanes_in(link, work).g;
    for (int g = g0 * link->receiver.n_csi; g < g1 * link->receiver.n_csi; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            float *here = &a[(ptrdiff_t)g * n2 * 2 * LTE_LANES + lane];
            c_load_all(n2, here, matrix);
            flag_lanes(inverses[link->receiver.inverter](n_tx, matrix),
                       &flag[(ptrdiff_t)g * LTE_LANES + lane]);
            c_store_all(n2, here, matrix);
        }
    }
}

const lte_lane_detectors lte_set_detectors = {.prepare = prepare,
                                              .finish = finish,
                                              .detect = detect,
                                              .gram = gram_stage,
                                              .invert = invert_stage};
