#ifndef LTE_PHY_CODING_MCS_H
#define LTE_PHY_CODING_MCS_H
/*
 * The modulation and the transport block size that an index I_MCS stands for.
 *
 *     int n_bits = lte_mcs_bits(LTE_MCS_64QAM, 16);                              // of a QAM
 *     symbol: 4
 *     int bits = lte_mcs_transport_bits(LTE_MCS_64QAM, 16, 50, 2);               // of a transport
 *     block
 *
 * Sources: TS 36.213, 7.1.7 and, for PUSCH, 8.6.1.
 */

#include <stdint.h>

/* Of PDSCH up to 64QAM and up to 256QAM, and of PUSCH up to 64QAM. */
enum { LTE_MCS_64QAM, LTE_MCS_256QAM, LTE_MCS_PUSCH, LTE_N_MCS_TABLES };

/* Indices of a table, from 0. */
int lte_mcs_count(int table);

/* Bits of a QAM symbol. */
int lte_mcs_bits(int table, int mcs);

/*
 * Bits of a transport block, without its CRC, on so many resource blocks and 1 to 4 layers of a
 * codeword; 0 where lte_transport_size knows none.
 */
int lte_mcs_transport_bits(int table, int mcs, int n_blocks, int n_layers);

#endif
