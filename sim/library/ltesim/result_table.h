#ifndef LTESIM_RESULT_TABLE_H
#define LTESIM_RESULT_TABLE_H
/*
 * Any table of a result folder: ber, bler, rate, layers, groups, target, timing, latency, blocks,
 * envelope, channel, channel_grid; sim/report/README.md has their columns.
 *
 *     lte_result_table bler;
 *     if (lte_result_table_read("out/bler_10mhz_2x2", "bler", &bler) == LTE_OK) {
 *         const int rate = lte_result_table_column(&bler, "bler");
 *         for (int i = 0; i < bler.n_rows; i++)
 *             printf("%g\n", lte_result_table_real(&bler, i, rate));
 *     }
 *     lte_result_table_fini(&bler);
 *
 * A run of a list of MCS leaves a folder for each, "out/adaptation/mcs_4", and envelope.csv in its
 * own:
 *
 *     int mcs[LTE_RESULT_MOST_MCS];
 *     const int n = lte_result_mcs("out/adaptation", mcs);
 */

#include <stdint.h>

#include "ltesim/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zeros hold nothing. */
typedef struct {
    int n_rows, n_columns;
    const char **name; /* [n_columns], of the columns */
    const char **cell; /* [n_rows][n_columns], as they stand in the file */
    double *real;      /* [n_rows][n_columns], NaN for a text and where the file has nothing */
    void *text;        /* of the file, owned */
} lte_result_table;

/*
 * Reads the table of a name from a result folder.
 *
 * Returns LTE_EINVAL for a name that no table has, or, naming the line, for a file that ltesim does
 * not write, LTE_EIO where there is none or it cannot be read, LTE_ENOMEM; table then holds
 * nothing. A rate of errors is empty where no error was seen: the high end of its interval is then
 * a bound.
 */
LTE_API lte_status lte_result_table_read(const char *folder, const char *name,
                                         lte_result_table *table);

LTE_API void lte_result_table_fini(lte_result_table *table);

/* The place of a column by its name; -1: there is none. */
LTE_API int lte_result_table_column(const lte_result_table *table, const char *name);

/*
 * A cell as it stands in the file; as a number, NaN where there is none; as a whole number, 0
 * where it is none. row and column are within the table.
 */
LTE_API const char *lte_result_table_text(const lte_result_table *table, int row, int column);
LTE_API double lte_result_table_real(const lte_result_table *table, int row, int column);
LTE_API uint64_t lte_result_table_count(const lte_result_table *table, int row, int column);

/* The MCS of a folder that is that of a list, by rising number; returns how many, 0 for others. */
enum { LTE_RESULT_MOST_MCS = 100 };
LTE_API int lte_result_mcs(const char *folder, int mcs[LTE_RESULT_MOST_MCS]);

#ifdef __cplusplus
}
#endif

#endif
