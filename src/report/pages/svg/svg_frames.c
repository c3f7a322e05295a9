#include "report/pages/svg/svg_frames.h"

#include "base/json_writer.h"
#include "report/pages/page_text.h"

#include <inttypes.h>

/* In pixels. */
enum { BOX_HEIGHT = 16, BASELINE = 12 };

/* In hundredths of a pixel: what stays free on either side of a text. */
enum { TEXT_MARGIN = 3 * SVG_PIXEL };

struct drawing {
    const struct svg_picture *picture;
    const struct svg_colors *colors;
    struct text text;   /* buffer */
    struct text fitted; /* a label that is cut */
};

static struct span label_of(const struct svg_picture *picture, uint32_t node)
{
    const struct viewer *viewer = &picture->now.viewer;
    if (node == TREE_ROOT)
        return span_of("all");
    return viewer_label(viewer, picture->report->labels, viewer->tree.calls[node].function);
}

/* The beginning of a label that is the function's name. */
static struct span name_in(struct span label, const struct drawing *drawing, uint32_t node)
{
    const struct viewer *viewer = &drawing->picture->now.viewer;
    const struct labels *labels = drawing->picture->report->labels;
    uint32_t function = viewer->tree.calls[node].function;
    if (node == TREE_ROOT || function == viewer->truncated)
        return label;
    size_t length = labels_text(labels, labels->labels[function].name).length;
    return (struct span){label.at, length < label.length ? length : label.length};
}

static void put_start_tag(struct drawing *drawing, uint32_t node, struct span label,
                          struct span name)
{
    struct text *text = &drawing->text;
    const struct svg_picture *picture = drawing->picture;
    const struct svg_side *now = &picture->now, *old = &picture->old;
    text_put_string(text, "<g data-label=\"");
    page_put_escaped(text, label);
    text_printf(text,
                "\" data-name=\"%zu\" data-depth=\"%" PRIu32 "\" data-from=\"%" PRIu64
                "\" data-total=\"%" PRIu64 "\" data-self=\"%" PRIu64 "\" data-calls=\"%" PRIu64,
                text_width(name), picture->layout.depths[node], picture->layout.starts[node],
                now->totals[node], now->own[node], now->viewer.tree.call_counts[node]);
    if (picture->is_compared)
        text_printf(text,
                    "\" data-old-total=\"%" PRIu64 "\" data-old-self=\"%" PRIu64
                    "\" data-old-calls=\"%" PRIu64 "\" data-size=\"%" PRIu64,
                    old->totals[node], old->own[node], old->viewer.tree.call_counts[node],
                    picture->layout.totals[node]);
    text_put_string(text, "\">");
}

/* Appends "total 12.345 ms (12.34%)", and in a comparison the old value and the change. */
static void put_shares(struct drawing *drawing, const char *name, const uint64_t *now,
                       const uint64_t *old, uint32_t node)
{
    const struct svg_picture *picture = drawing->picture;
    const struct report *report = drawing->picture->report;
    text_printf(&drawing->text, "%s%s (%.2f%%)", name, svg_value(report, now[node]).at,
                svg_percent(now[node], picture->now.totals[TREE_ROOT]));
    if (picture->is_compared)
        text_printf(&drawing->text, ", was %s (%.2f%%): %s", svg_value(report, old[node]).at,
                    svg_percent(old[node], picture->old.totals[TREE_ROOT]),
                    svg_change(report, now[node], old[node]).at);
}

/* Appends the description of a frame for people: one line, or several in a comparison. */
static void put_details(struct drawing *drawing, uint32_t node)
{
    const struct svg_side *now = &drawing->picture->now, *old = &drawing->picture->old;
    bool is_compared = drawing->picture->is_compared;
    put_shares(drawing, "total ", now->totals, old->totals, node);
    if (node == TREE_ROOT)
        return;
    put_shares(drawing, is_compared ? "\nself " : ", self ", now->own, old->own, node);
    if (drawing->picture->report->show.metric == METRIC_CALLS)
        return;
    uint64_t calls = now->viewer.tree.call_counts[node];
    text_printf(&drawing->text, "%s%s", is_compared ? "\n" : ", ",
                amount_things(calls, "call", "calls").at);
    if (is_compared)
        text_printf(&drawing->text, ", was %s",
                    amount_count(old->viewer.tree.call_counts[node]).at);
}

static double pixels(uint32_t position)
{
    return (double)position / SVG_PIXEL;
}

/* In a wide frame half a pixel stays free, so that the frame's end can be seen. */
static void put_box(struct drawing *drawing, uint32_t node, uint32_t x, uint32_t y, uint32_t width)
{
    uint32_t drawn = width < 3 * SVG_PIXEL ? width : width - SVG_PIXEL / 2;
    text_printf(&drawing->text,
                "<rect x=\"%.6g\" y=\"%" PRIu32 "\" width=\"%.6g\" height=\"%d\" fill=\"",
                pixels(x), y, pixels(drawn), BOX_HEIGHT);
    svg_colors_put(drawing->colors, &drawing->text, node);
    text_put_string(&drawing->text, "\"/>");
}

