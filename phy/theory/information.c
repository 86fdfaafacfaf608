/* Losses as a table, and what their sums tell. */
#include "phy/theory/information.h"

#include <math.h>
#include <stdbool.h>

#include "phy/base/limits.h"
#include "phy/detection/qam.h"

/* s in octaves. */
static double octaves_of(int s)
{
    return 1.0 + 0.5 * (s - LTE_LLR_SCALE_TWO);
}

/* log2(1 + exp(-s L')) of an integer LLR in units of a bit, to the nearest, up to `largest`. */
static uint32_t loss_of(double s, double towards, double llr_scale, double units, double largest)
{
    const double x = s * towards / llr_scale;
    const double bits = (fmax(-x, 0.0) + log1p(exp(-fabs(x)))) / M_LN2;
    return (uint32_t)lrint(fmin(bits * units, largest));
}

enum { MOST_VALUE = LTE_LLR_VALUES / 2 };

void lte_scale_losses(double llr_scale, uint32_t *table)
{
    const double pairs = floor(0.5 * LTE_SCALE_UNITS * fmin(1.0, llr_scale / 8.0));
    const double largest = floor((double)UINT32_MAX / (LTE_MAX_SC * LTE_MAX_ORDER * LTE_MAX_BITS));
    for (int v = -MOST_VALUE; v <= MOST_VALUE; v++) {
        for (int s = 0; s < LTE_N_LLR_SCALES; s++)
            table[lte_scale_loss_at(s, v)] =
                loss_of(exp2(octaves_of(s)), v, llr_scale,
                        2.0 * pairs / (double)lte_scale_loss_weight(s), largest);
    }
}

void lte_integer_losses(double llr_scale, uint32_t *table)
{
    for (int v = -MOST_VALUE; v <= MOST_VALUE; v++)
        table[lte_integer_loss_at(v)] =
            loss_of(1.0, v, llr_scale, LTE_INTEGER_LOSS_UNITS, (double)UINT32_MAX);
}

double lte_information(uint64_t loss, uint64_t n)
{
    return 1.0 - (double)loss / ((double)n * LTE_LOSS_UNITS);
}

enum { NEAR = 5 }; /* losses that a polynomial goes through */

/* The polynomial through the losses of NEAR scales from the first one on, at an s in octaves. */
static double interpolated(const double *loss, int first, double octaves)
{
    double sum = 0.0;
    for (int s = first; s < first + NEAR; s++) {
        double part = loss[s];
        for (int other = first; other < first + NEAR; other++) {
            if (other != s)
                part *= (octaves - octaves_of(other)) / (octaves_of(s) - octaves_of(other));
        }
        sum += part;
    }
    return sum;
}

/* The minimum of that polynomial between two s in octaves. */
static double least_between(const double *loss, int first, double low, double high)
{
    const double golden = 0.6180339887498949;
    for (int i = 0; i < 60; i++) { /* golden section */
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (interpolated(loss, first, a) < interpolated(loss, first, b))
            high = b;
        else
            low = a;
    }
    return 0.5 * (low + high);
}

lte_llr_scale lte_best_llr_scale(const uint64_t *loss)
{
    enum { LAST = LTE_N_LLR_SCALES - 1 };
    const double lowest = octaves_of(0), highest = octaves_of(LAST), close = 1e-9;
    double of[LTE_N_LLR_SCALES];
    int best = 0;
    bool alike = true;
    for (int s = 0; s <= LAST; s++) {
        of[s] = (double)(loss[s] * lte_scale_loss_weight(s));
        best = of[s] <= of[best] ? s : best;
        alike = alike && of[s] == of[0];
    }
    if (alike)
        return (lte_llr_scale){(double)NAN, 0};
    const int first = best < NEAR / 2          ? 0
                      : best > LAST - NEAR / 2 ? LAST + 1 - NEAR
                                               : best - NEAR / 2;
    const double octaves = of[best] > 0.0
                               ? least_between(of, first, octaves_of(best > 0 ? best - 1 : 0),
                                               octaves_of(best < LAST ? best + 1 : LAST))
                               : highest; /* all that is larger loses nothing either */
    if (octaves < lowest + close)
        return (lte_llr_scale){exp2(lowest), -1};
    if (octaves > highest - close)
        return (lte_llr_scale){exp2(highest), 1};
    return (lte_llr_scale){exp2(octaves), 0};
}

static const uint32_t other = 0xaaaaaaaa; /* bits of a label: those of the imaginary part */

/* What is lost of bit j of one dimension where its level a was sent and v came. */
static double lost_at(int n_bits, int j, uint32_t sent, double v, double snr)
{
    double of_bit = 0.0, of_both = 0.0;
    const double a = (double)lte_qam_level(n_bits, 0, sent);
    for (uint32_t label = 0; label < 1u << n_bits; label++) {
        if (label & other)
            continue;
        const double b = (double)lte_qam_level(n_bits, 0, label);
        const double weight = exp(snr * ((v - a) * (v - a) - (v - b) * (v - b)));
        of_both += weight;
        of_bit += (label ^ sent) >> 2 * j & 1 ? 0.0 : weight;
    }
    return log2(of_both / of_bit);
}

double lte_information_limit(int n_bits, double snr)
{
    enum { STEPS = 400 };
    const double sigma = sqrt(0.5 / snr), width = 16.0 / STEPS;
    double lost = 0.0;
    for (uint32_t sent = 0; sent < 1u << n_bits; sent++) {
        if (sent & other)
            continue;
        for (int i = 0; i <= STEPS; i++) {
            const double z = -8.0 + i * width;
            const double v = (double)lte_qam_level(n_bits, 0, sent) + sigma * z;
            const double weight = width * exp(-0.5 * z * z) / sqrt(2.0 * M_PI);
            for (int j = 0; j < n_bits / 2; j++)
                lost += weight * lost_at(n_bits, j, sent, v, snr);
        }
    }
    return n_bits - 2.0 * lost / (double)(1 << n_bits / 2);
}
