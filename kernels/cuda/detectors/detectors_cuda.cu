/*
 * Decisions of any detector by a thread with its state in memory, and what becomes of them; the
 * kernels that decide: detector_thread.cuh.
 *
 *   kernel   a thread has                          of a block's units are
 *   count    a subcarrier                          bits, symbols and flags that are wrong
 *   worth    a subcarrier                          what its LLRs are worth, counted
 *   hand     a subcarrier of a symbol              its LLRs as integers, where a decoder takes them
 *   pack     a part of a row of bits               its bits
 */
#include "kernels/cuda/detectors/detectors_cuda.h"
#include "kernels/base/labels.h"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/large/large.cuh"

extern "C" {
#define DECLARE(id) lte_decide_fn lte_##id##_decide_cuda;
LTE_DETECTORS(DECLARE)
#undef DECLARE

#define ONE(id) lte_##id##_decide_cuda,
lte_decide_fn *const lte_decide_units[LTE_N_DETECTORS] = {LTE_DETECTORS(ONE)};
#undef ONE
}

namespace
{

enum { COUNT_BLOCK = 128, PACK_SUBCARRIERS = 32 /* 8 bits each at least: whole words */ };

/* Where the counts of a slot of the start begin. */
__device__ __forceinline__ uint32_t *counts_of(const lte_decide_job &job, int slot, int n_columns,
                                               uint32_t *errors)
{
    const ptrdiff_t row = (ptrdiff_t)lte_units_place(&job.units, slot) * n_columns;
    return errors + lte_counts_at(job.link.output.n_counts, row);
}

/* What differs in layer k of symbol `at` of a unit. */
__device__ __forceinline__ uint32_t differ_at(const lte_decide_job &job, ptrdiff_t at, int k)
{
    const ptrdiff_t label = at * job.link.n_tx + k;
    return lte_label_at(job.link.n_bits, job.memory.decided, label) ^
           lte_label_at(job.link.n_bits, job.memory.label, label);
}

/* Grid row: a slot. */
__global__ void count_kernel(const __grid_constant__ lte_decide_job job, int n_columns,
                             uint32_t *errors)
{
    const int u = (int)(blockIdx.x * blockDim.x + threadIdx.x), slot = (int)blockIdx.y;
    const int n_tx = job.link.n_tx, n_csi = job.link.receiver.n_csi;
    const uint64_t number = job.units.first + (uint64_t)lte_units_place(&job.units, slot);
    const ptrdiff_t unit = (ptrdiff_t)slot * job.units.n_sc + u;
    uint32_t *const to = counts_of(job, slot, n_columns, errors);
    uint32_t flagged = 0, unfinished = 0, vectors = 0;
    unsigned carries = 0, differs = 0; /* a bit a symbol */
    if (!lte_units_listen(&job.units, slot))
        return; /* the whole block */
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS && u < job.units.n_sc; symbol++)
        carries |= lte_link_carries(&job.link, number, symbol, job.units.sc + u) ? 1u << symbol : 0;
    for (int k = 0; k < n_tx; k++) {
        uint32_t bits = 0, symbols = 0;
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            if (!(carries >> symbol & 1))
                continue;
            const uint32_t differ = differ_at(job, unit * LTE_SLOT_SYMBOLS + symbol, k);
            bits += lte_bits_set(differ);
            symbols += differ ? 1 : 0;
            differs |= differ ? 1u << symbol : 0;
        }
        warp_add(bits, &to[lte_bits_at(k)]);
        warp_add(symbols, &to[lte_symbols_at(n_tx, k)]);
    }
    vectors = lte_bits_set(differs);
    for (int m = 0; m < n_csi && u < job.units.n_sc; m++) {
        if (n_csi > 1 && m == job.link.receiver.pilot)
            continue; /* nothing is detected with it, and its flag may be unwritten */
        const uint32_t flag = job.memory.flag[unit * n_csi + m];
        flagged += flag & LTE_FLAG_NO_STATE;
        unfinished += lte_bits_set(flag / LTE_FLAG_UNFINISHED & carries);
    }
    warp_add(flagged, &to[lte_flagged_at(n_tx)]);
    warp_add(vectors, &to[lte_vectors_at(n_tx)]);
    warp_add(unfinished, &to[lte_unfinished_at(n_tx)]);
}

