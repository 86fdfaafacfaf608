/*
 * The running of a sweep: pieces of slots for the backend, their counts merged in slot order, rows
 * judged round by round. What comes out does not depend on how slots are cut into pieces.
 */
#include "sim/jobs/sweep.h"

#include <math.h>

#include "phy/limits.h"
#include "sim/stop.h"

/* Slots first .. first + n_slots - 1 of SNR point s, for the detectors that ran when it was planned
 */
typedef struct {
    int s;
    uint64_t first;
    int n_slots; /* 0: no work */
    int n;       /* detectors */
    int place[LTE_N_DETECTORS], detector[LTE_N_DETECTORS];
    lte_power *power;   /* [most] */
    lte_errors *errors; /* [most][n] */
} piece;

typedef struct {
    lte_sweep *sweep;
    const lte_backend *backend;
    lte_engine *engine;
    int fewest, most; /* slots of a piece */
    double start;     /* of the sweep */
    double mark;      /* up to here wall time has been given to rows */
} context;

static lte_row *row_of(lte_sweep *sweep, int d, int s)
{
    return &sweep->rows[(ptrdiff_t)d * sweep->n_snr + s];
}

static bool is_running(const lte_sweep *sweep, int s)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        if (lte_sweep_row(sweep, d, s)->status == LTE_ROW_RUNNING)
            return true;
    }
    return false;
}

static void end_running(lte_sweep *sweep, int s, lte_row_status status)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        if (row_of(sweep, d, s)->status == LTE_ROW_RUNNING)
            row_of(sweep, d, s)->status = status;
    }
}

/* ---- merging ---- */

/* Counts the drop at hand, of whose slots each has so many bits. */
static void end_drop(lte_row *row, uint64_t bits)
{
    const lte_drop *drop = &row->drop;
    for (int k = 0; k < LTE_MAX_TX; k++) {
        row->bit_errors[k] += drop->bit_errors[k];
        row->symbol_errors[k] += drop->symbol_errors[k];
    }
    row->flagged += drop->flagged;
    row->signal += drop->signal;
    row->noise += drop->noise;
    row->slots += (uint64_t)drop->n_slots;
    lte_error_count_add(&row->error_count, (uint64_t)drop->n_slots * bits, drop->errors);
    row->drop = (lte_drop){0};
}

/* Adds the counts of one slot to a row's drop; returns its bit errors. */
static uint64_t add_slot(lte_row *row, const lte_sweep *sweep, const lte_errors *errors,
                         const lte_power *power)
{
    const lte_scenario *scenario = sweep->scenario;
    lte_drop *drop = &row->drop;
    uint64_t sum = 0;
    for (int k = 0; k < scenario->n_tx; k++) {
        drop->bit_errors[k] += errors->bit_errors[k];
        drop->symbol_errors[k] += errors->symbol_errors[k];
        sum += errors->bit_errors[k];
    }
    drop->errors += sum;
    drop->flagged += errors->flagged;
    drop->signal += power->signal;
    drop->noise += power->noise;
    if (++drop->n_slots == lte_drop_slots(scenario))
        end_drop(row, sweep->slot_bits);
    return sum;
}

/* Adds a slot's difference of errors. */
static void add_difference(lte_pair *pair, const lte_scenario *scenario, int64_t d)
{
    pair->drop_d += d;
    if (++pair->drop_slots < lte_drop_slots(scenario))
        return;
    pair->clusters++;
    pair->slots += (uint64_t)pair->drop_slots;
    pair->sum_d += pair->drop_d;
    pair->sum_d2 += (lte_u128)((lte_i128)pair->drop_d * pair->drop_d);
    pair->drop_slots = 0;
    pair->drop_d = 0;
}

/* Merges slots i0 .. i1 - 1 of a piece, in their order, into the rows that run. */
static void merge_slots(lte_sweep *sweep, const piece *p, int i0, int i1)
{
    int column[LTE_N_DETECTORS], n = 0;
    for (int k = 0; k < p->n; k++) {
        if (row_of(sweep, p->place[k], p->s)->status == LTE_ROW_RUNNING)
            column[n++] = k;
    }
    const bool paired = n > 1 && p->place[column[0]] == 0;
    for (int i = i0; i < i1; i++) {
        uint64_t sum[LTE_N_DETECTORS];
        for (int k = 0; k < n; k++)
            sum[k] = add_slot(row_of(sweep, p->place[column[k]], p->s), sweep,
                              &p->errors[(ptrdiff_t)i * p->n + column[k]], &p->power[i]);
        for (int k = 1; k < n && paired; k++) {
            const int other = p->place[column[k]] - 1;
            lte_pair *pair = &sweep->pairs[(ptrdiff_t)p->s * (sweep->n_detectors - 1) + other];
            add_difference(pair, sweep->scenario, (int64_t)sum[0] - (int64_t)sum[k]);
        }
    }
}

