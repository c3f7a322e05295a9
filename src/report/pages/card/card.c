/*
 * SVG 1.1: one tick as a card, to post in a chat: its time and those of the five functions that
 * took most of it, and its calls in the order of time; in a comparison, the same tick of both logs,
 * on one scale. It is a picture alone: no script, no style, nothing to load. At most 30 KB.
 *
 * The page of html makes the same card of the slowest ticks (report_card.js).
 */
#include "base/mem.h"
#include "base/sort.h"
#include "report/figures/formats.h"
#include "report/figures/label_texts.h"
#include "report/figures/report.h"
#include "report/pages/embedded.h"
#include "report/pages/page_text.h"
#include "report/sentences/amounts.h"

#include <inttypes.h>

/* In pixels, but for the tenths that a letter of the label of a frame has. */
enum { WIDTH = 960, MARGIN = 24, PLOT = WIDTH - 2 * MARGIN, ROW = 17, LINE = 24, LETTER = 66 };
/* Of bars that are of no file, and of what was before. */
#define GREY "#aab2bd"

enum { ROWS_MAX = 9, FRAMES_MAX = 120, FUNCTIONS = 5, TITLE_COLUMNS = 88 };

/* The calls of a tick of one side, from left to right. */
struct panel {
    const struct report *report;
    const struct timeline *timeline;
    const struct slice **slices; /* [slice_count], by begin, callers first */
    size_t slice_count;
    int64_t *starts;             /* [slice_count]: where each begins in the picture, in ns */
    int64_t length_ns, least_ns; /* of the whole; of slices that are drawn */
    uint16_t depth_max;          /* of those */
};

struct card {
    const struct report *report;
    struct panel sides[2]; /* by is_old */
    size_t side_count;
    uint8_t *colors; /* by text id of files: index of web_palette */
    struct text text, label;
    int y;
};

/* The function of a slice as the new profile has it. */
static uint32_t function_of(const struct panel *panel, const struct slice *slice)
{
    const uint32_t *functions = panel->report->functions;
    return functions != NULL && slice->function != TIMELINE_TRUNCATED ? functions[slice->function]
                                                                      : slice->function;
}

/* A time on a scale that is as wide as a plot, in tenths of a pixel. */
static int64_t tenths_of(int64_t ns, int64_t scale_ns)
{
    return (int64_t)((double)ns * (10 * PLOT) / (double)scale_ns);
}

/*
 * Sorts the slices of all threads by their beginnings, without the recorder's. Of a long time in
 * which the engine ran between threads, a tenth of the threads' time stays: else nothing can be
 * seen of them.
 */
static void lay_out(struct panel *panel)
{
    const struct timeline *timeline = panel->timeline;
    size_t count = 0;
    int64_t busy_ns = 0, end_ns = 0;
    int64_t cut_ns = timeline->tick_count > 0 ? timeline->ticks[0].begin_ns : 0;
    SCOPED_ARRAY struct keyed *order = mem_zeroed(timeline->slice_count, sizeof *order);
    for (size_t i = 0; i < timeline->slice_count; i++) {
        const struct slice *slice = &timeline->slices[i];
        if ((slice->flags & SLICE_RECORDER) != 0)
            continue;
        order[count++] = (struct keyed){(uint64_t)slice->begin_ns, (uint32_t)i};
        busy_ns += slice->depth == 0 ? slice->end_ns - slice->begin_ns : 0;
    }
    key_sort(order, count);
    panel->slice_count = count;
    panel->slices = mem_zeroed(count, sizeof *panel->slices);
    panel->starts = mem_zeroed(count, sizeof *panel->starts);
    for (size_t i = 0; i < count; i++) {
        const struct slice *slice = panel->slices[i] = &timeline->slices[order[i].item];
        int64_t gap_ns = slice->begin_ns - cut_ns - end_ns;
        if (slice->depth == 0 && gap_ns > busy_ns / 10)
            cut_ns += gap_ns - busy_ns / 10;
        panel->starts[i] = slice->begin_ns - cut_ns;
        if (slice->end_ns - cut_ns > end_ns)
            end_ns = slice->end_ns - cut_ns;
    }
    panel->length_ns = end_ns;
}

