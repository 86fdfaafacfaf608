/*
 * The whole link against closed forms and a reference simulation, and what the two jobs make of
 * its counts. Every seed is fixed: point i of a list has seed 1000 + i, so that points share no
 * draws and the tests cannot flicker.
 */
#include "tests/lib/link_sweeps.h"

#include <gsl/gsl_cdf.h>
#include <jansson.h>
#include <stdlib.h>

/*
 * Every order and modulation, ZF error rates from 0.3 down to 8e-4, in the long form 3e5 errors or
 * more in each. */
static const point points[] = {
    {1, 1, 2, -1.5, 72, 1218},   {1, 1, 6, 28.5, 600, 1313},  {1, 2, 4, 20.5, 300, 36552},
    {1, 2, 8, 22.5, 1200, 400},  {1, 4, 6, 18.0, 900, 3206},  {1, 4, 2, -3.0, 180, 1224},
    {2, 2, 8, 36.5, 180, 1587},  {2, 2, 4, 4.5, 900, 400},    {2, 3, 4, 14.5, 600, 400},
    {2, 3, 8, 35.0, 72, 42854},  {2, 4, 6, 12.5, 1200, 400},  {2, 4, 2, 11.0, 300, 14740},
    {3, 3, 8, 26.0, 300, 400},   {3, 3, 4, 33.0, 1200, 1006}, {3, 5, 2, -2.5, 900, 400},
    {3, 5, 6, 22.0, 180, 1351},  {4, 4, 6, 44.5, 72, 26273},  {4, 4, 2, 18.0, 600, 400},
    {4, 5, 8, 35.0, 600, 749},   {4, 5, 4, 12.5, 72, 400},    {4, 8, 2, 8.0, 1200, 482},
    {4, 8, 6, 3.0, 300, 400},    {5, 5, 4, 25.0, 180, 420},   {5, 5, 8, 50.5, 900, 1219},
    {5, 7, 8, 26.5, 900, 400},   {5, 7, 4, 23.5, 180, 15478}, {6, 6, 2, 13.5, 72, 514},
    {6, 6, 6, 41.5, 600, 708},   {6, 9, 4, 2.0, 300, 400},    {6, 9, 8, 29.0, 1200, 400},
    {7, 7, 6, 47.0, 1200, 915},  {7, 7, 2, 20.5, 300, 400},   {8, 8, 2, 31.5, 180, 5300},
    {8, 8, 6, 25.5, 900, 400},   {8, 10, 4, 21.0, 600, 400},  {8, 10, 8, 11.5, 72, 400},
    {8, 16, 6, 20.0, 72, 1302},  {8, 16, 2, -3.5, 600, 400},  {7, 8, 8, 31.0, 300, 400},
    {7, 8, 4, 29.0, 1200, 1333}, {2, 8, 4, 3.0, 900, 400},    {2, 8, 8, 23.0, 180, 5103},
    {1, 16, 6, -8.5, 180, 400},  {1, 16, 2, -4.0, 900, 2840}, {4, 6, 8, 34.0, 600, 2880},
    {4, 6, 4, 15.0, 72, 1365},   {3, 4, 2, 16.5, 1200, 2172}, {3, 4, 6, 16.5, 300, 400},
};
enum { N_POINTS = sizeof points / sizeof *points };
static lte_scenario scenarios[N_POINTS];
static lte_sweep *sweeps[N_POINTS];

/* Of a point: an eighth in the short form, and enough for an interval. */
static int slots_of(const point *p)
{
    return is_long() ? p->n_slots : p->n_slots > 800 ? p->n_slots / 8 : 100;
}

static int run_points(void **state)
{
    (void)state;
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &points[i];
        scenarios[i] = scenario_of(LTE_CHANNEL_rayleigh, p->n_tx, p->n_rx, p->n_bits, p->snr_db,
                                   p->n_sc, slots_of(p), 1000 + i);
        sweeps[i] = sweep_of(&scenarios[i]);
    }
    return 0;
}

