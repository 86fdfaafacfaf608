/* The README's few figures out of stored ones. */
#include "tests/bench/tables/headline.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/tables/table.h"

enum { CPU, CUDA, CUDA_LARGE, CODED, PEERS, N_FILES };
static const char *const file_names[N_FILES] = {"cpu.json", "cuda.json", "cuda_large.json",
                                                "coded.json", "peers.json"};

/* A row of a stored topic: the first whose cells are as told. */
typedef struct {
    int file;
    const char *topic;
    struct {
        const char *key, *text;
    } cells[4];
} place;

/* How a number follows from a figure and what is stored. */
typedef enum {
    NONE,
    STORED,   /* key times scale */
    OVER,     /* the figure over key */
    PER_SLOT, /* slots of key microseconds in 500 */
    SUM       /* key and other_key */
} relation;

typedef struct {
    const char *name;
    relation relation;
    const char *key, *other_key;
    double scale;
    const place *where; /* NULL: in the figure's row */
} beside;

typedef struct {
    const char *what, *unit;
    place where;
    const char *key;
    double scale;
    bool more_is_better;
    beside peer, ceiling;
} headline;

static const place sionna = {PEERS, "links", {{"peer", "Sionna 2.2"}, {"antennas", "4x4"}}};
static const place dx_4 = {PEERS, "inverses", {{"peer", "cuSolverDx 0.5"}, {"n", "4"}}};
static const place dx_8 = {PEERS, "inverses", {{"peer", "cuSolverDx 0.5"}, {"n", "8"}}};
static const place dx_32 = {PEERS, "inverses", {{"peer", "cuSolverDx 0.5"}, {"n", "32"}}};

static const place decoder = {PEERS, "turbo", {{"peer", "24 cores, published"}}};

static const headline rows[] = {
    {"GPU: BER sweep, 20 MHz 4x4, 16QAM, MMSE, whole program",
     "x 10^9 symbols/s",
     {CUDA, "gpu-sweep", {{"antennas", "4x4"}, {"inverter", "ldl"}, {"judged", "10^9 symbols/s"}}},
     "gsymbols_per_s",
     1.0,
     true,
     {"Sionna 2.2", STORED, "gsymbols_per_s", NULL, 1.0, &sionna},
     {"issue slots", NONE, NULL, NULL, 0.0, NULL}},
    {"GPU: 1,000,000 Hermitian inverses, 4 x 4",
     "us",
     {CUDA, "race", {{"n", "4"}, {"batch", "1000000"}, {"contender", "ldl 1"}, {"readme", "1"}}},
     "median_us",
     1.0,
     false,
     {"cuSolverDx 0.5", STORED, "us", NULL, 1.0, &dx_4},
     {"copy of the bytes", STORED, "copy_us", NULL, 1.0, NULL}},
    {"GPU: 1,000,000 Hermitian inverses, 8 x 8",
     "us",
     {CUDA, "race", {{"n", "8"}, {"batch", "1000000"}, {"contender", "ldl 1"}, {"readme", "1"}}},
     "median_us",
     1.0,
     false,
     {"cuSolverDx 0.5", STORED, "us", NULL, 1.0, &dx_8},
     {"copy of the bytes", STORED, "copy_us", NULL, 1.0, NULL}},
    {"GPU: 100,000 Hermitian inverses, 32 x 32",
     "us",
     {CUDA_LARGE,
      "inverse-large",
      {{"n", "32"}, {"batch", "100000"}, {"method", "cholesky-delayed"}, {"readme", "1"}}},
     "median_us",
     1.0,
     false,
     {"cuSolverDx 0.5", STORED, "us", NULL, 1.0, &dx_32},
     {"copy of the bytes", OVER, "over_copy", NULL, 1.0, NULL}},
    {"GPU: 20 MHz 4x4 slot, host to host, p99.9",
     "us",
     {CUDA, "gpu-slot", {{"antennas", "4x4"}, {"inverter", "ldl"}, {"placement", "host-fed"}}},
     "p999_us",
     1.0,
     false,
     {NULL, NONE, NULL, NULL, 0.0, NULL},
     {"empty kernel, and its bytes over the bus", SUM, "launch_us", "moved_us", 1.0, NULL}},
    {"GPU: 20 MHz 4x4 carriers on time, data there",
     "carriers",
     {CUDA,
      "gpu-slot",
      {{"antennas", "4x4"}, {"inverter", "ldl"}, {"placement", "device-resident"}}},
     "carriers",
     1.0,
     true,
     {NULL, NONE, NULL, NULL, 0.0, NULL},
     {"its bytes at the memory's rate", PER_SLOT, "moved_us", NULL, 1.0, NULL}},
    {"GPU: turbo decoding, 6144 bits, 6 iterations",
     "x 10^9 bits/s",
     {CODED, "gpu-turbo", {{"k", "6144"}, {"blocks", "4224"}}},
     "bits_per_s",
     1e-9,
     true,
     {"24 cores, published", STORED, "gbits_per_s", NULL, 1.0, &decoder},
     {"maxima of 16 bits", OVER, "of_ceiling", NULL, 1.0, NULL}},
    {"One core: the same sweep",
     "x 10^6 symbols/s",
     {CPU, "sweep", {{"antennas", "4x4"}, {"inverter", "ldl"}, {"code", "cpu:v4"}}},
     "median_symbols_per_s",
     1e-6,
     true,
     {"scalar C, same rules", OVER, "over_peer", NULL, 1.0, NULL},
     {NULL, NONE, NULL, NULL, 0.0, NULL}},
    {"One core: 1200 Hermitian inverses, 4 x 4",
     "us",
     {CPU, "inversion", {{"n", "4"}, {"contender", "ldl"}, {"code", "cpu:v4"}, {"readme", "1"}}},
     "median_us",
     1.0,
     false,
     {"Eigen", STORED, "eigen_us", NULL, 1.0, NULL},
     {"copy of the bytes", STORED, "copy_us", NULL, 1.0, NULL}},
};

