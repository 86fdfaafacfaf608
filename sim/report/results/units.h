#ifndef LTE_SIM_REPORT_UNITS_H
#define LTE_SIM_REPORT_UNITS_H
/*
 * Times and verdicts in words.
 *
 *     char text[32];
 *     (void)puts(lte_time_text(2600.0, text, sizeof text));     // 2.6 ms
 */

#include <stddef.h>

/* us microseconds to three digits, "152 us", "2.6 ms", "1.21 s", into text [size]; returns text. */
const char *lte_time_text(double us, char *text, size_t size);

/* A verdict, "met" as it is and all others in capitals, into text [size]; returns text. */
const char *lte_verdict_text(const char *verdict, char *text, size_t size);

#endif
