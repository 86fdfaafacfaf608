#ifndef LTE_KERNELS_SWEEP_OUTPUTS_CUH
#define LTE_KERNELS_SWEEP_OUTPUTS_CUH
/*
 * What a thread of the sweep makes of its subcarrier, a struct each: bits_alone, of payload that is
 * drawn; and with_llrs, which are counted of drawn payload or stored of what blocks carry. The
 * kernels are instances for one of them, OUT.
 */

#include "kernels/base/labels.h"
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/device/llrs.cuh"
#include "kernels/cuda/sweep/sweep_counts.cuh"

namespace
{

/* Shared memory: what a block has, and the thread's own part of it. */
struct block_memory {
    uint32_t *counts;   /* [OUT::COUNTS], what the block's LLRs are worth */
    lte_cplx *qam;      /* [2^n_bits], the points of the constellation */
    uint32_t *words;    /* [4 payload_blocks][blockDim.x], drawn payload */
    lte_cplx *matrices; /* [stride], of the thread */
};

/* Labels of one subcarrier in their order, from payload words of this thread. */
struct payload {
    const uint32_t *word; /* the next lies blockDim.x on */
    uint32_t current;
    int i; /* labels taken from it */
};

__device__ __forceinline__ uint32_t next_label(const lte_draws *draws, payload *p)
{
    if (p->i == draws->payload_per_word) {
        p->word += blockDim.x;
        p->current = *p->word;
        p->i = 0;
    }
    const uint32_t label = p->current & ((1u << draws->n_bits) - 1u);
    p->current >>= draws->n_bits;
    p->i++;
    return label;
}

/* Payload words of one subcarrier to shared memory: [4 payload_blocks][blockDim.x]. */
__device__ __forceinline__ void draw_payload(const lte_draws *draws, uint64_t slot, int sc,
                                             uint32_t *words)
{
    for (uint32_t b = 0; b < draws->payload_blocks; b++) {
        const lte_words w =
            lte_draw(draws, slot, LTE_DRAW_PAYLOAD, (uint32_t)sc * draws->payload_blocks + b);
        for (int k = 0; k < 4; k++)
            words[(4 * b + k) * blockDim.x + threadIdx.x] = w.v[k];
    }
}

/* The subcarrier of a thread: where it lies, and what is known before its first symbol. */
struct subcarrier {
    int slot_index, sc; /* of the launch, of the carrier or behind it */
    int place;          /* sc, or the last one if there is no such subcarrier */
    uint64_t slot;
    bool live, counts; /* it exists; and its decoder still needs it */
    int n_rx, n_tx, n_detectors, n_state;
    bool estimates, both; /* H is estimated; from two reference symbols */
    bool carries;         /* the slot carries coded labels and its LLRs are stored */
    lte_draws draws;
    payload sent;
    lte_cplx *h, *y, *w; /* [n_rx][n_tx], [n_rx], [n_detectors][n_state] */
    /* what the slot carries: labels of layer 0, how their LLRs are flipped, where they go */
    const uint8_t *labels, *flips;
    int8_t *llrs;
};

/* Decisions alone. */
struct bits_alone {
    enum { COUNTS = 0, SINRS = 0 }; /* counts that a block keeps, and SINRs of a layer */

    /* Whether a kernel of order n asks how many reference symbols there are, or knows it. */
    static __host__ __device__ constexpr bool asks_references(int n)
    {
        return is_rare(n);
    }

    /* The slot of an entry of a launch, counted from the first. */
    static __device__ __forceinline__ int slot_of(const sweep_args &, int entry)
    {
        return entry;
    }
    static __device__ __forceinline__ bool carries(const sweep_args &)
    {
        return false;
    }
    /* Whether its LLRs are still needed. */
    static __device__ __forceinline__ bool listens(const sweep_args &, int)
    {
        return true;
    }

    /* Counts of a block, before its first symbol and once all of its warps are here. */
    static __device__ __forceinline__ void begin(const sweep_args &, uint32_t *)
    {
    }
    template <int N>
    static __device__ __forceinline__ void end(const sweep_args &, int, const uint32_t *)
    {
    }

    /* The payload of a subcarrier, and its label of layer k. */
    static __device__ __forceinline__ void draw(const subcarrier &s, uint32_t *words)
    {
        draw_payload(&s.draws, s.slot, s.sc, words);
    }
    static __device__ __forceinline__ uint32_t label(const sweep_args &, subcarrier *s, int, int)
    {
        return next_label(&s->draws, &s->sent);
    }
    /* What a detector has estimated of a symbol, estimate [n_tx], rho [n_tx]; sent: label [n_tx] */
    template <int N>
    static __device__ __forceinline__ void take(const sweep_args &, const subcarrier &, int,
                                                const lte_cplx *, const float *, const uint32_t *,
                                                uint32_t *)
    {
    }
};

/* With LLRs: counted, or stored for the decoder of a code. */
struct with_llrs {
    enum { COUNTS = MOST_LLR_COUNTS, SINRS = 1 };

    static __host__ __device__ constexpr bool asks_references(int)
    {
        return true;
    }

    /* Two entries are a process's if they carry blocks. */
    static __device__ __forceinline__ int slot_of(const sweep_args &a, int entry)
    {
        const lte_carried &c = a.carried;
        return carries(a) ? (int)lte_code_slot(&c.plan, (uint64_t)(entry / 2), c.turn) + entry % 2
                          : entry;
    }
    static __device__ __forceinline__ bool carries(const sweep_args &a)
    {
        return a.carried.labels != NULL;
    }
    static __device__ __forceinline__ bool listens(const sweep_args &a, int entry)
    {
        return !carries(a) || a.carried.listens[a.column * a.carried.n_processes + entry / 2];
    }

    static __device__ __forceinline__ void begin(const sweep_args &a, uint32_t *counts)
    {
        const bool stores = carries(a);
        for (int i = threadIdx.x; !stores && i < n_llr_counts(a.link); i += blockDim.x)
            counts[i] = 0;
    }
    template <int N>
    static __device__ __forceinline__ void end(const sweep_args &a, int slot_index,
                                               const uint32_t *counts)
    {
        if (!carries(a))
            flush_llr_counts(a, layers_of<N>(a.link), slot_index, counts);
    }

    static __device__ __forceinline__ void draw(const subcarrier &s, uint32_t *words)
    {
        if (!s.carries)
            draw_payload(&s.draws, s.slot, s.sc, words);
    }
    static __device__ __forceinline__ uint32_t label(const sweep_args &a, subcarrier *s, int symbol,
                                                     int k)
    {
        return s->carries ? lte_label_at(a.link.n_bits, s->labels,
                                         (symbol * s->n_tx + k) * a.link.carrier.n_sc)
                          : next_label(&s->draws, &s->sent);
    }

    template <int N>
    static __device__ __forceinline__ void
    take(const sweep_args &a, const subcarrier &s, int symbol, const lte_cplx *estimate,
         const float *rho, const uint32_t *sent, uint32_t *counts)
    {
        const lte_link &link = a.link;
        if (s.carries && s.counts)
            store_llrs<N>(link, estimate, rho,
                          s.flips +
                              symbol * s.n_tx * link.carrier.n_sc * lte_label_bytes(link.n_bits),
                          s.llrs + symbol * s.n_tx * link.n_bits * link.carrier.n_sc);
        else if (!s.carries)
            count_llrs<N>(link, symbol, estimate, rho, sent, s.live, counts);
    }
};

} // namespace

#endif
