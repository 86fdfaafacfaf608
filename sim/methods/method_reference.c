/* Method reference: matrices of unit phasors, of a radar's azimuth and of LTE's sequences. */
#include "kernels/methods/reference/reference.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/methods/reference/sar.h"
#include "sim/methods/method_parts.h"

enum { ZC_LENGTH = 1193 }; /* of the base sequences of 1200 subcarriers */
static const double limit = 3e-7;

typedef struct work {
    int n;
    lte_sar sar;
    lte_zc zc;
    lte_zc_row *rows;
    float *re, *im;
    double (*error)(const struct work *, int, int); /* of what runs on a device */
} work;

static lte_status azimuth(void *with)
{
    work *w = with;
    return lte_reference_sar(&w->sar, w->n, w->n, w->re, w->im);
}

/* What the source improves on: every intermediate for every element, in double throughout. */
static lte_status azimuth_plain(void *with)
{
    work *w = with;
    for (int m = 0; m < w->n; m++) {
        for (int n = 0; n < w->n; n++) {
            const double rate = lte_sar_rate(&w->sar, lte_sar_range(&w->sar, (uint32_t)m));
            const double time = lte_sar_time(&w->sar, (uint32_t)n);
            const double angle = M_PI * rate * time * time;
            w->re[(ptrdiff_t)m * w->n + n] = (float)cos(angle);
            w->im[(ptrdiff_t)m * w->n + n] = (float)sin(angle);
        }
    }
    return LTE_OK;
}

static lte_status sequences(void *with)
{
    work *w = with;
    return lte_reference_zc(&w->zc, w->rows, w->n, w->n, (lte_cf32 *)(void *)w->re);
}

/* The distance of a phasor from exp(j 2 pi turns). */
static double distance(double turns, float re, float im)
{
    return hypot((double)re - cos(2.0 * M_PI * turns), (double)im - sin(2.0 * M_PI * turns));
}

static double azimuth_error(const work *w, int m, int n)
{
    const ptrdiff_t at = (ptrdiff_t)m * w->n + n;
    const long double range = (long double)w->sar.range + m * (long double)w->sar.range_step;
    const long double t = ((long double)n - w->sar.centre) * w->sar.interval;
    const long double turns = -(long double)w->sar.speed * w->sar.speed /
                              ((long double)w->sar.wavelength * range) * t * t;
    return distance((double)(turns - floorl(turns)), w->re[at], w->im[at]);
}

static double sequence_error(const work *w, int m, int n)
{
    const lte_cf32 x = ((const lte_cf32 *)(const void *)w->re)[(ptrdiff_t)m * w->n + n];
    const lte_zc_row row = w->rows[m];
    const uint64_t k = ((uint64_t)n + row.first) % w->zc.length;
    const uint64_t phase = row.root * k * (k + 1) % (2 * (uint64_t)w->zc.length);
    const double turns =
        (double)((uint64_t)n * row.shift % 12) / 12.0 - (double)phase / (2.0 * w->zc.length);
    return distance(turns, x.re, x.im);
}

/* The largest error of all elements, or of those drawn where all would take too long. */
static double error_of(const work *w, double (*of)(const work *, int, int))
{
    const uint64_t n = (uint64_t)w->n, all = n * n;
    const bool drawn = all > (uint64_t)1 << 24;
    double worst = 0.0;
    for (uint64_t i = 0; i < (drawn ? LTE_METHOD_DRAWN : all); i++) {
        const uint64_t at = drawn ? lte_method_draw(i, all) : i;
        const double error = of(w, (int)(at / n), (int)(at % n));
        worst = isfinite(error) ? fmax(worst, error) : (double)INFINITY;
    }
    return worst;
}

static void check(lte_method_row *row, void *with)
{
    const work *w = with;
    row->error = error_of(w, w->error);
}

