/* Rows, clock and copies of the methods. */
#include "sim/methods/method_parts.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "phy/base/philox.h"

enum { MOST_RUNS = 101, FEWEST_RUNS = 3 };
static const double most_seconds = 0.3;

lte_method_row *lte_method_add(lte_method_report *report, const char *version, const char *data,
                               int n_threads)
{
    if (report->n_rows == LTE_METHOD_MOST_ROWS)
        return NULL;
    lte_method_row *row = &report->row[report->n_rows++];
    *row = (lte_method_row){.n_threads = n_threads, .same = true};
    (void)snprintf(row->version, sizeof row->version, "%s", version);
    (void)snprintf(row->data, sizeof row->data, "%s", data);
    return row;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

lte_status lte_method_first(lte_method_work *work, void *with, double *us)
{
    const double start = lte_seconds();
    const lte_status status = work(with);
    *us = 1e6 * (lte_seconds() - start);
    return status;
}

lte_status lte_method_time(lte_method_work *work, void *with, double *us)
{
    double sample[MOST_RUNS];
    const double begun = lte_seconds();
    int n = 0;
    if (*us > 1e6 * most_seconds)
        return LTE_OK;
    while (n < MOST_RUNS && (n < FEWEST_RUNS || lte_seconds() - begun < most_seconds)) {
        const lte_status status = lte_method_first(work, with, &sample[n++]);
        if (status)
            return status;
    }
    qsort(sample, (size_t)n, sizeof *sample, by_size);
    *us = sample[n / 2];
    return LTE_OK;
}

typedef struct {
    size_t n;
    int n_threads;
    char *from, *to;
} copy;

static lte_status run_copy(void *with)
{
    const copy *c = with;
    const size_t each = (c->n / (size_t)c->n_threads + 63) / 64 * 64;
#pragma omp parallel for num_threads(c->n_threads) schedule(static)
    for (int t = 0; t < c->n_threads; t++) {
        const size_t first = (size_t)t * each, left = first < c->n ? c->n - first : 0;
        if (left > 0)
            memcpy(c->to + first, c->from + first, left < each ? left : each);
    }
    return LTE_OK;
}

lte_status lte_method_copy(double bytes, int n_threads, double *us)
{
    copy c = {.n = (size_t)(bytes / 2.0) + 1, .n_threads = n_threads};
    lte_status status = LTE_OK;
    c.from = malloc(c.n);
    c.to = malloc(c.n);
    if (!c.from || !c.to) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a copy of %zu bytes", c.n);
        goto cleanup;
    }
    memset(c.from, 1, c.n);
    status = lte_method_first(run_copy, &c, us);
    if (!status)
        status = lte_method_time(run_copy, &c, us);
cleanup:
    free(c.from);
    free(c.to);
    return status;
}

lte_status lte_method_on_device(lte_method_report *report, const lte_method_job *job,
                                const char *data, lte_method_check *check, void *with, double limit,
                                double flops, double bytes)
{
    if (!report->device)
        return LTE_OK;
    const lte_method_ops *ops = report->device->methods;
    const bool fills = job->kind == LTE_METHOD_AZIMUTH || job->kind == LTE_METHOD_SEQUENCES;
    lte_method_job ceiling = {.kind = fills ? LTE_METHOD_FILL : LTE_METHOD_COPY,
                              .n = job->n,
                              .a_size = fills ? 0 : job->x_size,
                              .x_size = job->x_size};
    const char *mapping = "", *name;
    double copy_us = 0.0;
    lte_status status = LTE_OK;
    if (bytes > 0.0)
        status = ops->run(report->device_place, &ceiling, 0, &copy_us);
    for (int i = 0; !status && (name = ops->version(job, i, &mapping)); i++) {
        lte_method_row *row = lte_method_add(report, name, data, 0);
        if (!row)
            break;
        (void)snprintf(row->mapping, sizeof row->mapping, "%s", mapping);
        status = ops->run(report->device_place, job, i, &row->us);
        row->limit = limit;
        row->flops = flops;
        row->bytes = bytes;
        row->copy_us = copy_us;
        if (!status)
            check(row, with);
    }
    return status;
}

uint64_t lte_method_draw(uint64_t i, uint64_t n)
{
    const lte_philox_key key = lte_philox_key_of(1);
    const lte_words w = lte_philox(&key, i, 0);
    return ((uint64_t)w.v[0] << 32 | w.v[1]) % n;
}
