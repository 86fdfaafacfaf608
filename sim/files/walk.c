/* Numbers of a line, written or read. */
#include "sim/files/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void lte_walk_word(lte_walk *w, uint64_t *x)
{
    char *end;
    if (w->out) {
        (void)fprintf(w->out, " %" PRIx64, *x);
        return;
    }
    errno = 0;
    *x = strtoull(w->in, &end, 16);
    w->fits = w->fits && !errno && end != w->in;
    w->in = end;
}

void lte_walk_wide(lte_walk *w, lte_u128 *x)
{
    uint64_t high = (uint64_t)(*x >> 64), low = (uint64_t)*x;
    lte_walk_word(w, &high);
    lte_walk_word(w, &low);
    *x = (lte_u128)high << 64 | low;
}

void lte_walk_signed_wide(lte_walk *w, lte_i128 *x)
{
    lte_u128 bits = (lte_u128)*x;
    lte_walk_wide(w, &bits);
    *x = (lte_i128)bits;
}

void lte_walk_signed(lte_walk *w, int64_t *x)
{
    uint64_t bits = (uint64_t)*x;
    lte_walk_word(w, &bits);
    *x = (int64_t)bits;
}

void lte_walk_int(lte_walk *w, int *x, int most)
{
    uint64_t word = (uint64_t)*x;
    lte_walk_word(w, &word);
    w->fits = w->fits && word <= (uint64_t)most;
    *x = word <= (uint64_t)most ? (int)word : 0;
}

void lte_walk_seconds(lte_walk *w, double *x)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    lte_walk_word(w, &bits);
    memcpy(x, &bits, sizeof bits);
}

int lte_walk_place(lte_walk *w, int n)
{
    char *end;
    errno = 0;
    const long point = strtol(w->in, &end, 10);
    w->fits = end != w->in && !errno && point >= 0 && point < n;
    w->in = end;
    return w->fits ? (int)point : -1;
}

void lte_walk_groups(lte_walk *w, uint64_t *groups, uint64_t errors)
{
    uint64_t sum = 0;
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        lte_walk_word(w, &groups[k]);
        w->fits = w->fits && groups[k] <= errors - sum;
        sum += groups[k];
    }
    w->fits = w->fits && sum == errors;
}
