/*
 * Ranks by MPI. What goes to a rank and comes back is written as it lies in memory: all ranks run
 * the same program on machines of one byte order.
 *
 *     0 -> r   order                       TAG_ORDER
 *     r -> 0   answer, records             TAG_ANSWER, TAG_RECORDS: of the orders in turn
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/ranks/launch.h"
#include "sim/ranks/ranks.h"
#include "sim/jobs/workers/stop.h"

enum { TAG_ORDER = 1, TAG_ANSWER, TAG_RECORDS };
enum { DEPTH = 2 }; /* orders at a rank: one that it counts, and its next */

static const double patience_s = 0.4; /* with other ranks, after a stop signal */

typedef enum { ORDER_TAKE, ORDER_COUNT, ORDER_END } order_kind;

typedef struct {
    int kind; /* ORDER_* */
    int csi;  /* to take */
    int n_slots, n_detectors;
    uint64_t first;
    float n0, sigma;
    lte_detector detector[LTE_MAX_DETECTORS];
} order;

typedef struct {
    int status;
    int fewest, most; /* slots of a chunk */
    int n_records;
} answer;

/* The last failure of a rank other than 0, until it is known whether others have it, too. */
static struct {
    int rank;
    bool wait;
    char text[1024];
} told;

/*
 * A call of MPI has failed here: the others may wait for what will never come. This rank waits for
 * nobody any more, and lte_ranks_end ends them all.
 */
static bool broken;

static lte_status failed(const char *call)
{
    broken = true;
    told.wait = false;
    return LTE_FAIL(LTE_EDEVICE, "MPI: %s failed", call);
}

/*
 * True from some time after a stop signal or a failure of MPI on, since *since, which is 0 before.
 */
static bool patience_is_over(double *since)
{
    if (!lte_stop_signal && !broken)
        return false;
    if (!(*since > 0.0))
        *since = lte_seconds();
    return lte_seconds() - *since > patience_s;
}

/* ---- all ranks ---- */

/* Once: what has been told is forgotten. */
static void tell(void)
{
    if (*told.text)
        (void)fprintf(stderr, "ltesim: rank %d: %s\n", told.rank, told.text);
    *told.text = '\0';
}

static void take_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)snprintf(told.text, sizeof told.text, "%s", text);
    if (!told.wait)
        tell();
}

#define TEXT(x) #x
#define VERSION_OF(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *lte_ranks_library(void)
{
#ifdef OMPI_MAJOR_VERSION
    return "OpenMPI " VERSION_OF(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
    return "MPICH " MPICH_VERSION;
#else
    return "version " VERSION_OF(MPI_VERSION, MPI_SUBVERSION, 0);
#endif
}

/* Which of the processes of this machine this is. */
static lte_status find_place(lte_ranks *ranks)
{
    MPI_Comm machine;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine))
        return failed("MPI_Comm_split_type");
    if (MPI_Comm_rank(machine, &ranks->local) || MPI_Comm_size(machine, &ranks->n_local) ||
        MPI_Comm_free(&machine))
        return failed("MPI_Comm_rank");
    return LTE_OK;
}

lte_status lte_ranks_begin(lte_ranks *ranks)
{
    int granted;
    *ranks = (lte_ranks){.n = 1, .n_local = 1};
    if (!lte_launched())
        return LTE_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &granted))
        return failed("MPI_Init_thread");
    ranks->begun = true;
    if (MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) ||
        MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank) || MPI_Comm_size(MPI_COMM_WORLD, &ranks->n))
        return failed("MPI_Comm_rank");
    told.rank = ranks->rank;
    told.wait = true;
    if (ranks->rank > 0)
        (void)lte_fail_handler_set(take_failure);
    if (granted < MPI_THREAD_FUNNELED)
        return LTE_FAIL(LTE_EDEVICE, "MPI: this library does not support threads");
    return find_place(ranks);
}

/* Tells the others that there is no more; then all end MPI together. */
static lte_status end_together(const lte_ranks *ranks)
{
    const order end = {.kind = ORDER_END};
    for (int r = 1; r < ranks->n && ranks->served; r++) {
        if (MPI_Send(&end, sizeof end, MPI_BYTE, r, TAG_ORDER, MPI_COMM_WORLD))
            return failed("MPI_Send");
    }
    return MPI_Finalize() ? failed("MPI_Finalize") : LTE_OK;
}