/* The same of what the LLRs are worth. Shared memory: a block's counts of LLRs. */
__global__ void worth_kernel(const __grid_constant__ lte_decide_job job, int n_columns,
                             uint32_t *errors)
{
    extern __shared__ uint32_t soft[];
    const lte_output &output = job.link.output;
    const int u = (int)(blockIdx.x * blockDim.x + threadIdx.x), slot = (int)blockIdx.y;
    const int n_tx = job.link.n_tx, n_bits = job.link.n_bits;
    const int hard = lte_lost_at(n_tx, n_bits, 0, 0), n = job.link.output.n_counts - hard;
    const ptrdiff_t unit = (ptrdiff_t)slot * job.units.n_sc + u;
    const bool live = u < job.units.n_sc;
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        soft[i] = 0;
    __syncthreads();
    for (int i = 0; i < n_tx * n_bits; i++) {
        const int k = i / n_bits, bit = i % n_bits;
        const int n_scales = k < LTE_MAX_ORDER ? LTE_N_LLR_SCALES : 0;
        uint32_t lost = 0, cut = 0;
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const ptrdiff_t at = (unit * LTE_SLOT_SYMBOLS + symbol) * n_tx + k;
            uint32_t value = 0;
            if (symbol == job.link.receiver.pilot)
                continue;
            if (live) {
                const float towards =
                    r_flip(job.memory.llr[at * n_bits + bit],
                           lte_label_at(n_bits, job.memory.label, at) << (31 - bit));
                value = lte_quantise(towards, output.llr_scale);
                lost += lte_loss(towards);
                cut += lte_is_cut(value);
            }
            for (int s = 0; s < n_scales && symbol == 0; s++)
                warp_add(live ? output.scale_losses[lte_scale_loss_at(s, (int)value)] : 0,
                         &soft[lte_scaled_at(n_tx, n_bits, s) - hard]);
        }
        warp_add(lost, &soft[lte_lost_at(n_tx, n_bits, k, bit) - hard]);
        warp_add(cut, &soft[lte_cut_at(n_tx, n_bits) - hard]);
    }
    __syncthreads();
    uint32_t *const to = counts_of(job, slot, n_columns, errors) + hard;
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x) {
        if (soft[i])
            atomicAdd(&to[i], soft[i]);
    }
}

/* Where the LLRs of slots go, and what flips them. */
struct handed {
    const uint8_t *flips; /* NULL: nothing does */
    lte_slot_memory memory;
    uint64_t first;
    int8_t *llrs; /* of entries of a turn; NULL: of slots, in memory */
};

/* The flips of a slot's labels, as it is scrambled. */
__device__ __forceinline__ const uint8_t *flips_of(const lte_decide_job &job, const handed &to,
                                                   int slot)
{
    const lte_scrambled &scrambled = to.memory.scrambled;
    uint64_t number = job.units.first + (uint64_t)lte_units_place(&job.units, slot);
    if (!to.llrs)
        number = number % scrambled.distinct * (uint64_t)scrambled.step + (uint64_t)scrambled.part;
    return to.flips + (ptrdiff_t)(number % (2 * LTE_CODE_FRAME)) * lte_label_planes(&job.link);
}

