#include "read/health.h"

#include "base/number.h"

void health_release(struct health *health)
{
    free(health->samples);
    free(health->errors);
    intern_release(&health->places);
    intern_release(&health->texts);
    intern_release(&health->mods);
    *health = (struct health){0};
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

static void add_sample(struct health *health, const struct health_sample *sample)
{
    const struct health_sample *last =
        health->is_in_log ? &health->samples[health->sample_count - 1] : NULL;
    struct health_sample added = *sample;
    added.begins = last == NULL || added.game_s < last->game_s || added.session_s < last->session_s;
    MEM_APPEND(health->samples, health->sample_count, health->sample_capacity, added);
    health->is_in_log = true;
    health->game_s = added.game_s;
}

static void add_error(struct health *health, const struct span fields[GRAMMAR_FIELDS_MAX])
{
    struct span what = fields[0], place = fields[1], message = fields[2];
    int64_t now_s = health->is_in_log ? health->game_s : -1;
    uint32_t id;
    bool is_new = intern_is_new(&health->places, place.length > 0 ? place : message, &id);
    if (is_new) {
        MEM_GROW(health->errors, health->error_capacity, health->places.count);
        health->errors[id] =
            (struct health_error){.first_s = now_s,
                                  .what = intern_add_span(&health->texts, what),
                                  .message = intern_add_span(&health->texts, message)};
    }
    struct health_error *error = &health->errors[id];
    error->count++;
    error->lines++;
    error->last_s = now_s;
    health->block = BLOCK_ERROR;
    health->block_error = id;
}

static void add_mod(struct health *health, struct span name, struct span version)
{
    struct text mod = {0};
    name.length -= name.length > 0 && span_ends_with(name, " ");
    text_put_span(&mod, name);
    if (version.length > 0)
        text_printf(&mod, " v%.*s", (int)version.length, version.at);
    intern_add_span(&health->mods, text_span(&mod));
    text_release(&mod);
}

static void read_line(struct health *health, struct grammar *grammar, enum game_line kind,
                      struct span line)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    struct health_sample sample = {.session_s = -1, .heap = -1};
    switch (kind) {
    case LINE_TIMES:
        if (!grammar_fields(grammar, FIELDS_TIMES, line, fields))
            return;
        sample = (struct health_sample){.session_s = read_clock(fields[0]),
                                        .game_s = read_clock(fields[1]),
                                        .heap = read_size(fields[2])};
        add_sample(health, &sample);
        return;
    case LINE_GAME_TIME:
        if (!grammar_fields(grammar, FIELDS_GAME_TIME, line, fields))
            return;
        sample.game_s = read_clock(fields[0]);
        add_sample(health, &sample);
        return;
    case LINE_ERROR:
        if (grammar_fields(grammar, FIELDS_ERROR, line, fields))
            add_error(health, fields);
        return;
    case LINE_MODS:
        health->block = BLOCK_MODS;
        return;
    case LINE_MODULE:
        health->modules++;
        return;
    case LINE_RUN_TIME:
        health->ends++;
        return;
    }
}

/* Reads the lines that belong to the line before. */
static void read_block(struct health *health, struct grammar *grammar, struct span text,
                       size_t *from)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    while (health->block != BLOCK_NONE && *from < text.length) {
        struct span rest = span_from(text, *from), line = span_take(&rest, '\n');
        bool is_error = health->block == BLOCK_ERROR;
        if (is_error ? !span_starts_with(line, " ")
                     : !grammar_fields(grammar, FIELDS_MOD, line, fields)) {
            health->block = BLOCK_NONE;
            return;
        }
        if (is_error)
            health->errors[health->block_error].lines++;
        else if (fields[0].length > 0)
            add_mod(health, fields[0], fields[1]);
        *from = text.length - rest.length;
    }
}

void health_read(struct health *health, struct grammar *grammar, struct span text,
                 bool is_line_start)
{
    size_t from = 0;
    enum game_line kind;
    struct span line;
    health->is_game = health->is_game || grammar_has_severity(grammar, text, is_line_start);
    if (is_line_start)
        read_block(health, grammar, text, &from);
    while (grammar_find_game_line(grammar, text, &from, is_line_start, &kind, &line)) {
        health->block = BLOCK_NONE;
        read_line(health, grammar, kind, line);
        read_block(health, grammar, text, &from);
    }
}

void health_end_log(struct health *health, uint64_t lines)
{
    health->lines += lines;
    health->block = BLOCK_NONE;
    health->is_in_log = false;
}
