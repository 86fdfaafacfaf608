/*
 * The plain link over the formulas of phy/, a float for every real number: what a careful reader
 * would write first. Compiled once per instruction set, which the build gives BENCH_SCALAR_LINK's
 * name.
 */
#include "tests/bench/peers/scalar_link.h"

#include <stdbool.h>
#include <string.h>

#include "phy/channel/channel.h"
#include "phy/detection/count.h"
#include "phy/detection/demap.h"
#include "phy/detection/detection.h"
#include "phy/inversion/inversion.h"
#include "phy/channel/receive.h"

enum { N = 4, N_BITS = 4 };

void BENCH_SCALAR_LINK(uint64_t seed, int n_sc, lte_noise noise, uint64_t slot, lte_power *power,
                       uint32_t *errors)
{
    const lte_draws draws = lte_draws_of(seed, N, N, N_BITS);
    *power = (lte_power){0, 0};
    memset(errors, 0, LTE_N_HARD_COUNTS(N) * sizeof *errors);
    for (uint32_t sc = 0; sc < (uint32_t)n_sc; sc++) {
        lte_word sent[LTE_SLOT_SYMBOLS * N], decided[N];
        lte_cplx h[N * N], g[N * N], state[LTE_LINEAR_STATE(N, N)], x[N], y[N], z[N];
        lte_draw_labels(&draws, slot, sc, sent);
        lte_channel_rayleigh(&draws, slot, sc, h);
        errors[lte_flagged_at(N)] += (uint32_t)lte_loaded_inverse(noise.n0, N, N, h, lte_ldl, g);
        lte_solve_finish(noise.n0, N, N, h, noise.n0, false, g, state);
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const lte_word *label = &sent[(ptrdiff_t)symbol * N];
            for (int k = 0; k < N; k++)
                x[k] = lte_qam_map(N_BITS, label[k]);
            lte_draw_noise(&draws, slot, sc, symbol, z);
            const lte_received received = lte_receive(N, N, h, x, z, noise.sigma, y);
            if (symbol == 0) {
                power->signal += lte_power_units(received.signal);
                power->noise += lte_power_units(received.noise);
            }
            lte_linear_estimate(N, N, state, y, x, NULL);
            lte_demap_hard(N, N_BITS, x, decided);
            bool wrong = false;
            for (int k = 0; k < N; k++) {
                wrong = wrong || label[k] != decided[k];
                errors[lte_bits_at(k)] += lte_bits_set(label[k] ^ decided[k]);
                errors[lte_symbols_at(N, k)] += label[k] != decided[k];
            }
            errors[lte_vectors_at(N)] += wrong;
        }
    }
}
