/*
 * Bits and LLRs do not depend on the units of H, y and n0: (s H, s y, s^2 n0) is the same link for
 * every s, and for powers of two the same numbers but for their exponents.
 */

#include "tests/detection/slots.h"

/* Detectors beside those of the rows' usual parameters. */
static const char *const more_names[] = {"ml-exact", "ml-budget100", "kbest-4-clip16"};
enum { N_MORE = sizeof more_names / sizeof *more_names, N_NAMES = LTE_N_DETECTORS + N_MORE };

static const char *name_of(int i)
{
    return i < LTE_N_DETECTORS ? lte_detector_rows[i].name : more_names[i - LTE_N_DETECTORS];
}

static bool is_of(const char *name, int id)
{
    lte_detector detector;
    return lte_detector_find(name, &detector) && detector.id == id;
}

/* Whether a detector takes a link in a short time: those that search, few vectors. */
static bool takes_soon(const char *name, int n_rx, int n_tx, int n_bits, bool llrs)
{
    if (!takes(name, n_rx, n_tx, n_bits, llrs))
        return false;
    if (is_of(name, LTE_DETECTOR_ml))
        return n_tx * n_bits <= 10;
    if (is_of(name, LTE_DETECTOR_fsd))
        return (n_tx > 4 ? 2 : 1) * n_bits <= 8;
    return n_tx <= 8 || n_bits <= 4;
}

/* The i-th of the powers of two, 2^e: even and odd e from -50 to 50. */
enum { N_POWERS = 31, N_NOISES = 5 };
static int exponent_of(int i)
{
    const int e = -50 + 100 * i / (N_POWERS - 1);
    return e == 0 ? 1 : e;
}

static const double noises[N_NOISES] = {1e-6, 1e-4, 1e-2, 1.0, 1e2};

/* What a detector's runs came to, and the powers nearest to 1 on either side that were wrong. */
typedef struct {
    counted count;
    int below, above;
    int turn; /* links so far */
    uint64_t random_state;
} by_power;

/*
 * A link of a detector, its output and inverter. In the long form all powers with all noises; else
 * one noise and every third power, of large orders every 16th, in turn: over links, modulations
 * and outputs each comes to all.
 */
static void check_powers(slot *link, const char *name, const char *demapper, by_power *found)
{
    const int turn = found->turn++, stride = is_long() ? 1 : link->n_tx > 8 ? 16 : 3;
    lte_detection *detection = slot_detection(link, name, demapper);
    const size_t size = slot_out_size(link, detection, demapper != NULL);
    uint8_t *at_one = calloc(1, size), *out = calloc(1, size);
    assert_true(at_one && out);
    for (int j = 0; j < N_NOISES; j++) {
        if (!is_long() && j != turn % N_NOISES)
            continue;
        slot_rayleigh(link, &found->random_state);
        slot_send(link, noises[j], &found->random_state);
        slot_run(link, detection, demapper != NULL, at_one);
        for (int i = turn / N_NOISES % stride; i < N_POWERS; i += stride) {
            const int e = exponent_of(i);
            slot scaled = slot_scaled(link, ldexp(1.0, e));
            slot_run(&scaled, detection, demapper != NULL, out);
            const bool wrong = memcmp(out, at_one, size) != 0;
            COUNT_WRONG(&found->count, wrong, "%dx%d, %d bits, n0 %g, %s, %s at 2^%d", link->n_rx,
                        link->n_tx, link->n_bits, noises[j],
                        inverts(name) ? link->inverter : "no inverse", demapper ? demapper : "bits",
                        e);
            if (wrong && e < 0 && e > found->below)
                found->below = e;
            if (wrong && e > 0 && e < found->above)
                found->above = e;
            slot_free(&scaled);
        }
    }
    free(at_one);
    free(out);
    lte_detection_free(detection);
}

/*
 * All inverters that take the order, of a detector that needs one; but in the long form the first
 * with every modulation, the others with two.
 */
