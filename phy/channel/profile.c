/* The profile and the Doppler of a link, from its channel's row. */
#include "phy/channel/profile.h"

#include <math.h>

#include "phy/base/carrier.h"

/* 10^(db / 10), in operations that round alike on every machine, as pow does not. */
static double linear(double db)
{
    enum { TERMS = 16, HALVINGS = 6 };
    const double x = db * 0.23025850929940457 / (1 << HALVINGS); /* ln(10) / 10 */
    double y = 1.0;
    for (int i = TERMS; i > 0; i--)
        y = 1.0 + x * y / i;
    for (int i = 0; i < HALVINGS; i++)
        y *= y;
    return y;
}

lte_profile lte_profile_of(int channel)
{
    enum { NS_PER_TURN = 200000, PER_SUBCARRIER = 3 }; /* 15 kHz ns = 3 / 200000 */
    const lte_power_delay *published = &lte_channel_rows[channel].taps;
    lte_profile profile = {.n_taps = published->n};
    double sum = 0.0;
    for (int l = 0; l < profile.n_taps; l++)
        sum += linear(published->power_db[l]);
    for (int l = 0; l < profile.n_taps; l++) {
        const uint64_t turns = (uint64_t)published->delay_ns[l] * PER_SUBCARRIER;
        profile.amplitude[l] = (float)sqrt(linear(published->power_db[l]) / sum);
        profile.step[l] = -(uint32_t)(((turns << 32) + NS_PER_TURN / 2) / NS_PER_TURN);
    }
    return profile;
}

lte_doppler lte_doppler_of(double doppler_hz, int drop_slots)
{
    const lte_doppler none = {0, 1, LTE_MIN_SINUSOID_BITS, 0.25f};
    const double most = 4.0 * doppler_hz * LTE_SLOT_S * drop_slots;
    lte_doppler doppler = none;
    if (!(doppler_hz > 0.0))
        return none;
    doppler.turns = (uint64_t)(doppler_hz / LTE_SAMPLE_HZ * 0x1p48 + 0.5);
    doppler.drop_slots = (uint32_t)drop_slots;
    while ((double)(1u << doppler.sinusoid_bits) < most)
        doppler.sinusoid_bits++;
    doppler.amplitude = (float)(1.0 / sqrt((double)(1u << doppler.sinusoid_bits)));
    return doppler;
}
