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

#include "report/svg/svg_color.h"
#include "report/svg/svg_frames.h"
#include "report/svg/svg_legend.h"
#include "report/svg/svg_picture.h"
#include "report/svg/svg_text.h"
#include "report/svg/svg_value.h"
#include "web/embedded.h"

#include <string.h>

/* In pixels. */
enum { WIDTH = SVG_WIDTH / SVG_PIXEL + 2 * SVG_MARGIN, NOTE_HEIGHT = 16, LEGEND_COLUMNS = 3 };

struct writing {
    struct svg_picture picture;
    struct svg_legend legend;
    const struct report *report;
    uint32_t row_count;
    struct text text;  /* buffer */
    struct text notes; /* all of them */
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
    svg_put_value(text, writing->report, now);
    if (picture->is_compared) {
        uint64_t old = picture->old.totals[TREE_ROOT];
        text_put_string(text, ", was ");
        svg_put_value(text, writing->report, old);
        text_put_string(text, ": ");
        svg_put_difference(text, writing->report, now, old);
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
    unsigned height = SVG_FRAMES_TOP + writing->row_count * SVG_ROW_HEIGHT +
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
    enum { COLUMN_PIXELS = (WIDTH - 2 * SVG_MARGIN) / LEGEND_COLUMNS, SQUARE = 11, FREE = 17 };
    struct text *text = &writing->text;
    unsigned top = SVG_FRAMES_TOP + writing->row_count * SVG_ROW_HEIGHT +
                   (writing->note_count + 1) * NOTE_HEIGHT;
    text_put_string(text, "<g id=\"legend\">\n");
    for (size_t i = 0; i < writing->legend.count; i++) {
        const struct svg_legend_entry *entry = &writing->legend.entries[i];
        unsigned x = SVG_MARGIN + (unsigned)(i % LEGEND_COLUMNS) * COLUMN_PIXELS;
        unsigned y = top + (unsigned)(i / LEGEND_COLUMNS) * NOTE_HEIGHT;
        text_put_string(text, "<g><rect");
        svg_put_attribute(text, "x", x);
        svg_put_attribute(text, "y", y - SQUARE + 1);
        svg_put_attribute(text, "width", SQUARE);
        svg_put_attribute(text, "height", SQUARE);
        text_put_string(text, " fill=\"");
        svg_color_put(text, entry->color);
        text_put_string(text, "\"/><text");
        svg_put_attribute(text, "x", x + FREE);
        svg_put_attribute(text, "y", y);
        text_put_string(text, ">");
        svg_put_fitted(text, text_span(&entry->text),
                       (COLUMN_PIXELS - FREE) * SVG_PIXEL / SVG_COLUMN_WIDTH);
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
    svg_put_attribute(notes, "y",
                      SVG_FRAMES_TOP + writing->row_count * SVG_ROW_HEIGHT + row * NOTE_HEIGHT);
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
            text_printf(text, "; old values: %s", old->scaled);
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
        svg_put_value(text, report, layout->left_out);
        svg_put_share(text, layout->left_out, layout->totals[TREE_ROOT]);
        text_put_string(text, " in all.");
        end_note(writing);
    }
    if (result->clamped_ns > 0) {
        text_put_string(text, "Negative self times drawn as 0: ");
        svg_put_value(text, report, (uint64_t)result->clamped_ns);
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
    struct svg_frames frames;
    svg_frames_init(&frames, &writing.picture, report);
    svg_frames_write(&frames, out);
    output_put_string(out, "<g id=\"notes\">\n");
    output_put(out, text_span(&writing.notes).at, writing.notes.length);
    output_put_string(out, "</g>\n");
    write_legend(&writing);
    svg_frames_write_left_out(&frames, out);
    svg_frames_release(&frames);
    output_put_string(out, "<script><![CDATA[\n");
    write_file(out, &web_flame_graph_js);
    output_put_string(out, "]]></script>\n</svg>\n");
    text_release(&writing.text);
    text_release(&writing.notes);
    svg_legend_release(&writing.legend);
    struct report_result result = writing.picture.result;
    svg_picture_release(&writing.picture);
    return result;
}

const struct report_format report_svg = {
    .name = "svg",
    .summary = "flame graph for web browsers",
    .manual = "A flame graph as a picture: one file for any web browser, which loads no other "
              "files. A frame is a function on a call stack, and its width is its total time. Its "
              "callees are below it, or above it with {--orientation=flame}. The colour depends on "
              "the function's file and is the same in every picture; C functions are grey. The "
              "legend below the picture has the files with the most time. A label that does not "
              "fit keeps the name, and then the end of the place, with the line. A tooltip has the "
              "label, the total and self time with their shares, and the calls.\n"
              "\n"
              "In a browser, a click on a frame zooms; Escape, or a click on the root, goes back. "
              "'/' or Ctrl-F searches for a part of a name or place, in any letter case. The "
              "picture then shows the share of the whole that the matches have; each stack counts "
              "once, also in frames that are too narrow to be drawn. The arrow keys go from frame "
              "to frame, and Enter zooms. Zoom and search are part of the page's address, so that "
              "a view can be linked. Without scripts, the picture and the tooltips are the same.\n"
              "\n"
              "Of more than 15,000 frames the narrowest are left out. A note below the picture has "
              "their number and their time.",
    .uses = USES_UNIT | USES_METRIC | USES_ORIENTATION | USES_PROFILE,
    .suffixes = {".svg", NULL},
    .uses_paths = true,
    .compares = true,
    .repeats = true,
    .write = write_svg,
};
