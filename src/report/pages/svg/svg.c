/*
 * SVG 1.1: a flame graph as one file for any web browser, which loads no other files. The positions
 * of frames are explained in svg.h. The script in flame_graph.js zooms and searches; the picture is
 * complete without it.
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
 *     #legend > g           a colour and its meaning: see put_entry()
 *     #left-out             JSON: frames that are too narrow to be drawn, so that a search finds
 *                           them. `frames` has three numbers for each: the parent, an index of
 *                           the frames in #frames and then of these; an index of `labels`; and
 *                           what it has with all below it. `unlisted` is what even smaller ones
 *                           have
 *     #controls, #footer    made by the script, in place of the title, summary, notes and legend:
 *                           #search, #reset, #turn, #matched, and #details of a frame
 *
 * A comparison also has data-old-total, data-old-self and data-old-calls, colours for changes,
 * and widths in data-size: see struct svg.
 *
 * Negative self times have no width: see viewer_tree.h. If there are too many frames, the narrowest
 * are left out. The notes mention both.
 */
#include "report/pages/svg/svg.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/output.h"
#include "base/sort.h"
#include "report/figures/formats.h"
#include "report/pages/embedded.h"
#include "report/pages/page_text.h"
#include "report/sentences/amounts.h"
#include "select/viewer_tree.h"

#include <inttypes.h>
#include <math.h>

/* In pixels; the width of a letter is in hundredths of one. */
enum { SVG_MARGIN = 10, SVG_ROW_HEIGHT = 17, SVG_FRAMES_TOP = 68, SVG_COLUMN_WIDTH = 670 };

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The position of `value` if `all` is SVG_WIDTH; rounded down. */
static uint32_t scale(uint64_t value, uint64_t all)
{
    while (all > UINT64_MAX / SVG_WIDTH) {
        value >>= 1;
        all >>= 1;
    }
    return all == 0 ? 0 : (uint32_t)(value * SVG_WIDTH / all);
}

/* Returns the value of each stack with all below it, [node_count]. The caller frees it. */
static uint64_t *add_totals(const struct tree *tree, const uint64_t *own)
{
    uint64_t *totals = mem_zeroed(tree->node_count, sizeof *totals);
    for (uint32_t node = tree->node_count; node-- > 0;) {
        totals[node] = add(totals[node], own[node]);
        if (node != TREE_ROOT) {
            uint32_t parent = tree->calls[node].parent;
            totals[parent] = add(totals[parent], totals[node]);
        }
    }
    return totals;
}

/* The smallest total of a drawn frame, so that at most a maximum number are drawn. */
static uint64_t find_least(const uint64_t *totals, uint32_t count, uint32_t frames_max)
{
    if (count <= frames_max)
        return 1;
    return add(largest_at(totals, count, frames_max), 1);
}

static void count(struct svg_layout *layout, const struct tree *tree, uint32_t node)
{
    if (svg_layout_is_drawn(layout, node)) {
        if (layout->depths[node] > layout->depth_max)
            layout->depth_max = layout->depths[node];
        return;
    }
    uint32_t parent = tree->calls[node].parent;
    bool parent_is_drawn = svg_layout_is_drawn(layout, parent);
    layout->left_out_count++;
    if (parent_is_drawn)
        layout->left_out = add(layout->left_out, layout->totals[node]);
    if (!svg_layout_is_listed(layout, node) &&
        (parent_is_drawn || svg_layout_is_listed(layout, parent)))
        layout->unlisted = add(layout->unlisted, layout->totals[node]);
}

void svg_layout_init(struct svg_layout *layout, const struct tree *tree, const uint64_t *own,
                     uint32_t frames_max, uint32_t listed_max)
{
    SCOPED_ARRAY uint64_t *ends =
        mem_zeroed(tree->node_count, sizeof *ends); /* of the last child so far */
    *layout = (struct svg_layout){
        .totals = add_totals(tree, own),
        .starts = mem_zeroed(tree->node_count, sizeof *layout->starts),
        .depths = mem_zeroed(tree->node_count, sizeof *layout->depths),
    };
    layout->least = find_least(layout->totals, tree->node_count, frames_max);
    layout->least_listed = find_least(layout->totals, tree->node_count, frames_max + listed_max);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t parent = tree->calls[node].parent;
        layout->starts[node] = ends[node] = ends[parent];
        layout->depths[node] = layout->depths[parent] + 1;
        ends[parent] = add(ends[parent], layout->totals[node]);
        count(layout, tree, node);
    }
}

