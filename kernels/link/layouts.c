/* The layouts as array types, and copies by the names of their dimensions. */
#include "kernels/link/layouts.h"

#include "kernels/base/device_code.h"
#include "kernels/base/labels.h"
#include "kernels/methods/array/array_build.h"

typedef enum {
    NONE,
    H,
    CSI,
    SYMBOL,
    RX,
    TX,
    LAYER,
    PART,
    SC,
    GROUP,
    LANE,
    BIT,
    WIDTH,
    BYTES,
    N_NAMES
} name;

static const struct {
    lte_element element;
    name dim[8]; /* NONE behind the last */
} rows[LTE_N_LAYOUTS] = {
#define ROW(id, element, ...) [LTE_##id] = {LTE_##element, {__VA_ARGS__}},
    LTE_LAYOUTS(ROW)
#undef ROW
};

static lte_array type_of(const lte_link *link, lte_layout_id layout, int64_t n_slots, bool floats)
{
    const int64_t sizes[N_NAMES] = {[H] = link->channel.n_h,
                                    [CSI] = link->receiver.n_csi,
                                    [SYMBOL] = LTE_SLOT_SYMBOLS,
                                    [RX] = link->n_rx,
                                    [TX] = link->n_tx,
                                    [LAYER] = link->n_tx,
                                    [PART] = 2,
                                    [SC] = link->carrier.n_sc,
                                    [GROUP] = link->carrier.n_groups,
                                    [LANE] = LTE_LANES,
                                    [BIT] = link->n_bits,
                                    [WIDTH] = lte_label_bytes(link->n_bits),
                                    [BYTES] = (int64_t)lte_packed_row(link)};
    const bool split = floats && rows[layout].element == LTE_CFLOAT;
    lte_array a = lte_array_begin(split ? LTE_FLOAT : rows[layout].element, LTE_PAGEABLE);
    lte_dim_of(&a, n_slots);
    for (const name *d = rows[layout].dim; *d != NONE; d++)
        lte_dim_of(&a, sizes[*d]);
    if (split)
        lte_dim_of(&a, sizes[PART]);
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

/*
 * Each dimension by its name, those that a layout has not of size 0: times as SYMBOL, and of a
 * layout without groups what would be theirs.
 */
static void look_up(const lte_array *a, lte_layout_id layout, lte_dim of[N_NAMES])
{
    const name *const dim = rows[layout].dim;
    for (int i = 0, d; (d = lte_dim_in(a, 0, i + 1)) >= 0; i++)
        of[dim[i] == NONE ? PART : dim[i] < SYMBOL ? SYMBOL : dim[i]] = a->dim[d];
    if (of[GROUP].size > 0)
        of[SC] = of[LANE];
    else
        of[GROUP].stride = LTE_LANES * of[SC].stride;
}

/* on_device: on a stream. */
static lte_status copy(const lte_link *link, int n_slots, lte_layout_id from, const void *x,
                       lte_layout_id to, void *y, bool on_device, struct CUstream_st *stream)
{
    const bool lanes = rows[from].dim[0] == GROUP || rows[to].dim[0] == GROUP;
    const lte_array a = type_of(link, from, n_slots, lanes), b = type_of(link, to, n_slots, lanes);
    const int whole = lanes ? link->carrier.n_sc / LTE_LANES * LTE_LANES : 0;
    const int size = lte_element_size(a.element);
    lte_dim p[N_NAMES] = {{0}}, q[N_NAMES] = {{0}};
    look_up(&a, from, p);
    look_up(&b, to, q);
    bool alike = !a.fault && a.element == b.element && p[SC].size > 0 && q[SC].size > 0;
    lte_status status = LTE_OK;
    lte_steps steps = {3, {{0}, {0}, {n_slots, a.dim[1].stride, b.dim[1].stride}}};
    for (int d = SYMBOL; d <= PART; d++) {
        alike = alike && p[d].size == q[d].size;
        if (p[d].size > 0)
            steps.step[steps.n++] = (lte_step){p[d].size, p[d].stride, q[d].stride};
    }
    if (!alike)
        return LTE_FAIL(LTE_EINVAL, "a copy between layouts of different dimensions");
    for (int sc = 0, n; sc < link->carrier.n_sc && !status; sc += n) { /* groups, then the rest */
        n = sc < whole ? whole : link->carrier.n_sc - sc;
        const int per = sc < whole ? LTE_LANES : n, group = sc / LTE_LANES;
        const char *const x_here = (const char *)x + group * p[GROUP].stride * size;
        char *const y_here = (char *)y + group * q[GROUP].stride * size;
        steps.step[0] = (lte_step){n / per, p[GROUP].stride, q[GROUP].stride};
        steps.step[1] = (lte_step){per, p[SC].stride, q[SC].stride};
        status = on_device ? lte_device_code_here->permute(size, &steps, x_here, y_here, stream)
                           : lte_permute(size, &steps, x_here, y_here);
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
    if (!lte_device_code_here)
        return LTE_FAIL(LTE_EDEVICE, "a copy on a device: this program has no device code");
    return copy(link, n_slots, from, d_x, to, d_y, true, stream);
}
