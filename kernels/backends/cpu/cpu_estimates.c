/* Estimates of a period's channels and noise, by all of the threads that share it. */
#include "kernels/backends/cpu/cpu_engine.h"

/* Floats of the unknowns of one estimate. */
static size_t unknowns_size(const lte_engine *engine)
{
    return (size_t)(engine->link.n_rx * lte_unknowns_size(&engine->link));
}

/* Elements of one estimate. */
static size_t planes_size(const lte_engine *engine)
{
    return lte_planes_size(&engine->link, 1);
}

lte_status lte_cpu_estimates_alloc(lte_engine *engine, size_t n_carriers)
{
    const lte_link *link = &engine->link;
    const size_t n = n_carriers * (size_t)link->receiver.pilots;
    const size_t n_combined = link->receiver.pilots > 1 ? n_carriers : 0;
    lte_cpu_slots *slots = &engine->slots;
    lte_pool *pool = &slots->period;
    lte_pool_free(pool);
    slots->estimates = lte_pool_take(pool, n * planes_size(engine) * sizeof *slots->estimates);
    slots->combined = lte_pool_take(pool, n_combined * lte_layout_bytes(link, LTE_PLANES_CSI));
    slots->residuals = lte_pool_take(pool, n * sizeof *slots->residuals);
    slots->known = lte_pool_take(pool, n_carriers * sizeof *slots->known);
    slots->combinations =
        lte_pool_take(pool, n_carriers * LTE_SLOT_SYMBOLS * sizeof *slots->combinations);
    slots->sums = lte_pool_take(pool, n * (size_t)lte_sums_size(link) * sizeof(float));
    slots->unknowns = lte_pool_take(pool, n * unknowns_size(engine) * sizeof(float));
    return lte_pool_check(pool, "the estimates of a period");
}

/* Estimate e of a period: of its carrier e / pilots, from reference symbol e mod pilots. */
static int estimate_of(const lte_engine *engine, int carrier, int reference)
{
    return carrier * engine->link.receiver.pilots + reference;
}
static int n_estimates(const lte_engine *engine)
{
    return engine->slots.plan.job.n_carriers * engine->link.receiver.pilots;
}
static lte_cf32 *planes_of(const lte_engine *engine, int e)
{
    return &engine->slots.estimates[(size_t)e * planes_size(engine)];
}
static float *sums_of(const lte_engine *engine, int e)
{
    return &engine->slots.sums[e * lte_sums_size(&engine->link)];
}
static float *unknowns_of(const lte_engine *engine, int e)
{
    return &engine->slots.unknowns[(size_t)e * unknowns_size(engine)];
}

static lte_combination *combination_of(const lte_engine *engine, int carrier)
{
    return &engine->slots.combinations[(ptrdiff_t)carrier * LTE_SLOT_SYMBOLS];
}

static lte_cf32 *combined_of(const lte_engine *engine, int carrier)
{
    const lte_link *link = &engine->link;
    return &engine->slots.combined[(size_t)carrier * lte_planes_size(link, link->receiver.n_csi)];
}

const lte_cf32 *lte_cpu_estimates(const lte_engine *engine, int carrier)
{
    return engine->link.receiver.pilots > 1 ? combined_of(engine, carrier)
                                            : planes_of(engine, carrier);
}

/* The planes of a reference symbol that slot i is estimated from, 7 n_sc from one to the next. */
static const lte_cf32 *pilots_of(const lte_engine *engine, uint64_t i, int reference)
{
    const lte_link *link = &engine->link;
    return lte_slot_memory_pilots(link, lte_cpu_memory(engine), i) +
           (size_t)reference * lte_slot_y_size(link) +
           (ptrdiff_t)LTE_PILOT_SYMBOL * link->carrier.n_sc;
}

/* Sums over the carrier: every thread those of its groups, then one of them an estimate's total. */
static void correlate_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    const lte_link *link = &engine->link;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->carrier.n_sc;
    lte_cpu_piece p;
    for (int64_t unit = begin; lte_cpu_next_piece(engine, &unit, end, &p);) {
        for (int r = 0; r < link->receiver.pilots; r++)
            engine->stages->correlate(
                link, p.g0, p.g1, pilots_of(engine, first + (uint64_t)p.carrier, r), stride,
                sums_of(engine, estimate_of(engine, p.carrier, r)), lte_cpu_work(engine));
    }
#pragma omp barrier
#pragma omp for
    for (int e = 0; e < n_estimates(engine); e++)
        (void)lte_estimator_totals(link, sums_of(engine, e));
}

