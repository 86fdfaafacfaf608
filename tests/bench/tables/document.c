/* Tables out of stored figures, between two lines of a document. */
#include "tests/bench/tables/figures.h"
#include "tests/bench/tables/report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What stands between two lines of a document. */
typedef struct {
    char begin_line[64], end_line[64];
    char *text; /* the caller frees it */
} block;

/* Names the lines and opens a stream for the text between them; NULL without memory. */
static FILE *block_open(block *made, const char *name, size_t *size)
{
    *made = (block){.text = NULL};
    (void)snprintf(made->begin_line, sizeof made->begin_line, "<!-- bench:%.32s -->\n", name);
    (void)snprintf(made->end_line, sizeof made->end_line, "<!-- /bench:%.32s -->\n", name);
    return open_memstream(&made->text, size);
}

static lte_status block_close(FILE *out, const block *made, const char *source, lte_status status)
{
    const bool whole = fclose(out) == 0 && made->text;
    if (status || whole)
        return status;
    return LTE_FAIL(LTE_ENOMEM, "no memory for the tables of %s", source);
}

/* The blocks that documents may have. */
static const struct {
    const char *name;
    bench_figures which;
} blocks[] = {{"headline", BENCH_FIGURES_FEW}, {"figures", BENCH_FIGURES_ALL}};
enum { N_BLOCKS = sizeof blocks / sizeof *blocks };

static lte_status make_block(const bench_stored *stored, int i, block *made)
{
    size_t size = 0;
    FILE *out = block_open(made, blocks[i].name, &size);
    if (!out)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the figures");
    bench_figures_print(out, stored, blocks[i].which);
    return block_close(out, made, blocks[i].name, LTE_OK);
}

/* The text between the lines. */
typedef struct {
    const char *start; /* NULL: the lines are missing */
    size_t length;
} span;

static span find_block(const char *path, const char *text, const block *wanted)
{
    span found = {strstr(text, wanted->begin_line), 0};
    const char *end = found.start ? strstr(found.start, wanted->end_line) : NULL;
    if (!end) {
        (void)LTE_FAIL(LTE_EIO, "%s: the lines %.*s and %.*s are missing", path,
                       (int)strcspn(wanted->begin_line, "\n"), wanted->begin_line,
                       (int)strcspn(wanted->end_line, "\n"), wanted->end_line);
        return (span){NULL, 0};
    }
    found.start += strlen(wanted->begin_line);
    found.length = (size_t)(end - found.start);
    return found;
}

static lte_status replace(const char *path, const char *text, const block *wanted)
{
    const span found = find_block(path, text, wanted);
    char *whole = NULL;
    if (!found.start)
        return LTE_EIO;
    const int before = (int)(found.start - text);
    if (asprintf(&whole, "%.*s%s%s", before, text, wanted->text, found.start + found.length) < 0)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %s", path);
    const lte_status status = bench_file_replace(path, whole);
    free(whole);
    return status;
}

/* Prints the lines that differ; returns their number. */
static int print_differences(const char *path, span is, const char *wanted)
{
    const char *found = is.start, *found_end = found + is.length;
    const char *wanted_end = wanted + strlen(wanted);
    int differ = 0;
    for (int line = 1; found < found_end || wanted < wanted_end; line++) {
        const size_t a = found < found_end ? strcspn(found, "\n") : 0;
        const size_t b = strcspn(wanted, "\n");
        const bool both = found < found_end && wanted < wanted_end;
        if (!both || a != b || strncmp(found, wanted, a) != 0) {
            (void)printf("%s, line %d of the block:\n  is        %.*s\n  should be %.*s\n", path,
                         line, (int)a, found, (int)b, wanted);
            differ++;
        }
        if (found < found_end)
            found += a + 1;
        if (wanted < wanted_end)
            wanted += b + 1;
    }
    return differ;
}

static lte_status compare(const char *path, const char *text, const block *wanted,
                          const char *source)
{
    const span found = find_block(path, text, wanted);
    if (!found.start)
        return LTE_EIO;
    const int differ = print_differences(path, found, wanted->text);
    if (differ > 0)
        return LTE_FAIL(LTE_EIO,
                        "%s differs from %s in %d lines; mend it with ltebench --figures %s "
                        "--update %s",
                        path, source, differ, source, path);
    return LTE_OK;
}

/* One block of a document: printed, replaced or compared. */
static lte_status take_block(const bench_options *options, const block *made)
{
    const char *path = options->update ? options->update : options->check;
    char *text = NULL;
    if (!path) {
        (void)fputs(made->text, stdout);
        return LTE_OK;
    }
    lte_status status = bench_file_read(path, &text);
    if (!status)
        status = options->update ? replace(path, text, made)
                                 : compare(path, text, made, options->figures);
    free(text);
    return status;
}

/* Whether a document has the lines of a block; without a document all are wanted. */
static bool has_block(const char *path, const char *name)
{
    char line[64], *text = NULL;
    if (!path)
        return true;
    (void)snprintf(line, sizeof line, "<!-- bench:%.32s -->", name);
    const bool has = bench_file_read(path, &text) == LTE_OK && strstr(text, line);
    free(text);
    return has;
}

lte_status bench_document_run(const bench_options *options)
{
    const char *path = options->update ? options->update : options->check;
    bench_stored stored;
    int n = 0;
    lte_status status = bench_stored_read(options->figures, &stored);
    for (int i = 0; i < N_BLOCKS && !status; i++) {
        block made = {.text = NULL};
        if (!has_block(path, blocks[i].name))
            continue;
        n++;
        status = make_block(&stored, i, &made);
        if (!status)
            status = take_block(options, &made);
        free(made.text);
    }
    bench_stored_free(&stored);
    if (!status && n == 0)
        status = LTE_FAIL(LTE_EIO, "%s: has no lines <!-- bench:headline --> or figures", path);
    return status;
}
