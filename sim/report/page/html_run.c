/* What a report says of how its run was made: enough to make it again. */
#include "sim/report/page/html_parts.h"

#include <stdlib.h>

#include "sim/scenario/scenario.h"

enum { DIGITS = 9 }; /* of reals, as run.json has them */

static void put_item(FILE *out, const char *name, const char *text)
{
    if (*text)
        lte_html_put(out, "<dt>%s</dt><dd>%s</dd>\n", name, text);
}

/* A whole number that is above 0. */
static void put_count(FILE *out, const char *name, const json_t *run)
{
    const json_int_t count = json_integer_value(lte_json_at(run, name));
    if (count > 0)
        (void)fprintf(out, "<dt>%s</dt><dd>%" JSON_INTEGER_FORMAT "</dd>\n", name, count);
}

static void put_facts(FILE *out, const lte_result *result)
{
    const json_t *run = result->run, *proof = lte_json_at(run, "channel");
    const json_t *slots = lte_json_at(run, "slots");
    (void)fputs("<dl>\n", out);
    if (*lte_json_text(run, "command"))
        lte_html_put(out, "<dt>command</dt><dd><code>%s</code></dd>\n",
                     lte_json_text(run, "command"));
    put_item(out, "folder", result->dir);
    lte_html_put(out, "<dt>ltesim</dt><dd>%s (%s)</dd>\n", lte_json_text(run, "version"),
                 lte_json_text(run, "revision"));
    (void)fprintf(out, "<dt>seed</dt><dd>%" JSON_INTEGER_FORMAT "</dd>\n",
                  json_integer_value(lte_json_at(run, "seed")));
    put_item(out, "backend", lte_json_text(run, "backend"));
    put_item(out, "machine", lte_json_text(run, "device"));
    put_item(out, "driver", lte_json_text(run, "driver"));
    put_item(out, "choices", lte_json_text(run, "choices"));
    put_count(out, "threads", run);
    put_count(out, "ranks", run);
    put_item(out, "started", lte_json_text(run, "start"));
    put_item(out, "ended", lte_json_text(run, "end"));
    if (json_is_array(slots))
        (void)fprintf(out,
                      "<dt>slots</dt><dd>%" JSON_INTEGER_FORMAT ":%" JSON_INTEGER_FORMAT
                      ", a part of the sweep</dd>\n",
                      json_integer_value(json_array_get(slots, 0)),
                      json_integer_value(json_array_get(slots, 1)));
    if (json_is_object(proof))
        (void)fprintf(out,
                      "<dt>channel</dt><dd>%.0f of %.0f tests of its statistics fail "
                      "(channel.csv)</dd>\n",
                      lte_json_number(proof, "failed"), lte_json_number(proof, "lines"));
    (void)fputs("</dl>\n", out);
}

lte_status lte_html_run(FILE *out, const lte_result *result)
{
    char *text = lte_scenario_text(result->scenario, DIGITS);
    if (!text)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a scenario");
    (void)fputs("<h3>To repeat this run</h3>\n", out);
    put_facts(out, result);
    lte_html_put(
        out,
        "<details open class=\"scenario\"><summary>The scenario; save it as a .cfg file to "
        "run it again</summary>\n<pre tabindex=\"0\">%s</pre>\n</details>\n",
        text);
    free(text);
    return LTE_OK;
}
