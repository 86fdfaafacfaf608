#ifndef LTE_SIM_FILES_FILES_H
#define LTE_SIM_FILES_FILES_H
/*
 * Result files that appear whole or not at all.
 *
 *     lte_file file;
 *     lte_status status = lte_file_open(&file, dir, "ber.csv");
 *     if (!status) {
 *         fprintf(file.stream, "...");
 *         status = lte_file_close(&file);      // synced, then renamed to its name
 *     }
 */

#include <stdio.h>

#include "phy/base/status.h"

typedef struct {
    FILE *stream;
    char path[4096];      /* final name */
    char temporary[4160]; /* name while it is written */
} lte_file;

/* Removes a file of dir; none there is fine. */
lte_status lte_file_remove(const char *dir, const char *name);

/* The name beside it that a file has while this process writes it; its length, as snprintf. */
int lte_file_temporary(const char *dir, const char *name, char *path, size_t size);

lte_status lte_file_open(lte_file *file, const char *dir, const char *name);

/* Returns LTE_EIO if anything written since lte_file_open failed; the old file then stays. */
lte_status lte_file_close(lte_file *file);

/* Closes it without a trace; the old file stays. */
void lte_file_drop(lte_file *file);

/* A real as result files have it, in %.6e, empty where it is unknown (not finite); then end. */
void lte_put_real(FILE *out, double x, const char *end);

#endif
