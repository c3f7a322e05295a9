#include "report/screen/grid.h"

#include "report/screen/fitted_label.h"
#include "report/sentences/styles.h"

#include <assert.h>

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
    grid->need = larger(grid->need, fitted_label_need(grid->by, name, place) +
                                        text_width(text_span(&grid->suffix)));
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
    text_put_span(text, text_span(&grid->suffix));
}

/* Ends a line that began at `start`. */
static void end_line(const struct grid *grid, struct text *text, size_t start, bool has_label)
{
    while (!has_label && text->length > start && text->at[text->length - 1] == ' ')
        text_cut(text, text->length - 1);
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
    end_line(grid, text, start, has_label);
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
    bool has_label = grid->label_title != NULL && !grid->hides_labels;
    text_put_blanks(text, grid->indent);
    text_put_string(text, grid->is_colored ? STYLE_BOLD : "");
    for (size_t i = 0; i < grid->column_count; i++)
        put_cell(grid, text, i, title_at(grid, i), "");
    if (has_label)
        text_put_cut(text, span_of(grid->label_title), grid->label_width);
    text_put_string(text, grid->is_colored ? STYLE_PLAIN : "");
    end_line(grid, text, start, has_label);
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
