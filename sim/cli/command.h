#ifndef LTE_SIM_COMMAND_H
#define LTE_SIM_COMMAND_H
/*
 * A command line as one text, for those who repeat a run.
 *
 *     char *text = lte_command_text(argc, argv);      // "ltesim a.cfg --set 'x=[1, 2]'"
 *     free(text);
 */

/* The words with the quotes that a shell needs; NULL without memory. The caller frees it. */
char *lte_command_text(int argc, char *const *argv);

#endif
