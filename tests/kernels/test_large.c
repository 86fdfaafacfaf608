/*
 * Large arrays against what is known of them: ZF against its closed form, the other detectors
 * against a simulation in double with draws of its own. Every seed is fixed.
 */
#include "tests/lib/batch.h"
#include "tests/lib/matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "phy/theory/ber_theory.h"
#include "phy/detection/qam.h"

static const double z_limit = 4.0;

/* A bit error rate and its standard error over clusters. */
typedef struct {
    double rate, se;
} estimate;

/* Of n clusters with errors [n] each of n_bits bits. */
static estimate estimate_of(int n, const double *errors, double n_bits)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; i++)
        sum += errors[i];
    for (int i = 0; i < n; i++)
        squares += (errors[i] - sum / n) * (errors[i] - sum / n);
    const estimate e = {sum / n / n_bits, sqrt(squares / (n - 1) / n) / n_bits};
    return e;
}

typedef struct {
    int n_rx, n_tx, n_bits;
    double snr_db;
} point;

static double linear(double db)
{
    return pow(10.0, db / 10.0);
}

enum { N_SLOTS = 24, N_SC = 72 };

/* The link's, of one detector, a slot being a cluster. */
static estimate link_rate(const point *p, int id, int inverter)
{
    const lte_detector detector = lte_detector_usual(id);
    lte_link link;
    assert_int_equal(lte_link_init(&link, N_SC, p->n_rx, p->n_tx, p->n_bits, LTE_CHANNEL_rayleigh,
                                   inverter, 1000),
                     LTE_OK);
    void *work = aligned_alloc(64, lte_sweep_work(&link, 1));
    uint32_t *counts = calloc(LTE_N_HARD_COUNTS(LTE_MAX_TX), sizeof *counts);
    double errors[N_SLOTS];
    assert_true(work && counts);
    for (int slot = 0; slot < N_SLOTS; slot++) {
        lte_power power;
        lte_stages_best()->sweep_slot(&link, lte_noise_of(p->n_tx, linear(p->snr_db)), &detector, 1,
                                      (uint64_t)slot, work, &power, counts);
        errors[slot] = (double)lte_bit_errors(p->n_tx, counts);
        assert_int_equal(counts[lte_flagged_at(p->n_tx)], 0);
    }
    free(work);
    free(counts);
    return estimate_of(N_SLOTS, errors, (double)N_SC * LTE_SLOT_SYMBOLS * p->n_tx * p->n_bits);
}

static void zf_meets_its_closed_form(void **state)
{
    (void)state;
    static const point points[] = {{64, 8, 4, 3.0},   {64, 16, 4, 6.0},   {64, 16, 4, 0.0},
                                   {128, 32, 4, 6.0}, {128, 32, 2, 0.0},  {256, 5, 6, 5.0},
                                   {12, 11, 4, 25.0}, {128, 100, 4, 12.0}};
    for (size_t i = 0; i < sizeof points / sizeof *points * LTE_N_INVERTERS; i++) {
        const point *p = &points[i / LTE_N_INVERTERS];
        const int inverter = (int)i % LTE_N_INVERTERS;
        if (lte_inverter_rows[inverter].max_order < LTE_MAX_TX)
            continue;
        const estimate e = link_rate(p, LTE_DETECTOR_zf, inverter);
        const double closed =
            lte_ber_gamma(p->n_bits, p->n_rx - p->n_tx + 1, linear(p->snr_db) / p->n_tx);
        assert_true(e.rate > 1e-4);
        assert_near((e.rate - closed) / e.se, 0.0, z_limit);
    }
}

/* The nearest symbol of all. */
static uint32_t nearest(int n_bits, double complex x)
{
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t label = 0; label < 1u << n_bits; label++) {
        const lte_cplx s = lte_qam_map(n_bits, label);
        const double distance = cabs(x - CMPLX((double)s.re, (double)s.im));
        if (distance < least) {
            least = distance;
            best = label;
        }
    }
    return best;
}

