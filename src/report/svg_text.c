#include "report/svg_text.h"

#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"
#define REPLACEMENT "\xef\xbf\xbd"

static const char *entity(char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static bool is_forbidden(struct span clean, size_t at)
{
    return clean.length - at >= 3 && (memcmp(clean.at + at, "\xef\xbf\xbe", 3) == 0 ||
                                      memcmp(clean.at + at, "\xef\xbf\xbf", 3) == 0);
}

void svg_put_escaped(struct text *text, struct span clean)
{
    size_t from = 0;
    for (size_t i = 0; i < clean.length; i++) {
        const char *instead = is_forbidden(clean, i) ? REPLACEMENT : entity(clean.at[i]);
        if (instead == NULL)
            continue;
        text_put(text, clean.at + from, i - from);
        text_put_string(text, instead);
        i += is_forbidden(clean, i) ? 2 : 0;
        from = i + 1;
    }
    text_put(text, clean.at + from, clean.length - from);
}

void svg_put_fitted(struct text *text, struct span clean, size_t columns)
{
    enum { COLUMNS_MIN = 3 };
    size_t used = 0, kept = 0;
    if (columns < COLUMNS_MIN)
        return;
    for (size_t i = 0; i < clean.length;) {
        size_t next = i + 1;
        while (next < clean.length && ((unsigned char)clean.at[next] & 0xc0) == 0x80)
            next++;
        used += next - i > 1 ? 2 : 1;
        if (used > columns) {
            svg_put_escaped(text, (struct span){clean.at, kept});
            text_put_string(text, ELLIPSIS);
            return;
        }
        if (used < columns)
            kept = next;
        i = next;
    }
    svg_put_escaped(text, clean);
}
