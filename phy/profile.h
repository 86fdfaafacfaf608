#ifndef LTE_PHY_PROFILE_H
#define LTE_PHY_PROFILE_H
/*
 * Channels made of taps: delays and powers, and what follows from them for a grid of subcarriers.
 *
 *     lte_profile profile = lte_profile_of(LTE_CHANNEL_eva);    // profile.n_taps is 9
 *
 * Tap l of every antenna pair is an independent CN(0, p_l), sum_l p_l = 1, and
 *     h(k) = sum_l g_l exp(-j 2 pi k 15 kHz tau_l)
 * at subcarrier k, with the delays as they are, on no grid of samples. What arrives later than the
 * cyclic prefix (the last tap of ETU, by 0.3 us) is taken as if it did not. With Doppler g_l
 * changes from OFDM symbol to OFDM symbol, with the autocorrelation p_l J0(2 pi f_D t)
 * (phy/taps.h).
 */

#include <stdint.h>

#include "phy/names.h"

enum { LTE_MAX_TAPS = 9, LTE_MAX_DROP_SLOTS = 10000 };
#define LTE_MIN_DOPPLER_HZ 0.1
#define LTE_MAX_DOPPLER_HZ 1000.0

/* As published: TS 36.101 and TS 36.104, Annex B.2. */
typedef struct {
    int n_taps; /* 0: the channel is not made of taps */
    int delay_ns[LTE_MAX_TAPS];
    double power_db[LTE_MAX_TAPS]; /* their sum is not 1 */
} lte_power_delay;

extern const lte_power_delay lte_power_delays[LTE_N_CHANNELS];

/* As used. */
typedef struct {
    int n_taps;
    float amplitude[LTE_MAX_TAPS]; /* sqrt(p_l) */
    uint32_t step[LTE_MAX_TAPS];   /* -15 kHz tau_l, turns in 2^-32: phase per subcarrier */
} lte_profile;

/* How fast taps change, and the slots that belong together: a drop. */
typedef struct {
    uint64_t turns;      /* f_D T_s with T_s = 1 / 30.72 MHz, in 2^-48; 0: nothing moves */
    uint32_t drop_slots; /* slots of a drop; 1 if nothing moves */
} lte_doppler;

/* Profile of a channel of phy/names.h. */
lte_profile lte_profile_of(int channel);

/* doppler_hz 0 or LTE_MIN_DOPPLER_HZ to LTE_MAX_DOPPLER_HZ, drop_slots 1 to LTE_MAX_DROP_SLOTS. */
lte_doppler lte_doppler_of(double doppler_hz, int drop_slots);

#endif
