/*
 * Scenario files: what is read, what is assumed, what --set changes. What is refused is held by
 * tests/cli/bad_input.sh through the program itself.
 */
#include "tests/lib/unit.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/options.h"
#include "sim/scenario/scenario.h"

#define SMALL                                                                                      \
    "carrier = { bandwidth_mhz = 5; }; antennas = { tx = 2; rx = 4; }; modulation = \"64qam\";\n"  \
    "detectors = ( \"zf\", \"mmse\" );\n"

static char last_failure[1024];

static void keep_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)snprintf(last_failure, sizeof last_failure, "%s", text);
}

/* Reads text as a scenario file with one override (NULL: none); NULL if it is refused. */
static lte_scenario *read_text(const char *text, const char *set)
{
    char path[] = "/tmp/scenario-XXXXXX.cfg";
    int handle = mkstemps(path, 4);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, strlen(text)), strlen(text));
    assert_int_equal(close(handle), 0);
    lte_scenario *scenario = NULL;
    *last_failure = '\0';
    lte_fail_handler before = lte_fail_handler_set(keep_failure);
    lte_status status = lte_scenario_read(path, &set, set ? 1 : 0, &scenario);
    lte_fail_handler_set(before);
    assert_int_equal(unlink(path), 0);
    assert_true(status == (scenario ? LTE_OK : LTE_EINVAL));
    return scenario;
}

static lte_scenario *read_small(const char *set)
{
    lte_scenario *scenario = read_text(SMALL, set);
    if (!scenario)
        fail_msg("refused: %s", last_failure);
    return scenario;
}

/* ---- the file ---- */

static void the_example_is_read_as_written(void **state)
{
    (void)state;
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read("scenarios/20mhz_4x4.cfg", NULL, 0, &s), LTE_OK);
    assert_string_equal(s->name, "20mhz_4x4");
    assert_string_equal(s->title, "20 MHz, 4x4, 16QAM in Rayleigh fading: ZF against MMSE");
    assert_true(s->bandwidth_mhz == 20.0);
    assert_int_equal(s->n_sc, 1200);
    assert_int_equal(s->n_tx, 4);
    assert_int_equal(s->n_rx, 4);
    assert_int_equal(s->n_bits, 4);
    assert_int_equal(s->channel, LTE_CHANNEL_rayleigh);
    assert_int_equal(s->n_detectors, 2);
    assert_int_equal(s->detectors[0], LTE_DETECTOR_zf);
    assert_int_equal(s->detectors[1], LTE_DETECTOR_mmse);
    assert_int_equal(s->inverter, LTE_INVERTER_gauss_jordan);
    assert_int_equal(s->sweep.n_snr, 9);
    assert_true(s->sweep.snr_db[0] == 0.0 && s->sweep.snr_db[8] == 40.0);
    assert_int_equal(s->deadline.slots, 2000);
    assert_int_equal(s->deadline.detector, LTE_DETECTOR_mmse);
    assert_true(s->deadline.snr_db == 40.0);
    lte_scenario_free(s);
}

static void absent_keys_take_their_defaults(void **state)
{
    (void)state;
    lte_scenario *s = read_small(NULL);
    assert_int_equal(s->n_sc, 300);
    assert_int_equal(s->n_bits, 6);
    assert_string_equal(s->title, "");
    assert_int_equal(s->channel, LTE_CHANNEL_rayleigh);
    assert_int_equal(s->n_csi, 1);
    assert_int_equal(s->csi[0], LTE_CSI_perfect);
    assert_int_equal(s->noise, 0);
    assert_int_equal(s->csi_references, 1);
    assert_int_equal(s->deadline.csi, LTE_CSI_perfect);
    assert_int_equal(s->inverter, LTE_INVERTER_gauss_jordan);
    assert_int_equal(s->sweep.n_snr, 7);
    assert_true(s->sweep.snr_db[0] == 0.0 && s->sweep.snr_db[6] == 30.0);
    assert_int_equal(s->sweep.min_bit_errors, 1000);
    assert_int_equal(s->sweep.min_slots, 64);
    assert_int_equal(s->sweep.max_slots, 4096);
    assert_int_equal(s->sweep.round_slots, 64);
    assert_int_equal(s->sweep.min_clusters, 20);
    assert_true(s->sweep.max_seconds == 0.0);
    assert_true(s->sweep.precision == 0.0 && s->sweep.target_ber == 0.0);
    assert_true(s->doppler_hz == 0.0);
    assert_int_equal(s->drop_slots, 8);
    assert_int_equal(s->deadline.slots, 2000);
    assert_int_equal(s->deadline.distinct, 64);
    assert_int_equal(s->deadline.carriers, 1);
    assert_true(s->deadline.budget_us == 500.0 && s->deadline.on_time == 0.999);
    assert_true(s->deadline.paced);
    assert_int_equal(s->deadline.detector, LTE_DETECTOR_mmse);
    assert_true(s->deadline.snr_db == 30.0);
    assert_int_equal(s->seed, 1);
    assert_string_equal(s->backend, "auto");
    lte_scenario_free(s);
}

