/*
 * SVG 1.1: a flame graph as one file for any web browser, which loads no other files. The
 * positions of frames are explained in svg_layout.h, their colours in svg_colors.h. The script
 * in flame_graph.js zooms and searches; the picture is complete without it.
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
 *     #legend > g           a colour and its meaning: see svg_colors.h
 *     #left-out             JSON: frames that are too narrow to be drawn, so that a search finds
 *                           them. `frames` has three numbers for each: the parent, an index of
 *                           the frames in #frames and then of these; an index of `labels`; and
 *                           what it has with all below it. `unlisted` is what even smaller ones
 *                           have
 *     #controls, #footer    made by the script, in place of the title, summary, notes and legend:
 *                           #search, #reset, #turn, #matched, and #details of a frame
 *
 * A comparison also has data-old-total, data-old-self and data-old-calls, colours for changes,
 * and widths in data-size: see svg_picture.h.
 *
 * Negative self times have no width: see viewer.h. If there are too many frames, the narrowest
 * are left out. The notes mention both.
 */
#include "report/figures/report_format.h"
#include "report/pages/embedded.h"
#include "report/pages/page_formats.h"
#include "report/pages/page_text.h"
#include "report/pages/svg/svg_colors.h"
#include "report/pages/svg/svg_frames.h"
#include "report/pages/svg/svg_picture.h"

/* In pixels. */
enum { WIDTH = SVG_WIDTH / SVG_PIXEL + 2 * SVG_MARGIN, NOTE_HEIGHT = 16, LEGEND_COLUMNS = 3 };

struct svg {
    struct svg_picture picture;
    struct svg_colors colors;
    struct text text; /* buffer */
    struct text notes;
    uint32_t note_count;
};

/* Appends the names of the inputs, both cut to fit together. */
static void put_title(struct text *text, const struct report *report, size_t columns)
{
    const char *titles[] = {report->title, report->old != NULL ? report->old->title : NULL};
    size_t count = titles[1] != NULL ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        struct text clean = {0};
        text_put_clean(&clean, span_of(titles[i]), false);
        text_put_string(text, i > 0 ? " compared with " : "");
        page_put_fitted(text, text_span(&clean), columns / count);
        text_release(&clean);
    }
}

static void put_summary(struct text *text, const struct svg_picture *picture)
{
    const struct report *report = picture->report;
    const struct report_totals *totals = &report->totals;
    uint64_t now = picture->now.totals[TREE_ROOT];
    text_put_string(text, svg_value(report, now).at);
    if (picture->is_compared) {
        uint64_t old = picture->old.totals[TREE_ROOT];
        text_printf(text, ", was %s: %s", svg_value(report, old).at,
                    svg_change(report, now, old).at);
    }
    text_printf(text, "%s%s, %s", picture->is_compared ? "; now " : " in ",
                amount_things(totals->stacks, "stack", "stacks").at,
                amount_things(totals->functions, "function", "functions").at);
    if (report->show.metric != METRIC_CALLS)
        text_printf(text, ", %s", amount_things(totals->calls, "call", "calls").at);
}

/* The baseline of a line below the frames, the first of which is 1. */
static uint32_t line_y(const struct svg *svg, uint32_t line)
{
    uint32_t rows = svg->picture.layout.depth_max + 1;
    return SVG_FRAMES_TOP + rows * SVG_ROW_HEIGHT + line * NOTE_HEIGHT;
}

