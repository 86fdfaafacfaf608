#ifndef LTE_PHY_CODING_SOFT_BUFFER_H
#define LTE_PHY_CODING_SOFT_BUFFER_H
/*
 * How many soft bits a terminal keeps of a transport block of the downlink, by its category. The
 * base station's buffer, for PUSCH, is whole.
 *
 *     int n_soft = lte_category_soft_bits(4);                  // 1827072
 *     int n_ir = lte_soft_buffer(n_soft, 2);                   // 114192 of a transport block
 *
 * Sources: TS 36.306, table 4.1-1; TS 36.212, 5.1.4.1.2.
 */

enum { LTE_MOST_CATEGORY = 8, LTE_MOST_SOFT_BITS = 35982720 };

/* N_soft of a category, 1 to LTE_MOST_CATEGORY. */
int lte_category_soft_bits(int category);

/*
 * N_IR = floor(N_soft / (K_C K_MIMO min(M_DL_HARQ, M_limit))) with both M 8; K_MIMO is 2 where
 * several layers are sent, else 1; K_C is 5 if N_soft = 35982720, 2 if N_soft = 3654144 and at most
 * two layers are sent, else 1.
 */
int lte_soft_buffer(int soft_bits, int n_layers);

#endif
