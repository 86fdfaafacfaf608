#ifndef LTE_TESTS_DETECTED_H
#define LTE_TESTS_DETECTED_H
/*
 * One resource element for a detector, and what it makes of it.
 *
 *     static element p;
 *     element_draw(&p, n_rx, n_tx, n_bits, n0, sc);        // channel, labels, received
 *     element_prepare(&p, lte_detector_usual(LTE_DETECTOR_fsd));
 *     element_detect(&p);                                  // p.label, p.llr, p.flag
 */
#include <complex.h>
#include <math.h>

#include "phy/channel/channel.h"
#include "phy/detection/detection.h"
#include "tests/lib/unit.h"

enum { ELEMENT_TX = 8, ELEMENT_RX = ELEMENT_TX + 4, ELEMENT_SPACE = 4096 };

typedef struct {
    lte_cplx h[ELEMENT_RX * ELEMENT_TX], y[ELEMENT_RX], state[ELEMENT_SPACE], work[ELEMENT_SPACE];
    lte_word sent[ELEMENT_TX], label[ELEMENT_TX];
    lte_detector_plan plan;
    float llr[ELEMENT_TX * LTE_MAX_BITS], n0;
    lte_mask flag;
} element;

/* n0 of noise: also 0, with which there is none. */
static inline void element_draw(element *p, int n_rx, int n_tx, int n_bits, float n0, uint32_t sc)
{
    const lte_draws draws = lte_draws_of(17, n_rx, n_tx, n_bits);
    lte_word sent[LTE_SLOT_SYMBOLS * ELEMENT_TX];
    lte_cplx z[ELEMENT_RX];
    p->n0 = n0;
    lte_channel_rayleigh(&draws, 0, sc, p->h);
    lte_draw_labels(&draws, 0, sc, sent);
    lte_draw_noise(&draws, 0, sc, 0, z);
    for (int k = 0; k < n_tx; k++)
        p->sent[k] = sent[k];
    for (int r = 0; r < n_rx; r++) {
        p->y[r] = c_scale(z[r], sqrtf(n0));
        for (int k = 0; k < n_tx; k++)
            p->y[r] = c_mac(p->y[r], p->h[r * n_tx + k], lte_qam_map(n_bits, sent[k]));
    }
    p->plan = (lte_detector_plan){.n_rx = n_rx, .n_tx = n_tx, .n_bits = n_bits};
}

/* The state; with LLRs if the detector has them. Its n0 is at least 1e-6. */
static inline void element_prepare(element *p, lte_detector detector)
{
    const lte_detector_row *row = &lte_detector_rows[detector.id];
    p->plan = lte_detector_plan_of(detector, p->plan.n_rx, p->plan.n_tx, p->plan.n_bits,
                                   (row->outputs & LTE_GIVES_LLRS) != 0);
    assert_true(row->state(&p->plan) <= ELEMENT_SPACE && row->work(&p->plan) <= ELEMENT_SPACE);
    p->flag = lte_prepare(&p->plan, p->h, lte_white(fmaxf(p->n0, 1e-6f)), NULL, p->state, p->work);
}

/* Returns what is left unfinished. */
static inline lte_mask element_detect_within(element *p)
{
    const lte_decision decision = {.label = p->label, .llr = p->plan.llrs ? p->llr : NULL};
    return lte_detect(&p->plan, p->state, p->y, &decision, p->work);
}

static inline void element_detect(element *p)
{
    assert_int_equal(element_detect_within(p), 0);
}

static inline double complex in_double(lte_cplx z)
{
    return CMPLX(z.re, z.im);
}

/* The symbol of layer k of a vector whose labels stand one behind the other. */
static inline double complex symbol_of(const element *p, uint32_t vector, int k)
{
    const int n_bits = p->plan.n_bits;
    return in_double(lte_qam_map(n_bits, vector >> k * n_bits & ((1u << n_bits) - 1)));
}

/* |y - H x|^2 / n0 of a vector. */
static inline double metric_of(const element *p, uint32_t vector)
{
    double sum = 0.0;
    for (int r = 0; r < p->plan.n_rx; r++) {
        double complex rest = in_double(p->y[r]);
        for (int k = 0; k < p->plan.n_tx; k++)
            rest -= in_double(p->h[r * p->plan.n_tx + k]) * symbol_of(p, vector, k);
        sum += z_square(rest);
    }
    return sum / (double)p->n0;
}

/* The labels of a decision, one behind the other. */
static inline uint32_t vector_of(const element *p)
{
    uint32_t vector = 0;
    for (int k = 0; k < p->plan.n_tx; k++)
        vector |= p->label[k] << k * p->plan.n_bits;
    return vector;
}

#endif
