/* Stage 3 over lanes: what the antennas receive. */
#include "kernels/lanes_cpu.h"

/* Noise z [n_rx] of lanes sc, sc + 1, .. : one instance for all orders. */
static void draw_noise(const lte_link *link, uint64_t slot, int sc, int symbol, lte_cplx *z)
{
    lte_draw_noise(&link->draws, slot, w_iota((uint32_t)sc), symbol, z);
}

/* References x [n_tx] and noise z [n_rx] of lanes sc, sc + 1, .. */
static void send_pilot(const lte_link *link, uint64_t slot, int sc, lte_cplx *x, lte_cplx *z)
{
    for (int k = 0; k < link->n_tx; k++)
        x[k] = plane_lanes(&link->pilots.reference[k * link->n_sc], sc, live_lanes(link, sc));
    lte_draw_pilot(&link->draws, slot, w_iota((uint32_t)sc), z);
}

LTE_INLINE void receive(int n_tx, const lte_link *link, uint64_t slot, lte_noise noise, int g0,
                        int g1, const float *h, const uint32_t *label, float *y, lte_power *power,
                        const stage_lanes *lanes)
{
    const int n_rx = link->n_rx, n_h = link->n_h, n_symbols = LTE_SLOT_SYMBOLS;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            const int first = g * LTE_LANES + lane;
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                lte_cplx few[LTE_MAX_ORDER], *const x = FEW_OR_MANY(n_tx, few, lanes->x);
                lte_real signal, disturbance;
                if (symbol < n_h)
                    c_load_all(n_rx * n_tx, &h[lte_batch_at(n_h, n_rx * n_tx, first, symbol, 0)],
                               lanes->h);
                if (symbol == link->pilot) {
                    send_pilot(link, slot, first, x, lanes->z);
                } else {
                    for (int k = 0; k < n_tx; k++)
                        x[k] = lte_qam_map(
                            link->n_bits,
                            w_load(&label[lte_lane_at(n_symbols, n_tx, first, symbol, k)]));
                    draw_noise(link, slot, first, symbol, lanes->z);
                }
                lte_receive(n_rx, n_tx, lanes->h, x, lanes->z, r_set(noise.sigma), lanes->y,
                            &signal, &disturbance);
                if (symbol == 0)
                    add_power(live_lanes(link, first), signal, disturbance, power);
                c_store_all(n_rx, &y[lte_batch_at(n_symbols, n_rx, first, symbol, 0)], lanes->y);
            }
        }
    }
}

static void receive_stage(const lte_link *link, uint64_t slot, lte_noise noise, int g0, int g1,
                          const float *h, const uint32_t *label, float *y, lte_power *power,
                          void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
#define BODY(n) receive(n, link, slot, noise, g0, g1, h, label, y, power, &lanes)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
