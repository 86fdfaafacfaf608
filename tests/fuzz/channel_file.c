/* The bytes are a file of channels. */
#include "fuzz.h"

#include "sim/files/channel_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lte_channel_file file;
    (void)lte_channel_file_read(file_of(data, size), "channel.file", 1, 1, 72, 4, &file);
    lte_channel_file_fini(&file);
    return 0;
}
