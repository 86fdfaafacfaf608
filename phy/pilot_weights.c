/* Least squares and Wiener filters of channel estimates, in double. */
#include "phy/pilot_weights.h"

#include <math.h>
#include <stdlib.h>

#include "phy/carrier.h"
#include "phy/profile.h"

enum {
    ECHOES = 6,   /* of a layer: the fit errs by less than -47 dB in the middle of a window */
    PREFIX = 144, /* samples of the normal cyclic prefix, of a symbol of FFT */
    FFT = 2048,
};

/*
 * exp(j 2 pi t) by Taylor's series around the nearest eighth of a turn, in operations that round
 * alike on every machine, as those of a mathematical library do not.
 */
static double complex unit(double t)
{
    static const double quarter[] = {1.0, 0.0, -1.0, 0.0};
    const double nearest = floor(4.0 * t + 0.5), x = 6.283185307179586 * (t - 0.25 * nearest);
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

/* Echoes evenly over the cyclic prefix, for a channel of which no more is known. */
static void correlate_any(lte_pilot_weights *m)
{
    for (int d = 0; d < m->window; d++) {
        for (int t = 0; t <= PREFIX; t++)
            m->r[d] += unit(-(double)t * d / FFT) / (PREFIX + 1);
    }
}

/* r(d) = sum_l p_l exp(-j 2 pi d 15 kHz tau_l). */
static void correlate_profile(int channel, lte_pilot_weights *m)
{
    const lte_power_delay *published = &lte_channel_rows[channel].taps;
    const lte_profile profile = lte_profile_of(channel);
    for (int d = 0; d < m->window; d++) {
        for (int l = 0; l < profile.n_taps; l++)
            m->r[d] += (double)profile.amplitude[l] * (double)profile.amplitude[l] *
                       unit(-LTE_SUBCARRIER_HZ * 1e-9 * published->delay_ns[l] * d);
    }
}

/* What the receiver takes for granted of the channel over the subcarriers. */
static void model(lte_pilot_weights *m, int channel)
{
    m->window = LTE_PILOT_WINDOW;
    m->echoes = ECHOES;
    switch (lte_channel_rows[channel].subcarriers) {
    case LTE_SUBCARRIERS_INDEPENDENT:
        m->window = m->echoes = 1;
        m->r[0] = 1.0;
        break;
    case LTE_SUBCARRIERS_ALIKE:
        m->window = LTE_RB_SC;
        m->echoes = 1;
        for (int d = 0; d < m->window; d++)
            m->r[d] = 1.0;
        break;
    case LTE_SUBCARRIERS_PROFILE:
        correlate_profile(channel, m);
        break;
    case LTE_SUBCARRIERS_ANY:
        correlate_any(m);
        break;
    }
}

static double complex correlation(const lte_pilot_weights *m, int d)
{
    return d < 0 ? conj(m->r[-d]) : m->r[d];
}

/* Delay of echo p, in turns per subcarrier: evenly over a cyclic prefix. */
static double echo(const lte_pilot_weights *m, int p)
{
    return m->echoes > 1 ? (double)PREFIX / FFT * p / (m->echoes - 1) : 0.0;
}

/*
 * Solves a x = b in place by L D L', a Hermitian [n][n] and positive definite, b [n][n_columns].
 */
static void solve(int n, double complex *a, int n_columns, double complex *b)
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            const double complex l = a[i * n + k] / creal(a[k * n + k]);
            for (int j = k + 1; j <= i; j++)
                a[i * n + j] -= l * conj(a[j * n + k]);
        }
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= creal(a[k * n + k]);
    }
    for (int c = 0; c < n_columns; c++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++)
                b[i * n_columns + c] -= a[i * n + k] * b[k * n_columns + c];
        }
        for (int i = n - 1; i >= 0; i--) {
            b[i * n_columns + c] /= creal(a[i * n + i]);
            for (int k = i + 1; k < n; k++)
                b[i * n_columns + c] -= conj(a[k * n + i]) * b[k * n_columns + c];
        }
    }
}

lte_status lte_pilot_weights_init(lte_pilot_weights *weights, int channel, int n_tx,
                                  const int *shift)
{
    lte_pilot_weights *m = weights;
    *m = (lte_pilot_weights){.n_tx = n_tx};
    for (int k = 0; k < n_tx; k++)
        m->shift[k] = shift[k];
    model(m, channel);
    const size_t length = (size_t)m->window, layers = (size_t)n_tx;
    const size_t n = layers * (size_t)m->echoes, longer = n > length ? n : length;
    m->w = malloc(layers * length * length * sizeof *m->w);
    m->error = malloc(layers * length * sizeof *m->error);
    m->a = malloc(length * n * sizeof *m->a);
    m->gram = malloc(n * n * sizeof *m->gram);
    m->c = malloc(length * length * sizeof *m->c);
    m->x = malloc(length * longer * sizeof *m->x);
    if (!m->w || !m->error || !m->a || !m->gram || !m->c || !m->x)
        return LTE_FAIL(LTE_ENOMEM, "no memory to make the weights of estimates");
    return LTE_OK;
}

