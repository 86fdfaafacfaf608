/* Writes a file of channels, slot by slot. */
#include "sim/files/channel_file.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "phy/base/carrier.h"
#include "sim/files/revision.h"

enum { MAX_RANK = 5 };

struct lte_channel_writer {
    char path[4096];      /* final name */
    char temporary[4112]; /* name while it is written */
    int rank;
    hsize_t size[MAX_RANK];
    hid_t file, dataset, space, slot, number; /* negative: not open */
};

static lte_status fail(const char *path)
{
    return LTE_FAIL(LTE_EIO, "%s: cannot be written: %s", path,
                    errno ? strerror(errno) : "HDF5 gives no reason");
}

lte_status lte_channel_writer_check(const char *path)
{
    char temporary[4112];
    struct stat info;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is said here, in one line */
    if (snprintf(temporary, sizeof temporary, "%s.tmp", path) >= 4096)
        return LTE_FAIL(LTE_EIO, "--dump-channel: the name is too long");
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return LTE_FAIL(LTE_EIO, "--dump-channel %s: is a folder or a device, not a file", path);
    if (stat(path, &info) == 0 && info.st_size > 0 && H5Fis_hdf5(path) <= 0)
        return LTE_FAIL(
            LTE_EIO,
            "--dump-channel %s: exists and is not an HDF5 file; move it, or name another file",
            path);
    FILE *file = fopen(temporary, "w");
    if (!file)
        return LTE_FAIL(LTE_EIO, "--dump-channel %s: %s", path, strerror(errno));
    (void)fclose(file);
    (void)unlink(temporary);
    return LTE_OK;
}

static bool put_number(hid_t dataset, const char *name, hid_t type, const void *x)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, type, x) >= 0;
    good = (attribute < 0 || H5Aclose(attribute) >= 0) && good;
    (void)H5Sclose(space);
    return good;
}

static bool put_text(hid_t dataset, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    const bool good = H5Tset_size(type, strlen(text) + 1) >= 0 &&
                      H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                      put_number(dataset, name, type, text);
    (void)H5Tclose(type);
    return good;
}

static bool put_attributes(hid_t dataset, const lte_channel_shape *shape,
                           const lte_channel_origin *origin)
{
    const int version = LTE_CHANNEL_FORMAT_VERSION;
    const double spacing_hz = LTE_SUBCARRIER_HZ;
    char program[128];
    (void)snprintf(program, sizeof program, "ltesim %s (%s)", LTE_VERSION, lte_revision);
    return put_number(dataset, "format_version", H5T_NATIVE_INT, &version) &&
           put_number(dataset, "drop_slots", H5T_NATIVE_INT, &shape->drop_slots) &&
           put_number(dataset, "seed", H5T_NATIVE_UINT64, &origin->seed) &&
           put_number(dataset, "doppler_hz", H5T_NATIVE_DOUBLE, &origin->doppler_hz) &&
           put_number(dataset, "subcarrier_spacing_hz", H5T_NATIVE_DOUBLE, &spacing_hz) &&
           put_text(dataset, "scenario", origin->scenario) &&
           put_text(dataset, "model", origin->model) && put_text(dataset, "program", program) &&
           put_text(dataset, "axes",
                    shape->n_h == 1 ? "slot rx tx subcarrier" : "slot rx tx symbol subcarrier");
}

/* The empty dataset: contiguous, and without the time of day, so that equal channels make equal
 * files. */
static bool make_dataset(lte_channel_writer *w)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    w->number = H5Tcreate(H5T_COMPOUND, sizeof(lte_cf32));
    w->space = H5Screate_simple(w->rank, w->size, NULL);
    w->slot = H5Screate_simple(w->rank - 1, &w->size[1], NULL);
    bool good = how >= 0 && w->number >= 0 && w->space >= 0 && w->slot >= 0 &&
                H5Tinsert(w->number, "r", offsetof(lte_cf32, re), H5T_NATIVE_FLOAT) >= 0 &&
                H5Tinsert(w->number, "i", offsetof(lte_cf32, im), H5T_NATIVE_FLOAT) >= 0 &&
                H5Pset_obj_track_times(how, false) >= 0;
    if (good)
        w->dataset = H5Dcreate2(w->file, "h", w->number, w->space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (how >= 0)
        (void)H5Pclose(how);
    return good && w->dataset >= 0;
}

lte_status lte_channel_writer_create(const char *path, const lte_channel_shape *shape,
                                     const lte_channel_origin *origin, lte_channel_writer **writer)
{
    const lte_array type = lte_channel_type(shape, 1);
    *writer = NULL;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    lte_channel_writer *w = calloc(1, sizeof *w);
    if (!w)
        return LTE_FAIL(LTE_ENOMEM, "no memory to write channels");
    w->file = w->dataset = w->space = w->slot = w->number = -1;
    (void)snprintf(w->path, sizeof w->path, "%s", path);
    (void)snprintf(w->temporary, sizeof w->temporary, "%s.tmp", w->path);
    for (int k = 0, d; (d = lte_dim_in(&type, 0, k)) >= 0; k++) {
        if (k != LTE_CHANNEL_SYMBOL_AXIS || shape->n_h > 1)
            w->size[w->rank++] = (hsize_t)type.dim[d].size;
    }
    w->size[0] = (hsize_t)shape->n_slots;
    errno = 0;
    w->file = H5Fcreate(w->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (w->file < 0 || !make_dataset(w) || !put_attributes(w->dataset, shape, origin)) {
        const lte_status status = fail(path);
        lte_channel_writer_free(w);
        return status;
    }
    *writer = w;
    return LTE_OK;
}

lte_status lte_channel_writer_put(lte_channel_writer *writer, uint64_t slot, const lte_cf32 *planes)
{
    lte_channel_writer *w = writer;
    const hsize_t first[MAX_RANK] = {(hsize_t)slot};
    hsize_t count[MAX_RANK];
    memcpy(count, w->size, sizeof count);
    count[0] = 1;
    errno = 0;
    if (H5Sselect_hyperslab(w->space, H5S_SELECT_SET, first, NULL, count, NULL) < 0 ||
        H5Dwrite(w->dataset, w->number, w->slot, w->space, H5P_DEFAULT, planes) < 0)
        return fail(w->path);
    return LTE_OK;
}

/* Closes all but what is closed; false if anything was not written. */
static bool close_all(lte_channel_writer *w)
{
    bool good = true;
    if (w->slot >= 0)
        (void)H5Sclose(w->slot);
    if (w->space >= 0)
        (void)H5Sclose(w->space);
    if (w->number >= 0)
        (void)H5Tclose(w->number);
    if (w->dataset >= 0)
        good = H5Dclose(w->dataset) >= 0 && good;
    if (w->file >= 0)
        good = H5Fclose(w->file) >= 0 && good;
    w->file = w->dataset = w->space = w->slot = w->number = -1;
    return good;
}

lte_status lte_channel_writer_finish(lte_channel_writer *writer)
{
    lte_channel_writer *w = writer;
    errno = 0;
    bool good = close_all(w);
    const int fd = good ? open(w->temporary, O_RDONLY) : -1;
    good = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        (void)close(fd);
    if (!good || rename(w->temporary, w->path) != 0)
        return fail(w->path);
    w->temporary[0] = '\0';
    return LTE_OK;
}

void lte_channel_writer_free(lte_channel_writer *writer)
{
    if (!writer)
        return;
    (void)close_all(writer);
    if (writer->temporary[0])
        (void)unlink(writer->temporary);
    free(writer);
}
