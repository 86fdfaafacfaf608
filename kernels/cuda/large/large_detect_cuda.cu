/*
 * Large arrays on a device: decisions by recipes.
 *
 *   recipe     where                                    x^_k
 *   matched    solving detectors, large arrays          gain_k sum_j x_kj z_j, z = H'y by the block
 *   filter     solving detectors, small arrays          sum_r w_kr y_r, w_kr made on the way
 *   <id>       others, if there is a large_<id>.cuh     each in an object of its own
 */
#include "kernels/cuda/large/large_decide.cuh"
#include "phy/detection/solving.h"

extern "C" {
#define DECLARE(id) decide_fn *lte_large_##id(const lte_link *link);
LTE_OTHER_DETECTORS(DECLARE)
#undef DECLARE
}

namespace
{

struct matched_recipe {
    static constexpr bool flags = false;

    template <int S>
    static __device__ __forceinline__ bool estimate(const decide_args &a, const place &at, int m,
                                                    lte_cplx *z, lte_cplx *x)
    {
        const int n_tx = a.link.n_tx;
        const lte_cplx *const row = row_of(a, at, m);
        lte_cplx *const all = z + at.u * S * n_tx;
        lte_cplx s[S];
        matched_filter<S>(a, at, m, s);
        hand_around<S>(n_tx, at.k, s, all);
        row_product<S>(n_tx, row, all, x);
        const float loading =
            a.loading * symbol_n0(a.link, a.units, a.noise, a.residual, at.unit, m);
        const float gain = lte_solving_gain(loading, row[at.k].re);
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = c_scale(x[i], gain);
        return false;
    }
};

struct filter_recipe {
    static constexpr bool flags = false;

    template <int S>
    static __device__ __forceinline__ bool estimate(const decide_args &a, const place &at, int m,
                                                    lte_cplx *z, lte_cplx *x)
    {
        (void)z;
        const int n_tx = a.link.n_tx, n_rx = a.link.n_rx;
        const ptrdiff_t matrix = (ptrdiff_t)at.unit * a.link.receiver.n_csi + m;
        const lte_cplx *const h = a.h + matrix * n_rx * n_tx;
        const lte_cplx *const row = a.x + matrix * n_tx * n_tx + (ptrdiff_t)at.k * n_tx;
        const lte_cplx *const y = a.y + ((ptrdiff_t)at.unit * LTE_SLOT_SYMBOLS + m * S) * n_rx;
        const float loading =
            a.loading * symbol_n0(a.link, a.units, a.noise, a.residual, at.unit, m);
        const float gain = lte_solving_gain(loading, row[at.k].re);
#pragma unroll
        for (int i = 0; i < S; i++)
            x[i] = c_zero();
        for (int r = 0; r < n_rx; r++) {
            const lte_cplx w = lte_filter_element(n_tx, h + r * n_tx, row, gain);
#pragma unroll
            for (int i = 0; i < S; i++)
                x[i] = c_mac(x[i], w, y[i * n_rx + r]);
        }
        return false;
    }
};

/* The kernel of a detector; NULL: it has no recipe. */
decide_fn *kernel_for(const lte_link *link, lte_detector detector)
{
    if (lte_detector_solves(detector.id))
        return LTE_IS_LARGE(link->n_rx, link->n_tx) ? decide_kernel_of<matched_recipe>(link)
                                                    : decide_kernel_of<filter_recipe>(link);
#define OF(name)                                                                                   \
    if (detector.id == LTE_DETECTOR_##name)                                                        \
        return lte_large_##name(link);
    LTE_OTHER_DETECTORS(OF)
#undef OF
    return NULL;
}

lte_status decide(decide_args *a, lte_detector detector, const lte_large_memory *memory,
                  cudaStream_t stream)
{
    const lte_link *link = &a->link;
    decide_fn *const kernel = kernel_for(link, detector);
    a->loading = lte_detector_row_of(detector)->loading;
    a->parameter = (int)detector.value[0];
    a->h = (const lte_cplx *)memory->h;
    a->x = (const lte_cplx *)memory->x;
    a->y = (const lte_cplx *)memory->y;
    a->flag = memory->flag;
    a->subcarriers = detect_subcarriers(link->n_tx);
    const size_t bytes = parts_of(*link, a->subcarriers).all;
    const lte_status status = allow_shared((const void *)kernel, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)blocks_of(link->carrier.n_sc, a->subcarriers),
                    (unsigned)a->units.n_slots);
    kernel<<<grid, (unsigned)(a->subcarriers * link->n_tx), bytes, stream>>>(*a);
    return LTE_LAUNCHED(decide_kernel);
}

} // namespace

bool lte_large_takes(const lte_link *link, lte_detector detector)
{
    return !link->channel.wide && kernel_for(link, detector);
}

lte_status lte_large_count_cuda(const lte_decide_job *job, int n_columns, uint32_t *d_errors,
                                cudaStream_t stream)
{
    decide_args a = {};
    a.link = job->link;
    a.units = job->units;
    a.noise = job->noise;
    a.residual = job->residual;
    a.sent = job->memory.label;
    a.n_columns = n_columns;
    a.errors = d_errors;
    return decide(&a, job->plan.detector, &job->memory, stream);
}

lte_status lte_large_detect_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, int n_slots,
                                 const lte_large_memory *memory, cudaStream_t stream)
{
    decide_args a = {};
    a.link = *link;
    a.units = lte_units_of(link, first, n_slots);
    a.noise = job->noise;
    a.residual = residuals_of(d_residual, first, job->memory.n_h_in);
    a.memory = job->memory;
    a.first = first;
    return decide(&a, job->detector, memory, stream);
}
