/* What all detectors that search have in common; by themselves: test_ml.c, test_kbest.c. */
#include "tests/lib/detected.h"
#include "tests/lib/matrices.h"

#define ID(id) LTE_DETECTOR_##id,
static const int searching[] = {LTE_SEARCHING_DETECTORS(ID)};
#undef ID
enum { N_SEARCHING = sizeof searching / sizeof *searching };

static void without_noise_all_layers_are_right(void **state)
{
    (void)state;
    for (int i = 0; i < 32 * N_SEARCHING; i++) {
        const int id = searching[i % N_SEARCHING], c = i / N_SEARCHING;
        const int n_tx = 1 + c % 4, n_rx = n_tx + c % 3, n_bits = 2 + 2 * (c % 3);
        static element p;
        element_draw(&p, n_rx, n_tx, n_bits, 0.0f, (uint32_t)c);
        element_prepare(&p, lte_detector_usual(id));
        assert_int_equal(p.flag, 0);
        element_detect(&p);
        for (int e = 0; e < n_tx * n_bits; e++) {
            const uint32_t bit = p.sent[e / n_bits] >> e % n_bits & 1;
            assert_int_equal(p.label[e / n_bits] >> e % n_bits & 1, bit);
            assert_true(!p.plan.llrs || (bit ? p.llr[e] < 0.0f : p.llr[e] > 0.0f));
        }
    }
}

/* A detector by whose usual parameters LLRs are max-log. */
static lte_detector max_log(int id)
{
    lte_detector detector = lte_detector_usual(id);
    for (int i = 0; i < LTE_MOST_PARAMETERS; i++) {
        if (lte_detector_rows[id].parameter[i].words)
            detector.value[i] = LTE_DEMAPPER_max_log;
    }
    return detector;
}

/*
 * Where max-log LLRs are not 0 their signs are those of the labels: of the detectors that take both
 * from one search.
 */
static void llrs_have_the_signs_of_the_labels(void **state)
{
    (void)state;
    for (int i = 0; i < 200 * N_SEARCHING; i++) {
        const int id = searching[i % N_SEARCHING], c = i / N_SEARCHING;
        static element p;
        if (id == LTE_DETECTOR_mmse_sic)
            continue;
        element_draw(&p, 3 + c % 2, 3, 4, 0.3f, (uint32_t)c);
        element_prepare(&p, max_log(id));
        element_detect(&p);
        for (int e = 0; p.plan.llrs && e < 12; e++) {
            const uint32_t bit = p.label[e / 4] >> e % 4 & 1;
            assert_true(p.llr[e] == 0.0f || (p.llr[e] < 0.0f) == bit);
        }
    }
}

