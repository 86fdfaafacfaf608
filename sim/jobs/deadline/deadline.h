#ifndef LTE_SIM_JOBS_DEADLINE_H
#define LTE_SIM_JOBS_DEADLINE_H
/*
 * The deadline run: slots handed over every 500 us, latency from scheduled release to output
 * complete, and how many carriers the device holds; from host memory, and on a device once more
 * with the data already there. Outputs are bits or LLRs of slots, or the transport blocks of
 * subframes.
 *
 *     lte_deadline *run = NULL;
 *     lte_status status = lte_deadline_run(scenario, backend, engine, &link, watch, user, &run);
 *     ... run->at[LTE_PLACEMENT_HOST].slot.p999_us, run->at[LTE_PLACEMENT_HOST].verdict ...
 *     lte_deadline_free(run);
 */

#include "sim/jobs/deadline/capacity.h"
#include "sim/jobs/deadline/inverses.h"
#include "sim/jobs/deadline/percentiles.h"
#include "sim/jobs/deadline/turns.h"

/* The run with its data in one place. */
typedef struct {
    int slots;       /* of a carrier, that ran */
    int periods;     /* that they ran in */
    int due, missed; /* slots or subframes, whichever is due; of them late: lte_slot_periods_run */
    double on_time;  /* share on time */
    lte_verdict verdict;
    double period_us;   /* from one that is due to the next */
    double utilisation; /* median service over that time */
    double gap_us;      /* the longest between two looks at the clock; see lte_seen, as the next */
    double taken;       /* processor time kept from the threads over the time that they had */
    bool stalled;       /* by either: the machine, not the receiver, may have been late */
    int threads;        /* that shared a period's work, with every detector */
    lte_thread_trial thread_trial[LTE_MAX_THREAD_TRIALS]; /* [n_thread_trials]: their choice */
    int n_thread_trials;                                  /* 0: there was nothing to choose */
    bool cached;     /* data on the device stay in its caches */
    double phase_us; /* of the releases, modulo 500 us of the machine's clock; paced only */
    /* [due] of what is due: outputs of slots, or bits of blocks; ascending; owned */
    float *latency_us;
    lte_percentiles slot;
    lte_percentiles latency; /* of what is due: that of slots, or of blocks */
    lte_percentiles service; /* and the work on it, without its waits */
    lte_percentiles block,
        decoder; /* of a code: bits after the second slot's release; after its LLRs */
    lte_percentiles stage[LTE_N_TIMED];
    int stage_slots;           /* slots of the unfused pass; 0: it did not run */
    lte_percentiles inversion; /* of a slot's matrices, nothing around it */
    int inversions;            /* times that it ran; 0: never */
    double work_s;             /* spent on the periods, what they wait for aside */
    double symbols_per_s;      /* QAM symbols over the time spent working on them */
    double mbit_per_s;         /* payload over the same */
    uint64_t bits, bit_errors; /* over the distinct outputs that were timed */
    int blocks, wrong,
        undetected;    /* transport blocks of those; by their bits; and with right CRCs */
    int distinct_used; /* such outputs */
    lte_capacity capacity;
} lte_placed;

typedef struct lte_deadline {
    lte_detector detector;
    int csi;
    double snr_db;
    double budget_us;
    double on_time; /* asked share, of verdict and capacity alike */
    int carriers;
    int grid_points, matrices;       /* of a slot; as many matrices as the inversion alone has */
    int counted;                     /* LTE_COUNTED_*: what comes out of a slot or subframe */
    uint64_t slot_bits;              /* that a slot carries */
    uint64_t output_bits;            /* payload of an output, a slot or a subframe */
    int outputs;                     /* of the distinct slots */
    bool interrupted;                /* a signal came: what is here is what was seen until then */
    lte_placed at[LTE_N_PLACEMENTS]; /* HOST decides; slots = 0: did not run */
    lte_inverses inverses;           /* over the distinct slots */
    lte_turns turns;
} lte_deadline;

/*
 * Returns LTE_ENOMEM, what the backend returns, and LTE_EDEVICE if the placements count different
 * errors. The caller frees *run.
 */
lte_status lte_deadline_run(const lte_scenario *scenario, const lte_backend *backend,
                            lte_engine *engine, const lte_link *link, lte_deadline_watch *watch,
                            void *user, lte_deadline **run);

void lte_deadline_free(lte_deadline *run);

/*
 * False for a stage that this run does not have: nothing is copied where the data already lie, and
 * nothing estimated with perfect CSI.
 */
bool lte_stage_is_there(const lte_deadline *run, int placement, int stage);

#endif
