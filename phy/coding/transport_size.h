#ifndef LTE_PHY_CODING_TRANSPORT_SIZE_H
#define LTE_PHY_CODING_TRANSPORT_SIZE_H
/*
 * The sizes of transport blocks, by an index, resource blocks and layers.
 *
 *     int bits = lte_transport_size(26, 100, 2);        // 149776
 *
 * Source: TS 36.213, 7.1.7.2.
 */

#include <stdint.h>

enum {
    LTE_N_TRANSPORT_SIZES = 34, /* I_TBS, from 0 */
    LTE_MOST_SIZED_BLOCKS = 110
};

/*
 * Bits of a transport block, without its CRC, on so many resource blocks (12 subcarriers each) and
 * 1 to 4 layers of its codeword. 0 where it is not known: numbers of blocks out of range, and some
 * of several layers on more than 27 blocks that no whole carrier has.
 */
int lte_transport_size(int i_tbs, int n_blocks, int n_layers);

#endif
