/* The tables of the topics on the device that only builds with CUDA measure. */
#include "tests/bench/topics/gpu_topics.h"

static const bench_column race[] = {
    {"n", "n", BENCH_CELL_COUNT},
    {"batch", "batch", BENCH_CELL_COUNT},
    {"contender", "contender", BENCH_CELL_TEXT},
    {"mapping", "mapping", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"residual", "residual_over_n_u_a_x", BENCH_CELL_REAL},
    {"worst set", "worst_set", BENCH_CELL_TEXT},
    {"chosen", "chosen", BENCH_CELL_TEXT},
    {"timing", "timing", BENCH_CELL_TEXT},
    BENCH_TIME_COLUMNS,
    {"copy us", "copy_us", BENCH_CELL_REAL},
    {"time/copy", "over_copy", BENCH_CELL_REAL},
    {"library us", "library_us", BENCH_CELL_REAL},
    {"library/it", "library_over_this", BENCH_CELL_REAL},
};
const bench_topic bench_topic_race = {
    .name = "race",
    .group = "cuda",
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
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(race),
    .run = bench_race_run,
};

static const bench_column detector[] = {
    {"detector", "detector", BENCH_CELL_TEXT},
    {"inverter", "inverter", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"slots", "carriers", BENCH_CELL_COUNT},
    BENCH_TIME_COLUMNS,
    {"Msymbols/s", "symbols_per_s", BENCH_CELL_MEGA},
    {"2012, Msymbols/s", "published_symbols_per_s", BENCH_CELL_MEGA},
    {"ratio", "over_published", BENCH_CELL_REAL},
    {"inputs", "cache", BENCH_CELL_TEXT},
};

const bench_topic bench_topic_detector = {
    .name = "detector",
    .group = "cuda",
    .title = "The whole detector, 4x4, 16QAM, 20 MHz, on one GPU",
    .note = "Planes in device memory to packed bits there, several carriers' slots at once, every "
            "bit compared with the CPU's first. 2012: Sui, Li, Wang, Wang, High Throughput "
            "MIMO-OFDM Detection with Graphics Processing Units, on a GPU of its day.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(detector),
    .run = bench_gpu_detector_run,
};

/* clang-format off */
/* What the topics have that are held to a copy or a fill of the same bytes. */
#define COPY_COLUMNS(ceiling)                                                                      \
    {"matrix", "what", BENCH_CELL_TEXT},                                                           \
    {"contender", "contender", BENCH_CELL_TEXT},                                                   \
    {"mapping", "mapping", BENCH_CELL_TEXT},                                                       \
    {"state", "state", BENCH_CELL_TEXT},                                                           \
    BENCH_TIME_COLUMNS,                                                                            \
    {"TB/s", "tb_per_s", BENCH_CELL_REAL},                                                         \
    {ceiling " us", "ceiling_us", BENCH_CELL_REAL},                                                \
    {ceiling " / it", "of_ceiling", BENCH_CELL_REAL}
/* clang-format on */

static const bench_column transpose[] = {
    COPY_COLUMNS("copy"),
    {"cuBLAS us", "library_us", BENCH_CELL_REAL},
    {"cuBLAS / it", "library_over_this", BENCH_CELL_REAL},
};

const bench_topic bench_topic_transpose = {
    .name = "transpose",
    .group = "cuda",
    .title = "Transposition on one GPU, against a copy of the same bytes",
    .note = "Every bit compared with the CPU's first. Times are the device's, a call of several in "
            "a row on different buffers, which together exceed three times the L2, everyone in "
            "turn. copy is the faster of cudaMemcpyAsync and a kernel, cuBLAS geam out of place "
            "with nothing added. TB/s are bytes read and written.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(transpose),
    .run = bench_gpu_transpose_run,
};

static const bench_column reference[] = {
    COPY_COLUMNS("fill"),
};

const bench_topic bench_topic_reference = {
    .name = "reference",
    .group = "cuda",
    .title = "Reference matrices of 4096 x 4096 on one GPU, against a fill of the same bytes",
    .note =
        "The azimuth reference of a radar, real and imaginary planes, and Zadoff-Chu sequences "
        "of length 1193. Every bit compared with the CPU's first; times as of the transposition. "
        "fill is the faster of cudaMemsetAsync and a kernel.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(reference),
    .run = bench_gpu_reference_run,
};

static const bench_column product[] = {
    {"product", "what", BENCH_CELL_TEXT},
    {"contender", "contender", BENCH_CELL_TEXT},
    {"stored", "order", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    BENCH_TIME_COLUMNS,
    {"TFLOP/s", "tflops", BENCH_CELL_REAL},
    {"cuBLAS us", "library_us", BENCH_CELL_REAL},
    {"cuBLAS / it", "library_over_this", BENCH_CELL_REAL},
};

const bench_topic bench_topic_product = {
    .name = "product",
    .group = "cuda",
    .title = "Products of matrices on one GPU, in float32, in every storage order",
    .note = "Every bit compared with the CPU's first, whose sums go one after the other in k. All "
            "three matrices lie as the table says; cuBLAS, which sums in orders of its own, knows "
            "row-major alone, and its time there is what all orders are held to. Times are the "
            "device's, everyone in turn, small matrices on buffers that exceed three times the L2.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(product),
    .run = bench_gpu_product_run,
};

static const bench_column inverse_large[] = {
    {"n", "n", BENCH_CELL_COUNT},
    {"batch", "batch", BENCH_CELL_COUNT},
    {"contender", "contender", BENCH_CELL_TEXT},
    {"method", "method", BENCH_CELL_TEXT},
    {"mapping", "mapping", BENCH_CELL_TEXT},
    {"state", "state", BENCH_CELL_TEXT},
    {"residual", "residual_over_n_u_a_x", BENCH_CELL_REAL},
    BENCH_TIME_COLUMNS,
    {"time/copy", "over_copy", BENCH_CELL_REAL},
    {"TFLOP/s", "tflops", BENCH_CELL_REAL},
    {"library/it", "library_over_this", BENCH_CELL_REAL},
    {"counted GB", "counted_gb", BENCH_CELL_REAL},
};
const bench_topic bench_topic_inverse_large = {
    .name = "inverse-large",
    .group = "cuda",
    .title = "Inverses of order 9 to 256 on one GPU, complex floats",
    .note = "lu: general matrices, pivoted, 8 n^3 operations; cholesky: Gram matrices, 4 n^3. 64 "
            "different matrices, repeated. Checked first: ours by the CPU's bits, libraries by "
            "|I - A X| in units of n u |A| |X|, at most 4. Times are the device's, everyone in "
            "turn; libraries have their lists of addresses and, where they factor in place, a "
            "fresh copy made outside the timing. counted GB: what the published mapping reads and "
            "writes in blocks of 8 columns, delayed against immediate updates. copy moves the "
            "matrices once.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(inverse_large),
    .run = bench_gpu_inverse_run,
};
