#ifndef LTE_PHY_CSI_H
#define LTE_PHY_CSI_H
/*
 * What a receiver knows of its channel (channel state information): a row for each kind.
 *
 *     if (lte_csi_rows[csi].estimator != LTE_ESTIMATOR_NONE)
 *         ...                                               // one symbol carries no data
 *
 * To add a csi that uses one of the estimators here: its id in LTE_CSIS of phy/base/names.h and its
 * row in phy/estimation/csi.c. Another linear estimator: its name below, and in
 * phy/estimation/estimator.c the sets of matrices or weights that it has: one, or one for each
 * level of noise.
 */

#include <stdbool.h>

#include "phy/base/names.h"

/* How H of a slot is estimated; see phy/estimation/estimator.h. */
typedef enum {
    LTE_ESTIMATOR_NONE,          /* H and n0 are known */
    LTE_ESTIMATOR_DESPREAD,      /* the mean of 12 subcarriers */
    LTE_ESTIMATOR_LEAST_SQUARES, /* of echoes within the prefix, over the carrier */
    LTE_ESTIMATOR_WIENER,        /* over the carrier, of the channel's own profile */
    LTE_ESTIMATOR_WIENER_PREFIX  /* the same of echoes anywhere within the prefix */
} lte_estimator_kind;

typedef struct {
    const char *name;    /* as written in a scenario */
    const char *text;    /* one line for --list */
    const char *printed; /* in pictures and papers */
    lte_estimator_kind estimator;
    int pilot;  /* the symbol that carries reference sequences in place of data; -1: none does */
    int max_tx; /* layers that it goes up to */
    int max_rx; /* antennas */
} lte_csi_row;

#ifdef __cplusplus
extern "C" {
#endif

extern const lte_csi_row lte_csi_rows[LTE_N_CSI];

/* Whether such a receiver estimates its channel. */
bool lte_csi_estimates(int csi);

#ifdef __cplusplus
}
#endif

#endif