static void check_inverters(slot *link, const char *name, const char *demapper, by_power *found)
{
    for (int i = 0; i < LTE_N_INVERTERS; i++) {
        if (i > 0 && !inverts(name))
            break;
        if (inverts(name) && lte_inverter_rows[i].max_order < link->n_tx)
            continue;
        if (i > 0 && !is_long() && link->n_bits != 2 && link->n_bits != 6)
            continue;
        link->inverter = inverts(name) ? lte_inverter_rows[i].name : NULL;
        check_powers(link, name, demapper, found);
    }
}

/* Rx, tx. */
static const int shapes[][2] = {{1, 1}, {2, 2},   {3, 3},   {4, 4},   {4, 2},  {8, 8},
                                {9, 9}, {16, 16}, {32, 32}, {64, 16}, {64, 32}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static int check_detector(const char *name, const char *backend)
{
    static const char *const outputs[] = {NULL, "exact", "max-log"};
    by_power found = {.below = -99, .above = 99, .random_state = 62};
    char text[200];
    for (int shape = 0; shape < (is_short() ? 5 : N_SHAPES); shape++) {
        for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
            const int n_rx = shapes[shape][0], n_tx = shapes[shape][1];
            slot link = slot_of(n_tx > 8 || n_bits >= 8 ? 3 : 17, n_rx, n_tx, n_bits);
            link.backend = backend;
            for (int output = 0; output < 3; output++) {
                if (takes_soon(name, n_rx, n_tx, n_bits, outputs[output] != NULL))
                    check_inverters(&link, name, outputs[output], &found);
            }
            slot_free(&link);
        }
    }
    (void)snprintf(text, sizeof text, "%s on %s, from 2^%d down, 2^%d up", name, backend,
                   found.below, found.above);
    return count_told(&found.count, text);
}

static void bytes_do_not_depend_on_a_power_of_two(void **state)
{
    const char *backend;
    int failed = 0;
    (void)state;
    for (int at = 0; (backend = next_backend(&at)) != NULL;) {
        for (int i = 0; i < N_NAMES; i++)
            failed += check_detector(name_of(i), backend);
    }
    assert_int_equal(failed, 0);
}

/* ---- other factors ---- */

/* Bits of a detector in two units: how many there are, differ, and are wrong in either. */
typedef struct {
    long bits, apart, wrong, wrong_at_one;
} differing;

/* Adds what every detector decides of a link in its units and in others. */
static void add_differing(const slot *link, double factor, differing *d)
{
    slot scaled = slot_scaled(link, factor);
    const size_t n = slot_n_labels(link);
    for (int i = 0; i < N_NAMES; i++) {
        if (!takes_soon(name_of(i), link->n_rx, link->n_tx, link->n_bits, false))
            continue;
        uint16_t *mine = slot_labels(&scaled, name_of(i));
        uint16_t *at_one = slot_labels(link, name_of(i));
        d[i].bits += (long)n * link->n_bits;
        d[i].apart += bits_apart(mine, at_one, n);
        d[i].wrong += bits_apart(mine, link->sent, n);
        d[i].wrong_at_one += bits_apart(at_one, link->sent, n);
        free(mine);
        free(at_one);
    }
    slot_free(&scaled);
}

/* At most 2 of 1e5 bits of each detector may differ. Returns how many detectors have more. */
static int told_differing(const slot *link, double factor, const differing *d)
{
    int failed = 0;
    for (int i = 0; i < N_NAMES; i++) {
        if (d[i].bits == 0 || (d[i].bits >= 100000 && d[i].apart * 100000 <= 2 * d[i].bits))
            continue;
        print_error("%s on %s, %dx%d, %d bits, n0 %g, times %g: %ld of %ld bits differ, wrong are "
                    "%ld, not %ld\n",
                    name_of(i), link->backend, link->n_rx, link->n_tx, link->n_bits,
                    (double)link->n0, factor, d[i].apart, d[i].bits, d[i].wrong, d[i].wrong_at_one);
        failed++;
    }
    return failed;
}

