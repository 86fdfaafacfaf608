#ifndef LTE_PHY_PROFILE_H
#define LTE_PHY_PROFILE_H
/*
 * What follows from the delays and powers of a channel made of taps for a grid of subcarriers.
 *
 *     lte_profile profile = lte_profile_of(LTE_CHANNEL_eva);    // profile.n_taps is 9
 *
 * Tap l of every antenna pair is an independent CN(0, p_l), sum_l p_l = 1, and
 *     h(k) = sum_l g_l exp(-j 2 pi k 15 kHz tau_l)
 * at subcarrier k, with the delays as they are, on no grid of samples. What arrives later than the
 * cyclic prefix (the last tap of ETU, by 0.3 us) is taken as if it did not. With Doppler g_l
 * changes from OFDM symbol to OFDM symbol, with the autocorrelation p_l J0(2 pi f_D t)
 * (phy/channel/taps.h).
 */

#include <stdint.h>

#include "phy/channel/channels.h"

enum { LTE_MAX_DROP_SLOTS = 10000 };
/* Sinusoids of a tap, powers of 2: at least 16, at most those of the longest and fastest drop. */
enum { LTE_MIN_SINUSOID_BITS = 4, LTE_MAX_SINUSOID_BITS = 15 };
#define LTE_MIN_DOPPLER_HZ 0.1
#define LTE_MAX_DOPPLER_HZ 1000.0

/* The taps of a channel as used. */
typedef struct {
    int n_taps;
    float amplitude[LTE_MAX_TAPS]; /* sqrt(p_l) */
    uint32_t step[LTE_MAX_TAPS];   /* -15 kHz tau_l, turns in 2^-32: phase per subcarrier */
    uint32_t first;                /* subcarrier of the carrier that k = 0 is; 0 unless it is set */
} lte_profile;

/* How fast taps change, and the slots that belong together: a drop. */
typedef struct {
    uint64_t turns;         /* f_D T_s with T_s = 1 / 30.72 MHz, in 2^-48; 0: nothing moves */
    uint32_t drop_slots;    /* slots of a drop; 1 if nothing moves */
    uint32_t sinusoid_bits; /* M = 2^sinusoid_bits of a tap that moves, */
    float amplitude;        /* 1 / sqrt(M) */
} lte_doppler;

/*
 * Profile of a channel, n_taps = 0 if it is not made of taps. Amplitudes are rounded to float from
 * double, in operations that round alike on every machine.
 */
lte_profile lte_profile_of(int channel);

/*
 * The number of sinusoids grows with the drop, so that what is averaged over a long one varies as
 * Clarke's does and not as a sum of a few: M >= 4 f_D T for a drop of time T, 16 up to the 4 turns
 * that the default drop of 8 slots has at most. Over 1 s at 300 Hz the power of a tap then has a
 * standard deviation of 0.057 (Clarke 0.056, 16 sinusoids 0.25).
 *
 * doppler_hz 0 or LTE_MIN_DOPPLER_HZ to LTE_MAX_DOPPLER_HZ, drop_slots 1 to LTE_MAX_DROP_SLOTS.
 */
lte_doppler lte_doppler_of(double doppler_hz, int drop_slots);

#endif
