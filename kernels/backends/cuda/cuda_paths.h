#ifndef LTE_KERNELS_BACKENDS_CUDA_PATHS_H
#define LTE_KERNELS_BACKENDS_CUDA_PATHS_H
/*
 * The ways in which the slots of a deadline run go on a CUDA device: one table, fastest first, of
 * which a link, a detector and a number of carriers take the first row that takes them.
 *
 *     const lte_cuda_path *path = lte_cuda_path_of(&link, detector, n_carriers);
 *     status = path->launch(engine, &job, first);
 *
 * To add one: its row in cuda_paths.c.
 */

#include "kernels/backends/backend.h"
#include "kernels/backends/cuda/cuda_persistent.h"

/* Up to here a period is a matter of latency, above it one of throughput. */
enum { LTE_LATENCY_CARRIERS = 4 };

typedef struct {
    const char *text;   /* what the program prints of it */
    const char *moving; /* the same of channels that move within a slot; NULL: text */
    unsigned gives;     /* LTE_GIVES_LABELS, LTE_GIVES_LLRS */
    int n_detectors;    /* so many of the list, from the first on */
    bool (*takes)(const lte_link *link, lte_detector detector, int n_carriers);
    const lte_cuda_staying *stays; /* its kernel that may stay between periods; NULL: none may */
    bool takes_large; /* work memory for all slots of a period (cuda_large.h), not for one alone */
    /* The slots of a period, of which the estimates have been made. */
    lte_status (*launch)(lte_engine *engine, const lte_slot_job *job, uint64_t first);
} lte_cuda_path;

/* The last row takes all. */
const lte_cuda_path *lte_cuda_path_of(const lte_link *link, lte_detector detector, int n_carriers);

/*
 * Writes the paths that a link takes with some detector, in words, to text [size]; kernel: how a
 * kernel that may stay is run.
 */
void lte_cuda_paths_text(const lte_link *link, const char *kernel, char *text, size_t size);

#endif
