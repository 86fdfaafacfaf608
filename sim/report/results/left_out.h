#ifndef LTE_SIM_REPORT_LEFT_OUT_H
#define LTE_SIM_REPORT_LEFT_OUT_H
/*
 * What a run assumes or leaves out, only where it applies.
 *
 *     lte_left_out(scenario, say, stdout);
 */

#include "sim/scenario/scenario.h"

typedef enum {
    LTE_MODEL_NOTE,    /* what the channels of a file are */
    LTE_MODEL_ASSUMED, /* what a receiver knows, and how antennas correlate */
    LTE_MODEL_LEFT_OUT /* what the model does not have */
} lte_model_kind;

/* One thing, in full and in brief. */
typedef void lte_left_out_say(lte_model_kind kind, const char *text, const char *brief, void *user);

/* Calls say for each thing: notes, what is assumed, what is left out. */
void lte_left_out(const lte_scenario *scenario, lte_left_out_say *say, void *user);

#endif
