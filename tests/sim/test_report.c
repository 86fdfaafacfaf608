/* The tables on stdout: what a reader of the terminal relies on. */
#include "tests/lib/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/jobs/sweep/gains.h"
#include "sim/report/tables/report.h"
#include "sim/report/results/results.h"
#include "phy/theory/ber_theory.h"
#include "sim/scenario/described_link.h"

static lte_scenario *scenario;

static int read_scenario(void **state)
{
    (void)state;
    static const char *const sets[] = {"sweep.snr_db=[0.0,20.0,10.0]", "sweep.min_slots=2",
                                       "sweep.max_slots=2", "sweep.round_slots=2"};
    return lte_scenario_read("scenarios/quick.cfg", sets, 4, &scenario) != LTE_OK;
}

static int free_scenario(void **state)
{
    (void)state;
    lte_scenario_free(scenario);
    return 0;
}

/* The BER table of the scenario's sweep, for the caller to free. */
static char *ber_table(void)
{
    const lte_backend *backend;
    lte_engine *engine = NULL;
    lte_sweep *sweep = NULL;
    lte_estimator none;
    lte_link link;
    char *text = NULL;
    size_t size = 0;
    lte_engine_options options = {.n_threads = 1};
    assert_int_equal(lte_backend_open("cpu", &backend, &options.device), LTE_OK);
    assert_int_equal(lte_scenario_link(scenario, LTE_CSI_perfect, NULL, &none, &link), LTE_OK);
    assert_int_equal(backend->create(backend, &link, &options, &engine), LTE_OK);
    assert_int_equal(lte_sweep_create(scenario, &link, &sweep), LTE_OK);
    lte_worker worker = lte_worker_of(backend, engine);
    assert_int_equal(lte_sweep_run(sweep, &worker, 1, NULL, NULL), LTE_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const lte_sweeps sweeps = {{sweep}, 1};
    lte_report_ber(out, &sweeps);
    assert_int_equal(fclose(out), 0);
    lte_sweep_free(sweep);
    backend->free(engine);
    return text;
}

/* Lines of text that begin with start. */
static int lines_with(const char *text, const char *start)
{
    int n = 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        n += strncmp(line, start, strlen(start)) == 0;
    }
    return n;
}

static void eb_n0_is_snr_over_the_bits_of_all_layers(void **state)
{
    (void)state;
    assert_int_equal(scenario->n_tx * scenario->n_bits, 8);
    assert_near(lte_eb_n0_db(scenario->n_tx, scenario->n_bits, 20.0), 20.0 - 10.0 * log10(8.0),
                1e-12);
}

static void table_has_a_row_for_each_detector_and_snr(void **state)
{
    (void)state;
    char *text = ber_table();
    assert_int_equal(lines_with(text, "detector "), 1);
    assert_int_equal(lines_with(text, "zf  "), 3);
    assert_int_equal(lines_with(text, "mmse  "), 3);
    assert_int_equal(lines_with(text, "zf - mmse  "), 3);
    free(text);
}

static void only_approximate_theory_is_marked_and_lacks_z(void **state)
{
    (void)state;
    char *text = ber_table();
    int marked = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *mark = strchr(line, '~');
        if (strncmp(line, "zf  ", 4) == 0)
            assert_null(mark);
        if (strncmp(line, "mmse  ", 6) == 0) {
            /* behind the mark an empty cell for z */
            marked += mark != NULL && strspn(mark + 1, " ") == strlen("         ");
        }
    }
    assert_int_equal(marked, 3);
    free(text);
}

enum { N_CURVE = 4 };

