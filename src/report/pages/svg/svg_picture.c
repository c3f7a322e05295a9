#include "report/pages/svg/svg_picture.h"

#include "base/number.h"

/* Browsers are fast with this number, and the file has about 5 MB. */
enum { FRAMES_MAX = 15000 };

/* A listed frame takes about 15 bytes of the file. */
enum { LISTED_MAX = 100000 };

static void side_init(struct svg_side *side, const struct report *report, const struct tree *tree)
{
    viewer_init(&side->viewer, tree, report->labels, report->profile->symbols.function_count,
                VIEWER_DEPTH_MAX);
    const struct tree *viewed = &side->viewer.tree;
    side->own = mem_zeroed(viewed->node_count, sizeof *side->own);
    for (uint32_t node = 1; node < viewed->node_count; node++)
        side->own[node] = (uint64_t)report_value(viewed, node, report->show.metric);
}

static void side_release(struct svg_side *side)
{
    viewer_release(&side->viewer);
    free(side->own);
    free(side->totals);
}

/* Scales the old times of each stack to the new number of calls: see --normalize. */
static void scale_to_calls(struct svg_picture *picture)
{
    struct svg_side *old = &picture->old;
    for (uint32_t node = 1; node < old->viewer.tree.node_count; node++) {
        uint64_t old_calls = old->viewer.tree.call_counts[node];
        uint64_t calls = picture->now.viewer.tree.call_counts[node];
        if (calls == 0 || old_calls == 0)
            continue;
        double factor = (double)calls / (double)old_calls;
        old->own[node] = number_scaled_count(old->own[node], factor);
    }
}

static void compare(struct svg_picture *picture, const struct report *report)
{
    struct svg_side *old = &picture->old;
    side_init(old, report, report->old->paths);
    if (report->old->scales_calls && report->show.metric == METRIC_TIME)
        scale_to_calls(picture);
    old->totals = svg_totals(&old->viewer.tree, old->own);
}

static uint64_t *sizes_of(const struct svg_picture *picture)
{
    uint32_t count = picture->now.viewer.tree.node_count;
    uint64_t *sizes = mem_zeroed(count, sizeof *sizes);
    memcpy(sizes, picture->now.own, count * sizeof *sizes);
    for (uint32_t node = 0; picture->is_compared && node < count; node++)
        if (picture->old.own[node] > sizes[node])
            sizes[node] = picture->old.own[node];
    return sizes;
}

void svg_picture_init(struct svg_picture *picture, const struct report *report)
{
    *picture = (struct svg_picture){.report = report, .is_compared = report->old != NULL};
    struct svg_side *now = &picture->now;
    side_init(now, report, report->paths);
    now->totals = svg_totals(&now->viewer.tree, now->own);
    if (picture->is_compared)
        compare(picture, report);
    uint64_t *sizes = sizes_of(picture);
    svg_layout_init(&picture->layout, &now->viewer.tree, sizes, FRAMES_MAX, LISTED_MAX);
    free(sizes);
    picture->result = report_viewer_result(report, &now->viewer);
    picture->result.clamped_ns += picture->old.viewer.clamped_ns;
    if (report->show.metric != METRIC_TIME)
        picture->result.clamped_ns = 0;
}

void svg_picture_release(struct svg_picture *picture)
{
    side_release(&picture->now);
    side_release(&picture->old);
    svg_layout_release(&picture->layout);
    *picture = (struct svg_picture){0};
}

struct amount svg_value(const struct report *report, uint64_t value)
{
    enum report_metric metric = report->show.metric;
    const char *unit_name = report_metric_names[metric].unit;
    if (metric == METRIC_TIME) {
        int64_t ns = value > INT64_MAX ? INT64_MAX : (int64_t)value;
        return amount_with_unit(ns, amount_unit_of(report, ns), 3);
    }
    bool is_one = value == 1 && metric != METRIC_ALLOC;
    return amount_make("%s %.*s", amount_count(value).at, (int)strlen(unit_name) - is_one,
                       unit_name);
}

struct amount svg_change(const struct report *report, uint64_t now, uint64_t old)
{
    const char *sign = now > old ? "+" : now < old ? "-" : "";
    return amount_make("%s%s", sign, svg_value(report, now > old ? now - old : old - now).at);
}

double svg_percent(uint64_t value, uint64_t all)
{
    return all == 0 ? 0 : 100 * ((double)value / (double)all);
}
