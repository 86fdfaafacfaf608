#ifndef LTE_SIM_REPORT_SUMMARY_TEXT_H
#define LTE_SIM_REPORT_SUMMARY_TEXT_H
/*
 * Lines of a summary: at most 80 columns, ASCII.
 *
 *     lte_lines text = {.out = stdout};
 *     lte_lines_add(&text, "carriers held: %d;", 3);
 *     lte_lines_add(&text, "utilisation %d %%", 30);
 *     lte_lines_end(&text);
 */

#include <stdbool.h>
#include <stdio.h>

#include "sim/jobs/sweep/sweep.h"

enum { LTE_LINES_COLUMNS = 80 };

/* A space at which no line ends, in formats and texts. */
#define LTE_BIND "\x1f"

typedef struct {
    FILE *out;
    int indent; /* of the line at hand; the lines that it wraps to have two more */
    int column; /* where the line at hand ends; 0: it has not begun */
} lte_lines;

/*
 * Adds words to the line at hand, which wraps between words; a word that is longer than a line
 * stands on a line of its own. Characters that are not ASCII are written as they are. A format that
 * ends with \n ends the line.
 */
void lte_lines_add(lte_lines *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Binds the words of a text, "12 us", with LTE_BIND; returns it. */
const char *lte_lines_bind(char *text);

/* Ends the line at hand, if it has begun. */
void lte_lines_end(lte_lines *text);

/* A line of its own, as wide as it is: rows of a grid. */
void lte_lines_line(lte_lines *text, const char *line);

/* The name of a detector as papers print it (words.h), into name [size]. */
const char *lte_lines_detector(lte_detector detector, char *name, size_t size);

/* With its csi, where there are several, into name [LTE_CURVE_NAME]. */
enum { LTE_CURVE_NAME = 64 };
const char *lte_lines_curve(const lte_sweeps *sweeps, const lte_swept *at, char *name);

/* A rate with so many decimals and the shortest exponent, "4.1e-1", into cell [size]. */
const char *lte_lines_rate(double rate, int decimals, char *cell, size_t size);

#endif
