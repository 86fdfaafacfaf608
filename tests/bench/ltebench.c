/* ltebench: times the stages against peers. README.md here says what is compared. */
#include "tests/bench/bench.h"
#include "tests/bench/topics/gpu_topics.h"
#include "tests/bench/tables/figures.h"
#include "tests/bench/tables/report.h"

#include <stdlib.h>
#include <string.h>

const bench_topic *const bench_topics[] = {
    &bench_topic_memory, /* first, while this process is small */
    &bench_topic_inversion,
    &bench_topic_inverse_large_cpu,
    &bench_topic_sweep,
    &bench_topic_slot,
    &bench_topic_turbo,
    &bench_topic_growth,
    &bench_topic_race,
    &bench_topic_detector,
    &bench_topic_gpu_turbo,
    &bench_topic_gpu_coded,
    &bench_topic_gpu_clock,
    &bench_topic_gpu_sweep,
    &bench_topic_gpu_slot,
    &bench_topic_gpu_channels,
    &bench_topic_gpu_massive,
    &bench_topic_transpose,
    &bench_topic_reference,
    &bench_topic_inverse_large,
    &bench_topic_product, /* its checks take all processors */
    NULL,
};

static void print_help(void)
{
    (void)puts(
        "ltebench: times the stages against peers, on one core and on one GPU\n"
        "\n"
        "  --json FILE        store the figures\n"
        "  --only TOPIC       one of the topics below\n"
        "  --race             the topics on the GPU\n"
        "  --quick            few repetitions: a look, not a measurement\n"
        "  --sweep COMMAND    the command whose peak memory is measured\n"
        "  --peer [LEVEL=]PATH  a program that prints \"... X symbols/s\" for a 4x4 link,\n"
        "                     compared with LEVEL (cpu:v3, ...; default the fastest);\n"
        "                     up to four times\n"
        "  --peer torch=COMMAND  a command that prints \"NxN 16QAM MMSE: X symbols/s\" for\n"
        "                     2x2, 4x4 and 8x8 links on the GPU\n"
        "  --peer turbo=COMMAND  a decoder's command that prints \"K = 6144: X bits/s\", and of\n"
        "                     other sizes, of information bits\n"
        "  --program PATH     the ltesim that the topics gpu-sweep, gpu-coded, gpu-clock,\n"
        "                     gpu-slot, gpu-channels and gpu-massive run (default: that of this "
        "build)\n"
        "  --beside FOLDER    print the figures of the stored files of a folder beside those of\n"
        "                     this run\n"
        "  --figures FOLDER   print the figures of the stored files of a folder, measure nothing\n"
        "      --update FILE  put them in this document instead\n"
        "      --check FILE   compare this document's with them, exit 1 if they differ\n"
        "  --help\n"
        "\n"
        "topics:");
    for (int i = 0; bench_topics[i]; i++)
        (void)printf("  %-18s %s\n", bench_topics[i]->name, bench_topics[i]->title);
}

static void say(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)fprintf(stderr, "ltebench: %s\n", text);
}

static lte_status run_topic(const bench_topic *topic, const bench_options *options, json_t *root)
{
    json_t *rows = json_array();
    (void)fprintf(stderr, "ltebench: %s\n", topic->name);
    lte_status status = topic->run(options, rows);
    if (!status) {
        (void)printf("\n%s\n%s\n\n", topic->title, topic->note);
        status = bench_table_print(stdout, topic->print, rows);
        (void)fflush(stdout);
    }
    json_t *entry =
        json_pack("{s:s, s:s, s:o}", "title", topic->title, "note", topic->note, "rows", rows);
    if (json_object_set_new(root, topic->name, entry) != 0 && !status)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the figures");
    return status;
}

/* A member on a line of its own. */
static bool put_member(FILE *out, const char *key, const json_t *value, const char *indent,
                       bool first)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    (void)fprintf(out, "%s%s\"%s\": %s", first ? "" : ",\n", indent, key, text ? text : "");
    free(text);
    return text != NULL;
}

