/* Weights over time of the two estimates in a subframe. */
#include "phy/references.h"

#include <math.h>

#include "phy/carrier.h"
#include "phy/pilots.h"

/*
 * 1 - J0(x) for x up to 9, the series of J0 (Abramowitz, Stegun 9.1.12): operations that round alike
 * on every machine, no digits lost for a small x.
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

lte_reference_lags lte_reference_lags_of(const lte_doppler *doppler, int odd)
{
    const uint64_t slot = (uint64_t)odd;
    const double own = (double)lte_symbol_start(slot, LTE_PILOT_SYMBOL);
    const double other = (double)lte_symbol_start(lte_other_slot(slot), LTE_PILOT_SYMBOL);
    lte_reference_lags lags;
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
        const double at = (double)lte_symbol_start(slot, l);
        lags.own[l] = lag(doppler, at - own);
        lags.other[l] = lag(doppler, at - other);
    }
    lags.between = lag(doppler, other - own);
    return lags;
}

void lte_combine(const lte_reference_lags *lags, int n_tx, float error, bool shrunk,
                 lte_combination *combination)
{
    static const float most = 31.0f / 32.0f, least_s = 0x1p-30f;
    const float share = error / (float)n_tx;
    const float e = shrunk ? share < most ? share : most : 0.0f;
    const float some = shrunk ? e / (1.0f - e) : share;
    const float s = some > least_s ? some : least_s; /* two equal estimates: their mean */
    const float u = lags->between, gain = 1.0f / (1.0f - e);
    const float determinant = (s + u) * (2.0f + s - u);
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
        const float u0 = lags->own[l], u1 = lags->other[l];
        const float w0 = (s * (1.0f - u0) + ((u + u1 - u0) - u * u1)) / determinant;
        const float w1 = (s * (1.0f - u1) + ((u + u0 - u1) - u * u0)) / determinant;
        const float missing = 1.0f - w0 - w1;
        const float aged = missing * missing + 2.0f * (w0 * u0 + w1 * u1) - 2.0f * (w0 * w1) * u;
        combination->own[l] = w0 * gain;
        combination->other[l] = w1 * gain;
        combination->spread[l] = (w0 * w0 + w1 * w1) * gain;
        combination->ageing[l] = aged > 0.0f ? (float)n_tx * aged : 0.0f;
    }
}
