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

/* Takes the last frame off a stack. */
static struct span take_last(struct span *stack)
{
    size_t from = stack->length;
    while (from > 0 && stack->at[from - 1] != ';')
        from--;
    struct span frame = span_from(*stack, from);
    stack->length = from > 0 ? from - 1 : 0;
    return frame;
}

/* A frame without its place, unless that is all that it has. */
static struct span frame_name(struct span frame)
{
    const char *blank = memchr(frame.at, ' ', frame.length);
    if (blank != NULL && frame.at[0] != '?' && frame.at[0] != '(')
        frame.length = (size_t)(blank - frame.at);
    return frame;
}

/*
 * Appends a stack. If it is too long, its last frame, and the names of as many callers as fit; the
 * nearest one is worth more than the place of the last frame.
 */
static void put_stack(struct text *line, struct span stack, size_t room)
{
    enum { CALLERS_MAX = 64, BEFORE_WIDTH = 2 };
    struct span callers = stack, names[CALLERS_MAX], last = take_last(&callers), rest = callers;
    size_t count = 0;
    size_t nearest_width = text_width(frame_name(take_last(&rest))) + 1 + BEFORE_WIDTH;
    if (text_width(stack) <= room || callers.length == 0) {
        text_put_cut_path(line, stack, room);
        return;
    }
    if (nearest_width + text_width(last) > room &&
        nearest_width + text_width(frame_name(last)) <= room)
        last = frame_name(last);
    size_t used = text_width(last);
    if (used + BEFORE_WIDTH > room) {
        text_put_cut_path(line, stack, room);
        return;
    }
    for (rest = callers; rest.length > 0 && count < CALLERS_MAX; callers = rest) {
        names[count] = frame_name(take_last(&rest));
        used += text_width(names[count]) + 1;
        if (used + (rest.length > 0 ? BEFORE_WIDTH : 0) > room)
            break;
        count++;
    }
    text_put_string(line, callers.length > 0 ? "\xe2\x80\xa6;" : "");
    while (count-- > 0) {
        text_put_span(line, names[count]);
        text_put_string(line, ";");
    }
    text_put_span(line, last);
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
