/* Stage 7 over lanes: estimates, hard decisions, and the SINR that a detector has. */
#include "kernels/cpu/lanes_cpu.h"

/*
 * The state of matrix m of lanes sc, sc + 1, ..: from the inverse where the detector needs one and
 * x has it, else from H.
 */
static void state_of(const lte_link *link, const lte_detector_plan *plan, lte_noise noise, int sc,
                     int m, const float *h, const float *x, const stage_lanes *lanes, uint8_t *flag)
{
    const int n_rx = link->n_rx, n_tx = link->n_tx, n_csi = link->receiver.n_csi;
    const lte_real n0 = noise_lanes(noise, m, sc);
    c_load_all(n_rx * n_tx, &h[lte_batch_at(n_csi, n_rx * n_tx, sc, m, 0)], lanes->h);
    if (x && lte_detector_needs(plan->detector, LTE_NEEDS_INVERSE)) {
        c_load_all(n_tx * n_tx, &x[lte_batch_at(n_csi, n_tx * n_tx, sc, m, 0)], lanes->g);
        lte_set_detectors.finish(plan, lanes->h, n0, lanes->g, lanes->state);
    } else {
        const lte_mask flagged = lte_set_detectors.prepare(plan, link->receiver.inverter, lanes->h,
                                                           n0, lanes->state, lanes->work);
        if (flag)
            flag_lanes(flagged, &flag[lte_lane_at(n_csi, 1, sc, m, 0)]);
    }
}

/* Calls then for the lanes sc, sc + 1, .. of every symbol of groups g0 .. g1 - 1. */
typedef void symbol_fn(int n_tx, const lte_link *link, const lte_detector_plan *plan, int sc,
                       int symbol, const stage_lanes *lanes, void *out);

LTE_INLINE void each_symbol(int n_tx, symbol_fn *then, const lte_link *link,
                            const lte_detector_plan *plan, lte_noise noise, int g0, int g1,
                            const float *h, const float *x, const float *y, uint8_t *flag,
                            const stage_lanes *lanes, void *out)
{
    const int n_rx = link->n_rx;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const int sc = g * LTE_LANES + lane;
                if (symbol < link->receiver.n_csi)
                    state_of(link, plan, noise, sc, symbol, h, x, lanes, flag);
                c_load_all(n_rx, &y[lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, 0)], lanes->y);
                then(n_tx, link, plan, sc, symbol, lanes, out);
            }
        }
    }
}

LTE_INLINE void decide(int n_tx, const lte_link *link, const lte_detector_plan *plan, int sc,
                       int symbol, const stage_lanes *lanes, void *out)
{
    uint32_t *const label = out;
    lte_word few[LTE_MAX_ORDER], *const decided = FEW_OR_MANY(n_tx, few, lanes->decided);
    decide_lanes(n_tx, plan, lanes->y, lanes, decided);
    for (int k = 0; k < n_tx; k++)
        w_store(&label[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k)],
                symbol == link->receiver.pilot ? w_set(0) : decided[k]);
}

void lte_set_detect(const lte_link *link, lte_detector detector, lte_noise noise, int g0, int g1,
                    const float *h, const float *x, const float *y, uint32_t *label, uint8_t *flag,
                    void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
    const lte_detector_plan plan = lte_link_plan(link, detector, false);
#define BODY(n) each_symbol(n, decide, link, &plan, noise, g0, g1, h, x, y, flag, &lanes, label)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

static void store_sinr(int n_tx, const lte_link *link, const lte_detector_plan *plan, int sc,
                       int symbol, const stage_lanes *lanes, void *out)
{
    float *const rho = out;
    const lte_decision decision = {.rho = lanes->rho};
    (void)link;
    for (int k = 0; k < n_tx; k++)
        lanes->rho[k] = r_set(0.0f);
    if (lte_detector_row_of(plan->detector)->outputs & LTE_GIVES_SINR)
        (void)lte_set_detectors.detect(plan, lanes->state, lanes->y, &decision, lanes->work);
    for (int k = 0; k < n_tx; k++)
        r_store(&rho[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k)], lanes->rho[k]);
}

void lte_set_sinr(const lte_link *link, lte_detector detector, lte_noise noise, int g0, int g1,
                  const float *h, const float *y, float *rho, void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
    const lte_detector_plan plan = lte_link_plan(link, detector, true);
    each_symbol(link->n_tx, store_sinr, link, &plan, noise, g0, g1, h, NULL, y, NULL, &lanes, rho);
}
