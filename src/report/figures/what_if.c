#include "report/figures/what_if.h"

#include "base/number.h"
#include "base/sort.h"

#include <math.h>

bool what_if_parse(struct what_if *what_if, const char *text, struct error *err)
{
    enum { FACTOR_MAX = 1000000 };
    const char *slash = strrchr(text, '/'), *star = strrchr(text, '*');
    const char *sign = star != NULL && (slash == NULL || star > slash) ? star : slash;
    *what_if = (struct what_if){.text = text};
    int64_t billionths;
    /* number_seconds() reads a decimal number, and no other. */
    if (sign == NULL || sign == text || strspn(sign + 1, "0123456789.") < strlen(sign + 1) ||
        !number_seconds(span_of(sign + 1), &billionths))
        return error_set(err,
                         "give a pattern and what its time is divided by, such as "
                         "'BuildThreatMap/2', or multiplied by, such as 'BuildThreatMap*0'");
    double number = (double)billionths / 1e9;
    if (number > FACTOR_MAX || (sign == slash && number == 0))
        return error_set(err, "a time cannot be divided by '%s'; '*0' makes it nothing", sign + 1);
    what_if->factor = sign == slash ? 1 / number : number;
    struct span pattern = {text, (size_t)(sign - text)}, total = span_of("total(");
    what_if->is_total = pattern.length > total.length && sign[-1] == ')' &&
                        memcmp(text, total.at, total.length) == 0;
    if (what_if->is_total)
        pattern = (struct span){text + total.length, pattern.length - total.length - 1};
    what_if->pattern = pattern_new(pattern, err);
    return what_if->pattern != NULL;
}

void what_if_apply(const struct what_if *what_if, const uint8_t *matches, size_t function_count,
                   const struct tree *tree, double *factors)
{
    if (tree == NULL) {
        for (size_t i = 0; i < function_count; i++)
            factors[i] *= matches[i] ? what_if->factor : 1;
        return;
    }
    SCOPED_ARRAY bool *is_faster = mem_zeroed(tree->node_count, sizeof *is_faster);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        is_faster[node] = matches[call->function] || (what_if->is_total && is_faster[call->parent]);
        factors[node] *= is_faster[node] ? what_if->factor : 1;
    }
}

static bool is_of_computer(const struct tick *tick)
{
    return tick_is_slow(tick) && tick->is_disturbed;
}

/* The time of a tick as it counts here. */
static int64_t tick_ns(const struct tick *tick)
{
    return is_of_computer(tick) ? tick->usual_ns : tick->time_ns;
}

/* The self time of a function of a tick, as it counts here. */
static double self_of(const struct tick *tick, size_t i)
{
    double share = is_of_computer(tick) ? (double)tick->usual_ns / (double)tick->time_ns : 1;
    return (double)tick->all[i].self_ns * share;
}

/* What the parts of a tick took that factors are for: functions, or nodes of a tree. */
struct tick_parts {
    const struct tick_list *list;
    const struct tick_changes *changes; /* NULL: functions */
};

static size_t parts_first(const struct tick_parts *parts, size_t i)
{
    return parts->changes != NULL && i > 0 ? parts->changes->ends[i - 1] : 0;
}

static size_t parts_end(const struct tick_parts *parts, size_t i)
{
    return parts->changes != NULL ? parts->changes->ends[i] : parts->list->ticks[i].all_count;
}

static uint32_t part_id(const struct tick_parts *parts, size_t i, size_t k)
{
    return parts->changes != NULL ? parts->changes->all[k].node
                                  : parts->list->ticks[i].all[k].function;
}

/* What a node took is a part of the tick's time, as that counts here. */
static double part_ns(const struct tick_parts *parts, size_t i, size_t k)
{
    const struct tick *tick = &parts->list->ticks[i];
    if (parts->changes == NULL)
        return self_of(tick, k);
    double share = tick->time_ns > 0 ? (double)tick_ns(tick) / (double)tick->time_ns : 0;
    return (double)parts->changes->all[k].self_ns * share;
}

/* The time of a tick that saves so much. */
static double without(const struct tick *tick, double saved_ns)
{
    return (double)number_nearest(fmax((double)tick_ns(tick) - saved_ns, 0));
}

