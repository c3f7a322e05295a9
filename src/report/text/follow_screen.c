#include "report/text/follow_screen.h"

#include "base/mem.h"
#include "report/report.h"
#include "report/text/fitted_label.h"

#include <stdlib.h>
#include <string.h>

static const char bold[] = "\x1b[1m", dim[] = "\x1b[2m", red[] = "\x1b[31m", magenta[] = "\x1b[35m",
                  plain[] = "\x1b[0m";

enum { GAP = 2, COLUMN_COUNT = 5, NAME_WIDTH_MAX = 40 };

enum { COLUMN_OF_SELF, COLUMN_OF_PERCENT, COLUMN_OF_TICK, COLUMN_OF_TOTAL, COLUMN_OF_CALLS };

/* Columns in the order in which they are left out if functions have less room than this. */
static const struct {
    int column;
    size_t label_width;
} dropped[] = {
    {COLUMN_OF_CALLS, 40}, {COLUMN_OF_TOTAL, 32}, {COLUMN_OF_TICK, 24}, {COLUMN_OF_PERCENT, 24}};

/* A row of a function, or the row of the recorder itself: FUNCTION_OF_RECORDER. */
#define FUNCTION_OF_RECORDER UINT32_MAX

struct shown_row {
    uint32_t function, rank;
    struct function_sum sum;
};

struct shown {
    const struct follow_screen *screen;
    struct shown_row *rows; /* [row_count], most expensive first */
    size_t row_count, shown_count, function_count;
    struct function_sum all;
    struct tick_sums ticks;
    enum report_unit unit;
    struct text cells[COLUMN_COUNT]; /* each cell ends in '\n', the first is the title */
    size_t widths[COLUMN_COUNT];     /* 0: left out */
    size_t name_width;
};

