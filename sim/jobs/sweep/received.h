#ifndef LTE_SIM_JOBS_RECEIVED_H
#define LTE_SIM_JOBS_RECEIVED_H
/*
 * One slot as a receiver has it, at an SNR: what is sent, the channel, what is received, and what
 * it knows of the channel. Made on the processor, by stages.
 *
 *     lte_received slot = {0};
 *     lte_status status = lte_received_init(&link, &slot);
 *     lte_received_draw(&link, number, &slot);
 *     lte_noise known = lte_received_at(&link, noise, number, &power, &slot);
 *     ... slot.known, slot.y ...
 *     lte_received_free(&slot);
 */

#include "kernels/link/link.h"
#include "phy/base/pool.h"

/* Batches and planes of shapes in kernels/link/layouts.h. */
typedef struct {
    lte_pool pool;
    float *h, *y;            /* LTE_BATCH_H, LTE_BATCH_Y */
    uint32_t *sent;          /* LTE_BATCH_LABEL */
    lte_cf32 *y_planes;      /* of a receiver that estimates: the slots of its reference symbols, */
    lte_cf32 *estimate;      /* [pilots][n_rx][n_tx][n_sc] from each, */
    lte_cf32 *combined;      /* H out of two of them, */
    float *other_h, *turned; /* the channel of the other slot, H as batches */
    lte_combination combination[LTE_SLOT_SYMBOLS];
    const float *known; /* LTE_BATCH_CSI, H to the receiver: h or turned */
    void *work;         /* of stages */
} lte_received;

/* Memory; returns LTE_ENOMEM. Free is due in any case. */
lte_status lte_received_init(const lte_link *link, lte_received *slot);
void lte_received_free(lte_received *slot);

/* Payload and channel of a slot, which all SNRs have in common. */
void lte_received_draw(const lte_link *link, uint64_t number, lte_received *slot);

/* What is received of it, and known; returns the noise that a detector goes by. */
lte_noise lte_received_at(const lte_link *link, lte_noise noise, uint64_t number, lte_power *power,
                          lte_received *slot);

/* n0 of a symbol on a subcarrier by that noise. */
float lte_received_n0(lte_noise known, int symbol, int sc);

#endif
