/* Method product: one matrix product over array types, in several storage orders and threads. */
#include "kernels/methods/product/product.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/methods/array/array.h"
#include "kernels/methods/product/threads.h"
#include "phy/base/philox.h"
#include "sim/methods/method_parts.h"

enum { MOST_TYPES = 4, PLAIN = 512 }; /* PLAIN: order up to which the plain product is timed */

/* A square matrix's storage, and its view as [rows][columns]. */
typedef struct {
    char text[64];
    int n; /* order */
    lte_array view;
} storage;

typedef struct {
    const storage *type;
    lte_product product;
    lte_product_size size;
    lte_threads threads;
    const lte_product_level *level; /* NULL: the plain product by the thread array */
    int n_threads;
    float *a, *b;   /* row-major */
    float *sa, *sb; /* as stored */
    float *c, *first;
    bool known; /* first has the bits of the first row */
    void *memory;
} work;

static lte_status multiply(void *with)
{
    work *w = with;
    if (!w->level)
        return lte_product_on(&w->threads, &w->product, w->sa, w->sb, w->c);
    w->level->run(&w->product, &w->size, w->n_threads, w->sa, w->sb, w->c, w->memory);
    return LTE_OK;
}

/*
 * The view of a storage of two dimensions, rows and columns; of three, column parts stored one
 * after the other; of four, blocks.
 */
static lte_status read_type(const char *text, storage *type)
{
    static const char *const views[] = {"[#A_0][#A_1]", "[#A_1][[#A_0][#A_2]]",
                                        "[[#A_0][#A_2]][[#A_1][#A_3]]"};
    lte_array stored;
    const lte_array_name names[] = {{"A", &stored}, {NULL, NULL}};
    lte_status status = lte_array_parse(&stored, NULL, "float pageable %.60s", text);
    int n = 0;
    if (status)
        return status;
    while (lte_dim_in(&stored, 0, n) >= 0)
        n++;
    if (n < 2 || n > 4)
        return LTE_FAIL(LTE_EINVAL, "%s: has %d dimensions; must have 2, 3 or 4", text, n);
    status = lte_array_parse(&type->view, names, "float pageable %s", views[n - 2]);
    if (status)
        return status;
    const int64_t rows = lte_dim_size(&type->view, lte_dim_in(&type->view, 0, 0));
    const int64_t columns = lte_dim_size(&type->view, lte_dim_in(&type->view, 0, 1));
    if (rows != columns || rows > lte_method_product.most)
        return LTE_FAIL(LTE_EINVAL, "%s: is %lld x %lld; must be square, at most %d", text,
                        (long long)rows, (long long)columns, lte_method_product.most);
    (void)snprintf(type->text, sizeof type->text, "%s", text);
    type->n = (int)rows;
    return LTE_OK;
}

/* Elements of the row-major matrix x where the type has them. */
static void store(const storage *type, const float *x, float *stored)
{
    const int n = type->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            stored[lte_at2(&type->view, i, j)] = x[(ptrdiff_t)i * n + j];
    }
}

/* The largest |c - sum| / (n u sum |a b|) of the elements, or of those drawn. */
static double error_of(const work *w)
{
    const uint64_t n = (uint64_t)w->type->n, all = n * n;
    const bool drawn = all * n > (uint64_t)1 << 30;
    double worst = 0.0;
    for (uint64_t e = 0; e < (drawn ? LTE_METHOD_DRAWN : all); e++) {
        const uint64_t at = drawn ? lte_method_draw(e, all) : e, i = at / n, j = at % n;
        double sum = 0.0, size = 0.0;
        for (uint64_t k = 0; k < n; k++) {
            const double product = (double)w->a[i * n + k] * (double)w->b[k * n + j];
            sum += product;
            size += fabs(product);
        }
        const double c = (double)w->c[lte_at2(&w->type->view, (int64_t)i, (int64_t)j)];
        const double error = fabs(c - sum) / ((double)n * 0x1p-24 * size);
        worst = isfinite(error) ? fmax(worst, error) : (double)INFINITY;
    }
    return worst;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* True if c has the bits of the first product, element by element. */
static bool is_same(const work *w)
{
    const int n = w->type->n;
    bool same = true;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            same = same && bits_of(w->c[lte_at2(&w->type->view, i, j)]) ==
                               bits_of(w->first[(ptrdiff_t)i * n + j]);
    }
    return same;
}

static void keep_first(const work *w)
{
    const int n = w->type->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            w->first[(ptrdiff_t)i * n + j] = w->c[lte_at2(&w->type->view, i, j)];
    }
}

static void compare(lte_method_row *row, work *w)
{
    if (!w->known)
        keep_first(w);
    w->known = true;
    row->same = is_same(w);
}

static void check(lte_method_row *row, void *with)
{
    work *w = with;
    row->error = error_of(w);
    compare(row, w);
}

static lte_status run_on_device(lte_method_report *report, work *w)
{
    const double n = (double)w->type->n;
    const size_t bytes = (size_t)w->type->n * (size_t)w->type->n * sizeof *w->c;
    const lte_method_job job = {.kind = LTE_METHOD_PRODUCT,
                                .n = w->type->n,
                                .product = &w->product,
                                .a = w->sa,
                                .b = w->sb,
                                .x = w->c,
                                .a_size = bytes,
                                .b_size = bytes,
                                .x_size = bytes};
    return lte_method_on_device(report, &job, w->type->text, check, w, 1.0, 2.0 * n * n * n, 0.0);
}