struct tick_statistics what_if_times(const struct tick_list *list,
                                     const struct tick_changes *changes, const double *factors)
{
    const struct tick_parts parts = {list, changes};
    struct tick_statistics times = {0};
    size_t count = list->count;
    SCOPED_ARRAY double *all_ns = mem_zeroed(count, sizeof *all_ns);
    for (size_t i = 0; i < count; i++) {
        double saved_ns = 0;
        for (size_t k = parts_first(&parts, i); factors != NULL && k < parts_end(&parts, i); k++)
            saved_ns += (1 - factors[part_id(&parts, i, k)]) * part_ns(&parts, i, k);
        all_ns[i] = without(&list->ticks[i], saved_ns);
        times.over_count += all_ns[i] > (double)list->limit_ns;
    }
    if (count > 0) {
        number_sort(all_ns, count);
        times.median_ns = (int64_t)all_ns[number_rank(count, 50)];
        times.percentile_99_ns = (int64_t)all_ns[number_rank(count, 99)];
        times.longest_ns = (int64_t)all_ns[count - 1];
    }
    return times;
}

/* Times of ticks, of which some change. */
struct changed_times {
    const double *all; /* [count], sorted, before the change */
    size_t count;
    double *before, *after; /* [changed_count], sorted: those that change */
    size_t changed_count;
};

/* The time after the change that so many others are longer than, or come before. */
static int64_t time_after(const struct changed_times *changed, size_t others)
{
    size_t all = changed->count, before = changed->changed_count, after = before;
    for (;; others--) {
        /* What changes is not what it was. */
        for (; before > 0 && changed->all[all - 1] == changed->before[before - 1]; all--)
            before--;
        bool is_changed =
            after > 0 && (all == 0 || changed->after[after - 1] >= changed->all[all - 1]);
        double ns = is_changed ? changed->after[--after] : changed->all[--all];
        if (others == 0)
            return (int64_t)ns;
    }
}

/* What a group of functions took of a tick. */
struct group_time {
    size_t tick;
    double ns;
};

/* The times of groups, by group and then by tick. */
struct group_times {
    struct group_time *all;
    size_t *ends;  /* [group count]: where those of the group end */
    size_t *first; /* [group count] */
};

static struct group_times find_group_times(const struct tick_parts *parts, const uint32_t *group_of,
                                           uint32_t group_count)
{
    const struct tick_list *list = parts->list;
    struct group_times times = {.ends = mem_zeroed(group_count + 1, sizeof *times.ends),
                                .first = mem_zeroed(group_count + 1, sizeof *times.first)};
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = parts_first(parts, i); k < parts_end(parts, i); k++)
            times.first[group_of[part_id(parts, i, k)]]++;
    size_t count = 0;
    for (uint32_t group = 0; group < group_count; group++) {
        count += times.first[group];
        times.first[group] = times.ends[group] = count - times.first[group];
    }
    times.all = mem_zeroed(count, sizeof *times.all);
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = parts_first(parts, i); k < parts_end(parts, i); k++) {
            uint32_t group = group_of[part_id(parts, i, k)];
            if (group == group_count)
                continue;
            size_t *end = &times.ends[group];
            if (*end == times.first[group] || times.all[*end - 1].tick != i)
                times.all[(*end)++].tick = i;
            times.all[*end - 1].ns += part_ns(parts, i, k);
        }
    return times;
}

void what_if_without(const struct tick_list *list, const struct tick_changes *changes,
                     const uint32_t *group_of, uint32_t group_count, struct tick_statistics *times)
{
    struct group_times of =
        find_group_times(&(struct tick_parts){list, changes}, group_of, group_count);
    size_t count = list->count;
    SCOPED_ARRAY double *all_ns = mem_zeroed(count, sizeof *all_ns);
    SCOPED_ARRAY double *before_ns = mem_zeroed(count, sizeof *before_ns);
    SCOPED_ARRAY double *after_ns = mem_zeroed(count, sizeof *after_ns);
    double limit_ns = (double)list->limit_ns;
    size_t over_count = 0;
    for (size_t i = 0; i < count; i++) {
        all_ns[i] = without(&list->ticks[i], 0);
        over_count += all_ns[i] > limit_ns;
    }
    number_sort(all_ns, count);
    for (uint32_t group = 0; count > 0 && group < group_count; group++) {
        struct changed_times changed = {
            .all = all_ns, .count = count, .before = before_ns, .after = after_ns};
        times[group].over_count = over_count;
        for (size_t i = of.first[group]; i < of.ends[group]; i++) {
            const struct tick *tick = &list->ticks[of.all[i].tick];
            double before = without(tick, 0), after = without(tick, of.all[i].ns);
            times[group].over_count += after > limit_ns;
            times[group].over_count -= before > limit_ns;
            before_ns[changed.changed_count] = before;
            after_ns[changed.changed_count++] = after;
        }
        number_sort(before_ns, changed.changed_count);
        number_sort(after_ns, changed.changed_count);
        times[group].percentile_99_ns = time_after(&changed, count - 1 - number_rank(count, 99));
        times[group].longest_ns = time_after(&changed, 0);
    }
    MEM_FREE(of.all, of.ends, of.first);
}