void lte_pilot_weights_fini(lte_pilot_weights *weights)
{
    free(weights->w);
    free(weights->error);
    free(weights->a);
    free(weights->gram);
    free(weights->c);
    free(weights->x);
}

/*
 * Column (k, p) of A: echo p of layer k over the window, turned by the layer's shift. The weights
 * are the rows of B (A'A)^-1 A', B the echoes at each subcarrier, their shift taken out again.
 */
void lte_pilot_weights_least_squares(lte_pilot_weights *weights)
{
    const lte_pilot_weights *m = weights;
    const int *const shift = m->shift, n_tx = m->n_tx, length = m->window, n = n_tx * m->echoes;
    double complex *const a = m->a, *const gram = m->gram, *const x = m->x;
    for (int j = 0; j < length; j++) {
        for (int u = 0; u < n; u++) {
            const int k = u / m->echoes, p = u % m->echoes;
            a[j * n + u] = unit(shift[k] * j / 12.0 - echo(m, p) * j);
        }
    }
    for (int u = 0; u < n; u++) {
        for (int v = 0; v < n; v++) {
            gram[u * n + v] = 0.0;
            for (int j = 0; j < length; j++)
                gram[u * n + v] += conj(a[j * n + u]) * a[j * n + v];
        }
        for (int j = 0; j < length; j++)
            x[u * length + j] = conj(a[j * n + u]);
    }
    solve(n, gram, length, x);
    for (int k = 0; k < n_tx; k++) {
        for (int i = 0; i < length; i++) {
            for (int j = 0; j < length; j++) {
                double complex w = 0.0;
                for (int p = 0; p < m->echoes; p++)
                    w += unit(-echo(m, p) * i) * x[(k * m->echoes + p) * length + j];
                *lte_pilot_weight(m, k, i, j) = w * unit(shift[k] * j / 12.0);
            }
        }
    }
    for (int k = 0; k < n_tx; k++) {
        for (int i = 0; i < length; i++) {
            double *error = &m->error[k * length + i];
            *error = 0.0;
            for (int j = 0; j < length; j++) {
                const double complex w = *lte_pilot_weight(m, k, i, j);
                *error += creal(w * conj(w));
            }
        }
    }
}

/*
 * C_jl = E z(j) conj(z(l)) = R(j - l) sum_m exp(j 2 pi (shift_m - shift_k) (j - l) / 12) + n0 at
 * j = l, c_j = E H(i) conj(z(j)) = R(i - j), w = c C^-1; error [n_tx][L]: 1 - Re sum_j w_j c_j^*.
 */
void lte_pilot_weights_wiener(lte_pilot_weights *weights, double n0)
{
    const lte_pilot_weights *m = weights;
    const int *const shift = m->shift, n_tx = m->n_tx, length = m->window;
    double complex *const c = m->c, *const x = m->x;
    for (int k = 0; k < n_tx; k++) {
        for (int j = 0; j < length; j++) {
            for (int l = 0; l < length; l++) {
                double complex layers = 0.0;
                for (int other = 0; other < n_tx; other++)
                    layers += unit((shift[other] - shift[k]) * (j - l) / 12.0);
                c[j * length + l] = layers * correlation(m, j - l) + (j == l ? n0 : 0.0);
                x[j * length + l] = correlation(m, j - l); /* conj(c_j) at i = l */
            }
        }
        solve(length, c, length, x);
        for (int i = 0; i < length; i++) {
            double *error = &m->error[k * length + i];
            *error = 1.0;
            for (int j = 0; j < length; j++) {
                const double complex w = conj(x[j * length + i]);
                *lte_pilot_weight(m, k, i, j) = w;
                *error -= creal(w * conj(correlation(m, i - j)));
            }
        }
    }
}

double lte_pilot_weights_residual(const lte_pilot_weights *weights, int i)
{
    const lte_pilot_weights *m = weights;
    const int *const shift = m->shift, n_tx = m->n_tx;
    double sum = 0.0;
    for (int j = 0; j < m->window; j++) {
        double complex e = j == i;
        for (int k = 0; k < n_tx; k++)
            e -= unit(shift[k] * (i - j) / 12.0) * *lte_pilot_weight(m, k, i, j);
        sum += creal(e) * creal(e) + cimag(e) * cimag(e);
    }
    return sum;
}
