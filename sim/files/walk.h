#ifndef LTE_SIM_JOBS_WALK_H
#define LTE_SIM_JOBS_WALK_H
/*
 * One walk over the numbers of a line in both directions: what has written a line reads it.
 *
 *     static void walk_pair(lte_walk *w, lte_pair *pair)
 *     {
 *         lte_walk_word(w, &pair->slots);
 *         lte_walk_signed(w, &pair->d.sum);
 *     }
 *     lte_walk write = {.out = file, .fits = true}, read = {.in = line, .fits = true};
 *
 * Numbers are in hexadecimal, each with a space before it.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "phy/theory/interval.h"

/* Writes to out, or else reads from `in` on. */
typedef struct {
    FILE *out;
    const char *in;
    bool fits; /* all has been read as it can have been written */
} lte_walk;

void lte_walk_word(lte_walk *w, uint64_t *x);
void lte_walk_signed(lte_walk *w, int64_t *x);
void lte_walk_wide(lte_walk *w, lte_u128 *x);
void lte_walk_signed_wide(lte_walk *w, lte_i128 *x);

/* 0 to most; 0 for what does not fit. */
void lte_walk_int(lte_walk *w, int *x, int most);

/* Errors by groups; they fit if they are `errors` together. */
void lte_walk_groups(lte_walk *w, uint64_t *groups, uint64_t errors);

/* To the last bit. */
void lte_walk_seconds(lte_walk *w, double *x);

/* Reads a decimal number that begins a line, 0 to n - 1; -1 if there is none: that does not fit. */
int lte_walk_place(lte_walk *w, int n);

#endif
