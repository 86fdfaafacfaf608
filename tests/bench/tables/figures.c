/* Figures out of stored ones. */
#include "tests/bench/tables/figures.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/bench/tables/table.h"

enum { CPU, CPU_LARGE, TURBO, CUDA, CUDA_LARGE, CODED, PEERS };
static const char *const file_names[BENCH_N_FILES] = {"cpu.json",  "cpu_large.json",  "turbo.json",
                                                      "cuda.json", "cuda_large.json", "coded.json",
                                                      "peers.json"};

/* The tables. */
typedef enum { ONE_CORE, INVERSES, SIMULATOR, CODE, N_TABLES } table_id;
static const char *const titles[N_TABLES] = {"One core", "One GPU: inverses",
                                             "One GPU: sweeps, slots, and the other methods",
                                             "One GPU: coded links"};

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
    TIMES,    /* the figure times key */
    SUM       /* key and other_key */
} relation;

typedef struct {
    const char *name; /* "@key": what the row has there */
    relation relation;
    const char *key, *other_key;
    double scale;
    const place *where; /* NULL: in the figure's row */
} beside;

typedef struct {
    table_id table;
    int few; /* place in the project's README; 0: it does not stand there */
    const char *what, *unit;
    place where;
    const char *key;
    double scale;
    bool more_is_better;
    beside peer, ceiling;
} figure;

static const place sionna_2 = {PEERS, "links", {{"peer", "Sionna 2.2"}, {"antennas", "2x2"}}};
static const place sionna_4 = {PEERS, "links", {{"peer", "Sionna 2.2"}, {"antennas", "4x4"}}};
static const place sionna_8 = {PEERS, "links", {{"peer", "Sionna 2.2"}, {"antennas", "8x8"}}};
static const place decoder = {PEERS, "turbo", {{"peer", "24 cores, published"}}};
/* clang-format off */
#define DX(n) {PEERS, "inverses", {{"peer", "cuSolverDx 0.5"}, {"n", n}}}
static const place dx_2 = DX("2"), dx_4 = DX("4"), dx_8 = DX("8"), dx_16 = DX("16");
static const place dx_32 = DX("32"), dx_64 = DX("64"), dx_128 = DX("128");

#define COPY {"copy of the bytes", STORED, "copy_us", NULL, 1.0, NULL}
#define COPIES {"copy of the bytes", OVER, "over_copy", NULL, 1.0, NULL}
#define PEER_US(name, key) {name, STORED, key, NULL, 1.0, NULL}
#define PEER_RATIO(name, key) {name, OVER, key, NULL, 1.0, NULL}
#define PUBLISHED(place) {"cuSolverDx 0.5", STORED, "us", NULL, 1.0, &(place)}
#define CORES_24 {"24 cores, published", STORED, "gbits_per_s", NULL, 1.0, &decoder}
#define NOTHING {NULL, NONE, NULL, NULL, 0.0, NULL}

/* 1200 inverses of order n on a core: Hermitian ones without pivoting, any with full pivoting. */
#define CORE_INVERSES(n, is_few)                                                                   \
    {ONE_CORE, is_few, "1200 Hermitian inverses " n " x " n " (ldl)", "us",                        \
     {CPU, "inversion", {{"n", n}, {"contender", "ldl"}, {"code", "cpu:v4"}}}, "median_us", 1.0,   \
     false, PEER_US("@peer", "peer_us"), COPY},                                  \
    {ONE_CORE, 0, "1200 inverses " n " x " n ", full pivoting (gauss-jordan)", "us",           \
     {CPU, "inversion", {{"n", n}, {"contender", "gauss-jordan"}, {"code", "cpu:v4"}}},            \
     "median_us", 1.0, false, PEER_US("@peer", "peer_us"), COPY}
/* As raced on a core on which MKL has its AVX-512 code path. */
#define XEON_INVERSES(n, is_few)                                                                   \
    {ONE_CORE, is_few, "1200 Hermitian inverses " n " x " n " (ldl), on a Xeon", "us",             \
     {PEERS, "core-inverses", {{"peer", "MKL 2026.2, compact"}, {"n", n}}}, "ldl_us", 1.0, false,  \
     PEER_US("MKL compact, no pivoting", "us"), NOTHING}
#define CORE_LARGE(n)                                                                              \
    {ONE_CORE, 0, "a Hermitian inverse " n " x " n " (cholesky-delayed)", "us",                \
     {CPU_LARGE, "inverse-large-cpu",                                                              \
      {{"n", n}, {"method", "cholesky-delayed"}, {"contender", "v4"}}},                            \
     "median_us", 1.0, false,                                                                      \
     {"LAPACK potrf + potri", TIMES, "lapack_over_this", NULL, 1.0, NULL}, NOTHING}