/* Chooses the longest slices, and what is at least half a pixel wide on the scale of both sides. */
static void choose_drawn(struct panel *panel, int64_t scale_ns, size_t frames_max)
{
    size_t count = panel->slice_count;
    SCOPED_ARRAY uint64_t *lengths = mem_zeroed(count, sizeof *lengths);
    for (size_t i = 0; i < count; i++)
        if (panel->slices[i]->depth < ROWS_MAX)
            lengths[i] = (uint64_t)(panel->slices[i]->end_ns - panel->slices[i]->begin_ns);
    panel->least_ns = scale_ns / (2 * PLOT) + 1;
    if (count > frames_max) {
        int64_t least_ns = (int64_t)largest_at(lengths, count, frames_max) + 1;
        panel->least_ns = least_ns > panel->least_ns ? least_ns : panel->least_ns;
    }
    for (size_t i = 0; i < count; i++)
        if ((int64_t)lengths[i] >= panel->least_ns && panel->slices[i]->depth > panel->depth_max)
            panel->depth_max = panel->slices[i]->depth;
}

/* Gives the files with the most self time the colours of the palette, in order. */
static void color_files(struct card *card, const struct row_sums *sums)
{
    const struct labels *labels = card->report->labels;
    const struct symbols *symbols = &card->report->profile->symbols;
    size_t count = labels->texts.count;
    SCOPED_ARRAY int64_t *times = mem_zeroed(count, sizeof *times);
    card->colors = mem_zeroed(count, sizeof *card->colors);
    memset(card->colors, PALETTE_OTHERS, count);
    for (size_t i = 0; i < sums->row_count; i++) {
        uint32_t function = row_sums_group(sums, i)->function;
        if (symbols_is_lua(symbols, function))
            times[labels->of[function].file] += sums->rows[i].sum.self_ns;
    }
    for (uint8_t color = 0; color < PALETTE_OTHERS; color++) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            best = times[i] > times[best] ? i : best;
        if (times[best] <= 0)
            return;
        card->colors[best] = color;
        times[best] = 0;
    }
}

static const char *color_of(const struct card *card, uint32_t function)
{
    bool is_lua =
        function != TIMELINE_TRUNCATED && symbols_is_lua(&card->report->profile->symbols, function);
    return web_palette[is_lua ? card->colors[card->report->labels->of[function].file]
                              : PALETTE_NO_FILE];
}

/* Begins a text at the line; its contents, escaped, and "</text>" follow. */
static void begin_text(struct card *card, int x, const char *attributes)
{
    text_printf(&card->text, "<text x=\"%d\" y=\"%d\"%s>", x, card->y, attributes);
}

/* Appends tenths of a pixel. */
static void put_tenths(struct text *text, const char *attribute, int64_t tenths)
{
    text_printf(text, " %s=\"%" PRId64 ".%" PRId64 "\"", attribute, tenths / 10, tenths % 10);
}

/* The label of a frame of so many tenths of a pixel, escaped; "" if there is no room. */
static const char *fit_label(struct card *card, uint32_t function, int64_t width)
{
    int64_t columns = (width - 60) / LETTER;
    text_cut(&card->label, 0);
    if (columns > 0 && function != TIMELINE_TRUNCATED) {
        const struct labels *labels = card->report->labels;
        page_put_fitted_label(&card->label,
                              labels_text(labels, labels->of[function].label),
                              labels_text(labels, labels->of[function].name).length,
                              (size_t)columns);
    }
    return text_string(&card->label);
}

/* Appends a frame of the picture. */
static void put_frame(struct card *card, const struct panel *panel, size_t i, int64_t scale_ns)
{
    const struct slice *slice = panel->slices[i];
    int64_t from_ns = panel->starts[i], to_ns = from_ns + slice->end_ns - slice->begin_ns;
    int64_t x = tenths_of(from_ns, scale_ns), width = tenths_of(to_ns, scale_ns) - x;
    int y = card->y + slice->depth * ROW;
    uint32_t function = function_of(panel, slice);
    text_put_string(&card->text, "<rect");
    put_tenths(&card->text, "x", 10 * MARGIN + x);
    put_tenths(&card->text, "width", width > 30 ? width - 5 : width < 5 ? 5 : width);
    text_printf(
        &card->text, " y=\"%d\" height=\"%d\" fill=\"%s\"/>", y, ROW - 1, color_of(card, function));
    const char *label = fit_label(card, function, width);
    if (label[0] != '\0') {
        text_put_string(&card->text, "<text");
        put_tenths(&card->text, "x", 10 * MARGIN + x + 30);
        text_printf(&card->text, " y=\"%d\">%s</text>", y + 12, label);
    }
    text_put_string(&card->text, "\n");
}