/* Ends the running rows of a point whose round is complete and whose goal is reached. */
static void judge(lte_sweep *sweep, int s)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = row_of(sweep, d, s);
        const uint64_t slots = row->slots;
        if (row->status != LTE_ROW_RUNNING)
            continue;
        if (row->error_count.errors >= rule->min_bit_errors && slots >= rule->min_slots)
            row->status = LTE_ROW_ERRORS;
        else if (slots >= rule->max_slots)
            row->status = LTE_ROW_SLOTS;
    }
}

/* Where the round that slot belongs to ends. */
static uint64_t round_end(const lte_scenario_sweep *rule, uint64_t slot)
{
    const uint64_t round = (uint64_t)rule->round_slots;
    const uint64_t end = (slot / round + 1) * round;
    return end < rule->max_slots ? end : rule->max_slots;
}

/* Merges a piece round by round; what lies beyond the end of a row is not counted. */
static void merge(lte_sweep *sweep, const piece *p)
{
    const uint64_t end = p->first + (uint64_t)p->n_slots;
    for (uint64_t slot = p->first; slot < end && is_running(sweep, p->s);) {
        const uint64_t limit = round_end(&sweep->scenario->sweep, slot);
        const uint64_t stop = limit < end ? limit : end;
        merge_slots(sweep, p, (int)(slot - p->first), (int)(stop - p->first));
        if (stop == limit)
            judge(sweep, p->s);
        slot = stop;
    }
}

/* Gives the wall time since the last mark to the detectors of a piece. */
static void charge(context *c, const piece *p)
{
    const double now = lte_seconds();
    for (int k = 0; k < p->n; k++)
        row_of(c->sweep, p->place[k], p->s)->seconds += (now - c->mark) / p->n;
    c->mark = now;
}

/* ---- planning ---- */

/*
 * Slots after which the running rows of a point should have ended, from the error rate seen so far
 * or else the closed form; rather too many than too few.
 */
static uint64_t expected_end(const lte_sweep *sweep, int s)
{
    double slots = 0.0;
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        const double errors = (double)row->error_count.errors;
        double ber = row->theory.known ? row->theory.ber / 1.1 : 0.0;
        if (row->status != LTE_ROW_RUNNING)
            continue;
        if (errors > 0.0) /* two standard errors, were bits to fail one by one */
            ber = errors / (double)lte_row_bits(row) / (1.0 + 2.0 / sqrt(errors));
        const double need = lte_expected_slots(sweep, ber);
        slots = need > slots ? need : slots;
    }
    return (uint64_t)slots;
}

/* Slots of a piece at first: whole rounds, of a backend that works ahead as many as promise to be
 * of use. */
static int piece_slots(const context *c, int s, uint64_t first, int before)
{
    const lte_scenario_sweep *rule = &c->sweep->scenario->sweep;
    const uint64_t round = (uint64_t)rule->round_slots, most = (uint64_t)c->most;
    const uint64_t end = expected_end(c->sweep, s);
    if (!c->backend->sweep->ahead || most < round) {
        const uint64_t left = round_end(rule, first) - first;
        return (int)(left < most ? left : most);
    }
    uint64_t n = 2 * (uint64_t)before;
    if (first + n > end)
        n = end > first ? end - first : 0;
    if (n < (uint64_t)c->fewest)
        n = (uint64_t)c->fewest;
    n = (n + round - 1) / round * round;
    if (n > most)
        n = most / round * round;
    if (n > rule->max_slots - first)
        n = rule->max_slots - first;
    return (int)n;
}

/* The piece of point s at slot first, after one of `before` slots (0: the point's first). */
static void plan(const context *c, int s, uint64_t first, int before, piece *p)
{
    p->s = s;
    p->first = first;
    p->n_slots = 0;
    p->n = 0;
    if (s >= c->sweep->n_snr)
        return;
    for (int d = 0; d < c->sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(c->sweep, d, s);
        if (row->status == LTE_ROW_RUNNING) {
            p->place[p->n] = d;
            p->detector[p->n++] = row->detector;
        }
    }
    p->n_slots = piece_slots(c, s, first, before);
}

/* What will probably be wanted after a piece whose counts are not merged yet. */
static void plan_ahead(const context *c, const piece *now, piece *next)
{
    const uint64_t end = now->first + (uint64_t)now->n_slots;
    if (end >= expected_end(c->sweep, now->s))
        plan(c, now->s + 1, 0, 0, next);
    else
        plan(c, now->s, end, now->n_slots, next);
}

