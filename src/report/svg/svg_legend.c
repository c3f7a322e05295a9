#include "report/svg/svg_legend.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum of the own values of a file's functions. */
struct file_sum {
    uint32_t file;     /* text id of the labels */
    uint32_t function; /* one of them */
    uint64_t own;
};

static struct text *add(struct svg_legend *legend, struct svg_color color)
{
    struct svg_legend_entry *entry = &legend->entries[legend->count++];
    *entry = (struct svg_legend_entry){.color = color};
    return &entry->text;
}

static int compare_sums(const void *left, const void *right)
{
    const struct file_sum *a = left;
    const struct file_sum *b = right;
    if (a->own != b->own)
        return a->own > b->own ? -1 : 1;
    return a->file < b->file ? -1 : a->file > b->file;
}

/* Returns the sum of each text of the labels, [*count], the largest first. */
static struct file_sum *sum_files(const struct svg_picture *picture, const struct labels *labels,
                                  size_t *count)
{
    const struct viewer *viewer = &picture->now.viewer;
    *count = labels->texts.count;
    struct file_sum *sums = mem_zeroed(*count, sizeof *sums);
    for (uint32_t i = 0; i < *count; i++)
        sums[i].file = i;
    for (uint32_t node = 1; node < viewer->tree.node_count; node++) {
        uint32_t function = viewer->tree.calls[node].function;
        if (function == viewer->truncated)
            continue;
        struct file_sum *sum = &sums[labels->labels[function].file];
        sum->function = function;
        sum->own += picture->now.own[node];
    }
    qsort(sums, *count, sizeof *sums, compare_sums);
    return sums;
}

static void add_files(struct svg_legend *legend, const struct svg_picture *picture,
                      const struct report *report)
{
    const struct labels *labels = report->labels;
    size_t count;
    struct file_sum *sums = sum_files(picture, labels, &count);
    for (size_t i = 0; i < count && sums[i].own > 0 && legend->count < SVG_LEGEND_MAX; i++) {
        bool is_c = symbols_is_c(&report->profile->symbols, sums[i].function);
        struct span file = labels_text(labels, sums[i].file);
        struct text *text = add(legend, is_c ? SVG_COLOR_C : svg_color_of_file(file));
        uint64_t all = picture->now.totals[TREE_ROOT];
        if (is_c)
            text_put_string(text, "C functions");
        else
            text_put(text, file.at, file.length);
        char share[32];
        int length = snprintf(share, sizeof share, " %.1f%%",
                              all == 0 ? 0 : 100 * ((double)sums[i].own / (double)all));
        text_put(text, share, (size_t)length);
    }
    free(sums);
}

static void add_changes(struct svg_legend *legend)
{
    enum { ALL = 1000 };
    static const struct change {
        uint64_t now, old;
        const char *text;
    } changes[] = {
        {0, 250, "less by 25% of the whole and more"},
        {0, 50, "less by 5%"},
        {0, 0, "the same"},
        {50, 0, "more by 5%"},
        {250, 0, "more by 25% and more"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        text_put_string(add(legend, svg_color_of_change(changes[i].now, changes[i].old, ALL)),
                        changes[i].text);
}

void svg_legend_init(struct svg_legend *legend, const struct svg_picture *picture,
                     const struct report *report)
{
    *legend = (struct svg_legend){0};
    if (picture->is_compared)
        add_changes(legend);
    else
        add_files(legend, picture, report);
}

void svg_legend_release(struct svg_legend *legend)
{
    for (size_t i = 0; i < legend->count; i++)
        text_release(&legend->entries[i].text);
    *legend = (struct svg_legend){0};
}
