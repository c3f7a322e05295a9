#include "read/game_log.h"

#include "base/number.h"
#include "platform/bytes.h"

void game_log_release(struct game_log *game_log)
{
    free(game_log->samples);
    free(game_log->errors);
    free(game_log->links);
    free(game_log->game_ends);
    free(game_log->waits);
    free(game_log->timers);
    free(game_log->other_rows);
    text_release(&game_log->mark);
    text_release(&game_log->held);
    text_release(&game_log->stack);
    text_release(&game_log->mod);
    text_release(&game_log->key);
    intern_release(&game_log->rows);
    intern_release(&game_log->link_keys);
    intern_release(&game_log->texts);
    intern_release(&game_log->mods);
    intern_release(&game_log->maps);
    intern_release(&game_log->others);
    intern_release(&game_log->other_paths);
    *game_log = (struct game_log){0};
}

/* Takes a line, without its end and the quote marks around it. */
static struct span take_line(struct span *lines)
{
    struct span line = span_take(lines, '\n');
    line.length -= span_ends_with(line, "\r");
    bool is_quoted = line.length > 1 && line.at[0] == '"' && span_ends_with(line, "\"");
    return is_quoted ? (struct span){line.at + 1, line.length - 2} : line;
}

/* "00:12:30" */
static int64_t read_clock(struct span text)
{
    int64_t seconds = 0, part = 0;
    for (size_t i = 0; i < text.length; i++) {
        bool is_digit = text.at[i] != ':';
        seconds = is_digit ? seconds : 60 * (seconds + part);
        part = is_digit ? 10 * part + text.at[i] - '0' : 0;
    }
    return text.length == 0 ? -1 : seconds + part;
}

/* "288.0M" */
static double read_size(struct span text)
{
    static const char units[] = "BKMG";
    int64_t billionths;
    if (text.length == 0 || !number_seconds((struct span){text.at, text.length - 1}, &billionths))
        return -1;
    double size = (double)billionths / 1e9;
    for (const char *unit = units; *unit != text.at[text.length - 1]; unit++)
        size *= 1024;
    return size;
}

static const struct game_log_sample *last_sample(const struct game_log *game_log)
{
    return game_log->sample_count > 0 ? &game_log->samples[game_log->sample_count - 1] : NULL;
}

static int64_t present_s(const struct game_log *game_log)
{
    const struct game_log_sample *last = last_sample(game_log);
    return last != NULL ? last->game_s : -1;
}

static void add_sample(struct game_log *game_log, struct game_log_sample added)
{
    const struct game_log_sample *last = last_sample(game_log);
    added.begins = last == NULL || added.game_s < last->game_s || added.session_s < last->session_s;
    added.is_after_end = !added.begins && last->is_after_end;
    added.has_wait = game_log->has_wait;
    game_log->has_wait = false;
    if (added.begins) {
        game_log->heap = -1;
        game_log->past_end_count = last != NULL ? game_log->end_count : 0;
    }
    game_log->heap = added.heap >= 0 ? added.heap : game_log->heap;
    /* The last lines of a log come after what has ended the game. */
    if (game_log->report_lines > 0 && game_log->end_count > 0 && added.heap >= 0)
        game_log->game_ends[game_log->end_count - 1].heap = added.heap;
    MEM_APPEND(game_log->samples, game_log->sample_count, game_log->sample_capacity, added);
}

static void add_end(struct game_log *game_log, enum game_line kind,
                    const struct span fields[GRAMMAR_FIELDS_MAX])
{
    bool has_sample = game_log->sample_count > 0;
    struct game_log_end end = {
        .kind = kind, .game_s = present_s(game_log), .heap = has_sample ? game_log->heap : -1};
    if (has_sample && kind != LINE_DESYNC)
        game_log->samples[game_log->sample_count - 1].is_after_end = true;
    for (size_t i = game_log->past_end_count; i < game_log->end_count; i++)
        if (game_log->game_ends[i].kind == kind)
            return;
    if (kind == LINE_DESYNC)
        number_count(fields[0], &end.beat);
    end.what = intern_add_span(&game_log->texts, fields[0]);
    end.where = intern_add_span(&game_log->texts, fields[1]);
    MEM_APPEND(game_log->game_ends, game_log->end_count, game_log->end_capacity, end);
}