static void put_panel(struct card *card, const struct panel *panel, const char *what,
                      int64_t scale_ns)
{
    begin_text(card, MARGIN, " fill=\"#596170\"");
    text_printf(&card->text,
                "%sin the order of time, with the recorder: %s</text>\n",
                what,
                amount_said(panel->length_ns).at);
    card->y += 8;
    text_put_string(&card->text, "<g font-family=\"monospace\" font-size=\"11\" fill=\"#111\">\n");
    for (size_t i = 0; i < panel->slice_count; i++) {
        const struct slice *slice = panel->slices[i];
        if (slice->depth < ROWS_MAX && slice->end_ns - slice->begin_ns >= panel->least_ns)
            put_frame(card, panel, i, scale_ns);
    }
    text_put_string(&card->text, "</g>\n");
    card->y += (panel->depth_max + 1) * ROW + LINE;
}

static void put_bar(struct card *card, int y, int height, double tenths, const char *color)
{
    text_printf(&card->text, "<rect x=\"%d\" y=\"%d\" height=\"%d\"", MARGIN, card->y + y, height);
    put_tenths(&card->text, "width", (int64_t)tenths);
    text_printf(&card->text, " fill=\"%s\"/>", color);
}

/* Appends a function: a bar, its time, and its name. */
static void put_function(struct card *card, uint32_t function, int64_t self_ns, int64_t old_ns,
                         int64_t most_ns)
{
    enum { BAR = 200, TIME = 100 };
    int name_x = MARGIN + BAR + TIME * (int)(card->side_count + (card->side_count > 1));
    bool is_lua = symbols_is_lua(&card->report->profile->symbols, function);
    const struct labels *labels = card->report->labels;
    struct span label = labels_text(labels, labels->of[function].label),
                name = labels_text(labels, labels->of[function].name);
    put_bar(card,
            -10,
            10,
            BAR * 10 * (double)(self_ns > 0 ? self_ns : 0) / (double)most_ns,
            is_lua ? color_of(card, function) : GREY);
    if (card->side_count > 1)
        put_bar(card, 0, 3, BAR * 10 * (double)(old_ns > 0 ? old_ns : 0) / (double)most_ns, GREY);
    begin_text(card, name_x - 16, " text-anchor=\"end\"");
    if (card->side_count > 1)
        text_printf(&card->text, "%s to ", amount_said(old_ns).at);
    text_printf(&card->text, "%s</text>", amount_said(self_ns).at);
    begin_text(card, name_x, " font-weight=\"600\"");
    page_put_fitted_label(
        &card->text, label, name.length, (size_t)(WIDTH - MARGIN - name_x) * 10 / (LETTER + 10));
    text_put_string(&card->text, "</text>\n");
    card->y += LINE;
}

/* The functions with the most self time, on either side. */
static void put_functions(struct card *card, const struct row_sums *sums)
{
    SCOPED_ARRAY struct keyed *order = mem_zeroed(sums->row_count, sizeof *order);
    for (size_t i = 0; i < sums->row_count; i++) {
        const struct row *old = row_sums_old(sums, &sums->rows[i]);
        int64_t most_ns = sums->rows[i].sum.self_ns;
        if (old != NULL && old->sum.self_ns > most_ns)
            most_ns = old->sum.self_ns;
        order[i] =
            (struct keyed){most_ns > 0 ? INT64_MAX - (uint64_t)most_ns : INT64_MAX, (uint32_t)i};
    }
    key_sort(order, sums->row_count);
    for (size_t i = 0; i < FUNCTIONS && i < sums->row_count && order[i].key < INT64_MAX; i++) {
        const struct row *row = &sums->rows[order[i].item], *old = row_sums_old(sums, row);
        int64_t most_ns = (int64_t)(INT64_MAX - order[0].key);
        put_function(card,
                     row_sums_group(sums, order[i].item)->function,
                     row->sum.self_ns,
                     old != NULL ? old->sum.self_ns : 0,
                     most_ns > 0 ? most_ns : 1);
    }
}

