/*
 * Names of backends: of CUDA devices, on machines with none, one or three, and of what is known and
 * not built. The program of this test has a table of backends of its own.
 */
#include "tests/lib/unit.h"

#include <stdio.h>
#include <string.h>

#include "kernels/base/levels.h"
#include "kernels/backends/program_parts.h"

static int n_found;

static int count_devices(void)
{
    return n_found;
}

static const char *why_none(void)
{
    return n_found > 0 ? "" : "no NVIDIA driver";
}

static lte_status describe_device(int i, lte_device *device)
{
    *device = (lte_device){0};
    (void)snprintf(device->name, sizeof device->name, "Board %c", 'A' + i);
    return LTE_OK;
}

static const lte_backend boards = {
    .name = "cuda", .n_devices = count_devices, .why_none = why_none, .describe = describe_device};
const lte_backend *const lte_backends[] = {&lte_backend_cpu_ref, &boards, NULL};
const char lte_backend_set_command[] = "make sets", lte_backend_cuda_command[] = "make cuda";
static const lte_device_code code = {.version = "13.0"};
const lte_device_code *const lte_device_code_here = &code;

static char failure[512];

static void keep_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)snprintf(failure, sizeof failure, "%s", text);
}

/* What opening gives on a machine with n devices. */
static lte_status open_on(int n, const char *name, const lte_backend **backend, int *device)
{
    lte_fail_handler handler = lte_fail_handler_set(keep_failure);
    n_found = n;
    failure[0] = '\0';
    const lte_status status = lte_backend_open(name, backend, device);
    (void)lte_fail_handler_set(handler);
    return status;
}

static void names_lead_to_devices(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int device;
    } table[] = {{"cuda", 0}, {"cuda:0", 0}, {"cuda:1", 1}, {"cuda:2", 2}, {"auto", 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const lte_backend *backend;
        int device;
        assert_true(lte_backend_known(table[i].name));
        assert_int_equal(open_on(3, table[i].name, &backend, &device), LTE_OK);
        assert_ptr_equal(backend, &boards);
        assert_int_equal(device, table[i].device);
    }
}

static void cpu_stays_a_processor(void **state)
{
    (void)state;
    const lte_backend *backend;
    int device;
    assert_int_equal(open_on(3, "cpu", &backend, &device), LTE_OK);
    assert_true(backend && backend->stages);
}

static void auto_without_a_device_is_a_processor(void **state)
{
    (void)state;
    const lte_backend *backend;
    int device;
    assert_int_equal(open_on(0, "auto", &backend, &device), LTE_OK);
    assert_true(backend && backend->stages);
    assert_string_equal(failure, "");
}

static void a_device_too_many_is_refused_with_those_there_are(void **state)
{
    (void)state;
    const lte_backend *backend;
    int device;
    assert_int_equal(open_on(1, "cuda:1", &backend, &device), LTE_EINVAL);
    assert_null(backend);
    assert_string_equal(failure, "backend cuda:1: this machine has 1 CUDA device (cuda:0 Board A)");
    assert_int_equal(open_on(2, "cuda:9999", &backend, &device), LTE_EINVAL);
    assert_string_equal(failure, "backend cuda:9999: this machine has 2 CUDA devices (cuda:0 "
                                 "Board A, cuda:1 Board B)");
    assert_int_equal(open_on(0, "cuda", &backend, &device), LTE_EDEVICE);
    assert_string_equal(failure, "backend cuda: no usable CUDA device (no NVIDIA driver)");
}

