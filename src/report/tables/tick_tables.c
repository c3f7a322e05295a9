#include "report/tables/tick_tables.h"

#include "base/mem.h"
#include "report/figures/label_texts.h"
#include "report/sentences/amounts.h"
#include "report/sentences/next_option.h"
#include "report/sentences/subject.h"

#include <math.h>

/* Returns the ticks in order of number, then run, then list; a key is that of the number. */
static struct keyed *sort(const struct tick_list *list)
{
    struct keyed *sorted = mem_zeroed(list->count, sizeof *sorted);
    for (uint32_t i = 0; i < list->count; i++)
        sorted[i] = (struct keyed){list->ticks[i].recording, i};
    key_sort(sorted, list->count);
    for (size_t i = 0; i < list->count; i++)
        sorted[i].key = (uint64_t)list->ticks[sorted[i].item].number ^ (uint64_t)1 << 63;
    key_sort(sorted, list->count);
    return sorted;
}

static void add(struct tick_pairs *pairs, const struct tick *now, const struct tick *old)
{
    pairs->all[pairs->count++] = (struct tick_pair){now, old};
    if (now == NULL || old == NULL)
        return;
    pairs->same_count++;
    pairs->longer_count += now->time_ns > old->time_ns;
    pairs->shorter_count += now->time_ns < old->time_ns;
    pairs->now_ns += now->time_ns;
    pairs->old_ns += old->time_ns;
}

void tick_pairs_init(struct tick_pairs *pairs, const struct tick_list *now,
                     const struct tick_list *old)
{
    SCOPED_ARRAY struct keyed *now_sorted = sort(now), *old_sorted = sort(old);
    size_t i = 0, k = 0;
    *pairs = (struct tick_pairs){.all = mem_zeroed(now->count + old->count, sizeof *pairs->all)};
    while (i < now->count || k < old->count) {
        bool has_both = i < now->count && k < old->count;
        bool takes_now = k == old->count || (has_both && now_sorted[i].key <= old_sorted[k].key);
        bool takes_old = i == now->count || (has_both && old_sorted[k].key <= now_sorted[i].key);
        add(pairs,
            takes_now ? &now->ticks[now_sorted[i].item] : NULL,
            takes_old ? &old->ticks[old_sorted[k].item] : NULL);
        i += takes_now;
        k += takes_old;
    }
}

void tick_pairs_release(struct tick_pairs *pairs)
{
    free(pairs->all);
    *pairs = (struct tick_pairs){0};
}

/* Keeps only the pairs with both whose times differ, the largest change first. */
static void keep_changes(struct tick_pairs *pairs)
{
    SCOPED_ARRAY struct keyed *sorted = mem_zeroed(pairs->same_count, sizeof *sorted);
    struct tick_pair *kept = mem_zeroed(pairs->same_count, sizeof *kept);
    size_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const struct tick_pair *pair = &pairs->all[i];
        if (pair->now != NULL && pair->old != NULL && pair->now->time_ns != pair->old->time_ns)
            sorted[count++] =
                (struct keyed){~(uint64_t)llabs(pair->now->time_ns - pair->old->time_ns), i};
    }
    key_sort(sorted, count);
    for (size_t i = 0; i < count; i++)
        kept[i] = pairs->all[sorted[i].item];
    free(pairs->all);
    pairs->all = kept;
    pairs->count = count;
}

/* Columns: values of a tick, texts about it, values of all ticks, and of bins. */
enum { NONE, RUN, NUMBER, SECONDS, TIME, MEASURED, USUAL, CALLS, OVER, COLLECTION };
enum { OPTION = COLLECTION + 1, NAME, MOST, NEW_MOST };
enum { COUNT = NEW_MOST + 1, SLOW, OVERRUN, MEDIAN, AT_95, AT_99, LONGEST, TOTAL, EVERY };
enum { CHANGE = EVERY + 1, SIDE, FROM, TO, IN_BIN, BAR };
enum { DISTURBED = BAR + 1, OVER_COUNT, DISTURBED_COUNT, AT_COLLECTIONS };
enum { STANDS_FOR = AT_COLLECTIONS + 1, SAMPLED_COUNT, SAMPLED_OVER_COUNT, CALL };

