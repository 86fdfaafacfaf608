/*
 * Sweeps that are parts: their rounds, from whatever chunks, make the sweep of all slots, and what
 * is missing of them is counted later to the same end.
 */
#include "tests/lib/sweeps.h"

#include <limits.h>

#include "sim/jobs/sweep/sweep_rounds.h"

static const double snr_db[] = {0.0, 6.0, 12.0};
enum { N_SNR = sizeof snr_db / sizeof *snr_db, MOST_PARTS = 4 };

/* Lines of rounds, without the name of their csi. */
typedef struct {
    char **line;
    int n;
    size_t longest;
} lines;

static lte_status keep_line(const char *line, void *user)
{
    lines *l = user;
    l->longest = strlen(line) > l->longest ? strlen(line) : l->longest;
    l->line = realloc(l->line, (size_t)(l->n + 1) * sizeof *l->line);
    assert_non_null(l->line);
    l->line[l->n] = strdup(strchr(line, ' ') + 1);
    assert_non_null(l->line[l->n++]);
    return LTE_OK;
}

static void forget(lines *l)
{
    for (int i = 0; i < l->n; i++)
        free(l->line[i]);
    free(l->line);
    *l = (lines){0};
}

static void put(lte_sweep *sweep, lines *l)
{
    assert_int_equal(lte_sweep_put_rounds(sweep, keep_line, l), LTE_OK);
}

static void take(lte_sweep *sweep, const lines *l, int n)
{
    for (int i = 0; i < n; i++)
        assert_int_equal(lte_sweep_take_round(sweep, l->line[i]), LTE_OK);
}

static lte_sweep *new_part(const lte_scenario *s, uint64_t first, uint64_t last)
{
    lte_sweep *part = new_sweep(s);
    lte_sweep_set_part(part, first, last);
    return part;
}

/* Counts slots first .. last in chunks of at most so many; its rounds, that all fit their bound. */
static lines rounds_of(const lte_scenario *s, uint64_t first, uint64_t last, int chunk)
{
    lines l = {0};
    lte_sweep *part = new_part(s, first, last);
    run_some(s, part, chunk, -1);
    assert_true(lte_sweep_complete(part));
    for (int i = 0; i < part->n_detectors * part->n_snr; i++)
        assert_true(part->rows[i].slots > 0 && part->rows[i].slots <= last - first + 1);
    put(part, &l);
    assert_true((double)l.longest + 10 <= lte_sweep_round_bytes(part));
    lte_sweep_free(part);
    return l;
}

static lte_sweep *whole_of(const lte_scenario *s)
{
    lte_sweep *whole = new_sweep(s);
    run_some(s, whole, INT_MAX, -1);
    assert_true(lte_sweep_complete(whole));
    return whole;
}

/* Slots of a part as a share of all, to the end of a round: at least one, or none are left. */
static uint64_t end_of(const lte_scenario *s, uint64_t first, double share)
{
    const uint64_t round = (uint64_t)s->sweep.round_slots, most = s->sweep.max_slots;
    const uint64_t rounds = (uint64_t)(share * (double)most / (double)round);
    const uint64_t end = (rounds > first / round ? rounds : first / round + 1) * round;
    return end < most && share < 1.0 ? end : most;
}

/* Where the parts of a run end, as shares of max_slots. */
static const double splits[][MOST_PARTS] = {
    {1.0},      {0.5, 1.0},    {0.01, 1.0}, {0.1, 0.15, 1.0}, {0.02, 0.04, 0.5, 1.0},
    {0.3, 0.9}, {0.0025, 1.0},
};
enum { N_SPLITS = sizeof splits / sizeof *splits };

/* The parts of a split joined, each counted in chunks of its own size. */
static lte_sweep *join(const lte_scenario *s, const double *split)
{
    static const int chunks[MOST_PARTS] = {INT_MAX, 3, 64, 7};
    lte_sweep *joined = new_sweep(s);
    uint64_t first = 0;
    for (int i = 0; i < MOST_PARTS && split[i] > 0.0 && first < s->sweep.max_slots; i++) {
        const uint64_t end = end_of(s, first, split[i]);
        lines l = rounds_of(s, first, end - 1, chunks[i]);
        take(joined, &l, l.n);
        forget(&l);
        first = end;
    }
    return joined;
}

/* What a run makes of a joined sweep that goes on with it. */
static lte_sweep *go_on(const lte_scenario *s, lte_sweep *sweep)
{
    lte_sweep_end(sweep, LTE_ROW_INTERRUPTED);
    lte_sweep *copy = copy_of(s, sweep);
    run_some(s, copy, INT_MAX, -1);
    return copy;
}

