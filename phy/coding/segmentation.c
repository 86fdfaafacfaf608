/* Transport blocks cut into code blocks. */
#include "phy/coding/segmentation.h"

#include <stddef.h>
#include <string.h>

#include "phy/coding/crc.h"

lte_status lte_segmentation_of(int transport_bits, lte_segmentation *segmentation)
{
    lte_segmentation s = {.n_bits = transport_bits + LTE_CRC_BITS, .n = 1};
    if (transport_bits < 1 || transport_bits > LTE_MAX_TRANSPORT_BITS)
        return LTE_FAIL(LTE_EINVAL, "a transport block of %d bits (1 to %d)", transport_bits,
                        LTE_MAX_TRANSPORT_BITS);
    int all = s.n_bits; /* B' */
    if (s.n_bits > LTE_MAX_CODE_BLOCK) {
        const int most = LTE_MAX_CODE_BLOCK - LTE_CRC_BITS;
        s.n = (s.n_bits + most - 1) / most;
        all += s.n * LTE_CRC_BITS;
    }
    s.size = lte_code_block_of((all + s.n - 1) / s.n);
    if (s.n > 1 && s.size > lte_code_blocks) {
        s.smaller = s.size - 1;
        s.n_smaller = (s.n * s.size->k - all) / (s.size->k - s.smaller->k);
    }
    s.filler = (s.n - s.n_smaller) * s.size->k - all;
    s.filler += s.n_smaller > 0 ? s.n_smaller * s.smaller->k : 0;
    *segmentation = s;
    return LTE_OK;
}

const lte_code_block *lte_segment_block(const lte_segmentation *s, int r)
{
    return r < s->n_smaller ? s->smaller : s->size;
}

int lte_segment_filler(const lte_segmentation *s, int r)
{
    return r == 0 ? s->filler : 0;
}

int lte_segment_bits(const lte_segmentation *s, int r)
{
    const int crc = s->n > 1 ? LTE_CRC_BITS : 0;
    return lte_segment_block(s, r)->k - lte_segment_filler(s, r) - crc;
}

int lte_segment_first(const lte_segmentation *s, int r)
{
    int first = 0;
    for (int i = 0; i < r; i++)
        first += lte_segment_bits(s, i);
    return first;
}

void lte_segment(const lte_segmentation *s, const uint8_t *transport, int r, uint8_t *block)
{
    const int filler = lte_segment_filler(s, r), n = lte_segment_bits(s, r);
    memset(block, 0, (size_t)filler);
    memcpy(block + filler, transport + lte_segment_first(s, r), (size_t)n);
    if (s->n > 1)
        lte_crc_attach(LTE_CRC_24B, block, filler + n);
}

bool lte_segment_holds(const lte_segmentation *s, int r, const uint8_t *block)
{
    return lte_crc_holds(s->n > 1 ? LTE_CRC_24B : LTE_CRC_24A, block, lte_segment_block(s, r)->k);
}

void lte_segment_join(const lte_segmentation *s, const uint8_t *block, int r, uint8_t *transport)
{
    memcpy(transport + lte_segment_first(s, r), block + lte_segment_filler(s, r),
           (size_t)lte_segment_bits(s, r));
}
