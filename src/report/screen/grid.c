#include "report/screen/grid.h"

#include "base/mem.h"
#include "report/sentences/amounts.h"
#include "report/sentences/styles.h"

#include <assert.h>

enum { LABEL_GAP = 2, NAME_WIDTH_KEPT = 8 };

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
    size_t kept = least(width - LABEL_GAP - width / 3, NAME_WIDTH_KEPT);
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

/* The columns in which a label keeps its name, and the name of its file or its last frame. */
static size_t label_need(enum table_by by, struct span name, struct span place)
{
    if (place.length > 0)
        return text_width(name) + LABEL_GAP + file_need(without_kind(place));
    if (by == BY_STACK)
        return least(text_width(name), 2 + width_after(name, ';'));
    return by == BY_FILE ? file_need(name) : text_width(name);
}

enum { GAP = 2, LABEL_WIDTH_MIN = 4 };

void grid_release(struct grid *grid)
{
    text_release(&grid->cells);
    text_release(&grid->name);
    text_release(&grid->place);
    text_release(&grid->suffix);
}

/* Columns and cells ------------------------------------------------------------------------ */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What was appended to `cells` since a cell ended. */
static struct span cell_since(const struct grid *grid, size_t start)
{
    return (struct span){text_string(&grid->cells) + start, grid->cells.length - start};
}

struct grid_column *grid_add_column(struct grid *grid, const char *title, unsigned order)
{
    assert(grid->column_count < GRID_COLUMNS_MAX);
    text_put_string(&grid->cells, title);
    struct grid_column *column = &grid->columns[grid->column_count++];
    *column = (struct grid_column){.width = text_width(cell_since(grid, grid->title_length)),
                                   .gap = GAP,
                                   .order = order,
                                   .title_end = grid->cells.length};
    grid->title_length = grid->cells.length;
    return column;
}

void grid_end_colored_cell(struct grid *grid, const char *style)
{
    assert(grid->cell_count < grid->column_count);
    grid->ends[grid->cell_count] = grid->cells.length;
    grid->styles[grid->cell_count++] = style;
}

void grid_end_cell(struct grid *grid)
{
    grid_end_colored_cell(grid, "");
}

void grid_put_cell(struct grid *grid, const char *string)
{
    text_put_string(&grid->cells, string);
    grid_end_cell(grid);
}

/* The titles stay before the cells of each line. */
static struct span cell_at(const struct grid *grid, size_t i)
{
    size_t from = i > 0 ? grid->ends[i - 1] : grid->title_length;
    return (struct span){text_string(&grid->cells) + from, grid->ends[i] - from};
}

static struct span title_at(const struct grid *grid, size_t i)
{
    size_t from = i > 0 ? grid->columns[i - 1].title_end : 0;
    return (struct span){text_string(&grid->cells) + from, grid->columns[i].title_end - from};
}

/* Measuring -------------------------------------------------------------------------------- */

static void measure(struct grid *grid)
{
    struct span name = text_span(&grid->name), place = text_span(&grid->place);
    for (size_t i = 0; i < grid->cell_count; i++)
        grid->columns[i].width = larger(grid->columns[i].width, text_width(cell_at(grid, i)));
    grid->need = larger(grid->need,
                        label_need(grid->by, name, place) + text_width(text_span(&grid->suffix)));
    /* One very long name must not push all places out of sight. */
    size_t name_width = place.length > 0 ? text_width(name) : 0;
    if (name_width > grid->name_width_max)
        name_width = grid->name_width_max;
    grid->name_width = larger(grid->name_width, name_width);
}

/* The columns of text before the labels. */
static size_t cells_width(const struct grid *grid)
{
    size_t width = grid->indent;
    for (size_t i = 0; i < grid->column_count; i++)
        width += grid->columns[i].is_hidden ? 0 : grid->columns[i].width + grid->columns[i].gap;
    return width;
}

/* Hides the columns of an order; returns whether there are columns of this order or a later one. */
static bool hide(struct grid *grid, unsigned order)
{
    bool has_more = false;
    for (size_t i = 0; i < grid->column_count; i++) {
        struct grid_column *column = &grid->columns[i];
        has_more |= column->order >= order;
        column->is_hidden |= column->order == order;
    }
    return has_more;
}

/* The columns that labels should have: as they need, unless that is most of the line. */
static size_t wanted_width(const struct grid *grid)
{
    size_t most = grid->width - grid->width / 3;
    if (grid->label_enough != 0 && grid->label_enough < most)
        most = grid->label_enough;
    return larger(grid->need < most ? grid->need : most, grid->label_wanted);
}

