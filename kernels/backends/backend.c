/* The list of backends, and how a name finds one of them. */
#include "kernels/backends/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/cpu.h"
#ifdef LTE_HAVE_CUDA
#include "kernels/backends/cuda.h"
#endif

#define LISTED_NAME(id, name) name,
const char *const lte_timed_names[LTE_N_TIMED] = {LTE_TIMED_STAGES(LISTED_NAME)};
const char *const lte_placement_names[LTE_N_PLACEMENTS] = {LTE_PLACEMENTS(LISTED_NAME)};

/* Slowest first: "auto" takes the last that is usable. */
const lte_backend *const lte_backends[] = {
    &lte_backend_cpu_ref,
#ifdef LTE_X86_LEVELS
    &lte_backend_cpu_v3,
    &lte_backend_cpu_v4,
#endif
#ifdef LTE_NEON
    &lte_backend_cpu_neon,
#endif
#ifdef LTE_HAVE_CUDA
    &lte_backend_cuda,
#endif
    NULL,
};

/* N of "cuda:N", 0 of "cuda" alone, -1 of anything else. */
static int cuda_place(const char *name)
{
    enum { MOST_DIGITS = 4 };
    if (strncmp(name, "cuda", 4) != 0)
        return -1;
    if (name[4] == '\0')
        return 0;
    const size_t digits = name[4] == ':' ? strspn(&name[5], "0123456789") : 0;
    if (digits < 1 || digits > MOST_DIGITS || name[5 + digits] != '\0')
        return -1;
    return (int)strtol(&name[5], NULL, 10);
}

/* Device number place of the CUDA backend. */
static lte_status open_cuda(const char *name, int place, const lte_backend **backend, int *device)
{
    const lte_backend *cuda = NULL;
    for (int i = 0; lte_backends[i]; i++)
        cuda = strcmp(lte_backends[i]->name, "cuda") == 0 ? lte_backends[i] : cuda;
    if (!cuda)
        return LTE_FAIL(LTE_EDEVICE, "backend %s: this build has no CUDA", name);
    const int n = cuda->n_devices();
    if (n < 1)
        return LTE_FAIL(LTE_EDEVICE, "backend %s: no usable CUDA device", name);
    if (place >= n) {
        char list[512] = "";
        for (int i = 0; i < n; i++) {
            lte_device one;
            const size_t used = strlen(list);
            const lte_status status = cuda->describe(i, &one);
            if (status)
                return status;
            (void)snprintf(&list[used], sizeof list - used, "%scuda:%d %s", i ? ", " : "", i,
                           one.name);
        }
        return LTE_FAIL(LTE_EDEVICE, "backend %s: this machine has %d CUDA device%s (%s)", name, n,
                        n == 1 ? "" : "s", list);
    }
    *backend = cuda;
    *device = place;
    return LTE_OK;
}

lte_status lte_backend_open(const char *name, const lte_backend **backend, int *device)
{
    const bool any = strcmp(name, "auto") == 0, any_cpu = strcmp(name, "cpu") == 0;
    const int place = cuda_place(name);
    *backend = NULL;
    *device = 0;
    if (place >= 0)
        return open_cuda(name, place, backend, device);
    for (int i = 0; lte_backends[i]; i++) {
        const lte_backend *one = lte_backends[i];
        const bool named = strcmp(one->name, name) == 0;
        if (!named && !any && !(any_cpu && one->stages))
            continue;
        if (one->n_devices() > 0)
            *backend = one;
        else if (named)
            return LTE_FAIL(LTE_EDEVICE, "backend %s (%s): this processor does not have it", name,
                            one->text);
    }
    if (!*backend)
        return LTE_FAIL(LTE_EINVAL, "backend '%s' is unknown (%s)", name, lte_backend_names());
    return LTE_OK;
}

bool lte_backend_known(const char *name)
{
    for (int i = 0; lte_backends[i]; i++) {
        if (strcmp(lte_backends[i]->name, name) == 0)
            return true;
    }
    return strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0 || cuda_place(name) >= 0;
}

const char *lte_backend_names(void)
{
#if defined(LTE_X86_LEVELS)
    return "auto, cpu, cpu:ref, cpu:v3, cpu:v4, cuda, cuda:N";
#elif defined(LTE_NEON)
    return "auto, cpu, cpu:ref, cpu:neon, cuda, cuda:N";
#else
    return "auto, cpu, cpu:ref, cuda, cuda:N";
#endif
}

const char *lte_backend_cuda_version(void)
{
#ifdef LTE_HAVE_CUDA
    /* of "13.0.88" what stands before the second point */
    static char version[16];
    const size_t major = strcspn(LTE_HAVE_CUDA, ".");
    const size_t minor = LTE_HAVE_CUDA[major] ? 1 + strcspn(&LTE_HAVE_CUDA[major + 1], ".") : 0;
    (void)snprintf(version, sizeof version, "%.*s", (int)(major + minor), LTE_HAVE_CUDA);
    return version;
#else
    return NULL;
#endif
}
