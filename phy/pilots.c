/* Weights of channel estimates, in double, and their errors. */
#include "phy/pilots.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "phy/carrier.h"
#include "phy/profile.h"
#include "phy/uplink_reference.h"

enum {
    ECHOES = 6, /* of a layer: the fit errs by less than -47 dB in the middle of a window */
    PADDING = 16,
    PREFIX = 144, /* samples of the normal cyclic prefix, of a symbol of FFT */
    FFT = 2048,
};

/* What the receiver takes for granted of the channel over the subcarriers. */
typedef struct {
    int window;
    int echoes;
    double complex r[LTE_PILOT_WINDOW]; /* E h(k + d) conj(h(k)) */
} model;

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
static void correlate_any(model *m)
{
    for (int d = 0; d < m->window; d++) {
        for (int t = 0; t <= PREFIX; t++)
            m->r[d] += unit(-(double)t * d / FFT) / (PREFIX + 1);
    }
}

/* r(d) = sum_l p_l exp(-j 2 pi d 15 kHz tau_l). */
static void correlate_profile(int channel, model *m)
{
    const lte_power_delay *published = &lte_channel_rows[channel].taps;
    const lte_profile profile = lte_profile_of(channel);
    for (int d = 0; d < m->window; d++) {
        for (int l = 0; l < profile.n_taps; l++)
            m->r[d] += (double)profile.amplitude[l] * (double)profile.amplitude[l] *
                       unit(-LTE_SUBCARRIER_HZ * 1e-9 * published->delay_ns[l] * d);
    }
}

static model model_of(int channel)
{
    model m = {LTE_PILOT_WINDOW, ECHOES, {0.0}};
    switch (lte_channel_rows[channel].subcarriers) {
    case LTE_SUBCARRIERS_INDEPENDENT:
        m = (model){1, 1, {1.0}};
        break;
    case LTE_SUBCARRIERS_ALIKE:
        m = (model){LTE_RB_SC, 1, {0.0}};
        for (int d = 0; d < m.window; d++)
            m.r[d] = 1.0;
        break;
    case LTE_SUBCARRIERS_PROFILE:
        correlate_profile(channel, &m);
        break;
    case LTE_SUBCARRIERS_ANY:
        correlate_any(&m);
        break;
    }
    return m;
}

static double complex correlation(const model *m, int d)
{
    return d < 0 ? conj(m->r[-d]) : m->r[d];
}

/* Delay of echo p, in turns per subcarrier: evenly over a cyclic prefix. */
static double echo(const model *m, int p)
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

/* What the weights of one set are made in, L the window and n = n_tx echoes unknowns. */
typedef struct {
    double complex *w;        /* [n_tx][L][L] by subcarrier, then pilot of the window */
    double complex *a, *gram; /* [L][n], [n][n] */
    double complex *c, *x;    /* [L][L], [L][n] or [L][L] */
    double *error;            /* [n_tx][L]: E|e_k|^2 */
} workspace;

static lte_status workspace_init(const model *m, int n_tx, workspace *work)
{
    const size_t length = (size_t)m->window, layers = (size_t)n_tx;
    const size_t n = layers * (size_t)m->echoes, longer = n > length ? n : length;
    work->w = malloc(layers * length * length * sizeof *work->w);
    work->a = malloc(length * n * sizeof *work->a);
    work->gram = malloc(n * n * sizeof *work->gram);
    work->c = malloc(length * length * sizeof *work->c);
    work->x = malloc(length * longer * sizeof *work->x);
    work->error = malloc(layers * length * sizeof *work->error);
    if (!work->w || !work->a || !work->gram || !work->c || !work->x || !work->error)
        return LTE_FAIL(LTE_ENOMEM, "no memory to make the weights of estimates");
    return LTE_OK;
}

static void workspace_fini(workspace *work)
{
    free(work->w);
    free(work->a);
    free(work->gram);
    free(work->c);
    free(work->x);
    free(work->error);
}