static const struct column_info infos[] = {
    [RUN] = {NULL, "run", "run", TYPE_NUMBER, .text = "as in recordings"},
    [NUMBER] = {NULL, "tick", "tick", TYPE_NUMBER, .text = "number of the tick in the game"},
    [SECONDS] = {NULL,
                 "time",
                 "game_seconds",
                 TYPE_SECONDS,
                 .order = 2,
                 .may_be_unknown = true,
                 .text = "game time of the tick; null: of a frame"},
    [TIME] = {NULL,
              "",
              "time_ns",
              TYPE_SUM,
              .text = "time of the recorded Lua, with the recording overhead subtracted"},
    [MEASURED] = {NULL,
                  "measured",
                  "measured_ns",
                  TYPE_SUM,
                  .text = "time of the recorded Lua before the recording overhead was subtracted"},
    [USUAL] =
        {NULL,
         "usual",
         "usual_ns",
         TYPE_SUM,
         .order = 1,
         .may_be_unknown = true,
         .text =
             "time that the same calls usually take, in ticks that are not slow, at most its own; "
             "null: not known, or some calls took so much less that they have no usual time"},
    [CALLS] = {NULL, "calls", "calls", TYPE_COUNT, .order = 1},
    [OVER] = {NULL, "over", "over_ns", TYPE_SUM, .text = "time over budget_ns"},
    [COLLECTION] = {NULL,
                    "collection",
                    "collection",
                    TYPE_FLAG,
                    .text = "the game collects garbage in this tick"},
    [OPTION] = {NULL, "add to see it", "option", TYPE_TEXT, .order = 0},
    [NAME] = {NULL, "largest change", "name", TYPE_TEXT, .order = 0},
    [MOST] = {NULL, "most time in (self ms)", "most", TYPE_LABEL, .order = 0},
    [NEW_MOST] = {NULL, "most time in (new self ms)", "most", TYPE_LABEL, .order = 0},
    [CALL] = {NULL, "long call of", "call", TYPE_LABEL, .order = 0},
    [COUNT] = {NULL, "count", "count", TYPE_COUNT, .order = 1},
    [SLOW] = {NULL, "slow", "slow_ticks", TYPE_COUNT, .text = "ticks over budget_ns"},
    [OVERRUN] = {NULL,
                 "overrun",
                 "over_ns",
                 TYPE_SUM,
                 .order = 6,
                 .text = "time of these ticks over budget_ns, added up"},
    [MEDIAN] = {NULL, "median", "median_ns", TYPE_SUM, .order = 5},
    [AT_95] = {NULL, "95%", "percentile_95_ns", TYPE_SUM, .order = 3},
    [AT_99] = {NULL, "99%", "percentile_99_ns", TYPE_SUM, .order = 4},
    [LONGEST] = {NULL, "longest", "longest_ns", TYPE_SUM, .order = 7},
    [TOTAL] = {NULL, "total", "total_ns", TYPE_SUM, .order = 2},
    [EVERY] = {NULL,
               "slow every",
               "slow_every",
               TYPE_COUNT,
               .order = 1,
               .may_be_unknown = true,
               .text = "the distance at which slow ticks come; null: it is not regular"},
    [CHANGE] = {NULL, "what if", "text", TYPE_LABEL, .order = 0},
    [SIDE] = {NULL, "", "side", TYPE_LABEL, .order = 0},
    [FROM] = {NULL, "from", "from_ns", TYPE_SUM, .order = 0},
    [TO] = {NULL, "to", "to_ns", TYPE_SUM, .order = 0},
    [IN_BIN] = {NULL, "count", "count", TYPE_COUNT, .order = 0},
    [BAR] = {NULL, "", "bar", TYPE_LABEL, .order = 0},
    [DISTURBED] = {NULL,
                   NULL,
                   "disturbed",
                   TYPE_FLAG,
                   .text = "the tick took more than 3 times that, and most of its functions "
                           "longer than usual: probably the computer was slow"},
    [OVER_COUNT] = {NULL, NULL, "over_count", TYPE_COUNT, .text = "ticks over budget_ns"},
    [DISTURBED_COUNT] =
        {NULL,
         NULL,
         "disturbed_count",
         TYPE_COUNT,
         .text = "disturbed ticks over budget_ns; 0 if that is not known of all of them"},
    [AT_COLLECTIONS] =
        {NULL,
         NULL,
         "slow_at_collections",
         TYPE_FLAG,
         .text = "the slow ticks at this distance are those in which the game collects garbage"},
    [STANDS_FOR] =
        {NULL,
         NULL,
         "stands_for",
         TYPE_COUNT,
         NEEDS_SAMPLES,
         .text = "of chosen ticks: as how many of the game the tick counts in sums; 0: "
                 "it was recorded because it was slow"},
    [SAMPLED_COUNT] = {NULL,
                       NULL,
                       "sampled_count",
                       TYPE_COUNT,
                       NEEDS_SAMPLES,
                       .text = "of chosen ticks: how many were recorded; the other figures are "
                               "estimates for all ticks"},
    [SAMPLED_OVER_COUNT] = {NULL,
                            NULL,
                            "sampled_over_count",
                            TYPE_COUNT,
                            NEEDS_SAMPLES,
                            .text = "those of them over budget_ns"},
};

