#include "profile/profile.h"

/* Whether nothing that was read before changes what is read of a log. */
static bool is_independent(const struct profile *profile, const struct profile *later)
{
    enum lua_state state = profile->rebuild.state, later_state = later->rebuild.state;
    bool is_of_state =
        state == LUA_STATE_FIRST || later_state == LUA_STATE_FIRST || state == later_state;
    return is_of_state && later->counts.time_ns <= INT64_MAX / 4 - profile->counts.time_ns &&
           later->counts.calls <= UINT64_MAX - profile->counts.calls;
}

void profile_counts_add(struct profile_counts *to, const struct profile_counts *from)
{
    to->records += from->records;
    to->calls += from->calls;
    to->time_ns += from->time_ns;
    to->damaged += from->damaged;
    if (from->has_lines)
        to->is_end_damaged = from->is_end_damaged;
    to->has_lines |= from->has_lines;
    to->untimed += from->untimed;
    to->events += from->events;
    to->other_runs += from->other_runs;
    to->other_state += from->other_state;
    to->timeless += from->timeless;
    to->runs += from->runs;
    to->bytes += from->bytes;
}

bool profile_join(struct profile *profile, struct profile *later)
{
    struct symbols *symbols = &profile->symbols;
    uint32_t first = (uint32_t)profile->recordings.count;
    profile_end_log(profile);
    profile_end_log(later);
    /* A log that could not be opened was not begun. */
    if (later->rebuilding == NULL)
        return true;
    if (!is_independent(profile, later))
        return false;
    if (profile->rebuilding == NULL)
        profile->rebuilding = rebuild_new(&profile->rebuild);
    SCOPED_ARRAY uint32_t *strings = mem_zeroed(later->symbols.strings.count, sizeof *strings);
    SCOPED_ARRAY uint32_t *functions = mem_zeroed(later->symbols.function_count, sizeof *functions);
    symbols_join(symbols, &later->symbols, strings, functions);
    if (!frames_are_alike(&profile->frames, &later->frames, functions) ||
        !rebuild_join(profile->rebuilding, later->rebuilding, first, functions))
        return false;
    frames_join(&profile->frames, &later->frames, functions);
    recordings_join(
        &profile->recordings, &later->recordings, strings, functions, profile->counts.runs);
    tree_builder_join(&profile->stacks, &later->stacks, functions);
    mounts_join(&profile->mounts, &later->mounts);
    hooks_join(&profile->hooks, &later->hooks);
    profile_take_game_logs(profile, later);
    profile_counts_add(&profile->counts, &later->counts);
    if (profile->rebuild.state == LUA_STATE_FIRST)
        profile->rebuild.state = later->rebuild.state;
    profile->read_fraction = later->read_fraction;
    profile->is_cancelled = later->is_cancelled;
    return true;
}
