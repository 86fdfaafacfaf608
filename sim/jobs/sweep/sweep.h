#ifndef LTE_SIM_JOBS_SWEEP_H
#define LTE_SIM_JOBS_SWEEP_H
/*
 * The BER sweep of one receiver: rounds of slots for each SNR, every detector over the same draws.
 *
 *     lte_sweep *sweep = NULL;
 *     lte_status status = lte_sweep_create(scenario, &link, &sweep);
 *     lte_worker worker = lte_worker_of(backend, engine);
 *     status = lte_sweep_run(sweep, &worker, 1, after_chunk, user);
 *     ... lte_sweep_row(sweep, d, s) ...
 *     lte_sweep_free(sweep);
 */

#include <stdio.h>

#include "kernels/backends/backend.h"
#include "phy/theory/ber_theory.h"
#include "phy/theory/interval.h"
#include "sim/jobs/workers/workers.h"
#include "sim/scenario/scenario.h"

typedef enum {
    LTE_ROW_RUNNING,
    LTE_ROW_ERRORS,      /* min_bit_errors, min_slots and min_clusters reached */
    LTE_ROW_SLOTS,       /* max_slots reached, or the end of the sweep's part */
    LTE_ROW_TIME,        /* max_seconds passed */
    LTE_ROW_INTERRUPTED, /* a signal came, or the backend failed */
    LTE_ROW_PRECISION,   /* as LTE_ROW_ERRORS, and precise enough */
    LTE_ROW_SEARCH,      /* as many slots as a search asked for */
    LTE_ROW_DECIDED,     /* min_slots reached, and required_throughput lies outside the interval */
    LTE_ROW_NODES,       /* not begun: its search would not end (effort.h) */
    LTE_N_ROW_STATUS
} lte_row_status;

/* What has been merged of the drop at hand; it counts when it is whole. */
typedef struct {
    int n_slots;
    uint64_t errors; /* bits */
    /* [n_sums], kernels/link/link.h, sim/jobs/workers/tally.h; in the sweep's memory */
    uint64_t *counts;
    lte_i128 signal, noise;
} lte_drop;

/* One detector at one SNR. */
typedef struct {
    lte_detector detector;       /* phy/detection/detectors.h */
    int csi;                     /* LTE_CSI_* */
    double snr_db;               /* nominal */
    uint64_t goal;               /* slots of a point of a search, whatever its errors; else 0 */
    uint64_t slots;              /* of whole drops; all below is of these */
    lte_error_count error_count; /* bit errors by drop; by slot if nothing moves */
    lte_u128 lost2;              /* information lost by LLRs, of drops squared */
    uint64_t *counts;            /* [n_sums], as of a drop */
    /* its errors, and information that LLRs have lost, by groups of drops */
    uint64_t groups[LTE_N_GROUPS], lost_groups[LTE_N_GROUPS];
    lte_tally_harq harq;
    lte_i128 signal, noise; /* measured powers, units of 2^-20 */
    lte_ber_theory theory;
    double seconds; /* its share of the wall time */
    lte_row_status status;
    lte_drop drop;
} lte_row;

/* Two detectors over the drops that both saw: d = errors of row a minus errors of row b. */
typedef struct {
    int a, b; /* rows */
    uint64_t slots, clusters;
    lte_difference d;
    lte_paired_count count; /* of HARQ processes */
    int drop_slots;         /* merged of the drop at hand, */
    int64_t drop_d;         /* and their d */
} lte_pair;

/* One transmission of a codeword to a row's detector. */
typedef struct {
    uint64_t slot; /* the first of its subframe */
    int codeword;
    uint32_t record;      /* lte_record_of */
    const uint32_t *lost; /* [n_tx] of its subframe: lte_record_loss */
} lte_transmission;

struct lte_sweep;

/* Who is told of each transmission as it is merged, in slot order. */
typedef struct {
    void (*take)(const struct lte_sweep *sweep, const lte_row *row, const lte_transmission *of,
                 void *user); /* NULL: nobody */
    void *user;
} lte_sweep_listener;

