#ifndef LTE_SIM_REPORT_SHIPPED_H
#define LTE_SIM_REPORT_SHIPPED_H
/*
 * The scenarios that come with the program.
 *
 *     lte_pace pace;
 *     lte_status status = lte_pace_measure(&pace);
 *     if (!status)
 *         lte_shipped_each(&pace, visit, into);
 */

#include "sim/report/expected.h"

typedef struct {
    const char *name, *path;
    const char *title; /* "" of one that cannot be read */
    double seconds;    /* that it takes on the processors here; NAN: it cannot run */
} lte_shipped;

/* Visits each, by name; the strings end with the visit. */
void lte_shipped_each(const lte_pace *pace, void (*visit)(void *into, const lte_shipped *one),
                      void *into);

#endif
