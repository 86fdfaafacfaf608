/* Stage 3b over lanes: channel matrices out of the reference symbol. */
#include "kernels/cpu/lanes_cpu.h"

enum { FIT_ANTENNAS = 4 }; /* that share what is read of a matrix */

/* Matched filters of layer k of one antenna in z [n_tx][2][n_sc + LTE_WIDTH]: real parts, */
LTE_INLINE float *matched_re(const lte_link *link, float *z, int k)
{
    return &z[(ptrdiff_t)2 * k * (link->n_sc + LTE_WIDTH)];
}
/* and imaginary ones. */
LTE_INLINE float *matched_im(const lte_link *link, float *z, int k)
{
    return &z[(ptrdiff_t)(2 * k + 1) * (link->n_sc + LTE_WIDTH)];
}

/* z_k(sc) = y conj(r_k) from subcarrier first to end - 1. */
static void match(const lte_link *link, int first, int end, const lte_cf32 *y, float *z)
{
    for (int sc = first; sc < end; sc += LTE_WIDTH) {
        const int n_live = live_lanes(link, sc);
        const lte_cplx received = plane_lanes(y, sc, n_live);
        for (int k = 0; k < link->n_tx; k++) {
            const lte_cplx r = plane_lanes(&link->pilots.reference[k * link->n_sc], sc, n_live);
            const lte_cplx o = c_macc(c_zero(), received, r);
            r_store(&matched_re(link, z, k)[sc], o.re);
            r_store(&matched_im(link, z, k)[sc], o.im);
        }
    }
}

/* sum_j w_j z(start + j) where every lane has the same weights, its window beginning one on. */
static lte_cplx same_weights(int window, const lte_cf32 *w, const float *re, const float *im)
{
    lte_cplx sum = c_zero();
    for (int j = 0; j < window; j++) {
        const lte_cplx z = {r_load(re + j), r_load(im + j)};
        sum = c_mac(sum, c_set(w[j]), z);
    }
    return sum;
}

/* The same at the carrier's ends: every lane has its own window and weights. */
static lte_cplx own_weights(const lte_link *link, int sc, int n_live, const lte_cf32 *w,
                            const float *re, const float *im)
{
    const int window = link->pilots.window;
    lte_cplx sum = c_zero();
    for (int j = 0; j < window; j++) {
        float w_re[LTE_WIDTH] = {0.0f}, w_im[LTE_WIDTH] = {0.0f};
        float z_re[LTE_WIDTH] = {0.0f}, z_im[LTE_WIDTH] = {0.0f};
        for (int i = 0; i < n_live; i++) {
            const int start = lte_pilot_start(link->n_sc, window, sc + i);
            const lte_cf32 *weight = &w[(sc + i - start) * window + j];
            w_re[i] = weight->re;
            w_im[i] = weight->im;
            z_re[i] = re[start + j];
            z_im[i] = im[start + j];
        }
        const lte_cplx weights = {r_load(w_re), r_load(w_im)}, z = {r_load(z_re), r_load(z_im)};
        sum = c_mac(sum, weights, z);
    }
    return sum;
}

/* Layer k in a window. */
static lte_cplx layer_of_window(const lte_link *link, const lte_cf32 *w, int k, int sc, int n_live,
                                const float *z)
{
    const int window = link->pilots.window;
    const int first = lte_pilot_start(link->n_sc, window, sc);
    const int last = lte_pilot_start(link->n_sc, window, sc + LTE_WIDTH - 1);
    const lte_cf32 *weights = &w[k * window * window];
    const float *z_re = &z[(ptrdiff_t)2 * k * (link->n_sc + LTE_WIDTH)];
    const float *z_im = z_re + link->n_sc + LTE_WIDTH;
    /* the window moves on with every lane: no end of the carrier is near */
    const bool inside = sc - first == window / 2 && last - first == LTE_WIDTH - 1;
    return inside
               ? same_weights(window, &weights[(sc - first) * window], &z_re[first], &z_im[first])
               : own_weights(link, sc, n_live, weights, z_re, z_im);
}

/* Layers of an order that may have references; others are refused. */
#define LAYERS_OF(n) ((n) <= LTE_PILOT_LAYERS ? (n) : 1)

