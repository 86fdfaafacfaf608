#ifndef LTE_TESTS_SLOTS_H
#define LTE_TESTS_SLOTS_H
/*
 * A slot for the library's detection: channels, symbols sent, what is received, and what a detector
 * of the list makes of them.
 *
 *     slot s = slot_of(n_sc, n_rx, n_tx, n_bits);
 *     slot_rayleigh(&s, &random_state);
 *     slot_send(&s, 0.01, &random_state);
 *     for (int at = 0; (s.backend = next_backend(&at)) != NULL;) {
 *         uint8_t *bits = slot_bits(&s, "mmse");
 *         int8_t *llr = slot_llrs(&s, "mmse", "exact");
 *         ...
 *     }
 *     slot_free(&s);
 *
 * The cases run on every usable backend of processors, or with LTE_TEST_BACKENDS=devices on those
 * of devices. Points are those of TS 36.211 clause 7.1, rounded once.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/backends/program_parts.h"
#include "ltesim/ltesim.h"
#include "phy/detection/detectors.h"
#include "phy/inversion/inverters.h"
#include "tests/lib/random.h"
#include "tests/lib/unit.h"

enum { SYMBOLS = 7 };

typedef struct {
    int n_sc, n_rx, n_tx, n_bits;
    float n0;
    float *h;       /* [n_sc][n_rx][n_tx][2] */
    float *y;       /* [SYMBOLS][n_sc][n_rx][2] */
    uint16_t *sent; /* labels [SYMBOLS][n_sc][n_tx] */
    const char *backend, *inverter;
    float llr_scale;
} slot;

static inline size_t slot_h_size(const slot *s)
{
    return (size_t)s->n_sc * (size_t)s->n_rx * (size_t)s->n_tx * 2;
}
static inline size_t slot_y_size(const slot *s)
{
    return SYMBOLS * (size_t)s->n_sc * (size_t)s->n_rx * 2;
}
static inline size_t slot_n_labels(const slot *s)
{
    return SYMBOLS * (size_t)s->n_sc * (size_t)s->n_tx;
}

static inline slot slot_of(int n_sc, int n_rx, int n_tx, int n_bits)
{
    slot s = {.n_sc = n_sc, .n_rx = n_rx, .n_tx = n_tx, .n_bits = n_bits, .llr_scale = 8.0f};
    s.h = calloc(slot_h_size(&s), sizeof *s.h);
    s.y = calloc(slot_y_size(&s), sizeof *s.y);
    s.sent = calloc(slot_n_labels(&s), sizeof *s.sent);
    assert_true(s.h && s.y && s.sent);
    return s;
}

static inline void slot_free(slot *s)
{
    free(s->h);
    free(s->y);
    free(s->sent);
}

/* The complex element at an index of h or y, and its place. */
static inline double complex element_at(const float *a, size_t i)
{
    return CMPLX(a[2 * i], a[2 * i + 1]);
}
static inline void element_set(float *a, size_t i, double complex z)
{
    a[2 * i] = (float)creal(z);
    a[2 * i + 1] = (float)cimag(z);
}
static inline size_t h_at(const slot *s, int sc, int rx, int tx)
{
    return ((size_t)sc * (size_t)s->n_rx + (size_t)rx) * (size_t)s->n_tx + (size_t)tx;
}
static inline size_t y_at(const slot *s, int symbol, int sc, int rx)
{
    return ((size_t)symbol * (size_t)s->n_sc + (size_t)sc) * (size_t)s->n_rx + (size_t)rx;
}
static inline size_t label_at(const slot *s, int symbol, int sc, int tx)
{
    return ((size_t)symbol * (size_t)s->n_sc + (size_t)sc) * (size_t)s->n_tx + (size_t)tx;
}

/* One dimension of the point of a label, in units of A: bits first, first + 2, ... */
static inline int level_of(int n_bits, int first, unsigned label)
{
    int v = 1;
    for (int bit = n_bits - 2 + first, step = 2; bit > first; bit -= 2, step *= 2)
        v = step - (label >> bit & 1 ? -v : v);
    return label >> first & 1 ? -v : v;
}

