#include "kernels/backends/cuda_slots.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "kernels/cuda.h"
#include "kernels/invert_versions.h"

/*
 * Up to here a tick is a matter of latency: the persistent kernel answers sooner than a launch.
 * Above it a thread per subcarrier does the work of a carrier with fewer instructions. A channel
 * that moves has seven times the bytes and matrices: there a thread per subcarrier and symbol is
 * enough of them.
 */
enum { FEW_CARRIERS = 4 };
enum { L2_MULTIPLE = 3 };     /* slots on the device are to outgrow the cache so many times */
enum { MANY_PROCESSORS = 4 }; /* of the host, that allow for a second thread at the doorbell */

/* Device or pinned memory that grows. */
typedef struct {
    void *memory;
    size_t size;
} buffer;

struct lte_cuda_ticks {
    lte_link link;
    cudaStream_t stream;
    size_t l2_bytes;
    lte_tick_plan plan;
    lte_slot_job job; /* the plan's, with memory that the device follows */
    const int64_t *residual;
    buffer d_h, d_y, d_bits; /* slots on the device */
    buffer d_estimates;      /* [n_carriers][n_rx][n_tx][n_sc], if the receiver estimates */
    buffer d_residuals;      /* [2][n_carriers]: of this tick, and zeros for the next; [1] */
    buffer d_shared;         /* [n_carriers][lte_shared_words] */
    uint64_t n_estimated;    /* ticks so far */
    lte_doorbell *doorbell;  /* mapped host memory */
    uint64_t *d_relay;
    lte_doorbell_client *client; /* not NULL: the persistent kernel is there */
    int client_threads;
    int few;       /* carriers of a tick that lanes share subcarriers of */
    int n_blocks;  /* of the persistent kernel; 0: the plan's ticks are launched */
    bool may_stay; /* no watchdog ends a kernel that takes seconds */
    /* one slot by stages */
    lte_cf32 *d_h_planes, *d_y_planes;
    float *d_h_batch, *d_y_batch, *d_g_batch;
    uint8_t *d_flag, *d_packed;
    uint32_t *d_label;
    cudaEvent_t event[LTE_N_TIMED + 1];
    /* the inversion alone: a few slots' Gram matrices, one after the other */
    lte_cf32 *d_grams, *d_inverses, *grams, *inverses;
    bool grams_ready;
    uint64_t inversion; /* run so far */
    char choice[256];
};

enum { GRAM_SLOTS = 16 }; /* inputs that the inversion alone rotates over */

/* Rounded up, so that every slot's matrices begin on 16 bytes. */
static size_t gram_elements(const lte_link *link)
{
    const size_t n_matrices = (size_t)link->n_csi * (size_t)link->n_sc;
    const size_t n = (size_t)link->n_tx * (size_t)link->n_tx * n_matrices;
    return n + n % 2;
}

/* Processors that this process may run on. */
static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Room for size bytes on the device; what was there is lost. */
static lte_status grow(buffer *b, size_t size)
{
    if (size <= b->size)
        return LTE_OK;
    (void)cudaFree(b->memory);
    b->memory = NULL;
    b->size = 0;
    if (cudaMalloc(&b->memory, size) != cudaSuccess) {
        size_t left = 0, total = 0;
        (void)cudaGetLastError();
        (void)cudaMemGetInfo(&left, &total);
        return LTE_FAIL(LTE_ENOMEM,
                        "the deadline run asked for %zu bytes of device memory; %zu of %zu are "
                        "free",
                        size, left, total);
    }
    b->size = size;
    return LTE_OK;
}

