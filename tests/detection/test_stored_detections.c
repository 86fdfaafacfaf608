/*
 * The bytes of detections against stored ones: bits and LLRs of every detector, over sizes,
 * modulations, inverters, noises and units.
 *
 *     LTE_TEST_MAKE=FILE build/tests/test_stored_detections    writes the lines anew to FILE
 *
 * tests/golden/detections.txt has a line for each case:
 *
 *     detector inverter rx x tx bits output hash
 *
 * with the 64 bits of FNV-1a (Fowler, Noll, Vo) over all bytes of slots of 7 subcarriers with noise
 * below, beside and above the channel, and in other units. H and noise are sums of uniform numbers,
 * which are exact: the same on every machine. Lines are made only where the bytes in other units
 * are those in units of 1.
 */

#include "tests/detection/slots.h"

#define STORED "tests/golden/detections.txt"

enum { N_SC = 7 };

/* The sum of 12 uniform numbers less 6, of variance 1, over sqrt(2). */
static double bell(uint64_t *random)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += (double)(random_word(random) >> 40) / (1 << 24);
    return sum * M_SQRT1_2;
}

static double complex bell_complex(uint64_t *random)
{
    const double re = bell(random);
    return CMPLX(re, bell(random));
}

/* The noise of a slot in units of 1, and its units, 2^exponent. */
typedef struct {
    double n0;
    int exponent;
} unit_of_link;

/* Usual noise first, which is taken again in other units; far below |h| = 1; above it. */
static const unit_of_link units[] = {{0.05, 0}, {1e-6, 0}, {30.0, 0}, {0.05, -20}, {0.05, 10}};
enum { N_UNITS = sizeof units / sizeof *units };

static slot stored_slot(int n_rx, int n_tx, int n_bits, unit_of_link u)
{
    uint64_t random = 1 + (uint64_t)(n_rx * 1000 + n_tx * 10 + n_bits);
    slot s = slot_of(N_SC, n_rx, n_tx, n_bits);
    for (size_t i = 0; i < slot_h_size(&s) / 2; i++)
        element_set(s.h, i, bell_complex(&random));
    for (size_t i = 0; i < slot_n_labels(&s); i++)
        s.sent[i] = (uint16_t)(random_word(&random) >> 40 & ((1u << n_bits) - 1));
    for (size_t i = 0; i < slot_y_size(&s) / 2; i++) {
        const int symbol = (int)i / (N_SC * n_rx), sc = (int)i / n_rx % N_SC, rx = (int)i % n_rx;
        double complex sum = sqrt(u.n0) * bell_complex(&random);
        for (int k = 0; k < n_tx; k++)
            sum = z_mac(sum, element_at(s.h, h_at(&s, sc, rx, k)),
                        point_of(n_bits, s.sent[label_at(&s, symbol, sc, k)]));
        element_set(s.y, i, sum);
    }
    s.n0 = (float)u.n0;
    slot scaled = slot_scaled(&s, ldexp(1.0, u.exponent));
    slot_free(&s);
    return scaled;
}

