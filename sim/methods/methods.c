/* The list of the methods, and what is printed of one. */
#include "sim/methods/methods.h"

#include <jansson.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "phy/base/names.h"
#include "sim/files/refuse.h"
#include "sim/methods/device_figures.h"
#include "sim/methods/method_parts.h"

static const lte_method *const methods[] = {&lte_method_inversion, &lte_method_delayed,
                                            &lte_method_transpose, &lte_method_reference,
                                            &lte_method_product,   NULL};

void lte_methods_list(FILE *out)
{
    for (int i = 0; methods[i]; i++) {
        const lte_method *m = methods[i];
        (void)fprintf(out,
                      "%-10s %s\n"
                      "           source    %s\n"
                      "           claim     %s\n"
                      "           here      %s\n"
                      "           files     %s\n"
                      "           --size    %s, %d to %d (default: %d)\n",
                      m->name, m->title, m->source, m->claim, m->place, m->files, m->size, m->least,
                      m->most, m->usual);
    }
    (void)fputs("\nltesim methods NAME runs one of them on this machine.\n", out);
}

static const lte_method *find(const char *name)
{
    for (int i = 0; methods[i]; i++) {
        if (strcasecmp(methods[i]->name, name) == 0)
            return methods[i];
    }
    return NULL;
}

static lte_status refuse_name(const char *name)
{
    char list[200] = "";
    lte_near_name near = {.name = name};
    for (int i = 0; methods[i]; i++) {
        const size_t n = strlen(list);
        (void)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", methods[i]->name);
        lte_near_name_try(&near, methods[i]->name);
    }
    return lte_refuse("methods: unknown method \"%.60s\"; there are %s%s%s%s", name, list,
                      near.meant ? "; did you mean " : "", near.meant ? near.meant : "",
                      near.meant ? "?" : "");
}

/* 12.3 GB/s, or Gflop/s where a method counts operations; "-" for neither. */
static void put_rate(FILE *out, const lte_method_row *row)
{
    if (row->flops > 0.0)
        (void)fprintf(out, " %8.2f Gflop/s", 1e-3 * row->flops / row->us);
    else
        (void)fprintf(out, " %8.2f GB/s   ", 1e-3 * row->bytes / row->us);
    if (row->copy_us > 0.0)
        (void)fprintf(out, " %6.1f %%", 100.0 * row->copy_us / row->us);
    else
        (void)fprintf(out, " %8s", "-");
}

static bool is_right(const lte_method_row *row)
{
    return row->error <= row->limit && row->same;
}

static void put_table(FILE *out, const lte_method_report *report)
{
    const lte_method *m = report->method;
    (void)fprintf(out, "%s: %s\n%s\n%s\n\n", m->name, m->title, m->source, m->claim);
    (void)fprintf(out, "%-22s %-24s %7s %10s %17s %8s %9s\n", "version", "data", "threads", "us",
                  "rate", "of copy", "error");
    for (int i = 0; i < report->n_rows; i++) {
        const lte_method_row *row = &report->row[i];
        char threads[12] = "device";
        if (row->n_threads > 0)
            (void)snprintf(threads, sizeof threads, "%d", row->n_threads);
        (void)fprintf(out, "%-22s %-24s %7s %10.1f", row->version, row->data, threads, row->us);
        put_rate(out, row);
        (void)fprintf(out, " %9.2g%s%s%s%s\n", row->error, *row->mapping ? "  " : "", row->mapping,
                      row->error <= row->limit ? "" : "  WRONG", row->same ? "" : "  OTHER BITS");
    }
    (void)fprintf(out, "\nerror: %s, at most %g\n%s\n", m->error, report->row[0].limit,
                  report->note);
}

/* The figures of a device that are kept. */
static void put_figures(FILE *out, const lte_method_report *report)
{
    (void)fprintf(out, "\nstored figures of an %s (revision %s)\n%-16s %-44s %-26s %8s %8s\n",
                  lte_device_figures_card, lte_device_figures_revision, "version", "", "data", "us",
                  "of copy");
    for (const lte_device_figure *f = lte_device_figures; f->method; f++) {
        if (strcmp(f->method, report->method->name) != 0)
            continue;
        (void)fprintf(out, "%-16s %-44s %-26s %8.4g", f->version, f->mapping, f->data, f->us);
        if (f->copy_us > 0.0)
            (void)fprintf(out, " %6.1f %%\n", 100.0 * f->copy_us / f->us);
        else
            (void)fprintf(out, " %8s\n", "-");
    }
}

static json_t *figures_json(const lte_method_report *report)
{
    json_t *rows = json_array();
    for (const lte_device_figure *f = lte_device_figures; f->method; f++) {
        if (strcmp(f->method, report->method->name) == 0)
            (void)json_array_append_new(
                rows, json_pack("{s:s, s:s, s:s, s:f, s:f}", "version", f->version, "mapping",
                                f->mapping, "data", f->data, "us", f->us, "copy_us", f->copy_us));
    }
    return json_pack("{s:s, s:s, s:o}", "card", lte_device_figures_card, "revision",
                     lte_device_figures_revision, "rows", rows);
}

