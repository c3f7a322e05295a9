#include "report/sentences/other_game.h"

#include "report/sentences/amounts.h"
#include "report/sentences/wrap.h"
#include "tree/sums.h"

#include <math.h>

/* Names of maps or mods: as they are written, and without letter case. */
struct names {
    struct intern shown, keys;
};

static void names_release(struct names *names)
{
    intern_release(&names->shown);
    intern_release(&names->keys);
}

static void add_name(struct names *names, struct span name)
{
    SCOPED(text) key = {0};
    text_put_small(&key, name);
    intern_add_span(&names->shown, name);
    intern_add_span(&names->keys, text_span(&key));
}

/* Appends the names that another side does not have. */
static bool put_missing(struct text *text, const char *title, const struct names *names,
                        const struct names *other)
{
    enum { SHOWN_MAX = 3, BYTES_MAX = 40 };
    size_t count = 0;
    for (uint32_t i = 0; i < names->shown.count; i++) {
        SCOPED(text) key = {0};
        struct span name = intern_get(&names->shown, i);
        text_put_small(&key, name);
        if (intern_find(&other->keys, text_string(&key), key.length) != INTERN_NONE ||
            count++ >= SHOWN_MAX)
            continue;
        text_put_string(text, count == 1 ? title : ", ");
        text_put_clean(text, text_start(name, BYTES_MAX), false);
    }
    if (count > SHOWN_MAX)
        text_printf(text, " and %s more", amount_count(count - SHOWN_MAX).at);
    return count > 0;
}

/* Maps and mods ---------------------------------------------------------------------------- */

static void find_maps(struct names *names, const struct profile *profile)
{
    for (size_t i = 0; i < profile->game_logs.count; i++) {
        const struct intern *maps = &profile->game_logs.all[i].log.maps;
        for (uint32_t map = 0; map < maps->count; map++)
            add_name(names, intern_get(maps, map));
    }
}

static void put_maps(struct text *text, const struct report *report)
{
    SCOPED(names) now = {0};
    SCOPED(names) old = {0};
    SCOPED(text) said = {0};
    find_maps(&now, report->profile);
    find_maps(&old, report->old->profile);
    if (now.keys.count == 0 || old.keys.count == 0)
        return;
    /* A log may have several games, and one of them is enough. */
    bool is_new = put_missing(&said, "; map ", &now, &old);
    bool is_old = put_missing(&said, ", old ", &old, &now);
    if (is_new && is_old)
        text_put_span(text, text_span(&said));
}

/* A name without the version that may be at its end: " v11". */
static struct span without_version(struct span name)
{
    size_t end = name.length;
    while (end > 0 &&
           ((name.at[end - 1] >= '0' && name.at[end - 1] <= '9') || name.at[end - 1] == '.'))
        end--;
    bool is_version = end > 1 && end < name.length && name.at[end - 2] == ' ' &&
                      (name.at[end - 1] == 'v' || name.at[end - 1] == 'V');
    return is_version ? (struct span){name.at, end - 2} : name;
}

static bool has_mod_list(const struct profile *profile)
{
    for (size_t i = 0; i < profile->game_logs.count; i++)
        if (profile->game_logs.all[i].log.has_mods)
            return true;
    return false;
}

static void find_listed_mods(struct names *names, const struct profile *profile)
{
    for (size_t i = 0; i < profile->game_logs.count; i++) {
        const struct intern *mods = &profile->game_logs.all[i].log.mods;
        for (uint32_t mod = 0; mod < mods->count; mod++) {
            struct span name = without_version(intern_get(mods, mod));
            if (!span_starts_with(name, "supprof recorder"))
                add_name(names, name);
        }
    }
}

/* Finds the mods with some of the time of a side, and those whose functions were called at all. */
static void find_called_mods(struct names *names, struct names *called, const struct report *report,
                             bool is_old)
{
    enum { PARTS = 100 };
    static const char folder[] = "mods/";
    const struct labels *labels = report->labels;
    uint32_t count = report->profile->symbols.function_count;
    const struct tree *tree = is_old ? report->old->tree : report->tree;
    SCOPED_ARRAY int64_t *mod_ns = mem_zeroed(labels->texts.count, sizeof *mod_ns);
    for (uint32_t i = 0; i < count; i++) {
        struct span mod = labels_text(labels, labels->of[i].mod);
        if (!span_starts_with(mod, folder))
            continue;
        const struct sum *sum = &report_function_sums(report, is_old)[i];
        if (sum->calls == 0)
            continue;
        mod_ns[labels->of[i].mod] += sum->self_ns;
        add_name(called, span_from(mod, strlen(folder)));
    }
    for (uint32_t text = 0; text < labels->texts.count; text++)
        if (mod_ns[text] > 0 && mod_ns[text] >= tree->total_ns[TREE_ROOT] / PARTS)
            add_name(names, span_from(labels_text(labels, text), strlen(folder)));
}

