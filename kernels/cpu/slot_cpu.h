#ifndef LTE_KERNELS_SLOT_CPU_H
#define LTE_KERNELS_SLOT_CPU_H
/*
 * One slot of the deadline run with its stages fused: planes in, packed bits or LLRs out, a
 * lane-wide group of subcarriers at a time in the first-level cache. Instances: slot_bits_cpu.c,
 * slot_llrs_cpu.c.
 */
#include "kernels/cpu/pack_cpu.h"

enum { AHEAD = 4 }; /* groups; of 1, 2, 4 the fastest with inputs from beyond the caches */

/*
 * Prefetches the lines of n_planes planes that group g will read: a few lines each of very many
 * planes, more streams than the processor's own prefetcher follows.
 */
LTE_INLINE void prefetch_group(const lte_link *link, int g, const lte_cf32 *planes, int n_planes)
{
    enum { PER_LINE = 64 / sizeof(lte_cf32) };
    if (g >= link->carrier.n_groups)
        return;
    for (int e = 0; e < n_planes; e++) {
        const lte_cf32 *first =
            &planes[(ptrdiff_t)e * link->carrier.n_sc + (ptrdiff_t)g * LTE_LANES];
        for (int i = 0; i < LTE_LANES; i += PER_LINE)
            __builtin_prefetch(first + i);
    }
}

/* Groups of a slot, and what detects them. */
typedef struct {
    const lte_link *link;
    lte_detector detector;
    lte_noise noise;
    int g0, g1;
    const stage_lanes *lanes;
} slot_job;

/*
 * What comes out of a slot: asked of its detector, decided of lanes sc, sc + 1, .. of a symbol, of
 * which n_live are on the carrier, and put behind a group. A constant, so that each instance is a
 * function of its own.
 */
typedef struct {
    unsigned asked; /* LTE_GIVES_* */
    void (*decide)(int n_tx, const slot_job *job, const lte_detector_plan *plan, int symbol, int sc,
                   int n_live, uint8_t *bits);
    void (*put)(const slot_job *job, int g, uint8_t *bits); /* NULL: decide has put them */
} slot_output;

LTE_INLINE void slot_groups(int n_tx, slot_output output, const slot_job *job,
                            const lte_cf32 *h_planes, const lte_cf32 *y_planes, uint8_t *bits)
{
    const lte_link *const link = job->link;
    const stage_lanes *const lanes = job->lanes;
    const lte_noise noise = job->noise;
    const int n_rx = link->n_rx, n_sc = link->carrier.n_sc, n_csi = link->receiver.n_csi;
    const lte_detector_plan plan = lte_link_plan(link, job->detector, output.asked);
    for (int g = job->g0; g < job->g1; g++) {
        prefetch_group(link, g + AHEAD, h_planes, n_rx * n_tx * n_csi);
        prefetch_group(link, g + AHEAD, y_planes, n_rx * LTE_SLOT_SYMBOLS);
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            const int sc = g * LTE_LANES + lane, n_live = live_lanes(link, sc);
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                if (symbol == link->receiver.pilot) {
                    for (int k = 0; k < n_tx; k++)
                        w_store(&lanes->group[(symbol * n_tx + k) * LTE_LANES + lane], w_set(0));
                    continue;
                }
                if (symbol < n_csi) {
                    for (int e = 0; e < n_rx * n_tx; e++)
                        lanes->h[e] = plane_lanes(&h_planes[lte_plane_at(n_csi, n_sc, e, symbol)],
                                                  sc, n_live);
                    (void)lte_set_detectors.prepare(&plan, link->receiver.inverter, lanes->h,
                                                    noise_lanes(noise, symbol, sc), lanes->state,
                                                    lanes->work);
                }
                for (int rx = 0; rx < n_rx; rx++) {
                    const ptrdiff_t plane = lte_plane_at(LTE_SLOT_SYMBOLS, n_sc, rx, symbol);
                    lanes->y[rx] = plane_lanes(&y_planes[plane], sc, n_live);
                }
                output.decide(n_tx, job, &plan, symbol, sc, n_live, bits);
            }
        }
        if (output.put)
            output.put(job, g, bits);
    }
}

#endif