/* What every thread needs of a set before it estimates with it. */
static void fit(lte_engine *engine, int set, int e)
{
    const lte_link *link = &engine->link;
    const float *totals =
        sums_of(engine, e) + (ptrdiff_t)link->carrier.n_groups * (ptrdiff_t)unknowns_size(engine);
    if (lte_estimator_spans_carrier(&link->receiver.estimator))
        engine->stages->fit(link, set, totals, unknowns_of(engine, e));
}

/* One estimate of groups p.g0 .. p.g1 - 1 of slot i. */
static void estimate_piece(lte_engine *engine, bool least_squares, uint64_t i, int reference,
                           const lte_cpu_piece *p)
{
    const lte_link *link = &engine->link;
    const ptrdiff_t stride = (ptrdiff_t)LTE_SLOT_SYMBOLS * link->carrier.n_sc;
    const int e = estimate_of(engine, p->carrier, reference);
    const int set =
        least_squares ? LTE_LS_WEIGHTS : lte_link_weights(link, engine->slots.known[p->carrier].n0);
    int64_t residual = 0;
    if (!least_squares && set == LTE_LS_WEIGHTS)
        return;
    engine->stages->estimate(link, set, lte_groups_of(p->g0, p->g1, lte_cpu_work(engine)),
                             pilots_of(engine, i, reference), stride, unknowns_of(engine, e),
                             planes_of(engine, e), least_squares ? &residual : NULL);
#pragma omp atomic
    engine->slots.residuals[e] += residual;
}

/* Groups begin .. end - 1 with the set that tells the noise, or with those of the noise. */
static void estimate_period(lte_engine *engine, bool least_squares, uint64_t first, int64_t begin,
                            int64_t end)
{
    lte_cpu_piece p;
    for (int64_t unit = begin; lte_cpu_next_piece(engine, &unit, end, &p);) {
        for (int r = 0; r < engine->link.receiver.pilots; r++)
            estimate_piece(engine, least_squares, first + (uint64_t)p.carrier, r, &p);
    }
}

/* What the receiver of a carrier, of slot i, goes by, once its residuals are there. */
static void know_carrier(lte_engine *engine, uint64_t i, int carrier)
{
    const lte_link *link = &engine->link;
    lte_noise *const known = &engine->slots.known[carrier];
    int64_t residual = 0;
    for (int r = 0; r < link->receiver.pilots; r++)
        residual +=
            engine->slots.residuals[estimate_of(engine, carrier, r)] / link->receiver.pilots;
    *known = lte_effective_noise(link, engine->slots.plan.job.noise, residual);
    if (link->receiver.pilots > 1)
        lte_link_combine(link, i, known, combination_of(engine, carrier));
    const int set = lte_link_weights(link, known->n0);
    for (int r = 0; r < link->receiver.pilots && set != LTE_LS_WEIGHTS; r++)
        fit(engine, set, estimate_of(engine, carrier, r));
}

/* Groups begin .. end - 1: a matrix for every symbol. */
static void combine_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    lte_cpu_piece p;
    for (int64_t unit = begin; lte_cpu_next_piece(engine, &unit, end, &p);) {
        const int own = (int)((first + (uint64_t)p.carrier) % LTE_SUBFRAME_PILOTS);
        engine->stages->combine(&engine->link, combination_of(engine, p.carrier), p.g0, p.g1,
                                planes_of(engine, estimate_of(engine, p.carrier, own)),
                                planes_of(engine, estimate_of(engine, p.carrier, 1 - own)),
                                combined_of(engine, p.carrier));
    }
}

void lte_cpu_estimate_period(lte_engine *engine, uint64_t first, int64_t begin, int64_t end)
{
    const lte_link *link = &engine->link;
    if (lte_estimator_spans_carrier(&link->receiver.estimator))
        correlate_period(engine, first, begin, end);
#pragma omp for
    for (int e = 0; e < n_estimates(engine); e++) {
        engine->slots.residuals[e] = 0;
        if (lte_needs_least_squares(link))
            fit(engine, LTE_LS_WEIGHTS, e);
    }
    if (lte_needs_least_squares(link))
        estimate_period(engine, true, first, begin, end);
#pragma omp barrier
#pragma omp for
    for (int c = 0; c < engine->slots.plan.job.n_carriers; c++)
        know_carrier(engine, first + (uint64_t)c, c);
    estimate_period(engine, false, first, begin, end);
    if (link->receiver.pilots > 1)
        combine_period(engine, first, begin, end);
}
