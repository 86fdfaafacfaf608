#ifndef LTE_PHY_NAMES_H
#define LTE_PHY_NAMES_H
/*
 * The lists that a scenario chooses from. To add a channel, detector or inverter: write its file
 * (its functions carry the name of the first column) and add its line here; tables, messages,
 * --list and the checks follow.
 *
 *     for (int i = 0; i < LTE_N_CHANNELS; i++)
 *         puts(lte_channel_names[i].name);
 */

#include <stddef.h>

/* Column 1: C name. Column 2: name in scenarios. Column 3: what it is. */
#define LTE_DRAWN_CHANNELS(X) /* subcarrier by subcarrier */                                       \
    X(rayleigh, "rayleigh", "independent CN(0,1) per antenna pair, subcarrier and slot")           \
    X(awgn, "awgn", "sqrt(n_tx) times the identity, n_rx = n_tx")
#define LTE_TAP_CHANNELS(X) /* made of taps: phy/profile.h */                                      \
    X(flat, "flat", "one CN(0,1) matrix per slot, the same on all subcarriers")                    \
    X(epa, "epa", "Extended Pedestrian A: 7 taps to 410 ns")                                       \
    X(eva, "eva", "Extended Vehicular A: 9 taps to 2510 ns")                                       \
    X(etu, "etu", "Extended Typical Urban: 9 taps to 5000 ns")
#define LTE_STORED_CHANNELS(X) /* made elsewhere: lte_link_store in kernels/link.h */              \
    X(file, "file", "read from an HDF5 file, its slots one after the other and over again")
#define LTE_CHANNELS(X) LTE_DRAWN_CHANNELS(X) LTE_TAP_CHANNELS(X) LTE_STORED_CHANNELS(X)

#define LTE_CSIS(X)                                                                                \
    X(perfect, "perfect", "the receiver knows H and n0")                                           \
    X(dmrs_ls, "dmrs-ls", "least squares from the uplink DM-RS in symbol 3, up to 4 layers")       \
    X(dmrs_mmse, "dmrs-mmse", "Wiener filter over the uplink DM-RS in symbol 3, up to 4 layers")

#define LTE_NAME_CHANNEL(id, name, text) LTE_CHANNEL_##id,
#define LTE_NAME_CSI(id, name, text) LTE_CSI_##id,
enum { LTE_CHANNELS(LTE_NAME_CHANNEL) LTE_N_CHANNELS };
enum { LTE_CSIS(LTE_NAME_CSI) LTE_N_CSI };
#undef LTE_NAME_CHANNEL
#undef LTE_NAME_CSI

typedef struct {
    const char *name; /* as written in a scenario */
    const char *text; /* one line for --list */
} lte_name;

extern const lte_name lte_channel_names[LTE_N_CHANNELS];
extern const lte_name lte_csi_names[LTE_N_CSI];

/* A list of rows of any type that begin as lte_name does. */
typedef struct {
    const void *rows;
    size_t row_size;
    int n;
} lte_list;
#define LTE_LIST(rows, n)                                                                          \
    {                                                                                              \
        rows, sizeof *(rows), n                                                                    \
    }

/* Name and text of row i. */
lte_name lte_list_at(lte_list list, int i);

/* The place of name in a list, or -1. */
int lte_list_find(lte_list list, const char *name);

#endif
