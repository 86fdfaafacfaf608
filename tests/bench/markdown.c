#include "tests/bench/report.h"

#include <stdlib.h>
#include <string.h>

static const char begin_line[] = "<!-- bench:cpu -->\n", end_line[] = "<!-- /bench:cpu -->\n";

/* A topic's table, if the file has rows for it. */
static lte_status print_topic(FILE *out, const lte_topic *topic, const json_t *root)
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
    return lte_table_print(out, topic->readme, rows, LTE_TABLE_MARKDOWN);
}

static const char *text_of(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text ? text : "unknown";
}

/* The block between the lines, which the caller frees. */
static lte_status block_of(const char *path, char **block)
{
    json_error_t error;
    size_t size = 0;
    lte_status status = LTE_OK;
    *block = NULL;
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        return LTE_FAIL(LTE_EIO, "%s:%d: %s", path, error.line, error.text);
    FILE *out = open_memstream(block, &size);
    if (!out) {
        json_decref(root);
        return LTE_FAIL(LTE_ENOMEM, "no memory for the tables of %s", path);
    }
    (void)fprintf(out, "Measured %.10s on %s, %s, revision %s, LAPACK: %s.%s\n",
                  text_of(root, "date"), text_of(root, "machine"), text_of(root, "compiler"),
                  text_of(root, "revision"), text_of(root, "lapack"),
                  json_is_true(json_object_get(root, "quick")) ? " A quick look only." : "");
    for (int i = 0; lte_topics[i] && !status; i++)
        status = print_topic(out, lte_topics[i], root);
    if (fclose(out) != 0 || !*block)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the tables of %s", path);
    json_decref(root);
    return status;
}

/* The text between the lines. */
typedef struct {
    const char *start; /* NULL: the lines are missing */
    size_t length;
} span;

static span find_block(const char *path, const char *text)
{
    span found = {strstr(text, begin_line), 0};
    const char *end = found.start ? strstr(found.start, end_line) : NULL;
    if (!end) {
        (void)LTE_FAIL(LTE_EIO, "%s: the lines %.18s and %.19s are missing", path, begin_line,
                       end_line);
        return (span){NULL, 0};
    }
    found.start += strlen(begin_line);
    found.length = (size_t)(end - found.start);
    return found;
}

static lte_status replace(const char *path, const char *text, const char *block)
{
    const span found = find_block(path, text);
    char *whole = NULL;
    if (!found.start)
        return LTE_EIO;
    const int before = (int)(found.start - text);
    if (asprintf(&whole, "%.*s%s%s", before, text, block, found.start + found.length) < 0)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %s", path);
    const lte_status status = lte_file_replace(path, whole);
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

static lte_status compare(const char *path, const char *text, const char *block, const char *source)
{
    const span found = find_block(path, text);
    if (!found.start)
        return LTE_EIO;
    const int differ = print_differences(path, found, block);
    if (differ > 0)
        return LTE_FAIL(LTE_EIO,
                        "%s differs from %s in %d lines; "
                        "mend it with ltebench --markdown %s --update %s",
                        path, source, differ, source, path);
    return LTE_OK;
}

lte_status lte_markdown_run(const lte_bench_options *options)
{
    const char *path = options->update ? options->update : options->check;
    char *block = NULL, *text = NULL;
    lte_status status = block_of(options->markdown, &block);
    if (status || !block)
        goto cleanup;
    if (!path) {
        (void)fputs(block, stdout);
        goto cleanup;
    }
    status = lte_file_read(path, &text);
    if (!status)
        status = options->update ? replace(path, text, block)
                                 : compare(path, text, block, options->markdown);
cleanup:
    free(block);
    free(text);
    return status;
}
