/* What a decoder on a device keeps there, and its kernel's job. */
#include "kernels/coding/turbo_cuda.h"

#include <stdlib.h>

#include "phy/coding/crc.h"
#include "phy/coding/turbo.h"

struct lte_turbo_cuda {
    lte_turbo_job job; /* all but arrays and their number */
    int n_blocks;
    uint32_t *d_work, *d_remainders;
    uint16_t *d_places;
};

static lte_status check(const lte_turbo_plan *plan)
{
    const int windows = plan->windows, length = windows > 0 ? plan->block->k / windows : 0;
    if (windows < 1 || windows > LTE_TURBO_CUDA_WINDOWS || (windows & (windows - 1)) ||
        plan->block->k % windows || length > LTE_TURBO_CUDA_LENGTH ||
        length < 2 * LTE_TURBO_OVERLAP)
        return LTE_FAIL(LTE_EINVAL,
                        "%d windows for a code block of %d bits (a device needs a power of two up "
                        "to %d, of %d to %d steps each)",
                        windows, plan->block->k, LTE_TURBO_CUDA_WINDOWS, 2 * LTE_TURBO_OVERLAP,
                        LTE_TURBO_CUDA_LENGTH);
    return lte_turbo_check(plan);
}

static lte_turbo_job job_of(const lte_turbo_plan *plan)
{
    const lte_code_block *block = plan->block;
    const int length = lte_turbo_length(plan);
    lte_turbo_job job = {
        .k = block->k,
        .windows = plan->windows,
        .length = length,
        .n_iterations = plan->iterations,
        .per_length = (uint32_t)((((uint64_t)1 << 32) + (uint64_t)length - 1) / (uint64_t)length)};
    for (int e = 0; e < 2; e++)
        for (int t = 0; t < LTE_TURBO_MEMORY; t++)
            for (int parity = 0; parity < 2; parity++)
                job.tail[e][t][parity] = lte_turbo_tail(block, e, t, parity);
    return job;
}

/* Where tables have step i of a block, for the first of the pairs that share a thread block. */
static int cell_of(const lte_turbo_plan *plan, int i)
{
    const int length = lte_turbo_length(plan);
    return i % length * LTE_TURBO_CUDA_WINDOWS + i / length;
}

static lte_status copy_places(const lte_turbo_plan *plan, uint16_t *d_places)
{
    const int k = plan->block->k, length = lte_turbo_length(plan);
    const size_t size = 2 * LTE_TURBO_TABLE * sizeof(uint16_t);
    uint16_t *places = calloc(1, size);
    if (!places)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder");
    for (int i = 0; i < k; i++) {
        for (int encoder = 0; encoder < 2; encoder++) {
            const int at = encoder ? lte_code_block_at(plan->block, i) : i;
            for (int first = 0; first < LTE_TURBO_CUDA_WINDOWS; first += plan->windows)
                places[encoder * LTE_TURBO_TABLE + cell_of(plan, i) + first] =
                    (uint16_t)(at % length * LTE_TURBO_BIT_ROW + 4 * (at / length + first));
        }
    }
    const lte_status status = LTE_CUDA(cudaMemcpy(d_places, places, size, cudaMemcpyHostToDevice));
    free(places);
    return status;
}

/* What each bit that is 1 adds to the remainder of the block by the generator. */
static lte_status copy_remainders(const lte_turbo_plan *plan, uint32_t *d_remainders)
{
    const int k = plan->block->k;
    const size_t size = LTE_TURBO_TABLE * sizeof(uint32_t);
    uint32_t of_place[LTE_MAX_CODE_BLOCK], power = 1;
    uint32_t *remainders = calloc(1, size);
    if (!remainders)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder");
    for (int i = k - 1; i >= 0; i--) { /* x^(k - 1 - i) */
        of_place[i] = power;
        power = lte_crc_shift(plan->crc, power);
    }
    for (int i = 0; i < k; i++)
        for (int first = 0; first < LTE_TURBO_CUDA_WINDOWS; first += plan->windows)
            remainders[cell_of(plan, i) + first] = of_place[lte_code_block_at(plan->block, i)];
    const lte_status status =
        LTE_CUDA(cudaMemcpy(d_remainders, remainders, size, cudaMemcpyHostToDevice));
    free(remainders);
    return status;
}

