/* Eigenvectors of channels of known delays over a carrier, by Jacobi's method. */
#include "phy/estimation/delay_basis.h"

#include <math.h>
#include <stdlib.h>

#include "phy/base/carrier.h"
#include "phy/base/double_complex.h"
#include "phy/base/limits.h"
#include "phy/channel/profile.h"

enum {
    PREFIX = 160, /* samples of the longest normal cyclic prefix, symbol 0's, of a symbol of FFT */
    EARLY = 6,    /* of them before the first echo */
    FFT = 2048,
};

double complex lte_unit(double turns)
{
    static const double quarter[] = {1.0, 0.0, -1.0, 0.0};
    const double nearest = floor(4.0 * turns + 0.5),
                 x = 6.283185307179586 * (turns - 0.25 * nearest);
    const int q = (int)(nearest - 4.0 * floor(0.25 * nearest));
    const double c = quarter[q], s = quarter[(q + 3) % 4];
    double sine = 0.0, cosine = 0.0;
    for (int i = 22; i > 0; i -= 2) {
        cosine = 1.0 - cosine * x * x / (i * (i - 1));
        sine = 1.0 - sine * x * x / (i * (i + 1));
    }
    sine *= x;
    double complex z;
    double *const part = (double *)&z; /* real and imaginary part, by the standard */
    part[0] = c * cosine - s * sine;
    part[1] = s * cosine + c * sine;
    return z;
}

/*
 * Turns columns p and q of x [n][n_x] against each other: x_p <- c x_p - s conj(turn) x_q and
 * x_q <- s turn x_p + c x_q.
 */
static void turn_columns(int n, int n_x, double complex *x, int p, int q, double c,
                         double complex s)
{
    for (int i = 0; i < n; i++) {
        const double complex a = x[i * n_x + p], b = x[i * n_x + q];
        x[i * n_x + p] = c * a - z_inner(s, b);
        x[i * n_x + q] = z_mac(c * b, s, a);
    }
}

/*
 * One rotation: the element (p, q) of the Hermitian a [n][n] becomes zero, and v turns along.
 */
static void rotate(int n, double complex *a, double complex *v, int p, int q)
{
    const double complex off = a[p * n + q];
    const double size = sqrt(z_square(off));
    const double theta = (creal(a[q * n + q]) - creal(a[p * n + p])) / (2.0 * size);
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double complex s = CMPLX(t * c * creal(off) / size, t * c * cimag(off) / size);
    turn_columns(n, n, a, p, q, c, s);
    for (int j = 0; j < n; j++) { /* the same from the left, conjugated */
        const double complex up = a[p * n + j], down = a[q * n + j];
        a[p * n + j] = z_mac(c * up, -s, down);
        a[q * n + j] = c * down + z_inner(s, up);
    }
    turn_columns(n, n, v, p, q, c, s);
}

/*
 * a [n][n] Hermitian becomes diagonal, v [n][n] its eigenvectors by column. Source: Golub, Van
 * Loan, Matrix Computations, 2013, 8.5.
 */
static void diagonalise(int n, double complex *a, double complex *v)
{
    enum { SWEEPS = 40 };
    for (int i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0;
    for (int sweep = 0, left = 1; sweep < SWEEPS && left; sweep++) {
        left = 0;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                const double both = creal(a[p * n + p]) * creal(a[q * n + q]);
                const double off = z_square(a[p * n + q]);
                if (off > 0x1p-96 * fabs(both) && off > 0x1p-110) {
                    rotate(n, a, v, p, q);
                    left = 1;
                }
            }
        }
    }
}

/* Places of the diagonal of a [n][n] in falling order; returns how many are not below least. */
static int order_of(int n, const double complex *a, double least, int *place)
{
    int kept = 0;
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && creal(a[place[at - 1] * (n + 1)]) < creal(a[i * (n + 1)]); at--)
            place[at] = place[at - 1];
        place[at] = i;
        kept += creal(a[i * (n + 1)]) >= least;
    }
    return kept;
}

