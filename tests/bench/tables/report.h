#ifndef LTE_TESTS_BENCH_REPORT_H
#define LTE_TESTS_BENCH_REPORT_H
/*
 * What a run leaves: its JSON, and the figures of documents out of it.
 *
 *     json_t *root = bench_machine_describe();
 *     status = bench_file_replace("out.json", text);
 *     status = bench_document_run(options);
 */

#include <jansson.h>

#include "tests/bench/bench.h"

/* An object with date, machine, compiler, flags, revision and peers; NULL without memory. */
json_t *bench_machine_describe(void);

/* An object with the GPU's name, driver, libraries and clocks; NULL without GPU or memory. */
json_t *bench_machine_gpu(void);

/* Writes a whole file under a temporary name and renames it. Returns LTE_EIO or LTE_ENOMEM. */
lte_status bench_file_replace(const char *path, const char *text);

/* The contents of a file, which the caller frees. Returns LTE_EIO or LTE_ENOMEM. */
lte_status bench_file_read(const char *path, char **text);

/*
 * Prints the figures of the stored files in the folder options->figures: to stdout, or between the
 * lines <!-- bench:NAME --> and <!-- /bench:NAME --> of the file options->update, NAME being
 * headline, the few, or figures, all; or compares those of options->check with them and prints what
 * differs.
 *
 * Returns LTE_EIO for files that cannot be read or written or lack those lines, and if the figures
 * differ.
 */
lte_status bench_document_run(const bench_options *options);

#endif
