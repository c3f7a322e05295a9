/*
 * SVG 1.1: a flame graph as one file for any web browser, which loads no other files. The
 * positions of frames are explained in svg_layout.h, their colours in svg_color.h. The script
 * in web/flame_graph.js zooms and searches; the picture is complete without it.
 *
 * The contents of the document, for scripts and tests:
 *
 *     #title, #summary      names of the logs, and how much was read
 *     #frames               data-metric: time, calls, errors or alloc
 *                           data-unit: ns, calls, errors or KB
 *                           data-orientation: icicle or flame
 *                           data-rows, data-top: how many rows, and where they begin
 *                           data-margin, data-row-height, data-column-width: like data-top in
 *                           pixels; the last is that of a letter
 *     #frames > g           a frame, parents before children, siblings from left to right;
 *                           the first is the root, which stands for the whole profile
 *         data-label        as in all reports; "all" for the root
 *         data-name         how many characters of the label are the name
 *         data-depth        0 for the root
 *         data-from         where it begins; like the next three, a whole number of the unit
 *         data-total        its value with all below it
 *         data-self         its own value
 *         data-calls        its number of calls
 *         title             the label, a line feed, and the same numbers for people
 *         rect              the box
 *         text              as much of the label as fits; missing if nothing fits
 *     #notes > text         differences between the picture and the measured data
 *     #legend > g           a colour and its meaning: see svg_legend.h
 *     #left-out             JSON: frames that are too narrow to be drawn, so that a search finds
 *                           them. `frames` has three numbers for each: the parent, an index of
 *                           the frames in #frames and then of these; an index of `labels`; and
 *                           what it has with all below it. `unlisted` is what even smaller ones
 * have #controls, #footer    made by the script instead of the title, summary, notes and legend; in
 * it #matched, #search, #reset, #turn, and #details of a frame
 *
 * A comparison also has data-old-total, data-old-self and data-old-calls, colours for changes,
 * and widths in data-size: see svg_picture.h.
 *
 * Negative self times have no width: see viewer.h. If there are too many frames, the narrowest
 * are left out. The notes mention both.
 */
#include "report/report.h"

#include "base/json.h"
#include "base/mem.h"
#include "report/svg_color.h"
#include "report/svg_legend.h"
#include "report/svg_picture.h"
#include "report/svg_text.h"
#include "tree/tree_links.h"
#include "web/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In pixels. */
enum { MARGIN = 10, ROW_HEIGHT = 17, BOX_HEIGHT = 16, FRAMES_TOP = 68, NOTE_HEIGHT = 16 };
enum { WIDTH = SVG_WIDTH / SVG_PIXEL + 2 * MARGIN, LEGEND_COLUMNS = 3 };

/* In hundredths of a pixel: a column of text, and what stays free on either side of it. */
enum { COLUMN_WIDTH = 670, TEXT_MARGIN = 3 * SVG_PIXEL };

struct writing {
    struct svg_picture picture;
    struct svg_legend legend;
    const struct report *report;
    uint32_t row_count;
    struct text text;   /* buffer */
    struct text fitted; /* a label that is cut */
    struct text notes;  /* all of them */
    uint32_t note_count;
    struct output *out;
};

static void flush(struct writing *writing)
{
    struct span span = text_span(&writing->text);
    output_put(writing->out, span.at, span.length);
    writing->text.length = 0;
}

static void write_file(struct output *out, const struct web_file *file)
{
    output_put(out, file->at, file->length);
}

/* Appends "12.3": hundredths of a pixel, without zeros at the end. */
static void put_pixels(struct text *text, uint32_t position)
{
    uint32_t rest = position % SVG_PIXEL;
    text_put_count(text, position / SVG_PIXEL);
    if (rest == 0)
        return;
    text_put_string(text, rest < 10 ? ".0" : ".");
    text_put_count(text, rest % 10 == 0 ? rest / 10 : rest);
}

static void put_attribute(struct text *text, const char *name, uint64_t value)
{
    text_put_string(text, " ");
    text_put_string(text, name);
    text_put_string(text, "=\"");
    text_put_count(text, value);
    text_put_string(text, "\"");
}

static const char *metric_name(enum report_metric metric)
{
    static const char *const names[] = {
        [METRIC_TIME] = "time",
        [METRIC_CALLS] = "calls",
        [METRIC_ERRORS] = "errors",
        [METRIC_ALLOC] = "alloc",
    };
    return names[metric];
}