static void parts_make_the_whole(void **state)
{
    int complete = 0, stopped_inside = 0;
    (void)state;
    for (int r = 0; r < N_STOP_RULES; r++) {
        const lte_scenario s = small_scenario(&stop_rules[r], snr_db, N_SNR);
        lte_sweep *whole = whole_of(&s);
        for (int i = 0; i < N_SPLITS; i++) {
            lte_sweep *joined = join(&s, splits[i]);
            if (lte_sweep_complete(joined)) {
                assert_same_sweeps(joined, whole);
                complete++;
                stopped_inside += joined->rows[0].status == LTE_ROW_ERRORS;
            }
            lte_sweep *last = go_on(&s, joined);
            assert_same_sweeps(last, whole);
            lte_sweep_free(last);
            lte_sweep_free(joined);
        }
        lte_sweep_free(whole);
    }
    assert_true(complete >= N_STOP_RULES * (N_SPLITS - 1) && stopped_inside > N_SPLITS);
}

/*
 * Clusters that carry the errors can become fewer: a part ends where the whole goes on. What is
 * behind is left out, and counted later.
 */
static void rows_that_a_part_ended_too_early_go_on(void **state)
{
    const stop_rule r = {50, 1, 2000, 5, 1};
    int early = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        lte_scenario s = small_scenario(&r, snr_db, N_SNR);
        s.sweep.min_clusters = 12;
        s.seed = seed;
        lte_sweep *whole = whole_of(&s), *joined = join(&s, splits[6]);
        early += !lte_sweep_complete(joined);
        lte_sweep *last = go_on(&s, joined);
        assert_same_sweeps(last, whole);
        lte_sweep_free(last);
        lte_sweep_free(joined);
        lte_sweep_free(whole);
    }
    assert_true(early > 0 && early < 100);
}

/* Of a part any number of rounds may be lost; other points, and parts behind it, do not matter. */
static void lost_rounds_are_counted_later(void **state)
{
    const stop_rule r = {500, 1, 96, 16, 8};
    const lte_scenario s = small_scenario(&r, snr_db, N_SNR);
    (void)state;
    lte_sweep *whole = whole_of(&s);
    lines a = rounds_of(&s, 0, 47, INT_MAX), b = rounds_of(&s, 48, 95, INT_MAX);
    for (int n = 0; n <= a.n; n++) {
        lte_sweep *joined = new_sweep(&s);
        take(joined, &a, n);
        take(joined, &b, b.n);
        for (int p = 0; p < N_SNR; p++)
            assert_true(n == a.n || lte_sweep_row(joined, 0, p)->slots <= 96);
        lte_sweep *last = go_on(&s, joined);
        assert_same_sweeps(last, whole);
        lte_sweep_free(last);
        lte_sweep_free(joined);
    }
    forget(&a);
    forget(&b);
    lte_sweep_free(whole);
}

/* The fields of a round but for its time, which is the fifth. */
static void assert_same_round(const char *a, const char *b)
{
    for (int field = 0; *a || *b; field++) {
        const size_t n = strcspn(a, " "), m = strcspn(b, " ");
        assert_true(field == 3 || (n == m && strncmp(a, b, n) == 0));
        a += n + (a[n] == ' ');
        b += m + (b[m] == ' ');
    }
}

/* Stopped after any number of chunks, in mid-round too, and gone on with from its rounds. */
static void a_part_goes_on_from_its_rounds(void **state)
{
    (void)state;
    for (int r = 0; r < N_STOP_RULES; r++) {
        const lte_scenario s = small_scenario(&stop_rules[r], snr_db, N_SNR);
        const uint64_t first = end_of(&s, 0, 0.02) % s.sweep.max_slots,
                       last = s.sweep.max_slots - 1;
        lines expected = rounds_of(&s, first, last, INT_MAX);
        for (int chunks = 1; chunks < 100; chunks = 2 * chunks + 1) {
            lines before = {0}, after = {0};
            lte_sweep *part = new_part(&s, first, last), *copy = new_part(&s, first, last);
            run_some(&s, part, 3, chunks);
            put(part, &before);
            take(copy, &before, before.n);
            run_some(&s, copy, 11, -1);
            assert_true(lte_sweep_complete(copy));
            put(copy, &after);
            assert_int_equal(after.n, expected.n);
            for (int i = 0; i < after.n; i++)
                assert_same_round(after.line[i], expected.line[i]);
            forget(&before);
            forget(&after);
            lte_sweep_free(part);
            lte_sweep_free(copy);
        }
        forget(&expected);
    }
}

/* Rows and pairs of a part are those of its slots in a run that begins with them. */
static void rows_count_their_own_slots(void **state)
{
    const stop_rule r = {1000000, 1, 96, 16, 1};
    const lte_scenario s = small_scenario(&r, snr_db, N_SNR);
    lines l = {0};
    (void)state;
    lte_sweep *part = new_part(&s, 32, 63), *whole = new_sweep(&s);
    run_some(&s, part, 5, -1);
    for (int i = 0; i < 2 * N_SNR; i++) {
        assert_int_equal(part->rows[i].slots, 32);
        assert_int_equal(part->rows[i].status, LTE_ROW_SLOTS);
    }
    put(part, &l);
    assert_int_equal(l.n, 2 * N_SNR);
    take(whole, &l, l.n); /* slot 0 is missing: nothing follows it */
    assert_int_equal(whole->n_started, 0);
    forget(&l);
    put(part, &l); /* all are handed over */
    assert_int_equal(l.n, 0);
    lte_sweep_free(part);
    lte_sweep_free(whole);
}