#define CORE_SWEEP(antennas, is_few)                                                               \
    {ONE_CORE, is_few, "BER sweep " antennas ", 16QAM, MMSE", "x 10^6 symbols/s",                  \
     {CPU, "sweep", {{"antennas", antennas}, {"inverter", "ldl"}, {"code", "cpu:v4"}}},            \
     "median_symbols_per_s", 1e-6, true, PEER_RATIO("scalar C, same rules", "over_peer"), NOTHING}
#define CORE_SLOT(antennas)                                                                        \
    {ONE_CORE, 0, "20 MHz " antennas " slot, p50", "us",                                       \
     {CPU, "slot", {{"antennas", antennas}, {"inverter", "ldl"}}}, "p50_us", 1.0, false, NOTHING,  \
     NOTHING}
/* On the GPU: a slot's 1200 and a million, both inverters. */
#define SLOT_INVERSES(n)                                                                           \
    {INVERSES, 0, "1200 Hermitian inverses " n " x " n " (ldl)", "us",                         \
     {CUDA, "race", {{"n", n}, {"batch", "1200"}, {"chosen", "chosen"}, {"inverter", "ldl"}}},     \
     "median_us", 1.0, false, PEER_US("@library", "library_us"), COPY},              \
    {INVERSES, 0, "1200 inverses " n " x " n ", full pivoting (gauss-jordan)", "us",           \
     {CUDA, "race",                                                                                \
      {{"n", n}, {"batch", "1200"}, {"chosen", "chosen"}, {"inverter", "gauss-jordan"}}},          \
     "median_us", 1.0, false, PEER_US("@library", "library_us"), COPY}
#define BULK_INVERSES(n, is_few, dx)                                                               \
    {INVERSES, is_few, "1,000,000 Hermitian inverses " n " x " n " (ldl)", "us",                   \
     {CUDA, "race", {{"n", n}, {"batch", "1000000"}, {"chosen", "chosen"}, {"inverter", "ldl"}}},  \
     "median_us", 1.0, false, PUBLISHED(dx), COPY},                                                \
    {INVERSES, 0, "1,000,000 inverses " n " x " n ", full pivoting (gauss-jordan)", "us",      \
     {CUDA, "race",                                                                                \
      {{"n", n}, {"batch", "1000000"}, {"chosen", "chosen"}, {"inverter", "gauss-jordan"}}},       \
     "median_us", 1.0, false, PEER_US("@library", "library_us"), COPY}
#define LARGE_INVERSES(n, many, is_few, dx)                                                        \
    {INVERSES, is_few, many " Hermitian inverses " n " x " n " (cholesky-delayed)", "us",          \
     {CUDA_LARGE, "inverse-large",                                                                 \
      {{"n", n}, {"method", "cholesky-delayed"}, {"chosen", "chosen"}}},                           \
     "median_us", 1.0, false, PUBLISHED(dx), COPIES},                                              \
    {INVERSES, 0, many " inverses " n " x " n ", partial pivoting (lu-delayed)", "us",         \
     {CUDA_LARGE, "inverse-large", {{"n", n}, {"method", "lu-delayed"}, {"chosen", "chosen"}}},    \
     "median_us", 1.0, false,                                                                      \
     {"cuBLAS, the best of two", TIMES, "library_over_this", NULL, 1.0, NULL}, COPIES}
#define GPU_SWEEP(antennas, is_few, peer)                                                          \
    {SIMULATOR, is_few, "BER sweep " antennas ", 16QAM, MMSE, whole program", "x 10^9 symbols/s",  \
     {CUDA, "gpu-sweep", {{"antennas", antennas}, {"inverter", "ldl"}}}, "gsymbols_per_s", 1.0,    \
     true, {"Sionna 2.2", STORED, "gsymbols_per_s", NULL, 1.0, &(peer)},                           \
     {"issue slots", NONE, NULL, NULL, 0.0, NULL}}
#define GPU_SLOT(antennas, is_few)                                                                 \
    {SIMULATOR, is_few, "20 MHz " antennas " slot, host to host, p99.9 of 20,000", "us",           \
     {CUDA, "gpu-slot", {{"antennas", antennas}, {"inverter", "ldl"}, {"placement", "host-fed"}}}, \
     "p999_us", 1.0, false, NOTHING,                                                               \
     {"empty kernel, and its bytes over the bus", SUM, "launch_us", "moved_us", 1.0, NULL}}
