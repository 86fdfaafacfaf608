/* One slot by stages, and the inversion alone, timed; shared by threads as a period is. */
#include "kernels/backends/cpu_engine.h"
#include "kernels/backends/clock.h"

/*
 * The channel that slot i is detected with, and the noise; if they are estimated, by all threads
 * at once.
 */
static const lte_cf32 *receiver_channel(lte_engine *engine, uint64_t i, lte_noise *noise)
{
    const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
    const int n_groups = engine->link.n_groups;
    *noise = engine->slots.plan.job.noise;
    if (!lte_link_estimates(&engine->link))
        return lte_slot_memory_h(&engine->link, lte_cpu_memory(engine), i);
    lte_cpu_estimate_period(engine, i, lte_cpu_share(n_groups, t, n_threads),
                            lte_cpu_share(n_groups, t + 1, n_threads));
#pragma omp barrier
    *noise = engine->slots.known[0];
    return lte_cpu_estimates(engine, 0);
}

lte_status lte_cpu_time_stages(lte_engine *engine, uint64_t i, double *us)
{
    const lte_link *link = &engine->link;
    const lte_stages *s = engine->stages;
    const lte_slot_job *job = &engine->slots.plan.job;
    const lte_cf32 *y = lte_slot_memory_y(link, lte_cpu_memory(engine), i);
    const bool inverts = lte_detector_row(job->detector)->inverts;
    double at[LTE_N_TIMED + 1];
#pragma omp parallel num_threads(engine->slots.n_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int g0 = (int)lte_cpu_share(link->n_groups, t, n_threads);
        const int g1 = (int)lte_cpu_share(link->n_groups, t + 1, n_threads);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_COPY_IN] = at[LTE_TIMED_ESTIMATION] = lte_seconds();
        lte_noise noise;
        const lte_cf32 *h = receiver_channel(engine, i, &noise);
#pragma omp master
        at[LTE_TIMED_CORNER_TURN] = lte_seconds();
        s->corner_turn(link, g0, g1, h, y, engine->slots.h, engine->slots.y);
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_GRAM] = lte_seconds();
        if (inverts)
            s->gram(link, job->detector, noise, g0, g1, engine->slots.h, engine->slots.g,
                    lte_cpu_work(engine));
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_INVERSION] = lte_seconds();
        if (inverts)
            s->invert(link, g0, g1, engine->slots.g, engine->slots.flag, lte_cpu_work(engine));
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_DETECTION] = lte_seconds();
        s->detect(link, job->detector, noise, g0, g1, engine->slots.h, engine->slots.g,
                  engine->slots.y, engine->slots.label, engine->slots.flag, lte_cpu_work(engine));
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_COPY_OUT] = lte_seconds();
        s->pack(link, g0, g1, engine->slots.label, lte_slot_memory_bits(lte_cpu_memory(engine), i));
#pragma omp barrier
#pragma omp master
        at[LTE_N_TIMED] = lte_seconds();
    }
    for (int k = 0; k < LTE_N_TIMED; k++)
        us[k] = 1e6 * (at[k + 1] - at[k]);
    return LTE_OK;
}

/* The first n_groups groups of a slot's Gram matrices inverted; seconds. */
static double invert_groups(lte_engine *engine, uint64_t i, int n_groups)
{
    const lte_link *link = &engine->link;
    const lte_stages *s = engine->stages;
    const lte_slot_job *job = &engine->slots.plan.job;
    const lte_cf32 *y = lte_slot_memory_y(link, lte_cpu_memory(engine), i);
    double start = 0.0, end = 0.0;
#pragma omp parallel num_threads(engine->slots.n_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int g0 = (int)lte_cpu_share(n_groups, t, n_threads);
        const int g1 = (int)lte_cpu_share(n_groups, t + 1, n_threads);
        lte_noise noise;
        const lte_cf32 *h = receiver_channel(engine, i, &noise);
        s->corner_turn(link, g0, g1, h, y, engine->slots.h, engine->slots.y);
        s->gram(link, job->detector, noise, g0, g1, engine->slots.h, engine->slots.g,
                lte_cpu_work(engine));
#pragma omp barrier
#pragma omp master
        start = lte_seconds();
        s->invert(link, g0, g1, engine->slots.g, engine->slots.flag, lte_cpu_work(engine));
#pragma omp barrier
#pragma omp master
        end = lte_seconds();
    }
    return end - start;
}

lte_status lte_cpu_time_inversion(lte_engine *engine, int n, double *us)
{
    double seconds = 0.0;
    const int group = LTE_LANES * engine->link.n_csi; /* matrices of a group */
    if (!lte_detector_row(engine->slots.plan.job.detector)->inverts) {
        *us = 0.0;
        return LTE_OK;
    }
    for (int left = (n + group - 1) / group; left > 0; left -= engine->link.n_groups) {
        const int n_groups = left < engine->link.n_groups ? left : engine->link.n_groups;
        seconds += invert_groups(engine, engine->slots.n_inverted++, n_groups);
    }
    *us = 1e6 * seconds;
    return LTE_OK;
}
