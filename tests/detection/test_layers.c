/*
 * Silent layers, whose columns of H are zero, hide no other layer; weak layers are layers as
 * others, against references in long double.
 */

#include "tests/detection/reference.h"

static uint64_t random_state = 1998;

/* Whether a detector takes a link, and has few vectors to search. */
static bool takes_soon(const char *name, int n_rx, int n_tx, int n_bits, bool llrs)
{
    lte_detector detector;
    assert_true(lte_detector_find(name, &detector));
    return takes(name, n_rx, n_tx, n_bits, llrs) &&
           (detector.id != LTE_DETECTOR_ml || n_tx * n_bits <= 12);
}

/* ---- silent layers ---- */

/* The subcarriers on which layers are silent. */
static bool is_silent_at(int sc)
{
    return sc % 3 == 1;
}

static bool is_layer_of(unsigned mask, int k)
{
    return mask >> k & 1;
}

/* H with columns of zeros for the layers of a mask, where they are silent; y stays. */
static slot slot_silenced(const slot *s, unsigned silent)
{
    slot t = slot_copy(s);
    for (int sc = 0; sc < s->n_sc; sc++) {
        for (int e = 0; e < s->n_rx * s->n_tx; e++) {
            if (is_silent_at(sc) && is_layer_of(silent, e % s->n_tx))
                element_set(t.h, h_at(&t, sc, e / s->n_tx, e % s->n_tx), 0.0);
        }
    }
    return t;
}

/* The same link without the layers of a mask. */
static slot slot_without(const slot *s, unsigned silent)
{
    slot t = slot_of(s->n_sc, s->n_rx, s->n_tx - __builtin_popcount(silent), s->n_bits);
    for (int row = 0; row < s->n_sc * s->n_rx; row++) {
        const int sc = row / s->n_rx, rx = row % s->n_rx;
        for (int k = 0, to = 0; k < s->n_tx; k++) {
            if (!is_layer_of(silent, k))
                element_set(t.h, h_at(&t, sc, rx, to++), element_at(s->h, h_at(s, sc, rx, k)));
        }
    }
    memcpy(t.y, s->y, slot_y_size(s) * sizeof *s->y);
    t.n0 = s->n0, t.backend = s->backend, t.inverter = s->inverter;
    return t;
}

/*
 * What is found of one layer's numbers, n of them, where it is silent, where the others of that
 * subcarrier are heard, and on the other subcarriers.
 */
typedef struct {
    counted silent, heard, beside;
} of_layers;

/* Labels or LLRs by three runs: `mine` of H with silent layers, without them, and of H as drawn. */
typedef struct {
    const int16_t *mine, *without, *drawn;
    int each;    /* numbers of a layer */
    int allowed; /* that numbers of layers that are heard may be apart */
    int nothing; /* the number of a silent layer */
} of_runs;

static void compare_runs(const slot *s, unsigned silent, const of_runs *r, of_layers *found)
{
    const int n_heard = s->n_tx - __builtin_popcount(silent);
    for (int i = 0; i < SYMBOLS * s->n_sc; i++) {
        for (int k = 0, heard = 0; k < s->n_tx; k++) {
            const bool is_silent = is_layer_of(silent, k);
            for (int b = 0; b < r->each; b++) {
                const int at = (i * s->n_tx + k) * r->each + b, mine = r->mine[at];
                if (!is_silent_at(i % s->n_sc)) {
                    COUNT_WRONG(&found->beside, mine != r->drawn[at],
                                "%dx%d, %d bits, silent %#x: %d, not %d", s->n_rx, s->n_tx,
                                s->n_bits, silent, mine, r->drawn[at]);
                } else if (is_silent) {
                    COUNT_WRONG(&found->silent, mine != r->nothing,
                                "%dx%d, %d bits, silent %#x: %d, not %d", s->n_rx, s->n_tx,
                                s->n_bits, silent, mine, r->nothing);
                } else {
                    const int right = r->without[(i * n_heard + heard) * r->each + b];
                    COUNT_WRONG(&found->heard, abs(mine - right) > r->allowed,
                                "%dx%d, %d bits, silent %#x: %d, not %d", s->n_rx, s->n_tx,
                                s->n_bits, silent, mine, right);
                }
            }
            heard += !is_silent;
        }
    }
}

