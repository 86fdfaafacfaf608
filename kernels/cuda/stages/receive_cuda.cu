/* Stage 3 on a device: a thread per subcarrier and symbol. */
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

/* One thread takes one subcarrier of symbol blockIdx.y. */
template <int N>
static __global__ void receive_kernel(lte_link link, uint64_t slot, lte_noise noise, const float *h,
                                      const uint32_t *label, float *y, lte_power *power)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), symbol = (int)blockIdx.y;
    const int n_rx = link.n_rx;
    const bool exists = sc < link.carrier.n_groups * LTE_LANES, live = sc < link.carrier.n_sc;
    float signal = 0.0f, disturbance = 0.0f;
    if (exists) {
        const float *channel =
            batch_at(h, n_rx * N, matrix_lane(link.channel.n_h, sc, matrix_of(link, symbol)));
        float *out = y + lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, 0);
        lte_cplx x[N], row[N], z[2];
        for (int k = 0; k < N; k++) {
            if (symbol == link.receiver.pilot)
                x[k] = live ? ((const lte_cplx *)
                                   link.receiver.estimator.reference)[k * link.carrier.n_sc + sc]
                            : c_zero();
            else
                x[k] = lte_qam_map(link.n_bits,
                                   label[lte_lane_at(LTE_SLOT_SYMBOLS, N, sc, symbol, k)]);
        }
        for (int r = 0; r < n_rx; r++) {
            if (r % 2 == 0 && symbol == link.receiver.pilot)
                lte_draw_pilot_pair(&link.channel.draws, slot, (uint32_t)sc, (uint32_t)r / 2, z);
            else if (r % 2 == 0)
                lte_draw_noise_pair(&link.channel.draws, slot, (uint32_t)sc, symbol,
                                    (uint32_t)r / 2, z);
            for (int k = 0; k < N; k++)
                row[k] = batch_load(channel, r * N + k);
            batch_store(out, r,
                        lte_receive_antenna(N, row, x, r % 2 == 0 ? z[0] : z[1], noise.sigma,
                                            &signal, &disturbance));
        }
    }
    if (symbol == 0) {
        warp_add_wide(live ? lte_power_units(signal) : 0, &power->signal);
        warp_add_wide(live ? lte_power_units(disturbance) : 0, &power->noise);
    }
}

lte_status lte_receive_cuda(const lte_link *link, uint64_t slot, lte_noise noise, const float *d_h,
                            const uint32_t *d_label, float *d_y, lte_power *d_power,
                            cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), LTE_SLOT_SYMBOLS);
#define RECEIVE(n)                                                                                 \
    receive_kernel<n>                                                                              \
        <<<grid, STAGE_BLOCK, 0, stream>>>(*link, slot, noise, d_h, d_label, d_y, d_power)
    LTE_FOR_ORDER(link->n_tx, RECEIVE)
#undef RECEIVE
    return LTE_LAUNCHED(receive_kernel);
}
