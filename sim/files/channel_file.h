#ifndef LTE_SIM_FILES_CHANNEL_FILE_H
#define LTE_SIM_FILES_CHANNEL_FILE_H
/*
 * Channels in and out: the HDF5 file of channel.model = "file" and of --dump-channel.
 *
 *     lte_channel_file file;
 *     lte_status status = lte_channel_file_read(path, "channel.file", n_rx, n_tx, n_sc, most,
 *     &file); ... file.h, of the type lte_channel_type(&file.shape, file.n_read) ...
 *     lte_channel_file_fini(&file);
 *
 *     lte_channel_writer *writer = NULL;
 *     status = lte_channel_writer_create(path, &shape, &origin, &writer);
 *     for (uint64_t slot = 0; slot < shape.n_slots && !status; slot++)
 *         status = lte_channel_writer_put(writer, slot, planes);
 *     status = status ? status : lte_channel_writer_finish(writer);
 *     lte_channel_writer_free(writer);
 *
 * The file has one dataset, /h, of complex numbers: a compound of r and i, floats or doubles (what
 * h5py makes of complex64 and complex128), of the shape
 *
 *     [n_slots][n_rx][n_tx][n_sc]       one channel a slot (n_h = 1), or
 *     [n_slots][n_rx][n_tx][7][n_sc]    one for each OFDM symbol (n_h = 7),
 *
 * subcarriers 15 kHz apart from the lowest to the highest, linear amplitude, without unit: y = H x
 * + n, with E|h|^2 = 1 where the SNR is to mean what it says. Attributes of /h, read where they are
 * there:
 *
 *     drop_slots        slots in a row that are no independent channels (1)
 *     format_version    1
 *     model             name of the channel that they were drawn from, whose power-delay profile a
 *                       receiver is told then
 *
 * and written for whoever reads it: seed, scenario, doppler_hz, subcarrier_spacing_hz,
 * program, axes.
 */

#include <stdbool.h>
#include <stdint.h>

#include "kernels/link/layouts.h"

enum { LTE_CHANNEL_FORMAT_VERSION = 1, LTE_CHANNEL_SYMBOL_AXIS = 3 /* not there if n_h = 1 */ };

typedef struct {
    uint64_t n_slots;
    int n_rx, n_tx, n_h, n_sc;
    int drop_slots; /* slots in a row that are no independent channels; 1: each is one */
} lte_channel_shape;

typedef struct {
    lte_channel_shape shape; /* of the file */
    uint64_t n_read;         /* slots of it that are here */
    lte_cf32 *h;             /* [n_read][n_rx][n_tx][n_h][n_sc]; owned */
    uint64_t checksum;       /* FNV-1a of the bytes of h */
    int model;               /* LTE_CHANNEL_* whose delays are known to be theirs; -1: none */
    double power;            /* mean of |h|^2 */
    uint32_t *silent;        /* [n_read] silent layers of a slot (lte_planes_silent); owned */
    bool wide;               /* a slot is not lte_planes_moderate */
} lte_channel_file;

/* Where channels come from, for the attributes. */
typedef struct {
    const char *scenario, *model;
    double doppler_hz;
    uint64_t seed;
} lte_channel_origin;

/* The writer's own state. */
typedef struct lte_channel_writer lte_channel_writer;

/* n_slots of a file's slots, in memory and in /h: [n_slots] of LTE_PLANES_H. */
static inline lte_array lte_channel_type(const lte_channel_shape *s, uint64_t n_slots)
{
    const lte_link sizes = {
        .n_rx = s->n_rx, .n_tx = s->n_tx, .channel.n_h = s->n_h, .carrier.n_sc = s->n_sc};
    return lte_layout_of(&sizes, LTE_PLANES_H, (int64_t)n_slots);
}

/* "1.10.8" of the HDF5 that this build has, or NULL: then nothing here but fini and free works. */
const char *lte_channel_file_library(void);

/*
 * Reads the first slots of the file at path, at most so many, and looks at no others; who it is
 * begins every refusal, as in `x.cfg:5: channel.file`.
 *
 * Returns LTE_EINVAL for a file that is not as described, is not of n_rx, n_tx and n_sc, holds a
 * number that is not finite or beyond 1000, or more than this machine's memory; LTE_ENOMEM;
 * LTE_EDEVICE without HDF5. On failure file holds nothing; fini is fine in every case.
 */
lte_status lte_channel_file_read(const char *path, const char *who, int n_rx, int n_tx, int n_sc,
                                 uint64_t most, lte_channel_file *file);

void lte_channel_file_fini(lte_channel_file *file);

/* Looks whether a file can be written at path. Returns LTE_EIO, LTE_EDEVICE without HDF5. */
lte_status lte_channel_writer_check(const char *path);

/*
 * Begins a file under a temporary name beside path. The caller frees *writer.
 *
 * Returns LTE_EIO with the reason, LTE_ENOMEM, LTE_EDEVICE without HDF5.
 */
lte_status lte_channel_writer_create(const char *path, const lte_channel_shape *shape,
                                     const lte_channel_origin *origin, lte_channel_writer **writer);

/* Writes one slot: planes [n_rx][n_tx][n_h][n_sc]. Returns LTE_EIO. */
lte_status lte_channel_writer_put(lte_channel_writer *writer, uint64_t slot,
                                  const lte_cf32 *planes);

/* Gives the file, synced, its name. Returns LTE_EIO; whatever was at path before then stays. */
lte_status lte_channel_writer_finish(lte_channel_writer *writer);

/* Removes what was not finished. */
void lte_channel_writer_free(lte_channel_writer *writer);

#endif
