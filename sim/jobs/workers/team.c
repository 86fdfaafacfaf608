/* Engines on all places that a backend means. */
#include "sim/jobs/workers/team.h"

#include "sim/jobs/workers/worker_thread.h"

lte_status lte_team_open(const char *name, int n_threads, size_t device_memory, lte_team *team)
{
    *team = (lte_team){.n_threads = n_threads, .device_memory = device_memory};
    return lte_backend_places(name, team->place, &team->n);
}

void lte_team_share(lte_team *team, int i)
{
    team->place[0] = team->place[i % team->n];
    team->n = 1;
    team->shared = true;
}

/* A processor among several places leaves a thread to each of the others. */
static int threads_of(const lte_team *team, int i, bool all)
{
    const int others = all && team->place[i].backend->stages ? team->n - 1 : 0;
    return team->n_threads > others ? team->n_threads - others : 1;
}

static lte_status make_engine(lte_team *team, int i, const lte_link *link, int n_detectors,
                              bool all)
{
    const lte_place *place = &team->place[i];
    const lte_engine_options options = {.n_threads = threads_of(team, i, all),
                                        .device = place->device,
                                        .n_detectors = n_detectors,
                                        .device_memory = team->device_memory};
    return place->backend->create(place->backend, link, &options, &team->engine[i]);
}

lte_status lte_team_take(lte_team *team, const lte_link *link, int n_detectors, bool all)
{
    const int n = all ? team->n : 1;
    lte_status status = LTE_OK;
    lte_team_leave(team);
    for (int i = 0; i < n && !status; i++)
        status = make_engine(team, i, link, n_detectors, all);
    for (int i = 0; i < n && !status && all; i++) {
        const lte_worker worker = lte_worker_of(team->place[i].backend, team->engine[i]);
        if (n == 1 && !team->shared)
            team->worker[i] = worker;
        else
            status = lte_worker_thread_create(worker, link->output.n_counts, n_detectors,
                                              &team->worker[i]);
        team->n_workers += !status;
    }
    if (status)
        lte_team_leave(team);
    return status;
}

void lte_team_leave(lte_team *team)
{
    for (int i = 0; i < team->n_workers; i++)
        lte_worker_thread_free(&team->worker[i]);
    team->n_workers = 0;
    for (int i = 0; i < team->n; i++) {
        if (team->engine[i])
            team->place[i].backend->free(team->engine[i]);
        team->engine[i] = NULL;
    }
}

int lte_team_threads(const lte_team *team)
{
    int n = 0;
    for (int i = 0; i < team->n; i++)
        n += team->engine[i] ? team->place[i].backend->threads(team->engine[i]) : 0;
    return n;
}