void svg_layout_release(struct svg_layout *layout)
{
    MEM_FREE(layout->totals, layout->starts, layout->depths);
    *layout = (struct svg_layout){0};
}

uint32_t svg_layout_x(const struct svg_layout *layout, uint32_t node)
{
    return scale(layout->starts[node], layout->totals[TREE_ROOT]);
}

uint32_t svg_layout_width(const struct svg_layout *layout, uint32_t node)
{
    if (node == TREE_ROOT)
        return SVG_WIDTH;
    uint64_t end = add(layout->starts[node], layout->totals[node]);
    return scale(end, layout->totals[TREE_ROOT]) - svg_layout_x(layout, node);
}

/* Browsers are fast with this number, and the file has about 5 MB. */
enum { FRAMES_MAX = 15000 };

/* A listed frame takes about 15 bytes of the file. */
enum { LISTED_MAX = 100000 };

/* In pixels. */
enum { WIDTH = SVG_WIDTH / SVG_PIXEL + 2 * SVG_MARGIN, NOTE_HEIGHT = 16 };
enum { LEGEND_COLUMNS = 3, LEGEND_MAX = 12 };

/* A profile; the arrays are [node_count] of the viewer's tree, in the metric's unit. */
struct svg_side {
    struct viewer_tree viewer;
    uint64_t *own, *totals;
};

struct svg {
    const struct report *report;
    struct svg_side now, old; /* with the same nodes; `old` is all zero without a comparison */
    bool is_compared;

    /*
     * The width of a stack is its value, or the larger one in a comparison: so functions that
     * are gone can be seen like new ones, and frames still lie within their parents.
     */
    struct svg_layout layout;
    struct report_result result; /* the clamped and truncated amounts */
    uint8_t *of_files;           /* colours, by text id of the labels: index of web_palette */
    uint32_t *owners; /* by node: the function whose file it counts for, as with --by=file */
    struct text text, fitted; /* buffers */
    struct text notes, legend;
    uint32_t note_count, legend_count;
};

static void side_init(struct svg_side *side, const struct report *report, const struct tree *tree)
{
    viewer_tree_init(&side->viewer, tree, report->labels);
    const struct tree *viewed = &side->viewer.tree;
    side->own = mem_zeroed(viewed->node_count, sizeof *side->own);
    for (uint32_t node = 1; node < viewed->node_count; node++)
        side->own[node] = (uint64_t)report_value(viewed, node, report->show.metric);
}

static void side_release(struct svg_side *side)
{
    viewer_tree_release(&side->viewer);
    MEM_FREE(side->own, side->totals);
}

/* Scales the old times of each stack to the new number of calls: see --normalize. */
static void scale_to_calls(struct svg *svg)
{
    struct svg_side *old = &svg->old;
    for (uint32_t node = 1; node < old->viewer.tree.node_count; node++) {
        uint64_t old_calls = old->viewer.tree.call_counts[node];
        uint64_t calls = svg->now.viewer.tree.call_counts[node];
        if (calls == 0 || old_calls == 0)
            continue;
        double factor = (double)calls / (double)old_calls;
        old->own[node] = number_scaled_count(old->own[node], factor);
    }
}

static void lay_out(struct svg *svg)
{
    uint32_t count = svg->now.viewer.tree.node_count;
    SCOPED_ARRAY uint64_t *sizes = mem_zeroed(count, sizeof *sizes);
    memcpy(sizes, svg->now.own, count * sizeof *sizes);
    for (uint32_t node = 0; svg->is_compared && node < count; node++)
        if (svg->old.own[node] > sizes[node])
            sizes[node] = svg->old.own[node];
    svg_layout_init(&svg->layout, &svg->now.viewer.tree, sizes, FRAMES_MAX, LISTED_MAX);
}

