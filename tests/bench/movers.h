#ifndef LTE_TESTS_BENCH_MOVERS_H
#define LTE_TESTS_BENCH_MOVERS_H
/*
 * Contenders on the device that are held to a copy or a fill of the same bytes: checked bit by bit,
 * then timed in turn, over buffers that together exceed three times the L2.
 *
 *     lte_mover list[] = {{.name = "copy", .side = LTE_MOVER_CEILING, .expected = a, .run = copy},
 *                         {.name = "version 2", .expected = x, .run = version2}};
 *     const lte_move move = {"float", a, bytes, bytes};
 *     status = lte_movers_run(&race, &move, repetitions, list, 2, rows);
 */

#include "tests/bench/race.h"

typedef enum {
    LTE_MOVER_OURS,
    LTE_MOVER_LIBRARY,
    LTE_MOVER_CEILING /* moves the bytes and does nothing else */
} lte_mover_side;

enum { LTE_MAX_MOVERS = 8, LTE_MAX_MOVES = 51 /* repetitions */ };

typedef struct lte_mover lte_mover;
struct lte_mover {
    const char *name;
    const char *mapping; /* who moves what */
    lte_mover_side side;
    int version;           /* ours */
    const char *absent;    /* why it cannot run; NULL: it can */
    const void *expected;  /* [out_bytes], what it must write; NULL: anything */
    const void *with;      /* what run needs to know, and version */
    double required, goal; /* share of the ceiling's rate, at least; 0: not judged */
    /* Both addresses are multiples of 256, as is the room behind them. */
    lte_status (*run)(const lte_mover *self, const void *d_in, void *d_out, cudaStream_t stream);

    /* what is found */
    bool wrong;
    bench_spread us; /* of a call; no samples if it was not timed */
};

/* What everyone moves. */
typedef struct {
    const char *what;
    const void *in; /* [in_bytes] in host memory; NULL: nothing is read */
    size_t in_bytes, out_bytes;
} lte_move;

/*
 * Checks and times the contenders of list [n_list] and appends a row for each. A library's failed
 * call makes it wrong. Returns LTE_ENOMEM or LTE_EDEVICE.
 */
lte_status lte_movers_run(lte_race *race, const lte_move *move, int repetitions, lte_mover *list,
                          int n_list, json_t *rows);

#endif