/* Labels, or LLRs with a demapper, as numbers of 16 bits. */
static int16_t *numbers_of(const slot *s, const char *name, const char *demapper)
{
    const size_t n = slot_n_labels(s) * (size_t)(demapper ? s->n_bits : 1);
    int16_t *numbers = calloc(n, sizeof *numbers);
    void *out = demapper ? (void *)slot_llrs(s, name, demapper) : (void *)slot_labels(s, name);
    assert_non_null(numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = demapper ? ((int8_t *)out)[i] : (int16_t)((uint16_t *)out)[i];
    free(out);
    return numbers;
}

static bool searches_vectors(const char *name)
{
    lte_detector detector;
    assert_true(lte_detector_find(name, &detector));
    return detector.id == LTE_DETECTOR_kbest || detector.id == LTE_DETECTOR_ml ||
           detector.id == LTE_DETECTOR_fsd;
}

/* One link with silent layers, of which the detector takes as many as are heard, one output. */
static void check_output(const slot *drawn, unsigned silent, const char *name, const char *demapper,
                         of_layers *found)
{
    const bool any = silent != (1u << drawn->n_tx) - 1;
    slot mine = slot_silenced(drawn, silent);
    slot without = any ? slot_without(drawn, silent) : slot_copy(drawn);
    int16_t *runs[3] = {numbers_of(&mine, name, demapper), numbers_of(&without, name, demapper),
                        numbers_of(drawn, name, demapper)};
    const of_runs r = {runs[0],
                       runs[1],
                       runs[2],
                       demapper ? drawn->n_bits : 1,
                       demapper && !searches_vectors(name) ? 1 : 0,
                       demapper ? 0 : (int)label_of_zero(drawn->n_bits)};
    compare_runs(drawn, silent, &r, found);
    for (int i = 0; i < 3; i++)
        free(runs[i]);
    slot_free(&mine);
    slot_free(&without);
}

/* All outputs and inverters of a detector. */
static void check_silent(slot *drawn, unsigned silent, const char *name, of_layers *found)
{
    static const char *const outputs[] = {NULL, "exact", "max-log"};
    for (int i = 0; i < (inverts(name) ? LTE_N_INVERTERS : 1); i++) {
        drawn->inverter = inverts(name) ? lte_inverter_rows[i].name : NULL;
        for (int o = 0; o < 3; o++) {
            if (takes_soon(name, drawn->n_rx, drawn->n_tx, drawn->n_bits, outputs[o] != NULL))
                check_output(drawn, silent, name, outputs[o], found);
        }
    }
}

/* Rx, tx, and the layers that are silent. */
static const struct {
    int n_rx, n_tx;
    unsigned silent;
} silences[] = {{2, 2, 1},  {2, 2, 2}, {2, 2, 3},  {4, 4, 1}, {4, 4, 4},  {4, 4, 6}, {4, 4, 9},
                {4, 4, 15}, {8, 4, 2}, {8, 4, 12}, {8, 4, 5}, {8, 4, 15}, {1, 1, 1}};
enum { N_SILENCES = sizeof silences / sizeof *silences };

/* A detector over links and modulations, if `all` with all layers silent, or else only some. */
static int check_silences(const char *name, const char *backend, bool all)
{
    of_layers found = {{0}, {0}, {0}};
    char text[100];
    int failed = 0;
    for (int i = 0; i < N_SILENCES; i++) {
        const int n_rx = silences[i].n_rx, n_tx = silences[i].n_tx;
        /* with one full layer whatever is silent; of 8x4 it has none */
        const char *called = strcmp(name, "fsd") == 0 && n_rx == n_tx ? "fsd-1" : name;
        if (all != (silences[i].silent == (1u << n_tx) - 1))
            continue;
        for (int n_bits = 2; n_bits <= 6; n_bits += 2) {
            if (n_tx > 2 && n_bits != 2 + 2 * (i % 3))
                continue;
            slot drawn = slot_of(9, n_rx, n_tx, n_bits);
            drawn.backend = backend;
            slot_rayleigh(&drawn, &random_state);
            slot_send(&drawn, 0.05, &random_state);
            check_silent(&drawn, silences[i].silent, called, &found);
            slot_free(&drawn);
        }
    }
    (void)snprintf(text, sizeof text, "%s on %s, silent layers", name, backend);
    failed += count_told(&found.silent, text);
    (void)snprintf(text, sizeof text, "%s on %s, layers that are heard", name, backend);
    failed += all ? 0 : count_told(&found.heard, text);
    (void)snprintf(text, sizeof text, "%s on %s, other subcarriers", name, backend);
    return failed + count_told(&found.beside, text);
}

/* All detectors but zf, which has no estimate of a layer beside a silent one. */
static int check_all_but_zf(bool all)
{
    const char *backend;
    int failed = 0;
    for (int at = 0; (backend = next_backend(&at)) != NULL;) {
        for (int i = 0; i < LTE_N_DETECTORS; i++)
            failed += i == LTE_DETECTOR_zf && !all
                          ? 0
                          : check_silences(lte_detector_rows[i].name, backend, all);
    }
    return failed;
}

static void layers_leave_the_others_as_if_they_were_not_there(void **state)
{
    (void)state;
    assert_int_equal(check_all_but_zf(false), 0);
}

static void channels_of_zeros_tell_nothing(void **state)
{
    (void)state;
    assert_int_equal(check_all_but_zf(true), 0);
}

/* There is no inverse: all estimates are zero, of that subcarrier alone. */
static void layers_leave_zf_without_estimates(void **state)
{
    const char *backend;
    int failed = 0;
    (void)state;
    for (int at = 0; (backend = next_backend(&at)) != NULL;) {
        counted count = {0}, beside = {0};
        for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
            slot drawn = slot_of(9, 4, 4, 4);
            drawn.backend = backend, drawn.inverter = lte_inverter_rows[inverter].name;
            slot_rayleigh(&drawn, &random_state);
            slot_send(&drawn, 0.05, &random_state);
            slot mine = slot_silenced(&drawn, 4);
            int16_t *label = numbers_of(&mine, "zf", NULL), *llr = numbers_of(&mine, "zf", "exact");
            int16_t *drawn_label = numbers_of(&drawn, "zf", NULL);
            for (int i = 0; i < SYMBOLS * 9 * 4; i++) {
                const bool silent = is_silent_at(i / 4 % 9);
                for (int b = 0; silent && b < 4; b++)
                    COUNT_WRONG(&count, llr[i * 4 + b] != 0, "LLR %d", llr[i * 4 + b]);
                if (silent)
                    COUNT_WRONG(&count, label[i] != (int)label_of_zero(4), "label %d", label[i]);
                else
                    COUNT_WRONG(&beside, label[i] != drawn_label[i], "label %d, not %d", label[i],
                                drawn_label[i]);
            }
            free(label);
            free(llr);
            free(drawn_label);
            slot_free(&mine);
            slot_free(&drawn);
        }
        failed += count_told(&count, backend) + count_told(&beside, "other subcarriers");
    }
    assert_int_equal(failed, 0);
}

