#include "report/sentences/judged_findings.h"

#include "base/mem.h"
#include "report/sentences/amounts.h"
#include "report/sentences/findings.h"
#include "report/sentences/function_name.h"
#include "tree/sums.h"

#include <math.h>

/* The function that makes a finding the same: of a loop, the one whose line it is. */
static uint32_t function_of(const struct finding *finding)
{
    const struct finding_row *row = finding_rows[finding->kind];
    if (row->names_worst)
        return TREE_NONE;
    return row->explains == EXPLAINS_CALLS ? finding->caller : finding->function;
}

/* What a finding says that its time is. */
static struct explained explained_by(const struct finding *finding)
{
    const struct finding_row *row = finding_rows[finding->kind];
    if (row->explains == EXPLAINS_CALLS)
        return (struct explained){row->explains, finding->function, finding->caller};
    return (struct explained){
        row->explains, row->is_of_caller ? finding->caller : finding->function, TREE_NONE};
}

/* Whether it is known what each tick did: of one whole log, see what_if.h. */
static bool has_changes(const struct profile *profile)
{
    return profile->ticks.count > 0 && profile->changes.tick_count == profile->ticks.count;
}

static void promise(struct found_finding *found, const struct finding *finding,
                    const struct report *report)
{
    uint32_t function = finding->repair.function;
    const struct what_if *what_if = &finding->repair.what_if;
    if (function == TREE_NONE || !has_changes(report->profile))
        return;
    found->promised = what_if_of_one(what_if, function, report->profile);
    /* A pattern of this function and no other, whatever its name is. */
    text_printf(&found->repair,
                what_if->is_total ? "total(^\\Q%s\\E$)*%.10g" : "^\\Q%s\\E$*%.10g",
                labels_string(report->labels, report->labels->of[function].label),
                what_if->factor);
}

static uint32_t hash_of(const struct found *found, const struct found_finding *finding)
{
    uint64_t key = (uint64_t)finding->kind << 32 | finding->function;
    return (uint32_t)hash_number(key, found->index.seed);
}

/* There can be one for each function: each is found at once. */
static struct found_finding *find_same(const struct found *found, const struct found_finding *like)
{
    const struct index *index = &found->index;
    if (index->count == 0)
        return NULL;
    size_t slot = index_first(index, hash_of(found, like));
    for (; index->slots[slot].id != INDEX_FREE; slot = index_next(index, slot)) {
        struct found_finding *same = &found->all[index->slots[slot].id];
        if (same->kind == like->kind && same->function == like->function)
            return same;
    }
    return NULL;
}

static void put_in_index(struct found *found, size_t number)
{
    if (find_same(found, &found->all[number]) != NULL)
        return;
    index_reserve(&found->index, 1);
    uint32_t hash = hash_of(found, &found->all[number]);
    size_t slot = index_first(&found->index, hash);
    while (found->index.slots[slot].id != INDEX_FREE)
        slot = index_next(&found->index, slot);
    index_put(&found->index, slot, hash, (uint32_t)number);
}

static void append(struct found *found, struct found_finding finding)
{
    MEM_APPEND(found->all, found->count, found->capacity, finding);
    put_in_index(found, found->count - 1);
}

/* Adds the numbers of threads of functions that have no finding: it is about the worst one. */
static void add_ended_threads(struct found *found, const struct report *report)
{
    uint32_t count = report->profile->symbols.function_count;
    SCOPED_ARRAY uint64_t *threads = ended_threads_count(report->tree, count);
    for (uint32_t i = 0; i < count; i++) {
        struct found_finding other = {
            .kind = FINDING_ENDED_THREADS, .function = i, .value = (double)threads[i], .count = 1};
        if (threads[i] > 0 && find_same(found, &other) == NULL)
            append(found, other);
    }
}

