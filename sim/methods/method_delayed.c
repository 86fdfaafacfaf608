/* Method delayed: batched LU inversion with delayed updates, beside immediate ones. */
#include <stdlib.h>
#include <string.h>

#include "kernels/methods/inverse/inverse.h"
#include "sim/methods/method_matrices.h"
#include "sim/methods/method_parts.h"

enum { MOST_ELEMENTS = 1 << 21, MOST_MATRICES = 1200 };
static const double limit = 4.0;

typedef struct {
    int n, count, method, n_threads;
    lte_cf32 *a, *x, *first;
    bool known; /* first has the bits of the first row */
    uint8_t *flag;
    void *memory;
    const lte_inverse_level *level;
} work;

static lte_status invert(void *with)
{
    work *w = with;
    return lte_inverse(
        w->level, w->method,
        &(lte_inverse_batch){LTE_CFLOAT, w->n, w->count, w->a, w->x, w->flag, w->memory},
        w->n_threads);
}

static size_t bytes_of(const work *w)
{
    return (size_t)w->count * (size_t)(w->n * w->n) * sizeof *w->a;
}

static void check(lte_method_row *row, void *with)
{
    work *w = with;
    row->error = lte_method_residual(w->n, w->count, w->a, w->x, w->flag);
    if (w->known)
        row->same = memcmp(w->x, w->first, bytes_of(w)) == 0;
    else
        memcpy(w->first, w->x, bytes_of(w));
    w->known = true;
}

/* Delayed versions, the published one among them, and immediate ones. */
static lte_status run_on_device(lte_method_report *report, work *w)
{
    static const int inverters[] = {LTE_INVERTER_lu_delayed, LTE_INVERTER_lu_immediate};
    lte_status status = LTE_OK;
    for (int i = 0; i < 2 && !status; i++) {
        char data[40];
        const lte_method_job job = {.kind = LTE_METHOD_INVERSES,
                                    .n = w->n,
                                    .count = w->count,
                                    .inverter = inverters[i],
                                    .a = w->a,
                                    .x = w->x,
                                    .flag = w->flag,
                                    .a_size = bytes_of(w),
                                    .x_size = bytes_of(w)};
        const int first = report->n_rows;
        (void)snprintf(data, sizeof data, "%d of order %d", w->count, w->n);
        status = lte_method_on_device(report, &job, data, check, w, limit, 0.0,
                                      2.0 * (double)bytes_of(w));
        for (int r = first; r < report->n_rows; r++) {
            lte_method_row *row = &report->row[r];
            const size_t n = strlen(row->version);
            (void)snprintf(row->version + n, sizeof row->version - n, ", %s",
                           i ? "immediate" : "delayed");
        }
    }
    return status;
}

static lte_status add_row(lte_method_report *report, work *w)
{
    char version[64], data[40];
    (void)snprintf(version, sizeof version, "%s, %s",
                   w->method == LTE_INVERSE_LU_DELAYED ? "delayed" : "immediate", w->level->name);
    (void)snprintf(data, sizeof data, "%d of order %d", w->count, w->n);
    lte_method_row *row = lte_method_add(report, version, data, w->n_threads);
    if (!row)
        return LTE_OK;
    memset(w->x, 0, bytes_of(w));
    const lte_status status = lte_method_first(invert, w, &row->us);
    if (status)
        return status;
    row->limit = limit;
    row->bytes = 2.0 * (double)bytes_of(w);
    check(row, w);
    return lte_method_time(invert, w, &row->us);
}

/* What the mapping published for devices reads and writes, counted. */
static void note_traffic(lte_method_report *report)
{
    const int n = report->wish.size;
    double read[2] = {0.0, 0.0}, written[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++)
        (void)lte_inverse_traffic(i ? LTE_INVERSE_LU_IMMEDIATE : LTE_INVERSE_LU_DELAYED, LTE_CFLOAT,
                                  n, LTE_INVERSE_BLOCK, &read[i], &written[i]);
    (void)snprintf(report->note, sizeof report->note,
                   "The published mapping for GPUs, in blocks of %d columns, moves %.0f KB a "
                   "matrix with delayed updates and %.0f KB with immediate ones: %.2f of them "
                   "(counted access by access).",
                   LTE_INVERSE_BLOCK, 1e-3 * (read[0] + written[0]), 1e-3 * (read[1] + written[1]),
                   (read[0] + written[0]) / (read[1] + written[1]));
}

static lte_status run(lte_method_report *report)
{
    const int n = report->wish.size, threads = report->wish.n_threads;
    const int fit = MOST_ELEMENTS / (n * n);
    work w = {.n = n, .count = fit < MOST_MATRICES ? fit : MOST_MATRICES};
    lte_status status = LTE_OK;
    const size_t size = (bytes_of(&w) + 63) / 64 * 64;
    w.a = aligned_alloc(64, size);
    w.x = aligned_alloc(64, size);
    w.first = aligned_alloc(64, size);
    w.flag = calloc((size_t)w.count, 1);
    w.memory = aligned_alloc(64, lte_inverse_work(threads));
    if (!w.a || !w.x || !w.first || !w.flag || !w.memory) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for %d matrices of order %d", w.count, n);
        goto cleanup;
    }
    status = lte_method_grams(n, w.count, w.a);
    for (int i = 0; lte_inverse_levels[i] && report->on_cpu && !status; i++) {
        w.level = lte_inverse_levels[i];
        const bool last = w.level == lte_inverse_best();
        for (int t = 0; t < (last && threads > 1 ? 2 : 1) && !status && w.level->usable(); t++) {
            w.n_threads = t ? threads : 1;
            w.method = LTE_INVERSE_LU_DELAYED;
            status = add_row(report, &w);
            w.method = LTE_INVERSE_LU_IMMEDIATE;
            if (!status)
                status = add_row(report, &w);
        }
    }
    if (!status)
        status = run_on_device(report, &w);
    note_traffic(report);
cleanup:
    free(w.a);
    free(w.x);
    free(w.first);
    free(w.flag);
    free(w.memory);
    return status;
}

const lte_method lte_method_delayed = {
    .name = "delayed",
    .title = "batched LU inversion with delayed updates",
    .source = "Computer Network Information Center, Chinese Academy of Sciences, 2021",
    .claim = "Delayed updates halve the memory traffic of immediate ones and take half the time.",
    .place = "filters of massive MIMO, Gram matrices of order 9 to 128 (lu-delayed)",
    .files = "kernels/methods/inverse",
    .size = "order of the matrices",
    .usual = 64,
    .least = 1,
    .most = LTE_INVERSE_MAX_ORDER,
    .error = "|A X - I| / (n u |A| |X|) in double",
    .run = run,
};
