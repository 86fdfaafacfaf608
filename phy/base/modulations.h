#ifndef LTE_PHY_MODULATIONS_H
#define LTE_PHY_MODULATIONS_H
/*
 * The modulations of LTE, a row each. All are square, with Gray labels: n_bits / 2 bits each for
 * the real and the imaginary part of a symbol.
 *
 *     const lte_modulation_row *qam = lte_modulation_of(4);
 *     printf("%s\n", qam->name); // 16qam
 *
 * To add one: its row below, if it is the next square one and its labels follow the rule of
 * phy/detection/qam.h; its points go to tests/phy/test_qam.c.
 *
 * Source: TS 36.211 clause 7.1; 256QAM is of release 12, 1024QAM of release 15. The weights follow
 * from these labels: Cho, Yoon, On the general BER expression of one- and two-dimensional amplitude
 * modulations, IEEE Trans. Commun. 50, 2002.
 */

/*
 * Of each: n_bits; its name; A, half the distance of neighbouring symbols, where the mean power is
 * 1; the labels of even and odd subcarriers without data, but for signs (lte_grid_idle_label),
 * whose four amplitudes, in A, have the sum of squares 2 / A^2; w0 and w_1, w_3, .. of the bit
 * error rate
 *
 *     sum_{k odd} w_k / w0 Q(k A sqrt(2 E_s / N0)),
 *
 * 2^(n_bits / 2) - 1 of them. w_k / w0 is the mean, over bits and levels that are sent, of the
 * decisions' thresholds at the distance k A, each counted as what crossing it adds to the wrong
 * bits.
 */
#define LTE_MODULATIONS(X)                                                                         \
    X(2, "qpsk", 0.707106781f, 0, 0, 1, 1)                                                         \
    X(4, "16qam", 0.316227766f, 4, 4, 4, 3, 2, -1)                                                 \
    X(6, "64qam", 0.154303350f, 8, 56, 12, 7, 6, -1, 0, 1, 0, -1)                                  \
    X(8, "256qam", 0.0766964989f, 120, 120, 32, 15, 14, -1, 0, 5, 4, -5, -4, 5, 4, -3, -2, 1, 0,   \
      -1)                                                                                          \
    X(10, "1024qam", 0.0382919790f, 388, 644, 80, 31, 30, -1, 0, 13, 12, -13, -12, 17, 16, -7, -6, \
      5, 4, -13, -12, 13, 12, -3, -2, 3, 2, -7, -6, 5, 4, -3, -2, 1, 0, -1)

#define LTE_ONE_MODULATION(...) +1
enum {
    LTE_N_MODULATIONS = 0 LTE_MODULATIONS(LTE_ONE_MODULATION), /* of 2, 4, .. LTE_MAX_BITS bits */
    LTE_MAX_BITS = 2 * LTE_N_MODULATIONS,
    LTE_N_ERROR_WEIGHTS = (1 << LTE_N_MODULATIONS) - 1
};

typedef struct {
    int n_bits;       /* of a symbol */
    const char *name; /* as written in a scenario */
    int idle[2];      /* of even and odd subcarriers */
    int weight_unit;  /* w0 */
    int weight[LTE_N_ERROR_WEIGHTS];
} lte_modulation_row;

extern const lte_modulation_row lte_modulation_rows[LTE_N_MODULATIONS];

/* The modulation of so many bits a symbol; NULL if there is none. */
const lte_modulation_row *lte_modulation_of(int n_bits);

#endif