int lte_ranks_end(lte_ranks *ranks, int code)
{
    const bool together = ranks->begun && !ranks->lost && !broken;
    const lte_status status = together ? end_together(ranks) : LTE_OK;
    const int last = (status || broken) && code == EXIT_SUCCESS ? EXIT_FAILURE : code;
    if (ranks->begun && (!together || status))
        (void)MPI_Abort(MPI_COMM_WORLD, last);
    *ranks = (lte_ranks){.n = 1, .n_local = 1};
    return last;
}

lte_status lte_ranks_agree(const lte_ranks *ranks, lte_status status)
{
    const struct {
        int status, rank;
    } mine = {status ? 0 : 1, ranks->rank};
    struct {
        int status, rank;
    } first;
    int worst = (int)status;
    if (!ranks->begun || broken)
        return broken && !status ? LTE_EDEVICE : status;
    if (MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD) ||
        MPI_Bcast(&worst, 1, MPI_INT, first.rank, MPI_COMM_WORLD))
        return failed("MPI_Allreduce");
    if (status && ranks->rank > 0 && ranks->rank == first.rank)
        tell();
    return (lte_status)worst;
}

lte_status lte_ranks_same(const lte_ranks *ranks, const char *text)
{
    uint64_t size = strlen(text);
    if (!ranks->begun)
        return LTE_OK;
    if (MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD))
        return failed("MPI_Bcast");
    char *first = calloc(1, size + 1);
    const lte_status own =
        first ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory to compare the scenarios of all ranks");
    const lte_status worst = lte_ranks_agree(ranks, own);
    if (worst || !first) {
        free(first);
        return worst;
    }
    if (ranks->rank == 0)
        memcpy(first, text, size);
    const bool heard = !MPI_Bcast(first, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    const bool same = heard && strcmp(first, text) == 0;
    free(first);
    if (!heard)
        return failed("MPI_Bcast");
    return same ? LTE_OK : LTE_FAIL(LTE_EINVAL, "its scenario differs from that of rank 0");
}

/* ---- rank 0: the others as workers ---- */

/* An order under way. */
typedef struct {
    order out;
    answer in;
    lte_chunk *chunk;
    MPI_Request request[3]; /* of the order, the answer, the records */
} sent;

typedef struct {
    lte_ranks *ranks;
    int rank;
    sent at[DEPTH];
    uint64_t started, collected; /* the i-th order has place i mod DEPTH */
    double stopped_s;            /* when a stop signal was seen first */
} remote;

/* Bytes of a tally of so many records. */
static int bytes_of(const lte_tally *tally, int n)
{
    return (int)lte_tally_bytes(tally, n);
}

/* Requests that nobody will answer any more: their memory is about to go. */
static void forget(sent *s)
{
    for (int i = 1; i < 3; i++) {
        if (s->request[i] != MPI_REQUEST_NULL)
            (void)MPI_Cancel(&s->request[i]);
    }
}

static lte_status remote_start(lte_worker *self, lte_chunk *chunk)
{
    remote *to = self->state;
    sent *s = &to->at[to->started % DEPTH];
    if (to->started - to->collected >= DEPTH)
        return LTE_FAIL(LTE_EINVAL, "rank %d has %d chunks and takes no other", to->rank, DEPTH);
    s->chunk = chunk;
    s->out = (order){.kind = ORDER_COUNT,
                     .n_slots = chunk->n_slots,
                     .n_detectors = chunk->n_detectors,
                     .first = chunk->first,
                     .n0 = chunk->noise.n0,
                     .sigma = chunk->noise.sigma};
    memcpy(s->out.detector, chunk->detector, (size_t)chunk->n_detectors * sizeof *chunk->detector);
    for (int i = 0; i < 3; i++)
        s->request[i] = MPI_REQUEST_NULL;
    int error = MPI_Irecv(&s->in, sizeof s->in, MPI_BYTE, to->rank, TAG_ANSWER, MPI_COMM_WORLD,
                          &s->request[1]);
    error = error ? error
                  : MPI_Irecv(chunk->tally.memory, bytes_of(&chunk->tally, chunk->tally.most),
                              MPI_BYTE, to->rank, TAG_RECORDS, MPI_COMM_WORLD, &s->request[2]);
    error = error ? error
                  : MPI_Isend(&s->out, sizeof s->out, MPI_BYTE, to->rank, TAG_ORDER, MPI_COMM_WORLD,
                              &s->request[0]);
    if (error) {
        forget(s);
        return failed("sending an order");
    }
    to->started++;
    return LTE_OK;
}

/* 1: the order has been answered; 0: not yet; -1: it will not be. */
static int look(remote *from)
{
    sent *s = &from->at[from->collected % DEPTH];
    int done = 0;
    if (MPI_Testall(3, s->request, &done, MPI_STATUSES_IGNORE)) {
        (void)failed("MPI_Testall");
        return -1;
    }
    return done ? 1 : patience_is_over(&from->stopped_s) ? -1 : 0;
}

