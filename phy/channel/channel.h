#ifndef LTE_PHY_CHANNEL_H
#define LTE_PHY_CHANNEL_H
/*
 * Channel matrices, E|h|^2 = 1 per entry.
 *
 *     lte_cplx h[LTE_MAX_RX * LTE_MAX_TX];
 *     lte_channel_rayleigh(&draws, slot, sc, h);    // h [n_rx][n_tx], one subcarrier per lane
 *
 * Those that are drawn have a pair of entries by itself, too: lte_channel_<id>_pair.
 *
 * Those that are made of taps: phy/channel/taps.h. To add a channel: phy/channel/channels.h.
 */

#include "phy/channel/draws.h"

/*
 * Every entry an independent CN(0, 1): the channel draws of subcarrier sc. First entries 2 b and
 * 2 b + 1 alone, z [2]; the second stays as it is where there is none.
 */
LTE_INLINE void lte_channel_rayleigh_pair(const lte_draws *draws, uint64_t slot, lte_word sc,
                                          uint32_t b, lte_cplx *z)
{
    lte_words w =
        lte_draw(draws, slot, LTE_DRAW_CHANNEL, sc * w_set(draws->channel_blocks) + w_set(b));
    z[0] = lte_normal(w.v[0], w.v[1]);
    if (2 * b + 1 < (uint32_t)(draws->n_rx * draws->n_tx))
        z[1] = lte_normal(w.v[2], w.v[3]);
}
LTE_INLINE void lte_channel_rayleigh(const lte_draws *draws, uint64_t slot, lte_word sc,
                                     lte_cplx *h)
{
    LTE_ROLL_DEVICE
    for (uint32_t b = 0; b < draws->channel_blocks; b++)
        lte_channel_rayleigh_pair(draws, slot, sc, b, &h[2 * b]);
}

/* sqrt(n_tx) I, so that the SNR of each layer is n_tx / n0; a pair of entries, then all. */
LTE_INLINE void lte_channel_awgn_pair(const lte_draws *draws, uint64_t slot, lte_word sc,
                                      uint32_t b, lte_cplx *z)
{
    const int n_tx = draws->n_tx, n = draws->n_rx * n_tx;
    (void)slot;
    (void)sc;
    for (int i = 0; i < 2 && 2 * (int)b + i < n; i++) {
        const int e = 2 * (int)b + i;
        z[i] = c_zero();
        if (e / n_tx == e % n_tx)
            z[i].re = r_sqrt(r_set((float)n_tx));
    }
}
LTE_INLINE void lte_channel_awgn(const lte_draws *draws, uint64_t slot, lte_word sc, lte_cplx *h)
{
    LTE_ROLL_DEVICE
    for (uint32_t b = 0; b < draws->channel_blocks; b++)
        lte_channel_awgn_pair(draws, slot, sc, b, &h[2 * b]);
}

#endif