/* Layer k's weight of pilot j at subcarrier i of a window. */
static double complex *weight_at(const model *m, const workspace *work, int k, int i, int j)
{
    return &work->w[((ptrdiff_t)k * m->window + i) * m->window + j];
}

/*
 * Column (k, p) of A: echo p of layer k over the window, turned by the layer's shift. The weights
 * are the rows of B (A'A)^-1 A', B the echoes at each subcarrier, their shift taken out again.
 */
static void least_squares(const model *m, int n_tx, const int *shift, const workspace *work)
{
    const int length = m->window, n = n_tx * m->echoes;
    double complex *const a = work->a, *const gram = work->gram, *const x = work->x;
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
                *weight_at(m, work, k, i, j) = w * unit(shift[k] * j / 12.0);
            }
        }
    }
    for (int k = 0; k < n_tx; k++) {
        for (int i = 0; i < length; i++) {
            double *error = &work->error[k * length + i];
            *error = 0.0;
            for (int j = 0; j < length; j++) {
                const double complex w = *weight_at(m, work, k, i, j);
                *error += creal(w * conj(w));
            }
        }
    }
}

/*
 * C_jl = E z(j) conj(z(l)) = R(j - l) sum_m exp(j 2 pi (shift_m - shift_k) (j - l) / 12) + n0 at
 * j = l, c_j = E H(i) conj(z(j)) = R(i - j), w = c C^-1; error [n_tx][L]: 1 - Re sum_j w_j c_j^*.
 */
static void wiener(const model *m, int n_tx, const int *shift, double n0, const workspace *work)
{
    const int length = m->window;
    double complex *const c = work->c, *const x = work->x;
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
            double *error = &work->error[k * length + i];
            *error = 1.0;
            for (int j = 0; j < length; j++) {
                const double complex w = conj(x[j * length + i]);
                *weight_at(m, work, k, i, j) = w;
                *error -= creal(w * conj(correlation(m, i - j)));
            }
        }
    }
}

/* Sum over j of |[j = i] - sum_k exp(j 2 pi shift_k (i - j) / 12) w_kij|^2: of n0, in a residual.
 */
static double residual_of(const model *m, int n_tx, const int *shift, const workspace *work, int i)
{
    double sum = 0.0;
    for (int j = 0; j < m->window; j++) {
        double complex e = j == i;
        for (int k = 0; k < n_tx; k++)
            e -= unit(shift[k] * (i - j) / 12.0) * *weight_at(m, work, k, i, j);
        sum += creal(e) * creal(e) + cimag(e) * cimag(e);
    }
    return sum;
}

/* One set of weights in single precision, and the sum of squared errors over n0 per subcarrier. */
static void store_set(const model *m, int n_sc, int n_tx, double n0, const workspace *work,
                      lte_cf32 *weight, float *estimation_error)
{
    const int length = m->window;
    for (int k = 0; k < n_tx; k++) {
        for (int i = 0; i < length; i++) {
            for (int j = 0; j < length; j++) {
                lte_cf32 *to = &weight[(k * length + i) * length + j];
                const double complex w = *weight_at(m, work, k, i, j);
                to->re = (float)creal(w);
                to->im = (float)cimag(w);
            }
        }
    }
    for (int sc = 0; sc < (n_sc + PADDING - 1) / PADDING * PADDING; sc++) {
        const int last = n_sc - 1, here = sc < last ? sc : last;
        double sum = 0.0;
        for (int k = 0; k < n_tx; k++)
            sum += work->error[k * length + here - lte_pilot_start(n_sc, length, here)];
        estimation_error[sc] = (float)(sum / n0);
    }
}

