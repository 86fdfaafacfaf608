/*
 * A detector of one's own as a shared object: maximum likelihood by trying every vector of symbols,
 * with max-log LLRs up to a clip, in plain loops.
 *
 *     cc -O2 -fPIC -shared -o trial.so own_detector_plugin.c
 *     ltesim own.cfg
 *
 * with detectors = ( "mmse", { name = "trial"; plugin = "./trial.so"; clip = 100; } ) in own.cfg.
 */
#include <string.h>

#include <ltesim/detector.h>

enum { MOST_TX = 4 };

/* H over sqrt(n0), as many floats as H has. */
static size_t state_size(const ltesim_plan *plan)
{
    return (size_t)(2 * plan->n_rx * plan->n_tx) + 1;
}

/* The least metric of each bit's values. */
static size_t work_size(const ltesim_plan *plan)
{
    return (size_t)(2 * plan->n_tx * plan->n_bits);
}

static int prepare(const ltesim_plan *plan, const float *h, float n0, float *state, float *work)
{
    (void)work;
    memcpy(state, h, (size_t)(2 * plan->n_rx * plan->n_tx) * sizeof *h);
    state[2 * plan->n_rx * plan->n_tx] = n0;
    return 0;
}

/* |y - H x|^2 / n0 of the vector v, n_bits of it a layer. */
static float metric_of(const ltesim_plan *plan, const float *state, const float *y, uint32_t v)
{
    const uint32_t mask = (1u << plan->n_bits) - 1;
    float sum = 0.0f;
    for (int r = 0; r < plan->n_rx; r++) {
        float re = y[2 * r], im = y[2 * r + 1];
        for (int k = 0; k < plan->n_tx; k++) {
            const float *h = &state[2 * (r * plan->n_tx + k)];
            const float *x = &plan->points[2 * (v >> (k * plan->n_bits) & mask)];
            re -= h[0] * x[0] - h[1] * x[1];
            im -= h[0] * x[1] + h[1] * x[0];
        }
        sum += re * re + im * im;
    }
    return sum / state[2 * plan->n_rx * plan->n_tx];
}

static int detect(const ltesim_plan *plan, const float *state, const float *y, uint32_t *label,
                  float *llr, float *work)
{
    const int n = plan->n_tx * plan->n_bits;
    const float none = 3e38f, clip = (float)plan->parameter[0];
    float best = none;
    uint32_t first = 0;
    for (int i = 0; i < 2 * n; i++)
        work[i] = none;
    for (uint32_t v = 0; v < 1u << n; v++) {
        const float metric = metric_of(plan, state, y, v);
        if (metric < best) {
            best = metric;
            first = v;
        }
        for (int i = 0; i < n; i++) {
            float *least = &work[2 * i + (int)(v >> i & 1)];
            *least = metric < *least ? metric : *least;
        }
    }
    for (int k = 0; k < plan->n_tx; k++)
        label[k] = first >> (k * plan->n_bits) & ((1u << plan->n_bits) - 1);
    for (int i = 0; llr && i < n; i++) {
        const float gap = work[2 * i + 1] - work[2 * i];
        llr[i] = gap > clip ? clip : gap < -clip ? -clip : gap;
    }
    return 0;
}

const ltesim_detector ltesim_own_detector = {.abi = LTESIM_DETECTOR_ABI,
                                             .text = "maximum likelihood by trying every vector",
                                             .parameters = "clip",
                                             .usual = {1e6},
                                             .max_tx = MOST_TX,
                                             .max_bits = 4,
                                             .outputs = LTESIM_LABELS | LTESIM_LLRS,
                                             .state = state_size,
                                             .work = work_size,
                                             .prepare = prepare,
                                             .detect = detect};
