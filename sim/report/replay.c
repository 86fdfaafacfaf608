/* One slot by itself, for each SNR and detector, and what is printed of it. */
#include "sim/report/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/processor.h"
#include "kernels/slot_memory.h"
#include "sim/jobs/inverses.h"
#include "sim/report/report.h"
#include "sim/scenario/link.h"

/* A slot's batches, shapes in kernels/layouts.h. */
typedef struct {
    float *h, *y;
    float *x;                      /* inverses of the loaded Gram matrices */
    lte_cf32 *y_planes, *estimate; /* of a receiver that makes one */
    float *turned;                 /* that estimate */
    const float *known;            /* H to the receiver: h or turned */
    uint32_t *sent, *decided;
    uint8_t *flag;
    uint32_t *errors; /* [LTE_N_COUNTS(n_tx)] */
    float *rho;       /* [n_groups][7][n_tx][LTE_LANES] */
    float *sinr;      /* [7 n_sc] of a layer */
    void *work;       /* of stages */
} batches;

static lte_status batches_init(const lte_link *link, batches *b)
{
    b->h = malloc(lte_layout_bytes(link, LTE_BATCH_H));
    b->y = malloc(lte_layout_bytes(link, LTE_BATCH_Y));
    b->x = malloc(lte_layout_bytes(link, LTE_BATCH_GRAM));
    b->y_planes = malloc(lte_layout_bytes(link, LTE_PLANES_Y));
    b->estimate = malloc(lte_layout_bytes(link, LTE_PLANES_CSI));
    b->turned = malloc(lte_layout_bytes(link, LTE_BATCH_CSI));
    b->sent = malloc(lte_layout_bytes(link, LTE_BATCH_LABEL));
    b->decided = malloc(lte_layout_bytes(link, LTE_BATCH_LABEL));
    b->flag = malloc(lte_layout_bytes(link, LTE_BATCH_FLAG));
    b->errors = malloc((size_t)LTE_N_COUNTS(link->n_tx) * sizeof *b->errors);
    b->rho = malloc(lte_layout_bytes(link, LTE_BATCH_LABEL));
    b->sinr = malloc((size_t)(link->n_sc * LTE_SLOT_SYMBOLS) * sizeof *b->sinr);
    b->work = lte_stage_work_alloc(link);
    if (!b->h || !b->y || !b->x || !b->y_planes || !b->estimate || !b->turned || !b->sent ||
        !b->decided || !b->flag || !b->errors || !b->rho || !b->sinr || !b->work)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the batches of a slot");
    return LTE_OK;
}

static void batches_fini(batches *b)
{
    free(b->h);
    free(b->y);
    free(b->x);
    free(b->y_planes);
    free(b->estimate);
    free(b->turned);
    free(b->sent);
    free(b->decided);
    free(b->flag);
    free(b->errors);
    free(b->rho);
    free(b->sinr);
    free(b->work);
}

/*
 * SINR of layer k over the data symbols as the receiver has it, wherever there is one, ascending;
 * returns how many.
 */
static int64_t sinr_of(const lte_link *link, int k, batches *b)
{
    int64_t n = 0;
    for (int sc = 0; sc < link->n_sc; sc++) {
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const float rho = b->rho[lte_lane_at(LTE_SLOT_SYMBOLS, link->n_tx, sc, symbol, k)];
            if (symbol != link->pilot && rho > 0.0f)
                b->sinr[n++] = rho;
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
                  lte_detector_named(detector).text, snr_db,
                  in_db((double)power->signal / (double)power->noise), layer,
                  (unsigned long long)bits, (unsigned long long)bit_errors,
                  (unsigned long long)symbols, (unsigned long long)symbol_errors);
}

/* The rows of one detector at one SNR: all layers together, then each. */
static void put_rows(FILE *out, const lte_link *link, int detector, double snr_db,
                     const lte_power *power, const lte_inverses *seen, batches *b)
{
    const uint64_t symbols = (uint64_t)link->n_sc * (uint64_t)lte_data_symbols(link);
    const uint64_t bits = symbols * (uint64_t)link->n_bits, n_tx = (uint64_t)link->n_tx;
    const uint32_t *errors = b->errors;
    uint64_t symbol_errors = 0;
    for (int k = 0; k < link->n_tx; k++)
        symbol_errors += errors[lte_symbols_at(link->n_tx, k)];
    put_counts(out, detector, snr_db, power, "all", n_tx * bits, lte_bit_errors(link->n_tx, errors),
               n_tx * symbols, symbol_errors);
    const lte_quantiles *condition = &seen->condition; /* none: the detector inverts nothing */
    (void)fprintf(out, " %8s %8s %8s", "", "", "");
    if (isfinite(condition->max))
        (void)fprintf(out, " %9.3g %9.3g %9.3g", condition->p50, condition->p99, condition->max);
    else
        (void)fprintf(out, " %9s %9s %9s", "", "", "");
    (void)fprintf(out, " %8lu\n", (unsigned long)errors[lte_flagged_at(link->n_tx)]);
    for (int k = 0; k < link->n_tx; k++) {
        char layer[16];
        (void)snprintf(layer, sizeof layer, "%d", k);
        put_counts(out, detector, snr_db, power, layer, bits, errors[lte_bits_at(k)], symbols,
                   errors[lte_symbols_at(link->n_tx, k)]);
        const int64_t n = sinr_of(link, k, b);
        if (n > 0)
            (void)fprintf(out, " %8.2f %8.2f %8.2f", in_db(lte_nearest_rank(b->sinr, n, 0.01)),
                          in_db(lte_nearest_rank(b->sinr, n, 0.5)),
                          in_db(lte_nearest_rank(b->sinr, n, 1.0)));
        (void)fputc('\n', out);
    }
}

