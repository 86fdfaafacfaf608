#ifndef LTE_KERNELS_BACKENDS_BACKEND_H
#define LTE_KERNELS_BACKENDS_BACKEND_H
/*
 * Where the link runs: one constant table of functions per backend, and an engine that holds what
 * the backend needs for one link.
 *
 *     const lte_backend *backend;
 *     lte_engine *engine = NULL;
 *     lte_engine_options options = {.n_threads = 0};
 *     lte_status status = lte_backend_open("auto", &backend, &options.device);
 *     status = backend->create(backend, &link, &options, &engine);
 *     status = backend->sweep->start(engine, noise, detectors, n, first, n_slots, power, errors);
 *     status = backend->sweep->wait(engine);    // now power and errors are there
 *     backend->free(engine);
 *
 * To add a backend: its table in a file of its own, and its line in kernels/parts.cmake, which
 * writes the list. Every backend gives the same bits.
 */

#include <signal.h>

#include "kernels/backends/method_ops.h"
#include "kernels/link/slot_memory.h"
#include "kernels/cpu/stages.h"
#include "phy/coding/turbo_decoder.h"
#include "phy/base/status.h"

typedef struct lte_backend lte_backend;

/* A backend's own state for one link; only its table knows what is inside. */
typedef struct lte_engine lte_engine;

enum {
    LTE_MAX_THREADS = 1024,    /* of the processor */
    LTE_MAX_THREAD_TRIALS = 12 /* 1, 2, 4, ... up to so many */
};

/* How an engine is made; zeros are good defaults. */
typedef struct {
    int device;           /* place among the backend's devices, from 0 */
    int n_threads;        /* processor threads; 0: as many as there are processors */
    int n_detectors;      /* most of a sweep's start; 0: as many as there are */
    size_t device_memory; /* bytes that a sweep may take on the device; 0: 2 GB */
} lte_engine_options;

/* The detectors of a sweep's start that an engine is made for. */
LTE_INLINE int lte_engine_detectors(const lte_engine_options *options)
{
    return options->n_detectors > 0 ? options->n_detectors : LTE_N_DETECTORS;
}

/* A device in words, for tables and run.json; an empty text is unknown. */
typedef struct {
    char name[128];                  /* "NVIDIA H200" */
    char text[128];                  /* size: multiprocessors, memory, L2 */
    char driver[64];                 /* version of the driver */
    int clock_mhz, memory_clock_mhz; /* highest clocks; 0: unknown */
    size_t l2_bytes;
    /* at these, and of the bus to the host in one direction; 0: unknown */
    double flops_per_s, memory_bytes_per_s, bus_bytes_per_s;
} lte_device;

/* Where a slot period finds its slots and leaves its bits. */
#define LTE_PLACEMENTS(X)                                                                          \
    X(HOST, "host")                                                                                \
    X(DEVICE, "device")
#define LTE_PLACEMENT_ID(id, name) LTE_PLACEMENT_##id,
enum { LTE_PLACEMENTS(LTE_PLACEMENT_ID) LTE_N_PLACEMENTS };
#undef LTE_PLACEMENT_ID
extern const char *const lte_placement_names[LTE_N_PLACEMENTS];

/* The parts of a slot that are timed one by one. */
#define LTE_TIMED_STAGES(X)                                                                        \
    X(COPY_IN, "copy_in")                                                                          \
    X(ESTIMATION, "estimation")                                                                    \
    X(CORNER_TURN, "corner_turn")                                                                  \
    X(GRAM, "gram")                                                                                \
    X(INVERSION, "inversion")                                                                      \
    X(DETECTION, "detection")                                                                      \
    X(RATE_MATCHING, "rate_matching")                                                              \
    X(DECODING, "decoding")                                                                        \
    X(CRC, "crc")                                                                                  \
    X(COPY_OUT, "copy_out")
#define LTE_TIMED_ID(id, name) LTE_TIMED_##id,
enum { LTE_TIMED_STAGES(LTE_TIMED_ID) LTE_N_TIMED };
#undef LTE_TIMED_ID
extern const char *const lte_timed_names[LTE_N_TIMED];

/* What a backend does for a sweep: draws to error counts. */
typedef struct {
    bool ahead; /* start returns before its work is done */

    /* Most slots of one start, and the fewest that keep the backend busy. */
    void (*sizes)(const lte_engine *engine, int *fewest, int *most);

    /*
     * Slots first .. first + n_slots - 1 at one SNR, for several detectors over the same draws,
     * with a code whole groups (lte_code_group_slots); one start at a time. The outputs are
     * written by wait at the latest and must live until then; those of host_alloc let a start that
     * works ahead return early.
     *
     *   detectors   [n_detectors], no more than the engine was made for
     *   power       [n_slots]                                    out
     *   errors      [n_slots][n_detectors][n_counts]   out
     */
    lte_status (*start)(lte_engine *engine, lte_noise noise, const lte_detector *detectors,
                        int n_detectors, uint64_t first, int n_slots, lte_power *power,
                        uint32_t *errors);

    /* True if wait would return at once; also where the backend has failed, which wait says. */
    bool (*is_done)(lte_engine *engine);
    lte_status (*wait)(lte_engine *engine);
} lte_sweep_ops;

