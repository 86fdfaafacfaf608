/* Reads a file of channels and checks all of it. */
#include "sim/files/channel_file.h"

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "phy/limits.h"
#include "phy/channels.h"
#include "phy/profile.h"
#include "sim/files/refuse.h"

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

const char *lte_channel_file_library(void)
{
    return TEXT_OF(H5_VERS_MAJOR) "." TEXT_OF(H5_VERS_MINOR) "." TEXT_OF(H5_VERS_RELEASE);
}

void lte_channel_file_fini(lte_channel_file *file)
{
    free(file->h);
    *file = (lte_channel_file){0};
}

/* What is open while a file is read; negative: not yet. */
typedef struct {
    hid_t file, dataset, space, memory, type, number;
} handles;

static void handles_close(handles *at)
{
    if (at->number >= 0)
        (void)H5Tclose(at->number);
    if (at->type >= 0)
        (void)H5Tclose(at->type);
    if (at->memory >= 0)
        (void)H5Sclose(at->memory);
    if (at->space >= 0)
        (void)H5Sclose(at->space);
    if (at->dataset >= 0)
        (void)H5Dclose(at->dataset);
    if (at->file >= 0)
        (void)H5Fclose(at->file);
}

/* True if the bytes of the dataset lie in other files, which a foreign file may name at will. */
static bool lies_elsewhere(const handles *at)
{
    char own[2][4096] = {"", ""};
    const hid_t made = H5Dget_create_plist(at->dataset);
    const bool stored =
        made >= 0 && H5Pget_external_count(made) == 0 && H5Pget_layout(made) != H5D_VIRTUAL;
    if (made >= 0)
        (void)H5Pclose(made);
    return !stored || H5Fget_name(at->file, own[0], sizeof own[0]) < 0 ||
           H5Fget_name(at->dataset, own[1], sizeof own[1]) < 0 || strcmp(own[0], own[1]) != 0;
}

static lte_status open_dataset(const char *path, const char *who, handles *at)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return lte_refuse("%s: cannot be read: %s", who, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return lte_refuse("%s: is a folder or a device, not a file", who);
    if (access(path, R_OK) != 0)
        return lte_refuse("%s: cannot be read: %s", who, strerror(errno));
    if (H5Fis_hdf5(path) <= 0)
        return lte_refuse("%s: is not an HDF5 file", who);
    at->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (at->file < 0)
        return lte_refuse("%s: is an HDF5 file that is truncated, damaged or being written", who);
    if (H5Lexists(at->file, "h", H5P_DEFAULT) <= 0)
        return lte_refuse("%s: has no dataset /h", who);
    at->dataset = H5Dopen2(at->file, "h", H5P_DEFAULT);
    if (at->dataset < 0)
        return lte_refuse("%s: /h is not a dataset", who);
    if (lies_elsewhere(at))
        return lte_refuse("%s: /h lies in another file: external storage, links to other files and "
                          "virtual datasets are not followed",
                          who);
    at->space = H5Dget_space(at->dataset);
    at->type = H5Dget_type(at->dataset);
    if (at->space < 0 || at->type < 0)
        return lte_refuse("%s: /h is damaged", who);
    return LTE_OK;
}

/* True if a member of a compound is a float or a double. */
static bool is_real(hid_t compound, const char *name)
{
    const int i = H5Tget_member_index(compound, name);
    const hid_t member = i < 0 ? -1 : H5Tget_member_type(compound, (unsigned)i);
    if (member < 0)
        return false;
    const size_t size = H5Tget_size(member);
    const bool real = H5Tget_class(member) == H5T_FLOAT && (size == 4 || size == 8);
    (void)H5Tclose(member);
    return real;
}

static lte_status check_type(const char *who, hid_t type)
{
    if (H5Tget_class(type) == H5T_COMPOUND && H5Tget_nmembers(type) == 2 && is_real(type, "r") &&
        is_real(type, "i"))
        return LTE_OK;
    return lte_refuse("%s: /h has the wrong type: must be a compound of two floats or doubles, r "
                      "and i",
                      who);
}