/* What a round adds to the rows and pairs of its point. */
typedef struct {
    lte_row *rows;   /* [n_detectors]: their slots, errors, counts and powers alone */
    lte_pair *pairs; /* [n_detectors - 1] */
    double seconds;  /* of all rows together */
} lte_round;

/* A sweep and where it stands: what has been merged so far is all in rows, pairs and n_started. */
typedef struct lte_sweep {
    const lte_scenario *scenario; /* not owned */
    int csi;                      /* LTE_CSI_* of all rows */
    lte_tally_cut cut;            /* of its slots' sums */
    uint64_t drop_bits;  /* payload bits of a drop over all layers, or its transport blocks */
    uint64_t first, end; /* it has slots first .. end - 1: all of them unless told; rows
                                     count their own */
    double spent_s;      /* of max_seconds, by the sweeps before it; 0 unless told */
    bool unwanted;       /* set while it is watched: it ends as if a signal had come */
    lte_row *rows;       /* [n_detectors][n_snr] by place: row d n_snr + s; detectors in
                                     the order of phy/detection/detectors.h, then of parameters */
    int n_detectors, n_snr;
    int n_points; /* of n_snr: those that are to be counted; of a search those that it has asked for
                     so far (search.h), else all */
    uint64_t *counts; /* [n_detectors][n_snr][2][n_sums]: of a row, of its drop; then
                         [n_detectors][n_sums]: of the round */
    lte_pair *pairs;  /* [n_snr][n_detectors - 1]: first detector against each other one */
    int n_started;    /* SNR points that have rows */
    bool is_part;     /* it keeps its rounds (sweep_rounds.h): */
    lte_round round;  /* the one at hand; its rows and pairs stand behind those of the sweep */
    FILE *rounds;     /* lines of those that have ended, not yet handed over; NULL: none */
    char *round_text; /* these lines */
    size_t round_bytes;
    bool rounds_lost; /* there was no memory for one */
    lte_sweep_listener listener;
} lte_sweep;

/* The sweeps of a run: one for each csi that the scenario lists, in the order of phy/base/names.h.
 */
typedef struct {
    lte_sweep *of[LTE_N_CSI];
    int n;
} lte_sweeps;

/* Called after each merged chunk with the point at hand; for the terminal and for saving. */
typedef void lte_sweep_watch(const lte_sweep *sweep, int snr, bool point_done, void *user);

/* The sweep of a scenario over a link of it, which says what the receiver knows. */
lte_status lte_sweep_create(const lte_scenario *scenario, const lte_link *link, lte_sweep **sweep);

/* Points that a sweep of the scenario has rows for. */
int lte_sweep_room(const lte_scenario *scenario);

/* Gives a sweep that is a search one more point, of which there must be room. */
lte_status lte_sweep_add_point(lte_sweep *sweep, double snr_db, uint64_t goal);

/* Whether spent_s and so many seconds more are all of max_seconds. */
bool lte_sweep_time_is_up(const lte_sweep *sweep, double seconds);
void lte_sweep_free(lte_sweep *sweep);

/*
 * Makes a sweep that has not begun that of slots first .. last alone, which keeps its rounds. first
 * is the first slot of a round, last the last slot of one.
 */
void lte_sweep_set_part(lte_sweep *sweep, uint64_t first, uint64_t last);

/*
 * True if the scenario asks for the SNR at a bit error rate, and the sweep's points come from
 * there.
 */
bool lte_sweep_is_search(const lte_sweep *sweep);

/* The first point with a row that runs; n_points if all have ended. */
int lte_sweep_point(const lte_sweep *sweep);

