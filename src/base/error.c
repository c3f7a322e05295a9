#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set_code(struct error *err, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(err->text, sizeof err->text, format, arguments) < 0)
        err->text[0] = '\0';
    va_end(arguments);
    err->code = code;
    return false;
}
