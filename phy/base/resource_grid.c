/* What the resource elements of a subframe are for. */
#include "phy/base/resource_grid.h"

#include "phy/base/modulations.h"

const lte_name lte_grid_names[LTE_N_GRIDS] = {
#define GRID(name, text) {#name, text},
    LTE_GRIDS(GRID)
#undef GRID
};

const lte_name lte_purpose_names[LTE_N_PURPOSES] = {
#define PURPOSE(id, text) {text, ""},
    LTE_PURPOSES(PURPOSE)
#undef PURPOSE
};

enum { MOST_CRS_LAYERS = 4, LAST_SYMBOL = LTE_SLOT_SYMBOLS - 1 };

/* Antenna ports with cell-specific reference signals. */
static int crs_ports(int n_layers)
{
    return n_layers == 1 ? 1 : n_layers == 2 || n_layers > MOST_CRS_LAYERS ? 2 : 4;
}

/* The subcarriers of ports 0 to 3 repeat every six: TS 36.211, 6.10.1.2, with v_shift 0. */
static bool is_crs(int n_ports, int slot, int symbol, int sc)
{
    const int six = sc % 6;
    for (int port = 0; port < n_ports; port++) {
        const bool early = port < 2; /* in symbols 0 and 4; the others in symbol 1 */
        const int v = early ? 3 * (port != (symbol != 0)) : 3 * ((port + slot) % 2);
        if ((early ? symbol == 0 || symbol == 4 : symbol == 1) && six == v)
            return true;
    }
    return false;
}

static int downlink_purpose(const lte_grid_plan *plan, int slot, int symbol, int sc)
{
    const int in_block = sc % LTE_RB_SC;
    if (slot == 0 && symbol < plan->control_symbols)
        return LTE_PURPOSE_CONTROL;
    if (is_crs(crs_ports(plan->n_layers), slot, symbol, sc))
        return LTE_PURPOSE_CRS;
    if (plan->n_layers > MOST_CRS_LAYERS && symbol >= 5 && in_block % 5 <= 1)
        return LTE_PURPOSE_UE_RS; /* subcarriers 0, 5, 10 and 1, 6, 11 */
    return LTE_PURPOSE_DATA;
}

int lte_grid_purpose(const lte_grid_plan *plan, int slot, int symbol, int sc)
{
    if (plan->kind == LTE_GRID_pdsch)
        return downlink_purpose(plan, slot, symbol, sc);
    if (plan->kind == LTE_GRID_pusch && symbol == LTE_PILOT_SYMBOL)
        return LTE_PURPOSE_DMRS;
    if (plan->kind == LTE_GRID_pusch && plan->srs && slot == 1 && symbol == LAST_SYMBOL)
        return LTE_PURPOSE_SRS;
    return LTE_PURPOSE_DATA;
}

lte_grid lte_grid_of(const lte_grid_plan *plan)
{
    lte_grid grid = {{{0}}};
    for (int m = 0; m < 2 * LTE_SLOT_SYMBOLS; m++) {
        const int slot = m / LTE_SLOT_SYMBOLS, symbol = m % LTE_SLOT_SYMBOLS;
        for (int sc = 0; sc < LTE_RB_SC; sc++) {
            if (lte_grid_purpose(plan, slot, symbol, sc) == LTE_PURPOSE_DATA)
                grid.data[slot][symbol] = (uint16_t)(grid.data[slot][symbol] | 1U << sc);
        }
    }
    return grid;
}

int lte_grid_control_symbols(int n_rb)
{
    return n_rb <= 6 ? 4 : n_rb <= 25 ? 3 : 2;
}

int lte_grid_elements(const lte_grid *grid, int n_sc)
{
    const int n_rb = n_sc / LTE_RB_SC, rest = n_sc % LTE_RB_SC;
    int n = 0;
    for (int m = 0; m < 2 * LTE_SLOT_SYMBOLS; m++) {
        const unsigned data = grid->data[m / LTE_SLOT_SYMBOLS][m % LTE_SLOT_SYMBOLS];
        for (int sc = 0; sc < LTE_RB_SC; sc++)
            n += (int)(data >> sc & 1) * (n_rb + (sc < rest));
    }
    return n;
}

unsigned lte_grid_idle_label(int n_bits, int sc, unsigned signs)
{
    return (unsigned)lte_modulation_of(n_bits)->idle[sc % 2] | (signs & 3);
}