/* With one of these, a column is of a side of a comparison, or of their difference. */
enum { OLD = 64, NEW = 128, DIFFERENCE = 192, SIDES = 192 };

/* The columns of each table, by enum tick_table_kind; NONE ends them. */
static const uint8_t of_people[][TABLE_COLUMNS_MAX] = {
    [TICKS_EACH] = {OPTION, SECONDS, TIME, USUAL, CALLS, MOST},
    [TICKS_CHANGES] = {NAME, OLD | TIME, NEW | TIME, DIFFERENCE | TIME, NEW_MOST},
    [TICKS_WHAT_IF] = {SLOW, MEDIAN, AT_99, LONGEST, CHANGE},
    [TICKS_SIDES] = {COUNT, SLOW, OVERRUN, MEDIAN, AT_95, AT_99, LONGEST, TOTAL, EVERY, SIDE},
    [TICKS_BINS] = {FROM, TO, OLD | IN_BIN, NEW | IN_BIN, BAR},
    [TICKS_CALLS] = {OPTION, TIME, USUAL, CALL},
};

static const uint8_t of_json[][TABLE_COLUMNS_MAX] = {
    [TICKS_EACH] = {RUN,
                    NUMBER,
                    SECONDS,
                    TIME,
                    MEASURED,
                    CALLS,
                    OVER,
                    COLLECTION,
                    USUAL,
                    DISTURBED,
                    STANDS_FOR},
    [TICKS_OLD] = {RUN, NUMBER, SECONDS, TIME, MEASURED, CALLS, OVER, COLLECTION},
    [TICKS_WHAT_IF] = {SLOW, MEDIAN, AT_99, LONGEST},
    [TICKS_SIDES] = {COUNT,
                     TOTAL,
                     OVER_COUNT,
                     OVERRUN,
                     DISTURBED_COUNT,
                     MEDIAN,
                     AT_95,
                     AT_99,
                     LONGEST,
                     EVERY,
                     AT_COLLECTIONS,
                     SAMPLED_COUNT,
                     SAMPLED_OVER_COUNT},
};

static const uint8_t of_page[][TABLE_COLUMNS_MAX] = {
    [TICKS_EACH] = {RUN, NUMBER, TIME, USUAL, CALLS, DISTURBED},
    [TICKS_OLD] = {NUMBER, TIME},
};

static const uint8_t all_ticks[] = {
    RUN, NUMBER, SECONDS, TIME, MEASURED, CALLS, OVER, COLLECTION, NONE};

