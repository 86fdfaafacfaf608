/*
 * The search for the SNR at a bit error rate: over curves that are made up, where the answer is
 * known, and over sweeps that stop anywhere.
 */
#include "tests/lib/sweeps.h"

#include <limits.h>
#include <math.h>

#include "sim/jobs/sweep/search.h"

enum { MOST_POINTS = 40 };

/* A scenario whose SNR is searched from -10 to 50 dB. */
static lte_scenario search_scenario(double target, double precision, uint64_t max_slots)
{
    static const double ends[] = {50.0, -10.0}; /* in any order */
    static const stop_rule rule = {0, 1, 1, 4, 1};
    lte_scenario s = small_scenario(&rule, ends, 2);
    s.sweep.target_ber = target;
    s.sweep.precision = precision;
    s.sweep.max_slots = max_slots;
    return s;
}

/* BER over SNR in dB; user is what the curve is made of. */
typedef double curve(double snr_db, const double *user);

static double waterfall(double snr_db, const double *user)
{
    return 0.5 * exp(-pow(10.0, (snr_db - user[0]) / 10.0));
}

/* SISO Rayleigh, QPSK. */
static double fading(double snr_db, const double *user)
{
    const double snr = pow(10.0, (snr_db - user[0]) / 10.0);
    return 0.5 * (1.0 - sqrt(snr / (2.0 + snr)));
}

static double floored(double snr_db, const double *user)
{
    return user[1] + fading(snr_db, user);
}

/* Fills the newest point as if every second slot had no error: SE / p = 1 / sqrt(n - 1) times 1. */
static void fill(lte_sweep *sweep, curve *const *of, const double (*user)[2])
{
    const int s = sweep->n_points - 1;
    for (int d = 0; d < sweep->n_detectors; d++) {
        lte_row *row = &sweep->rows[(ptrdiff_t)d * sweep->n_snr + s];
        const double expected = 2.0 * (double)sweep->drop_bits * of[d](row->snr_db, user[d]);
        double sum = 0.0;
        assert_true(row->goal > 0 && row->goal <= sweep->end);
        assert_true(row->goal % 4 == 0 || row->goal == sweep->end);
        row->slots = row->goal;
        for (uint64_t i = 0; i < row->goal; i++) { /* errors of even slots, rounded in sum */
            const double next = i % 2 == 0 ? sum + expected : sum;
            const double errors = floor(next) - floor(sum);
            lte_error_count_add(&row->error_count, sweep->drop_bits,
                                (uint64_t)fmin(errors, (double)sweep->drop_bits));
            sum = next;
        }
        row->status = LTE_ROW_SEARCH;
    }
    if (sweep->n_started < sweep->n_points)
        sweep->n_started = sweep->n_points;
    for (int k = 0; k < s; k++)
        assert_true(sweep->rows[k].snr_db != sweep->rows[s].snr_db); /* an SNR has one row */
}

/* The SNR at which a curve that falls has a rate. */
static double snr_of(curve *of, const double *user, double ber)
{
    double left = -60.0, right = 100.0;
    while (right - left > 1e-9)
        *(of(0.5 * (left + right), user) > ber ? &left : &right) = 0.5 * (left + right);
    return 0.5 * (left + right);
}

/* Searches over two curves to the end; the number of points. */
static int search_curves(lte_sweep *sweep, curve *const *of, const double (*user)[2])
{
    lte_status status = LTE_OK;
    while (lte_search_next(sweep, &status))
        fill(sweep, of, user);
    assert_int_equal(status, LTE_OK);
    return sweep->n_points;
}

/*
 * Steep or flat, the crossing is that of the curve, its interval that of the rate over the slope.
 */
