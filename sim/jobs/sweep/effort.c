/* Which searches would not end. */
#include "sim/jobs/sweep/effort.h"

#include <math.h>
#include <omp.h>

#include "kernels/backends/clock.h"
#include "kernels/link/layouts.h"
#include "sim/jobs/sweep/received.h"
#include "sim/jobs/sweep/sweep_parts.h"
#include "sim/jobs/workers/stop.h"

/* A detector on one element after the other. */
typedef struct {
    const lte_link *link;
    const lte_received *slot;
    lte_noise known;
    lte_detector_plan plan;
    lte_cf32 *memory; /* [threads] of memory_of */
    double snr_db;    /* of a sweep's point, */
    double start_s;   /* whose judging began then */
    bool told;        /* that it takes time */
} judged;

/* Complex element e of n, of time i, in a batch. */
static lte_cf32 element_of(const float *batch, int n_times, int n, int sc, int i, int e)
{
    const float *const at = &batch[lte_batch_at(n_times, n, sc, i, e)];
    return (lte_cf32){at[0], at[LTE_LANES]};
}

/* A thread's part of the memory: H, y, the state, and work. */
static size_t memory_of(const lte_link *link)
{
    const int kept = link->receiver.n_state + link->receiver.n_work;
    const int all = link->n_rx * link->n_tx + link->n_rx + kept;
    return (size_t)all;
}

/* Nodes of the i-th element, at most so many; those of a reference symbol are passed over. */
static double nodes_of(const judged *j, int i, double most)
{
    const lte_link *link = j->link;
    const int n_rx = link->n_rx, n_h = n_rx * link->n_tx, n_csi = link->receiver.n_csi;
    const int sc = i % link->carrier.n_sc, data = i / link->carrier.n_sc;
    const int pilot = link->receiver.pilot;
    const int symbol = pilot >= 0 && data >= pilot ? data + 1 : data, m = n_csi > 1 ? symbol : 0;
    lte_cf32 *const h = &j->memory[(size_t)omp_get_thread_num() * memory_of(link)];
    lte_cf32 *const y = h + n_h;
    for (int e = 0; e < n_h; e++)
        h[e] = element_of(j->slot->known, n_csi, n_h, sc, m, e);
    for (int e = 0; e < n_rx; e++)
        y[e] = element_of(j->slot->y, LTE_SLOT_SYMBOLS, n_rx, sc, symbol, e);
    return lte_detector_row_of(j->plan.detector)
        ->nodes(&j->plan, (const float *)h, lte_received_n0(j->known, symbol, sc), (const float *)y,
                most, (float *)(y + n_rx));
}

int lte_judged_elements(const lte_link *link)
{
    const int there = lte_data_symbols(link) * link->carrier.n_sc;
    return there < LTE_JUDGED ? there : LTE_JUDGED;
}

/* Once a point, from one thread, if it takes longer than a moment. */
static void tell(judged *j)
{
    if (j->told || lte_seconds() - j->start_s < 2.0)
        return;
    (void)fprintf(stderr,
                  "ltesim: nodes of searches at %g dB are counted first, at most %.3g of them\n",
                  j->snr_db, (double)LTE_JUDGED * LTE_MOST_NODES);
    j->told = true;
}

/*
 * Whether the first elements need too many. An element is searched as far as what others have left
 * goes: whether there were too many does not depend on who came first.
 */
static bool needs_too_many(judged *j)
{
    const int n = lte_judged_elements(j->link);
    const double most = (double)n * LTE_MOST_NODES;
    double sum = 0.0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double before;
#pragma omp atomic read
        before = sum;
        if (omp_get_thread_num() == 0)
            tell(j);
        const double left = most + 1.0 - before;
        const double nodes = left > 0.0 && !lte_stop_signal ? nodes_of(j, i, left) : 0.0;
#pragma omp atomic
        sum += nodes;
    }
    return sum > most;
}

/* Whether detector d has needed too many at an SNR that is no lower. */
static bool needed_too_many(const lte_sweep *sweep, int d, double snr_db)
{
    for (int s = 0; s < sweep->n_points; s++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        if (row->status == LTE_ROW_NODES && row->snr_db >= snr_db)
            return true;
    }
    return false;
}

