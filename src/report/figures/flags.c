#include "report/figures/flags.h"

const struct flag_info flag_infos[FLAG_COUNT] = {
    [FLAG_NONE] = {"", "none", "", "", ""},
    [FLAG_ENDED] = {"!",
                    "ended-frames",
                    "the callers are wrong",
                    "the callers are wrong",
                    "the callers are wrong"},
    [FLAG_LONG_CALL] =
        {"^", "long-call", "mostly long calls", "mostly long calls", "mostly long calls"},
    [FLAG_NOISE] = {"~", "too-short", "too short to tell", "may be equal", "may be chance"},
};

const char *flag_text(enum flag flag, const struct report *report)
{
    return report->old != NULL             ? flag_infos[flag].compared
           : report->tree->samples != NULL ? flag_infos[flag].sampled
                                           : flag_infos[flag].text;
}

static bool shows_noise(const struct report *report)
{
    return report->tree->details != NULL &&
           (report->old == NULL || report->old->tree->details != NULL);
}

bool flags_are_possible(const struct report *report)
{
    return shows_noise(report) || (report->show.by == BY_FUNCTION && report->has_wrong_callers);
}

enum flag flag_of_function(const struct report *report, uint32_t function)
{
    const struct wrong_callers *wrong = report->wrong_callers;
    if (wrong != NULL && function < wrong->function_count && wrong->is_doubtful[function] != 0)
        return FLAG_ENDED;
    return long_calls_have(&report->long_calls, function) ? FLAG_LONG_CALL : FLAG_NONE;
}

/* Whether a self time may really be 0, or two of them equal. */
static bool is_noise(const struct row_sums *table, const struct row *row)
{
    const struct row *old = row_sums_old(table, row);
    if (old != NULL)
        return row_is_alike(row, old);
    return row->sum.calls > 0 && (double)row->sum.self_ns <= 2 * row_noise_ns(row);
}

enum flag flag_of_row(const struct report *report, const struct row_sums *table,
                      const struct row *row)
{
    enum flag flag = FLAG_NONE;
    if (table->by == BY_FUNCTION)
        flag = flag_of_function(report, table->groups.all[row->group].function);
    bool is_flagged = flag != FLAG_NONE;
    return !is_flagged && shows_noise(report) && is_noise(table, row) ? FLAG_NOISE : flag;
}
