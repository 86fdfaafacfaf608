/*
 * A detector of one's own in two verbs as those of phy/detection/detector.h: successive
 * cancellation, which takes each decided layer out of y before the next, beside MMSE on the same
 * slot. It needs no library:
 *
 *     cc -std=gnu11 -O2 -ffp-contract=off -I. \
 *        tests/examples/own_detector.c phy/detection/detector.c phy/detection/detectors.c \
 *        phy/base/status.c -lm -o own_detector
 */
#include <stdio.h>

#include "phy/channel/channel.h"
#include "phy/detection/count.h"
#include "phy/detection/demap.h"
#include "phy/detection/detection.h"
#include "phy/inversion/inversion.h"
#include "phy/channel/receive.h"

enum { N = 4, N_BITS = 4, N_SC = 1200, STATE = 2 * N * N };

/* The columns h_k of H, then each layer's MMSE filter w_k among the layers k .. N - 1 alone. */
static lte_mask own_prepare(const lte_cplx *h, lte_real n0, lte_cplx *state)
{
    lte_mask flag = m_none();
    for (int k = 0; k < N; k++) {
        const int n = N - k; /* layers that are left, columns a [N][n] of H */
        lte_cplx a[N * N], x[N * N];
        for (int e = 0; e < N * n; e++)
            a[e] = h[e / n * N + k + e % n];
        lte_gram(N, n, a, x);
        lte_gram_load(n, x, n0);
        flag = m_or(flag, lte_ldl(n, x));
        for (int rx = 0; rx < N; rx++) {
            state[k * N + rx] = a[rx * n];
            state[(N + k) * N + rx] =
                lte_filter_element(n, &a[rx * n], x, lte_solving_gain(n0, x[0].re));
        }
    }
    return flag;
}

/* x_k = w_k y, then y -= h_k times its decision; y [N] in and out, x [N] out. */
static void own_apply(const lte_cplx *state, lte_cplx *y, lte_cplx *x)
{
    for (const lte_cplx *h = state, *w = &state[N * N]; h < &state[N * N]; h += N, w += N, x++) {
        lte_word label;
        *x = c_zero();
        for (int rx = 0; rx < N; rx++)
            *x = c_mac(*x, w[rx], y[rx]);
        lte_demap_hard(1, N_BITS, x, &label);
        for (int rx = 0; rx < N; rx++)
            y[rx] = c_nmac(y[rx], h[rx], lte_qam_map(N_BITS, label));
    }
}

int main(void)
{
    const lte_draws draws = lte_draws_of(1, N, N, N_BITS);
    const float n0 = 0.04f, sigma = 0.2f; /* N / n0: 20 dB */
    unsigned errors[2 * N] = {0};         /* bits, of MMSE and of one's own, by layer */
    lte_detector_plan plan =
        lte_detector_plan_of(lte_detector_usual(LTE_DETECTOR_mmse), N, N, N_BITS, false);
    plan.n_rx = plan.n_tx = N; /* so that the compiler knows the order */
    for (uint32_t sc = 0; sc < N_SC; sc++) {
        lte_cplx h[N * N], work[N * N], mmse[LTE_LINEAR_STATE(N, N)], own[STATE], x[2][N], y[N],
            z[N];
        lte_word label[LTE_SLOT_SYMBOLS * N], decided[2 * N];
        lte_channel_rayleigh(&draws, 0, sc, h);
        lte_draw_labels(&draws, 0, sc, label);
        (void)lte_prepare(&plan, h, lte_white(n0), lte_ldl, mmse, work);
        (void)own_prepare(h, n0, own);
        for (const lte_word *sent = label; sent < &label[LTE_SLOT_SYMBOLS * N]; sent += N) {
            for (int k = 0; k < N; k++)
                x[0][k] = lte_qam_map(N_BITS, sent[k]);
            lte_draw_noise(&draws, 0, sc, (int)(sent - label) / N, z);
            (void)lte_receive(N, N, h, x[0], z, sigma, y);
            lte_estimate(&plan, mmse, y, x[0], NULL);
            own_apply(own, y, x[1]);
            lte_demap_hard(2 * N, N_BITS, x[0], decided);
            for (int e = 0; e < 2 * N; e++)
                errors[e] += lte_bits_set(decided[e] ^ sent[e % N]);
        }
    }
    for (int k = 0; k < N; k++)
        printf("layer %d: %.4f of mmse's %u errors\n", k, 1.0 * errors[N + k] / errors[k],
               errors[k]);
}