/* Taps whose powers and delays, in turns a subcarrier, are given: [n_taps] each. */
static lte_status basis_of(int n_taps, const double *power, const double *delay, int n_sc,
                           double least, lte_delay_basis *basis)
{
    const size_t taps = (size_t)n_taps, sc_all = (size_t)n_sc;
    lte_pool pool = {0};
    double complex *phi = lte_pool_take(&pool, taps * sc_all * sizeof *phi); /* P^1/2 Phi' */
    double complex *a = lte_pool_take(&pool, taps * taps * sizeof *a);
    double complex *v = lte_pool_take(&pool, taps * taps * sizeof *v);
    int *place = lte_pool_take(&pool, taps * sizeof *place);
    *basis = (lte_delay_basis){.n_sc = n_sc};
    basis->vector = lte_pool_zeros(&basis->pool, taps * sc_all * sizeof *basis->vector);
    basis->power = lte_pool_take(&basis->pool, taps * sizeof *basis->power);
    pool.missing = pool.missing || basis->pool.missing;
    const lte_status status = lte_pool_check(&pool, "the delays of an estimate");
    if (status)
        goto cleanup;
    for (int l = 0; l < n_taps; l++) {
        for (int sc = 0; sc < n_sc; sc++)
            phi[l * n_sc + sc] = sqrt(power[l]) * lte_unit(-delay[l] * sc);
    }
    for (int l = 0; l < n_taps; l++) {
        for (int m = 0; m < n_taps; m++) {
            double complex sum = 0.0;
            for (int sc = 0; sc < n_sc; sc++)
                sum += z_inner(phi[l * n_sc + sc], phi[m * n_sc + sc]);
            a[l * n_taps + m] = sum / n_sc;
        }
    }
    diagonalise(n_taps, a, v);
    basis->n = order_of(n_taps, a, least, place);
    for (int i = 0; i < basis->n; i++) {
        basis->power[i] = creal(a[place[i] * (n_taps + 1)]);
        for (int l = 0; l < n_taps; l++) {
            const double complex w = v[l * n_taps + place[i]] / sqrt(basis->power[i]);
            for (int sc = 0; sc < n_sc; sc++)
                basis->vector[i * n_sc + sc] =
                    z_mac(basis->vector[i * n_sc + sc], w, phi[l * n_sc + sc]);
        }
    }
cleanup:
    lte_pool_free(&pool);
    if (status)
        lte_delay_basis_free(basis);
    return status;
}

lte_status lte_delay_basis_of_profile(int channel, int n_sc, double least, lte_delay_basis *basis)
{
    const lte_power_delay *published = &lte_channel_rows[channel].taps;
    const lte_profile profile = lte_profile_of(channel);
    double power[LTE_MAX_TAPS], delay[LTE_MAX_TAPS];
    if (lte_channel_rows[channel].subcarriers == LTE_SUBCARRIERS_ALIKE)
        return basis_of(1, (const double[]){1.0}, (const double[]){0.0}, n_sc, least, basis);
    for (int l = 0; l < profile.n_taps; l++) {
        power[l] = (double)profile.amplitude[l] * (double)profile.amplitude[l];
        delay[l] = LTE_SUBCARRIER_HZ * 1e-9 * published->delay_ns[l];
    }
    return basis_of(profile.n_taps, power, delay, n_sc, least, basis);
}

/* More echoes than the carrier tells apart within the prefix, so that all between them are met. */
lte_status lte_delay_basis_of_prefix(int n_sc, double least, lte_delay_basis *basis)
{
    enum { MARGIN = 10, MOST = 2 * LTE_MAX_SC * PREFIX / FFT + MARGIN };
    const int n = n_sc * PREFIX * 5 / (FFT * 4) + MARGIN;
    double power[MOST], delay[MOST];
    for (int l = 0; l < n; l++) {
        power[l] = 1.0 / n;
        delay[l] = ((double)PREFIX * l / (n - 1) - EARLY) / FFT;
    }
    return basis_of(n, power, delay, n_sc, least, basis);
}

void lte_delay_basis_free(lte_delay_basis *basis)
{
    lte_pool_free(&basis->pool);
    *basis = (lte_delay_basis){0};
}
