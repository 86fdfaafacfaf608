#ifndef LTE_SIM_REPORT_QUANTITIES_H
#define LTE_SIM_REPORT_QUANTITIES_H
/*
 * What result tables have over the SNR: quantities, each once, for pages and comparisons.
 *
 *     for (int i = 0; i < lte_n_quantities; i++)
 *         if (lte_quantity_is_in(&lte_quantities[i], &result))
 *             puts(lte_quantities[i].name);
 */

#include <stdbool.h>
#include <stddef.h>

#include "sim/report/results/result.h"

enum { LTE_MOST_KEYS = 5 };

typedef enum {
    LTE_QUANTITY_RATE,  /* of errors: "" for none, of which `high` is a bound; its interval is that
                           of clusters */
    LTE_QUANTITY_SHARE, /* of the column `peak`, with the same kind of interval */
    LTE_QUANTITY_VALUE  /* any number with an interval */
} lte_quantity_kind;

/* Where it stands, and what makes a row that of another run. Places of columns, 0 for none. */
typedef struct {
    const char *name;                     /* "BER", of heads */
    const char *id, *title, *axis, *what; /* of a figure in a page: what is wrong; NULL: none */
    const lte_columns *columns;
    size_t table; /* offset of the table in lte_result */
    double scale; /* for readers, with the format */
    const char *format;
    lte_quantity_kind kind;
    int keys[LTE_MOST_KEYS], n_keys; /* detector and csi, and others in words */
    int value, low, high, peak;
    int theory, z;             /* its closed form, and the distance to that */
    int slots;                 /* of the row */
    int same_first, same_last; /* all that is counted */
    int group, errors, bits;   /* the first of its sums in groups.csv, and what these are in its own
                                  table */
    bool more_is_better;
    bool sent_again; /* tells something only of several transmissions */
    bool in_db;      /* its change is a difference, not a ratio */
} lte_quantity;

extern const lte_quantity lte_quantities[];
extern const int lte_n_quantities;

const lte_table *lte_quantity_table(const lte_quantity *q, const lte_result *result);

/* True if a run has rows of it. */
bool lte_quantity_is_in(const lte_quantity *q, const lte_result *result);

#endif
