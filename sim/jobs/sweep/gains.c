/* SNRs at one rate, from the rows of sweeps and their groups. */
#include "sim/jobs/sweep/gains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "phy/theory/information.h"
#include "sim/jobs/sweep/counting.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/search.h"

/* A curve by rising SNR. */
typedef struct {
    int n;
    lte_rate_point point[LTE_MAX_SNR_POINTS];
} curve;

/* What a curve is of. */
typedef struct {
    const uint64_t *(*groups)(const lte_row *row); /* counts of groups of drops */
    double unit;                                   /* counts of a bit */
    double (*rate)(const lte_sweep *sweep, const lte_row *row);
    /* the same from the share of its counts */
    double (*of_share)(const lte_sweep *sweep, double share);
    /* rates that curves are compared at, the first that all of them reach; returns their number */
    int (*rates)(const lte_sweep *sweep, double rates[4]);
} measured;

static const uint64_t *error_groups(const lte_row *row)
{
    return row->groups;
}

static const uint64_t *lost_groups(const lte_row *row)
{
    return row->lost_groups;
}

static double error_rate(const lte_sweep *sweep, const lte_row *row)
{
    (void)sweep;
    return (double)row->error_count.errors / (double)lte_row_bits(row);
}

static double information(const lte_sweep *sweep, const lte_row *row)
{
    return lte_row_information_of(sweep, row).bits;
}

static double share_itself(const lte_sweep *sweep, double share)
{
    (void)sweep;
    return share;
}

static double not_lost(const lte_sweep *sweep, double share)
{
    return sweep->scenario->n_bits * (1.0 - share);
}

static int error_rates(const lte_sweep *sweep, double rates[4])
{
    const lte_counting *counting = lte_counting_of(sweep);
    memcpy(rates, counting->rates, sizeof counting->rates);
    return counting->n_rates;
}

static int half_the_bits(const lte_sweep *sweep, double rates[4])
{
    rates[0] = 0.5 * sweep->scenario->n_bits;
    return 1;
}

static const measured measures[] = {
    [LTE_MEASURE_ERRORS] = {error_groups, 1.0, error_rate, share_itself, error_rates},
    [LTE_MEASURE_INFORMATION] = {lost_groups, LTE_LOSS_UNITS, information, not_lost, half_the_bits},
};

static lte_rate_point point_of(const lte_sweep *sweep, const lte_row *row, const measured *of)
{
    const uint64_t *of_group = of->groups(row);
    lte_rate_point point = {.snr_db = row->snr_db, .rate = of->rate(sweep, row)};
    double counts[LTE_N_GROUPS];
    for (int k = 0; k < LTE_N_GROUPS; k++)
        counts[k] = (double)of_group[k];
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        const double own = of->unit * (double)lte_row_group_bits(sweep, row, k);
        const double share = lte_rate_without(counts, of->unit * (double)lte_row_bits(row), own, k);
        point.without[k] = own == 0.0 ? point.rate /* to the last bit */
                                      : of->of_share(sweep, share);
    }
    return point;
}

static int by_snr(const void *a, const void *b)
{
    const double x = ((const lte_rate_point *)a)->snr_db, y = ((const lte_rate_point *)b)->snr_db;
    return (x > y) - (x < y);
}

static void read_curve(const lte_sweep *sweep, int d, lte_measure measure, curve *c)
{
    const bool search = lte_sweep_is_search(sweep);
    const lte_found found = search ? lte_search_of(sweep, d) : (lte_found){.slots = 0};
    c->n = 0;
    for (int s = 0; s < sweep->n_started && c->n < LTE_MAX_SNR_POINTS; s++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        if (row->error_count.clusters > 0 && (!search || row->goal == found.slots))
            c->point[c->n++] = point_of(sweep, row, &measures[measure]);
    }
    qsort(c->point, (size_t)c->n, sizeof c->point[0], by_snr);
}

static bool reaches(const curve *c, double rate)
{
    return isfinite(lte_snr_at_rate(c->point, c->n, rate).db);
}

