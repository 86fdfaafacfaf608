/* Uplink reference signals: base sequences, hopping, cyclic shifts. */
#include "phy/estimation/reference_sequence.h"

#include "phy/base/gold.h"
#include "phy/base/limits.h"

/* Tables 5.5.1.2-1 and -2: phi(n) = 2 s - 3, s the n-th pair of bits from the lowest on. */
static const uint32_t phi_1_rb[LTE_BASE_GROUPS] = {
    0xcbaf39, 0xc827fa, 0x62040a, 0x7206a9, 0xe6466d, 0x8d6972, 0x8f6c0d, 0xb27254,
    0x9e95b2, 0xaa87d2, 0x70429d, 0xfb8f5b, 0x80a8a2, 0xf1e8cf, 0x9fed18, 0x1ba527,
    0x75fe6e, 0x7b0ce8, 0x2508ac, 0x44d6ed, 0x49baa1, 0x18009d, 0xc8d00a, 0x9e611a,
    0x819fba, 0xd4bef2, 0x1d630e, 0x0e6c44, 0x5f3dcd, 0x6cd143,
};
static const uint64_t phi_2_rb[LTE_BASE_GROUPS] = {
    0x1339acece72d, 0x2b836ea7080c, 0xf9469dbfcaf7, 0x44adbb94a3a1, 0x520619dfa415, 0xa031d688b9e8,
    0x1d91a658c35a, 0x94e6daeed17c, 0x2020255cc638, 0xa298a7f347ca, 0xd9f981017709, 0x89c7cf01b83e,
    0x44c7ca725abe, 0xc78a7f9bd157, 0xeb485faecbb0, 0x40506ed18e25, 0x4a226fb29571, 0x5747a7f187de,
    0x2b0a48e876aa, 0x0de4663f71be, 0x63674ec45031, 0x24f5992d99a0, 0x1f8b933046c4, 0xf6cf778fbf55,
    0xd16a977531f6, 0x50a38a16b766, 0xa898cb314ae4, 0x444d0b547af1, 0x5dac22865251, 0xe583b6e7745a,
};

static void sequence_of_table(int n_sc, uint64_t steps, int shift, lte_cf32 *r)
{
    for (int n = 0; n < n_sc; n++, steps >>= 2) {
        const uint32_t eighths = 2 * (uint32_t)(steps & 3) - 3; /* of a turn, modulo 2^32 */
        const uint64_t turns = lte_shift_turns((uint32_t)shift, (uint32_t)n % 12);
        const lte_cplx x = lte_phasor((eighths << 29) + lte_turns_rounded(turns));
        r[n].re = x.re;
        r[n].im = x.im;
    }
}

int lte_base_sequence_length(int n_rb)
{
    for (int n = LTE_RB_SC * n_rb - 1;; n--) {
        int divisor = 2;
        while (divisor * divisor <= n && n % divisor)
            divisor++;
        if (divisor * divisor > n)
            return n;
    }
}

static lte_status check(int n_rb, int u, int v, int shift)
{
    const int last_v = n_rb >= LTE_TWO_SEQUENCES_RB;
    if (n_rb < 1 || n_rb > LTE_MAX_UPLINK_RB)
        return LTE_FAIL(LTE_EINVAL, "n_rb=%d (1 to %d)", n_rb, LTE_MAX_UPLINK_RB);
    if (u < 0 || u >= LTE_BASE_GROUPS)
        return LTE_FAIL(LTE_EINVAL, "u=%d (0 to %d)", u, LTE_BASE_GROUPS - 1);
    if (v < 0 || v > last_v)
        return LTE_FAIL(LTE_EINVAL, "v=%d with n_rb=%d (0 to %d)", v, n_rb, last_v);
    if (shift < 0 || shift >= LTE_CYCLIC_SHIFTS)
        return LTE_FAIL(LTE_EINVAL, "shift=%d (0 to %d)", shift, LTE_CYCLIC_SHIFTS - 1);
    return LTE_OK;
}

lte_status lte_base_sequence_row(int n_rb, int u, int v, int shift, lte_zc *zc, lte_zc_row *row)
{
    lte_status status = check(n_rb, u, v, shift);
    if (status)
        return status;
    if (n_rb < LTE_ZC_RB)
        return LTE_FAIL(LTE_EINVAL, "n_rb=%d (Zadoff-Chu from %d on)", n_rb, LTE_ZC_RB);
    const int length = lte_base_sequence_length(n_rb);
    const int twice = 2 * length * (u + 1) / 31; /* floor(2 qbar) */
    const int root = (twice + 1) / 2 + (twice % 2 ? -v : v);
    *zc = lte_zc_of((uint32_t)length);
    *row = (lte_zc_row){(uint32_t)root, 0, (uint32_t)shift};
    return LTE_OK;
}

