#ifndef LTE_TESTS_BENCH_FIGURES_H
#define LTE_TESTS_BENCH_FIGURES_H
/*
 * The figures that documents show, each beside its strongest peer and its ceiling, out of stored
 * files; and the same figures of a run of this machine beside the stored ones.
 *
 *     bench_stored stored;
 *     status = bench_stored_read("tests/bench/results", &stored);
 *     status = bench_figures_print(out, &stored, BENCH_FIGURES_FEW);
 *     bench_stored_free(&stored);
 *
 * To add one: its row in figures.c. A figure that the files lack is left out.
 */

#include <jansson.h>
#include <stdio.h>

#include "phy/base/status.h"

enum { BENCH_N_FILES = 7 };
typedef struct {
    json_t *file[BENCH_N_FILES];
} bench_stored;

/* Returns LTE_EIO. Whatever it returns, bench_stored_free is due. */
lte_status bench_stored_read(const char *folder, bench_stored *stored);
void bench_stored_free(bench_stored *stored);

/* The few of the project's README, or the tables of the page of results. */
typedef enum { BENCH_FIGURES_FEW, BENCH_FIGURES_ALL } bench_figures;
void bench_figures_print(FILE *out, const bench_stored *stored, bench_figures which);

/* For a terminal: those of a run's topics, and what is stored of them. Returns how many. */
int bench_figures_beside(FILE *out, const bench_stored *stored, const json_t *here);

#endif
