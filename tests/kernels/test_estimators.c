/*
 * Estimators of the channel against the ideal filter, which is computed here from the definitions
 * alone: C = E y y' of all reference tones and layers, dense, in double, by GSL.
 *
 *     E|H_k(sc) - H^_k(sc)|^2 = 1 - c' C^-1 c,  c = E y conj(H_k(sc))
 */
#include <complex.h>
#include <math.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

#include "tests/lib/batch.h"

#include "phy/estimation/csi.h"

enum { LEVEL_ZERO = 20 }; /* of level i: n0 = 2^(i - LEVEL_ZERO) */

typedef struct {
    int channel, n_sc, n_tx;
    lte_estimator estimator;
    gsl_matrix_complex *c; /* its Cholesky factor */
} ideal;

/* R(d) = E H(sc + d) conj(H(sc)) by the published table. */
static double complex correlation(int channel, int d)
{
    const lte_power_delay *p = &lte_channel_rows[channel].taps;
    double complex r = 0.0;
    double sum = 0.0;
    for (int l = 0; l < p->n; l++) {
        const double power = pow(10.0, p->power_db[l] / 10.0);
        r += power * cexp(CMPLX(0.0, -2.0 * M_PI * 15e3 * 1e-9 * p->delay_ns[l] * d));
        sum += power;
    }
    return r / sum;
}

static double complex reference(const ideal *m, int k, int sc)
{
    const lte_cf32 r = m->estimator.reference[k * m->n_sc + sc];
    return CMPLX((double)r.re, (double)r.im);
}

static ideal ideal_of(int channel, int n_sc, int n_tx, int csi)
{
    ideal m = {.channel = channel, .n_sc = n_sc, .n_tx = n_tx};
    assert_int_equal(
        lte_estimator_create(channel, n_sc, n_tx, n_tx, lte_csi_rows[csi].estimator, &m.estimator),
        LTE_OK);
    m.c = gsl_matrix_complex_alloc((size_t)n_sc, (size_t)n_sc);
    return m;
}

static void ideal_fini(ideal *m)
{
    gsl_matrix_complex_free(m->c);
    lte_estimator_free(&m->estimator);
}

static void ideal_factor(ideal *m, double n0)
{
    for (int i = 0; i < m->n_sc; i++) {
        for (int j = 0; j < m->n_sc; j++) {
            double complex layers = 0.0;
            for (int k = 0; k < m->n_tx; k++)
                layers += reference(m, k, i) * conj(reference(m, k, j));
            const double complex c = layers * correlation(m->channel, i - j) + (i == j ? n0 : 0.0);
            gsl_matrix_complex_set(m->c, (size_t)i, (size_t)j,
                                   gsl_complex_rect(creal(c), cimag(c)));
        }
    }
    assert_int_equal(gsl_linalg_complex_cholesky_decomp(m->c), 0);
}

/* sum_k of the ideal errors at a subcarrier. */
static double ideal_error(const ideal *m, int sc)
{
    gsl_vector_complex *c = gsl_vector_complex_alloc((size_t)m->n_sc);
    gsl_vector_complex *x = gsl_vector_complex_alloc((size_t)m->n_sc);
    double error = 0.0;
    for (int k = 0; k < m->n_tx; k++) {
        gsl_complex explained;
        for (int i = 0; i < m->n_sc; i++) {
            const double complex e = reference(m, k, i) * correlation(m->channel, i - sc);
            gsl_vector_complex_set(c, (size_t)i, gsl_complex_rect(creal(e), cimag(e)));
        }
        assert_int_equal(gsl_linalg_complex_cholesky_solve(m->c, c, x), 0);
        gsl_blas_zdotc(c, x, &explained);
        error += 1.0 - GSL_REAL(explained);
    }
    gsl_vector_complex_free(c);
    gsl_vector_complex_free(x);
    return error;
}

/* What errors of estimates cost, in dB: the detector sees n0 + error. */
static double loss_db(double error, double n0)
{
    return 10.0 * log10(1.0 + error / n0);
}

static const float *promised(const lte_estimator *estimator, int n_sc, float n0)
{
    const int set = lte_estimator_final_set(estimator, n0);
    return &estimator->estimation_error[set * ((n_sc + 15) / 16 * 16)];
}

static void mmse_is_the_ideal_filter(void **state)
{
    (void)state;
    static const struct {
        int channel, n_sc, n_tx;
    } links[] = {{LTE_CHANNEL_epa, 180, 4}, {LTE_CHANNEL_eva, 180, 2}, {LTE_CHANNEL_etu, 180, 4},
                 {LTE_CHANNEL_eva, 72, 4},  {LTE_CHANNEL_etu, 72, 2},  {LTE_CHANNEL_epa, 72, 3}};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const int n_sc = links[i].n_sc;
        ideal m = ideal_of(links[i].channel, n_sc, links[i].n_tx, LTE_CSI_dmrs_mmse);
        for (int level = 8; level <= 24; level += 8) { /* 36, 12 and -12 dB over one layer */
            const double n0 = ldexp(1.0, level - LEVEL_ZERO);
            const float *spread = promised(&m.estimator, n_sc, (float)n0);
            ideal_factor(&m, n0);
            for (int sc = 0; sc < n_sc; sc += (n_sc - 1) / 7) {
                const double least = ideal_error(&m, sc);
                assert_near((double)spread[sc] * n0, least, 2e-3 * least + 1e-7);
            }
        }
        ideal_fini(&m);
    }
}

