#include "report/svg/svg_frames.h"

#include "base/json.h"
#include "base/mem.h"
#include "report/svg/svg_color.h"
#include "report/svg/svg_text.h"
#include "report/svg/svg_value.h"
#include "tree/tree_links.h"

#include <inttypes.h>
#include <stdlib.h>

/* In pixels. */
enum { BOX_HEIGHT = 16 };

/* In hundredths of a pixel: what stays free on either side of a text. */
enum { TEXT_MARGIN = 3 * SVG_PIXEL };

void svg_frames_init(struct svg_frames *frames, const struct svg_picture *picture,
                     const struct report *report)
{
    *frames = (struct svg_frames){.picture = picture, .report = report};
    frames->row_count = picture->layout.depth_max + 1;
    frames->order = mem_zeroed(picture->now.viewer.tree.node_count, sizeof *frames->order);
}

void svg_frames_release(struct svg_frames *frames)
{
    free(frames->order);
    text_release(&frames->text);
    text_release(&frames->fitted);
}

static void flush(struct svg_frames *frames)
{
    struct span span = text_span(&frames->text);
    output_put(frames->out, span.at, span.length);
    frames->text.length = 0;
}

/* Appends "total 12.345 ms (12.34%)", and in a comparison the old value and the change. */
static void put_shares(struct svg_frames *frames, const char *name, const uint64_t *now,
                       const uint64_t *old, uint32_t node)
{
    struct text *text = &frames->text;
    const struct svg_picture *picture = frames->picture;
    text_put_string(text, name);
    svg_put_value(text, frames->report, now[node]);
    svg_put_share(text, now[node], picture->now.totals[TREE_ROOT]);
    if (!picture->is_compared)
        return;
    text_put_string(text, ", was ");
    svg_put_value(text, frames->report, old[node]);
    svg_put_share(text, old[node], picture->old.totals[TREE_ROOT]);
    text_put_string(text, ": ");
    svg_put_difference(text, frames->report, now[node], old[node]);
}

/* Appends the description of a frame for people: one line, or several in a comparison. */
static void put_details(struct svg_frames *frames, uint32_t node)
{
    struct text *text = &frames->text;
    const struct svg_side *now = &frames->picture->now;
    const struct svg_side *old = &frames->picture->old;
    bool is_compared = frames->picture->is_compared;
    put_shares(frames, "total ", now->totals, old->totals, node);
    if (node == TREE_ROOT)
        return;
    put_shares(frames, is_compared ? "\nself " : ", self ", now->own, old->own, node);
    if (frames->report->metric == METRIC_CALLS)
        return;
    text_put_string(text, is_compared ? "\n" : ", ");
    report_put_count(text, now->viewer.tree.call_counts[node], "call", "calls");
    if (is_compared) {
        text_put_string(text, ", was ");
        text_put_grouped(text, old->viewer.tree.call_counts[node]);
    }
}

static struct span label_of(const struct svg_frames *frames, uint32_t node)
{
    const struct viewer *viewer = &frames->picture->now.viewer;
    if (node == TREE_ROOT)
        return (struct span){"all", 3};
    return viewer_label(viewer, frames->report->labels, viewer->tree.calls[node].function);
}

/* The number of bytes of the name in a label. */
static size_t name_length_of(const struct svg_frames *frames, uint32_t node)
{
    const struct viewer *viewer = &frames->picture->now.viewer;
    const struct labels *labels = frames->report->labels;
    uint32_t function = viewer->tree.calls[node].function;
    struct span label = label_of(frames, node);
    if (node == TREE_ROOT || function == viewer->truncated)
        return label.length;
    size_t length = labels_text(labels, labels->labels[function].name).length;
    return length < label.length ? length : label.length;
}

static struct svg_color color_of(const struct svg_frames *frames, uint32_t node)
{
    const struct svg_picture *picture = frames->picture;
    const struct viewer *viewer = &picture->now.viewer;
    const struct labels *labels = frames->report->labels;
    if (picture->is_compared)
        return svg_color_of_change(picture->now.totals[node], picture->old.totals[node],
                                   picture->layout.totals[TREE_ROOT]);
    uint32_t function = viewer->tree.calls[node].function;
    if (node == TREE_ROOT || function == viewer->truncated)
        return SVG_COLOR_OTHER;
    if (symbols_is_c(&frames->report->profile->symbols, function))
        return SVG_COLOR_C;
    return svg_color_of_file(labels_text(labels, labels->labels[function].file));
}

static void put_start_tag(struct svg_frames *frames, uint32_t node)
{
    struct text *text = &frames->text;
    const struct svg_picture *picture = frames->picture;
    text_put_string(text, "<g data-label=\"");
    svg_put_escaped(text, label_of(frames, node));
    text_put_string(text, "\"");
    struct span name = {label_of(frames, node).at, name_length_of(frames, node)};
    svg_put_attribute(text, "data-name", text_width(name));
    svg_put_attribute(text, "data-depth", picture->layout.depths[node]);
    svg_put_attribute(text, "data-from", picture->layout.starts[node]);
    svg_put_attribute(text, "data-total", picture->now.totals[node]);
    svg_put_attribute(text, "data-self", picture->now.own[node]);
    svg_put_attribute(text, "data-calls", picture->now.viewer.tree.call_counts[node]);
    if (picture->is_compared) {
        svg_put_attribute(text, "data-old-total", picture->old.totals[node]);
        svg_put_attribute(text, "data-old-self", picture->old.own[node]);
        svg_put_attribute(text, "data-old-calls", picture->old.viewer.tree.call_counts[node]);
        svg_put_attribute(text, "data-size", picture->layout.totals[node]);
    }
    text_put_string(text, ">");
}