static int free_points(void **state)
{
    (void)state;
    for (int i = 0; i < N_POINTS; i++)
        lte_sweep_free(sweeps[i]);
    return 0;
}

static const double z_limit = 4.0;
static const double tail = 0.5e-4; /* on either side of a chi-square: 1e-4 in all */

/* ---- judging ---- */

/* z [n] of independent points: each small, their squares a chi-square, their mean near zero. */
static void judge(const char *what, const double *z, int n)
{
    double chi2 = 0.0, mean = 0.0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(z[i]) <= z_limit))
            fail_msg("%s, point %d: z = %.2f", what, i, z[i]);
        chi2 += z[i] * z[i];
        mean += z[i] / n;
    }
    print_message("%s: chi-square %.1f on %d points, mean z %.3f\n", what, chi2, n, mean);
    if (!(gsl_cdf_chisq_P(chi2, n) >= tail && gsl_cdf_chisq_Q(chi2, n) >= tail))
        fail_msg("%s: chi-square %.1f on %d points", what, chi2, n);
    if (!(fabs(mean) < 3.0 / sqrt(n)))
        fail_msg("%s: mean z = %.3f over %d points", what, mean, n);
}

static void zf_meets_its_closed_form(void **state)
{
    (void)state;
    double z[N_POINTS];
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &points[i];
        const lte_row *row = row_of(sweeps[i], LTE_DETECTOR_zf, 0);
        const lte_interval ber = lte_interval_of(&row->error_count);
        const double closed =
            lte_ber_gamma(p->n_bits, p->n_rx - p->n_tx + 1, linear(p->snr_db) / p->n_tx);
        assert_int_equal(row->error_count.clusters, slots_of(p));
        z[i] = (ber.rate - closed) / ber.se;
        assert_near(lte_row_z(row), z[i], 0.02 + 0.02 * z[i] * z[i]); /* many slots: nearly t */
    }
    judge("ZF", z, N_POINTS);
}

/*
 * Symbol 0 gives n_rx powers |(H x)_r|^2, exponential with mean |x|^2 given x, and as many noise
 * powers. With kurtosis q = E|x_k|^4 the variance of |x|^2 is n_tx (q - 1).
 */
static void measured_snr_is_the_nominal_one(void **state)
{
    (void)state;
    static const double kurtosis[] = {1.0, 1.32, 29.0 / 21.0, 237.0 / 170.0};
    double z[N_POINTS];
    for (int i = 0; i < N_POINTS; i++) {
        const point *p = &points[i];
        const lte_row *first = lte_sweep_row(sweeps[i], 0, 0);
        const double spread = (kurtosis[p->n_bits / 2 - 1] - 1.0) / p->n_tx;
        const double signal = (1.0 + spread) / p->n_rx + spread, noise = 1.0 / p->n_rx;
        const double sd_db =
            10.0 / log(10.0) * sqrt((signal + noise) / ((double)p->n_sc * slots_of(p)));
        for (int d = 1; d < sweeps[i]->n_detectors; d++) {
            const lte_row *row = lte_sweep_row(sweeps[i], d, 0);
            assert_true(row->signal == first->signal && row->noise == first->noise);
        }
        z[i] = (lte_row_snr_db(sweeps[i], first) - p->snr_db) / sd_db;
    }
    judge("measured SNR", z, N_POINTS);
}

/* Every pair is against ZF, the first; of one layer all are the same but for rounding. */
static void mmse_is_never_worse_than_zf(void **state)
{
    (void)state;
    for (int i = 0; i < N_POINTS * (LTE_N_DETECTORS - 1); i++) {
        const lte_sweep *sweep = sweeps[i % N_POINTS];
        const point *p = &points[i % N_POINTS];
        if (i / N_POINTS >= sweep->n_detectors - 1)
            continue;
        const lte_pair *pair = &sweep->pairs[i / N_POINTS];
        const lte_row *a = &sweep->rows[pair->a], *b = &sweep->rows[pair->b];
        const lte_interval gap = lte_pair_interval(sweep, pair);
        assert_int_equal(a->detector.id, LTE_DETECTOR_zf);
        assert_ptr_equal(b, lte_sweep_row(sweep, i / N_POINTS + 1, 0));
        assert_int_equal(pair->clusters, slots_of(p));
        assert_int_equal(pair->d.sum,
                         (int64_t)a->error_count.errors - (int64_t)b->error_count.errors);
        if (p->n_tx == 1)
            assert_true(fabs(gap.rate) <= z_limit * gap.se);
        else if (b->detector.id == LTE_DETECTOR_mmse)
            assert_true(gap.rate > 0.0);
    }
}

