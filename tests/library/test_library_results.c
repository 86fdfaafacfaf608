/* Result folders as the library ltesim reads them. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ltesim/ltesim.h"
#include "tests/lib/unit.h"

#define COLUMNS                                                                                    \
    "detector,csi,snr_db,snr_db_measured,slots,bits,bit_errors,ber,ber_low,ber_high,ser,"          \
    "ber_theory,z,flagged,status,seconds,vector_errors,unfinished,silent\n"
#define SOFT_COLUMNS                                                                               \
    "detector,csi,snr_db,snr_db_measured,slots,bits,bit_errors,ber,ber_low,ber_high,ser,"          \
    "ber_theory,z,flagged,status,seconds,vector_errors,unfinished,gmi,gmi_low,gmi_high,gmi_limit," \
    "shannon,llr_scale,llr_scale_bound,llr_cut,silent\n"
#define ROW                                                                                        \
    "mmse,perfect,20,2.001000e+01,64,8601600,374826,4.357631e-02,4.324211e-02,4.391378e-02,"       \
    "1.6e-01,,,3,errors,0.5,64001,9,4\n"

#define SOFT_ROW                                                                                   \
    "mmse,perfect,20,2.001000e+01,64,8601600,374826,4.357631e-02,4.324211e-02,4.391378e-02,"       \
    "1.6e-01,,,3,errors,0.5,64001,9,3.5,3.4,3.6,3.9,6.6,1.01,0,0.002,4\n"

/* What lte_ber_table_read says of a ber.csv with such a text. */
static lte_status read_text(const char *text, lte_ber_table *table)
{
    char folder[] = "/tmp/lte_library_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/ber.csv", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
    const lte_status status = lte_ber_table_read(folder, table);
    (void)unlink(path);
    (void)rmdir(folder);
    return status;
}

static void results_are_read(void **state)
{
    lte_ber_table table;
    (void)state;
    assert_int_equal(read_text(COLUMNS ROW ROW, &table), LTE_OK);
    assert_int_equal(table.n_rows, 2);
    const lte_ber_row *row = &table.rows[1];
    assert_string_equal(row->detector, "mmse");
    assert_string_equal(row->csi, "perfect");
    assert_string_equal(row->status, "errors");
    assert_int_equal(row->bits, 8601600);
    assert_int_equal(row->bit_errors, 374826);
    assert_int_equal(row->flagged, 3);
    assert_int_equal(row->vector_errors, 64001);
    assert_int_equal(row->unfinished, 9);
    assert_int_equal(row->silent, 4);
    assert_near(row->snr_db, 20.0, 0.0);
    assert_near(row->ber, 4.357631e-02, 0.0);
    assert_near(row->snr_db_measured, 20.01, 0.0);
    assert_int_equal(row->slots, 64);
    assert_near(row->ber_low, 4.324211e-02, 0.0);
    assert_near(row->ber_high, 4.391378e-02, 0.0);
    assert_near(row->ser, 0.16, 0.0);
    assert_near(row->seconds, 0.5, 0.0);
    assert_true(isnan(row->ber_theory) && isnan(row->z));
    lte_ber_table_fini(&table);
    assert_int_equal(read_text(COLUMNS, &table), LTE_OK);
    assert_int_equal(table.n_rows, 0);
    lte_ber_table_fini(&table);
}

/* With LLRs their columns stand before the last one of the others. */
static void silent_layers_stand_last_with_llrs_too(void **state)
{
    lte_ber_table table;
    (void)state;
    assert_int_equal(read_text(SOFT_COLUMNS SOFT_ROW, &table), LTE_OK);
    assert_int_equal(table.n_rows, 1);
    assert_int_equal(table.rows[0].unfinished, 9);
    assert_int_equal(table.rows[0].silent, 4);
    lte_ber_table_fini(&table);
}

static void damaged_results_are_refused(void **state)
{
    static const char *const texts[] = {
        "detector\n",
        COLUMNS "mmse,perfect,20\n",
        COLUMNS "mmse,perfect,20,20,64,8601600,374826,4e-02,4e-02,4e-02,1e-01,,,3,errors,0.5",
        COLUMNS "mmse,perfect,20,20,64,8601600,-1,4e-02,4e-02,4e-02,1e-01,,,3,errors,0.5\n",
        COLUMNS "mmse,perfect,20,20,64,8601600,,4e-02,4e-02,4e-02,1e-01,,,3,errors,0.5\n",
        COLUMNS "mmse,perfect,20x,20,64,8601600,1,4e-02,4e-02,4e-02,1e-01,,,3,errors,0.5\n",
        COLUMNS "mmse,perfect,20,20,64,8601600,1,4e-02,4e-02,4e-02,1e-01,,,3,errors,0.5,\n",
    };
    enum { N_TEXTS = sizeof texts / sizeof *texts };
    lte_ber_table table;
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (int i = 0; i < N_TEXTS; i++) {
        assert_int_equal(read_text(texts[i], &table), LTE_EINVAL);
        assert_null(table.rows);
    }
    assert_int_equal(lte_ber_table_read("/nonexistent", &table), LTE_EIO);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), N_TEXTS + 1);
}