#define GPU_CARRIERS(antennas, is_few)                                                             \
    {SIMULATOR, is_few, "20 MHz " antennas " carriers on time, data on the device", "carriers",    \
     {CUDA, "gpu-slot",                                                                            \
      {{"antennas", antennas}, {"inverter", "ldl"}, {"placement", "device-resident"}}},            \
     "carriers", 1.0, true, NOTHING,                                                               \
     {"its bytes at the memory's rate", PER_SLOT, "moved_us", NULL, 1.0, NULL}}
#define GPU_MASSIVE(antennas)                                                                      \
    {SIMULATOR, 0, "20 MHz " antennas " carriers on time, data on the device", "carriers",     \
     {CUDA_LARGE, "gpu-massive", {{"antennas", antennas}, {"placement", "device-resident"}}},      \
     "carriers", 1.0, true, NOTHING,                                                               \
     {"its bytes at the memory's rate", PER_SLOT, "moved_us", NULL, 1.0, NULL}}
#define TURBO_GPU(k, blocks, is_few, peer)                                                         \
    {CODE, is_few, "turbo decoding, " k " bits, 6 iterations", "x 10^9 bits/s",                    \
     {CODED, "gpu-turbo", {{"k", k}, {"blocks", blocks}}}, "bits_per_s", 1e-9, true, peer,         \
     {"maxima of 16 bits", OVER, "of_ceiling", NULL, 1.0, NULL}}
#define CLOCK(what, name, place_of, key, unit, more)                                               \
    {CODE, 0, name, unit, {CODED, "gpu-clock", {{"what", what}, {"placement", place_of}}},     \
     key, 1.0, more, NOTHING, NOTHING}

static const figure figures[] = {
    CORE_SWEEP("4x4", 7), CORE_SWEEP("2x2", 0), CORE_SWEEP("8x8", 0),
    CORE_INVERSES("4", 8), CORE_INVERSES("2", 0), CORE_INVERSES("8", 0),
    XEON_INVERSES("4", 9), XEON_INVERSES("2", 0), XEON_INVERSES("8", 0),
    CORE_LARGE("16"), CORE_LARGE("32"), CORE_LARGE("64"), CORE_LARGE("128"),
    CORE_SLOT("4x4"), CORE_SLOT("8x8"),
    {ONE_CORE, 0, "turbo decoding, 6144 bits, 6 iterations", "x 10^6 bits/s",
     {TURBO, "turbo", {{"k", "6144"}, {"code", "cpu:v4"}}}, "bits_per_s", 1e-6, true,
     {"24 cores, published, / 24", STORED, "gbits_per_s", NULL, 1e3 / 24.0, &decoder}, NOTHING},

    SLOT_INVERSES("4"), SLOT_INVERSES("8"),
    BULK_INVERSES("2", 0, dx_2), BULK_INVERSES("4", 2, dx_4), BULK_INVERSES("8", 0, dx_8),
    LARGE_INVERSES("16", "1,000,000", 0, dx_16), LARGE_INVERSES("32", "100,000", 3, dx_32),
    LARGE_INVERSES("64", "100,000", 0, dx_64), LARGE_INVERSES("128", "20,000", 0, dx_128),

    GPU_SWEEP("4x4", 1, sionna_4), GPU_SWEEP("2x2", 0, sionna_2),
    GPU_SWEEP("8x8", 0, sionna_8),
    {SIMULATOR, 0, "BER sweep 4x4, 16QAM, MMSE, against PyTorch", "x 10^9 symbols/s",
     {CUDA, "gpu-sweep", {{"antennas", "4x4"}, {"inverter", "ldl"}}}, "gsymbols_per_s", 1.0, true,
     {"PyTorch, compiled", STORED, "peer_gsymbols_per_s", NULL, 1.0, NULL}, NOTHING},
    GPU_SLOT("4x4", 4), GPU_SLOT("8x8", 0),
    GPU_CARRIERS("4x4", 5), GPU_CARRIERS("8x8", 0),
    GPU_MASSIVE("64x8"), GPU_MASSIVE("64x16"), GPU_MASSIVE("128x32"),
    {SIMULATOR, 0, "transposition, 4096 x 4096 floats", "us",
     {CUDA, "transpose", {{"what", "float, 4096 x 4096"}, {"contender", "version 2"}}}, "median_us",
     1.0, false, PEER_US("cuBLAS geam", "library_us"),
     {"copy of the bytes", STORED, "ceiling_us", NULL, 1.0, NULL}},
    {SIMULATOR, 0, "azimuth reference matrix, 4096 x 4096", "us",
     {CUDA, "reference", {{"what", "azimuth, two planes"}, {"contender", "version 2"}}},
     "median_us", 1.0, false, NOTHING,
     {"fill of the bytes", STORED, "ceiling_us", NULL, 1.0, NULL}},
    {SIMULATOR, 0, "product, 4096 x 4096 floats, stored in 2 x 2 blocks", "us",
     {CUDA_LARGE, "product", {{"what", "float, 4096"}, {"order", "[2][2][n/2][n/2]"}}}, "median_us",
     1.0, false, PEER_US("cuBLAS gemm, row-major", "library_us"), NOTHING},

    TURBO_GPU("6144", "4224", 6, CORES_24),
    TURBO_GPU("512", "50688", 0, NOTHING),
    {CODE, 0, "coded BLER sweep 4x4, 16QAM, rate 1/2", "us a subframe",
     {CODED, "gpu-coded", {{"what", "coded sweep, 6 iterations"}}}, "us_of_subframe", 1.0, false,
     NOTHING, {"its detection and decoding alone", TIMES, "share", NULL, 1.0, NULL}},
    {CODE, 0, "coded BLER sweep 4x4 to 100 wrong blocks at a BLER of 1e-5", "s",
     {CODED, "gpu-coded", {{"what", "to 100 wrong blocks, 17 dB, early stop"}}}, "wall_s", 1.0,
     false, NOTHING, NOTHING},
    CLOCK("H estimated", "subframe 4x4, channel estimated, median after its second slot",
          "host-fed", "block_p50_us", "us", false),
    CLOCK("H estimated", "subframes 4x4 on time, channel estimated, data on the device",
          "device-resident", "carriers", "carriers", true),
};
/* clang-format on */
enum { N_FIGURES = sizeof figures / sizeof *figures };

