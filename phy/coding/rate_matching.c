/* Sub-block interleavers and the circular buffer. */
#include "phy/coding/rate_matching.h"

enum { COLUMNS = 32, STREAMS = 3 };

/* Column c is read as the c-th. */
static const uint8_t column[COLUMNS] = {0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
                                        1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31};

static int rows_of(const lte_code_block *block)
{
    return (lte_code_block_stream(block) + COLUMNS - 1) / COLUMNS;
}

int lte_rate_matching_buffer(const lte_code_block *block)
{
    return STREAMS * COLUMNS * rows_of(block);
}

/* The place in d of element j of the circular buffer; -1 for a dummy or a filler bit. */
static int place_of(const lte_rate_matching *m, int j)
{
    const int rows = rows_of(m->block), size = rows * COLUMNS;
    const int stream = j < size ? 0 : 1 + (j - size) % 2, i = j < size ? j : (j - size) / 2;
    const int shift = stream == 2; /* of the second parity, so that a pair is of different bits */
    const int from = (column[i / rows] + COLUMNS * (i % rows) + shift) % size;
    const int n = lte_code_block_stream(m->block), k = from - (size - n);
    if (k < 0 || (stream < 2 && k < m->filler))
        return -1;
    return stream * n + k;
}

lte_status lte_rate_matching_order(const lte_rate_matching *m, int n, uint32_t *order)
{
    const int rows = rows_of(m->block), whole = lte_rate_matching_buffer(m->block);
    const int size = m->buffer > 0 ? m->buffer : whole;
    if (n < 1 || m->version < 0 || m->version >= LTE_N_REDUNDANCY_VERSIONS)
        return LTE_FAIL(LTE_EINVAL, "n=%d version=%d (1 or more, 0 to 3)", n, m->version);
    if (m->filler < 0 || m->filler >= m->block->k || size > whole || size < COLUMNS * rows)
        return LTE_FAIL(LTE_EINVAL, "filler=%d of %d bits, buffer=%d (%d to %d)", m->filler,
                        m->block->k, m->buffer, COLUMNS * rows, whole);
    int j = rows * (2 * ((size + 8 * rows - 1) / (8 * rows)) * m->version + 2) % size;
    for (int e = 0; e < n; j = j + 1 < size ? j + 1 : 0) {
        const int place = place_of(m, j);
        if (place >= 0)
            order[e++] = (uint32_t)place;
    }
    return LTE_OK;
}

int lte_rate_matching_share(int g, int c, int r, int n_layers, int n_bits)
{
    const int unit = n_layers * n_bits, units = g / unit;
    return unit * (r < c - units % c ? units / c : (units + c - 1) / c);
}