static const char *unit_name(enum report_metric metric)
{
    static const char *const names[] = {
        [METRIC_TIME] = "ns",
        [METRIC_CALLS] = "calls",
        [METRIC_ERRORS] = "errors",
        [METRIC_ALLOC] = "KB",
    };
    return names[metric];
}

/* Appends "12.345 ms", "1 call" or "1,234 KB". */
static void put_value(struct text *text, const struct report *report, uint64_t value)
{
    if (report->metric == METRIC_TIME) {
        int64_t ns = value > INT64_MAX ? INT64_MAX : (int64_t)value;
        enum report_unit unit = report->unit == UNIT_AUTO ? report_unit_for(ns) : report->unit;
        report_put_time(text, ns, unit, 3);
        text_put_string(text, " ");
        text_put_string(text, report_unit_name(unit));
        return;
    }
    const char *name = unit_name(report->metric);
    bool is_one = value == 1 && report->metric != METRIC_ALLOC;
    text_put_grouped(text, value);
    text_put_string(text, " ");
    text_put(text, name, strlen(name) - is_one);
}

static void put_difference(struct text *text, const struct report *report, uint64_t now,
                           uint64_t old)
{
    text_put_string(text, now > old ? "+" : now < old ? "-" : "");
    put_value(text, report, now > old ? now - old : old - now);
}

/* Appends " (12.34%)". */
static void put_share(struct text *text, uint64_t value, uint64_t all)
{
    char digits[32];
    double percent = all == 0 ? 0 : 100 * ((double)value / (double)all);
    int length = snprintf(digits, sizeof digits, " (%.2f%%)", percent);
    text_put(text, digits, (size_t)length);
}

/* Appends "total 12.345 ms (12.34%)", and in a comparison the old value and the change. */
static void put_shares(struct writing *writing, const char *name, const uint64_t *now,
                       const uint64_t *old, uint32_t node)
{
    struct text *text = &writing->text;
    const struct svg_picture *picture = &writing->picture;
    text_put_string(text, name);
    put_value(text, writing->report, now[node]);
    put_share(text, now[node], picture->now.totals[TREE_ROOT]);
    if (!picture->is_compared)
        return;
    text_put_string(text, ", was ");
    put_value(text, writing->report, old[node]);
    put_share(text, old[node], picture->old.totals[TREE_ROOT]);
    text_put_string(text, ": ");
    put_difference(text, writing->report, now[node], old[node]);
}

/* Appends the description of a frame for people: one line, or several in a comparison. */
static void put_details(struct writing *writing, uint32_t node)
{
    struct text *text = &writing->text;
    const struct svg_side *now = &writing->picture.now;
    const struct svg_side *old = &writing->picture.old;
    bool is_compared = writing->picture.is_compared;
    put_shares(writing, "total ", now->totals, old->totals, node);
    if (node == TREE_ROOT)
        return;
    put_shares(writing, is_compared ? "\nself " : ", self ", now->own, old->own, node);
    if (writing->report->metric == METRIC_CALLS)
        return;
    text_put_string(text, is_compared ? "\n" : ", ");
    report_put_count(text, now->viewer.tree.call_counts[node], "call", "calls");
    if (is_compared) {
        text_put_string(text, ", was ");
        text_put_grouped(text, old->viewer.tree.call_counts[node]);
    }
}

static struct span label_of(const struct writing *writing, uint32_t node)
{
    const struct viewer *viewer = &writing->picture.now.viewer;
    if (node == TREE_ROOT)
        return (struct span){"all", 3};
    return viewer_label(viewer, writing->report->labels, viewer->tree.calls[node].function);
}

/* The number of bytes of the name in a label. */
static size_t name_length_of(const struct writing *writing, uint32_t node)
{
    const struct viewer *viewer = &writing->picture.now.viewer;
    const struct labels *labels = writing->report->labels;
    uint32_t function = viewer->tree.calls[node].function;
    struct span label = label_of(writing, node);
    if (node == TREE_ROOT || function == viewer->truncated)
        return label.length;
    size_t length = labels_text(labels, labels->labels[function].name).length;
    return length < label.length ? length : label.length;
}

