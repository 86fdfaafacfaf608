#ifndef LTE_SIM_CONFORMANCE_POINTS_H
#define LTE_SIM_CONFORMANCE_POINTS_H
/*
 * What TS 36.104 asks of PUSCH: a share of a reference channel's throughput at an SNR.
 *
 *     for (int i = 0; i < lte_n_requirements; i++)
 *         use(lte_requirements[i].snr_db[bandwidth][share]);
 *
 * Sources: tables 8.2.1.1-1 to -6 (one transmit antenna), 8.2.1.1-7 to -12 (two); reference
 * channels: annex A.3 to A.5.
 */

#include <stdbool.h>

#include "phy/base/carrier.h"

enum { LTE_REQUIRED_SHARES = 2 };

/* A reference channel, or those of all bandwidths that differ in their size alone. */
typedef struct {
    const char *family, *modulation, *rate; /* "A3", "qpsk", "1/3" */
    int first;                              /* number of that at 1.4 MHz: A3-2 */
    int bits[LTE_N_CARRIERS];               /* transport blocks */
    bool one_block;                         /* on one resource block, at any bandwidth */
} lte_reference_channel;

/* The number in the channel's name, at a bandwidth. */
int lte_reference_number(const lte_reference_channel *channel, int carrier);

typedef struct {
    int n_tx, n_rx;
    const char *model; /* of the channel */
    double doppler_hz;
    const lte_reference_channel *channel;
    double share[LTE_REQUIRED_SHARES]; /* 0: there is one alone */
    double snr_db[LTE_N_CARRIERS][LTE_REQUIRED_SHARES];
} lte_requirement;

extern const lte_requirement lte_requirements[];
extern const int lte_n_requirements;

/*
 * What OFDM may flatter a receiver by, against SC-FDMA, in dB: the points are run at the required
 * SNR less that.
 */
double lte_required_less_db(const lte_requirement *requirement, int carrier);

#endif