/* What the receiver goes by: b->known, and the noise. */
static lte_noise make_known(const lte_link *link, lte_noise noise, batches *b)
{
    const lte_stages *stages = lte_stages_best();
    const int n_sc = link->n_sc;
    if (!lte_link_estimates(link)) {
        b->known = b->h;
        return noise;
    }
    (void)lte_layout_copy(link, LTE_BATCH_Y, b->y, LTE_PLANES_Y, b->y_planes);
    const lte_noise known =
        lte_stages_estimate(stages, link, noise, &b->y_planes[LTE_PILOT_SYMBOL * n_sc],
                            (ptrdiff_t)LTE_SLOT_SYMBOLS * n_sc, b->estimate, b->work);
    stages->corner_turn(link, 0, link->n_groups, b->estimate, b->y_planes, b->turned, b->y);
    b->known = b->turned;
    return known;
}

/* One SNR: what is received, and every detector on it. */
static lte_status replay_snr(FILE *out, const lte_scenario *scenario, const lte_link *link,
                             uint64_t slot, double snr_db, batches *b)
{
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, pow(10.0, snr_db / 10.0));
    const int n_groups = link->n_groups;
    lte_power power = {0, 0};
    stages->receive(link, slot, noise, 0, n_groups, b->h, b->sent, b->y, &power, b->work);
    const lte_noise known = make_known(link, noise, b);
    for (int i = 0; i < scenario->n_detectors; i++) {
        const int detector = scenario->detectors[i];
        lte_inverses seen;
        const lte_status status = lte_inverses_look(stages, link, noise, detector, slot, 1, &seen);
        if (status)
            return status;
        lte_stages_detect(stages, link, detector, known, 0, n_groups, b->known, b->y, b->x, b->flag,
                          b->decided, b->work);
        stages->sinr(link, detector, known, 0, n_groups, b->known, b->y, b->rho, b->work);
        memset(b->errors, 0, (size_t)LTE_N_COUNTS(link->n_tx) * sizeof *b->errors);
        stages->count(link, 0, n_groups, b->sent, b->decided, b->flag, b->errors);
        put_rows(out, link, detector, snr_db, &power, &seen, b);
    }
    return LTE_OK;
}

/* All that one receiver sees of the slot. */
static lte_status replay_receiver(FILE *out, const lte_scenario *scenario, int csi, uint64_t slot)
{
    float correlation_factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    lte_link link;
    lte_pilots pilots = {0};
    batches b = {0};
    lte_status status = lte_scenario_link(scenario, csi, correlation_factor, &pilots, &link);
    if (!status)
        status = batches_init(&link, &b);
    if (status)
        goto cleanup;
    (void)fprintf(out,
                  "\nslot %llu, csi %s, %d matrices of order %d a detector\n"
                  "%-9s %7s %7s %5s %8s %8s %8s %8s %8s %8s %8s %9s %9s %9s %8s\n",
                  (unsigned long long)slot, lte_csi_rows[csi].name, link.n_sc * link.n_csi,
                  link.n_tx, "detector", "SNR dB", "meas.", "layer", "bits", "bit err", "symbols",
                  "sym err", "SINR p1", "p50 dB", "max dB", "cond. p50", "p99", "max", "flagged");
    lte_stages_best()->source(&link, slot, 0, link.n_groups, b.sent, b.work);
    lte_stages_best()->channel(&link, slot, 0, link.n_groups, b.h, b.work);
    for (int s = 0; s < scenario->sweep.n_snr && !status; s++)
        status = replay_snr(out, scenario, &link, slot, scenario->sweep.snr_db[s], &b);
cleanup:
    batches_fini(&b);
    lte_pilots_free(&pilots);
    return status;
}

lte_status lte_replay(FILE *out, const lte_scenario *scenario, uint64_t slot)
{
    lte_run_info info = {.scenario = scenario, .backend = lte_stages_best()->name, .threads = 1};
    lte_status status = LTE_OK;
    lte_processor_name(info.device.name, sizeof info.device.name);
    lte_report_header(out, &info);
    for (int i = 0; i < scenario->n_csi && !status; i++)
        status = replay_receiver(out, scenario, scenario->csi[i], slot);
    return status;
}
