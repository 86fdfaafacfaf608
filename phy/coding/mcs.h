#ifndef LTE_PHY_CODING_MCS_H
#define LTE_PHY_CODING_MCS_H
/*
 * The modulation and the transport block size that an index I_MCS stands for, of the downlink and
 * of the six bandwidths.
 *
 *     int n_bits = lte_mcs_bits(LTE_MCS_64QAM, 16);                              // of a QAM
 *     symbol: 4
 *     int bits = lte_mcs_transport_bits(LTE_MCS_64QAM, 16, 50, 2);               // of a transport
 *     block
 *
 * Source: TS 36.213, 7.1.7.
 */

#include <stdint.h>

enum { LTE_MCS_64QAM, LTE_MCS_256QAM, LTE_N_MCS_TABLES }; /* the largest modulation */

/* Indices of a table, from 0. */
int lte_mcs_count(int table);

/* Bits of a QAM symbol. */
int lte_mcs_bits(int table, int mcs);

/*
 * Bits of a transport block, without its CRC, on 6, 15, 25, 50, 75 or 100 resource blocks (12
 * subcarriers each) and 1 to 4 layers of a codeword; 0 for others.
 */
int lte_mcs_transport_bits(int table, int mcs, int n_blocks, int n_layers);

#endif
