/*
 * The formulas of operations (phy/detection/operations.h, the rows of detectors and inverters)
 * against the operations of the texts as they run, over a number type that counts.
 */
#include "tests/lib/unit.h"

#include <math.h>

#include "phy/channel/channel.h"
#include "phy/detection/detection.h"
#include "phy/detection/operations.h"
#include "phy/inversion/inverters.h"
#include "tests/phy/counted_detectors.h"

enum { MOST = LTE_MAX_ORDER, MOST_RX = 16, DRAWS = 60 };

static double all_of(operations_counted c)
{
    return c.add + c.multiply + 2.0 * c.multiply_add + LTE_FLOPS_RECIPROCAL * c.reciprocal +
           LTE_FLOPS_DIVISION * c.divide + LTE_FLOPS_ROOT * c.root;
}

/* A detector at a size, and the means over draws at an SNR. */
typedef struct {
    lte_detector_plan plan;
    double prepare, detect, nodes;
} measured;

static measured measure(lte_detector detector, int n_rx, int n_tx, int n_bits, bool llrs,
                        double snr_db, int inverter)
{
    static lte_cplx memory[4096];
    const float n0 = (float)(n_tx / pow(10.0, snr_db / 10.0)), deviation = sqrtf(n0);
    const lte_draws draws = lte_draws_of(17, n_rx, n_tx, n_bits);
    measured m = {.plan = lte_detector_plan_of(detector, n_rx, n_tx, n_bits, llrs)};
    const lte_detector_row *row = lte_detector_row_of(detector);
    for (uint32_t sc = 0; sc < DRAWS; sc++) {
        lte_word sent[LTE_SLOT_SYMBOLS * MOST];
        lte_cplx h[MOST_RX * MOST], y[MOST_RX];
        operations_counted prepare, detect;
        lte_channel_rayleigh(&draws, 0, sc, h);
        lte_draw_labels(&draws, 0, sc, sent);
        lte_draw_noise(&draws, 0, sc, 0, y);
        for (int r = 0; r < n_rx; r++) {
            y[r] = c_scale(y[r], deviation);
            for (int k = 0; k < n_tx; k++)
                y[r] = c_mac(y[r], h[r * n_tx + k], lte_qam_map(n_bits, sent[k]));
        }
        count_detector(&m.plan, inverter, (const float *)h, n0, (const float *)y, &prepare,
                       &detect);
        m.prepare += all_of(prepare) / DRAWS;
        m.detect += all_of(detect) / DRAWS;
        if (row->nodes)
            m.nodes +=
                row->nodes(&m.plan, (const float *)h, n0, (const float *)y, 1e9, (float *)memory) /
                DRAWS;
    }
    return m;
}

static double prepare_formula(const lte_detector_plan *plan, int inverter)
{
    const lte_detector_row *row = lte_detector_row_of(plan->detector);
    return (row->needs & LTE_NEEDS_GRAM ? lte_gram_flops(plan->n_rx, plan->n_tx) : 0.0) +
           (row->needs & LTE_NEEDS_INVERSE ? lte_inverter_rows[inverter].flops(plan->n_tx) : 0.0) +
           row->prepare_flops(plan);
}

static double detect_formula(const measured *m)
{
    const lte_detector_row *row = lte_detector_row_of(m->plan.detector);
    const double more = row->node_flops ? m->nodes - (m->plan.n_tx - 1) : 0.0;
    return row->detect_flops(&m->plan) + (more > 0.0 ? more * row->node_flops(&m->plan) : 0.0);
}

/* Within a share of what was counted. */
static void assert_counts(const char *name, const char *what, const measured *m, double formula,
                          double counted, double share)
{
    if (!(fabs(formula - counted) <= share * counted))
        fail_msg("%s %dx%d, %d bits%s: %s has %.1f operations, by formula %.1f", name, m->plan.n_rx,
                 m->plan.n_tx, m->plan.n_bits, m->plan.llrs ? ", LLRs" : "", what, counted,
                 formula);
}

static const struct {
    int n_rx, n_tx;
} sizes[] = {{1, 1}, {2, 2}, {4, 2}, {3, 3}, {4, 4}, {8, 4}, {8, 8}, {16, 8}};
#define N_SIZES ((int)(sizeof sizes / sizeof *sizes))

