#ifndef LTE_KERNELS_CUDA_H
#define LTE_KERNELS_CUDA_H
/*
 * What the device's stages offer to the CUDA backend (kernels/backends/cuda): launchers that start
 * one stage for all subcarriers of a slot on a stream, and the fused sweep and slot.
 *
 *     lte_status status = LTE_CUDA(cudaMalloc((void **)&d_h, size));
 *     status = lte_taps_cuda(&link, slot, 1, d_tap, stream);
 *     status = lte_channel_cuda(&link, slot, d_tap, d_h, stream);
 *
 * Batches lie as kernels/link/link.h says, in device memory (d_); there, too, must be what the link
 * refers to. d_residual is that of the slot, of lte_estimate_cuda; NULL if the receiver knows the
 * noise. Every launcher returns LTE_EDEVICE if the launch failed; what a kernel does wrong shows
 * when the stream is waited for.
 */

#include "kernels/cuda/detectors/detectors_cuda.h"
#include "kernels/cuda/device/loads_cuda.h"
#include "kernels/cuda/inversion/inversion_versions.h"
#include "kernels/cuda/large/large_cuda.h"
#include "kernels/cuda/slot/slot_cuda.h"
#include "kernels/cuda/stages/stages_cuda.h"
#include "kernels/cuda/sweep/sweep_cuda.h"

#endif
