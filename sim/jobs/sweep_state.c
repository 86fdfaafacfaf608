/* Points of a sweep as text, by one walk over their numbers in both directions. */
#include "sim/jobs/sweep_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/jobs/sweep_parts.h"

/* Writes to out, or else reads from `in` on. */
typedef struct {
    FILE *out;
    const char *in;
    bool fits; /* all has been read as it can have been written */
} walk;

static void walk_word(walk *w, uint64_t *x)
{
    char *end;
    if (w->out) {
        (void)fprintf(w->out, " %" PRIx64, *x);
        return;
    }
    errno = 0;
    *x = strtoull(w->in, &end, 16);
    w->fits = w->fits && !errno && end != w->in;
    w->in = end;
}

static void walk_wide(walk *w, lte_u128 *x)
{
    uint64_t high = (uint64_t)(*x >> 64), low = (uint64_t)*x;
    walk_word(w, &high);
    walk_word(w, &low);
    *x = (lte_u128)high << 64 | low;
}

static void walk_signed_wide(walk *w, lte_i128 *x)
{
    lte_u128 bits = (lte_u128)*x;
    walk_wide(w, &bits);
    *x = (lte_i128)bits;
}

static void walk_signed(walk *w, int64_t *x)
{
    uint64_t bits = (uint64_t)*x;
    walk_word(w, &bits);
    *x = (int64_t)bits;
}

static void walk_int(walk *w, int *x, int most)
{
    uint64_t word = (uint64_t)*x;
    walk_word(w, &word);
    w->fits = w->fits && word <= (uint64_t)most;
    *x = word <= (uint64_t)most ? (int)word : 0;
}

static void walk_seconds(walk *w, double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    walk_word(w, &bits);
    memcpy(x, &bits, sizeof bits);
}

static void walk_row(walk *w, const lte_sweep *sweep, lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    lte_error_count *e = &row->error_count;
    lte_drop *drop = &row->drop;
    int status = (int)row->status;
    walk_int(w, &status, LTE_ROW_INTERRUPTED);
    row->status = (lte_row_status)status;
    walk_word(w, &row->slots);
    walk_seconds(w, &row->seconds);
    walk_word(w, &e->clusters);
    walk_word(w, &e->cluster_bits);
    walk_word(w, &e->errors);
    walk_wide(w, &e->errors2);
    walk_signed_wide(w, &row->signal);
    walk_signed_wide(w, &row->noise);
    walk_int(w, &drop->n_slots, lte_drop_slots(scenario));
    walk_word(w, &drop->errors);
    walk_signed_wide(w, &drop->signal);
    walk_signed_wide(w, &drop->noise);
    for (int i = 0; i < LTE_N_COUNTS(scenario->n_tx); i++) {
        walk_word(w, &row->counts[i]);
        walk_word(w, &drop->counts[i]);
    }
    w->fits = w->fits && row->slots <= scenario->sweep.max_slots;
}

static void walk_pair(walk *w, const lte_sweep *sweep, lte_pair *pair)
{
    walk_word(w, &pair->slots);
    walk_word(w, &pair->clusters);
    walk_signed(w, &pair->sum_d);
    walk_word(w, &pair->sum_abs);
    walk_wide(w, &pair->sum_d2);
    walk_int(w, &pair->drop_slots, lte_drop_slots(sweep->scenario));
    walk_signed(w, &pair->drop_d);
}

static void walk_point(walk *w, lte_sweep *sweep, int s)
{
    const int n = sweep->n_detectors;
    for (int d = 0; d < n; d++)
        walk_row(w, sweep, lte_row_of(sweep, d, s));
    for (int d = 0; d < n - 1; d++)
        walk_pair(w, sweep, &sweep->pairs[(ptrdiff_t)s * (n - 1) + d]);
}

void lte_sweep_put_point(lte_sweep *sweep, int s, FILE *out)
{
    walk w = {.out = out, .fits = true};
    (void)fprintf(out, "%d", s);
    walk_point(&w, sweep, s);
}

lte_status lte_sweep_take_point(lte_sweep *sweep, const char *line)
{
    walk w = {.in = line, .fits = true};
    int s = 0;
    char *end;
    errno = 0;
    const long point = strtol(line, &end, 10);
    if (end != line && !errno && point >= 0 && point < sweep->n_snr) {
        s = (int)point;
        w.in = end;
        walk_point(&w, sweep, s);
    } else {
        w.fits = false;
    }
    if (!w.fits || *w.in)
        return LTE_FAIL(LTE_EINVAL, "a journal's point is not one of this scenario");
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = lte_row_of(sweep, d, s);
        if (row->status == LTE_ROW_TIME || row->status == LTE_ROW_INTERRUPTED)
            row->status = LTE_ROW_RUNNING;
    }
    if (sweep->n_started <= s)
        sweep->n_started = s + 1;
    return LTE_OK;
}

bool lte_sweep_complete(const lte_sweep *sweep)
{
    bool complete = sweep->n_started == sweep->n_snr;
    for (int i = 0; complete && i < sweep->n_detectors * sweep->n_snr; i++) {
        const lte_row_status status = sweep->rows[i].status;
        complete = status == LTE_ROW_ERRORS || status == LTE_ROW_SLOTS;
    }
    return complete;
}