static void init(struct svg *svg, const struct report *report)
{
    *svg = (struct svg){.report = report, .is_compared = report->old != NULL};
    side_init(&svg->now, report, report->paths);
    svg->now.totals = add_totals(&svg->now.viewer.tree, svg->now.own);
    if (svg->is_compared) {
        side_init(&svg->old, report, report->old->paths);
        if (report->old->scales_calls && report->show.metric == METRIC_TIME)
            scale_to_calls(svg);
        svg->old.totals = add_totals(&svg->old.viewer.tree, svg->old.own);
    }
    lay_out(svg);
    svg->result = report_viewer_result(report, &svg->now.viewer);
    svg->result.clamped_ns += svg->old.viewer.clamped_ns;
    if (report->show.metric != METRIC_TIME)
        svg->result.clamped_ns = 0;
}

static void release(struct svg *svg)
{
    side_release(&svg->now);
    side_release(&svg->old);
    svg_layout_release(&svg->layout);
    text_release(&svg->fitted);
    text_release(&svg->notes);
    text_release(&svg->legend);
    MEM_FREE(svg->of_files, svg->owners);
}

/* "12.345 ms", "1 call" or "1,234 KB". */
static struct amount value_of(const struct report *report, uint64_t value)
{
    enum report_metric metric = report->show.metric;
    const char *unit_name = report_metric_names[metric].unit;
    if (metric == METRIC_TIME) {
        int64_t ns = value > INT64_MAX ? INT64_MAX : (int64_t)value;
        return amount_with_unit(ns, amount_unit_of(report, ns), 3);
    }
    bool is_one = value == 1 && metric != METRIC_ALLOC;
    return amount_make(
        "%s %.*s", amount_count(value).at, (int)strlen(unit_name) - is_one, unit_name);
}

/* A change, with its sign: "+1 call". */
static struct amount change_of(const struct report *report, uint64_t now, uint64_t old)
{
    const char *sign = now > old ? "+" : now < old ? "-" : "";
    return amount_make("%s%s", sign, value_of(report, now > old ? now - old : old - now).at);
}

static double percent_of(uint64_t value, uint64_t all)
{
    return all == 0 ? 0 : 100 * ((double)value / (double)all);
}

/* A part of a colour that is grey without a change. */
static unsigned shade(int full, double strength)
{
    enum { SAME = 0xec };
    return (unsigned)lround(SAME + strength * (full - SAME));
}

void svg_put_change_color(struct text *text, uint64_t now, uint64_t old, uint64_t all)
{
    static const int more[] = {0xf0, 0x50, 0x46}, less[] = {0x5a, 0x91, 0xf5};
    uint64_t difference = now > old ? now - old : old - now;
    const int *full = now > old ? more : less;
    double strength = difference == 0 ? 0 : fmin(1, 2 * sqrt((double)difference / (double)all));
    text_printf(text,
                "#%02x%02x%02x",
                shade(full[0], strength),
                shade(full[1], strength),
                shade(full[2], strength));
}

/* The baseline of a line below the frames, the first of which is 1. */
static uint32_t line_y(const struct svg *svg, uint32_t line)
{
    uint32_t rows = svg->layout.depth_max + 1;
    return SVG_FRAMES_TOP + rows * SVG_ROW_HEIGHT + line * NOTE_HEIGHT;
}

/*
 * The colours of the frames of a flame graph, and their legend.
 *
 * A frame has the colour of its function's file, and one of a C function, paler, that of its
 * caller, as in an HTML report. The file with the most of the metric has the first colour of the
 * palette (frame_colors.css); all files after the last colour share one. In a comparison a frame
 * has the colour of its change. Dark text can be read on all of them: the contrast is at least 4.5,
 * as WCAG 2.1 requires for text of this size (level AA).
 */