enum { LARGE_RX = 48, N_CHANNELS = 1200 };

typedef struct {
    double complex h[LARGE_RX * MATRIX_ORDER], g[MATRIX_SIZE], inverse[MATRIX_SIZE];
} matrices_in_double;

/* Estimates x [n_tx] of a detector from z = H'y; g and its inverse are of the channel. */
typedef void in_double(const point *p, const matrices_in_double *m, double n0,
                       const double complex *z, double complex *x);

static void mmse_in_double(const point *p, const matrices_in_double *m, double n0,
                           const double complex *z, double complex *x)
{
    const int n = p->n_tx;
    for (int k = 0; k < n; k++) {
        x[k] = 0.0;
        for (int j = 0; j < n; j++)
            x[k] += m->inverse[k * n + j] * z[j];
        x[k] /= 1.0 - n0 * creal(m->inverse[k * n + k]);
    }
}

/* h_k'y / |h_k|^2: g is loaded. */
static void mrc_in_double(const point *p, const matrices_in_double *m, double n0,
                          const double complex *z, double complex *x)
{
    for (int k = 0; k < p->n_tx; k++)
        x[k] = z[k] / (creal(m->g[k * p->n_tx + k]) - n0);
}

/* y <- G x */
static void multiplied(const point *p, const matrices_in_double *m, const double complex *x,
                       double complex *y)
{
    for (int k = 0; k < p->n_tx; k++) {
        y[k] = 0.0;
        for (int j = 0; j < p->n_tx; j++)
            y[k] += m->g[k * p->n_tx + j] * x[j];
    }
}

/* The gain of a detector that has no inverse. */
static void take_gain(const point *p, const matrices_in_double *m, double n0, double complex *x)
{
    for (int k = 0; k < p->n_tx; k++)
        x[k] /= 1.0 - n0 / creal(m->g[k * p->n_tx + k]);
}

/* The minimum of the energy over the space that z, G z, .. span, four of them. */
static void cg_in_double(const point *p, const matrices_in_double *m, double n0,
                         const double complex *z, double complex *x)
{
    enum { STEPS = 4 };
    double complex basis[STEPS][MATRIX_ORDER], image[STEPS][MATRIX_ORDER];
    memset(x, 0, (size_t)p->n_tx * sizeof *x);
    memcpy(basis[0], z, (size_t)p->n_tx * sizeof *z);
    for (int s = 0; s < STEPS; s++) { /* G-orthogonal to all before */
        if (s > 0)
            memcpy(basis[s], image[s - 1], (size_t)p->n_tx * sizeof *z);
        for (int t = 0; t < s; t++) {
            double complex along = 0.0;
            for (int k = 0; k < p->n_tx; k++)
                along += conj(image[t][k]) * basis[s][k];
            for (int k = 0; k < p->n_tx; k++)
                basis[s][k] -= along * basis[t][k];
        }
        multiplied(p, m, basis[s], image[s]);
        double energy = 0.0;
        double complex weight = 0.0;
        for (int k = 0; k < p->n_tx; k++)
            energy += creal(conj(basis[s][k]) * image[s][k]);
        for (int k = 0; k < p->n_tx; k++) {
            basis[s][k] /= sqrt(energy);
            image[s][k] /= sqrt(energy);
            weight += conj(basis[s][k]) * z[k];
        }
        for (int k = 0; k < p->n_tx; k++)
            x[k] += weight * basis[s][k];
    }
    take_gain(p, m, n0, x);
}

/* sum_i (I - D^-1 G)^i D^-1 z, i = 0 to 3. */
static void neumann_in_double(const point *p, const matrices_in_double *m, double n0,
                              const double complex *z, double complex *x)
{
    double complex term[MATRIX_ORDER], image[MATRIX_ORDER];
    for (int k = 0; k < p->n_tx; k++)
        x[k] = term[k] = z[k] / creal(m->g[k * p->n_tx + k]);
    for (int i = 0; i < 3; i++) {
        multiplied(p, m, term, image);
        for (int k = 0; k < p->n_tx; k++) {
            term[k] -= image[k] / creal(m->g[k * p->n_tx + k]);
            x[k] += term[k];
        }
    }
    take_gain(p, m, n0, x);
}

