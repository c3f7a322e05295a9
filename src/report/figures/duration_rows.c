#include "report/figures/duration_rows.h"

#include <math.h>

enum { STEPS_AN_OCTAVE = 4, OCTAVES = 64 };

static int64_t octave_ns(size_t octave)
{
    return octave < OCTAVES - 1 ? (int64_t)1 << octave : INT64_MAX;
}

/* Adds the calls of a histogram to rows of one octave each, rows[OCTAVES]; `least` has all below.
 */
static void add_octaves(struct duration_row *rows, const struct call_histogram *histogram,
                        bool is_old, size_t least)
{
    for (uint32_t step = 0; histogram != NULL && step < histogram->count; step++) {
        size_t octave = step / STEPS_AN_OCTAVE;
        octave = octave < least ? least : octave < OCTAVES ? octave : OCTAVES - 1;
        rows[octave].calls[is_old] += histogram->calls[step];
    }
}

static uint64_t calls_of(const struct duration_row *row)
{
    return row->calls[false] + row->calls[true];
}

/* Joins the two neighbours with the fewest calls, those of the longest calls first. */
static void join_two(struct duration_row *rows, size_t count)
{
    size_t best = count - 2;
    for (size_t i = count - 2; i-- > 0;)
        if (calls_of(&rows[i]) + calls_of(&rows[i + 1]) <
            calls_of(&rows[best]) + calls_of(&rows[best + 1]))
            best = i;
    rows[best].to_ns = rows[best + 1].to_ns;
    for (int side = 0; side < 2; side++)
        rows[best].calls[side] += rows[best + 1].calls[side];
    for (size_t i = best + 1; i + 1 < count; i++)
        rows[i] = rows[i + 1];
}

struct duration_rows duration_rows_make(const struct report *report,
                                        const struct call_histogram *const sides[2],
                                        int64_t least_shown_ns)
{
    struct duration_rows all = {.count = 0};
    struct duration_row octaves[OCTAVES] = {{.from_ns = 0}};
    size_t from = 0, to = OCTAVES, least = duration_step(least_shown_ns) / STEPS_AN_OCTAVE;
    bool is_told = false;
    for (int side = 0; side < 2; side++) {
        if (sides[side] == NULL)
            continue;
        /* What the clock of the side can tell. */
        const struct profile *profile = side == 1 ? report->old->profile : report->profile;
        int64_t least_ns = (int64_t)fmax(profile->durations.unit_ns, 1);
        size_t octave = duration_step(least_ns) / STEPS_AN_OCTAVE;
        least = octave > least ? octave : least;
        is_told |= sides[side]->longest_ns > least_ns;
    }
    if (!is_told)
        return all;
    for (int side = 0; side < 2; side++)
        add_octaves(octaves, sides[side], side, least);
    while (from < to && calls_of(&octaves[from]) == 0)
        from++;
    while (to > from && calls_of(&octaves[to - 1]) == 0)
        to--;
    for (size_t i = from; i < to; i++) {
        octaves[i].from_ns = i == least ? 0 : octave_ns(i);
        octaves[i].to_ns = octave_ns(i + 1);
    }
    for (all.count = to - from; all.count > DURATION_ROWS_MAX; all.count--)
        join_two(octaves + from, all.count);
    for (size_t i = 0; i < all.count; i++) {
        all.rows[i] = octaves[from + i];
        for (int side = 0; side < 2; side++)
            if (all.rows[i].calls[side] > all.largest)
                all.largest = all.rows[i].calls[side];
    }
    return all;
}
