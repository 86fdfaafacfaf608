/* One slot by stages, and the inversion alone, timed; shared by threads as a period is. */
#include "kernels/backends/cpu/cpu_engine.h"
#include "kernels/backends/clock.h"

/*
 * The channel that slot i is detected with, and the noise; if they are estimated, by all threads
 * at once.
 */
static const lte_cf32 *receiver_channel(lte_engine *engine, uint64_t i, lte_noise *noise)
{
    const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
    const int n_groups = engine->link.carrier.n_groups;
    *noise = engine->slots.plan.job.noise;
    if (!lte_link_estimates(&engine->link))
        return lte_slot_memory_h(&engine->link, lte_cpu_memory(engine), i);
    lte_cpu_estimate_period(engine, i, lte_cpu_share(n_groups, t, n_threads),
                            lte_cpu_share(n_groups, t + 1, n_threads));
#pragma omp barrier
    *noise = engine->slots.known[0];
    return lte_cpu_estimates(engine, 0);
}

/*
 * A slot at hand to its LLRs. at: out: the times that its stages begin at, and that of the one
 * behind.
 */
static void detect_llrs(lte_engine *engine, uint64_t slot, uint8_t *llrs, double *at)
{
    const lte_link *link = &engine->link;
    const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
    const int g0 = (int)lte_cpu_share(link->carrier.n_groups, t, n_threads);
    const int g1 = (int)lte_cpu_share(link->carrier.n_groups, t + 1, n_threads);
    lte_noise noise;
#pragma omp barrier
    if (t == 0)
        at[LTE_TIMED_ESTIMATION] = lte_seconds();
    const lte_cf32 *h = receiver_channel(engine, slot, &noise);
    if (t == 0)
        at[LTE_TIMED_DETECTION] = lte_seconds();
    engine->stages->slot(link, engine->slots.plan.job.detector, noise,
                         lte_groups_of(g0, g1, lte_cpu_work(engine)), h,
                         lte_slot_memory_y(link, lte_cpu_memory(engine), slot), llrs);
#pragma omp barrier
    if (t == 0)
        at[LTE_TIMED_RATE_MATCHING] = lte_seconds();
}

/* A slot of subframe i, by its number in the part that is then at hand. */
static uint64_t slot_of_subframe(lte_engine *engine, uint64_t i, int second)
{
    const lte_slot_job *job = &engine->slots.plan.job;
    const bool neighbours = job->memory.parts == 1;
    (void)lte_cpu_period(engine, neighbours ? 0 : (uint64_t)(second * job->n_carriers));
    return neighbours ? 2 * i + (uint64_t)second : i;
}

/* The second slot of subframe i of one carrier, and its blocks; times as of detect_llrs. */
static void detect_subframe(lte_engine *engine, uint64_t i, double *at)
{
    uint8_t *const llrs = (uint8_t *)engine->slots.llrs;
    const ptrdiff_t planes = lte_llr_planes(&engine->link);
    lte_subframes subframe = lte_subframes_of(&engine->slots.plan.job, 0);
    subframe.first = i;
    subframe.n = 1;
    for (int second = 0; second < 2; second++) {
        const uint64_t slot = slot_of_subframe(engine, i, second);
#pragma omp parallel num_threads(engine->slots.n_threads)
        detect_llrs(engine, slot, llrs + second * planes, at);
    }
#pragma omp parallel num_threads(engine->slots.n_threads)
    lte_cpu_decode(engine, &subframe, &at[LTE_TIMED_DECODING]);
}

/* The stages of LLRs, from detection to the one before end, by when each began. */
static void take_stages(const double *at, int end, double *us)
{
    for (int k = 0; k < LTE_N_TIMED; k++)
        us[k] = k >= LTE_TIMED_DETECTION && k < end ? 1e6 * (at[k + 1] - at[k]) : 0.0;
    us[LTE_TIMED_ESTIMATION] = 1e6 * (at[LTE_TIMED_DETECTION] - at[LTE_TIMED_ESTIMATION]);
}

void lte_cpu_time_llrs(lte_engine *engine, uint64_t i, double *us)
{
    double at[LTE_N_TIMED + 1] = {0};
    i = lte_cpu_period(engine, i);
#pragma omp parallel num_threads(engine->slots.n_threads)
    detect_llrs(engine, i, lte_slot_memory_bits(lte_cpu_memory(engine), i), at);
    take_stages(at, LTE_TIMED_RATE_MATCHING, us);
}

void lte_cpu_time_blocks(lte_engine *engine, uint64_t i, double *us)
{
    double at[LTE_N_TIMED + 1] = {0};
    detect_subframe(engine, i, at);
    take_stages(at, LTE_TIMED_COPY_OUT, us);
}

void lte_cpu_time_bits(lte_engine *engine, uint64_t i, double *us)
{
    const lte_link *link = &engine->link;
    const lte_stages *s = engine->stages;
    const lte_slot_job *job = &engine->slots.plan.job;
    i = lte_cpu_period(engine, i);
    const lte_cf32 *y = lte_slot_memory_y(link, lte_cpu_memory(engine), i);
    const bool inverts = lte_detector_needs(job->detector, LTE_NEEDS_INVERSE);
    double at[LTE_N_TIMED + 1];
#pragma omp parallel num_threads(engine->slots.n_threads)
    {
        const int t = omp_get_thread_num(), n_threads = omp_get_num_threads();
        const int g0 = (int)lte_cpu_share(link->carrier.n_groups, t, n_threads);
        const int g1 = (int)lte_cpu_share(link->carrier.n_groups, t + 1, n_threads);
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
        s->detect(link, job->detector, noise, lte_groups_of(g0, g1, lte_cpu_work(engine)),
                  engine->slots.h, engine->slots.y,
                  &(lte_decided){engine->slots.g, engine->slots.label, engine->slots.flag});
#pragma omp barrier
#pragma omp master
        at[LTE_TIMED_RATE_MATCHING] = at[LTE_TIMED_DECODING] = at[LTE_TIMED_CRC] =
            at[LTE_TIMED_COPY_OUT] = lte_seconds();
        s->pack(link, g0, g1, engine->slots.label, lte_slot_memory_bits(lte_cpu_memory(engine), i));
#pragma omp barrier
#pragma omp master
        at[LTE_N_TIMED] = lte_seconds();
    }
    for (int k = 0; k < LTE_N_TIMED; k++)
        us[k] = 1e6 * (at[k + 1] - at[k]);
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
    (void)lte_cpu_period(engine, 0);
    const int group = LTE_LANES * engine->link.receiver.n_csi; /* matrices of a group */
    if (!lte_detector_needs(engine->slots.plan.job.detector, LTE_NEEDS_INVERSE)) {
        *us = 0.0;
        return LTE_OK;
    }
    for (int left = (n + group - 1) / group; left > 0; left -= engine->link.carrier.n_groups) {
        const int n_groups =
            left < engine->link.carrier.n_groups ? left : engine->link.carrier.n_groups;
        seconds += invert_groups(engine, engine->slots.n_inverted++, n_groups);
    }
    *us = 1e6 * seconds;
    return LTE_OK;
}
