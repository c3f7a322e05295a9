#include "report/figures/sim_speed.h"

/* The narrowest columns that show the game in at most so many. */
static void choose_columns(struct sim_speed *speed, int64_t game_s, size_t columns_max)
{
    static const int64_t minutes[] = {1, 2, 5, 10, 20, 30, 60};
    size_t wanted = 0;
    while (wanted + 1 < sizeof minutes / sizeof minutes[0] &&
           game_s > 60 * minutes[wanted] * (int64_t)columns_max)
        wanted++;
    speed->column_s = 60 * minutes[wanted];
    while (game_s > speed->column_s * (int64_t)columns_max)
        speed->column_s *= 2;
    speed->column_count = (size_t)((game_s + speed->column_s - 1) / speed->column_s);
}

/* The speed between sample `i` and the next, -1 if it is not known, or not in samples of the game.
 */
static double speed_after(const struct sim_speed *speed, const struct game_log_sample *samples,
                          size_t i)
{
    const struct game_log_sample *a = &samples[i];
    if (i < speed->first || i + 1 >= speed->end || a->session_s < 0 || a[1].session_s < 0 ||
        a[1].session_s == a->session_s)
        return -1;
    return (double)(a[1].game_s - a->game_s) / (double)(a[1].session_s - a->session_s);
}

/* Whether the game stood still between sample `i` and the next, all the time or a part of it. */
static bool stands(const struct sim_speed *speed, const struct game_log_sample *samples, size_t i)
{
    const double MUCH_SLOWER = 0.25;
    double at = speed_after(speed, samples, i);
    double before = i > 0 ? speed_after(speed, samples, i - 1) : -1;
    double after = speed_after(speed, samples, i + 1);
    if (at == 0 || (at > 0 && samples[i + 1].has_wait))
        return true;
    if (at < 0 || at >= SPEED_SLOW)
        return false;
    return at < MUCH_SLOWER * before && at < MUCH_SLOWER * after;
}

/* Adds the time between a sample and the next to the columns; `real` is [column_count]. */
static void add_interval(struct sim_speed *speed, const struct game_log_sample *samples, size_t i,
                         double *real)
{
    const struct game_log_sample *a = &samples[i];
    int64_t game_s = a[1].game_s - a->game_s, session_s = a[1].session_s - a->session_s;
    int64_t start_s = samples[speed->first].game_s;
    if (a->session_s < 0 || a[1].session_s < 0)
        return;
    if (stands(speed, samples, i)) {
        speed->still_s += a->is_after_end ? 0 : session_s;
        speed->waited_s += a[1].has_wait ? session_s : 0;
        return;
    }
    if (game_s == 0)
        return;
    speed->moved_s += game_s;
    speed->session_s += session_s;
    for (int64_t from = a->game_s - start_s, left = game_s, part; left > 0;
         from += part, left -= part) {
        int64_t column = from / speed->column_s, to = (column + 1) * speed->column_s;
        part = left < to - from ? left : to - from;
        speed->columns[column] += (double)part;
        real[column] += (double)session_s * (double)part / (double)game_s;
    }
}

static void sum_up_heap(struct sim_speed *speed, const struct game_log *game_log)
{
    speed->heap_first = speed->heap_last = speed->heap_most = SIZE_MAX;
    for (size_t i = speed->first; i < speed->end; i++) {
        if (game_log->samples[i].heap < 0)
            continue;
        speed->heap_last = i;
        if (speed->heap_first == SIZE_MAX)
            speed->heap_first = speed->heap_most = i;
        if (game_log->samples[i].heap > game_log->samples[speed->heap_most].heap)
            speed->heap_most = i;
    }
}

/* Whether a speed is another than that of the columns before, more than whole seconds explain. */
static bool changes(double before, double speed)
{
    const double MUCH = 1.5;
    return before > 0 && (speed > MUCH * before || speed * MUCH < before);
}

/*
 * Makes speeds of sums of game time. Clocks are whole seconds, so columns with little real time are
 * joined, up to one that is much faster or slower: they have the speed of so many together that the
 * time is enough, or of the one before.
 */