static void add_wait(struct game_log *game_log, const struct span fields[GRAMMAR_FIELDS_MAX])
{
    struct game_log_wait wait = {.player = intern_add_span(&game_log->texts, fields[0]),
                                 .sample_count = game_log->sample_count,
                                 .game_s = present_s(game_log),
                                 .is_ejected = span_starts_with(fields[1], "ejecting")};
    struct game_log_wait *last =
        game_log->wait_count > 0 ? &game_log->waits[game_log->wait_count - 1] : NULL;
    game_log->has_wait = true;
    bool is_same = wait.is_ejected || (last != NULL && last->sample_count == wait.sample_count);
    if (last != NULL && last->player == wait.player && !last->is_ejected && is_same)
        last->is_ejected = wait.is_ejected;
    else
        MEM_APPEND(game_log->waits, game_log->wait_count, game_log->wait_capacity, wait);
}

/* Adds the end that the report of a crash tells of: `before` ends where the program is named. Any
 * text is the first line of its last paragraph. */
static void add_reported_end(struct game_log *game_log, struct span before)
{
    struct span fields[GRAMMAR_FIELDS_MAX], line;
    bool is_blank = true;
    /* That of an exception is known. */
    if (game_log->end_count > 0)
        return;
    for (size_t i = 0; i < GRAMMAR_FIELDS_MAX; i++)
        fields[i] = span_of("");
    while (before.length > 0) {
        line = take_line(&before);
        if (is_blank && line.length > 0)
            fields[0] = line;
        is_blank = line.length == 0;
    }
    if (fields[0].length > 0)
        add_end(game_log, LINE_EXCEPTION, fields);
}

static void add_link(struct game_log *game_log, uint32_t error, struct span text, bool is_file)
{
    struct game_log_link link = {.next = LINK_NONE, .is_broken_file = is_file};
    struct game_log_error *row = &game_log->errors[error];
    SCOPED(text) key = {0};
    uint32_t id;
    link.text = intern_add_span(&game_log->texts, text);
    text_printf(&key, "%u %u %d", (unsigned)error, (unsigned)link.text, (int)is_file);
    bool is_new = intern_is_new(&game_log->link_keys, text_span(&key), &id);
    MEM_GROW(game_log->links, game_log->link_capacity, game_log->link_keys.count);
    if (is_new) {
        game_log->links[id] = link;
        *(row->first_link == LINK_NONE ? &row->first_link : &game_log->links[row->last_link].next) =
            id;
        row->last_link = id;
    }
    game_log->links[id].count++;
}

/* Keeps the call stack of the error, if it is the first of its row, and the mod that called. */
static void end_block(struct game_log *game_log)
{
    if (game_log->block == BLOCK_ERROR && game_log->mod.length > 0)
        add_link(game_log, game_log->block_error, text_span(&game_log->mod), false);
    text_cut(&game_log->mod, 0);
    if (game_log->block == BLOCK_ERROR && game_log->wants_stack)
        game_log->errors[game_log->block_error].stack =
            intern_add_span(&game_log->texts, text_span(&game_log->stack));
    game_log->block = BLOCK_NONE;
}

/*
 * Finds the row of an error, or adds it. Most messages have nothing to be folded, and most errors
 * have been there before.
 */
static uint32_t find_row(struct game_log *game_log, struct grammar *grammar, struct span place,
                         struct span message)
{
    struct text *key = &game_log->key;
    text_cut(key, 0);
    text_put_span(key, place);
    text_put_string(key, "\n");
    size_t start = key->length;
    text_put_span(key, message);
    uint32_t id = intern_find(&game_log->rows, key->at, key->length);
    if (id != INTERN_NONE)
        return id;
    text_cut(key, start);
    grammar_fold(grammar, message, key);
    id = intern_add_span(&game_log->rows, text_span(key));
    if (id == game_log->row_count)
        return id;
    struct game_log_error *error = &game_log->errors[id];
    if (!span_is_same(intern_get(&game_log->texts, error->message), message))
        error->message = intern_add_span(&game_log->texts, span_from(text_span(key), start));
    return id;
}

