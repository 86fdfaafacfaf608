/* The parts of this build, and all that a scenario may choose. */
#include "sim/report/about.h"

#include <math.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/base/levels.h"
#include "kernels/link/inversion_rows.h"
#include "phy/channel/channels.h"
#include "phy/estimation/csi.h"
#include "sim/files/channel_file.h"
#include "sim/ranks/ranks.h"
#include "sim/report/shipped.h"
#include "sim/report/charts/draw.h"
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
                  lte_gnuplot_available() ? "yes" : "no");
    for (int i = 0; lte_backends[i]; i++)
        (void)fprintf(out, "backend: %s, %s\n", lte_backends[i]->name, lte_backends[i]->text);
    (void)fprintf(out, "compiler: %s\n", compiler);
}

/* Names of all lists take so many columns. */
#define NAME "  %-20s "

static void put_name(FILE *out, const char *name, const char *text)
{
    (void)fprintf(out, NAME "%s\n", name, text);
}

/* "about 20 s": two digits say more than is known. */
static void write_seconds(char *text, size_t size, double seconds)
{
    const double about = seconds < 9.5     ? fmax(seconds, 1.0)
                         : seconds < 57.5  ? 5.0 * round(seconds / 5.0)
                         : seconds < 570.0 ? fmax(round(seconds / 60.0), 1.0)
                                           : 10.0 * round(seconds / 600.0);
    (void)snprintf(text, size, "about %.0f %s", about, seconds < 57.5 ? "s" : "min");
}

/* out: the stream. */
static void put_scenario(void *out, const lte_shipped *one)
{
    char seconds[32] = "cannot run";
    if (isfinite(one->seconds))
        write_seconds(seconds, sizeof seconds, one->seconds);
    (void)fprintf(out, NAME "%-12s  %s\n", one->name, seconds, one->title);
}

const lte_name lte_abbreviations[] = {
    {"AWGN", "additive white Gaussian noise"},
    {"BER, BLER", "bit error rate, block error rate"},
    {"CG", "conjugate gradients"},
    {"CSI", "channel state information: what the receiver knows about the channel"},
    {"DM-RS", "demodulation reference signals"},
    {"EPA, EVA, ETU", "Extended Pedestrian A, Vehicular A, Typical Urban: the channels of 3GPP"},
    {"GMI", "generalised mutual information: bits per symbol that soft bits carry"},
    {"HARQ", "hybrid automatic repeat request: wrong blocks are sent again"},
    {"LLR", "log-likelihood ratio, a soft bit"},
    {"LS", "least squares"},
    {"MCS", "modulation and coding scheme"},
    {"MMSE", "minimum mean square error"},
    {"MRC", "maximum-ratio combining"},
    {"QPSK, QAM", "quadrature phase-shift keying, quadrature amplitude modulation"},
    {"SNR", "signal-to-noise ratio"},
    {"ZF", "zero forcing"},
    {NULL, NULL}};

/* A line for each device of an accelerator. */
static lte_status put_devices(FILE *out, const lte_backend *backend)
{
    const int n = backend->n_devices();
    if (n == 0)
        (void)fprintf(out, NAME "(no usable device: %s)\n", backend->name, backend->why_none());
    for (int i = 0; i < n; i++) {
        char name[64];
        lte_device device;
        const lte_status status = backend->describe(i, &device);
        if (status)
            return status;
        (void)snprintf(name, sizeof name, "%s:%d", backend->name, i);
        (void)fprintf(out, NAME "%s, %s\n", name, device.name, device.text);
    }
    if (n > 0 && *backend->why_none())
        (void)fprintf(out, NAME "(not usable: %s)\n", backend->name, backend->why_none());
    return LTE_OK;
}

static void put_version(FILE *out, const lte_inversion_row *row)
{
    (void)fprintf(out, NAME "%s on a device, order %d to %d: %s%s\n", row->name,
                  lte_inverter_rows[row->inverter].name, row->min_order, row->max_order,
                  row->mapping,
                  row->published && !strstr(row->mapping, "published") ? ", as published" : "");
}

lte_status lte_about_lists(FILE *out)
{
    lte_pace pace;
    lte_status status = lte_pace_measure(&pace);
    if (status)
        return status;
    (void)fputs("scenarios\n", out);
    lte_shipped_each(&pace, put_scenario, out);
    (void)fputs("channels\n", out);
    for (int i = 0; i < LTE_N_CHANNELS; i++)
        put_name(out, lte_channel_rows[i].name, lte_channel_rows[i].text);
    (void)fputs("detectors\n", out);
    for (int i = 0; i < LTE_N_DETECTORS; i++)
        put_name(out, lte_detector_rows[i].name, lte_detector_rows[i].text);
    (void)fputs("inverters\n", out);
    for (int i = 0; i < LTE_N_INVERTERS; i++)
        put_name(out, lte_inverter_rows[i].name, lte_inverter_rows[i].text);
    (void)fputs("versions\n", out);
    for (int i = LTE_INVERSION_FAST + 1; i < LTE_N_INVERSIONS; i++)
        put_version(out, &lte_inversion_rows[i]);
    (void)fputs("csi\n", out);
    for (int i = 0; i < LTE_N_CSI; i++)
        put_name(out, lte_csi_rows[i].name, lte_csi_rows[i].text);
    (void)fputs("modulations\n", out);
    for (int i = 0; i < LTE_N_MODULATIONS; i++)
        (void)fprintf(out, NAME "%d bits per symbol\n", lte_modulation_rows[i].name,
                      lte_modulation_rows[i].n_bits);
    (void)fputs("abbreviations\n", out);
    for (int i = 0; lte_abbreviations[i].name; i++)
        put_name(out, lte_abbreviations[i].name, lte_abbreviations[i].text);
    (void)fputs("backends\n", out);
    for (int i = 0; lte_levels[i].name; i++)
        (void)fprintf(out, NAME "%s%s%s\n", lte_levels[i].name, lte_levels[i].text,
                      lte_levels[i].usable() ? "" : " (not supported by this processor)",
                      lte_backend_find(lte_levels[i].name) ? "" : " (not built)");
    if (lte_backend_find("cuda"))
        status = put_devices(out, lte_backend_find("cuda"));
    else
        (void)fprintf(out, NAME "(not built: %s)\n", "cuda", lte_backend_cuda_command);
    return status;
}