static struct svg_color color_of(const struct writing *writing, uint32_t node)
{
    const struct svg_picture *picture = &writing->picture;
    const struct viewer *viewer = &picture->now.viewer;
    const struct labels *labels = writing->report->labels;
    if (picture->is_compared)
        return svg_color_of_change(picture->now.totals[node], picture->old.totals[node],
                                   picture->layout.totals[TREE_ROOT]);
    uint32_t function = viewer->tree.calls[node].function;
    if (node == TREE_ROOT || function == viewer->truncated)
        return SVG_COLOR_OTHER;
    if (symbols_is_c(&writing->report->profile->symbols, function))
        return SVG_COLOR_C;
    return svg_color_of_file(labels_text(labels, labels->labels[function].file));
}

static void put_start_tag(struct writing *writing, uint32_t node)
{
    struct text *text = &writing->text;
    const struct svg_picture *picture = &writing->picture;
    text_put_string(text, "<g data-label=\"");
    svg_put_escaped(text, label_of(writing, node));
    text_put_string(text, "\"");
    struct span name = {label_of(writing, node).at, name_length_of(writing, node)};
    put_attribute(text, "data-name", text_width(name));
    put_attribute(text, "data-depth", picture->layout.depths[node]);
    put_attribute(text, "data-from", picture->layout.starts[node]);
    put_attribute(text, "data-total", picture->now.totals[node]);
    put_attribute(text, "data-self", picture->now.own[node]);
    put_attribute(text, "data-calls", picture->now.viewer.tree.call_counts[node]);
    if (picture->is_compared) {
        put_attribute(text, "data-old-total", picture->old.totals[node]);
        put_attribute(text, "data-old-self", picture->old.own[node]);
        put_attribute(text, "data-old-calls", picture->old.viewer.tree.call_counts[node]);
        put_attribute(text, "data-size", picture->layout.totals[node]);
    }
    text_put_string(text, ">");
}

/* In a wide frame half a pixel stays free, so that the frame's end can be seen. */
static void put_box(struct writing *writing, uint32_t node, uint32_t x, uint32_t y)
{
    struct text *text = &writing->text;
    uint32_t width = svg_layout_width(&writing->picture.layout, node);
    text_put_string(text, "<rect x=\"");
    put_pixels(text, x);
    text_put_string(text, "\"");
    put_attribute(text, "y", y);
    text_put_string(text, " width=\"");
    put_pixels(text, width < 3 * SVG_PIXEL ? width : width - SVG_PIXEL / 2);
    text_put_string(text, "\"");
    put_attribute(text, "height", BOX_HEIGHT);
    text_put_string(text, " fill=\"");
    svg_color_put(text, color_of(writing, node));
    text_put_string(text, "\"/>");
}

static void put_label(struct writing *writing, uint32_t node, uint32_t x, uint32_t y)
{
    struct text *text = &writing->text;
    struct text *fitted = &writing->fitted;
    uint32_t width = svg_layout_width(&writing->picture.layout, node);
    uint32_t room = width < 2 * TEXT_MARGIN ? 0 : width - 2 * TEXT_MARGIN;
    fitted->length = 0;
    svg_put_fitted_label(fitted, label_of(writing, node), name_length_of(writing, node),
                         room / COLUMN_WIDTH);
    if (fitted->length == 0)
        return;
    text_put_string(text, "<text x=\"");
    put_pixels(text, x + TEXT_MARGIN);
    text_put_string(text, "\"");
    put_attribute(text, "y", y + 12);
    text_put_string(text, ">");
    text_put(text, fitted->at, fitted->length);
    text_put_string(text, "</text>");
}

static void write_frame(struct writing *writing, uint32_t node)
{
    struct text *text = &writing->text;
    const struct svg_layout *layout = &writing->picture.layout;
    uint32_t row = layout->depths[node];
    if (writing->report->orientation == ORIENTATION_FLAME)
        row = writing->row_count - 1 - row;
    uint32_t x = MARGIN * SVG_PIXEL + svg_layout_x(layout, node);
    uint32_t y = FRAMES_TOP + row * ROW_HEIGHT;
    put_start_tag(writing, node);
    text_put_string(text, "<title>");
    svg_put_escaped(text, label_of(writing, node));
    text_put_string(text, "\n");
    put_details(writing, node);
    text_put_string(text, "</title>");
    put_box(writing, node, x, y);
    put_label(writing, node, x, y);
    text_put_string(text, "</g>\n");
    flush(writing);
}

