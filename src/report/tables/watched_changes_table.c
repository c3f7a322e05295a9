#include "report/tables/watched_changes_table.h"

#include "report/tables/watched_table.h"

#include <math.h>

enum { TICK, RUNS, LONGEST, SLOW_TICKS, LABEL, COLUMNS };

static const struct column_info infos[COLUMNS] = {
    [TICK] = {.title = "tick", .name = "tick_ns", .text = "in a tick", .type = TYPE_SUM},
    [RUNS] = {.title = "runs", .name = "runs", .type = TYPE_COUNT},
    [LONGEST] = {.title = "longest", .name = "longest_ns", .type = TYPE_SUM},
    [SLOW_TICKS] = {.title = "slow ticks",
                    .name = "slow_ticks",
                    .text = "of which its threads took the most",
                    .type = TYPE_COUNT,
                    .may_be_unknown = true},
    [LABEL] = {.name = "label", .type = TYPE_LABEL},
};

static void get_tick(const struct watched_change *change, enum column_aspect aspect,
                     struct cell *cell)
{
    double ns = change->now_ns - change->old_ns;
    cell->is_known = true;
    if (aspect == ASPECT_PERCENT) {
        cell->real = change->old_ns > 0 ? 100 * ns / change->old_ns : 0;
        cell->is_known = change->old_ns > 0;
        cell->word = change->old == NULL ? "new" : NULL;
    } else {
        cell->number = llround(aspect == ASPECT_OLD          ? change->old_ns
                               : aspect == ASPECT_DIFFERENCE ? ns
                                                             : change->now_ns);
    }
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct watched_changes_table *watched = table->of;
    const struct watched_change *change = &watched->changes.all[row];
    static const struct watched_thread none;
    const struct watched_thread *thread = column->aspect == ASPECT_OLD ? change->old : change->now;
    thread = thread != NULL ? thread : &none;
    const int64_t numbers[COLUMNS] = {[RUNS] = (int64_t)thread->wakes,
                                      [LONGEST] = thread->longest_ns,
                                      [SLOW_TICKS] = (int64_t)thread->slow_count};
    int kind = (int)(column->info - infos);
    if (watched_table_get_function(watched->report, change->function, column->info, cell))
        return;
    if (column->info == &infos[TICK]) {
        get_tick(change, column->aspect, cell);
    } else if (column->info == &infos[LABEL]) {
        watched_table_get_label(watched->report, change->function, cell);
    } else {
        cell->number = numbers[kind];
        cell->is_known = kind != SLOW_TICKS || change->function != TREE_NONE;
    }
}

/* JSON has the values of the old side in an object. */
static void add_for_json(struct table *table)
{
    for (int kind = TICK; kind <= SLOW_TICKS; kind++)
        table_add_column(table, &infos[kind], ASPECT_NEW, 0);
    for (int kind = TICK; kind <= SLOW_TICKS; kind++)
        table_add_column(table, &infos[kind], ASPECT_OLD, 0);
}

static void add(struct table *table, int kind, enum table_reader reader)
{
    table_add_column(table, &infos[kind], ASPECT_OLD, (unsigned)kind);
    table_add_column(table, &infos[kind], ASPECT_NEW, (unsigned)kind);
    if (kind != TICK)
        return;
    table_add_column(table, &infos[kind], ASPECT_DIFFERENCE, 0);
    if (reader != FOR_PAGE)
        table_add_column(table, &infos[kind], ASPECT_PERCENT, reader == FOR_PEOPLE);
}

void watched_changes_table_init(struct watched_changes_table *watched, const struct report *report,
                                enum table_reader reader)
{
    enum { LABEL_WANTED = 24, NAME_WIDTH_MAX = 32 };
    static const char *const prefixes[] = {"new ", "old ", "diff "};
    *watched = (struct watched_changes_table){.report = report};
    if (report->compares_watches)
        watched_changes_init(&watched->changes, report);
    watched->table = (struct table){.row_count = watched->changes.count,
                                    .one = "function",
                                    .many = "functions",
                                    .get = get,
                                    .of = watched,
                                    .unit = UNIT_MS,
                                    .decimals = 3,
                                    .is_compared = true,
                                    .prefixes = prefixes,
                                    .label_title = "watched thread began in",
                                    .label_wanted = LABEL_WANTED,
                                    .name_width_max = NAME_WIDTH_MAX};
    table_add_function(&watched->table, reader);
    if (reader == FOR_JSON) {
        add_for_json(&watched->table);
        return;
    }
    add(&watched->table, TICK, reader);
    if (reader == FOR_PROGRAMS) {
        add(&watched->table, RUNS, reader);
        add(&watched->table, LONGEST, reader);
    }
    add(&watched->table, SLOW_TICKS, reader);
    if (reader != FOR_PROGRAMS)
        table_add(&watched->table, &infos[LABEL]);
}

void watched_changes_table_release(struct watched_changes_table *watched)
{
    watched_changes_release(&watched->changes);
}