/* Places on a machine with n devices, as "2 0 cpu"; the failure if there are none. */
static const char *places_on(int n, const char *name)
{
    static char text[512];
    lte_place places[LTE_MAX_PLACES];
    int n_places;
    lte_fail_handler handler = lte_fail_handler_set(keep_failure);
    n_found = n;
    const lte_status status = lte_backend_places(name, places, &n_places);
    (void)lte_fail_handler_set(handler);
    if (status) {
        assert_int_equal(status, n > 0 ? LTE_EINVAL : LTE_EDEVICE);
        return failure;
    }
    text[0] = '\0';
    for (int i = 0; i < n_places; i++) {
        const size_t used = strlen(text);
        if (places[i].backend && places[i].backend->stages)
            (void)snprintf(text + used, sizeof text - used, "%scpu", i ? " " : "");
        else
            (void)snprintf(text + used, sizeof text - used, "%s%d", i ? " " : "", places[i].device);
    }
    return text;
}

static void several_devices_are_places_in_their_order(void **state)
{
    (void)state;
    assert_string_equal(places_on(3, "cuda:2,0"), "2 0");
    assert_string_equal(places_on(3, "cuda:all"), "0 1 2");
    assert_string_equal(places_on(1, "cuda:all"), "0");
    assert_string_equal(places_on(3, "cuda"), "0");
    assert_string_equal(places_on(3, "all"), "0 1 2 cpu");
    assert_string_equal(places_on(0, "all"), "cpu");
    assert_string_equal(places_on(1000, "cuda:all") + strlen("0 1 2 3 4 5 6 7 8 9 "),
                        "10 11 12 13 14 15 "
                        "16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 "
                        "40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63");
    assert_string_equal(places_on(3, "cuda:0,1,0"), "backend cuda:0,1,0: device 0 is listed twice");
    assert_string_equal(places_on(1, "cuda:0,9"),
                        "backend cuda:0,9: this machine has 1 CUDA device (cuda:0 Board A)");
    assert_string_equal(places_on(0, "cuda:all"),
                        "backend cuda:all: no usable CUDA device (no NVIDIA driver)");
    static const char *const wrong[] = {"cuda:,",     "cuda:0,",    "cuda:,0",
                                        "cuda:0,,1",  "cuda:0 ,1",  "cuda:al",
                                        "cuda:all,0", "cuda:0,all", "all,cuda"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(lte_backend_known(wrong[i]));
        assert_non_null(strstr(places_on(3, wrong[i]), "is unknown"));
    }
    assert_true(lte_backend_known("cuda:1,0") && lte_backend_known("cuda:all") &&
                lte_backend_known("all"));
}

/*
 * Sets of this architecture that this test's program does not have; of another, which is unknown.
 */
static void a_known_set_that_is_not_built_says_how_to_build_it(void **state)
{
    (void)state;
    const lte_backend *backend;
    int device, n_known = 0;
    for (int i = 1; lte_levels[i].name; i++, n_known++) {
        char expected[128];
        (void)snprintf(expected, sizeof expected,
                       "backend %s: this program does not have it; make sets", lte_levels[i].name);
        assert_true(lte_backend_known(lte_levels[i].name));
        assert_null(lte_backend_find(lte_levels[i].name));
        assert_int_equal(open_on(0, lte_levels[i].name, &backend, &device), LTE_EDEVICE);
        assert_string_equal(failure, expected);
    }
    assert_int_equal(open_on(0, "cpu:v9", &backend, &device), LTE_EINVAL);
    assert_non_null(strstr(failure, "is unknown"));
    assert_false(lte_backend_known("cpu:v9"));
    assert_ptr_equal(lte_backend_find("cpu:ref"), &lte_backend_cpu_ref);
    if (n_known == 0)
        skip(); /* an architecture without sets */
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(devices, names_lead_to_devices),
    LTE_CASE(devices, several_devices_are_places_in_their_order),
    LTE_CASE(devices, cpu_stays_a_processor),
    LTE_CASE(devices, auto_without_a_device_is_a_processor),
    LTE_CASE(devices, a_device_too_many_is_refused_with_those_there_are),
    LTE_CASE(devices, a_known_set_that_is_not_built_says_how_to_build_it),
};

int main(void)
{
    return cmocka_run_group_tests_name("devices", cases, NULL, NULL);
}