/* Takes over the shape of the dataset, which must be that of n_rx, n_tx and n_sc. */
static lte_status read_shape(const char *who, hid_t space, int n_rx, int n_tx, int n_sc,
                             lte_channel_shape *shape)
{
    hsize_t size[5] = {0};
    const int rank = H5Sget_simple_extent_ndims(space);
    char is[160] = "";
    if (rank != 4 && rank != 5)
        return lte_refuse("%s: /h has %d dimension%s: must have 4, [n_slots][n_rx][n_tx][n_sc], or "
                          "5, [n_slots][n_rx][n_tx][%d][n_sc]",
                          who, rank, rank == 1 ? "" : "s", LTE_SLOT_SYMBOLS);
    if (H5Sget_simple_extent_dims(space, size, NULL) != rank)
        return lte_refuse("%s: /h is damaged", who);
    for (int i = 0; i < rank; i++) {
        const size_t used = strlen(is);
        (void)snprintf(is + used, sizeof is - used, "[%llu]", (unsigned long long)size[i]);
    }
    if (size[0] < 1 || size[1] != (hsize_t)n_rx || size[2] != (hsize_t)n_tx ||
        size[rank - 1] != (hsize_t)n_sc || (rank == 5 && size[3] != LTE_SLOT_SYMBOLS))
        return lte_refuse("%s: /h is %s: antennas and bandwidth ask for [n_slots][%d][%d][%d] or "
                          "[n_slots][%d][%d][%d][%d], n_slots 1 or more",
                          who, is, n_rx, n_tx, n_sc, n_rx, n_tx, LTE_SLOT_SYMBOLS, n_sc);
    *shape = (lte_channel_shape){.n_slots = size[0],
                                 .n_rx = n_rx,
                                 .n_tx = n_tx,
                                 .n_h = rank == 5 ? LTE_SLOT_SYMBOLS : 1,
                                 .n_sc = n_sc,
                                 .drop_slots = 1};
    return LTE_OK;
}

/* An attribute of the dataset that is an integer, low to high; where it is not there, *x stays. */
static lte_status read_attribute(const char *who, hid_t dataset, const char *name, int low,
                                 int high, int *x)
{
    long long value = 0;
    if (H5Aexists(dataset, name) <= 0)
        return LTE_OK;
    const hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT);
    const hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    const bool whole = type >= 0 && H5Tget_class(type) == H5T_INTEGER;
    if (type >= 0)
        (void)H5Tclose(type);
    const bool known = whole && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                       H5Aread(attribute, H5T_NATIVE_LLONG, &value) >= 0;
    if (space >= 0)
        (void)H5Sclose(space);
    if (attribute >= 0)
        (void)H5Aclose(attribute);
    if (!whole)
        return lte_refuse("%s: /h has attribute %s that is no integer: must be one, %d to %d", who,
                          name, low, high);
    if (!known || value < low || value > high)
        return lte_refuse("%s: /h has attribute %s = %lld: must be an integer, %d to %d", who, name,
                          value, low, high);
    *x = (int)value;
    return LTE_OK;
}

/* The channel that attribute model names, if its subcarriers follow from a profile; else -1. */
static int read_model(hid_t dataset)
{
    char name[64] = "";
    if (H5Aexists(dataset, "model") <= 0)
        return -1;
    const hid_t attribute = H5Aopen(dataset, "model", H5P_DEFAULT);
    const hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) < sizeof name && H5Aget_storage_size(attribute) < sizeof name)
        (void)H5Aread(attribute, type, name);
    if (type >= 0)
        (void)H5Tclose(type);
    if (attribute >= 0)
        (void)H5Aclose(attribute);
    const lte_names names = LTE_NAMES(lte_channel_rows);
    const int found = lte_name_find(&names, name);
    return found >= 0 && lte_channel_rows[found].taps.n > 0 ? found : -1;
}

/* Mean of |h|^2. */
static double power_of(const lte_channel_file *file)
{
    const lte_channel_shape *shape = &file->shape;
    const size_t n = (size_t)file->n_read * (size_t)(shape->n_rx * shape->n_tx) *
                     (size_t)(shape->n_h * shape->n_sc);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double re = (double)file->h[i].re, im = (double)file->h[i].im;
        sum += re * re + im * im;
    }
    return sum / (double)n;
}

/* Room for the slots that are to be read. */
static lte_status reserve(const char *who, lte_channel_file *file, size_t *n)
{
    const lte_channel_shape *s = &file->shape;
    const size_t slot = (size_t)lte_channel_type(s, 1).dim[0].size;
    const double bytes = (double)file->n_read * (double)slot * sizeof(lte_cf32);
    const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (!(bytes < there))
        return lte_refuse("%s: /h has %llu slots, of which the run may use %llu, %.3g GB: this "
                          "machine has %.3g GB of memory",
                          who, (unsigned long long)s->n_slots, (unsigned long long)file->n_read,
                          bytes / 1e9, there / 1e9);
    *n = (size_t)file->n_read * slot;
    file->h = malloc(*n * sizeof *file->h);
    if (!file->h)
        return LTE_FAIL(LTE_ENOMEM, "%s: no memory for %.3g GB of channels", who, bytes / 1e9);
    return LTE_OK;
}

