#include "sim/replay.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/processor.h"
#include "phy/detect.h"
#include "sim/inverses.h"
#include "sim/report.h"
#include "sim/scenario_link.h"

/* A slot's batches, shapes in kernels/link.h. */
typedef struct {
    float *h, *y, *x; /* x: inverses of the loaded Gram matrices */
    uint32_t *sent, *decided;
    uint8_t *flag;
    float *sinr; /* [n_sc n_h] of a layer */
} batches;

static lte_status batches_init(const lte_link *link, batches *b)
{
    const size_t lanes = (size_t)link->n_groups * LTE_LANES, n_h = (size_t)link->n_h;
    const size_t n_rx = (size_t)link->n_rx, n_tx = (size_t)link->n_tx, pair = 2 * sizeof(float);
    b->h = malloc(lanes * n_h * n_rx * n_tx * pair);
    b->y = malloc(lanes * LTE_SLOT_SYMBOLS * n_rx * pair);
    b->x = malloc(lanes * n_h * n_tx * n_tx * pair);
    b->sent = malloc(lanes * LTE_SLOT_SYMBOLS * n_tx * sizeof *b->sent);
    b->decided = malloc(lanes * LTE_SLOT_SYMBOLS * n_tx * sizeof *b->decided);
    b->flag = malloc(lanes * n_h);
    b->sinr = malloc(lanes * n_h * sizeof *b->sinr);
    if (!b->h || !b->y || !b->x || !b->sent || !b->decided || !b->flag || !b->sinr)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
    return LTE_OK;
}

static void batches_fini(batches *b)
{
    free(b->h);
    free(b->y);
    free(b->x);
    free(b->sent);
    free(b->decided);
    free(b->flag);
    free(b->sinr);
}

/* SINR of layer k wherever there is an inverse, ascending; returns how many. */
static int64_t sinr_of(const lte_link *link, int detector, lte_noise noise, int k, batches *b)
{
#define GAIN(id, name, text) lte_##id##_gain,
    static lte_gain *const gain_of[LTE_N_DETECTORS] = {LTE_DETECTORS(GAIN)};
#undef GAIN
    const int n_h = link->n_h, n2 = link->n_tx * link->n_tx, diagonal = k * link->n_tx + k;
    int64_t n = 0;
    for (int sc = 0; sc < link->n_sc; sc++) {
        for (int i = 0; i < n_h; i++) {
            const ptrdiff_t matrix = (ptrdiff_t)(sc / LTE_LANES) * n_h + i;
            if (b->flag[matrix * LTE_LANES + sc % LTE_LANES])
                continue;
            const float x = b->x[(matrix * n2 + diagonal) * 2 * LTE_LANES + sc % LTE_LANES];
            b->sinr[n++] = lte_sinr(x, gain_of[detector](x, noise.n0), noise.n0);
        }
    }
    (void)lte_quantiles_of(b->sinr, n);
    return n;
}

static double in_db(double x)
{
    return 10.0 * log10(x);
}

static void put_counts(FILE *out, int detector, double snr_db, const lte_power *power,
                       const char *layer, uint64_t bits, uint64_t bit_errors, uint64_t symbols,
                       uint64_t symbol_errors)
{
    (void)fprintf(out, "%-9s %7.2f %7.2f %5s %8llu %8llu %8llu %8llu",
                  lte_detector_names[detector].name, snr_db,
                  in_db((double)power->signal / (double)power->noise), layer,
                  (unsigned long long)bits, (unsigned long long)bit_errors,
                  (unsigned long long)symbols, (unsigned long long)symbol_errors);
}

