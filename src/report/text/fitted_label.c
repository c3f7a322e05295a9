#include "report/text/fitted_label.h"

#include <stdint.h>

enum { GAP = 2 };

/* Appends a stack; if it is too long, only its last frames. */
static void put_stack(struct text *line, struct span stack, size_t room)
{
    static const char before[] = "\xe2\x80\xa6;";
    enum { BEFORE_WIDTH = 2 };
    size_t at = stack.length, used = 0;
    if (text_width(stack) <= room) {
        text_put(line, stack.at, stack.length);
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

/* Appends a place; if it is too long, first the kind of the thread after it is left out. */
static void put_place(struct text *line, struct span place, size_t room)
{
    size_t kind = place.length;
    while (kind > 0 && place.at[kind - 1] != '(')
        kind--;
    bool has_kind = kind >= 2 && place.at[kind - 2] == ' ';
    if (has_kind && text_width(place) > room)
        place.length = kind - 2;
    text_put_cut_path(line, place, room);
}

static void put_both(struct text *line, const struct label_room *room, struct span name,
                     struct span place)
{
    size_t width = room->width, name_width = text_width(name);
    size_t name_room = width == SIZE_MAX ? SIZE_MAX : width - GAP - width / 3;
    if (name_width > name_room)
        name_width = name_room;
    text_put_cut(line, name, name_width);
    size_t aligned = name_width < room->name_width ? room->name_width : name_width;
    bool has_room = width == SIZE_MAX || aligned + GAP + text_width(place) <= width;
    size_t used = (has_room ? aligned : name_width) + GAP;
    text_put_blanks(line, used - name_width);
    text_put_string(line, room->is_colored ? "\x1b[2m" : "");
    put_place(line, place, width == SIZE_MAX ? SIZE_MAX : width - used);
    text_put_string(line, room->is_colored ? "\x1b[0m" : "");
}

void fitted_label_put(struct text *line, const struct label_room *room, struct span name,
                      struct span place)
{
    if (place.length == 0)
        put_only_name(line, room, name);
    else
        put_both(line, room, name, place);
}
