#ifndef LTE_KERNELS_BACKENDS_CLOCK_H
#define LTE_KERNELS_BACKENDS_CLOCK_H
/* The clock of all latencies. */

#include <time.h>

/* Seconds of a clock that never jumps. */
static inline double lte_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Spins, as receivers do: a processor that slept may be back only after milliseconds. *gap_s grows
 * to the longest time between two looks at the clock: more than a look takes, the machine was away.
 */
static inline void lte_wait_until(double when_s, double *gap_s)
{
    double now = lte_seconds();
    while (now < when_s) {
        const double last = now;
        now = lte_seconds();
        *gap_s = now - last > *gap_s ? now - last : *gap_s;
    }
}

#endif
