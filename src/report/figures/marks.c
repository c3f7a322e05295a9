#include "report/figures/marks.h"

const struct mark_info mark_infos[MARK_COUNT] = {
    [MARK_NONE] = {"", "none", "", ""},
    [MARK_ENDED] = {"!", "ended-frames", "the callers are wrong", "the callers are wrong"},
    [MARK_LONG_CALL] = {"^", "long-call", "one call is most of it", "one call is most of it"},
    [MARK_NOISE] = {"~", "too-short", "too short to measure", "may be equal"},
};

bool marks_show_noise(const struct report *report)
{
    return report->tree->details != NULL &&
           (report->old == NULL || report->old->tree->details != NULL);
}

bool marks_are_possible(const struct report *report)
{
    return marks_show_noise(report) ||
           (report->show.by == BY_FUNCTION && report_has_wrong_callers(report));
}

enum mark mark_of_function(const struct report *report, uint32_t function)
{
    return wrong_callers_doubt(report->wrong_callers, function) ? MARK_ENDED
           : long_calls_have(report->long_calls, function)      ? MARK_LONG_CALL
                                                                : MARK_NONE;
}

/* Whether a self time may really be 0, or two of them equal. */
static bool is_noise(const struct table *table, const struct row *row)
{
    const struct row *old = table_old(table, row);
    if (old != NULL)
        return row_is_alike(row, old);
    return row->calls > 0 && (double)row->self_ns <= 2 * row_noise_ns(row);
}

enum mark mark_of_row(const struct report *report, const struct table *table, const struct row *row)
{
    enum mark mark = MARK_NONE;
    if (table->by == BY_FUNCTION)
        mark = mark_of_function(report, table->groups.all[row->group].function);
    bool is_marked = mark != MARK_NONE;
    return !is_marked && marks_show_noise(report) && is_noise(table, row) ? MARK_NOISE : mark;
}
