#ifndef LTE_PHY_CARRIER_H
#define LTE_PHY_CARRIER_H
/*
 * The LTE carriers: channel bandwidth to resource blocks and subcarriers (15 kHz spacing).
 *
 *     const lte_carrier *carrier = lte_carrier_find(20.0);
 *     int n_sc = carrier->n_sc;                  // 1200
 *
 * Source: TS 36.104 Table 5.6-1 (resource blocks); TS 36.101 Table F.5.3-1 (FFT sizes).
 */

#include <stdint.h>

#include "phy/base/real.h"

#define LTE_SUBCARRIER_HZ 15e3 /* from one subcarrier to the next */
#define LTE_SLOT_S 500e-6      /* a slot */
#define LTE_SAMPLE_HZ 30.72e6  /* 1 / T_s, of which symbols are whole numbers */

typedef struct {
    double bandwidth_mhz; /* channel bandwidth */
    int n_rb;             /* resource blocks */
    int n_sc;             /* occupied subcarriers, 12 n_rb */
    int n_fft;            /* nominal FFT size; sample rate is 15 kHz times it */
} lte_carrier;

enum { LTE_N_CARRIERS = 6 };
extern const lte_carrier lte_carriers[LTE_N_CARRIERS];

/* The carrier of a channel bandwidth in MHz, or NULL if there is none. */
const lte_carrier *lte_carrier_find(double bandwidth_mhz);

/*
 * When OFDM symbol 0 to 6 of a slot is sent, its cyclic prefix over, in samples of T_s from symbol
 * 0 of slot 0 on: a slot has 15360, and symbol l of it comes 2192 l after symbol 0 (2048 and a
 * normal cyclic prefix of 144; the 16 that symbol 0's has more lie before it: TS 36.211 6.12).
 */
LTE_INLINE uint64_t lte_symbol_start(uint64_t slot, int symbol)
{
    return slot * 15360 + 2192 * (uint64_t)symbol;
}

/* The same in seconds. */
double lte_symbol_start_s(uint64_t slot, int symbol);

#endif
