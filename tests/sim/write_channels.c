/*
 * A file of channels from floats, real and imaginary parts in turn, on stdin:
 *
 *     write_channels FILE N_SLOTS N_RX N_TX N_H N_SC DROP_SLOTS < [n_slots][n_rx][n_tx][n_h][n_sc]
 */

#include <stdio.h>
#include <stdlib.h>

#include "sim/files/channel_file.h"

static int number(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

int main(int argc, char **argv)
{
    if (argc != 8)
        return 2;
    const lte_channel_shape shape = {.n_slots = strtoull(argv[2], NULL, 10),
                                     .n_rx = number(argv[3]),
                                     .n_tx = number(argv[4]),
                                     .n_h = number(argv[5]),
                                     .n_sc = number(argv[6]),
                                     .drop_slots = number(argv[7])};
    const lte_channel_origin origin = {.scenario = "test", .model = "file"};
    const size_t n =
        (size_t)shape.n_rx * (size_t)shape.n_tx * (size_t)shape.n_h * (size_t)shape.n_sc;
    lte_cf32 *planes = malloc(n * sizeof *planes);
    lte_channel_writer *writer = NULL;
    lte_status status = planes ? LTE_OK : LTE_ENOMEM;
    if (!status)
        status = lte_channel_writer_create(argv[1], &shape, &origin, &writer);
    for (uint64_t slot = 0; slot < shape.n_slots && !status; slot++)
        status = fread(planes, sizeof *planes, n, stdin) == n
                     ? lte_channel_writer_put(writer, slot, planes)
                     : LTE_EIO;
    if (!status)
        status = lte_channel_writer_finish(writer);
    lte_channel_writer_free(writer);
    free(planes);
    return status ? 1 : 0;
}