/* What a run of slot periods has in common. */
typedef struct {
    lte_slot_job job; /* in memory of host_alloc that lives until the run's end */
    int placement;    /* LTE_PLACEMENT_* */
    int n_threads;    /* processor threads that share a period, 1 to threads(); 0: as few as do */
    double enough_us; /* of such a choice: a median period this short is short enough */
    const volatile sig_atomic_t *stop; /* not 0: what is begun may be left undone; may be NULL */
} lte_slot_plan;

/* A number of threads, and the median period of what is due with them. */
typedef struct {
    int n_threads;
    double median_us;
} lte_thread_trial;

/* What beginning a run has found. */
typedef struct {
    int n_threads;                                 /* that share a period */
    lte_thread_trial trial[LTE_MAX_THREAD_TRIALS]; /* [n_trials] that led to the choice */
    int n_trials;                                  /* 0: there was nothing to choose */
    bool cached;                                   /* data on the device stay in its caches */
} lte_slot_setup;

/*
 * What a backend does for a deadline run: planes to packed bits, or LLRs, or on to transport
 * blocks. Slot periods come in runs, from begin to end; between two periods a kernel may stay on
 * the device, so no sweep until end.
 */
typedef struct {
    int n_placements; /* 1: host memory alone */

    /*
     * Gets ready for periods of n_carriers slots. With placement DEVICE copies the slots there, as
     * many times as it takes to outgrow the caches, or sets setup->cached. Where threads are to be
     * chosen, tries out their numbers on the plan's slots: the fewest that are enough, or else the
     * fastest.
     */
    lte_status (*begin)(lte_engine *engine, const lte_slot_plan *plan, lte_slot_setup *setup);

    /*
     * One period: slots first .. first + n_carriers - 1, from planes to packed bits or LLRs, begun
     * at release_s of lte_seconds, at once if that is past. *completed_s: when all were there.
     * *gap_s grows to the longest time between two looks at the clock while it waited.
     */
    lte_status (*run)(lte_engine *engine, uint64_t first, double release_s, double *completed_s,
                      double *gap_s);

    /*
     * The transport blocks of subframes whose second slots are those of the period that has just
     * run, from slot first on: LLRs to bits. *completed_s: when all were there. For links that
     * carry a code.
     */
    lte_status (*decode)(lte_engine *engine, uint64_t first, double *completed_s);

    /* Ends the run; with placement DEVICE copies the outputs to the plan's bits. */
    lte_status (*end)(lte_engine *engine);

    /*
     * A program's own slots in the device's memory, and from there, n_slots one after the other,
     * into another layout in memory of host_alloc; done when it returns. Not within a run. holds:
     * NULL for a backend without memory of its own.
     */
    bool (*holds)(const lte_engine *engine, const void *array);
    lte_status (*take)(lte_engine *engine, int n_slots, lte_layout_id from, const void *d_x,
                       lte_layout_id to, void *y);

    /*
     * Slot i by stages, unfused, within a run: microseconds [LTE_N_TIMED] of each, zero where the
     * backend copies nothing or the receiver estimates nothing. Of a link that gives LLRs detection
     * is all from planes to those; of one that carries a code the second slot of subframe i, and
     * then its blocks.
     */
    lte_status (*stages)(lte_engine *engine, uint64_t i, double *us);

    /*
     * The inversion alone within a run: n matrices of the slots' Gram matrices inverted once, from
     * and to memory of the plan's placement; microseconds. NULL if there is none.
     */
    lte_status (*inversion)(lte_engine *engine, int n, double *us);
} lte_slot_ops;

/* A backend's own state for batches of matrices. */
typedef struct lte_matrices lte_matrices;

/* Matrices that a program hands over, time and again. */
typedef struct {
    int inverter;  /* LTE_INVERTER_* */
    int element;   /* LTE_CFLOAT; where the inverter works on matrices one by one, or LTE_CDOUBLE */
    int n;         /* order */
    int n_threads; /* processor threads; 0: as many as there are processors */
    int device;    /* place among the backend's devices, from 0 */
} lte_matrices_plan;

/* What a backend does with them. */
typedef struct {
    /* Returns LTE_ENOMEM, LTE_EDEVICE. */
    lte_status (*create)(const lte_backend *self, const lte_matrices_plan *plan,
                         lte_matrices **matrices);
    void (*free)(lte_matrices *matrices);

    /*
     * x <- a^-1, done when it returns; each array in host memory or on the device. Flagged matrices
     * go through a second pass (kernels/backends/second_pass.h).
     *
     *   a, x   [n_matrices][n][n]  row major, as lte_inverse_check wants them
     *   flag   [n_matrices]        out: 1 where there is no finite inverse, whose x is zero, else 0
     *
     * Returns LTE_ENOMEM, LTE_EDEVICE.
     */
    lte_status (*invert)(lte_matrices *matrices, int n_matrices, const void *a, void *x,
                         uint8_t *flag);
} lte_matrix_ops;

