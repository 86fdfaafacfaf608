#ifndef LTE_SIM_REPORT_PRINTED_H
#define LTE_SIM_REPORT_PRINTED_H
/*
 * Names of a scenario as papers print them.
 *
 *     char name[32];
 *     (void)puts(lte_printed_name("16qam", name, sizeof name));           // 16QAM
 *     (void)puts(lte_printed_csi("dmrs-mmse", name, sizeof name));        // DM-RS (LMMSE)
 */

#include <stddef.h>

/* What is short is an abbreviation, "zf" is "ZF", "16qam" "16QAM"; else "rayleigh" is "Rayleigh".
 * Into name [size]; returns name. */
const char *lte_printed_name(const char *from, char *name, size_t size);

/* That of what a receiver knows of its channel. */
const char *lte_printed_csi(const char *from, char *name, size_t size);

#endif
