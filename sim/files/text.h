#ifndef LTE_SIM_FILES_TEXT_H
#define LTE_SIM_FILES_TEXT_H
/*
 * Text in memory: a small file read whole, and what has been written to a stream.
 *
 *     char *text = NULL;
 *     lte_status status = lte_text_read(dir, "run.json", &text);
 *     free(text);
 *
 *     FILE *out = open_memstream(&text, &size);
 *     bool good = fprintf(out, ...) >= 0;
 *     text = lte_text_end(out, &text, good);
 *     free(text);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "phy/base/status.h"

/*
 * The file as a string, which the caller frees; NULL if there is none.
 *
 * Returns LTE_EINVAL for what is no regular file, has a zero byte or more than 256 MB, LTE_EIO if
 * it cannot be read, LTE_ENOMEM.
 */
lte_status lte_text_read(const char *dir, const char *name, char **text);

/*
 * CRC-32 of IEEE 802.3, polynomial 0xedb88320 with the lowest bit first, going on from crc, first
 * from 0.
 */
uint32_t lte_text_check(uint32_t crc, const void *bytes, size_t n);

/* The next n bytes of a file or pipe; false with errno, which is 0 if it ends before. */
bool lte_read_all(int fd, void *bytes, size_t n);

/* Bytes of the UTF-8 character that a text [n] begins with, n > 0; 0: it begins with none. */
size_t lte_text_character(const char *text, size_t n);

/*
 * Closes a stream of open_memstream: the text, which the caller frees, or NULL where memory was
 * missing, which none of fclose, ferror and the text tells alone, or something was not good.
 */
char *lte_text_end(FILE *out, char **text, bool good);

#endif