static void known_curves_are_crossed(void **state)
{
    static const struct {
        curve *of[2];
        double user[2][2];
        double target, precision;
    } cases[] = {
        {{waterfall, fading}, {{7.3, 0.0}, {7.3, 0.0}}, 1e-2, 0.1},
        {{waterfall, fading}, {{-3.0, 0.0}, {11.0, 0.0}}, 1e-3, 0.05},
        {{fading, fading}, {{0.0, 0.0}, {0.01, 0.0}}, 1e-2, 0.05},
        {{floored, waterfall}, {{3.0, 5e-3}, {15.0, 0.0}}, 1e-2, 0.1},
        {{waterfall, waterfall}, {{0.0, 0.0}, {30.0, 0.0}}, 1e-4, 0.1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const lte_scenario s = search_scenario(cases[i].target, cases[i].precision, 1 << 20);
        lte_sweep *sweep = new_sweep(&s);
        const int n = search_curves(sweep, cases[i].of, cases[i].user);
        assert_in_range(n, 10, 2 * MOST_POINTS);
        for (int d = 0; d < 2; d++) {
            const lte_found found = lte_search_of(sweep, d);
            curve *of = cases[i].of[d];
            const double *user = cases[i].user[d];
            const double at = snr_of(of, user, cases[i].target);
            const double slope =
                log(of(at + 0.01, user) / of(at - 0.01, user)) / 0.02; /* of ln BER */
            const double half = 0.5 * (found.high_db - found.low_db);
            assert_int_equal(found.how, LTE_FOUND_PRECISION);
            assert_true(fabs(found.snr_db - at) < 0.1 * half);
            assert_true(fabs(0.5 * (found.high_db + found.low_db) - found.snr_db) < 1e-9);
            assert_true(half * -slope < 1.1 * cases[i].precision);
            assert_true(half * -slope > 0.3 * cases[i].precision);
            assert_near(found.slope / slope, 1.0, 0.15);
        }
        lte_sweep_free(sweep);
    }
}

/* A curve that is nowhere at the target is said to be above or below it, after both ends alone. */
static void curves_beyond_the_range_are_told(void **state)
{
    static curve *const of[2] = {waterfall, floored};
    static const double user[2][2] = {{-30.0, 0.0}, {0.0, 2e-2}};
    const lte_scenario s = search_scenario(1e-2, 0.1, 1 << 20);
    lte_sweep *sweep = new_sweep(&s);
    (void)state;
    assert_int_equal(search_curves(sweep, of, user), 2);
    const lte_found below = lte_search_of(sweep, 0), above = lte_search_of(sweep, 1);
    assert_int_equal(below.how, LTE_FOUND_BELOW);
    assert_true(below.snr_db == -10.0 && isnan(below.low_db) && isnan(below.high_db));
    assert_int_equal(above.how, LTE_FOUND_ABOVE);
    assert_true(above.snr_db == 50.0);
    lte_sweep_free(sweep);
}

/* With too few slots the search ends all the same, and says what bound it. */
static void few_slots_are_said(void **state)
{
    static curve *const of[2] = {fading, fading};
    static const double user[2][2] = {{0.0, 0.0}, {1.0, 0.0}};
    const lte_scenario s = search_scenario(1e-2, 0.01, 22);
    lte_sweep *sweep = new_sweep(&s);
    (void)state;
    (void)search_curves(sweep, of, user);
    for (int d = 0; d < 2; d++) {
        const lte_found found = lte_search_of(sweep, d);
        assert_int_equal(found.how, LTE_FOUND_SLOTS);
        assert_int_equal(found.slots, 22);
        assert_true(found.high_db - found.low_db > 1.0);
    }
    lte_sweep_free(sweep);
}

/* The errors of so few slots that most points have none. */
static void rare_errors_end_the_search(void **state)
{
    static curve *const of[2] = {waterfall, waterfall};
    static const double user[2][2] = {{0.0, 0.0}, {20.0, 0.0}};
    const lte_scenario s = search_scenario(1e-8, 0.1, 64);
    lte_sweep *sweep = new_sweep(&s);
    (void)state;
    assert_true(search_curves(sweep, of, user) < 2 * MOST_POINTS);
    assert_int_equal(lte_search_of(sweep, 1).how, LTE_FOUND_SLOTS);
    lte_sweep_free(sweep);
}

/* Where errors are many, the first curve still has min_clusters drops, of all their slots. */
static void first_curves_have_so_many_drops(void **state)
{
    lte_status status = LTE_OK;
    (void)state;
    for (int drop_slots = 1; drop_slots <= 64; drop_slots += 63) {
        const stop_rule rule = {0, 1, 1, 64, drop_slots};
        lte_scenario s = search_scenario(0.2, 0.5, 1 << 20);
        set_rule(&s, &rule);
        s.sweep.max_slots = 1 << 20;
        s.sweep.min_clusters = 20;
        lte_sweep *sweep = new_sweep(&s);
        assert_true(lte_search_next(sweep, &status));
        assert_int_equal(sweep->rows[0].goal, drop_slots == 1 ? 64 : 20 * 64);
        lte_sweep_free(sweep);
    }
    assert_int_equal(status, LTE_OK);
}

/* Below an SNR the newest point has no row of the first detector, as if its search did not end. */
static bool end_by_nodes(lte_sweep *sweep, double least_db)
{
    lte_row *const row = &sweep->rows[sweep->n_points - 1];
    const bool ends = row->snr_db < least_db;
    if (ends)
        *row = (lte_row){.detector = row->detector,
                         .csi = row->csi,
                         .snr_db = row->snr_db,
                         .goal = row->goal,
                         .counts = row->counts,
                         .drop.counts = row->drop.counts,
                         .status = LTE_ROW_NODES};
    return ends;
}

/*
 * Points of which a detector has no rate count as above the target: what lies above them is found
 * as if they had one, and what lies among them is not.
 */
static void points_without_a_row_are_passed(void **state)
{
    static curve *const of[2] = {waterfall, fading};
    static const double user[2][2] = {{7.3, 0.0}, {7.3, 0.0}};
    static const double least_db[] = {1.0, 40.0, 60.0};
    const lte_scenario s = search_scenario(1e-2, 0.1, 1 << 20);
    lte_sweep *whole = new_sweep(&s);
    (void)state;
    (void)search_curves(whole, of, user);
    for (size_t i = 0; i < sizeof least_db / sizeof *least_db; i++) {
        lte_sweep *sweep = new_sweep(&s);
        lte_status status = LTE_OK;
        int without = 0;
        while (lte_search_next(sweep, &status)) {
            fill(sweep, of, user);
            without += end_by_nodes(sweep, least_db[i]);
        }
        const lte_found found = lte_search_of(sweep, 0), other = lte_search_of(sweep, 1);
        assert_int_equal(status, LTE_OK);
        assert_true(without > 0 && sweep->n_points < 2 * MOST_POINTS);
        assert_true(lte_search_is_over(sweep));
        if (i == 0) {
            assert_int_equal(found.how, LTE_FOUND_PRECISION);
            assert_true(found.snr_db == lte_search_of(whole, 0).snr_db);
        } else {
            assert_int_equal(found.how, LTE_FOUND_NODES);
            assert_string_equal(lte_found_name(found.how), "nodes");
            assert_true(isnan(found.snr_db) && isnan(found.low_db) && isnan(found.high_db));
        }
        assert_int_equal(other.how, LTE_FOUND_PRECISION);
        assert_near(other.snr_db, lte_search_of(whole, 1).snr_db, 0.2);
        lte_sweep_free(sweep);
    }
    lte_sweep_free(whole);
}

/* Searches and counts; after every so many chunks it goes on in another sweep. */
static lte_sweep *search_in_pieces(const lte_scenario *s, int chunks)
{
    lte_sweep *sweep = new_sweep(s);
    lte_status status = LTE_OK;
    for (;;) {
        run_some(s, sweep, 21, chunks);
        if (chunks > 0) {
            lte_sweep *copy = copy_of(s, sweep);
            lte_sweep_free(sweep);
            sweep = copy;
        }
        const bool counted = lte_sweep_point(sweep) == sweep->n_points;
        const bool complete = lte_sweep_complete(sweep);
        if (counted && !lte_search_next(sweep, &status)) {
            assert_true(complete);
            break;
        }
        assert_false(complete);
    }
    assert_int_equal(status, LTE_OK);
    return sweep;
}

static void searches_go_on_inside_a_point(void **state)
{
    lte_scenario s = search_scenario(2e-2, 0.2, 4096);
    (void)state;
    lte_sweep *whole = search_in_pieces(&s, -1);
    for (int d = 0; d < 2; d++)
        assert_int_equal(lte_search_of(whole, d).how, LTE_FOUND_PRECISION);
    for (int chunks = 1; chunks < 20; chunks += 6) {
        lte_sweep *pieces = search_in_pieces(&s, chunks);
        assert_int_equal(pieces->n_points, whole->n_points);
        assert_same_sweeps(pieces, whole);
        for (int d = 0; d < 2; d++)
            assert_true(lte_search_of(pieces, d).snr_db == lte_search_of(whole, d).snr_db);
        lte_sweep_free(pieces);
    }
    assert_true(lte_sweep_complete(whole));
    lte_sweep_free(whole);
}

/*
 * A search that was stopped has found nothing yet, and asks for no more before its point is whole.
 */
static void stopped_searches_have_not_found(void **state)
{
    const lte_scenario s = search_scenario(2e-2, 0.2, 4096);
    lte_sweep *sweep = new_sweep(&s);
    lte_status status = LTE_OK;
    (void)state;
    assert_int_equal(lte_search_of(sweep, 0).how, LTE_FOUND_NOT);
    assert_true(lte_search_next(sweep, &status));
    assert_false(lte_search_next(sweep, &status));
    run_some(&s, sweep, 7, 1);
    assert_int_equal(sweep->rows[0].status, LTE_ROW_INTERRUPTED);
    assert_false(lte_search_next(sweep, &status));
    assert_int_equal(lte_search_of(sweep, 0).how, LTE_FOUND_NOT);
    assert_int_equal(lte_search_of(sweep, 1).how, LTE_FOUND_NOT);
    lte_sweep_free(sweep);
    sweep = search_in_pieces(&s, -1);
    lte_row *last = &sweep->rows[sweep->n_snr + sweep->n_points - 1]; /* the second detector's */
    assert_int_equal(lte_search_of(sweep, 1).how, LTE_FOUND_PRECISION);
    last->status = LTE_ROW_INTERRUPTED;
    const lte_found stopped = lte_search_of(sweep, 1);
    assert_int_equal(stopped.how, LTE_FOUND_NOT);
    assert_true(isnan(stopped.snr_db) && isnan(stopped.low_db) && isnan(stopped.high_db));
    lte_sweep_free(sweep);
}

/* sweep.precision: a row ends at the first round after which its interval is that narrow. */
static void precision_ends_rows(void **state)
{
    static const stop_rule rule = {0, 1, 1 << 16, 4, 1};
    static const double snr_db[] = {3.0, 9.0};
    lte_scenario s = small_scenario(&rule, snr_db, 2);
    double last[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double precision = 0.4 / (1 << k);
        s.sweep.precision = precision;
        lte_sweep *sweep = new_sweep(&s);
        run_some(&s, sweep, 64, INT_MAX);
        for (int i = 0; i < 4; i++) {
            const lte_interval ber = lte_interval_of(&sweep->rows[i].error_count);
            const double reached = log(ber.high / ber.rate);
            assert_int_equal(sweep->rows[i].status, LTE_ROW_PRECISION);
            assert_string_equal(lte_row_status_name(sweep->rows[i].status), "precision");
            assert_true(reached <= precision && reached > 0.7 * precision);
            assert_true(reached < last[i]);
            last[i] = reached;
        }
        lte_sweep_free(sweep);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(search, known_curves_are_crossed),
        LTE_CASE(search, curves_beyond_the_range_are_told),
        LTE_CASE(search, few_slots_are_said),
        LTE_CASE(search, rare_errors_end_the_search),
        LTE_CASE(search, first_curves_have_so_many_drops),
        LTE_CASE(search, stopped_searches_have_not_found),
        LTE_CASE(search, points_without_a_row_are_passed),
        LTE_CASE(search, precision_ends_rows),
    };
    static const struct CMUnitTest more[] = {
        LTE_CASE(search, searches_go_on_inside_a_point),
    };
    return RUN_CASES_AND_MORE("search");
}
