/* Losses as a table, and what their sums tell. */
#include "phy/theory/information.h"

#include <math.h>

#include "phy/base/limits.h"
#include "phy/detection/qam.h"

/* s in octaves. */
static double octaves_of(int s)
{
    const int of_one = LTE_N_LLR_SCALES / 2; /* its place */
    return 0.5 * (s - of_one);
}

/* log2(1 + exp(-s L')) of every integer, up to `largest`: table [LTE_LLR_VALUES]  out. */
static void put_losses(double s, double llr_scale, double units, double largest, uint32_t *table)
{
    const int most = LTE_LLR_VALUES / 2;
    for (int v = -most; v <= most; v++) {
        const double x = s * v / llr_scale;
        const double bits = (fmax(-x, 0.0) + log1p(exp(-fabs(x)))) / M_LN2;
        table[lte_integer_loss_at(v)] = (uint32_t)lrint(fmin(bits * units, largest));
    }
}

void lte_scale_losses(double llr_scale, uint32_t *table)
{
    const double units = LTE_SCALE_UNITS * fmin(1.0, llr_scale / 8.0);
    const double largest = floor((double)UINT32_MAX / (LTE_MAX_SC * LTE_MAX_ORDER * LTE_MAX_BITS));
    for (int s = 0; s < LTE_N_LLR_SCALES; s++)
        put_losses(exp2(octaves_of(s)), llr_scale, units, largest, table + s * LTE_LLR_VALUES);
}

void lte_integer_losses(double llr_scale, uint32_t *table)
{
    put_losses(1.0, llr_scale, LTE_INTEGER_LOSS_UNITS, (double)UINT32_MAX, table);
}

double lte_information(uint64_t loss, uint64_t n)
{
    return 1.0 - (double)loss / ((double)n * LTE_LOSS_UNITS);
}

/* The polynomial through the losses, at an s in octaves. */
static double interpolated(const uint64_t *loss, double octaves)
{
    double sum = 0.0;
    for (int s = 0; s < LTE_N_LLR_SCALES; s++) {
        double part = (double)loss[s];
        for (int other = 0; other < LTE_N_LLR_SCALES; other++) {
            if (other != s)
                part *= (octaves - octaves_of(other)) / (octaves_of(s) - octaves_of(other));
        }
        sum += part;
    }
    return sum;
}

double lte_best_llr_scale(const uint64_t *loss)
{
    const double golden = 0.6180339887498949;
    int best = 0;
    for (int s = 1; s < LTE_N_LLR_SCALES; s++)
        best = loss[s] < loss[best] ? s : best;
    if (loss[best] == 0)
        return NAN;
    double low = octaves_of(best > 0 ? best - 1 : best);
    double high = octaves_of(best < LTE_N_LLR_SCALES - 1 ? best + 1 : best);
    for (int i = 0; i < 60; i++) { /* golden section */
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (interpolated(loss, a) < interpolated(loss, b))
            high = b;
        else
            low = a;
    }
    return exp2(0.5 * (low + high));
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
