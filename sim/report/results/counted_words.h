#ifndef LTE_SIM_REPORT_COUNTED_WORDS_H
#define LTE_SIM_REPORT_COUNTED_WORDS_H
/*
 * What reports call what is counted, a row for each of LTE_COUNTED_*; the names of error rates are
 * those of sim/jobs/sweep/counting.h.
 *
 *     const lte_counted_words *words = lte_counted_words_of(sweep->scenario);
 *     puts(words->output);
 *
 * What differs by more than words stands in a table by the same numbers beside what it is about.
 */

#include "sim/jobs/sweep/gains.h"
#include "sim/scenario/scenario.h"

/* A picture and the files behind it, each with a comma; NULL: none. */
typedef struct {
    const char *picture, *files;
} lte_drawn_files;

typedef struct {
    const char *output;     /* of a deadline run in run.json */
    const char *measure[2]; /* in run.json, by lte_measure; NULL: is not measured */
    const char *uncoded;    /* before the modulation, in a head */
    const char *demapped;   /* behind the name of a demapper in a head; NULL: there is none */
    const char *snr;        /* behind the definition of the SNR */
    const char *operations; /* behind what is counted as operations */
    const char *few;        /* what is rare beside errors in marked cells */
    const char *no_rate;    /* where curves have no rate in common that they are compared at */
    const char *due;        /* what has a deadline */
    const char *late;       /* behind "0 of 2000", before "late" */
    const char *detection;  /* the stage of a detector in a summary; NULL: as it is called */
    bool delivers;          /* Mbit/s are delivered: there is a column of them */
    /* in the order in which they are named: before and behind a search */
    lte_drawn_files before[2], behind;
} lte_counted_words;

extern const lte_counted_words lte_counted_words_rows[LTE_N_COUNTED];
const lte_counted_words *lte_counted_words_of(const lte_scenario *scenario);

#endif
