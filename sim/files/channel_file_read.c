/*
 * Reads a file of channels and checks all of it. HDF5 works in a process of its own: of files that
 * are damaged some crash it (1.10.8 uses memory that it has freed).
 */
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

#include "kernels/link/channel_range.h"
#include "phy/base/limits.h"
#include "phy/channel/channels.h"
#include "phy/channel/profile.h"
#include "sim/files/apart.h"
#include "sim/files/refuse.h"

enum {
    BLOCK_BYTES = 8 << 20,  /* of numbers at a time */
    MOST_CHUNK = 32 << 20,  /* bytes of a chunk, unpacked, of the wider numbers */
    CACHE_BYTES = 40 << 20, /* so that a chunk that several blocks have parts of is unpacked once */
    CHUNK_PLACES = 1009
};

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

const char *lte_channel_file_library(void)
{
    return TEXT_OF(H5_VERS_MAJOR) "." TEXT_OF(H5_VERS_MINOR) "." TEXT_OF(H5_VERS_RELEASE);
}

void lte_channel_file_fini(lte_channel_file *file)
{
    free(file->h);
    free(file->silent);
    *file = (lte_channel_file){0};
}

/* What is open while a file is read; negative: not yet. */
typedef struct {
    hid_t file, dataset, space, type, number;
} handles;

