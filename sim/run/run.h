#ifndef LTE_SIM_RUN_H
#define LTE_SIM_RUN_H
/*
 * One run of a scenario: what its jobs share, and each of them with its tables on stdout and its
 * files in the result folder.
 *
 *     lte_run run;
 *     lte_status status = lte_run_init(&run, &options, scenario, &ranks, "out/quick");
 *     if (!status)
 *         status = lte_run_sweeps(&run);
 *     if (!status)
 *         status = lte_run_save(&run);
 *     lte_run_fini(&run);
 */

#include "sim/channel/validation.h"
#include "sim/files/folder.h"
#include "sim/files/journal.h"
#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/jobs/workers/team.h"
#include "sim/run/run_options.h"
#include "sim/ranks/ranks.h"
#include "sim/report/tables/progress.h"
#include "sim/report/results/block_log.h"
#include "sim/report/results/results.h"

typedef struct {
    const lte_options *options; /* not owned, as the next two */
    const lte_scenario *scenario;
    const char *dir; /* of the results */
    lte_folder_lock lock;
    bool begun;               /* files of this run are in the folder, and none of another */
    lte_ranks *ranks;         /* not owned, either */
    lte_team team;            /* its engines are of one receiver at a time: */
    int csi;                  /* the one that has this */
    lte_worker *worker;       /* [team.n + ranks->n - 1]: the team's, the other ranks; owned */
    int n_workers;            /* of both; 0 if the engines are for no sweep */
    lte_link link[LTE_N_CSI]; /* one for each csi that is listed, the others unset */
    lte_estimator estimator[LTE_N_CSI];                                  /* of link */
    float correlation_factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION]; /* of link */
    lte_run_info info;
    char backend_name[256]; /* of places, as in "cuda:0,1,cpu:v4" */
    lte_progress progress;
    int n_told;                    /* points of the sweep at hand that stand on stdout */
    lte_sweeps sweeps;             /* none if that job does not run */
    lte_deadline *deadline;        /* NULL before it has run */
    lte_pareto *pareto;            /* of --pareto; NULL before it has run */
    lte_channel_validation *proof; /* --verify alone */
    lte_block_log blocks;          /* --blocks alone: of the sweeps, */
    lte_block_mark blocks_mark;    /* and how much of it the journal knows */
    lte_journal journal;           /* of the sweeps; none without that job */
    uint64_t journal_begun;        /* its bytes when it was begun */
    int at_hand;                   /* sweep */
    int journaled;                 /* points of the sweep at hand before this one are in it */
    bool finished;                 /* --resume found nothing left to do */
    bool unsaved;                  /* points have ended since results were written */
    double last_saved;             /* when that was */
    lte_status saved;              /* how it went, during the sweep */
} lte_run;

/*
 * Backend, links, first engine and the result folder for this run alone, unless the scenario is
 * only explained. Options, scenario, ranks and dir must outlive the run. Whatever it returns, fini
 * is due.
 */
lte_status lte_run_init(lte_run *run, const lte_options *options, const lte_scenario *scenario,
                        lte_ranks *ranks, const char *dir);
void lte_run_fini(lte_run *run);

/*
 * What a rank other than 0 does in the place of all that follows: it counts for rank 0, whose
 * lte_run_init it meets. Fini is due as after lte_run_init.
 */
lte_status lte_run_serve(lte_run *run, const lte_options *options, const lte_scenario *scenario,
                         lte_ranks *ranks);

/*
 * The same for a run whose slots others have counted: without backend and engine, its sweeps stand
 * at their beginning. choices: what is said of these others, which must outlive the run.
 */
lte_status lte_run_init_joined(lte_run *run, const lte_options *options,
                               const lte_scenario *scenario, const char *dir, const char *choices);

/* What the scenario costs, on stdout. */
lte_status lte_run_explain(lte_run *run);

/* Makes blocks.csv of what the sweeps have merged, with --blocks. */
lte_status lte_run_end_blocks(lte_run *run);

/* One sweep after the other, each over the same draws, max_seconds for all of them. */
lte_status lte_run_sweeps(lte_run *run);

/* The channel against its law, with the draws of the scenario, which are those of any backend. */
lte_status lte_run_proof(lte_run *run);

lte_status lte_run_deadline(lte_run *run);

/* In its place with --pareto: what each detector costs at the SNR that its search has found. */
lte_status lte_run_pareto(lte_run *run);

/* What these jobs share: an engine for the links of a csi, and what is done told on stderr. */
lte_status lte_run_engine(lte_run *run, int csi);
void lte_run_watch(const char *what, double done, void *run);

/* Writes what the jobs have left so far. */
lte_status lte_run_save(lte_run *run);

/* Writes the channels of the run, if that is asked for. An interrupted run leaves none. */
lte_status lte_run_dump(lte_run *run);

#endif