/* Ends the row of detector d at point s if it has to; slot: received there. */
static void judge_row(lte_sweep *sweep, int d, int s, judged *j)
{
    lte_row *const row = lte_row_of(sweep, d, s);
    const bool before = needed_too_many(sweep, d, row->snr_db);
    const char *const name = lte_detector_named(row->detector).text;
    const char *const csi = lte_csi_rows[sweep->csi].name;
    j->plan = lte_link_plan(j->link, row->detector, j->link->output.asked);
    if (!before && (!needs_too_many(j) || lte_stop_signal))
        return;
    row->status = LTE_ROW_NODES;
    if (before)
        (void)fprintf(stderr, "ltesim: %s, csi %s: no row at %g dB either\n", name, csi,
                      row->snr_db);
    else
        (void)fprintf(
            stderr,
            "ltesim: %s, csi %s: no row at %g dB, where its search enters more than %d nodes "
            "for an element in the mean; a budget of nodes (ml-budget10000) bounds it\n",
            name, csi, row->snr_db, LTE_MOST_NODES);
}

/* Whether a detector may have to be judged. */
static bool may_be_endless(const lte_link *link, lte_detector detector)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    const lte_detector_plan plan = lte_link_plan(link, detector, link->output.asked);
    return row->nodes && row->most_nodes(&plan) > LTE_MOST_NODES;
}

/* Room for slot 0 and for the search of each thread, and what is drawn of the slot. */
static lte_status begin(judged *j, lte_received *slot)
{
    lte_status status = lte_received_init(j->link, slot);
    const size_t n_threads = (size_t)omp_get_max_threads();
    j->memory = lte_pool_take(&slot->pool, n_threads * memory_of(j->link) * sizeof *j->memory);
    if (!status)
        status = lte_pool_check(&slot->pool, "the first elements of a sweep");
    if (!status)
        lte_received_draw(j->link, 0, slot);
    return status;
}

lte_status lte_search_nodes(const lte_link *link, lte_detector detector, double snr, double most,
                            double *nodes)
{
    lte_received slot = {.h = NULL};
    judged j = {.link = link, .slot = &slot};
    lte_power power = {0, 0};
    double sum = 0.0;
    *nodes = 0.0;
    if (!lte_detector_row_of(detector)->nodes)
        return LTE_OK;
    const lte_status status = begin(&j, &slot);
    if (!status) {
        const int n = lte_judged_elements(link);
        j.plan = lte_link_plan(link, detector, link->output.asked);
        j.known = lte_received_at(link, lte_noise_of(link->n_tx, snr), 0, &power, &slot);
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += lte_stop_signal ? 0.0 : nodes_of(&j, i, most); /* whole numbers */
        *nodes = sum / n;
    }
    lte_received_free(&slot);
    return status;
}

lte_status lte_sweep_judge(lte_sweep *sweep, const lte_link *link, int first)
{
    lte_received slot = {.h = NULL};
    judged j = {.link = link, .slot = &slot};
    bool any = false;
    for (int d = 0; d < sweep->n_detectors; d++)
        any = any || may_be_endless(link, lte_sweep_row(sweep, d, 0)->detector);
    if (!any || first >= sweep->n_points)
        return LTE_OK;
    lte_status status = begin(&j, &slot);
    for (int s = first; s < sweep->n_points && !status; s++) {
        lte_power power = {0, 0};
        j.snr_db = lte_sweep_row(sweep, 0, s)->snr_db;
        j.start_s = lte_seconds();
        j.told = false;
        const double snr = pow(10.0, j.snr_db / 10.0);
        j.known = lte_received_at(link, lte_noise_of(link->n_tx, snr), 0, &power, &slot);
        for (int d = 0; d < sweep->n_detectors; d++) {
            if (may_be_endless(link, lte_sweep_row(sweep, d, s)->detector))
                judge_row(sweep, d, s, &j);
        }
    }
    lte_sweep_pass_ended(sweep);
    lte_received_free(&slot);
    return status;
}
