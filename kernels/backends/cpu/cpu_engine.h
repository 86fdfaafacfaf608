#ifndef LTE_KERNELS_BACKENDS_CPU_ENGINE_H
#define LTE_KERNELS_BACKENDS_CPU_ENGINE_H
/*
 * The engine of the CPU backends, by its parts:
 *
 *     cpu             the engine, and the sweep
 *     cpu_slots       slot periods from planes to bits, and how many threads share one
 *     cpu_periods     what all paths of a period have in common
 *     cpu_estimates   what a period's receivers know, if they estimate it
 *     cpu_stages      one slot by stages and the inversion alone, timed
 *
 * and cpu_matrices and cpu_decoding, batches that a program hands over, which need no engine.
 */

#include <omp.h>

#include "kernels/backends/cpu/cpu.h"
#include "kernels/coding/blocks.h"
#include "phy/base/pool.h"

/* What of a run of slot periods differs by what is counted of the link. */
typedef struct {
    /* memory for the outputs of a period on their way. Returns LTE_ENOMEM. */
    lte_status (*begin)(lte_engine *engine, const lte_slot_job *job);
    /* where part `part` of a period writes to, in slots.memory */
    void (*place)(lte_engine *engine, int part);
    /* what is due with the last part of a period that begins with slot first */
    lte_status (*finish)(lte_engine *engine, uint64_t first, double *completed_s);
    void (*time)(lte_engine *engine, uint64_t i, double *us); /* stages of lte_slot_ops */
} lte_cpu_outputs;

/* What a run of slot periods needs. */
typedef struct {
    const lte_cpu_outputs *outputs;
    lte_slot_plan plan;
    int n_threads;          /* that share a period */
    uint64_t n_inverted;    /* slots whose matrices were inverted alone so far */
    lte_slot_memory memory; /* where those of the period at hand lie: the plan's, or a part of it */
    /* of a link that carries a code */
    lte_pool subframes;
    int8_t *llrs; /* of a period, [n subframes][2] of lte_llr_planes */
    lte_block_decoder *decoder;
    /* of a period whose receivers estimate, each from link.receiver.pilots symbols */
    lte_pool period;
    lte_cf32 *estimates;           /* [n_carriers][pilots][n_rx][n_tx][n_sc] */
    lte_cf32 *combined;            /* [n_carriers][n_rx][n_tx][7][n_sc] out of two of those */
    int64_t *residuals;            /* [n_carriers][pilots] */
    lte_noise *known;              /* [n_carriers] */
    lte_combination *combinations; /* [n_carriers][7] that those go by, of two */
    float *sums;     /* [n_carriers][pilots] of lte_sums_size, if they go over the carrier */
    float *unknowns; /* [n_carriers][pilots][n_rx] of lte_unknowns_size, likewise */
    /* batches of one slot, for the stages and the inversion alone */
    lte_pool batches;
    float *h, *y, *g;
    uint8_t *flag;
    uint32_t *label;
} lte_cpu_slots;

struct lte_engine {
    const lte_stages *stages;
    lte_link link;
    int n_threads;
    int most_detectors;       /* of a sweep's start */
    void *work;               /* [n_threads][work_size] of sweeps and stages */
    size_t work_size;         /* of a thread's, whole cache lines */
    lte_code_worker **worker; /* [n_threads], of a link that carries a code; else NULL */
    lte_cpu_slots slots;
};

/* Stages of lte_slot_ops, by what is counted. */
void lte_cpu_time_bits(lte_engine *engine, uint64_t i, double *us);
void lte_cpu_time_llrs(lte_engine *engine, uint64_t i, double *us);
void lte_cpu_time_blocks(lte_engine *engine, uint64_t i, double *us);

/* The calling thread's part of the work memory. */
static inline void *lte_cpu_work(const lte_engine *engine)
{
    return (char *)engine->work + (size_t)omp_get_thread_num() * engine->work_size;
}

/*
 * Makes OpenMP's threads, before there is anything to lose: where it cannot, it ends the program.
 * So that this comes seldom, and with a reason, as many of the system's own are made first.
 *
 * Returns LTE_ENOMEM.
 */
lte_status lte_cpu_make_threads(int n);

/* Where the slots of the period at hand lie. */
static inline const lte_slot_memory *lte_cpu_memory(const lte_engine *engine)
{
    return &engine->slots.memory;
}

/* True if the caller of the plan wishes no more. */
bool lte_cpu_is_stopped(const lte_engine *engine);

/* Lets the period that begins with slot first be at hand; where it begins in its part. */
uint64_t lte_cpu_period(lte_engine *engine, uint64_t first);

/* The steps of lte_block_decoder, by all threads of a team; where they have passed, of at [3]. */
void lte_cpu_decode(lte_engine *engine, const lte_subframes *subframes, double *at);

/* Thread t of n_threads takes units t n / n_threads .. (t + 1) n / n_threads - 1. */
static inline int64_t lte_cpu_share(int64_t n, int t, int n_threads)
{
    return n * t / n_threads;
}

/* Groups g0 .. g1 - 1 of one of a period's slots. */
typedef struct {
    int carrier, g0, g1;
} lte_cpu_piece;

/*
 * The next piece of groups *unit .. end - 1 of a period, counted over all of its slots; none once
 * the plan says stop.
 */
bool lte_cpu_next_piece(const lte_engine *engine, int64_t *unit, int64_t end, lte_cpu_piece *next);

/* Memory for the estimates of a period. Returns LTE_ENOMEM. */
lte_status lte_cpu_estimates_alloc(lte_engine *engine, size_t n_carriers);

/* A carrier's estimated planes, [n_rx][n_tx][n_csi][n_sc]. */
const lte_cf32 *lte_cpu_estimates(const lte_engine *engine, int carrier);

/*
 * Estimates for groups begin .. end - 1, counted over the slots of the period that begins with slot
 * first. All threads call it at once, each with its own groups; those are there when it returns.
 */
void lte_cpu_estimate_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end);

/* inversion of lte_slot_ops. */
lte_status lte_cpu_time_inversion(lte_engine *engine, int n, double *us);

/* Memory for a slot by stages. Returns LTE_ENOMEM; whatever it returns, fini is due. */
lte_status lte_cpu_slots_init(const lte_link *link, lte_cpu_slots *slots);
void lte_cpu_slots_fini(lte_cpu_slots *slots);

#endif
