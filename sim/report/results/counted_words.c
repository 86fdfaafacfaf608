/* The table of what reports call what is counted. */
#include "sim/report/results/counted_words.h"

/* What bits are alike in, decided or told by LLRs. */
#define OF_BITS                                                                                    \
    .uncoded = "uncoded", .snr = "", .few = "", .operations = "", .due = "slot", .late = " slots", \
    .no_rate = "no BER of 1e-2, 1e-3, 1e-1 or 1e-4 lies inside all curves",                        \
    .before = {{"ber", "ber.csv, layers.csv, groups.csv, "}}

const lte_counted_words lte_counted_words_rows[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {OF_BITS, .output = "hard", .measure = {"ber", NULL}},
    [LTE_COUNTED_LLRS] = {OF_BITS, .output = "llr", .measure = {"ber", "gmi"}, .demapped = " LLRs;",
                          .detection = "LLRs", .behind = {"rate", "rate.csv, "}},
    [LTE_COUNTED_BLOCKS] = {.output = "blocks",
                            .measure = {"bler", NULL},
                            .uncoded = "",
                            .demapped = " LLRs;",
                            .snr = " for bits on the channel; the column is of payload bits",
                            .operations = "; decoding is not in it",
                            .few = " or right blocks",
                            .no_rate = "the curves do not all reach a BLER of 0.1",
                            .due = "subframe",
                            .late = "",
                            .detection = "LLRs",
                            .delivers = true,
                            .before = {{"bler", "bler.csv, groups.csv, "}, {"throughput", ""}}},
};

const lte_counted_words *lte_counted_words_of(const lte_scenario *scenario)
{
    return &lte_counted_words_rows[scenario->counted];
}
