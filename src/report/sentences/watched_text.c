#include "report/sentences/watched_text.h"

#include "report/figures/watched.h"
#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/headline.h"
#include "report/sentences/wrap.h"

enum { INDENT = 2 };

static void put_counts(struct text *text, const struct report *report,
                       const struct watched *watched)
{
    const struct tick_kind *kind = &tick_kinds[report->profile->rebuild.state];
    /* In a log that ends within a minute, only slow ticks are known. */
    bool has_others = watched->tick_count > watched->slow_count;
    const char *slow = watched->slow_count > 0 ? amount_count(watched->slow_count).at : "none";
    text_printf(text, "Watched: %s%s", slow, has_others ? " of " : " ");
    if (has_others)
        text_printf(text, "%s ", amount_count(watched->tick_count).at);
    text_printf(text, "%s over ", watched->tick_count == 1 ? kind->one : kind->many);
    if (watched->slow_ns > 0)
        text_printf(text, "%.10g ms", (double)watched->slow_ns / 1e6);
    else
        text_put_string(text, "the limits of their watches");
}

/* Appends "#24012 (40:01.2) took 212.0 ms: 96% PlatoonThread". */
static void put_tick(struct text *text, const struct report *report,
                     const struct watched_tick *tick)
{
    const struct profile *profile = report->profile;
    text_put_string(text,
                    tick_name_in(profile, &profile->rebuilt[tick->recording], tick->number).at);
    headline_put_log(text, report, tick->recording, " of ", "");
    text_printf(text, " took %s", amount_said(tick->time_ns).at);
    if (tick->function != TREE_NONE)
        text_printf(text, ": %.0f%% %s", 100 * (double)tick->function_ns / (double)tick->time_ns,
                    function_name(report->labels, tick->function));
}

void watched_put_sentence(struct text *text, const struct report *report)
{
    enum { SHOWN_MAX = 3 };
    SCOPED(watched) watched = {0};
    struct text sentence = {0};
    if (!report_shows_watch(report))
        return;
    watched_init(&watched, report->profile);
    put_counts(&sentence, report, &watched);
    for (size_t i = 0; i < watched.slowest_count && i < SHOWN_MAX; i++) {
        text_put_string(&sentence, i == 0 ? ". " : "; ");
        put_tick(&sentence, report, &watched.slowest[i]);
    }
    wrap_put_line(text, report->width, INDENT, &sentence);
}

void watched_put_list(struct text *text, const struct report *report, size_t limit)
{
    SCOPED(watched) watched = {0};
    struct text lines = {0};
    if (!report_shows_watch(report))
        return;
    watched_init(&watched, report->profile);
    size_t shown = limit < watched.slowest_count ? limit : watched.slowest_count;
    put_counts(&lines, report, &watched);
    text_put_string(&lines, shown > 0 ? ":\n" : "\n");
    for (size_t i = 0; i < shown; i++) {
        text_put_string(&lines, "  ");
        put_tick(&lines, report, &watched.slowest[i]);
        text_put_string(&lines, "\n");
    }
    if (shown < watched.slowest_count)
        text_printf(&lines, "  ... and %s more\n", amount_count(watched.slowest_count - shown).at);
    wrap_put_lines(text, report->width, INDENT, &lines);
}
