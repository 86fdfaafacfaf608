/* Stage 7 over lanes: estimates, hard decisions, and the SINR that a detector has. */
#include "kernels/lanes_cpu.h"

/*
 * The state of matrix m of group g: for decisions from the inverse if the detector inverts, else,
 * and with the SINR, from H.
 */
LTE_INLINE void state_of(int n_tx, const lte_link *link, int detector, lte_noise noise, int g,
                         int m, int lane, bool with_sinr, const float *h, const float *x,
                         lte_cplx *state, uint8_t *flag)
{
    const int n_rx = link->n_rx;
    const ptrdiff_t at = (ptrdiff_t)g * link->n_csi + m;
    const lte_real n0 = noise_lanes(noise, g * LTE_LANES + lane);
    lte_cplx channel[LTE_MAX_RX * LTE_MAX_TX], matrix[LTE_MAX_TX * LTE_MAX_TX];
    c_load_all(n_rx * n_tx, &h[at * n_rx * n_tx * 2 * LTE_LANES + lane], channel);
    if (lte_detector_rows[detector].inverts && !with_sinr) {
        c_load_all(n_tx * n_tx, &x[at * n_tx * n_tx * 2 * LTE_LANES + lane], matrix);
        lte_solve_finish(detector, n_rx, n_tx, channel, n0, false, matrix, state);
    } else {
        const lte_mask flagged = lte_prepare(detector, n_rx, n_tx, channel, n0,
                                             inverses[link->inverter], with_sinr, matrix, state);
        if (flag)
            flag_lanes(flagged, &flag[at * LTE_LANES + lane]);
    }
}

/* Labels, or without them rho, of all resource elements of groups g0 .. g1 - 1. */
LTE_INLINE void detect(int n_tx, const lte_link *link, int detector, lte_noise noise, int g0,
                       int g1, const float *h, const float *x, const float *y, uint32_t *label,
                       uint8_t *flag, float *rho)
{
    const int n_rx = link->n_rx;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            lte_cplx state[LTE_LINEAR_STATE(LTE_MAX_RX, LTE_MAX_TX)];
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const ptrdiff_t re = (ptrdiff_t)g * LTE_SLOT_SYMBOLS + symbol;
                lte_cplx received[LTE_MAX_RX], estimate[LTE_MAX_TX];
                lte_word decided[LTE_MAX_TX];
                lte_real of_layer[LTE_MAX_TX];
                if (symbol < link->n_csi)
                    state_of(n_tx, link, detector, noise, g, symbol, lane, !label, h, x, state,
                             flag);
                c_load_all(n_rx, &y[re * n_rx * 2 * LTE_LANES + lane], received);
                lte_apply(detector, n_rx, n_tx, state, received, estimate, label ? NULL : of_layer);
                if (label)
                    lte_demap_hard(n_tx, link->n_bits, estimate, decided);
                for (int k = 0; k < n_tx; k++) {
                    const ptrdiff_t at = (re * n_tx + k) * LTE_LANES + lane;
                    if (label)
                        w_store(&label[at], symbol == link->pilot ? w_set(0) : decided[k]);
                    else
                        r_store(&rho[at], of_layer[k]);
                }
            }
        }
    }
}

static void detect_stage(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                         const float *h, const float *x, const float *y, uint32_t *label,
                         uint8_t *flag)
{
#define BODY(n) detect(n, link, detector, noise, g0, g1, h, x, y, label, flag, NULL)
    LTE_FOR_ORDER(link->n_tx, BODY)
#undef BODY
}

static void sinr_stage(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                       const float *h, const float *y, float *rho)
{
#define BODY(n) detect(n, link, detector, noise, g0, g1, h, NULL, y, NULL, NULL, rho)
    LTE_FOR_ORDER(link->n_tx, BODY)
#undef BODY
}
