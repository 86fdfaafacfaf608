/*
 * Sends code blocks of the turbo code over AWGN with BPSK and decodes them with the fastest code
 * that this processor runs, or on the backend that is named: how many are wrong with half of their
 * parity, and how many with all of it.
 *
 *     cc -O2 decode_blocks.c $(pkg-config --cflags --libs ltesim) -lm -o decode_blocks
 *     ./decode_blocks cuda
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ltesim/ltesim.h>

enum { K = 1024, COUNT = 400, D = 3 * (K + 4), SENT = 2 * K };

static uint8_t bits[COUNT][K], decided[COUNT][K], iterations[COUNT];
static int8_t llr[COUNT][D];
static uint32_t order[SENT];

/* Normal, of variance 1 (Box and Muller). */
static double draw(void)
{
    const double u = (rand() + 0.5) / (RAND_MAX + 1.0), v = (rand() + 0.5) / (RAND_MAX + 1.0);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

/* Adds what comes of a block's elements with a redundancy version, LLRs times 8. */
static void receive(const uint8_t *d, int version, double variance, int8_t *sum)
{
    if (lte_rate_match(K, 0, version, SENT, order))
        exit(EXIT_FAILURE);
    for (int e = 0; e < SENT; e++) {
        const double y = (d[order[e]] ? -1.0 : 1.0) + sqrt(variance) * draw();
        const double all = sum[order[e]] + rint(16.0 * y / variance);
        sum[order[e]] = (int8_t)fmax(fmin(all, 127.0), -127.0);
    }
}

static int count_wrong(lte_decoding *decoding)
{
    int wrong = 0;
    if (lte_decoding_run(decoding, COUNT, &llr[0][0], &decided[0][0], iterations))
        exit(EXIT_FAILURE);
    for (int i = 0; i < COUNT; i++)
        wrong += memcmp(decided[i], bits[i], K) != 0;
    return wrong;
}

int main(int argc, char **argv)
{
    static uint8_t d[COUNT][D];
    const double variance = pow(10.0, -0.05); /* Es/N0 -2.5 dB: too noisy for rate 1/2 */
    const lte_decoding_plan plan = {.k = K, .backend = argc > 1 ? argv[1] : "cpu"};
    lte_decoding *decoding = NULL;
    if (lte_decoding_create(&plan, &decoding))
        return EXIT_FAILURE;
    for (int i = 0; i < COUNT; i++) {
        for (int b = 0; b < K; b++)
            bits[i][b] = rand() > RAND_MAX / 2;
        if (lte_turbo_encode_block(K, bits[i], d[i]))
            return EXIT_FAILURE;
        receive(d[i], 0, variance, llr[i]);
    }
    const int first = count_wrong(decoding);
    for (int i = 0; i < COUNT; i++)
        receive(d[i], 2, variance, llr[i]);
    const int second = count_wrong(decoding);
    lte_decoding_free(decoding);
    printf("%d code blocks of %d bits: wrong %d after one transmission, %d after two\n", COUNT, K,
           first, second);
    return EXIT_SUCCESS;
}
