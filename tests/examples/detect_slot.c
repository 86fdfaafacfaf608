/*
 * One slot through the stages: draws its payload and channel, receives it at 20 dB, detects it with
 * MMSE, and prints the bit errors beside those that the detector's own SINR promises.
 *
 *     cmake -S . -B build && cmake --build build --target lte_kernels
 *     cc -std=gnu11 -O2 -I. tests/examples/detect_slot.c build/kernels/liblte_kernels.a
 *         build/phy/liblte_phy.a -fopenmp -lgsl -lgslcblas -lm -o detect_slot
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/stages.h"
#include "phy/ber_theory.h"

enum { N_SC = 1200, N_TX = 4, N_RX = 4, N_BITS = 4, SLOT = 0 };
enum { N_LANES = N_SC / LTE_LANES * LTE_LANES, N_LABELS = N_LANES * LTE_SLOT_SYMBOLS * N_TX };

static uint32_t sent[N_LABELS], decided[N_LABELS]; /* [n_groups][7][n_tx][LTE_LANES] */
static float rho[N_LABELS];                        /* the same */
static float h[N_LANES * N_RX * N_TX * 2], y[N_LANES * LTE_SLOT_SYMBOLS * N_RX * 2];
static float x[N_LANES * N_TX * N_TX * 2];
static uint8_t flag[N_LANES];

int main(void)
{
    lte_link link;
    if (lte_link_init(&link, N_SC, N_RX, N_TX, N_BITS, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, 1))
        return EXIT_FAILURE;
    const lte_stages *const stages = lte_stages_best();
    const lte_noise noise = lte_noise_of(N_TX, 100.0); /* 20 dB */
    const int detector = LTE_DETECTOR_mmse, n = link.n_groups;
    void *const work = lte_stage_work_alloc(&link);
    lte_power power = {0, 0};
    uint32_t errors[LTE_N_COUNTS(N_TX)] = {0};
    stages->source(&link, SLOT, 0, n, sent, work);
    stages->channel(&link, SLOT, 0, n, h, work);
    stages->receive(&link, SLOT, noise, 0, n, h, sent, y, &power, work);
    lte_stages_detect(stages, &link, detector, noise, 0, n, h, y, x, flag, decided, work);
    stages->count(&link, 0, n, sent, decided, flag, errors);
    stages->sinr(&link, detector, noise, 0, n, h, y, rho, work);
    free(work);

    const unsigned n_errors = (unsigned)lte_bit_errors(N_TX, errors);
    double expected = 0.0, sinr = 0.0;
    const int n_symbols = N_SC * LTE_SLOT_SYMBOLS * N_TX;
    for (size_t i = 0; i < N_LABELS; i++) { /* a carrier that fills its groups: no spare lanes */
        expected += N_BITS * lte_ber_awgn(N_BITS, (double)rho[i]);
        sinr += (double)rho[i] / n_symbols;
    }
    printf("%s, mmse at %.2f dB: bit errors %u of %d, by the SINR %.0f, ratio %.4f; "
           "mean SINR %.2f dB, flagged %u\n",
           stages->name, 10.0 * log10((double)power.signal / (double)power.noise), n_errors,
           n_symbols * N_BITS, expected, n_errors / expected, 10.0 * log10(sinr),
           errors[lte_flagged_at(N_TX)]);
    return EXIT_SUCCESS;
}
