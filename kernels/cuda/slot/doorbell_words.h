#ifndef LTE_KERNELS_DOORBELL_H
#define LTE_KERNELS_DOORBELL_H
/*
 * The words by which the host and a persistent kernel tell each other of work: in host memory that
 * the device can follow. The host's side of it is kernels/backends/doorbell.h.
 *
 *     host     word = number << 48 | first slot      a number that differs from the last one's
 *     blocks   done[block] = number                  when all that a block had to write is written
 *     host     word = LTE_DOORBELL_QUIT              when every block has answered: the kernel ends
 */

#include <stdint.h>

enum { LTE_DOORBELL_BLOCKS = 512 }; /* of a kernel, at most */

typedef struct {
    volatile uint64_t word;
    uint64_t apart[15]; /* each side writes lines of its own */
    volatile uint32_t done[LTE_DOORBELL_BLOCKS];
} lte_doorbell;

#define LTE_DOORBELL_SLOT (((uint64_t)1 << 48) - 1) /* the slot's bits of the word */
#define LTE_DOORBELL_NUMBER(word) ((uint32_t)((word) >> 48))
#define LTE_DOORBELL_QUIT UINT64_MAX

#endif
