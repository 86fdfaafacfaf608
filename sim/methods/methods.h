#ifndef LTE_SIM_METHODS_H
#define LTE_SIM_METHODS_H
/*
 * The five methods that this program is built on, each as its source describes it, measured and
 * checked on this machine.
 *
 *     lte_methods_list(stdout);
 *     const lte_methods_wish wish = {.n_threads = 2};
 *     bool right;
 *     lte_status status = lte_methods_show("transpose", &wish, stdout, &right);
 *     if (!status && !right)
 *         ...                                        // a version gave wrong results
 *
 * To add a method: its file with a constant lte_method, and its line in the list of methods.c.
 */

#include <stdbool.h>
#include <stdio.h>

#include "phy/base/status.h"

/* The times of a method's versions. */
enum { LTE_METHOD_MOST_ROWS = 64 };
typedef struct {
    const char *title;
    int n;
    struct {
        char data[40];     /* what was worked on, "float, 4096 x 4096" */
        char version[100]; /* "delayed, v4"; of a device also who holds what */
        bool on_device;
        double us, copy_us; /* 0: no copy is told */
    } row[LTE_METHOD_MOST_ROWS];
} lte_method_times;

/* What is asked for; all zero: the usual. */
typedef struct {
    int size;                /* of the method, see lte_methods_list; 0: the usual one */
    const char *type;        /* of product: the storage of its matrices; NULL: those of the paper */
    int n_threads;           /* processor threads; 0: as many as there are processors */
    const char *backend;     /* "cpu", a device, or NULL: both, the device if there is one */
    bool json;               /* an object instead of a table */
    lte_method_times *times; /* out: those of all rows; NULL: nobody asks */
} lte_methods_wish;

/* The five: source, claim, place in the receiver, files. */
void lte_methods_list(FILE *out);

/*
 * Runs the versions of a method, checks each against double precision and times it.
 *
 *   right   out: every version gave right results, and all the same bits
 *
 * Returns LTE_EINVAL for an unknown name and for what the method does not take; LTE_ENOMEM,
 * LTE_EDEVICE.
 */
lte_status lte_methods_show(const char *name, const lte_methods_wish *wish, FILE *out, bool *right);

#endif
