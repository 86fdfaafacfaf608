#ifndef LTE_PHY_CHANNELS_H
#define LTE_PHY_CHANNELS_H
/*
 * The channels that a scenario chooses from: a row for each, which says all of it.
 *
 *     const lte_channel_row *eva = &lte_channel_rows[LTE_CHANNEL_eva];    // eva->taps.n is 9
 *
 * To add a channel: its id in phy/base/names.h and its row in phy/channel/channels.c, and
 *   - one that is made of taps: the id in LTE_TAP_CHANNELS;
 *   - one that is drawn subcarrier by subcarrier: the id in LTE_DRAWN_CHANNELS, and
 *     lte_channel_<id> and lte_channel_<id>_pair in phy/channel/channel.h, whose entries have
 *     E|h|^2 = 1.
 * Messages, --list, checks, closed forms, estimates and --verify go by the rows. A channel whose
 * entries are not CN(0, 1) has a fading kind of its own, and its law in sim/channel/validation.c;
 * tests/kernels/test_stage_formulas.c lists the channels that are drawn.
 */

#include <stdbool.h>

#include "phy/base/names.h"

enum { LTE_MAX_TAPS = 9 }; /* of a row; a longer one does not compile */

/* Where the entries of a channel come from. */
typedef enum {
    LTE_FADING_GIVEN,    /* from outside: nothing is known of their statistics */
    LTE_FADING_CONSTANT, /* always the same */
    LTE_FADING_DRAWN,    /* CN(0, 1), each subcarrier for itself */
    LTE_FADING_TAPS      /* CN(0, 1), sums of the taps of a profile */
} lte_fading_kind;

/* What a receiver that estimates the channel takes for granted over the subcarriers. */
typedef enum {
    LTE_SUBCARRIERS_INDEPENDENT, /* a window of one: no averaging, layers cannot be told apart */
    LTE_SUBCARRIERS_ALIKE,       /* the mean of a resource block */
    LTE_SUBCARRIERS_PROFILE,     /* correlated by the taps of the row */
    LTE_SUBCARRIERS_ANY          /* correlated by echoes anywhere within the cyclic prefix */
} lte_subcarriers;

/*
 * Which closed forms of phy/theory/ber_theory.h hold for one of its matrices, antennas independent.
 */
typedef enum { LTE_FORM_NONE, LTE_FORM_AWGN, LTE_FORM_RAYLEIGH } lte_ber_form;

/* Delays and powers as published. */
typedef struct {
    int n; /* 0: the channel is not made of taps */
    int delay_ns[LTE_MAX_TAPS];
    double power_db[LTE_MAX_TAPS]; /* their sum need not be 1: lte_profile_of */
} lte_power_delay;

typedef struct {
    const char *name; /* as written in a scenario */
    const char *text; /* one line for --list */
    lte_fading_kind fading;
    lte_subcarriers subcarriers;
    lte_ber_form form;
    bool square;                /* needs n_rx = n_tx */
    const char *not_moved;      /* why no Doppler moves it; NULL: one does */
    const char *not_correlated; /* why its antennas cannot be correlated; NULL: they can */
    lte_power_delay taps;
} lte_channel_row;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_channel_row lte_channel_rows[LTE_N_CHANNELS];

#ifdef __cplusplus
}
#endif

#endif
