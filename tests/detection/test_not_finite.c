/*
 * NaN and infinities in y or H, and estimates that are not finite: nothing is told of what they
 * reach, and all else keeps its bytes.
 */

#include "tests/detection/reference.h"

static const float bad_values[] = {NAN, INFINITY, -INFINITY};
enum { N_BAD = sizeof bad_values / sizeof *bad_values };

/* Rx, tx, bits. */
static const int links[][3] = {{1, 1, 2}, {2, 2, 4}, {4, 4, 4}, {8, 4, 2}, {9, 9, 2}, {16, 12, 2}};
enum { N_LINKS = sizeof links / sizeof *links };

static bool takes_soon(const char *name, const int *link, bool llrs)
{
    lte_detector detector;
    assert_true(lte_detector_find(name, &detector));
    return takes(name, link[0], link[1], link[2], llrs) &&
           (detector.id != LTE_DETECTOR_ml || link[1] * link[2] <= 16);
}

/* The elements that something bad reaches: of symbol and subcarrier; symbol -1: of all symbols. */
typedef struct {
    int symbol, sc;
} place;

/* Of one output LLRs are 0 and labels those of zero at a place, all others as they were. */
static void compare_at(const slot *s, place at, const void *mine, const void *clean, bool llrs,
                       const char *what, counted *found, counted *beside)
{
    const int each = llrs ? s->n_tx * s->n_bits : s->n_tx;
    for (int i = 0; i < SYMBOLS * s->n_sc * each; i++) {
        const int element = i / each, symbol = element / s->n_sc, sc = element % s->n_sc;
        const int is = llrs ? ((const int8_t *)mine)[i] : ((const uint16_t *)mine)[i];
        const int was = llrs ? ((const int8_t *)clean)[i] : ((const uint16_t *)clean)[i];
        const int nothing = llrs ? 0 : (int)label_of_zero(s->n_bits);
        if (sc == at.sc && (at.symbol < 0 || symbol == at.symbol))
            COUNT_WRONG(found, is != nothing, "%dx%d, %d bits, %s: %s %d", s->n_rx, s->n_tx,
                        s->n_bits, what, llrs ? "LLR" : "label", is);
        else
            COUNT_WRONG(beside, is != was, "%dx%d, %d bits, %s, beside: %d, not %d", s->n_rx,
                        s->n_tx, s->n_bits, what, is, was);
    }
}

/* One bad number in y, or in H, for one output of a detector. */
static void check_output(const slot *s, const char *name, const char *demapper, bool in_h,
                         counted *found, counted *beside)
{
    static int turn;
    const bool llrs = demapper != NULL;
    void *clean = llrs ? (void *)slot_llrs(s, name, demapper) : (void *)slot_labels(s, name);
    for (int v = 0; v < N_BAD; v++) {
        for (int trial = 0; trial < 3; trial++, turn++) {
            slot bad = slot_copy(s);
            const place at = {in_h ? -1 : turn % SYMBOLS, turn * 5 % s->n_sc};
            const int rx = turn % s->n_rx, part = turn / 3 % 2;
            char what[60];
            if (in_h)
                bad.h[2 * h_at(s, at.sc, rx, turn / 2 % s->n_tx) + (size_t)part] = bad_values[v];
            else
                bad.y[2 * y_at(s, at.symbol, at.sc, rx) + (size_t)part] = bad_values[v];
            void *mine =
                llrs ? (void *)slot_llrs(&bad, name, demapper) : (void *)slot_labels(&bad, name);
            (void)snprintf(what, sizeof what, "%g in %s", (double)bad_values[v], in_h ? "H" : "y");
            compare_at(s, at, mine, clean, llrs, what, found, beside);
            free(mine);
            slot_free(&bad);
        }
    }
    free(clean);
}

static int check_bad_numbers(bool in_h)
{
    static const char *const outputs[] = {NULL, "exact", "max-log"};
    const char *backend;
    int failed = 0;
    for (int at = 0; (backend = next_backend(&at)) != NULL;) {
        for (int i = 0; i < LTE_N_DETECTORS; i++) {
            const char *name = lte_detector_rows[i].name;
            uint64_t random_state = 754;
            counted found = {0}, beside = {0};
            char what[80];
            for (int link = 0; link < N_LINKS; link++) {
                slot s = slot_of(19, links[link][0], links[link][1], links[link][2]);
                s.backend = backend;
                slot_rayleigh(&s, &random_state);
                slot_send(&s, 0.02, &random_state);
                for (int o = 0; o < 3; o++) {
                    if (takes_soon(name, links[link], outputs[o] != NULL))
                        check_output(&s, name, outputs[o], in_h, &found, &beside);
                }
                slot_free(&s);
            }
            (void)snprintf(what, sizeof what, "%s on %s", name, backend);
            failed += count_told(&found, what) + count_told(&beside, what);
        }
    }
    return failed;
}

