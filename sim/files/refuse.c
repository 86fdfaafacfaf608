/* One line for what the user wrote, whatever it quotes. */
#include "sim/files/refuse.h"

#include <stdarg.h>
#include <stdio.h>

lte_status lte_refuse(const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    }
    return LTE_FAIL(LTE_EINVAL, "%s", text);
}
