#ifndef LTE_SIM_REPORT_UNITS_H
#define LTE_SIM_REPORT_UNITS_H
/*
 * Times in words, with the unit that suits them.
 *
 *     char text[32];
 *     (void)puts(lte_time_text(2600.0, text, sizeof text));     // 2.6 ms
 */

#include <stddef.h>

/* us microseconds to three digits, "152 us", "2.6 ms", "1.21 s", into text [size]; returns text. */
const char *lte_time_text(double us, char *text, size_t size);

#endif