/* Appends an entry to the legend, after all notes; its text is clean. */
static void put_entry(struct svg *svg, const char *color, struct span what)
{
    enum { COLUMN_PIXELS = (WIDTH - 2 * SVG_MARGIN) / LEGEND_COLUMNS, SQUARE = 11, FREE = 17 };
    uint32_t place = svg->legend_count++;
    unsigned x = SVG_MARGIN + place % LEGEND_COLUMNS * COLUMN_PIXELS;
    unsigned y = line_y(svg, svg->note_count + 1 + place / LEGEND_COLUMNS);
    text_printf(&svg->legend,
                "<g><rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"%s\"/>"
                "<text x=\"%u\" y=\"%u\">",
                x,
                y - SQUARE + 1,
                SQUARE,
                SQUARE,
                color,
                x + FREE,
                y);
    page_put_fitted(&svg->legend, what, (COLUMN_PIXELS - FREE) * SVG_PIXEL / SVG_COLUMN_WIDTH);
    text_put_string(&svg->legend, "</text></g>\n");
}

static void explain_changes(struct svg *svg)
{
    enum { ALL = 1000 };
    static const struct {
        uint64_t now, old;
        const char *text;
    } changes[] = {
        {0, 250, "less by 25% of the whole and more"},
        {0, 50, "less by 5%"},
        {0, 0, "the same"},
        {50, 0, "more by 5%"},
        {250, 0, "more by 25% and more"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        SCOPED(text) color = {0};
        svg_put_change_color(&color, changes[i].now, changes[i].old, ALL);
        put_entry(svg, text_string(&color), span_of(changes[i].text));
    }
}

/* Whether a frame has the colour of its caller. */
static bool is_pale(const struct svg *svg, uint32_t node)
{
    return node != TREE_ROOT && !svg->is_compared &&
           svg->owners[node] != svg->now.viewer.tree.calls[node].function;
}

static bool has_pale(const struct svg *svg)
{
    uint32_t node = 1;
    while (node < svg->now.viewer.tree.node_count && !is_pale(svg, node))
        node++;
    return node < svg->now.viewer.tree.node_count;
}

/*
 * Adds up the own values of each file's functions, [texts of labels], and sets one of these;
 * TREE_NONE for files that are not used. The caller frees both.
 */
static uint64_t *sum_files(const struct svg *svg, uint32_t *functions)
{
    const struct viewer_tree *viewer = &svg->now.viewer;
    const struct labels *labels = svg->report->labels;
    uint64_t *sums = mem_zeroed(labels->texts.count, sizeof *sums);
    for (uint32_t i = 0; i < labels->texts.count; i++)
        functions[i] = TREE_NONE;
    for (uint32_t node = 1; node < viewer->tree.node_count; node++) {
        uint32_t function = svg->owners[node];
        functions[labels->of[function].file] = function;
        sums[labels->of[function].file] += svg->now.own[node];
    }
    return sums;
}

static void explain_color(struct svg *svg, uint8_t color, struct span what, uint64_t own)
{
    SCOPED(text) text = {0};
    if (own == 0 || svg->legend_count == LEGEND_MAX)
        return;
    text_put_span(&text, what);
    text_printf(&text, " %.1f%%", 100 * ((double)own / (double)svg->now.totals[TREE_ROOT]));
    put_entry(svg, web_palette[color], text_span(&text));
}

/* The files with the largest sums come first. */
static void color_files(struct svg *svg)
{
    const struct labels *labels = svg->report->labels;
    const struct symbols *symbols = &svg->report->profile->symbols;
    SCOPED_ARRAY uint32_t *functions = mem_zeroed(labels->texts.count, sizeof *functions);
    SCOPED_ARRAY struct keyed *order = mem_zeroed(labels->texts.count, sizeof *order);
    uint64_t others = 0;
    SCOPED_ARRAY uint64_t *sums = sum_files(svg, functions);
    uint8_t next = 0;
    for (uint32_t i = 0; i < labels->texts.count; i++)
        order[i] = (struct keyed){~sums[i], i};
    key_sort(order, labels->texts.count);
    for (size_t i = 0; i < labels->texts.count; i++) {
        uint32_t file = order[i].item, function = functions[file];
        if (function == TREE_NONE)
            continue;
        uint8_t color = !symbols_is_lua(symbols, function) ? PALETTE_NO_FILE
                        : next < PALETTE_OTHERS            ? next++
                                                           : PALETTE_OTHERS;
        bool is_c = symbols_is_c(symbols, function);
        svg->of_files[file] = color;
        if (color == PALETTE_OTHERS)
            others += sums[file];
        else
            explain_color(
                svg, color, is_c ? span_of("C functions") : labels_text(labels, file), sums[file]);
    }
    explain_color(svg, PALETTE_OTHERS, span_of("other files"), others);
    if (has_pale(svg))
        put_entry(svg, "none", span_of("pale: C functions, in the colour of their caller"));
}

/* Appends the colour of a frame: "#5186bf". */
static void put_color(const struct svg *svg, struct text *text, uint32_t node)
{
    const struct label *labels = svg->report->labels->of;
    if (svg->is_compared)
        svg_put_change_color(
            text, svg->now.totals[node], svg->old.totals[node], svg->layout.totals[TREE_ROOT]);
    else
        text_put_string(
            text,
            web_palette[node != TREE_ROOT ? svg->of_files[labels[svg->owners[node]].file]
                                          : PALETTE_NO_FILE]);
}

/*
 * The frames of a flame graph: each one's box, label, tooltip and data, and the list of those that
 * are too narrow to be drawn. The attributes are listed above.
 */

/* In pixels. */
enum { BOX_HEIGHT = 16, BASELINE = 12 };

/* In hundredths of a pixel: what stays free on either side of a text. */
enum { TEXT_MARGIN = 3 * SVG_PIXEL };

static struct span label_of(const struct svg *svg, uint32_t node)
{
    const struct viewer_tree *viewer = &svg->now.viewer;
    if (node == TREE_ROOT)
        return span_of("all");
    const struct labels *labels = svg->report->labels;
    return labels_text(labels, labels->of[viewer->tree.calls[node].function].label);
}

/* The beginning of a label that is the function's name. */
static struct span name_in(struct span label, const struct svg *svg, uint32_t node)
{
    const struct viewer_tree *viewer = &svg->now.viewer;
    const struct labels *labels = svg->report->labels;
    uint32_t function = viewer->tree.calls[node].function;
    if (node == TREE_ROOT)
        return label;
    size_t length = labels_text(labels, labels->of[function].name).length;
    return (struct span){label.at, length < label.length ? length : label.length};
}

static void put_start_tag(struct svg *svg, uint32_t node, struct span label, struct span name)
{
    struct text *text = &svg->text;
    const struct svg_side *now = &svg->now, *old = &svg->old;
    text_put_string(text, "<g data-label=\"");
    page_put_escaped(text, label);
    text_printf(text,
                "\" data-name=\"%zu\" data-depth=\"%" PRIu32 "\" data-from=\"%" PRIu64
                "\" data-total=\"%" PRIu64 "\" data-self=\"%" PRIu64 "\" data-calls=\"%" PRIu64,
                text_width(name),
                svg->layout.depths[node],
                svg->layout.starts[node],
                now->totals[node],
                now->own[node],
                now->viewer.tree.call_counts[node]);
    if (svg->is_compared)
        text_printf(text,
                    "\" data-old-total=\"%" PRIu64 "\" data-old-self=\"%" PRIu64
                    "\" data-old-calls=\"%" PRIu64 "\" data-size=\"%" PRIu64,
                    old->totals[node],
                    old->own[node],
                    old->viewer.tree.call_counts[node],
                    svg->layout.totals[node]);
    text_put_string(text, "\">");
}

/* Appends "total 12.345 ms (12.34%)", and in a comparison the old value and the change. */
static void put_shares(struct svg *svg, const char *name, const uint64_t *now, const uint64_t *old,
                       uint32_t node)
{
    const struct report *report = svg->report;
    text_printf(&svg->text,
                "%s%s (%.1f%%)",
                name,
                value_of(report, now[node]).at,
                percent_of(now[node], svg->now.totals[TREE_ROOT]));
    if (svg->is_compared)
        text_printf(&svg->text,
                    ", was %s (%.1f%%): %s",
                    value_of(report, old[node]).at,
                    percent_of(old[node], svg->old.totals[TREE_ROOT]),
                    change_of(report, now[node], old[node]).at);
}

/* Appends the description of a frame for people: one line, or several in a comparison. */
static void put_details(struct svg *svg, uint32_t node)
{
    const struct svg_side *now = &svg->now, *old = &svg->old;
    bool is_compared = svg->is_compared;
    put_shares(svg, "total ", now->totals, old->totals, node);
    if (node == TREE_ROOT)
        return;
    put_shares(svg, is_compared ? "\nself " : ", self ", now->own, old->own, node);
    if (svg->report->show.metric == METRIC_CALLS)
        return;
    uint64_t calls = now->viewer.tree.call_counts[node];
    text_printf(
        &svg->text, "%s%s", is_compared ? "\n" : ", ", amount_things(calls, "call", "calls").at);
    if (is_compared)
        text_printf(&svg->text, ", was %s", amount_count(old->viewer.tree.call_counts[node]).at);
}

static double pixels(uint32_t position)
{
    return (double)position / SVG_PIXEL;
}

/* In a wide frame half a pixel stays free, so that the frame's end can be seen. */
static void put_box(struct svg *svg, uint32_t node, uint32_t x, uint32_t y, uint32_t width)
{
    uint32_t drawn = width < 3 * SVG_PIXEL ? width : width - SVG_PIXEL / 2;
    text_printf(&svg->text,
                "<rect x=\"%.6g\" y=\"%" PRIu32 "\" width=\"%.6g\" height=\"%d\" fill=\"",
                pixels(x),
                y,
                pixels(drawn),
                BOX_HEIGHT);
    put_color(svg, &svg->text, node);
    text_put_string(&svg->text, is_pale(svg, node) ? "\" fill-opacity=\"0.5\"/>" : "\"/>");
}

static void write_frame(struct svg *svg, uint32_t node, struct output *out)
{
    struct text *text = &svg->text;
    const struct svg_layout *layout = &svg->layout;
    bool is_flame = svg->report->show.orientation == ORIENTATION_FLAME;
    uint32_t row = is_flame ? layout->depth_max - layout->depths[node] : layout->depths[node];
    uint32_t x = SVG_MARGIN * SVG_PIXEL + svg_layout_x(layout, node);
    uint32_t y = SVG_FRAMES_TOP + row * SVG_ROW_HEIGHT;
    uint32_t width = svg_layout_width(layout, node);
    struct span label = label_of(svg, node);
    struct span name = name_in(label, svg, node);
    put_start_tag(svg, node, label, name);
    text_put_string(text, "<title>");
    page_put_escaped(text, label);
    text_put_string(text, "\n");
    put_details(svg, node);
    text_put_string(text, "</title>");
    put_box(svg, node, x, y, width);
    text_cut(&svg->fitted, 0);
    page_put_fitted_label(&svg->fitted,
                          label,
                          name.length,
                          (width < 2 * TEXT_MARGIN ? 0 : width - 2 * TEXT_MARGIN) /
                              SVG_COLUMN_WIDTH);
    if (svg->fitted.length > 0)
        text_printf(text,
                    "<text x=\"%.6g\" y=\"%" PRIu32 "\">%s</text>",
                    pixels(x + TEXT_MARGIN),
                    y + BASELINE,
                    svg->fitted.at);
    text_put_string(text, "</g>\n");
    output_put_text(out, text);
}

/* Writes the group of frames. */
static void write_frames(struct svg *svg, struct output *out)
{
    const struct report *report = svg->report;
    const struct report_metric_names *metric = &report_metric_names[report->show.metric];
    text_printf(&svg->text,
                "<g id=\"frames\" data-metric=\"%s\" data-unit=\"%s\" data-orientation=\"%s\" "
                "data-rows=\"%u\" data-top=\"%d\" data-margin=\"%d\" data-row-height=\"%d\" "
                "data-column-width=\"%.2f\">\n",
                metric->name,
                metric->unit,
                report->show.orientation == ORIENTATION_FLAME ? "flame" : "icicle",
                (unsigned)svg->layout.depth_max + 1,
                SVG_FRAMES_TOP,
                SVG_MARGIN,
                SVG_ROW_HEIGHT,
                (double)SVG_COLUMN_WIDTH / SVG_PIXEL);
    for (uint32_t node = 0; node < svg->now.viewer.tree.node_count; node++)
        if (svg_layout_is_drawn(&svg->layout, node))
            write_frame(svg, node, out);
    output_put_string(out, "</g>\n");
}

/* Puts three numbers for each listed frame, and its label if it is a new one. */
static void put_listed(struct json_writer *frames, struct json_writer *labels,
                       const struct svg *svg)
{
    const struct viewer_tree *viewer = &svg->now.viewer;
    const struct tree *tree = &viewer->tree;
    SCOPED_ARRAY uint32_t *numbers = mem_zeroed(tree->node_count, sizeof *numbers);
    SCOPED_ARRAY uint32_t *label_numbers =
        mem_zeroed(svg->report->profile->symbols.function_count, sizeof *label_numbers);
    uint32_t count = 0, label_count = 0;
    for (uint32_t node = 0; node < tree->node_count; node++)
        if (svg_layout_is_drawn(&svg->layout, node))
            numbers[node] = count++;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        if (!svg_layout_is_listed(&svg->layout, node))
            continue;
        if (label_numbers[call->function] == 0) {
            label_numbers[call->function] = ++label_count;
            json_text(labels, NULL, label_of(svg, node));
        }
        json_count(frames, NULL, numbers[call->parent]);
        json_count(frames, NULL, label_numbers[call->function] - 1);
        json_count(frames, NULL, svg->layout.totals[node]);
        numbers[node] = count++;
    }
}