static lte_status put_json(FILE *out, const lte_method_report *report, bool right)
{
    json_t *rows = json_array();
    for (int i = 0; i < report->n_rows; i++) {
        const lte_method_row *row = &report->row[i];
        (void)json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "version",
                            row->version, "mapping", row->mapping, "data", row->data, "threads",
                            row->n_threads, "us", row->us, "bytes", row->bytes, "copy_us",
                            row->copy_us, "flops", row->flops, "error", row->error, "limit",
                            row->limit, "same_bits", row->same));
    }
    json_t *all = json_pack("{s:s, s:s, s:s, s:i, s:b, s:s, s:o, s:o}", "method",
                            report->method->name, "source", report->method->source, "claim",
                            report->method->claim, "size", report->wish.size, "right", right,
                            "note", report->note, "rows", rows, "stored", figures_json(report));
    const bool good = all && json_dumpf(all, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
    json_decref(all);
    return good ? LTE_OK : LTE_FAIL(LTE_EIO, "the method's results cannot be written");
}

/* What copies of the rows' bytes take, the same bytes and threads timed once. */
static lte_status time_copies(lte_method_report *report)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < report->n_rows && !status; i++) {
        lte_method_row *row = &report->row[i];
        for (int k = 0; k < i && row->copy_us <= 0.0; k++) {
            if (report->row[k].bytes == row->bytes && report->row[k].n_threads == row->n_threads)
                row->copy_us = report->row[k].copy_us;
        }
        if (row->bytes > 0.0 && row->copy_us <= 0.0)
            status = lte_method_copy(row->bytes, row->n_threads, &row->copy_us);
    }
    return status;
}

/* The processor, a device, or both: of a device the first that is usable. */
static lte_status find_places(lte_method_report *report)
{
    const char *wanted = report->wish.backend;
    report->on_cpu = !wanted || strcasecmp(wanted, "cpu") == 0;
    if (wanted && report->on_cpu)
        return LTE_OK;
    const lte_status status =
        lte_backend_open(wanted ? wanted : "auto", &report->device, &report->device_place);
    if (!status && !report->device->methods)
        report->device = NULL;
    if (wanted && !status && !report->device)
        return lte_refuse("--backend %.60s: methods takes cpu, all instruction sets of which it "
                          "shows, or cuda",
                          wanted);
    return wanted ? status : LTE_OK;
}

static lte_status check_wish(const lte_method *method, const lte_methods_wish *wish)
{
    if (wish->size && (wish->size < method->least || wish->size > method->most))
        return lte_refuse("--size %d: %s of %s: must be %d to %d", wish->size, method->size,
                          method->name, method->least, method->most);
    if (wish->type && method != &lte_method_product)
        return lte_refuse("--type: only the method product has storage types");
    if (wish->type && wish->size)
        return lte_refuse("--type %.60s says the size, too; give --size or --type", wish->type);
    return LTE_OK;
}

static void take_times(const lte_method_report *report, lte_method_times *times)
{
    times->title = report->method->title;
    times->n = report->n_rows;
    for (int i = 0; i < report->n_rows; i++) {
        const lte_method_row *row = &report->row[i];
        (void)snprintf(times->row[i].data, sizeof times->row[i].data, "%s", row->data);
        (void)snprintf(times->row[i].version, sizeof times->row[i].version, "%s%s%s", row->version,
                       row->mapping[0] ? ": " : "", row->mapping);
        if (row->n_threads > 1)
            (void)snprintf(times->row[i].version, sizeof times->row[i].version, "%s, %d threads",
                           row->version, row->n_threads);
        times->row[i].on_device = row->n_threads == 0;
        times->row[i].us = row->us;
        times->row[i].copy_us = row->copy_us;
    }
}

lte_status lte_methods_show(const char *name, const lte_methods_wish *wish, FILE *out, bool *right)
{
    const lte_method *method = find(name);
    *right = true;
    if (!method)
        return refuse_name(name);
    lte_status status = check_wish(method, wish);
    if (status)
        return status;
    lte_method_report *report = calloc(1, sizeof *report);
    if (!report)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the rows of a method");
    report->method = method;
    report->wish = *wish;
    report->wish.size = wish->size ? wish->size : method->usual;
    report->wish.n_threads = wish->n_threads ? wish->n_threads : omp_get_max_threads();
    status = find_places(report);
    if (!status)
        status = method->run(report);
    if (!status)
        status = time_copies(report);
    for (int i = 0; i < report->n_rows; i++)
        *right = *right && is_right(&report->row[i]);
    if (!status && wish->json)
        status = put_json(out, report, *right);
    else if (!status) {
        put_table(out, report);
        if (!report->device)
            put_figures(out, report);
    }
    if (!status && wish->times)
        take_times(report, wish->times);
    free(report);
    return status;
}
