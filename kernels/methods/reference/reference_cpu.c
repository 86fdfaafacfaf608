/* Reference matrices as plain loops. */
#include "kernels/methods/reference/reference.h"

#include <math.h>
#include <stddef.h>

lte_status lte_reference_check(int n_rows, int n_columns)
{
    if (n_rows < 1 || n_columns < 1)
        return LTE_FAIL(LTE_EINVAL, "n_rows=%d, n_columns=%d (1 or more)", n_rows, n_columns);
    return LTE_OK;
}

lte_status lte_reference_zc(const lte_zc *zc, const lte_zc_row *rows, int n_rows, int n_columns,
                            lte_cf32 *x)
{
    lte_status status = lte_reference_check(n_rows, n_columns);
    if (status)
        return status;
    for (int m = 0; m < n_rows; m++)
        lte_zc_sequence(zc, rows[m], n_columns, &x[(ptrdiff_t)m * n_columns]);
    return LTE_OK;
}

lte_status lte_reference_sar_check(const lte_sar *sar, int n_rows, int n_columns)
{
    const double most = 0x1p19;
    lte_status status = lte_reference_check(n_rows, n_columns);
    if (status)
        return status;
    const uint32_t last_row = (uint32_t)n_rows - 1, last_column = (uint32_t)n_columns - 1;
    const double first_range = lte_sar_range(sar, 0), last_range = lte_sar_range(sar, last_row);
    if (!(first_range > 0.0 && last_range > 0.0))
        return LTE_FAIL(LTE_EINVAL, "range=%g to %g (above 0)", first_range, last_range);
    if (!(sar->wavelength > 0.0))
        return LTE_FAIL(LTE_EINVAL, "wavelength=%g (above 0)", sar->wavelength);
    const double range = first_range < last_range ? first_range : last_range;
    const double before = fabs(lte_sar_time(sar, 0)), after = fabs(lte_sar_time(sar, last_column));
    const double time = before > after ? before : after;
    const double turns = 0.5 * fabs(lte_sar_rate(sar, range)) * time * time;
    if (!(turns < most))
        return LTE_FAIL(LTE_EINVAL, "a phase of %g cycles (must be below %g)", turns, most);
    return LTE_OK;
}

lte_status lte_reference_sar(const lte_sar *sar, int n_rows, int n_columns, float *re, float *im)
{
    lte_status status = lte_reference_sar_check(sar, n_rows, n_columns);
    if (status)
        return status;
    for (int m = 0; m < n_rows; m++) {
        const double rate = lte_sar_rate(sar, lte_sar_range(sar, (uint32_t)m));
        for (int n = 0; n < n_columns; n++) {
            const double time = lte_sar_time(sar, (uint32_t)n);
            const lte_cplx x = lte_phasor(lte_chirp_angle(rate, time));
            re[(ptrdiff_t)m * n_columns + n] = x.re;
            im[(ptrdiff_t)m * n_columns + n] = x.im;
        }
    }
    return LTE_OK;
}
