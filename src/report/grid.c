#include "report/grid.h"

#include "base/mem.h"

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

void grid_put_lines(const struct grid *grid, struct text *text, bool is_left)
{
    for (size_t i = 0; i < grid->count; i++) {
        size_t from = i > 0 ? grid->ends[i - 1] : 0, column = i % grid->column_count;
        struct span cell = {text_span(&grid->texts).at + from, grid->ends[i] - from};
        bool is_last = column + 1 == grid->column_count;
        size_t blanks = is_last ? 0 : grid->widths[column] - text_width(cell);
        text_put_blanks(text, column == 0 && is_left ? 0 : blanks);
        text_put(text, cell.at, cell.length);
        text_put_blanks(text, is_last ? 0 : GAP + (column == 0 && is_left ? blanks : 0));
        if (!is_last)
            continue;
        while (text->length > 0 && text->at[text->length - 1] == ' ')
            text->length--;
        text_put_string(text, "\n");
    }
}

void grid_write(const struct grid *grid, struct output *out, bool is_left)
{
    struct text text = {0};
    grid_put_lines(grid, &text, is_left);
    output_put(out, text.at, text.length);
    text_release(&text);
}

void grid_release(struct grid *grid)
{
    text_release(&grid->texts);
    free(grid->ends);
}