/* Bytes of the three arrays of a decoder. */
typedef struct {
    size_t work, places, remainders;
} sizes;

static sizes sizes_of(const lte_turbo_plan *plan, int n_blocks)
{
    return (sizes){.work = (size_t)n_blocks * LTE_TURBO_CUDA_WORK * sizeof(uint32_t),
                   .places = 2 * LTE_TURBO_TABLE * sizeof(uint16_t),
                   .remainders = plan->crc ? LTE_TURBO_TABLE * sizeof(uint32_t) : 0};
}

lte_status lte_turbo_cuda_bytes(const lte_turbo_plan *plan, size_t *bytes)
{
    int n_blocks = 0;
    *bytes = 0;
    lte_status status = check(plan);
    if (status)
        return status;
    const lte_turbo_job job = job_of(plan);
    status = lte_turbo_cuda_blocks(&job, &n_blocks);
    const sizes all = sizes_of(plan, n_blocks);
    *bytes = all.work + all.places + all.remainders;
    return status;
}

static lte_status prepare(const lte_turbo_plan *plan, lte_turbo_cuda *d)
{
    d->job = job_of(plan);
    lte_status status = lte_turbo_cuda_blocks(&d->job, &d->n_blocks);
    const sizes all = sizes_of(plan, d->n_blocks);
    if (!status)
        status = LTE_CUDA(cudaMalloc((void **)&d->d_work, all.work));
    if (!status)
        status = LTE_CUDA(cudaMalloc((void **)&d->d_places, all.places));
    if (!status)
        status = copy_places(plan, d->d_places);
    if (!status && plan->crc)
        status = LTE_CUDA(cudaMalloc((void **)&d->d_remainders, all.remainders));
    if (!status && plan->crc)
        status = copy_remainders(plan, d->d_remainders);
    if (!status) /* plain copies may be under way: other streams do not wait for them */
        status = LTE_CUDA(cudaStreamSynchronize(NULL));
    d->job.work = d->d_work;
    d->job.places = d->d_places;
    d->job.remainders = d->d_remainders;
    return status;
}

lte_status lte_turbo_cuda_create(const lte_turbo_plan *plan, lte_turbo_cuda **decoder)
{
    *decoder = NULL;
    lte_status status = check(plan);
    if (status)
        return status;
    lte_turbo_cuda *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder");
    status = prepare(plan, made);
    if (status) {
        lte_turbo_cuda_free(made);
        return status;
    }
    *decoder = made;
    return LTE_OK;
}

void lte_turbo_cuda_free(lte_turbo_cuda *decoder)
{
    if (!decoder)
        return;
    (void)cudaFree(decoder->d_work);
    (void)cudaFree(decoder->d_places);
    (void)cudaFree(decoder->d_remainders);
    free(decoder);
}

lte_status lte_turbo_cuda_run(lte_turbo_cuda *decoder, int n, const int8_t *d_llr, uint8_t *d_bits,
                              uint8_t *d_iterations, cudaStream_t stream)
{
    return lte_turbo_cuda_run_listed(decoder, NULL, 0, n, d_llr, d_bits, d_iterations, stream);
}

lte_status lte_turbo_cuda_run_listed(lte_turbo_cuda *decoder, const uint32_t *d_listed, int n_each,
                                     int most, const int8_t *d_llr, uint8_t *d_bits,
                                     uint8_t *d_iterations, cudaStream_t stream)
{
    lte_turbo_job job = decoder->job;
    if (most < 1)
        return LTE_OK;
    job.llr = d_llr;
    job.bits = d_bits;
    job.iterations = d_iterations;
    job.n = most;
    job.listed = d_listed;
    job.n_each = n_each;
    return lte_turbo_cuda_launch(&job, decoder->n_blocks, stream);
}
