/*
 * The bytes are a journal, and then each of its lines, its checksum aside, the line of a point,
 * that of a round, of all slots and of a part, and the JSON of a scenario: so that lines which no
 * checksum lets in are tried, too.
 */
#include "fuzz.h"

#include <sys/stat.h>

#include "sim/files/journal.h"
#include "sim/jobs/sweep/search.h"
#include "sim/jobs/sweep/sweep_rounds.h"
#include "sim/jobs/sweep/sweep_state.h"
#include "sim/scenario/described_link.h"

enum { MOST_POINTS = 30 };

static lte_scenario *scenario, *search;
static lte_link link_of_it;
static lte_sweep *by_points, *whole, *part, *searched;
static char dir[] = "/tmp/ltesim-fuzz-XXXXXX";

static void clean_up(void)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s/" LTE_JOURNAL_NAME, dir);
    (void)unlink(path);
    (void)rmdir(dir);
}

static void begin(void)
{
    static const char *const target[] = {"sweep.target_ber=1e-2"};
    lte_estimator none;
    const char *path = file_of(right, sizeof right - 1);
    if (lte_scenario_read(path, NULL, 0, &scenario) ||
        lte_scenario_link(scenario, LTE_CSI_perfect, NULL, &none, &link_of_it) ||
        lte_sweep_create(scenario, &link_of_it, &by_points) ||
        lte_sweep_create(scenario, &link_of_it, &whole) ||
        lte_sweep_create(scenario, &link_of_it, &part) ||
        lte_scenario_read(path, target, 1, &search) ||
        lte_sweep_create(search, &link_of_it, &searched) || !mkdtemp(dir) || atexit(clean_up))
        abort();
    lte_sweep_set_part(part, 64, 191);
}

/* A sweep without its slots: its rounds can be taken once more. */
static void empty(lte_sweep *sweep)
{
    for (int i = 0; i < sweep->n_detectors * sweep->n_snr; i++) {
        lte_row *row = &sweep->rows[i];
        memset(row->counts, 0, LTE_N_HARD_COUNTS(scenario->n_tx) * sizeof *row->counts);
        row->slots = 0;
        row->error_count = (lte_error_count){0};
        row->signal = row->noise = 0;
        row->status = LTE_ROW_RUNNING;
    }
    for (int i = 0; i < (sweep->n_detectors - 1) * sweep->n_snr; i++)
        sweep->pairs[i] = (lte_pair){.a = sweep->pairs[i].a, .b = sweep->pairs[i].b};
    sweep->n_started = 0;
}

/* A point of a search; whatever the counts, it comes to an answer or asks for one point more. */
static void try_search(const char *line)
{
    lte_status status = LTE_OK;
    const int n = searched->n_points;
    if (lte_sweep_take_point(searched, line))
        return;
    for (int d = 0; d < searched->n_detectors; d++)
        (void)lte_search_of(searched, d);
    if (lte_search_next(searched, &status) != (searched->n_points > n) && searched->n_points == n)
        abort();
    if (searched->n_points > MOST_POINTS)
        searched->n_points = searched->n_started = 0;
}

/* What has been taken of a part is kept, and can be taken. */
static lte_status take_again(const char *line, void *user)
{
    (void)user;
    if (lte_sweep_take_round(whole, strchr(line, ' ') + 1))
        abort();
    return LTE_OK;
}

static void try_json(const char *line)
{
    json_t *json = json_loads(line, 0, NULL);
    lte_scenario *made = NULL;
    if (!json)
        return;
    if (lte_scenario_from_json(json_object_get(json, "scenario"), "it", &made) ? made != NULL
                                                                               : made == NULL)
        abort();
    lte_scenario_free(made);
    json_decref(json);
}

static lte_status take(const char *line, void *user)
{
    (void)user;
    try_json(line);
    (void)lte_sweep_take_round(whole, line);
    (void)lte_sweep_take_round(part, line);
    try_search(line);
    return lte_sweep_take_point(by_points, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    uint64_t lost;
    if (!scenario)
        begin();
    (void)snprintf(path, sizeof path, "%s/" LTE_JOURNAL_NAME, dir);
    FILE *file = fopen(path, "wb");
    char *text = malloc(size + 1);
    if (!file || !text || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    if (lte_journal_read(dir, take, take, NULL, &lost) == LTE_OK && lost > size)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        (void)take(line, NULL);
        (void)lte_sweep_complete(by_points);
        line = end;
    }
    free(text);
    if (lte_sweep_put_rounds(part, take_again, NULL))
        abort();
    empty(whole);
    empty(part);
    return 0;
}
