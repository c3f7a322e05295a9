#include "report/pages/svg/svg_colors.h"

#include "base/key_sort.h"
#include "report/pages/embedded.h"

#include <math.h>

static int between(int from, int to, double part)
{
    return (int)lround(from + part * (to - from));
}

void svg_put_change_color(struct text *text, uint64_t now, uint64_t old, uint64_t all)
{
    enum { SAME = 0xec };
    static const int more[] = {0xf0, 0x50, 0x46}, less[] = {0x5a, 0x91, 0xf5};
    uint64_t difference = now > old ? now - old : old - now;
    const int *full = now > old ? more : less;
    double strength = difference == 0 ? 0 : fmin(1, 2 * sqrt((double)difference / (double)all));
    text_printf(text, "#%02x%02x%02x", (unsigned)between(SAME, full[0], strength),
                (unsigned)between(SAME, full[1], strength),
                (unsigned)between(SAME, full[2], strength));
}

static struct svg_legend_entry *add_entry(struct svg_colors *colors)
{
    struct svg_legend_entry *entry = &colors->legend[colors->legend_count++];
    *entry = (struct svg_legend_entry){0};
    return entry;
}

static void explain_changes(struct svg_colors *colors)
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
        struct svg_legend_entry *entry = add_entry(colors);
        svg_put_change_color(&entry->color, changes[i].now, changes[i].old, ALL);
        text_put_string(&entry->text, changes[i].text);
    }
}

/*
 * Adds up the own values of each file's functions, [texts of labels], and sets one of these; NULL
 * for files that are not used. The caller frees both.
 */
static uint64_t *sum_files(const struct svg_picture *picture, uint32_t *functions)
{
    const struct viewer *viewer = &picture->now.viewer;
    const struct labels *labels = picture->report->labels;
    uint64_t *sums = mem_zeroed(labels->texts.count, sizeof *sums);
    for (uint32_t i = 0; i < labels->texts.count; i++)
        functions[i] = TREE_NONE;
    for (uint32_t node = 1; node < viewer->tree.node_count; node++) {
        uint32_t function = viewer->tree.calls[node].function;
        if (function == viewer->truncated)
            continue;
        functions[labels->labels[function].file] = function;
        sums[labels->labels[function].file] += picture->now.own[node];
    }
    return sums;
}

static void explain_color(struct svg_colors *colors, uint8_t color, struct span what, uint64_t own)
{
    uint64_t all = colors->picture->now.totals[TREE_ROOT];
    if (own == 0 || colors->legend_count == SVG_LEGEND_MAX)
        return;
    struct svg_legend_entry *entry = add_entry(colors);
    text_put_string(&entry->color, web_palette[color]);
    text_put_span(&entry->text, what);
    text_printf(&entry->text, " %.1f%%", 100 * ((double)own / (double)all));
}

/* The files with the largest sums come first. */
static void color_files(struct svg_colors *colors)
{
    const struct labels *labels = colors->picture->report->labels;
    const struct symbols *symbols = &colors->picture->report->profile->symbols;
    uint32_t *functions = mem_zeroed(labels->texts.count, sizeof *functions);
    struct keyed *order = mem_zeroed(labels->texts.count, sizeof *order);
    uint64_t *sums = sum_files(colors->picture, functions), others = 0;
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
        colors->of_files[file] = color;
        if (color == PALETTE_OTHERS)
            others += sums[file];
        else
            explain_color(colors, color, is_c ? span_of("C functions") : labels_text(labels, file),
                          sums[file]);
    }
    explain_color(colors, PALETTE_OTHERS, span_of("other files"), others);
    MEM_FREE(functions, order, sums);
}

void svg_colors_init(struct svg_colors *colors, const struct svg_picture *picture)
{
    *colors = (struct svg_colors){.picture = picture};
    colors->of_files = mem_zeroed(picture->report->labels->texts.count, sizeof *colors->of_files);
    if (picture->is_compared)
        explain_changes(colors);
    else
        color_files(colors);
}

void svg_colors_release(struct svg_colors *colors)
{
    for (size_t i = 0; i < colors->legend_count; i++) {
        text_release(&colors->legend[i].color);
        text_release(&colors->legend[i].text);
    }
    free(colors->of_files);
    *colors = (struct svg_colors){0};
}

void svg_colors_put(const struct svg_colors *colors, struct text *text, uint32_t node)
{
    const struct svg_picture *picture = colors->picture;
    const struct viewer *viewer = &picture->now.viewer;
    uint32_t function = viewer->tree.calls[node].function;
    if (picture->is_compared) {
        svg_put_change_color(text, picture->now.totals[node], picture->old.totals[node],
                             picture->layout.totals[TREE_ROOT]);
        return;
    }
    bool has_label = node != TREE_ROOT && function != viewer->truncated;
    text_put_string(
        text,
        web_palette[has_label ? colors->of_files[picture->report->labels->labels[function].file]
                              : PALETTE_NO_FILE]);
}