lte_status lte_cuda_ticks_create(const lte_link *link, cudaStream_t stream, lte_cuda_ticks **ticks)
{
    const size_t lanes = (size_t)link->n_groups * LTE_LANES, pair = 2 * sizeof(float);
    const size_t n_rx = (size_t)link->n_rx, n_tx = (size_t)link->n_tx, n_csi = (size_t)link->n_csi;
    int device = 0, l2 = 0, watchdog = 0;
    *ticks = NULL;
    lte_cuda_ticks *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for ticks");
    made->link = *link;
    made->stream = stream;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    made->l2_bytes = (size_t)l2;
    if (!status) /* of a device that drives a display */
        status = LTE_CUDA(cudaDeviceGetAttribute(&watchdog, cudaDevAttrKernelExecTimeout, device));
    made->few = link->n_csi > 1 ? 0 : FEW_CARRIERS;
    made->may_stay = !watchdog;
    made->client_threads = processors() < MANY_PROCESSORS ? 1 : 2;
    if (!status)
        status = LTE_CUDA(cudaHostAlloc((void **)&made->doorbell, sizeof *made->doorbell,
                                        cudaHostAllocMapped | cudaHostAllocPortable));
    const struct {
        void **memory;
        size_t size;
    } all[] = {
        {(void **)&made->d_relay, sizeof *made->d_relay},
        {(void **)&made->d_h_planes, lte_slot_h_size(link) * sizeof(lte_cf32)},
        {(void **)&made->d_y_planes, lte_slot_y_size(link) * sizeof(lte_cf32)},
        {(void **)&made->d_h_batch, lanes * n_csi * n_rx * n_tx * pair},
        {(void **)&made->d_y_batch, lanes * n_rx * LTE_SLOT_SYMBOLS * pair},
        {(void **)&made->d_g_batch, lanes * n_csi * n_tx * n_tx * pair},
        {(void **)&made->d_flag, lanes * n_csi},
        {(void **)&made->d_packed, LTE_SLOT_SYMBOLS * lte_packed_row(link)},
        {(void **)&made->d_label, lanes * n_tx * LTE_SLOT_SYMBOLS * sizeof(uint32_t)},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++)
        status = LTE_CUDA(cudaMalloc(all[i].memory, all[i].size));
    for (int i = 0; i <= LTE_N_TIMED && !status; i++)
        status = LTE_CUDA(cudaEventCreate(&made->event[i]));
    if (status) {
        lte_cuda_ticks_free(made);
        return status;
    }
    const char *const inversion = lte_invert_choose(link->inverter, link->n_tx, link->n_sc)->name;
    const char *const few = made->may_stay ? "persistent kernel" : "a launch";
    const char *const fits = made->may_stay && link->pilot >= 0 ? " if all its blocks fit" : "";
    const char *const rung =
        made->may_stay && made->client_threads > 1 ? ", rung by two threads" : "";
    if (made->few > 0)
        (void)snprintf(made->choice, sizeof made->choice,
                       "slot: %s%s%s, lanes share a subcarrier, up to %d carriers, above a launch, "
                       "thread per subcarrier; inversion alone: %s",
                       few, fits, rung, made->few, inversion);
    else
        (void)snprintf(made->choice, sizeof made->choice,
                       "slot: a launch, thread per subcarrier and symbol; inversion alone: %s",
                       inversion);
    *ticks = made;
    return LTE_OK;
}

/* Ends the persistent kernel. */
static lte_status leave(lte_cuda_ticks *ticks)
{
    if (!ticks->client)
        return LTE_OK;
    lte_doorbell_client_quit(ticks->client);
    ticks->client = NULL;
    return LTE_CUDA(cudaStreamSynchronize(ticks->stream));
}

void lte_cuda_ticks_free(lte_cuda_ticks *ticks)
{
    if (!ticks)
        return;
    (void)leave(ticks);
    (void)cudaFreeHost(ticks->doorbell);
    (void)cudaFreeHost(ticks->grams);
    (void)cudaFreeHost(ticks->inverses);
    void *const all[] = {ticks->d_h.memory,
                         ticks->d_y.memory,
                         ticks->d_bits.memory,
                         ticks->d_estimates.memory,
                         ticks->d_residuals.memory,
                         ticks->d_shared.memory,
                         ticks->d_relay,
                         ticks->d_h_planes,
                         ticks->d_y_planes,
                         ticks->d_h_batch,
                         ticks->d_y_batch,
                         ticks->d_g_batch,
                         ticks->d_flag,
                         ticks->d_packed,
                         ticks->d_label,
                         ticks->d_grams,
                         ticks->d_inverses};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (void)cudaFree(all[i]);
    for (int i = 0; i <= LTE_N_TIMED; i++) {
        if (ticks->event[i])
            (void)cudaEventDestroy(ticks->event[i]);
    }
    free(ticks);
}