static void leave(void *context, uint32_t node)
{
    (void)context;
    (void)node;
}

/* Sets `order`, [node_count], to the frame number of each drawn node. */
static uint32_t write_frames(struct writing *writing, uint32_t *order)
{
    const struct report *report = writing->report;
    const struct viewer *viewer = &writing->picture.now.viewer;
    output_printf(writing->out,
                  "<g id=\"frames\" data-metric=\"%s\" data-unit=\"%s\" data-orientation=\"%s\" "
                  "data-rows=\"%u\" data-top=\"%d\" data-margin=\"%d\" data-row-height=\"%d\" "
                  "data-column-width=\"%.2f\">\n",
                  metric_name(report->metric), unit_name(report->metric),
                  report->orientation == ORIENTATION_FLAME ? "flame" : "icicle",
                  (unsigned)writing->row_count, FRAMES_TOP, MARGIN, ROW_HEIGHT,
                  (double)COLUMN_WIDTH / SVG_PIXEL);
    write_frame(writing, TREE_ROOT);
    uint32_t node = TREE_ROOT, last = 0;
    while ((node = tree_next(&viewer->tree, &viewer->links, node, leave, NULL)) != TREE_NONE)
        if (svg_layout_is_drawn(&writing->picture.layout, node)) {
            order[node] = ++last;
            write_frame(writing, node);
        }
    output_put_string(writing->out, "</g>\n");
    return last + 1;
}

/* Writes the frames that are too narrow to be drawn. `count` and `order` are of drawn ones. */
static void write_left_out(struct writing *writing, uint32_t *order, uint32_t count)
{
    const struct svg_layout *layout = &writing->picture.layout;
    const struct viewer *viewer = &writing->picture.now.viewer;
    uint32_t *numbers = mem_zeroed((size_t)viewer->truncated + 1, sizeof *numbers);
    uint32_t label_count = 0;
    struct text *text = &writing->text;
    struct text json = {0};
    text_put_string(text, "<metadata id=\"left-out\">{\"frames\":[");
    for (uint32_t node = 1, first = count; node < viewer->tree.node_count; node++) {
        const struct call *call = &viewer->tree.calls[node];
        if (!svg_layout_is_listed(layout, node))
            continue;
        if (numbers[call->function] == 0) {
            numbers[call->function] = ++label_count;
            text_put_string(&json, label_count > 1 ? "," : "");
            json_put_string(&json, label_of(writing, node));
        }
        text_put_string(text, count > first ? "," : "");
        text_put_count(text, order[call->parent]);
        text_put_string(text, ",");
        text_put_count(text, numbers[call->function] - 1);
        text_put_string(text, ",");
        text_put_count(text, layout->totals[node]);
        order[node] = count++;
        flush(writing);
    }
    text_put_string(text, "],\"labels\":[");
    svg_put_escaped(text, text_span(&json));
    text_printf(text, "],\"unlisted\":%llu}</metadata>\n", (unsigned long long)layout->unlisted);
    flush(writing);
    text_release(&json);
    free(numbers);
}

/* Appends the names of the inputs, both cut to fit together. */
static void put_title(struct text *text, const struct report *report, size_t columns)
{
    const char *titles[] = {report->title, report->old != NULL ? report->old->title : NULL};
    size_t count = titles[1] != NULL ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        struct text clean = {0};
        text_put_clean(&clean, (struct span){titles[i], strlen(titles[i])}, false);
        text_put_string(text, i > 0 ? " compared with " : "");
        svg_put_fitted(text, text_span(&clean), columns / count);
        text_release(&clean);
    }
}

static void put_summary(struct writing *writing)
{
    struct text *text = &writing->text;
    const struct report_totals *totals = &writing->report->totals;
    const struct svg_picture *picture = &writing->picture;
    uint64_t now = picture->now.totals[TREE_ROOT];
    put_value(text, writing->report, now);
    if (picture->is_compared) {
        uint64_t old = picture->old.totals[TREE_ROOT];
        text_put_string(text, ", was ");
        put_value(text, writing->report, old);
        text_put_string(text, ": ");
        put_difference(text, writing->report, now, old);
    }
    text_put_string(text, picture->is_compared ? "; now " : " in ");
    report_put_count(text, totals->stacks, "stack, ", "stacks, ");
    report_put_count(text, totals->functions, "function", "functions");
    if (writing->report->metric == METRIC_CALLS)
        return;
    text_put_string(text, ", ");
    report_put_count(text, totals->calls, "call", "calls");
}

