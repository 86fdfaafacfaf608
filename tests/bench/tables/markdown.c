/* Tables out of stored figures, between two lines of a document. */
#include "tests/bench/tables/headline.h"
#include "tests/bench/tables/report.h"

#include <stdlib.h>
#include <string.h>

/* What stands between two lines of a document. */
typedef struct {
    char begin_line[64], end_line[64];
    char *text; /* the caller frees it */
} block;

/* A topic's table, if the file has rows for it. */
static lte_status print_topic(FILE *out, const bench_topic *topic, const json_t *root)
{
    const json_t *rows = json_object_get(json_object_get(root, topic->name), "rows");
    bool any = false;
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows, i, row)
    {
        any = any || json_is_true(json_object_get(row, "readme"));
    }
    if (!any)
        return LTE_OK;
    (void)fprintf(out, "\n**%s.** %s\n\n", topic->title, topic->note);
    return bench_table_print(out, topic->readme, rows, BENCH_TABLE_MARKDOWN);
}

static const char *text_of(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text ? text : "unknown";
}

/* Files without a block are of the CPU. */
static const char *block_name(const json_t *root)
{
    const char *name = json_string_value(json_object_get(root, "block"));
    return name ? name : "cpu";
}

/* Where the figures come from. */
static void print_source(FILE *out, const json_t *root)
{
    const json_t *gpu = json_object_get(root, "gpu");
    const bool quick = json_is_true(json_object_get(root, "quick"));
    (void)fprintf(out, "Measured %.10s on ", text_of(root, "date"));
    if (!gpu)
        (void)fprintf(out, "%s, %s, revision %s, LAPACK: %s.", text_of(root, "machine"),
                      text_of(root, "compiler"), text_of(root, "revision"),
                      text_of(root, "lapack"));
    else
        (void)fprintf(out, "%s, driver %s, CUDA %s, %s, %s, revision %s.", text_of(gpu, "name"),
                      text_of(gpu, "driver"), text_of(gpu, "toolkit"), text_of(gpu, "libraries"),
                      text_of(root, "compiler"), text_of(root, "revision"));
    (void)fputs(quick ? " A quick look only.\n" : "\n", out);
}

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

/* The block that a stored JSON fills; its text is the caller's to free in every case. */
static lte_status block_of(const char *path, block *made)
{
    json_error_t error;
    size_t size = 0;
    lte_status status = LTE_OK;
    *made = (block){.text = NULL};
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        return LTE_FAIL(LTE_EIO, "%s:%d: %s", path, error.line, error.text);
    const char *name = block_name(root);
    FILE *out = block_open(made, name, &size);
    if (!out) {
        json_decref(root);
        return LTE_FAIL(LTE_ENOMEM, "no memory for the tables of %s", path);
    }
    print_source(out, root);
    for (int i = 0; bench_topics[i] && !status; i++) { /* of "cuda" in "cuda-large", too */
        if (strncmp(bench_topics[i]->block, name, strlen(bench_topics[i]->block)) == 0)
            status = print_topic(out, bench_topics[i], root);
    }
    json_decref(root);
    return block_close(out, made, path, status);
}

/* The block of the few figures, out of the files of a folder. */
static lte_status headline_of(const char *folder, block *made)
{
    size_t size = 0;
    FILE *out = block_open(made, "headline", &size);
    if (!out)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the tables of %s", folder);
    return block_close(out, made, folder, bench_headline_print(out, folder));
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
                          const char *option, const char *source)
{
    const span found = find_block(path, text, wanted);
    if (!found.start)
        return LTE_EIO;
    const int differ = print_differences(path, found, wanted->text);
    if (differ > 0)
        return LTE_FAIL(LTE_EIO,
                        "%s differs from %s in %d lines; mend it with ltebench %s %s --update %s",
                        path, source, differ, option, source, path);
    return LTE_OK;
}

lte_status bench_markdown_run(const bench_options *options)
{
    const char *path = options->update ? options->update : options->check;
    char *text = NULL;
    block made;
    const char *source = options->headline ? options->headline : options->markdown;
    lte_status status = options->headline ? headline_of(source, &made) : block_of(source, &made);
    if (status || !made.text)
        goto cleanup;
    if (!path) {
        (void)fputs(made.text, stdout);
        goto cleanup;
    }
    status = bench_file_read(path, &text);
    if (!status)
        status = options->update ? replace(path, text, &made)
                                 : compare(path, text, &made,
                                           options->headline ? "--headline" : "--markdown", source);
cleanup:
    free(made.text);
    free(text);
    return status;
}