struct tick_statistics what_if_of_one(const struct what_if *what_if, uint32_t function,
                                      const struct profile *profile)
{
    size_t function_count = profile->symbols.function_count;
    SCOPED_ARRAY uint8_t *matches = mem_zeroed(function_count, 1);
    SCOPED_ARRAY double *factors = mem_zeroed(profile->tree.node_count, sizeof *factors);
    for (uint32_t node = 0; node < profile->tree.node_count; node++)
        factors[node] = 1;
    matches[function] = 1;
    what_if_apply(what_if, matches, function_count, &profile->tree, factors);
    return what_if_times(&profile->ticks, &profile->changes, factors);
}

/* By how much a tick is over the limit with the time that counts here; negative: it is not slow. */
static int64_t over_ns_of(const struct tick *tick)
{
    return tick->over_ns - tick->time_ns + tick_ns(tick);
}

/* Adds up what all functions took in the slow ticks. Fails if that was not kept. */
static bool sum_slow(const struct tick_list *list, double *sums, size_t *slow_count)
{
    *slow_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        if (over_ns_of(tick) <= 0)
            continue;
        ++*slow_count;
        if (tick->all == NULL)
            return false;
        for (size_t k = 0; k < tick->all_count; k++)
            sums[tick->all[k].function] += self_of(tick, k);
    }
    return *slow_count > 0;
}

/* Counts the slow ticks that are left without a part of the time of one function. */
static struct what_if_best try_function(const struct tick_list *list, uint32_t function)
{
    struct what_if_best found = {.function = function, .least_share = 1};
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        double self_ns = 0, over_ns = (double)over_ns_of(tick);
        if (over_ns_of(tick) <= 0)
            continue;
        for (size_t k = 0; k < tick->all_count; k++)
            self_ns += tick->all[k].function == function ? self_of(tick, k) : 0;
        found.slow_count++;
        found.saved_ns += fmin(self_ns / 2, over_ns);
        found.left_by_half += self_ns / 2 < over_ns;
        found.left_by_none += self_ns < over_ns;
        found.least_share = fmin(found.least_share, 1 - over_ns / fmax(self_ns, over_ns));
    }
    return found;
}

static bool is_better(const struct what_if_best *a, const struct what_if_best *b)
{
    if (a->left_by_half != b->left_by_half)
        return a->left_by_half < b->left_by_half;
    return a->left_by_none < b->left_by_none;
}

bool what_if_find_best(struct what_if_best *best, const struct tick_list *list,
                       const uint8_t *is_left_out, size_t function_count)
{
    SCOPED_ARRAY double *sums = mem_zeroed(function_count, sizeof *sums);
    SCOPED_ARRAY struct keyed *keyed = mem_zeroed(function_count, sizeof *keyed);
    size_t count = 0, slow_count;
    bool is_known = sum_slow(list, sums, &slow_count);
    for (uint32_t i = 0; i < function_count; i++)
        if (sums[i] > 0 && !is_left_out[i])
            keyed[count++] = (struct keyed){~key_of_double(sums[i]), i};
    key_sort(keyed, count);
    for (size_t i = 0; is_known && i < count && i < WHAT_IF_MAX; i++) {
        struct what_if_best found = try_function(list, keyed[i].item);
        if (i == 0 || is_better(&found, best))
            *best = found;
    }
    return is_known && count > 0;
}

void what_if_rows_init(struct what_if_rows *rows, const struct tick_list *list, size_t count)
{
    *rows = (struct what_if_rows){.now = what_if_times(list, NULL, NULL),
                                  .rows = mem_zeroed(count, sizeof *rows->rows)};
    for (size_t i = 0; i < list->count; i++)
        rows->computer_count += is_of_computer(&list->ticks[i]);
}