static void every_key_is_taken_over(void **state)
{
    (void)state;
    lte_scenario *s = read_text(
        "/* \n * Every key */\n" SMALL "channel = { model = \"flat\"; doppler_hz = 70; drop_slots "
        "= 4096 } csi = [ \"dmrs-mmse\", \"perfect\" ], noise = \"known\", inverter: "
        "\"ldl\" csi_references = 2\n"
        "sweep = { snr_points = ( 7, -2.5, 3L ); min_bit_errors = 0; min_slots = 0x10;\n"
        "  max_slots = 1099511627776L; round_slots = 65536; min_clusters = 7;\n"
        "  max_seconds = 2.5e1; precision = 1; target_ber = 1e-9; };\n"
        "deadline = { slots = 100000000; distinct = 4096; carriers = 100000; detector = \"zf\";\n"
        "  csi = \"dmrs-mmse\";\n"
        "  snr_db = -30; budget_us = .5; on_time = 0.95; paced = FALSE; };\n"
        "seed = 9223372036854775807L; backend = \"cpu\" \":ref\"; // the end",
        NULL);
    if (!s)
        fail_msg("refused: %s", last_failure);
    assert_string_equal(s->title, "Every key");
    assert_int_equal(s->channel, LTE_CHANNEL_flat);
    assert_true(s->doppler_hz == 70.0);
    assert_int_equal(s->n_csi, 2);
    assert_int_equal(s->csi[0], LTE_CSI_dmrs_mmse);
    assert_int_equal(s->csi[1], LTE_CSI_perfect);
    assert_int_equal(s->noise, 1);
    assert_int_equal(s->csi_references, 2);
    assert_int_equal(s->deadline.csi, LTE_CSI_dmrs_mmse);
    assert_int_equal(s->drop_slots, 4096);
    assert_int_equal(s->inverter, LTE_INVERTER_ldl);
    assert_int_equal(s->sweep.n_snr, 3);
    assert_true(s->sweep.snr_db[0] == 7.0 && s->sweep.snr_db[1] == -2.5);
    assert_true(s->sweep.snr_db[2] == 3.0);
    assert_int_equal(s->sweep.min_bit_errors, 0);
    assert_int_equal(s->sweep.min_slots, 16);
    assert_int_equal(s->sweep.max_slots, 1099511627776LL);
    assert_int_equal(s->sweep.round_slots, 65536);
    assert_int_equal(s->sweep.min_clusters, 7);
    assert_true(s->sweep.max_seconds == 25.0);
    assert_true(s->sweep.precision == 1.0 && s->sweep.target_ber == 1e-9);
    assert_int_equal(s->deadline.slots, 100000000);
    assert_int_equal(s->deadline.distinct, 4096);
    assert_int_equal(s->deadline.carriers, 100000);
    assert_int_equal(s->deadline.detector, LTE_DETECTOR_zf);
    assert_true(s->deadline.snr_db == -30.0 && s->deadline.budget_us == 0.5);
    assert_true(s->deadline.on_time == 0.95 && !s->deadline.paced);
    assert_true(s->seed == INT64_MAX);
    assert_string_equal(s->backend, "cpu:ref");
    lte_scenario_free(s);
}

/* Both of a subframe where something is estimated that moves in whole subframes; else one. */
static void reference_symbols_follow_the_channel(void **state)
{
    (void)state;
    static const struct {
        const char *channel, *set;
        int references;
    } asked[] = {{"doppler_hz = 5", "csi=dmrs-ls", 2},
                 {"doppler_hz = 5", "csi=(\"perfect\",\"dmrs-mmse\")", 2},
                 {"doppler_hz = 5", "csi=perfect", 1},
                 {"drop_slots = 8", "csi=dmrs-ls", 1},
                 {"doppler_hz = 5; drop_slots = 1", "csi=dmrs-ls", 1},
                 {"doppler_hz = 5; }; deadline = { distinct = 9", "csi=dmrs-ls", 1},
                 {"doppler_hz = 5; }; csi = \"dmrs-ls\"; deadline = { distinct = 64",
                  "csi_references=1", 1}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s channel = { model = \"eva\"; %s; };", SMALL,
                       asked[i].channel);
        lte_scenario *s = read_text(text, asked[i].set);
        if (!s)
            fail_msg("refused: %s", last_failure);
        assert_int_equal(s->csi_references, asked[i].references);
        lte_scenario_free(s);
    }
}