/* In a wide frame half a pixel stays free, so that the frame's end can be seen. */
static void put_box(struct svg_frames *frames, uint32_t node, uint32_t x, uint32_t y)
{
    struct text *text = &frames->text;
    uint32_t width = svg_layout_width(&frames->picture->layout, node);
    text_put_string(text, "<rect");
    svg_put_position(text, "x", x);
    svg_put_attribute(text, "y", y);
    svg_put_position(text, "width", width < 3 * SVG_PIXEL ? width : width - SVG_PIXEL / 2);
    svg_put_attribute(text, "height", BOX_HEIGHT);
    text_put_string(text, " fill=\"");
    svg_color_put(text, color_of(frames, node));
    text_put_string(text, "\"/>");
}

static void put_label(struct svg_frames *frames, uint32_t node, uint32_t x, uint32_t y)
{
    struct text *text = &frames->text;
    struct text *fitted = &frames->fitted;
    uint32_t width = svg_layout_width(&frames->picture->layout, node);
    uint32_t room = width < 2 * TEXT_MARGIN ? 0 : width - 2 * TEXT_MARGIN;
    fitted->length = 0;
    svg_put_fitted_label(fitted, label_of(frames, node), name_length_of(frames, node),
                         room / SVG_COLUMN_WIDTH);
    if (fitted->length == 0)
        return;
    text_put_string(text, "<text");
    svg_put_position(text, "x", x + TEXT_MARGIN);
    svg_put_attribute(text, "y", y + 12);
    text_put_string(text, ">");
    text_put(text, fitted->at, fitted->length);
    text_put_string(text, "</text>");
}

static void write_frame(struct svg_frames *frames, uint32_t node)
{
    struct text *text = &frames->text;
    const struct svg_layout *layout = &frames->picture->layout;
    uint32_t row = layout->depths[node];
    if (frames->report->orientation == ORIENTATION_FLAME)
        row = frames->row_count - 1 - row;
    uint32_t x = SVG_MARGIN * SVG_PIXEL + svg_layout_x(layout, node);
    uint32_t y = SVG_FRAMES_TOP + row * SVG_ROW_HEIGHT;
    put_start_tag(frames, node);
    text_put_string(text, "<title>");
    svg_put_escaped(text, label_of(frames, node));
    text_put_string(text, "\n");
    put_details(frames, node);
    text_put_string(text, "</title>");
    put_box(frames, node, x, y);
    put_label(frames, node, x, y);
    text_put_string(text, "</g>\n");
    flush(frames);
}

static void leave(void *context, uint32_t node)
{
    (void)context;
    (void)node;
}

void svg_frames_write(struct svg_frames *frames, struct output *out)
{
    frames->out = out;
    const struct report *report = frames->report;
    const struct viewer *viewer = &frames->picture->now.viewer;
    output_printf(frames->out,
                  "<g id=\"frames\" data-metric=\"%s\" data-unit=\"%s\" data-orientation=\"%s\" "
                  "data-rows=\"%u\" data-top=\"%d\" data-margin=\"%d\" data-row-height=\"%d\" "
                  "data-column-width=\"%.2f\">\n",
                  svg_metric_name(report->metric), svg_unit_name(report->metric),
                  report->orientation == ORIENTATION_FLAME ? "flame" : "icicle",
                  (unsigned)frames->row_count, SVG_FRAMES_TOP, SVG_MARGIN, SVG_ROW_HEIGHT,
                  (double)SVG_COLUMN_WIDTH / SVG_PIXEL);
    write_frame(frames, TREE_ROOT);
    uint32_t node = TREE_ROOT, last = 0;
    while ((node = tree_next(&viewer->tree, &viewer->links, node, leave, NULL)) != TREE_NONE)
        if (svg_layout_is_drawn(&frames->picture->layout, node)) {
            frames->order[node] = ++last;
            write_frame(frames, node);
        }
    output_put_string(frames->out, "</g>\n");
    frames->drawn_count = last + 1;
}

void svg_frames_write_left_out(struct svg_frames *frames, struct output *out)
{
    uint32_t *order = frames->order;
    uint32_t count = frames->drawn_count;
    const struct svg_layout *layout = &frames->picture->layout;
    const struct viewer *viewer = &frames->picture->now.viewer;
    uint32_t *numbers = mem_zeroed((size_t)viewer->truncated + 1, sizeof *numbers);
    uint32_t label_count = 0;
    struct text *text = &frames->text;
    struct text json = {0};
    frames->out = out;
    text_put_string(text, "<metadata id=\"left-out\">{\"frames\":[");
    for (uint32_t node = 1, first = count; node < viewer->tree.node_count; node++) {
        const struct call *call = &viewer->tree.calls[node];
        if (!svg_layout_is_listed(layout, node))
            continue;
        if (numbers[call->function] == 0) {
            numbers[call->function] = ++label_count;
            text_put_string(&json, label_count > 1 ? "," : "");
            json_put_string(&json, label_of(frames, node));
        }
        text_printf(text, "%s%" PRIu32 ",%" PRIu32 ",%" PRIu64, count > first ? "," : "",
                    order[call->parent], numbers[call->function] - 1, layout->totals[node]);
        order[node] = count++;
        flush(frames);
    }
    text_put_string(text, "],\"labels\":[");
    svg_put_escaped(text, text_span(&json));
    text_printf(text, "],\"unlisted\":%" PRIu64 "}</metadata>\n", layout->unlisted);
    flush(frames);
    text_release(&json);
    free(numbers);
}
