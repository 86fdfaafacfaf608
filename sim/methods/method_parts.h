#ifndef LTE_SIM_METHOD_PARTS_H
#define LTE_SIM_METHOD_PARTS_H
/* What the methods share: their rows, the clock, and what a copy of the same bytes takes. */

#include <stdint.h>

#include "kernels/backends/backend.h"
#include "sim/methods/methods.h"

enum { LTE_METHOD_DRAWN = 1000 };

/* A version of a method, timed and checked. */
typedef struct {
    char version[40]; /* "delayed, v4" */
    char data[40];    /* "float, 4096 x 4096" */
    char mapping[56]; /* of a device: who holds what */
    int n_threads;    /* of a processor; 0: a device */
    double us;
    double bytes;        /* read and written, of which a copy is the ceiling; 0: not told */
    double copy_us;      /* of a copy of as many bytes by as many threads */
    double flops;        /* real operations; 0: not told */
    double error, limit; /* as the method defines it: right at or below the limit */
    bool same;           /* the bits of the first row with these data */
} lte_method_row;

typedef struct lte_method lte_method;

typedef struct {
    const lte_method *method;
    lte_methods_wish wish;     /* with a size and threads */
    bool on_cpu;               /* the versions of the processor are wanted */
    const lte_backend *device; /* NULL: no device is */
    int device_place;
    int n_rows;
    lte_method_row row[LTE_METHOD_MOST_ROWS];
    char note[400]; /* below the table */
} lte_method_report;

struct lte_method {
    const char *name, *title;
    const char *source, *claim, *place, *files;
    const char *size; /* what --size is */
    int usual, least, most;
    const char *error; /* what the column is */
    lte_status (*run)(lte_method_report *report);
};

extern const lte_method lte_method_inversion, lte_method_delayed, lte_method_transpose;
extern const lte_method lte_method_reference, lte_method_product;

/* The next row; NULL when there are as many as fit. */
lte_method_row *lte_method_add(lte_method_report *report, const char *version, const char *data,
                               int n_threads);

/*
 * The versions of a device, each a row: timed, then checked.
 *
 *   check    the error of job->x, and whether it has the bits of the first row with these data;
 *            a first row without any before it is kept as that
 *   limit    of the error
 *   flops    real operations, or 0: then bytes that are read and written
 */
typedef void lte_method_check(lte_method_row *row, void *with);
lte_status lte_method_on_device(lte_method_report *report, const lte_method_job *job,
                                const char *data, lte_method_check *check, void *with, double limit,
                                double flops, double bytes);

typedef lte_status lte_method_work(void *with);

/* One run, which touches what later ones use: its results are checked. */
lte_status lte_method_first(lte_method_work *work, void *with, double *us);

/*
 * The median of some more runs within 0.3 s, three at least.
 *
 *   us   what the first one took: if that is longer than 0.3 s it stays; out
 */
lte_status lte_method_time(lte_method_work *work, void *with, double *us);

/* The same of a copy that reads and writes so many bytes in all. Returns LTE_ENOMEM. */
lte_status lte_method_copy(double bytes, int n_threads, double *us);

/* Element i of LTE_METHOD_DRAWN, below n, drawn by a seed. */
uint64_t lte_method_draw(uint64_t i, uint64_t n);

#endif
