#ifndef LTE_KERNELS_METHODS_CRS_H
#define LTE_KERNELS_METHODS_CRS_H
/*
 * Cell-specific reference signals of the downlink, ports 0 to 3, normal cyclic prefix.
 *
 *     lte_cf32 r[2 * LTE_CRS_MAX_RB];
 *     int first;
 *     lte_crs_position(port, n_id, slot, symbol, &first);    // first < 0: this symbol has none
 *     lte_crs_values(n_id, n_rb, slot, symbol, r);           // r[m] at subcarrier first + 6 m
 *
 * What one port fills, all others leave empty. Source: TS 36.211, 6.10.1.
 */

#include "phy/base/cplx.h"
#include "phy/base/status.h"

enum { LTE_CRS_MAX_RB = 110, LTE_CRS_PORTS = 4 };

/*
 * The QPSK values of one OFDM symbol, the same for all ports.
 *
 *     r[m] = (1 - 2 c(2 m') + j (1 - 2 c(2 m' + 1))) / sqrt 2,  m' = m + 110 - n_rb
 *     c_init = 2^10 (7 (slot + 1) + symbol + 1) (2 n_id + 1) + 2 n_id + 1
 *
 *   n_id      cell identity, 0 to 503
 *   n_rb      resource blocks of the carrier, 1 to 110
 *   slot      in the frame, 0 to 19
 *   symbol    in the slot, 0 to 6
 *   r         [2 n_rb]  out
 *
 * Returns LTE_EINVAL for an argument out of range.
 */
lte_status lte_crs_values(int n_id, int n_rb, int slot, int symbol, lte_cf32 *r);

/*
 * The first subcarrier of a port's values, (v + n_id) mod 6, or -1 where the symbol has none.
 *
 *     port 0: v = 0, 3 in symbols 0, 4    port 2: v = 3 (slot mod 2) in symbol 1
 *     port 1: v = 3, 0 in symbols 0, 4    port 3: v = 3 + 3 (slot mod 2) in symbol 1
 *
 * Returns LTE_EINVAL for an argument out of range.
 */
lte_status lte_crs_position(int port, int n_id, int slot, int symbol, int *first);

#endif