/* n layers over the carrier: sum_i b_i g_ki. */
LTE_INLINE void layers_of_unknowns(const lte_link *link, int n, const float *unknown, int sc,
                                   lte_cplx *sum)
{
    const int pitch = lte_pilot_pitch(&link->pilots), width = link->n_groups * LTE_LANES;
    LTE_UNROLL
    for (int k = 0; k < n; k++)
        sum[k] = c_zero();
    for (int i = 0; i < link->pilots.n_basis; i++) {
        const float *b = &link->pilots.column[(ptrdiff_t)2 * i * width + sc];
        const lte_cplx vector = {r_load(b), r_load(b + width)};
        LTE_UNROLL
        for (int k = 0; k < n; k++) {
            const float *g_k = &unknown[k * pitch + i];
            const lte_cplx g = {r_set(g_k[0]), r_set(g_k[n * pitch])};
            sum[k] = c_mac(sum[k], vector, g);
        }
    }
}

/* All layers on some subcarriers, over the carrier or in windows. */
static void layers_of_lanes(const lte_link *link, const lte_cf32 *w, const float *unknown, int sc,
                            int n_live, const float *z, lte_cplx *sum)
{
#define LAYERS(n) layers_of_unknowns(link, LAYERS_OF(n), unknown, sc, sum)
    if (lte_pilots_span_carrier(&link->pilots)) {
        LTE_FOR_ORDER(link->n_tx, LAYERS)
        return;
    }
#undef LAYERS
    for (int k = 0; k < link->n_tx; k++)
        sum[k] = layer_of_window(link, w, k, sc, n_live, z);
}

/* One antenna: unknown, w and z as far as the estimate has them. */
static void estimate_lanes(const lte_link *link, const lte_cf32 *w, const float *unknown, int sc,
                           const lte_cf32 *y, const float *z, lte_cf32 *h, int64_t *residual)
{
    const int n_live = live_lanes(link, sc), n_sc = link->n_sc;
    lte_cplx left = plane_lanes(y, sc, n_live), sum[LTE_PILOT_LAYERS];
    layers_of_lanes(link, w, unknown, sc, n_live, z, sum);
    for (int k = 0; k < link->n_tx; k++) {
        plane_store(&h[k * n_sc], sc, n_live, sum[k]);
        left = c_nmac(left, sum[k], plane_lanes(&link->pilots.reference[k * n_sc], sc, n_live));
    }
    if (residual) {
        float power[LTE_WIDTH];
        r_store(power, c_abs2(left));
        for (int i = 0; i < n_live; i++)
            *residual += lte_residual_units(power[i]);
    }
}

static void estimate_stage(const lte_link *link, int set, int g0, int g1, const lte_cf32 *y,
                           ptrdiff_t stride, const float *unknown, lte_cf32 *h, int64_t *residual,
                           void *work)
{
    const int n_sc = link->n_sc, n_tx = link->n_tx, window = link->pilots.window;
    const int sc0 = g0 * LTE_LANES, end = g1 * LTE_LANES < n_sc ? g1 * LTE_LANES : n_sc;
    const lte_cf32 *w =
        window > 0 ? &link->pilots.weight[(ptrdiff_t)set * n_tx * window * window] : NULL;
    float *const z = lanes_in(link, work).matched;
    if (sc0 >= end)
        return;
    for (int rx = 0; rx < link->n_rx; rx++) {
        const float *g = window > 0 ? NULL : &unknown[rx * lte_unknowns_size(link)];
        if (window > 0)
            match(link, lte_pilot_start(n_sc, window, sc0),
                  lte_pilot_start(n_sc, window, end - 1) + window, &y[rx * stride], z);
        for (int sc = sc0; sc < end; sc += LTE_WIDTH)
            estimate_lanes(link, w, g, sc, &y[rx * stride], z, &h[(ptrdiff_t)rx * n_tx * n_sc],
                           residual);
    }
}

/*
 * sum_sc conj(b_i) z_k over one group for n layers, from matched filters z: lanes are unknowns, so
 * that the order is that of the subcarriers whatever their number.
 */
