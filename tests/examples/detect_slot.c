/*
 * A slot of one's own: draws 16QAM symbols, a Rayleigh channel and noise at 20 dB, lets MMSE detect
 * it, and counts the bits that are wrong.
 *
 *     cc -O2 detect_slot.c $(pkg-config --cflags --libs ltesim) -lm -o detect_slot
 *     ./detect_slot cuda
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ltesim/ltesim.h>

enum { N_SC = 1200, N_SYMBOLS = 7, N_RX = 4, N_TX = 4, N_BITS = 4, ROW = N_SC * N_TX * N_BITS / 8 };

static float complex h[N_SC][N_RX][N_TX], y[N_SYMBOLS][N_SC][N_RX];
static uint8_t sent[N_SYMBOLS * ROW], decided[N_SYMBOLS * ROW]; /* lowest bit first */

/* CN(0, 1), by Box and Muller. */
static float complex draw(void)
{
    const float u = (1.0f + (float)rand()) / (1.0f + (float)RAND_MAX);
    const float v = (float)rand() / (float)RAND_MAX;
    return sqrtf(-logf(u)) * cexpf(6.2831853f * v * I);
}

/* 16QAM of TS 36.211, 7.1: bits 0 and 2 make the real part, 1 and 3 the imaginary one. */
static float complex map(unsigned label)
{
    const int b[] = {label & 1, label >> 1 & 1, label >> 2 & 1, label >> 3 & 1};
    const int re = (1 - 2 * b[0]) * (1 + 2 * b[2]), im = (1 - 2 * b[1]) * (1 + 2 * b[3]);
    return ((float)re + (float)im * I) / sqrtf(10.0f);
}

int main(int argc, char **argv)
{
    const float n0 = N_TX / 100.0f; /* total transmit power over noise at an antenna: 20 dB */
    const lte_detection_plan plan = {.n_sc = N_SC,
                                     .n_rx = N_RX,
                                     .n_tx = N_TX,
                                     .n_bits = N_BITS,
                                     .backend = argc > 1 ? argv[1] : "cpu"};
    lte_detection *detection = NULL;
    unsigned n_errors = 0;
    for (int e = 0; e < N_SC * N_RX * N_TX; e++)
        h[e / (N_RX * N_TX)][e / N_TX % N_RX][e % N_TX] = draw();
    for (int e = 0; e < N_SYMBOLS * N_SC * N_RX; e++)
        y[e / (N_SC * N_RX)][e / N_RX % N_SC][e % N_RX] = sqrtf(n0) * draw();
    for (int e = 0; e < N_SYMBOLS * N_SC * N_TX; e++) { /* y += h_k x_k */
        const int symbol = e / (N_SC * N_TX), sc = e / N_TX % N_SC, k = e % N_TX;
        const unsigned label = (unsigned)rand() >> 8 & 15;
        sent[e / 2] |= (uint8_t)(label << 4 * (e % 2));
        for (int rx = 0; rx < N_RX; rx++)
            y[symbol][sc][rx] += h[sc][rx][k] * map(label);
    }
    if (lte_detection_create(&plan, &detection) ||
        lte_detection_run(detection, 1, n0, (float *)h, (float *)y, decided))
        return EXIT_FAILURE;
    lte_detection_free(detection);
    for (size_t i = 0; i < sizeof sent; i++) {
        for (unsigned wrong = sent[i] ^ decided[i]; wrong; wrong &= wrong - 1)
            n_errors++;
    }
    printf("mmse at 20 dB: bit errors %u of %d\n", n_errors, 8 * (int)sizeof sent);
    return EXIT_SUCCESS;
}