/* ---- weak layers ---- */

/*
 * How strong and weak columns lie. MIXED: all elements random. APART: each strong layer has an
 * antenna of its own, so that no strong layer disturbs another. DECODED: so, with the weak ones on
 * the other antennas, with noise about 20 dB below them and none on the antennas of the strong:
 * there y is exact and n0 a power of 4, since rounding would be more than the weak layers' noise.
 */
typedef enum { MIXED, APART, DECODED } lies;
static const char *const lies_words[] = {"mixed", "apart", "decoded"};

static const double complex turns[4] = {1.0, CMPLX(0.0, 1.0), -1.0, CMPLX(0.0, -1.0)};

/* Layers 0 .. n_strong - 1 are strong, the others weaker by w. */
static void weaken(slot *s, int n_strong, double w, lies how)
{
    for (int sc = 0; sc < s->n_sc; sc++) {
        for (int r = 0; r < s->n_rx; r++) {
            for (int k = 0; k < s->n_tx; k++) {
                double complex z = random_complex(&random_state) * (k < n_strong ? 1.0 : w);
                if (how != MIXED && k < n_strong)
                    z = r == k ? turns[(sc + k) % 4] : 0.0;
                if (how == DECODED && k >= n_strong && r < n_strong)
                    z = 0.0;
                element_set(s->h, h_at(s, sc, r, k), z);
            }
        }
    }
}

