#ifndef LTE_SIM_REPORT_COLUMNS_H
#define LTE_SIM_REPORT_COLUMNS_H
/*
 * The result tables, each column once: its kind, its place, its name in files, its unit, how
 * readers see it, and the expression that it comes from. All that writes, prints or reads a table
 * is made of it: the csv file, the table on a terminal, the page of a report, run.json, what reads
 * a folder back, and the C library.
 *
 *     #define LTE_NEW_TABLE(C, T)
 *         C(TEXT, NEW_DETECTOR, detector, "", lte_detector_named(row->detector).text, HIDDEN)
 *         C(REAL, NEW_BER, ber, "", rate.rate, BOTH("BER", 12, 0, "%.4e"))
 *         T(REAL, NEW_LOSS, "dB", loss, TERMINAL("loss", 9, 1, "%.2f"))
 *
 * C is a column of the file, T one for a terminal alone. Kinds: TEXT; COUNT, a whole number; EXACT,
 * a number as it was set, in %.9g; REAL, in %.6e, empty where it is not known; RATE, a REAL that is
 * not known where there was no error, as a terminal says; NUMBER, one that is text already; MARKED,
 * a REAL with a mark behind it; PARTS, a count of parts of a whole, which may be no whole number. A
 * new column goes to the end of its file.
 *
 * How readers see it, with a head of their own: HIDDEN; PAGE(head), as in the file; TERMINAL(head,
 * width, rank, format), the width with the space before it, the columns of the highest rank left
 * out first where there is no room, those of rank 0 never; BOTH, a PAGE and a TERMINAL; ROUNDED,
 * with the page's own format behind that.
 *
 * An expression stands where the names in it are known: the functions that make cells of a table,
 * results.c and others.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/files/files.h"

typedef enum {
    LTE_KIND_TEXT,
    LTE_KIND_COUNT,
    LTE_KIND_EXACT,
    LTE_KIND_REAL,
    LTE_KIND_RATE,
    LTE_KIND_NUMBER,
    LTE_KIND_MARKED,
    LTE_KIND_PARTS
} lte_column_kind;

typedef struct {
    lte_column_kind kind;
    const char *name;        /* in files; NULL: for a terminal alone */
    const char *unit;        /* "" for none */
    const char *head;        /* for readers; NULL: for none */
    int width, rank;         /* on a terminal; width 0: not there */
    const char *format;      /* there, of a number */
    const char *page_format; /* on a page; "": as in the file; NULL: not there */
} lte_column;

/* All columns of a table, those of a file without LLRs first. Of a file see lte_csv_column. */
typedef struct {
    const char *file;
    const char *stem; /* that names lose in run.json, or NULL */
    const lte_column *column;
    int n, n_hard; /* with LLRs, and without */
    int last;      /* the column that stands last in the file, with LLRs, too; -1: the last one */
} lte_columns;

/* What a column has in one row. */
typedef struct {
    char text[64];  /* of TEXT and NUMBER */
    uint64_t count; /* of COUNT and PARTS; of MARKED the character */
    double real;    /* of PARTS how many make one */
} lte_cell;

#define LTE_CELL_TEXT(x) lte_text_cell(x)
#define LTE_CELL_NUMBER(x) lte_text_cell(x)
#define LTE_CELL_COUNT(x) ((lte_cell){.count = (x)})
#define LTE_CELL_EXACT(x) ((lte_cell){.real = (x)})
#define LTE_CELL_REAL(x) ((lte_cell){.real = (x)})
#define LTE_CELL_RATE(x) ((lte_cell){.real = (x)})
#define LTE_CELL_MARKED(x) (x)
#define LTE_CELL_PARTS(x) (x)

/* A copy of a text, or its beginning. */
lte_cell lte_text_cell(const char *text);

/* The column that stands at a place of a file with the first n columns of the table. */
int lte_csv_column(const lte_columns *of, int n, int place);

/* The first line of the file with its first n columns, and a row of cells [n]. */
void lte_csv_head(FILE *out, const lte_columns *of, int n);
void lte_csv_row(FILE *out, const lte_columns *of, int n, const lte_cell *cells);

/* A new file of a table with its first n columns; what fails is told at its end, as LTE_EIO. */
typedef struct {
    lte_file file;
    const lte_columns *of;
    int n;
    lte_status status;
} lte_csv;
void lte_csv_open(lte_csv *csv, const char *dir, const lte_columns *of, int n);
void lte_csv_put(lte_csv *csv, const lte_cell *cells);
lte_status lte_csv_close(lte_csv *csv);

/* How many columns the first line of a text names: all, those without LLRs, or -1 for others. */
int lte_csv_columns(const lte_columns *of, const char *text);

/*
 * True if the first line names columns of the table in their order: the first three, and of the
 * others all or some, as files of older versions do.
 */
bool lte_csv_is_of(const lte_columns *of, const char *text);

