/* Points of a sweep as text. */
#include "sim/jobs/sweep/sweep_state.h"

#include <math.h>

#include "sim/jobs/sweep/counting.h"
#include "sim/jobs/sweep/search.h"
#include "sim/jobs/sweep/sweep_parts.h"
#include "sim/files/walk.h"

static void walk_row(lte_walk *w, const lte_sweep *sweep, lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    lte_error_count *e = &row->error_count;
    lte_drop *drop = &row->drop;
    int status = (int)row->status;
    lte_walk_int(w, &status, LTE_N_ROW_STATUS - 1);
    row->status = (lte_row_status)status;
    lte_walk_word(w, &row->slots);
    lte_walk_seconds(w, &row->seconds);
    lte_walk_word(w, &e->clusters);
    lte_walk_word(w, &e->cluster_bits);
    lte_walk_word(w, &e->errors);
    lte_walk_wide(w, &e->errors2);
    lte_walk_signed_wide(w, &row->signal);
    lte_walk_signed_wide(w, &row->noise);
    lte_walk_int(w, &drop->n_slots, lte_drop_slots(scenario));
    lte_walk_word(w, &drop->errors);
    lte_walk_signed_wide(w, &drop->signal);
    lte_walk_signed_wide(w, &drop->noise);
    lte_counting_of(sweep)->walk_products(w, row);
    for (int i = 0; i < sweep->cut.n_sums; i++) {
        lte_walk_word(w, &row->counts[i]);
        lte_walk_word(w, &drop->counts[i]);
    }
    lte_counting_of(sweep)->count(sweep, row);
    lte_walk_groups(w, row->groups, e->errors);
    lte_counting_of(sweep)->walk_lost(w, sweep, row);
    w->fits = w->fits && row->slots <= sweep->end - sweep->first;
}

static void walk_pair(lte_walk *w, const lte_sweep *sweep, lte_pair *pair)
{
    lte_walk_word(w, &pair->slots);
    lte_walk_word(w, &pair->clusters);
    lte_walk_signed(w, &pair->d.sum);
    lte_walk_word(w, &pair->d.sum_abs);
    lte_walk_wide(w, &pair->d.sum2);
    lte_walk_wide(w, &pair->d.sum2_up);
    w->fits = w->fits && pair->d.sum2_up <= pair->d.sum2;
    if (sweep->cut.harq)
        lte_walk_paired(w, &pair->count);
    lte_walk_int(w, &pair->drop_slots, lte_drop_slots(sweep->scenario));
    lte_walk_signed(w, &pair->drop_d);
}

/* What a search asked for: the SNR in units of 1e-6 dB, and the slots. */
static void walk_question(lte_walk *w, lte_sweep *sweep, int s)
{
    const lte_row *row = lte_sweep_row(sweep, 0, s);
    enum { MOST_SNR = 61000000 };
    int64_t snr = llround(row->snr_db * 1e6);
    uint64_t goal = row->goal;
    lte_walk_signed(w, &snr);
    lte_walk_word(w, &goal);
    w->fits = w->fits && s <= sweep->n_points && snr >= -MOST_SNR && snr <= MOST_SNR && goal > 0 &&
              goal <= sweep->end;
    if (w->fits && s == sweep->n_points)
        w->fits = lte_sweep_add_point(sweep, (double)snr / 1e6, goal) == LTE_OK;
}

static void walk_point(lte_walk *w, lte_sweep *sweep, int s)
{
    const int n = sweep->n_detectors;
    if (lte_sweep_is_search(sweep))
        walk_question(w, sweep, s);
    for (int d = 0; d < n; d++)
        walk_row(w, sweep, lte_row_of(sweep, d, s));
    for (int d = 0; d < n - 1; d++)
        walk_pair(w, sweep, lte_pair_of(sweep, d + 1, s));
}

void lte_sweep_put_point(lte_sweep *sweep, int s, FILE *out)
{
    lte_walk w = {.out = out, .fits = true};
    (void)fprintf(out, "%d", s);
    walk_point(&w, sweep, s);
}

lte_status lte_sweep_take_point(lte_sweep *sweep, const char *line)
{
    lte_walk w = {.in = line};
    const int s = lte_walk_place(&w, sweep->n_snr);
    if (s >= 0)
        walk_point(&w, sweep, s);
    if (!w.fits || *w.in)
        return LTE_FAIL(LTE_EINVAL,
                        "the journal has an SNR point that does not belong to this scenario");
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = lte_row_of(sweep, d, s);
        if (row->status == LTE_ROW_TIME || row->status == LTE_ROW_INTERRUPTED)
            row->status = LTE_ROW_RUNNING;
    }
    lte_sweep_start(sweep, s);
    return LTE_OK;
}

bool lte_sweep_complete(const lte_sweep *sweep)
{
    const lte_row *row;
    bool complete = sweep->n_started == sweep->n_points && sweep->n_points > 0 &&
                    (!lte_sweep_is_search(sweep) || lte_search_is_over(sweep));
    for (int i = 0; complete && (row = lte_sweep_started(sweep, i)); i++)
        complete = row->status != LTE_ROW_RUNNING && row->status != LTE_ROW_TIME &&
                   row->status != LTE_ROW_INTERRUPTED;
    return complete;
}