/* y on the antennas of strong layers without noise. */
static void send_decodable(slot *s, int n_strong, double w)
{
    slot_send(s, ldexp(1.0, 2 * (int)round(log2(0.1 * w))), &random_state);
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        for (int e = 0; e < s->n_sc * n_strong; e++) {
            const int sc = e / n_strong, k = e % n_strong;
            const double complex x = point_of(s->n_bits, s->sent[label_at(s, symbol, sc, k)]);
            element_set(s->y, y_at(s, symbol, sc, k), element_at(s->h, h_at(s, sc, k, k)) * x);
        }
    }
}

/* A detector, and its reference in long double. */
typedef struct {
    const char *name;
    void (*tell)(const seen *e, told *t);   /* NULL: all vectors */
    void (*decide)(const seen *e, told *t); /* what labels are of; NULL: of the same */
    int most_bits;                          /* of a vector, where all are tried */
    bool exact;                             /* by sums over them */
    bool needs_apart;
} weak_row;

/*
 * cg and neumann take so many steps, so they are mmse only where strong layers do not disturb one
 * another and n0 is not below what the weak ones come to.
 * K-best has its LLRs from 16 vectors, all that there are of two layers of QPSK.
 */
static const weak_row weak_rows[] = {
    {"zf", tell_zf, NULL, 0, false, false},
    {"mmse", tell_mmse, NULL, 0, false, false},
    {"mrc", tell_mrc, NULL, 0, false, false},
    {"mmse-sic", tell_mmse_sic, decide_mmse_sic, 0, false, false},
    {"ml", NULL, NULL, 12, false, false},
    {"ml-exact-clip16", NULL, NULL, 12, true, false},
    {"kbest-16-clip16", NULL, NULL, 4, false, false},
    {"cg", tell_mmse, NULL, 0, false, true},
    {"neumann", tell_mmse, NULL, 0, false, true},
};
enum { N_WEAK_ROWS = sizeof weak_rows / sizeof *weak_rows };

/*
 * LLRs [3][SYMBOLS][n_sc][n_tx][n_bits] before they are rounded: with the exact demapper, with
 * max-log, and those of max-log whose signs are the bits decided.
 */
static double *expected_llrs(const slot *s, const weak_row *row)
{
    const size_t n = slot_n_labels(s) * (size_t)s->n_bits,
                 each = (size_t)s->n_tx * (size_t)s->n_bits;
    double *llr = calloc(3 * n, sizeof *llr);
    assert_non_null(llr);
    for (int i = 0; i < SYMBOLS * s->n_sc; i++) {
        const seen e = seen_of(s, i / s->n_sc, i % s->n_sc);
        told t[TOLD_TX], decided[TOLD_TX];
        long double all[2][TOLD_TX * LTE_MAX_BITS];
        if (row->tell) {
            row->tell(&e, t);
            (row->decide ? row->decide : row->tell)(&e, decided);
        }
        for (int way = 0; !row->tell && way < 2; way++)
            (void)tell_all_vectors(&e, way == 0 && row->exact, all[way]);
        for (size_t b = 0; b < each; b++) {
            const int k = (int)b / s->n_bits, bit = (int)b % s->n_bits;
            for (int way = 0; way < 3; way++)
                llr[(size_t)way * n + (size_t)i * each + b] = whole_of(
                    row->tell ? llr_of(s->n_bits, way == 0, (way == 2 ? decided : t)[k], bit)
                              : all[way / 2][b],
                    s->llr_scale);
        }
    }
    return llr;
}

/* LLRs within one unit, and bits where max-log's LLR is at least one. */
static void check_weak(const slot *s, const weak_row *row, const double *llr, const char *what,
                       counted *found)
{
    const size_t n = slot_n_labels(s) * (size_t)s->n_bits, n_bits = (size_t)s->n_bits;
    int8_t *exact = slot_llrs(s, row->name, "exact"), *max_log = slot_llrs(s, row->name, "max-log");
    uint16_t *label = slot_labels(s, row->name);
    for (size_t i = 0; i < n; i++) {
        const int layer = (int)(i / n_bits) % s->n_tx;
        const bool one = label[i / n_bits] >> i % n_bits & 1;
        COUNT_WRONG(found, !(fabs(exact[i] - round(llr[i])) <= 1.0),
                    "%s, layer %d: exact LLR %d, not %.4g", what, layer, exact[i], llr[i]);
        COUNT_WRONG(found, !(fabs(max_log[i] - round(llr[n + i])) <= 1.0),
                    "%s, layer %d: max-log LLR %d, not %.4g", what, layer, max_log[i], llr[n + i]);
        if (fabs(llr[2 * n + i]) >= 1.0)
            COUNT_WRONG(found, one != (llr[2 * n + i] < 0.0), "%s, layer %d: bit %d with LLR %.4g",
                        what, layer, one, llr[2 * n + i]);
    }
    free(exact);
    free(max_log);
    free(label);
}

