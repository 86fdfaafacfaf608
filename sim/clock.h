#ifndef LTE_SIM_CLOCK_H
#define LTE_SIM_CLOCK_H
/* Time, and the wish to stop. */

#include <signal.h>
#include <time.h>

/* Seconds of a clock that never jumps. */
static inline double lte_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The signal that asked the program to stop, or 0; the jobs look at it between pieces of work. */
extern volatile sig_atomic_t lte_stop_signal;

/*
 * SIGINT and SIGTERM set lte_stop_signal; a second one ends the program at once. A closed pipe on
 * stdout becomes an error of writing.
 */
void lte_signals_catch(void);

#endif