/* The rate that all of some curves reach, or else the first of them; NAN for none. */
static double common_rate(const lte_sweep *sweep, lte_measure measure, const curve *const *all,
                          int n)
{
    const lte_target sought = lte_scenario_target(sweep->scenario);
    const int fits = measure == LTE_MEASURE_INFORMATION ? LTE_SEEKS_INFORMATION : LTE_SEEKS_ERRORS;
    const double target = sought.seeks == fits ? sought.value : 0.0;
    double rates[4] = {target};
    const int n_rates = target > 0.0 ? 1 : measures[measure].rates(sweep, rates);
    for (int i = 0; i < n_rates; i++) {
        bool all_reach = true;
        for (int k = 0; k < n && all_reach; k++)
            all_reach = reaches(all[k], rates[i]);
        if (all_reach)
            return rates[i];
    }
    for (int i = 0; i < n_rates; i++) { /* of those that reach it */
        if (reaches(all[0], rates[i]))
            return rates[i];
    }
    return (double)NAN;
}

static const lte_snr_estimate none = {NAN, NAN, NAN};

/* Of the sweep's curves, and those of perfect CSI, or NULL. */
static lte_csi_gains compare(const lte_sweep *sweep, lte_measure measure, const curve *own,
                             const curve *perfect)
{
    const int n = sweep->n_detectors;
    const curve *all[2 * LTE_MAX_DETECTORS];
    int n_all = 0;
    for (int d = 0; d < n; d++)
        all[n_all++] = &own[d];
    for (int d = 0; d < n && perfect; d++)
        all[n_all++] = &perfect[d];
    lte_csi_gains of = {.rate = common_rate(sweep, measure, all, n_all)};
    for (int d = 0; d < LTE_MAX_DETECTORS; d++)
        of.at[d] = of.gain[d] = of.loss[d] = none;
    for (int d = 0; d < n && isfinite(of.rate); d++) {
        of.at[d] = lte_snr_at_rate(own[d].point, own[d].n, of.rate);
        if (d > 0)
            of.gain[d] = lte_snr_gap(own[0].point, own[0].n, own[d].point, own[d].n, of.rate);
        if (perfect)
            of.loss[d] =
                lte_snr_gap(own[d].point, own[d].n, perfect[d].point, perfect[d].n, of.rate);
    }
    return of;
}

static lte_csi_gains unknown_gains(void)
{
    lte_csi_gains of = {.rate = (double)NAN};
    for (int d = 0; d < LTE_MAX_DETECTORS; d++)
        of.at[d] = of.gain[d] = of.loss[d] = none;
    return of;
}

lte_gains lte_gains_of(const lte_sweeps *sweeps, lte_measure measure)
{
    const bool has_perfect = sweeps->n > 0 && !lte_csi_estimates(sweeps->of[0]->csi);
    lte_gains gains;
    for (int k = 0; k < LTE_N_CSI; k++)
        gains.of[k] = unknown_gains();
    curve *curves = malloc((size_t)2 * LTE_MAX_DETECTORS * sizeof *curves);
    if (!curves) /* nothing is told */
        return gains;
    for (int k = 0; k < sweeps->n; k++) {
        curve *own = &curves[k > 0 && has_perfect ? LTE_MAX_DETECTORS : 0];
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++)
            read_curve(sweeps->of[k], d, measure, &own[d]);
        gains.of[k] = compare(sweeps->of[k], measure, own, k > 0 && has_perfect ? curves : NULL);
    }
    free(curves);
    return gains;
}

double lte_loss_db(const lte_sweeps *sweeps, int k, int d)
{
    static const double loss_rate = 1e-2;
    double at[2] = {NAN, NAN};
    curve *c = malloc(sizeof *c);
    if (!c || lte_csi_estimates(sweeps->of[0]->csi)) { /* perfect is the first of names.h */
        free(c);
        return (double)NAN;
    }
    for (int i = 0; i < 2; i++) {
        read_curve(sweeps->of[i ? k : 0], d, LTE_MEASURE_ERRORS, c);
        at[i] = lte_snr_at_rate(c->point, c->n, loss_rate).db;
    }
    free(c);
    return at[1] - at[0];
}
