#ifndef LTE_SIM_CHANNEL_VALIDATION_PARTS_H
#define LTE_SIM_CHANNEL_VALIDATION_PARTS_H
/*
 * What the parts of a validation share; nobody else needs it. validation.c calls the others, all
 * put their lines by validation_lines.c.
 */

#include "sim/channel/validation.h"

/* Relative, of statistics whose entries are floats. */
#define LTE_VALIDATION_ROUNDING 1e-6

/* What the lines are made from. */
typedef struct {
    const lte_channel_statistics *sums;
    const lte_channel_model *model;
    lte_channel_validation *validation;
    double *r;      /* [n_entries][n_entries] expected E h h' */
    double errors;  /* LTE_VALIDATION_ERRORS, or 0 where nothing is random */
    double n_any;   /* independent samples that a mean over entries of one subcarrier is worth */
    double n_sc;    /* independent subcarriers that the several are worth */
    double n_drops; /* drops, each independent */
} lte_validation_state;

/* A new line; the argument as printf takes it. */
lte_validation_line *lte_validation_put(lte_validation_state *p, const char *property,
                                        double measured, double expected, const char *argument, ...)
    __attribute__((format(printf, 5, 6)));

/* Gives it its limit, and whether it passes. */
void lte_validation_check(lte_validation_state *p, lte_validation_line *line, double limit,
                          bool listed);

/* The lines of a channel that moves. */
void lte_validation_motion(lte_validation_state *p);

#endif