/* A: half the distance of neighbouring points of mean power 1. */
static inline double unit_of(int n_bits)
{
    return (double)(float)sqrt(1.5 / ((1 << n_bits) - 1));
}
static inline double complex point_of(int n_bits, unsigned label)
{
    return CMPLX(unit_of(n_bits) * level_of(n_bits, 0, label),
                 unit_of(n_bits) * level_of(n_bits, 1, label));
}

/* The label of an estimate of zero: the point nearest to it, both parts positive. */
static inline unsigned label_of_zero(int n_bits)
{
    unsigned label = 0;
    while (level_of(n_bits, 0, label) != 1 || level_of(n_bits, 1, label) != 1)
        label++;
    return label;
}

static inline double complex random_complex(uint64_t *random)
{
    const double re = random_normal(random);
    return CMPLX(re * M_SQRT1_2, random_normal(random) * M_SQRT1_2);
}

/* H of independent normal elements of power 1. */
static inline void slot_rayleigh(slot *s, uint64_t *random)
{
    for (size_t i = 0; i < slot_h_size(s) / 2; i++)
        element_set(s->h, i, random_complex(random));
}

/* Random labels, and y = H x + n with normal n of variance n0, rounded once. */
static inline void slot_send(slot *s, double n0, uint64_t *random)
{
    s->n0 = (float)n0;
    for (size_t i = 0; i < slot_n_labels(s); i++)
        s->sent[i] = (uint16_t)(random_word(random) >> 40 & ((1u << s->n_bits) - 1));
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        for (int sc = 0; sc < s->n_sc; sc++) {
            for (int rx = 0; rx < s->n_rx; rx++) {
                double complex sum = sqrt(n0) * random_complex(random);
                for (int tx = 0; tx < s->n_tx; tx++)
                    sum = z_mac(sum, element_at(s->h, h_at(s, sc, rx, tx)),
                                point_of(s->n_bits, s->sent[label_at(s, symbol, sc, tx)]));
                element_set(s->y, y_at(s, symbol, sc, rx), sum);
            }
        }
    }
}

/* H, y and n0 in other units: (factor H, factor y, factor^2 n0), each rounded once. */
static inline slot slot_scaled(const slot *s, double factor)
{
    slot t = slot_of(s->n_sc, s->n_rx, s->n_tx, s->n_bits);
    for (size_t i = 0; i < slot_h_size(s); i++)
        t.h[i] = (float)((double)s->h[i] * factor);
    for (size_t i = 0; i < slot_y_size(s); i++)
        t.y[i] = (float)((double)s->y[i] * factor);
    memcpy(t.sent, s->sent, slot_n_labels(s) * sizeof *s->sent);
    t.n0 = (float)((double)s->n0 * factor * factor);
    t.backend = s->backend, t.inverter = s->inverter, t.llr_scale = s->llr_scale;
    return t;
}

/* The same slot once more. */
static inline slot slot_copy(const slot *s)
{
    return slot_scaled(s, 1.0);
}

/* The next usable backend of this test from *at on; NULL: there are no more. */
static inline const char *next_backend(int *at)
{
    const char *asked = getenv("LTE_TEST_BACKENDS");
    const bool devices = asked && strcmp(asked, "devices") == 0;
    for (; lte_backends[*at]; ++*at) {
        const lte_backend *backend = lte_backends[*at];
        if (!backend->stages == devices && backend->n_devices() > 0)
            return lte_backends[(*at)++]->name;
    }
    return NULL;
}

/* Whether a detector takes such sizes and an output; what the product says of its limits. */
static inline bool takes(const char *name, int n_rx, int n_tx, int n_bits, bool llrs)
{
    lte_detector detector;
    assert_true(lte_detector_find(name, &detector));
    const lte_detector_plan plan = lte_detector_plan_of(detector, n_rx, n_tx, n_bits, llrs);
    const lte_fail_handler handler = expect_failures();
    const lte_status status = lte_detector_takes(&plan);
    (void)lte_fail_handler_set(handler);
    return status == LTE_OK;
}

/* Whether it needs an inverse. */
static inline bool inverts(const char *name)
{
    lte_detector detector;
    assert_true(lte_detector_find(name, &detector));
    return lte_detector_needs(detector, LTE_NEEDS_INVERSE);
}

/* Whether it has LLRs at all. */
static inline bool gives_llrs(const char *name)
{
    lte_detector detector;
    assert_true(lte_detector_find(name, &detector));
    return lte_detector_row_of(detector)->outputs & LTE_GIVES_LLRS;
}