static const uint8_t pairs_of_sides[] = {NUMBER,
                                         SECONDS,
                                         OLD | RUN,
                                         NEW | RUN,
                                         OLD | TIME,
                                         NEW | TIME,
                                         DIFFERENCE | TIME,
                                         OLD | MEASURED,
                                         NEW | MEASURED,
                                         OLD | CALLS,
                                         NEW | CALLS,
                                         OLD | OVER,
                                         NEW | OVER,
                                         COLLECTION,
                                         NONE};

/* A value of the side that the cell is of, or the difference. */
static void put_value(struct cell *cell, struct column_value now, struct column_value old)
{
    bool is_difference = cell->aspect == ASPECT_DIFFERENCE;
    bool is_old = cell->aspect == ASPECT_OLD || (cell->aspect == ASPECT_BOTH && !now.is_known);
    cell->is_known = is_difference ? now.is_known && old.is_known : (is_old ? old : now).is_known;
    cell->number = is_difference ? now.number - old.number : (is_old ? old : now).number;
}

/* Ticks ------------------------------------------------------------------------------------- */

static struct column_value value_of(int kind, const struct profile *profile,
                                    const struct tick *tick)
{
    if (tick == NULL)
        return (struct column_value){0};
    bool is_ui = profile->ticks.state == LUA_STATE_UI;
    double seconds = recording_seconds(&profile->rebuilt[tick->recording], tick->number);
    int64_t run = profile->recordings.all[tick->recording].run;
    const int64_t numbers[] = {[RUN] = run,
                               [NUMBER] = tick->number,
                               [SECONDS] = llround(seconds * 1e9),
                               [TIME] = tick->time_ns,
                               [MEASURED] = tick->measured_ns,
                               [USUAL] = tick->usual_ns,
                               [CALLS] = (int64_t)tick->calls,
                               [OVER] = tick->over_ns > 0 ? tick->over_ns : 0,
                               [COLLECTION] = tick_collects(&profile->ticks, tick->number),
                               [DISTURBED] = tick->is_disturbed,
                               [STANDS_FOR] = tick->weight};
    /* Frames have no game time. */
    bool is_known = kind == SECONDS ? !is_ui : kind != USUAL || tick->usual_ns >= 0;
    return (struct column_value){is_known, numbers[kind]};
}

/* Appends the log, whether garbage is collected, and functions, in at most `room` columns. */
static void put_most(struct text *text, const struct report *report, const struct tick *tick,
                     size_t room)
{
    enum { FUNCTIONS = 5 };
    SCOPED(text) log = {0};
    /* The option before it has the run. */
    if (report->log_count > 1 || report->old != NULL)
        subject_put_log(&log, report, tick->recording, "");
    if (log.length > 0) {
        text_put_cut(text, text_span(&log), room == SIZE_MAX ? room : 1 + room / 3);
        text_put_string(text, ": ");
    }
    if (tick_collects(&report->profile->ticks, tick->number))
        text_put_string(text, "(garbage collection) ");
    size_t used = text_width(text_span(text));
    if (room != SIZE_MAX)
        room = room > used ? room - used : 1;
    tick_put_functions(text, report, tick, FUNCTIONS, room);
}

static void get_tick(const struct tick_table *ticks, size_t row, int kind, struct cell *cell)
{
    const struct report *report = ticks->report;
    const struct tick_pair *pair = &ticks->pairs.all[row];
    if (kind == OPTION)
        next_option_put_tick(&cell->text, report, pair->now);
    else if (kind == NAME)
        text_put_string(&cell->text, tick_name(report, pair->now).at);
    else if (kind == MOST || kind == NEW_MOST)
        put_most(&cell->text, report, pair->now, cell->room);
    else
        put_value(cell,
                  value_of(kind, report->profile, pair->now),
                  value_of(kind, report->old != NULL ? report->old->profile : NULL, pair->old));
}

