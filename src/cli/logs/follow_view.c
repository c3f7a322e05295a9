#include "cli/logs/follow_view.h"

#include "base/input.h"
#include "platform/clock.h"
#include "platform/terminal.h"
#include "report/screen/follow_screen.h"

enum { COST_FACTOR = 20, USUAL_WIDTH = 80, USUAL_HEIGHT = 24 };

static const int64_t second_ns = 1000000000, refresh_ns = 2000000000;

/* The oldest mark that is needed is the last one that is older than the window. */
static void add_mark(struct follow_view *view)
{
    int64_t from_ns = view->now.clock_ns - FOLLOW_WINDOW_SECONDS * second_ns;
    size_t first = 0;
    while (first + 1 < view->mark_count && view->marks[first + 1].clock_ns <= from_ns)
        first++;
    first += view->mark_count - first == FOLLOW_MARKS_MAX;
    for (size_t i = 0; i < first; i++)
        running_sums_release(&view->marks[i]);
    view->mark_count -= first;
    memmove(view->marks, view->marks + first, view->mark_count * sizeof *view->marks);
    view->marks[view->mark_count] = (struct running_sums){0};
    running_sums_copy(&view->marks[view->mark_count++], &view->now);
}

static void name_functions(struct follow_view *view)
{
    struct symbols symbols;
    struct paths paths;
    snapshot_name(view->profile, &view->now.functions, &symbols);
    paths_init(&paths, &symbols, &view->profile->mounts, view->options->reading.path_style);
    labels_release(&view->labels);
    labels_init(&view->labels, &symbols, &paths);
    paths_release(&paths);
    snapshot_release_symbols(&symbols);
}

static void sum_up(struct follow_view *view)
{
    int64_t begin_ns = clock_now_ns();
    snapshot_sum(view->profile, &view->now);
    if (view->is_caught_up)
        add_mark(view);
    const struct running_sums *before = view->marks;
    for (size_t i = 0; i < view->now.run_count; i++)
        view->now.runs[i].known_ticks =
            view->mark_count > 0 && i < before->run_count ? before->runs[i].tick_count : 0;
    snapshot_sum_recent_ticks(view->profile, &view->now);
    name_functions(view);
    view->summed_bytes = view->byte_count;
    view->has_sums = true;
    view->must_draw = true;
    int64_t end_ns = clock_now_ns();
    int64_t pause_ns = COST_FACTOR * (end_ns - begin_ns);
    view->next_ns = end_ns + (pause_ns > refresh_ns ? pause_ns : refresh_ns);
}

static void put_status(struct text *text, const struct follow_view *view)
{
    const struct recordings *recordings = &view->profile->recordings;
    uint64_t damaged = view->profile->counts.damaged;
    bool is_live = recordings->count == 0;
    for (size_t i = 0; i < recordings->count; i++)
        is_live |= !recordings->all[i].has_end;
    text_put_string(text, !view->is_caught_up ? "Reading what is there"
                          : is_live           ? "Waiting for more"
                                              : "The recording has ended; waiting for another");
    text_printf(text, " (%.1f MB read", (double)view->byte_count / 1e6);
    if (damaged > 0)
        text_printf(text, ", %llu damaged", (unsigned long long)damaged);
    text_put_string(text, ")");
}

static bool draw(struct follow_view *view)
{
    struct text text = {0}, status = {0};
    put_status(&status, view);
    struct follow_screen screen = {
        .title = strcmp(view->path, "-") == 0 ? input_name(view->path) : file_name(view->path),
        .status = status.at,
        .now = &view->now,
        .settings = &view->profile->rebuild,
        .has_recording = view->profile->recordings.count > 0,
        .is_window = view->is_window && view->mark_count > 0,
        .before = view->marks,
        .window_ns = view->now.clock_ns - (view->mark_count > 0 ? view->marks[0].clock_ns : 0),
        .labels = &view->labels,
        .row_limit = view->options->has_top ? view->options->show.row_limit : FOLLOW_ROWS,
        .width = view->width,
        .height = view->height,
        .is_colored = options_wants_color(view->options, true),
    };
    follow_screen_put(&text, &screen);
    bool is_drawn = file_write(FILE_STANDARD_OUTPUT, text.at, text.length);
    text_release(&text);
    text_release(&status);
    view->must_draw = false;
    return is_drawn;
}

bool follow_view_refresh(struct follow_view *view)
{
    size_t width = terminal_width(FILE_STANDARD_OUTPUT), height = terminal_height();
    width = width > 0 ? width : USUAL_WIDTH;
    height = height > 0 ? height : USUAL_HEIGHT;
    view->must_draw |= width != view->width || height != view->height;
    view->width = width;
    view->height = height;
    bool is_old = !view->has_sums || view->summed_bytes != view->byte_count;
    if ((is_old || view->next_ns == 0) && clock_now_ns() >= view->next_ns)
        sum_up(view);
    return !view->must_draw || draw(view);
}

void follow_view_hurry(struct follow_view *view)
{
    view->next_ns = 0;
    view->must_draw = true;
}

void follow_view_release(struct follow_view *view)
{
    for (size_t i = 0; i < view->mark_count; i++)
        running_sums_release(&view->marks[i]);
    running_sums_release(&view->now);
    labels_release(&view->labels);
}