/* Errors of the estimates of some slots, sum_k |e_k|^2 a subcarrier, and of the noise. */
typedef struct {
    double error, edge, noise; /* edge: of the outermost resource blocks */
} measured;

static measured measure(int channel, int n_sc, int n_tx, int csi, double n0, int n_slots)
{
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = {(float)n0, sqrtf((float)n0), NULL, NULL};
    lte_link link = link_of(n_sc, n_tx, n_tx, 2, channel, LTE_INVERTER_ldl);
    lte_estimator estimator;
    measured m = {0.0, 0.0, 0.0};
    batch b;
    assert_int_equal(
        lte_estimator_create(channel, n_sc, n_tx, n_tx, lte_csi_rows[csi].estimator, &estimator),
        LTE_OK);
    lte_link_estimate(&link, csi, false, estimator);
    batch_init(&b, &link, 0xa5);
    lte_cf32 *h = poisoned((size_t)(n_tx * n_tx * n_sc) * sizeof *h, 0xa5);
    for (int slot = 0; slot < n_slots; slot++) {
        int64_t residual;
        batch_send(&b, stages, (uint64_t)slot, noise);
        const lte_noise known = estimate_planes(&link, stages, noise, b.y_planes, h, &residual);
        m.noise += (double)known.n0 / n0 / n_slots;
        for (int i = 0; i < n_tx * n_tx * n_sc; i++) {
            const double re = (double)h[i].re - (double)b.h_planes[i].re;
            const double im = (double)h[i].im - (double)b.h_planes[i].im;
            const double error = (re * re + im * im) / (n_tx * n_slots);
            m.error += error / n_sc;
            if (i % n_sc < LTE_RB_SC || i % n_sc >= n_sc - LTE_RB_SC)
                m.edge += error / (2 * LTE_RB_SC);
        }
    }
    free(h);
    batch_fini(&b);
    lte_estimator_free(&estimator);
    return m;
}

static double mean_ideal(ideal *m, double n0)
{
    enum { PLACES = 25 };
    double sum = 0.0;
    ideal_factor(m, n0);
    for (int i = 0; i < PLACES; i++)
        sum += ideal_error(m, (2 * i + 1) * m->n_sc / (2 * PLACES)) / PLACES;
    return sum;
}

/* Between two levels of noise as well, where the matrix is made for another n0. */
static void mmse_loses_what_the_ideal_filter_loses(void **state)
{
    (void)state;
    static const int channels[] = {LTE_CHANNEL_epa, LTE_CHANNEL_eva, LTE_CHANNEL_etu};
    enum { SC = 300, SLOTS = 60 };
    for (int i = 0; i < 6; i++) {
        const int n_tx = i % 2 ? 4 : 2;
        ideal m = ideal_of(channels[i / 2], SC, n_tx, LTE_CSI_dmrs_mmse);
        for (int j = 0; j < 2; j++) {
            const double n0 = n_tx * (j ? 0.0057 : 0.177);
            const double least = mean_ideal(&m, n0);
            const measured got = measure(channels[i / 2], SC, n_tx, LTE_CSI_dmrs_mmse, n0, SLOTS);
            print_message("%s %dx%d n0 %.3g: ideal loses %.3f dB, dmrs-mmse %.3f (edge %.3f)\n",
                          lte_channel_rows[channels[i / 2]].name, n_tx, n_tx, n0,
                          loss_db(least, n0), loss_db(got.error, n0), loss_db(got.edge, n0));
            assert_near(loss_db(got.error, n0), loss_db(least, n0), 0.02);
        }
        ideal_fini(&m);
    }
}

/* What the others lose: despreading n_tx / 12, least squares its unknowns, the prefix no more. */
static void the_others_lose_what_they_must(void **state)
{
    (void)state;
    enum { SC = 600, SLOTS = 24 };
    static const int csi[] = {LTE_CSI_despread, LTE_CSI_dmrs_ls, LTE_CSI_dmrs_mmse_cp};
    static const int channels[] = {LTE_CHANNEL_epa, LTE_CHANNEL_eva, LTE_CHANNEL_etu};
    for (int i = 0; i < 3; i++) {
        double loss[3];
        const double n0 = 4.0 / 160.0; /* 22 dB */
        for (int k = 0; k < 3; k++) {
            const measured got = measure(channels[i], SC, 4, csi[k], n0, SLOTS);
            loss[k] = loss_db(got.error, n0);
            print_message("%s 4x4 %s: %.3f dB, edge %.3f, noise %.4f\n",
                          lte_channel_rows[channels[i]].name, lte_csi_rows[csi[k]].name, loss[k],
                          loss_db(got.edge, n0), got.noise);
        }
        if (channels[i] == LTE_CHANNEL_epa)
            assert_near(loss[0], loss_db(n0 / 3.0, n0), 0.05);
        assert_near(loss[1], 1.36, 0.10);
        assert_true(loss[2] <= loss[1] + 0.02);
    }
}