/* Starts the persistent kernel. */
static lte_status stay(lte_cuda_ticks *ticks)
{
    lte_status status =
        LTE_CUDA(cudaMemsetAsync(ticks->d_relay, 0, sizeof *ticks->d_relay, ticks->stream));
    if (!status && ticks->link.pilot >= 0)
        status = LTE_CUDA(
            cudaMemsetAsync(ticks->d_shared.memory, 0, ticks->d_shared.size, ticks->stream));
    if (!status)
        status = lte_doorbell_client_create(ticks->doorbell, ticks->n_blocks, ticks->client_threads,
                                            &ticks->client);
    if (!status)
        status =
            lte_slot_persistent_cuda(&ticks->link, &ticks->job, ticks->n_blocks, ticks->doorbell,
                                     ticks->d_relay, ticks->d_shared.memory, ticks->stream);
    if (status) {
        lte_doorbell_client_quit(ticks->client);
        ticks->client = NULL;
    }
    return status;
}

/* Copies the plan's slots to the device, repeated until they outgrow the cache. */
static lte_status place_on_device(lte_cuda_ticks *ticks, bool *cached)
{
    const lte_slot_memory *from = &ticks->plan.job.memory;
    const bool estimates = ticks->link.pilot >= 0;
    const size_t h_size =
        estimates ? 0 : (size_t)from->n_in * lte_slot_h_size(&ticks->link) * sizeof(lte_cf32);
    const size_t y_size = (size_t)from->n_in * lte_slot_y_size(&ticks->link) * sizeof(lte_cf32);
    const size_t bits_size = (size_t)from->n_out * LTE_SLOT_SYMBOLS * lte_packed_row(&ticks->link);
    const size_t wanted = L2_MULTIPLE * ticks->l2_bytes;
    size_t copies = (wanted + h_size + y_size - 1) / (h_size + y_size);
    size_t left = 0, total = 0;
    lte_status status = LTE_CUDA(cudaMemGetInfo(&left, &total));
    left += ticks->d_h.size + ticks->d_y.size;
    while (copies > 1 && copies * (h_size + y_size) > left / 2)
        copies--;
    copies = copies > 0 ? copies : 1;
    *cached = copies * (h_size + y_size) < wanted;
    if (!status)
        status = grow(&ticks->d_h, copies * h_size);
    if (!status)
        status = grow(&ticks->d_y, copies * y_size);
    if (!status)
        status = grow(&ticks->d_bits, bits_size);
    if (!status) /* no answer of an earlier run passes for one of this */
        status = LTE_CUDA(cudaMemsetAsync(ticks->d_bits.memory, 0, bits_size, ticks->stream));
    for (size_t i = 0; i < copies && !status; i++) {
        if (!estimates)
            status = LTE_CUDA(cudaMemcpyAsync((char *)ticks->d_h.memory + i * h_size, from->h,
                                              h_size, cudaMemcpyHostToDevice, ticks->stream));
        if (!status)
            status = LTE_CUDA(cudaMemcpyAsync((char *)ticks->d_y.memory + i * y_size, from->y,
                                              y_size, cudaMemcpyHostToDevice, ticks->stream));
    }
    ticks->job.memory.h = ticks->d_h.memory;
    ticks->job.memory.n_h_in = copies * from->n_in;
    ticks->job.memory.y = ticks->d_y.memory;
    ticks->job.memory.bits = ticks->d_bits.memory;
    ticks->job.memory.n_in = copies * from->n_in;
    return status;
}

