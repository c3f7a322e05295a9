/*
 * ticks.h - time and calls of each tick of the game, and statistics of the ticks.
 *
 * A recording of the sim is cut into ticks, one of the user interface into frames. The code calls
 * both ticks; only sentences say frame. A tick's time is the time of the profiled Lua in it: the
 * sum of all self times. It is kept for every tick; the self time of the most expensive functions
 * is kept for the longest ticks only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sim and the user interface have a Lua each: their times are never added up. */
enum lua_state {
    LUA_STATE_FIRST, /* that of the first recording */
    LUA_STATE_SIM,
    LUA_STATE_UI,
    LUA_STATE_COUNT
};

/* By state. */
extern const struct tick_kind {
    const char *one, *many, *title;
    int64_t limit_ns; /* the game wants one as often; longer ones are slow */
} tick_kinds[LUA_STATE_COUNT];

enum { TICKS_A_SECOND = 10 };

/* The game collects the garbage of the sim's Lua in every tick whose number this divides. */
enum { TICKS_A_COLLECTION = 70 };

/* The number of most expensive functions that are kept for one tick. */
enum { TICK_FUNCTIONS_MAX = 16 };

struct tick_function {
    uint32_t function; /* id in symbols.h */
    int64_t self_ns;
    uint64_t calls;
};

struct tick {
    int64_t number;  /* of the game */
    uint32_t weight; /* game ticks that it stands for; 0: it was recorded because it was slow */
    uint32_t recording;
    int64_t measured_ns; /* before the recording overhead was subtracted */
    int64_t time_ns;
    int64_t over_ns;   /* over the limit; negative: below */
    int64_t usual_ns;  /* that its calls usually take, at most its time; -1: not known, or it
                          depends on what they find: see prices.h */
    bool is_dear;      /* it took far longer than its calls usually do, and most of its functions
                          took longer */
    bool is_disturbed; /* the computer was slow, as far as can be told: of slow ticks of a report,
                          by the rule of report/figures/computer.h; of others, if it is dear */
    uint64_t calls;
    struct tick_function *functions; /* [function_count], most expensive first; NULL: not kept */
    size_t function_count;
    struct tick_self {
        uint32_t function;
        int64_t self_ns, units; /* units: measured, of the recording */
        uint64_t calls;
    } * all; /* [all_count], all functions; NULL: not kept */
    size_t all_count;
};

static inline bool tick_is_slow(const struct tick *tick)
{
    return tick->over_ns > 0;
}

/* All ticks of all recordings, by the number of the recording. All zero is empty. */
struct tick_list {
    struct tick *ticks; /* [count] */
    size_t count, capacity;
    enum lua_state state;
    int64_t limit_ns; /* longer ticks are slow */
    bool is_sampled;  /* they are a sample of the game's ticks */
};

/* How many of the game's ticks a tick of a list stands for. */
static inline uint32_t tick_list_weight(const struct tick_list *list, const struct tick *tick)
{
    return list->is_sampled ? tick->weight : 1;
}

/* Of the ticks of the game; an estimate where they were chosen by chance. */
size_t tick_list_game_count(const struct tick_list *list);

/*
 * How many ticks took longer: an estimate where they were chosen by chance, but at least those that
 * were recorded, as those that were recorded for being slow stand for no others.
 */
size_t tick_list_count_over(const struct tick_list *list, int64_t limit_ns);

/* Whether the game collects garbage in a tick; of frames, that is not known. */
bool tick_collects(const struct tick_list *list, int64_t number);

void tick_list_release(struct tick_list *list);

/*
 * The distance at which slow ticks come regularly: at least three quarters of the slow ticks of a
 * recording come that many ticks after the slow tick before them, in half of the time of all.
 */
struct tick_distance {
    int64_t ticks;      /* 0: they are not regular, or there are too few */
    size_t slow_count;  /* slow ticks */
    bool is_collection; /* the game collects garbage in these ticks */
};

struct tick_distance tick_distance_find(const struct tick_list *list);

/* How the ticks of a list compare with their limit. */
struct tick_statistics {
    size_t count; /* of the game's ticks; if they were chosen by chance, all sums are estimates */
    size_t row_count; /* of those of the list */
    int64_t total_ns;
    size_t over_count;      /* slow ticks: tick_list_count_over() */
    size_t over_row_count;  /* of those, those of the list */
    int64_t over_ns;        /* total time of slow ticks over the limit, at least of those listed */
    size_t disturbed_count; /* of those, by report/figures/computer.h; 0: not known of all */
    /* Of those that were chosen by chance, or all: how many there are, how many are slow, and which
       one stands for most of the game's time. */
    size_t sampled_count, sampled_over_count;
    const struct tick *largest;
    double largest_share;
    /* The time that half, 95 and 99 of 100 of the game's ticks do not exceed (nearest rank). */
    int64_t median_ns, percentile_95_ns, percentile_99_ns, longest_ns;
    const struct tick **worst; /* [row_count], the longest first */
    struct tick_distance distance;
};

/* The list must outlive the statistics. */
void tick_statistics_init(struct tick_statistics *statistics, const struct tick_list *list);

void tick_statistics_release(struct tick_statistics *statistics);

/* Which ticks --ticks-over takes, by their length. */
struct tick_choice {
    bool is_on;
    bool takes_others; /* those of another length */
    int64_t over_ns, up_to_ns;
    /* What it has found. */
    size_t count, chosen_count;
    int64_t longest_ns; /* of all ticks */
    int64_t outside_ns; /* time outside of ticks */
};

static inline bool tick_choice_has(const struct tick_choice *choice, int64_t time_ns)
{
    return (time_ns > choice->over_ns && time_ns <= choice->up_to_ns) != choice->takes_others;
}