static bool remote_is_done(lte_worker *self)
{
    return look(self->state) != 0;
}

static lte_status remote_wait(lte_worker *self)
{
    remote *from = self->state;
    sent *s = &from->at[from->collected % DEPTH];
    int seen;
    for (int looks = 0; (seen = look(from)) == 0; looks++)
        lte_workers_pause(looks);
    from->collected++;
    if (seen < 0) {
        const bool known = from->ranks->lost || broken;
        forget(s);
        from->ranks->lost = true;
        return known ? LTE_EDEVICE : LTE_FAIL(LTE_EDEVICE, "rank %d does not answer", from->rank);
    }
    self->most = s->in.most;
    s->chunk->tally.n = s->in.n_records;
    return (lte_status)s->in.status; /* which the rank has announced */
}

static const lte_worker_kind remote_kind = {
    .start = remote_start,
    .is_done = remote_is_done,
    .wait = remote_wait,
};

void lte_ranks_leave(const lte_ranks *ranks, lte_worker *worker)
{
    for (int r = 1; r < ranks->n; r++) {
        free(worker[r - 1].state);
        worker[r - 1] = (lte_worker){.kind = NULL};
    }
}

static lte_status tell_to_take(const lte_ranks *ranks, int csi)
{
    const order take = {.kind = ORDER_TAKE, .csi = csi};
    for (int r = 1; r < ranks->n; r++) {
        if (MPI_Send(&take, sizeof take, MPI_BYTE, r, TAG_ORDER, MPI_COMM_WORLD))
            return failed("MPI_Send");
    }
    return LTE_OK;
}

