#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/libraries.h"

#include <pcre2.h>
#include <zlib.h>

void libraries_put(struct text *text)
{
    char pcre2[64] = "";
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    /* Without its date. */
    text_printf(text, "PCRE2 %.*s, zlib %s", (int)strcspn(pcre2, " "), pcre2, zlibVersion());
}