static void in_y_tells_nothing_of_its_element_alone(void **state)
{
    (void)state;
    assert_int_equal(check_bad_numbers(false), 0);
}

static void in_h_tells_nothing_of_its_subcarrier_alone(void **state)
{
    (void)state;
    assert_int_equal(check_bad_numbers(true), 0);
}

/*
 * Columns that are nearly alike: a series around the diagonal grows by n_tx - 1 in each iteration,
 * to more than a float holds within so many, here on every third subcarrier alone.
 */
typedef struct {
    const char *name;
    int iterations, n;
    double y; /* by which y is longer there */
} series;

static const series growing[] = {
    {"neumann-30", 30, 4, 1e28}, {"neumann-64", 64, 8, 1.0}, {"neumann-64", 64, 16, 1.0}};
enum { N_GROWING = sizeof growing / sizeof *growing };

static bool grows_at(int sc)
{
    return sc % 3 == 2;
}

static slot growing_slot(const series *g, int n_bits, uint64_t *random)
{
    slot s = slot_of(9, g->n, g->n, n_bits);
    slot_rayleigh(&s, random);
    for (int e = 0; e < s.n_sc * g->n * g->n; e++) {
        const int sc = e / (g->n * g->n), tx = e % g->n;
        const double complex first = element_at(s.h, (size_t)(e - tx));
        if (grows_at(sc) && tx > 0)
            element_set(s.h, (size_t)e, first * CMPLX(1.0, 1e-3 * tx));
    }
    slot_send(&s, 0.01, random);
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        for (int e = 0; e < s.n_sc * g->n; e++) {
            const size_t at = y_at(&s, symbol, e / g->n, e % g->n);
            if (grows_at(e / g->n))
                element_set(s.y, at, element_at(s.y, at) * g->y);
        }
    }
    return s;
}

/* The least part of an estimate of the series in long double, of an element. */
static long double least_of_series(const slot *s, int symbol, int sc, int iterations)
{
    const int n = s->n_tx;
    long double least = INFINITY;
    wide a[16][16], z[16], x[16], next[16];
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            a[k][j] = k == j ? (long double)s->n0 : 0.0L;
            for (int r = 0; r < n; r++)
                a[k][j] += conjl((wide)element_at(s->h, h_at(s, sc, r, k))) *
                           (wide)element_at(s->h, h_at(s, sc, r, j));
        }
        z[k] = 0.0L;
        for (int r = 0; r < n; r++)
            z[k] += conjl((wide)element_at(s->h, h_at(s, sc, r, k))) *
                    (wide)element_at(s->y, y_at(s, symbol, sc, r));
        x[k] = z[k] / a[k][k];
    }
    for (int i = 0; i < iterations; i++) {
        for (int k = 0; k < n; k++) {
            next[k] = z[k];
            for (int j = 0; j < n; j++)
                next[k] -= a[k][j] * x[j];
            next[k] = x[k] + next[k] / a[k][k];
        }
        memcpy(x, next, sizeof x);
    }
    for (int k = 0; k < n; k++)
        least = fminl(least, fmaxl(fabsl(creall(x[k])), fabsl(cimagl(x[k]))));
    return least;
}

static void estimates_of_series_tell_nothing(void **state)
{
    uint64_t random_state = 1912;
    int failed = 0;
    (void)state;
    for (int i = 0; i < N_GROWING; i++) {
        const series *g = &growing[i];
        for (int n_bits = 2; n_bits <= 4; n_bits += 2) {
            slot s = growing_slot(g, n_bits, &random_state);
            for (int at = 0; (s.backend = next_backend(&at)) != NULL;) {
                counted found = {0};
                char what[80];
                int8_t *llr = slot_llrs(&s, g->name, "exact");
                for (int e = 0; e < SYMBOLS * s.n_sc; e++) {
                    const int symbol = e / s.n_sc, sc = e % s.n_sc;
                    if (!grows_at(sc))
                        continue;
                    assert_true(least_of_series(&s, symbol, sc, g->iterations) > 1e40L);
                    for (int b = 0; b < s.n_tx * n_bits; b++)
                        COUNT_WRONG(&found, llr[e * s.n_tx * n_bits + b] != 0, "LLR %d",
                                    llr[e * s.n_tx * n_bits + b]);
                }
                free(llr);
                (void)snprintf(what, sizeof what, "%s on %s, %d layers, %d bits", g->name,
                               s.backend, g->n, n_bits);
                failed += count_told(&found, what);
            }
            slot_free(&s);
        }
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(nan, in_y_tells_nothing_of_its_element_alone),
        LTE_CASE(nan, in_h_tells_nothing_of_its_subcarrier_alone),
        LTE_CASE(nan, estimates_of_series_tell_nothing),
    };
    const char *only = getenv("LTE_TEST_CASE");
    if (only)
        cmocka_set_test_filter(only);
    return cmocka_run_group_tests_name("not_finite", cases, NULL, NULL);
}