void grid_fit(struct grid *grid)
{
    size_t wanted = wanted_width(grid), width = grid->width;
    for (unsigned order = 1; width != 0 && cells_width(grid) + wanted > width; order++)
        if (!hide(grid, order))
            break;
    size_t cells = cells_width(grid), rest = width > cells ? width - cells : 0;
    grid->label_width = width == 0 ? SIZE_MAX : larger(rest, LABEL_WIDTH_MIN);
    grid->hides_labels = width != 0 && rest < LABEL_WIDTH_MIN;
    grid->is_fitted = true;
}

/* Putting ---------------------------------------------------------------------------------- */

static void put_cell(const struct grid *grid, struct text *text, size_t i, struct span cell,
                     const char *style)
{
    const struct grid_column *column = &grid->columns[i];
    bool has_style = grid->is_colored && style[0] != '\0' && cell.length > 0;
    size_t blanks = column->width - text_width(cell);
    if (column->is_hidden)
        return;
    text_put_blanks(text, column->is_left ? 0 : blanks);
    text_put_string(text, has_style ? style : "");
    text_put_span(text, cell);
    text_put_string(text, has_style ? STYLE_PLAIN : "");
    text_put_blanks(text, column->gap + (column->is_left ? blanks : 0));
}

static void put_label(const struct grid *grid, struct text *text)
{
    size_t suffix = text_width(text_span(&grid->suffix)), width = grid->label_width;
    struct label_room room = {.by = grid->by,
                              .width = width,
                              .name_width = grid->name_width,
                              .is_colored = grid->is_colored};
    if (width != SIZE_MAX)
        room.width = width > suffix + LABEL_WIDTH_MIN ? width - suffix : LABEL_WIDTH_MIN;
    bool has_style = grid->is_colored && grid->label_style != NULL;
    text_put_string(text, has_style ? grid->label_style : "");
    fitted_label_put(text, &room, text_span(&grid->name), text_span(&grid->place));
    text_put_string(text, has_style ? STYLE_PLAIN : "");
    /* Only where there is nearly no room, it is cut, too. */
    if (width == SIZE_MAX || width > LABEL_WIDTH_MIN)
        text_put_cut(text, text_span(&grid->suffix),
                     width == SIZE_MAX ? SIZE_MAX : width - LABEL_WIDTH_MIN);
}

/* Takes the blanks off the end of a line that began at `start`. */
static void trim(struct text *text, size_t start)
{
    while (text->length > start && text->at[text->length - 1] == ' ')
        text_cut(text, text->length - 1);
}

static void end_line(const struct grid *grid, struct text *text)
{
    text_put_string(text, grid->line_end != NULL ? grid->line_end : "\n");
}

static void put_line(const struct grid *grid, struct text *text)
{
    size_t start = text->length;
    bool has_label = grid->name.length > 0 && !grid->hides_labels;
    text_put_blanks(text, grid->indent);
    for (size_t i = 0; i < grid->cell_count; i++)
        put_cell(grid, text, i, cell_at(grid, i), grid->styles[i]);
    if (has_label)
        put_label(grid, text);
    else
        trim(text, start);
    end_line(grid, text);
}

void grid_end_line(struct grid *grid, struct text *text)
{
    if (grid->is_fitted)
        put_line(grid, text);
    else
        measure(grid);
    grid->cell_count = 0;
    text_cut(&grid->cells, grid->title_length);
    text_cut(&grid->name, 0);
    text_cut(&grid->place, 0);
    text_cut(&grid->suffix, 0);
    grid->label_style = NULL;
}

void grid_put_titles(const struct grid *grid, struct text *text)
{
    size_t start = text->length;
    bool has_label =
        grid->label_title != NULL && grid->label_title[0] != '\0' && !grid->hides_labels;
    text_put_blanks(text, grid->indent);
    text_put_string(text, grid->is_colored ? STYLE_BOLD : "");
    for (size_t i = 0; i < grid->column_count; i++)
        put_cell(grid, text, i, title_at(grid, i), "");
    if (has_label)
        text_put_cut(text, span_of(grid->label_title), grid->label_width);
    else
        trim(text, start);
    text_put_string(text, grid->is_colored ? STYLE_PLAIN : "");
    end_line(grid, text);
}

/* Tables of rows --------------------------------------------------------------------------- */

void grid_measure_rows(struct grid *grid, const struct grid_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        rows->put(grid, rows->of, i);
        grid_end_line(grid, NULL);
    }
    grid_fit(grid);
}

void grid_put_rows(struct grid *grid, const struct grid_rows *rows, struct text *text,
                   struct output *out)
{
    if (!grid->is_fitted)
        grid_measure_rows(grid, rows);
    grid_put_titles(grid, text);
    for (size_t i = 0; i < rows->count && (out == NULL || !output_has_failed(out)); i++) {
        if (out != NULL)
            output_put_text(out, text);
        rows->put(grid, rows->of, i);
        grid_end_line(grid, text);
    }
    grid_release(grid);
}

/* Tables of table.h ------------------------------------------------------------------------ */