LTE_INLINE void correlate_group(const lte_link *link, int n, int g, float *z, float *sum)
{
    const int n_basis = link->pilots.n_basis, pitch = lte_pilot_pitch(&link->pilots);
    const int sc0 = g * LTE_LANES;
    const int end = sc0 + LTE_LANES < link->n_sc ? sc0 + LTE_LANES : link->n_sc;
    for (int i = 0; i < n_basis; i += LTE_WIDTH) {
        lte_cplx c[LTE_PILOT_LAYERS];
        LTE_UNROLL
        for (int k = 0; k < n; k++)
            c[k] = c_zero();
        for (int sc = sc0; sc < end; sc++) {
            const float *b = &link->pilots.row[(ptrdiff_t)2 * sc * pitch + i];
            const lte_cplx vector = {r_load(b), r_load(b + pitch)};
            LTE_UNROLL
            for (int k = 0; k < n; k++) {
                const lte_cplx matched = {r_set(matched_re(link, z, k)[sc]),
                                          r_set(matched_im(link, z, k)[sc])};
                c[k] = c_cmac(c[k], vector, matched);
            }
        }
        LTE_UNROLL
        for (int k = 0; k < n; k++) {
            r_store(&sum[k * pitch + i], c[k].re);
            r_store(&sum[(n + k) * pitch + i], c[k].im);
        }
    }
}

static void correlate_stage(const lte_link *link, int g0, int g1, const lte_cf32 *y,
                            ptrdiff_t stride, float *sum, void *work)
{
    const int n_sc = link->n_sc;
    const int end = g1 * LTE_LANES < n_sc ? g1 * LTE_LANES : n_sc;
    const ptrdiff_t size = lte_unknowns_size(link);
    float *const z = lanes_in(link, work).matched;
    for (int rx = 0; rx < link->n_rx; rx++) {
        match(link, g0 * LTE_LANES, end, &y[rx * stride], z);
        for (int g = g0; g < g1; g++) {
            float *const to = &sum[((ptrdiff_t)g * link->n_rx + rx) * size];
#define CORRELATE(n) correlate_group(link, LAYERS_OF(n), g, z, to)
            LTE_FOR_ORDER(link->n_tx, CORRELATE)
#undef CORRELATE
        }
    }
}

/*
 * g = M c of antennas rx0 .. rx0 + n - 1: lanes are unknowns, sums go over the columns of M in
 * their order.
 */
LTE_INLINE void fit_antennas(const lte_link *link, const float *m, int rx0, int n, const float *c,
                             float *unknown)
{
    const int n_basis = link->pilots.n_basis, pitch = lte_pilot_pitch(&link->pilots);
    const int width = link->n_tx * pitch;
    for (int u = 0; u < width; u += LTE_WIDTH) {
        lte_cplx sum[FIT_ANTENNAS];
        for (int r = 0; r < n; r++)
            sum[r] = c_zero();
        for (int v = 0; v < link->n_tx * n_basis; v++) {
            const float *column = &m[(ptrdiff_t)2 * v * width + u];
            const float *c_v = &c[(ptrdiff_t)2 * rx0 * width + v / n_basis * pitch + v % n_basis];
            const lte_cplx matrix = {r_load(column), r_load(column + width)};
            LTE_UNROLL
            for (int r = 0; r < n; r++) {
                const float *value = &c_v[(ptrdiff_t)2 * r * width];
                const lte_cplx total = {r_set(value[0]), r_set(value[width])};
                sum[r] = c_mac(sum[r], matrix, total);
            }
        }
        for (int r = 0; r < n; r++) {
            r_store(&unknown[(ptrdiff_t)2 * (rx0 + r) * width + u], sum[r].re);
            r_store(&unknown[(ptrdiff_t)(2 * (rx0 + r) + 1) * width + u], sum[r].im);
        }
    }
}

static void fit_stage(const lte_link *link, int set, const float *c, float *unknown)
{
    const ptrdiff_t n = (ptrdiff_t)link->n_tx * link->pilots.n_basis;
    const float *m = &link->pilots.matrix[set * n * lte_unknowns_size(link)];
    int rx = 0;
    for (; rx + FIT_ANTENNAS <= link->n_rx; rx += FIT_ANTENNAS)
        fit_antennas(link, m, rx, FIT_ANTENNAS, c, unknown);
    for (; rx < link->n_rx; rx++)
        fit_antennas(link, m, rx, 1, c, unknown);
}
