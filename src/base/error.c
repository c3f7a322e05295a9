#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    if (length < 0)
        err->text[0] = '\0';
    return false;
}