void found_add(struct found *found, const struct report *report)
{
    size_t ticks = tick_list_game_count(&report->profile->ticks);
    SCOPED(findings) findings;
    findings_find(&findings, report);
    found->log_count++;
    found->ticks += (double)ticks;
    if (has_changes(report->profile)) {
        found->times = what_if_times(&report->profile->ticks, NULL, NULL);
        found->times.count = ticks;
    }
    for (size_t i = 0; i < findings.count; i++) {
        struct finding *finding = &findings.all[i];
        const char *number = finding_rows[finding->kind]->count;
        struct found_finding added = {.kind = finding->kind,
                                      .function = function_of(finding),
                                      .explained = explained_by(finding),
                                      .count = 1,
                                      .text = finding->text};
        if (finding->kind == FINDING_CANDIDATES || finding_rows[finding->kind]->is_about_log)
            continue;
        added.value = number != NULL ? finding_number(finding, number)
                                     : (double)finding->time_ns / (ticks > 0 ? (double)ticks : 1);
        finding->text = (struct text){0};
        promise(&added, finding, report);
        append(found, added);
    }
    add_ended_threads(found, report);
}

static void move(uint32_t *function, const uint32_t *functions)
{
    if (*function != TREE_NONE)
        *function = functions[*function];
}

void found_move(struct found *found, const uint32_t *functions)
{
    for (size_t i = 0; i < found->count; i++) {
        move(&found->all[i].function, functions);
        move(&found->all[i].explained.function, functions);
        move(&found->all[i].explained.caller, functions);
    }
    index_release(&found->index);
    for (size_t i = 0; i < found->count; i++)
        put_in_index(found, i);
}

void found_join(struct found *found, struct found *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct found_finding *same = find_same(found, &from->all[i]);
        if (same == NULL) {
            append(found, from->all[i]);
            continue;
        }
        same->value += from->all[i].value;
        same->count += from->all[i].count;
        if (same->text.length == 0) {
            same->text = from->all[i].text;
            from->all[i].text = (struct text){0};
        }
        text_release(&from->all[i].text);
        text_release(&from->all[i].repair);
    }
    found->log_count += from->log_count;
    found->ticks += from->ticks;
    from->count = 0;
    found_release(from);
}

void found_release(struct found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        text_release(&found->all[i].text);
        text_release(&found->all[i].repair);
    }
    free(found->all);
    index_release(&found->index);
    *found = (struct found){0};
}

double judged_value(const struct found_finding *finding)
{
    return finding == NULL ? -1 : finding->value / (double)finding->count;
}

/* The judgement ------------------------------------------------------------------------------- */

struct judging {
    const struct report *report;
    const struct sum *now, *old; /* of functions */
    double now_ticks, old_ticks; /* by which their times are divided */
};

/* The ticks of a log of a side, the mean. */
static double ticks_of(const struct found *side)
{
    return side->ticks > 0 ? side->ticks / (double)side->log_count : 1;
}

/* 1 or -1: nearly all logs of a side have a finding, or nearly none; 0: some have it. */
static int presence_of(const struct found *side, size_t log_count)
{
    enum { PARTS = 5 };
    return (log_count * PARTS >= side->log_count * (PARTS - 1)) -
           (log_count * PARTS <= side->log_count);
}

/* "0.31", a count, or "1.2 s"; nothing for -1. */
static struct amount amount_of(const struct judging *judging, enum finding_kind kind, double value)
{
    if (value < 0)
        return (struct amount){""};
    if (finding_rows[kind]->count != NULL)
        return amount_count((uint64_t)(value + 0.5));
    return judging->report->found->ticks > 0 ? amount_ms(value) : amount_said((int64_t)value);
}

/* Whether the self times of the function that a finding explains may be equal on both sides. */
static bool may_be_equal(const struct judging *judging, const struct explained *explained)
{
    if (judging->report->repeated != NULL ||
        (explained->what != EXPLAINS_SELF && explained->what != EXPLAINS_CALLS))
        return false;
    struct row now = {.sum = judging->now[explained->function]};
    struct row old = {.sum = judging->old[explained->function]};
    return row_is_alike(&now, &old);
}

/* The same in as many calls: then no repair is seen. */
static bool is_as_before(const struct judging *judging, const struct explained *explained)
{
    enum { PARTS = 100 };
    if (!may_be_equal(judging, explained))
        return false;
    uint64_t now = judging->now[explained->function].calls,
             old = judging->old[explained->function].calls, more = now > old ? now : old;
    return more > 0 && 2 * more - now - old <= more / PARTS;
}

/* Appends "; slow ticks: 2 without it, 3 now", where a repair was to change that, and something was
 * repaired. A repair leaves a part of it mostly: that is no promise, but the most that one brings.
 */
