#ifndef LTE_KERNELS_PLUGIN_CPU_H
#define LTE_KERNELS_PLUGIN_CPU_H
/*
 * Plug-ins over lanes: their verbs, a lane at a time. What they return is checked: a label that the
 * modulation does not have and an LLR that is not finite are taken for an estimate of zero, and
 * blamed.
 *
 * A lane's state begins with a flag: there is none.
 */
#include <math.h>

#include "kernels/cpu/lanes_cpu.h"
#include "phy/detection/plugin.h"

/* Elements of a lane: out [n] as pairs. */
static void gather(int n, const lte_cplx *lanes, int lane, float *out)
{
    for (int e = 0; e < n; e++) {
        float re[LTE_WIDTH], im[LTE_WIDTH];
        r_store(re, lanes[e].re);
        r_store(im, lanes[e].im);
        out[2 * e] = re[lane];
        out[2 * e + 1] = im[lane];
    }
}

/* Of a subcarrier that does not exist: there is nothing to detect then. */
static bool all_zero(int n, const float *x)
{
    bool zero = true;
    for (int i = 0; i < n; i++)
        zero = zero && !(x[i] < 0.0f) && !(x[i] > 0.0f);
    return zero;
}

static bool all_finite(size_t n, const float *x)
{
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite = finite && fabsf(x[i]) < INFINITY;
    return finite;
}

/* The state of a lane, behind its flag. */
static float *plugin_state(const lte_detector_plan *plan, lte_cplx *state, int lane)
{
    const size_t n = 2 * (size_t)lte_detector_row_of(plan->detector)->state(plan);
    return (float *)state + (size_t)lane * n;
}

static lte_mask plugin_prepare(const lte_detector_plan *plan, const lte_cplx *h, lte_real n0,
                               lte_cplx *state, lte_cplx *work)
{
    const lte_plugin_verbs *verbs = &lte_plugin_of(plan->detector)->verbs;
    const int n = plan->n_rx * plan->n_tx;
    float *const own_h = (float *)work, *const own_work = &own_h[2 * n];
    float noise[LTE_WIDTH];
    uint32_t flagged[LTE_WIDTH];
    r_store(noise, n0);
    for (int lane = 0; lane < LTE_WIDTH; lane++) {
        float *const of_lane = plugin_state(plan, state, lane);
        gather(n, h, lane, own_h);
        flagged[lane] =
            all_zero(2 * n, own_h) ||
            verbs->prepare(verbs->self, plan, own_h, noise[lane], &of_lane[1], own_work);
        of_lane[0] = flagged[lane] ? 1.0f : 0.0f;
    }
    return w_eq(w_load(flagged), w_set(1));
}

/* Decides a lane; false: there is no state, no finite y, or what came of it was not right. */
static bool plugin_decide(const lte_detector_plan *plan, float *of_lane, const float *y,
                          uint32_t *label, float *llr, float *own_work, bool *left)
{
    const lte_plugin_verbs *verbs = &lte_plugin_of(plan->detector)->verbs;
    const size_t n_llrs = llr ? (size_t)(plan->n_tx * plan->n_bits) : 0;
    if (of_lane[0] > 0.0f || !all_finite(2 * (size_t)plan->n_rx, y))
        return false;
    for (int k = 0; k < plan->n_tx; k++)
        label[k] = 0;
    for (size_t i = 0; i < n_llrs; i++)
        llr[i] = 0.0f;
    *left = verbs->detect(verbs->self, plan, &of_lane[1], y, label, llr, own_work);
    bool labels = true;
    for (int k = 0; k < plan->n_tx; k++)
        labels = labels && label[k] >> plan->n_bits == 0;
    if (labels && all_finite(n_llrs, llr))
        return true;
    lte_plugin_blame(plan->detector, !labels);
    return false;
}

/* What lanes have decided, [n] of each one after the other; i-th of all lanes. */
static lte_word of_lanes(int n, const uint32_t *words, int i)
{
    uint32_t lane[LTE_WIDTH];
    for (int l = 0; l < LTE_WIDTH; l++)
        lane[l] = words[l * n + i];
    return w_load(lane);
}

static lte_mask plugin_detect(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                              const lte_decision *decision, lte_cplx *work)
{
    const int n_tx = plan->n_tx, n_llrs = decision->llr ? n_tx * plan->n_bits : 0;
    float *const own_y = (float *)work, *const own_work = &own_y[2 * plan->n_rx];
    uint32_t *const label = (uint32_t *)(own_y + lte_plugin_alone(plan));
    float *const llr = (float *)(label + LTE_WIDTH * n_tx);
    uint32_t unfinished[LTE_WIDTH], zero[LTE_WIDTH];
    w_store(zero, lte_qam_slice(plan->n_bits, c_zero()));
    for (int lane = 0; lane < LTE_WIDTH; lane++) {
        bool left = false;
        uint32_t *const own = &label[lane * n_tx];
        float *const own_llr = &llr[lane * n_llrs];
        gather(plan->n_rx, y, lane, own_y);
        const bool right = plugin_decide(plan, plugin_state(plan, state, lane), own_y, own,
                                         n_llrs > 0 ? own_llr : NULL, own_work, &left);
        unfinished[lane] = left;
        for (int k = 0; k < n_tx && !right; k++)
            own[k] = zero[0];
        for (int i = 0; i < n_llrs && !right; i++)
            own_llr[i] = 0.0f;
    }
    for (int k = 0; k < n_tx && decision->label; k++)
        decision->label[k] = of_lanes(n_tx, label, k);
    for (int i = 0; i < n_llrs; i++)
        decision->llr[i] = r_from_bits(of_lanes(n_llrs, (const uint32_t *)llr, i));
    return w_eq(w_load(unfinished), w_set(1));
}

#endif