static void init_ticks(struct tick_table *ticks, enum table_reader reader)
{
    enum { WANTED = 20, WANTED_WITH_LOG = 40 };
    const struct report *report = ticks->report;
    bool is_of_old = ticks->kind == TICKS_OLD;
    const struct tick_list *list = &(is_of_old ? report->old->profile : report->profile)->ticks;
    struct tick_pairs *pairs = &ticks->pairs;
    bool is_of_changes = ticks->kind == TICKS_CHANGES;
    if (report->old != NULL && (is_of_changes || reader == FOR_PROGRAMS)) {
        tick_pairs_init(pairs, list, &report->old->profile->ticks);
    } else if (!is_of_changes) {
        size_t limit = report->show.tick_limit;
        bool has_limit = reader == FOR_PROGRAMS && !is_of_old && report->show.has_tick_limit &&
                         limit != 0 && limit < list->count;
        size_t count = has_limit ? limit : list->count;
        bool is_by_length = reader == FOR_PEOPLE || report->has_objects || has_limit;
        pairs->all = mem_zeroed(count, sizeof *pairs->all);
        for (; pairs->count < count; pairs->count++) {
            struct tick_pair *pair = &pairs->all[pairs->count];
            *(is_of_old ? &pair->old : &pair->now) =
                is_by_length ? report->ticks.worst[pairs->count] : &list->ticks[pairs->count];
        }
    }
    if (is_of_changes)
        keep_changes(pairs);
    ticks->table.row_count = pairs->count;
    ticks->table.one = tick_kinds[list->state].one;
    ticks->table.many = tick_kinds[list->state].many;
    ticks->table.label_wanted = report->profile->recordings.count > 1 ? WANTED_WITH_LOG : WANTED;
}

/* All ticks --------------------------------------------------------------------------------- */

static struct column_value value_of_all(int kind, const struct tick_statistics *ticks)
{
    const int64_t numbers[] = {[COUNT] = (int64_t)ticks->count,
                               [SAMPLED_COUNT] = (int64_t)ticks->sampled_count,
                               [SAMPLED_OVER_COUNT] = (int64_t)ticks->sampled_over_count,
                               [SLOW] = (int64_t)ticks->over_count,
                               [OVERRUN] = ticks->over_ns,
                               [MEDIAN] = ticks->median_ns,
                               [AT_95] = ticks->percentile_95_ns,
                               [AT_99] = ticks->percentile_99_ns,
                               [LONGEST] = ticks->longest_ns,
                               [TOTAL] = ticks->total_ns,
                               [EVERY] = ticks->distance.ticks,
                               [OVER_COUNT] = (int64_t)ticks->over_count,
                               [DISTURBED_COUNT] = (int64_t)ticks->disturbed_count,
                               [AT_COLLECTIONS] = ticks->distance.is_collection};
    return (struct column_value){kind != EVERY || numbers[kind] > 0, numbers[kind]};
}

static void get_what_if(const struct tick_table *ticks, size_t row, int kind, struct cell *cell)
{
    const struct what_if_rows *rows = ticks->report->what_if;
    if (kind == CHANGE)
        text_put_clean(
            &cell->text, span_of(row > 0 ? rows->rows[row - 1].text : "(as it is)"), false);
    else
        put_value(cell,
                  value_of_all(kind, row > 0 ? &rows->rows[row - 1].then : &rows->now),
                  (struct column_value){0});
}

/* A row is a side, or the difference. */
static void get_side(const struct tick_table *ticks, size_t row, int kind, struct cell *cell)
{
    static const struct {
        enum column_aspect aspect;
        const char *name;
    } sides[TICK_SIDES] = {{ASPECT_OLD, "old"}, {ASPECT_NEW, "new"}, {ASPECT_DIFFERENCE, "change"}};
    const struct report *report = ticks->report;
    cell->aspect = sides[row].aspect;
    if (kind != SIDE)
        put_value(cell,
                  value_of_all(kind, &report->ticks),
                  value_of_all(kind, report->old != NULL ? &report->old->ticks : &report->ticks));
    else
        text_printf(&cell->text,
                    "%s%s",
                    sides[row].name,
                    row == 0 && report->old->scaled != NULL ? ", not scaled" : "");
}

