#ifndef LTE_SIM_REPORT_WORDS_H
#define LTE_SIM_REPORT_WORDS_H
/*
 * Names of a scenario as papers print them, times, scales of LLRs and verdicts in words: each into
 * text [size], which is returned.
 *
 *     char text[32];
 *     (void)puts(lte_printed_name("16qam", text, sizeof text));           // 16QAM
 *     (void)puts(lte_printed_csi("dmrs-mmse", text, sizeof text));        // DM-RS (LMMSE)
 *     (void)puts(lte_time_text(2600.0, text, sizeof text));               // 2.6 ms
 */

#include <stddef.h>

#include "phy/theory/information.h"

/* Writes behind what a text [size] has, as far as there is room. */
void lte_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * What is short is an abbreviation, "zf" is "ZF", "16qam" "16QAM", "mmse-max-log" "MMSE-max-log";
 * "rayleigh" is "Rayleigh".
 */
const char *lte_printed_name(const char *from, char *text, size_t size);

/* That of a detector as it is named: "mmse-sic" is "MMSE-SIC", "kbest-16" "K-best-16". */
const char *lte_printed_detector(const char *from, char *text, size_t size);

/* That of what a receiver knows of its channel. */
const char *lte_printed_csi(const char *from, char *text, size_t size);

/* us microseconds to three digits, "152 us", "2.6 ms", "1.21 s". */
const char *lte_time_text(double us, char *text, size_t size);

/* The best LLR scale with `decimals` decimals; "<0.0625" or ">4" at an end of the search. */
const char *lte_llr_scale_text(const lte_llr_scale *best, int decimals, char *text, size_t size);

/* A verdict, "met" as it is and all others in capitals. */
const char *lte_verdict_text(const char *verdict, char *text, size_t size);

/* The end of a word for n of a thing: "s", or "" of one. */
const char *lte_plural(int n);

/* Behind "work" on slots of n carriers: " of all carriers"; "" of one, or if NAN says no number. */
const char *lte_of_carriers(double n);

#endif
