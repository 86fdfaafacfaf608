#ifndef LTE_PHY_REFERENCE_SEQUENCE_H
#define LTE_PHY_REFERENCE_SEQUENCE_H
/*
 * Reference signals of the uplink: base sequences with their cyclic shifts, and which of them the
 * demodulation reference signal (DM-RS) of a PUSCH layer is.
 *
 *     const lte_pusch_reference pusch = {.n_id = 7, .shift_field = 3};
 *     lte_cf32 r[LTE_MAX_SC];
 *     lte_status status = lte_pusch_sequence(&pusch, 25, slot, layer, r);    // r [300]
 *
 * It fills all allocated subcarriers of symbol 3 of each slot (normal cyclic prefix). The sequences
 * of different layers are orthogonal over any 12 subcarriers in a row.
 * Source: TS 36.211, 5.5.1 and 5.5.2.1.
 */

#include <stdbool.h>

#include "phy/base/phasor.h"
#include "phy/base/status.h"

enum {
    LTE_MAX_UPLINK_RB = 100,
    LTE_BASE_GROUPS = 30,     /* u */
    LTE_CYCLIC_SHIFTS = 12,   /* n_cs */
    LTE_UPLINK_LAYERS = 4,    /* lambda */
    LTE_ZC_RB = 3,            /* from here on sequences are Zadoff-Chu, below they are tables */
    LTE_TWO_SEQUENCES_RB = 6, /* from here on a group has v = 0 and v = 1 */
};

/* N_ZC of an allocation of n_rb >= 3 blocks: the largest prime below 12 n_rb. */
int lte_base_sequence_length(int n_rb);

/*
 * Base sequence v of group u, cyclically shifted.
 *
 *     r(n) = exp(j 2 pi n shift / 12) x_q(n mod N_ZC),  x_q(m) = exp(-j pi q m (m + 1) / N_ZC)
 *     q = floor(qbar + 1/2) + v (-1)^floor(2 qbar),  qbar = N_ZC (u + 1) / 31
 *     with 1 and 2 blocks: exp(j pi phi(n) / 4) from a table in place of x_q
 *
 *   n_rb     allocated resource blocks, 1 to 100
 *   u        0 to 29
 *   v        0, from 6 blocks on also 1
 *   shift    n_cs, 0 to 11
 *   r        [12 n_rb]  out
 *
 * Returns LTE_EINVAL for an argument out of range.
 */
lte_status lte_base_sequence(int n_rb, int u, int v, int shift, lte_cf32 *r);

/* The same as a row of a reference matrix (phy/base/phasor.h), for n_rb of 3 or more. */
lte_status lte_base_sequence_row(int n_rb, int u, int v, int shift, lte_zc *zc, lte_zc_row *row);

/* What a cell and a grant say about the DM-RS of the PUSCH. All zero is a cell without hopping. */
typedef struct {
    int n_id;              /* cell identity, 0 to 503 */
    int delta_ss;          /* 0 to 29 */
    int cyclic_shift;      /* of the cell, 0 to 7: n1 = 0 2 3 4 6 8 9 10 */
    int shift_field;       /* of the grant, 0 to 7: n2 of each layer */
    bool group_hopping;    /* u changes from slot to slot */
    bool sequence_hopping; /* v does, from 6 blocks on and without group hopping */
} lte_pusch_reference;

/*
 * Group and sequence of a slot.
 *
 *     u = (f_gh + f_ss) mod 30,  f_ss = (n_id mod 30 + delta_ss) mod 30
 *     f_gh = sum_{i=0..7} c(8 slot + i) 2^i mod 30 if groups hop, c_init = floor(n_id / 30)
 *     v = c(slot) if sequences hop, c_init = 32 floor(n_id / 30) + f_ss
 *
 * Returns LTE_EINVAL for an argument out of range; slot is that of the frame, 0 to 19.
 */
lte_status lte_pusch_base(const lte_pusch_reference *p, int n_rb, int slot, int *u, int *v);

/*
 * Cyclic shift n_cs of a layer, 0 to 3, in a slot. Returns LTE_EINVAL for an argument out of range.
 *
 *     n_cs = (n1 + n2 + sum_{i=0..7} c(56 slot + i) 2^i) mod 12,  c_init as for v above
 */
lte_status lte_pusch_shift(const lte_pusch_reference *p, int slot, int layer, int *shift);

/*
 * DM-RS of a layer in a slot, r [12 n_rb]: base sequence and shift as above, without the cover
 * [w(0) w(1)] over the two slots of a subframe. Returns LTE_EINVAL for an argument out of range.
 */
lte_status lte_pusch_sequence(const lte_pusch_reference *p, int n_rb, int slot, int layer,
                              lte_cf32 *r);

#endif
