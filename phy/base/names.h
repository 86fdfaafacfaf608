#ifndef LTE_PHY_NAMES_H
#define LTE_PHY_NAMES_H
/*
 * The channels and csi that a scenario chooses from, by the ids that host and device share, and how
 * rows of any kind are searched by name.
 *
 *     const lte_names names = LTE_NAMES(lte_csi_rows);
 *     int csi = lte_name_find(&names, "DMRS-LS");    // in any case
 *
 *     lte_near_name near = {.name = "mmsee"};          // which one an unknown name may mean
 *     for (int i = 0; i < names.n; i++)
 *         lte_near_name_try(&near, lte_name_at(&names, i));
 *     if (near.meant) ...
 *
 * To add a channel: phy/channel/channels.h; a csi: phy/estimation/csi.h; a detector:
 * phy/detection/detectors.h; an inverter: phy/inversion/inverters.h.
 */

#include <stddef.h>

/* Ids alone; what they are stands in the rows of phy/channel/channels.c. */
#define LTE_DRAWN_CHANNELS(X) X(rayleigh) X(awgn)        /* subcarrier by subcarrier */
#define LTE_TAP_CHANNELS(X) X(flat) X(epa) X(eva) X(etu) /* made of taps */
#define LTE_STORED_CHANNELS(X) X(file) /* made elsewhere: lte_link_set_channel_data */
#define LTE_CHANNELS(X) LTE_DRAWN_CHANNELS(X) LTE_TAP_CHANNELS(X) LTE_STORED_CHANNELS(X)

/* Ids alone; rows in phy/estimation/csi.c. */
#define LTE_CSIS(X) X(perfect) X(despread) X(dmrs_ls) X(dmrs_mmse) X(dmrs_mmse_cp)

#define LTE_NAME_CHANNEL(id) LTE_CHANNEL_##id,
#define LTE_NAME_CSI(id) LTE_CSI_##id,
enum { LTE_CHANNELS(LTE_NAME_CHANNEL) LTE_N_CHANNELS };
enum { LTE_CSIS(LTE_NAME_CSI) LTE_N_CSI };
#undef LTE_NAME_CHANNEL
#undef LTE_NAME_CSI

typedef struct {
    const char *name; /* as written in a scenario */
    const char *text; /* one line for --list */
} lte_name;

/* The names of rows of any type that has a member name. */
typedef struct {
    const char *const *first; /* that of row 0 */
    size_t stride;            /* size of a row */
    int n;
} lte_names;

#define LTE_NAMES(rows)                                                                            \
    {                                                                                              \
        &(rows)[0].name, sizeof *(rows), (int)(sizeof(rows) / sizeof *(rows))                      \
    }

/* That of row i. */
const char *lte_name_at(const lte_names *names, int i);

/* The row of a name, in upper or lower case, or -1. */
int lte_name_find(const lte_names *names, const char *name);

/* The known name that is closest to an unknown one. */
typedef struct {
    const char *name;  /* the unknown one */
    const char *meant; /* NULL: no known name is close to it */
    int edits;         /* between the two */
} lte_near_name;

/*
 * Edits that make one name of the other, upper and lower case being the same: a character inserted,
 * deleted or replaced, or two neighbours swapped. LTE_MANY_EDITS for a name above 47 characters.
 */
enum { LTE_MANY_EDITS = 99 };
int lte_name_edits(const char *a, const char *b);

/* Edits that a name of this length may be away from what it means: 1, from 5 characters on 2. */
int lte_name_most_edits(const char *name);

/* Tries a known name, which must outlive near; of equally close ones the first is kept. */
void lte_near_name_try(lte_near_name *near, const char *known);

#endif
