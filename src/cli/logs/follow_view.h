/*
 * follow_view.h - what --follow shows while a log is read: sums of what was read, and of the last
 * seconds of it.
 */
#pragma once

#include "cli/options/options.h"
#include "names/labels.h"
#include "profile/profile.h"
#include "profile/snapshot.h"

enum { FOLLOW_MARKS_MAX = 16 };

struct follow_view {
    /* To be set by the caller; the rest is 0 at first. */
    struct profile *profile;
    const struct options *options;
    const char *path;
    uint64_t byte_count; /* that were read so far */
    bool is_caught_up;   /* all that was there when the reading began was read */
    bool is_window;      /* shows the last seconds */
    bool must_draw;      /* at the next refresh */

    /* Private. */
    struct running_sums now;
    struct running_sums marks[FOLLOW_MARKS_MAX]; /* [mark_count] after catching up, oldest first */
    size_t mark_count;
    struct labels labels;
    uint64_t summed_bytes; /* when the sums were made */
    bool has_sums;
    size_t width, height;
    int64_t next_ns; /* the sums are not made again before that */
};

/* Draws the screen if it has changed, and its time has come. Fails if the terminal is gone. */
bool follow_view_refresh(struct follow_view *view);

/* Makes the sums again at the next refresh. */
void follow_view_hurry(struct follow_view *view);

void follow_view_release(struct follow_view *view);
