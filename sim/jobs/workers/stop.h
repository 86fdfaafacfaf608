#ifndef LTE_SIM_STOP_H
#define LTE_SIM_STOP_H
/* The wish to stop. */

#include <signal.h>

/* The signal that asked the program to stop, or 0; the jobs look at it between pieces of work. */
extern volatile sig_atomic_t lte_stop_signal;

/*
 * SIGINT, SIGTERM and SIGHUP, unless that is ignored, set lte_stop_signal; a second one ends the
 * program at once. A closed pipe on stdout and a file beyond its limit become errors of writing.
 */
void lte_signals_catch(void);

#endif
