#ifndef LTE_SIM_REPORT_COLUMNS_H
#define LTE_SIM_REPORT_COLUMNS_H
/*
 * The result tables, each column once: what is in it, its place among the columns for readers, its
 * name, and where it comes from. Out of a table are made the first line of its file, the kinds that
 * a reader expects, the places, and what writes a row (results.c, where the words of a source are
 * known: row, sweep, layer, ...).
 *
 *     #define LTE_NEW_TABLE(F, C)                                 F: the first column, C: any other
 *         F(TEXT, NEW_DETECTOR, detector, lte_detector_named(row->detector).text)
 *         C(REAL, NEW_BER, ber, interval.rate)
 *
 * Kinds: TEXT; COUNT, a whole number; EXACT, a number as it was set, in %.9g; REAL, in %.6e, empty
 * where it is not known. A new column goes to the end of its table.
 */

#include <stdint.h>
#include <stdio.h>

/* Cells of each kind, with what stands before one. */
/* NOLINTBEGIN(readability-identifier-naming): the kind is a part of the name */
void lte_cell_TEXT(FILE *out, const char *before, const char *text);
void lte_cell_COUNT(FILE *out, const char *before, uint64_t count);
void lte_cell_EXACT(FILE *out, const char *before, double x);
void lte_cell_REAL(FILE *out, const char *before, double x);
#define lte_cell_NUMBER lte_cell_TEXT /* one that is written as it was read */
/* NOLINTEND(readability-identifier-naming) */

/* Write a row out of a table to the stream out. */
#define LTE_PUT_FIRST(kind, id, name, value) lte_cell_##kind(out, "", value);
#define LTE_PUT_NEXT(kind, id, name, value) lte_cell_##kind(out, ",", value);

