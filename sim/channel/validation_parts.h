#ifndef LTE_SIM_CHANNEL_VALIDATION_PARTS_H
#define LTE_SIM_CHANNEL_VALIDATION_PARTS_H
/* What the parts of channel_proof*.c share; nobody else needs it. */

#include "sim/channel/validation.h"

/* Relative, of statistics whose entries are floats. */
#define LTE_VALIDATION_ROUNDING 1e-6

/* What the lines are made from. */
typedef struct {
    const lte_channel_statistics *sums;
    const lte_channel_model *law;
    lte_channel_validation *proof;
    double *r;      /* [n_entries][n_entries] expected E h h' */
    double errors;  /* LTE_VALIDATION_ERRORS, or 0 where nothing is random */
    double n_any;   /* independent samples that a mean over entries of one subcarrier is worth */
    double n_sc;    /* independent subcarriers that the several are worth */
    double n_drops; /* drops, each independent */
} lte_proving;

/* A new line; the argument as printf takes it. */
lte_validation_line *lte_validation_put(lte_proving *p, const char *property, double measured,
                                        double expected, const char *argument, ...)
    __attribute__((format(printf, 5, 6)));

/* Gives it its limit and its verdict. */
void lte_validation_check(lte_proving *p, lte_validation_line *line, double limit, bool listed);

/* The lines of a channel that moves. */
void lte_prove_motion(lte_proving *p);

#endif
