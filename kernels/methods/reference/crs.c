/* Downlink reference signals: values out of the Gold sequence, and where they stand. */
#include "kernels/methods/reference/crs.h"

#include "phy/base/gold.h"
#include "phy/base/limits.h"

static lte_status check(int n_id, int slot, int symbol)
{
    if (n_id < 0 || n_id > LTE_MAX_CELL_ID)
        return LTE_FAIL(LTE_EINVAL, "n_id=%d (0 to %d)", n_id, LTE_MAX_CELL_ID);
    if (slot < 0 || slot >= LTE_FRAME_SLOTS)
        return LTE_FAIL(LTE_EINVAL, "slot=%d (0 to %d)", slot, LTE_FRAME_SLOTS - 1);
    if (symbol < 0 || symbol >= LTE_SLOT_SYMBOLS)
        return LTE_FAIL(LTE_EINVAL, "symbol=%d (0 to %d)", symbol, LTE_SLOT_SYMBOLS - 1);
    return LTE_OK;
}

static float part(uint32_t bit)
{
    const float root_half = 0.707106781f;
    return bit & 1 ? -root_half : root_half;
}

lte_status lte_crs_values(int n_id, int n_rb, int slot, int symbol, lte_cf32 *r)
{
    enum { PER_WORD = 16 }; /* values of two bits each */
    lte_status status = check(n_id, slot, symbol);
    if (status)
        return status;
    if (n_rb < 1 || n_rb > LTE_CRS_MAX_RB)
        return LTE_FAIL(LTE_EINVAL, "n_rb=%d (1 to %d)", n_rb, LTE_CRS_MAX_RB);
    const int of_time = LTE_SLOT_SYMBOLS * (slot + 1) + symbol + 1;
    const uint32_t c_init = (uint32_t)(1024 * of_time * (2 * n_id + 1) + 2 * n_id + 1);
    const int first = LTE_CRS_MAX_RB - n_rb;
    lte_gold gold = lte_gold_at(c_init, 2 * (uint64_t)first);
    uint32_t bits = 0;
    for (int m = 0; m < 2 * n_rb; m++) {
        bits = m % PER_WORD == 0 ? lte_gold_word(&gold) : bits >> 2;
        r[m].re = part(bits);
        r[m].im = part(bits >> 1);
    }
    return LTE_OK;
}

lte_status lte_crs_position(int port, int n_id, int slot, int symbol, int *first)
{
    lte_status status = check(n_id, slot, symbol);
    if (status)
        return status;
    if (port < 0 || port >= LTE_CRS_PORTS)
        return LTE_FAIL(LTE_EINVAL, "port=%d (0 to %d)", port, LTE_CRS_PORTS - 1);
    const int early = port < 2;
    *first = -1;
    if (early ? symbol == 0 || symbol == 4 : symbol == 1) {
        const int odd = early ? symbol == 4 : slot % 2;
        *first = (3 * (port % 2 + odd) + n_id) % 6;
    }
    return LTE_OK;
}