static void marks_in_strings_and_comments_are_text(void **state)
{
    (void)state;
    lte_scenario *s = read_text("\xef\xbb\xbf"
                                "\r\n# 99999999999 caf\xc3\xa9 \xff [1, 2.0] @include \"x\"\r\n"
                                "/* } 99999999999 */ // {\n" SMALL "# {",
                                NULL);
    if (!s)
        fail_msg("refused: %s", last_failure);
    assert_string_equal(s->title, "99999999999 caf\xc3\xa9 ? [1, 2.0] @include \"x\"");
    lte_scenario_free(s);
    assert_null(read_text(SMALL "backend = \"cpu # 99999999999 \\\" // \";", NULL));
    assert_non_null(strstr(last_failure, ":3: backend = \"cpu # 99999999999 \" // \": must be"));
}

static void a_refusal_names_file_line_key_value_and_range(void **state)
{
    (void)state;
    assert_null(read_text(SMALL "\nsweep = {\n  min_slots = 0L;\n};\n", NULL));
    assert_non_null(strstr(last_failure, "/tmp/scenario-"));
    assert_non_null(strstr(last_failure, ".cfg:5: sweep.min_slots = 0: must be an integer, 1 to "
                                         "1099511627776"));
}

static void close_names_are_suggested(void **state)
{
    (void)state;
    assert_null(read_text(SMALL "swep = { min_slots = 1; };", NULL));
    assert_non_null(strstr(last_failure, "did you mean sweep?"));
    assert_null(read_text(SMALL "sweep = { min_slot = 1; };", NULL));
    assert_non_null(strstr(last_failure, "did you mean sweep.min_slots?"));
    assert_null(read_text(SMALL "paced = true;", NULL));
    assert_non_null(strstr(last_failure, "did you mean deadline.paced?"));
    assert_null(read_text(SMALL "sweep = { colour = 1; };", NULL));
    assert_non_null(strstr(last_failure, "sweep has snr_db, snr_points, min_bit_errors"));
}

/* ---- overrides ---- */

static void a_bare_word_is_a_string(void **state)
{
    (void)state;
    const char *const sets[] = {"modulation=256qam", "channel.model=flat",  "inverter=gauss-jordan",
                                "backend=cpu:ref",   "detectors=mmse",      "csi=perfect",
                                " seed = 7L ",       "deadline.paced=false"};
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read("scenarios/quick.cfg", sets, 8, &s), LTE_OK);
    assert_int_equal(s->n_bits, 8);
    assert_int_equal(s->channel, LTE_CHANNEL_flat);
    assert_string_equal(s->backend, "cpu:ref");
    assert_int_equal(s->n_detectors, 1);
    assert_int_equal(s->detectors[0], LTE_DETECTOR_mmse);
    assert_int_equal(s->seed, 7);
    assert_false(s->deadline.paced);
    lte_scenario_free(s);
}

/* As groups, as names, and in run.json as names, which are read back. */
static void sets_of_one_detector_are_told_apart(void **state)
{
    (void)state;
    const char *const sets[] = {"detectors=( \"cg\", { name = \"cg\"; iterations = 7; }, "
                                "\"neumann-2\", { name = \"zf\"; } )",
                                "deadline.detector=cg-7"};
    static const int expected[] = {LTE_DETECTOR_cg, LTE_DETECTOR_cg | 7 << LTE_DETECTOR_BITS,
                                   LTE_DETECTOR_neumann | 2 << LTE_DETECTOR_BITS, LTE_DETECTOR_zf};
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read("scenarios/quick.cfg", sets, 2, &s), LTE_OK);
    assert_int_equal(s->n_detectors, 4);
    assert_memory_equal(s->detectors, expected, sizeof expected);
    assert_int_equal(s->deadline.detector, expected[1]);
    json_t *json = lte_scenario_json(s);
    char *text = json_dumps(json_object_get(json, "detectors"), JSON_COMPACT);
    assert_string_equal(text, "[\"cg-4\",\"cg-7\",\"neumann-2\",\"zf\"]");
    free(text);
    json_decref(json);
    lte_scenario_free(s);
}

