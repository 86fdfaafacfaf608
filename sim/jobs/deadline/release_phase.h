#ifndef LTE_SIM_JOBS_RELEASE_PHASE_H
#define LTE_SIM_JOBS_RELEASE_PHASE_H
/*
 * When the machine leaves a thread alone. Systems and hypervisors interrupt every processor at
 * fixed times, 100 to 1000 times a second, for microseconds each. Work that is released every
 * 500 us either meets such a tick again and again or never, by the luck of its first release; a
 * receiver has a processor without ticks, or releases that keep clear of them.
 *
 *     double gap_s = 0.0;
 *     const double phase_us = lte_release_phase(500.0, 20.0, &gap_s);
 */

enum { LTE_RELEASE_BINS = 500 }; /* of a period */

/*
 * Watches the clock for 50 ms from this thread; a gap between two looks is an interruption.
 *
 *   period_us   of the releases
 *   work_us     that a release takes
 *   gap_s       grows to the longest gap
 *
 * Returns the time of release modulo the period, in [0, period_us) of lte_seconds(), whose work
 * the interruptions seen keep farthest from (lte_release_bin).
 */
double lte_release_phase(double period_us, double work_us, double *gap_s);

/*
 * The bin s of a period to begin n_work bins of work in: the smallest
 *
 *     sum_b taken[b] max(0, 1 - d(b, s) / (LTE_RELEASE_BINS / 4)),
 *
 * d being 0 for the work's own bins and the number of bins to the nearer end of it for others,
 * around the period; the first of equals.
 *
 *   taken    [LTE_RELEASE_BINS]   time lost in each bin, any unit
 *   n_work   1 to LTE_RELEASE_BINS
 */
int lte_release_bin(const double *taken, int n_work);

#endif