/* Writes the list of the frames that are too narrow to be drawn. */
static void write_left_out(const struct svg *svg, struct output *out)
{
    struct json_writer frames = {.is_compact = true}, labels = {.is_compact = true};
    struct text text = {0};
    json_array(&frames, NULL);
    json_array(&labels, NULL);
    put_listed(&frames, &labels, svg);
    json_end(&frames);
    json_end(&labels);
    text_printf(&text, "<metadata id=\"left-out\">{\"frames\":%s,\"labels\":", frames.text.at);
    page_put_escaped(&text, text_span(&labels.text));
    text_printf(&text, ",\"unlisted\":%" PRIu64 "}</metadata>\n", svg->layout.unlisted);
    output_end_text(out, &text);
    text_release(&frames.text);
    text_release(&labels.text);
}

/* Appends the names of the inputs, both cut to fit together. */
static void put_title(struct text *text, const struct report *report, size_t columns)
{
    const char *titles[] = {report->title, report->old != NULL ? report->old->title : NULL};
    size_t count = titles[1] != NULL ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        SCOPED(text) clean = {0};
        text_put_clean(&clean, span_of(titles[i]), false);
        if (i > 0)
            text_put_string(text, " compared with ");
        page_put_fitted(text, text_span(&clean), columns / count);
    }
}

