/* The page of --verify 3gpp: the count, what is not met, and a table for each bandwidth. */
#include "sim/report/page/html.h"

#include <math.h>

#include "sim/files/files.h"
#include "sim/report/page/html_parts.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/words.h"

static const char *const words[LTE_N_JUDGEMENTS] = {"met", "MISSED", "UNDECIDED", "no verdict"};
static const char *const classes[LTE_N_JUDGEMENTS] = {"met", "missed", "missed", ""};

int lte_conformance_count(const lte_conformance_page *page, lte_judgement judgement)
{
    int n = 0;
    for (int i = 0; i < page->n; i++)
        n += page->points[i].judgement == judgement;
    return n;
}

static void put_count(FILE *out, const lte_conformance_page *page)
{
    const int met = lte_conformance_count(page, LTE_POINT_MET),
              missed = lte_conformance_count(page, LTE_POINT_MISSED);
    const int undecided = lte_conformance_count(page, LTE_POINT_UNDECIDED),
              judged = met + missed + undecided;
    const bool all = judged > 0 && met == judged;
    lte_html_put(out,
                 "<p class=\"verdict %s\"><strong>%d of %d points met</strong>; %d missed, %d "
                 "undecided; %d without a verdict.</p>\n",
                 all ? "met" : "missed", met, judged, missed, undecided,
                 lte_conformance_count(page, LTE_POINT_UNJUDGED));
}

static void put_failure(FILE *out, const lte_conformance_point *p)
{
    lte_html_put(out, "<li>%s, %s, %.0f %%: ", p->run, p->reference, 100.0 * p->required);
    if (p->drops > 0)
        lte_html_put(out, "%.1f %% (%.1f to %.1f) at %.1f dB, %s</li>\n", 100.0 * p->share,
                     100.0 * p->share_low, 100.0 * p->share_high, p->snr_db,
                     p->judgement == LTE_POINT_MISSED ? "missed" : "undecided");
    else
        (void)fputs("not run, undecided</li>\n", out);
}

/* Those that are not met, by name. */
static void put_failures(FILE *out, const lte_conformance_page *page)
{
    if (lte_conformance_count(page, LTE_POINT_MISSED) +
            lte_conformance_count(page, LTE_POINT_UNDECIDED) ==
        0)
        return;
    (void)fputs("<h2>Not met</h2>\n<ul>\n", out);
    for (int i = 0; i < page->n; i++) {
        const lte_conformance_point *p = &page->points[i];
        if (p->judgement == LTE_POINT_MISSED || p->judgement == LTE_POINT_UNDECIDED)
            put_failure(out, p);
    }
    (void)fputs("</ul>\n", out);
}

/* The interval of a throughput from nothing to the largest, and a line where it is required. */
static void put_bar(FILE *out, const lte_conformance_point *p)
{
    const double low = 100.0 * p->share_low, high = 100.0 * p->share_high;
    (void)fputs("<td class=\"bars\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
                "aria-hidden=\"true\">",
                out);
    if (isfinite(low) && isfinite(high))
        (void)fprintf(out, "<rect x=\"%.2f\" y=\"2\" height=\"6\" width=\"%.2f\"/>", low,
                      fmax(high - low, 0.5));
    (void)fprintf(out, "<path d=\"M%.2f 0V10\"/></svg></td>", 100.0 * p->required);
}

static void put_point(FILE *out, const lte_conformance_point *p, bool margins)
{
    lte_html_put(out,
                 "<tr><th scope=\"row\">%s</th><td class=\"t\">%s</td><td class=\"t %s\">%s</td>"
                 "<td>%d</td><td>%.1f</td><td>%.1f</td><td>%.0f</td>",
                 p->run, p->reference, classes[p->judgement], words[p->judgement], p->bits,
                 p->required_db, p->snr_db, 100.0 * p->required);
    if (p->drops > 0)
        lte_html_put(out, "<td>%.1f</td><td>%.1f to %.1f</td>", 100.0 * p->share,
                     100.0 * p->share_low, 100.0 * p->share_high);
    else
        (void)fputs("<td></td><td></td>", out);
    put_bar(out, p);
    (void)fprintf(out, "<td>%llu</td>", p->drops);
    if (margins && isfinite(p->margin.db))
        lte_html_put(out, "<td>%.2f</td><td>%.2f to %.2f</td>", p->margin.db, p->margin.low_db,
                     p->margin.high_db);
    else if (margins)
        (void)fputs("<td></td><td></td>", out);
    lte_html_put(out, "<td class=\"t\"><code>%s</code></td></tr>\n", p->folder);
}

/* Those of one bandwidth, from the first on; returns the first of the next. */
static int put_table(FILE *out, const lte_conformance_page *page, int first, bool margins)
{
    const double mhz = page->points[first].bandwidth_mhz;
    int i = first;
    lte_html_put(out,
                 "<section>\n<h2>%g MHz</h2>\n<div class=\"wide\" tabindex=\"0\"><table>\n"
                 "<thead><tr><th scope=\"col\">channel</th><th scope=\"col\" class=\"t\">"
                 "reference</th><th scope=\"col\" class=\"t\">verdict</th><th "
                 "scope=\"col\">bits</th><th scope=\"col\">required at dB</th>"
                 "<th scope=\"col\">run at dB</th><th scope=\"col\">required %%</th>"
                 "<th scope=\"col\">throughput %%</th><th scope=\"col\">95 %% interval</th>"
                 "<th scope=\"col\" class=\"bars\">interval, required</th>"
                 "<th scope=\"col\">drops</th>",
                 mhz);
    if (margins)
        (void)fputs("<th scope=\"col\">margin dB</th><th scope=\"col\">95 % interval</th>", out);
    (void)fputs("<th scope=\"col\" class=\"t\">folder</th></tr></thead>\n<tbody>\n", out);
    for (; i < page->n && page->points[i].bandwidth_mhz == mhz; i++)
        put_point(out, &page->points[i], margins);
    (void)fputs("</tbody>\n</table></div>\n</section>\n", out);
    return i;
}

static void put_page(FILE *out, const lte_conformance_page *page)
{
    bool margins = false;
    for (int i = 0; i < page->n; i++)
        margins = margins || isfinite(page->points[i].margin.db);
    lte_html_head(out, "Throughput against TS 36.104, 8.2.1.1");
    lte_html_put(out, "<p class=\"facts\">%s</p>\n</header>\n<main>\n", page->device);
    put_count(out, page);
    lte_html_element(out, "p", "", page->about);
    put_failures(out, page);
    for (int i = 0; i < page->n;)
        i = put_table(out, page, i, margins);
    lte_html_put(out, "<h2>Not tested</h2>\n<pre tabindex=\"0\">%s</pre>\n", page->not_tested);
    lte_html_put(out,
                 "<h2>To repeat this</h2>\n<p><code>%s</code></p>\n<p class=\"note\">The numbers "
                 "are in conformance.csv, those of each run in its folder.</p>\n",
                 page->command);
    lte_html_end(out, "");
}

lte_status lte_html_conformance(const lte_conformance_page *page, const char *dir)
{
    lte_file file;
    const lte_status status = lte_file_open(&file, dir, LTE_HTML_CONFORMANCE);
    if (status)
        return status;
    put_page(file.stream, page);
    return lte_file_close(&file);
}