static void add_error(struct game_log *game_log, struct grammar *grammar, struct span what,
                      struct span place, struct span message)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    int64_t now_s = present_s(game_log);
    uint32_t id = find_row(game_log, grammar, place, message);
    game_log->wants_stack = id == game_log->row_count;
    if (game_log->wants_stack) {
        struct game_log_error added = {.first_s = now_s,
                                       .what = intern_add_span(&game_log->texts, what),
                                       .place = intern_add_span(&game_log->texts, place),
                                       .message = intern_add_span(&game_log->texts, message),
                                       .stack = intern_add(&game_log->texts, "", 0),
                                       .first_link = LINK_NONE};
        added.is_of_mod = grammar_fields(grammar, FIELDS_STACK_MOD, place, fields);
        MEM_APPEND(game_log->errors, game_log->row_count, game_log->error_capacity, added);
    }
    struct game_log_error *error = &game_log->errors[id];
    error->count++;
    error->lines++;
    error->last_s = now_s;
    game_log->block = BLOCK_ERROR;
    game_log->block_error = id;
    game_log->wants_mods = !error->is_of_mod;
    text_cut(&game_log->stack, 0);
}

/* The end of a path, which may be cut at its start. */
static struct span file_of(struct span path)
{
    size_t start = path.length;
    while (start > 0 && path.at[start - 1] != '\\' && path.at[start - 1] != '/')
        start--;
    return span_from(path, start);
}

/* Whether the last error is in a file of that name: "...\sim\a.lua(60)" and "/lua/sim/A.lua". */
static bool is_in_file(const struct game_log *game_log, struct span path)
{
    const struct game_log_error *error = &game_log->errors[game_log->block_error];
    struct span place = file_of(intern_get(&game_log->texts, error->place)), file = file_of(path);
    return place.length > file.length && place.at[file.length] == '(' &&
           span_is_alike((struct span){place.at, file.length}, file);
}

/* Whether it was not in something that the game ran, which has ended: a file was loaded. */
static bool is_uncaught(struct span what)
{
    return what.length == 0 || span_starts_with(what, "SCR_");
}

/*
 * Reads an error. That a file could not be imported follows from an error in it, or in a file that
 * it imports: it belongs to that one, which is before it or in the next line.
 */
static void read_error(struct game_log *game_log, struct grammar *grammar, bool follows_another,
                       const struct span error[GRAMMAR_FIELDS_MAX], struct span rest)
{
    struct span fields[GRAMMAR_FIELDS_MAX], file;
    struct span what = error[0], place = error[1], message = error[2];
    bool is_import = span_starts_with(message, "Error importing ") &&
                     grammar_fields(grammar, FIELDS_IMPORT, message, fields);
    file = is_import ? fields[0] : message;
    if (is_import && game_log->has_cause && (follows_another || is_in_file(game_log, file))) {
        add_link(game_log, game_log->block_error, file, true);
        game_log->errors[game_log->block_error].lines++;
        game_log->block = BLOCK_ERROR;
        game_log->wants_stack = false;
        game_log->wants_mods = 0;
        game_log->has_cause = is_uncaught(what);
        return;
    }
    bool has_no_text = is_import || message.length == 0;
    bool is_caused = has_no_text && place.length == 0 &&
                     grammar_fields(grammar, FIELDS_CONTINUED, take_line(&rest), fields) &&
                     fields[0].length > 0;
    if (is_caused) {
        place = fields[0];
        message = fields[1];
    }
    add_error(game_log, grammar, what, place, message);
    if (is_import && is_caused)
        add_link(game_log, game_log->block_error, file, true);
    game_log->has_cause = (!is_import || is_caused) && is_uncaught(what);
}

static void add_mod(struct game_log *game_log, struct span name, struct span version)
{
    SCOPED(text) mod = {0};
    name.length -= name.length > 0 && span_ends_with(name, " ");
    text_put_span(&mod, name);
    if (version.length > 0)
        text_printf(&mod, " v%.*s", (int)version.length, version.at);
    intern_add_span(&game_log->mods, text_span(&mod));
}

const uint32_t game_log_unit_classes[UNIT_CLASSES] = {0, 100, 250, 500, 1000, 2000, 4000};

static void add_units(struct game_log *game_log, const struct span fields[GRAMMAR_FIELDS_MAX])
{
    int64_t time_ns;
    uint64_t units;
    size_t class = UNIT_CLASSES - 1;
    if (!number_seconds(fields[0], &time_ns) || !number_count(fields[1], &units) || time_ns <= 0)
        return;
    while (units < game_log_unit_classes[class])
        class --;
    game_log->units[class].count++;
    game_log->units[class].time_s += (double)time_ns / 1e9;
}

