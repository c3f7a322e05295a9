#include "report/sentences/watched_comparison.h"

#include "report/figures/watched.h"
#include "report/figures/watched_threads.h"
#include "report/sentences/amounts.h"
#include "report/sentences/function_name.h"
#include "report/sentences/wrap.h"

#include <math.h>

/* How much longer the threads of a function took in a tick. */
struct change {
    uint32_t function;
    double ns;
};

static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    return ORDER(fabs(b->ns), fabs(a->ns), ORDER(a->function, b->function, 0));
}

static double a_tick_ns(const struct watched_threads *threads, int64_t ns)
{
    return threads->tick_count > 0 ? (double)ns / (double)threads->tick_count : 0;
}

/* Adds what a side took; the old functions have the ids of `functions`, or those that they have. */
static void add_side(struct change *changes, const struct watched_threads *threads,
                     const uint32_t *functions, double sign)
{
    for (size_t i = 0; i < threads->count; i++) {
        const struct watched_thread *thread = &threads->all[i];
        uint32_t function = thread->function;
        if (function != TREE_NONE && functions != NULL)
            function = functions[function];
        if (function != TREE_NONE)
            changes[function].ns += sign * a_tick_ns(threads, thread->time_ns);
    }
}

/* Appends the functions that changed most, those that matter. */
static void put_changes(struct text *text, const struct report *report,
                        const struct watched_threads *now, const struct watched_threads *old)
{
    enum { SHOWN_MAX = 3, PARTS = 50 };
    uint32_t count = report->profile->symbols.function_count;
    double all_ns = fmax(a_tick_ns(now, now->time_ns), a_tick_ns(old, old->time_ns));
    SCOPED_ARRAY struct change *changes = mem_zeroed(count, sizeof *changes);
    for (uint32_t i = 0; i < count; i++)
        changes[i].function = i;
    add_side(changes, now, NULL, 1);
    add_side(changes, old, report->old->functions, -1);
    if (count > 1)
        qsort(changes, count, sizeof *changes, compare_changes);
    for (size_t i = 0; i < count && i < SHOWN_MAX && fabs(changes[i].ns) * PARTS >= all_ns; i++)
        if (changes[i].ns != 0)
            text_printf(text, "%s%s%s %s", i == 0 ? ": " : ", ", changes[i].ns < 0 ? "-" : "+",
                        amount_said((int64_t)fabs(changes[i].ns)).at,
                        function_name(report->labels, changes[i].function));
}

static void put_side(struct text *text, const struct watched *watched)
{
    text_printf(text, "%s of %s", amount_count(watched->slow_count).at,
                amount_count(watched->tick_count).at);
}

void watched_comparison_put(struct text *text, const struct report *report)
{
    enum { INDENT = 2 };
    struct text line = {0};
    if (!report_compares_watches(report))
        return;
    SCOPED(watched) now, old;
    SCOPED(watched_threads) threads, old_threads;
    watched_init(&now, report->profile);
    watched_init(&old, report->old->profile);
    watched_threads_init(&threads, report->profile);
    watched_threads_init(&old_threads, report->old->profile);
    text_put_string(&line, "Watched: ");
    put_side(&line, &now);
    text_printf(&line, " %s slow, old ", tick_kinds[report->profile->rebuild.state].many);
    put_side(&line, &old);
    if (now.slow_ns > 0 && now.slow_ns == old.slow_ns)
        text_printf(&line, ", over %.10g ms", (double)now.slow_ns / 1e6);
    if (threads.tick_count > 0 && old_threads.tick_count > 0) {
        text_printf(&line, "; threads took %s a %s, old %s",
                    amount_said((int64_t)a_tick_ns(&threads, threads.time_ns)).at,
                    tick_kinds[report->profile->rebuild.state].one,
                    amount_said((int64_t)a_tick_ns(&old_threads, old_threads.time_ns)).at);
        put_changes(&line, report, &threads, &old_threads);
    }
    wrap_put_line(text, report->width, INDENT, &line);
}
