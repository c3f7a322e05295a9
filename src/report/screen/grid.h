/*
 * grid.h - the tables for people: columns of cells, and a label that takes the rest of the line.
 *
 *     self ms  self%   calls    function
 *     550.052  71.56       5    BuildThreatMap        tests/spikes.lua:77
 *       0.621   0.08   8,401  ~ (profiler)
 *
 * A column is as wide as its widest cell. So each row is asked for twice: the rows are measured,
 * and then they are put. If lines are too wide for the terminal, whole columns are left out until
 * the labels have room, and only then labels are cut.
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

/* A table that is being put. Its label is the last column. */
struct grid {
    const struct table *table;
    const struct report *report;
    size_t row_count;                  /* of the first rows, which are shown */
    bool is_fitted;                    /* it has been measured */
    bool is_hidden[TABLE_COLUMNS_MAX]; /* [table->column_count]: columns without room */

    /* Private. */
    size_t widths[TABLE_COLUMNS_MAX]; /* [table->column_count]: of the widest cell or the title */
    size_t label_width;               /* the room for labels; SIZE_MAX: no limit */
    size_t name_width, need;          /* of labels */
    bool hides_labels;                /* no room */
    struct cell cell;
    struct text cell_text;
};

/* Begins with at most `row_limit` rows. */
void grid_init(struct grid *grid, const struct table *table, const struct report *report,
               size_t row_limit);

/*
 * Measures the rows, and leaves columns out until they fit: those of order 1 first, then those of
 * 2; a column of order 0 stays.
 */
void grid_measure(struct grid *grid);

/* Appends the titles and the rows, measured or not, and releases it. With an output, all but the
 * last line are written to it. */
void grid_put(struct grid *grid, struct text *text, struct output *out);

/* For one that is only measured. */
void grid_release(struct grid *grid);

/* All of that. */
void table_put_on_screen(const struct table *table, const struct report *report, size_t row_limit,
                         struct text *text, struct output *out);

/*
 * The number of rows that fit the terminal between two texts, with their titles, a line about the
 * rows that are not shown, and the line of the next command; at least three.
 */
size_t table_rows_that_fit(const struct report *report, const struct text *head,
                           const struct text *foot);

/*
 * Appends a line about rows that are not shown: "... and 3 more rows", `share`, and the option that
 * shows them. Where the terminal is too narrow for them, the last ones are left out.
 */
void rows_put_hidden(struct text *text, const struct report *report, size_t indent,
                     const char *things, const char *share, const char *option);
