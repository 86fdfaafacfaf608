/* Stage 7 over lanes: estimates, hard decisions, the SINR that a detector has, and flags alone. */
#include "kernels/cpu/lanes_cpu.h"

/* Groups of a slot: what is detected by whom, and where it lies. */
typedef struct {
    const lte_link *link;
    lte_detector_plan plan;
    lte_noise noise;
    lte_groups groups;
    const float *h, *x, *y;
    uint8_t *flag; /* NULL: is not asked for */
    stage_lanes lanes;
} detected_groups;

static detected_groups groups_of(const lte_link *link, lte_detector detector, unsigned asked,
                                 lte_noise noise, lte_groups groups, const float *h, const float *y)
{
    return (detected_groups){.link = link,
                             .plan = lte_link_plan(link, detector, asked),
                             .noise = noise,
                             .groups = groups,
                             .h = h,
                             .y = y,
                             .lanes = lanes_in(link, groups.work)};
}

/* The flags of lanes sc, sc + 1, .. of what is detected with the matrix of a symbol. */
LTE_INLINE uint8_t *flag_of(const detected_groups *d, int sc, int symbol)
{
    const int n_csi = d->link->receiver.n_csi;
    return &d->flag[lte_lane_at(n_csi, 1, sc, n_csi > 1 ? symbol : 0, 0)];
}

/*
 * The state of matrix m of lanes sc, sc + 1, ..: from the inverse where the detector needs one and
 * x has it, else from H.
 */
static void state_of(const detected_groups *d, int sc, int m)
{
    const int n_rx = d->link->n_rx, n_tx = d->link->n_tx, n_csi = d->link->receiver.n_csi;
    const lte_real n0 = noise_lanes(d->noise, m, sc);
    const stage_lanes *const lanes = &d->lanes;
    c_load_all(n_rx * n_tx, &d->h[lte_batch_at(n_csi, n_rx * n_tx, sc, m, 0)], lanes->h);
    if (d->x && lte_detector_needs(d->plan.detector, LTE_NEEDS_INVERSE)) {
        c_load_all(n_tx * n_tx, &d->x[lte_batch_at(n_csi, n_tx * n_tx, sc, m, 0)], lanes->g);
        lte_set_detectors.finish(&d->plan, lanes->h, n0, lanes->g, lanes->state);
    } else {
        const lte_mask flagged = lte_set_detectors.prepare(&d->plan, d->link->receiver.inverter,
                                                           lanes->h, n0, lanes->state, lanes->work);
        if (d->flag)
            flag_lanes(flagged, flag_of(d, sc, m));
    }
}

/* Calls then for the lanes sc, sc + 1, .. of every symbol of the groups. */
typedef void symbol_fn(int n_tx, const detected_groups *d, int sc, int symbol, void *out);

LTE_INLINE void each_symbol(int n_tx, symbol_fn *then, const detected_groups *d, void *out)
{
    const int n_rx = d->link->n_rx;
    for (int g = d->groups.first; g < d->groups.end; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const int sc = g * LTE_LANES + lane;
                if (symbol < d->link->receiver.n_csi)
                    state_of(d, sc, symbol);
                c_load_all(n_rx, &d->y[lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, 0)],
                           d->lanes.y);
                then(n_tx, d, sc, symbol, out);
            }
        }
    }
}

LTE_INLINE void decide(int n_tx, const detected_groups *d, int sc, int symbol, void *out)
{
    uint32_t *const label = out;
    lte_word few[LTE_MAX_ORDER], *const decided = FEW_OR_MANY(n_tx, few, d->lanes.decided);
    const lte_mask left = decide_lanes(n_tx, &d->plan, d->lanes.y, &d->lanes, decided);
    if (d->flag && symbol != d->link->receiver.pilot && m_any(left))
        add_flag(left, (uint8_t)(LTE_FLAG_UNFINISHED << symbol), flag_of(d, sc, symbol));
    for (int k = 0; k < n_tx; k++)
        w_store(&label[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k)],
                symbol == d->link->receiver.pilot ? w_set(0) : decided[k]);
}

void lte_set_detect(const lte_link *link, lte_detector detector, lte_noise noise, lte_groups groups,
                    const float *h, const float *y, const lte_decided *decided)
{
    detected_groups d = groups_of(link, detector, LTE_GIVES_LABELS, noise, groups, h, y);
    d.x = decided->x;
    d.flag = decided->flag;
#define BODY(n) each_symbol(n, decide, &d, decided->label)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}

static void store_sinr(int n_tx, const detected_groups *d, int sc, int symbol, void *out)
{
    float *const rho = out;
    const stage_lanes *const lanes = &d->lanes;
    const lte_decision decision = {.rho = lanes->rho};
    for (int k = 0; k < n_tx; k++)
        lanes->rho[k] = r_set(0.0f);
    if (lte_detector_row_of(d->plan.detector)->outputs & LTE_GIVES_SINR)
        (void)lte_set_detectors.detect(&d->plan, lanes->state, lanes->y, &decision, lanes->work);
    for (int k = 0; k < n_tx; k++)
        r_store(&rho[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k)], lanes->rho[k]);
}

void lte_set_sinr(const lte_link *link, lte_detector detector, lte_noise noise, lte_groups groups,
                  const float *h, const float *y, float *rho)
{
    const detected_groups d = groups_of(link, detector, LTE_GIVES_LLRS, noise, groups, h, y);
    each_symbol(link->n_tx, store_sinr, &d, rho);
}

void lte_set_flag(const lte_link *link, lte_detector detector, lte_noise noise, lte_groups groups,
                  const float *h, uint8_t *flag)
{
    detected_groups d = groups_of(link, detector, LTE_GIVES_LABELS, noise, groups, h, NULL);
    d.flag = flag;
    for (int g = groups.first; g < groups.end; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            for (int m = 0; m < link->receiver.n_csi; m++)
                state_of(&d, g * LTE_LANES + lane, m);
        }
    }
}
