/* One slot by itself, for each SNR and detector, and what is printed of it. */
#include "sim/report/replay.h"

#include <math.h>
#include <string.h>

#include "phy/detection/plugin.h"
#include "kernels/backends/processor.h"
#include "sim/jobs/deadline/inverses.h"
#include "sim/jobs/sweep/received.h"
#include "sim/report/tables/report.h"
#include "sim/report/tables/terminal.h"
#include "sim/scenario/described_link.h"

/* The slot, and what is made of it; shapes in kernels/link/layouts.h. */
typedef struct {
    lte_received slot;
    lte_pool pool;
    float *x; /* inverses of the loaded Gram matrices */
    uint32_t *decided;
    uint8_t *flag;
    uint32_t *errors; /* [n_counts] */
    float *rho;       /* [n_groups][7][n_tx][LTE_LANES] */
    float *sinr;      /* [7 n_sc] of a layer */
    int width;        /* of the detectors' names */
} batches;

static lte_status batches_init(const lte_link *link, batches *b)
{
    const lte_status status = lte_received_init(link, &b->slot);
    if (status)
        return status;
    b->x = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_GRAM));
    b->decided = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_LABEL));
    b->flag = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_FLAG));
    b->errors = lte_pool_take(&b->pool, (size_t)link->output.n_counts * sizeof *b->errors);
    b->rho = lte_pool_take(&b->pool, lte_layout_bytes(link, LTE_BATCH_LABEL));
    b->sinr =
        lte_pool_take(&b->pool, (size_t)(link->carrier.n_sc * LTE_SLOT_SYMBOLS) * sizeof *b->sinr);
    return lte_pool_check(&b->pool, "the batches of a slot");
}

/*
 * SINR of layer k over the data symbols as the receiver has it, wherever there is one, ascending;
 * returns how many.
 */
static int64_t sinr_of(const lte_link *link, int k, batches *b)
{
    int64_t n = 0;
    for (int sc = 0; sc < link->carrier.n_sc; sc++) {
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const float rho = b->rho[lte_lane_at(LTE_SLOT_SYMBOLS, link->n_tx, sc, symbol, k)];
            if (symbol != link->receiver.pilot && rho > 0.0f)
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

static lte_shown shown_of(FILE *out, int width)
{
    return lte_terminal_shown(out, width, &lte_replay_columns, LTE_N_REPLAY);
}

/* The rows of one detector at one SNR: all layers together, then each. */
static void put_rows(FILE *out, const lte_link *link, lte_detector detector, double snr_db,
                     const lte_power *power, const lte_inverses *seen, batches *b)
{
    static const double shares[3] = {0.01, 0.5, 1.0};
    const lte_shown shown = shown_of(out, b->width);
    const double measured_db = in_db((double)power->signal / (double)power->noise);
    const uint64_t of_layer = (uint64_t)link->carrier.n_sc * (uint64_t)lte_data_symbols(link);
    const uint32_t *errors = b->errors;
    const uint64_t flagged = errors[lte_flagged_at(link->n_tx)];
    uint64_t symbols = (uint64_t)link->n_tx * of_layer, symbol_errors = 0;
    uint64_t bits = symbols * (uint64_t)link->n_bits;
    uint64_t bit_errors = lte_bit_errors(link->n_tx, errors);
    double sinr_db[3] = {(double)NAN, (double)NAN, (double)NAN};
    char layer[16] = "all";
    lte_cell cells[LTE_N_REPLAY];
    for (int k = 0; k < link->n_tx; k++)
        symbol_errors += errors[lte_symbols_at(link->n_tx, k)];
    for (int k = -1; k < link->n_tx; k++) {
        int n = LTE_N_REPLAY; /* columns */
        if (k >= 0) {
            const int64_t n_sinr = sinr_of(link, k, b);
            for (int i = 0; i < 3 && n_sinr > 0; i++)
                sinr_db[i] = in_db(lte_nearest_rank(b->sinr, n_sinr, shares[i]));
            n = n_sinr > 0 ? LTE_REPLAY_CONDITION_P50 : LTE_REPLAY_SINR_P1;
            (void)snprintf(layer, sizeof layer, "%d", k);
            symbols = of_layer;
            bits = symbols * (uint64_t)link->n_bits;
            bit_errors = errors[lte_bits_at(k)];
            symbol_errors = errors[lte_symbols_at(link->n_tx, k)];
        }
        LTE_TAKE(REPLAY)
        lte_terminal_names(out, b->width, lte_detector_named(detector).text, NULL);
        lte_terminal_row(out, shown, &lte_replay_columns, n, cells);
        (void)fputc('\n', out);
    }
}

/* One SNR: what is received, and every detector on it. */
static lte_status replay_snr(FILE *out, const lte_scenario *scenario, const lte_link *link,
                             uint64_t slot, double snr_db, batches *b)
{
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(link->n_tx, pow(10.0, snr_db / 10.0));
    const int n_groups = link->carrier.n_groups;
    lte_power power = {0, 0};
    const lte_noise known = lte_received_at(link, noise, slot, &power, &b->slot);
    const lte_received *const received = &b->slot;
    for (int i = 0; i < scenario->n_detectors; i++) {
        const lte_detector detector = scenario->detectors[i];
        lte_inverses seen;
        const lte_status status = lte_inverses_look(stages, link, noise, detector, slot, 1, &seen);
        if (status)
            return status;
        lte_stages_detect(stages, link, detector, known, lte_groups_of(0, n_groups, received->work),
                          received->known, received->y, &(lte_decided){b->x, b->decided, b->flag});
        stages->sinr(link, detector, known, lte_groups_of(0, n_groups, received->work),
                     received->known, received->y, b->rho);
        memset(b->errors, 0, (size_t)link->output.n_counts * sizeof *b->errors);
        stages->count(link, 0, n_groups, received->sent, b->decided, b->flag, b->errors);
        put_rows(out, link, detector, snr_db, &power, &seen, b);
    }
    return lte_plugin_check();
}

/* All that one receiver sees of the slot. */
static lte_status replay_receiver(FILE *out, const lte_scenario *scenario, int csi, uint64_t slot)
{
    float correlation_factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    lte_link link;
    lte_estimator estimator = {0};
    batches b = {.width = lte_detector_width(scenario)};
    lte_status status = lte_scenario_link(scenario, csi, correlation_factor, &estimator, &link);
    if (!status)
        status = batches_init(&link, &b);
    if (status)
        goto cleanup;
    (void)fprintf(out, "\nslot %llu, csi %s, %d matrices of order %d for each detector",
                  (unsigned long long)slot, lte_csi_rows[csi].name, lte_link_matrices(&link),
                  link.n_tx);
    const lte_tally_cut cut = lte_sweep_cut(scenario, csi);
    const uint32_t silent = cut.silent ? cut.silent[slot % cut.n_stored] : 0;
    if (silent > 0)
        (void)fprintf(out, ", %u silent layers", silent);
    (void)fputc('\n', out);
    lte_terminal_names(out, b.width, "detector", NULL);
    lte_terminal_heads(out, shown_of(out, b.width), &lte_replay_columns, LTE_N_REPLAY);
    lte_received_draw(&link, slot, &b.slot);
    for (int s = 0; s < scenario->sweep.n_snr && !status; s++)
        status = replay_snr(out, scenario, &link, slot, scenario->sweep.snr_db[s], &b);
cleanup:
    lte_received_free(&b.slot);
    lte_pool_free(&b.pool);
    lte_estimator_free(&estimator);
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