/* 100,800 bits, in slots of at most 1200 subcarriers. */
static int check_factor(int n_rx, int n_tx, int n_bits, double n0, double factor)
{
    const int all = 100800 / SYMBOLS / (n_tx * n_bits), parts = (all + 1199) / 1200;
    slot link = slot_of(all / parts, n_rx, n_tx, n_bits);
    int failed = 0;
    for (int at = 0; (link.backend = next_backend(&at)) != NULL;) {
        uint64_t random_state = 1515;
        differing d[N_NAMES] = {{0}};
        for (int part = 0; part < parts; part++) {
            slot_rayleigh(&link, &random_state);
            slot_send(&link, n0, &random_state);
            add_differing(&link, factor, d);
        }
        failed += told_differing(&link, factor, d);
    }
    slot_free(&link);
    return failed;
}

static void any_factor_gives_the_same_answer(void **state)
{
    static const double factors[] = {1e-15, 0.7, 1e15};
    int failed = 0;
    (void)state;
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        failed += check_factor(2, 2, 4, 0.1, factors[f]);
        failed += check_factor(4, 4, 2, 0.1, factors[f]);
        failed += check_factor(8, 4, 6, 0.01, factors[f]);
        if (is_long())
            failed += check_factor(4, 4, 4, 0.1, factors[f]);
    }
    assert_int_equal(failed, 0);
}

/* n0 = k T B of one subcarrier in watts: 2x2, QPSK, 0 to 30 dB. */
static void watts_are_units_as_others(void **state)
{
    const double watts = 6.0e-17;
    int failed = 0;
    (void)state;
    for (int snr_db = 0; snr_db <= 30; snr_db += 10) {
        const double n0 = 2.0 * pow(10.0, -0.1 * snr_db);
        failed += check_factor(2, 2, 2, n0, sqrt(watts / n0));
    }
    assert_int_equal(failed, 0);
}

/* ---- noise below the least normal number ---- */

/* Channels of amplitude 1: each layer on an antenna of its own. */
static void subnormal_noise_leaves_all_llrs_certain(void **state)
{
    uint64_t random_state = 44;
    const char *backend;
    int failed = 0;
    (void)state;
    for (int at = 0; (backend = next_backend(&at)) != NULL;) {
        for (int i = 0; i < LTE_N_DETECTORS; i++) {
            const char *row = lte_detector_rows[i].name;
            const char *name = is_of(row, LTE_DETECTOR_kbest) ? "kbest-16-clip16" : row;
            counted count = {0};
            for (int n_tx = 1; gives_llrs(name) && n_tx <= 4; n_tx *= 2) {
                slot link = slot_of(12, n_tx, n_tx, 2);
                for (int e = 0; e < link.n_sc * n_tx; e++)
                    element_set(link.h, h_at(&link, e / n_tx, e % n_tx, e % n_tx),
                                e % 3 ? 1.0 : CMPLX(0.0, -1.0));
                slot_send(&link, 1e-60, &random_state); /* y is exact */
                link.n0 = 1e-44f;
                link.backend = backend;
                int8_t *llr = slot_llrs(&link, name, "max-log");
                for (size_t b = 0; b < slot_n_labels(&link) * 2; b++)
                    COUNT_WRONG(&count, llr[b] != (link.sent[b / 2] >> b % 2 & 1 ? -127 : 127),
                                "%dx%d: LLR %d", n_tx, n_tx, llr[b]);
                free(llr);
                slot_free(&link);
            }
            if (gives_llrs(name))
                failed += count_told(&count, name);
        }
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(units, bytes_do_not_depend_on_a_power_of_two),
        LTE_CASE(units, any_factor_gives_the_same_answer),
        LTE_CASE(units, watts_are_units_as_others),
        LTE_CASE(units, subnormal_noise_leaves_all_llrs_certain),
    };
    const char *only = getenv("LTE_TEST_CASE");
    if (only)
        cmocka_set_test_filter(only);
    return cmocka_run_group_tests_name("units", cases, NULL, NULL);
}
