#include "report/svg/svg_text.h"

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

enum { COLUMNS_MIN = 3 };

/* The bytes of the character at an offset of a clean text, and the columns that it takes. */
static size_t character_length(struct span clean, size_t at)
{
    size_t next = at + 1;
    while (next < clean.length && ((unsigned char)clean.at[next] & 0xc0) == 0x80)
        next++;
    return next - at;
}

static size_t columns_of(struct span clean)
{
    size_t columns = 0;
    for (size_t i = 0, length; i < clean.length; i += length) {
        length = character_length(clean, i);
        columns += length > 1 ? 2 : 1;
    }
    return columns;
}

void svg_put_fitted(struct text *text, struct span clean, size_t columns)
{
    size_t used = 0, kept = 0;
    if (columns < COLUMNS_MIN)
        return;
    for (size_t i = 0, length; i < clean.length; i += length) {
        length = character_length(clean, i);
        used += length > 1 ? 2 : 1;
        if (used > columns) {
            svg_put_escaped(text, (struct span){clean.at, kept});
            text_put_string(text, ELLIPSIS);
            return;
        }
        if (used < columns)
            kept = i + length;
    }
    svg_put_escaped(text, clean);
}

/* The columns of ":120" at a place's end; 0 if there is no line. */
static size_t line_columns(struct span place)
{
    size_t digits = 0;
    while (digits < place.length && place.at[place.length - 1 - digits] >= '0' &&
           place.at[place.length - 1 - digits] <= '9')
        digits++;
    bool has_line =
        digits > 0 && digits < place.length && place.at[place.length - 1 - digits] == ':';
    return has_line ? digits + 1 : 0;
}

/* Appends an ellipsis and as much of the end as fits. */
static void put_end(struct text *text, struct span clean, size_t columns)
{
    size_t used = columns_of(clean), from = 0;
    while (used > columns - 1) {
        size_t length = character_length(clean, from);
        used -= length > 1 ? 2 : 1;
        from += length;
    }
    text_put_string(text, ELLIPSIS);
    svg_put_escaped(text, (struct span){clean.at + from, clean.length - from});
}

void svg_put_fitted_label(struct text *text, struct span label, size_t name_length, size_t columns)
{
    struct span name = {label.at, name_length};
    bool has_place = label.length > name_length + 1;
    struct span place = {label.at + name_length, 0};
    if (has_place)
        place = (struct span){label.at + name_length + 1, label.length - name_length - 1};
    size_t line = line_columns(place);
    bool is_nameless = name.length == 1 && name.at[0] == '?';
    size_t name_columns = columns_of(name);
    if (columns < COLUMNS_MIN || columns_of(label) <= columns || !has_place) {
        svg_put_fitted(text, label, columns);
    } else if (is_nameless) {
        if (line == 0)
            svg_put_fitted(text, place, columns);
        else if (line < columns)
            put_end(text, place, columns_of(place) < columns ? columns_of(place) + 1 : columns);
    } else if (line > 0 && name_columns + 2 + line <= columns) {
        svg_put_escaped(text, name);
        text_put_string(text, " ");
        put_end(text, place, columns - name_columns - 1);
    } else {
        svg_put_fitted(text, name, columns);
    }
}
