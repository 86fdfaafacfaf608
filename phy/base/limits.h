#ifndef LTE_PHY_LIMITS_H
#define LTE_PHY_LIMITS_H
/* Sizes of a link: larger scenarios are refused before anything is allocated. */

enum {
    LTE_MAX_ORDER = 8,    /* of the matrices that formulas unroll for (kernels/base/order.h) */
    LTE_FEW_RX = 16,      /* receive antennas of a small array, which has LTE_MAX_ORDER layers */
    LTE_MAX_TX = 128,     /* layers, one per transmit antenna */
    LTE_MAX_RX = 256,     /* receive antennas */
    LTE_MAX_SC = 1200,    /* subcarriers of the widest carrier, 20 MHz */
    LTE_SLOT_SYMBOLS = 7, /* OFDM symbols per 0.5 ms slot, normal cyclic prefix */
    LTE_PILOT_SYMBOL = 3, /* of a slot: the uplink's reference symbol, DM-RS */
    LTE_FRAME_SLOTS = 20, /* slots per 10 ms frame */
    LTE_RB_SC = 12,       /* subcarriers per resource block */
    LTE_MAX_CELL_ID = 503 /* physical-layer cell identities begin at 0 */
};

/*
 * A large array: detectors that solve take the matched filter first (phy/detection/matched.h), and
 * devices have a block of threads for each subcarrier.
 */
#define LTE_IS_LARGE(n_rx, n_tx) ((n_tx) > LTE_MAX_ORDER || (n_rx) > LTE_FEW_RX)

#endif
