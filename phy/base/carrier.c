/* The LTE carriers. */
#include "phy/base/carrier.h"

#include <math.h>
#include <stddef.h>

const lte_carrier lte_carriers[LTE_N_CARRIERS] = {
    {1.4, 6, 72, 128},     {3.0, 15, 180, 256},   {5.0, 25, 300, 512},
    {10.0, 50, 600, 1024}, {15.0, 75, 900, 1536}, {20.0, 100, 1200, 2048},
};

const lte_carrier *lte_carrier_find(double bandwidth_mhz)
{
    for (int i = 0; i < LTE_N_CARRIERS; i++) {
        if (fabs(lte_carriers[i].bandwidth_mhz - bandwidth_mhz) < 1e-9)
            return &lte_carriers[i];
    }
    return NULL;
}

double lte_symbol_start_s(uint64_t slot, int symbol)
{
    return (double)lte_symbol_start(slot, symbol) / LTE_SAMPLE_HZ;
}