static void layers_add_up_and_no_matrix_is_flagged(void **state)
{
    (void)state;
    for (int i = 0; i < LTE_N_DETECTORS * N_POINTS; i++) {
        const point *p = &points[i % N_POINTS];
        if (i / N_POINTS >= sweeps[i % N_POINTS]->n_detectors)
            continue;
        const lte_row *row = lte_sweep_row(sweeps[i % N_POINTS], i / N_POINTS, 0);
        uint64_t bits = 0;
        for (int k = 0; k < p->n_tx; k++) {
            const uint64_t wrong = row->counts[lte_bits_at(k)];
            const uint64_t symbols = row->counts[lte_symbols_at(p->n_tx, k)];
            bits += wrong;
            assert_true(symbols <= wrong && wrong <= symbols * (uint64_t)p->n_bits);
        }
        assert_int_equal(bits, row->error_count.errors);
        assert_int_equal(row->error_count.cluster_bits,
                         (uint64_t)p->n_sc * 7 * (uint64_t)(p->n_tx * p->n_bits));
        assert_int_equal(row->counts[lte_flagged_at(p->n_tx)], 0);
    }
}

/* ---- layers and inverters, slot by slot ---- */

/* z of the mean of d [n], d_i the difference of two counts over the same slot. */
static double paired_z(const int64_t *d, int n)
{
    lte_difference sums = {.sum = 0};
    for (int i = 0; i < n; i++)
        lte_difference_add(&sums, d[i]);
    const lte_interval gap = lte_interval_paired((uint64_t)n, 1, &sums);
    assert_true(gap.known);
    return sums.sum == 0 ? 0.0 : gap.rate / gap.se;
}

static const point shapes[] = {
    {2, 2, 8, 30.0, 180, 600}, {3, 5, 6, 15.0, 180, 600}, {4, 4, 4, 20.0, 180, 600},
    {5, 6, 2, 12.0, 180, 600}, {7, 7, 6, 30.0, 72, 600},  {8, 8, 4, 25.0, 72, 600},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static lte_scenario shape_of(int i)
{
    const point *p = &shapes[i];
    return scenario_of(LTE_CHANNEL_rayleigh, p->n_tx, p->n_rx, p->n_bits, p->snr_db, p->n_sc,
                       share_of(p->n_slots), 1000 + i);
}

static void layers_fail_alike(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHAPES; i++) {
        const int n_tx = shapes[i].n_tx, n_paired = share_of(shapes[i].n_slots);
        const lte_scenario s = shape_of(i);
        static slot_errors errors;
        errors_of(&s, shapes[i].snr_db, n_paired, &errors);
        for (int d = 0; d < errors.n; d++) {
            for (int k = 0; k < n_tx; k++) {
                int64_t bits[MOST_SLOTS], symbols[MOST_SLOTS];
                for (int slot = 0; slot < n_paired; slot++) {
                    const uint32_t *e = errors_at(&errors, slot, d);
                    bits[slot] = (int64_t)n_tx * e[lte_bits_at(k)] - bits_at(&errors, slot, d);
                    symbols[slot] = (int64_t)n_tx * e[lte_symbols_at(n_tx, k)];
                    for (int other = 0; other < n_tx; other++)
                        symbols[slot] -= e[lte_symbols_at(n_tx, other)];
                }
                assert_near(paired_z(bits, n_paired), 0.0, z_limit);
                assert_near(paired_z(symbols, n_paired), 0.0, z_limit);
            }
        }
    }
}

