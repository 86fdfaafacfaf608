/* Stage 3 over lanes: what the antennas receive. */
#include "kernels/cpu/lanes_cpu.h"

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

/* lte_receive for a link. */
static void receive(const lte_link *link, const lte_cplx *h, const lte_cplx *x, const lte_cplx *z,
                    float sigma, lte_cplx *y, lte_real *signal, lte_real *disturbance)
{
#define BODY(n) lte_receive(link->n_rx, n, h, x, z, r_set(sigma), y, signal, disturbance)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

static void receive_stage(const lte_link *link, uint64_t slot, lte_noise noise, int g0, int g1,
                          const float *h, const uint32_t *label, float *y, lte_power *power,
                          void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
    const int n_rx = link->n_rx, n_tx = link->n_tx, n = n_rx * n_tx;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            const int first = g * LTE_LANES + lane;
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const ptrdiff_t labels = lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, first, symbol, 0);
                lte_real signal, disturbance;
                if (symbol < link->n_h)
                    c_load_all(n, &h[lte_batch_at(link->n_h, n, first, symbol, 0)], lanes.h);
                if (symbol == link->pilot) {
                    send_pilot(link, slot, first, lanes.x, lanes.z);
                } else {
                    for (int k = 0; k < n_tx; k++)
                        lanes.x[k] = lte_qam_map(link->n_bits,
                                                 w_load(&label[labels + (ptrdiff_t)k * LTE_LANES]));
                    draw_noise(link, slot, first, symbol, lanes.z);
                }
                receive(link, lanes.h, lanes.x, lanes.z, noise.sigma, lanes.y, &signal,
                        &disturbance);
                if (symbol == 0)
                    add_power(live_lanes(link, first), signal, disturbance, power);
                c_store_all(n_rx, &y[lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, first, symbol, 0)],
                            lanes.y);
            }
        }
    }
}