void table_screen_init(struct table_screen *screen, const struct table *table,
                       const struct report *report, size_t row_limit)
{
    *screen = (struct table_screen){
        .table = table,
        .report = report,
        .cell = mem_zeroed(1, sizeof *screen->cell),
        .grid = {.width = report->width,
                 .is_colored = report->is_colored,
                 .indent = table->indent,
                 .by = table->by,
                 .label_title = table->label_title,
                 .label_wanted = table->label_wanted,
                 .label_enough = table->label_enough,
                 .name_width_max = table->name_width_max},
        .row_count = table->row_count < row_limit ? table->row_count : row_limit,
    };
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        if (column->info->type == TYPE_LABEL)
            continue;
        cell_put_title(&screen->grid.cells, table, column);
        struct grid_column *added = grid_add_column(&screen->grid, "", column->order);
        added->is_left = column->info->type == TYPE_TEXT;
        if (column->info->type == TYPE_MARK)
            added->width = added->gap = 1;
    }
}

static void put_table_row(struct grid *grid, const void *of, size_t row)
{
    static const char *const styles[] = {[CELL_PLAIN] = "",
                                         [CELL_MUCH] = STYLE_RED,
                                         [CELL_SOME] = STYLE_MAGENTA,
                                         [CELL_LESS] = STYLE_GREEN,
                                         [CELL_DIM] = STYLE_DIM};
    const struct table_screen *screen = of;
    struct cell *cell = screen->cell;
    for (size_t i = 0; i < screen->table->column_count; i++) {
        const struct table_column *column = &screen->table->columns[i];
        cell->room = grid->is_fitted ? grid->label_width : grid->label_wanted;
        table_get(screen->table, row, column, cell);
        if (column->info->type != TYPE_LABEL) {
            cell_put(&grid->cells, screen->table, column, cell);
            grid_end_colored_cell(grid, styles[cell->style]);
            continue;
        }
        text_put_span(&grid->name, text_span(&cell->text));
        text_put_span(&grid->place, text_span(&cell->place));
        text_put_span(&grid->suffix, text_span(&cell->suffix));
        grid->label_style = cell->style != CELL_PLAIN ? styles[cell->style] : NULL;
    }
}

void table_screen_measure(struct table_screen *screen)
{
    grid_measure_rows(&screen->grid, &(struct grid_rows){screen, screen->row_count, put_table_row});
}

/* Appends the titles and the rows of a group. */
static void put_group(struct table_screen *screen, size_t group, struct text *text,
                      struct output *out)
{
    const struct table *table = screen->table;
    const struct table_group *groups = table->groups;
    size_t row = groups != NULL ? groups[group].first_row : 0, end = screen->row_count;
    if (groups != NULL && groups[group].label_title != NULL)
        screen->grid.label_title = groups[group].label_title;
    if (group + 1 < table->group_count)
        end = groups[group + 1].first_row;
    grid_put_titles(&screen->grid, text);
    for (; row < end && (out == NULL || !output_has_failed(out)); row++) {
        if (out != NULL)
            output_put_text(out, text);
        put_table_row(&screen->grid, screen, row);
        grid_end_line(&screen->grid, text);
    }
    if (groups != NULL && groups[group].hidden_count > 0)
        rows_put_hidden(text, screen->report, table->indent,
                        amount_make("%zu more", groups[group].hidden_count).at, "", "--rows 0");
}

void table_screen_put(struct table_screen *screen, struct text *text, struct output *out)
{
    if (!screen->grid.is_fitted)
        table_screen_measure(screen);
    size_t group = 0;
    do
        put_group(screen, group, text, out);
    while (++group < screen->table->group_count);
    grid_release(&screen->grid);
    cell_release(screen->cell);
    free(screen->cell);
}

void table_put_on_screen(const struct table *table, const struct report *report, size_t row_limit,
                         struct text *text, struct output *out)
{
    struct table_screen screen;
    table_screen_init(&screen, table, report, row_limit);
    table_screen_put(&screen, text, out);
}

void rows_put_hidden(struct text *text, const struct report *report, size_t indent,
                     const char *things, const char *share, const char *option)
{
    struct text line = {0};
    size_t room = report->width != 0 ? report->width : SIZE_MAX;
    text_put_blanks(&line, indent);
    text_printf(&line, "... and %s", things);
    size_t used = text_width(text_span(&line)), share_width = text_width(span_of(share));
    if (used + share_width <= room)
        text_put_string(&line, share);
    struct amount shows = amount_make(" (%s shows all)", option);
    if (used + share_width + text_width(span_of(shows.at)) <= room)
        text_put_string(&line, shows.at);
    text_put_string(text, report->is_colored ? STYLE_DIM : "");
    text_put_span(text, text_span(&line));
    text_put_string(text, "\n");
    text_put_string(text, report->is_colored ? STYLE_PLAIN : "");
    text_release(&line);
}