/* A sweep of one detector whose points have so many errors in 10^6 bits; none ran if negative. */
static lte_sweep *curve_of(int csi, const double *snr_db, const int *errors)
{
    lte_estimator estimator;
    lte_link link;
    lte_sweep *sweep = NULL;
    lte_scenario s = *scenario;
    s.n_detectors = 1;
    s.channel = LTE_CHANNEL_eva;
    s.sweep.n_snr = N_CURVE;
    memcpy(s.sweep.snr_db, snr_db, N_CURVE * sizeof *snr_db);
    assert_int_equal(lte_scenario_link(&s, csi, NULL, &estimator, &link), LTE_OK);
    assert_int_equal(lte_sweep_create(&s, &link, &sweep), LTE_OK);
    lte_estimator_free(&estimator);
    sweep->scenario = scenario;
    sweep->n_started = N_CURVE;
    for (int i = 0; i < N_CURVE; i++) {
        if (errors[i] < 0)
            continue;
        lte_error_count_add(&sweep->rows[i].error_count, 1000000, (uint64_t)errors[i]);
        sweep->rows[i].status = LTE_ROW_ERRORS;
    }
    return sweep;
}

static void losses_are_read_between_neighbouring_points(void **state)
{
    (void)state;
    static const double snr_db[N_CURVE] = {20.0, 0.0, 10.0, 30.0}; /* in any order */
    static const struct {
        int errors[N_CURVE];
        double snr_db;
    } table[] = {
        {{1000, 200000, 100000, 100}, 15.2064665}, /* the cubic through all four */
        {{5000, 200000, 20000, 100}, 15.7870284},
        {{10000, 200000, 100000, 100}, 20.0},           /* a point itself */
        {{1000, 200000, -1, 100}, 11.3082402},          /* a point that did not run: the line */
        {{100000, 300000, 200000, 20000}, (double)NAN}, /* never down there */
        {{1000, 9000, 3000, 100}, (double)NAN},         /* always */
        {{0, 200000, 100000, 0}, (double)NAN},          /* no error beyond */
    };
    lte_sweep *perfect = curve_of(LTE_CSI_perfect, snr_db, table[0].errors);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lte_sweep *ls = curve_of(LTE_CSI_dmrs_ls, snr_db, table[i].errors);
        const lte_sweeps both = {{perfect, ls}, 2}, alone = {{ls}, 1};
        const double loss = lte_loss_db(&both, 1, 0);
        char *text = NULL, line[64];
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        lte_report_ber(out, &both);
        assert_int_equal(fclose(out), 0);
        (void)snprintf(line, sizeof line, "zf        dmrs-ls   %7.2f\n", loss);
        if (isnan(table[i].snr_db)) {
            assert_true(isnan(loss));
            (void)snprintf(line, sizeof line, "zf        dmrs-ls   %7s\n", "-");
        } else {
            assert_near(loss, table[i].snr_db - table[0].snr_db, 1e-6);
        }
        assert_int_equal(lines_with(strstr(text, "\nloss against"), line), 1);
        assert_true(isnan(lte_loss_db(&alone, 0, 0)));
        assert_int_equal(lines_with(text, "zf        perfect  "), 4);
        free(text);
        lte_sweep_free(ls);
    }
    lte_sweep_free(perfect);
}

static void header_names_the_snr_definition_and_the_seed(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const lte_run_info info = {.scenario = scenario,
                               .backend = "cpu:ref",
                               .device = {.name = "a processor", .text = "of some size"},
                               .threads = 1};
    lte_report_header(out, &info);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "total transmit power over noise power at one receive antenna"));
    assert_int_equal(lines_with(text, "seed        1"), 1);
    assert_non_null(strstr(text, "300 subcarriers"));
    assert_int_equal(lines_with(text, "backend     cpu:ref, 1 thread; a processor, of some size\n"),
                     1);
    free(text);
}

/* Column of ber.csv by its name, of the line of a row, in text; empty: unknown. */
static void cell_of(const char *head, const char *line, const char *name, char *text, size_t size)
{
    const size_t length = strlen(name);
    for (;; head++, line++) {
        const size_t h = strcspn(head, ",\n"), l = strcspn(line, ",\n");
        if (h == length && strncmp(head, name, h) == 0) {
            (void)snprintf(text, size, "%.*s", (int)l, line);
            return;
        }
        head += h;
        line += l;
        if (*head != ',' || *line != ',')
            fail_msg("no column %s", name);
    }
}

static double number_in(const char *head, const char *line, const char *name)
{
    char text[64];
    cell_of(head, line, name, text, sizeof text);
    return *text ? strtod(text, NULL) : (double)NAN;
}

