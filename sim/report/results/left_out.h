#ifndef LTE_SIM_REPORT_LEFT_OUT_H
#define LTE_SIM_REPORT_LEFT_OUT_H
/*
 * What a run assumes or leaves out, only where it applies.
 *
 *     lte_left_out lines[LTE_MOST_LEFT_OUT];
 *     for (int i = 0, n = lte_left_out_of(scenario, lines); i < n; i++)
 *         puts(lines[i].text);
 */

#include "sim/scenario/scenario.h"

typedef enum {
    LTE_MODEL_NOTE,    /* what the channels of a file are */
    LTE_MODEL_ASSUMED, /* what a receiver knows, and how antennas correlate */
    LTE_MODEL_LEFT_OUT /* what the model does not have */
} lte_model_kind;

/* One thing, in full and in brief. */
typedef struct {
    lte_model_kind kind;
    char text[200], brief[200];
} lte_left_out;

/* All of them: notes, what is assumed, what is left out; returns how many. */
enum { LTE_MOST_LEFT_OUT = 32 };
int lte_left_out_of(const lte_scenario *scenario, lte_left_out lines[LTE_MOST_LEFT_OUT]);

#endif