lte_status lte_ranks_take(lte_ranks *ranks, int csi, lte_status own, lte_worker *worker)
{
    lte_status status = own;
    if (ranks->n < 2)
        return own;
    ranks->served = true;
    lte_ranks_leave(ranks, worker);
    if (tell_to_take(ranks, csi))
        return LTE_EDEVICE;
    for (int r = 1; r < ranks->n; r++) {
        answer a = {0};
        remote *state = calloc(1, sizeof *state);
        if (MPI_Recv(&a, sizeof a, MPI_BYTE, r, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
            a.status = (int)failed("MPI_Recv");
        if (!state && !status)
            status = LTE_FAIL(LTE_ENOMEM, "no memory for another rank");
        status = status ? status : (lte_status)a.status;
        if (state)
            *state = (remote){.ranks = ranks, .rank = r};
        worker[r - 1] = (lte_worker){.kind = &remote_kind,
                                     .ahead = true,
                                     .tells = true,
                                     .depth = DEPTH,
                                     .fewest = a.fewest,
                                     .most = a.most,
                                     .state = state};
    }
    return status;
}

/* ---- the other ranks ---- */

/* Chunks that a rank counts or sends back. */
typedef struct {
    lte_worker *worker;
    const lte_scenario *scenario;
    lte_chunk chunk[DEPTH + 1];
    lte_detector detector[DEPTH + 1][LTE_MAX_DETECTORS];
    answer back[DEPTH + 1];
    MPI_Request request[DEPTH + 1][2]; /* that take them back */
    uint64_t begun, counted;           /* the i-th chunk has place i mod DEPTH + 1 */
    lte_status status;                 /* of the engines */
} server;

/* Waits until what a place has has been sent. */
static void settle(server *s, int place)
{
    if (MPI_Waitall(2, s->request[place], MPI_STATUSES_IGNORE))
        s->status = failed("MPI_Waitall");
}

static void drop_chunks(server *s)
{
    for (int i = 0; i <= DEPTH; i++) {
        settle(s, i);
        if (s->worker && !broken) /* else MPI may still read it */
            lte_chunk_free(s->worker, &s->chunk[i]);
    }
}

static void serve_take(server *s, const order *o, lte_ranks_taker *take, void *user)
{
    answer a = {0};
    drop_chunks(s);
    s->worker = NULL;
    s->status = take(o->csi, user, &s->worker);
    if (!s->status) {
        a.fewest = s->worker->fewest;
        a.most = s->worker->most;
    }
    const lte_tally_cut cut = lte_sweep_cut(s->scenario, o->csi);
    for (int i = 0; i <= DEPTH && !s->status; i++) {
        s->chunk[i] = (lte_chunk){.n_counts = lte_tally_row_size(&cut),
                                  .detector = s->detector[i],
                                  .tally = {.cut = cut}};
        s->status = lte_chunk_alloc(s->worker, a.most, s->scenario->n_detectors, &s->chunk[i]);
    }
    a.status = (int)s->status;
    if (MPI_Send(&a, sizeof a, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD))
        s->status = failed("MPI_Send");
}

static void serve_count(server *s, const order *o)
{
    const int place = (int)(s->begun % (DEPTH + 1));
    lte_chunk *chunk = &s->chunk[place];
    settle(s, place);
    if (broken)
        return;
    chunk->first = o->first;
    chunk->n_slots = o->n_slots;
    chunk->n_detectors = o->n_detectors;
    chunk->noise = (lte_noise){.n0 = o->n0, .sigma = o->sigma};
    memcpy(chunk->detector, o->detector, sizeof o->detector);
    s->status = lte_tally_begin(&chunk->tally, o->n_detectors, o->first, o->n_slots);
    if (!s->status)
        s->status = s->worker->kind->start(s->worker, chunk);
    s->back[place].status = (int)s->status;
    chunk->state = s->status ? LTE_CHUNK_FAILED : LTE_CHUNK_OUT;
    s->begun++;
}

/* The chunk that goes back next. */
static lte_chunk *next_back(server *s)
{
    return &s->chunk[s->counted % (DEPTH + 1)];
}

/* True if a chunk is to go back now. */
static bool is_due(server *s)
{
    return s->counted < s->begun &&
           (next_back(s)->state == LTE_CHUNK_FAILED || s->worker->kind->is_done(s->worker));
}

/* Waits for the chunk that goes back next; one that could not be begun has failed. */
static lte_status wait_for(server *s)
{
    return next_back(s)->state == LTE_CHUNK_FAILED
               ? (lte_status)s->back[s->counted % (DEPTH + 1)].status
               : s->worker->kind->wait(s->worker);
}

/* Sends back the chunk that is done next. */
static void serve_back(server *s)
{
    const int place = (int)(s->counted % (DEPTH + 1));
    lte_chunk *chunk = next_back(s);
    lte_status status = wait_for(s);
    MPI_Request *request = s->request[place];
    if (!status)
        status = lte_chunk_sum(chunk);
    const int n = status ? 0 : chunk->tally.n;
    s->back[place] = (answer){.status = (int)status,
                              .fewest = s->worker->fewest,
                              .most = s->worker->most,
                              .n_records = n};
    if (MPI_Isend(&s->back[place], sizeof(answer), MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD,
                  &request[0]) ||
        MPI_Isend(chunk->tally.memory, bytes_of(&chunk->tally, n), MPI_BYTE, 0, TAG_RECORDS,
                  MPI_COMM_WORLD, &request[1]))
        s->status = failed("MPI_Isend");
    s->counted++;
}

/* The next order, if there is one. */
static bool next_order(server *s, order *o)
{
    int there = 0;
    if (MPI_Iprobe(0, TAG_ORDER, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE))
        s->status = failed("MPI_Iprobe");
    else if (there &&
             MPI_Recv(o, sizeof *o, MPI_BYTE, 0, TAG_ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
        s->status = failed("MPI_Recv");
    return there && !broken;
}

/* Forgets what nobody waits for any more. */
static void serve_end(server *s, bool silent)
{
    while (s->counted < s->begun) {
        (void)wait_for(s);
        s->counted++;
    }
    if (!silent && !broken)
        drop_chunks(s);
}

lte_status lte_ranks_serve(lte_ranks *ranks, const lte_scenario *scenario, lte_ranks_taker *take,
                           void *user)
{
    server s = {.scenario = scenario};
    order o = {.kind = ORDER_TAKE};
    double stopped_s = 0.0;
    bool silent = false;
    told.wait = false;
    for (int i = 0; i <= DEPTH; i++) {
        for (int k = 0; k < 2; k++)
            s.request[i][k] = MPI_REQUEST_NULL;
    }
    for (int looks = 0; o.kind != ORDER_END && !silent && !broken; looks++) {
        if (next_order(&s, &o)) {
            looks = 0;
            if (o.kind == ORDER_TAKE)
                serve_take(&s, &o, take, user);
            else if (o.kind == ORDER_COUNT)
                serve_count(&s, &o);
        } else if (broken) {
            break;
        } else if (is_due(&s)) {
            looks = 0;
            serve_back(&s);
        } else {
            silent = patience_is_over(&stopped_s) && lte_seconds() - stopped_s > 10.0 * patience_s;
            lte_workers_pause(looks);
        }
    }
    ranks->lost = silent;
    serve_end(&s, silent);
    return silent ? LTE_FAIL(LTE_EDEVICE, "rank 0 does not answer") : s.status;
}
