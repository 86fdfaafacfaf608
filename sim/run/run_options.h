#ifndef LTE_SIM_RUN_OPTIONS_H
#define LTE_SIM_RUN_OPTIONS_H
/*
 * What is asked of the program; sim/cli/options.h reads it from a command line.
 *
 *     const lte_options options = {.scenario = "scenarios/quick.cfg", .threads = 4};
 */

#include <stdbool.h>
#include <stdint.h>

#include "sim/jobs/sweep/part.h"
#include "sim/report/charts/draw.h"

enum { LTE_MAX_DEVICE_MB = 1048576, LTE_DEVICE_MB = 2048, LTE_MAX_HOST_MB = 1048576 };

enum { LTE_MAX_METHOD_SIZE = 16384 };
enum { LTE_CONFORMANCE_DROPS = 2000, LTE_MAX_CONFORMANCE_DROPS = 100000 };
#define LTE_MAX_REPLAY_SLOT (UINT64_C(1) << 60)

typedef enum { LTE_RUN_ALL, LTE_RUN_BER, LTE_RUN_DEADLINE } lte_run_only;

/* What takes the place of a scenario: folders are what it is about, of methods and bench a name. */
typedef enum {
    LTE_ASKED_NOTHING,
    LTE_ASKED_MERGE,
    LTE_ASKED_REPORT,
    LTE_ASKED_COMPARE,
    LTE_ASKED_METHODS,
    LTE_ASKED_BENCH,
    LTE_ASKED_PLOT,
    LTE_N_ASKED
} lte_asked;

/* The strings are those of argv. */
typedef struct lte_options {
    const char *scenario; /* file; NULL only with help, version, list or what is asked */
    char *command;        /* the whole line as a shell takes it; owned */
    const char **folders; /* [n_folders] of what is asked, in their order; owned */
    const char **sets;    /* [n_sets] "path=value" in their order; owned */
    int n_folders, n_sets;
    uint64_t given;           /* options by their place in the list, as bits */
    const char *backend;      /* goes before the scenario's key; NULL: not given */
    const char *out;          /* result folder; NULL: out/<scenario name> */
    const char *dump_channel; /* file for the channels of the run; NULL: none */
    const char *plot;         /* of compare: a picture to be drawn; NULL: none */
    const char *show;         /* of plot: which picture; NULL: not given */
    const char *type;         /* of methods: how matrices are stored; NULL: not given */
    int limit;                /* of --verify 3gpp: drops of a point; 0: not given */
    int size;                 /* of methods: 1 to LTE_MAX_METHOD_SIZE; 0: not given */
    bool json;                /* of methods */
    uint64_t replay_slot;     /* 0 to LTE_MAX_REPLAY_SLOT */
    lte_part part;            /* --slots: the part of the run, of its sweep alone */
    lte_run_only only;        /* --only */
    int threads;              /* 1 to LTE_MAX_THREADS; 0: not given */
    int device_mb;            /* 1 to LTE_MAX_DEVICE_MB, default LTE_DEVICE_MB */
    int host_mb;              /* 1 to LTE_MAX_HOST_MB; 0: not given */
    bool replay;              /* print one slot in detail, replay_slot, and run nothing else */
    bool resume;              /* go on with the run in the result folder */
    bool blocks;              /* write blocks.csv */
    lte_asked asked;          /* in place of a scenario */
    lte_drawing_size figure;  /* of plot: its size, */
    bool paired;              /* and with paired differences, */
    bool report;              /* write report.html when a run is done */
    bool table;               /* print every row as it is counted, then the summary */
    bool in_list;             /* one of several MCS: it prints no summary of its own */
    bool no_plot;
    bool pareto; /* in place of the deadline run, what each detector costs at the target */
    bool require_deadline;
    bool explain;
    bool verify;
    bool conformance; /* --verify 3gpp: in place of a scenario */
    bool margin;      /* and its margins are searched */
    bool quiet;
    bool list;
    bool version;
    bool help;
} lte_options;

#endif
