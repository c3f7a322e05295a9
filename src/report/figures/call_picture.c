#include "report/figures/call_picture.h"

enum { STEPS_AN_OCTAVE = 4, OCTAVES = 64 };

/* What the clock of a side can tell, in ns. */
static int64_t least_of(const struct report *report, bool is_old)
{
    const struct profile *profile = is_old ? report->old->profile : report->profile;
    int64_t least_ns = (int64_t)profile->durations.unit_ns;
    return least_ns > 1 ? least_ns : 1;
}

static size_t octave_of(uint32_t step, size_t least)
{
    size_t octave = step / STEPS_AN_OCTAVE;
    return octave < least ? least : octave < OCTAVES ? octave : OCTAVES - 1;
}

static int64_t octave_ns(size_t octave)
{
    return octave < OCTAVES - 1 ? (int64_t)1 << octave : INT64_MAX;
}

struct call_picture call_picture_make(const struct report *report,
                                      const struct call_histogram *const sides[2])
{
    struct call_picture picture = {.count = 0};
    uint64_t octaves[OCTAVES][2] = {{0}};
    size_t from = OCTAVES, to = 0, least = 0, row_octaves = 1;
    bool is_told = false;
    for (int side = 0; side < 2; side++) {
        int64_t least_ns = sides[side] != NULL ? least_of(report, side) : 1;
        size_t octave = duration_step(least_ns) / STEPS_AN_OCTAVE;
        least = octave > least ? octave : least;
        is_told |= sides[side] != NULL && sides[side]->longest_ns > least_ns;
    }
    for (int side = 0; side < 2; side++)
        for (uint32_t step = 0; sides[side] != NULL && step < sides[side]->count; step++) {
            size_t octave = octave_of(step, least);
            if (sides[side]->calls[step] == 0)
                continue;
            octaves[octave][side] += sides[side]->calls[step];
            from = octave < from ? octave : from;
            to = octave >= to ? octave + 1 : to;
        }
    while (is_told && from + CALL_ROWS_MAX * row_octaves < to)
        row_octaves++;
    for (size_t i = from; is_told && i < to; i++) {
        struct call_row *row = &picture.rows[(i - from) / row_octaves];
        if ((i - from) % row_octaves == 0) {
            row->from_ns = i == least ? 0 : octave_ns(i);
            row->to_ns = octave_ns(i + row_octaves);
            picture.count++;
        }
        for (int side = 0; side < 2; side++) {
            row->calls[side] += octaves[i][side];
            if (row->calls[side] > picture.largest)
                picture.largest = row->calls[side];
        }
    }
    return picture;
}
