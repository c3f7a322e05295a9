#include "report/screen/call_picture.h"

#include "report/sentences/amounts.h"
#include "report/sentences/wrap.h"

enum { ROWS_MAX = 8, STEPS_AN_OCTAVE = 4, OCTAVES = 64 };

/* The calls in rows of one octave, or of several. */
struct picture {
    uint64_t calls[OCTAVES]; /* [from, to) */
    size_t from, to, least;  /* least: of the calls that the clock cannot tell from 0 */
    size_t row_octaves;
    uint64_t largest; /* of the rows */
};

static uint64_t calls_in_row(const struct picture *picture, size_t from)
{
    uint64_t calls = 0;
    for (size_t i = from; i < from + picture->row_octaves && i < picture->to; i++)
        calls += picture->calls[i];
    return calls;
}

/* A call that took no time that the clock can tell is in the first octave from `least_ns` on. */
static struct picture picture_make(const struct call_histogram *histogram, int64_t least_ns)
{
    size_t least = duration_step(least_ns > 1 ? least_ns : 1) / STEPS_AN_OCTAVE;
    struct picture picture = {.from = OCTAVES, .least = least, .row_octaves = 1};
    for (uint32_t step = 0; step < histogram->count; step++) {
        size_t octave = step / STEPS_AN_OCTAVE;
        octave = octave < least ? least : octave < OCTAVES ? octave : OCTAVES - 1;
        if (histogram->calls[step] == 0)
            continue;
        picture.calls[octave] += histogram->calls[step];
        picture.from = octave < picture.from ? octave : picture.from;
        picture.to = octave + 1;
    }
    while ((picture.to - picture.from + picture.row_octaves - 1) / picture.row_octaves > ROWS_MAX)
        picture.row_octaves++;
    for (size_t i = picture.from; i < picture.to; i += picture.row_octaves) {
        uint64_t calls = calls_in_row(&picture, i);
        picture.largest = calls > picture.largest ? calls : picture.largest;
    }
    return picture;
}

static void put_row(struct text *text, const struct report *report, const struct picture *picture,
                    size_t octave, enum report_unit unit)
{
    enum { OTHER_COLUMNS = 36, BAR_MAX = 40 };
    size_t room = report->width == 0 || report->width > OTHER_COLUMNS + BAR_MAX ? BAR_MAX
                  : report->width > OTHER_COLUMNS ? report->width - OTHER_COLUMNS
                                                  : 1;
    uint64_t calls = calls_in_row(picture, octave);
    int decimals = amount_decimals(unit);
    int64_t from_ns = octave == picture->least
                          ? 0
                          : (int64_t)duration_step_begin((uint32_t)octave * STEPS_AN_OCTAVE);
    int64_t to_ns =
        (int64_t)duration_step_begin((uint32_t)(octave + picture->row_octaves) * STEPS_AN_OCTAVE);
    /* A row with a call in it has a bar. */
    double share = (double)calls / (double)picture->largest;
    size_t bar = calls == 0 ? 0 : 1 + (size_t)(share * (double)(room - 1));
    text_printf(text, "%10s -", amount_time(from_ns, unit, decimals).at);
    text_printf(text, "%10s%10s", amount_time(to_ns, unit, decimals).at, amount_count(calls).at);
    text_put_string(text, bar > 0 ? "  " : "");
    for (size_t i = 0; i < bar; i++)
        text_put_string(text, "#");
    text_put_string(text, "\n");
}

void call_picture_put(struct text *text, const struct report *report, uint32_t function)
{
    enum report_unit unit = report->show.unit == UNIT_AUTO ? UNIT_MS : report->show.unit;
    const struct call_histogram *histogram = report_durations(report, function);
    struct text line = {0};
    if (histogram == NULL)
        return;
    int decimals = amount_decimals(unit);
    int64_t least_ns = (int64_t)report->profile->durations.unit_ns;
    text_printf(&line, "  one call: median %s, ",
                amount_with_unit(call_histogram_median_ns(histogram), unit, decimals).at);
    text_printf(&line, "shortest %s, longest %s",
                amount_time(histogram->shortest_ns, unit, decimals).at,
                amount_time(histogram->longest_ns, unit, decimals).at);
    wrap_put_line(text, report->width, 4, &line);
    /* Where the clock can tell nothing, a picture has one bar. */
    struct picture picture = picture_make(histogram, least_ns);
    for (size_t i = picture.from; i < picture.to && histogram->longest_ns > least_ns;
         i += picture.row_octaves)
        put_row(text, report, &picture, i, unit);
}
