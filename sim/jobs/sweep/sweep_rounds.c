/* Rounds of a sweep as text. */
#include "sim/jobs/sweep/sweep_rounds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/jobs/sweep/counting.h"
#include "sim/jobs/sweep/sweep_parts.h"
#include "sim/files/walk.h"

/* Counts of a round: of its bits at most, or of what these can lose. */
static void walk_counts(lte_walk *w, const lte_sweep *sweep, lte_row *row, uint64_t most)
{
    const lte_counting *counting = lte_counting_of(sweep);
    const lte_tally_cut *cut = &sweep->cut;
    for (int i = 0; i < cut->n_counts; i++) {
        const bool hard = i < LTE_N_HARD_COUNTS(cut->n_tx);
        lte_walk_word(w, &row->counts[i]);
        w->fits =
            w->fits && row->counts[i] / (hard ? counting->most : counting->most_behind) <= most;
    }
    for (int i = cut->n_counts; i < cut->n_sums; i++)
        lte_walk_word(w, &row->counts[i]);
    counting->walk_products(w, row);
}

/*
 * A row of a round of so many slots. Slots, clusters and errors follow from the rest; the powers,
 * which all rows share, are already there.
 */
static void walk_round_row(lte_walk *w, const lte_sweep *sweep, lte_row *row, uint64_t n_slots)
{
    const uint64_t drop = (uint64_t)lte_drop_slots(sweep->scenario);
    const uint64_t bits = n_slots / drop * sweep->drop_bits;
    lte_error_count *e = &row->error_count;
    lte_walk_wide(w, &e->errors2);
    walk_counts(w, sweep, row, bits);
    row->slots = n_slots;
    e->clusters = n_slots / drop;
    e->cluster_bits = sweep->drop_bits;
    e->errors = lte_errors_of_counts(&sweep->cut, row->counts);
    lte_counting_of(sweep)->count(sweep, row);
    lte_walk_groups(w, row->groups, e->errors);
    lte_counting_of(sweep)->walk_lost(w, sweep, row);
    w->fits = w->fits && e->errors <= bits && e->errors2 <= (lte_u128)bits * bits;
}

/* The pair of row b of a round with its first row a. */
static void walk_round_pair(lte_walk *w, bool harq, const lte_row *a, const lte_row *b,
                            lte_pair *pair)
{
    const lte_u128 bits = (lte_u128)a->error_count.clusters * a->error_count.cluster_bits;
    pair->slots = a->slots;
    pair->clusters = a->error_count.clusters;
    lte_difference *d = &pair->d;
    d->sum = (int64_t)a->error_count.errors - (int64_t)b->error_count.errors;
    lte_walk_word(w, &d->sum_abs);
    lte_walk_wide(w, &d->sum2);
    lte_walk_wide(w, &d->sum2_up);
    if (harq)
        lte_walk_paired(w, &pair->count);
    w->fits = w->fits && d->sum_abs <= bits && d->sum2 <= bits * bits && d->sum2_up <= d->sum2;
}

/* A sum of measured powers: far from what a row's could overflow by. */
static void walk_power(lte_walk *w, lte_i128 *x)
{
    const lte_i128 most = (lte_i128)1 << 80;
    lte_walk_signed_wide(w, x);
    w->fits = w->fits && *x > -most && *x < most;
}

/* Its slots, time in ns, powers, and the rows that ran in it with their pairs. */
static void walk_round(lte_walk *w, lte_sweep *sweep, uint64_t n_slots, unsigned ran)
{
    lte_round *round = &sweep->round;
    lte_row *rows = round->rows;
    uint64_t ns = (uint64_t)(round->seconds * 1e9);
    int first = 0;
    while (!(ran >> first & 1))
        first++;
    lte_walk_word(w, &ns);
    w->fits = w->fits && ns < (uint64_t)1 << 60;
    round->seconds = (double)ns / 1e9;
    walk_power(w, &rows[first].signal);
    walk_power(w, &rows[first].noise);
    for (int d = first; d < sweep->n_detectors; d++) {
        if (!(ran >> d & 1))
            continue;
        rows[d].signal = rows[first].signal;
        rows[d].noise = rows[first].noise;
        walk_round_row(w, sweep, &rows[d], n_slots);
        if (d > 0 && ran & 1)
            walk_round_pair(w, sweep->cut.harq, &rows[0], &rows[d], &round->pairs[d - 1]);
    }
}

