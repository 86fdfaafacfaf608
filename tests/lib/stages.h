#ifndef LTE_TESTS_LIB_STAGES_H
#define LTE_TESTS_LIB_STAGES_H
/* What tests of stages share: links, noise, the fused slot against the stages. */

#include "tests/lib/batch.h"

#include "tests/lib/matrices.h"

enum { SLOT = 1003 };

#define COUNT(id) +1
enum { N_MADE = 0 LTE_DRAWN_CHANNELS(COUNT) LTE_TAP_CHANNELS(COUNT) }; /* here, not elsewhere */

/* A link of n_stored slots of numbers that are all different: element i of all is i - i j / 2. */
static inline lte_link stored_link(int n_sc, int n_rx, int n_tx, int n_h, uint64_t n_stored,
                                   lte_cf32 **h)
{
    lte_link link = link_of(n_sc, n_rx, n_tx, 4, LTE_CHANNEL_file, inverter_for(n_tx, n_tx));
    const size_t n = (size_t)n_stored * (size_t)(n_rx * n_tx * n_h) * (size_t)n_sc;
    *h = malloc(n * sizeof **h);
    assert_non_null(*h);
    for (size_t i = 0; i < n; i++) {
        (*h)[i].re = 0x1p-16f * (float)i;
        (*h)[i].im = -0x1p-17f * (float)i;
    }
    assert_int_equal(lte_link_set_channel_data(&link, *h, n_stored, n_h), LTE_OK);
    return link;
}

static inline lte_noise noise_of_n0(double n0)
{
    const lte_noise noise = {(float)n0, (float)sqrt(n0), NULL, NULL};
    return noise;
}

/* Planes to bits in one go, in two calls, are the bits of the stages. */
static inline void assert_fused_slot(const lte_stages *stages, const batch *decided,
                                     lte_detector detector, lte_noise noise)
{
    const lte_link *link = &decided->link;
    const int middle = link->carrier.n_groups / 3;
    uint8_t *bits = poisoned(decided->bits_size, 0x5a);
    stages->slot(link, detector, noise,
                 lte_groups_of(middle, link->carrier.n_groups, decided->work), decided->h_planes,
                 decided->y_planes, bits);
    for (int i = 0; i < middle * LTE_LANES * link->n_tx * link->n_bits / 8; i++)
        assert_int_equal(bits[i], 0x5a); /* the bytes of the other groups */
    stages->slot(link, detector, noise, lte_groups_of(0, middle, decided->work), decided->h_planes,
                 decided->y_planes, bits);
    assert_memory_equal(bits, decided->bits, decided->bits_size);
    free(bits);
}

#endif