/* One link of all rows and backends. */
static void check_weak_link(slot *s, lies how, const char *what, counted (*found)[16])
{
    for (int i = 0; i < N_WEAK_ROWS; i++) {
        const weak_row *row = &weak_rows[i];
        if ((!row->tell && s->n_tx * s->n_bits > row->most_bits) ||
            (row->needs_apart && how != APART))
            continue;
        double *llr = expected_llrs(s, row);
        for (int at = 0, b = 0; (s->backend = next_backend(&at)) != NULL; b++)
            check_weak(s, row, llr, what, &found[i][b]);
        free(llr);
    }
}

/* Links of n layers, n_strong of them strong, over all weaknesses and modulations. */
static void check_weaknesses(int n, int n_strong, lies how, counted (*found)[16])
{
    static const double weaknesses[] = {0.1, 1e-5, 1e-10, 1e-15, 1e-20, 1e-30};
    char what[80];
    /* cg and neumann need weak layers that are far weaker; n0 is a normal number */
    for (int i = how == APART; i < (how == DECODED ? 4 : 6); i++) {
        const double w = weaknesses[i];
        for (int n_bits = 2; n_bits <= (n > 2 ? 4 : 6); n_bits += 2) {
            slot s = slot_of(5, n, n, n_bits);
            weaken(&s, n_strong, w, how);
            if (how == DECODED)
                send_decodable(&s, n_strong, w);
            else
                slot_send(&s, 0.01, &random_state);
            (void)snprintf(what, sizeof what, "%dx%d, %d strong, %d bits, weaker by %g", n, n,
                           n_strong, n_bits, w);
            check_weak_link(&s, how, what, found);
            slot_free(&s);
        }
    }
}

static void check_weak_layers(lies how)
{
    counted found[N_WEAK_ROWS][16] = {{{0}}};
    char what[80];
    int failed = 0;
    check_weaknesses(2, 1, how, found);
    check_weaknesses(4, 3, how, found);
    check_weaknesses(4, 2, how, found);
    for (int i = 0; i < N_WEAK_ROWS; i++) {
        const char *backend;
        for (int at = 0, b = 0; (backend = next_backend(&at)) != NULL; b++) {
            (void)snprintf(what, sizeof what, "%s on %s, %s", weak_rows[i].name, backend,
                           lies_words[how]);
            if (!weak_rows[i].needs_apart || how == APART)
                failed += count_told(&found[i][b], what);
        }
    }
    assert_int_equal(failed, 0);
}

static void layers_leave_the_strong_their_llrs(void **state)
{
    (void)state;
    check_weak_layers(MIXED);
}

static void layers_beside_orthogonal_ones_are_mmse_of_iterations(void **state)
{
    (void)state;
    check_weak_layers(APART);
}

static void layers_are_decoded_where_the_noise_allows(void **state)
{
    (void)state;
    check_weak_layers(DECODED);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(silent, layers_leave_the_others_as_if_they_were_not_there),
        LTE_CASE(silent, channels_of_zeros_tell_nothing),
        LTE_CASE(silent, layers_leave_zf_without_estimates),
        LTE_CASE(weak, layers_leave_the_strong_their_llrs),
        LTE_CASE(weak, layers_beside_orthogonal_ones_are_mmse_of_iterations),
        LTE_CASE(weak, layers_are_decoded_where_the_noise_allows),
    };
    const char *only = getenv("LTE_TEST_CASE");
    if (only)
        cmocka_set_test_filter(only);
    return cmocka_run_group_tests_name("layers", cases, NULL, NULL);
}
