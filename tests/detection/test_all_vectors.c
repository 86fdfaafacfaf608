/*
 * Detectors that search against all vectors in long double: matrices of any rank, and sums of
 * exponentials far below the least normal number.
 */

#include "tests/detection/reference.h"

static uint64_t random_state = 1937;

/* ---- rank ---- */

/*
 * H of a subcarrier as a product [n_rx][rank] [rank][n_tx] of normal elements, each rounded once.
 * Without rounding are rank 0, columns that differ by turns of 90 degrees, or 1 1, 0 0; and rank 3
 * of four layers, where the last column is the first.
 */
static void set_rank(slot *s, int sc, int rank)
{
    static const double complex turns[4] = {1.0, CMPLX(0.0, 1.0), -1.0, CMPLX(0.0, -1.0)};
    const bool two_alike = rank == 3 && s->n_tx == 4;
    const int terms = two_alike ? 4 : rank;
    double complex left[8][8], right[8][8];
    for (int e = 0; e < 64; e++) {
        left[e / 8][e % 8] = random_complex(&random_state);
        right[e / 8][e % 8] = random_complex(&random_state);
    }
    for (int r = 0; r < s->n_rx; r++) {
        for (int k = 0; k < s->n_tx; k++) {
            double complex sum = rank > 0 ? 0.0 : left[r][0] * turns[k % 4];
            if (rank == 0 && s->n_tx == 2)
                sum = r == 0 ? 1.0 : 0.0;
            for (int j = 0; j < terms; j++)
                sum = z_mac(sum, left[r][j], right[j][two_alike && k == 3 ? 0 : k]);
            element_set(s->h, h_at(s, sc, r, k), sum);
        }
    }
}

static slot slot_of_rank(int n, int n_bits, int rank, double n0)
{
    slot s = slot_of(n > 2 ? 4 : 12, n, n, n_bits);
    for (int sc = 0; sc < s.n_sc; sc++)
        set_rank(&s, sc, rank);
    slot_send(&s, n0, &random_state);
    return s;
}

/*
 * What a metric may be above the least: 1e-4 of it, and rounding. Each of n_rx sums of n_tx + 1
 * products of floats is off by at most (n_tx + 1) 2^-23 (|y| + |H| |x|), and d_r by so much over
 * sqrt(n0), twice, once where b = Q'y is made and once where it is used: with e the length of that
 * error, a vector at the distance sqrt(m) has a metric within 2 e sqrt(m) + e^2 of its own, and so
 * has the one that is taken in its place.
 */
static long double allowed_above(const seen *e, long double least)
{
    long double largest = 0.0L;
    for (int r = 0; r < e->n_rx; r++) {
        long double sum = cabsl(e->y[r]);
        for (int k = 0; k < e->n_tx; k++)
            sum += cabsl(e->h[r][k]) * 1.5L; /* |x| of any point */
        largest = fmaxl(largest, sum);
    }
    const long double error =
        2.0L * (e->n_tx + 1) * ldexpl(1.0L, -23) * largest * sqrtl(e->n_rx / e->n0);
    return 1e-4L * least + 2.0L * (2.0L * error * sqrtl(least) + error * error);
}

/* Labels of a detector against the vector of the least metric. */
static void check_least(const slot *s, const char *name, counted *found)
{
    uint16_t *label = slot_labels(s, name);
    for (int i = 0; i < SYMBOLS * s->n_sc; i++) {
        const seen e = seen_of(s, i / s->n_sc, i % s->n_sc);
        long double llr[TOLD_TX * LTE_MAX_BITS];
        const long double least = tell_all_vectors(&e, false, llr);
        const long double mine = metric_by(&e, &label[i * s->n_tx]);
        COUNT_WRONG(found, !(mine - least <= allowed_above(&e, least)),
                    "%dx%d, %d bits, n0 %g: metric %.6Lg, least %.6Lg", s->n_rx, s->n_tx, s->n_bits,
                    (double)s->n0, mine, least);
    }
    free(label);
}

