/* In place of channel_file_read.c and channel_file_write.c where HDF5 is not there. */
#include "sim/files/channel_file.h"

#include <stddef.h>

static lte_status refuse(const char *what)
{
    return LTE_FAIL(LTE_EDEVICE,
                    "%.300s: this program was built without HDF5; install libhdf5-dev and build it "
                    "again, as ./ltesim does by itself",
                    what);
}

const char *lte_channel_file_library(void)
{
    return NULL;
}

lte_status lte_channel_file_read(const char *path, const char *who, int n_rx, int n_tx, int n_sc,
                                 uint64_t most, lte_channel_file *file)
{
    (void)path;
    (void)n_rx;
    (void)n_tx;
    (void)n_sc;
    (void)most;
    *file = (lte_channel_file){0};
    return refuse(who);
}

void lte_channel_file_fini(lte_channel_file *file)
{
    *file = (lte_channel_file){0};
}

lte_status lte_channel_writer_check(const char *path)
{
    (void)path;
    return refuse("--dump-channel");
}

lte_status lte_channel_writer_create(const char *path, const lte_channel_shape *shape,
                                     const lte_channel_origin *origin, lte_channel_writer **writer)
{
    (void)shape;
    (void)origin;
    *writer = NULL;
    return refuse(path);
}

lte_status lte_channel_writer_put(lte_channel_writer *writer, uint64_t slot, const lte_cf32 *planes)
{
    (void)writer;
    (void)slot;
    (void)planes;
    return LTE_EDEVICE; /* create has said why */
}

lte_status lte_channel_writer_finish(lte_channel_writer *writer)
{
    (void)writer;
    return LTE_EDEVICE;
}

void lte_channel_writer_free(lte_channel_writer *writer)
{
    (void)writer;
}
