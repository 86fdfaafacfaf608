#ifndef LTE_SIM_REPORT_HTML_PARTS_H
#define LTE_SIM_REPORT_HTML_PARTS_H
/*
 * The parts of a report, for html*.c alone. All text that is not the program's own goes through
 * lte_html_text.
 */

#include <stdio.h>

#include "sim/report/page/html_figure.h"
#include "sim/report/results/result.h"

/* The results of a report, and how much of them it has room for. */
typedef struct {
    const lte_result *of; /* [n] */
    int n;
    int room;     /* rows that there is room for, of all results together */
    int row_step; /* of every curve one of so many points is shown */
} lte_reported;

/* "zf", "zf, dmrs-ls" where the run has several csi, "quick: zf" where there are several runs. */
void lte_html_curve_name(const lte_reported *all, const lte_result *result, const char *detector,
                         const char *csi, char *text, size_t size);

/* The rows of ber.csv as points and lines; nothing where no result has any. */
void lte_html_ber_figure(FILE *out, const lte_reported *all);

/* Tables of one result: its rows, differences, losses and layers. */
void lte_html_ber_tables(FILE *out, const lte_reported *all, const lte_result *result);

/* Whether the slots were in time, with the distribution of their latencies. */
void lte_html_deadline(FILE *out, const lte_reported *all);

/* Where the time of a slot goes, and its table. */
void lte_html_stages(FILE *out, const lte_result *result);

/* All that it takes to repeat the run. */
lte_status lte_html_run(FILE *out, const lte_result *result);

#endif