/* Memory for the estimates of a tick's slots. */
static lte_status place_estimates(lte_cuda_ticks *ticks)
{
    const size_t n = (size_t)ticks->job.n_carriers;
    const size_t residuals = (2 * n + 1) * sizeof(int64_t);
    lte_status status =
        grow(&ticks->d_estimates, n * lte_slot_h_size(&ticks->link) * sizeof(lte_cf32));
    if (!status)
        status = grow(&ticks->d_residuals, residuals);
    if (!status)
        status = grow(&ticks->d_shared, n * lte_shared_words(&ticks->link) * sizeof(uint64_t));
    if (!status)
        status = LTE_CUDA(cudaMemsetAsync(ticks->d_residuals.memory, 0, residuals, ticks->stream));
    ticks->job.memory.h = ticks->d_estimates.memory;
    ticks->job.memory.n_h_in = n;
    return status;
}

/* Estimates of the slots from first on; slot i lies at i mod n_carriers. */
static lte_status estimate(lte_cuda_ticks *ticks, uint64_t first, int n)
{
    const uint64_t n_carriers = (uint64_t)ticks->job.n_carriers;
    int64_t *const residuals = ticks->d_residuals.memory;
    int64_t *const here = residuals + ticks->n_estimated % 2 * n_carriers;
    int64_t *const next = residuals + (ticks->n_estimated + 1) % 2 * n_carriers;
    ticks->n_estimated++;
    ticks->residual = here;
    return lte_estimate_cuda(&ticks->link, ticks->job.noise, ticks->job.memory.y, first,
                             ticks->job.memory.n_in, n, ticks->d_estimates.memory, here, next,
                             ticks->stream);
}

lte_status lte_cuda_ticks_begin(lte_cuda_ticks *ticks, const lte_tick_plan *plan, bool *cached)
{
    lte_status status = leave(ticks);
    *cached = false;
    ticks->plan = *plan;
    ticks->grams_ready = false;
    ticks->job = plan->job;
    ticks->residual = NULL;
    if (!status && plan->placement == LTE_PLACEMENT_DEVICE)
        status = place_on_device(ticks, cached);
    if (!status && ticks->link.pilot >= 0)
        status = place_estimates(ticks);
    ticks->n_blocks = 0;
    if (!status && plan->job.n_carriers <= ticks->few && ticks->may_stay)
        status = lte_slot_persistent_blocks(&ticks->link, plan->job.n_carriers, &ticks->n_blocks);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(ticks->stream));
    return status;
}

/* A kernel that died is noticed, though late. */
static lte_status alive(void *user)
{
    const lte_cuda_ticks *ticks = user;
    const cudaError_t error = cudaStreamQuery(ticks->stream);
    if (error == cudaErrorNotReady)
        return LTE_OK;
    return error == cudaSuccess
               ? LTE_FAIL(LTE_EDEVICE, "the persistent kernel ended by itself")
               : lte_cuda_status(error, "the persistent kernel", __FILE__, __LINE__);
}

lte_status lte_cuda_ticks_run(lte_cuda_ticks *ticks, uint64_t first, double release_s,
                              double *completed_s)
{
    const int n = ticks->job.n_carriers;
    lte_status status = LTE_OK;
    if (ticks->n_blocks > 0) {
        if (!ticks->client)
            status = stay(ticks);
        if (!status)
            status =
                lte_doorbell_notify(ticks->client, first, release_s, alive, ticks, completed_s);
        return status;
    }
    lte_wait_until(release_s);
    if (ticks->link.pilot >= 0)
        status = estimate(ticks, first, n);
    if (!status)
        status = n <= ticks->few ? lte_slot_latency_cuda(&ticks->link, &ticks->job, ticks->residual,
                                                         first, ticks->stream)
                                 : lte_slot_throughput_cuda(&ticks->link, &ticks->job,
                                                            ticks->residual, first, ticks->stream);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(ticks->stream));
    *completed_s = lte_seconds();
    return status;
}

lte_status lte_cuda_ticks_end(lte_cuda_ticks *ticks)
{
    const lte_slot_memory *to = &ticks->plan.job.memory;
    lte_status status = leave(ticks);
    if (!status && ticks->plan.placement == LTE_PLACEMENT_DEVICE)
        status = LTE_CUDA(
            cudaMemcpyAsync(to->bits, ticks->job.memory.bits,
                            (size_t)to->n_out * LTE_SLOT_SYMBOLS * lte_packed_row(&ticks->link),
                            cudaMemcpyDeviceToHost, ticks->stream));
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(ticks->stream));
    return status;
}