/* LLRs of a detector against max-log over all vectors, or sums over them. */
static void check_llrs(const slot *s, const char *name, bool exact, counted *found)
{
    const int each = s->n_tx * s->n_bits;
    int8_t *mine = slot_llrs(s, name, "max-log");
    for (int i = 0; i < SYMBOLS * s->n_sc; i++) {
        const seen e = seen_of(s, i / s->n_sc, i % s->n_sc);
        long double llr[TOLD_TX * LTE_MAX_BITS];
        (void)tell_all_vectors(&e, exact, llr);
        for (int b = 0; b < each; b++) {
            const double right = whole_of(llr[b], s->llr_scale);
            COUNT_WRONG(found, !(fabs(mine[i * each + b] - round(right)) <= 1.0),
                        "%dx%d, %d bits, n0 %g: LLR %d, not %.4g", s->n_rx, s->n_tx, s->n_bits,
                        (double)s->n0, mine[i * each + b], right);
        }
    }
    free(mine);
}

/* Both noises and ranks of links of n layers, full rank too; rank 0 is set_rank's. */
typedef void of_link(const slot *s, counted *found);

/* Returns how many backends are wrong. */
static int check_ranks(const char *what, int n, int n_bits, of_link *check)
{
    counted found[16] = {{0}};
    const char *backend;
    int failed = 0;
    for (int rank = 0; rank <= n; rank++) {
        for (int noise = 0; noise < 2; noise++) {
            slot s = slot_of_rank(n, n_bits, rank, noise ? 1e-3 : 1e-1);
            for (int at = 0, b = 0; (s.backend = next_backend(&at)) != NULL; b++)
                check(&s, &found[b]);
            slot_free(&s);
        }
    }
    for (int at = 0, b = 0; (backend = next_backend(&at)) != NULL; b++) {
        char text[80];
        (void)snprintf(text, sizeof text, "%s on %s", what, backend);
        failed += count_told(&found[b], text);
    }
    return failed;
}

static void ml_labels(const slot *s, counted *found)
{
    check_least(s, "ml", found);
    check_least(s, "ml-exact", found);
}

/* At most 16 either way, which is more than an LLR of 8 bits holds. */
static void ml_llrs(const slot *s, counted *found)
{
    check_llrs(s, "ml", false, found);
    check_llrs(s, "ml-exact-clip16", true, found);
}

static void any_ml_decides_as_all_vectors(void **state)
{
    const int failed = check_ranks("ml, 2x2, QPSK", 2, 2, ml_labels) +
                       check_ranks("ml, 2x2, 16QAM", 2, 4, ml_labels) +
                       check_ranks("ml, 4x4, QPSK", 4, 2, ml_labels);
    (void)state;
    assert_int_equal(failed, 0);
}

static void any_ml_has_the_llrs_of_all_vectors(void **state)
{
    const int failed = check_ranks("LLRs of ml, 2x2, QPSK", 2, 2, ml_llrs) +
                       check_ranks("LLRs of ml, 2x2, 16QAM", 2, 4, ml_llrs) +
                       check_ranks("LLRs of ml, 4x4, QPSK", 4, 2, ml_llrs);
    (void)state;
    assert_int_equal(failed, 0);
}

/* Its list has all vectors of one layer. */
static void kbest_labels(const slot *s, counted *found)
{
    check_least(s, "kbest-16", found);
}

/* Its list has all vectors of both layers. */
static void kbest_llrs(const slot *s, counted *found)
{
    check_llrs(s, "kbest-16-clip16", false, found);
}

static void any_kbest_with_a_complete_list_is_ml(void **state)
{
    const int failed = check_ranks("kbest, 2x2, QPSK", 2, 2, kbest_labels) +
                       check_ranks("kbest, 2x2, 16QAM", 2, 4, kbest_labels) +
                       check_ranks("LLRs of kbest, 2x2, QPSK", 2, 2, kbest_llrs);
    (void)state;
    assert_int_equal(failed, 0);
}

static void fsd_labels(const slot *s, counted *found)
{
    check_least(s, "fsd-1", found);
}

static void any_fsd_of_one_full_layer_of_two_is_ml(void **state)
{
    const int failed = check_ranks("fsd-1, 2x2, QPSK", 2, 2, fsd_labels) +
                       check_ranks("fsd-1, 2x2, 16QAM", 2, 4, fsd_labels) +
                       check_ranks("fsd-1, 2x2, 64QAM", 2, 6, fsd_labels);
    (void)state;
    assert_int_equal(failed, 0);
}