/* They round differently, so single decisions may differ, one in a thousand errors at most. */
static void inverters_give_the_same_error_rate(void **state)
{
    (void)state;
    for (int i = 0; i < N_SHAPES * LTE_N_INVERTERS; i++) {
        const point *p = &shapes[i % N_SHAPES];
        const int n_paired = share_of(p->n_slots);
        lte_scenario s = shape_of(i % N_SHAPES);
        static slot_errors first, other;
        s.inverter = inverter_for(0, s.n_tx);
        if (i < N_SHAPES || s.n_tx > lte_inverter_rows[i / N_SHAPES].max_order)
            continue;
        errors_of(&s, p->snr_db, n_paired, &first);
        s.inverter = i / N_SHAPES;
        errors_of(&s, p->snr_db, n_paired, &other);
        for (int d = 0; d < first.n; d++) {
            int64_t gap[MOST_SLOTS], apart = 0, all = 0;
            for (int slot = 0; slot < n_paired; slot++) {
                const int64_t sum = bits_at(&first, slot, d);
                gap[slot] = sum - bits_at(&other, slot, d);
                apart += gap[slot] < 0 ? -gap[slot] : gap[slot];
                all += sum;
            }
            assert_near(paired_z(gap, n_paired), 0.0, z_limit);
            assert_true(1000 * apart <= all);
            assert_true(lte_detector_needs(s.detectors[d], LTE_NEEDS_INVERSE) || apart == 0);
        }
    }
}

/* ---- anchors ---- */

/* An anchor stands in five digits; every detector must meet it. */
static void meet(int channel, int n, int n_bits, double snr_db, double anchor, int n_slots,
                 int seed)
{
    const lte_scenario s = scenario_of(channel, n, n, n_bits, snr_db, 300, share_of(n_slots), seed);
    lte_sweep *sweep = sweep_of(&s);
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, 0);
        const lte_interval ber = lte_interval_of(&row->error_count);
        if (anchor > 0.0)
            assert_near(ber.rate, anchor, z_limit * ber.se + 0.5e-4 * anchor);
        else
            assert_int_equal(row->error_count.errors, 0);
        assert_int_equal(row->counts[lte_flagged_at(n)], 0);
    }
    lte_sweep_free(sweep);
}

static void awgn_meets_its_anchors(void **state)
{
    (void)state;
    const int awgn = LTE_CHANNEL_awgn;
    meet(awgn, 1, 2, 10.0, 7.8270e-4, 30000, 1000);
    meet(awgn, 1, 4, 10.0, 5.8993e-2, 2000, 1001);
    meet(awgn, 4, 6, 10.0, 1.5255e-1, 500, 1002);
    meet(awgn, 8, 8, 10.0, 2.3667e-1, 400, 1003);
    meet(awgn, 1, 2, 20.0, 0.0, 1000, 1004);
    meet(awgn, 2, 4, 20.0, 2.9041e-6, 15000, 1005);
    meet(awgn, 3, 6, 20.0, 8.4864e-3, 1000, 1006);
    meet(awgn, 1, 8, 20.0, 6.5423e-2, 2000, 1007);
}

static void siso_rayleigh_meets_its_anchors(void **state)
{
    (void)state;
    static const double anchors[] = {4.9262e-3, 1.8580e-2, 5.2253e-2, 1.1022e-1};
    for (int i = 0; i < 4; i++)
        meet(LTE_CHANNEL_rayleigh, 1, 2 * i + 2, 20.0, anchors[i], 10000, 1000 + i);
}