/* By their names, each with as many layers as it takes and, if that is not all, one more. */
static void rows_are_found_by_name_and_keep_their_limits(void **state)
{
    (void)state;
    for (int i = 0; i < LTE_N_DETECTORS * LTE_N_INVERTERS * 2; i++) {
        const int d = i / 2 / LTE_N_INVERTERS, inverter = i / 2 % LTE_N_INVERTERS;
        const int a = lte_detector_rows[d].max_tx, b = lte_inverter_rows[inverter].max_order;
        const int most = a < b ? a : b, n_tx = most + i % 2;
        char text[512];
        if (n_tx > LTE_MAX_TX)
            continue;
        (void)snprintf(text, sizeof text,
                       "carrier = { bandwidth_mhz = 5; }; antennas = { tx = %d; rx = %d; }; "
                       "modulation = \"qpsk\"; detectors = ( \"%s\" ); inverter = \"%s\";",
                       n_tx, n_tx, lte_detector_rows[d].name, lte_inverter_rows[inverter].name);
        lte_scenario *s = read_text(text, NULL);
        if (n_tx > most) {
            assert_null(s);
            assert_non_null(strstr(last_failure, "antennas.tx"));
        } else {
            assert_non_null(s);
            assert_true(s->n_detectors == 1 && s->detectors[0] == d && s->inverter == inverter);
            assert_int_equal(s->deadline.detector, d);
        }
        lte_scenario_free(s);
    }
}

static void the_deadline_takes_the_last_listed_csi(void **state)
{
    (void)state;
    lte_scenario *s = read_text(SMALL "channel = { model = \"eva\"; };",
                                "csi=(\"dmrs-mmse\", \"perfect\", \"dmrs-ls\")");
    assert_non_null(s);
    assert_int_equal(s->n_csi, 3);
    assert_int_equal(s->deadline.csi, LTE_CSI_dmrs_ls);
    for (int k = 0; k < LTE_N_CSI; k++)
        assert_int_equal(lte_scenario_has_csi(s, k),
                         k == LTE_CSI_perfect || k == LTE_CSI_dmrs_ls || k == LTE_CSI_dmrs_mmse);
    lte_scenario_free(s);
    s = read_text(SMALL "channel = { model = \"eva\"; };", "csi=dmrs-ls");
    assert_non_null(s);
    assert_int_equal(s->n_csi, 1);
    assert_int_equal(s->deadline.csi, LTE_CSI_dmrs_ls);
    assert_false(lte_scenario_has_csi(s, LTE_CSI_perfect));
    lte_scenario_free(s);
}

/* What a channel's row says of it is what a scenario may ask, and the words of the refusal. */
static void channels_are_refused_what_their_rows_refuse(void **state)
{
    (void)state;
    for (int k = 0; k < LTE_N_CHANNELS; k++) {
        const lte_channel_row *row = &lte_channel_rows[k];
        const struct {
            const char *set, *why; /* NULL: not refused */
        } asked[] = {{"channel.drop_slots=1", NULL},
                     {"channel.doppler_hz=5", row->not_moved},
                     {"channel.correlation.level=low", row->not_correlated},
                     {"antennas.rx=4", row->square ? "needs tx = rx" : NULL}};
        char text[512], name[40];
        (void)snprintf(text, sizeof text,
                       "carrier = { bandwidth_mhz = 5; }; antennas = { tx = 2; rx = 2; }; "
                       "modulation = \"qpsk\"; detectors = ( \"zf\" ); "
                       "channel = { model = \"%s\"; };",
                       row->name);
        (void)snprintf(name, sizeof name, "channel.model \"%s\"", row->name);
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            lte_scenario *s = read_text(text, asked[i].set);
            const bool no_file = row->fading == LTE_FADING_GIVEN && !asked[i].why;
            if (asked[i].why || no_file) {
                const char *why = no_file ? "needs the name of an HDF5 file" : asked[i].why;
                assert_null(s);
                assert_non_null(strstr(last_failure, why));
                assert_non_null(strstr(last_failure, name));
            } else {
                assert_non_null(s);
                assert_int_equal(s->channel, k);
            }
            lte_scenario_free(s);
        }
    }
}

/* Independent subcarriers: one layer with known noise is all that an estimate can do there. */
static void estimates_of_independent_subcarriers_need_the_noise(void **state)
{
    (void)state;
    const char *const sets[] = {"csi=(\"perfect\", \"dmrs-mmse\")", "antennas.tx=1", "noise=known"};
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read("scenarios/quick.cfg", sets, 3, &s), LTE_OK);
    assert_int_equal(s->channel, LTE_CHANNEL_rayleigh);
    lte_scenario_free(s);
    assert_null(read_text(SMALL, "csi=dmrs-ls"));
    assert_non_null(strstr(last_failure, "--set csi=dmrs-ls: channel.model = \"rayleigh\", "
                                         "antennas.tx = 2, csi = \"dmrs-ls\": its "
                                         "subcarriers are independent"));
}

