#ifndef LTE_KERNELS_BACKEND_H
#define LTE_KERNELS_BACKEND_H
/*
 * Where the link runs: one constant table of functions per backend, and an engine that holds what
 * the backend needs for one link.
 *
 *     const lte_backend *backend;
 *     lte_engine *engine = NULL;
 *     lte_status status = lte_backend_open("auto", &backend);
 *     status = backend->create(backend, &link, n_threads, &engine);
 *     status = backend->sweep(engine, noise, detectors, n, first, n_slots, power, errors);
 *     backend->free(engine);
 *
 * To add a backend: its table in a file of its own, and its line in the list of backend.c. Every
 * backend gives the same bits.
 */

#include "kernels/stages.h"
#include "phy/status.h"

typedef struct lte_backend lte_backend;

/* A backend's own state for one link; only its table knows what is inside. */
typedef struct lte_engine lte_engine;

/* One slot of the deadline run in host memory; shapes in kernels/turn.h and kernels/detect.h. */
typedef struct {
    const lte_cf32 *h;
    const lte_cf32 *y;
    uint8_t *bits; /* out */
} lte_slot_io;

/* The parts of a slot that are timed one by one. */
#define LTE_TIMED_STAGES(X)                                                                        \
    X(COPY_IN, "copy_in")                                                                          \
    X(CORNER_TURN, "corner_turn")                                                                  \
    X(GRAM, "gram")                                                                                \
    X(INVERSION, "inversion")                                                                      \
    X(DETECTION, "detection")                                                                      \
    X(COPY_OUT, "copy_out")
#define LTE_TIMED_ID(id, name) LTE_TIMED_##id,
enum { LTE_TIMED_STAGES(LTE_TIMED_ID) LTE_N_TIMED };
#undef LTE_TIMED_ID
extern const char *const lte_timed_names[LTE_N_TIMED];

struct lte_backend {
    const char *name;         /* as in backend = "cpu:v3" */
    const char *text;         /* one line for --list */
    const lte_stages *stages; /* the stages in host memory; NULL if the backend has none */
    bool (*usable)(void);     /* this machine can run it */

    /* An engine for a link, on n_threads threads (0: as many as there are processors). */
    lte_status (*create)(const lte_backend *self, const lte_link *link, int n_threads,
                         lte_engine **engine);
    void (*free)(lte_engine *engine);
    int (*threads)(const lte_engine *engine);

    /* Ticks use at most n_threads threads from now on (1 to threads()); sweeps use all. */
    void (*limit_tick)(lte_engine *engine, int n_threads);

    /*
     * Slots first .. first + n_slots - 1 at one SNR, for detectors [n_detectors] over the same
     * draws.
     *
     *   power    [n_slots]                out
     *   errors   [n_slots][n_detectors]   out
     */
    lte_status (*sweep)(lte_engine *engine, lte_noise noise, const int *detectors, int n_detectors,
                        uint64_t first, int n_slots, lte_power *power, lte_errors *errors);

    /* One tick of the deadline run: n slots from planes to packed bits, n <= 100000. */
    lte_status (*tick)(lte_engine *engine, int detector, lte_noise noise, const lte_slot_io *io,
                       int n);

    /*
     * One slot by stages, unfused: microseconds [LTE_N_TIMED] of each, zero where the backend
     * copies nothing.
     */
    lte_status (*tick_stages)(lte_engine *engine, int detector, lte_noise noise,
                              const lte_slot_io *io, double *us);
};

/* Every backend of this build; NULL ends the list. */
extern const lte_backend *const lte_backends[];

/*
 * The backend called name; "auto" and "cpu" mean the fastest that this machine runs.
 *
 * Returns LTE_EINVAL for an unknown name, LTE_EDEVICE for one that this machine cannot run.
 */
lte_status lte_backend_open(const char *name, const lte_backend **backend);

/* True if name is a backend name of this build, "auto" and "cpu" among them. */
bool lte_backend_known(const char *name);

/* The names, as "auto, cpu, cpu:ref, ...", for messages. */
const char *lte_backend_names(void);

#endif