/* Bins -------------------------------------------------------------------------------------- */

/* The narrowest bins of which `bin_max` hold all ticks. */
static int64_t width_for(int64_t longest_ns, size_t bin_max)
{
    static const int64_t factors[] = {2, 5, 10};
    for (int64_t unit_ns = 1000;; unit_ns *= 10)
        for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
            if (longest_ns / (unit_ns * factors[i]) < (int64_t)bin_max)
                return unit_ns * factors[i];
}

static void get_bin(const struct tick_table *ticks, size_t row, int kind, struct cell *cell)
{
    enum { BAR_MAX = 50 };
    size_t count = ticks->bins[row], room = cell->room < BAR_MAX ? cell->room : BAR_MAX;
    int64_t from_ns = (int64_t)row * ticks->bin_ns;
    /* A bin with a tick in it has a bar. */
    size_t bar = count == 0 ? 0 : (count * room + ticks->largest_bin - 1) / ticks->largest_bin;
    if (kind == IN_BIN)
        put_value(cell,
                  (struct column_value){true, (int64_t)count},
                  (struct column_value){true, (int64_t)ticks->old_bins[row]});
    else if (kind != BAR)
        cell->number = from_ns + (kind == TO ? ticks->bin_ns : 0);
    else
        for (; bar > 0; bar--)
            text_put_string(&cell->text,
                            from_ns < ticks->report->profile->ticks.limit_ns ? "#" : "!");
}

static void init_bins(struct tick_table *ticks)
{
    enum { LOW_HEIGHT = 30, LOW_BINS = 6, BAR_WANTED = 10 };
    const struct report *report = ticks->report;
    const struct tick_list *now = &report->profile->ticks, none = {0},
                           *old = report->old != NULL ? &report->old->profile->ticks : &none;
    bool is_low = report->height != 0 && report->height < LOW_HEIGHT;
    int64_t longest_ns = report->ticks.longest_ns;
    if (report->old != NULL && report->old->ticks.longest_ns > longest_ns)
        longest_ns = report->old->ticks.longest_ns;
    ticks->bin_ns = width_for(longest_ns, is_low ? LOW_BINS : TICK_BINS_MAX);
    for (size_t i = 0; i < now->count; i++) {
        size_t *bin = &ticks->bins[now->ticks[i].time_ns / ticks->bin_ns];
        size_t count = ++*bin;
        ticks->largest_bin = count > ticks->largest_bin ? count : ticks->largest_bin;
    }
    for (size_t i = 0; i < old->count; i++)
        ticks->old_bins[old->ticks[i].time_ns / ticks->bin_ns]++;
    ticks->table.label_wanted = BAR_WANTED;
    if (now->count > 0 || old->count > 0)
        ticks->table.row_count = (size_t)(longest_ns / ticks->bin_ns) + 1;
}

/* Interrupted calls -------------------------------------------------------------------------- */

static void get_call(const struct tick_table *ticks, size_t row, int kind, struct cell *cell)
{
    const struct report *report = ticks->report;
    const struct long_calls *calls = &report->long_calls;
    const struct long_call *call =
        &report->profile->durations.long_calls[calls->interrupted[row].item];
    const struct tick tick = {.number = call->tick, .recording = call->recording};
    if (kind == OPTION && call->tick >= 0)
        next_option_put_tick(&cell->text, report, &tick);
    else if (kind == CALL)
        function_label_put(&cell->text, &cell->place, report->labels, call->function);
    else
        cell->number = kind == TIME ? call->ns : calls->of[call->function].usual_ns;
}

