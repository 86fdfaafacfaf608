/*
 * What LLRs are worth: their mutual information with the bits, as they are and times the best
 * factor, of 16QAM over drawn channels. LLRs that say how sure they are need no factor.
 *
 *     I = sum over bits of 1 - E log2(1 + exp(-(1 - 2 b) f L)),   f = 1: as they are.
 */
#include "tests/lib/detected.h"

#include "phy/base/limits.h"

enum { N_BITS = 4, SPACE = 16384, MOST_RX = 64, MOST_TX = 8 };

typedef struct {
    const char *name; /* of a detector */
    int n_rx, n_tx;
    double snr_db;
    double alpha, beta; /* correlation of TS 36.101 B.2.3: of n antennas a^((i - j) / (n - 1))^2 */
} link_of;

typedef struct {
    double plain, best, factor; /* bits a symbol as they are, at the best factor, and that */
    double ber;
} worth;

static const double factors[] = {0.25, 0.4,  0.5, 0.63, 0.8, 0.9, 1.0,
                                 1.1,  1.25, 1.6, 2.0,  2.5, 4.0};
enum { N_FACTORS = sizeof factors / sizeof *factors };

/* l [n][n] <- the lower factor of the correlation of n antennas. */
static void correlation_factor(int n, double a, double *l)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double apart = n > 1 ? (double)(i - j) / (n - 1) : 0.0;
            double sum = i == j ? 1.0 : pow(a, apart * apart);
            for (int k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    }
}

/* H <- L_rx H L_tx' */
static void correlate(const link_of *of, lte_cplx *h)
{
    double rx[MOST_RX * MOST_RX], tx[MOST_TX * MOST_TX];
    double complex left[MOST_RX * MOST_TX];
    const int n_rx = of->n_rx, n_tx = of->n_tx;
    if (of->alpha <= 0.0 && of->beta <= 0.0)
        return;
    correlation_factor(n_rx, of->beta, rx);
    correlation_factor(n_tx, of->alpha, tx);
    for (int e = 0; e < n_rx * n_tx; e++) {
        left[e] = 0.0;
        for (int r = 0; r <= e / n_tx; r++)
            left[e] += rx[e / n_tx * n_rx + r] * in_double(h[r * n_tx + e % n_tx]);
    }
    for (int e = 0; e < n_rx * n_tx; e++) {
        double complex sum = 0.0;
        for (int k = 0; k <= e % n_tx; k++)
            sum += left[e / n_tx * n_tx + k] * tx[e % n_tx * n_tx + k];
        h[e] = (lte_cplx){(float)creal(sum), (float)cimag(sum)};
    }
}

/* What detectors work with. */
typedef struct {
    lte_cplx h[MOST_RX * MOST_TX], y[MOST_RX], state[SPACE], work[SPACE];
    lte_word sent[LTE_SLOT_SYMBOLS * MOST_TX], label[MOST_TX];
    float llr[MOST_TX * N_BITS];
} memory;

static void draw(const link_of *of, double n0, uint32_t sc, memory *m)
{
    const lte_draws draws = lte_draws_of(23, of->n_rx, of->n_tx, N_BITS);
    lte_cplx noise[MOST_RX];
    lte_channel_rayleigh(&draws, 0, sc, m->h);
    correlate(of, m->h);
    lte_draw_labels(&draws, 0, sc, m->sent);
    lte_draw_noise(&draws, 0, sc, 0, noise);
    for (int r = 0; r < of->n_rx; r++) {
        m->y[r] = c_scale(noise[r], sqrtf((float)n0));
        for (int k = 0; k < of->n_tx; k++)
            m->y[r] = c_mac(m->y[r], m->h[r * of->n_tx + k], lte_qam_map(N_BITS, m->sent[k]));
    }
}

/* ln(1 + e^-x) */
static double lost(double x)
{
    return x > 0.0 ? log1p(exp(-x)) : -x + log1p(exp(x));
}

static worth worth_of(const link_of *of)
{
    static memory m;
    const int n_elements = is_short() ? 300 : 1200;
    const double n0 = of->n_tx / pow(10.0, of->snr_db / 10.0), n = (double)n_elements * of->n_tx;
    double sum[N_FACTORS] = {0.0}, wrong = 0.0;
    worth w = {0.0, -INFINITY, 0.0, 0.0};
    lte_detector detector;
    assert_true(lte_detector_find(of->name, &detector));
    const lte_detector_plan plan = lte_detector_plan_of(detector, of->n_rx, of->n_tx, N_BITS, true);
    const lte_detector_row *row = lte_detector_row_of(detector);
    lte_inverse_fn *const invert = lte_cholesky;
    assert_true(row->state(&plan) <= SPACE && row->work(&plan) <= SPACE);
    for (int sc = 0; sc < n_elements; sc++) {
        const lte_decision decision = {.label = m.label, .llr = m.llr};
        draw(of, n0, (uint32_t)sc, &m);
        assert_int_equal(lte_prepare(&plan, m.h, lte_white((float)n0), invert, m.state, m.work), 0);
        assert_int_equal(lte_detect(&plan, m.state, m.y, &decision, m.work), 0);
        for (int e = 0; e < of->n_tx * N_BITS; e++) {
            const unsigned bit = m.sent[e / N_BITS] >> e % N_BITS & 1;
            const double towards = bit ? -(double)m.llr[e] : (double)m.llr[e];
            wrong += (m.label[e / N_BITS] >> e % N_BITS & 1) != bit;
            for (int f = 0; f < N_FACTORS; f++)
                sum[f] += lost(factors[f] * towards) * M_LOG2E;
        }
    }
    for (int f = 0; f < N_FACTORS; f++) {
        const double information = N_BITS - sum[f] / n;
        w.plain = factors[f] == 1.0 ? information : w.plain;
        w.factor = information > w.best ? factors[f] : w.factor;
        w.best = fmax(w.best, information);
    }
    w.ber = wrong / (n * N_BITS);
    return w;
}