static void assert_cell(double cell, double expected)
{
    if (isnan(expected))
        assert_true(isnan(cell));
    else
        assert_near(cell, expected, 1e-6 * fabs(expected));
}

/* ber.csv, column by column, of three points: with errors, with none, and one slot alone. */
static void ber_csv_has_what_the_rows_have(void **state)
{
    (void)state;
    static const double snr_db[N_CURVE] = {0.0, 10.0, 20.0, 30.0};
    static const int errors[N_CURVE] = {40000, 700, 0, -1};
    char dir[] = "/tmp/lte_report_XXXXXX", path[64], head[512], line[512], text[64];
    lte_sweep *sweep = curve_of(LTE_CSI_perfect, snr_db, errors);
    const lte_sweeps sweeps = {{sweep}, 1};
    for (int s = 0; s < 3; s++) {
        lte_row *row = &sweep->rows[s];
        row->slots = 77;
        row->seconds = 2.5;
        row->signal = 1000 << s;
        row->noise = 10;
        row->status = s == 0 ? LTE_ROW_ERRORS : s == 1 ? LTE_ROW_TIME : LTE_ROW_SLOTS;
        row->counts[lte_symbols_at(scenario->n_tx, 0)] = (uint64_t)errors[s] / 4;
        row->counts[lte_flagged_at(scenario->n_tx)] = 3;
        row->counts[lte_vectors_at(scenario->n_tx)] = 5;
        row->counts[lte_unfinished_at(scenario->n_tx)] = 7;
        row->counts[lte_silent_at(scenario->n_tx)] = 11;
    }
    assert_non_null(mkdtemp(dir));
    assert_int_equal(lte_results_ber(dir, &sweeps), LTE_OK);
    (void)snprintf(path, sizeof path, "%s/ber.csv", dir);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(head, sizeof head, file));
    assert_string_equal(head, "detector,csi,snr_db,snr_db_measured,slots,bits,bit_errors,ber,"
                              "ber_low,ber_high,ser,ber_theory,z,flagged,status,seconds,"
                              "vector_errors,unfinished,silent\n");
    for (int s = 0; s < 3; s++) {
        const lte_row *row = &sweep->rows[s];
        const lte_interval ber = lte_row_interval(sweep, row);
        const double bits = (double)lte_row_bits(row);
        assert_non_null(fgets(line, sizeof line, file));
        cell_of(head, line, "detector", text, sizeof text);
        assert_string_equal(text, "zf");
        cell_of(head, line, "csi", text, sizeof text);
        assert_string_equal(text, "perfect");
        cell_of(head, line, "status", text, sizeof text);
        assert_string_equal(text, lte_row_status_name(row->status));
        assert_cell(number_in(head, line, "snr_db"), snr_db[s]);
        assert_cell(number_in(head, line, "snr_db_measured"), lte_row_snr_db(sweep, row));
        assert_cell(number_in(head, line, "slots"), 77.0);
        assert_cell(number_in(head, line, "bits"), bits);
        assert_cell(number_in(head, line, "bit_errors"), errors[s]);
        assert_cell(number_in(head, line, "ber"), errors[s] > 0 ? errors[s] / bits : (double)NAN);
        assert_cell(number_in(head, line, "ber_low"), ber.low);
        assert_cell(number_in(head, line, "ber_high"), ber.high);
        assert_cell(number_in(head, line, "ser"), errors[s] / 4.0 * scenario->n_bits / bits);
        assert_cell(number_in(head, line, "ber_theory"), row->theory.ber);
        assert_cell(number_in(head, line, "z"), lte_row_z(row));
        assert_cell(number_in(head, line, "flagged"), 3.0);
        assert_cell(number_in(head, line, "vector_errors"), 5.0);
        assert_cell(number_in(head, line, "unfinished"), 7.0);
        assert_cell(number_in(head, line, "silent"), 11.0);
        assert_cell(number_in(head, line, "seconds"), 2.5);
    }
    assert_null(fgets(line, sizeof line, file)); /* none of the point that did not begin */
    assert_int_equal(fclose(file), 0);
    assert_int_equal(unlink(path), 0);
    (void)snprintf(path, sizeof path, "%s/layers.csv", dir);
    assert_int_equal(unlink(path), 0);
    (void)snprintf(path, sizeof path, "%s/groups.csv", dir);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir), 0);
    lte_sweep_free(sweep);
}

