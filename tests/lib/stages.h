#ifndef LTE_TESTS_LIB_STAGES_H
#define LTE_TESTS_LIB_STAGES_H
/* What tests of stages share. */

#include "tests/lib/matrices.h"
#include "tests/lib/batch.h"

#include "phy/channel/channel.h"
#include "phy/channel/correlation.h"
#include "phy/detection/demap.h"
#include "phy/channel/receive.h"
#include "phy/channel/taps.h"

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

enum { LARGE_RX = 40 };

static const double not_finite[] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
enum { N_NOT_FINITE = 3, BAD_SC = 21, N_BAD_SC = 37 };

#endif