/* What is wanted after a piece that has been merged. */
static void plan_after(const context *c, const piece *now, piece *next)
{
    const uint64_t end = now->first + (uint64_t)now->n_slots;
    if (is_running(c->sweep, now->s))
        plan(c, now->s, end, now->n_slots, next);
    else
        plan(c, now->s + 1, 0, 0, next);
}

/* True if a piece that was started ahead is of use after all. */
static bool was_right(const context *c, const piece *now, const piece *next)
{
    const bool runs = is_running(c->sweep, now->s);
    return next->s == (runs ? now->s : now->s + 1);
}

/* ---- running ---- */

static lte_status start(const context *c, const piece *p)
{
    const lte_scenario *scenario = c->sweep->scenario;
    if (p->n_slots == 0)
        return LTE_OK;
    const double snr = pow(10.0, scenario->sweep.snr_db[p->s] / 10.0);
    return c->backend->sweep->start(c->engine, lte_noise_of(scenario->n_tx, snr), p->detector, p->n,
                                    p->first, p->n_slots, p->power, p->errors);
}

static lte_status wait(const context *c, const piece *p)
{
    return p->n_slots == 0 ? LTE_OK : c->backend->sweep->wait(c->engine);
}

static bool time_is_up(const context *c)
{
    const double max_seconds = c->sweep->scenario->sweep.max_seconds;
    return max_seconds > 0.0 && lte_seconds() - c->start + c->sweep->spent_s >= max_seconds;
}

/* True if the sweep is to end here; its running rows have ended then. */
static bool ends_here(const context *c, int s)
{
    if (lte_stop_signal)
        end_running(c->sweep, s, LTE_ROW_INTERRUPTED);
    else if (time_is_up(c))
        end_running(c->sweep, s, LTE_ROW_TIME);
    else
        return false;
    return true;
}

/*
 * Piece after piece. A backend that works ahead has its next piece before the last one is merged;
 * if that piece turns out to be of no use, it is waited for and forgotten.
 */
static lte_status run_pieces(context *c, piece *buffer, lte_sweep_watch *watch, void *user)
{
    const bool ahead = c->backend->sweep->ahead;
    lte_sweep *sweep = c->sweep;
    piece *now = &buffer[0], *next = &buffer[1];
    plan(c, 0, 0, 0, now);
    lte_status status = start(c, now);
    while (now->n_slots > 0) {
        bool stop = false;
        sweep->n_started = now->s + 1;
        if (!status)
            status = wait(c, now);
        if (status) {
            end_running(sweep, now->s, LTE_ROW_INTERRUPTED);
            return status;
        }
        if (ahead) {
            plan_ahead(c, now, next);
            status = start(c, next);
        }
        merge(sweep, now);
        charge(c, now);
        if (status)
            end_running(sweep, now->s, LTE_ROW_INTERRUPTED);
        else
            stop = ends_here(c, now->s);
        if (watch) {
            watch(sweep, now->s, !is_running(sweep, now->s), user);
            c->mark = lte_seconds();
        }
        if (status)
            return status;
        if (stop)
            return ahead ? wait(c, next) : LTE_OK;
        if (!ahead || !was_right(c, now, next)) {
            if (ahead)
                status = wait(c, next);
            plan_after(c, now, next);
            if (!status)
                status = start(c, next);
        }
        piece *merged = now;
        now = next;
        next = merged;
    }
    return status;
}

lte_status lte_sweep_run(lte_sweep *sweep, const lte_backend *backend, lte_engine *engine,
                         lte_sweep_watch *watch, void *user)
{
    context c = {.sweep = sweep, .backend = backend, .engine = engine};
    piece buffer[2] = {{0}};
    lte_status status = LTE_OK;
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    const uint64_t round = (uint64_t)rule->round_slots;
    const uint64_t all = (rule->max_slots + round - 1) / round * round;
    backend->sweep->sizes(engine, &c.fewest, &c.most);
    if ((uint64_t)c.most > all) /* no piece is longer than all rounds of a point */
        c.most = (int)all;
    const size_t slots = (size_t)c.most, errors = slots * (size_t)sweep->n_detectors;
    for (int i = 0; i < 2 && !status; i++) {
        void *memory = NULL;
        status = backend->host_alloc(engine, slots * sizeof(lte_power), &memory);
        buffer[i].power = memory;
        if (status)
            break;
        memory = NULL;
        status = backend->host_alloc(engine, errors * sizeof(lte_errors), &memory);
        buffer[i].errors = memory;
    }
    c.start = c.mark = lte_seconds();
    if (!status && !(sweep->spent_s > 0.0 && time_is_up(&c)))
        status = run_pieces(&c, buffer, watch, user);
    for (int i = 0; i < 2; i++) {
        backend->host_free(engine, buffer[i].power);
        backend->host_free(engine, buffer[i].errors);
    }
    return status;
}
