/* Table and files of a deadline run. */
#include "tests/lib/pretend_places.h"

#include <fcntl.h>
#include <jansson.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/report/results/results.h"
#include "sim/report/results/words.h"
#include "sim/report/tables/report.h"

/* ---- what is written ---- */

static char *table_of(const lte_scenario *s, const lte_deadline *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    lte_report_deadline(out, s, run);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_table_has_both_places_side_by_side(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "from host memory               data already on the device\n",
        "\nus                             p50       max      mean |       p50       max",
        "\nslot, 112 REs                 11.",
        "\nservice                       11.",
        "\ninversion only, 16            16.0      16.0      16.0 |     116.0",
        "\ncopy_in                        1.0       1.0       1.0 |\n",
        "\ngram                           4.0       4.0       4.0 |       4.0",
        "\ncarriers at 100 %               49                     |      49",
        "\ncarriers by p50                 4",
        "fit into its L2 cache",
        "\nmet: 0 of 20 slots late (0 allowed), slowest 12.0 us (budget 500 us); ",
        "; 49 carriers of 1.4 MHz",
        " by median work",
        "; median work 11.5 us per slot, utilisation 2 %; ",
    };
    const lte_scenario s = scenario_of(20);
    lte_deadline *run = run_of(&s, LTE_OK);
    char *text = table_of(&s, run);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!strstr(text, rows[i]))
            fail_msg("no '%s' in:\n%s", rows[i], text);
    }
    free(text);
    lte_deadline_free(run);
}

/* The work of a period is that on a slot of each carrier. */
static void work_of_several_carriers_is_said_to_be(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(20);
    for (int carriers = 1; carriers <= 3; carriers += 2) {
        reset(NULL);
        s.deadline.carriers = carriers;
        lte_deadline *run = run_of(&s, LTE_OK);
        char *text = table_of(&s, run);
        assert_int_equal(strstr(text, "; median work of all carriers ") != NULL, carriers > 1);
        free(text);
        lte_deadline_free(run);
    }
}

/* What is too slow is told by how much: slot 64 ends 2.6 + 63 x 2.1 ms after its release. */
static void an_overload_is_told_by_its_factor(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(400);
    fake.period_ns[LTE_PLACEMENT_HOST] = 2590000;
    lte_deadline *run = run_of(&s, LTE_OK);
    char *text = table_of(&s, run);
    const char *said =
        "\nOVERLOADED: work takes 2.6 ms per slot of 500 us, 5.2 times too slow; 64 of "
        "64 slots late (0 allowed), slowest 135 ms (budget 500 us)";
    if (!strstr(text, said) || strstr(text, "utilisation"))
        fail_msg("no '%s' in:\n%s", said, text);
    free(text);
    lte_deadline_free(run);
}

/* A percentile stands where ten slots are slower: p99 of 1000 slots, p99.9 of 10000. */
static void percentiles_need_ten_slots_beyond_them(void **state)
{
    (void)state;
    static const char *const head[] = {"\nus                             p50       max      mean |",
                                       "\nus                             p50       p99       max",
                                       "       p50       p99     p99.9       max      mean |"};
    for (int i = 0; i < 3; i++) {
        const lte_scenario s = scenario_of(i == 0 ? 999 : i == 1 ? 1000 : 10000);
        reset(NULL);
        lte_deadline *run = run_of(&s, LTE_OK);
        char *text = table_of(&s, run);
        const char *line = strstr(text, "\ngram"), *said = strstr(text, "\nmet: ");
        if (!strstr(text, head[i]) || !line || !said)
            fail_msg("no '%s' in:\n%s", head[i], text);
        assert_true(line && said);
        assert_int_equal(said && strstr(said, "p99.9 ") != NULL, i == 2);
        /* stages are timed 1000 times, which have no p99.9 */
        if (i == 2 && line)
            assert_memory_equal(line, "\ngram                           4.0       4.0            ",
                                57);
        free(text);
        lte_deadline_free(run);
    }
}

/* Whether a carrier fits is not said to be "0 or more". */
static void carriers_of_a_stalled_machine_are_unknown(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(100);
    fake.period_ns[LTE_PLACEMENT_HOST] = 430000;
    interruption[0].every_ns = 1700000;
    interruption[0].length_ns = 60000;
    lte_deadline *run = run_of(&s, LTE_OK);
    char *text = table_of(&s, run);
    assert_non_null(strstr(text, "\nUNDECIDED: "));
    assert_non_null(strstr(text, "\ncarriers at 100 %          unknown"));
    assert_non_null(strstr(text,
                           "; how many carriers fit is unknown, since this machine stalled too "
                           "often; 6 by median work; "));
    free(text);
    lte_deadline_free(run);
}