/* ---- any table ---- */

enum { MOST_PATH = 512 };

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[MOST_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

#define RATES                                                                                      \
    "detector,csi,snr_db,layer,bit,gmi,gmi_low,gmi_high\n"                                         \
    "zf,perfect,10,0,1,5.5e-01,5.4e-01,5.6e-01\n"                                                  \
    "mmse,perfect,10,1,0,,,6.0e-01\n"

static void any_table_is_read(void **state)
{
    static const char *const names[] = {"rate", "ber", "ber"};
    static const char *const files[] = {"rate.csv", "ber.csv", "ber.csv"};
    static const char *const texts[] = {RATES, COLUMNS ROW ROW, SOFT_COLUMNS SOFT_ROW};
    char folder[] = "/tmp/lte_library_XXXXXX", path[MOST_PATH];
    lte_result_table table;
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 3; i++) { /* written again it is the file */
        char again[4 * sizeof RATES] = "";
        write_file(folder, files[i], texts[i]);
        assert_int_equal(lte_result_table_read(folder, names[i], &table), LTE_OK);
        for (int row = -1; row < table.n_rows; row++) {
            for (int c = 0; c < table.n_columns; c++) {
                const size_t n = strlen(again);
                (void)snprintf(again + n, sizeof again - n, "%s%s",
                               row < 0 ? table.name[c] : lte_result_table_text(&table, row, c),
                               c + 1 < table.n_columns ? "," : "\n");
            }
        }
        assert_string_equal(again, texts[i]);
        lte_result_table_fini(&table);
    }
    assert_int_equal(lte_result_table_read(folder, "rate", &table), LTE_OK);
    assert_int_equal(table.n_rows, 2);
    const int gmi = lte_result_table_column(&table, "gmi");
    assert_int_equal(gmi, 5);
    assert_int_equal(lte_result_table_column(&table, "nothing"), -1);
    assert_near(lte_result_table_real(&table, 0, gmi), 0.55, 0.0);
    assert_true(isnan(lte_result_table_real(&table, 1, gmi)));
    assert_true(isnan(lte_result_table_real(&table, 0, 0)));
    assert_int_equal(lte_result_table_count(&table, 1, lte_result_table_column(&table, "layer")),
                     1);
    lte_result_table_fini(&table);
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_result_table_read(folder, "bler", &table), LTE_EIO);
    assert_int_equal(lte_result_table_read(folder, "rat", &table), LTE_EINVAL);
    write_file(folder, "rate.csv", RATES "zf,perfect,10,0\n");
    assert_int_equal(lte_result_table_read(folder, "rate", &table), LTE_EINVAL);
    assert_null(table.cell);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 3);
    (void)snprintf(path, sizeof path, "%s/rate.csv", folder);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/ber.csv", folder);
    (void)unlink(path);
    (void)rmdir(folder);
}

static void a_list_says_its_mcs(void **state)
{
    static const char *const runs[] = {"mcs_12", "mcs_4", "mcs_04", "mcs_x", "other"};
    enum { N_RUNS = sizeof runs / sizeof *runs };
    char folder[] = "/tmp/lte_library_XXXXXX", path[MOST_PATH];
    int mcs[LTE_RESULT_MOST_MCS];
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(lte_result_mcs(folder, mcs), 0);
    for (int i = 0; i < N_RUNS; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, runs[i]);
        assert_int_equal(mkdir(path, 0777), 0);
        write_file(path, "run.json", "{\"snr_definition\": \"\"}");
    }
    assert_int_equal(lte_result_mcs(folder, mcs), 2);
    assert_int_equal(mcs[0], 4);
    assert_int_equal(mcs[1], 12);
    write_file(folder, "run.json", "{\"snr_definition\": \"\"}"); /* a run of its own */
    assert_int_equal(lte_result_mcs(folder, mcs), 0);
    (void)snprintf(path, sizeof path, "%s/run.json", folder);
    (void)unlink(path);
    for (int i = 0; i < N_RUNS; i++) {
        (void)snprintf(path, sizeof path, "%s/%s/run.json", folder, runs[i]);
        (void)unlink(path);
        (void)snprintf(path, sizeof path, "%s/%s", folder, runs[i]);
        (void)rmdir(path);
    }
    (void)rmdir(folder);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(library_results, results_are_read),
        LTE_CASE(library_results, silent_layers_stand_last_with_llrs_too),
        LTE_CASE(library_results, damaged_results_are_refused),
        LTE_CASE(library_results, any_table_is_read),
        LTE_CASE(library_results, a_list_says_its_mcs),
    };
    return cmocka_run_group_tests_name("library_results", cases, NULL, NULL);
}