static void put_mods(struct text *text, const struct report *report)
{
    SCOPED(names) now = {0};
    SCOPED(names) old = {0};
    SCOPED(names) called = {0};
    SCOPED(names) old_called = {0};
    bool has_lists = has_mod_list(report->profile) && has_mod_list(report->old->profile);
    if (has_lists) {
        find_listed_mods(&now, report->profile);
        find_listed_mods(&old, report->old->profile);
    } else if (!report->is_empty) {
        find_called_mods(&now, &called, report, false);
        find_called_mods(&old, &old_called, report, true);
    }
    bool is_new = put_missing(text, "; mods only new: ", &now, has_lists ? &old : &old_called);
    put_missing(
        text, is_new ? ", only old: " : "; mods only old: ", &old, has_lists ? &now : &called);
}

/* Recordings ------------------------------------------------------------------------------- */

/* The first and the last recording with ticks that are shown, by their game time. */
struct tick_range {
    const struct rebuilt_recording *first, *last;
};

static struct tick_range find_range(const struct profile *profile)
{
    struct tick_range range = {NULL, NULL};
    for (size_t i = 0; i < profile->recordings.count; i++) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[i];
        if (!rebuilt->is_there || !rebuilt->has_ticks || rebuilt->is_outside)
            continue;
        if (range.first == NULL || rebuilt->first_tick < range.first->first_tick)
            range.first = rebuilt;
        if (range.last == NULL || rebuilt->last_tick > range.last->last_tick)
            range.last = rebuilt;
    }
    return range;
}

static void put_ticks(struct text *text, const char *title, struct tick_range range)
{
    struct amount first = tick_game_time(recording_seconds(range.first, range.first->first_tick));
    struct amount last = tick_game_time(recording_seconds(range.last, range.last->last_tick));
    text_printf(text, "%s%s", title, first.at);
    if (strcmp(first.at, last.at) != 0)
        text_printf(text, " to %s", last.at);
}

static void put_ranges(struct text *text, const struct report *report)
{
    struct tick_range now = find_range(report->profile);
    struct tick_range old = find_range(report->old->profile);
    if (now.first == NULL || old.first == NULL || report->profile->rebuild.state == LUA_STATE_UI)
        return;
    double from = (double)now.first->first_tick, old_from = (double)old.first->first_tick;
    double to = (double)now.last->last_tick + 1, old_to = (double)old.last->last_tick + 1;
    double common = fmin(to, old_to) - fmax(from, old_from);
    if (2 * common >= fmax(to - from, old_to - old_from))
        return;
    put_ticks(text, "; ", now);
    put_ticks(text, " of the game, old ", old);
}

/* Whether at least half of the functions were called at most twice as often on one of the sides. */
static bool are_called_alike(const struct report *report)
{
    uint32_t count = report->profile->symbols.function_count;
    size_t called_count = 0, alike_count = 0;
    const struct sum *sums = report_function_sums(report, false);
    const struct sum *old_sums = report_function_sums(report, true);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t calls = sums[i].calls, old_calls = old_sums[i].calls;
        called_count += calls > 0 || old_calls > 0;
        alike_count +=
            (calls > 0 || old_calls > 0) && calls / 2 <= old_calls && old_calls / 2 <= calls;
    }
    return 2 * alike_count >= called_count;
}

static void put_percent(struct text *text, double percent)
{
    text_printf(text, percent < 10 ? "%.1f%%" : "%.0f%%", percent);
}

static void put_real_times(struct text *text, const struct report *report)
{
    const double least_percent = 5, factor = 10;
    double now = report_real_time_percent(report, false),
           old = report_real_time_percent(report, true);
    if (now < 0 || old < 0 || fmax(now, old) < least_percent ||
        fmax(now, old) < factor * fmin(now, old) || are_called_alike(report))
        return;
    text_put_string(text, "; Lua takes ");
    put_percent(text, now);
    text_put_string(text, " of the real time, old ");
    put_percent(text, old);
}

void other_game_put(struct text *text, const struct report *report)
{
    SCOPED(text) facts = {0};
    struct text sentence = {0};
    if (!report->compares_logs)
        return;
    put_maps(&facts, report);
    put_mods(&facts, report);
    if (!report->is_empty) {
        put_ranges(&facts, report);
        put_real_times(&facts, report);
    }
    if (facts.length == 0)
        return;
    text_put_string(&sentence,
                    "The games differ, so their times say little about a change of the code: ");
    text_put_span(&sentence, span_from(text_span(&facts), strlen("; ")));
    wrap_put_line(text, report->width, 2, &sentence);
}