static void a_rounds_time_is_its_rows(void **state)
{
    const stop_rule r = {1000000, 1, 64, 16, 1};
    const lte_scenario s = small_scenario(&r, snr_db, N_SNR);
    double spent = 0.0, joined = 0.0;
    lines l = {0};
    (void)state;
    lte_sweep *part = new_part(&s, 0, 63), *whole = new_sweep(&s);
    run_some(&s, part, 64, -1);
    put(part, &l);
    take(whole, &l, l.n);
    for (int i = 0; i < 2 * N_SNR; i++) {
        spent += part->rows[i].seconds;
        joined += whole->rows[i].seconds;
    }
    assert_true(spent > 0.0 && joined > 0.5 * spent && joined <= spent);
    forget(&l);
    lte_sweep_free(part);
    lte_sweep_free(whole);
}

/* The line with another text in one of its fields, which it has. */
static void write_field(char *line, size_t size, const char *of, int field, const char *text)
{
    const char *at = of;
    for (int i = 0; i < field; i++) {
        at = strchr(at, ' ');
        assert_non_null(at++);
    }
    (void)snprintf(line, size, "%.*s%s%s", (int)(at - of), of, text, at + strcspn(at, " "));
}

/* A row that runs and is not in a round has ended too early in its part. */
static void a_round_without_a_running_row_is_not_taken(void **state)
{
    const stop_rule r = {1000000, 1, 64, 16, 1};
    lte_scenario both = small_scenario(&r, snr_db, N_SNR), alone = both;
    (void)state;
    alone.n_detectors = 1;
    lines l = rounds_of(&alone, 0, 63, INT_MAX);
    lte_sweep *sweep = new_sweep(&both);
    take(sweep, &l, l.n);
    assert_int_equal(sweep->n_started, 0);
    assert_int_equal(sweep->rows[0].slots, 0);
    sweep->rows[N_SNR].status = LTE_ROW_ERRORS; /* the other one of the first point */
    take(sweep, &l, l.n);
    assert_int_equal(sweep->rows[0].slots, 64);
    forget(&l);
    lte_sweep_free(sweep);
}

static void rounds_of_others_are_refused(void **state)
{
    const stop_rule r = {1000000, 1, 64, 16, 1};
    const lte_scenario s = small_scenario(&r, snr_db, N_SNR);
    static const char *const wrong[] = {
        "",       "x",     "0",     "3 0 3", "-1 0 3", "0 1 1 0 0 0 0 0 0 0",
        "0 40 3", "0 0 0", "0 0 4", "0 0 3"};
    char line[400];
    (void)state;
    lines l = rounds_of(&s, 0, 63, INT_MAX);
    lte_sweep *sweep = new_sweep(&s);
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lte_sweep_take_round(sweep, wrong[i]), LTE_EINVAL);
    for (size_t n = 0; n + 1 < strlen(l.line[0]); n++) { /* cut off between two numbers */
        (void)snprintf(line, sizeof line, "%.*s", (int)n, l.line[0]);
        if (l.line[0][n] == ' ')
            assert_int_equal(lte_sweep_take_round(sweep, line), LTE_EINVAL);
    }
    (void)snprintf(line, sizeof line, "%s 0", l.line[0]);
    assert_int_equal(lte_sweep_take_round(sweep, line), LTE_EINVAL);
    write_field(line, sizeof line, l.line[0], 3, "ffffffffffffffff"); /* a time of 585 years */
    assert_int_equal(lte_sweep_take_round(sweep, line), LTE_EINVAL);
    for (int field = 8; field < 25; field++) { /* more errors, or squares of them, than bits */
        write_field(line, sizeof line, l.line[0], field, "ffffffffffffffff");
        assert_int_equal(lte_sweep_take_round(sweep, line), LTE_EINVAL);
    }
    (void)lte_fail_handler_set(handler);
    assert_int_equal(sweep->n_started, 0);
    take(sweep, &l, 1);
    assert_int_equal(sweep->rows[0].slots, 16);
    take(sweep, &l, 1); /* again */
    assert_int_equal(sweep->rows[0].slots, 16);
    forget(&l);
    lte_sweep_free(sweep);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(rounds, parts_make_the_whole),
        LTE_CASE(rounds, rows_that_a_part_ended_too_early_go_on),
        LTE_CASE(rounds, lost_rounds_are_counted_later),
        LTE_CASE(rounds, a_part_goes_on_from_its_rounds),
        LTE_CASE(rounds, rows_count_their_own_slots),
        LTE_CASE(rounds, a_rounds_time_is_its_rows),
        LTE_CASE(rounds, a_round_without_a_running_row_is_not_taken),
        LTE_CASE(rounds, rounds_of_others_are_refused),
    };
    return cmocka_run_group_tests_name("rounds", cases, NULL, NULL);
}