/* z of the channels whose slots fade more or less as a whole: clusters make the interval. */
static double slots_z(int channel, double doppler_hz, const point *p, int seed)
{
    lte_scenario s = scenario_of(channel, p->n_tx, p->n_rx, p->n_bits, p->snr_db, p->n_sc,
                                 share_of(p->n_slots), seed);
    s.doppler_hz = doppler_hz;
    s.drop_slots = 4;
    lte_sweep *sweep = sweep_of(&s);
    const lte_row *row = row_of(sweep, LTE_DETECTOR_zf, 0);
    const lte_interval ber = lte_interval_of(&row->error_count);
    const double closed =
        lte_ber_gamma(p->n_bits, p->n_rx - p->n_tx + 1, linear(p->snr_db) / p->n_tx);
    /* far wider than if bits failed alone */
    const double bits = (double)(row->error_count.clusters * row->error_count.cluster_bits);
    assert_true(ber.se * ber.se > 10.0 * closed * (1.0 - closed) / bits);
    lte_sweep_free(sweep);
    return (ber.rate - closed) / ber.se;
}

static void flat_fading_meets_the_closed_form(void **state)
{
    (void)state;
    static const point flat[] = {
        {1, 1, 2, 10.0, 72, 40000}, {2, 2, 4, 15.0, 72, 40000}, {3, 5, 6, 16.0, 72, 30000},
        {4, 4, 2, 12.0, 72, 40000}, {4, 8, 8, 16.0, 72, 30000}, {8, 8, 4, 22.0, 72, 20000},
    };
    double z[sizeof flat / sizeof *flat];
    const int n = (int)(sizeof flat / sizeof *flat);
    for (int i = 0; i < n; i++)
        z[i] = slots_z(LTE_CHANNEL_flat, 0.0, &flat[i], 1000 + i);
    judge("flat", z, n);
}

/* Despreading over 12 subcarriers: errors of variance n0 / 12, whatever is done about the noise.
 */
static void estimated_channels_meet_the_closed_form(void **state)
{
    (void)state;
    static const double snr_db[] = {2.0, 12.0, 22.0};
    double z[9];
    for (int i = 0; i < 9; i++) {
        const int n = 1 << i / 3;
        const double rho = linear(snr_db[i % 3]) / n, v = 1.0 / (12.0 * rho);
        lte_scenario s = scenario_of(LTE_CHANNEL_flat, n, n, 2, snr_db[i % 3], 72, 8000, 3000 + i);
        s.csi[0] = LTE_CSI_despread;
        s.noise = i % 2;
        lte_sweep *sweep = sweep_of(&s);
        const lte_row *row = row_of(sweep, LTE_DETECTOR_zf, 0);
        const lte_interval ber = lte_interval_of(&row->error_count);
        z[i] = (ber.rate - lte_ber_gamma(2, 1, rho / (1.0 + v + n * rho * v))) / ber.se;
        assert_near(lte_row_z(row), z[i], 0.02 + 0.02 * z[i] * z[i]); /* many slots: nearly t */
        assert_int_equal(row->csi, LTE_CSI_despread);
        assert_int_equal(row->error_count.cluster_bits, 72 * 6 * n * 2);
        assert_near(lte_row_snr_db(sweep, row), snr_db[i % 3], 0.3);
        for (int d = 0; d < sweep->n_detectors; d++) {
            const lte_row *other = lte_sweep_row(sweep, d, 0);
            assert_int_equal(other->theory.known,
                             lte_detector_row_of(other->detector)->law == LTE_SINR_GAMMA);
        }
        lte_sweep_free(sweep);
    }
    judge("estimated", z, 9);
    /* an estimate held while the channel goes on has another law */
    lte_scenario s = scenario_of(LTE_CHANNEL_flat, 1, 1, 2, 2.0, 72, 64, 1);
    s.csi[0] = LTE_CSI_despread;
    s.doppler_hz = 70.0;
    s.drop_slots = 4;
    lte_sweep *sweep = sweep_of(&s);
    assert_false(row_of(sweep, LTE_DETECTOR_zf, 0)->theory.known);
    lte_sweep_free(sweep);
}