lte_status lte_base_sequence(int n_rb, int u, int v, int shift, lte_cf32 *r)
{
    lte_zc zc = {0};
    lte_zc_row row = {0};
    const bool by_table = n_rb < LTE_ZC_RB;
    lte_status status =
        by_table ? check(n_rb, u, v, shift) : lte_base_sequence_row(n_rb, u, v, shift, &zc, &row);
    if (status)
        return status;
    if (by_table) {
        const uint64_t steps = n_rb == 1 ? phi_1_rb[u] : phi_2_rb[u];
        sequence_of_table(LTE_RB_SC * n_rb, steps, shift, r);
    } else {
        lte_zc_sequence(&zc, row, LTE_RB_SC * n_rb, r);
    }
    return LTE_OK;
}

/* f_ss of the PUSCH, and the c_init that sequence hopping and n_PN share. */
static int pusch_group(const lte_pusch_reference *p)
{
    return (p->n_id % LTE_BASE_GROUPS + p->delta_ss) % LTE_BASE_GROUPS;
}
static uint32_t pusch_c_init(const lte_pusch_reference *p)
{
    return (uint32_t)(p->n_id / LTE_BASE_GROUPS * 32 + pusch_group(p));
}

static lte_status check_pusch(const lte_pusch_reference *p, int slot)
{
    if (p->n_id < 0 || p->n_id > LTE_MAX_CELL_ID)
        return LTE_FAIL(LTE_EINVAL, "n_id=%d (0 to %d)", p->n_id, LTE_MAX_CELL_ID);
    if (p->delta_ss < 0 || p->delta_ss >= LTE_BASE_GROUPS)
        return LTE_FAIL(LTE_EINVAL, "delta_ss=%d (0 to %d)", p->delta_ss, LTE_BASE_GROUPS - 1);
    if (p->cyclic_shift < 0 || p->cyclic_shift > 7)
        return LTE_FAIL(LTE_EINVAL, "cyclic_shift=%d (0 to 7)", p->cyclic_shift);
    if (p->shift_field < 0 || p->shift_field > 7)
        return LTE_FAIL(LTE_EINVAL, "shift_field=%d (0 to 7)", p->shift_field);
    if (slot < 0 || slot >= LTE_FRAME_SLOTS)
        return LTE_FAIL(LTE_EINVAL, "slot=%d (0 to %d)", slot, LTE_FRAME_SLOTS - 1);
    return LTE_OK;
}

lte_status lte_pusch_base(const lte_pusch_reference *p, int n_rb, int slot, int *u, int *v)
{
    lte_status status = check_pusch(p, slot);
    if (!status)
        status = check(n_rb, 0, 0, 0);
    if (status)
        return status;
    const uint64_t ns = (uint64_t)slot;
    *u = pusch_group(p);
    *v = 0;
    if (p->group_hopping) {
        const uint32_t c_init = (uint32_t)(p->n_id / LTE_BASE_GROUPS);
        const int f_gh = (int)(lte_gold_number(c_init, 8 * ns, 8) % LTE_BASE_GROUPS);
        *u = (f_gh + *u) % LTE_BASE_GROUPS;
    } else if (p->sequence_hopping && n_rb >= LTE_TWO_SEQUENCES_RB) {
        *v = (int)lte_gold_number(pusch_c_init(p), ns, 1);
    }
    return LTE_OK;
}

lte_status lte_pusch_shift(const lte_pusch_reference *p, int slot, int layer, int *shift)
{
    static const int n1[8] = {0, 2, 3, 4, 6, 8, 9, 10};
    static const int n2[8][LTE_UPLINK_LAYERS] = {
        {0, 6, 3, 9},  {6, 0, 9, 3},  {3, 9, 6, 0},  {4, 10, 7, 1},
        {2, 8, 5, 11}, {8, 2, 11, 5}, {10, 4, 1, 7}, {9, 3, 0, 6},
    };
    lte_status status = check_pusch(p, slot);
    if (status)
        return status;
    if (layer < 0 || layer >= LTE_UPLINK_LAYERS)
        return LTE_FAIL(LTE_EINVAL, "layer=%d (0 to %d)", layer, LTE_UPLINK_LAYERS - 1);
    const uint64_t first = 8 * LTE_SLOT_SYMBOLS * (uint64_t)slot;
    const int n_pn = (int)lte_gold_number(pusch_c_init(p), first, 8);
    *shift = (n1[p->cyclic_shift] + n2[p->shift_field][layer] + n_pn) % LTE_CYCLIC_SHIFTS;
    return LTE_OK;
}

lte_status lte_pusch_sequence(const lte_pusch_reference *p, int n_rb, int slot, int layer,
                              lte_cf32 *r)
{
    int u = 0, v = 0, shift = 0;
    lte_status status = lte_pusch_base(p, n_rb, slot, &u, &v);
    if (!status)
        status = lte_pusch_shift(p, slot, layer, &shift);
    return status ? status : lte_base_sequence(n_rb, u, v, shift, r);
}
