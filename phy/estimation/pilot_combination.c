/* Weights over time of the two estimates in a subframe. */
#include "phy/estimation/pilot_combination.h"

#include <math.h>

#include "phy/base/carrier.h"
#include "phy/estimation/estimator.h"

/*
 * 1 - J0(x) for x up to 9, the series of J0 (Abramowitz, Stegun 9.1.12): operations that round
 * alike on every machine, no digits lost for a small x.
 */
static double one_less_j0(double x)
{
    const double square = -0.25 * x * x;
    double term = 1.0, sum = 0.0;
    for (int k = 1; k <= 40; k++) {
        term *= square / ((double)k * k);
        sum -= term;
    }
    return sum;
}

static float lag(const lte_doppler *doppler, double samples)
{
    return (float)one_less_j0(2.0 * M_PI * 0x1p-48 * (double)doppler->turns * samples);
}

lte_pilot_lags lte_pilot_lags_of(const lte_doppler *doppler, int odd)
{
    const uint64_t slot = (uint64_t)odd;
    const double own = (double)lte_symbol_start(slot, LTE_PILOT_SYMBOL);
    const double other = (double)lte_symbol_start(lte_other_slot(slot), LTE_PILOT_SYMBOL);
    lte_pilot_lags lags;
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
        const double at = (double)lte_symbol_start(slot, l);
        lags.own[l] = lag(doppler, at - own);
        lags.other[l] = lag(doppler, at - other);
    }
    lags.between = lag(doppler, other - own);
    return lags;
}
