/* The one place where failures are announced. */
#include "phy/base/status.h"

#include <stdarg.h>
#include <stdio.h>

static void print_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)fprintf(stderr, "ltesim: %s\n", text);
}

static lte_fail_handler current_handler = print_failure;

lte_fail_handler lte_fail_handler_set(lte_fail_handler handler)
{
    lte_fail_handler before = current_handler;
    current_handler = handler ? handler : print_failure;
    return before;
}

lte_status lte_fail(lte_status status, const char *file, int line, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    current_handler(status, file, line, text);
    return status;
}