static lte_status run_on_device(lte_method_report *report, work *w, lte_method_kind kind)
{
    const bool azimuths = kind == LTE_METHOD_AZIMUTH;
    const size_t bytes = 2 * (size_t)w->n * (size_t)w->n * sizeof *w->re;
    char data[40];
    const lte_method_job job = {.kind = kind,
                                .n = w->n,
                                .sar = azimuths ? &w->sar : NULL,
                                .zc = azimuths ? NULL : &w->zc,
                                .rows = azimuths ? NULL : w->rows,
                                .x = w->re,
                                .x_size = bytes};
    w->error = azimuths ? azimuth_error : sequence_error;
    (void)snprintf(data, sizeof data, "%s, %d x %d", azimuths ? "azimuth" : "Zadoff-Chu", w->n,
                   w->n);
    return lte_method_on_device(report, &job, data, check, w, limit, 0.0, (double)bytes);
}

static lte_status add_row(lte_method_report *report, const char *version, const char *what,
                          lte_method_work *run, double (*error)(const work *, int, int), work *w)
{
    const size_t plane = (size_t)w->n * (size_t)w->n * sizeof(float);
    char data[40];
    (void)snprintf(data, sizeof data, "%s, %d x %d", what, w->n, w->n);
    lte_method_row *row = lte_method_add(report, version, data, 1);
    if (!row)
        return LTE_OK;
    memset(w->re, 0, plane * 2);
    const lte_status status = lte_method_first(run, w, &row->us);
    if (status)
        return status;
    row->error = error_of(w, error);
    row->limit = limit;
    row->bytes = 2.0 * (double)plane;
    return lte_method_time(run, w, &row->us);
}

static lte_status run_on_cpu(lte_method_report *report, work *w)
{
    const char *const by_parts = "by rows and columns", *const whole = "all in each element";
    lte_status status = add_row(report, by_parts, "azimuth", azimuth, azimuth_error, w);
    if (!status)
        status = add_row(report, whole, "azimuth", azimuth_plain, azimuth_error, w);
    return status ? status : add_row(report, by_parts, "Zadoff-Chu", sequences, sequence_error, w);
}

static lte_status run(lte_method_report *report)
{
    const int n = report->wish.size;
    const size_t plane = (size_t)n * (size_t)n;
    work w = {.n = n,
              .sar = {.range = 850e3,
                      .range_step = 7.5,
                      .speed = 7100.0,
                      .wavelength = 0.031,
                      .interval = 1.0 / 1700.0,
                      .centre = 0.5 * n},
              .zc = lte_zc_of(ZC_LENGTH)};
    lte_status status = LTE_OK;
    w.rows = calloc((size_t)n, sizeof *w.rows);
    w.re = malloc(2 * plane * sizeof *w.re);
    if (!w.rows || !w.re) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a matrix of %d x %d", n, n);
        goto cleanup;
    }
    w.im = w.re + plane;
    for (uint32_t m = 0; m < (uint32_t)n; m++)
        w.rows[m] = (lte_zc_row){1 + m % (ZC_LENGTH - 1), m * 13 % ZC_LENGTH, m % 12};
    if (report->on_cpu)
        status = run_on_cpu(report, &w);
    if (!status)
        status = run_on_device(report, &w, LTE_METHOD_AZIMUTH);
    if (!status)
        status = run_on_device(report, &w, LTE_METHOD_SEQUENCES);
    (void)snprintf(report->note, sizeof report->note,
                   "Azimuth: a radar at 7100 m/s, 850 km away, 31 mm, 1700 pulses a second; "
                   "Zadoff-Chu: sequences of length %d, as DM-RS of 1200 subcarriers, whose phase "
                   "is an integer over an integer.",
                   ZC_LENGTH);
cleanup:
    free(w.rows);
    free(w.re);
    return status;
}

const lte_method lte_method_reference = {
    .name = "reference",
    .title = "matrices of unit phasors from parameters of rows and columns",
    .source = "Beijing Institute of Technology, 2009, CN101937555A",
    .claim = "What depends on a row or a column alone is computed once a block, not per element.",
    .place = "DM-RS of channel estimation; PRACH; their conjugates as matched filters",
    .files = "kernels/methods/reference, phy/base/phasor.h",
    .size = "rows and columns",
    .usual = 4096,
    .least = 1,
    .most = 8192,
    .error = "distance from double precision",
    .run = run,
};
