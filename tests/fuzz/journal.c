/*
 * The bytes are a journal, and then each of its lines, its checksum aside, the line of a point: so
 * that lines which no checksum lets in are tried, too.
 */
#include "fuzz.h"

#include <sys/stat.h>

#include "sim/files/journal.h"
#include "sim/jobs/sweep_state.h"
#include "sim/scenario/link.h"

static lte_sweep *sweep;
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
    static lte_scenario *scenario;
    static lte_link link;
    lte_pilots none;
    const char *path = file_of(right, sizeof right - 1);
    if (lte_scenario_read(path, NULL, 0, &scenario) ||
        lte_scenario_link(scenario, LTE_CSI_perfect, NULL, &none, &link) ||
        lte_sweep_create(scenario, &link, &sweep) || !mkdtemp(dir) || atexit(clean_up))
        abort();
}

static lte_status take(const char *line, void *user)
{
    (void)user;
    return lte_sweep_take_point(sweep, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    uint64_t lost;
    if (!sweep)
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
        (void)lte_sweep_complete(sweep);
        line = end;
    }
    free(text);
    return 0;
}
