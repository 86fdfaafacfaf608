#ifndef LTE_SIM_FILES_APART_H
#define LTE_SIM_FILES_APART_H
/*
 * Work in a process of its own, whose bytes come back through a pipe: for libraries that data from
 * elsewhere may crash, keep busy for ever or make take any memory.
 *
 *     lte_apart apart;
 *     lte_status status = lte_apart_begin(work, user, &apart);   // work: lte_apart_put(pipe, ..)
 *     if (!status)
 *         status = lte_apart_get(&apart, what, bytes, n);
 *     lte_apart_end(&apart);
 *
 * It comes before the program's threads: a process of several has only one of them in its copy.
 */

#include <stddef.h>
#include <sys/types.h>

#include "phy/base/status.h"

typedef struct {
    int pipe;    /* negative: none */
    pid_t child; /* 0: none */
} lte_apart;

/* What the child does; a failure that it announces is announced by the parent. */
typedef lte_status lte_apart_fn(int pipe, void *user);

/* Begins work in a child. Returns LTE_ENOMEM; whatever it is, lte_apart_end is fine. */
lte_status lte_apart_begin(lte_apart_fn *work, void *user, lte_apart *apart);

/* The child's: hands n bytes to the parent, and ends the child if that has gone. */
void lte_apart_put(int pipe, const void *bytes, size_t n);

/*
 * The parent's: the next n bytes, which the child has put at once. Returns what the child failed
 * with, and LTE_EINVAL, beginning with what, if it has crashed, put nothing for so long that 10
 * seconds of a processor have gone by, or wanted more than 192 MB; LTE_EIO.
 */
lte_status lte_apart_get(lte_apart *apart, const char *what, void *bytes, size_t n);

/* Ends the child if it has not ended. */
void lte_apart_end(lte_apart *apart);

#endif