static void write_head(struct writing *writing)
{
    enum { TITLE_COLUMNS = 100 };
    struct text *text = &writing->text;
    unsigned legend_rows = (unsigned)(writing->legend.count + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    unsigned height = FRAMES_TOP + writing->row_count * ROW_HEIGHT +
                      (writing->note_count + legend_rows + 1) * NOTE_HEIGHT;
    output_printf(
        writing->out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%u\" "
        "viewBox=\"0 0 %d %u\">\n",
        WIDTH, height, WIDTH, height);
    text_put_string(text, "<title>");
    put_title(text, writing->report, SIZE_MAX);
    text_put_string(text, "</title>\n<style><![CDATA[\n");
    flush(writing);
    write_file(writing->out, &web_flame_graph_css);
    text_put_string(text, "]]></style>\n"
                          "<rect id=\"background\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
                          "<text id=\"title\" x=\"10\" y=\"24\">");
    put_title(text, writing->report, TITLE_COLUMNS);
    text_put_string(text, "</text>\n<text id=\"summary\" x=\"10\" y=\"42\">");
    put_summary(writing);
    text_put_string(text, "</text>\n");
    flush(writing);
}

static void write_legend(struct writing *writing)
{
    enum { COLUMN_PIXELS = (WIDTH - 2 * MARGIN) / LEGEND_COLUMNS, SQUARE = 11, FREE = 17 };
    struct text *text = &writing->text;
    unsigned top =
        FRAMES_TOP + writing->row_count * ROW_HEIGHT + (writing->note_count + 1) * NOTE_HEIGHT;
    text_put_string(text, "<g id=\"legend\">\n");
    for (size_t i = 0; i < writing->legend.count; i++) {
        const struct svg_legend_entry *entry = &writing->legend.entries[i];
        unsigned x = MARGIN + (unsigned)(i % LEGEND_COLUMNS) * COLUMN_PIXELS;
        unsigned y = top + (unsigned)(i / LEGEND_COLUMNS) * NOTE_HEIGHT;
        text_put_string(text, "<g><rect");
        put_attribute(text, "x", x);
        put_attribute(text, "y", y - SQUARE + 1);
        put_attribute(text, "width", SQUARE);
        put_attribute(text, "height", SQUARE);
        text_put_string(text, " fill=\"");
        svg_color_put(text, entry->color);
        text_put_string(text, "\"/><text");
        put_attribute(text, "x", x + FREE);
        put_attribute(text, "y", y);
        text_put_string(text, ">");
        svg_put_fitted(text, text_span(&entry->text),
                       (COLUMN_PIXELS - FREE) * SVG_PIXEL / COLUMN_WIDTH);
        text_put_string(text, "</text></g>\n");
    }
    text_put_string(text, "</g>\n");
    flush(writing);
}

/* Makes a note from the appended text, which must not come from a log. */
static void end_note(struct writing *writing)
{
    struct text *notes = &writing->notes;
    struct span note = text_span(&writing->text);
    uint32_t row = ++writing->note_count;
    text_put_string(notes, "<text x=\"10\"");
    put_attribute(notes, "y", FRAMES_TOP + writing->row_count * ROW_HEIGHT + row * NOTE_HEIGHT);
    text_put_string(notes, ">");
    svg_put_escaped(notes, note);
    text_put_string(notes, "</text>\n");
    writing->text.length = 0;
}

static void note_selection(struct writing *writing)
{
    const struct report *report = writing->report;
    const struct report_old *old = report->old;
    struct text *text = &writing->text;
    if (old != NULL) {
        text_put_string(text, "Red is more than before, blue is less. A stack is as wide as the "
                              "larger of the two");
        if (old->scaled != NULL) {
            text_put_string(text, "; old values: ");
            text_put_string(text, old->scaled);
        }
        text_put_string(text, ".");
        end_note(writing);
    }
    if (report->selection->filters.count > 0) {
        text_put_string(text, "Filters leave ");
        report_put_percent(text, report->tree->total_ns[TREE_ROOT], report->all_ns);
        text_put_string(text, "% of the time.");
        end_note(writing);
    }
}

static void note_losses(struct writing *writing)
{
    const struct report_result *result = &writing->picture.result;
    const struct report *report = writing->report;
    const struct svg_layout *layout = &writing->picture.layout;
    struct text *text = &writing->text;
    if (layout->left_out_count > 0 && layout->left_out == 0) {
        text_put_string(text, "Left out: ");
        report_put_count(text, layout->left_out_count, "frame", "frames");
        text_put_string(text, " of no width.");
        end_note(writing);
    } else if (layout->left_out_count > 0) {
        text_put_string(text, "Left out: the ");
        report_put_count(text, layout->left_out_count, "narrowest frame, ", "narrowest frames, ");
        put_value(text, report, layout->left_out);
        put_share(text, layout->left_out, layout->totals[TREE_ROOT]);
        text_put_string(text, " in all.");
        end_note(writing);
    }
    if (result->clamped_ns > 0) {
        text_put_string(text, "Negative self times drawn as 0: ");
        put_value(text, report, (uint64_t)result->clamped_ns);
        text_put_string(text, " in all.");
        end_note(writing);
    }
    if (result->truncated_count > 0) {
        report_put_count(text, result->truncated_count, "stack", "stacks");
        text_put_string(text, " of more than ");
        text_put_grouped(text, VIEWER_DEPTH_MAX);
        text_put_string(text, " frames added up in (truncated).");
        end_note(writing);
    }
}

static struct report_result write_svg(const struct report *report, struct output *out)
{
    struct writing writing = {.report = report, .out = out};
    svg_picture_init(&writing.picture, report);
    svg_legend_init(&writing.legend, &writing.picture, report);
    writing.row_count = writing.picture.layout.depth_max + 1;
    note_selection(&writing);
    note_losses(&writing);
    write_head(&writing);
    uint32_t *order = mem_zeroed(writing.picture.now.viewer.tree.node_count, sizeof *order);
    uint32_t drawn_count = write_frames(&writing, order);
    output_put_string(out, "<g id=\"notes\">\n");
    output_put(out, text_span(&writing.notes).at, writing.notes.length);
    output_put_string(out, "</g>\n");
    write_legend(&writing);
    write_left_out(&writing, order, drawn_count);
    output_put_string(out, "<script><![CDATA[\n");
    write_file(out, &web_flame_graph_js);
    output_put_string(out, "]]></script>\n</svg>\n");
    text_release(&writing.text);
    text_release(&writing.fitted);
    text_release(&writing.notes);
    free(order);
    svg_legend_release(&writing.legend);
    struct report_result result = writing.picture.result;
    svg_picture_release(&writing.picture);
    return result;
}

const struct report_format report_svg = {
    .name = "svg",
    .summary = "flame graph for web browsers",
    .manual =
        "A flame graph, drawn: one file for any web browser, which loads nothing else. A frame "
        "is a function on a call stack, as wide as its time with all it called; what it called "
        "stands below it, or above it with {--orientation=flame}. The colour is that of the "
        "function's file, the same in every picture; C functions are grey. Below the picture "
        "stands which colours the files with the most time have. A label that does not fit "
        "keeps the name, and then the end of the place, with the line. A tooltip has the label, "
        "the total and self time with their shares, and the calls.\n"
        "\n"
        "In a browser, a click on a frame zooms; Escape, or a click on the root, goes back. '/' "
        "or Ctrl-F is the search, for a part of a name or place in any letter case; it says how "
        "much of the whole is in what was found, each stack counted once, also in frames that "
        "are too narrow to be drawn. The arrow keys go from frame to frame, and Enter zooms. "
        "Zoom and search are part of the page's address, so that a view can be linked. Where "
        "scripts do not run, the picture and the tooltips are the same.\n"
        "\n"
        "Of more than 15,000 frames the narrowest are left out. How many those are, and how "
        "much time, stands below the picture.",
    .uses = USES_UNIT | USES_METRIC | USES_ORIENTATION | USES_PROFILE,
    .suffixes = {".svg", NULL},
    .uses_paths = true,
    .compares = true,
    .repeats = true,
    .write = write_svg,
};