/* All cells of a row as an object of JSON, and the key that a column has there. */
json_t *lte_json_row(const lte_columns *of, const lte_cell *cells);
const char *lte_json_key(const lte_columns *of, int i);

/* A cell as readers see it on a terminal; one that is not known: "", of a rate "no error". */
const char *lte_cell_text(const lte_column *column, const lte_cell *cell, char *text, size_t size);

/* clang-format off */
/* What every row of a sweep begins with. */
#define LTE_ROW_COLUMNS_OF(C, table)                                                               \
    C(TEXT, table##_DETECTOR, detector, "", lte_detector_named(row->detector).text,                \
      PAGE("detector"))                                                                            \
    C(TEXT, table##_CSI, csi, "", lte_csi_rows[row->csi].name, PAGE("csi"))                        \
    C(EXACT, table##_SNR, snr_db, "dB", row->snr_db, BOTH("SNR dB", 8, 0, "%.2f"))

#define LTE_BER_HARD_TABLE(C, T)                                                                   \
    LTE_ROW_COLUMNS_OF(C, BER)                                                                     \
    C(REAL, BER_SNR_MEASURED, snr_db_measured, "dB", lte_row_snr_db(sweep, row),                   \
      TERMINAL("meas.", 8, 8, "%.2f"))                                                             \
    T(REAL, BER_EB_N0, "dB", eb_n0_db(sweep, row), TERMINAL("Eb/N0", 8, 9, "%.2f"))                \
    C(COUNT, BER_SLOTS, slots, "", row->slots, PAGE("slots"))                                      \
    C(COUNT, BER_BITS, bits, "", lte_row_bits(row), BOTH("bits", 13, 7, ""))                       \
    C(COUNT, BER_ERRORS, bit_errors, "", row->error_count.errors, BOTH("errors", 11, 5, ""))       \
    C(RATE, BER_BER, ber, "", seen(&rate), BOTH("BER", 12, 0, "%.4e"))                             \
    C(REAL, BER_LOW, ber_low, "", rate.low, BOTH("95 % low", 12, 1, "%.4e"))                       \
    C(REAL, BER_HIGH, ber_high, "", rate.high, BOTH("95 % high", 12, 2, "%.4e"))                   \
    C(REAL, BER_SER, ser, "", symbol_error_rate(sweep, row), PAGE("SER"))                          \
    C(REAL, BER_THEORY, ber_theory, "", theory(row), PAGE("closed form"))                          \
    T(MARKED, BER_MARKED, "", marked_theory(row), TERMINAL("closed form ", 13, 3, "%.4e"))         \
    C(REAL, BER_Z, z, "", lte_row_z(row), ROUNDED("z", 7, 4, "%.2f", "%.2f"))                      \
    C(COUNT, BER_FLAGGED, flagged, "", flagged(sweep, row), HIDDEN)                                \
    C(TEXT, BER_STATUS, status, "", lte_row_status_name(row->status), BOTH("ended by", 13, 6, "")) \
    C(REAL, BER_SECONDS, seconds, "s", row->seconds, HIDDEN)                                       \
    C(COUNT, BER_VECTORS, vector_errors, "", vector_errors(sweep, row), HIDDEN)                    \
    C(COUNT, BER_UNFINISHED, unfinished, "", unfinished(sweep, row), HIDDEN)                       \
    C(COUNT, BER_SILENT, silent, "", silent(sweep, row), HIDDEN)

/* With LLRs ber.csv has these before its last column. */
#define LTE_BER_SOFT_TABLE(C, T)                                                                   \
    C(REAL, BER_GMI, gmi, "bit", information.bits, PAGE("GMI"))                                    \
    T(MARKED, BER_GMI_MARKED, "bit", marked_gmi(&information), TERMINAL("GMI ", 10, 0, "%.3f"))    \
    C(REAL, BER_GMI_LOW, gmi_low, "bit", information.low, BOTH("95 % low", 10, 2, "%.3f"))         \
    C(REAL, BER_GMI_HIGH, gmi_high, "bit", information.high, BOTH("95 % high", 10, 3, "%.3f"))     \
    C(REAL, BER_GMI_LIMIT, gmi_limit, "bit", information.limit, HIDDEN)                            \
    C(REAL, BER_SHANNON, shannon, "bit", information.shannon, HIDDEN)                              \
    C(REAL, BER_LLR_SCALE, llr_scale, "", information.best.s, HIDDEN)                              \
    C(NUMBER, BER_LLR_SCALE_BOUND, llr_scale_bound, "", llr_scale_bound(&information), HIDDEN)     \
    T(NUMBER, BER_LLR_SCALE_SEEN, "", best_scale, TERMINAL("best LLR x", 12, 4, ""))               \
    C(REAL, BER_LLR_CUT, llr_cut, "", information.cut, HIDDEN)                                     \
    T(REAL, BER_LLR_CUT_SHARE, "", 100.0 * information.cut, TERMINAL("cut", 10, 5, "%.2g %%"))
#define LTE_BER_TABLE(C, T) LTE_BER_HARD_TABLE(C, T) LTE_BER_SOFT_TABLE(C, T)

#define LTE_BLER_TABLE(C, T)                                                                       \
    LTE_ROW_COLUMNS_OF(C, BLER)                                                                    \
    C(REAL, BLER_SNR_MEASURED, snr_db_measured, "dB", lte_row_snr_db(sweep, row),                  \
      TERMINAL("meas.", 8, 10, "%.2f"))                                                            \
    T(REAL, BLER_EB_N0_SEEN, "dB", eb_n0_db(sweep, row) + of.payload_db,                           \
      TERMINAL("Eb/N0", 8, 13, "%.2f"))                                                            \
    C(COUNT, BLER_SLOTS, slots, "", row->slots, PAGE("slots"))                                     \
    C(PARTS, BLER_BLOCKS, blocks, "", twelfths(of.blocks), BOTH("blocks", 9, 7, ""))               \
    C(PARTS, BLER_WRONG_FIRST, wrong_first, "", twelfths(of.wrong_first),                          \
      BOTH("wrong", 8, 8, ""))                                                                     \
    C(RATE, BLER_BLER, bler, "", seen(&rate), BOTH("BLER", 12, 0, "%.4e"))                         \
    C(REAL, BLER_LOW, bler_low, "", rate.low, BOTH("95 % low", 12, 3, "%.4e"))                     \
    C(REAL, BLER_HIGH, bler_high, "", rate.high, BOTH("95 % high", 12, 4, "%.4e"))                 \
    C(PARTS, BLER_WRONG, wrong, "", twelfths(of.wrong), HIDDEN)                                    \
    C(RATE, BLER_LAST, bler_last, "", seen(&of.last), PAGE("last BLER"))                           \
    T(REAL, BLER_LAST_SEEN, "", of.last.rate, TERMINAL("last BLER", 12, 1, "%.4e"))                \
    C(REAL, BLER_LAST_LOW, bler_last_low, "", of.last.low, PAGE("95 % low"))                       \
    C(REAL, BLER_LAST_HIGH, bler_last_high, "", of.last.high, PAGE("95 % high"))                   \
    C(REAL, BLER_BITS_PER_S, bits_per_s, "bit/s", of.throughput.mean, PAGE("bit/s"))               \
    T(REAL, BLER_MBIT_PER_S, "Mbit/s", 1e-6 * of.throughput.mean,                                  \
      TERMINAL("Mbit/s", 9, 0, "%.2f"))                                                            \
    C(REAL, BLER_PEAK, peak_bits_per_s, "bit/s", of.peak, PAGE("largest"))                         \
    T(REAL, BLER_SHARE, "", 100.0 * of.throughput.mean / of.peak,                                  \
      TERMINAL("of peak", 9, 2, "%.1f %%"))                                                        \
    C(REAL, BLER_TRANSMISSIONS, transmissions, "", of.transmissions.mean,                          \
      ROUNDED("sent", 6, 5, "%.2f", "%.3f"))                                                       \
    C(REAL, BLER_ITERATIONS, iterations, "", of.iterations.mean,                                   \
      ROUNDED("iter.", 6, 6, "%.2f", "%.2f"))                                                      \
    C(REAL, BLER_RAW_BER, raw_ber, "", of.raw_ber, BOTH("raw BER", 11, 11, "%.3e"))                \
    C(REAL, BLER_BER, ber, "", of.ber, TERMINAL("BER", 11, 9, "%.3e"))                             \
    C(PARTS, BLER_UNDETECTED, undetected, "", twelfths(of.undetected), HIDDEN)                     \
    C(REAL, BLER_CODE_RATE, code_rate, "", of.rate, HIDDEN)                                        \
    C(COUNT, BLER_FLAGGED, flagged, "", flagged(sweep, row), HIDDEN)                               \
    C(TEXT, BLER_STATUS, status, "", lte_row_status_name(row->status),                             \
      BOTH("ended by", 13, 12, ""))                                                                \
    C(REAL, BLER_SECONDS, seconds, "s", row->seconds, HIDDEN)                                      \
    C(REAL, BLER_BITS_LOW, bits_per_s_low, "bit/s", of.throughput.low, HIDDEN)                     \
    C(REAL, BLER_BITS_HIGH, bits_per_s_high, "bit/s", of.throughput.high, HIDDEN)                  \
    C(REAL, BLER_SENT_LOW, transmissions_low, "", of.transmissions.low, HIDDEN)                    \
    C(REAL, BLER_SENT_HIGH, transmissions_high, "", of.transmissions.high, HIDDEN)                 \
    C(REAL, BLER_ITERATIONS_LOW, iterations_low, "", of.iterations.low, HIDDEN)                    \
    C(REAL, BLER_ITERATIONS_HIGH, iterations_high, "", of.iterations.high, HIDDEN)                 \
    C(REAL, BLER_EB_N0, eb_n0_db, "dB", eb_n0_db(sweep, row), HIDDEN)                              \
    C(REAL, BLER_EB_N0_PAYLOAD, eb_n0_payload_db, "dB", eb_n0_db(sweep, row) + of.payload_db,      \
      HIDDEN)                                                                                      \
    C(COUNT, BLER_UNFINISHED, unfinished, "", unfinished(sweep, row), HIDDEN)                      \
    C(COUNT, BLER_SILENT, silent, "", silent(sweep, row), HIDDEN)

/* Of each row as many as there were transmissions (block_log.h). */
#define LTE_BLOCKS_TABLE(C, T)                                                                     \
    C(TEXT, BLOCKS_CSI, csi, "", lte_csi_rows[row->csi].name, HIDDEN)                              \
    C(TEXT, BLOCKS_DETECTOR, detector, "", lte_detector_named(row->detector).text, HIDDEN)         \
    C(EXACT, BLOCKS_SNR, snr_db, "dB", row->snr_db, HIDDEN)                                        \
    C(COUNT, BLOCKS_DROP, drop, "", drop, HIDDEN)                                                  \
    C(COUNT, BLOCKS_SUBFRAME, subframe, "", subframe, HIDDEN)                                      \
    C(COUNT, BLOCKS_PROCESS, process, "", process, HIDDEN)                                         \
    C(COUNT, BLOCKS_CODEWORD, codeword, "", codeword, HIDDEN)                                      \
    C(COUNT, BLOCKS_NUMBER, number, "", (uint64_t)number, HIDDEN)                                  \
    C(COUNT, BLOCKS_VERSION, version, "", (uint64_t)version, HIDDEN)                               \
    C(TEXT, BLOCKS_INFORMATION, information, "bit / 65536", information, HIDDEN)                   \
    C(COUNT, BLOCKS_ITERATIONS, iterations, "", lte_record_iterations(of->record), HIDDEN)         \
    C(COUNT, BLOCKS_CRC, crc, "", lte_record_holds(of->record), HIDDEN)

/* Of each row as many as it has layers and bits. */
#define LTE_RATE_TABLE(C, T)                                                                       \
    LTE_ROW_COLUMNS_OF(C, RATE)                                                                    \
    C(COUNT, RATE_LAYER, layer, "", layer, PAGE("layer"))                                          \
    C(COUNT, RATE_BIT, bit, "", bit, PAGE("bit"))                                                  \
    C(REAL, RATE_GMI, gmi, "bit", of.bits, PAGE("GMI"))                                            \
    C(REAL, RATE_GMI_LOW, gmi_low, "bit", of.low, PAGE("95 % low"))                                \
    C(REAL, RATE_GMI_HIGH, gmi_high, "bit", of.high, PAGE("95 % high"))

/* Of each row as many as it has layers. */
#define LTE_LAYERS_TABLE(C, T)                                                                     \
    LTE_ROW_COLUMNS_OF(C, LAYERS)                                                                  \
    C(REAL, LAYERS_EB_N0, eb_n0_db, "dB", eb_n0_db(sweep, row),                                    \
      ROUNDED("Eb/N0 dB", 0, 0, "", "%.2f"))                                                       \
    C(COUNT, LAYERS_LAYER, layer, "", layer, HIDDEN)                                               \
    C(COUNT, LAYERS_BITS, bits, "", bits, HIDDEN)                                                  \
    C(COUNT, LAYERS_ERRORS, bit_errors, "", wrong, HIDDEN)                                         \
    C(REAL, LAYERS_BER, ber, "", (double)wrong / (double)bits, HIDDEN)                             \
    C(COUNT, LAYERS_SYMBOL_ERRORS, symbol_errors, "", wrong_symbols, HIDDEN)                       \
    C(REAL, LAYERS_SER, ser, "", (double)wrong_symbols / (double)symbols, HIDDEN)

/*
 * The 16 groups of clusters (LTE_N_GROUPS): wrong bits or blocks, then where there is more to say
 * lost information of LLRs, and the bits or blocks of each.
 */
#define LTE_GROUPS_OF(C, kind, id, name, from)                                                     \
    C(kind, id##0, name##0, "", from(0), HIDDEN)                                                   \
    C(kind, id##1, name##1, "", from(1), HIDDEN)                                                   \
    C(kind, id##2, name##2, "", from(2), HIDDEN)                                                   \
    C(kind, id##3, name##3, "", from(3), HIDDEN)                                                   \
    C(kind, id##4, name##4, "", from(4), HIDDEN)                                                   \
    C(kind, id##5, name##5, "", from(5), HIDDEN)                                                   \
    C(kind, id##6, name##6, "", from(6), HIDDEN)                                                   \
    C(kind, id##7, name##7, "", from(7), HIDDEN)                                                   \
    C(kind, id##8, name##8, "", from(8), HIDDEN)                                                   \
    C(kind, id##9, name##9, "", from(9), HIDDEN)                                                   \
    C(kind, id##10, name##10, "", from(10), HIDDEN)                                                \
    C(kind, id##11, name##11, "", from(11), HIDDEN)                                                \
    C(kind, id##12, name##12, "", from(12), HIDDEN)                                                \
    C(kind, id##13, name##13, "", from(13), HIDDEN)                                                \
    C(kind, id##14, name##14, "", from(14), HIDDEN)                                                \
    C(kind, id##15, name##15, "", from(15), HIDDEN)
#define LTE_GROUPS_HARD_TABLE(C, T)                                                                \
    LTE_ROW_COLUMNS_OF(C, GROUPS)                                                                  \
    C(PARTS, GROUPS_BITS, bits, "", parts(row, lte_row_bits(row)), HIDDEN)                         \
    LTE_GROUPS_OF(C, PARTS, GROUPS_E, e, GROUP_ERRORS)
#define LTE_GROUPS_MORE_TABLE(C, T)                                                                \
    LTE_GROUPS_OF(C, COUNT, GROUPS_L, l, GROUP_LOSS)                                               \
    LTE_GROUPS_OF(C, PARTS, GROUPS_B, b, GROUP_BITS)
#define LTE_GROUPED_TABLE(C, T) LTE_GROUPS_HARD_TABLE(C, T) LTE_GROUPS_MORE_TABLE(C, T)

/* Of a search, a row for each detector. */
#define LTE_TARGET_TABLE(C, T)                                                                     \
    C(TEXT, TARGET_DETECTOR, detector, "", lte_detector_named(row->detector).text,                 \
      PAGE("detector"))                                                                            \
    C(TEXT, TARGET_CSI, csi, "", lte_csi_rows[sweep->csi].name, PAGE("csi"))                       \
    C(EXACT, TARGET_BER, target_ber, "", sweep->scenario->sweep.target_ber,                        \
      ROUNDED("target", 0, 0, "", "%.9g"))                                                         \
    C(REAL, TARGET_SNR, snr_db, "dB", found->snr_db, ROUNDED("SNR dB", 0, 0, "", "%.4f"))          \
    T(REAL, TARGET_KNOWN_SNR, "dB", known_snr_db(found), TERMINAL("SNR", 13, 0, "%.3f"))           \
    C(REAL, TARGET_LOW, snr_db_low, "dB", found->low_db,                                           \
      ROUNDED("95 % low", 12, 0, "%.3f", "%.4f"))                                                  \
    C(REAL, TARGET_HIGH, snr_db_high, "dB", found->high_db,                                        \
      ROUNDED("95 % high", 12, 0, "%.3f", "%.4f"))                                                 \
    C(REAL, TARGET_THEORY, snr_db_theory, "dB", found->theory_db,                                  \
      ROUNDED("closed form", 12, 0, "%.3f", "%.4f"))                                               \
    C(COUNT, TARGET_SLOTS, slots, "", found->slots, ROUNDED("slots", 12, 0, "", "%.0f"))           \
    C(TEXT, TARGET_STATUS, status, "", lte_found_name(found->how), PAGE("ended by"))               \
    C(EXACT, TARGET_THROUGHPUT, target_throughput, "",                                             \
      sweep->scenario->sweep.target_throughput, ROUNDED("target", 0, 0, "", "%.9g"))               \
    C(EXACT, TARGET_RATE, target_rate, "", sweep->scenario->sweep.target_rate,                     \
      ROUNDED("target", 0, 0, "", "%.9g"))

/* Of --pareto, a row for each detector: what it needs at the target, and what it costs there. */
#define LTE_PARETO_TABLE(C, T)                                                                     \
    C(TEXT, PARETO_DETECTOR, detector, "", lte_detector_named(point->detector).text,               \
      PAGE("detector"))                                                                            \
    C(TEXT, PARETO_CSI, csi, "", lte_csi_rows[point->csi].name, PAGE("csi"))                       \
    C(REAL, PARETO_SNR, snr_db, "dB", point->found.snr_db, ROUNDED("SNR dB", 0, 0, "", "%.3f"))    \
    C(REAL, PARETO_LOW, snr_db_low, "dB", point->found.low_db,                                     \
      ROUNDED("95 % low", 0, 0, "", "%.3f"))                                                       \
    C(REAL, PARETO_HIGH, snr_db_high, "dB", point->found.high_db,                                  \
      ROUNDED("95 % high", 0, 0, "", "%.3f"))                                                      \
    C(REAL, PARETO_WORK, work_us, "us", point->timed ? point->work_us : (double)NAN,               \
      ROUNDED("work us", 0, 0, "", "%.1f"))                                                        \
    C(REAL, PARETO_P999, p999_us, "us",                                                            \
      point->timed && point->has_p999 ? point->latency.p999_us : (double)NAN,                      \
      ROUNDED("p99.9 us", 0, 0, "", "%.1f"))                                                       \
    C(REAL, PARETO_MAX, max_us, "us", point->timed ? point->latency.max_us : (double)NAN,          \
      ROUNDED("slowest us", 0, 0, "", "%.1f"))                                                     \
    C(TEXT, PARETO_VERDICT, verdict, "", point->timed ? lte_verdict_names[point->verdict] : "",    \
      PAGE("deadline"))                                                                            \
    C(REAL, PARETO_CARRIERS, carriers, "",                                                         \
      point->timed && point->capacity.carriers >= 0 ? point->capacity.carriers : (double)NAN,      \
      ROUNDED("carriers", 0, 0, "", "%.0f"))                                                       \
    C(REAL, PARETO_BY_MEDIAN, carriers_by_median, "",                                              \
      point->timed && point->capacity.by_median >= 0 ? point->capacity.by_median : (double)NAN,    \
      ROUNDED("by median work", 0, 0, "", "%.0f"))                                                 \
    C(REAL, PARETO_OPERATIONS, operations, "", point->timed ? point->operations : (double)NAN,     \
      ROUNDED("operations a slot", 0, 0, "", "%.3g"))                                              \
    C(TEXT, PARETO_FRONT, front, "", !point->timed ? "" : point->front ? "yes" : "no",             \
      PAGE("front"))                                                                               \
    C(TEXT, PARETO_STATUS, status, "", lte_found_name(point->found.how), PAGE("ended by"))         \
    C(REAL, PARETO_THREADS, threads, "",                                                           \
      point->timed && point->threads > 0 ? point->threads : (double)NAN,                           \
      ROUNDED("threads", 0, 0, "", "%.0f"))

/* Of run.json: detectors beside the first one at each SNR, over the same slots. */
#define LTE_PAIRED_TABLE(C, T)                                                                     \
    C(REAL, PAIRED_SNR, snr_db, "dB", a->snr_db, ROUNDED("SNR dB", 8, 0, "%.2f", "%.9g"))          \
    C(TEXT, PAIRED_CSI, csi, "", lte_csi_rows[a->csi].name, HIDDEN)                                \
    C(TEXT, PAIRED_A, a, "", lte_detector_named(a->detector).text, HIDDEN)                         \
    C(TEXT, PAIRED_B, b, "", lte_detector_named(b->detector).text, HIDDEN)                         \
    C(COUNT, PAIRED_SLOTS, slots, "", pair->slots, ROUNDED("slots", 9, 3, "", "%.0f"))             \
    C(REAL, PAIRED_DIFFERENCE, ber_difference, "", gap.rate,                                       \
      ROUNDED("difference of BER", 0, 0, "", "%.6e"))                                              \
    T(REAL, PAIRED_SHORT, "", gap.rate, TERMINAL("difference", 12, 0, "%.4e"))                     \
    C(REAL, PAIRED_LOW, low, "", gap.low, ROUNDED("95 % low", 12, 1, "%.4e", "%.6e"))              \
    C(REAL, PAIRED_HIGH, high, "", gap.high, ROUNDED("95 % high", 12, 2, "%.4e", "%.6e"))

/* The spread of a time, in files and in run.json. */
#define LTE_SPREAD_TABLE(C, id)                                                                    \
    C(REAL, id##_P50, p50_us, "us", spread->p50_us, BOTH("p50", 10, 0, "%.1f"))                    \
    C(REAL, id##_P99, p99_us, "us", spread->p99_us, BOTH("p99", 10, 0, "%.1f"))                    \
    C(REAL, id##_P999, p999_us, "us", spread->p999_us, BOTH("p99.9", 10, 0, "%.1f"))               \
    C(REAL, id##_MAX, max_us, "us", spread->max_us, BOTH("max", 10, 0, "%.1f"))                    \
    C(REAL, id##_MEAN, mean_us, "us", spread->mean_us, BOTH("mean", 10, 0, "%.1f"))
#define LTE_TIMES_TABLE(C, T) LTE_SPREAD_TABLE(C, TIMES)
#define LTE_TIMING_TABLE(C, T)                                                                     \
    C(TEXT, TIMING_DETECTOR, detector, "", lte_detector_named(detector).text, HIDDEN)              \
    C(TEXT, TIMING_PLACEMENT, placement, "", lte_placement_names[placement], HIDDEN)               \
    C(TEXT, TIMING_STAGE, stage, "", stage, HIDDEN)                                                \
    LTE_SPREAD_TABLE(C, TIMING)                                                                    \
    C(REAL, TIMING_LATE, late, "", row->late[placement], HIDDEN)

#define LTE_LATENCY_TABLE(C, T)                                                                    \
    C(REAL, LATENCY_QUANTILE, quantile, "", (i + 1.0) / host->due, HIDDEN)                         \
    C(REAL, LATENCY_US, latency_us, "us", (double)host->latency_us[i], HIDDEN)

#define LTE_CHANNEL_TABLE(C, T)                                                                    \
    C(TEXT, CHANNEL_PROPERTY, property, "", line->property, HIDDEN)                                \
    C(TEXT, CHANNEL_ARGUMENT, argument, "", line->argument, HIDDEN)                                \
    C(REAL, CHANNEL_MEASURED, measured, "", line->measured, TERMINAL("measured", 12, 0, "%.4e"))   \
    C(REAL, CHANNEL_EXPECTED, expected, "", line->expected, TERMINAL("expected", 12, 0, "%.4e"))   \
    C(REAL, CHANNEL_LIMIT, limit, "", line->limit, TERMINAL("limit", 10, 1, "%.2e"))               \
    C(TEXT, CHANNEL_PASS, pass, "", line->untested ? "" : line->pass ? "yes" : "no", HIDDEN)

#define LTE_CHANNEL_GRID_TABLE(C, T)                                                               \
    C(REAL, CHANNEL_GRID_TIME, time_ms, "ms", 1e3 * lte_symbol_start_s((uint64_t)slot, symbol),    \
      HIDDEN)                                                                                      \
    C(COUNT, CHANNEL_GRID_SUBCARRIER, subcarrier, "", (uint64_t)sc, HIDDEN)                        \
    C(REAL, CHANNEL_GRID_H, h_db, "dB", 10.0 * log10(re * re + im * im), HIDDEN)

/* Of a list of MCS: the cells of the best one's row of bler.csv as they stand there. */
#define LTE_ENVELOPE_TABLE(C, T)                                                                   \
    C(TEXT, ENVELOPE_DETECTOR, detector, "", lte_table_text(table, row, LTE_BLER_DETECTOR),        \
      PAGE("detector"))                                                                            \
    C(TEXT, ENVELOPE_CSI, csi, "", lte_table_text(table, row, LTE_BLER_CSI), PAGE("csi"))          \
    C(NUMBER, ENVELOPE_SNR, snr_db, "dB", lte_table_text(table, row, LTE_BLER_SNR),                \
      PAGE("SNR dB"))                                                                              \
    T(REAL, ENVELOPE_SNR_DB, "dB", lte_table_real(table, row, LTE_BLER_SNR),                       \
      TERMINAL("SNR dB", 9, 0, "%.2f"))                                                            \
    C(COUNT, ENVELOPE_MCS, mcs, "", (uint64_t)mcs, BOTH("MCS", 5, 0, ""))                          \
    C(NUMBER, ENVELOPE_BITS_PER_S, bits_per_s, "bit/s",                                            \
      lte_table_text(table, row, LTE_BLER_BITS_PER_S), PAGE("bit/s"))                              \
    T(REAL, ENVELOPE_MBIT_PER_S, "Mbit/s", 1e-6 * rate, TERMINAL("Mbit/s", 11, 0, "%.2f"))         \
    C(NUMBER, ENVELOPE_PEAK, peak_bits_per_s, "bit/s", lte_table_text(table, row, LTE_BLER_PEAK),  \
      HIDDEN)                                                                                      \
    T(REAL, ENVELOPE_SHARE, "", 100.0 * rate / peak, TERMINAL("of its peak", 13, 0, "%.1f %%"))    \
    C(NUMBER, ENVELOPE_BLER, bler, "", lte_table_text(table, row, LTE_BLER_BLER),                  \
      BOTH("BLER", 13, 0, ""))                                                                     \
    C(NUMBER, ENVELOPE_BITS_LOW, bits_per_s_low, "bit/s",                                          \
      lte_table_text(table, row, LTE_BLER_BITS_LOW), PAGE("bit/s, low"))                           \
    C(NUMBER, ENVELOPE_BITS_HIGH, bits_per_s_high, "bit/s",                                        \
      lte_table_text(table, row, LTE_BLER_BITS_HIGH), PAGE("bit/s, high"))

/* Of a replay, on a terminal alone: all layers of a detector together, then each. */
#define LTE_REPLAY_TABLE(C, T)                                                                     \
    T(REAL, REPLAY_SNR, "dB", snr_db, TERMINAL("SNR dB", 8, 0, "%.2f"))                            \
    T(REAL, REPLAY_MEASURED, "dB", measured_db, TERMINAL("meas.", 8, 7, "%.2f"))                   \
    T(NUMBER, REPLAY_LAYER, "", layer, TERMINAL("layer", 6, 0, ""))                                \
    T(COUNT, REPLAY_BITS, "", bits, TERMINAL("bits", 9, 8, ""))                                    \
    T(COUNT, REPLAY_BIT_ERRORS, "", bit_errors, TERMINAL("bit err", 9, 0, ""))                     \
    T(COUNT, REPLAY_SYMBOLS, "", symbols, TERMINAL("symbols", 9, 9, ""))                           \
    T(COUNT, REPLAY_SYMBOL_ERRORS, "", symbol_errors, TERMINAL("sym err", 9, 1, ""))               \
    T(REAL, REPLAY_SINR_P1, "dB", sinr_db[0], TERMINAL("SINR p1", 9, 2, "%.2f"))                   \
    T(REAL, REPLAY_SINR_P50, "dB", sinr_db[1], TERMINAL("p50 dB", 9, 1, "%.2f"))                   \
    T(REAL, REPLAY_SINR_MAX, "dB", sinr_db[2], TERMINAL("max dB", 9, 6, "%.2f"))                   \
    T(REAL, REPLAY_CONDITION_P50, "", seen->condition.p50, TERMINAL("cond. p50", 10, 3, "%.3g"))   \
    T(REAL, REPLAY_CONDITION_P99, "", seen->condition.p99, TERMINAL("p99", 10, 4, "%.3g"))         \
    T(REAL, REPLAY_CONDITION_MAX, "", seen->condition.max, TERMINAL("max", 10, 5, "%.3g"))         \
    T(COUNT, REPLAY_FLAGGED, "", flagged, TERMINAL("flagged", 9, 4, ""))
/*
 * All tables: their file, what names in run.json lose, the first place of what LLRs add, and the
 * column that stays the last of the file then.
 */
#define LTE_TABLES(T)                                                                              \
    T(BER, ber, "ber.csv", NULL, LTE_BER_GMI, LTE_BER_SILENT)                                      \
    T(GROUPED, groups, "groups.csv", NULL, LTE_GROUPS_L0, -1)                                      \
    T(BLER, bler, "bler.csv", NULL, LTE_N_BLER, -1)                                                \
    T(BLOCKS, blocks, "blocks.csv", NULL, LTE_N_BLOCKS, -1)                                        \
    T(RATE, rate, "rate.csv", NULL, LTE_N_RATE, -1)                                                \
    T(LAYERS, layers, "layers.csv", NULL, LTE_N_LAYERS, -1)                                        \
    T(TARGET, target, "target.csv", "snr_db_", LTE_N_TARGET, -1)                                   \
    T(PARETO, pareto, "pareto.csv", NULL, LTE_N_PARETO, -1)                                        \
    T(PAIRED, paired, NULL, NULL, LTE_N_PAIRED, -1)                                                \
    T(TIMES, times, NULL, NULL, LTE_N_TIMES, -1)                                                   \
    T(TIMING, timing, "timing.csv", NULL, LTE_N_TIMING, -1)                                        \
    T(LATENCY, latency, "latency.csv", NULL, LTE_N_LATENCY, -1)                                    \
    T(CHANNEL, channel, "channel.csv", NULL, LTE_N_CHANNEL, -1)                                    \
    T(CHANNEL_GRID, channel_grid, "channel_grid.csv", NULL, LTE_N_CHANNEL_GRID, -1)                \
    T(ENVELOPE, envelope, "envelope.csv", NULL, LTE_N_ENVELOPE, -1)                                \
    T(REPLAY, replay, NULL, NULL, LTE_N_REPLAY, -1)
/* clang-format on */

/* Places in a row of each, how many there are, and its columns. */
#define LTE_PLACE_C(kind, id, name, unit, value, shown) LTE_##id,
#define LTE_PLACE_T(kind, id, unit, value, shown) LTE_##id,
#define LTE_DECLARE(table, name, file, stem, first_soft, last)                                     \
    enum { LTE_##table##_TABLE(LTE_PLACE_C, LTE_PLACE_T) LTE_N_##table };                          \
    extern const lte_columns lte_##name##_columns;
LTE_TABLES(LTE_DECLARE)
extern const lte_columns *const lte_all_columns[];
extern const int lte_n_all_columns;

/* Cells [n] of a row, each from its expression. */
#define LTE_TAKE_C(kind, id, name, unit, value, shown) cells[LTE_##id] = LTE_CELL_##kind(value);
#define LTE_TAKE_T(kind, id, unit, value, shown) cells[LTE_##id] = LTE_CELL_##kind(value);
#define LTE_TAKE(table) LTE_##table##_TABLE(LTE_TAKE_C, LTE_TAKE_T)

/* A row of a file that is written, its cells taken so. */
#define LTE_CSV_PUT(csv, table)                                                                    \
    do {                                                                                           \
        lte_cell cells[LTE_N_##table];                                                             \
        LTE_TAKE(table)                                                                            \
        lte_csv_put(csv, cells);                                                                   \
    } while (0)

#endif