static void write_frame(struct drawing *drawing, uint32_t node, struct output *out)
{
    struct text *text = &drawing->text;
    const struct svg_layout *layout = &drawing->picture->layout;
    bool is_flame = drawing->picture->report->show.orientation == ORIENTATION_FLAME;
    uint32_t row = is_flame ? layout->depth_max - layout->depths[node] : layout->depths[node];
    uint32_t x = SVG_MARGIN * SVG_PIXEL + svg_layout_x(layout, node);
    uint32_t y = SVG_FRAMES_TOP + row * SVG_ROW_HEIGHT;
    uint32_t width = svg_layout_width(layout, node);
    struct span label = label_of(drawing->picture, node);
    struct span name = name_in(label, drawing, node);
    put_start_tag(drawing, node, label, name);
    text_put_string(text, "<title>");
    page_put_escaped(text, label);
    text_put_string(text, "\n");
    put_details(drawing, node);
    text_put_string(text, "</title>");
    put_box(drawing, node, x, y, width);
    text_cut(&drawing->fitted, 0);
    page_put_fitted_label(&drawing->fitted, label, name.length,
                          (width < 2 * TEXT_MARGIN ? 0 : width - 2 * TEXT_MARGIN) /
                              SVG_COLUMN_WIDTH);
    if (drawing->fitted.length > 0)
        text_printf(text, "<text x=\"%.6g\" y=\"%" PRIu32 "\">%s</text>", pixels(x + TEXT_MARGIN),
                    y + BASELINE, drawing->fitted.at);
    text_put_string(text, "</g>\n");
    output_put_text(out, text);
}

void svg_frames_write(const struct svg_picture *picture, const struct svg_colors *colors,
                      struct output *out)
{
    const struct report *report = picture->report;
    struct drawing drawing = {.picture = picture, .colors = colors};
    const struct report_metric_names *metric = &report_metric_names[report->show.metric];
    text_printf(&drawing.text,
                "<g id=\"frames\" data-metric=\"%s\" data-unit=\"%s\" data-orientation=\"%s\" "
                "data-rows=\"%u\" data-top=\"%d\" data-margin=\"%d\" data-row-height=\"%d\" "
                "data-column-width=\"%.2f\">\n",
                metric->name, metric->unit,
                report->show.orientation == ORIENTATION_FLAME ? "flame" : "icicle",
                (unsigned)picture->layout.depth_max + 1, SVG_FRAMES_TOP, SVG_MARGIN, SVG_ROW_HEIGHT,
                (double)SVG_COLUMN_WIDTH / SVG_PIXEL);
    for (uint32_t node = 0; node < picture->now.viewer.tree.node_count; node++)
        if (svg_layout_is_drawn(&picture->layout, node))
            write_frame(&drawing, node, out);
    output_put_string(out, "</g>\n");
    text_release(&drawing.text);
    text_release(&drawing.fitted);
}

/* Puts three numbers for each listed frame, and its label if it is a new one. */
static void put_listed(struct json_writer *frames, struct json_writer *labels,
                       const struct svg_picture *picture)
{
    const struct viewer *viewer = &picture->now.viewer;
    const struct tree *tree = &viewer->tree;
    uint32_t *numbers = mem_zeroed(tree->node_count, sizeof *numbers);
    uint32_t *label_numbers = mem_zeroed((size_t)viewer->truncated + 1, sizeof *label_numbers);
    uint32_t count = 0, label_count = 0;
    for (uint32_t node = 0; node < tree->node_count; node++)
        if (svg_layout_is_drawn(&picture->layout, node))
            numbers[node] = count++;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        if (!svg_layout_is_listed(&picture->layout, node))
            continue;
        if (label_numbers[call->function] == 0) {
            label_numbers[call->function] = ++label_count;
            json_text(labels, NULL, label_of(picture, node));
        }
        json_count(frames, NULL, numbers[call->parent]);
        json_count(frames, NULL, label_numbers[call->function] - 1);
        json_count(frames, NULL, picture->layout.totals[node]);
        numbers[node] = count++;
    }
    free(numbers);
    free(label_numbers);
}

void svg_frames_write_left_out(const struct svg_picture *picture, struct output *out)
{
    struct json_writer frames = {.is_compact = true}, labels = {.is_compact = true};
    struct text text = {0};
    json_array(&frames, NULL);
    json_array(&labels, NULL);
    put_listed(&frames, &labels, picture);
    json_end(&frames);
    json_end(&labels);
    text_printf(&text, "<metadata id=\"left-out\">{\"frames\":%s,\"labels\":", frames.text.at);
    page_put_escaped(&text, text_span(&labels.text));
    text_printf(&text, ",\"unlisted\":%" PRIu64 "}</metadata>\n", picture->layout.unlisted);
    output_end_text(out, &text);
    text_release(&frames.text);
    text_release(&labels.text);
}