/* Grid: subcarriers, symbols, slots. job.link: the whole one. */
__global__ void hand_kernel(const __grid_constant__ lte_decide_job job,
                            const __grid_constant__ handed to)
{
    const int u = (int)(blockIdx.x * blockDim.x + threadIdx.x), symbol = (int)blockIdx.y;
    const int slot = (int)blockIdx.z, n_sc = job.link.carrier.n_sc, n_tx = job.link.n_tx;
    const int n_bits = job.link.n_bits, sc = job.units.sc + u;
    if (u >= job.units.n_sc || symbol == job.link.receiver.pilot ||
        !lte_units_listen(&job.units, slot))
        return;
    const ptrdiff_t unit = (ptrdiff_t)slot * job.units.n_sc + u;
    const float *const llr = job.memory.llr + (unit * LTE_SLOT_SYMBOLS + symbol) * n_tx * n_bits;
    int8_t *const out = to.llrs
                            ? to.llrs + (job.units.entry + slot) * lte_llr_planes(&job.link)
                            : (int8_t *)lte_slot_memory_bits(&to.memory, to.first + (uint64_t)slot);
    const uint8_t *const flips = to.flips ? flips_of(job, to, slot) : NULL;
    for (int k = 0; k < n_tx; k++) {
        const uint32_t flip =
            flips ? lte_label_at(n_bits, flips, (ptrdiff_t)(symbol * n_tx + k) * n_sc + sc) : 0;
        for (int bit = 0; bit < n_bits; bit++)
            out[((ptrdiff_t)(symbol * n_tx + k) * n_bits + bit) * n_sc + sc] = (int8_t)lte_quantise(
                r_flip(llr[k * n_bits + bit], flip << (31 - bit)), job.link.output.llr_scale);
    }
}

/* Grid: subcarriers, symbols, slots. Shared memory: labels of a block's subcarriers, and zeros. */
__global__ void pack_kernel(const __grid_constant__ lte_decide_job job,
                            const __grid_constant__ handed to)
{
    extern __shared__ __align__(4) uint8_t labels[];
    const int sc0 = (int)blockIdx.x * PACK_SUBCARRIERS, symbol = (int)blockIdx.y;
    const int slot = (int)blockIdx.z, n_tx = job.link.n_tx, n_bits = job.link.n_bits;
    const int left = job.link.carrier.n_sc - sc0;
    const int n_live = left < PACK_SUBCARRIERS ? left : PACK_SUBCARRIERS;
    const int n_labels = PACK_SUBCARRIERS * n_tx + 32;
    const ptrdiff_t unit = (ptrdiff_t)slot * job.link.carrier.n_sc + sc0;
    for (int i = (int)threadIdx.x; i < n_labels; i += (int)blockDim.x) {
        const int u = i / n_tx, k = i % n_tx;
        const ptrdiff_t at = ((unit + u) * LTE_SLOT_SYMBOLS + symbol) * n_tx + k;
        lte_label_put(n_bits, labels, i,
                      u < n_live && symbol != job.link.receiver.pilot
                          ? lte_label_at(n_bits, job.memory.decided, at)
                          : 0);
    }
    __syncthreads();
    uint8_t *const row = lte_slot_memory_bits(&to.memory, to.first + (uint64_t)slot) +
                         (size_t)symbol * to.memory.row_bytes;
    write_labels(n_bits, {labels, n_labels, 1, n_tx, n_live, sc0}, row, to.memory.row_bytes,
                 (int)threadIdx.x, (int)blockDim.x);
}

lte_status count(const lte_decide_job *job, int n_columns, uint32_t *d_errors, cudaStream_t stream)
{
    const int n_tx = job->link.n_tx, n_bits = job->link.n_bits;
    const dim3 grid((unsigned)blocks_of(job->units.n_sc, COUNT_BLOCK),
                    (unsigned)job->units.n_slots);
    count_kernel<<<grid, COUNT_BLOCK, 0, stream>>>(*job, n_columns, d_errors);
    const lte_status status = LTE_LAUNCHED(count_kernel);
    if (status || job->link.output.counted != LTE_COUNTED_LLRS)
        return status;
    const size_t bytes =
        (size_t)(job->link.output.n_counts - lte_lost_at(n_tx, n_bits, 0, 0)) * sizeof(uint32_t);
    worth_kernel<<<grid, COUNT_BLOCK, bytes, stream>>>(*job, n_columns, d_errors);
    return LTE_LAUNCHED(worth_kernel);
}