/*
 * Runs all points in the scenario's order until each row ended, from where its rows stand. Chunks
 * of slots go to whichever worker is idle and are merged in slot order, so the counts depend
 * neither on the number of workers nor on which is done first. A stop signal or max_seconds ends
 * the sweep between chunks; points not started have no row then, and a sweep whose time was spent
 * before has none at all.
 *
 * Returns LTE_ENOMEM and what a worker returns; rows hold what was merged until then, and those
 * that had not ended are interrupted. In any case no worker is busy any more.
 */
lte_status lte_sweep_run(lte_sweep *sweep, lte_worker *workers, int n_workers,
                         lte_sweep_watch *watch, void *user);

/* Ends the running rows of all points that have been started. */
void lte_sweep_end(lte_sweep *sweep, lte_row_status status);

/* Row of detector d (its place among the sweep's) at SNR point s. */
const lte_row *lte_sweep_row(const lte_sweep *sweep, int d, int s);

/* The i-th row of the points that have any, detector by detector; NULL beyond the last. */
const lte_row *lte_sweep_started(const lte_sweep *sweep, int i);

/* The same of all sweeps, one after the other, with the sweep that it is of; sweeps NULL: none. */
const lte_row *lte_sweeps_started(const lte_sweeps *sweeps, int i, const lte_sweep **sweep);

/* How many points of all sweeps have not been started. */
int lte_sweeps_missing(const lte_sweeps *sweeps);

/* A detector of one of the sweeps. */
typedef struct {
    const lte_sweep *sweep;
    int k, d; /* places of the sweep among the sweeps, and of the detector among the sweep's */
    lte_detector detector; /* lte_detector_named */
} lte_swept;

/* The i-th of them, sweep by sweep; false beyond the last. */
bool lte_sweeps_detector(const lte_sweeps *sweeps, int i, lte_swept *swept);

/*
 * The interval of a row of the sweep. Without errors its high end is a bound, with each subcarrier
 * of a slot as a cluster where the channel draws them independently; and no higher than the
 * interval of any row of the same detector at a lower SNR.
 */
lte_interval lte_row_interval(const lte_sweep *sweep, const lte_row *row);

/* Interval of a pair of the sweep. */
lte_interval lte_pair_interval(const lte_sweep *sweep, const lte_pair *pair);

/* Bits that the row has seen. */
uint64_t lte_row_bits(const lte_row *row);

/* The same of one of its groups of drops, in the same parts. */
uint64_t lte_row_group_bits(const lte_sweep *sweep, const lte_row *row, int group);

/* Parts of a bit or block that errors and bits of a row are in. */
uint64_t lte_row_parts(const lte_row *row);

/* SNR measured over the row's slots in dB; NAN where there is nothing to measure. */
double lte_row_snr_db(const lte_sweep *sweep, const lte_row *row);

/* Distance from theory (lte_interval_z) where it is exact and an error was seen, else NAN. */
double lte_row_z(const lte_row *row);

/* Beyond so many standard errors a row disagrees with its closed form: once in 16,000 by chance. */
enum { LTE_ROW_Z_LIMIT = 4 };

/* "errors", "slots", "time", "interrupted", "precision", "search", "decided" or "nodes". */
const char *lte_row_status_name(lte_row_status status);

/*
 * Slots that a row is expected to need at an error rate, if errors come evenly; 0 for unknown means
 * all that the sweep has.
 */
double lte_expected_slots(const lte_sweep *sweep, double ber);

/* The same of a scenario, from the bits of a slot (with a code its blocks) and the most slots. */
double lte_needed_slots(const lte_scenario *scenario, double slot_bits, double most, double ber);

/*
 * Slots that share a channel realisation: those of a drop if the channel moves or comes from a
 * file, else one; with a code those that its blocks share.
 */
int lte_drop_slots(const lte_scenario *scenario);

/* How a scenario's slots are summed for a receiver: by rounds and drops. */
lte_tally_cut lte_sweep_cut(const lte_scenario *scenario, int csi);

/* Payload bits of a slot, the mean over a drop. */
double lte_sweep_slot_bits(const lte_sweep *sweep);

#endif
