/* channel.csv and channel_grid.csv. */
#include "sim/report/results/results_channel.h"

#include <math.h>
#include <stdlib.h>

#include "phy/base/carrier.h"
#include "sim/files/files.h"
#include "sim/report/results/results.h"

lte_status lte_results_channel(const char *dir, const lte_channel_validation *proof)
{
    lte_file file;
    lte_status status = lte_file_open(&file, dir, lte_channel_columns.file);
    if (status)
        return status;
    lte_csv_head(file.stream, &lte_channel_columns, LTE_N_CHANNEL);
    for (int i = 0; i < proof->n_lines; i++) {
        const lte_validation_line *line = &proof->lines[i];
        lte_cell cells[LTE_N_CHANNEL];
        LTE_TAKE(CHANNEL)
        lte_csv_row(file.stream, &lte_channel_columns, LTE_N_CHANNEL, cells);
    }
    return lte_file_close(&file);
}

lte_status lte_results_channel_grid(const char *dir, const lte_link *link, lte_channel_fn *channel)
{
    enum { MOST_TIMES = 56, MOST_SC = 100, WIDEST = 300, LEAST_SLOTS = 16 };
    const size_t matrix = (size_t)(link->n_rx * link->n_tx) * 2 * LTE_LANES;
    const int two_drops = 2 * (int)link->doppler.drop_slots;
    const int n_slots = two_drops > LEAST_SLOTS ? two_drops : LEAST_SLOTS;
    const int step = (n_slots * LTE_SLOT_SYMBOLS + MOST_TIMES - 1) / MOST_TIMES;
    const int n_sc = link->n_sc < WIDEST ? link->n_sc : WIDEST;
    const int n_groups = (n_sc + LTE_LANES - 1) / LTE_LANES;
    int drawn = -1;
    lte_file file;
    float *h = malloc((size_t)(n_groups * link->n_h) * matrix * sizeof *h);
    void *work = lte_stage_work_alloc(link);
    lte_status status = LTE_OK;
    if (!h || !work) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for channel_grid.csv");
        goto cleanup;
    }
    status = lte_file_open(&file, dir, lte_channel_grid_columns.file);
    if (status)
        goto cleanup;
    lte_csv_head(file.stream, &lte_channel_grid_columns, LTE_N_CHANNEL_GRID);
    for (int t = 0; t < n_slots * LTE_SLOT_SYMBOLS; t += step) {
        const int slot = t / LTE_SLOT_SYMBOLS, symbol = t % LTE_SLOT_SYMBOLS;
        if (slot != drawn)
            channel(link, (uint64_t)slot, 0, n_groups, h, work);
        drawn = slot;
        for (int sc = 0; sc < n_sc; sc += (n_sc + MOST_SC - 1) / MOST_SC) {
            const int n = link->n_rx * link->n_tx, i = link->n_h > 1 ? symbol : 0;
            const float *p = &h[lte_batch_at(link->n_h, n, sc, i, 0)];
            const double re = (double)p[0], im = (double)p[LTE_LANES];
            lte_cell cells[LTE_N_CHANNEL_GRID];
            LTE_TAKE(CHANNEL_GRID)
            lte_csv_row(file.stream, &lte_channel_grid_columns, LTE_N_CHANNEL_GRID, cells);
        }
    }
    status = lte_file_close(&file);
cleanup:
    free(h);
    free(work);
    return status;
}