/* Tables ------------------------------------------------------------------------------------ */

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct tick_table *ticks = table->of;
    int kind = (int)(column->info - infos);
    cell->is_known = true;
    if (ticks->kind == TICKS_WHAT_IF)
        get_what_if(ticks, row, kind, cell);
    else if (ticks->kind == TICKS_SIDES)
        get_side(ticks, row, kind, cell);
    else if (ticks->kind == TICKS_BINS)
        get_bin(ticks, row, kind, cell);
    else if (ticks->kind == TICKS_CALLS)
        get_call(ticks, row, kind, cell);
    else
        get_tick(ticks, row, kind, cell);
}

static bool has_column(const struct report *report, int kind, enum column_aspect aspect,
                       enum table_reader reader)
{
    const struct report *old = report->old;
    if (kind == SECONDS && reader == FOR_PEOPLE)
        return report->profile->ticks.state != LUA_STATE_UI;
    if (kind == EVERY && reader == FOR_PEOPLE)
        return report->ticks.distance.ticks > 0 || (old != NULL && old->ticks.distance.ticks > 0);
    return (aspect != ASPECT_OLD || old != NULL) && (kind != BAR || reader == FOR_PEOPLE);
}

static void add_columns(struct tick_table *ticks, const uint8_t *choices, enum table_reader reader)
{
    static const struct {
        enum column_aspect aspect;
        unsigned order;
    } sides[] = {{ASPECT_BOTH, 0}, {ASPECT_OLD, 1}, {ASPECT_NEW, 2}, {ASPECT_DIFFERENCE, 0}};
    for (; *choices != NONE; choices++) {
        const struct column_info *info = &infos[*choices & ~SIDES];
        enum column_aspect aspect = sides[*choices / OLD].aspect;
        if (has_column(ticks->report, *choices & ~SIDES, aspect, reader))
            table_add_column(
                &ticks->table, info, aspect, info->order + sides[*choices / OLD].order);
        if (info->type == TYPE_LABEL)
            ticks->table.label_title = info->title;
    }
}

static void add_known(struct table *table, const uint8_t *choices, bool has_samples)
{
    for (; *choices != NONE; choices++)
        if (has_samples || infos[*choices].needs != NEEDS_SAMPLES)
            table_add(table, &infos[*choices]);
}

void tick_table_add_json(struct table *table, enum tick_table_kind kind, bool has_samples)
{
    add_known(table, of_json[kind], has_samples);
}

void tick_table_init(struct tick_table *ticks, const struct report *report,
                     enum tick_table_kind kind, enum table_reader reader)
{
    static const char *const prefixes[] = {"new ", "old ", "change "};
    const struct what_if_rows *what_if = report->what_if;
    bool is_compared = report->old != NULL, is_list = kind <= TICKS_CHANGES;
    *ticks = (struct tick_table){.report = report, .kind = kind};
    ticks->table = (struct table){.get = get,
                                  .of = ticks,
                                  .unit = UNIT_MS,
                                  .decimals = tick_decimals(report),
                                  .is_compared = is_compared,
                                  .prefixes = is_compared ? prefixes : NULL};
    if (is_list)
        init_ticks(ticks, reader);
    else if (kind == TICKS_BINS)
        init_bins(ticks);
    else if (kind == TICKS_SIDES)
        ticks->table.row_count = is_compared ? TICK_SIDES : 0;
    else if (kind == TICKS_CALLS)
        ticks->table.row_count = is_compared ? 0 : (size_t)report->long_calls.count;
    else
        ticks->table.row_count = what_if != NULL ? what_if->count + 1 : 0;
    bool is_of_people = !is_list || reader == FOR_PEOPLE;
    if (reader == FOR_JSON || reader == FOR_PAGE)
        add_known(&ticks->table,
                  (reader == FOR_JSON ? of_json : of_page)[kind],
                  report->profile->ticks.is_sampled);
    else
        add_columns(ticks,
                    is_of_people  ? of_people[kind]
                    : is_compared ? pairs_of_sides
                                  : all_ticks,
                    reader);
}

void tick_table_release(struct tick_table *ticks)
{
    free(ticks->pairs.all);
}