/* A detection of such slots; demapper NULL: bits. */
static inline lte_detection *slot_detection(const slot *s, const char *detector,
                                            const char *demapper)
{
    const lte_detection_plan plan = {.n_sc = s->n_sc,
                                     .n_rx = s->n_rx,
                                     .n_tx = s->n_tx,
                                     .n_bits = s->n_bits,
                                     .n_threads = 1,
                                     .detector = detector,
                                     .inverter = s->inverter,
                                     .backend = s->backend,
                                     .demapper = demapper,
                                     .llr_scale = s->llr_scale};
    lte_detection *detection = NULL;
    assert_int_equal(lte_detection_create(&plan, &detection), LTE_OK);
    return detection;
}

/* Bytes of what it gives. */
static inline size_t slot_out_size(const slot *s, const lte_detection *detection, bool llrs)
{
    return llrs ? slot_n_labels(s) * (size_t)s->n_bits : SYMBOLS * lte_detection_row(detection);
}

static inline void slot_run(const slot *s, lte_detection *detection, bool llrs, void *out)
{
    if (llrs)
        assert_int_equal(lte_detection_run_llr(detection, 1, s->n0, s->h, s->y, out), LTE_OK);
    else
        assert_int_equal(lte_detection_run(detection, 1, s->n0, s->h, s->y, out), LTE_OK);
}

/* What a detector gives of a slot; the caller frees it. */
static inline void *slot_detect(const slot *s, const char *detector, const char *demapper)
{
    lte_detection *detection = slot_detection(s, detector, demapper);
    void *out = calloc(1, slot_out_size(s, detection, demapper != NULL));
    assert_non_null(out);
    slot_run(s, detection, demapper != NULL, out);
    lte_detection_free(detection);
    return out;
}

/* LLRs [SYMBOLS][n_sc][n_tx][n_bits], times s->llr_scale. */
static inline int8_t *slot_llrs(const slot *s, const char *detector, const char *demapper)
{
    return slot_detect(s, detector, demapper);
}

/* Decided labels [SYMBOLS][n_sc][n_tx]. */
static inline uint16_t *slot_labels(const slot *s, const char *detector)
{
    uint8_t *bits = slot_detect(s, detector, NULL);
    const size_t n = (size_t)s->n_sc * (size_t)s->n_tx * (size_t)s->n_bits, row = (n + 7) / 8;
    uint16_t *label = calloc(slot_n_labels(s), sizeof *label);
    assert_non_null(label);
    for (size_t i = 0; i < SYMBOLS * n; i++) {
        const size_t symbol = i / n, at = i % n;
        const unsigned bit = bits[symbol * row + at / 8] >> at % 8 & 1;
        label[i / (size_t)s->n_bits] |= (uint16_t)(bit << i % (size_t)s->n_bits);
    }
    free(bits);
    return label;
}

/* Bits in which n labels differ. */
static inline long bits_apart(const uint16_t *a, const uint16_t *b, size_t n)
{
    long apart = 0;
    for (size_t i = 0; i < n; i++)
        apart += __builtin_popcount((unsigned)(a[i] ^ b[i]));
    return apart;
}

/*
 * What a case counts: of a detector, what was compared and what was wrong, and the first of it. A
 * case goes on over all detectors, says each that is wrong, and then fails.
 */
typedef struct {
    long compared, wrong;
    char first[160];
} counted;

#define COUNT_WRONG(c, is_wrong, ...)                                                              \
    do {                                                                                           \
        (c)->compared++;                                                                           \
        if (is_wrong) {                                                                            \
            if ((c)->wrong++ == 0)                                                                 \
                (void)snprintf((c)->first, sizeof(c)->first, __VA_ARGS__);                         \
        }                                                                                          \
    } while (0)

/* Prints what is wrong with a detector. Returns 1 if anything is or nothing was compared. */
static inline int count_told(const counted *c, const char *what)
{
    if (c->wrong == 0 && c->compared > 0)
        return 0;
    print_error("%s: %ld of %ld wrong; first: %s\n", what, c->wrong, c->compared,
                c->compared ? c->first : "nothing was compared");
    return 1;
}

#endif