/* True if a cell is the text, or the number, or true for 1. */
static bool is_cell(const json_t *value, const char *text)
{
    char number[32];
    if (json_is_string(value))
        return strcmp(json_string_value(value), text) == 0;
    if (json_is_true(value))
        return strcmp(text, "1") == 0;
    if (!json_is_integer(value))
        return false;
    (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return strcmp(number, text) == 0;
}

static const json_t *find(json_t *const *files, const place *p)
{
    const json_t *list = json_object_get(json_object_get(files[p->file], p->topic), "rows");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        bool is = true;
        for (int k = 0; k < 4 && p->cells[k].key; k++)
            is = is && is_cell(json_object_get(row, p->cells[k].key), p->cells[k].text);
        if (is)
            return row;
    }
    return NULL;
}

/* NAN if it is not there. */
static double number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* What stands beside a figure; NAN if there is none. */
static double value_of(json_t *const *files, const json_t *row, double figure, const beside *b)
{
    const json_t *at = b->where ? find(files, b->where) : row;
    switch (b->relation) {
    case STORED:
        return b->scale * number(at, b->key);
    case OVER:
        return figure / number(at, b->key);
    case PER_SLOT:
        return 500.0 / number(at, b->key);
    case SUM:
        return number(at, b->key) + number(at, b->other_key);
    case NONE:
        break;
    }
    return (double)NAN;
}

static void print_beside(FILE *out, const char *name, double value)
{
    char text[32];
    bench_real_text(value, text, sizeof text);
    if (!name)
        (void)fputs("| - ", out);
    else if (isfinite(value))
        (void)fprintf(out, "| %s: %s ", name, text);
    else
        (void)fprintf(out, "| %s ", name);
}

static void print_row(FILE *out, json_t *const *files, const headline *h)
{
    const json_t *row = find(files, &h->where);
    const double figure = h->scale * number(row, h->key);
    const double peer = value_of(files, row, figure, &h->peer);
    const double ceiling = value_of(files, row, figure, &h->ceiling);
    char text[32];
    if (!isfinite(figure))
        return;
    bench_real_text(figure, text, sizeof text);
    (void)fprintf(out, "| %s | %s %s ", h->what, text, h->unit);
    print_beside(out, h->peer.name, peer);
    bench_real_text(h->more_is_better ? figure / peer : peer / figure, text, sizeof text);
    (void)fprintf(out, "| %s%s ", isfinite(peer) ? text : "-", isfinite(peer) ? " x" : "");
    print_beside(out, h->ceiling.name, ceiling);
    if (isfinite(ceiling))
        (void)fprintf(out, "| %.0f %% |\n",
                      100.0 * (h->more_is_better ? figure / ceiling : ceiling / figure));
    else
        (void)fputs("| - |\n", out);
}

static const char *text_of(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text ? text : "unknown";
}

lte_status bench_headline_print(FILE *out, const char *folder)
{
    json_t *files[N_FILES] = {NULL};
    lte_status status = LTE_OK;
    for (int i = 0; i < N_FILES && !status; i++) {
        char path[4096];
        json_error_t error;
        (void)snprintf(path, sizeof path, "%s/%s", folder, file_names[i]);
        files[i] = json_load_file(path, 0, &error);
        if (!files[i])
            status = LTE_FAIL(LTE_EIO, "%s:%d: %s", path, error.line, error.text);
    }
    if (!status) {
        (void)fputs("| figure | ltesim | strongest peer | over it | ceiling | share of it |\n"
                    "| --- | ---: | --- | ---: | --- | ---: |\n",
                    out);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            print_row(out, files, &rows[i]);
        (void)fprintf(
            out,
            "\nGPU: %s, %.10s, revision %s (32 x 32: %s, turbo: %s). One core: %s, %.10s, "
            "revision %s. "
            "Sionna and cuSolverDx: %s. Turbo decoders: as published.\n",
            text_of(json_object_get(files[CUDA], "gpu"), "name"), text_of(files[CUDA], "date"),
            text_of(files[CUDA], "revision"), text_of(files[CUDA_LARGE], "revision"),
            text_of(files[CODED], "revision"), text_of(files[CPU], "machine"),
            text_of(files[CPU], "date"), text_of(files[CPU], "revision"),
            text_of(files[PEERS], "source"));
    }
    for (int i = 0; i < N_FILES; i++)
        json_decref(files[i]);
    return status;
}