static void keys_are_judged_together_after_all_overrides(void **state)
{
    (void)state;
    const char *const sets[] = {"sweep.min_slots=9000", "sweep.max_slots=9000L", "antennas.rx=8",
                                "antennas.tx=8", "antennas.tx=6"};
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read("scenarios/quick.cfg", sets, 5, &s), LTE_OK);
    assert_int_equal(s->sweep.min_slots, 9000);
    assert_int_equal(s->n_tx, 6); /* the last one holds */
    lte_scenario_free(s);

    assert_null(read_text(SMALL, "sweep.min_slots=9000"));
    assert_non_null(strstr(last_failure, "--set sweep.min_slots=9000: sweep.min_slots = 9000, "
                                         "sweep.max_slots = 4096"));
}

static void points_replace_a_grid_and_a_grid_points(void **state)
{
    (void)state;
    lte_scenario *s = read_small("sweep.snr_points=[4.0]");
    assert_int_equal(s->sweep.n_snr, 1);
    assert_true(s->sweep.snr_db[0] == 4.0 && s->deadline.snr_db == 4.0);
    lte_scenario_free(s);
    const char *const sets[] = {"sweep.snr_points=(1,2)", "sweep.snr_db=(5,6,1)"};
    assert_int_equal(lte_scenario_read("scenarios/quick.cfg", sets, 2, &s), LTE_OK);
    assert_int_equal(s->sweep.n_snr, 2);
    assert_true(s->sweep.snr_db[1] == 6.0);
    lte_scenario_free(s);
    assert_null(read_text(SMALL "sweep = { snr_db = ( 0, 1, 1 ); snr_points = [ 1.0 ]; };", NULL));
}

static void an_override_supplies_a_required_key(void **state)
{
    (void)state;
    const char *text = "carrier = { bandwidth_mhz = 1.4; }; antennas = { tx = 1; rx = 1; };"
                       "modulation = \"qpsk\";";
    lte_scenario *s = read_text(text, "detectors=(\"mmse\", \"zf\")");
    assert_non_null(s);
    assert_int_equal(s->deadline.detector, LTE_DETECTOR_zf);
    lte_scenario_free(s);
    assert_null(read_text(text, NULL));
    assert_non_null(strstr(last_failure, "detectors: missing"));
}

/* ---- grids ---- */

/* x itself, to the last bit. */
static bool has_point(const lte_scenario *s, double x)
{
    for (int i = 0; i < s->sweep.n_snr; i++) {
        if (s->sweep.snr_db[i] == x && signbit(s->sweep.snr_db[i]) == signbit(x))
            return true;
    }
    return false;
}

static void a_point_has_the_same_bits_in_every_grid(void **state)
{
    (void)state;
    static const char *const grids[] = {
        "sweep.snr_db=[-5.0, 30.0, 0.1]",    "sweep.snr_db=[-29.7, 60.0, 0.1]",
        "sweep.snr_db=(-9.9, 2.7, 0.3)",     "sweep.snr_db=[0.0, 5.0, 0.05]",
        "sweep.snr_db=[0.3, 0.3, 1.0]",      "sweep.snr_db=[-0.9, 9.0, 0.1]",
        "sweep.snr_points=[5.0, 0.3, -5.0]", "sweep.snr_points=[0.30000000000000004]"};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        lte_scenario *s = read_small(grids[i]);
        if (!has_point(s, 0.3))
            fail_msg("0.3 dB is missing in %s", grids[i]);
        lte_scenario_free(s);
    }
}

static void a_grid_ends_at_its_stop(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        int n;
        double last;
    } cases[] = {{"sweep.snr_db=[0.0, 1.0, 0.1]", 11, 1.0},
                 {"sweep.snr_db=[0.0, 0.3, 0.1]", 4, 0.3}, /* 0.3 / 0.1 < 3 in doubles */
                 {"sweep.snr_db=[0.0, 0.99, 0.1]", 10, 0.9},
                 {"sweep.snr_db=[-30.0, 60.0, 0.1]", 901, 60.0},
                 {"sweep.snr_db=[0.0, 9.99, 0.01]", 1000, 9.99},
                 {"sweep.snr_db=[0.0, 1.0, 0.3333333]", 4, 1.0},
                 {"sweep.snr_db=[60.0, 60.0, 90.0]", 1, 60.0},
                 {"sweep.snr_db=[-0.0000001, 0.0, 1.0]", 1, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lte_scenario *s = read_small(cases[i].set);
        if (s->sweep.n_snr != cases[i].n)
            fail_msg("%s: %d points, not %d", cases[i].set, s->sweep.n_snr, cases[i].n);
        assert_true(has_point(s, cases[i].last));
        assert_true(s->sweep.snr_db[s->sweep.n_snr - 1] == cases[i].last);
        lte_scenario_free(s);
    }
    assert_null(read_text(SMALL, "sweep.snr_db=[0.0, 10.0, 0.01]"));
    assert_non_null(strstr(last_failure, "1001 points"));
}