static void divide_columns(struct sim_speed *speed, const double *real)
{
    double last = -1;
    for (size_t first = 0, end; first < speed->column_count; first = end) {
        double moved_s = speed->columns[first], real_s = real[first];
        for (end = first + 1;
             end < speed->column_count && real[first] > 0 && real[end] > 0 &&
             real_s < SPEED_REAL_LEAST_S && (last < 0 || real[end] < SPEED_REAL_LEAST_S) &&
             (!changes(last, speed->columns[end] / real[end]) ||
              changes(last, speed->columns[first] / real[first]));
             end++) {
            moved_s += speed->columns[end];
            real_s += real[end];
        }
        if (real_s >= SPEED_REAL_LEAST_S)
            last = moved_s / real_s;
        else if (real_s <= 0)
            last = -1;
        for (size_t i = first; i < end; i++)
            speed->columns[i] = last;
    }
}

static void find_slow(struct sim_speed *speed)
{
    for (size_t i = 0; i < speed->column_count; i++) {
        bool is_slow = speed->columns[i] < SPEED_SLOW;
        if (speed->columns[i] < 0)
            continue;
        speed->stays_slow = is_slow && (speed->stays_slow || speed->slow_count == 0);
        if (!is_slow)
            continue;
        if (speed->slow_count++ == 0)
            speed->slow_first = speed->slowest = i;
        if (speed->columns[i] < speed->columns[speed->slowest])
            speed->slowest = i;
    }
}

static void find_fall(struct sim_speed *speed)
{
    for (size_t i = 0; i < speed->column_count; i++)
        if (speed->columns[i] > speed->fastest)
            speed->fastest = speed->columns[i];
    if (speed->fastest <= 1 / SPEED_SLOW)
        return;
    for (size_t i = speed->column_count;
         i-- > 1 && speed->columns[i] < SPEED_FALLEN * speed->fastest;)
        if (speed->columns[i] >= 0)
            speed->falls_at = i;
}

bool sim_speed_next(struct sim_speed *speed, const struct game_log *game_log, size_t columns_max)
{
    double real[SPEED_COLUMNS_MAX] = {0};
    const struct game_log_sample *samples = game_log->samples;
    *speed = (struct sim_speed){.first = speed->end, .end = speed->end + 1};
    if (speed->first >= game_log->sample_count || game_log->report_lines > 0)
        return false;
    while (speed->end < game_log->sample_count && !samples[speed->end].begins)
        speed->end++;
    choose_columns(
        speed, samples[speed->end - 1].game_s - samples[speed->first].game_s, columns_max);
    for (size_t i = speed->first; i + 1 < speed->end; i++)
        add_interval(speed, samples, i, real);
    divide_columns(speed, real);
    find_slow(speed);
    find_fall(speed);
    sum_up_heap(speed, game_log);
    return true;
}

struct sim_speed sim_speed_longest(const struct game_log *game_log)
{
    struct sim_speed speed = {0}, longest = {0};
    while (sim_speed_next(&speed, game_log, SPEED_COLUMNS_MAX))
        if (speed.session_s > 0 && speed.moved_s > longest.moved_s)
            longest = speed;
    return longest;
}

struct sim_pace sim_speed_between(const struct sim_speed *speed, const struct game_log *game_log,
                                  int64_t from_s, int64_t to_s)
{
    struct sim_pace pace = {0};
    for (size_t i = speed->first; i + 1 < speed->end; i++) {
        const struct game_log_sample *a = &game_log->samples[i], *b = a + 1;
        int64_t from = a->game_s > from_s ? a->game_s : from_s;
        int64_t to = b->game_s < to_s ? b->game_s : to_s;
        if (a->session_s < 0 || b->session_s < 0 || to <= from ||
            stands(speed, game_log->samples, i))
            continue;
        pace.moved_s += (double)(to - from);
        pace.real_s += (double)(b->session_s - a->session_s) * (double)(to - from) /
                       (double)(b->game_s - a->game_s);
    }
    return pace;
}
