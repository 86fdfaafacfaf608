#ifndef LTE_PHY_INFORMATION_H
#define LTE_PHY_INFORMATION_H
/*
 * What LLRs are worth: the generalised mutual information of a bit and its LLR L, multiplied by s,
 *
 *     I(s) = 1 - E log2(1 + exp(-s L')),   L' = L if the bit is 0, else -L,
 *
 * in bits; the rate that a decoder that takes them for true can have. Largest at s = 1 where they
 * are. What is lost of each bit is rounded to an integer, so that sums do not depend on the order.
 *
 *     sum = sum + lte_loss(r_flip(llr, label << (31 - bit)));
 *     double bits = lte_information(sum, n);
 *
 * And the s that were best, from LLRs as they are handed to decoders:
 *
 *     uint32_t table[LTE_SCALE_LOSSES];
 *     lte_scale_losses(8.0, table);                              // integers are LLRs times 8
 *     total[s] += table[lte_scale_loss_at(s, integer)];          // towards the bit that was sent
 *     lte_llr_scale best = lte_best_llr_scale(total);
 *
 * Source: Martinez, Guillen i Fabregas, Caire, Willems, IEEE Trans. Inf. Theory 55, 2009.
 */

#include "phy/base/exponential.h"
#include "phy/base/normal.h"

enum {
    LTE_LOSS_UNITS = 1 << 13, /* of a bit */
    LTE_MOST_LOSS =
        1 << 18, /* of one LLR, 32 bits: so a slot's sum of a layer and bit is below 2^32 */
    LTE_N_LLR_SCALES = 13,  /* s = 1/16, 2^(-7/2), 1/8, ..., 1, ..., 2, 2^(3/2), 4 */
    LTE_LLR_SCALE_TWO = 10, /* the place of s = 2 */
    LTE_LLR_VALUES = 255,   /* integer LLRs from -127 to 127 */
    LTE_SCALE_LOSSES = LTE_N_LLR_SCALES * LTE_LLR_VALUES,
    LTE_SCALE_UNITS = 1 << 10,       /* of a bit, at scales of 8 and more; fewer below */
    LTE_INTEGER_LOSS_UNITS = 1 << 16 /* of a bit, of one integer */
};

/* log2(1 + exp(-L')) in units of 1 / LTE_LOSS_UNITS, to the nearest, even ones first. */
LTE_INLINE lte_word lte_loss(lte_real towards)
{
    const lte_real zero = r_set(0.0f), size = r_abs(towards);
    const lte_real least = r_sel(r_lt(towards, zero), size, zero);
    const lte_real nats = least + lte_ln(r_set(1.0f) + lte_exp(r_neg(size)));
    const lte_real units = nats * r_set((float)LTE_LOSS_UNITS * 1.442695041f);
    const lte_real most = r_set((float)LTE_MOST_LOSS);
    const lte_real whole = r_set(0x1.8p23f);
    return r_bits(r_sel(r_lt(units, most), units, most) + whole) - w_set(0x4b400000u);
}

/* The place of an LLR of -127 to 127, towards the bit that was sent, in a table of one scale. */
LTE_INLINE int lte_integer_loss_at(int towards)
{
    return towards + LTE_LLR_VALUES / 2;
}

/* The same in the table of scales, [LTE_LLR_VALUES][LTE_N_LLR_SCALES]. */
LTE_INLINE int lte_scale_loss_at(int s, int towards)
{
    return lte_integer_loss_at(towards) * LTE_N_LLR_SCALES + s;
}

/* The units that an entry of the table of scales counts: above s = 2 an entry counts two. */
LTE_INLINE uint64_t lte_scale_loss_weight(int s)
{
    return s > LTE_LLR_SCALE_TWO ? 2 : 1;
}

#ifdef __cplusplus
extern "C" {
#endif

/*
 * log2(1 + exp(-s L')) in units of 1 / LTE_SCALE_UNITS, or about 8 / llr_scale times that for
 * scales below 8, and in twice these units for s above 2 (lte_scale_loss_weight), so that a
 * symbol's sum over 8 layers is below 2^32 whatever is heard. An LLR of 0 loses one bit at every s.
 * llr_scale: an integer is L times that.
 */
void lte_scale_losses(double llr_scale, uint32_t *table);

/*
 * log2(1 + exp(-L')) of the integers themselves, in units of 1 / LTE_INTEGER_LOSS_UNITS: table
 * [LTE_LLR_VALUES]  out.
 */
void lte_integer_losses(double llr_scale, uint32_t *table);

/* The information of n bits that lose so much (lte_loss), bits. */
double lte_information(uint64_t loss, uint64_t n);

/* The s that makes the information most. */
typedef struct {
    double s;  /* from 1/16 to 4; NAN: not known */
    int bound; /* -1: s is the lower end, and a smaller one may be better; 1: the upper; else 0 */
} lte_llr_scale;

/*
 * The best s from losses by s [LTE_N_LLR_SCALES]: the minimum of the polynomial in ln s through
 * the five around the least one. Not known where all s lose the same: nothing, or LLRs of 0 alone.
 */
lte_llr_scale lte_best_llr_scale(const uint64_t *loss);

/*
 * Information of a QAM symbol of n_bits with its exact LLRs over AWGN at an SNR (linear), bits: by
 * the trapezoid rule, to 1e-6.
 */
double lte_information_limit(int n_bits, double snr);

#ifdef __cplusplus
}
#endif

#endif
