/* Method transpose: elements of 4, 8 and 16 bytes, tile by tile and one by one. */
#include "kernels/methods/transpose/transpose.h"

#include <stdlib.h>
#include <string.h>

#include "sim/methods/method_parts.h"

typedef struct {
    int element_size, n;
    const uint32_t *a;
    uint32_t *x;
} work;

static lte_status by_tiles(void *with)
{
    const work *w = with;
    return lte_transpose(w->element_size, 1, w->n, w->n, w->a, w->x);
}

/* What the source argues against: rows are read in order, and columns written across all rows. */
static lte_status by_elements(void *with)
{
    const work *w = with;
    const size_t words = (size_t)w->element_size / sizeof *w->a, n = (size_t)w->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            memcpy(&w->x[(j * n + i) * words], &w->a[(i * n + j) * words], words * sizeof *w->a);
    }
    return LTE_OK;
}

/* Elements of x that are not those of a. */
static double wrong_of(const work *w)
{
    const size_t words = (size_t)w->element_size / sizeof *w->a, n = (size_t)w->n;
    double wrong = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            wrong += memcmp(&w->x[(j * n + i) * words], &w->a[(i * n + j) * words],
                            words * sizeof *w->a) != 0;
    }
    return wrong;
}

static void check(lte_method_row *row, void *with)
{
    row->error = wrong_of(with);
}

static const char *const elements[] = {[4] = "float", [8] = "complex", [16] = "16 bytes"};

static lte_status run_on_device(lte_method_report *report, work *w)
{
    const size_t bytes = (size_t)w->element_size * (size_t)w->n * (size_t)w->n;
    char data[40];
    const lte_method_job job = {.kind = LTE_METHOD_TRANSPOSE,
                                .n = w->n,
                                .element_size = w->element_size,
                                .a = w->a,
                                .x = w->x,
                                .a_size = bytes,
                                .x_size = bytes};
    (void)snprintf(data, sizeof data, "%s, %d x %d", elements[w->element_size], w->n, w->n);
    return lte_method_on_device(report, &job, data, check, w, 0.0, 0.0, 2.0 * (double)bytes);
}

static lte_status add_row(lte_method_report *report, const char *version, lte_method_work *run,
                          work *w)
{
    const double bytes = (double)w->element_size * w->n * w->n;
    char data[40];
    (void)snprintf(data, sizeof data, "%s, %d x %d", elements[w->element_size], w->n, w->n);
    lte_method_row *row = lte_method_add(report, version, data, 1);
    if (!row)
        return LTE_OK;
    memset(w->x, 0xff, (size_t)bytes);
    const lte_status status = lte_method_first(run, w, &row->us);
    if (status)
        return status;
    row->error = wrong_of(w);
    row->bytes = 2.0 * bytes;
    return lte_method_time(run, w, &row->us);
}

static lte_status run(lte_method_report *report)
{
    const int n = report->wish.size;
    const size_t size = (size_t)16 * (size_t)n * (size_t)n;
    uint32_t *a = aligned_alloc(64, (size + 63) / 64 * 64);
    uint32_t *x = aligned_alloc(64, (size + 63) / 64 * 64);
    lte_status status = LTE_OK;
    if (!a || !x) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a matrix of %d x %d", n, n);
        goto cleanup;
    }
    for (size_t i = 0; i < size / sizeof *a; i++)
        a[i] = (uint32_t)i * 2654435761u;
    for (int element_size = 4; element_size <= 16 && !status; element_size *= 2) {
        work w = {element_size, n, a, x};
        if (report->on_cpu)
            status = add_row(report, "tiles", by_tiles, &w);
        if (!status && report->on_cpu)
            status = add_row(report, "element by element", by_elements, &w);
        if (!status)
            status = run_on_device(report, &w);
    }
    (void)snprintf(report->note, sizeof report->note,
                   "Element by element, writes go to another row each time: what the source argues "
                   "against. On a GPU its tiles of 16 x 16 go through shared memory.");
cleanup:
    free(a);
    free(x);
    return status;
}

const lte_method lte_method_transpose = {
    .name = "transpose",
    .title = "tiled transposition of a matrix that lies as one linear array",
    .source = "Beijing Institute of Technology, 2009, CN101937425A",
    .claim = "Tiles that pass through shared memory make reads and writes coalesced.",
    .place = "reorder: antenna planes to a matrix for each subcarrier (corner_turn)",
    .files = "kernels/methods/transpose",
    .size = "rows and columns",
    .usual = 4096,
    .least = 1,
    .most = 16384,
    .error = "elements that are wrong",
    .run = run,
};
