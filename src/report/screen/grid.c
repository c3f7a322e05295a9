#include "report/screen/grid.h"

#include "report/sentences/amounts.h"
#include "report/sentences/wrap.h"

enum { LABEL_GAP = 2 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The columns of a path of which only the folders are cut. */
static size_t file_need(struct span path)
{
    return least(text_width(path), 1 + text_width(span_after_last(path, '/')));
}

/* Takes the last frame off a stack. */
static struct span take_last(struct span *stack)
{
    struct span frame = span_after_last(*stack, ';');
    stack->length -= frame.length + (frame.length < stack->length);
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
    if (callers.length > 0)
        text_put_string(line, "\xe2\x80\xa6;");
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
    size_t kind = place.length - span_after_last(place, '(').length;
    if (kind >= 2 && place.at[kind - 2] == ' ')
        place.length = kind - 2;
    return place;
}

/* The columns for a name: all that its place does not need, but at least half of them. */
static size_t name_room(size_t width, struct span place)
{
    if (width == SIZE_MAX)
        return SIZE_MAX;
    size_t kept = least(width - LABEL_GAP - width / 3, width / 2);
    size_t need = file_need(without_kind(place)) + LABEL_GAP;
    size_t room = width > need ? width - need : 0;
    /* A short place leaves the rest to the name. */
    size_t place_room = least(text_width(without_kind(place)), width / 3);
    room = least(room, width - LABEL_GAP - place_room);
    return room > kept ? room : kept;
}

/* Appends a place after a name of `name_width` columns. */
static void put_place(struct text *line, const struct label_room *room, size_t name_width,
                      struct span place)
{
    size_t width = room->width;
    size_t aligned = name_width < room->name_width ? room->name_width : name_width;
    bool has_room = width == SIZE_MAX || aligned + LABEL_GAP + text_width(place) <= width;
    size_t used = (has_room ? aligned : name_width) + LABEL_GAP;
    if (width != SIZE_MAX && text_width(place) > width - used)
        place = without_kind(place);
    text_put_blanks(line, used - name_width);
    if (room->is_colored)
        text_put_string(line, STYLE_DIM);
    text_put_cut_path(line, place, width == SIZE_MAX ? SIZE_MAX : width - used);
    if (room->is_colored)
        text_put_string(line, STYLE_PLAIN);
}

void fitted_label_put(struct text *line, const struct label_room *room, struct span name,
                      struct span place)
{
    size_t name_width = least(text_width(name), name_room(room->width, place));
    bool has_style = room->is_bold && room->is_colored;
    if (has_style)
        text_put_string(line, STYLE_BOLD);
    if (place.length == 0)
        put_only_name(line, room, name);
    else
        text_put_cut(line, name, name_width);
    if (has_style)
        text_put_string(line, STYLE_PLAIN);
    if (place.length > 0)
        put_place(line, room, name_width, place);
}

/* The columns in which a label keeps its name, and the name of its file or its last frame. */
static size_t label_need(enum table_by by, struct span name, struct span place)
{
    if (place.length > 0)
        return text_width(name) + LABEL_GAP + file_need(without_kind(place));
    if (by == BY_STACK)
        return least(text_width(name), 2 + text_width(span_after_last(name, ';')));
    return by == BY_FILE ? file_need(name) : text_width(name);
}

enum { GAP = 2, LABEL_WIDTH_MIN = 4 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static enum column_type type_of(const struct grid *grid, size_t i)
{
    return grid->table->columns[i].info->type;
}

void grid_init(struct grid *grid, const struct table *table, const struct report *report,
               size_t row_limit)
{
    *grid = (struct grid){
        .table = table,
        .report = report,
        .row_count = table->row_count < row_limit ? table->row_count : row_limit,
    };
    for (size_t i = 0; i < table->column_count; i++) {
        if (type_of(grid, i) == TYPE_LABEL)
            continue;
        cell_put_title(&grid->cell_text, table, &table->columns[i]);
        grid->widths[i] =
            larger(text_width(text_span(&grid->cell_text)), type_of(grid, i) == TYPE_MARK);
        text_cut(&grid->cell_text, 0);
    }
}

/* Sets the cell; returns its text, which is empty for a label. */
static struct span get_cell(struct grid *grid, size_t row, size_t i)
{
    const struct table *table = grid->table;
    grid->cell.room = grid->is_fitted ? grid->label_width : table->label_wanted;
    table_get(table, row, &table->columns[i], &grid->cell);
    text_cut(&grid->cell_text, 0);
    if (type_of(grid, i) != TYPE_LABEL)
        cell_put(&grid->cell_text, table, &grid->cell);
    return text_span(&grid->cell_text);
}

/* Measuring -------------------------------------------------------------------------------- */

static void measure_label(struct grid *grid)
{
    struct span name = text_span(&grid->cell.text), place = text_span(&grid->cell.place);
    grid->need = larger(grid->need,
                        label_need(grid->table->by, name, place) +
                            text_width(text_span(&grid->cell.suffix)));
    /* One very long name must not push all places out of sight. */
    size_t name_width = place.length > 0 ? text_width(name) : 0;
    grid->name_width = larger(grid->name_width, least(name_width, grid->table->name_width_max));
}

static size_t gap_after(const struct grid *grid, size_t i)
{
    return type_of(grid, i) == TYPE_MARK ? 1 : GAP;
}

/* The columns of text before the labels. */
static size_t cells_width(const struct grid *grid)
{
    size_t width = grid->table->indent;
    for (size_t i = 0; i < grid->table->column_count; i++)
        if (type_of(grid, i) != TYPE_LABEL && !grid->is_hidden[i])
            width += grid->widths[i] + gap_after(grid, i);
    return width;
}

/* Hides the columns of an order; returns whether there are columns of this order or a later one. */
static bool hide(struct grid *grid, unsigned order)
{
    bool has_more = false;
    for (size_t i = 0; i < grid->table->column_count; i++) {
        has_more |= grid->table->columns[i].order >= order;
        grid->is_hidden[i] |= grid->table->columns[i].order == order;
    }
    return has_more;
}

/* The columns that labels should have: as they need, unless that is most of the line. */
static size_t wanted_width(const struct grid *grid)
{
    size_t most = grid->report->width - grid->report->width / 3;
    if (grid->table->label_enough != 0)
        most = least(grid->table->label_enough, most);
    return larger(least(grid->need, most), grid->table->label_wanted);
}

void grid_measure(struct grid *grid)
{
    for (size_t row = 0; row < grid->row_count; row++)
        for (size_t i = 0; i < grid->table->column_count; i++) {
            grid->widths[i] = larger(grid->widths[i], text_width(get_cell(grid, row, i)));
            if (type_of(grid, i) == TYPE_LABEL)
                measure_label(grid);
        }
    size_t wanted = wanted_width(grid), width = grid->report->width;
    for (unsigned order = 1; width != 0 && cells_width(grid) + wanted > width; order++)
        if (!hide(grid, order))
            break;
    size_t cells = cells_width(grid), rest = width > cells ? width - cells : 0;
    grid->label_width = width == 0 ? SIZE_MAX : larger(rest, LABEL_WIDTH_MIN);
    grid->hides_labels = width != 0 && rest < LABEL_WIDTH_MIN;
    grid->is_fitted = true;
}

/* Putting ---------------------------------------------------------------------------------- */

static const char *const cell_styles[] = {[CELL_PLAIN] = "",
                                          [CELL_MUCH] = STYLE_RED,
                                          [CELL_SOME] = STYLE_MAGENTA,
                                          [CELL_LESS] = STYLE_GREEN,
                                          [CELL_DIM] = STYLE_DIM};

static void put_cell(const struct grid *grid, struct text *text, size_t i, struct span cell,
                     enum cell_style style)
{
    bool is_left = type_of(grid, i) == TYPE_TEXT;
    bool has_style = grid->report->is_colored && style != CELL_PLAIN && cell.length > 0;
    size_t blanks = grid->widths[i] - text_width(cell);
    text_put_blanks(text, is_left ? 0 : blanks);
    if (has_style)
        text_put_string(text, cell_styles[style]);
    text_put_span(text, cell);
    if (has_style)
        text_put_string(text, STYLE_PLAIN);
    text_put_blanks(text, gap_after(grid, i) + (is_left ? blanks : 0));
}

static void put_label(const struct grid *grid, struct text *text)
{
    const struct cell *cell = &grid->cell;
    size_t suffix = text_width(text_span(&cell->suffix)), width = grid->label_width;
    struct label_room room = {.by = grid->table->by,
                              .width = width,
                              .name_width = grid->name_width,
                              .is_colored = grid->report->is_colored};
    if (width != SIZE_MAX)
        room.width = width > suffix + LABEL_WIDTH_MIN ? width - suffix : LABEL_WIDTH_MIN;
    bool has_style = room.is_colored && cell->style != CELL_PLAIN;
    if (has_style)
        text_put_string(text, cell_styles[cell->style]);
    fitted_label_put(text, &room, text_span(&cell->text), text_span(&cell->place));
    if (has_style)
        text_put_string(text, STYLE_PLAIN);
    /* Only where there is nearly no room, it is cut, too. */
    if (width == SIZE_MAX || width > LABEL_WIDTH_MIN)
        text_put_cut(
            text, text_span(&cell->suffix), width == SIZE_MAX ? SIZE_MAX : width - LABEL_WIDTH_MIN);
}

/* Takes the blanks off the end of a line that began at `start`. */
static void trim(struct text *text, size_t start)
{
    while (text->length > start && text->at[text->length - 1] == ' ')
        text_cut(text, text->length - 1);
}

static void put_row(struct grid *grid, struct text *text, size_t row)
{
    size_t start = text->length;
    bool has_label = false;
    text_put_blanks(text, grid->table->indent);
    for (size_t i = 0; i < grid->table->column_count; i++) {
        if (grid->is_hidden[i])
            continue;
        struct span cell = get_cell(grid, row, i);
        has_label =
            type_of(grid, i) == TYPE_LABEL && grid->cell.text.length > 0 && !grid->hides_labels;
        if (has_label)
            put_label(grid, text);
        else if (type_of(grid, i) != TYPE_LABEL)
            put_cell(grid, text, i, cell, grid->cell.style);
    }
    if (!has_label)
        trim(text, start);
    text_put_string(text, "\n");
}

static void put_titles(struct grid *grid, struct text *text, const char *label_title)
{
    const struct table *table = grid->table;
    size_t start = text->length;
    text_put_blanks(text, table->indent);
    if (grid->report->is_colored)
        text_put_string(text, STYLE_BOLD);
    for (size_t i = 0; i < table->column_count; i++) {
        if (grid->is_hidden[i] || type_of(grid, i) == TYPE_LABEL)
            continue;
        text_cut(&grid->cell_text, 0);
        cell_put_title(&grid->cell_text, table, &table->columns[i]);
        put_cell(grid, text, i, text_span(&grid->cell_text), CELL_PLAIN);
    }
    if (label_title != NULL && label_title[0] != '\0' && !grid->hides_labels)
        text_put_cut(text, span_of(label_title), grid->label_width);
    else
        trim(text, start);
    if (grid->report->is_colored)
        text_put_string(text, STYLE_PLAIN);
    text_put_string(text, "\n");
}

/* Appends the titles and the rows of a group. */
static void put_group(struct grid *grid, const struct table_group *group, size_t end,
                      struct text *text, struct output *out)
{
    put_titles(
        grid, text, group->label_title != NULL ? group->label_title : grid->table->label_title);
    for (size_t row = group->first_row; row < end && (out == NULL || !output_has_failed(out));
         row++) {
        if (out != NULL)
            output_put_text(out, text);
        put_row(grid, text, row);
    }
    if (group->hidden_count > 0)
        rows_put_hidden(text,
                        grid->report,
                        grid->table->indent,
                        amount_make("%zu more", group->hidden_count).at,
                        "",
                        "--rows 0");
}

void grid_put(struct grid *grid, struct text *text, struct output *out)
{
    static const struct table_group all_rows;
    const struct table *table = grid->table;
    const struct table_group *groups = table->groups != NULL ? table->groups : &all_rows;
    size_t i = 0;
    if (!grid->is_fitted)
        grid_measure(grid);
    do
        put_group(grid,
                  &groups[i],
                  i + 1 < table->group_count ? groups[i + 1].first_row : grid->row_count,
                  text,
                  out);
    while (++i < table->group_count);
    grid_release(grid);
}

void grid_release(struct grid *grid)
{
    cell_release(&grid->cell);
    text_release(&grid->cell_text);
}

void table_put_on_screen(const struct table *table, const struct report *report, size_t row_limit,
                         struct text *text, struct output *out)
{
    struct grid grid;
    grid_init(&grid, table, report, row_limit);
    grid_put(&grid, text, out);
}

size_t table_rows_that_fit(const struct report *report, const struct text *head,
                           const struct text *foot)
{
    enum { MIN = 3, OTHER_LINES = 3 };
    size_t others =
        wrap_count_lines(text_span(head)) + wrap_count_lines(text_span(foot)) + OTHER_LINES;
    return report->height > others + MIN ? report->height - others : MIN;
}

void rows_put_hidden(struct text *text, const struct report *report, size_t indent,
                     const char *things, const char *share, const char *option)
{
    SCOPED(text) line = {0};
    size_t room = report->width != 0 ? report->width : SIZE_MAX;
    text_put_blanks(&line, indent);
    text_printf(&line, "... and %s", things);
    size_t used = text_width(text_span(&line)), share_width = text_width(span_of(share));
    if (used + share_width <= room)
        text_put_string(&line, share);
    struct amount shows = amount_make(" (%s shows all)", option);
    if (used + share_width + text_width(span_of(shows.at)) <= room)
        text_put_string(&line, shows.at);
    if (report->is_colored)
        text_put_string(text, STYLE_DIM);
    text_put_span(text, text_span(&line));
    text_put_string(text, "\n");
    if (report->is_colored)
        text_put_string(text, STYLE_PLAIN);
}