static void handles_close(handles *at)
{
    if (at->number >= 0)
        (void)H5Tclose(at->number);
    if (at->type >= 0)
        (void)H5Tclose(at->type);
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
        return lte_refuse("%s: is a folder, a device or a pipe, not a file", who);
    if (access(path, R_OK) != 0)
        return lte_refuse("%s: cannot be read: %s", who, strerror(errno));
    if (H5Fis_hdf5(path) <= 0)
        return lte_refuse("%s: is not an HDF5 file", who);
    at->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (at->file < 0)
        return lte_refuse("%s: is an HDF5 file that is truncated, damaged or being written", who);
    if (H5Lexists(at->file, "h", H5P_DEFAULT) <= 0)
        return lte_refuse("%s: has no dataset /h", who);
    const hid_t access_to = H5Pcreate(H5P_DATASET_ACCESS);
    (void)H5Pset_chunk_cache(access_to, CHUNK_PLACES, CACHE_BYTES, 1.0);
    at->dataset = H5Dopen2(at->file, "h", access_to);
    (void)H5Pclose(access_to);
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
        return lte_refuse("%s: /h is %s: the antennas and bandwidth of the scenario need "
                          "[n_slots][%d][%d][%d] or [n_slots][%d][%d][%d][%d], n_slots 1 or more",
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
        return lte_refuse(
            "%s: /h has attribute %s that is not an integer: must be an integer, %d to %d", who,
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

/* Refuses chunks that it would take much memory to unpack one of. */
static lte_status check_chunks(const char *who, hid_t dataset)
{
    hsize_t size[5] = {0};
    double bytes = 2.0 * sizeof(double);
    const hid_t made = H5Dget_create_plist(dataset);
    const bool chunked = made >= 0 && H5Pget_layout(made) == H5D_CHUNKED;
    const int rank = chunked ? H5Pget_chunk(made, 5, size) : 0;
    if (made >= 0)
        (void)H5Pclose(made);
    for (int i = 0; i < rank && i < 5; i++)
        bytes *= (double)size[i];
    return !chunked || (rank > 0 && rank <= 5 && bytes <= MOST_CHUNK)
               ? LTE_OK
               : lte_refuse("%s: /h has chunks of %.3g MB: must be at most %d", who,
                            bytes * 0x1p-20, MOST_CHUNK >> 20);
}

/* ---- in a process of its own: all that HDF5 does ---- */

/* Some rows of some slots in a row, as they lie in the file and are handed over. */
typedef struct {
    hsize_t slot, n_slots, rx, n_rx;
} block;

/* What the parent asks for. */
typedef struct {
    const char *path, *who;
    int n_rx, n_tx, n_sc;
    uint64_t most;
} request;

/* What it gets before the numbers. */
typedef struct {
    lte_channel_shape shape;
    uint64_t n_read;
    int model;
} found;

/* Numbers of one antenna in a slot. */
static size_t row_numbers(const lte_channel_shape *s)
{
    return (size_t)s->n_tx * (size_t)s->n_h * (size_t)s->n_sc;
}

/* The next block behind one, as far as there are slots: whole slots, or parts of a large one. */
static bool next_block(const found *f, block *b)
{
    const lte_channel_shape *s = &f->shape;
    const hsize_t row = row_numbers(s) * sizeof(lte_cf32), n_rx = (hsize_t)s->n_rx;
    const hsize_t rows = BLOCK_BYTES / row > 0 ? BLOCK_BYTES / row : 1;
    b->rx += b->n_rx;
    if (b->rx == n_rx) {
        b->slot += b->n_slots;
        b->rx = 0;
    }
    const hsize_t left = f->n_read - b->slot, whole = rows / n_rx;
    b->n_slots = whole < 1 ? 1 : whole < left ? whole : left;
    b->n_rx = rows < n_rx - b->rx ? rows : n_rx - b->rx;
    return left > 0;
}

static size_t block_numbers(const found *f, const block *b)
{
    return (size_t)b->n_slots * (size_t)b->n_rx * row_numbers(&f->shape);
}

static bool read_block(const handles *at, const found *f, const block *b, lte_cf32 *h)
{
    const lte_channel_shape *s = &f->shape;
    const int rank = H5Sget_simple_extent_ndims(at->space);
    const hsize_t symbol = (hsize_t)s->n_h, n_sc = (hsize_t)s->n_sc;
    const hsize_t from[5] = {b->slot, b->rx};
    const hsize_t size[5] = {b->n_slots, b->n_rx, (hsize_t)s->n_tx, rank == 5 ? symbol : n_sc,
                             n_sc};
    const hid_t memory = H5Screate_simple(rank, size, NULL);
    const bool read = memory >= 0 &&
                      H5Sselect_hyperslab(at->space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
                      H5Dread(at->dataset, at->number, memory, at->space, H5P_DEFAULT, h) >= 0;
    if (memory >= 0)
        (void)H5Sclose(memory);
    return read;
}

static lte_status put_numbers(int pipe, const char *who, handles *at, const found *f)
{
    const size_t row = row_numbers(&f->shape) * sizeof(lte_cf32);
    lte_cf32 *h = malloc(row < BLOCK_BYTES ? BLOCK_BYTES : row);
    block b = {0};
    bool good = h != NULL;
    at->number = H5Tcreate(H5T_COMPOUND, sizeof(lte_cf32));
    good = good && at->number >= 0 &&
           H5Tinsert(at->number, "r", offsetof(lte_cf32, re), H5T_NATIVE_FLOAT) >= 0 &&
           H5Tinsert(at->number, "i", offsetof(lte_cf32, im), H5T_NATIVE_FLOAT) >= 0;
    while (good && next_block(f, &b)) {
        good = read_block(at, f, &b, h);
        if (good)
            lte_apart_put(pipe, h, block_numbers(f, &b) * sizeof *h);
    }
    free(h);
    return good ? LTE_OK
                : lte_refuse("%s: /h cannot be read: it is truncated, damaged or compressed by a "
                             "filter that this HDF5 lacks",
                             who);
}

/* lte_apart_fn: what is found, then the numbers. */
static lte_status read_apart(int pipe, void *user)
{
    const request *r = user;
    handles at = {-1, -1, -1, -1, -1};
    int version = LTE_CHANNEL_FORMAT_VERSION;
    found f = {.model = -1};
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what fails is said here, in one line */
    lte_status status = open_dataset(r->path, r->who, &at);
    if (!status)
        status = check_type(r->who, at.type);
    if (!status)
        status = read_shape(r->who, at.space, r->n_rx, r->n_tx, r->n_sc, &f.shape);
    if (!status)
        status = check_chunks(r->who, at.dataset);
    if (!status)
        status = read_attribute(r->who, at.dataset, "format_version", LTE_CHANNEL_FORMAT_VERSION,
                                LTE_CHANNEL_FORMAT_VERSION, &version);
    if (!status)
        status = read_attribute(r->who, at.dataset, "drop_slots", 1, LTE_MAX_DROP_SLOTS,
                                &f.shape.drop_slots);
    f.n_read = f.shape.n_slots < r->most ? f.shape.n_slots : r->most;
    if (!status) {
        f.model = read_model(at.dataset);
        lte_apart_put(pipe, &f, sizeof f);
        status = put_numbers(pipe, r->who, &at, &f);
    }
    handles_close(&at);
    return status;
}

/* ---- and here ---- */

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

/* The range of all slots' matrices. */
static void look_at_range(lte_channel_file *file)
{
    const lte_channel_shape *s = &file->shape;
    const lte_link sizes = {.n_rx = s->n_rx, .n_tx = s->n_tx, .carrier.n_sc = s->n_sc};
    const size_t slot = lte_planes_size(&sizes, s->n_h);
    for (uint64_t i = 0; i < file->n_read; i++) {
        const lte_cf32 *planes = &file->h[i * slot];
        const bool moderate = lte_planes_moderate(&sizes, s->n_h, planes, LTE_LEAST_RANGE);
        file->silent[i] = moderate ? 0 : (uint32_t)lte_planes_silent(&sizes, s->n_h, planes, NULL);
        file->wide = file->wide || !moderate;
    }
}

/* Room for the slots that are to be read. */
static lte_status reserve(const char *who, lte_channel_file *file, size_t *n)
{
    const lte_channel_shape *s = &file->shape;
    const size_t slot = (size_t)lte_channel_type(s, 1).dim[0].size;
    const double bytes = (double)file->n_read * (double)slot * sizeof(lte_cf32);
    const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (!(bytes < there))
        return lte_refuse("%s: /h has %llu slots; the run may use %llu of them, %.3g GB, but this "
                          "machine has %.3g GB of memory",
                          who, (unsigned long long)s->n_slots, (unsigned long long)file->n_read,
                          bytes / 1e9, there / 1e9);
    *n = (size_t)file->n_read * slot;
    file->h = malloc(*n * sizeof *file->h);
    file->silent = malloc((size_t)file->n_read * sizeof *file->silent);
    if (!file->h || !file->silent)
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
    return lte_refuse(
        "%s: /h%s = %g%+gi: real and imaginary part must be finite and at most 1000 in magnitude",
        who, at, (double)file->h[i].re, (double)file->h[i].im);
}

static uint64_t fnv1a(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ p[i]) * 0x100000001b3u;
    return sum;
}

/* False for what a process whose memory is damaged may say. */
static bool is_possible(const found *f, const request *r)
{
    const lte_channel_shape *s = &f->shape;
    return s->n_rx > 0 && s->n_tx > 0 && s->n_sc > 0 && s->n_rx == r->n_rx && s->n_tx == r->n_tx &&
           s->n_sc == r->n_sc && (s->n_h == 1 || s->n_h == LTE_SLOT_SYMBOLS) && f->n_read >= 1 &&
           f->n_read <= r->most && f->n_read <= s->n_slots && s->drop_slots >= 1 &&
           s->drop_slots <= LTE_MAX_DROP_SLOTS && f->model >= -1 && f->model < LTE_N_CHANNELS;
}

/* All numbers, block by block. */
static lte_status get_numbers(const char *who, lte_apart *apart, const found *f,
                              lte_channel_file *file)
{
    size_t n = 0, got = 0;
    block b = {0};
    lte_status status = reserve(who, file, &n);
    while (!status && next_block(f, &b)) {
        const size_t here = block_numbers(f, &b);
        status = lte_apart_get(apart, who, &file->h[got], here * sizeof *file->h);
        got += here;
    }
    if (!status)
        status = check_numbers(who, file, n);
    if (!status) {
        file->checksum = fnv1a(file->h, n * sizeof *file->h);
        look_at_range(file);
    }
    return status;
}

lte_status lte_channel_file_read(const char *path, const char *who, int n_rx, int n_tx, int n_sc,
                                 uint64_t most, lte_channel_file *file)
{
    request r = {path, who, n_rx, n_tx, n_sc, most};
    lte_apart apart;
    found f;
    *file = (lte_channel_file){0};
    lte_status status = lte_apart_begin(read_apart, &r, &apart);
    if (!status)
        status = lte_apart_get(&apart, who, &f, sizeof f);
    if (!status && !is_possible(&f, &r))
        status = lte_refuse("%s: cannot be read: the file is damaged", who);
    else if (!status) {
        file->shape = f.shape;
        file->n_read = f.n_read;
        file->model = f.model;
        status = get_numbers(who, &apart, &f, file);
    }
    lte_apart_end(&apart);
    if (!status)
        file->power = power_of(file);
    if (!status && !(file->power > 0.0))
        status = lte_refuse("%s: the channels of all %llu slots that the run may use are zero", who,
                            (unsigned long long)file->n_read);
    if (status)
        lte_channel_file_fini(file);
    return status;
}