static int compare_rows(const void *left, const void *right)
{
    const struct shown_row *a = left;
    const struct shown_row *b = right;
    if (a->sum.self_ns != b->sum.self_ns)
        return a->sum.self_ns > b->sum.self_ns ? -1 : 1;
    if (a->sum.calls != b->sum.calls)
        return a->sum.calls > b->sum.calls ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int64_t less(int64_t ns, int64_t before_ns)
{
    return ns > before_ns ? ns - before_ns : 0;
}

static uint64_t fewer(uint64_t calls, uint64_t before)
{
    return calls > before ? calls - before : 0;
}

/* The sum of a function in the time that is shown. */
static struct function_sum sum_of(const struct follow_screen *screen, uint32_t function)
{
    struct function_sum sum = function_sums_get(&screen->now->functions, function);
    if (!screen->is_window)
        return sum;
    struct function_sum before = function_sums_get(&screen->before->functions, function);
    return (struct function_sum){
        .calls = fewer(sum.calls, before.calls),
        .self_ns = less(sum.self_ns, before.self_ns),
        .total_ns = less(sum.total_ns, before.total_ns),
        .recorder_calls = fewer(sum.recorder_calls, before.recorder_calls),
        .recorder_ns = less(sum.recorder_ns, before.recorder_ns),
    };
}

/* The part of a sum that is not in calls of the recorder itself. */
static struct function_sum without_recorder(struct function_sum sum)
{
    sum.calls = fewer(sum.calls, sum.recorder_calls);
    if (sum.recorder_ns > 0)
        sum.self_ns = less(sum.self_ns, sum.recorder_ns);
    return sum;
}

static void add_row(struct shown *shown, uint32_t function, uint32_t rank, struct function_sum sum)
{
    if (sum.calls > 0 || sum.self_ns != 0)
        shown->rows[shown->row_count++] = (struct shown_row){function, rank, sum};
}

static void find_rows(struct shown *shown)
{
    const struct follow_screen *screen = shown->screen;
    size_t count = screen->now->functions.count;
    struct function_sum recorder = {0};
    shown->rows = mem_zeroed(count + 1, sizeof *shown->rows);
    for (uint32_t i = 0; i < count; i++) {
        struct function_sum sum = sum_of(screen, i);
        if (sum.calls == 0 && sum.self_ns == 0)
            continue;
        shown->function_count++;
        shown->all.calls += sum.calls;
        shown->all.self_ns += sum.self_ns;
        recorder.calls += sum.recorder_calls;
        recorder.self_ns += sum.recorder_ns;
        add_row(shown, i, screen->labels->labels[i].rank, without_recorder(sum));
    }
    recorder.total_ns = recorder.self_ns;
    add_row(shown, FUNCTION_OF_RECORDER, UINT32_MAX, recorder);
    qsort(shown->rows, shown->row_count, sizeof *shown->rows, compare_rows);
    shown->ticks = screen->is_window ? screen->now->recent_ticks : screen->now->ticks;
    shown->unit = report_unit_for(shown->all.self_ns);
}

static void put_clean(struct text *text, const char *string)
{
    text_put_clean(text, (struct span){string, strlen(string)}, false);
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals)
{
    report_put_time(text, ns, unit, decimals);
    text_printf(text, " %s", report_unit_name(unit));
}

/* Ends a line of the screen, and empties the text of it. */
static void put_line(struct text *text, const struct follow_screen *screen, const char *style,
                     struct text *line)
{
    text_put_string(text, screen->is_colored ? style : "");
    text_put_cut(text, text_span(line), screen->width);
    text_put_string(text, screen->is_colored && style[0] != '\0' ? plain : "");
    text_put_string(text, "\x1b[K\r\n");
    line->length = 0;
}

static void put_profile(struct text *line, const struct shown *shown)
{
    const struct follow_screen *screen = shown->screen;
    put_clean(line, screen->title);
    if (screen->is_window)
        text_printf(line, ", the last %.1f s", (double)screen->window_ns / 1e9);
    text_put_string(line, ": ");
    if (shown->row_count == 0) {
        text_put_string(line, "no call yet");
        return;
    }
    put_time(line, shown->all.self_ns, shown->unit, 3);
    text_put_string(line, " of Lua");
    if (shown->ticks.count > 0) {
        text_put_string(line, " in ");
        report_put_count(line, shown->ticks.count, "tick", "ticks");
    }
    size_t length = line->length;
    text_put_string(line, ", ");
    report_put_count(line, shown->all.calls, "call of ", "calls of ");
    report_put_count(line, shown->function_count, "function", "functions");
    if (text_width(text_span(line)) > screen->width)
        line->length = length;
}

static void put_ticks(struct text *line, const struct shown *shown)
{
    const struct tick_sums *ticks = &shown->ticks;
    if (ticks->count == 0) {
        text_put_string(line, shown->screen->has_recording
                                  ? "No tick has ended yet"
                                  : "The records of delins' profiler have no ticks");
        return;
    }
    text_put_string(line, "Slow ticks: ");
    if (ticks->over_count > 0)
        text_put_grouped(line, ticks->over_count);
    else
        text_put_string(line, "none");
    text_put_string(line, " of ");
    text_put_grouped(line, ticks->count);
    text_put_string(line, " over 100 ms, mean ");
    put_time(line, ticks->total_ns / (int64_t)ticks->count, UNIT_MS, 1);
    text_printf(line, ". The longest, #%lld, took ", (long long)ticks->longest_number);
    put_time(line, ticks->longest_ns, UNIT_MS, 1);
}

/* Appends a cell to a column, and widens it. */
static void end_cell(struct shown *shown, int column, size_t from)
{
    struct text *cells = &shown->cells[column];
    size_t width = text_width((struct span){cells->at + from, cells->length - from});
    shown->widths[column] = width > shown->widths[column] ? width : shown->widths[column];
    text_put_string(cells, "\n");
}

static void put_titles(struct shown *shown)
{
    for (int column = 0; column < COLUMN_COUNT; column++) {
        struct text *cells = &shown->cells[column];
        if (column == COLUMN_OF_SELF || column == COLUMN_OF_TOTAL)
            text_printf(cells, "%s %s", column == COLUMN_OF_SELF ? "self" : "total",
                        report_unit_name(shown->unit));
        else
            text_put_string(cells, column == COLUMN_OF_PERCENT ? "self%"
                                   : column == COLUMN_OF_TICK  ? "ms/tick"
                                                               : "calls");
        end_cell(shown, column, 0);
    }
}

static void put_cells(struct shown *shown, const struct function_sum *sum)
{
    int64_t tick_count = (int64_t)shown->ticks.count;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        struct text *cells = &shown->cells[column];
        size_t from = cells->length;
        if (column == COLUMN_OF_SELF)
            report_put_grouped_time(cells, sum->self_ns, shown->unit, report_decimals(shown->unit));
        else if (column == COLUMN_OF_TOTAL)
            report_put_grouped_time(cells, sum->total_ns, shown->unit,
                                    report_decimals(shown->unit));
        else if (column == COLUMN_OF_PERCENT)
            report_put_percent(cells, sum->self_ns, shown->all.self_ns);
        else if (column == COLUMN_OF_CALLS && sum->calls > 0)
            text_put_grouped(cells, sum->calls);
        else if (column == COLUMN_OF_TICK && tick_count > 0)
            report_put_grouped_time(cells, sum->self_ns / tick_count, UNIT_MS, 3);
        else
            text_put_string(cells, "-");
        end_cell(shown, column, from);
    }
}

