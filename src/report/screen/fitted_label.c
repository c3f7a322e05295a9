#include "report/screen/fitted_label.h"

#include "report/sentences/styles.h"

enum { GAP = 2, NAME_WIDTH_KEPT = 8 };

/* The columns of what follows the last of a character; of all if it is not there. */
static size_t width_after(struct span text, char character)
{
    size_t from = text.length;
    while (from > 0 && text.at[from - 1] != character)
        from--;
    return text_width((struct span){text.at + from, text.length - from});
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The columns of a path of which only the folders are cut. */
static size_t file_need(struct span path)
{
    return least(text_width(path), 1 + width_after(path, '/'));
}

/* Appends a stack; if it is too long, only its last frames. */
static void put_stack(struct text *line, struct span stack, size_t room)
{
    static const char before[] = "\xe2\x80\xa6;";
    enum { BEFORE_WIDTH = 2 };
    size_t at = stack.length, used = 0;
    if (text_width(stack) <= room) {
        text_put_span(line, stack);
        return;
    }
    for (size_t i = stack.length; i > 0; i--) {
        used += ((unsigned char)stack.at[i - 1] & 0xc0) != 0x80;
        if (used + BEFORE_WIDTH - 1 > room)
            break;
        at = stack.at[i - 1] == ';' ? i : at;
    }
    if (at == stack.length) {
        text_put_cut_path(line, stack, room);
        return;
    }
    text_put_string(line, before);
    text_put(line, stack.at + at, stack.length - at);
}

/* Appends what stands for a row without a place. */
static void put_only_name(struct text *line, const struct label_room *room, struct span name)
{
    if (room->by == BY_STACK)
        put_stack(line, name, room->width);
    else if (room->by == BY_FILE)
        text_put_cut_path(line, name, room->width);
    else
        text_put_cut(line, name, room->width);
}

/* Removes the kind of the thread after a place. */
static struct span without_kind(struct span place)
{
    size_t kind = place.length;
    while (kind > 0 && place.at[kind - 1] != '(')
        kind--;
    if (kind >= 2 && place.at[kind - 2] == ' ')
        place.length = kind - 2;
    return place;
}

/* The columns for a name: all that its place does not need, but at least as many as are kept. */
static size_t name_room(size_t width, struct span place)
{
    if (width == SIZE_MAX)
        return SIZE_MAX;
    size_t kept = least(width - GAP - width / 3, NAME_WIDTH_KEPT);
    size_t need = file_need(without_kind(place)) + GAP;
    size_t room = width > need ? width - need : 0;
    room = least(room, width - GAP - width / 3);
    return room > kept ? room : kept;
}

/* Appends a place after a name of `name_width` columns. */
static void put_place(struct text *line, const struct label_room *room, size_t name_width,
                      struct span place)
{
    size_t width = room->width;
    size_t aligned = name_width < room->name_width ? room->name_width : name_width;
    bool has_room = width == SIZE_MAX || aligned + GAP + text_width(place) <= width;
    size_t used = (has_room ? aligned : name_width) + GAP;
    if (width != SIZE_MAX && text_width(place) > width - used)
        place = without_kind(place);
    text_put_blanks(line, used - name_width);
    text_put_string(line, room->is_colored ? STYLE_DIM : "");
    text_put_cut_path(line, place, width == SIZE_MAX ? SIZE_MAX : width - used);
    text_put_string(line, room->is_colored ? STYLE_PLAIN : "");
}

void fitted_label_put(struct text *line, const struct label_room *room, struct span name,
                      struct span place)
{
    size_t name_width = least(text_width(name), name_room(room->width, place));
    bool has_style = room->is_bold && room->is_colored;
    text_put_string(line, has_style ? STYLE_BOLD : "");
    if (place.length == 0)
        put_only_name(line, room, name);
    else
        text_put_cut(line, name, name_width);
    text_put_string(line, has_style ? STYLE_PLAIN : "");
    if (place.length > 0)
        put_place(line, room, name_width, place);
}

size_t fitted_label_need(enum table_by by, struct span name, struct span place)
{
    if (place.length > 0)
        return text_width(name) + GAP + file_need(without_kind(place));
    if (by == BY_STACK)
        return least(text_width(name), 2 + width_after(name, ';'));
    return by == BY_FILE ? file_need(name) : text_width(name);
}
