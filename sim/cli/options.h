#ifndef LTE_SIM_OPTIONS_H
#define LTE_SIM_OPTIONS_H
/*
 * The command line.
 *
 *     lte_options options;
 *     lte_status status = lte_options_parse(argc, argv, &options);
 *     if (!status && options.help)
 *         fputs(lte_options_help(), stdout);
 *     lte_options_fini(&options);
 */

#include <stdbool.h>
#include <stdint.h>

#include "phy/base/status.h"
#include "sim/jobs/sweep/part.h"

enum {
    LTE_MAX_THREADS = 1024,
    LTE_MAX_DEVICE_MB = 1048576,
    LTE_DEVICE_MB = 2048,
    LTE_MAX_HOST_MB = 1048576
};

#define LTE_MAX_REPLAY_SLOT (UINT64_C(1) << 60)

typedef enum { LTE_RUN_ALL, LTE_RUN_BER, LTE_RUN_DEADLINE } lte_run_only;

/* The strings are those of argv. */
typedef struct lte_options {
    const char *scenario; /* file; NULL only with help, version, list, merge, report or compare */
    char *command;        /* the whole line as a shell takes it; owned */
    const char **folders; /* [n_folders] of merge, report and compare, in their order; owned */
    const char **sets;    /* [n_sets] "path=value" in their order; owned */
    int n_folders, n_sets;
    uint64_t given;           /* options by their place in the list, as bits */
    const char *backend;      /* goes before the scenario's key; NULL: not given */
    const char *out;          /* result folder; NULL: out/<scenario name> */
    const char *dump_channel; /* file for the channels of the run; NULL: none */
    const char *plot;         /* of compare: a picture to be drawn; NULL: none */
    uint64_t replay_slot;     /* 0 to LTE_MAX_REPLAY_SLOT */
    lte_part part;            /* --slots: the part of the run, of its sweep alone */
    lte_run_only only;        /* --only */
    int threads;              /* 1 to LTE_MAX_THREADS; 0: not given */
    int device_mb;            /* 1 to LTE_MAX_DEVICE_MB, default LTE_DEVICE_MB */
    int host_mb;              /* 1 to LTE_MAX_HOST_MB; 0: not given */
    bool replay;              /* print one slot in detail, replay_slot, and run nothing else */
    bool resume;              /* go on with the run in the result folder */
    bool merge;               /* in place of the scenario: join the runs in folders, */
    bool report_folders;      /* report on them, */
    bool compare;             /* or compare them */
    bool report;              /* write report.html when a run is done */
    bool no_plot;
    bool require_deadline;
    bool explain;
    bool verify;
    bool conformance; /* --verify 3gpp: in place of a scenario */
    bool quiet;
    bool list;
    bool version;
    bool help;
} lte_options;

/*
 * Reads the command line; options and the scenario may stand in any order.
 *
 * Returns LTE_EINVAL for anything that is not an option, lacks its value or does not go together;
 * LTE_ENOMEM. In every case options is for lte_options_fini.
 */
lte_status lte_options_parse(int argc, char **argv, lte_options *options);

void lte_options_fini(lte_options *options);

/* What --help prints: every option and the exit codes. */
const char *lte_options_help(void);

#endif
