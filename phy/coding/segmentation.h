#ifndef LTE_PHY_CODING_SEGMENTATION_H
#define LTE_PHY_CODING_SEGMENTATION_H
/*
 * A transport block as code blocks, and back.
 *
 *     lte_segmentation s;
 *     lte_status status = lte_segmentation_of(n_bits, &s);        // without its CRC
 *     for (int r = 0; r < s.n; r++)
 *         lte_segment(&s, transport, r, bits);                    // [lte_segment_block(&s, r)->k]
 *     ... bool right = lte_segment_holds(&s, r, decoded);
 *     lte_segment_join(&s, decoded, r, transport);
 *
 * A transport block has its own CRC24A at its end; of several code blocks each has a CRC24B. F
 * filler bits, zeros that are not sent, stand before the first. Source: TS 36.212, 5.1.2.
 */

#include <stdbool.h>

#include "phy/coding/code_block.h"
#include "phy/base/status.h"

enum { LTE_MAX_TRANSPORT_BITS = 391656 }; /* TS 36.213, 7.1.7.2: of four layers, the largest */

typedef struct {
    int n_bits;                           /* of the transport block with its CRC24A: B */
    int n;                                /* code blocks: C */
    int n_smaller;                        /* C-, which come first */
    const lte_code_block *smaller, *size; /* of K-, NULL where there are none, and K+ */
    int filler;                           /* F */
} lte_segmentation;

/* Returns LTE_EINVAL for no bits and for more than LTE_MAX_TRANSPORT_BITS. */
lte_status lte_segmentation_of(int transport_bits, lte_segmentation *segmentation);

/* The size of code block r. */
const lte_code_block *lte_segment_block(const lte_segmentation *segmentation, int r);

/* Filler bits of code block r. */
int lte_segment_filler(const lte_segmentation *segmentation, int r);

/* Where the bits of code block r begin in the transport block, and how many they are. */
int lte_segment_first(const lte_segmentation *segmentation, int r);
int lte_segment_bits(const lte_segmentation *segmentation, int r);

/* Writes code block r of a transport block with its CRC24A [n_bits]. */
void lte_segment(const lte_segmentation *segmentation, const uint8_t *transport, int r,
                 uint8_t *block);

/* True if the CRC of code block r holds: of a single one that of the transport block. */
bool lte_segment_holds(const lte_segmentation *segmentation, int r, const uint8_t *block);

/* Puts the bits of code block r where they are in the transport block [n_bits]. */
void lte_segment_join(const lte_segmentation *segmentation, const uint8_t *block, int r,
                      uint8_t *transport);

#endif
