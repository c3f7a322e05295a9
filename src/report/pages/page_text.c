#include "report/pages/page_text.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define REPLACEMENT "\xef\xbf\xbd"

/* What stands for a character of markup; NULL for any other. */
static const char *entity(char byte)
{
    static const char *const entities[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    size_t code = (unsigned char)byte;
    return code < sizeof entities / sizeof entities[0] ? entities[code] : NULL;
}

static bool is_forbidden(struct span clean, size_t at)
{
    return clean.length - at >= 3 && (memcmp(clean.at + at, "\xef\xbf\xbe", 3) == 0 ||
                                      memcmp(clean.at + at, "\xef\xbf\xbf", 3) == 0);
}

void page_put_escaped(struct text *text, struct span clean)
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

/* The columns of the character that begins at an offset of a clean text; 0 inside of one. */
static size_t columns_at(struct span clean, size_t at)
{
    bool is_ascii = (unsigned char)clean.at[at] < 0x80;
    return text_is_inside_character(clean.at[at]) ? 0 : is_ascii ? 1 : 2;
}

static size_t columns_of(struct span clean)
{
    size_t columns = 0;
    for (size_t i = 0; i < clean.length; i++)
        columns += columns_at(clean, i);
    return columns;
}

void page_put_fitted(struct text *text, struct span clean, size_t columns)
{
    size_t used = 0, kept = 0;
    if (columns < COLUMNS_MIN)
        return;
    bool is_cut = columns_of(clean) > columns;
    while (is_cut && (used += columns_at(clean, kept)) < columns)
        kept++;
    page_put_escaped(text, (struct span){clean.at, is_cut ? kept : clean.length});
    if (is_cut)
        text_put_string(text, ELLIPSIS);
}

/* Appends an ellipsis and as much of the end as fits. */
static void put_fitted_end(struct text *text, struct span clean, size_t columns)
{
    size_t left = columns_of(clean), from = 0;
    while (left >= columns)
        left -= columns_at(clean, from++);
    while (from < clean.length && text_is_inside_character(clean.at[from]))
        from++;
    text_put_string(text, ELLIPSIS);
    page_put_escaped(text, span_from(clean, from));
}

/* The columns of ":120" at a place's end; 0 if there is no line. */
static size_t line_columns(struct span place)
{
    size_t at = place.length;
    while (at > 0 && place.at[at - 1] >= '0' && place.at[at - 1] <= '9')
        at--;
    bool has_line = at > 0 && at < place.length && place.at[at - 1] == ':';
    return has_line ? place.length - at + 1 : 0;
}

void page_put_fitted_label(struct text *text, struct span label, size_t name_length, size_t columns)
{
    struct span name = {label.at, name_length}, place = {label.at + label.length, 0};
    if (label.length > name_length)
        place = (struct span){label.at + name_length + 1, label.length - name_length - 1};
    size_t line = line_columns(place), name_columns = columns_of(name) + 1;
    if (columns < COLUMNS_MIN || place.length == 0 || columns_of(label) <= columns) {
        page_put_fitted(text, label, columns);
    } else if (span_is(name, "?") && line > 0) {
        if (line < columns)
            put_fitted_end(text, place, columns);
    } else if (line > 0 && name_columns + line < columns) {
        page_put_escaped(text, name);
        text_put_string(text, " ");
        put_fitted_end(text, place, columns - name_columns);
    } else {
        page_put_fitted(text, span_is(name, "?") ? place : name, columns);
    }
}