/* Says so once; whoever asks for the rounds is told by the status alone. */
static void lose_rounds(lte_sweep *sweep)
{
    if (!sweep->rounds_lost)
        (void)LTE_FAIL(LTE_ENOMEM, "no memory for the rounds of a sweep");
    sweep->rounds_lost = true;
}

uint64_t lte_sweep_round_end(const lte_sweep *sweep, uint64_t slot)
{
    const uint64_t round = (uint64_t)sweep->scenario->sweep.round_slots;
    const uint64_t end = (slot / round + 1) * round;
    return end < sweep->end ? end : sweep->end;
}

void lte_sweep_forget_round(lte_sweep *sweep)
{
    lte_round *round = &sweep->round;
    const size_t n_counts = (size_t)sweep->cut.n_sums;
    for (int d = 0; d < sweep->n_detectors; d++) {
        uint64_t *counts = round->rows[d].counts;
        memset(counts, 0, n_counts * sizeof *counts);
        round->rows[d] = (lte_row){.counts = counts};
        round->pairs[d] = (lte_pair){0};
    }
    round->seconds = 0.0;
}

void lte_sweep_keep_round(lte_sweep *sweep, int s, uint64_t from)
{
    uint64_t ran = 0;
    for (int d = 0; d < sweep->n_detectors; d++)
        ran |= (uint64_t)(sweep->round.rows[d].slots > 0) << d;
    assert(ran > 0);
    if (!sweep->rounds)
        sweep->rounds = open_memstream(&sweep->round_text, &sweep->round_bytes);
    if (!sweep->rounds) {
        lose_rounds(sweep);
        return;
    }
    lte_walk w = {.out = sweep->rounds, .fits = true};
    (void)fprintf(w.out, "%s %d", lte_csi_rows[sweep->csi].name, s);
    lte_walk_word(&w, &from);
    lte_walk_word(&w, &ran);
    walk_round(&w, sweep, lte_sweep_round_end(sweep, from) - from, (unsigned)ran);
    (void)fputc('\n', w.out);
}

lte_status lte_sweep_put_rounds(lte_sweep *sweep, lte_status (*put)(const char *line, void *user),
                                void *user)
{
    FILE *rounds = sweep->rounds;
    const bool failed = rounds && ferror(rounds) != 0;
    sweep->rounds = NULL;
    if (rounds &&
        (fclose(rounds) != 0 || failed || !sweep->round_text)) /* fclose alone is silent */
        lose_rounds(sweep);
    lte_status status = sweep->rounds_lost ? LTE_ENOMEM : LTE_OK;
    for (char *line = sweep->round_text; rounds && !status && *line;) {
        char *end = strchr(line, '\n');
        *end = '\0';
        status = put(line, user);
        line = end + 1;
    }
    free(sweep->round_text);
    sweep->round_text = NULL;
    return status;
}

lte_status lte_sweep_read_round(lte_sweep *sweep, const char *line, int *point, uint64_t *slot)
{
    const uint64_t all = (1u << sweep->n_detectors) - 1;
    lte_walk w = {.in = line};
    uint64_t from = 0, ran = 0;
    const int s = lte_walk_place(&w, sweep->n_snr);
    if (s >= 0) {
        lte_walk_word(&w, &from);
        lte_walk_word(&w, &ran);
        w.fits = w.fits && from % (uint64_t)sweep->scenario->sweep.round_slots == 0 &&
                 from >= sweep->first && from < sweep->end && ran > 0 && ran <= all;
    }
    if (w.fits)
        walk_round(&w, sweep, lte_sweep_round_end(sweep, from) - from, (unsigned)ran);
    if (!w.fits || *w.in) {
        lte_sweep_forget_round(sweep);
        return LTE_FAIL(LTE_EINVAL,
                        "the journal has a round that does not belong to this scenario");
    }
    *point = s;
    *slot = from;
    return LTE_OK;
}

double lte_sweep_round_bytes(const lte_sweep *sweep)
{
    enum { HEAD = 72, WIDE = 34 }; /* of names, places, time and checksum; of two words */
    const double bits = (double)sweep->scenario->sweep.round_slots * lte_sweep_slot_bits(sweep);
    const double word = 1.0 + ceil(log2(bits + 1.0) / 4.0); /* a count with its space */
    const lte_counting *counting = lte_counting_of(sweep);
    const double n_words = sweep->cut.n_sums + counting->n_group_sets * LTE_N_GROUPS;
    const double row = WIDE + word * n_words + counting->n_products * WIDE;
    return HEAD + 2 * WIDE + sweep->n_detectors * (row + word + 2 * WIDE);
}
