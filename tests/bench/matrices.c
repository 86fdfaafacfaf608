/*
 * The tables of the topics that are held to a copy or a fill of the same bytes; gpu_transpose.c and
 * gpu_reference.c measure them.
 */
#include "tests/bench/race_topics.h"

static const lte_column transpose[] = {
    {"matrix", "what", LTE_CELL_TEXT},
    {"contender", "contender", LTE_CELL_TEXT},
    {"mapping", "mapping", LTE_CELL_TEXT},
    {"state", "state", LTE_CELL_TEXT},
    {"us", "median_us", LTE_CELL_REAL},
    {"min", "min_us", LTE_CELL_REAL},
    {"max", "max_us", LTE_CELL_REAL},
    {"TB/s", "tb_per_s", LTE_CELL_REAL},
    {"copy us", "ceiling_us", LTE_CELL_REAL},
    {"copy / it", "of_ceiling", LTE_CELL_REAL},
    {"cuBLAS us", "library_us", LTE_CELL_REAL},
    {"cuBLAS / it", "library_over_this", LTE_CELL_REAL},
    {"required, at least", "required", LTE_CELL_REAL},
    {"goal", "goal", LTE_CELL_REAL},
    {"reached", "reached", LTE_CELL_TEXT},
};

const lte_topic lte_topic_transpose = {
    .name = "transpose",
    .block = "cuda",
    .title = "Transposition on one GPU, against a copy of the same bytes",
    .note = "Every bit compared with the CPU's first. Times are the device's, a call of several in "
            "a row on different buffers, which together exceed three times the L2, everyone in "
            "turn. copy is the faster of cudaMemcpyAsync and a kernel, cuBLAS geam out of place "
            "with nothing added. TB/s are bytes read and written. Judged is copy / it.",
    .absent = lte_race_absent,
    .print = {transpose, sizeof transpose / sizeof *transpose},
    .readme = {transpose, sizeof transpose / sizeof *transpose},
    .run = lte_gpu_transpose_run,
};

static const lte_column reference[] = {
    {"matrix", "what", LTE_CELL_TEXT},
    {"contender", "contender", LTE_CELL_TEXT},
    {"mapping", "mapping", LTE_CELL_TEXT},
    {"state", "state", LTE_CELL_TEXT},
    {"us", "median_us", LTE_CELL_REAL},
    {"min", "min_us", LTE_CELL_REAL},
    {"max", "max_us", LTE_CELL_REAL},
    {"TB/s", "tb_per_s", LTE_CELL_REAL},
    {"fill us", "ceiling_us", LTE_CELL_REAL},
    {"fill / it", "of_ceiling", LTE_CELL_REAL},
    {"required, at least", "required", LTE_CELL_REAL},
    {"goal", "goal", LTE_CELL_REAL},
    {"reached", "reached", LTE_CELL_TEXT},
};

const lte_topic lte_topic_reference = {
    .name = "reference",
    .block = "cuda",
    .title = "Reference matrices of 4096 x 4096 on one GPU, against a fill of the same bytes",
    .note =
        "The azimuth reference of a radar, real and imaginary planes, and Zadoff-Chu sequences "
        "of length 1193. Every bit compared with the CPU's first; times as of the transposition. "
        "fill is the faster of cudaMemsetAsync and a kernel. Judged is fill / it.",
    .absent = lte_race_absent,
    .print = {reference, sizeof reference / sizeof *reference},
    .readme = {reference, sizeof reference / sizeof *reference},
    .run = lte_gpu_reference_run,
};
