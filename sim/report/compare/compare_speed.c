/* How fast two runs were: their sweeps, and their slots against the deadline. */
#include "sim/report/compare/compare_rows.h"

#include <math.h>
#include <string.h>

enum { NAME_WIDTH = 34 };

/* A row of two numbers and their ratio; nothing where neither is known. */
static void put_times(FILE *out, const char *name, double a, double b)
{
    if (!isfinite(a) && !isfinite(b))
        return;
    (void)fprintf(out, "%-*s", NAME_WIDTH, name);
    for (int i = 0; i < 2; i++) {
        const double x = i ? b : a;
        if (isfinite(x))
            (void)fprintf(out, " %11.5g", x);
        else
            (void)fprintf(out, " %11s", "-");
    }
    if (isfinite(a) && isfinite(b) && a > 0.0)
        (void)fprintf(out, " %8.3f", b / a);
    (void)fputc('\n', out);
}

static const json_t *totals_of(const lte_result *result, const char *detector, const char *csi)
{
    const json_t *list = json_object_get(result->run, "detectors");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (strcmp(lte_json_text(one, "detector"), detector) == 0 &&
            strcmp(lte_json_text(one, "csi"), csi) == 0)
            return one;
    }
    return NULL;
}

/* Payload bits a second of the sweep, in Mbit/s; NAN if that is not known. */
static double rate_of(const json_t *totals)
{
    const double seconds = lte_json_number(totals, "seconds");
    return seconds > 0.0 ? 1e-6 * lte_json_number(totals, "bits") / seconds : (double)NAN;
}

static void put_sweeps(FILE *out, const lte_result *first, const lte_result *later)
{
    for (int i = 0; i < first->n_curves; i++) {
        const lte_curve *curve = &first->curve[i];
        char name[100];
        (void)snprintf(name, sizeof name, "sweep, %.30s %.30s, Mbit/s", curve->detector,
                       curve->csi);
        put_times(out, name, rate_of(totals_of(first, curve->detector, curve->csi)),
                  rate_of(totals_of(later, curve->detector, curve->csi)));
    }
}

static void put_deadlines(FILE *out, const lte_result *first, const lte_result *later)
{
    static const struct {
        const char *name, *key;
        double factor;
    } rows[] = {
        {"work p50, us", "service.p50_us", 1.0},    {"utilisation, %", "utilisation", 100.0},
        {"slots on time, %", "on_time", 100.0},     {"latency p50, us", "p50_us", 1.0},
        {"latency p99, us", "p99_us", 1.0},         {"latency p99.9, us", "p999_us", 1.0},
        {"slowest slot, us", "max_us", 1.0},        {"carriers that fit", "capacity_carriers", 1.0},
        {"deadline run, Mbit/s", "mbit_per_s", 1.0}};
    const json_t *a = lte_json_at(first->run, "deadline"), *b = lte_json_at(later->run, "deadline");
    if (!json_is_object(a) && !json_is_object(b))
        return;
    (void)fprintf(out, "%-*s %11s %11s\n", NAME_WIDTH, "deadline", lte_json_verdict(a),
                  lte_json_verdict(b));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        put_times(out, rows[i].name, rows[i].factor * lte_json_number(a, rows[i].key),
                  rows[i].factor * lte_json_number(b, rows[i].key));
}

void lte_compare_speed(FILE *out, const lte_result *first, const lte_result *later)
{
    const bool timed =
        json_object_get(first->run, "deadline") || json_object_get(later->run, "deadline");
    if (first->n_curves == 0 && !timed)
        return;
    (void)fprintf(out, "\n%-*s %11s %11s %8s\n", NAME_WIDTH, "speed", "first", "later", "ratio");
    put_sweeps(out, first, later);
    put_deadlines(out, first, later);
}
