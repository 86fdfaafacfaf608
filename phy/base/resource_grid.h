#ifndef LTE_PHY_RESOURCE_GRID_H
#define LTE_PHY_RESOURCE_GRID_H
/*
 * The resource grid of a subframe: what each resource element of a resource block is for, and so
 * which of them carry data.
 *
 *     const lte_grid_plan plan = {.kind = LTE_GRID_pdsch, .control_symbols = 2, .n_layers = 2};
 *     const lte_grid grid = lte_grid_of(&plan);
 *     int n = lte_grid_elements(&grid, 600);                     // 13200 carry data
 *     bool data = lte_grid_carries(&grid, slot, symbol, sc);
 *
 *   full    every element carries data
 *   pdsch   not: the first symbols of the subframe, which are PDCCH's; the cell-specific reference
 *           signals (CRS) of 1, 2, 4, 4 antenna ports for 1 to 4 layers and of 2 ports for more;
 *           from 5 layers on also the UE-specific reference signals of ports 7 to 14. v_shift is 0.
 *           All subframes are alike: PBCH and the synchronisation signals are not there.
 *   pusch   not: symbol 3 of both slots, which is the reference signal's (DM-RS); with sounding
 *           (SRS) the last symbol of the subframe
 *
 * All elements are sent with the same mean power; those without data carry symbols that nobody
 * decodes (lte_grid_idle_label).
 *
 * Sources: TS 36.211, 5.5.2.1.2, 5.5.3.3, 6.10.1.2, 6.10.3.2; TS 36.101, table 8.2.1-1.
 */

#include <stdbool.h>
#include <stdint.h>

#include "phy/base/limits.h"
#include "phy/base/names.h"
#include "phy/base/real.h"

#define LTE_GRIDS(ROW)                                                                             \
    ROW(full, "every resource element carries data")                                               \
    ROW(pdsch, "without PDCCH's symbols and the downlink's reference signals")                     \
    ROW(pusch, "without the uplink's reference symbols")

enum {
#define LTE_ENUM_GRID(name, text) LTE_GRID_##name,
    LTE_GRIDS(LTE_ENUM_GRID)
#undef LTE_ENUM_GRID
        LTE_N_GRIDS
};

extern const lte_name lte_grid_names[LTE_N_GRIDS];

/* What a resource element is for. */
#define LTE_PURPOSES(ROW)                                                                          \
    ROW(DATA, "data")                                                                              \
    ROW(CONTROL, "PDCCH")                                                                          \
    ROW(CRS, "cell-specific reference signals")                                                    \
    ROW(UE_RS, "UE-specific reference signals")                                                    \
    ROW(DMRS, "reference symbols (DM-RS)")                                                         \
    ROW(SRS, "sounding (SRS)")

enum {
#define LTE_ENUM_PURPOSE(id, text) LTE_PURPOSE_##id,
    LTE_PURPOSES(LTE_ENUM_PURPOSE)
#undef LTE_ENUM_PURPOSE
        LTE_N_PURPOSES
};

extern const lte_name lte_purpose_names[LTE_N_PURPOSES];

enum { LTE_MOST_CONTROL_SYMBOLS = 4 };

typedef struct {
    int kind;            /* LTE_GRID_* */
    int control_symbols; /* of pdsch, 1 to LTE_MOST_CONTROL_SYMBOLS */
    int n_layers;        /* of pdsch, from 1 on */
    bool srs;            /* of pusch */
} lte_grid_plan;

/* Bit k: subcarrier k of a resource block carries data in a symbol of the subframe's slot. */
typedef struct {
    uint16_t data[2][LTE_SLOT_SYMBOLS];
} lte_grid;

/* What element (slot, symbol, subcarrier) is for, slot 0 or 1 of the subframe: LTE_PURPOSE_*. */
int lte_grid_purpose(const lte_grid_plan *plan, int slot, int symbol, int sc);

lte_grid lte_grid_of(const lte_grid_plan *plan);

/* The symbols of PDCCH on a carrier of so many resource blocks, as in TS 36.101's tests. */
int lte_grid_control_symbols(int n_rb);

/* Elements of a subframe that carry data, on n_sc subcarriers. */
int lte_grid_elements(const lte_grid *grid, int n_sc);

/* True if subcarrier sc of a symbol of a slot carries data. */
LTE_INLINE bool lte_grid_carries(const lte_grid *grid, uint64_t slot, int symbol, int sc)
{
    return grid->data[slot % 2][symbol] >> sc % LTE_RB_SC & 1;
}

/*
 * The label that an element without data is sent with, its signs by two bits of chance: on two
 * neighbouring subcarriers the mean power is that of the constellation, 1. Their amplitudes are,
 * in half the distance of symbols, (3, 1) of 16QAM, (3, 5) and (1, 7) of 64QAM, (1, 13) of 256QAM,
 * (23, 13) and (21, 15) of 1024QAM.
 */
unsigned lte_grid_idle_label(int n_bits, int sc, unsigned signs);

#endif