static void put_promise(struct text *text, const struct judging *judging,
                        const struct judged *judged)
{
    const double LEAST_CHANGE = 0.95, ALIKE = 0.8;
    const struct report *report = judging->report;
    const struct tick_statistics *before = &report->old->found->times, *now = &report->found->times;
    const struct tick_statistics *promised = &judged->old->promised;
    const char *ticks = tick_kinds[report->profile->ticks.state].many;
    const char *changed =
        finding_rows[judged->old->kind]->repaired < 1 ? "with half of it" : "without it";
    if (judged_value(judged->now) > ALIKE * judged_value(judged->old) ||
        (judged->now != NULL && is_as_before(judging, &judged->old->explained)))
        return;
    if (before->count == now->count && promised->over_count < before->over_count)
        text_printf(text,
                    "; slow %s: %zu %s, %zu now",
                    ticks,
                    promised->over_count,
                    changed,
                    now->over_count);
    else if ((double)promised->percentile_99_ns < LEAST_CHANGE * (double)before->percentile_99_ns)
        text_printf(text,
                    "; 99%% of %s: %s ms %s, %s now",
                    ticks,
                    amount_ms((double)promised->percentile_99_ns).at,
                    changed,
                    amount_ms((double)now->percentile_99_ns).at);
}

/* The same of a finding of the old side that was to be repaired. */
static void promise_of_old(const struct judging *judging, struct judged *judged)
{
    judged->is_promised = judged->old->repair.length > 0 && judging->report->found->times.count > 0;
    if (judged->is_promised)
        put_promise(&judged->text, judging, judged);
}

/* Appends " (0.31, old 0.75 ms a tick", with the sides that are not -1. */
static void put_values(const struct judging *judging, struct judged *judged, double now, double old)
{
    enum finding_kind kind = judged->now != NULL ? judged->now->kind : judged->old->kind;
    bool is_by_tick = finding_rows[kind]->count == NULL && judging->report->found->ticks > 0;
    text_printf(&judged->text, " (%s", amount_of(judging, kind, now).at);
    if (old >= 0)
        text_printf(
            &judged->text, now >= 0 ? ", old %s" : "old %s", amount_of(judging, kind, old).at);
    if (is_by_tick)
        text_put_string(&judged->text, " ms a tick");
}

/* The time of what a finding explains, on a side: `sums` are of its functions. */
static double explained_ns(const struct explained *explained, const struct tree *tree,
                           const struct sum *sums)
{
    int64_t ns = 0;
    if (explained->what == EXPLAINS_SELF)
        return (double)sums[explained->function].self_ns;
    if (explained->what == EXPLAINS_TOTAL)
        return (double)sums[explained->function].total_ns;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        bool is_of_caller =
            call->parent != TREE_ROOT && tree->calls[call->parent].function == explained->caller;
        ns += is_of_caller && call->function == explained->function ? tree->self_ns[node] : 0;
    }
    return (double)ns;
}

/* "Update takes", "Update itself takes", or "Update, called by Main, takes". */
static void put_explained(struct text *text, const struct judging *judging,
                          const struct explained *explained)
{
    const struct labels *labels = judging->report->labels;
    text_put_string(text, function_name(labels, explained->function));
    if (explained->what == EXPLAINS_CALLS)
        text_printf(text, ", called by %s,", function_name(labels, explained->caller));
    if (explained->what == EXPLAINS_SELF)
        text_put_string(text, " itself");
}

/* Sets what a finding explains on each side, in a tick; returns whether that is known. */
static bool measure_explained(const struct judging *judging, const struct judged *judged,
                              double *now_ns, double *old_ns)
{
    const struct report *report = judging->report;
    const struct explained *explained =
        &(judged->now != NULL ? judged->now : judged->old)->explained;
    if (explained->what == EXPLAINS_NOTHING)
        return false;
    *now_ns = explained_ns(explained, report->tree, judging->now) / judging->now_ticks;
    *old_ns = explained_ns(explained, report->old->tree, judging->old) / judging->old_ticks;
    return true;
}

/* Whether the finding of one side is all of the time of what it explains: not of its slow ticks. */
static bool explains_all(const struct judged *judged, double now_ns, double old_ns)
{
    const double ALIKE = 0.99;
    double value = judged_value(judged->now != NULL ? judged->now : judged->old);
    double all_ns = judged->now != NULL ? now_ns : old_ns;
    return fmin(value, all_ns) >= ALIKE * fmax(value, all_ns);
}