/* What the header says of a scenario besides the one of the file. */
static char *left_out(const lte_scenario *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    lte_report_left_out(out, s);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void what_is_left_out_is_said_where_it_applies(void **state)
{
    (void)state;
    static const lte_cf32 some[1];
    static const struct {
        int channel, csi, model;
        double doppler_hz, snr_db, power;
        const char *words;
    } table[] = {
        {LTE_CHANNEL_rayleigh, LTE_CSI_perfect, 0, 0.0, 40.0, 0.0, NULL},
        {LTE_CHANNEL_eva, LTE_CSI_perfect, 0, 70.0, 30.0, 0.0, NULL},
        {LTE_CHANNEL_eva, LTE_CSI_perfect, 0, 300.0, 21.7, 0.0, NULL},
        {LTE_CHANNEL_eva, LTE_CSI_perfect, 0, 300.0, 21.9, 0.0,
         "left out    intercarrier interference, -31.8 dB"},
        {LTE_CHANNEL_eva, LTE_CSI_perfect, 0, 1000.0, 11.5, 0.0,
         "-21.4 dB at a Doppler of 1000 Hz"},
        {LTE_CHANNEL_etu, LTE_CSI_perfect, 0, 0.0, 0.0, 0.0,
         "left out    intersymbol interference of the echo at 5000 ns"},
        {LTE_CHANNEL_eva, LTE_CSI_dmrs_ls, 0, 0.0, 0.0, 0.0,
         "left out    DFT precoding of the uplink"},
        {LTE_CHANNEL_eva, LTE_CSI_dmrs_mmse, 0, 0.0, 0.0, 0.0, "true power-delay profile of eva\n"},
        {LTE_CHANNEL_file, LTE_CSI_dmrs_mmse, LTE_CHANNEL_etu, 0.0, 0.0, 1.0,
         "profile of etu, as the file says"},
        {LTE_CHANNEL_file, LTE_CSI_dmrs_mmse, -1, 0.0, 0.0, 1.0,
         "any echo within the cyclic prefix"},
        {LTE_CHANNEL_file, LTE_CSI_perfect, -1, 0.0, 0.0, 1.0, NULL},
        {LTE_CHANNEL_file, LTE_CSI_perfect, -1, 0.0, 0.0, 0.8, "0.8 (-1.0 dB), not 1\n"},
        {LTE_CHANNEL_file, LTE_CSI_perfect, -1, 0.0, 0.0, 1e-8,
         "THE TRUE SNR DIFFERS FROM THE GIVEN ONE"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lte_scenario s = *scenario;
        s.channel = table[i].channel;
        s.csi[0] = table[i].csi;
        s.doppler_hz = table[i].doppler_hz;
        s.sweep.n_snr = 1;
        s.sweep.snr_db[0] = s.deadline.snr_db = table[i].snr_db;
        s.stored.h = s.channel == LTE_CHANNEL_file ? (lte_cf32 *)(uintptr_t)some : NULL;
        s.stored.model = table[i].model;
        s.stored.power = table[i].power;
        char *text = left_out(&s);
        if (!table[i].words && *text)
            fail_msg("line %zu: %s", i, text);
        if (table[i].words && !strstr(text, table[i].words))
            fail_msg("line %zu: no '%s' in:\n%s", i, table[i].words, text);
        free(text);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(report, ber_csv_has_what_the_rows_have),
    LTE_CASE(report, what_is_left_out_is_said_where_it_applies),
    LTE_CASE(report, eb_n0_is_snr_over_the_bits_of_all_layers),
    LTE_CASE(report, table_has_a_row_for_each_detector_and_snr),
    LTE_CASE(report, only_approximate_theory_is_marked_and_lacks_z),
    LTE_CASE(report, losses_are_read_between_neighbouring_points),
    LTE_CASE(report, header_names_the_snr_definition_and_the_seed),
};

int main(void)
{
    return cmocka_run_group_tests_name("report", cases, read_scenario, free_scenario);
}