static void no_point_is_a_negative_zero(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "sweep.snr_points=[-0.0, 1.0]", "sweep.snr_db=[-1.0, 1.0, 0.1]",
        "sweep.snr_points=[-0.0000002]", "sweep.snr_db=[-0.0, 0.0, 1.0]"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        lte_scenario *s = read_small(sets[i]);
        if (!has_point(s, 0.0) || has_point(s, -0.0))
            fail_msg("0 dB is wrong in %s", sets[i]);
        lte_scenario_free(s);
    }
}

/* ---- JSON ---- */

/* Turns one member of the JSON form back into an override. */
static void set_member(const char *path, const json_t *value, char *text, size_t size)
{
    char *dump = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
    assert_non_null(dump);
    bool wide = json_is_integer(value);
    (void)snprintf(text, size, "%s=%s%s", path, dump, wide ? "L" : "");
    free(dump);
}

static void correlation_is_a_level_or_two_numbers(void **state)
{
    (void)state;
    lte_scenario *s =
        read_text(SMALL "channel = { correlation = { level = \"medium\"; }; };", NULL);
    assert_non_null(s);
    assert_true(s->correlation.given && s->correlation.level == LTE_CORRELATION_medium);
    assert_true(s->correlation.matrix.alpha == 0.3 && s->correlation.matrix.beta == 0.9);
    assert_true(!s->correlation.matrix.uplink && s->correlation.matrix.a == 0.0);
    lte_scenario_free(s);
    s = read_text(
        SMALL "channel = { correlation = { alpha = 0; beta = 0.5; link = \"uplink\"; }; };", NULL);
    assert_non_null(s);
    assert_true(s->correlation.given && s->correlation.level == -1);
    assert_true(s->correlation.matrix.alpha == 0.0 && s->correlation.matrix.beta == 0.5);
    assert_true(s->correlation.matrix.uplink && s->correlation.matrix.a == 0.0);
    lte_scenario_free(s);
    s = read_text(SMALL, NULL);
    assert_non_null(s);
    assert_false(s->correlation.given);
    lte_scenario_free(s);
}

static void the_json_form_reads_back_as_the_same_scenario(void **state)
{
    (void)state;
    static const char *const first[] = {"sweep.snr_db=[-3.1, 7.0, 0.7]",  "sweep.snr_points=(3,1)",
                                        "seed=9223372036854775807L",      "deadline.paced=false",
                                        "channel.correlation.level=high", "noise=known"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        enum { MAX_SETS = 40, ROOM = 512 };
        static char sets[MAX_SETS][ROOM];
        const char *list[MAX_SETS], *name, *key;
        json_t *member, *inner;
        int n = 0;
        lte_scenario *a = NULL, *b = NULL;
        assert_int_equal(lte_scenario_read("scenarios/256qam.cfg", &first[i], 1, &a), LTE_OK);
        json_t *json = lte_scenario_json(a);
        assert_non_null(json);
        json_object_foreach(json, name, member)
        {
            if (strcmp(name, "name") == 0 || strcmp(name, "title") == 0)
                continue;
            if (!json_is_object(member))
                set_member(name, member, sets[n++], ROOM);
            json_object_foreach(member, key, inner)
            {
                char path[128], deeper[256];
                const char *inmost;
                json_t *value;
                (void)snprintf(path, sizeof path, "%s.%s", name, key);
                if (!json_is_object(inner))
                    set_member(path, inner, sets[n++], ROOM);
                json_object_foreach(inner, inmost, value)
                {
                    (void)snprintf(deeper, sizeof deeper, "%s.%s", path, inmost);
                    set_member(deeper, value, sets[n++], ROOM);
                }
            }
        }
        /* every key, one of the two forms of the SNR, and of the correlation a level's three */
        assert_int_equal(n, a->correlation.given ? 33 : 30);
        for (int k = 0; k < n; k++)
            list[k] = sets[k];
        assert_int_equal(lte_scenario_read("scenarios/awgn.cfg", list, n, &b), LTE_OK);
        memcpy(b->name, a->name, sizeof b->name);
        memcpy(b->title, a->title, sizeof b->title);
        for (int k = a->sweep.n_snr; k < LTE_MAX_SNR_POINTS; k++)
            b->sweep.snr_db[k] = a->sweep.snr_db[k]; /* beyond the points: no matter */
        assert_memory_equal(a, b, sizeof *a);
        json_decref(json);
        lte_scenario_free(a);
        lte_scenario_free(b);
    }
}

/* A scenario's JSON makes it again. */
static void check_json_of(lte_scenario *a)
{
    lte_scenario *b = NULL;
    json_t *json = lte_scenario_json(a);
    assert_int_equal(lte_scenario_from_json(json, "here", &b), LTE_OK);
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->backend, b->backend);
    assert_memory_equal(&a->sweep, &b->sweep, sizeof a->sweep);
    assert_memory_equal(&a->correlation, &b->correlation, sizeof a->correlation);
    assert_int_equal(a->stored.n_read, b->stored.n_read);
    json_decref(json);
    lte_scenario_free(a);
    lte_scenario_free(b);
}

