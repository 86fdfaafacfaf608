#ifndef LTE_TESTS_BENCH_HEADLINE_H
#define LTE_TESTS_BENCH_HEADLINE_H
/*
 * The few figures of the README, each beside its strongest peer and its ceiling.
 *
 *     status = bench_headline_print(out, "tests/bench/results");
 *
 * To add one: its row in headline.c. A figure that the stored files lack is left out.
 */

#include <stdio.h>

#include "phy/base/status.h"

/* The table, of cpu.json, cuda.json and peers.json in a folder. Returns LTE_EIO. */
lte_status bench_headline_print(FILE *out, const char *folder);

#endif
