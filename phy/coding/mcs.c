/* Modulation, code rate and transport block size by their index. */
#include "phy/coding/mcs.h"

#include "phy/coding/transport_size.h"

typedef struct {
    uint8_t n_bits, i_tbs;
} mcs_row;

/* TS 36.213, table 7.1.7.1-1, table 7.1.7.1-1A with 256QAM, and table 8.6.1-1. */
static const mcs_row up_to_64qam[] = {
    {2, 0},  {2, 1},  {2, 2},  {2, 3},  {2, 4},  {2, 5},  {2, 6},  {2, 7},  {2, 8},  {2, 9},
    {4, 9},  {4, 10}, {4, 11}, {4, 12}, {4, 13}, {4, 14}, {4, 15}, {6, 15}, {6, 16}, {6, 17},
    {6, 18}, {6, 19}, {6, 20}, {6, 21}, {6, 22}, {6, 23}, {6, 24}, {6, 25}, {6, 26},
};
static const mcs_row up_to_256qam[] = {
    {2, 0},  {2, 2},  {2, 4},  {2, 6},  {2, 8},  {4, 10}, {4, 11}, {4, 12}, {4, 13}, {4, 14},
    {4, 15}, {6, 16}, {6, 17}, {6, 18}, {6, 19}, {6, 20}, {6, 21}, {6, 22}, {6, 23}, {6, 24},
    {8, 25}, {8, 27}, {8, 28}, {8, 29}, {8, 30}, {8, 31}, {8, 32}, {8, 33},
};
static const mcs_row of_pusch[] = {
    {2, 0},  {2, 1},  {2, 2},  {2, 3},  {2, 4},  {2, 5},  {2, 6},  {2, 7},  {2, 8},  {2, 9},
    {2, 10}, {4, 10}, {4, 11}, {4, 12}, {4, 13}, {4, 14}, {4, 15}, {4, 16}, {4, 17}, {4, 18},
    {4, 19}, {6, 19}, {6, 20}, {6, 21}, {6, 22}, {6, 23}, {6, 24}, {6, 25}, {6, 26},
};

static const struct {
    const mcs_row *rows;
    int n;
} tables[LTE_N_MCS_TABLES] = {
    [LTE_MCS_64QAM] = {up_to_64qam, sizeof up_to_64qam / sizeof *up_to_64qam},
    [LTE_MCS_256QAM] = {up_to_256qam, sizeof up_to_256qam / sizeof *up_to_256qam},
    [LTE_MCS_PUSCH] = {of_pusch, sizeof of_pusch / sizeof *of_pusch},
};

int lte_mcs_count(int table)
{
    return tables[table].n;
}

int lte_mcs_bits(int table, int mcs)
{
    return tables[table].rows[mcs].n_bits;
}

int lte_mcs_transport_bits(int table, int mcs, int n_blocks, int n_layers)
{
    return lte_transport_size(tables[table].rows[mcs].i_tbs, n_blocks, n_layers);
}
