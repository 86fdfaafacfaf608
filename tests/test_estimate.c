/*
 * Channels estimated from reference symbols: errors against the tables' own variances, noise, and
 * the stages against each other.
 */
#include <complex.h>
#include <math.h>

#include "tests/batch.h"

enum { N_SC = 300, SEED_SLOTS = 40 };

/* One slot: what was sent and received, and what the receiver makes of the reference symbol. */
typedef struct {
    batch b;
    lte_cf32 *estimate; /* [n_rx][n_tx][n_sc] */
    int64_t residual;
    lte_noise known;
} slot_of_pilots;

static const lte_cf32 *pilot_planes(const batch *b)
{
    return &b->y_planes[(ptrdiff_t)LTE_PILOT_SYMBOL * b->link.n_sc];
}

static void run_estimate(slot_of_pilots *s, const lte_stages *stages, lte_noise noise, int middle)
{
    const lte_link *link = &s->b.link;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->n_sc;
    const lte_cf32 *y = pilot_planes(&s->b);
    s->residual = 0;
    /* in two pieces, as threads share a slot */
    stages->estimate(link, LTE_LS_WEIGHTS, middle, link->n_groups, y, stride, s->estimate,
                     &s->residual);
    stages->estimate(link, LTE_LS_WEIGHTS, 0, middle, y, stride, s->estimate, &s->residual);
    s->known = lte_noise_known(link, noise, s->residual);
    const int set = lte_link_weights(link, s->known.n0);
    if (set != LTE_LS_WEIGHTS) {
        stages->estimate(link, set, 0, middle, y, stride, s->estimate, NULL);
        stages->estimate(link, set, middle, link->n_groups, y, stride, s->estimate, NULL);
    }
}

static void slot_init(slot_of_pilots *s, const lte_link *link)
{
    batch_init(&s->b, link, 0xa5);
    s->estimate =
        poisoned((size_t)(link->n_rx * link->n_tx * link->n_sc) * sizeof *s->estimate, 0xa5);
}

static void slot_fini(slot_of_pilots *s)
{
    batch_fini(&s->b);
    free(s->estimate);
}

static lte_link estimating(int n_sc, int n_rx, int n_tx, int n_bits, int channel, double doppler_hz,
                           int knowledge, bool noise_known, lte_pilots *pilots)
{
    lte_link link = link_of(n_sc, n_rx, n_tx, n_bits, channel, LTE_INVERTER_ldl);
    if (doppler_hz > 0.0)
        assert_int_equal(lte_link_move(&link, doppler_hz, 8), LTE_OK);
    assert_int_equal(
        lte_pilots_create(channel, n_sc, n_rx, n_tx, knowledge == LTE_KNOWLEDGE_dmrs_mmse, pilots),
        LTE_OK);
    lte_link_estimate(&link, knowledge, noise_known, *pilots);
    return link;
}

static double complex value(lte_cf32 z)
{
    return CMPLX(z.re, z.im);
}

/* sum_k |estimate - H|^2 / n0 of the reference symbol, averaged over antennas: [n_sc] added. */
static void add_errors(const slot_of_pilots *s, double n0, double *error)
{
    const lte_link *link = &s->b.link;
    const int n_sc = link->n_sc, m = link->n_h > 1 ? LTE_PILOT_SYMBOL : 0;
    for (int e = 0; e < link->n_rx * link->n_tx; e++) {
        for (int sc = 0; sc < n_sc; sc++) {
            const double complex gap = value(s->estimate[e * n_sc + sc]) -
                                       value(s->b.h_planes[(e * link->n_h + m) * n_sc + sc]);
            error[sc] += creal(gap * conj(gap)) / (n0 * link->n_rx);
        }
    }
}

/*
 * Mean of the errors over the carrier against the mean of the spread that the tables promise.
 * Neighbouring subcarriers share windows and taps: a slot counts as one sample for the standard
 * error, taken from the slots themselves.
 */
