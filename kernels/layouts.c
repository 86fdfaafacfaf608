/* The layouts as array types, and copies by the names of their dimensions. */
#include "kernels/layouts.h"

#include "kernels/methods/array_build.h"
#ifdef LTE_HAVE_CUDA
#include "kernels/methods/methods_cuda.h"
#endif

/* H, CSI and SYMBOL are times: one dimension to a copy. */
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

/* The dimension by one of the names first .. last; of size 0 if there is none. */
static lte_dim dim_of(const lte_array *a, lte_layout_id layout, dimension first, dimension last)
{
    const dimension *const name = rows[layout].dim;
    int i = 0;
    while (name[i] != NONE && (name[i] < first || name[i] > last))
        i++;
    const int d = lte_dim_in(a, 0, i + 1); /* behind the names: the parts of a complex number */
    return d >= 0 && (name[i] != NONE || first == PART) ? a->dim[d] : (lte_dim){0};
}

/* Where a slot's subcarriers lie: elements from one to the next, and from group to group. */
typedef struct {
    bool any;
    int64_t next, group;
} subcarriers;

static subcarriers subcarriers_of(const lte_array *a, lte_layout_id layout)
{
    const lte_dim group = dim_of(a, layout, GROUP, GROUP);
    const dimension name = group.size > 0 ? LANE : SC;
    const lte_dim sc = dim_of(a, layout, name, name);
    return (subcarriers){sc.size > 0, sc.stride,
                         group.size > 0 ? group.stride : LTE_LANES * sc.stride};
}

/* on_device: on a stream. */
static lte_status copy(const lte_link *link, int n_slots, lte_layout_id from, const void *x,
                       lte_layout_id to, void *y, bool on_device, struct CUstream_st *stream)
{
    static const dimension same[][2] = {
        {H, SYMBOL}, {RX, RX}, {TX, TX}, {LAYER, LAYER}, {PART, PART}};
    const bool lanes = rows[from].dim[0] == GROUP || rows[to].dim[0] == GROUP;
    const lte_array a = type_of(link, from, n_slots, lanes), b = type_of(link, to, n_slots, lanes);
    const subcarriers in_a = subcarriers_of(&a, from), in_b = subcarriers_of(&b, to);
    const int whole = lanes ? link->n_sc / LTE_LANES * LTE_LANES : 0,
              size = lte_element_size(a.element);
    bool alike = !a.fault && a.element == b.element && in_a.any && in_b.any;
    lte_status status = LTE_OK;
    lte_steps steps;
    int n = 0;
    steps.step[n++] = (lte_step){n_slots, a.dim[1].stride, b.dim[1].stride};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const lte_dim p = dim_of(&a, from, same[i][0], same[i][1]);
        const lte_dim q = dim_of(&b, to, same[i][0], same[i][1]);
        alike = alike && p.size == q.size;
        if (p.size > 0)
            steps.step[n++] = (lte_step){p.size, p.stride, q.stride};
    }
    if (!alike)
        return LTE_FAIL(LTE_EINVAL, "a copy between layouts of other dimensions");
    steps.n = n + 2;
    for (int sc = 0, n_here; sc < link->n_sc && !status; sc += n_here) { /* groups, then the rest */
        n_here = sc < whole ? whole : link->n_sc - sc;
        const int per = sc < whole ? LTE_LANES : n_here, group = sc / LTE_LANES;
        const char *const x_here = (const char *)x + group * in_a.group * size;
        char *const y_here = (char *)y + group * in_b.group * size;
        steps.step[n] = (lte_step){per, in_a.next, in_b.next};
        steps.step[n + 1] = (lte_step){n_here / per, in_a.group, in_b.group};
        if (!on_device) {
            status = lte_permute(size, &steps, x_here, y_here);
            continue;
        }
#ifdef LTE_HAVE_CUDA
        status = lte_permute_cuda(size, &steps, x_here, y_here, stream);
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
    return copy(link, 1, from, x, to, y, false, NULL);
}

lte_status lte_layout_copy_cuda(const lte_link *link, int n_slots, lte_layout_id from,
                                const void *d_x, lte_layout_id to, void *d_y,
                                struct CUstream_st *stream)
{
    return copy(link, n_slots, from, d_x, to, d_y, true, stream);
}