/* Planes of slot i where the plan has placed them. */
static const lte_cf32 *h_of(const lte_cuda_ticks *ticks, uint64_t i)
{
    return lte_slot_memory_h(&ticks->link, &ticks->job.memory, i);
}

static const lte_cf32 *y_of(const lte_cuda_ticks *ticks, uint64_t i)
{
    return lte_slot_memory_y(&ticks->link, &ticks->job.memory, i);
}

/*
 * The channel that planes y of one slot are detected with, and their residual: from planes h, or
 * estimated.
 */
static lte_status receiver_channel(lte_cuda_ticks *ticks, const lte_cf32 *y, const lte_cf32 **h,
                                   const int64_t **residual)
{
    int64_t *const own = (int64_t *)ticks->d_residuals.memory + 2 * ticks->job.n_carriers;
    *residual = NULL;
    if (ticks->link.pilot < 0)
        return LTE_OK;
    *h = ticks->d_estimates.memory;
    *residual = own;
    const lte_status status = LTE_CUDA(cudaMemsetAsync(own, 0, sizeof *own, ticks->stream));
    return status ? status
                  : lte_estimate_cuda(&ticks->link, ticks->job.noise, y, 0, 1, 1,
                                      ticks->d_estimates.memory, own, NULL, ticks->stream);
}

lte_status lte_cuda_ticks_stages(lte_cuda_ticks *ticks, uint64_t i, double *us)
{
    const lte_link *link = &ticks->link;
    const bool host = ticks->plan.placement == LTE_PLACEMENT_HOST;
    const lte_noise noise = ticks->job.noise;
    const int detector = ticks->job.detector;
    const size_t bits_size = LTE_SLOT_SYMBOLS * ticks->job.memory.row_bytes;
    cudaStream_t stream = ticks->stream;
    const lte_cf32 *h = h_of(ticks, i), *y = y_of(ticks, i);
    const int64_t *residual = NULL;
    uint8_t *bits = lte_slot_memory_bits(&ticks->job.memory, i);
    lte_status status = leave(ticks);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_TIMED_COPY_IN], stream));
    if (!status && host) {
        if (link->pilot < 0)
            status =
                LTE_CUDA(cudaMemcpyAsync(ticks->d_h_planes, h, lte_slot_h_size(link) * sizeof *h,
                                         cudaMemcpyHostToDevice, stream));
        if (!status)
            status =
                LTE_CUDA(cudaMemcpyAsync(ticks->d_y_planes, y, lte_slot_y_size(link) * sizeof *y,
                                         cudaMemcpyHostToDevice, stream));
        h = ticks->d_h_planes;
        y = ticks->d_y_planes;
    }
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_TIMED_ESTIMATION], stream));
    if (!status)
        status = receiver_channel(ticks, y, &h, &residual);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_TIMED_CORNER_TURN], stream));
    if (!status)
        status = lte_corner_turn_cuda(link, h, y, ticks->d_h_batch, ticks->d_y_batch, stream);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_TIMED_GRAM], stream));
    if (!status)
        status = lte_gram_cuda(link, detector, noise, residual, ticks->d_h_batch, ticks->d_g_batch,
                               stream);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_TIMED_INVERSION], stream));
    if (!status)
        status = lte_invert_cuda(link, ticks->d_g_batch, ticks->d_flag, stream);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_TIMED_DETECTION], stream));
    if (!status)
        status =
            lte_detect_cuda(link, detector, noise, residual, ticks->d_h_batch, ticks->d_g_batch,
                            ticks->d_y_batch, ticks->d_label, ticks->d_flag, stream);
    if (!status)
        status = lte_pack_cuda(link, ticks->d_label, host ? ticks->d_packed : bits, stream);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_TIMED_COPY_OUT], stream));
    if (!status && host)
        status = LTE_CUDA(
            cudaMemcpyAsync(bits, ticks->d_packed, bits_size, cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_CUDA(cudaEventRecord(ticks->event[LTE_N_TIMED], stream));
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(stream));
    for (int k = 0; k < LTE_N_TIMED && !status; k++) {
        float ms = 0.0f;
        status = LTE_CUDA(cudaEventElapsedTime(&ms, ticks->event[k], ticks->event[k + 1]));
        us[k] = 1e3 * (double)ms;
        if ((!host && (k == LTE_TIMED_COPY_IN || k == LTE_TIMED_COPY_OUT)) ||
            (link->pilot < 0 && k == LTE_TIMED_ESTIMATION))
            us[k] = 0.0;
    }
    return status;
}

