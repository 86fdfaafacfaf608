#ifndef LTE_SIM_OPTIONS_H
#define LTE_SIM_OPTIONS_H
/*
 * The command line.
 *
 *     lte_options options;
 *     lte_status status = lte_options_parse(argc, argv, &options);
 *     if (!status && options.help)
 *         fputs(lte_options_help(), stdout);
 *     lte_options_fini(&options);
 */

#include "phy/base/status.h"
#include "sim/run/run_options.h"

/*
 * Reads the command line; options and the scenario may stand in any order.
 *
 * Returns LTE_EINVAL for anything that is not an option, lacks its value or does not go together;
 * LTE_ENOMEM. In every case options is for lte_options_fini.
 */
lte_status lte_options_parse(int argc, char **argv, lte_options *options);

void lte_options_fini(lte_options *options);

/* What the program prints if it is given nothing: three commands to try. */
const char *lte_options_start(void);

/* What --help prints: every option and the exit codes. */
const char *lte_options_help(void);

/* A command line as one text, with the quotes that a shell needs, for the caller to free; NULL
 * without memory. */
char *lte_command_text(int argc, char *const *argv);

#endif
