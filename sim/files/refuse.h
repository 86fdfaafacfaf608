#ifndef LTE_SIM_FILES_REFUSE_H
#define LTE_SIM_FILES_REFUSE_H
/*
 * Refusals of what the user wrote: always one line, whatever the text holds that it quotes.
 *
 *     return lte_refuse("--threads %s: must be an integer, 1 to 1024", text);
 */

#include "phy/base/status.h"

/* Announces the text, control characters replaced by '?', and returns LTE_EINVAL. */
lte_status lte_refuse(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

#endif
