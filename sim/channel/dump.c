/* --dump-channel: the channels of a run, drawn anew into a file. */
#include "sim/channel/dump.h"

#include "phy/base/pool.h"
#include "sim/files/channel_file.h"
#include "sim/jobs/workers/stop.h"

uint64_t lte_slots_used(const lte_sweeps *sweeps, const lte_deadline *deadline)
{
    uint64_t most = 0;
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++)
        most = row->slots > most ? row->slots : most;
    for (int p = 0; deadline && p < LTE_N_PLACEMENTS; p++) {
        const uint64_t slots = (uint64_t)deadline->at[p].distinct_used;
        most = slots > most ? slots : most;
    }
    return most;
}

/* One slot's channels: batch and work for the stage, planes for the file. */
static lte_status put_slot(const lte_link *link, uint64_t slot, float *batch, void *work,
                           lte_cf32 *planes, lte_channel_writer *writer)
{
    lte_stages_best()->channel(link, slot, 0, link->carrier.n_groups, batch, work);
    const lte_status status = lte_layout_copy(link, LTE_BATCH_H, batch, LTE_PLANES_H, planes);
    return status ? status : lte_channel_writer_put(writer, slot, planes);
}

lte_status lte_channel_dump(const lte_scenario *scenario, const lte_link *link, uint64_t n_slots,
                            const char *path, lte_deadline_watch *watch, void *user)
{
    const lte_channel_shape shape = {.n_slots = n_slots,
                                     .n_rx = link->n_rx,
                                     .n_tx = link->n_tx,
                                     .n_h = link->channel.n_h,
                                     .n_sc = link->carrier.n_sc,
                                     .drop_slots = lte_drop_slots(scenario)};
    const int model = scenario->stored.h && scenario->stored.model >= 0 ? scenario->stored.model
                                                                        : scenario->channel;
    const lte_channel_origin origin = {.scenario = scenario->name,
                                       .model = lte_channel_rows[model].name,
                                       .doppler_hz = scenario->doppler_hz,
                                       .seed = scenario->seed};
    lte_channel_writer *writer = NULL;
    lte_status status = LTE_OK;
    lte_pool pool = {0};
    float *batch = lte_pool_take(&pool, lte_layout_bytes(link, LTE_BATCH_H));
    lte_cf32 *planes = lte_pool_take(&pool, lte_layout_bytes(link, LTE_PLANES_H));
    void *work = lte_pool_take(&pool, lte_stage_work(link));
    if (n_slots == 0)
        status = LTE_FAIL(
            LTE_EIO, "--dump-channel %s: the run used no slot, so there is no channel to write",
            path);
    else
        status = lte_pool_check(&pool, "the channels of a slot");
    if (!status)
        status = lte_channel_writer_create(path, &shape, &origin, &writer);
    for (uint64_t slot = 0; slot < n_slots && !status && !lte_stop_signal; slot++) {
        status = put_slot(link, slot, batch, work, planes, writer);
        watch("writing channels", (double)(slot + 1) / (double)n_slots, user);
    }
    if (!status && !lte_stop_signal)
        status = lte_channel_writer_finish(writer);
    lte_channel_writer_free(writer);
    lte_pool_free(&pool);
    return status;
}
