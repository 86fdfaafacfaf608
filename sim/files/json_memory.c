/* malloc with a memory of its failures, as jansson's own. */
#include "sim/files/json_memory.h"

#include <jansson.h>
#include <stdlib.h>

static bool whole = true;

static void *take(size_t size)
{
    void *memory = malloc(size);
    whole = whole && memory;
    return memory;
}

void lte_json_begin(void)
{
    whole = true;
    json_set_alloc_funcs(take, free);
}

bool lte_json_is_whole(void)
{
    return whole;
}
