/* Which detectors no other one beats: lte_pareto_judge. */
#include "tests/lib/unit.h"

#include "sim/jobs/pareto/pareto.h"

/* Points of so much SNR and work; work 0: not timed. */
static lte_pareto pareto_of(const double (*of)[2], int n)
{
    lte_pareto pareto = {.n = n};
    for (int i = 0; i < n; i++) {
        pareto.point[i].found.snr_db = of[i][0];
        pareto.point[i].work_us = of[i][1];
        pareto.point[i].timed = of[i][1] > 0.0;
    }
    lte_pareto_judge(&pareto);
    return pareto;
}

static void the_front_is_what_no_other_one_beats(void **state)
{
    static const struct {
        double of[5][2];
        int n;
        const char *front; /* + and - */
    } cases[] = {
        {{{20, 300}, {25, 200}, {30, 100}}, 3, "+++"},
        {{{20, 300}, {25, 400}, {30, 100}, {31, 150}}, 4, "+-+-"},
        {{{20, 100}, {20, 200}, {25, 100}}, 3, "+--"},
        {{{20, 100}, {20, 100}}, 2, "++"},             /* neither is better */
        {{{39, 100}, {37, 101}, {36, 300}}, 3, "-++"}, /* works within 2 % are alike */
        {{{39, 100}, {37, 103}}, 2, "++"},             /* and no further */
        {{{20, 0}, {25, 200}, {10, 0}, {30, 199}},
         4,
         "-+--"}, /* not timed: neither on it nor before */
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const lte_pareto pareto = pareto_of(cases[c].of, cases[c].n);
        for (int i = 0; i < cases[c].n; i++)
            assert_int_equal(pareto.point[i].front, cases[c].front[i] == '+');
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(pareto, the_front_is_what_no_other_one_beats),
};

int main(void)
{
    return cmocka_run_group_tests_name("pareto", cases, NULL, NULL);
}