static void assert_errors_as_promised(int channel, int n_rx, int n_tx, int knowledge, double snr_db,
                                      double bias)
{
    const lte_stages *stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(n_tx, pow(10.0, snr_db / 10.0));
    double sum = 0.0, squares = 0.0, expected = 0.0, noise_sum = 0.0, noise_squares = 0.0;
    lte_pilots pilots;
    const lte_link link = estimating(N_SC, n_rx, n_tx, 2, channel, 0.0, knowledge, false, &pilots);
    slot_of_pilots s;
    slot_init(&s, &link);
    for (int slot = 0; slot < SEED_SLOTS; slot++) {
        double error[N_SC] = {0.0}, mean = 0.0, promised = 0.0;
        batch_send(&s.b, stages, (uint64_t)slot, noise);
        run_estimate(&s, stages, noise, 7);
        add_errors(&s, (double)noise.n0, error);
        const float *spread = s.known.spread;
        for (int sc = 0; sc < N_SC; sc++) {
            mean += error[sc] / N_SC;
            promised += (double)spread[sc] / N_SC;
        }
        /* levels are powers of two, and what they promise is in units of their own noise */
        expected += promised / SEED_SLOTS;
        sum += mean;
        squares += mean * mean;
        noise_sum += (double)s.known.n0 / (double)noise.n0;
        noise_squares += pow((double)s.known.n0 / (double)noise.n0, 2.0);
    }
    const double mean = sum / SEED_SLOTS, noise_mean = noise_sum / SEED_SLOTS;
    const double se = sqrt((squares / SEED_SLOTS - mean * mean) / (SEED_SLOTS - 1));
    const double noise_se =
        sqrt((noise_squares / SEED_SLOTS - noise_mean * noise_mean) / (SEED_SLOTS - 1));
    print_message("%s %dx%d %s %g dB: error / n0 %.4f +- %.4f, promised %.4f; noise %.4f +- %.4f\n",
                  lte_channel_names[channel].name, n_rx, n_tx, lte_knowledge_names[knowledge].name,
                  snr_db, mean, se, expected, noise_mean, noise_se);
    assert_near(mean, expected, 4.0 * se + bias * expected);
    assert_near(noise_mean, 1.0, 4.0 * noise_se + bias);
    slot_fini(&s);
    lte_pilots_free(&pilots);
}

static void least_squares_errs_as_promised(void **state)
{
    (void)state;
    assert_errors_as_promised(LTE_CHANNEL_flat, 4, 4, LTE_KNOWLEDGE_dmrs_ls, 20.0, 0.0);
    assert_errors_as_promised(LTE_CHANNEL_flat, 2, 1, LTE_KNOWLEDGE_dmrs_ls, 0.0, 0.0);
    assert_errors_as_promised(LTE_CHANNEL_awgn, 3, 3, LTE_KNOWLEDGE_dmrs_ls, 10.0, 0.0);
    assert_errors_as_promised(LTE_CHANNEL_epa, 4, 4, LTE_KNOWLEDGE_dmrs_ls, 10.0, 0.02);
    assert_errors_as_promised(LTE_CHANNEL_eva, 4, 2, LTE_KNOWLEDGE_dmrs_ls, 10.0, 0.02);
    assert_errors_as_promised(LTE_CHANNEL_etu, 4, 4, LTE_KNOWLEDGE_dmrs_ls, 10.0, 0.02);
}

static void wiener_filter_errs_as_promised(void **state)
{
    (void)state;
    assert_errors_as_promised(LTE_CHANNEL_flat, 4, 4, LTE_KNOWLEDGE_dmrs_mmse, 12.04, 0.02);
    assert_errors_as_promised(LTE_CHANNEL_epa, 4, 4, LTE_KNOWLEDGE_dmrs_mmse, 12.04, 0.02);
    assert_errors_as_promised(LTE_CHANNEL_eva, 4, 3, LTE_KNOWLEDGE_dmrs_mmse, 12.04, 0.02);
    assert_errors_as_promised(LTE_CHANNEL_etu, 4, 4, LTE_KNOWLEDGE_dmrs_mmse, 12.04, 0.02);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(estimate, least_squares_errs_as_promised),
    LTE_CASE(estimate, wiener_filter_errs_as_promised),
};

int main(void)
{
    return cmocka_run_group_tests_name("estimate", cases, NULL, NULL);
}
