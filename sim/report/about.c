/* The parts of this build, and all that a scenario may choose. */
#include "sim/report/about.h"

#include "kernels/backends/backend.h"
#include "kernels/base/levels.h"
#include "phy/channel/channels.h"
#include "phy/estimation/csi.h"
#include "sim/files/channel_file.h"
#include "sim/ranks/ranks.h"
#include "sim/report/compare/plot.h"
#include "sim/files/revision.h"

#ifdef __clang__
static const char compiler[] = __VERSION__; /* says what it is */
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

void lte_about_version(FILE *out)
{
    const char *cuda = lte_backend_cuda_version();
    const char *hdf5 = lte_channel_file_library(), *mpi = lte_ranks_library();
    (void)fprintf(out, "ltesim %s (%s)\nCUDA: %s%s%s\nMPI: %s%s%s\nHDF5: %s%s%s\ngnuplot: %s\n",
                  LTE_VERSION, lte_revision, cuda ? "yes (" : "no (",
                  cuda ? cuda : lte_backend_cuda_command, ")", mpi ? "yes (" : "no", mpi ? mpi : "",
                  mpi ? ")" : "", hdf5 ? "yes (" : "no", hdf5 ? hdf5 : "", hdf5 ? ")" : "",
                  lte_plot_available() ? "yes" : "no");
    for (int i = 0; lte_backends[i]; i++)
        (void)fprintf(out, "backend: %s, %s\n", lte_backends[i]->name, lte_backends[i]->text);
    (void)fprintf(out, "compiler: %s\n", compiler);
}

static void put_name(FILE *out, const char *name, const char *text)
{
    (void)fprintf(out, "  %-14s %s\n", name, text);
}

/* A line for each device of an accelerator. */
static lte_status put_devices(FILE *out, const lte_backend *backend)
{
    const int n = backend->n_devices();
    if (n == 0)
        (void)fprintf(out, "  %-14s (no usable device: %s)\n", backend->name, backend->why_none());
    for (int i = 0; i < n; i++) {
        char name[64];
        lte_device device;
        const lte_status status = backend->describe(i, &device);
        if (status)
            return status;
        (void)snprintf(name, sizeof name, "%s:%d", backend->name, i);
        (void)fprintf(out, "  %-14s %s, %s\n", name, device.name, device.text);
    }
    if (n > 0 && *backend->why_none())
        (void)fprintf(out, "  %-14s (not usable: %s)\n", backend->name, backend->why_none());
    return LTE_OK;
}

lte_status lte_about_lists(FILE *out)
{
    (void)fputs("channels\n", out);
    for (int i = 0; i < LTE_N_CHANNELS; i++)
        put_name(out, lte_channel_rows[i].name, lte_channel_rows[i].text);
    (void)fputs("detectors\n", out);
    for (int i = 0; i < LTE_N_DETECTORS; i++)
        put_name(out, lte_detector_rows[i].name, lte_detector_rows[i].text);
    (void)fputs("inverters\n", out);
    for (int i = 0; i < LTE_N_INVERTERS; i++)
        put_name(out, lte_inverter_rows[i].name, lte_inverter_rows[i].text);
    (void)fputs("csi\n", out);
    for (int i = 0; i < LTE_N_CSI; i++)
        put_name(out, lte_csi_rows[i].name, lte_csi_rows[i].text);
    (void)fputs("modulations\n  qpsk 16qam 64qam 256qam\nbackends\n", out);
    lte_status status = LTE_OK;
    for (int i = 0; lte_levels[i].name; i++)
        (void)fprintf(out, "  %-14s %s%s%s\n", lte_levels[i].name, lte_levels[i].text,
                      lte_levels[i].usable() ? "" : " (not on this processor)",
                      lte_backend_find(lte_levels[i].name) ? "" : " (not built)");
    if (lte_backend_find("cuda"))
        status = put_devices(out, lte_backend_find("cuda"));
    else
        (void)fprintf(out, "  %-14s (not built: %s)\n", "cuda", lte_backend_cuda_command);
    return status;
}