/* The law of one subcarrier does not ask how it correlates with the others. */
static void fading_profiles_meet_the_closed_form(void **state)
{
    (void)state;
    static const point links[] = {
        {1, 1, 4, 14.0, 72, 20000}, {2, 2, 2, 12.0, 180, 10000}, {4, 4, 4, 20.0, 72, 20000}};
    double z[3 * LTE_N_CHANNELS];
    int n = 0;
    for (int k = 0; k < LTE_N_CHANNELS; k++) {
        for (int i = 0; i < 3 && lte_channel_rows[k].taps.n > 1; i++, n++)
            z[n] = slots_z(k, 0.0, &links[i], 2000 + n);
    }
    judge("profiles of taps", z, n);
}

/* Nor does it ask how the channel goes on. */
static void moving_channels_meet_the_closed_form(void **state)
{
    (void)state;
    static const struct {
        int channel;
        double doppler_hz;
        point link;
    } moving[] = {{LTE_CHANNEL_flat, 70.0, {2, 2, 2, 12.0, 72, 12000}},
                  {LTE_CHANNEL_flat, 300.0, {1, 2, 4, 10.0, 72, 12000}},
                  {LTE_CHANNEL_epa, 5.0, {1, 1, 2, 10.0, 72, 12000}},
                  {LTE_CHANNEL_eva, 70.0, {2, 2, 4, 18.0, 72, 12000}},
                  {LTE_CHANNEL_etu, 300.0, {4, 4, 4, 20.0, 72, 8000}}};
    enum { N_MOVING = sizeof moving / sizeof *moving };
    double z[N_MOVING];
    for (int i = 0; i < N_MOVING; i++)
        z[i] = slots_z(moving[i].channel, moving[i].doppler_hz, &moving[i].link, 3000 + i);
    judge("5, 70 and 300 Hz", z, N_MOVING);
}

/*
 * z of the sweep's one point against a point of the reference simulation, both with their errors;
 * false if that has none of the detector.
 */
static bool reference_z(const lte_row *row, const json_t *reference, double *z)
{
    const lte_interval ber = lte_interval_of(&row->error_count);
    const char *name = lte_detector_row_of(row->detector)->name;
    char name_se[64];
    (void)snprintf(name_se, sizeof name_se, "%s_se", name);
    const json_t *rate = json_object_get(reference, name);
    const double se = json_number_value(json_object_get(reference, name_se));
    *z = (ber.rate - json_number_value(rate)) / sqrt(ber.se * ber.se + se * se);
    return rate != NULL;
}

/* Points of the reference simulation met by each detector that is in it. */
typedef struct {
    double z[LTE_N_DETECTORS][64];
    int n[LTE_N_DETECTORS];
} reference_points;

static void compare_with_reference(const lte_sweep *sweep, const json_t *reference,
                                   reference_points *met)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, 0);
        const int k = row->detector.id;
        met->n[k] += reference_z(row, reference, &met->z[k][met->n[k]]);
    }
}

/* ZF and MMSE have all n points of it. */
static void judge_reference(const reference_points *met, int n, const char *what)
{
    for (int k = 0; k < LTE_N_DETECTORS; k++) {
        char text[64];
        (void)snprintf(text, sizeof text, "%s%s", what, lte_detector_rows[k].name);
        if (met->n[k] > 0)
            judge(text, met->z[k], met->n[k]);
    }
    assert_true(met->n[LTE_DETECTOR_zf] == n && met->n[LTE_DETECTOR_mmse] == n);
}