/* A backend's own state for code blocks of a size. */
typedef struct lte_decoder lte_decoder;

/* Code blocks that a program hands over, time and again. */
typedef struct {
    lte_turbo_plan turbo;
    int n_threads; /* processor threads; 0: as many as there are processors */
    int device;    /* place among the backend's devices, from 0 */
} lte_decoder_plan;

/* What a backend does with them. */
typedef struct {
    /* Returns LTE_EINVAL for a plan that it does not take, LTE_ENOMEM, LTE_EDEVICE. */
    lte_status (*create)(const lte_backend *self, const lte_decoder_plan *plan,
                         lte_decoder **decoder);
    void (*free)(lte_decoder *decoder);

    /*
     * Decodes n blocks, done when it returns; each array in host memory or on the device.
     *
     *   llr          [n][3][k + 4]
     *   bits         [n][k]         out
     *   iterations   [n]            out
     *
     * Returns LTE_ENOMEM, LTE_EDEVICE.
     */
    lte_status (*decode)(lte_decoder *decoder, int n, const int8_t *llr, uint8_t *bits,
                         uint8_t *iterations);
} lte_decoder_ops;

struct lte_backend {
    const char *name;         /* as in backend = "cpu:v3"; device N of "cuda" is "cuda:N" */
    const char *text;         /* one line for --list */
    const lte_stages *stages; /* the stages in host memory; NULL if the backend has none */
    const lte_sweep_ops *sweep;
    const lte_slot_ops *slots;
    const lte_matrix_ops *matrices;
    const lte_method_ops *methods; /* NULL: those of the processor, whose text is called itself */
    const lte_decoder_ops *decoding;

    /* Devices that this machine can run it on now; a processor that can counts as one. */
    int (*n_devices)(void);

    /* Why that is none, or fewer than there are, in words; "" if nothing is wrong. Devices only. */
    const char *(*why_none)(void);

    /* Describes device number i. Returns LTE_EDEVICE. */
    lte_status (*describe)(int i, lte_device *device);

    /* An engine for a link. Returns LTE_ENOMEM, LTE_EDEVICE. */
    lte_status (*create)(const lte_backend *self, const lte_link *link,
                         const lte_engine_options *options, lte_engine **engine);
    void (*free)(lte_engine *engine);

    /* Processor threads that the engine may use. */
    int (*threads)(const lte_engine *engine);

    /* Versions and mappings that the engine chose, in words; valid as long as the engine. */
    const char *(*choices)(const lte_engine *engine);

    /* Memory for slots that this backend reads without a copy in between; free(NULL) is fine. */
    lte_status (*host_alloc)(lte_engine *engine, size_t size, void **memory);
    void (*host_free)(lte_engine *engine, void *memory);
};

#define LTE_CUDA_TEXT "NVIDIA GPU, compute capability 8.0 or later" /* of lte_backend_cuda */

/* Every one that is known: the CPU by instruction set, and the CUDA devices. */
extern const lte_backend lte_backend_cpu_ref, lte_backend_cpu_v3, lte_backend_cpu_v4;
extern const lte_backend lte_backend_cpu_neon, lte_backend_cuda;

/*
 * Every backend of this program, slowest first: "auto" takes the last that is usable. NULL ends the
 * list. Those that are known besides: lte_levels (kernels/base/levels.h), and "cuda".
 */
extern const lte_backend *const lte_backends[];

/* How a program comes by a set that is known and not built, and by device code: for messages. */
extern const char lte_backend_set_command[], lte_backend_cuda_command[];

/* The backend of this program with that name of its own, or NULL. */
const lte_backend *lte_backend_find(const char *name);

/* A device of a backend. */
typedef struct {
    const lte_backend *backend;
    int device; /* place among the backend's, from 0 */
} lte_place;

enum { LTE_MAX_PLACES = 64, LTE_BACKEND_NAME = 400 }; /* and longest name, with its end */

/*
 * What a name means on this machine: "auto" and "cpu" the fastest backend that it runs, "cuda"
 * device 0, "cuda:N" device N, "cuda:0,2" several, "cuda:all" every one; "all" those, if there are
 * any, and the fastest backend of the processor behind them.
 *
 *   places   [LTE_MAX_PLACES]  out
 *   n        out: places, 1 or more
 *
 * Returns LTE_EINVAL for an unknown name and for devices beyond those that are here or listed
 * twice, LTE_EDEVICE for what this machine cannot run.
 */
lte_status lte_backend_places(const char *name, lte_place *places, int *n);

/* The first of them. */
lte_status lte_backend_open(const char *name, const lte_backend **backend, int *device);

/*
 * True if name is written as that of a backend, built or not; "auto", "all" and "cpu" among them.
 */
bool lte_backend_known(const char *name);

/* The names, as "auto, cpu, cpu:ref, ...", for messages. */
const char *lte_backend_names(void);

/* "13.0" of the CUDA toolkit that compiled this program's device code, or NULL. */
const char *lte_backend_cuda_version(void);

#endif