/* The rows of one detector at one SNR: all layers together, then each. */
static void put_rows(FILE *out, const lte_link *link, int detector, double snr_db, lte_noise noise,
                     const lte_power *power, const lte_errors *errors, const lte_inverses *seen,
                     batches *b)
{
    const uint64_t symbols = (uint64_t)link->n_sc * LTE_SLOT_SYMBOLS;
    const uint64_t bits = symbols * (uint64_t)link->n_bits, n_tx = (uint64_t)link->n_tx;
    uint64_t bit_errors = 0, symbol_errors = 0;
    for (int k = 0; k < link->n_tx; k++) {
        bit_errors += errors->bit_errors[k];
        symbol_errors += errors->symbol_errors[k];
    }
    put_counts(out, detector, snr_db, power, "all", n_tx * bits, bit_errors, n_tx * symbols,
               symbol_errors);
    (void)fprintf(out, " %8s %8s %8s %9.3g %9.3g %9.3g %8lu\n", "", "", "", seen->condition.p50,
                  seen->condition.p99, seen->condition.max, (unsigned long)errors->flagged);
    for (int k = 0; k < link->n_tx; k++) {
        char layer[16];
        (void)snprintf(layer, sizeof layer, "%d", k);
        put_counts(out, detector, snr_db, power, layer, bits, errors->bit_errors[k], symbols,
                   errors->symbol_errors[k]);
        const int64_t n = sinr_of(link, detector, noise, k, b);
        if (n > 0)
            (void)fprintf(out, " %8.2f %8.2f %8.2f", in_db(lte_nearest_rank(b->sinr, n, 0.01)),
                          in_db(lte_nearest_rank(b->sinr, n, 0.5)),
                          in_db(lte_nearest_rank(b->sinr, n, 1.0)));
        (void)fputc('\n', out);
    }
}

/* One SNR: what is received, and every detector on it. */
static lte_status replay_snr(FILE *out, const lte_scenario *scenario, const lte_link *link,
                             uint64_t slot, double snr_db, batches *b)
{
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, pow(10.0, snr_db / 10.0));
    const int n_groups = link->n_groups;
    lte_power power = {0, 0};
    stages->receive(link, slot, noise, 0, n_groups, b->h, b->sent, b->y, &power);
    for (int i = 0; i < scenario->n_detectors; i++) {
        const int detector = scenario->detectors[i];
        lte_errors errors = {0};
        lte_inverses seen;
        const lte_status status = lte_inverses_look(stages, link, noise, detector, slot, 1, &seen);
        if (status)
            return status;
        stages->gram(link, detector, noise, 0, n_groups, b->h, b->x);
        stages->invert(link, 0, n_groups, b->x, b->flag);
        stages->detect(link, detector, noise, 0, n_groups, b->h, b->x, b->y, b->decided);
        stages->count(link, 0, n_groups, b->sent, b->decided, b->flag, &errors);
        put_rows(out, link, detector, snr_db, noise, &power, &errors, &seen, b);
    }
    return LTE_OK;
}

lte_status lte_replay(FILE *out, const lte_scenario *scenario, uint64_t slot)
{
    float mix[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    lte_link link;
    lte_run_info info = {.scenario = scenario, .backend = lte_stages_best()->name, .threads = 1};
    batches b = {0};
    lte_status status = lte_scenario_link(scenario, mix, &link);
    if (!status)
        status = batches_init(&link, &b);
    if (status)
        goto cleanup;
    lte_processor_name(info.device.name, sizeof info.device.name);
    lte_report_header(out, &info);
    (void)fprintf(out,
                  "\nslot %llu, %d matrices of order %d a detector\n"
                  "%-9s %7s %7s %5s %8s %8s %8s %8s %8s %8s %8s %9s %9s %9s %8s\n",
                  (unsigned long long)slot, link.n_sc * link.n_h, link.n_tx, "detector", "SNR dB",
                  "meas.", "layer", "bits", "bit err", "symbols", "sym err", "SINR p1", "p50 dB",
                  "max dB", "cond. p50", "p99", "max", "flagged");
    lte_stages_best()->source(&link, slot, 0, link.n_groups, b.sent);
    lte_stages_best()->channel(&link, slot, 0, link.n_groups, b.h);
    for (int s = 0; s < scenario->sweep.n_snr && !status; s++)
        status = replay_snr(out, scenario, &link, slot, scenario->sweep.snr_db[s], &b);
cleanup:
    batches_fini(&b);
    return status;
}