static void detectors_meet_the_reference_simulation(void **state)
{
    (void)state;
    json_t *root = json_load_file("tests/data/reference_ber.json", 0, NULL);
    assert_non_null(root);
    const json_t *rows = json_object_get(root, "iid_rayleigh");
    reference_points met = {0};
    const int n = (int)json_array_size(rows);
    assert_true(n == 15);
    for (int i = 0; i < n; i++) {
        const json_t *reference = json_array_get(rows, (size_t)i);
        const char *name = json_string_value(json_object_get(reference, "modulation"));
        const char *config = json_string_value(json_object_get(reference, "config"));
        int n_tx = 0, n_rx = 0, n_bits = 2;
        assert_int_equal(sscanf(config, "%dx%d", &n_tx, &n_rx), 2); // NOLINT(cert-err34-c)
        while (n_bits < LTE_MAX_BITS && strcmp(lte_modulation_rows[n_bits / 2 - 1].name, name) != 0)
            n_bits += 2;
        const double mmse = json_number_value(json_object_get(reference, "mmse"));
        const double slots = 1.5e5 / (mmse * 300.0 * 7.0 * n_tx * n_bits);
        const lte_scenario s =
            scenario_of(LTE_CHANNEL_rayleigh, n_tx, n_rx, n_bits,
                        json_number_value(json_object_get(reference, "snr_db")), 300,
                        share_of(slots > 400.0 ? (int)slots : 400), 1000 + i);
        lte_sweep *sweep = sweep_of(&s);
        compare_with_reference(sweep, reference, &met);
        assert_near(lte_row_z(row_of(sweep, LTE_DETECTOR_zf, 0)), 0.0, z_limit);
        lte_sweep_free(sweep);
    }
    json_decref(root);
    judge_reference(&met, n, "against the reference, ");
}

/* Correlated antennas, both variants, against a simulation in double made elsewhere. */
static void correlated_antennas_meet_the_reference_simulation(void **state)
{
    (void)state;
    json_t *root = json_load_file("tests/data/reference_ber.json", 0, NULL);
    assert_non_null(root);
    const json_t *rows = json_object_get(root, "correlated_16qam_36101_downlink");
    reference_points met = {0};
    const int n = (int)json_array_size(rows);
    assert_true(n == 8);
    for (int i = 0; i < n; i++) {
        const json_t *reference = json_array_get(rows, (size_t)i);
        const char *config = json_string_value(json_object_get(reference, "config"));
        const char *channel = json_string_value(json_object_get(reference, "channel"));
        const char *variant = json_string_value(json_object_get(reference, "variant"));
        const int antennas = config[0] - '0', high = strstr(channel, "high") != NULL;
        const double snr_db = json_number_value(json_object_get(reference, "snr_db"));
        lte_scenario s =
            scenario_of(LTE_CHANNEL_rayleigh, antennas, antennas, 4, snr_db, 300,
                        share_of(antennas == 2 && snr_db > 35.0 ? 600 : 150), 4000 + i);
        s.correlation.given = true;
        assert_int_equal(lte_correlation_of(high ? LTE_CORRELATION_high : LTE_CORRELATION_medium,
                                            false, strcmp(variant, "adjusted") == 0, antennas,
                                            antennas, &s.correlation.matrix),
                         LTE_OK);
        lte_sweep *sweep = sweep_of(&s);
        for (int d = 0; d < sweep->n_detectors; d++)
            assert_false(lte_sweep_row(sweep, d, 0)->theory.known);
        compare_with_reference(sweep, reference, &met);
        lte_sweep_free(sweep);
    }
    json_decref(root);
    judge_reference(&met, n, "correlated, ");
}

static const struct CMUnitTest statistics[] = {
    LTE_CASE(link, zf_meets_its_closed_form),
    LTE_CASE(link, measured_snr_is_the_nominal_one),
    LTE_CASE(link, mmse_is_never_worse_than_zf),
    LTE_CASE(link, layers_add_up_and_no_matrix_is_flagged),
    LTE_CASE(link, layers_fail_alike),
    LTE_CASE(link, inverters_give_the_same_error_rate),
    LTE_CASE(link, awgn_meets_its_anchors),
    LTE_CASE(link, siso_rayleigh_meets_its_anchors),
    LTE_CASE(link, flat_fading_meets_the_closed_form),
    LTE_CASE(link, estimated_channels_meet_the_closed_form),
    LTE_CASE(link, fading_profiles_meet_the_closed_form),
    LTE_CASE(link, moving_channels_meet_the_closed_form),
    LTE_CASE(link, detectors_meet_the_reference_simulation),
    LTE_CASE(link, correlated_antennas_meet_the_reference_simulation),
};

int main(void)
{
    if (is_short())
        return 0;
    return cmocka_run_group_tests_name("link", statistics, run_points, free_points);
}
