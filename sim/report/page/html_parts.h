#ifndef LTE_SIM_REPORT_HTML_PARTS_H
#define LTE_SIM_REPORT_HTML_PARTS_H
/*
 * The parts of a report, for html*.c alone. All text that is not the program's own goes through
 * lte_html_text:
 *
 *     lte_html_put(out, "<td>%s</td>", title);
 */

#include <stdio.h>

#include "sim/report/page/html_figure.h"
#include "sim/report/results/result.h"

/* html_page.css and html_page.js, put into the program by CMake: strings, each with its zero. */
extern const unsigned char lte_html_style[], lte_html_script[];

/*
 * Writes a text, in an element or between double quotes: what HTML has a meaning for becomes a
 * reference; control characters, and bytes that are not UTF-8, a question mark.
 */
void lte_html_text(FILE *out, const char *text);

/*
 * As fprintf, each %s by way of lte_html_text. Of other conversions it knows %d, %% and those of
 * double, all with flags, width and precision.
 */
void lte_html_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An element with a text in it: <name attributes>text</name>. */
void lte_html_element(FILE *out, const char *name, const char *attributes, const char *text);

/* A page up to where its header goes on, and from the end of its main part; more: of the footer. */
void lte_html_head(FILE *out, const char *title);
void lte_html_end(FILE *out, const char *more);

/* The results of a report, and how much of them it has room for. */
typedef struct {
    const lte_result *of;            /* [n] */
    const lte_result_folder *folder; /* [n], whose own these are */
    int n;
    int room;     /* rows that there is room for, of all results together */
    int row_step; /* of every curve one of so many points is shown */
} lte_reported;

/* A figure of each quantity that a result has rows of. LTE_ENOMEM. */
lte_status lte_html_curves(FILE *out, const lte_reported *all);

/* Tables of one result: its rows, differences, losses, layers and bits. LTE_ENOMEM. */
lte_status lte_html_tables(FILE *out, const lte_reported *all, const lte_result *result);

/* Whether the slots were in time, with the distribution of their latencies. */
void lte_html_deadline(FILE *out, const lte_reported *all);

/* Where the time of a slot goes, and its table. */
void lte_html_stages(FILE *out, const lte_result *result);

/* All that it takes to repeat the run. */
lte_status lte_html_run(FILE *out, const lte_result *result);

#endif
