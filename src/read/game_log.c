#include "read/game_log.h"

#include "base/number.h"

void game_log_release(struct game_log *game_log)
{
    free(game_log->samples);
    free(game_log->errors);
    intern_release(&game_log->places);
    intern_release(&game_log->texts);
    intern_release(&game_log->mods);
    *game_log = (struct game_log){0};
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

static void add_sample(struct game_log *game_log, struct game_log_sample added)
{
    const struct game_log_sample *last =
        game_log->is_in_log ? &game_log->samples[game_log->sample_count - 1] : NULL;
    added.begins = last == NULL || added.game_s < last->game_s || added.session_s < last->session_s;
    MEM_APPEND(game_log->samples, game_log->sample_count, game_log->sample_capacity, added);
    game_log->is_in_log = true;
    game_log->game_s = added.game_s;
}

static void add_error(struct game_log *game_log, const struct span fields[GRAMMAR_FIELDS_MAX])
{
    struct span what = fields[0], place = fields[1], message = fields[2];
    int64_t now_s = game_log->is_in_log ? game_log->game_s : -1;
    uint32_t id;
    bool is_new = intern_is_new(&game_log->places, place.length > 0 ? place : message, &id);
    if (is_new) {
        MEM_GROW(game_log->errors, game_log->error_capacity, game_log->places.count);
        game_log->errors[id] =
            (struct game_log_error){.first_s = now_s,
                                    .what = intern_add_span(&game_log->texts, what),
                                    .message = intern_add_span(&game_log->texts, message)};
    }
    struct game_log_error *error = &game_log->errors[id];
    error->count++;
    error->lines++;
    error->last_s = now_s;
    game_log->block = BLOCK_ERROR;
    game_log->block_error = id;
}

static void add_mod(struct game_log *game_log, struct span name, struct span version)
{
    struct text mod = {0};
    name.length -= name.length > 0 && span_ends_with(name, " ");
    text_put_span(&mod, name);
    if (version.length > 0)
        text_printf(&mod, " v%.*s", (int)version.length, version.at);
    intern_add_span(&game_log->mods, text_span(&mod));
    text_release(&mod);
}

static void read_line(struct game_log *game_log, struct grammar *grammar, enum game_line kind,
                      struct span line)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    switch (kind) {
    case LINE_TIMES:
        if (grammar_fields(grammar, FIELDS_TIMES, line, fields))
            add_sample(game_log, (struct game_log_sample){.session_s = read_clock(fields[0]),
                                                          .game_s = read_clock(fields[1]),
                                                          .heap = read_size(fields[2])});
        return;
    case LINE_GAME_TIME:
        if (grammar_fields(grammar, FIELDS_GAME_TIME, line, fields))
            add_sample(game_log, (struct game_log_sample){
                                     .session_s = -1, .game_s = read_clock(fields[0]), .heap = -1});
        return;
    case LINE_ERROR:
        if (grammar_fields(grammar, FIELDS_ERROR, line, fields))
            add_error(game_log, fields);
        return;
    case LINE_MODS:
        game_log->block = BLOCK_MODS;
        return;
    case LINE_MODULE:
        game_log->modules++;
        return;
    case LINE_RUN_TIME:
        game_log->ends++;
        return;
    }
}

/* Reads the lines that belong to the line before. */
static void read_block(struct game_log *game_log, struct grammar *grammar, struct span text,
                       size_t *from)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    while (game_log->block != BLOCK_NONE && *from < text.length) {
        struct span rest = span_from(text, *from), line = span_take(&rest, '\n');
        bool is_error = game_log->block == BLOCK_ERROR;
        if (is_error ? !span_starts_with(line, " ")
                     : !grammar_fields(grammar, FIELDS_MOD, line, fields)) {
            game_log->block = BLOCK_NONE;
            return;
        }
        if (is_error)
            game_log->errors[game_log->block_error].lines++;
        else if (fields[0].length > 0)
            add_mod(game_log, fields[0], fields[1]);
        *from = text.length - rest.length;
    }
}

void game_log_read(struct game_log *game_log, struct grammar *grammar, struct span text,
                   bool is_line_start)
{
    size_t from = 0;
    enum game_line kind;
    struct span line;
    game_log->is_game = game_log->is_game || grammar_has_severity(grammar, text, is_line_start);
    if (is_line_start)
        read_block(game_log, grammar, text, &from);
    while (grammar_find_game_line(grammar, text, &from, is_line_start, &kind, &line)) {
        game_log->block = BLOCK_NONE;
        read_line(game_log, grammar, kind, line);
        read_block(game_log, grammar, text, &from);
    }
}

void game_log_end(struct game_log *game_log, uint64_t lines)
{
    game_log->lines += lines;
    game_log->block = BLOCK_NONE;
    game_log->is_in_log = false;
}