static lte_status check(int channel, int n_sc, int n_tx)
{
    const lte_channel_row *row = &lte_channel_rows[channel];
    if (n_tx < 1 || n_tx > LTE_PILOT_LAYERS)
        return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d layers have a reference signal)", n_tx,
                        LTE_PILOT_LAYERS);
    if (n_sc < LTE_PILOT_WINDOW || n_sc > LTE_MAX_SC || n_sc % LTE_RB_SC != 0)
        return LTE_FAIL(LTE_EINVAL, "n_sc=%d (a multiple of %d from %d to %d)", n_sc, LTE_RB_SC,
                        LTE_PILOT_WINDOW, LTE_MAX_SC);
    if (row->subcarriers == LTE_SUBCARRIERS_INDEPENDENT && n_tx > 1)
        return LTE_FAIL(LTE_EINVAL,
                        "n_tx=%d: layers are told apart over several subcarriers, and those of "
                        "%s are independent",
                        n_tx, row->name);
    return LTE_OK;
}

/* The weights of all sets, and what a residual holds of the noise. */
static void fill(const model *m, int n_sc, int n_rx, int n_tx, const int *shift, int n_sets,
                 const workspace *work, lte_cf32 *weight, float *estimation_error,
                 double *noise_scale)
{
    static const size_t padding = PADDING;
    const int length = m->window;
    const size_t n_weights = (size_t)n_tx * (size_t)length * (size_t)length;
    const size_t n_estimation_error = ((size_t)n_sc + padding - 1) / padding * padding;
    double noise = 0.0;
    least_squares(m, n_tx, shift, work);
    store_set(m, n_sc, n_tx, 1.0, work, weight, estimation_error);
    for (int sc = 0; sc < n_sc; sc++)
        noise += residual_of(m, n_tx, shift, work, sc - lte_pilot_start(n_sc, length, sc));
    *noise_scale = length > 1 ? 0x1p-30 / (n_rx * noise) : 0.0;
    for (int set = 1; set < n_sets; set++) {
        const double n0 = ldexp(1.0, set - 21);
        wiener(m, n_tx, shift, n0, work);
        store_set(m, n_sc, n_tx, n0, work, &weight[(size_t)set * n_weights],
                  &estimation_error[(size_t)set * n_estimation_error]);
    }
}

lte_status lte_pilots_create(int channel, int n_sc, int n_rx, int n_tx, lte_estimator estimator,
                             lte_pilots *pilots)
{
    static const lte_pusch_reference cell; /* identity 0, no hopping */
    static const size_t padding = PADDING;
    *pilots = (lte_pilots){0};
    lte_status status = check(channel, n_sc, n_tx);
    if (status)
        return status;
    const model m = model_of(channel);
    const int n_sets = estimator == LTE_ESTIMATOR_WIENER ? 1 + LTE_PILOT_LEVELS : 1;
    const size_t length = (size_t)m.window;
    const size_t n_weights = (size_t)n_sets * (size_t)n_tx * length * length;
    const size_t n_estimation_error =
        (size_t)n_sets * (((size_t)n_sc + padding - 1) / padding * padding);
    lte_cf32 *reference = malloc((size_t)(n_tx * n_sc) * sizeof *reference);
    lte_cf32 *weight = malloc(n_weights * sizeof *weight);
    float *estimation_error = malloc(n_estimation_error * sizeof *estimation_error);
    double noise_scale = 0.0;
    int shift[LTE_PILOT_LAYERS];
    workspace work = {0};
    if (!reference || !weight || !estimation_error)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the tables of the reference signals");
    for (int k = 0; k < n_tx && !status; k++) {
        status = lte_pusch_shift(&cell, 0, k, &shift[k]);
        if (!status)
            status = lte_pusch_sequence(&cell, n_sc / LTE_RB_SC, 0, k, &reference[k * n_sc]);
    }
    if (!status)
        status = workspace_init(&m, n_tx, &work);
    if (!status)
        fill(&m, n_sc, n_rx, n_tx, shift, n_sets, &work, weight, estimation_error, &noise_scale);
    workspace_fini(&work);
    *pilots = (lte_pilots){m.window, n_sets, reference, weight, estimation_error, noise_scale};
    if (status)
        lte_pilots_free(pilots);
    return status;
}

void lte_pilots_free(lte_pilots *pilots)
{
    free((void *)pilots->reference);
    free((void *)pilots->weight);
    free((void *)pilots->estimation_error);
    *pilots = (lte_pilots){0};
}