static void what_has_no_answer_is_decided_as_zero(void **state)
{
    static const float broken[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (int i = 0; i < 6 * N_SEARCHING; i++) {
        const int id = searching[i / 6], c = i % 6;
        static element p;
        element_draw(&p, 4, 3, 6, 0.1f, (uint32_t)c); /* 64QAM: zero is not label 0 */
        for (int r = 0; r < 4 && c < 3; r++)
            p.h[r * 3 + 1] = (lte_cplx){broken[c], 0.0f};
        if (c >= 3)
            p.y[2].im = broken[c - 3];
        element_prepare(&p, lte_detector_usual(id));
        element_detect(&p);
        assert_int_equal(p.flag != 0, c < 3);
        for (int e = 0; e < 18; e++) {
            assert_int_equal(p.label[e / 6], lte_qam_slice(6, c_zero()));
            assert_true(!p.plan.llrs || p.llr[e] == 0.0f);
        }
    }
}

/* ---- mmse-sic ---- */

/*
 * The MMSE filter of layer k beside the layers of a mask: z = C^-1 h_k with C = H_S H_S' + n0 I
 * over these and k itself. Returns the gain z'h_k.
 */
static double filter_beside(const element *p, uint32_t others, int k, double complex *z)
{
    const int n_rx = p->plan.n_rx, n_tx = p->plan.n_tx;
    double complex c[ELEMENT_RX * ELEMENT_RX], inverse[ELEMENT_RX * ELEMENT_RX], gain = 0.0;
    for (int e = 0; e < n_rx * n_rx; e++) {
        c[e] = e % (n_rx + 1) == 0 ? (double)p->n0 : 0.0;
        for (int j = 0; j < n_tx; j++) {
            if ((others | 1u << k) >> j & 1)
                c[e] += in_double(p->h[e / n_rx * n_tx + j]) *
                        conj(in_double(p->h[e % n_rx * n_tx + j]));
        }
    }
    invert_in_double(n_rx, c, inverse);
    for (int r = 0; r < n_rx; r++) {
        z[r] = 0.0;
        for (int e = 0; e < n_rx; e++)
            z[r] += inverse[r * n_rx + e] * in_double(p->h[e * n_tx + k]);
        gain += conj(z[r]) * in_double(p->h[r * n_tx + k]);
    }
    return creal(gain);
}

/* z'b over antennas; column k of H. */
static double complex filtered(const element *p, const double complex *z, const double complex *b)
{
    double complex sum = 0.0;
    for (int r = 0; r < p->plan.n_rx; r++)
        sum += conj(z[r]) * b[r];
    return sum;
}
static void column_of(const element *p, int k, double complex *h)
{
    for (int r = 0; r < p->plan.n_rx; r++)
        h[r] = in_double(p->h[r * p->plan.n_tx + k]);
}

/* The exact LLR of a bit from an unbiased estimate in noise of power 1 / sinr. */
static double llr_of(int n_bits, int bit, double complex x, double sinr)
{
    double sum[2] = {0.0, 0.0};
    for (uint32_t a = 0; a < 1u << n_bits; a++)
        sum[a >> bit & 1] += exp(-sinr * z_square(x - in_double(lte_qam_map(n_bits, a))));
    return log(sum[0]) - log(sum[1]);
}

/* The mean of |s - decided|^2 over symbols s, weighted as in llr_of. */
static double error_of(int n_bits, double complex x, double sinr, double complex decided)
{
    double sum = 0.0, error = 0.0;
    for (uint32_t a = 0; a < 1u << n_bits; a++) {
        const double complex s = in_double(lte_qam_map(n_bits, a));
        const double weight = exp(-sinr * z_square(x - s));
        sum += weight;
        error += weight * z_square(s - decided);
    }
    return error / sum;
}

/* The layer of the largest SINR among those of a mask; near: two are alike to 1e-4. */
static int best_layer(const element *p, uint32_t left, bool *near)
{
    double most = -1.0, second = -1.0;
    int best = -1;
    for (int k = 0; k < p->plan.n_tx; k++) {
        double complex z[ELEMENT_RX];
        if (!(left >> k & 1))
            continue;
        const double mu = filter_beside(p, left & ~(1u << k), k, z), sinr = mu / (1.0 - mu);
        second = fmax(second, fmin(most, sinr));
        best = sinr > most ? k : best;
        most = fmax(most, sinr);
    }
    *near = *near || second > most * (1.0 - 1e-4);
    return best;
}

/*
 * By its definition: each layer is the best one of those that are left, decided by the MMSE
 * estimate of what is left; LLRs allow for wrong decisions, or are those of the plain MMSE estimate
 * where its SINR is larger. Counts the LLRs of plain estimates.
 */
static void check_sic(element *p, uint32_t sc, int *n_plain)
{
    const int n_rx = p->plan.n_rx, n_tx = p->plan.n_tx;
    const uint32_t all = (1u << n_tx) - 1;
    double complex y[ELEMENT_RX], h[ELEMENT_RX], z[ELEMENT_RX], first_y[ELEMENT_RX];
    double error[ELEMENT_TX] = {0.0};
    uint32_t left = all;
    bool near = false;
    for (int r = 0; r < n_rx; r++)
        y[r] = first_y[r] = in_double(p->y[r]);
    for (int i = n_tx - 1; i >= 0; i--) {
        const int k = best_layer(p, left, &near);
        if (near)
            return;
        assert_int_equal((int)lte_tree_layers(&p->plan, p->state)[i], k);
        left &= ~(1u << k);
        const double mu = filter_beside(p, left, k, z);
        const double complex x = filtered(p, z, y) / mu;
        const double complex decided = in_double(lte_qam_map(4, p->label[k]));
        double noise = (1.0 - mu) / mu, nearest = INFINITY;
        for (int j = 0; j < n_tx; j++) {
            column_of(p, j, h);
            if (j != k && !(left >> j & 1))
                noise += z_square(filtered(p, z, h) / mu) * error[j];
        }
        for (uint32_t a = 0; a < 16; a++)
            nearest = fmin(nearest, cabs(x - in_double(lte_qam_map(4, a))));
        assert_near(cabs(x - decided), nearest, 1e-4);
        error[k] = error_of(4, x, 1.0 / noise, decided);
        const double plain_mu = filter_beside(p, all & ~(1u << k), k, z);
        const double plain = plain_mu / (1.0 - plain_mu), own = 1.0 / noise;
        const double complex plain_x = filtered(p, z, first_y) / plain_mu;
        *n_plain += plain > own;
        for (int bit = 0; bit < 4 && fabs(plain - own) > 1e-4 * own; bit++) {
            const double llr =
                plain > own ? llr_of(4, bit, plain_x, plain) : llr_of(4, bit, x, own);
            if (fabs((double)p->llr[k * 4 + bit] - llr) > 2e-3 * (1.0 + fabs(llr)))
                fail_msg("element %u, layer %d, bit %d: LLR %g, not %g", sc, k, bit,
                         (double)p->llr[k * 4 + bit], llr);
        }
        column_of(p, k, h);
        for (int r = 0; r < n_rx; r++)
            y[r] -= h[r] * decided;
    }
}

static void sic_takes_the_best_of_what_is_left(void **state)
{
    int n_plain = 0;
    (void)state;
    for (uint32_t sc = 0; sc < 320; sc++) {
        static element p;
        const int n_tx = 1 + (int)sc % 8, n_rx = n_tx + (int)sc / 8 % 3;
        element_draw(&p, n_rx, n_tx, 4, 0.2f, sc);
        element_prepare(&p, lte_detector_usual(LTE_DETECTOR_mmse_sic));
        element_detect(&p);
        check_sic(&p, sc, &n_plain);
    }
    assert_true(n_plain > 20 && n_plain < 1000);
}

/* ---- fsd ---- */

/* Noise behind zero forcing of layer k among those of a mask. */
static double noise_behind(const element *p, uint32_t mask, int k)
{
    const int n_rx = p->plan.n_rx, n_tx = p->plan.n_tx;
    double complex g[ELEMENT_TX * ELEMENT_TX], inverse[ELEMENT_TX * ELEMENT_TX];
    int of[ELEMENT_TX], n = 0, at = 0;
    for (int j = 0; j < n_tx; j++) {
        if (mask >> j & 1)
            of[n++] = j;
    }
    if (n == 0)
        return (double)NAN;
    for (int e = 0; e < n * n; e++) {
        g[e] = 0.0;
        for (int r = 0; r < n_rx; r++)
            g[e] += z_inner(in_double(p->h[r * n_tx + of[e / n]]),
                            in_double(p->h[r * n_tx + of[e % n]]));
    }
    invert_in_double(n, g, inverse);
    while (of[at] != k)
        at++;
    return creal(inverse[at * n + at]);
}

static void fsd_takes_the_weakest_in_full_then_the_strongest(void **state)
{
    (void)state;
    for (uint32_t sc = 0; sc < 300; sc++) {
        static element p;
        const int n_tx = 2 + (int)sc % 7, n_rx = n_tx + (int)sc % 3, full = 1 + (int)sc % 2;
        uint32_t left = (1u << n_tx) - 1;
        element_draw(&p, n_rx, n_tx, 2, 0.2f, sc);
        element_prepare(&p, (lte_detector){LTE_DETECTOR_fsd, {full}});
        const float *layer = lte_tree_layers(&p.plan, p.state);
        for (int i = n_tx - 1; i >= 0; i--) {
            const int k = (int)layer[i];
            const double own = noise_behind(&p, left, k);
            assert_true(left >> k & 1);
            for (int j = 0; j < n_tx; j++) {
                const double other = left >> j & 1 ? noise_behind(&p, left, j) : own;
                assert_true(i >= n_tx - full ? other <= own * 1.001 : other >= own * 0.999);
            }
            left &= ~(1u << k);
        }
    }
}

/* The vector of a way: its full layers as it says, the others by successive zero forcing. */
static uint32_t followed(const element *p, int full, uint32_t way)
{
    const int n_rx = p->plan.n_rx, n_tx = p->plan.n_tx, n_bits = p->plan.n_bits;
    const float *layer = lte_tree_layers(&p->plan, (lte_cplx *)p->state);
    const lte_cplx *r = lte_tree_r(&p->plan, (lte_cplx *)p->state);
    uint32_t vector = 0;
    for (int i = n_tx - 1; i >= 0; i--) {
        double complex rest = 0.0; /* row i of Q'y less what is decided, over r_ii */
        uint32_t label = 0;
        double least = INFINITY;
        for (int e = 0; e < n_rx; e++)
            rest += z_inner(in_double(p->state[e * n_tx + i]), in_double(p->y[e]));
        for (int j = i + 1; j < n_tx; j++)
            rest -= in_double(r[i * n_tx + j]) * symbol_of(p, vector, (int)layer[j]);
        for (uint32_t a = 0; a < 1u << n_bits; a++) {
            const double d =
                z_square(rest / (double)r[i * n_tx + i].re - in_double(lte_qam_map(n_bits, a)));
            label = d < least ? a : label;
            least = fmin(d, least);
        }
        if (i >= n_tx - full)
            label = way >> (i - (n_tx - full)) * n_bits & ((1u << n_bits) - 1);
        vector |= label << (int)layer[i] * n_bits;
    }
    return vector;
}

static void fsd_takes_the_best_of_its_vectors(void **state)
{
    (void)state;
    for (uint32_t sc = 0; sc < 200; sc++) {
        static element p;
        const int n_tx = 2 + (int)sc % 3, full = 1 + (int)sc % 2;
        double least = INFINITY;
        element_draw(&p, n_tx + (int)sc % 2, n_tx, 4, 0.2f, sc);
        element_prepare(&p, (lte_detector){LTE_DETECTOR_fsd, {full}});
        element_detect(&p);
        for (uint32_t way = 0; way < 1u << 4 * full; way++)
            least = fmin(least, metric_of(&p, followed(&p, full, way)));
        assert_near(metric_of(&p, vector_of(&p)), least, 1e-4 * (1.0 + least));
    }
}

/* Of all layers in full it is maximum likelihood. */
static void fsd_of_all_layers_is_ml(void **state)
{
    (void)state;
    for (uint32_t sc = 0; sc < 200; sc++) {
        static element p;
        double least = INFINITY;
        element_draw(&p, 3, 3, 2 + 2 * ((int)sc % 2), 0.2f, sc);
        element_prepare(&p, (lte_detector){LTE_DETECTOR_fsd, {3}});
        element_detect(&p);
        for (uint32_t v = 0; v < 1u << 3 * p.plan.n_bits; v++)
            least = fmin(least, metric_of(&p, v));
        assert_near(metric_of(&p, vector_of(&p)), least, 1e-4 * (1.0 + least));
    }
}

static void fsd_has_as_many_full_layers_as_its_diversity_needs(void **state)
{
    static const int of[][3] = {{1, 1, 0}, {2, 1, 0}, {2, 2, 1}, {3, 2, 1}, {4, 2, 1}, {4, 4, 1},
                                {5, 5, 2}, {8, 8, 2}, {8, 4, 1}, {5, 4, 1}, {5, 3, 1}, {9, 8, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_int_equal(lte_fsd_usual(of[i][0], of[i][1]), of[i][2]);
}

/* ---- lr-mmse ---- */

typedef struct {
    lte_cplx q[(ELEMENT_RX + ELEMENT_TX) * ELEMENT_TX], r[ELEMENT_TX * ELEMENT_TX],
        t[ELEMENT_TX * ELEMENT_TX], inverse[ELEMENT_TX * ELEMENT_TX], before[ELEMENT_SPACE];
    float layer[ELEMENT_TX];
    lte_lattice basis;
} reduction;

/* Draws a matrix and reduces it. Returns whether it is done. */
static bool reduce(reduction *a, int n_rx, int n_tx, int most_swaps, uint32_t sc)
{
    static element p;
    element_draw(&p, n_rx, n_tx, 2, 0.1f, sc);
    lte_extend(n_rx, n_tx, p.h, r_set(0.1f), a->q);
    assert_int_equal(
        lte_sorted_qr(n_rx + n_tx, n_tx, LTE_QR_WEAKEST_FIRST, 0.0f, NULL, a->q, a->r, a->layer),
        0);
    for (int e = 0; e < (n_rx + n_tx) * n_tx; e++) { /* Q R */
        a->before[e] = c_zero();
        for (int j = 0; j < n_tx; j++)
            a->before[e] =
                c_mac(a->before[e], a->q[e / n_tx * n_tx + j], a->r[j * n_tx + e % n_tx]);
    }
    a->basis = (lte_lattice){n_rx + n_tx, n_tx, a->q, a->r, a->t, a->inverse};
    lte_lattice_begin(&a->basis);
    return !lte_lattice_reduce(&a->basis, most_swaps);
}

/* Sum over j of a[row, j] b[j, column], of matrices of n columns. */
static double complex element_of(const lte_cplx *a, const lte_cplx *b, int n, int row, int column)
{
    double complex sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += in_double(a[row * n + j]) * in_double(b[j * n + column]);
    return sum;
}

static void reduced_bases_are_of_the_same_lattice_and_short(void **state)
{
    int moved = 0;
    (void)state;
    for (uint32_t sc = 0; sc < 200; sc++) {
        static reduction a;
        const int n = 1 + (int)sc % ELEMENT_TX, n_rx = n + (int)sc % 3;
        assert_true(reduce(&a, n_rx, n, 1000, sc));
        for (int e = 0; e < n * n; e++) {
            const int i = e / n, j = e % n;
            assert_true(z_square(element_of(a.t, a.inverse, n, i, j) - (i == j)) == 0.0);
            assert_true(a.t[e].re == rintf(a.t[e].re) && a.t[e].im == rintf(a.t[e].im));
            moved += a.t[e].re != (i == j ? 1.0f : 0.0f);
            if (i > j) {
                assert_true(a.r[e].re == 0.0f && a.r[e].im == 0.0f);
                continue;
            }
            const double pivot = a.r[i * n + i].re, limit = i == j ? 1.0 : 0.5001;
            assert_true(pivot > 0.0 && fabs((double)a.r[e].re) <= limit * pivot);
            assert_true(fabs((double)a.r[e].im) <= limit * pivot * (i != j));
            if (j == i + 1)
                assert_true(z_square(a.r[j * n + j].re) + z_square(in_double(a.r[e])) >=
                            0.749 * pivot * pivot);
        }
        for (int e = 0; e < (n_rx + n) * n; e++) { /* B T = Q' R' */
            const double complex gap =
                element_of(a.before, a.t, n, e / n, e % n) - element_of(a.q, a.r, n, e / n, e % n);
            assert_true(cabs(gap) <= 2e-4);
        }
    }
    assert_true(moved > 500);
}

static void reductions_end_with_their_swaps(void **state)
{
    int done[2] = {0, 0};
    (void)state;
    for (uint32_t sc = 0; sc < 100; sc++) {
        static reduction a;
        done[0] += reduce(&a, 6, 6, 0, sc);
        for (int e = 0; e < 36; e++) /* without a swap T is triangular */
            assert_true(e / 6 <= e % 6 || (a.t[e].re == 0.0f && a.t[e].im == 0.0f));
        done[1] += reduce(&a, 6, 6, 3, sc);
    }
    assert_true(done[0] < done[1] && done[1] < 100);
}

/* A (2 T round(T^-1 s~) - 1 - i) with s~ of the MMSE estimate in double. */
static void lr_mmse_rounds_in_the_reduced_lattice(void **state)
{
    int other = 0;
    (void)state;
    for (uint32_t sc = 0; sc < 300; sc++) {
        static element p;
        static reduction a;
        const int n = 2 + (int)sc % 4, n_bits = 2 + 2 * (int)(sc % 3);
        const double unit = (double)lte_qam_unit(n_bits);
        double complex g[ELEMENT_TX * ELEMENT_TX], x[ELEMENT_TX * ELEMENT_TX], s[ELEMENT_TX];
        double complex z[ELEMENT_TX], matched[ELEMENT_TX];
        assert_true(reduce(&a, n, n, 1000, sc));
        element_draw(&p, n, n, n_bits, 0.1f, sc);
        element_prepare(&p, (lte_detector){LTE_DETECTOR_lr_mmse, {1000}});
        element_detect(&p);
        for (int e = 0; e < n * n; e++) {
            g[e] = e % (n + 1) == 0 ? (double)p.n0 : 0.0;
            for (int r = 0; r < n; r++)
                g[e] += z_inner(in_double(p.h[r * n + e / n]), in_double(p.h[r * n + e % n]));
        }
        invert_in_double(n, g, x);
        for (int k = 0; k < n; k++) {
            matched[k] = 0.0;
            for (int r = 0; r < n; r++)
                matched[k] += z_inner(in_double(p.h[r * n + k]), in_double(p.y[r]));
        }
        for (int i = 0; i < n; i++) { /* in the order of the columns */
            s[i] = CMPLX(0.5, 0.5);
            for (int k = 0; k < n; k++)
                s[i] += x[(int)a.layer[i] * n + k] * matched[k] / (2.0 * unit);
        }
        bool clear = true;
        for (int i = 0; i < n; i++) {
            double complex sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += in_double(a.inverse[i * n + j]) * s[j];
            z[i] = CMPLX(rint(creal(sum)), rint(cimag(sum)));
            clear = clear && fmax(fabs(creal(sum - z[i])), fabs(cimag(sum - z[i]))) < 0.499;
        }
        for (int i = 0; i < n && clear; i++) {
            double complex sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += in_double(a.t[i * n + j]) * z[j];
            const lte_cplx point = {(float)(unit * (2.0 * creal(sum) - 1.0)),
                                    (float)(unit * (2.0 * cimag(sum) - 1.0))};
            assert_int_equal(p.label[(int)a.layer[i]], lte_qam_slice(n_bits, point));
            const lte_cplx plain = {(float)(unit * (2.0 * creal(s[i]) - 1.0)),
                                    (float)(unit * (2.0 * cimag(s[i]) - 1.0))};
            other += p.label[(int)a.layer[i]] != lte_qam_slice(n_bits, plain);
        }
    }
    assert_true(other > 20);
}

static void names_may_leave_out_what_others_say(void **state)
{
    static const char *const names[] = {"fsd",        "fsd-2",  "lr-mmse-0",        "lr-mmse-32",
                                        "mmse-sic",   "ml",     "mmse-sic-max-log", "ml-exact",
                                        "ml-clip2.5", "kbest-4"};
    static const char *const none[] = {"fsd-0",   "fsd-9",      "lr-mmse-1001",
                                       "mmse-si", "mmse-sic-2", "ml-2"};
    lte_detector found;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(lte_detector_find(names[i], &found));
        assert_string_equal(lte_detector_named(found).text, names[i]);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(lte_detector_find(none[i], &found));
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(searches, without_noise_all_layers_are_right),
    LTE_CASE(searches, llrs_have_the_signs_of_the_labels),
    LTE_CASE(searches, what_has_no_answer_is_decided_as_zero),
    LTE_CASE(searches, sic_takes_the_best_of_what_is_left),
    LTE_CASE(searches, fsd_takes_the_weakest_in_full_then_the_strongest),
    LTE_CASE(searches, fsd_takes_the_best_of_its_vectors),
    LTE_CASE(searches, fsd_of_all_layers_is_ml),
    LTE_CASE(searches, fsd_has_as_many_full_layers_as_its_diversity_needs),
    LTE_CASE(searches, reduced_bases_are_of_the_same_lattice_and_short),
    LTE_CASE(searches, reductions_end_with_their_swaps),
    LTE_CASE(searches, lr_mmse_rounds_in_the_reduced_lattice),
    LTE_CASE(searches, names_may_leave_out_what_others_say),
};

int main(void)
{
    return cmocka_run_group_tests_name("searches", cases, NULL, NULL);
}
