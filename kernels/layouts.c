/* The layouts as array types, and copies by the names of their dimensions. */
#include "kernels/layouts.h"

#include "kernels/methods/array_build.h"
#ifdef LTE_HAVE_CUDA
#include "kernels/methods/methods_cuda.h"
#endif

/* In the order in which a copy goes through them. */
typedef enum { NONE, H, CSI, SYMBOL, RX, TX, LAYER, SC, GROUP, LANE, PART, BYTES } dimension;

static const struct {
    lte_element element;
    dimension dim[8]; /* NONE behind the last */
} rows[LTE_N_LAYOUTS] = {
#define ROW(id, element, ...) [LTE_##id] = {LTE_##element, {__VA_ARGS__}},
    LTE_LAYOUTS(ROW)
#undef ROW
};

static int64_t size_of(const lte_link *link, dimension d)
{
    const int64_t sizes[] = {[H] = link->n_h,
                             [CSI] = link->n_csi,
                             [RX] = link->n_rx,
                             [TX] = link->n_tx,
                             [LAYER] = link->n_tx,
                             [SC] = link->n_sc,
                             [GROUP] = link->n_groups,
                             [LANE] = LTE_LANES,
                             [SYMBOL] = LTE_SLOT_SYMBOLS,
                             [PART] = 2,
                             [BYTES] = (int64_t)lte_packed_row(link)};
    return sizes[d];
}

/* As floats: a complex number has a dimension of its own. */
static lte_array type_of(const lte_link *link, lte_layout_id layout, int64_t n_slots, bool floats)
{
    const bool split = floats && rows[layout].element == LTE_CFLOAT;
    lte_array a = lte_array_begin(split ? LTE_FLOAT : rows[layout].element, LTE_PAGEABLE);
    lte_dim_of(&a, n_slots);
    for (const dimension *d = rows[layout].dim; *d != NONE; d++)
        lte_dim_of(&a, size_of(link, *d));
    if (split)
        lte_dim_of(&a, size_of(link, PART));
    lte_array_end(&a);
    return a;
}

lte_array lte_layout_of(const lte_link *link, lte_layout_id layout, int64_t n_slots)
{
    return type_of(link, layout, n_slots, false);
}

size_t lte_layout_bytes(const lte_link *link, lte_layout_id layout)
{
    const lte_array a = lte_layout_of(link, layout, 1);
    return (size_t)a.dim[0].size * (size_t)lte_element_size(a.element);
}

/* The dimension of that name; -1 if there is none. Parts of a complex number come last. */
static int dim_of(const lte_array *a, lte_layout_id layout, dimension name)
{
    int i = 0;
    while (rows[layout].dim[i] != NONE && rows[layout].dim[i] != name)
        i++;
    return rows[layout].dim[i] == name || name == PART ? lte_dim_in(a, 0, i + 1) : -1;
}

static bool has_lanes(lte_layout_id layout)
{
    return rows[layout].dim[0] == GROUP;
}

/*
 * Subcarriers sc .. sc + n - 1 of a slot by their indices, in the order of their names; of a batch,
 * whole groups or a part of one. *at: bytes before the first.
 */
static lte_array view_of(const lte_link *link, lte_layout_id layout, bool floats, int sc, int n,
                         ptrdiff_t *at)
{
    const lte_array a = type_of(link, layout, 1, floats);
    const int n_groups = n < LTE_LANES ? 1 : n / LTE_LANES;
    const int first[] = {[SC] = sc, [GROUP] = sc / LTE_LANES, [LANE] = 0};
    const int count[] = {[SC] = n, [GROUP] = n_groups, [LANE] = n / n_groups};
    lte_array v = lte_array_begin(a.element, LTE_PAGEABLE);
    *at = 0;
    for (dimension name = H; name <= BYTES; name++) {
        const int d = dim_of(&a, layout, name);
        if (d < 0)
            continue;
        if (name == GROUP) /* [[GROUP][LANE]] is SC */
            lte_dim_open(&v);
        if (name >= SC && name <= LANE) {
            lte_dim_of_as(&v, count[name], &a, d);
            *at += (ptrdiff_t)lte_dim_at(&a, d, first[name]) * lte_element_size(a.element);
        } else {
            lte_dim_ref(&v, &a, d);
        }
        if (name == LANE)
            lte_dim_close(&v);
    }
    lte_array_end(&v);
    return v;
}

/* on_device: on a stream. */
static lte_status copy(const lte_link *link, lte_layout_id from, const void *x, lte_layout_id to,
                       void *y, bool on_device, struct CUstream_st *stream)
{
    const bool lanes = has_lanes(from) || has_lanes(to);
    const int whole = link->n_sc / LTE_LANES * LTE_LANES; /* groups; the rest by itself */
    lte_status status = LTE_OK;
    for (int sc = 0, n; sc < link->n_sc && !status; sc += n) {
        ptrdiff_t x_at, y_at;
        n = lanes && sc < whole ? whole : link->n_sc - sc;
        lte_array a = view_of(link, from, lanes, sc, n, &x_at);
        lte_array b = view_of(link, to, lanes, sc, n, &y_at);
        const char *const x_here = (const char *)x + x_at;
        char *const y_here = (char *)y + y_at;
        if (!on_device) {
            status = lte_array_copy(&a, x_here, &b, y_here);
            continue;
        }
        a.memory = b.memory = LTE_DEVICE;
#ifdef LTE_HAVE_CUDA
        status = lte_array_copy_cuda(&a, x_here, &b, y_here, stream);
#else
        status = LTE_FAIL(LTE_EDEVICE, "a copy on a device: this build has no CUDA");
        (void)stream;
#endif
    }
    return status;
}

lte_status lte_layout_copy(const lte_link *link, lte_layout_id from, const void *x,
                           lte_layout_id to, void *y)
{
    return copy(link, from, x, to, y, false, NULL);
}

lte_status lte_layout_copy_cuda(const lte_link *link, lte_layout_id from, const void *d_x,
                                lte_layout_id to, void *d_y, struct CUstream_st *stream)
{
    return copy(link, from, d_x, to, d_y, true, stream);
}
