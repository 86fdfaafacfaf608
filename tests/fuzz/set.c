/* The lines are what --set says, over a scenario that is right. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 8 };
    const char *sets[MOST];
    int n = 0;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text; at && n < MOST;) {
        char *end = strchr(at, '\n');
        sets[n++] = at;
        if (end)
            *end++ = '\0';
        at = end;
    }
    try_scenario(right, sizeof right - 1, sets, n);
    free(text);
    return 0;
}
