#ifndef LTE_KERNELS_CODING_TURBO_BATCH_H
#define LTE_KERNELS_CODING_TURBO_BATCH_H
/*
 * Many code blocks of a size at once: the decoder of phy/coding/turbo_decoder.h with a code block
 * in each lane, and groups of them on the processor's threads. Its bits are those of the plain one.
 *
 *     lte_turbo_batch *batch = NULL;
 *     lte_status status = lte_turbo_batch_create(lte_turbo_best(), &plan, n_threads, &batch);
 *     lte_turbo_batch_run(batch, n, llr, bits, iterations);
 *     lte_turbo_batch_free(batch);
 */

#include <stdbool.h>

#include "phy/coding/turbo_decoder.h"
#include "phy/base/status.h"

/* An instruction set's decoder. */
typedef struct {
    const char *name; /* as of the backend, "cpu:v4" */
    bool (*usable)(void);
    int lanes; /* code blocks that it decodes at once */
    /* Bytes of work memory, on a boundary of 64; what is set up in it once. */
    size_t (*work)(const lte_turbo_plan *plan);
    void (*begin)(const lte_turbo_plan *plan, void *work);
    /* Decodes n <= lanes code blocks, arrays as of lte_turbo_batch_run. */
    void (*decode)(const lte_turbo_plan *plan, int n, const int8_t *llr, void *work, uint8_t *bits,
                   uint8_t *iterations);
} lte_turbo_version;

/* Each instruction set has one; those of other architectures are nowhere. */
extern const lte_turbo_version lte_turbo_ref, lte_turbo_v3, lte_turbo_v4, lte_turbo_neon;

/* All of this program (kernels/backends/program_parts.h), the widest last; NULL ends the list. */
extern const lte_turbo_version *const lte_turbo_versions[];

/* The widest that this processor can run; that of a backend, by its name. */
const lte_turbo_version *lte_turbo_best(void);
const lte_turbo_version *lte_turbo_of(const char *backend);

typedef struct lte_turbo_batch lte_turbo_batch;

/*
 * Takes the memory for such blocks on so many threads; the caller frees it.
 *
 * Returns LTE_EINVAL as lte_turbo_check, LTE_ENOMEM.
 */
lte_status lte_turbo_batch_create(const lte_turbo_version *version, const lte_turbo_plan *plan,
                                  int n_threads, lte_turbo_batch **batch);
void lte_turbo_batch_free(lte_turbo_batch *batch);

/*
 * Decodes n code blocks.
 *
 *   llr          [n][3][k + 4]
 *   bits         [n][k]         out, a byte each
 *   iterations   [n]            out: that each took
 */
void lte_turbo_batch_run(lte_turbo_batch *batch, int n, const int8_t *llr, uint8_t *bits,
                         uint8_t *iterations);

#endif
