/*
 * Scenario files: what is read, what is assumed, what --set changes. What is refused is held by
 * tests/cli/bad_input.sh through the program itself.
 */
#include "tests/lib/scenario_text.h"

/* ---- the file ---- */

static void the_example_is_read_as_written(void **state)
{
    (void)state;
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read("scenarios/20mhz_4x4.cfg", NULL, 0, &s), LTE_OK);
    assert_string_equal(s->name, "20mhz_4x4");
    assert_string_equal(s->title, "20 MHz, 4x4, 16QAM in Rayleigh fading: ZF, MMSE and ML");
    assert_true(s->bandwidth_mhz == 20.0);
    assert_int_equal(s->n_sc, 1200);
    assert_int_equal(s->n_tx, 4);
    assert_int_equal(s->n_rx, 4);
    assert_int_equal(s->n_bits, 4);
    assert_int_equal(s->channel, LTE_CHANNEL_rayleigh);
    assert_int_equal(s->n_detectors, 3);
    assert_int_equal(s->detectors[0].id, LTE_DETECTOR_zf);
    assert_int_equal(s->detectors[1].id, LTE_DETECTOR_ml);
    assert_int_equal(s->detectors[2].id, LTE_DETECTOR_mmse);
    assert_int_equal(s->inverter, LTE_INVERTER_gauss_jordan);
    assert_int_equal(s->sweep.n_snr, 9);
    assert_true(s->sweep.snr_db[0] == 0.0 && s->sweep.snr_db[8] == 40.0);
    assert_int_equal(s->deadline.slots, 2000);
    assert_int_equal(s->deadline.detector.id, LTE_DETECTOR_mmse);
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
    assert_int_equal(s->deadline.detector.id, LTE_DETECTOR_mmse);
    assert_true(s->deadline.snr_db == 30.0);
    assert_int_equal(s->seed, 1);
    assert_string_equal(s->backend, "auto");
    lte_scenario_free(s);
}

/* A time that depends on what is received is that of many slots, unless fewer are asked for. */
static void times_that_vary_take_more_slots(void **state)
{
    static const struct {
        const char *text;
        int slots, distinct, in_turn;
    } of[] = {
        {"detectors = [\"ml\", \"mmse\"];", 2000, 64, 0},
        {"detectors = [\"mmse\", \"ml\"];", 10000, 4096, 0},
        {"detectors = [\"mmse\", \"ml\"]; deadline = { detector = \"mmse\"; };", 2000, 64, 0},
        {"detectors = [\"ml\", \"mmse\"]; deadline = { detectors = [\"ml\"]; };", 10000, 4096, 1},
        {"detectors = [\"mmse\", \"ml\"]; deadline = { detectors = [\"mmse\"]; "
         "detector = \"mmse\"; };",
         2000, 64, 1},
        {"detectors = [\"ml\"]; deadline = { slots = 100; };", 100, 100, 0},
        {"detectors = [\"ml\"]; deadline = { distinct = 8; };", 10000, 8, 0},
        {"detectors = [\"mmse\", \"lr-mmse\", \"ml\"]; deadline = { detector = \"mmse\"; "
         "detectors = [\"ml\", \"mmse\"]; slots = 50; };",
         50, 50, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[512];
        (void)snprintf(
            text, sizeof text,
            "carrier = { bandwidth_mhz = 5; }; antennas = { tx = 2; rx = 4; }; modulation = "
            "\"64qam\"; %s",
            of[i].text);
        lte_scenario *s = read_text(text, NULL);
        if (!s)
            fail_msg("refused: %s", last_failure);
        assert_int_equal(s->deadline.slots, of[i].slots);
        assert_int_equal(s->deadline.distinct, of[i].distinct);
        assert_int_equal(s->deadline.n_in_turn, of[i].in_turn);
        lte_scenario_free(s);
    }
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
        "  snr_db = -30; budget_us = .5; on_time = 0.95; paced = FALSE;\n"
        "  threads = 1024; };\n"
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
    assert_int_equal(s->deadline.detector.id, LTE_DETECTOR_zf);
    assert_true(s->deadline.snr_db == -30.0 && s->deadline.budget_us == 0.5);
    assert_true(s->deadline.on_time == 0.95 && !s->deadline.paced);
    assert_int_equal(s->deadline.threads, 1024);
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
        int pilots;
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
        assert_int_equal(s->csi_references, asked[i].pilots);
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
    assert_non_null(
        strstr(last_failure, ":3: backend: unknown backend \"cpu # 99999999999 \" // \""));
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
    assert_int_equal(s->detectors[0].id, LTE_DETECTOR_mmse);
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
    const lte_detector expected[] = {{LTE_DETECTOR_cg, {4.0, -1.0}},
                                     {LTE_DETECTOR_cg, {7.0, -1.0}},
                                     {LTE_DETECTOR_neumann, {2.0, -1.0}},
                                     {LTE_DETECTOR_zf, {-1.0}}};
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read("scenarios/quick.cfg", sets, 2, &s), LTE_OK);
    assert_int_equal(s->n_detectors, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(lte_detector_compare(s->detectors[i], expected[i]), 0);
    assert_int_equal(lte_detector_compare(s->deadline.detector, expected[1]), 0);
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
            assert_true(s->n_detectors == 1 && s->detectors[0].id == d && s->inverter == inverter);
            assert_int_equal(s->deadline.detector.id, d);
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
                                         "subcarriers fade independently"));
}

static void modulations_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(lte_modulation_name(2), "qpsk");
    assert_string_equal(lte_modulation_name(4), "16qam");
    assert_string_equal(lte_modulation_name(6), "64qam");
    assert_string_equal(lte_modulation_name(8), "256qam");
    assert_string_equal(lte_modulation_name(10), "1024qam");
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(scenario, the_example_is_read_as_written),
        LTE_CASE(scenario, absent_keys_take_their_defaults),
        LTE_CASE(scenario, times_that_vary_take_more_slots),
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
        LTE_CASE(scenario, modulations_have_their_names),
    };
    return cmocka_run_group_tests_name("scenario", cases, NULL, NULL);
}