static int64_t time_of(const struct report *report)
{
    return report->profile->ticks.count > 0 ? report->profile->ticks.ticks[0].time_ns : 0;
}

/* What it is about: of the tick, then of the log. */
static void put_title(struct card *card)
{
    const struct report *report = card->report;
    const struct tick_list *ticks = &report->profile->ticks;
    size_t columns = report->old != NULL ? TITLE_COLUMNS / 2 : TITLE_COLUMNS;
    SCOPED(text) title = {0};
    text_printf(&title,
                "%s %s",
                tick_kinds[ticks->state].title,
                ticks->count > 0 ? tick_name(report, &ticks->ticks[0]).at : "?");
    text_printf(&title, " took %s", amount_said(time_of(report)).at);
    if (report->old != NULL)
        text_printf(&title, ", before %s", amount_said(time_of(report->old)).at);
    text_printf(&card->text, "<title>%s</title>\n", text_string(&title));
    text_put_string(&card->text, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    begin_text(card, MARGIN, " font-size=\"20\" font-weight=\"600\"");
    text_printf(&card->text, "%s</text>\n", text_string(&title));
    card->y += LINE;
    begin_text(card, MARGIN, " fill=\"#596170\"");
    text_cut(&title, 0);
    text_put_clean(&title, span_of(report->title), false);
    page_put_fitted(&card->text, text_span(&title), columns);
    if (report->old != NULL) {
        text_cut(&title, 0);
        text_put_clean(&title, span_of(report->old->title), false);
        text_put_string(&card->text, " compared with ");
        page_put_fitted(&card->text, text_span(&title), columns);
    }
    text_printf(&card->text, "; slow is more than %s</text>\n", tick_limit(ticks).at);
    card->y += LINE + 8;
}

static void put_contents(struct card *card)
{
    int64_t scale_ns = 1;
    SCOPED(row_sums) sums = report_rows(card->report, BY_FUNCTION, false);
    color_files(card, &sums);
    for (size_t i = 0; i < card->side_count; i++) {
        lay_out(&card->sides[i]);
        if (card->sides[i].length_ns > scale_ns)
            scale_ns = card->sides[i].length_ns;
    }
    put_title(card);
    for (size_t i = card->side_count; i-- > 0;) {
        choose_drawn(&card->sides[i], scale_ns, FRAMES_MAX / card->side_count);
        put_panel(card,
                  &card->sides[i],
                  card->side_count == 1 ? ""
                  : i == 0              ? "now, "
                                        : "before, ",
                  scale_ns);
    }
    begin_text(card, MARGIN, " fill=\"#596170\"");
    text_put_string(&card->text, "time of their own</text>\n");
    card->y += LINE;
    put_functions(card, &sums);
}

static struct report_result write_card(const struct report *report, struct output *out)
{
    struct card card = {.report = report, .side_count = report->old != NULL ? 2 : 1, .y = 38};
    const struct report *sides[] = {report, report->old};
    for (size_t i = 0; i < card.side_count; i++)
        card.sides[i] =
            (struct panel){.report = sides[i], .timeline = &sides[i]->profile->timeline};
    put_contents(&card);
    struct text head = {0};
    text_printf(&head,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"system-ui, sans-serif\" "
                "font-size=\"13\" fill=\"#1a1d22\">\n",
                WIDTH,
                card.y,
                WIDTH,
                card.y);
    output_end_text(out, &head);
    text_put_string(&card.text, "</svg>\n");
    output_end_text(out, &card.text);
    struct report_result result = {
        .count = 1, .one = "tick", .many = "ticks", .has_timeline = true};
    for (size_t i = 0; i < card.side_count; i++)
        MEM_FREE(card.sides[i].slices, card.sides[i].starts);
    text_release(&card.label);
    free(card.colors);
    return result;
}

const struct report_format report_card = {
    .name = "card",
    .summary = "one tick as a picture, to post in a chat",
    .uses = USES_TIMELINE | USES_COSTS | NEEDS_TICK | SHOWS_COMPARISON,
    .suffixes = {".card.svg", NULL},
    .write = write_card,
};
