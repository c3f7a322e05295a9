#include "report/figures/line_pairs.h"

/* The line `at` lines after the first. */
static struct span trimmed(const struct source_lines *lines, size_t at)
{
    struct span text = source_line(lines->file, lines->first + (int32_t)at);
    while (text.length > 0 && strchr(" \t", text.at[0]) != NULL)
        text = span_from(text, 1);
    while (text.length > 0 && strchr(" \t", text.at[text.length - 1]) != NULL)
        text.length--;
    return text;
}

static size_t count_lines(const struct source_lines *lines)
{
    return lines->file != NULL ? (size_t)(lines->last - lines->first + 1) : 0;
}

struct line_pair *line_pairs_find(const struct source_lines *now, const struct source_lines *old,
                                  size_t *count)
{
    enum { CELLS_MAX = 1 << 24 };
    size_t lines = count_lines(now), old_lines = count_lines(old), width = old_lines + 1;
    struct line_pair *pairs = mem_zeroed(lines + old_lines, sizeof *pairs);
    /* [(lines + 1) * width]: how many pairs there are from two lines on. */
    uint16_t *same = NULL;
    if (lines + 1 <= CELLS_MAX / width)
        same = mem_zeroed((lines + 1) * width, sizeof *same);
    for (size_t i = same != NULL ? lines : 0; i-- > 0;)
        for (size_t k = old_lines; k-- > 0;) {
            uint16_t *at = &same[i * width + k];
            *at = at[width] > at[1] ? at[width] : at[1];
            if (span_is_same(trimmed(now, i), trimmed(old, k)))
                *at = (uint16_t)(at[width + 1] + 1);
        }
    *count = 0;
    for (size_t i = 0, k = 0; i < lines || k < old_lines; (*count)++) {
        bool is_new = i < lines, is_old = k < old_lines;
        if (is_new && is_old && !span_is_same(trimmed(now, i), trimmed(old, k))) {
            is_new = same != NULL && same[(i + 1) * width + k] > same[i * width + k + 1];
            is_old = !is_new;
        }
        pairs[*count] = (struct line_pair){is_new ? now->first + (int32_t)i : 0,
                                           is_old ? old->first + (int32_t)k : 0};
        i += is_new;
        k += is_old;
    }
    free(same);
    return pairs;
}