/* The same of the one at path with an override; false without HDF5. */
static bool check_json_at(const char *path, const char *set)
{
    lte_scenario *a = NULL;
    const lte_status status = lte_scenario_read(path, &set, 1, &a);
    if (status == LTE_EDEVICE)
        return false;
    assert_int_equal(status, LTE_OK);
    check_json_of(a);
    return true;
}

static void the_json_form_makes_the_same_scenario(void **state)
{
    static const char *const sets[] = {"seed=9223372036854775807L",
                                       "title=\"\\\"é\\\" \\\\, # // /* = ; }\"",
                                       "sweep.snr_points=(3,1,-0.5)",
                                       "sweep.snr_db=[-3.1, 7.0, 0.7]",
                                       "sweep.max_slots=1099511627776L",
                                       "detectors=(\"cg-3\",\"mmse\",\"zf\")",
                                       "backend=cuda:3"};
    glob_t found;
    int made = 0;
    (void)state;
    assert_int_equal(glob("scenarios/*.cfg", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        made += check_json_at(found.gl_pathv[i], "seed=2");
    assert_true(made >= 35);
    globfree(&found);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        (void)check_json_at("scenarios/quick.cfg", sets[i]);
    check_json_of(read_text(
        SMALL
        "channel = { correlation = { alpha = 0.1; beta = 0.7; }; };\nsweep = { snr_db = 3; };",
        "channel.model=flat"));
}

/* Nothing makes a scenario that its own JSON would not make. */
static void json_of_no_scenario_is_refused(void **state)
{
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "{\"name\":\"x\"}",
                                        "{\"a; b\":1}",
                                        "{\"name\":[[{\"a\":{}}]]}",
                                        "{\"sweep\":{\"max_slots\":1.5}}"};
    lte_scenario *s = NULL, *none;
    (void)state;
    assert_int_equal(lte_scenario_read("scenarios/quick.cfg", NULL, 0, &s), LTE_OK);
    lte_fail_handler handler = lte_fail_handler_set(keep_failure);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *json = json_loads(texts[i], 0, NULL);
        assert_non_null(json);
        assert_int_equal(lte_scenario_from_json(json, "here", &none), LTE_EINVAL);
        assert_null(none);
        json_decref(json);
    }
    static const char *const keys[] = {"name", "seed", "noise", "other"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys;
         i++) { /* of a type, or a key, that it lacks */
        json_t *json = lte_scenario_json(s);
        (void)json_object_set_new(json, keys[i], json_string(i ? "1" : "a/b"));
        assert_int_equal(lte_scenario_from_json(json, "here", &none), LTE_EINVAL);
        json_decref(json);
    }
    (void)lte_fail_handler_set(handler);
    assert_non_null(strstr(last_failure, "here"));
    lte_scenario_free(s);
}

static void modulations_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(lte_modulation_name(2), "qpsk");
    assert_string_equal(lte_modulation_name(4), "16qam");
    assert_string_equal(lte_modulation_name(6), "64qam");
    assert_string_equal(lte_modulation_name(8), "256qam");
}

/* ---- the command line ---- */

static void options_stand_in_any_order(void **state)
{
    (void)state;
    char *argv[] = {"ltesim",  "--threads=3", "--set",     "a=1",     "x.cfg",
                    "--only",  "ber",         "--set=b=2", "--out",   "there",
                    "--quiet", "--no-plot",   "--backend", "cpu:ref", NULL};
    lte_options o;
    assert_int_equal(setenv("POSIXLY_CORRECT", "1", 1), 0); /* changes nothing */
    assert_int_equal(lte_options_parse(14, argv, &o), LTE_OK);
    assert_string_equal(o.scenario, "x.cfg");
    assert_int_equal(o.threads, 3);
    assert_int_equal(o.n_sets, 2);
    assert_string_equal(o.sets[0], "a=1");
    assert_string_equal(o.sets[1], "b=2");
    assert_int_equal(o.only, LTE_RUN_BER);
    assert_string_equal(o.out, "there");
    assert_string_equal(o.backend, "cpu:ref");
    assert_true(o.quiet && o.no_plot);
    assert_false(o.verify || o.explain || o.list || o.version || o.help || o.require_deadline);
    lte_options_fini(&o);
}

