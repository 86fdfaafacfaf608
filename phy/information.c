/* Losses as a table, and what their sums tell. */
#include "phy/information.h"

#include <math.h>

/* s in octaves. */
static double octaves_of(int s)
{
    return 0.5 * (s - LTE_N_LLR_SCALES / 2);
}

void lte_scale_losses(double llr_scale, uint32_t *table)
{
    const int most = LTE_LLR_VALUES / 2;
    for (int s = 0; s < LTE_N_LLR_SCALES; s++) {
        for (int v = -most; v <= most; v++) {
            const double x = exp2(octaves_of(s)) * v / llr_scale;
            const double bits = (fmax(-x, 0.0) + log1p(exp(-fabs(x)))) / M_LN2;
            table[lte_scale_loss_at(s, v)] = (uint32_t)lrint(bits * LTE_SCALE_UNITS);
        }
    }
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