/* clang-format off */
/* What every row of a sweep begins with. */
#define LTE_ROW_COLUMNS_OF(F, C, table)                                                            \
    F(TEXT, table##_DETECTOR, detector, lte_detector_named(row->detector).text)                    \
    C(TEXT, table##_CSI, csi, lte_csi_rows[row->csi].name)                                         \
    C(EXACT, table##_SNR, snr_db, row->snr_db)

#define LTE_BER_TABLE(F, C)                                                                        \
    LTE_ROW_COLUMNS_OF(F, C, BER)                                                                  \
    C(REAL, BER_SNR_MEASURED, snr_db_measured, lte_row_snr_db(row))                                \
    C(COUNT, BER_SLOTS, slots, row->slots)                                                         \
    C(COUNT, BER_BITS, bits, lte_row_bits(row))                                                    \
    C(COUNT, BER_ERRORS, bit_errors, row->error_count.errors)                                      \
    C(REAL, BER_BER, ber, seen(&rate))                                                             \
    C(REAL, BER_LOW, ber_low, rate.low)                                                            \
    C(REAL, BER_HIGH, ber_high, rate.high)                                                         \
    C(REAL, BER_SER, ser, symbol_error_rate(sweep, row))                                           \
    C(REAL, BER_THEORY, ber_theory, row->theory.known ? row->theory.ber : (double)NAN)             \
    C(REAL, BER_Z, z, lte_row_z(row))                                                              \
    C(COUNT, BER_FLAGGED, flagged, flagged(sweep, row))                                            \
    C(TEXT, BER_STATUS, status, lte_row_status_name(row->status))                                  \
    C(REAL, BER_SECONDS, seconds, row->seconds)

/* With LLRs ber.csv goes on. */
#define LTE_BER_SOFT_TABLE(F, C)                                                                   \
    F(REAL, BER_GMI, gmi, information.bits)                                                        \
    C(REAL, BER_GMI_LOW, gmi_low, information.low)                                                 \
    C(REAL, BER_GMI_HIGH, gmi_high, information.high)                                              \
    C(REAL, BER_GMI_LIMIT, gmi_limit, information.limit)                                           \
    C(REAL, BER_SHANNON, shannon, information.shannon)                                             \
    C(REAL, BER_LLR_SCALE, llr_scale, information.best_scale)                                      \
    C(REAL, BER_LLR_CUT, llr_cut, information.cut)

#define LTE_BLER_TABLE(F, C)                                                                       \
    LTE_ROW_COLUMNS_OF(F, C, BLER)                                                                 \
    C(REAL, BLER_SNR_MEASURED, snr_db_measured, lte_row_snr_db(row))                               \
    C(COUNT, BLER_SLOTS, slots, row->slots)                                                        \
    C(COUNT, BLER_BLOCKS, blocks, of.blocks)                                                       \
    C(COUNT, BLER_WRONG_FIRST, wrong_first, of.wrong_first)                                        \
    C(REAL, BLER_BLER, bler, seen(&rate))                                                          \
    C(REAL, BLER_LOW, bler_low, rate.low)                                                          \
    C(REAL, BLER_HIGH, bler_high, rate.high)                                                       \
    C(COUNT, BLER_WRONG, wrong, of.wrong)                                                          \
    C(REAL, BLER_LAST, bler_last, seen(&of.last))                                                  \
    C(REAL, BLER_LAST_LOW, bler_last_low, of.last.low)                                             \
    C(REAL, BLER_LAST_HIGH, bler_last_high, of.last.high)                                          \
    C(REAL, BLER_BITS_PER_S, bits_per_s, of.bits_per_s)                                            \
    C(REAL, BLER_PEAK, peak_bits_per_s, of.peak)                                                   \
    C(REAL, BLER_TRANSMISSIONS, transmissions, of.transmissions)                                   \
    C(REAL, BLER_ITERATIONS, iterations, of.iterations)                                            \
    C(REAL, BLER_RAW_BER, raw_ber, of.raw_ber)                                                     \
    C(REAL, BLER_BER, ber, of.ber)                                                                 \
    C(COUNT, BLER_UNDETECTED, undetected, of.undetected)                                           \
    C(REAL, BLER_CODE_RATE, code_rate, of.rate)                                                    \
    C(COUNT, BLER_FLAGGED, flagged, flagged(sweep, row))                                           \
    C(TEXT, BLER_STATUS, status, lte_row_status_name(row->status))                                 \
    C(REAL, BLER_SECONDS, seconds, row->seconds)

/* Of each row as many as it has layers and bits. */
#define LTE_RATE_TABLE(F, C)                                                                       \
    LTE_ROW_COLUMNS_OF(F, C, RATE)                                                                 \
    C(COUNT, RATE_LAYER, layer, layer)                                                             \
    C(COUNT, RATE_BIT, bit, bit)                                                                   \
    C(REAL, RATE_GMI, gmi, of.bits)                                                                \
    C(REAL, RATE_GMI_LOW, gmi_low, of.low)                                                         \
    C(REAL, RATE_GMI_HIGH, gmi_high, of.high)

/* Of each row as many as it has layers. */
#define LTE_LAYERS_TABLE(F, C)                                                                     \
    LTE_ROW_COLUMNS_OF(F, C, LAYERS)                                                               \
    C(REAL, LAYERS_EB_N0, eb_n0_db, lte_eb_n0_db(n_tx, scenario->n_bits, row->snr_db))             \
    C(COUNT, LAYERS_LAYER, layer, layer)                                                           \
    C(COUNT, LAYERS_BITS, bits, bits)                                                              \
    C(COUNT, LAYERS_ERRORS, bit_errors, wrong)                                                     \
    C(REAL, LAYERS_BER, ber, (double)wrong / (double)bits)                                         \
    C(COUNT, LAYERS_SYMBOL_ERRORS, symbol_errors, wrong_symbols)                                   \
    C(REAL, LAYERS_SER, ser, (double)wrong_symbols / (double)symbols)

/* The 16 groups of clusters (LTE_N_GROUPS): wrong bits or blocks, and lost information of LLRs. */
#define LTE_GROUPS_OF(F, C, id, name, from)                                                        \
    F(COUNT, id##0, name##0, from[0])    C(COUNT, id##1, name##1, from[1])                         \
    C(COUNT, id##2, name##2, from[2])    C(COUNT, id##3, name##3, from[3])                         \
    C(COUNT, id##4, name##4, from[4])    C(COUNT, id##5, name##5, from[5])                         \
    C(COUNT, id##6, name##6, from[6])    C(COUNT, id##7, name##7, from[7])                         \
    C(COUNT, id##8, name##8, from[8])    C(COUNT, id##9, name##9, from[9])                         \
    C(COUNT, id##10, name##10, from[10]) C(COUNT, id##11, name##11, from[11])                      \
    C(COUNT, id##12, name##12, from[12]) C(COUNT, id##13, name##13, from[13])                      \
    C(COUNT, id##14, name##14, from[14]) C(COUNT, id##15, name##15, from[15])
#define LTE_GROUPS_TABLE(F, C)                                                                     \
    LTE_ROW_COLUMNS_OF(F, C, GROUPS)                                                               \
    C(COUNT, GROUPS_BITS, bits, lte_row_bits(row))                                                 \
    LTE_GROUPS_OF(C, C, GROUPS_E, e, row->groups)
#define LTE_GROUPS_SOFT_TABLE(F, C) LTE_GROUPS_OF(F, C, GROUPS_L, l, row->lost_groups)

/* Of a search, a row for each detector. */
#define LTE_TARGET_TABLE(F, C)                                                                     \
    F(TEXT, TARGET_DETECTOR, detector, lte_detector_named(row->detector).text)                     \
    C(TEXT, TARGET_CSI, csi, lte_csi_rows[sweep->csi].name)                                        \
    C(EXACT, TARGET_BER, target_ber, sweep->scenario->sweep.target_ber)                            \
    C(REAL, TARGET_SNR, snr_db, found.snr_db)                                                      \
    C(REAL, TARGET_LOW, snr_db_low, found.low_db)                                                  \
    C(REAL, TARGET_HIGH, snr_db_high, found.high_db)                                               \
    C(REAL, TARGET_THEORY, snr_db_theory, found.theory_db)                                         \
    C(COUNT, TARGET_SLOTS, slots, found.slots)                                                     \
    C(TEXT, TARGET_STATUS, status, lte_found_name(found.how))

#define LTE_TIMING_TABLE(F, C)                                                                     \
    F(TEXT, TIMING_DETECTOR, detector, lte_detector_named(detector).text)                          \
    C(TEXT, TIMING_PLACEMENT, placement, lte_placement_names[placement])                           \
    C(TEXT, TIMING_STAGE, stage, stage)                                                            \
    C(REAL, TIMING_P50, p50_us, spread->p50_us)                                                    \
    C(REAL, TIMING_P99, p99_us, spread->p99_us)                                                    \
    C(REAL, TIMING_P999, p999_us, spread->p999_us)                                                 \
    C(REAL, TIMING_MAX, max_us, spread->max_us)                                                    \
    C(REAL, TIMING_MEAN, mean_us, spread->mean_us)

#define LTE_LATENCY_TABLE(F, C)                                                                    \
    F(REAL, LATENCY_QUANTILE, quantile, (i + 1.0) / host->due)                                     \
    C(REAL, LATENCY_US, latency_us, (double)host->latency_us[i])

#define LTE_CHANNEL_TABLE(F, C)                                                                    \
    F(TEXT, CHANNEL_PROPERTY, property, line->property)                                            \
    C(TEXT, CHANNEL_ARGUMENT, argument, line->argument)                                            \
    C(REAL, CHANNEL_MEASURED, measured, line->measured)                                            \
    C(REAL, CHANNEL_EXPECTED, expected, line->expected)                                            \
    C(REAL, CHANNEL_LIMIT, limit, line->limit)                                                     \
    C(TEXT, CHANNEL_PASS, pass, line->untested ? "" : line->pass ? "yes" : "no")

#define LTE_CHANNEL_GRID_TABLE(F, C)                                                               \
    F(REAL, GRID_TIME, time_ms, 1e3 * lte_symbol_start_s((uint64_t)slot, symbol))                  \
    C(COUNT, GRID_SUBCARRIER, subcarrier, (uint64_t)sc)                                            \
    C(REAL, GRID_H, h_db, 10.0 * log10(re * re + im * im))

/* Of a list of MCS: the cells of the best one's row of bler.csv as they stand there. */
#define LTE_ENVELOPE_TABLE(F, C)                                                                   \
    F(TEXT, ENVELOPE_DETECTOR, detector, lte_table_text(table, row, LTE_BLER_DETECTOR))            \
    C(TEXT, ENVELOPE_CSI, csi, lte_table_text(table, row, LTE_BLER_CSI))                           \
    C(NUMBER, ENVELOPE_SNR, snr_db, lte_table_text(table, row, LTE_BLER_SNR))                      \
    C(COUNT, ENVELOPE_MCS, mcs, (uint64_t)mcs)                                                     \
    C(NUMBER, ENVELOPE_BITS_PER_S, bits_per_s, lte_table_text(table, row, LTE_BLER_BITS_PER_S))    \
    C(NUMBER, ENVELOPE_PEAK, peak_bits_per_s, lte_table_text(table, row, LTE_BLER_PEAK))           \
    C(NUMBER, ENVELOPE_BLER, bler, lte_table_text(table, row, LTE_BLER_BLER))
/* clang-format on */

/* Out of a table: its first line, its kinds, and the places of its columns. */
#define LTE_COLUMN_FIRST(kind, id, name, value) #name
#define LTE_COLUMN_NEXT(kind, id, name, value) "," #name
#define LTE_COLUMN_KIND(kind, id, name, value) LTE_KIND_##kind
#define LTE_COLUMN_PLACE(kind, id, name, value) LTE_##id,

/* For lte_table_read. */
#define LTE_KIND_TEXT "t"
#define LTE_KIND_COUNT "n"
#define LTE_KIND_EXACT "n"
#define LTE_KIND_REAL "n"
#define LTE_KIND_NUMBER "n"

/* The first line of a file, LTE_COLUMNS(BER), and how it goes on, LTE_MORE_COLUMNS(BER_SOFT). */
#define LTE_COLUMNS(table) LTE_##table##_TABLE(LTE_COLUMN_FIRST, LTE_COLUMN_NEXT)
#define LTE_MORE_COLUMNS(table) LTE_##table##_TABLE(LTE_COLUMN_NEXT, LTE_COLUMN_NEXT)
#define LTE_KINDS(table) LTE_##table##_TABLE(LTE_COLUMN_KIND, LTE_COLUMN_KIND)

/* Places in a row, with LLRs in the longer one. */
#define LTE_PLACES(table) LTE_##table##_TABLE(LTE_COLUMN_PLACE, LTE_COLUMN_PLACE)
enum { LTE_PLACES(BER) LTE_PLACES(BER_SOFT) };
enum { LTE_PLACES(BLER) };
enum { LTE_PLACES(LAYERS) };
enum { LTE_PLACES(GROUPS) };
enum { LTE_PLACES(TIMING) };
enum { LTE_PLACES(LATENCY) };
enum { LTE_PLACES(CHANNEL) };
enum { LTE_PLACES(ENVELOPE) };

#endif