static void times_have_the_unit_that_suits_them(void **state)
{
    (void)state;
    static const struct {
        double us;
        const char *text;
    } cases[] = {{0.0, "0 us"},         {0.0314, "0.0314 us"}, {152.4, "152 us"},
                 {999.4, "999 us"},     {999.6, "1 ms"},       {2600.0, "2.6 ms"},
                 {99960.0, "100 ms"},   {999400.0, "999 ms"},  {2073756.0, "2.07 s"},
                 {123456789.0, "123 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        assert_string_equal(lte_time_text(cases[i].us, text, sizeof text), cases[i].text);
    }
}

/* The table as a terminal of 80 columns gets it; its lines may end as they like. */
static void on_a_narrow_terminal_one_place_stands_below_the_other(void **state)
{
    (void)state;
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    const lte_scenario s = scenario_of(20);
    char text[8192] = "";
    size_t n = 0;
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    FILE *out = fopen(ptsname(master), "w");
    assert_non_null(out);
    assert_int_equal(ioctl(fileno(out), TIOCSWINSZ, &size), 0);
    (void)setvbuf(out, NULL, _IOFBF, sizeof text);
    lte_deadline *run = run_of(&s, LTE_OK);
    lte_report_deadline(out, &s, run);
    lte_deadline_free(run);
    (void)fputs("end\n", out);
    assert_int_equal(fflush(out), 0);
    while (n + 1 < sizeof text && !strstr(text, "end")) {
        const ssize_t more = read(master, text + n, sizeof text - 1 - n);
        assert_true(more > 0);
        n += (size_t)more;
        text[n] = '\0';
    }
    (void)fclose(out);
    (void)close(master);
    const char *host = strstr(text, "from host memory"), *device = strstr(text, "data already");
    assert_true(host && device && device > strstr(host, "copy_out"));
    for (char *line = strtok(text, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        if (strncmp(line, "slot,", 5) == 0 || strncmp(line, "gram", 4) == 0)
            assert_int_equal(strlen(line), 24 + 30);
    }
}

static const char *name_in(const char *dir, const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void files_have_both_places(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "detector,placement,stage", "mmse,host,slot,",        "mmse,host,service,",
        "mmse,host,copy_in,",       "mmse,host,corner_turn,", "mmse,host,gram,",
        "mmse,host,inversion,",     "mmse,host,detection,",   "mmse,host,copy_out,",
        "mmse,device,slot,",        "mmse,device,service,",   "mmse,device,corner_turn,",
        "mmse,device,gram,",        "mmse,device,inversion,", "mmse,device,detection,",
    };
    char dir[] = "/tmp/lte_deadline_XXXXXX", line[256];
    const lte_scenario s = scenario_of(20);
    const lte_run_info info = {.scenario = &s,
                               .backend = "fake",
                               .choices = "as told",
                               .device = {.name = "a board", .driver = "1.2", .clock_mhz = 1980}};
    lte_deadline *run = run_of(&s, LTE_OK);
    assert_non_null(mkdtemp(dir));
    assert_int_equal(lte_results_timing(dir, run), LTE_OK);
    assert_int_equal(lte_results_json(dir, &info, NULL, run, NULL), LTE_OK);
    FILE *file = fopen(name_in(dir, "timing.csv"), "r");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        assert_memory_equal(line, starts[i], strlen(starts[i]));
    }
    assert_null(fgets(line, sizeof line, file));
    (void)fclose(file);

    json_t *root = json_load_file(name_in(dir, "run.json"), 0, NULL);
    const char *driver, *choices;
    int clock, host, device, matrices, missed, resident;
    double alone, phase;
    assert_int_equal(json_unpack(root, "{s:s, s:s, s:i, s:n}", "driver", &driver, "choices",
                                 &choices, "clock_mhz", &clock, "memory_clock_mhz"),
                     0);
    assert_string_equal(driver, "1.2");
    assert_string_equal(choices, "as told");
    assert_int_equal(clock, 1980);
    assert_int_equal(json_unpack(root, "{s:{s:i, s:{s:i, s:i, s:b}, s:{s:i, s:{s:f}}}}", "deadline",
                                 "capacity_carriers", &host, "device", "capacity_carriers", &device,
                                 "missed", &missed, "l2_resident", &resident, "inversion_alone",
                                 "matrices", &matrices, "device", "p50_us", &alone),
                     0);
    assert_int_equal(host, 49);
    assert_true(device > 4000 && missed == 0 && resident && matrices == 16);
    assert_near(alone, 116.0, 1e-3);
    assert_int_equal(
        json_unpack(root, "{s:{s:{s:f}}}", "deadline", "device", "release_phase_us", &phase), 0);
    assert_near(phase, run->at[LTE_PLACEMENT_DEVICE].phase_us, 1e-3);
    json_decref(root);
    static const char *const names[] = {"timing.csv", "latency.csv", "run.json"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(unlink(name_in(dir, names[i])), 0);
    assert_int_equal(rmdir(dir), 0);
    lte_deadline_free(run);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE_AFTER(deadline, the_table_has_both_places_side_by_side, reset),
    LTE_CASE_AFTER(deadline, work_of_several_carriers_is_said_to_be, reset),
    LTE_CASE_AFTER(deadline, an_overload_is_told_by_its_factor, reset),
    LTE_CASE_AFTER(deadline, percentiles_need_ten_slots_beyond_them, reset),
    LTE_CASE_AFTER(deadline, carriers_of_a_stalled_machine_are_unknown, reset),
    LTE_CASE_AFTER(deadline, times_have_the_unit_that_suits_them, reset),
    LTE_CASE_AFTER(deadline, on_a_narrow_terminal_one_place_stands_below_the_other, reset),
    LTE_CASE_AFTER(deadline, files_have_both_places, reset),
};

int main(void)
{
    return cmocka_run_group_tests_name("deadline", cases, NULL, NULL);
}