static void merge_takes_folders(void **state)
{
    char *argv[] = {"ltesim", "--quiet", "merge", "a", "--out=c", "merge", "b", NULL};
    lte_options o;
    (void)state;
    assert_int_equal(lte_options_parse(7, argv, &o), LTE_OK);
    assert_true(o.merge && o.quiet && !o.scenario);
    assert_int_equal(o.n_folders, 3);
    assert_string_equal(o.folders[0], "a");
    assert_string_equal(o.folders[1], "merge");
    assert_string_equal(o.folders[2], "b");
    lte_options_fini(&o);
}

static void report_and_compare_take_folders(void **state)
{
    char *report[] = {"ltesim", "report", "compare", "-o", "x.html", "b", NULL};
    char *compare[] = {"ltesim", "compare", "a", "report", "--plot=x.svg", NULL};
    lte_options o;
    (void)state;
    assert_int_equal(lte_options_parse(6, report, &o), LTE_OK);
    assert_true(o.report_folders && !o.compare && !o.merge && !o.report && !o.scenario);
    assert_int_equal(o.n_folders, 2);
    assert_string_equal(o.folders[0], "compare");
    assert_string_equal(o.out, "x.html");
    lte_options_fini(&o);
    assert_int_equal(lte_options_parse(5, compare, &o), LTE_OK);
    assert_true(o.compare && !o.report_folders);
    assert_int_equal(o.n_folders, 2);
    assert_string_equal(o.folders[1], "report");
    assert_string_equal(o.plot, "x.svg");
    lte_options_fini(&o);
}

static void the_line_is_kept_for_a_shell(void **state)
{
    char *argv[] = {"ltesim", "a b.cfg", "--set", "x='1", "--out=$HOME", "--quiet", NULL};
    lte_options o;
    (void)state;
    assert_int_equal(lte_options_parse(6, argv, &o), LTE_OK);
    assert_string_equal(o.command, "ltesim 'a b.cfg' --set 'x='\\''1' '--out=$HOME' --quiet");
    lte_options_fini(&o);
}

static void slots_are_a_part_of_the_sweep(void **state)
{
    char *argv[] = {"ltesim", "x.cfg", "--slots", "64:18446744073709551615", NULL};
    lte_options o;
    (void)state;
    assert_int_equal(lte_options_parse(4, argv, &o), LTE_OK);
    assert_true(o.part.given && o.part.first == 64 && o.part.last == UINT64_MAX);
    assert_int_equal(o.only, LTE_RUN_BER);
    lte_options_fini(&o);
}

static void the_help_text_fits_80_columns(void **state)
{
    (void)state;
    for (const char *line = lte_options_help(); *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(scenario, the_example_is_read_as_written),
        LTE_CASE(scenario, absent_keys_take_their_defaults),
        LTE_CASE(scenario, every_key_is_taken_over),
        LTE_CASE(scenario, reference_symbols_follow_the_channel),
        LTE_CASE(scenario, marks_in_strings_and_comments_are_text),
        LTE_CASE(scenario, a_refusal_names_file_line_key_value_and_range),
        LTE_CASE(scenario, close_names_are_suggested),
        LTE_CASE(scenario, a_bare_word_is_a_string),
        LTE_CASE(scenario, sets_of_one_detector_are_told_apart),
        LTE_CASE(scenario, rows_are_found_by_name_and_keep_their_limits),
        LTE_CASE(scenario, the_deadline_takes_the_last_listed_csi),
        LTE_CASE(scenario, channels_are_refused_what_their_rows_refuse),
        LTE_CASE(scenario, estimates_of_independent_subcarriers_need_the_noise),
        LTE_CASE(scenario, keys_are_judged_together_after_all_overrides),
        LTE_CASE(scenario, points_replace_a_grid_and_a_grid_points),
        LTE_CASE(scenario, an_override_supplies_a_required_key),
        LTE_CASE(scenario, a_point_has_the_same_bits_in_every_grid),
        LTE_CASE(scenario, a_grid_ends_at_its_stop),
        LTE_CASE(scenario, no_point_is_a_negative_zero),
        LTE_CASE(scenario, correlation_is_a_level_or_two_numbers),
        LTE_CASE(scenario, the_json_form_reads_back_as_the_same_scenario),
        LTE_CASE(scenario, the_json_form_makes_the_same_scenario),
        LTE_CASE(scenario, json_of_no_scenario_is_refused),
        LTE_CASE(scenario, modulations_have_their_names),
        LTE_CASE(options, options_stand_in_any_order),
        LTE_CASE(options, merge_takes_folders),
        LTE_CASE(options, report_and_compare_take_folders),
        LTE_CASE(options, the_line_is_kept_for_a_shell),
        LTE_CASE(options, slots_are_a_part_of_the_sweep),
        LTE_CASE(options, the_help_text_fits_80_columns),
    };
    return cmocka_run_group_tests_name("scenario", cases, NULL, NULL);
}
