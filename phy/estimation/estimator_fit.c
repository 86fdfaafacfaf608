/* Joint fits of the layers of a carrier, in double. */
#include "phy/estimation/estimator_fit.h"

#include "phy/base/limits.h"
#include "phy/base/double_complex.h"

/*
 * G between layers whose shifts are so many twelfths apart, into place (k, m) and, turned, (m, k).
 */
static void fill_layers(lte_estimator_fit *fit, int k, int m, int twelfths)
{
    const lte_delay_basis *b = fit->basis;
    const int n = fit->n, n_sc = b->n_sc;
    double complex turn[LTE_RB_SC];
    for (int i = 0; i < LTE_RB_SC; i++)
        turn[i] = lte_unit(twelfths * i / 12.0);
    for (int j = 0; j < b->n; j++) {
        double complex *const turned = fit->work;
        for (int sc = 0; sc < n_sc; sc++)
            turned[sc] = z_mac(0.0, b->vector[j * n_sc + sc], turn[sc % LTE_RB_SC]);
        for (int i = 0; i < b->n; i++) {
            double complex sum = 0.0;
            for (int sc = 0; sc < n_sc; sc++)
                sum += z_inner(b->vector[i * n_sc + sc], turned[sc]);
            fit->gram[(k * b->n + i) * n + m * b->n + j] = sum;
            fit->gram[(m * b->n + j) * n + k * b->n + i] = conj(sum);
        }
    }
}

lte_status lte_estimator_fit_init(const lte_delay_basis *basis, int n_tx, const int *shift,
                                  lte_estimator_fit *fit)
{
    const size_t n = (size_t)n_tx * (size_t)basis->n, n_sc = (size_t)basis->n_sc;
    *fit = (lte_estimator_fit){.basis = basis, .n_tx = n_tx, .n = (int)n};
    fit->gram = lte_pool_take(&fit->pool, n * n * sizeof *fit->gram);
    fit->inverse = lte_pool_take(&fit->pool, n * n * sizeof *fit->inverse);
    fit->layers =
        lte_pool_take(&fit->pool, (size_t)basis->n * (size_t)basis->n * sizeof *fit->layers);
    fit->work = lte_pool_take(&fit->pool, n_sc * sizeof *fit->work);
    const lte_status status = lte_pool_check(&fit->pool, "the weights of estimates");
    if (status) {
        lte_estimator_fit_fini(fit);
        return status;
    }
    for (int k = 0; k < n_tx; k++) {
        for (int m = k; m < n_tx; m++)
            fill_layers(fit, k, m, shift[m] - shift[k]);
    }
    return LTE_OK;
}

void lte_estimator_fit_fini(lte_estimator_fit *fit)
{
    lte_pool_free(&fit->pool);
    *fit = (lte_estimator_fit){0};
}

/*
 * a [n][n], Hermitian and positive definite, of which the lower triangle alone is read, becomes its
 * inverse: pivots are swept without a choice, each time a Hermitian matrix. row [n] is lost.
 * Source: Goodnight, A Tutorial on the SWEEP Operator, Am. Stat. 33(3), 1979.
 */
static void invert(int n, double complex *a, double complex *row)
{
    for (int k = 0; k < n; k++) {
        const double pivot = 1.0 / creal(a[k * n + k]);
        for (int j = 0; j < n; j++)
            row[j] = j < k ? a[k * n + j] : conj(a[j * n + k]);
        for (int i = 0; i < n; i++) {
            const double complex factor = -pivot * conj(row[i]);
            if (i == k)
                continue;
            for (int j = 0; j <= i; j++)
                a[i * n + j] = z_mac(a[i * n + j], factor, row[j]);
        }
        for (int j = 0; j < k; j++)
            a[k * n + j] = pivot * row[j];
        for (int i = k + 1; i < n; i++)
            a[i * n + k] = pivot * conj(row[i]);
        a[k * n + k] = -pivot;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            a[i * n + j] = -a[i * n + j];
            a[j * n + i] = conj(a[i * n + j]);
        }
    }
}

void lte_estimator_fit_solve(lte_estimator_fit *fit, double n0)
{
    const int n = fit->n, n_basis = fit->basis->n;
    for (int i = 0; i < n * n; i++)
        fit->inverse[i] = fit->gram[i];
    for (int u = 0; u < n; u++)
        fit->inverse[u * n + u] += n0 / fit->basis->power[u % n_basis];
    invert(n, fit->inverse, fit->work);
    for (int i = 0; i < n_basis; i++) {
        for (int j = 0; j < n_basis; j++) {
            double complex sum = 0.0;
            for (int k = 0; k < fit->n_tx; k++)
                sum += fit->inverse[(k * n_basis + i) * n + k * n_basis + j];
            fit->layers[i * n_basis + j] = sum;
        }
    }
}

double lte_estimator_fit_error(const lte_estimator_fit *fit, int sc)
{
    const lte_delay_basis *b = fit->basis;
    double error = 0.0;
    for (int i = 0; i < b->n; i++) {
        const double complex *row = &fit->layers[i * b->n];
        double complex sum = 0.0; /* left of the diagonal, which stands for right of it, too */
        for (int j = 0; j < i; j++)
            sum += z_inner(b->vector[j * b->n_sc + sc], row[j]);
        error += 2.0 * creal(z_mac(0.0, b->vector[i * b->n_sc + sc], sum)) +
                 creal(row[i]) * z_square(b->vector[i * b->n_sc + sc]);
    }
    return error;
}