/* Names, and what their formulas may be off by: prepare, and detect without and with LLRs. */
static const struct {
    const char *name;
    double prepare, detect, soft; /* soft 0: it has no LLRs */
} rows[] = {
    {"zf", 1e-9, 1e-9, 1e-9},           {"mmse", 1e-9, 1e-9, 1e-9},
    {"mmse-max-log", 1e-9, 1e-9, 1e-9}, {"mrc", 1e-9, 1e-9, 1e-9},
    {"cg-1", 1e-9, 1e-9, 1e-9},         {"cg", 1e-9, 1e-9, 1e-9},
    {"neumann", 1e-9, 1e-9, 1e-9},      {"mmse-sic", 0.05, 1e-9, 1e-9},
    {"fsd", 0.02, 1e-9, 0.0},           {"fsd-1", 0.02, 1e-9, 0.0},
    {"lr-mmse", 0.3, 1e-9, 0.0},        {"kbest-1", 1e-9, 1e-9, 1e-9},
    {"kbest-4", 1e-9, 1e-9, 1e-9},      {"kbest", 1e-9, 1e-9, 1e-9},
    {"kbest-64", 1e-9, 1e-9, 1e-9},     {"ml", 1e-9, 0.3, 0.3},
};

static void claim_rows(bool llrs, int n_bits, double snr_db)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int s = 0; s < N_SIZES && (!llrs || rows[i].soft > 0.0); s++) {
            lte_detector detector;
            assert_true(lte_detector_find(rows[i].name, &detector));
            const lte_detector_plan plan =
                lte_detector_plan_of(detector, sizes[s].n_rx, sizes[s].n_tx, n_bits, llrs);
            if (lte_detector_row_of(detector)->refuses &&
                lte_detector_row_of(detector)->refuses(&plan))
                continue;
            const measured m = measure(detector, sizes[s].n_rx, sizes[s].n_tx, n_bits, llrs, snr_db,
                                       LTE_INVERTER_gauss_jordan);
            assert_counts(rows[i].name, "prepare", &m,
                          prepare_formula(&m.plan, LTE_INVERTER_gauss_jordan), m.prepare,
                          rows[i].prepare);
            assert_counts(rows[i].name, "detect", &m, detect_formula(&m), m.detect,
                          llrs ? rows[i].soft : rows[i].detect);
        }
    }
}

static void formulas_are_what_the_texts_do(void **state)
{
    (void)state;
    claim_rows(false, 2, 15.0);
    claim_rows(false, 4, 15.0);
    claim_rows(false, 4, 25.0);
    claim_rows(false, 6, 25.0);
}

static void with_llrs_too(void **state)
{
    (void)state;
    claim_rows(true, 2, 15.0);
    claim_rows(true, 4, 25.0);
}

/* Of inverters alone: what mmse takes with it less what it takes besides. */
static void inverters_are_what_their_texts_do(void **state)
{
    (void)state;
    static const int inverters[] = {LTE_INVERTER_gauss_jordan, LTE_INVERTER_ldl,
                                    LTE_INVERTER_cholesky_delayed, LTE_INVERTER_lu_delayed};
    for (size_t i = 0; i < sizeof inverters / sizeof *inverters; i++) {
        for (int s = 0; s < N_SIZES; s++) {
            const measured m = measure(lte_detector_usual(LTE_DETECTOR_mmse), sizes[s].n_rx,
                                       sizes[s].n_tx, 4, false, 20.0, inverters[i]);
            assert_counts(lte_inverter_rows[inverters[i]].name, "prepare", &m,
                          prepare_formula(&m.plan, inverters[i]), m.prepare, 0.01);
        }
    }
}

/* All vectors are summed, 4 to 16 bits; the search before that is that for bits. */
static void exact_llrs_of_ml_sum_all_vectors(void **state)
{
    (void)state;
    static const struct {
        int n, n_bits;
    } links[] = {{1, 2}, {2, 2}, {2, 4}, {3, 4}, {4, 2}};
    lte_detector detector;
    assert_true(lte_detector_find("ml-exact", &detector));
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const measured m = measure(detector, links[i].n, links[i].n, links[i].n_bits, true, 15.0,
                                   LTE_INVERTER_gauss_jordan);
        const measured hard = measure(detector, links[i].n, links[i].n, links[i].n_bits, false,
                                      15.0, LTE_INVERTER_gauss_jordan);
        assert_counts("ml-exact", "detect", &m, detect_formula(&m), m.detect, 0.1);
        assert_counts("ml-exact", "nodes", &m, m.nodes, hard.nodes, 0.0);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(operations, formulas_are_what_the_texts_do),
    LTE_CASE(operations, with_llrs_too),
    LTE_CASE(operations, inverters_are_what_their_texts_do),
    LTE_CASE(operations, exact_llrs_of_ml_sum_all_vectors),
};

int main(void)
{
    return cmocka_run_group_tests_name("operations", cases, NULL, NULL);
}
