/* Method inversion: batches of small matrices by Gauss-Jordan with full pivoting. */
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "sim/methods/method_matrices.h"
#include "sim/methods/method_parts.h"

enum { COUNT = 1200 }; /* a slot's, of a 20 MHz carrier */
static const double limit = 4.0;

typedef struct {
    int n;
    lte_cf32 *a, *x, *first;
    bool known; /* first has the bits of the first row */
    uint8_t flag[COUNT];
    const lte_backend *backend;
    lte_matrices *matrices;
} work;

static lte_status invert(void *with)
{
    work *w = with;
    return w->backend->matrices->invert(w->matrices, COUNT, w->a, w->x, w->flag);
}

/* With the first row's bits, which are kept. */
static void compare(lte_method_row *row, work *w)
{
    const size_t bytes = (size_t)COUNT * (size_t)(w->n * w->n) * sizeof *w->a;
    if (w->known)
        row->same = memcmp(w->x, w->first, bytes) == 0;
    else
        memcpy(w->first, w->x, bytes);
    w->known = true;
}

static void check(lte_method_row *row, void *with)
{
    work *w = with;
    row->error = lte_method_residual(w->n, COUNT, w->a, w->x, w->flag);
    compare(row, w);
}

static lte_status run_on_device(lte_method_report *report, work *w)
{
    const size_t bytes = (size_t)COUNT * (size_t)(w->n * w->n) * sizeof *w->a;
    char data[40];
    const lte_method_job job = {.kind = LTE_METHOD_INVERSES,
                                .n = w->n,
                                .count = COUNT,
                                .inverter = LTE_INVERTER_gauss_jordan,
                                .a = w->a,
                                .x = w->x,
                                .flag = w->flag,
                                .a_size = bytes,
                                .x_size = bytes};
    (void)snprintf(data, sizeof data, "%d of order %d", COUNT, w->n);
    return lte_method_on_device(report, &job, data, check, w, limit, 0.0, 2.0 * (double)bytes);
}

static lte_status add_row(lte_method_report *report, work *w, int inverter, int n_threads)
{
    const lte_matrices_plan plan = {
        .inverter = inverter, .element = LTE_CFLOAT, .n = w->n, .n_threads = n_threads};
    const size_t bytes = (size_t)COUNT * (size_t)(w->n * w->n) * sizeof *w->a;
    char version[64], data[40];
    lte_status status = w->backend->matrices->create(w->backend, &plan, &w->matrices);
    if (status)
        return status;
    (void)snprintf(version, sizeof version, "%s, %s", lte_inverter_rows[inverter].name,
                   strchr(w->backend->name, ':') + 1);
    (void)snprintf(data, sizeof data, "%d of order %d", COUNT, w->n);
    lte_method_row *row = lte_method_add(report, version, data, n_threads);
    memset(w->x, 0, bytes);
    status = row ? lte_method_first(invert, w, &row->us) : LTE_OK;
    if (!status && row) {
        row->error = lte_method_residual(w->n, COUNT, w->a, w->x, w->flag);
        row->limit = limit;
        row->bytes = 2.0 * (double)bytes;
        if (inverter == LTE_INVERTER_gauss_jordan)
            compare(row, w);
        status = lte_method_time(invert, w, &row->us);
    }
    w->backend->matrices->free(w->matrices);
    return status;
}

/* The instruction sets on one thread, the last on all of them, and the same without pivoting. */
static lte_status run_on_cpu(lte_method_report *report, work *w)
{
    lte_status status = LTE_OK;
    for (int i = 0; lte_backends[i] && !status; i++) {
        if (!lte_backends[i]->stages || lte_backends[i]->n_devices() == 0)
            continue;
        w->backend = lte_backends[i];
        status = add_row(report, w, LTE_INVERTER_gauss_jordan, 1);
    }
    if (status || !w->backend)
        return status;
    if (report->wish.n_threads > 1)
        status = add_row(report, w, LTE_INVERTER_gauss_jordan, report->wish.n_threads);
    return status ? status : add_row(report, w, LTE_INVERTER_ldl, 1);
}

static lte_status run(lte_method_report *report)
{
    const int n = report->wish.size;
    const size_t bytes = (size_t)COUNT * (size_t)(n * n) * sizeof(lte_cf32);
    work *w = calloc(1, sizeof *w);
    lte_status status = LTE_OK;
    if (!w)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d matrices", COUNT);
    w->n = n;
    w->a = aligned_alloc(64, (bytes + 63) / 64 * 64);
    w->x = aligned_alloc(64, (bytes + 63) / 64 * 64);
    w->first = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!w->a || !w->x || !w->first) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for %d matrices", COUNT);
        goto cleanup;
    }
    status = lte_method_grams(n, COUNT, w->a);
    if (!status && report->on_cpu)
        status = run_on_cpu(report, w);
    if (!status)
        status = run_on_device(report, w);
    (void)snprintf(report->note, sizeof report->note,
                   "ref: plain loops, one matrix at a time in a lane; v3, v4: 8 and 16 matrices in "
                   "the lanes of a vector. ldl takes Hermitian matrices without pivoting and "
                   "gives other bits. The source's mapping, K matrices a thread block, is a "
                   "GPU's.");
cleanup:
    free(w->a);
    free(w->x);
    free(w->first);
    free(w);
    return status;
}

const lte_method lte_method_inversion = {
    .name = "inversion",
    .title = "batched inversion of small matrices by thread blocks",
    .source = "Tsinghua University, 2011, CN102567283A; Sui, Li, Wang, Wang, 2012",
    .claim = "A thread block that takes K matrices is faster than a thread or a block for each.",
    .place = "ZF and MMSE filters: a matrix for each subcarrier, 300 to 1200 a slot",
    .files = "kernels/cuda/inversion, phy/inversion/gauss_jordan.h",
    .size = "order of the matrices",
    .usual = 4,
    .least = 1,
    .most = 8,
    .error = "|A X - I| / (n u |A| |X|) in double",
    .run = run,
};
