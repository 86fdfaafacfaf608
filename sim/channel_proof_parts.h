#ifndef LTE_SIM_CHANNEL_PROOF_PARTS_H
#define LTE_SIM_CHANNEL_PROOF_PARTS_H
/* What the parts of channel_proof*.c share; nobody else needs it. */

#include "sim/channel_proof.h"

/* Relative, of statistics whose entries are floats. */
#define LTE_PROOF_ROUNDING 1e-6

/* What the lines are made from. */
typedef struct {
    const lte_channel_sums *sums;
    const lte_channel_law *law;
    lte_channel_proof *proof;
    double *r;      /* [n_entries][n_entries] expected E h h' */
    double errors;  /* LTE_PROOF_ERRORS, or 0 where nothing is random */
    double n_any;   /* independent samples that a mean over entries of one subcarrier is worth */
    double n_sc;    /* independent subcarriers that the several are worth */
    double n_drops; /* drops, each independent */
} lte_proving;

/* A new line; the argument as printf takes it. */
lte_proof_line *lte_proof_put(lte_proving *p, const char *property, double measured,
                              double expected, const char *argument, ...)
    __attribute__((format(printf, 5, 6)));

/* Gives it its limit and its verdict. */
void lte_proof_judge(lte_proving *p, lte_proof_line *line, double limit, bool listed);

/* The lines of a channel that moves. */
void lte_prove_motion(lte_proving *p);

#endif