static lte_status add_row(lte_method_report *report, const char *version, work *w)
{
    const size_t n = (size_t)w->type->n;
    lte_method_row *row = lte_method_add(report, version, w->type->text, w->n_threads);
    if (!row)
        return LTE_OK;
    memset(w->c, 0xff, n * n * sizeof *w->c);
    const lte_status status = lte_method_first(multiply, w, &row->us);
    if (status)
        return status;
    row->error = error_of(w);
    row->limit = 1.0;
    row->flops = 2.0 * (double)n * (double)n * (double)n;
    compare(row, w);
    return lte_method_time(multiply, w, &row->us);
}

/* The plain product on one thread and on all, then the tiles of each instruction set. */
static lte_status run_type(lte_method_report *report, work *w, bool first)
{
    const int all = report->wish.n_threads;
    lte_status status = LTE_OK;
    w->product = (lte_product){.a = w->type->view, .b = w->type->view, .c = w->type->view};
    status = lte_product_check(&w->product, &w->size);
    store(w->type, w->a, w->sa);
    store(w->type, w->b, w->sb);
    for (int t = 0;
         t < (all > 1 && first ? 2 : 1) && !status && report->on_cpu && w->type->n <= PLAIN; t++) {
        w->level = NULL;
        w->n_threads = t ? all : 1;
        status = t ? lte_threads_parse(&w->threads, "openmp [%d][1]", all)
                   : lte_threads_parse(&w->threads, "serial [1][1]");
        if (!status)
            status = add_row(report, t ? "plain, openmp" : "plain, serial", w);
    }
    for (int i = 0; lte_product_levels[i] && report->on_cpu && !status; i++) {
        const lte_product_level *level = lte_product_levels[i];
        if (!level->usable() || (level == &lte_product_ref && w->type->n > PLAIN))
            continue;
        for (int t = 0; t < (level == lte_product_best() && all > 1 ? 2 : 1) && !status; t++) {
            char version[64];
            w->level = level;
            w->n_threads = t ? all : 1;
            (void)snprintf(version, sizeof version, "tiles, %s", level->name);
            status = add_row(report, version, w);
        }
    }
    return status ? status : run_on_device(report, w);
}

static void fill(float *x, size_t n, uint64_t which)
{
    const lte_philox_key key = lte_philox_key_of(1);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(int32_t)lte_philox(&key, which, (lte_word)i).v[0] * 0x1p-31f;
}

/* The types that are asked for: one, or those of the paper. */
static lte_status types_of(const lte_methods_wish *wish, storage *type, int *n_types)
{
    const int n = wish->size;
    char text[64];
    *n_types = 1;
    if (wish->type)
        return read_type(wish->type, &type[0]);
    (void)snprintf(text, sizeof text, "[%d][%d]", n, n);
    lte_status status = read_type(text, &type[0]);
    if (n % 4)
        return status;
    *n_types = MOST_TYPES;
    (void)snprintf(text, sizeof text, "[2][%d][%d]", n, n / 2);
    status = status ? status : read_type(text, &type[1]);
    (void)snprintf(text, sizeof text, "[4][%d][%d]", n, n / 4);
    status = status ? status : read_type(text, &type[2]);
    (void)snprintf(text, sizeof text, "[2][2][%d][%d]", n / 2, n / 2);
    return status ? status : read_type(text, &type[3]);
}

static lte_status run(lte_method_report *report)
{
    storage *type = calloc(MOST_TYPES, sizeof *type);
    work *w = calloc(1, sizeof *w);
    int n_types = 0;
    lte_status status = LTE_OK;
    if (!type || !w) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a product");
        goto cleanup;
    }
    status = types_of(&report->wish, type, &n_types);
    if (status)
        goto cleanup;
    const size_t n = (size_t)type[0].n, bytes = (n * n * sizeof(float) + 63) / 64 * 64;
    w->a = aligned_alloc(64, bytes);
    w->b = aligned_alloc(64, bytes);
    w->sa = aligned_alloc(64, bytes);
    w->sb = aligned_alloc(64, bytes);
    w->c = aligned_alloc(64, bytes);
    w->first = aligned_alloc(64, bytes);
    w->memory = aligned_alloc(64, lte_product_work(report->wish.n_threads));
    if (!w->a || !w->b || !w->sa || !w->sb || !w->c || !w->first || !w->memory) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for matrices of %zu x %zu", n, n);
        goto cleanup;
    }
    fill(w->a, n * n, 0);
    fill(w->b, n * n, 1);
    for (int i = 0; i < n_types && !status; i++) {
        w->type = &type[i];
        status = run_type(report, w, i == 0);
    }
    (void)snprintf(report->note, sizeof report->note,
                   "One text of the product for all types: [2][n][n/2] stores the left half and "
                   "then the right half, [2][2][n/2][n/2] blocks. All rows have the same bits.");
cleanup:
    if (w) {
        free(w->a);
        free(w->b);
        free(w->sa);
        free(w->sb);
        free(w->c);
        free(w->first);
        free(w->memory);
    }
    free(w);
    free(type);
    return status;
}

const lte_method lte_method_product = {
    .name = "product",
    .title = "matrix product over array types: storage apart from logic",
    .source = "Cui, Li, Chen, Matrix multiplication based on Parray array types",
    .claim = "One product runs on other storage orders and threads when types alone change.",
    .place = "layouts of grids and matrices; Gram matrices of massive MIMO",
    .files = "kernels/methods/array, kernels/methods/product",
    .size = "order of the matrices",
    .usual = 384,
    .least = 1,
    .most = 4096,
    .error = "|C - AB| / (n u |A||B|), element by element",
    .run = run,
};