static void put_summary(struct text *text, const struct svg *svg)
{
    const struct report *report = svg->report;
    const struct report_totals *totals = &report->totals;
    uint64_t now = svg->now.totals[TREE_ROOT];
    text_put_string(text, value_of(report, now).at);
    if (svg->is_compared) {
        uint64_t old = svg->old.totals[TREE_ROOT];
        text_printf(text, ", was %s: %s", value_of(report, old).at, change_of(report, now, old).at);
    }
    text_printf(text,
                "%s%s, %s",
                svg->is_compared ? "; now " : " in ",
                amount_things(totals->stacks, "stack", "stacks").at,
                amount_things(totals->functions, "function", "functions").at);
    if (report->show.metric != METRIC_CALLS)
        text_printf(text, ", %s", amount_things(totals->calls, "call", "calls").at);
}

static void put_head(struct svg *svg)
{
    enum { TITLE_COLUMNS = 100 };
    struct text *text = &svg->text;
    uint32_t legend_rows = (svg->legend_count + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    unsigned height = line_y(svg, svg->note_count + legend_rows + 1);
    text_printf(text,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
                "height=\"%u\" viewBox=\"0 0 %d %u\">\n<title>",
                WIDTH,
                height,
                WIDTH,
                height);
    put_title(text, svg->report, SIZE_MAX);
    text_put_string(text, "</title>\n<style><![CDATA[\n");
    text_put(text, web_flame_graph_css.at, web_flame_graph_css.length);
    text_put_string(text,
                    "]]></style>\n"
                    "<rect id=\"background\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
                    "<text id=\"title\" x=\"10\" y=\"24\">");
    put_title(text, svg->report, TITLE_COLUMNS);
    text_put_string(text, "</text>\n<text id=\"summary\" x=\"10\" y=\"42\">");
    put_summary(text, svg);
    text_put_string(text, "</text>\n");
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
    const struct report *report = svg->report;
    if (report->old != NULL) {
        struct text *note = add_note(svg);
        text_put_string(note,
                        "Red is more than before, blue is less. A stack is as wide as the "
                        "larger of the two");
        if (report->old->scaled != NULL)
            text_printf(note, "; old values: %s", report->old->scaled);
        text_put_string(note, ".</text>\n");
    }
    if (report->selection->filters.count > 0)
        text_printf(add_note(svg), "Filters leave %s.</text>\n", amount_of_shown(report).at);
}

static void note_losses(struct svg *svg)
{
    const struct report_result *result = &svg->result;
    const struct svg_layout *layout = &svg->layout;
    uint32_t count = layout->left_out_count;
    if (count > 0 && layout->left_out == 0)
        text_printf(add_note(svg),
                    "Left out: %s of no width.</text>\n",
                    amount_things(count, "frame", "frames").at);
    else if (count > 0)
        text_printf(add_note(svg),
                    "Left out: the %s, %s (%.1f%%) in all.</text>\n",
                    amount_things(count, "narrowest frame", "narrowest frames").at,
                    value_of(svg->report, layout->left_out).at,
                    percent_of(layout->left_out, layout->totals[TREE_ROOT]));
    if (result->clamped_ns > 0)
        text_printf(add_note(svg),
                    "Negative self times drawn as 0: %s in all.</text>\n",
                    value_of(svg->report, (uint64_t)result->clamped_ns).at);
}

static struct report_result write_svg(const struct report *report, struct output *out)
{
    struct svg svg;
    init(&svg, report);
    note_selection(&svg);
    note_losses(&svg);
    svg.of_files = mem_zeroed(report->labels->texts.count, sizeof *svg.of_files);
    svg.owners = row_sums_owners(&svg.now.viewer.tree, BY_FILE, &report->profile->symbols);
    if (svg.is_compared)
        explain_changes(&svg);
    else
        color_files(&svg);
    put_head(&svg);
    output_put_text(out, &svg.text);
    write_frames(&svg, out);
    text_printf(&svg.text,
                "<g id=\"notes\">\n%s</g>\n<g id=\"legend\">\n%s</g>\n",
                text_string(&svg.notes),
                text_string(&svg.legend));
    output_put_text(out, &svg.text);
    write_left_out(&svg, out);
    text_put_string(&svg.text, "<script><![CDATA[\n");
    text_put(&svg.text, web_flame_graph_js.at, web_flame_graph_js.length);
    text_put_string(&svg.text, "]]></script>\n</svg>\n");
    output_end_text(out, &svg.text);
    release(&svg);
    return svg.result;
}

const struct report_format report_svg = {
    .name = "svg",
    .summary = "flame graph for web browsers",
    .uses = USES_UNIT | USES_METRIC | USES_ORIENTATION | USES_PROFILE | USES_PATHS |
            SHOWS_COMPARISON | SHOWS_REPEATED | SHOWS_SUMS,
    .suffixes = {".svg", NULL},
    .write = write_svg,
};
