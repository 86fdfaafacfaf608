#ifndef LTE_KERNELS_CUDA_H
#define LTE_KERNELS_CUDA_H
/*
 * What the device's stages offer to backend_cuda.c: launchers that start one stage for all
 * subcarriers of a slot on a stream, and the status of a call into the CUDA runtime.
 *
 *     lte_status status = LTE_CUDA(cudaMalloc((void **)&d_h, size));
 *     status = lte_channel_cuda(&link, slot, d_h, stream);
 *
 * Batches lie as kernels/link.h says, in device memory (d_). Every launcher returns LTE_EDEVICE if
 * the launch failed; what a kernel does wrong shows when the stream is waited for.
 */

#include <cuda_runtime_api.h>

#include "kernels/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The status of a call: LTE_ENOMEM if memory ran out, else LTE_EDEVICE with the call's text. */
#define LTE_CUDA(call) lte_cuda_status((call), #call, __FILE__, __LINE__)
lte_status lte_cuda_status(cudaError_t error, const char *call, const char *file, int line);

/* The status of the kernel launched just before. */
#define LTE_LAUNCHED(kernel) lte_cuda_status(cudaGetLastError(), #kernel, __FILE__, __LINE__)

/* Stages; shapes in kernels/<stage>.h, all groups of the link at once. */
lte_status lte_source_cuda(const lte_link *link, uint64_t slot, uint32_t *d_label,
                           cudaStream_t stream);
lte_status lte_channel_cuda(const lte_link *link, uint64_t slot, float *d_h, cudaStream_t stream);
lte_status lte_receive_cuda(const lte_link *link, uint64_t slot, lte_noise noise, const float *d_h,
                            const uint32_t *d_label, float *d_y, lte_power *d_power,
                            cudaStream_t stream);
lte_status lte_turn_cuda(const lte_link *link, const lte_cf32 *d_h_planes,
                         const lte_cf32 *d_y_planes, float *d_h, float *d_y, cudaStream_t stream);
/* A batch's matrices one after the other: d_matrices [n_matrices][n_elements]  out. */
lte_status lte_unbatch_cuda(int n_matrices, int n_elements, const float *d_batch,
                            lte_cf32 *d_matrices, cudaStream_t stream);
lte_status lte_gram_cuda(const lte_link *link, int detector, lte_noise noise, const float *d_h,
                         float *d_g, cudaStream_t stream);
lte_status lte_invert_cuda(const lte_link *link, float *d_a, uint8_t *d_flag, cudaStream_t stream);
lte_status lte_detect_cuda(const lte_link *link, int detector, lte_noise noise, const float *d_h,
                           const float *d_x, const float *d_y, uint32_t *d_label,
                           cudaStream_t stream);
lte_status lte_pack_cuda(const lte_link *link, const uint32_t *d_label, uint8_t *d_bits,
                         cudaStream_t stream);
lte_status lte_count_cuda(const lte_link *link, const uint32_t *d_sent, const uint32_t *d_decided,
                          const uint8_t *d_flag, lte_errors *d_errors, cudaStream_t stream);

/*
 * The fused sweep: slots first .. first + n_slots - 1 for detectors [n_detectors].
 *
 *   d_power    [n_slots]                out
 *   d_errors   [n_slots][n_detectors]   out
 */
lte_status lte_sweep_cuda(const lte_link *link, lte_noise noise, const int *detectors,
                          int n_detectors, uint64_t first, int n_slots, lte_power *d_power,
                          lte_errors *d_errors, cudaStream_t stream);

/* The version of the fused sweep that a link takes, in words. */
const char *lte_sweep_cuda_choice(const lte_link *link);

/*
 * Where the slots of a run of ticks lie; pointers that the device can follow, host memory or its
 * own. Slot i reads planes i mod n_in and writes bits i mod n_out.
 */
typedef struct {
    const lte_cf32 *h; /* [n_in][n_rx][n_tx][n_sc] */
    const lte_cf32 *y; /* [n_in][n_rx][7][n_sc] */
    uint8_t *bits;     /* [n_out][7][row_bytes]  out */
    uint64_t n_in, n_out;
    size_t row_bytes; /* of a symbol's decisions */
    lte_noise noise;
    int detector;
} lte_slots_cuda;

/*
 * The fused slot, one launch for n_carriers slots from first on.
 *
 *   few    lanes share a subcarrier: least latency
 *   many   a thread per subcarrier: most carriers
 */
lte_status lte_slot_few_cuda(const lte_link *link, const lte_slots_cuda *slots, uint64_t first,
                             int n_carriers, cudaStream_t stream);
lte_status lte_slot_many_cuda(const lte_link *link, const lte_slots_cuda *slots, uint64_t first,
                              int n_carriers, cudaStream_t stream);

/*
 * What host and resident kernel tell each other; in host memory that the device can follow. One
 * word rings: 16 bits that differ from the last ring's, and the first slot.
 */
typedef struct {
    volatile uint64_t word; /* host */
    uint64_t apart[15];     /* each side writes lines of its own */
    volatile uint64_t done; /* device: the word whose bits are all written */
} lte_bell;
#define LTE_BELL_SLOT (((uint64_t)1 << 48) - 1)
#define LTE_BELL_QUIT UINT64_MAX

/* In device memory, zero before the kernel starts. */
typedef struct {
    uint64_t word; /* the bell's, passed on to all blocks */
    unsigned int finished;
} lte_bell_relay;

/*
 * A kernel that stays: waits for the bell, runs the tick's slots as lte_slot_few_cuda does, says
 * done, waits again. Ends with LTE_BELL_QUIT.
 *
 * Returns LTE_EDEVICE if not all of its blocks can be on the device at once.
 */
lte_status lte_slot_resident_cuda(const lte_link *link, const lte_slots_cuda *slots, int n_carriers,
                                  lte_bell *bell, lte_bell_relay *d_relay, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