/* True for what slots' powers have room for; E|h|^2 is 1 or so. Not for NaN. */
static bool is_usable(lte_cf32 h)
{
    const float most = 1000.0f;
    return fabsf(h.re) <= most && fabsf(h.im) <= most;
}

/* Refuses the first of n numbers that is not usable, by its place in /h. */
static lte_status check_numbers(const char *who, const lte_channel_file *file, size_t n)
{
    const lte_array type = lte_channel_type(&file->shape, file->n_read);
    char at[160] = "";
    size_t i = 0;
    while (i < n && is_usable(file->h[i]))
        i++;
    if (i == n)
        return LTE_OK;
    for (int k = 0, d; (d = lte_dim_in(&type, 0, k)) >= 0; k++) {
        const size_t used = strlen(at);
        if (k != LTE_CHANNEL_SYMBOL_AXIS || file->shape.n_h > 1)
            (void)snprintf(at + used, sizeof at - used, "[%lld]",
                           (long long)lte_dim_index(&type, d, (int64_t)i));
    }
    return lte_refuse("%s: /h%s = %g%+gi: parts must be finite and at most 1000 in size", who, at,
                      (double)file->h[i].re, (double)file->h[i].im);
}

static uint64_t fnv1a(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ p[i]) * 0x100000001b3u;
    return sum;
}

/* Those of the dataset's numbers that are read; its first dimension is that of slots. */
static bool select_slots(handles *at, const lte_channel_file *file)
{
    hsize_t from[5] = {0}, size[5] = {0};
    if (H5Sget_simple_extent_dims(at->space, size, NULL) < 4)
        return false;
    size[0] = file->n_read;
    at->memory = H5Screate_simple(H5Sget_simple_extent_ndims(at->space), size, NULL);
    return at->memory >= 0 &&
           H5Sselect_hyperslab(at->space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0;
}

static lte_status read_numbers(const char *who, handles *at, lte_channel_file *file)
{
    size_t n = 0;
    lte_status status = reserve(who, file, &n);
    if (status)
        return status;
    at->number = H5Tcreate(H5T_COMPOUND, sizeof(lte_cf32));
    if (at->number < 0 || !select_slots(at, file) ||
        H5Tinsert(at->number, "r", offsetof(lte_cf32, re), H5T_NATIVE_FLOAT) < 0 ||
        H5Tinsert(at->number, "i", offsetof(lte_cf32, im), H5T_NATIVE_FLOAT) < 0 ||
        H5Dread(at->dataset, at->number, at->memory, at->space, H5P_DEFAULT, file->h) < 0)
        return lte_refuse("%s: /h cannot be read: truncated, damaged or packed in a way that this "
                          "HDF5 does not know",
                          who);
    status = check_numbers(who, file, n);
    if (!status)
        file->checksum = fnv1a(file->h, n * sizeof *file->h);
    return status;
}

lte_status lte_channel_file_read(const char *path, const char *who, int n_rx, int n_tx, int n_sc,
                                 uint64_t most, lte_channel_file *file)
{
    handles at = {-1, -1, -1, -1, -1, -1};
    int version = LTE_CHANNEL_FORMAT_VERSION;
    *file = (lte_channel_file){0};
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is said here, in one line */
    lte_status status = open_dataset(path, who, &at);
    if (!status)
        status = check_type(who, at.type);
    if (!status)
        status = read_shape(who, at.space, n_rx, n_tx, n_sc, &file->shape);
    if (!status)
        status = read_attribute(who, at.dataset, "format_version", LTE_CHANNEL_FORMAT_VERSION,
                                LTE_CHANNEL_FORMAT_VERSION, &version);
    if (!status)
        status = read_attribute(who, at.dataset, "drop_slots", 1, LTE_MAX_DROP_SLOTS,
                                &file->shape.drop_slots);
    file->n_read = file->shape.n_slots < most ? file->shape.n_slots : most;
    if (!status)
        status = read_numbers(who, &at, file);
    if (!status) {
        file->model = read_model(at.dataset);
        file->power = power_of(file);
    }
    handles_close(&at);
    if (status)
        lte_channel_file_fini(file);
    return status;
}