/*
 * Of what one side alone says, whether the time of what it explains says otherwise: then it was
 * above the limit of a finding, or another one took its place.
 */
static bool put_unchanged(const struct judging *judging, struct judged *judged)
{
    const double ALIKE = 0.8, KNOWN = 0.5;
    const struct report *report = judging->report;
    bool is_new = judged->now != NULL;
    const struct explained *explained = &(is_new ? judged->now : judged->old)->explained;
    double now_ns, old_ns;
    if (!measure_explained(judging, judged, &now_ns, &old_ns))
        return false;
    /* What took half as much before is not new, and what takes half as much now is not gone. */
    double kept = explains_all(judged, now_ns, old_ns) ? KNOWN : ALIKE;
    if (is_new ? old_ns < KNOWN * now_ns : now_ns < kept * old_ns)
        return false;
    bool is_unsure = may_be_equal(judging, explained);
    bool is_about_alike = fmin(now_ns, old_ns) >= ALIKE * fmax(now_ns, old_ns);
    bool is_like = is_about_alike || is_unsure;
    bool is_more_there = is_new && !is_like && now_ns > old_ns;
    bool is_less = !is_new && !is_like && now_ns < old_ns;
    text_printf(&judged->text,
                "Found only in the %s log%s, %s ",
                is_new ? "new" : "old",
                report->repeated != NULL ? "s" : "",
                is_more_there ? "where"
                : is_less     ? "and"
                              : "but");
    put_explained(&judged->text, judging, explained);
    text_printf(&judged->text,
                " %s time",
                is_about_alike             ? "takes about as much"
                : is_unsure                ? "may take as much"
                : is_new && !is_more_there ? "took more"
                : is_less                  ? "takes less"
                                           : "takes more");
    put_values(judging, judged, now_ns, old_ns);
    judged->fate = is_new ? "new-alone" : "old-alone";
    if (is_less)
        promise_of_old(judging, judged);
    return true;
}

/* Appends the value of the side that has the finding, and what the other side takes: little of it
 * need not be nothing. */
static void put_values_of(const struct judging *judging, struct judged *judged, bool is_sure)
{
    double now = judged_value(judged->now), old = judged_value(judged->old), now_ns, old_ns;
    bool is_one_side = judged->now == NULL || judged->old == NULL;
    if (is_sure && is_one_side && measure_explained(judging, judged, &now_ns, &old_ns) &&
        explains_all(judged, now_ns, old_ns)) {
        now = judged->now == NULL && now_ns > 0 ? now_ns : now;
        old = judged->old == NULL && old_ns > 0 ? old_ns : old;
    }
    put_values(judging, judged, now, old);
}

/* Starts the sentence: with the fate, and what it is about. */
static void put_fate(const struct judging *judging, struct judged *judged, bool is_sure)
{
    const struct found *found = judging->report->found, *old = judging->report->old->found;
    bool is_on_both = judged->now != NULL && judged->old != NULL;
    if (is_sure && !is_on_both && put_unchanged(judging, judged))
        return;
    if (!is_sure)
        text_printf(&judged->text,
                    "In %zu of %zu logs, and %zu of %zu old ones",
                    judged->now_logs,
                    found->log_count,
                    judged->old_logs,
                    old->log_count);
    else
        text_put_string(&judged->text,
                        is_on_both            ? "Still there"
                        : judged->now != NULL ? "New"
                                              : "Gone");
    judged->fate = !is_sure              ? "some-logs"
                   : is_on_both          ? "still-there"
                   : judged->now != NULL ? "new"
                                         : "gone";
    put_values_of(judging, judged, is_sure);
    if (is_sure && judged->old != NULL)
        promise_of_old(judging, judged);
}

static bool has_text(const struct found_finding *finding)
{
    return finding != NULL && finding->text.length > 0;
}