/*
 * The metric of plain successive decisions in an order of layers, the last one first: of each layer
 * what is left of its column beside those before it says the decision. A column without a rest, up
 * to the rounding of H, gets the label of zero.
 */
static long double metric_in_turn(const seen *e, const int *order)
{
    wide q[TOLD_TX][TOLD_RX];
    wide y[TOLD_RX];
    uint16_t label[TOLD_TX];
    const int n = e->n_rx;
    memcpy(y, e->y, sizeof y);
    for (int i = 0; i < e->n_tx; i++) {
        long double power = 0.0L, whole = 0.0L;
        for (int r = 0; r < n; r++) {
            q[i][r] = e->h[r][order[i]];
            whole += wide_square(q[i][r]);
        }
        for (int again = 0; again < 2; again++) {
            for (int j = 0; j < i; j++) {
                const wide part = inner(n, q[j], q[i]);
                for (int r = 0; r < n; r++)
                    q[i][r] -= part * q[j][r];
            }
        }
        for (int r = 0; r < n; r++)
            power += wide_square(q[i][r]);
        for (int r = 0; r < n; r++)
            q[i][r] = power > 1e-10L * whole ? q[i][r] / sqrtl(power) : 0.0L;
    }
    for (int i = e->n_tx - 1; i >= 0; i--) {
        wide column[TOLD_RX];
        for (int r = 0; r < n; r++)
            column[r] = e->h[r][order[i]];
        const wide pivot = inner(n, q[i], column);
        const wide x = wide_square(pivot) > 0.0L ? inner(n, q[i], y) / pivot : 0.0L;
        label[order[i]] = (uint16_t)(wide_square(pivot) > 0.0L ? nearest(e->n_bits, x)
                                                               : label_of_zero(e->n_bits));
        for (int r = 0; r < n; r++)
            y[r] -= column[r] * (wide)point_of(e->n_bits, label[order[i]]);
    }
    return metric_by(e, label);
}

