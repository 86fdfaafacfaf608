#include "kernels/pack.h"

LTE_INLINE void detect(int n_tx, const lte_link *link, int detector, lte_noise noise, int g0,
                       int g1, const float *h, const float *x, const float *y, uint32_t *label)
{
    const int n_rx = link->n_rx, n_csi = link->n_csi;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            lte_cplx w[LTE_MAX_RX * LTE_MAX_TX];
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const ptrdiff_t re = (ptrdiff_t)g * LTE_SLOT_SYMBOLS + symbol;
                lte_cplx received[LTE_MAX_RX];
                lte_word decided[LTE_MAX_TX];
                if (symbol < n_csi) {
                    const ptrdiff_t at = ((ptrdiff_t)g * n_csi + symbol) * 2 * LTE_LANES;
                    lte_cplx channel[LTE_MAX_RX * LTE_MAX_TX], inverse[LTE_MAX_TX * LTE_MAX_TX];
                    lte_real gain[LTE_MAX_TX];
                    c_load_all(n_rx * n_tx, &h[at * n_rx * n_tx + lane], channel);
                    c_load_all(n_tx * n_tx, &x[at * n_tx * n_tx + lane], inverse);
                    lte_gains(n_tx, inverse, LTE_V(lte_detectors)[detector].gain,
                              noise_lanes(noise, g * LTE_LANES + lane), gain);
                    lte_filter(n_rx, n_tx, channel, inverse, gain, w);
                }
                c_load_all(n_rx, &y[re * n_rx * 2 * LTE_LANES + lane], received);
                lte_detect(n_rx, n_tx, link->n_bits, w, received, decided);
                for (int k = 0; k < n_tx && symbol == link->pilot; k++)
                    decided[k] = w_set(0);
                for (int k = 0; k < n_tx; k++)
                    w_store(&label[(re * n_tx + k) * LTE_LANES + lane], decided[k]);
            }
        }
    }
}

void LTE_V(lte_detect)(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                       const float *h, const float *x, const float *y, uint32_t *label)
{
#define BODY(n) detect(n, link, detector, noise, g0, g1, h, x, y, label)
    LTE_FOR_ORDER(link->n_tx, BODY)
#undef BODY
}

void LTE_V(lte_pack)(const lte_link *link, int g0, int g1, const uint32_t *label, uint8_t *bits)
{
    for (int g = g0; g < g1; g++)
        pack_group(link, g, &label[(ptrdiff_t)g * LTE_SLOT_SYMBOLS * link->n_tx * LTE_LANES], bits);
}
