/* Names and numbers that a program gives the library. */
#include "sim/library/choices.h"

#include "ltesim/version.h"
#include "sim/cli/options.h"
#include "sim/report/results/words.h"

lte_status lte_refuse_name(const char *what, const char *name, const lte_names *names)
{
    char list[256] = "";
    for (int i = 0; i < names->n; i++)
        lte_append(list, sizeof list, "%s%s", i ? ", " : "", lte_name_at(names, i));
    return LTE_FAIL(LTE_EINVAL, "%s '%.60s' is unknown (%s)", what, name, list);
}

lte_status lte_need_array(const char *name, const void *array)
{
    return array ? LTE_OK : LTE_FAIL(LTE_EINVAL, "%s is NULL", name);
}

lte_status lte_choose_backend(const char *name, int n_threads, const lte_backend **backend,
                              int *device)
{
    if (n_threads < 0 || n_threads > LTE_MAX_THREADS)
        return LTE_FAIL(LTE_EINVAL, "n_threads=%d (0 to %d)", n_threads, LTE_MAX_THREADS);
    return lte_backend_open(name ? name : "cpu", backend, device);
}

const char *lte_version(void)
{
    return LTE_VERSION;
}