/* Judges a finding like this one. Of one that few logs of both sides have, nothing is said. */
static bool judge(const struct judging *judging, const struct found_finding *like,
                  struct judged *judged)
{
    const struct found *found = judging->report->found, *old = judging->report->old->found;
    const struct found_finding *now = find_same(found, like), *before = find_same(old, like);
    size_t now_logs = now != NULL ? now->count : 0, old_logs = before != NULL ? before->count : 0;
    int is_now = presence_of(found, now_logs), was = presence_of(old, old_logs);
    *judged = (struct judged){.now = is_now >= 0 ? now : NULL,
                              .old = was >= 0 ? before : NULL,
                              .now_logs = now_logs,
                              .old_logs = old_logs};
    if (2 * now_logs < found->log_count && 2 * old_logs < old->log_count)
        return false;
    const struct found_finding *shown = has_text(judged->now)   ? judged->now
                                        : has_text(judged->old) ? judged->old
                                                                : like;
    judged->function = shown->function;
    put_fate(judging, judged, is_now != 0 && was != 0);
    /* The new side only has the number of a sentence of the old one. */
    text_put_string(&judged->text,
                    shown == judged->old && judged->now != NULL ? "); old: " : "): ");
    text_put_span(&judged->text, text_span(&shown->text));
    return true;
}

/* Judges the findings of the old side, or those that only the new one has. */
static size_t judge_side(const struct judging *judging, bool is_old,
                         struct judged judged[JUDGED_MAX], size_t count)
{
    const struct found *side = (is_old ? judging->report->old : judging->report)->found;
    for (size_t i = 0; i < side->count && count < JUDGED_MAX; i++) {
        if (!has_text(&side->all[i]) || !judge(judging, &side->all[i], &judged[count]))
            continue;
        if (has_text(judged[count].old) == is_old)
            count++;
        else
            text_release(&judged[count].text);
    }
    return count;
}

bool judged_is_of_computer(const struct report *report, struct text *sentence)
{
    enum { LEAST_CHANGE = 10, LEAST_SHARE = 90, PARTS = 100 };
    const struct report *old = report->old;
    size_t called_count = 0, same_count = 0;
    double all_ns = 0, same_ns = 0, most_ns = 0;
    if (old->is_rest || old->scaled != NULL || report->is_of_two_profilers)
        return false;
    uint32_t count = report->profile->symbols.function_count;
    const struct sum *sums = report_function_sums(report, false);
    const struct sum *old_sums = report_function_sums(report, true);
    for (uint32_t i = 0; i < count; i++) {
        struct sum now = sums[i], before = old_sums[i];
        uint64_t more = now.calls > before.calls ? now.calls : before.calls;
        bool is_same = more - (now.calls + before.calls - more) <= more / PARTS;
        double ns = (double)now.self_ns + (double)before.self_ns;
        all_ns += ns;
        same_ns += is_same ? ns : 0;
        most_ns = fmax(most_ns, fabs((double)now.self_ns - (double)before.self_ns));
        called_count += more > 0;
        same_count += more > 0 && is_same;
    }
    double change_ns = (double)report_total_ns(report) - (double)old->tree->total_ns[TREE_ROOT];
    /* What one function made is its code's. */
    if (same_count == 0 || all_ns <= 0 || same_ns * PARTS < all_ns * LEAST_SHARE ||
        fabs(change_ns) * PARTS < all_ns / 2 * LEAST_CHANGE || most_ns * 2 > fabs(change_ns))
        return false;
    text_printf(sentence,
                "Same calls in %s of %s, %.0f%% of the time: if the code is the same, the computer "
                "made the difference",
                amount_count(same_count).at,
                amount_things(called_count, "function", "functions").at,
                100 * same_ns / all_ns);
    return true;
}

size_t judged_find(struct judged judged[JUDGED_MAX], const struct report *report)
{
    const struct report *old = report->old;
    SCOPED(text) ignored = {0};
    if (old == NULL || old->found == NULL)
        return 0;
    bool is_of_computer = report->repeated == NULL && judged_is_of_computer(report, &ignored);
    if (is_of_computer)
        return 0;
    double now_ticks = ticks_of(report->found);
    struct judging judging = {report,
                              report_function_sums(report, false),
                              report_function_sums(report, true),
                              now_ticks,
                              old->scaled != NULL ? now_ticks : ticks_of(old->found)};
    size_t count = judge_side(&judging, true, judged, 0);
    return judge_side(&judging, false, judged, count);
}

void judged_release(struct judged *judged, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_release(&judged[i].text);
}
