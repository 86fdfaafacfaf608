/* A slot as a receiver has it, by the stages of the processor. */
#include "sim/jobs/sweep/received.h"

#include "kernels/cpu/stages.h"
#include "kernels/link/layouts.h"
#include "kernels/link/slot_memory.h"

lte_status lte_received_init(const lte_link *link, lte_received *slot)
{
    const size_t pilots = (size_t)link->receiver.pilots;
    slot->h = lte_pool_take(&slot->pool, lte_layout_bytes(link, LTE_BATCH_H));
    slot->y = lte_pool_take(&slot->pool, lte_layout_bytes(link, LTE_BATCH_Y));
    slot->y_planes = lte_pool_take(&slot->pool, pilots * lte_layout_bytes(link, LTE_PLANES_Y));
    slot->estimate = lte_pool_take(&slot->pool, pilots * lte_layout_bytes(link, LTE_PLANES_CSI));
    slot->combined = lte_pool_take(&slot->pool, lte_layout_bytes(link, LTE_PLANES_CSI));
    slot->other_h = lte_pool_take(&slot->pool, lte_layout_bytes(link, LTE_BATCH_H));
    slot->turned = lte_pool_take(&slot->pool, lte_layout_bytes(link, LTE_BATCH_CSI));
    slot->sent = lte_pool_take(&slot->pool, lte_layout_bytes(link, LTE_BATCH_LABEL));
    slot->work = lte_pool_take(&slot->pool, lte_stage_work(link));
    return lte_pool_check(&slot->pool, "the batches of a slot");
}

void lte_received_free(lte_received *slot)
{
    lte_pool_free(&slot->pool);
}

void lte_received_draw(const lte_link *link, uint64_t number, lte_received *slot)
{
    const lte_stages *stages = lte_stages_best();
    const int n_groups = link->carrier.n_groups;
    stages->source(link, number, 0, n_groups, slot->sent, slot->work);
    stages->channel(link, number, 0, n_groups, slot->h, slot->work);
    if (link->receiver.pilots > 1)
        stages->channel(link, lte_other_slot(number), 0, n_groups, slot->other_h, slot->work);
}

/* The planes of y of a slot, its own or that of the other reference symbol. */
static lte_cf32 *y_planes_of(const lte_link *link, uint64_t number, const lte_received *slot)
{
    return &slot->y_planes[number % (uint64_t)link->receiver.pilots * lte_slot_y_size(link)];
}

/* An estimate out of both reference symbols of the subframe: slot->combined, and the noise. */
static lte_noise combine(const lte_link *link, lte_noise noise, uint64_t number, lte_received *slot)
{
    const lte_stages *stages = lte_stages_best();
    const uint64_t other = lte_other_slot(number);
    const lte_cf32 *y = &slot->y_planes[LTE_PILOT_SYMBOL * link->carrier.n_sc];
    const ptrdiff_t size = (ptrdiff_t)link->n_rx * link->n_tx * link->carrier.n_sc;
    lte_power unused = {0, 0};
    stages->receive(link, other, noise, lte_groups_of(0, link->carrier.n_groups, slot->work),
                    slot->other_h, slot->sent, slot->y,
                    &unused); /* of its symbols only the reference, which has no label, is read */
    (void)lte_layout_copy(link, LTE_BATCH_Y, slot->y, LTE_PLANES_Y, y_planes_of(link, other, slot));
    lte_noise known = lte_stages_estimate_subframe(stages, link, noise, y,
                                                   (ptrdiff_t)LTE_SLOT_SYMBOLS * link->carrier.n_sc,
                                                   slot->estimate, slot->work);
    lte_link_combine(link, number, &known, slot->combination);
    stages->combine(link, slot->combination, 0, link->carrier.n_groups,
                    &slot->estimate[(ptrdiff_t)(number % 2) * size],
                    &slot->estimate[(ptrdiff_t)(other % 2) * size], slot->combined);
    return known;
}

/* What the receiver goes by: slot->known, and the noise. */
static lte_noise make_known(const lte_link *link, lte_noise noise, uint64_t number,
                            lte_received *slot)
{
    const lte_stages *stages = lte_stages_best();
    const int n_sc = link->carrier.n_sc;
    if (!lte_link_estimates(link)) {
        slot->known = slot->h;
        return noise;
    }
    lte_cf32 *const y = y_planes_of(link, number, slot);
    (void)lte_layout_copy(link, LTE_BATCH_Y, slot->y, LTE_PLANES_Y, y);
    const bool both = link->receiver.pilots > 1;
    const lte_noise known =
        both ? combine(link, noise, number, slot)
             : lte_stages_estimate(stages, link, noise, &y[LTE_PILOT_SYMBOL * n_sc],
                                   (ptrdiff_t)LTE_SLOT_SYMBOLS * n_sc, slot->estimate, slot->work);
    stages->corner_turn(link, 0, link->carrier.n_groups, both ? slot->combined : slot->estimate, y,
                        slot->turned, slot->y);
    slot->known = slot->turned;
    return known;
}

lte_noise lte_received_at(const lte_link *link, lte_noise noise, uint64_t number, lte_power *power,
                          lte_received *slot)
{
    lte_stages_best()->receive(link, number, noise,
                               lte_groups_of(0, link->carrier.n_groups, slot->work), slot->h,
                               slot->sent, slot->y, power);
    return make_known(link, noise, number, slot);
}

float lte_received_n0(lte_noise known, int symbol, int sc)
{
    if (!known.estimation_error)
        return known.n0;
    const float error = known.estimation_error[sc];
    return known.combination ? lte_combined_n0(known.combination[symbol], known.n0, error)
                             : lte_effective_n0(known.n0, error);
}