/* ---- rows ---- */

/* True if a cell is the text, or the number. */
static bool is_cell(const json_t *value, const char *text)
{
    char number[32];
    if (json_is_string(value))
        return strcmp(json_string_value(value), text) == 0;
    if (!json_is_integer(value))
        return false;
    (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return strcmp(number, text) == 0;
}

/* The row in a file, or in what a run has found; NULL: there is none. */
static const json_t *find(const json_t *root, const place *p)
{
    const json_t *list = json_object_get(json_object_get(root, p->topic), "rows");
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
static double value_of(const bench_stored *stored, const json_t *row, double value, const beside *b)
{
    const json_t *at = b->where ? find(stored->file[b->where->file], b->where) : row;
    switch (b->relation) {
    case STORED:
        return b->scale * number(at, b->key);
    case OVER:
        return value / number(at, b->key);
    case PER_SLOT:
        return 500.0 / number(at, b->key);
    case TIMES:
        return value * number(at, b->key);
    case SUM:
        return number(at, b->key) + number(at, b->other_key);
    case NONE:
        break;
    }
    return (double)NAN;
}

/* ---- documents ---- */

static void print_beside(FILE *out, const char *name, double value, const json_t *row)
{
    char text[32];
    if (name && *name == '@')
        name = json_string_value(json_object_get(row, name + 1));
    bench_real_text(value, text, sizeof text);
    if (!name)
        (void)fputs("| - ", out);
    else if (isfinite(value))
        (void)fprintf(out, "| %s: %s ", name, text);
    else
        (void)fprintf(out, "| %s ", name);
}

static void print_row(FILE *out, const bench_stored *stored, const figure *f, const char *head)
{
    const json_t *row = find(stored->file[f->where.file], &f->where);
    const double value = f->scale * number(row, f->key);
    const double peer = value_of(stored, row, value, &f->peer);
    const double ceiling = value_of(stored, row, value, &f->ceiling);
    const bool has_peer = isfinite(peer) && f->peer.name;
    char text[32];
    if (!isfinite(value))
        return;
    bench_real_text(value, text, sizeof text);
    (void)fprintf(out, "| %s%s | %s %s ", head, f->what, text, f->unit);
    print_beside(out, has_peer || f->peer.relation == NONE ? f->peer.name : NULL, peer, row);
    bench_real_text(f->more_is_better ? value / peer : peer / value, text, sizeof text);
    (void)fprintf(out, "| %s%s ", has_peer ? text : "-", has_peer ? " x" : "");
    print_beside(out, f->ceiling.name, ceiling, row);
    if (isfinite(ceiling))
        (void)fprintf(out, "| %.0f %% |\n",
                      100.0 * (f->more_is_better ? value / ceiling : ceiling / value));
    else
        (void)fputs("| - |\n", out);
}

static const char *text_of(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text ? text : "unknown";
}

static void print_head(FILE *out)
{
    (void)fputs("| figure | ltesim | strongest peer | over it | ceiling | share of it |\n"
                "| --- | ---: | --- | ---: | --- | ---: |\n",
                out);
}

/* "AMD EPYC, 2026-11-23, revision a2eaf55" of a file, with its GPU if it has one. */
static void print_source(FILE *out, const bench_stored *stored, int file)
{
    const json_t *root = stored->file[file], *gpu = json_object_get(root, "gpu");
    (void)fprintf(out, "%s, %.10s, revision %s",
                  gpu ? text_of(gpu, "name") : text_of(root, "machine"), text_of(root, "date"),
                  text_of(root, "revision"));
}

static void print_table(FILE *out, const bench_stored *stored, table_id table)
{
    bool used[BENCH_N_FILES] = {false};
    const char *between = "";
    (void)fprintf(out, "\n### %s\n\n", titles[table]);
    print_head(out);
    for (int i = 0; i < N_FIGURES; i++) {
        if (figures[i].table != table)
            continue;
        print_row(out, stored, &figures[i], "");
        used[figures[i].where.file] = true;
    }
    (void)fputs("\n", out);
    for (int file = 0; file < BENCH_N_FILES; file++) {
        if (!used[file] || file == PEERS)
            continue;
        (void)fprintf(out, "%s`%s`: ", between, file_names[file]);
        print_source(out, stored, file);
        between = "; ";
    }
    (void)fputs(".\n", out);
}

void bench_figures_print(FILE *out, const bench_stored *stored, bench_figures which)
{
    if (which == BENCH_FIGURES_ALL) {
        for (table_id table = ONE_CORE; table < N_TABLES; table++)
            print_table(out, stored, table);
        return;
    }
    print_head(out);
    for (int at = 1; at <= N_FIGURES; at++) {
        for (int i = 0; i < N_FIGURES; i++) {
            if (figures[i].few == at)
                print_row(out, stored, &figures[i],
                          figures[i].table == ONE_CORE ? "One core: " : "GPU: ");
        }
    }
    (void)fputs("\nGPU: ", out);
    print_source(out, stored, CUDA);
    (void)fprintf(out, " (turbo: %s). One core: ", text_of(stored->file[CODED], "revision"));
    print_source(out, stored, CPU);
    (void)fprintf(out, ". Sionna and cuSolverDx: %s. Turbo decoders: as published.\n",
                  text_of(stored->file[PEERS], "source"));
}

/* ---- terminals ---- */

int bench_figures_beside(FILE *out, const bench_stored *stored, const json_t *here)
{
    int n = 0;
    for (int i = 0; i < N_FIGURES; i++) {
        const figure *f = &figures[i];
        const json_t *root = stored->file[f->where.file], *gpu = json_object_get(root, "gpu");
        place mine = f->where;
        char text[3][32];
        for (int k = 0; k < 4; k++) { /* whatever instruction set this machine has */
            if (mine.cells[k].key && strcmp(mine.cells[k].key, "code") == 0)
                mine.cells[k].text = text_of(here, "best");
        }
        const double value = f->scale * number(find(here, &mine), f->key);
        const double there = f->scale * number(find(root, &f->where), f->key);
        if (!isfinite(value) || !isfinite(there))
            continue;
        if (n++ == 0)
            (void)fprintf(out, "\n%-72s %10s %10s %6s  %s\n", "figure", "here", "stored", "ratio",
                          "stored on");
        bench_real_text(value, text[0], sizeof text[0]);
        bench_real_text(there, text[1], sizeof text[1]);
        bench_real_text(f->more_is_better ? value / there : there / value, text[2], sizeof text[2]);
        (void)fprintf(out, "%-4s %-50.50s %-16.16s %10s %10s %6s  %s\n", gpu ? "GPU" : "core",
                      f->what, f->unit, text[0], text[1], text[2],
                      gpu ? text_of(gpu, "name") : text_of(root, "machine"));
    }
    return n;
}

/* ---- files ---- */

lte_status bench_stored_read(const char *folder, bench_stored *stored)
{
    *stored = (bench_stored){{NULL}};
    for (int i = 0; i < BENCH_N_FILES; i++) {
        char path[4096];
        json_error_t error;
        (void)snprintf(path, sizeof path, "%s/%s", folder, file_names[i]);
        stored->file[i] = json_load_file(path, 0, &error);
        if (!stored->file[i])
            return LTE_FAIL(LTE_EIO, "%s:%d: %s", path, error.line, error.text);
    }
    return LTE_OK;
}

void bench_stored_free(bench_stored *stored)
{
    for (int i = 0; i < BENCH_N_FILES; i++)
        json_decref(stored->file[i]);
}