/* Whether they need no factor, and come to `least` bits; counts those that do not. */
static int needs_a_factor(const link_of *of, double least)
{
    const worth w = worth_of(of);
    const bool told =
        w.best < 0.02 || (w.factor >= 0.8 && w.factor <= 1.25 && w.plain >= 0.9 * w.best);
    if (told && w.plain >= least)
        return 0;
    print_error("%s, %dx%d, %g dB, alpha %g: %.3f bit, %.3f at %g\n", of->name, of->n_rx, of->n_tx,
                of->snr_db, of->alpha, w.plain, w.best, w.factor);
    return 1;
}

static void iterations_need_no_factor(void **state)
{
    static const char *const names[] = {"cg-1",  "cg-2",  "cg-3",      "cg",        "cg-8",
                                        "cg-16", "cg-64", "neumann-1", "neumann-2", "neumann"};
    static const int shapes[][2] = {{2, 2}, {4, 4}, {6, 4}, {8, 8}};
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < 10 * sizeof shapes / sizeof *shapes; i += is_short() ? 7 : 1) {
        const int *shape = shapes[i / 10];
        for (int c = 0; c < 4; c++) {
            const link_of of = {names[i % 10],       shape[0],          shape[1],
                                c % 2 ? 20.0 : 13.0, c / 2 ? 0.3 : 0.0, c / 2 ? 0.9 : 0.0};
            failed += needs_a_factor(&of, -INFINITY);
        }
    }
    assert_int_equal(failed, 0);
}

static void iterations_are_worth_what_they_reach(void **state)
{
    (void)state;
    assert_int_equal(needs_a_factor(&(link_of){"cg-4", 8, 8, 13.0, 0.0, 0.0}, 2.0), 0);
    assert_int_equal(needs_a_factor(&(link_of){"cg-4", 8, 8, 20.0, 0.0, 0.0}, 2.3), 0);
    assert_int_equal(needs_a_factor(&(link_of){"neumann-2", 4, 4, 13.0, 0.0, 0.0}, 1.1), 0);
}

/* As MMSE: cg in its last step, and on many antennas. */
static void solutions_are_worth_those_of_mmse(void **state)
{
    static const struct {
        const char *name;
        int n_rx, n_tx;
        double snr_db, alpha, beta, apart, ber; /* bits behind; share of the BER */
    } rows[] = {
        {"cg-16", 4, 4, 13.0, 0.0, 0.0, 0.03, 0.01}, {"cg-16", 4, 4, 20.0, 0.0, 0.0, 0.03, 0.01},
        {"cg-16", 8, 8, 13.0, 0.0, 0.0, 0.03, 0.01}, {"cg-16", 4, 4, 13.0, 0.9, 0.9, 0.03, 0.01},
        {"cg-16", 4, 4, 20.0, 0.9, 0.9, 0.03, 0.01}, {"cg-16", 2, 2, 25.0, 0.3, 0.9, 0.03, 0.01},
        {"cg", 64, 8, 0.0, 0.0, 0.0, 0.005, 0.01},   {"neumann", 64, 8, 0.0, 0.0, 0.0, 0.02, 0.03}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        link_of of = {rows[i].name,   rows[i].n_rx,  rows[i].n_tx,
                      rows[i].snr_db, rows[i].alpha, rows[i].beta};
        const worth own = worth_of(&of);
        of.name = "mmse";
        const worth mmse = worth_of(&of);
        if (own.plain < mmse.plain - rows[i].apart ||
            fabs(own.ber - mmse.ber) > rows[i].ber * mmse.ber)
            fail_msg("%s, %dx%d, %g dB: %.3f bit and BER %.4f, mmse %.3f and %.4f", rows[i].name,
                     of.n_rx, of.n_tx, of.snr_db, own.plain, own.ber, mmse.plain, mmse.ber);
    }
}

static void cancellation_is_worth_mmse(void **state)
{
    static const int shapes[][2] = {{2, 2}, {4, 4}, {8, 4}, {8, 8}};
    int failed = 0, asked = 0;
    (void)state;
    for (int i = 0; i < 8; i++) {
        for (int step = 0; step <= 10; step += is_short() ? 3 : 1) {
            const double snr_db = 3.0 * step;
            const int *shape = shapes[i % 4];
            link_of of = {"mmse", shape[0], shape[1], snr_db, i / 4 ? 0.3 : 0.0, i / 4 ? 0.9 : 0.0};
            const worth mmse = worth_of(&of);
            if (mmse.plain < 0.2 * N_BITS || mmse.plain > 0.95 * N_BITS)
                continue;
            of.name = "mmse-sic";
            const worth own = worth_of(&of);
            asked++;
            if (own.plain >= mmse.plain - 0.06)
                continue;
            failed++;
            print_error("%dx%d, %g dB, alpha %g: %.3f bit, mmse %.3f\n", of.n_rx, of.n_tx, snr_db,
                        of.alpha, own.plain, mmse.plain);
        }
    }
    assert_true(asked >= (is_short() ? 8 : 30));
    assert_int_equal(failed, 0);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(llrs, iterations_need_no_factor),
    LTE_CASE(llrs, iterations_are_worth_what_they_reach),
    LTE_CASE(llrs, solutions_are_worth_those_of_mmse),
    LTE_CASE(llrs, cancellation_is_worth_mmse),
};

int main(void)
{
    return cmocka_run_group_tests_name("honest_llrs", cases, NULL, NULL);
}
