#ifndef LTE_TESTS_FUZZ_H
#define LTE_TESTS_FUZZ_H
/*
 * What the fuzz targets share: bytes as a file, and failures without words.
 *
 *     const char *path = file_of(data, size);     // until the next call
 *
 * Each target is one function of libFuzzer (clang): any bytes are refused or read, within bounds of
 * memory and time; tests/fuzz.sh builds and runs them.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "phy/base/status.h"
#include "sim/scenario/scenario.h"

/* A scenario that is right. */
static const char right[] = "carrier = { bandwidth_mhz = 1.4; };\n"
                            "antennas = { tx = 2; rx = 2; };\n"
                            "modulation = \"qpsk\";\n"
                            "channel = { model = \"eva\"; doppler_hz = 70.0; };\n"
                            "detectors = ( \"zf\", { name = \"cg\"; iterations = 4; } );\n"
                            "csi = ( \"perfect\", \"dmrs-ls\" );\n"
                            "sweep = { snr_db = [ 0.0, 12.0, 4.0 ]; };\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void say_nothing(lte_status status, const char *file, int line, const char *text)
{
    (void)file;
    (void)line;
    if (status == LTE_OK || strpbrk(text, "\n\r")) /* a failure is one line */
        abort();
}

static char path_of_bytes[] = "/tmp/ltesim-fuzz-XXXXXX";

static inline void remove_file(void)
{
    (void)unlink(path_of_bytes);
}

/* The path of a file with these bytes. */
static inline const char *file_of(const void *data, size_t size)
{
    static int file = -1;
    if (file < 0) {
        file = mkstemp(path_of_bytes);
        (void)atexit(remove_file);
        (void)lte_fail_handler_set(say_nothing);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    return path_of_bytes;
}

/* Reads a scenario of so many bytes; what is read can be written. */
static inline void try_scenario(const void *data, size_t size, const char *const *sets, int n_sets)
{
    lte_scenario *scenario = NULL;
    const lte_status status = lte_scenario_read(file_of(data, size), sets, n_sets, &scenario);
    json_t *json = status ? NULL : lte_scenario_json(scenario);
    if (status ? scenario != NULL : json == NULL)
        abort();
    json_decref(json);
    lte_scenario_free(scenario);
}

#endif
