/* Names of rows: found in any case, and what an unknown one may mean. */
#include "tests/lib/unit.h"

#include <string.h>

#include "phy/base/names.h"

static const lte_name rows[] = {{"zf", ""}, {"mmse", ""}, {"gauss-jordan", ""}};
static const lte_names names = LTE_NAMES(rows);

static void upper_and_lower_case_are_the_same(void **state)
{
    (void)state;
    assert_int_equal(lte_name_find(&names, "mmse"), 1);
    assert_int_equal(lte_name_find(&names, "MMSE"), 1);
    assert_int_equal(lte_name_find(&names, "Gauss-Jordan"), 2);
    assert_int_equal(lte_name_find(&names, "mms"), -1);
    assert_int_equal(lte_name_find(&names, ""), -1);
}

/* One of each kind, and sums of them. */
static void edits_are_counted(void **state)
{
    (void)state;
    assert_int_equal(lte_name_edits("mmse", "mmse"), 0);
    assert_int_equal(lte_name_edits("MMSE", "mmse"), 0);
    assert_int_equal(lte_name_edits("mmse", "mmmse"), 1);
    assert_int_equal(lte_name_edits("mmse", "mme"), 1);
    assert_int_equal(lte_name_edits("mmse", "mmsa"), 1);
    assert_int_equal(lte_name_edits("mmse", "MMES"), 1);
    assert_int_equal(lte_name_edits("", "mmse"), 4);
    assert_int_equal(lte_name_edits("kitten", "sitting"), 3);
    char with_end[49];
    memset(with_end, 'a', 48);
    with_end[48] = '\0';
    assert_int_equal(lte_name_edits(with_end, "a"), LTE_MANY_EDITS);
    with_end[47] = '\0';
    assert_int_equal(lte_name_edits(with_end, with_end), 0);
}

static const char *meant_by(const char *name)
{
    lte_near_name near = {.name = name};
    for (int i = 0; i < names.n; i++)
        lte_near_name_try(&near, lte_name_at(&names, i));
    return near.meant;
}

static void the_closest_name_is_meant(void **state)
{
    (void)state;
    assert_string_equal(meant_by("mmsee"), "mmse");
    assert_string_equal(meant_by("zg"), "zf");
    assert_string_equal(meant_by("guass-jordn"), "gauss-jordan");
    assert_null(meant_by("sic"));
    assert_null(meant_by("ml"));
    assert_null(meant_by("guas-jodn"));
}

/* Of two that are equally close the first. */
static void equally_close_names_keep_their_order(void **state)
{
    (void)state;
    lte_near_name near = {.name = "cg-5"};
    lte_near_name_try(&near, "cg-4");
    lte_near_name_try(&near, "cg-6");
    assert_string_equal(near.meant, "cg-4");
    lte_near_name_try(&near, "cg-5");
    assert_string_equal(near.meant, "cg-5");
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(names, upper_and_lower_case_are_the_same),
    LTE_CASE(names, edits_are_counted),
    LTE_CASE(names, the_closest_name_is_meant),
    LTE_CASE(names, equally_close_names_keep_their_order),
};

int main(void)
{
    return cmocka_run_group_tests_name("names", cases, NULL, NULL);
}