static void add_timer(struct game_log *game_log, const struct span fields[GRAMMAR_FIELDS_MAX])
{
    struct game_log_timer timer;
    uint64_t number;
    if (!number_count(fields[0], &number) || !number_count(fields[2], &timer.calls) ||
        !number_seconds(fields[3], &timer.time_ns))
        return;
    timer.function = intern_add_span(&game_log->texts, fields[1]);
    game_log->timer_count = number == 1 ? 0 : game_log->timer_count;
    MEM_APPEND(game_log->timers, game_log->timer_count, game_log->timer_capacity, timer);
}

static void read_line(struct game_log *game_log, enum game_line kind,
                      const struct span fields[GRAMMAR_FIELDS_MAX])
{
    switch (kind) {
    case LINE_TIMES:
        add_sample(game_log,
                   (struct game_log_sample){.session_s = read_clock(fields[0]),
                                            .game_s = read_clock(fields[1]),
                                            .heap = read_size(fields[2])});
        return;
    case LINE_GAME_TIME:
        add_sample(
            game_log,
            (struct game_log_sample){.session_s = -1, .game_s = read_clock(fields[0]), .heap = -1});
        return;
    case LINE_MODS:
        game_log->has_mods = true;
        game_log->block = BLOCK_MODS;
        return;
    case LINE_MODULE:
        game_log->modules++;
        return;
    case LINE_UNITS:
        add_units(game_log, fields);
        return;
    case LINE_TIMER:
        add_timer(game_log, fields);
        return;
    case LINE_MAP:
        intern_add_span(&game_log->maps, fields[0]);
        return;
    case LINE_CHANGED:
        game_log->is_changed = true;
        return;
    case LINE_RUN_TIME:
        game_log->ends++;
        return;
    case LINE_SIM_CRASH:
    case LINE_EXCEPTION:
    case LINE_DESYNC:
        add_end(game_log, kind, fields);
        return;
    case LINE_WAIT:
        add_wait(game_log, fields);
        return;
    case LINE_REPORT:
        number_count(fields[0], &game_log->report_lines);
        return;
    case LINE_TRACEBACK:
    case LINE_PROGRAM:
    case LINE_ERROR:
        return;
    }
}

/* Reads a line of an error's call stack. */
static void read_stack(struct game_log *game_log, struct grammar *grammar, struct span line)
{
    enum { KEPT_MAX = 4096 };
    struct span fields[GRAMMAR_FIELDS_MAX];
    game_log->errors[game_log->block_error].lines++;
    line.length -= span_ends_with(line, "\r");
    if (game_log->wants_stack && game_log->stack.length + line.length < KEPT_MAX) {
        if (game_log->stack.length > 0)
            text_put_string(&game_log->stack, "\n");
        text_put_span(&game_log->stack, line);
    }
    if (game_log->wants_mods == 0 || !grammar_fields(grammar, FIELDS_STACK_MOD, line, fields))
        return;
    struct text *mod = &game_log->mod;
    text_cut(mod, 0);
    text_put_string(mod, "mods/");
    text_put_small(mod, fields[0]);
    text_put_string(mod, " ");
    text_put_span(mod, fields[1]);
    game_log->wants_mods--;
}

/* Whether a line goes on with the block before it; `fields` are those of a list, or of a stack. */
static bool continues_block(const struct game_log *game_log, struct grammar *grammar,
                            struct span line, struct span fields[GRAMMAR_FIELDS_MAX])
{
    bool is_list = game_log->block == BLOCK_MODS;
    enum grammar_fields which = is_list                          ? FIELDS_MOD
                                : game_log->block == BLOCK_ERROR ? FIELDS_CONTINUED
                                                                 : FIELDS_INDENTED;
    if (grammar_fields(grammar, which, line, fields))
        return true;
    /* Of a stack, or perhaps the rest of a line of a list of mods that was wrapped. */
    bool is_rest = is_list || span_starts_with(line, " ");
    return is_rest && !grammar_has_severity(grammar, line, true);
}

