/* The bytes are a scenario. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_scenario(data, size, NULL, 0);
    return 0;
}