/* The largest metric of successive decisions over all orders of four layers, and their mean. */
static long double largest_in_turn(const seen *e, long double *mean)
{
    long double largest = 0.0L;
    int n_orders = 0;
    *mean = 0.0L;
    for (int code = 0; code < 256; code++) {
        const int order[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        unsigned set = 0;
        for (int i = 0; i < 4; i++)
            set |= 1u << order[i];
        if (set != 15)
            continue;
        const long double metric = metric_in_turn(e, order);
        largest = fmaxl(largest, metric);
        *mean += metric;
        n_orders++;
    }
    *mean /= n_orders;
    return largest;
}

/*
 * Among its vectors is that of successive decisions in its own order of layers, which is one of all
 * orders; in the mean over elements it is no worse than the mean of all orders.
 */
static void fsd_metrics(const slot *s, counted *found)
{
    uint16_t *label = slot_labels(s, "fsd-1");
    long double sum = 0.0L, sum_of_means = 0.0L;
    for (int i = 0; i < SYMBOLS * s->n_sc; i++) {
        const seen e = seen_of(s, i / s->n_sc, i % s->n_sc);
        long double mean;
        const long double largest = largest_in_turn(&e, &mean);
        const long double mine = metric_by(&e, &label[i * s->n_tx]);
        COUNT_WRONG(found, !(mine <= largest + allowed_above(&e, largest)),
                    "n0 %g: metric %.6Lg, successive %.6Lg at most", (double)s->n0, mine, largest);
        sum += mine;
        sum_of_means += mean;
    }
    COUNT_WRONG(found, !(sum <= sum_of_means), "n0 %g: metrics %.6Lg, successive %.6Lg in the mean",
                (double)s->n0, sum, sum_of_means);
    free(label);
}

static void any_fsd_is_no_worse_than_successive_decisions(void **state)
{
    const int failed = check_ranks("fsd-1, 4x4, QPSK", 4, 2, fsd_metrics) +
                       check_ranks("fsd-1, 4x4, 16QAM", 4, 4, fsd_metrics);
    (void)state;
    assert_int_equal(failed, 0);
}

/* ---- exact LLRs of ml ---- */

/* One layer of QPSK: L = 4 a A / n0 with A = sqrt(1/2). */
static void llrs_of_one_layer_go_on_beyond_87(void **state)
{
    static const double right[] = {82.3, 87.4, 92.6, 97.7};
    int failed = 0;
    slot s = slot_of(1, 1, 1, 2);
    (void)state;
    element_set(s.h, 0, 1.0);
    s.n0 = 0.03f, s.llr_scale = 1.0f;
    for (int at = 0; (s.backend = next_backend(&at)) != NULL;) {
        counted found = {0};
        for (int i = 0; i < 4; i++) {
            for (int symbol = 0; symbol < SYMBOLS; symbol++) {
                const double a = right[i] * 0.03 / 4.0 * M_SQRT2;
                element_set(s.y, (size_t)symbol,
                            a * CMPLX(symbol % 2 ? -1 : 1, symbol < 4 ? 1 : -1));
            }
            int8_t *llr = slot_llrs(&s, "ml-exact-clip100", "exact");
            for (int b = 0; b < SYMBOLS * 2; b++) {
                const int sign = s.y[b] < 0.0f ? -1 : 1;
                COUNT_WRONG(&found, !(fabs(sign * llr[b] - right[i]) <= 1.0), "%d, not %.1f",
                            sign * llr[b], right[i]);
            }
            free(llr);
        }
        failed += count_told(&found, s.backend);
    }
    slot_free(&s);
    assert_int_equal(failed, 0);
}

/* Two layers, with the largest clip, 100: within one of rounded sums over all vectors. */
static void llrs_of_two_layers_are_sums_over_all_vectors(void **state)
{
    static const double noises[] = {1.0, 0.1, 0.05, 0.03, 0.02, 0.01, 0.003, 1e-4};
    const char *backend;
    int failed = 0;
    (void)state;
    for (int at = 0; (backend = next_backend(&at)) != NULL;) {
        uint64_t random = 2718;
        counted found = {0};
        for (int i = 0; i < 8; i++) {
            for (int n_bits = 2; n_bits <= 4; n_bits += 2) {
                slot s = slot_of(n_bits == 2 ? 40 : 20, 2, 2, n_bits);
                s.backend = backend, s.llr_scale = 1.0f;
                slot_rayleigh(&s, &random);
                slot_send(&s, noises[i], &random);
                int8_t *mine = slot_llrs(&s, "ml-exact-clip100", "exact");
                for (int e = 0; e < SYMBOLS * s.n_sc; e++) {
                    const seen one = seen_of(&s, e / s.n_sc, e % s.n_sc);
                    long double llr[TOLD_TX * LTE_MAX_BITS];
                    (void)tell_all_vectors(&one, true, llr);
                    for (int b = 0; b < 2 * n_bits; b++) {
                        const long double right = fmaxl(-100.0L, fminl(100.0L, llr[b]));
                        const double is = mine[e * 2 * n_bits + b];
                        COUNT_WRONG(&found, !(fabs(is - (double)roundl(right)) <= 1.0),
                                    "%d bits, n0 %g: %g, not %.2Lf", n_bits, noises[i], is, right);
                    }
                }
                free(mine);
                slot_free(&s);
            }
        }
        failed += count_told(&found, backend);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(rank, any_ml_decides_as_all_vectors),
        LTE_CASE(rank, any_ml_has_the_llrs_of_all_vectors),
        LTE_CASE(rank, any_kbest_with_a_complete_list_is_ml),
        LTE_CASE(rank, any_fsd_of_one_full_layer_of_two_is_ml),
        LTE_CASE(rank, any_fsd_is_no_worse_than_successive_decisions),
        LTE_CASE(ml_exact, llrs_of_one_layer_go_on_beyond_87),
        LTE_CASE(ml_exact, llrs_of_two_layers_are_sums_over_all_vectors),
    };
    const char *only = getenv("LTE_TEST_CASE");
    if (only)
        cmocka_set_test_filter(only);
    return cmocka_run_group_tests_name("all_vectors", cases, NULL, NULL);
}
