/* The tables of the topics on the device; race_run.c and race_detector.c measure them. */
#include "tests/bench/race_topics.h"

static const lte_column columns[] = {
    {"n", "n", LTE_CELL_COUNT},
    {"batch", "batch", LTE_CELL_COUNT},
    {"contender", "contender", LTE_CELL_TEXT},
    {"mapping", "mapping", LTE_CELL_TEXT},
    {"state", "state", LTE_CELL_TEXT},
    {"residual", "residual_over_n_u_a_x", LTE_CELL_REAL},
    {"worst set", "worst_set", LTE_CELL_TEXT},
    {"chosen", "chosen", LTE_CELL_TEXT},
    {"timing", "timing", LTE_CELL_TEXT},
    {"us", "median_us", LTE_CELL_REAL},
    {"min", "min_us", LTE_CELL_REAL},
    {"max", "max_us", LTE_CELL_REAL},
    {"copy us", "copy_us", LTE_CELL_REAL},
    {"time/copy", "over_copy", LTE_CELL_REAL},
    {"library us", "library_us", LTE_CELL_REAL},
    {"library/it", "library_over_this", LTE_CELL_REAL},
    {"judged", "judged", LTE_CELL_TEXT},
    {"required", "required", LTE_CELL_REAL},
    {"goal", "goal", LTE_CELL_REAL},
    {"reached", "reached", LTE_CELL_TEXT},
};
static const lte_column readme[] = {
    {"n", "n", LTE_CELL_COUNT},
    {"batch", "batch", LTE_CELL_COUNT},
    {"inverter", "contender", LTE_CELL_TEXT},
    {"mapping", "mapping", LTE_CELL_TEXT},
    {"timing", "timing", LTE_CELL_TEXT},
    {"us", "median_us", LTE_CELL_REAL},
    {"copy us", "copy_us", LTE_CELL_REAL},
    {"time / copy", "over_copy", LTE_CELL_REAL},
    {"best library", "library", LTE_CELL_TEXT},
    {"best library us", "library_us", LTE_CELL_REAL},
    {"library / ours", "library_over_this", LTE_CELL_REAL},
    {"judged", "judged", LTE_CELL_TEXT},
    {"required, at most", "required", LTE_CELL_REAL},
    {"goal", "goal", LTE_CELL_REAL},
    {"reached", "reached", LTE_CELL_TEXT},
};

const lte_topic lte_topic_race = {
    .name = "race",
    .block = "cuda",
    .title = "The race: small inverses on one GPU",
    .note = "MMSE-loaded Gram matrices of Rayleigh channels at 20 dB, 12000 different ones, "
            "repeated in larger batches, the same for everyone. Checked first, also on "
            "correlated, graded and, where the contender pivots, general, near-singular and "
            "permutation matrices: residual is the worst |I - A X| in units of n u |A| |X|, at "
            "most 4; for libraries |I - X A| where that is smaller. Times are the device's, a call "
            "of several in a row on different buffers, "
            "kept apart from the host's; inputs are fresh, which is not timed. copy moves the same "
            "bytes, the faster of cudaMemcpyAsync and a kernel. Libraries have their lists of "
            "addresses made outside the timing and factor in place, except where the mapping says "
            "that it is included; a library that does not pivot is a peer of ldl alone.",
    .absent = lte_race_absent,
    .print = {columns, sizeof columns / sizeof *columns},
    .readme = {readme, sizeof readme / sizeof *readme},
    .run = lte_race_run,
};

static const lte_column detector[] = {
    {"detector", "detector", LTE_CELL_TEXT},
    {"inverter", "inverter", LTE_CELL_TEXT},
    {"state", "state", LTE_CELL_TEXT},
    {"slots", "carriers", LTE_CELL_COUNT},
    {"us", "median_us", LTE_CELL_REAL},
    {"min", "min_us", LTE_CELL_REAL},
    {"max", "max_us", LTE_CELL_REAL},
    {"Msymbols/s", "symbols_per_s", LTE_CELL_MEGA},
    {"2012, Msymbols/s", "published_symbols_per_s", LTE_CELL_MEGA},
    {"ratio", "over_published", LTE_CELL_REAL},
    {"inputs", "cache", LTE_CELL_TEXT},
};

const lte_topic lte_topic_detector = {
    .name = "detector",
    .block = "cuda",
    .title = "The whole detector, 4x4, 16QAM, 20 MHz, on one GPU",
    .note = "Planes in device memory to packed bits there, several carriers' slots at once, every "
            "bit compared with the CPU's first. 2012: Sui, Li, Wang, Wang, High Throughput "
            "MIMO-OFDM Detection with Graphics Processing Units, on a GPU of its day.",
    .absent = lte_race_absent,
    .print = {detector, sizeof detector / sizeof *detector},
    .readme = {detector, sizeof detector / sizeof *detector},
    .run = lte_race_detector_run,
};