static void put_head(struct svg *svg)
{
    enum { TITLE_COLUMNS = 100 };
    struct text *text = &svg->text;
    uint32_t legend_rows =
        (uint32_t)(svg->colors.legend_count + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    unsigned height = line_y(svg, svg->note_count + legend_rows + 1);
    text_printf(text,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
                "height=\"%u\" viewBox=\"0 0 %d %u\">\n<title>",
                WIDTH, height, WIDTH, height);
    put_title(text, svg->picture.report, SIZE_MAX);
    text_put_string(text, "</title>\n<style><![CDATA[\n");
    text_put(text, web_flame_graph_css.at, web_flame_graph_css.length);
    text_put_string(text, "]]></style>\n"
                          "<rect id=\"background\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
                          "<text id=\"title\" x=\"10\" y=\"24\">");
    put_title(text, svg->picture.report, TITLE_COLUMNS);
    text_put_string(text, "</text>\n<text id=\"summary\" x=\"10\" y=\"42\">");
    put_summary(text, &svg->picture);
    text_put_string(text, "</text>\n");
}

static void put_legend(struct svg *svg)
{
    enum { COLUMN_PIXELS = (WIDTH - 2 * SVG_MARGIN) / LEGEND_COLUMNS, SQUARE = 11, FREE = 17 };
    struct text *text = &svg->text;
    text_put_string(text, "<g id=\"legend\">\n");
    for (uint32_t i = 0; i < svg->colors.legend_count; i++) {
        const struct svg_legend_entry *entry = &svg->colors.legend[i];
        unsigned x = SVG_MARGIN + i % LEGEND_COLUMNS * COLUMN_PIXELS;
        unsigned y = line_y(svg, svg->note_count + 1 + i / LEGEND_COLUMNS);
        text_printf(text,
                    "<g><rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"%s\"/>"
                    "<text x=\"%u\" y=\"%u\">",
                    x, y - SQUARE + 1, SQUARE, SQUARE, text_string(&entry->color), x + FREE, y);
        page_put_fitted(text, text_span(&entry->text),
                        (COLUMN_PIXELS - FREE) * SVG_PIXEL / SVG_COLUMN_WIDTH);
        text_put_string(text, "</text></g>\n");
    }
    text_put_string(text, "</g>\n");
}

/* Returns the text to which to append a note, which must not come from a log, and "</text>". */
static struct text *add_note(struct svg *svg)
{
    unsigned y = line_y(svg, ++svg->note_count);
    text_printf(&svg->notes, "<text x=\"10\" y=\"%u\">", y);
    return &svg->notes;
}

static void note_selection(struct svg *svg)
{
    const struct report *report = svg->picture.report;
    if (report->old != NULL) {
        const char *scaled = report->old->scaled;
        text_printf(add_note(svg),
                    "Red is more than before, blue is less. A stack is as wide as the larger of "
                    "the two%s%s.</text>\n",
                    scaled != NULL ? "; old values: " : "", scaled != NULL ? scaled : "");
    }
    if (report->selection->filters.count > 0)
        text_printf(add_note(svg), "Filters leave %s%% of the time.</text>\n",
                    amount_percent(report_total_ns(report), report->all_ns).at);
}

static void note_losses(struct svg *svg)
{
    const struct report_result *result = &svg->picture.result;
    const struct svg_layout *layout = &svg->picture.layout;
    uint32_t count = layout->left_out_count;
    if (count > 0 && layout->left_out == 0)
        text_printf(add_note(svg), "Left out: %s of no width.</text>\n",
                    amount_things(count, "frame", "frames").at);
    else if (count > 0)
        text_printf(add_note(svg), "Left out: the %s, %s (%.2f%%) in all.</text>\n",
                    amount_things(count, "narrowest frame", "narrowest frames").at,
                    svg_value(svg->picture.report, layout->left_out).at,
                    svg_percent(layout->left_out, layout->totals[TREE_ROOT]));
    if (result->clamped_ns > 0)
        text_printf(add_note(svg), "Negative self times drawn as 0: %s in all.</text>\n",
                    svg_value(svg->picture.report, (uint64_t)result->clamped_ns).at);
    if (result->truncated_count > 0)
        text_printf(add_note(svg), "%s of more than %s frames added up in (truncated).</text>\n",
                    amount_things(result->truncated_count, "stack", "stacks").at,
                    amount_count(VIEWER_DEPTH_MAX).at);
}

static struct report_result write_svg(const struct report *report, struct output *out)
{
    struct svg svg = {0};
    svg_picture_init(&svg.picture, report);
    svg_colors_init(&svg.colors, &svg.picture);
    note_selection(&svg);
    note_losses(&svg);
    put_head(&svg);
    output_put_text(out, &svg.text);
    svg_frames_write(&svg.picture, &svg.colors, out);
    text_printf(&svg.text, "<g id=\"notes\">\n%s</g>\n", text_string(&svg.notes));
    put_legend(&svg);
    output_put_text(out, &svg.text);
    svg_frames_write_left_out(&svg.picture, out);
    text_put_string(&svg.text, "<script><![CDATA[\n");
    text_put(&svg.text, web_flame_graph_js.at, web_flame_graph_js.length);
    text_put_string(&svg.text, "]]></script>\n</svg>\n");
    output_end_text(out, &svg.text);
    text_release(&svg.notes);
    svg_colors_release(&svg.colors);
    struct report_result result = svg.picture.result;
    svg_picture_release(&svg.picture);
    return result;
}

const struct report_format report_svg = {
    .name = "svg",
    .summary = "flame graph for web browsers",
    .uses = USES_UNIT | USES_METRIC | USES_ORIENTATION | USES_PROFILE | USES_PATHS |
            SHOWS_COMPARISON | SHOWS_REPEATED,
    .suffixes = {".svg", NULL},
    .write = write_svg,
};
