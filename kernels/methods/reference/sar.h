#ifndef LTE_KERNELS_METHODS_SAR_H
#define LTE_KERNELS_METHODS_SAR_H
/*
 * The azimuth chirp of a synthetic aperture radar, in double: the rows and columns of a matrix of
 * unit phasors (phy/base/phasor.h).
 *
 *     double rate = lte_sar_rate(&sar, lte_sar_range(&sar, m)), time = lte_sar_time(&sar, n);
 *     lte_cplx s = lte_phasor(lte_chirp_angle(rate, time));
 *
 * Source: Beijing Institute of Technology, CN101937555A, 2009.
 */

#include <string.h>

#include "phy/base/phasor.h"

/*
 * Azimuth of a side-looking radar: row m at range R = range + m range_step has the chirp rate
 * K = -2 speed^2 / (wavelength R), column n the time t = (n - centre) interval, and the element is
 *
 *     exp(j pi K t^2)
 *
 * All in SI units. |K| t^2 / 2 must stay below 2^19 turns.
 */
typedef struct {
    double range, range_step; /* m */
    double speed;             /* of the platform, m/s */
    double wavelength;        /* m */
    double interval;          /* between pulses, s */
    double centre;            /* column of closest approach */
} lte_sar;

LTE_INLINE double lte_sar_range(const lte_sar *sar, uint32_t m)
{
    return sar->range + (double)m * sar->range_step;
}

/* K of a range, in Hz/s. */
LTE_INLINE double lte_sar_rate(const lte_sar *sar, double range)
{
    return -2.0 * sar->speed * sar->speed / (sar->wavelength * range);
}

/* t of a column, in s. */
LTE_INLINE double lte_sar_time(const lte_sar *sar, uint32_t n)
{
    return ((double)n - sar->centre) * sar->interval;
}

/*
 * The angle pi K t^2. Next to 1.5 2^20 a double has units of 2^-32: the sum's lower word is the
 * fraction of a turn, rounded.
 */
LTE_INLINE uint32_t lte_chirp_angle(double rate, double time)
{
    const double turns = 0.5 * rate * (time * time) + 0x1.8p20;
    uint64_t bits;
    memcpy(&bits, &turns, sizeof bits);
    return (uint32_t)bits;
}

#endif