/* Gram matrices of a few slots, on the device and in pinned host memory. */
static lte_status make_grams(lte_cuda_ticks *ticks)
{
    const lte_link *link = &ticks->link;
    const size_t size = GRAM_SLOTS * gram_elements(link) * sizeof(lte_cf32);
    lte_status status = LTE_OK;
    if (!ticks->d_grams)
        status = LTE_CUDA(cudaMalloc((void **)&ticks->d_grams, size));
    if (!status) /* what rounding up leaves over is copied, too */
        status = LTE_CUDA(cudaMemsetAsync(ticks->d_grams, 0, size, ticks->stream));
    if (!status && !ticks->d_inverses)
        status = LTE_CUDA(cudaMalloc((void **)&ticks->d_inverses, size));
    if (!status && !ticks->grams)
        status = LTE_CUDA(cudaHostAlloc((void **)&ticks->grams, size, cudaHostAllocMapped));
    if (!status && !ticks->inverses)
        status = LTE_CUDA(cudaHostAlloc((void **)&ticks->inverses, size, cudaHostAllocMapped));
    for (uint64_t i = 0; i < GRAM_SLOTS && !status; i++) {
        const lte_cf32 *h = h_of(ticks, i);
        const int64_t *residual;
        status = receiver_channel(ticks, y_of(ticks, i), &h, &residual);
        if (!status)
            status = lte_corner_turn_cuda(link, h, y_of(ticks, i), ticks->d_h_batch,
                                          ticks->d_y_batch, ticks->stream);
        if (!status)
            status = lte_gram_cuda(link, ticks->job.detector, ticks->job.noise, residual,
                                   ticks->d_h_batch, ticks->d_g_batch, ticks->stream);
        if (!status)
            status = lte_unbatch_cuda(link, link->n_tx * link->n_tx, ticks->d_g_batch,
                                      ticks->d_grams + i * gram_elements(link), ticks->stream);
    }
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(ticks->grams, ticks->d_grams, size,
                                          cudaMemcpyDeviceToHost, ticks->stream));
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(ticks->stream));
    ticks->grams_ready = !status;
    return status;
}

lte_status lte_cuda_ticks_inversion(lte_cuda_ticks *ticks, int n, double *us)
{
    const lte_link *link = &ticks->link;
    const bool host = ticks->plan.placement == LTE_PLACEMENT_HOST;
    lte_status status = leave(ticks);
    const int most = link->n_sc * link->n_csi;
    if (!status && (n < 1 || n > most))
        status = LTE_FAIL(LTE_EINVAL, "n=%d matrices (1 to %d)", n, most);
    if (!status && !ticks->grams_ready)
        status = make_grams(ticks);
    if (status)
        return status;
    const lte_invert_version *version = lte_invert_choose(link->inverter, link->n_tx, n);
    const size_t at = ticks->inversion++ % GRAM_SLOTS * gram_elements(link);
    const double start_s = lte_seconds();
    status = version->run(link->n_tx, n, (host ? ticks->grams : ticks->d_grams) + at,
                          (host ? ticks->inverses : ticks->d_inverses) + at, ticks->d_flag,
                          ticks->stream);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(ticks->stream));
    *us = 1e6 * (lte_seconds() - start_s);
    return status;
}

const char *lte_cuda_ticks_choice(const lte_cuda_ticks *ticks)
{
    return ticks->choice;
}