/* Appends a name and a place; the place is empty if it is the name. */
static void put_label(struct text *name, struct text *place, const struct labels *labels,
                      uint32_t function)
{
    if (function == FUNCTION_OF_RECORDER) {
        text_put_string(name, "(profiler)");
        return;
    }
    const struct label *label = &labels->labels[function];
    struct span shown = labels_text(labels, label->name);
    text_put(name, shown.at, shown.length);
    shown = labels_text(labels, label->place);
    if (label->place != label->name)
        text_put(place, shown.at, shown.length);
}

/* Makes the cells of the rows that are shown, and leaves out columns without room. */
static void measure(struct shown *shown)
{
    struct text name = {0}, place = {0};
    put_titles(shown);
    for (size_t i = 0; i < shown->shown_count; i++) {
        name.length = 0;
        put_cells(shown, &shown->rows[i].sum);
        put_label(&name, &place, shown->screen->labels, shown->rows[i].function);
        size_t width = text_width(text_span(&name));
        width = width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
        shown->name_width = width > shown->name_width ? width : shown->name_width;
    }
    size_t used = 0;
    for (int column = 0; column < COLUMN_COUNT; column++)
        used += shown->widths[column] + GAP;
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        if (used + dropped[i].label_width <= shown->screen->width)
            break;
        used -= shown->widths[dropped[i].column] + GAP;
        shown->widths[dropped[i].column] = 0;
    }
    text_release(&name);
    text_release(&place);
}

static const char *style_of(const struct shown *shown, const struct function_sum *sum)
{
    int64_t all_ns = shown->all.self_ns;
    return sum->self_ns >= all_ns / 10 ? red : sum->self_ns >= all_ns / 50 ? magenta : "";
}

/* Appends the next cell of each column; `row` is NULL for the titles. */
static void put_numbers(struct text *text, const struct shown *shown, size_t *at,
                        const struct shown_row *row)
{
    for (int column = 0; column < COLUMN_COUNT; column++) {
        const char *cell = shown->cells[column].at + at[column];
        size_t length = (size_t)(strchr(cell, '\n') - cell);
        at[column] += length + 1;
        if (shown->widths[column] == 0)
            continue;
        bool is_styled = shown->screen->is_colored && row != NULL && column == COLUMN_OF_PERCENT;
        const char *style = is_styled ? style_of(shown, &row->sum) : "";
        text_put_blanks(text, shown->widths[column] - length);
        text_put_string(text, style);
        text_put(text, cell, length);
        text_put_string(text, style[0] != '\0' ? plain : "");
        text_put_blanks(text, GAP);
    }
}

