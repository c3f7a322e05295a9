/*
 * grid.h - the tables for people: columns of cells, and a label that takes the rest of the line.
 *
 *     self ms  self%   calls    function
 *     550.052  71.56       5    BuildThreatMap        tests/spikes.lua:77
 *       0.621   0.08   8,401  ~ (profiler)
 *
 * A column is as wide as its widest cell. So each line is made twice: before grid_fit() lines are
 * measured, after it they are put. If lines are too wide for the terminal, whole columns are left
 * out until the labels have room, and only then labels are cut.
 *
 *     struct grid grid = {.width = 80, .label_title = "function"};
 *     grid_add_column(&grid, "self ms", 0);
 *     for each row:                               twice: grid_put_rows() does it
 *         text_printf(&grid.cells, "%.1f", ms);
 *         grid_end_cell(&grid);
 *         text_put_string(&grid.name, "next");
 *         grid_end_line(&grid, text);
 */
#pragma once

#include "base/output.h"
#include "base/text.h"
#include "report/tables/table.h"

/*
 * The label of a table row in the columns that are left for it.
 *
 *     BuildThreatMap       lua/ai/aiutilities.lua:812
 *     ReclaimablesInArea   lua/…aiutilities.lua:812         the place is cut before its file
 *     Reclaimab…  …aiutilities.lua:812                      and then the name
 *     …;Scan;GetThreatAtPosition lua/ai/aiutilities.lua:20  a stack keeps its last frame, and the
 *     …;Scan;GetThreatAtPosition                            names of callers
 */

/* The room for the labels of a table. */
struct label_room {
    enum table_by by;
    size_t width;      /* columns for name and place, at least 4; SIZE_MAX: no limit */
    size_t name_width; /* of names, to align the places after them */
    bool is_colored;
    bool is_bold; /* the name, if it is colored */
};

/* Appends a name and a place, see row_label_put(); the place may be empty. */
void fitted_label_put(struct text *line, const struct label_room *room, struct span name,
                      struct span place);

enum { GRID_COLUMNS_MAX = TABLE_COLUMNS_MAX };

struct grid_column {
    size_t width;   /* at least as wide; becomes that of the widest cell */
    size_t gap;     /* blanks after it */
    unsigned order; /* columns of order 1 are left out first, then those of 2; 0: it stays */
    bool is_left;   /* not aligned to the right */
    bool is_hidden; /* set by grid_fit() */
    size_t title_end;
};

/* All zero is a table without columns for an endless line. */
struct grid {
    size_t width; /* of the terminal; 0: no limit */
    bool is_colored;
    size_t indent;           /* blanks before each line */
    const char *line_end;    /* NULL: a line feed */
    const char *label_title; /* NULL: none */
    enum table_by by;        /* the kind of labels, which says how they are cut */
    size_t name_width_max;   /* places are aligned after names up to this width; 0: not at all */
    size_t label_wanted;     /* labels have this room before a column is kept, or as they need */
    size_t label_enough;     /* no column is left out for more room than this; 0: two thirds */

    /* The title of the next column, or the next cell of the line. */
    struct text cells;
    /* The label of the line. The suffix is cut last. */
    struct text name, place, suffix;
    const char *label_style; /* an escape sequence for the label of the line, or NULL */

    struct grid_column columns[GRID_COLUMNS_MAX]; /* [column_count] */
    size_t column_count;
    bool is_fitted;
    size_t label_width; /* if it is fitted: the room for labels; SIZE_MAX: no limit */

    /* Private. */
    size_t title_length, cell_count, name_width, need;
    bool hides_labels;             /* no room */
    size_t ends[GRID_COLUMNS_MAX]; /* [cell_count] */
    const char *styles[GRID_COLUMNS_MAX];
};

void grid_release(struct grid *grid);

/* Adds a column; its title is what was appended to `cells`, and `title`. */
struct grid_column *grid_add_column(struct grid *grid, const char *title, unsigned order);

/* Ends a cell. */
void grid_end_cell(struct grid *grid);

/* The same; `style` is an escape sequence for its color, or "". */
void grid_end_colored_cell(struct grid *grid, const char *style);

/* Ends a cell after `string`. */
void grid_put_cell(struct grid *grid, const char *string);

/* Ends a line: measures it, or appends it if the grid is fitted. */
void grid_end_line(struct grid *grid, struct text *text);

/* Leaves columns out until all lines that were measured fit. */
void grid_fit(struct grid *grid);

/* Appends the line of titles of a fitted grid. */
void grid_put_titles(const struct grid *grid, struct text *text);

/* The rows of a table: `put` appends the cells and the label of one. */
struct grid_rows {
    const void *of;
    size_t count;
    void (*put)(struct grid *grid, const void *of, size_t row);
};

/* Measures all rows, and fits the grid. */
void grid_measure_rows(struct grid *grid, const struct grid_rows *rows);

/*
 * Appends the titles and all rows, after measuring them if that was not done, and releases the
 * grid. With an output, each line is written to it.
 */
void grid_put_rows(struct grid *grid, const struct grid_rows *rows, struct text *text,
                   struct output *out);

/* A table that is being put. */
struct table_screen {
    const struct table *table;
    const struct report *report;
    struct grid grid;
    struct cell *cell;
    size_t row_count; /* of the first rows, which are shown */
};

/* Begins with at most `row_limit` rows. */
void table_screen_init(struct table_screen *screen, const struct table *table,
                       const struct report *report, size_t row_limit);

/* Measures the rows: then grid.columns says which columns are hidden. */
void table_screen_measure(struct table_screen *screen);

/* Appends the titles and the rows, measured or not, and releases it. With an output, all but the
 * last line are written to it. */
void table_screen_put(struct table_screen *screen, struct text *text, struct output *out);

/* All of that. */
void table_put_on_screen(const struct table *table, const struct report *report, size_t row_limit,
                         struct text *text, struct output *out);

/*
 * Appends a line about rows that are not shown: "... and 3 more rows", `share`, and the option that
 * shows them. Where the terminal is too narrow for them, the last ones are left out.
 */
void rows_put_hidden(struct text *text, const struct report *report, size_t indent,
                     const char *things, const char *share, const char *option);
