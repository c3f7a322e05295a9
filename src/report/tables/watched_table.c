#include "report/tables/watched_table.h"

#include "report/figures/label_texts.h"

#include <math.h>

enum { TOTAL, SHARE, RUNS, LONGEST, SLOW_TICKS, LABEL, COLUMNS };

static const struct column_info infos[COLUMNS] = {
    [TOTAL] = {.title = "total", .name = "total_ns", .type = TYPE_SUM},
    [SHARE] = {.title = "total%", .name = "total_percent", .type = TYPE_PERCENT, .order = 1},
    [RUNS] = {.title = "runs", .name = "runs", .type = TYPE_COUNT, .order = 2},
    [LONGEST] = {.title = "longest", .name = "longest_ns", .type = TYPE_SUM, .order = 3},
    [SLOW_TICKS] = {.title = "slow ticks", .name = "slow_ticks", .type = TYPE_COUNT, .order = 4},
    [LABEL] = {.name = "label", .type = TYPE_LABEL},
};

static const char others[] = "(others)";

void watched_table_get_label(const struct report *report, uint32_t function, struct cell *cell)
{
    cell->is_known = true;
    if (function == TREE_NONE)
        text_put_string(&cell->text, others);
    else
        function_label_put(&cell->text, &cell->place, report->labels, function);
}

bool watched_table_get_function(const struct report *report, uint32_t function,
                                const struct column_info *info, struct cell *cell)
{
    if (!table_get_function(report, function, info, cell))
        return false;
    if (function == TREE_NONE && cell->text.length > 0) {
        text_cut(&cell->text, 0);
        text_put_string(&cell->text, others);
    }
    return true;
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct watched_table *watched = table->of;
    const struct watched_thread *thread = &watched->threads.all[row];
    const int64_t numbers[] = {[TOTAL] = thread->time_ns,
                               [SHARE] = thread->time_ns,
                               [RUNS] = (int64_t)thread->wakes,
                               [LONGEST] = thread->longest_ns,
                               [SLOW_TICKS] = (int64_t)thread->slow_count};
    if (watched_table_get_function(watched->report, thread->function, column->info, cell))
        return;
    int kind = (int)(column->info - infos);
    if (kind == LABEL)
        watched_table_get_label(watched->report, thread->function, cell);
    else
        cell->number = numbers[kind];
    cell->is_known = kind != SLOW_TICKS || thread->slow_count > 0 ||
                     thread->function != TREE_NONE || watched->reader == FOR_JSON;
}

void watched_table_init(struct watched_table *watched, const struct report *report,
                        enum table_reader reader)
{
    static const int of_readers[][COLUMNS + 1] = {
        [FOR_PEOPLE] = {TOTAL, SHARE, RUNS, LONGEST, SLOW_TICKS, LABEL, COLUMNS},
        [FOR_PROGRAMS] = {TOTAL, RUNS, LONGEST, SLOW_TICKS, COLUMNS},
        [FOR_JSON] = {RUNS, TOTAL, LONGEST, SLOW_TICKS, COLUMNS},
        [FOR_PAGE] = {TOTAL, RUNS, LONGEST, SLOW_TICKS, LABEL, COLUMNS}};
    enum { LABEL_WANTED = 24, NAME_WIDTH_MAX = 32 };
    *watched = (struct watched_table){.report = report, .reader = reader};
    if (report->shows_watch)
        watched_threads_init(&watched->threads, report->profile);
    watched->table = (struct table){.row_count = watched->threads.count,
                                    .one = "function",
                                    .many = "functions",
                                    .get = get,
                                    .of = watched,
                                    .unit = UNIT_MS,
                                    .decimals = 1,
                                    .all_ns = watched->threads.time_ns,
                                    .label_title = "watched thread began in",
                                    .label_wanted = LABEL_WANTED,
                                    .name_width_max = NAME_WIDTH_MAX};
    table_add_function(&watched->table, reader);
    for (const int *kind = of_readers[reader]; *kind != COLUMNS; kind++)
        table_add(&watched->table, &infos[*kind]);
}

void watched_table_release(struct watched_table *watched)
{
    watched_threads_release(&watched->threads);
}

/* Ticks -------------------------------------------------------------------------------------- */

enum { RUN, NUMBER, SECONDS, TIME, LENGTH_COLUMNS };

static const struct column_info length_infos[LENGTH_COLUMNS] = {
    [RUN] = {.name = "run", .type = TYPE_NUMBER},
    [NUMBER] = {.name = "tick", .type = TYPE_NUMBER},
    [SECONDS] = {.name = "game_seconds", .type = TYPE_SECONDS},
    [TIME] = {.name = "time_ns", .type = TYPE_SUM},
};

static void get_length(const struct table *table, size_t row, const struct table_column *column,
                       struct cell *cell)
{
    const struct watched_lengths *lengths = table->of;
    const struct profile *profile = lengths->report->profile;
    const struct watched_length *length = &lengths->all[row];
    double seconds = recording_seconds(&profile->rebuilt[length->recording], length->number);
    const int64_t numbers[] = {[RUN] = profile->recordings.all[length->recording].run,
                               [NUMBER] = length->number,
                               [SECONDS] = llround(seconds * 1e9),
                               [TIME] = length->time_ns};
    int kind = (int)(column->info - length_infos);
    cell->number = numbers[kind];
    /* Frames have no game time. */
    cell->is_known = kind != SECONDS || profile->rebuild.state != LUA_STATE_UI;
}

void watched_lengths_init(struct watched_lengths *lengths, const struct report *report)
{
    struct watch_tick tick = {0};
    size_t capacity = 0;
    *lengths = (struct watched_lengths){.report = report};
    lengths->table = (struct table){
        .one = "tick", .many = "ticks", .get = get_length, .of = lengths, .unit = UNIT_MS};
    for (int i = 0; i < LENGTH_COLUMNS; i++)
        table_add(&lengths->table, &length_infos[i]);
    while (report->shows_watch && profile_next_watch_tick(report->profile, &tick)) {
        struct watched_length length = {tick.recording, tick.number, tick.length_ns};
        MEM_APPEND(lengths->all, lengths->table.row_count, capacity, length);
    }
}

void watched_lengths_release(struct watched_lengths *lengths)
{
    free(lengths->all);
}