static void put_table(struct text *text, struct shown *shown)
{
    const struct follow_screen *screen = shown->screen;
    struct text name = {0}, place = {0}, line = {0};
    size_t at[COLUMN_COUNT] = {0}, used = 0;
    measure(shown);
    for (int column = 0; column < COLUMN_COUNT; column++) {
        used += shown->widths[column] > 0 ? shown->widths[column] + GAP : 0;
        text_put(&shown->cells[column], "", 1);
    }
    put_numbers(&line, shown, at, NULL);
    text_put_string(&line, "function");
    put_line(text, screen, bold, &line);
    struct label_room room = {.by = BY_FUNCTION,
                              .width = screen->width > used ? screen->width - used : 0,
                              .name_width = shown->name_width,
                              .is_colored = screen->is_colored};
    enum { LABEL_WIDTH_MIN = 4 };
    for (size_t i = 0; i < shown->shown_count; i++) {
        name.length = place.length = 0;
        put_numbers(text, shown, at, &shown->rows[i]);
        put_label(&name, &place, screen->labels, shown->rows[i].function);
        if (room.width >= LABEL_WIDTH_MIN)
            fitted_label_put(text, &room, text_span(&name), text_span(&place));
        text_put_string(text, "\x1b[K\r\n");
    }
    text_release(&name);
    text_release(&place);
    text_release(&line);
}

static void release(struct shown *shown)
{
    free(shown->rows);
    for (int column = 0; column < COLUMN_COUNT; column++)
        text_release(&shown->cells[column]);
}

/* Appends the lines above the table, as many as there is room for. */
static void put_head(struct text *text, const struct shown *shown, size_t room)
{
    const struct follow_screen *screen = shown->screen;
    bool is_begun = screen->has_recording || shown->row_count > 0;
    enum { LINE_COUNT = 4 };
    struct text lines[LINE_COUNT] = {0};
    size_t count = 0;
    put_profile(&lines[count++], shown);
    if (is_begun) {
        put_ticks(&lines[count++], shown);
    } else {
        text_put_string(&lines[count++],
                        "The recording begins by itself at minute 1 of the game, or with");
        text_put_string(
            &lines[count++],
            "Ctrl-Shift-O (the mod), or SimLua StartProfiler() in the console (cheats)");
    }
    put_clean(&lines[count++], screen->status);
    for (size_t i = 0; i < count; i++) {
        if (i < room)
            put_line(text, screen, i == 0 ? bold : "", &lines[i]);
        text_release(&lines[i]);
    }
}

void follow_screen_put(struct text *text, const struct follow_screen *screen)
{
    /* The head, the titles, the keys, and two empty lines. */
    enum { OTHER_LINES = 7 };
    struct shown shown = {.screen = screen};
    struct text line = {0};
    size_t room = screen->height > OTHER_LINES ? screen->height - OTHER_LINES : 0;
    size_t limit = screen->row_limit > 0 && screen->row_limit < room ? screen->row_limit : room;
    find_rows(&shown);
    shown.shown_count = shown.row_count < limit ? shown.row_count : limit;
    text_put_string(text, "\x1b[H");
    put_head(text, &shown, screen->height - 1);
    if (shown.shown_count > 0) {
        put_line(text, screen, "", &line);
        put_table(text, &shown);
        put_line(text, screen, "", &line);
    }
    if (screen->is_window)
        text_put_string(&line, "w: all   q: end and report");
    else
        text_printf(&line, "w: the last %d seconds   q: end and report",
                    (int)FOLLOW_WINDOW_SECONDS);
    text_put_string(text, screen->is_colored ? dim : "");
    text_put_cut(text, text_span(&line), screen->width);
    text_put_string(text, screen->is_colored ? plain : "");
    text_put_string(text, "\x1b[K\x1b[J");
    text_release(&line);
    release(&shown);
}
