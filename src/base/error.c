#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

FORMATS_LIKE_PRINTF(2, 0)
static void format_text(struct error *err, const char *format, va_list arguments)
{
    if (vsnprintf(err->text, sizeof err->text, format, arguments) < 0)
        err->text[0] = '\0';
}

bool error_set(struct error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_text(err, format, arguments);
    va_end(arguments);
    err->code = NULL;
    return false;
}

bool error_set_code(struct error *err, const char *code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    format_text(err, format, arguments);
    va_end(arguments);
    err->code = code;
    return false;
}