lte_status hand(const lte_link *link, const lte_decide_job *job, const handed *to,
                cudaStream_t stream)
{
    lte_decide_job whole = *job;
    whole.link.carrier.n_sc = link->carrier.n_sc; /* of planes */
    const dim3 grid((unsigned)blocks_of(job->units.n_sc, COUNT_BLOCK), LTE_SLOT_SYMBOLS,
                    (unsigned)job->units.n_slots);
    hand_kernel<<<grid, COUNT_BLOCK, 0, stream>>>(whole, *to);
    return LTE_LAUNCHED(hand_kernel);
}

lte_status pack(const lte_decide_job *job, const handed *to, cudaStream_t stream)
{
    const dim3 grid((unsigned)blocks_of(job->link.carrier.n_sc, PACK_SUBCARRIERS), LTE_SLOT_SYMBOLS,
                    (unsigned)job->units.n_slots);
    const size_t bytes = (size_t)(PACK_SUBCARRIERS * job->link.n_tx + 32) *
                         (size_t)lte_label_bytes(job->link.n_bits);
    pack_kernel<<<grid, COUNT_BLOCK, bytes, stream>>>(*job, *to);
    return LTE_LAUNCHED(pack_kernel);
}

/* Inverses of the units at hand, if the detector needs them; of wide channels threads make them. */
lte_status invert(const lte_decide_job *job, cudaStream_t stream)
{
    const lte_detector detector = job->plan.detector;
    if (job->link.channel.wide || !lte_detector_needs(detector, LTE_NEEDS_INVERSE))
        return LTE_OK;
    const lte_status status = lte_large_gram_cuda(&job->link, &job->units, detector, job->noise,
                                                  &job->residual, &job->memory, stream);
    return status ? status
                  : lte_large_invert_cuda(&job->link, job->units.n_slots, &job->memory, stream);
}

/* The slots of a deadline run. */
lte_decide_job job_of(const lte_link *link, const lte_slot_job *slots, const int64_t *d_residual,
                      uint64_t first, int n_slots, const lte_large_memory *memory)
{
    lte_decide_job job = {};
    job.link = *link;
    job.units = lte_units_of(link, first, n_slots);
    job.plan = lte_link_plan(link, slots->detector, link->output.asked);
    job.noise = slots->noise;
    job.residual = residuals_of(d_residual, first, slots->memory.n_h_in);
    job.memory = *memory;
    return job;
}

lte_status decide(const lte_decide_job *job, const lte_slot_job *slots, uint64_t first,
                  cudaStream_t stream)
{
    handed to = {};
    to.flips = slots->memory.scrambled.flips;
    to.memory = slots->memory;
    to.first = first;
    const lte_status status = lte_decide_units[job->plan.detector.id](job, stream);
    return status           ? status
           : job->plan.llrs ? hand(&job->link, job, &to, stream)
                            : pack(job, &to, stream);
}

} // namespace

lte_status lte_decide_made_cuda(const lte_link *link, const lte_slot_job *slots,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                const lte_large_memory *memory, cudaStream_t stream)
{
    const lte_decide_job job = job_of(link, slots, d_residual, first, n_slots, memory);
    return decide(&job, slots, first, stream);
}

lte_status lte_decide_slots_cuda(const lte_link *link, const lte_slot_job *slots,
                                 const int64_t *d_residual, uint64_t first, int n_slots,
                                 const lte_large_memory *memory, cudaStream_t stream)
{
    const lte_decide_job job = job_of(link, slots, d_residual, first, n_slots, memory);
    lte_status status =
        lte_large_turn_cuda(link, slots->noise, &slots->memory, first, n_slots, memory, stream);
    if (!status)
        status = invert(&job, stream);
    return status ? status : decide(&job, slots, first, stream);
}

lte_status lte_decide_count_cuda(const lte_link *link, const lte_decide_job *job, int n_columns,
                                 uint32_t *d_errors, const uint8_t *d_flips, int8_t *d_llrs,
                                 cudaStream_t stream)
{
    handed to = {};
    to.flips = d_flips;
    to.llrs = d_llrs;
    lte_status status = invert(job, stream);
    if (!status)
        status = lte_decide_units[job->plan.detector.id](job, stream);
    if (!status)
        status = count(job, n_columns, d_errors, stream);
    return status || !d_llrs ? status : hand(link, job, &to, stream);
}
