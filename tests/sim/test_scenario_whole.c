/* A scenario as a whole: keys that are judged together, SNR points, its form as JSON. */
#include "tests/lib/scenario_text.h"

#include <glob.h>
#include <jansson.h>

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
    assert_int_equal(s->deadline.detector.id, LTE_DETECTOR_zf);
    lte_scenario_free(s);
    assert_null(read_text(text, NULL));
    assert_non_null(strstr(last_failure, "detectors is missing"));
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
            b->sweep.snr_db[k] = a->sweep.snr_db[k];  /* beyond the points: no matter */
        for (int d = 0; d < LTE_MAX_DETECTORS; d++) { /* with padding between their members */
            assert_int_equal(lte_detector_compare(a->detectors[d], b->detectors[d]), 0);
            memcpy(&b->detectors[d], &a->detectors[d], sizeof b->detectors[d]);
        }
        assert_int_equal(lte_detector_compare(a->deadline.detector, b->deadline.detector), 0);
        memcpy(&b->deadline.detector, &a->deadline.detector, sizeof b->deadline.detector);
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

int main(void)
{
    static const struct CMUnitTest cases[] = {
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
    };
    return cmocka_run_group_tests_name("scenario", cases, NULL, NULL);
}