/* Reads the lines that belong to the line before. */
static void read_block(struct game_log *game_log, struct grammar *grammar, struct span text,
                       size_t *from)
{
    while (game_log->block != BLOCK_NONE && *from < text.length) {
        struct span fields[GRAMMAR_FIELDS_MAX] = {{0}};
        struct span rest = span_from(text, *from), line = take_line(&rest);
        if (!continues_block(game_log, grammar, line, fields)) {
            end_block(game_log);
            return;
        }
        if (game_log->block == BLOCK_ERROR)
            read_stack(game_log, grammar, line);
        else if (game_log->block == BLOCK_OTHER)
            game_log->other_rows[game_log->block_error].lines++;
        else if (fields[0].length > 0)
            add_mod(game_log, fields[0], fields[1]);
        *from = text.length - rest.length;
    }
}

/* Other texts -------------------------------------------------------------------------------- */

enum { OTHERS_MAX = 16 * 1024 };

/* Forgets texts that are too rare to matter; less than half of them stay. */
static void forget_rare(struct game_log *game_log)
{
    struct intern kept = {0}, paths = {0};
    for (uint32_t i = 0; i < game_log->others.count; i++) {
        struct game_log_other row = game_log->other_rows[i];
        if (row.count <= 2 * game_log->counted_lines / OTHERS_MAX)
            continue;
        uint32_t id = intern_add_span(&kept, intern_get(&game_log->others, i));
        row.path = intern_add_span(&paths, intern_get(&game_log->other_paths, row.path));
        game_log->other_rows[id] = row;
    }
    intern_release(&game_log->others);
    intern_release(&game_log->other_paths);
    game_log->others = kept;
    game_log->other_paths = paths;
}

/* How much two paths have in common: whole folders. */
static size_t common_folders(struct span a, struct span b)
{
    size_t length = 0;
    for (size_t i = 0; i < a.length && i < b.length && a.at[i] == b.at[i]; i++)
        if (a.at[i] == '/' || a.at[i] == '\\')
            length = i + 1;
    return length;
}

/* Counts a path in a text; a text with more than OTHER_MODS mods has the first ones. */
static void add_path(struct game_log *game_log, struct grammar *grammar, struct game_log_other *row,
                     struct span path)
{
    struct span common = intern_get(&game_log->other_paths, row->path), mod[GRAMMAR_FIELDS_MAX];
    common.length = common.length < row->path_length ? common.length : row->path_length;
    row->path_length = (uint32_t)common_folders(common, path);
    if (!grammar_fields(grammar, FIELDS_PATH_MOD, path, mod))
        return;
    uint32_t id = intern_add_span(&game_log->texts, mod[0]);
    size_t i = 0;
    while (i < OTHER_MODS && row->mods[i].count > 0 && row->mods[i].mod != id)
        i++;
    if (i < OTHER_MODS)
        row->mods[i] = (struct game_log_owner){id, row->mods[i].count + 1};
}

static uint32_t count_other(struct game_log *game_log, struct grammar *grammar, struct span line)
{
    enum { LENGTH_MAX = 200 };
    SCOPED(text) folded = {0};
    struct span path;
    size_t path_at;
    uint32_t id;
    game_log->counted_lines++;
    game_log->orphan_lines += !grammar_has_severity(grammar, line, true);
    grammar_fold_paths(grammar, text_start(line, LENGTH_MAX), &folded, &path, &path_at);
    bool is_new = intern_is_new(&game_log->others, text_span(&folded), &id);
    MEM_GROW(game_log->other_rows, game_log->other_capacity, game_log->others.count);
    struct game_log_other *row = &game_log->other_rows[id];
    if (is_new)
        *row = (struct game_log_other){.path = intern_add_span(&game_log->other_paths, path),
                                       .path_length = (uint32_t)path.length,
                                       .path_at = (uint32_t)path_at};
    row->count++;
    row->lines++;
    if (path.length > 0)
        add_path(game_log, grammar, row, path);
    return id;
}

/* Counts the line that was held: no call stack has followed. */
static void count_held(struct game_log *game_log, struct grammar *grammar)
{
    if (game_log->held.length > 0 && game_log->is_held_counted)
        count_other(game_log, grammar, text_span(&game_log->held));
    text_cut(&game_log->held, 0);
    if (game_log->others.count >= OTHERS_MAX)
        forget_rare(game_log);
}

static struct span last_line(struct span lines)
{
    size_t end = lines.length - (lines.length > 0);
    const char *feed = end > 0 ? bytes_find_last(lines.at, '\n', end) : NULL;
    return span_from(lines, feed != NULL ? (size_t)(feed + 1 - lines.at) : 0);
}

