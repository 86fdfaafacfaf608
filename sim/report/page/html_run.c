/* What a report says of how its run was made: enough to make it again. */
#include "sim/report/page/html_parts.h"

#include <stdlib.h>

#include "sim/report/page/html_text.h"
#include "sim/scenario/scenario.h"

enum { DIGITS = 9 }; /* of reals, as run.json has them */

static void put_item(FILE *out, const char *name, const char *text)
{
    if (!*text)
        return;
    lte_html_element(out, "dt", "", name);
    lte_html_element(out, "dd", "", text);
    (void)fputc('\n', out);
}

static void put_count(FILE *out, const lte_result *result, const char *name, const char *key)
{
    const json_t *count = json_object_get(result->run, key);
    char text[32];
    (void)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(count));
    put_item(out, name, json_integer_value(count) > 0 ? text : "");
}

static void put_facts(FILE *out, const lte_result *result)
{
    const json_t *run = result->run, *proof = json_object_get(run, "channel");
    const json_t *slots = json_object_get(run, "slots");
    char text[300];
    (void)fputs("<dl>\n", out);
    if (*lte_json_text(run, "command")) {
        (void)fputs("<dt>command</dt><dd><code>", out);
        lte_html_text(out, lte_json_text(run, "command"));
        (void)fputs("</code></dd>\n", out);
    }
    put_item(out, "folder", result->dir);
    (void)snprintf(text, sizeof text, "%.100s (%.100s)", lte_json_text(run, "version"),
                   lte_json_text(run, "revision"));
    put_item(out, "ltesim", text);
    (void)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT,
                   json_integer_value(json_object_get(run, "seed")));
    put_item(out, "seed", text);
    put_item(out, "backend", lte_json_text(run, "backend"));
    put_item(out, "machine", lte_json_text(run, "device"));
    put_item(out, "driver", lte_json_text(run, "driver"));
    put_item(out, "choices", lte_json_text(run, "choices"));
    put_count(out, result, "threads", "threads");
    put_count(out, result, "ranks", "ranks");
    put_item(out, "started", lte_json_text(run, "start"));
    put_item(out, "ended", lte_json_text(run, "end"));
    if (json_is_array(slots)) {
        (void)snprintf(text, sizeof text,
                       "%" JSON_INTEGER_FORMAT ":%" JSON_INTEGER_FORMAT ", a part of the sweep",
                       json_integer_value(json_array_get(slots, 0)),
                       json_integer_value(json_array_get(slots, 1)));
        put_item(out, "slots", text);
    }
    if (json_is_object(proof)) {
        (void)snprintf(text, sizeof text, "%.0f of %.0f tests of its statistics fail (channel.csv)",
                       lte_json_number(proof, "failed"), lte_json_number(proof, "lines"));
        put_item(out, "channel", text);
    }
    (void)fputs("</dl>\n", out);
}

lte_status lte_html_run(FILE *out, const lte_result *result)
{
    char *text = lte_scenario_text(result->scenario, DIGITS);
    if (!text)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a scenario");
    (void)fputs("<h3>To repeat this run</h3>\n", out);
    put_facts(out, result);
    (void)fputs("<details open class=\"scenario\"><summary>The scenario; save it as a .cfg file to "
                "run it again</summary>\n<pre tabindex=\"0\">",
                out);
    lte_html_text(out, text);
    (void)fputs("</pre>\n</details>\n", out);
    free(text);
    return LTE_OK;
}
