#include "phy/profile.h"

const lte_power_delay lte_power_delays[LTE_N_CHANNELS] = {
    [LTE_CHANNEL_flat] = {1, {0}, {0.0}},
    [LTE_CHANNEL_epa] = {7,
                         {0, 30, 70, 90, 110, 190, 410},
                         {0.0, -1.0, -2.0, -3.0, -8.0, -17.2, -20.8}},
    [LTE_CHANNEL_eva] = {9,
                         {0, 30, 150, 310, 370, 710, 1090, 1730, 2510},
                         {0.0, -1.5, -1.4, -3.6, -0.6, -9.1, -7.0, -12.0, -16.9}},
    [LTE_CHANNEL_etu] = {9,
                         {0, 50, 120, 200, 230, 500, 1600, 2300, 5000},
                         {-1.0, -1.0, -1.0, 0.0, 0.0, 0.0, -3.0, -5.0, -7.0}},
};

/* sqrt(10^(dB/10) / sum), written out: whoever computes it shall get the same bits. */
static const float amplitudes[LTE_N_CHANNELS][LTE_MAX_TAPS] = {
    [LTE_CHANNEL_flat] = {1.0f},
    [LTE_CHANNEL_epa] = {0.566835284f, 0.505192459f, 0.450253278f, 0.401288658f, 0.225661188f,
                         0.0782450512f, 0.0516959913f},
    [LTE_CHANNEL_eva] = {0.491121739f, 0.413227439f, 0.418012381f, 0.324480921f, 0.458341479f,
                         0.172261864f, 0.219376028f, 0.123364203f, 0.0701760873f},
    [LTE_CHANNEL_etu] = {0.352299899f, 0.352299899f, 0.352299899f, 0.395287007f, 0.395287007f,
                         0.395287007f, 0.279841751f, 0.222286209f, 0.17656821f},
};

lte_profile lte_profile_of(int channel)
{
    enum { NS_PER_TURN = 200000, PER_SUBCARRIER = 3 }; /* 15 kHz ns = 3 / 200000 */
    const lte_power_delay *published = &lte_power_delays[channel];
    lte_profile profile = {.n_taps = published->n_taps};
    for (int l = 0; l < profile.n_taps; l++) {
        const uint64_t turns = (uint64_t)published->delay_ns[l] * PER_SUBCARRIER;
        profile.amplitude[l] = amplitudes[channel][l];
        profile.step[l] = -(uint32_t)(((turns << 32) + NS_PER_TURN / 2) / NS_PER_TURN);
    }
    return profile;
}

lte_doppler lte_doppler_of(double doppler_hz, int drop_slots)
{
    const lte_doppler none = {0, 1};
    lte_doppler doppler;
    if (!(doppler_hz > 0.0))
        return none;
    doppler.turns = (uint64_t)(doppler_hz / 30.72e6 * 0x1p48 + 0.5);
    doppler.drop_slots = (uint32_t)drop_slots;
    return doppler;
}
