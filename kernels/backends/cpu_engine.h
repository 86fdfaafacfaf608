#ifndef LTE_KERNELS_BACKENDS_CPU_ENGINE_H
#define LTE_KERNELS_BACKENDS_CPU_ENGINE_H
/*
 * The engine of the CPU backends, shared by cpu.c (engine, sweep) and cpu_slots.c (deadline run).
 */

#include "kernels/backends/backend.h"

/* What a run of slot periods needs. */
typedef struct {
    lte_slot_plan plan;
    int n_threads;       /* that share a period */
    uint64_t n_inverted; /* slots whose matrices were inverted alone so far */
    lte_cf32
        *estimates;     /* [n_carriers][n_rx][n_tx][n_sc] of a period, if the receiver makes some */
    int64_t *residuals; /* [n_carriers] */
    lte_noise *known;   /* [n_carriers] */
    /* batches of one slot, for the stages and the inversion alone */
    float *h, *y, *g;
    uint8_t *flag;
    uint32_t *label;
} lte_cpu_slots;

struct lte_engine {
    const lte_stages *stages;
    lte_link link;
    int n_threads;
    int most_detectors; /* of a sweep's start */
    void *work;         /* [n_threads][work_size] of sweeps */
    size_t work_size;   /* of a thread's, rounded up to whole cache lines */
    lte_cpu_slots slots;
};

extern const lte_slot_ops lte_cpu_slot_ops;

/* Memory for a slot by stages. Returns LTE_ENOMEM; whatever it returns, fini is due. */
lte_status lte_cpu_slots_init(const lte_link *link, lte_cpu_slots *slots);
void lte_cpu_slots_fini(lte_cpu_slots *slots);

#endif