/* A topic, each of its rows on a line of its own. */
static bool put_topic(FILE *out, const char *name, const json_t *topic)
{
    const json_t *rows = json_object_get(topic, "rows");
    bool good = true;
    (void)fprintf(out, ",\n \"%s\": {\n", name);
    good = put_member(out, "title", json_object_get(topic, "title"), "  ", true) &&
           put_member(out, "note", json_object_get(topic, "note"), "  ", false);
    (void)fputs(",\n  \"rows\": [", out);
    for (size_t i = 0; i < json_array_size(rows) && good; i++) {
        char *text = json_dumps(json_array_get(rows, i), JSON_REAL_PRECISION(6));
        (void)fprintf(out, "%s\n   %s", i ? "," : "", text ? text : "");
        good = text != NULL;
        free(text);
    }
    (void)fputs("]}", out);
    return good;
}

/* One row a line, so that a stored file is read and compared by eye. */
static lte_status store(const char *path, const json_t *root)
{
    char *whole = NULL;
    size_t size = 0;
    bool good = true, first = true;
    const char *key;
    json_t *value;
    FILE *out = open_memstream(&whole, &size);
    if (!out)
        return LTE_FAIL(LTE_ENOMEM, "no memory to write %s", path);
    (void)fputs("{\n", out);
    json_object_foreach((json_t *)root, key, value)
    {
        good = good && (json_object_get(value, "rows") ? put_topic(out, key, value)
                                                       : put_member(out, key, value, " ", first));
        first = false;
    }
    (void)fputs("\n}\n", out);
    good = fclose(out) == 0 && good;
    const lte_status status = good ? bench_file_replace(path, whole)
                                   : LTE_FAIL(LTE_ENOMEM, "no memory to write %s", path);
    free(whole);
    return status;
}

/* What this machine has reached beside what is stored. */
static lte_status print_beside(const char *folder, const json_t *root)
{
    bench_stored stored;
    const lte_status status = bench_stored_read(folder, &stored);
    if (!status && bench_figures_beside(stdout, &stored, root) == 0)
        (void)puts("\nnothing is stored of what was measured");
    bench_stored_free(&stored);
    return status;
}

static bool is_wanted(const bench_topic *topic, const bench_options *options)
{
    if (options->race)
        return strcmp(topic->group, "cuda") == 0;
    return !options->only || strcmp(options->only, topic->name) == 0;
}

/* A topic, unless this machine cannot run it: then a line, or a failure if it was asked for. */
static lte_status run_if_present(const bench_topic *topic, const bench_options *options,
                                 json_t *root)
{
    const char *absent = topic->absent ? topic->absent() : NULL;
    const bool asked = options->race || options->only;
    if (absent && asked)
        return LTE_FAIL(LTE_EDEVICE, "%s: %s", topic->name, absent);
    if (absent) {
        (void)fprintf(stderr, "ltebench: %s: skipped, %s\n", topic->name, absent);
        return LTE_OK;
    }
    lte_status status = run_topic(topic, options, root);
    if (!status && topic->absent == bench_device_absent && !json_object_get(root, "gpu")) {
        json_t *gpu = bench_machine_gpu(); /* after the work, with the clocks that it ran at */
        if (!gpu || json_object_set_new(root, "gpu", gpu) != 0)
            status = LTE_FAIL(LTE_EDEVICE, "the GPU cannot be described");
    }
    return status;
}

static lte_status measure(const bench_options *options)
{
    lte_status status = LTE_OK;
    json_t *root = bench_machine_describe();
    if (!root)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the figures");
    (void)json_object_set_new(root, "quick", json_boolean(options->quick));
    for (int i = 0; bench_topics[i] && !status; i++) {
        if (is_wanted(bench_topics[i], options))
            status = run_if_present(bench_topics[i], options, root);
    }
    if (!status && options->json)
        status = store(options->json, root);
    if (!status && options->beside)
        status = print_beside(options->beside, root);
    json_decref(root);
    return status;
}

int main(int argc, char **argv)
{
    bench_options options;
    (void)lte_fail_handler_set(say);
    if (bench_options_parse(argc, argv, &options))
        return 2;
    if (options.help) {
        print_help();
        return 0;
    }
    return (options.figures ? bench_document_run(&options) : measure(&options)) ? 1 : 0;
}