/*
 * Why least squares loses no less: of all functions of frequency whose delays lie within the prefix
 * those n that hold most of it are its kernel's eigenvectors, and here is what any n of them lose.
 * The 144 samples of the prefix of most symbols have 42 over 9 MHz, which in noise alone cost 1.08
 * dB; but these leave a part of every channel out, most of it at the ends of the carrier.
 */
static void no_fit_of_the_prefix_loses_less(void **state)
{
    (void)state;
    enum { SC = 600, PREFIX = 144, FFT = 2048, LAYERS = 4, MOST = 60 };
    const double n0 = LAYERS / 160.0, middle = (SC - 1) / 2.0; /* 22 dB */
    const lte_power_delay *taps = &lte_channel_rows[LTE_CHANNEL_epa].taps;
    const lte_profile profile = lte_profile_of(LTE_CHANNEL_epa);
    gsl_matrix *kernel = gsl_matrix_alloc(SC, SC), *vectors = gsl_matrix_alloc(SC, SC);
    gsl_vector *values = gsl_vector_alloc(SC);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(SC);
    for (size_t i = 0; i < SC; i++) { /* delays about their middle, so that it is real */
        for (size_t j = 0; j < SC; j++) {
            const double x = M_PI * PREFIX / FFT * ((double)i - (double)j);
            gsl_matrix_set(kernel, i, j, i == j ? 1.0 : sin(x) / x);
        }
    }
    assert_int_equal(gsl_eigen_symmv(kernel, values, vectors, work), 0);
    assert_int_equal(gsl_eigen_symmv_sort(values, vectors, GSL_EIGEN_SORT_VAL_DESC), 0);
    double misfit = 1.0, least = INFINITY, at_43 = 0.0;
    int best = 0;
    for (int n = 1; n <= MOST; n++) {
        for (int l = 0; l < profile.n_taps; l++) {
            const double power = (double)profile.amplitude[l] * (double)profile.amplitude[l];
            const double turns = 15e3 * 1e-9 * taps->delay_ns[l] - PREFIX / 2.0 / FFT;
            double complex inner = 0.0;
            for (int sc = 0; sc < SC; sc++)
                inner += gsl_matrix_get(vectors, (size_t)sc, (size_t)n - 1) *
                         cexp(CMPLX(0.0, -2.0 * M_PI * turns * (sc - middle)));
            misfit -= power * creal(inner * conj(inner)) / SC;
        }
        const double loss = loss_db(LAYERS * (n * n0 / SC + misfit), n0);
        at_43 = n == 43 ? loss : at_43;
        best = loss < least ? n : best;
        least = fmin(least, loss);
    }
    print_message("epa 4x4: %d unknowns lose least, %.3f dB; 43 lose %.3f dB\n", best, least,
                  at_43);
    assert_near(least, 1.22, 0.01);
    assert_true(at_43 > 2.0);
    gsl_eigen_symmv_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(vectors);
    gsl_matrix_free(kernel);
}

/*
 * Noise told from the misfit of the estimate: at 60 dB by the two that keep all that such channels
 * consist of; at 50 dB by least squares, which leaves out what costs more than it brings below.
 */
static void noise_is_told_from_misfit(void **state)
{
    (void)state;
    static const int channels[] = {LTE_CHANNEL_epa, LTE_CHANNEL_eva, LTE_CHANNEL_etu};
    static const struct {
        int csi;
        double n0, most; /* too high by */
    } kinds[] = {{LTE_CSI_dmrs_mmse, 4e-6, 0.03},
                 {LTE_CSI_dmrs_mmse_cp, 4e-6, 0.4},
                 {LTE_CSI_dmrs_ls, 4e-5, 0.4}};
    for (int i = 0; i < 9; i++) {
        const int channel = channels[i / 3], k = i % 3;
        const measured got = measure(channel, 600, 4, kinds[k].csi, kinds[k].n0, 8);
        print_message("%s 4x4 %s at %.0f dB: n0 estimated %.4f times as high\n",
                      lte_channel_rows[channel].name, lte_csi_rows[kinds[k].csi].name,
                      10.0 * log10(4.0 / kinds[k].n0), got.noise);
        assert_near(got.noise, 1.0, kinds[k].most);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(estimators, mmse_is_the_ideal_filter),
    LTE_CASE(estimators, mmse_loses_what_the_ideal_filter_loses),
    LTE_CASE(estimators, the_others_lose_what_they_must),
    LTE_CASE(estimators, no_fit_of_the_prefix_loses_less),
    LTE_CASE(estimators, noise_is_told_from_misfit),
};

int main(void)
{
    return cmocka_run_group_tests_name("estimators", cases, NULL, NULL);
}
