/* The command line. */
#include "tests/lib/unit.h"

#include <string.h>

#include "sim/cli/options.h"

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
    assert_true(o.asked == LTE_ASKED_MERGE && o.quiet && !o.scenario);
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
    assert_true(o.asked == LTE_ASKED_REPORT && !o.report && !o.scenario);
    assert_int_equal(o.n_folders, 2);
    assert_string_equal(o.folders[0], "compare");
    assert_string_equal(o.out, "x.html");
    lte_options_fini(&o);
    assert_int_equal(lte_options_parse(5, compare, &o), LTE_OK);
    assert_true(o.asked == LTE_ASKED_COMPARE);
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
        LTE_CASE(options, options_stand_in_any_order),
        LTE_CASE(options, merge_takes_folders),
        LTE_CASE(options, report_and_compare_take_folders),
        LTE_CASE(options, the_line_is_kept_for_a_shell),
        LTE_CASE(options, slots_are_a_part_of_the_sweep),
        LTE_CASE(options, the_help_text_fits_80_columns),
    };
    return cmocka_run_group_tests_name("scenario", cases, NULL, NULL);
}
