#include "rebuild/timeline_text.h"

#include "base/mem.h"
#include "base/text.h"
#include "read/frames.h"
#include "rebuild/event_play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_slice(struct text *text, const struct slice *slice)
{
    char piece[128];
    bool is_truncated = slice->function == TIMELINE_TRUNCATED;
    for (int i = 0; i < slice->depth; i++)
        text_put_string(text, ".");
    snprintf(piece, sizeof piece, "%c%s%" PRId64 "-%" PRId64 "%s%s%s ",
             is_truncated ? '+' : event_play_name(slice->function),
             slice->line == LINE_TAIL_CALL ? "~" : "", slice->begin_ns, slice->end_ns,
             slice->flags & SLICE_CONTINUED ? "<" : "", slice->flags & SLICE_UNFINISHED ? ">" : "",
             slice->flags & SLICE_FAILED ? "!" : "");
    text_put_string(text, piece);
}

char *timeline_describe(const struct timeline *timeline)
{
    struct text text = {0};
    char piece[128];
    for (size_t i = 0; i < timeline->tick_count; i++) {
        const struct timeline_tick *tick = &timeline->ticks[i];
        snprintf(piece, sizeof piece, "#%" PRId64 ":%" PRId64 "-%" PRId64 " ", tick->number,
                 tick->begin_ns, tick->end_ns);
        text_put_string(&text, piece);
    }
    for (size_t i = 0; i < timeline->track_count; i++) {
        const struct timeline_track *track = &timeline->tracks[i];
        snprintf(piece, sizeof piece,
                 track->is_coroutine ? "thread %" PRIu32 ": " : "main: ", track->thread);
        text_put_string(&text, piece);
        for (size_t k = 0; k < track->slices; k++)
            put_slice(&text, &timeline->slices[track->first_slice + k]);
    }
    char *copy = mem_copy(text_string(&text), text.length > 0 ? text.length - 1 : 0);
    text_release(&text);
    return copy;
}

static void check(bool is_true)
{
    if (!is_true)
        abort();
}

static void check_track(const struct timeline *timeline, const struct timeline_track *track)
{
    static int64_t ends[TIMELINE_DEPTH_MAX + 1]; /* [depth] of the last slice at each depth */
    size_t depth = 0;
    int64_t now = INT64_MIN;
    for (size_t i = 0; i < track->slices; i++) {
        const struct slice *slice = &timeline->slices[track->first_slice + i];
        check(slice->depth <= depth && slice->depth <= TIMELINE_DEPTH_MAX);
        check(slice->begin_ns >= now && slice->end_ns >= slice->begin_ns);
        check((slice->function == TIMELINE_TRUNCATED) == (slice->depth == TIMELINE_DEPTH_MAX));
        for (size_t above = slice->depth; above < depth; above++)
            check(ends[above] <= slice->begin_ns);
        for (size_t below = 0; below < slice->depth; below++)
            check(ends[below] >= slice->end_ns);
        ends[slice->depth] = slice->end_ns;
        depth = (size_t)slice->depth + 1;
        now = slice->begin_ns;
    }
}

struct busy {
    uint32_t recording;
    int64_t begin_ns, end_ns;
};

static int compare_busy(const void *a, const void *b)
{
    const struct busy *left = a, *right = b;
    if (left->recording != right->recording)
        return left->recording < right->recording ? -1 : 1;
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    return left->end_ns < right->end_ns ? -1 : left->end_ns > right->end_ns;
}

static void check_overlaps(const struct timeline *timeline)
{
    struct busy *busy = mem_zeroed(timeline->slice_count, sizeof *busy);
    size_t count = 0;
    for (size_t i = 0; i < timeline->slice_count; i++) {
        const struct slice *slice = &timeline->slices[i];
        if (slice->depth == 0)
            busy[count++] = (struct busy){timeline->tracks[slice->track].recording, slice->begin_ns,
                                          slice->end_ns};
    }
    qsort(busy, count, sizeof *busy, compare_busy);
    for (size_t i = 1; i < count; i++)
        check(busy[i].recording != busy[i - 1].recording || busy[i].begin_ns >= busy[i - 1].end_ns);
    free(busy);
}

void timeline_check(const struct timeline *timeline)
{
    size_t count = 0;
    for (size_t i = 0; i < timeline->track_count; i++) {
        const struct timeline_track *track = &timeline->tracks[i];
        check(track->first_slice == count && track->slices > 0);
        count += track->slices;
        check_track(timeline, track);
    }
    check(count == timeline->slice_count && count <= TIMELINE_SLICES_MAX);
    for (size_t i = 0; i < timeline->tick_count; i++)
        check(timeline->ticks[i].begin_ns <= timeline->ticks[i].end_ns);
    check_overlaps(timeline);
}

uint32_t timeline_count_differences(const struct timeline *timeline, const struct tree *tree,
                                    uint32_t function_count, uint32_t recorder)
{
    static const struct slice *open[TIMELINE_DEPTH_MAX + 1]; /* [depth] */
    int64_t *self_ns = mem_zeroed(function_count, sizeof *self_ns);
    int64_t *calls = mem_zeroed(function_count, sizeof *calls);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        self_ns[tree->calls[node].function] -= tree->self_ns[node];
        calls[tree->calls[node].function] -= (int64_t)tree->call_counts[node];
    }
    for (size_t i = 0; i < timeline->slice_count; i++) {
        const struct slice *slice = &timeline->slices[i];
        open[slice->depth] = slice;
        self_ns[slice->function] += slice->end_ns - slice->begin_ns;
        calls[slice->function] += !(slice->flags & SLICE_CONTINUED);
        if (slice->depth > 0)
            self_ns[open[slice->depth - 1]->function] -= slice->end_ns - slice->begin_ns;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < function_count; i++)
        count += i != recorder && (self_ns[i] != 0 || calls[i] != 0);
    free(self_ns);
    free(calls);
    return count;
}