/* Errors of one channel and one symbol vector through it. */
static int errors_in_double(const gsl_rng *rng, const point *p, in_double *detect,
                            const matrices_in_double *m, double n0)
{
    double complex x[MATRIX_ORDER], z[MATRIX_ORDER] = {0}, estimated[MATRIX_ORDER];
    uint32_t label[MATRIX_ORDER];
    int errors = 0;
    for (int k = 0; k < p->n_tx; k++) {
        label[k] = (uint32_t)gsl_rng_uniform_int(rng, 1ul << p->n_bits);
        const lte_cplx s = lte_qam_map(p->n_bits, label[k]);
        x[k] = CMPLX((double)s.re, (double)s.im);
    }
    for (int r = 0; r < p->n_rx; r++) {
        double complex y = sqrt(n0) * random_normal(rng);
        for (int k = 0; k < p->n_tx; k++)
            y += m->h[r * p->n_tx + k] * x[k];
        for (int k = 0; k < p->n_tx; k++)
            z[k] += conj(m->h[r * p->n_tx + k]) * y;
    }
    detect(p, m, n0, z, estimated);
    for (int k = 0; k < p->n_tx; k++) {
        const uint32_t wrong = label[k] ^ nearest(p->n_bits, estimated[k]);
        for (int bit = 0; bit < p->n_bits; bit++)
            errors += (int)(wrong >> bit & 1u);
    }
    return errors;
}

/* The same link in double, a channel being a cluster. */
static estimate rate_in_double(const point *p, in_double *detect)
{
    static matrices_in_double m;
    static double errors[N_CHANNELS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, 77);
    const double n0 = p->n_tx / linear(p->snr_db);
    const int n = p->n_tx;
    for (int c = 0; c < N_CHANNELS; c++) {
        for (int e = 0; e < p->n_rx * n; e++)
            m.h[e] = random_normal(rng);
        for (int e = 0; e < n * n; e++) {
            m.g[e] = e / n == e % n ? n0 : 0.0;
            for (int r = 0; r < p->n_rx; r++)
                m.g[e] += conj(m.h[r * n + e / n]) * m.h[r * n + e % n];
        }
        invert_in_double(n, m.g, m.inverse);
        errors[c] = 0.0;
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            errors[c] += errors_in_double(rng, p, detect, &m, n0);
    }
    gsl_rng_free(rng);
    return estimate_of(N_CHANNELS, errors, (double)LTE_SLOT_SYMBOLS * n * p->n_bits);
}

static void rates_meet_a_simulation_in_double(void **state)
{
    (void)state;
    static const point points[] = {{24, 12, 2, 3.0}, {40, 20, 4, 8.0}, {48, 9, 4, 2.0}};
    static const struct {
        int detector;
        in_double *formula;
    } all[] = {{LTE_DETECTOR_mmse, mmse_in_double},
               {LTE_DETECTOR_mrc, mrc_in_double},
               {LTE_DETECTOR_cg, cg_in_double},
               {LTE_DETECTOR_neumann, neumann_in_double}};
    enum { N = sizeof all / sizeof *all };
    for (size_t i = 0; i < N * sizeof points / sizeof *points; i++) {
        const point *p = &points[i / N];
        const int inverter = inverter_for(LTE_INVERTER_cholesky_delayed + (int)i / N, LTE_MAX_TX);
        const estimate a = link_rate(p, all[i % N].detector, inverter);
        const estimate b = rate_in_double(p, all[i % N].formula);
        assert_true(b.rate > 1e-3);
        assert_near((a.rate - b.rate) / hypot(a.se, b.se), 0.0, z_limit);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(large, zf_meets_its_closed_form),
    LTE_CASE(large, rates_meet_a_simulation_in_double),
};

int main(void)
{
    return cmocka_run_group_tests_name("large", cases, NULL, NULL);
}