static uint64_t fnv_1a(uint64_t hash, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* Rx, tx, bits. */
static const int links[][3] = {{1, 1, 2},   {1, 1, 10}, {2, 2, 2},  {2, 2, 6},   {3, 3, 4},
                               {4, 4, 2},   {4, 4, 4},  {4, 4, 8},  {8, 4, 4},   {8, 8, 2},
                               {8, 8, 6},   {9, 9, 4},  {16, 8, 4}, {16, 16, 2}, {32, 8, 4},
                               {32, 32, 4}, {64, 16, 6}};
enum { N_LINKS = sizeof links / sizeof *links };

static const char *const more_names[] = {"cg-1",     "neumann-1",   "kbest-4-clip16", "ml-exact",
                                         "ml-clip4", "ml-budget60", "fsd-2",          "lr-mmse-0"};
enum { N_MORE = sizeof more_names / sizeof *more_names, N_NAMES = LTE_N_DETECTORS + N_MORE };

static bool takes_soon(const char *name, const int *link, bool llrs)
{
    lte_detector detector;
    assert_true(lte_detector_find(name, &detector));
    if (!takes(name, link[0], link[1], link[2], llrs))
        return false;
    if (detector.id == LTE_DETECTOR_ml)
        return link[1] * link[2] <= 12;
    if (detector.id == LTE_DETECTOR_fsd)
        return link[1] * link[2] <= 24;
    return link[1] <= 8 || link[2] <= 4;
}

/* The hash of all slots of a case, and whether other units have the bytes of units of 1. */
typedef struct {
    uint64_t hash;
    bool same;
} hashed;

static hashed hash_of(const int *link, const char *name, const char *inverter, const char *demapper,
                      const char *backend)
{
    hashed h = {0xcbf29ce484222325u, true};
    lte_detection *detection = NULL;
    uint8_t *out[N_UNITS];
    for (int u = 0; u < N_UNITS; u++) {
        slot s = stored_slot(link[0], link[1], link[2], units[u]);
        s.backend = backend, s.inverter = inverter;
        if (u == 0)
            detection = slot_detection(&s, name, demapper);
        const size_t size = slot_out_size(&s, detection, demapper != NULL);
        out[u] = calloc(1, size);
        assert_non_null(out[u]);
        slot_run(&s, detection, demapper != NULL, out[u]);
        h.hash = fnv_1a(h.hash, out[u], size);
        h.same &= units[u].exponent == 0 || memcmp(out[u], out[0], size) == 0;
        slot_free(&s);
    }
    for (int u = 0; u < N_UNITS; u++)
        free(out[u]);
    lte_detection_free(detection);
    return h;
}

/* What is done with a case: the caller's. */
typedef void of_case(const char *text, const hashed *h, void *to);

/* All cases of one link and detector, in the order of the file. */
static void each_output(const int *link, const char *name, const char *backend, of_case *act,
                        void *to)
{
    static const char *const outputs[] = {NULL, "exact", "max-log"};
    for (int i = 0; i < (inverts(name) ? LTE_N_INVERTERS : 1); i++) {
        const char *inverter = inverts(name) ? lte_inverter_rows[i].name : NULL;
        if (inverter && lte_inverter_rows[i].max_order < link[1])
            continue;
        for (int o = 0; o < 3; o++) {
            char text[120];
            if (!takes_soon(name, link, outputs[o] != NULL))
                continue;
            const hashed h = hash_of(link, name, inverter, outputs[o], backend);
            (void)snprintf(text, sizeof text, "%s %s %dx%d %d %s", name, inverter ? inverter : "-",
                           link[0], link[1], link[2], outputs[o] ? outputs[o] : "bits");
            act(text, &h, to);
        }
    }
}

static void each_case(const char *backend, of_case *act, void *to)
{
    for (int i = 0; i < N_NAMES; i++) {
        const char *name =
            i < LTE_N_DETECTORS ? lte_detector_rows[i].name : more_names[i - LTE_N_DETECTORS];
        for (int link = 0; link < N_LINKS; link++)
            each_output(links[link], name, backend, act, to);
    }
}

/* Lines of the file that is read or written, and what is wrong with them. */
typedef struct {
    FILE *file;
    counted found;
} lines;

static void check_line(const char *text, const hashed *h, void *to)
{
    lines *l = to;
    char line[200], expected[200];
    (void)snprintf(expected, sizeof expected, "%s %016llx\n", text, (unsigned long long)h->hash);
    if (!fgets(line, sizeof line, l->file))
        line[0] = '\0';
    COUNT_WRONG(&l->found, strcmp(line, expected) != 0, "%s", text);
}

static void have_the_stored_bytes(void **state)
{
    const char *backend;
    int failed = 0;
    (void)state;
    for (int at = 0; (backend = next_backend(&at)) != NULL;) {
        lines l = {.file = fopen(STORED, "r")};
        assert_non_null(l.file);
        each_case(backend, check_line, &l);
        assert_int_equal(fgetc(l.file), EOF);
        (void)fclose(l.file);
        failed += count_told(&l.found, backend);
    }
    assert_int_equal(failed, 0);
}

static void write_line(const char *text, const hashed *h, void *to)
{
    lines *l = to;
    COUNT_WRONG(&l->found, !h->same, "%s", text);
    if (!h->same)
        print_error("other bytes in other units: %s\n", text);
    (void)fprintf(l->file, "%s %016llx\n", text, (unsigned long long)h->hash);
}

/* Returns the exit code: 1 where a line would be wrong. */
static int make_lines(const char *path)
{
    lines l = {.file = fopen(path, "w")};
    int at = 0;
    if (!l.file)
        return 1;
    each_case(next_backend(&at), write_line, &l);
    return fclose(l.file) != 0 || count_told(&l.found, path);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {LTE_CASE(detections, have_the_stored_bytes)};
    const char *made = getenv("LTE_TEST_MAKE");
    if (made)
        return make_lines(made);
    return cmocka_run_group_tests_name("detections", cases, NULL, NULL);
}
