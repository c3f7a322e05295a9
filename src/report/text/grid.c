#include "report/text/grid.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

enum { GAP = 2 };

void grid_end_cell(struct grid *grid)
{
    size_t from = grid->count > 0 ? grid->ends[grid->count - 1] : 0;
    size_t column = grid->count % grid->column_count;
    size_t width =
        text_width((struct span){text_span(&grid->texts).at + from, grid->texts.length - from});
    grid->widths[column] = width > grid->widths[column] ? width : grid->widths[column];
    grid->ends = mem_grow(grid->ends, &grid->capacity, grid->count + 1, sizeof *grid->ends);
    grid->ends[grid->count++] = grid->texts.length;
}

void grid_put(struct grid *grid, const char *string)
{
    text_put_string(&grid->texts, string);
    grid_end_cell(grid);
}

/* The columns of text before the last cell. */
static size_t width_before_last(const struct grid *grid, const bool *is_hidden)
{
    size_t width = 0;
    for (size_t i = 0; i + 1 < grid->column_count; i++)
        width += is_hidden[i] ? 0 : grid->widths[i] + GAP;
    return width;
}

/* Leaves columns out until the last one has room; returns that room. */
static size_t fit(const struct grid *grid, bool *is_hidden)
{
    enum { LAST_WIDTH_WANTED = 20 };
    size_t last = grid->widths[grid->column_count - 1];
    last = last < LAST_WIDTH_WANTED ? last : LAST_WIDTH_WANTED;
    if (grid->line_width == 0)
        return SIZE_MAX;
    for (size_t i = 0; i < grid->drop_count; i += 2)
        if (width_before_last(grid, is_hidden) + last > grid->line_width)
            is_hidden[grid->drop[i]] = is_hidden[grid->drop[i + 1]] = true;
    size_t used = width_before_last(grid, is_hidden);
    return grid->line_width > used ? grid->line_width - used : 1;
}

/* How lines are written. */
struct line_look {
    bool is_hidden[GRID_COLUMNS_MAX];
    size_t last_room; /* columns of text */
    bool is_left;
};

/* Appends the line that begins with the cell `first`. */
static void put_line(const struct grid *grid, struct text *text, size_t first,
                     const struct line_look *look)
{
    for (size_t column = 0; column < grid->column_count; column++) {
        size_t i = first + column, from = i > 0 ? grid->ends[i - 1] : 0;
        struct span cell = {text_span(&grid->texts).at + from, grid->ends[i] - from};
        bool is_last = column + 1 == grid->column_count;
        bool is_left = column == 0 && look->is_left;
        size_t blanks = is_last ? 0 : grid->widths[column] - text_width(cell);
        if (look->is_hidden[column])
            continue;
        text_put_blanks(text, is_left ? 0 : blanks);
        text_put_cut_path(text, cell, is_last ? look->last_room : SIZE_MAX);
        text_put_blanks(text, is_last ? 0 : GAP + (is_left ? blanks : 0));
    }
    while (text->length > 0 && text->at[text->length - 1] == ' ')
        text->length--;
    text_put_string(text, "\n");
}

void grid_put_lines(const struct grid *grid, struct text *text, bool is_left)
{
    struct line_look look = {.is_left = is_left};
    look.last_room = fit(grid, look.is_hidden);
    for (size_t i = 0; i < grid->count; i += grid->column_count)
        put_line(grid, text, i, &look);
}

void grid_write(const struct grid *grid, struct output *out, bool is_left)
{
    struct text text = {0};
    struct line_look look = {.is_left = is_left};
    look.last_room = fit(grid, look.is_hidden);
    for (size_t i = 0; i < grid->count && !output_has_failed(out); i += grid->column_count) {
        put_line(grid, &text, i, &look);
        output_put(out, text.at, text.length);
        text.length = 0;
    }
    text_release(&text);
}

void grid_release(struct grid *grid)
{
    text_release(&grid->texts);
    free(grid->ends);
}
