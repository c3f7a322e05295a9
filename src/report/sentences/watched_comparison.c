#include "report/sentences/watched_comparison.h"

#include "report/figures/watched.h"
#include "report/figures/watched_threads.h"
#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/watched_text.h"
#include "report/sentences/wrap.h"

#include <math.h>

/* Appends the functions that changed most, those that matter. */
static void put_changes(struct text *text, const struct report *report,
                        const struct watched_changes *changes)
{
    enum { SHOWN_MAX = 3, PARTS = 50 };
    double now_ns = watched_threads_tick_ns(&changes->now, changes->now.time_ns);
    double old_ns = watched_threads_tick_ns(&changes->old, changes->old.time_ns);
    size_t shown = 0;
    for (size_t i = 0; i < changes->count && shown < SHOWN_MAX; i++) {
        const struct watched_change *change = &changes->all[i];
        double ns = change->now_ns - change->old_ns;
        if (fabs(ns) * PARTS < fmax(now_ns, old_ns) || ns == 0)
            break;
        if (change->function != TREE_NONE)
            text_printf(text,
                        "%s%s%s %s",
                        shown++ == 0 ? ": " : ", ",
                        ns < 0 ? "-" : "+",
                        amount_said((int64_t)fabs(ns)).at,
                        function_name(report->labels, change->function));
    }
}

static void put_side(struct text *text, const struct watched *watched)
{
    text_printf(text,
                "%s of %s",
                amount_count(watched->slow_count).at,
                amount_count(watched->tick_count).at);
}

void watched_comparison_put(struct text *text, const struct report *report)
{
    enum { INDENT = 2 };
    struct text line = {0};
    SCOPED(watched) now, old;
    SCOPED(watched_changes) changes;
    watched_init(&now, report->profile);
    watched_init(&old, report->old->profile);
    watched_changes_init(&changes, report);
    text_put_string(&line, "Watched: ");
    put_side(&line, &now);
    text_printf(&line, " %s slow, old ", tick_kinds[report->profile->rebuild.state].many);
    put_side(&line, &old);
    if (now.slow_ns > 0 && now.slow_ns == old.slow_ns)
        text_printf(&line, ", over %.10g ms", (double)now.slow_ns / 1e6);
    watched_put_minutes(&line, report);
    const struct watched_threads *threads = &changes.now, *olds = &changes.old;
    if (threads->tick_count > 0 && olds->tick_count > 0) {
        text_printf(&line,
                    "; threads took %s a %s, old %s",
                    amount_said((int64_t)watched_threads_tick_ns(threads, threads->time_ns)).at,
                    tick_kinds[report->profile->rebuild.state].one,
                    amount_said((int64_t)watched_threads_tick_ns(olds, olds->time_ns)).at);
        put_changes(&line, report, &changes);
    }
    wrap_put_line(text, report->width, INDENT, &line);
}
