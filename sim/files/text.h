#ifndef LTE_SIM_FILES_TEXT_H
#define LTE_SIM_FILES_TEXT_H
/*
 * A small file read whole.
 *
 *     char *text = NULL;
 *     lte_status status = lte_text_read(dir, "run.json", &text);
 *     free(text);
 */

#include "phy/status.h"

/*
 * The file as a string, which the caller frees; NULL if there is none.
 *
 * Returns LTE_EINVAL for what is no regular file, has a zero byte or more than 256 MB, LTE_EIO if it
 * cannot be read, LTE_ENOMEM.
 */
lte_status lte_text_read(const char *dir, const char *name, char **text);

#endif