/*
 * Counts lines that say nothing else, and holds the last; of a large log, those of one piece in 64.
 */
static void count_others(struct game_log *game_log, struct grammar *grammar, struct span lines)
{
    enum { WHOLE_BYTES = 4 << 20, PIECE_BYTES = 1 << 16, PIECES = 64, HELD_MAX = 4096 };
    bool is_counted =
        game_log->other_bytes < WHOLE_BYTES || game_log->other_bytes / PIECE_BYTES % PIECES == 0;
    game_log->other_bytes += lines.length;
    game_log->counted_bytes += is_counted ? lines.length : 0;
    if (!is_counted)
        lines = last_line(lines);
    while (lines.length > 0) {
        struct span line = take_line(&lines);
        if (line.length == 0 || line.at[0] == ' ' || line.at[0] == '\t')
            continue;
        count_held(game_log, grammar);
        text_put_span(&game_log->held, text_start(line, HELD_MAX));
        game_log->is_held_counted = is_counted;
    }
}

/* Begins the block of a call stack: what it is of is the line before it. A warning with one tells
 * of an error that the mod has caught. */
static void read_traceback(struct game_log *game_log, struct grammar *grammar)
{
    SCOPED(text) held = {0};
    struct span line;
    size_t start;
    text_put_span(&held, text_span(&game_log->held));
    line = text_span(&held);
    text_cut(&game_log->held, 0);
    if (line.length == 0)
        return;
    /* What cannot be imported after this is not for the error before it. */
    game_log->has_cause = false;
    if (grammar_is_warning(grammar, line, &start)) {
        /* The first function is the one that says so. */
        add_error(game_log,
                  grammar,
                  span_of("caught, said by the mod"),
                  span_of(""),
                  span_from(line, start));
        game_log->errors[game_log->block_error].lines++;
        game_log->wants_mods = 2;
        return;
    }
    if (!game_log->is_held_counted)
        return;
    game_log->block = BLOCK_OTHER;
    game_log->block_error = count_other(game_log, grammar, line);
    game_log->other_rows[game_log->block_error].lines++;
}

/* Reading ------------------------------------------------------------------------------------ */

void game_log_read(struct game_log *game_log, struct grammar *grammar, struct span text,
                   bool is_line_start)
{
    size_t from = 0, before;
    enum game_line kind;
    struct span line, fields[GRAMMAR_FIELDS_MAX];
    game_log->is_game = game_log->is_game || grammar_has_severity(grammar, text, is_line_start);
    if (!game_log->is_game && game_log->mark.length == 0 &&
        grammar_fields(grammar, FIELDS_MARK, text, fields))
        text_put_span(&game_log->mark, fields[0]);
    if (is_line_start)
        read_block(game_log, grammar, text, &from);
    for (before = from;
         grammar_find_game_line(grammar, text, &from, is_line_start, &kind, &line, fields);
         before = from) {
        size_t start = (size_t)(line.at - text.at);
        count_others(game_log, grammar, (struct span){text.at + before, start - before});
        end_block(game_log);
        if (kind == LINE_TRACEBACK)
            read_traceback(game_log, grammar);
        if (kind == LINE_PROGRAM)
            add_reported_end(game_log, (struct span){text.at + before, start - before});
        count_held(game_log, grammar);
        if (kind == LINE_ERROR)
            read_error(game_log, grammar, start == before, fields, span_from(text, from));
        else
            read_line(game_log, kind, fields);
        read_block(game_log, grammar, text, &from);
    }
    count_others(game_log, grammar, span_from(text, before));
}

void game_log_read_rest(struct game_log *game_log, struct grammar *grammar, struct span text)
{
    size_t from = 0;
    enum game_line kind;
    struct span line, fields[GRAMMAR_FIELDS_MAX];
    if (grammar_find_game_line(grammar, text, &from, true, &kind, &line, fields) &&
        kind >= LINE_RUN_TIME)
        read_line(game_log, kind, fields);
}

void game_log_end(struct game_log *game_log, struct grammar *grammar, uint64_t lines)
{
    end_block(game_log);
    count_held(game_log, grammar);
    game_log->lines = lines;
}

bool game_log_has_row(const struct game_log *game_log, const struct game_log *other, uint32_t row)
{
    struct span key = intern_get(&other->rows, row);
    return intern_find(&game_log->rows, key.at, key.length) != INTERN_NONE;
}
