/* Stage 7 over lanes: estimates, hard decisions, and the SINR that a detector has. */
#include "kernels/cpu/lanes_cpu.h"

/*
 * The state of matrix m of lanes sc, sc + 1, ..: for decisions from the inverse if the detector
 * inverts, else, and with the SINR, from H.
 */
static void state_of(const lte_link *link, int detector, lte_noise noise, int sc, int m,
                     bool with_sinr, const float *h, const float *x, const stage_lanes *lanes,
                     uint8_t *flag)
{
    const int n_rx = link->n_rx, n_tx = link->n_tx, n_csi = link->n_csi;
    const lte_real n0 = noise_lanes(noise, m, sc);
    c_load_all(n_rx * n_tx, &h[lte_batch_at(n_csi, n_rx * n_tx, sc, m, 0)], lanes->h);
    if (lte_detector_row(detector)->inverts && !with_sinr) {
        c_load_all(n_tx * n_tx, &x[lte_batch_at(n_csi, n_tx * n_tx, sc, m, 0)], lanes->g);
        lte_set_detectors.finish(link, detector, lanes->h, n0, lanes->g, lanes->state);
    } else {
        const lte_mask flagged = lte_set_detectors.prepare(link, detector, lanes->h, n0, with_sinr,
                                                           lanes->g, lanes->state);
        if (flag)
            flag_lanes(flagged, &flag[lte_lane_at(n_csi, 1, sc, m, 0)]);
    }
}

/* Labels, or without them rho, of all resource elements of groups g0 .. g1 - 1. */
LTE_INLINE void detect(int n_tx, const lte_link *link, int detector, lte_noise noise, int g0,
                       int g1, const float *h, const float *x, const float *y, uint32_t *label,
                       uint8_t *flag, float *rho, const stage_lanes *lanes)
{
    const int n_rx = link->n_rx;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const int sc = g * LTE_LANES + lane;
                lte_cplx few[LTE_MAX_ORDER], *const estimate = FEW_OR_MANY(n_tx, few, lanes->x);
                lte_word labels[LTE_MAX_ORDER];
                lte_word *const decided = FEW_OR_MANY(n_tx, labels, lanes->decided);
                lte_real sinr[LTE_MAX_ORDER];
                lte_real *const of_layer = FEW_OR_MANY(n_tx, sinr, lanes->rho);
                if (symbol < link->n_csi)
                    state_of(link, detector, noise, sc, symbol, !label, h, x, lanes, flag);
                c_load_all(n_rx, &y[lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, 0)], lanes->y);
                apply_lanes(n_tx, link, detector, lanes->state, lanes->y, estimate,
                            label ? NULL : of_layer);
                if (label)
                    lte_demap_hard(n_tx, link->n_bits, estimate, decided);
                for (int k = 0; k < n_tx; k++) {
                    const ptrdiff_t at = lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k);
                    if (label)
                        w_store(&label[at], symbol == link->pilot ? w_set(0) : decided[k]);
                    else
                        r_store(&rho[at], of_layer[k]);
                }
            }
        }
    }
}

/* The same for an order known at run time. */
static void detect_any(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                       const float *h, const float *x, const float *y, uint32_t *label,
                       uint8_t *flag, float *rho, void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
#define BODY(n) detect(n, link, detector, noise, g0, g1, h, x, y, label, flag, rho, &lanes)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

void lte_set_detect(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                    const float *h, const float *x, const float *y, uint32_t *label, uint8_t *flag,
                    void *work)
{
    detect_any(link, detector, noise, g0, g1, h, x, y, label, flag, NULL, work);
}

void lte_set_sinr(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                  const float *h, const float *y, float *rho, void *work)
{
    detect_any(link, detector, noise, g0, g1, h, NULL, y, NULL, NULL, rho, work);
}
