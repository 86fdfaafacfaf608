/* The list of backends, and how a name finds one of them. */
#include "kernels/backends/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/device_code.h"
#include "kernels/base/levels.h"

#define LISTED_NAME(id, name) name,
const char *const lte_timed_names[LTE_N_TIMED] = {LTE_TIMED_STAGES(LISTED_NAME)};
const char *const lte_placement_names[LTE_N_PLACEMENTS] = {LTE_PLACEMENTS(LISTED_NAME)};

static const char cuda_prefix[] = "cuda:";

/*
 * Reads "cuda", "cuda:all" and "cuda:0,2": false for anything else.
 *
 *   list   [LTE_MAX_PLACES]  out: device numbers as written
 *   n      out: how many; 0: all
 */
static bool read_devices(const char *name, int *list, int *n)
{
    enum { MOST_DIGITS = 4 };
    const char *at = name + sizeof cuda_prefix - 1;
    *n = 0;
    if (strcmp(name, "cuda") == 0) {
        list[(*n)++] = 0;
        return true;
    }
    if (strncmp(name, cuda_prefix, sizeof cuda_prefix - 1) != 0)
        return false;
    if (strcmp(at, "all") == 0)
        return true;
    for (;; at++) {
        const size_t digits = strspn(at, "0123456789");
        if (digits < 1 || digits > MOST_DIGITS || *n == LTE_MAX_PLACES)
            return false;
        list[(*n)++] = (int)strtol(at, NULL, 10);
        at += digits;
        if (*at != ',')
            return *at == '\0';
    }
}

/* The CUDA backend and how many devices it has here; 0 where the build has none. */
static int cuda_devices(const lte_backend **cuda)
{
    *cuda = NULL;
    for (int i = 0; lte_backends[i]; i++)
        *cuda = strcmp(lte_backends[i]->name, "cuda") == 0 ? lte_backends[i] : *cuda;
    const int n = *cuda ? (*cuda)->n_devices() : 0;
    return n < LTE_MAX_PLACES ? n : LTE_MAX_PLACES;
}

static lte_status refuse_device(const char *name, const lte_backend *cuda, int n)
{
    char list[512] = "";
    for (int i = 0; i < n; i++) {
        lte_device one;
        const size_t used = strlen(list);
        const lte_status status = cuda->describe(i, &one);
        if (status)
            return status;
        (void)snprintf(&list[used], sizeof list - used, "%scuda:%d %s", i ? ", " : "", i, one.name);
    }
    return LTE_FAIL(LTE_EINVAL, "backend %s: this machine has %d CUDA device%s (%s)", name, n,
                    n == 1 ? "" : "s", list);
}

/* Devices as listed, or all. */
static lte_status cuda_places(const char *name, const int *list, int n_listed, lte_place *places,
                              int *n)
{
    const lte_backend *cuda;
    const int n_devices = cuda_devices(&cuda);
    if (!cuda)
        return LTE_FAIL(LTE_EDEVICE, "backend %s: this program has no device code; %s", name,
                        lte_backend_cuda_command);
    if (n_devices < 1)
        return LTE_FAIL(LTE_EDEVICE, "backend %s: no usable CUDA device (%s)", name,
                        cuda->why_none());
    *n = n_listed > 0 ? n_listed : n_devices;
    for (int i = 0; i < *n; i++) {
        places[i] = (lte_place){cuda, n_listed > 0 ? list[i] : i};
        if (places[i].device >= n_devices)
            return refuse_device(name, cuda, n_devices);
        for (int k = 0; k < i; k++) {
            if (places[k].device == places[i].device)
                return LTE_FAIL(LTE_EINVAL, "backend %s: device %d is listed twice", name,
                                places[i].device);
        }
    }
    return LTE_OK;
}

/* A backend by its own name, or the fastest of any kind or of the processor. */
static lte_status open_one(const char *name, lte_place *place)
{
    const bool any = strcmp(name, "auto") == 0, any_cpu = strcmp(name, "cpu") == 0;
    *place = (lte_place){NULL, 0};
    for (int i = 0; lte_backends[i]; i++) {
        const lte_backend *one = lte_backends[i];
        const bool named = strcmp(one->name, name) == 0;
        if (!named && !any && !(any_cpu && one->stages))
            continue;
        if (one->n_devices() > 0)
            place->backend = one;
        else if (named)
            return LTE_FAIL(LTE_EDEVICE, "backend %s (%s): this processor does not support it",
                            name, one->text);
    }
    if (!place->backend)
        return lte_backend_known(name)
                   ? LTE_FAIL(LTE_EDEVICE, "backend %s: this program does not have it; %s", name,
                              lte_backend_set_command)
                   : LTE_FAIL(LTE_EINVAL, "backend '%s' is unknown (%s)", name,
                              lte_backend_names());
    return LTE_OK;
}

lte_status lte_backend_places(const char *name, lte_place *places, int *n)
{
    int list[LTE_MAX_PLACES], n_listed;
    const lte_backend *cuda;
    const char *pretended;
    *n = 1;
    const lte_status status = lte_level_pretended(&pretended);
    if (status)
        return status;
    if (read_devices(name, list, &n_listed))
        return cuda_places(name, list, n_listed, places, n);
    if (strcmp(name, "all") != 0)
        return open_one(name, places);
    const int n_devices = cuda_devices(&cuda);
    for (*n = 0; *n < n_devices && *n < LTE_MAX_PLACES - 1; ++*n)
        places[*n] = (lte_place){cuda, *n};
    return open_one("cpu", &places[(*n)++]);
}

lte_status lte_backend_open(const char *name, const lte_backend **backend, int *device)
{
    lte_place places[LTE_MAX_PLACES] = {{NULL, 0}};
    int n;
    const lte_status status = lte_backend_places(name, places, &n);
    *backend = status ? NULL : places[0].backend;
    *device = status ? 0 : places[0].device;
    return status;
}

bool lte_backend_known(const char *name)
{
    static const char *const others[] = {"auto", "cpu", "all"};
    int list[LTE_MAX_PLACES], n;
    for (int i = 0; lte_levels[i].name; i++) {
        if (strcmp(lte_levels[i].name, name) == 0)
            return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(others[i], name) == 0)
            return true;
    }
    return read_devices(name, list, &n);
}

const lte_backend *lte_backend_find(const char *name)
{
    for (int i = 0; lte_backends[i]; i++) {
        if (strcmp(lte_backends[i]->name, name) == 0)
            return lte_backends[i];
    }
    return NULL;
}

const char *lte_backend_names(void)
{
#if defined(__x86_64__)
#define LANES "cpu:v3, cpu:v4, "
#elif defined(__aarch64__)
#define LANES "cpu:neon, "
#else
#define LANES ""
#endif
    return "auto, cpu, cpu:ref, " LANES "cuda, cuda:N, cuda:N,M, cuda:all, all";
}

const char *lte_backend_cuda_version(void)
{
    return lte_device_code_here ? lte_device_code_here->version : NULL;
}
