#include "read/recording.h"

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that a log gave to things, and what they are here. */
struct id_map {
    struct event_ids ids;
    uint32_t count; /* of those that are defined */
};

struct recording_state {
    char key[16]; /* "s1" */
    size_t key_length;
    uint32_t index; /* in recordings->all */
    uint64_t last_number;
    struct id_map sources; /* 1 + string id */
    struct id_map functions, sites, threads;
    struct recorded_function {
        uint32_t symbol; /* id in symbols.h */
        bool is_named;   /* the run has told its name, which it does once */
    } * known;           /* [functions.count] */
    size_t known_capacity;
    uint32_t calibrator;    /* function of the log, or UINT32_MAX */
    uint32_t lost_function; /* 1 + function that stands for those of sites that are not defined */
    bool is_lost;           /* lines are missing, and no events have been read since */
};

/* A run that lost its begin line: what all of them have that the game's clock allows. */
static const double usual_unit_ns = 1e9 / 1048576;

void recordings_init(struct recordings *recordings, struct grammar *grammar,
                     struct symbols *symbols)
{
    *recordings =
        (struct recordings){.grammar = grammar, .symbols = symbols, .current = UINT32_MAX};
}

static void release_state(struct recording_state *state)
{
    free(state->sources.ids.at);
    free(state->functions.ids.at);
    free(state->sites.ids.at);
    free(state->threads.ids.at);
    free(state->known);
}

void recordings_begin_log(struct recordings *recordings)
{
    for (size_t i = 0; i < recordings->state_count; i++)
        release_state(&recordings->states[i]);
    recordings->state_count = 0;
    recordings->current = UINT32_MAX;
}

void recordings_release(struct recordings *recordings)
{
    recordings_begin_log(recordings);
    free(recordings->states);
    free(recordings->all);
    free(recordings->benchmarks);
    *recordings = (struct recordings){0};
}

static bool is_word(struct span span, const char *word)
{
    return span.length == strlen(word) && memcmp(span.at, word, span.length) == 0;
}

static struct recording_state *find_state(const struct recordings *recordings, struct span key)
{
    for (size_t i = recordings->state_count; i-- > 0;) {
        struct recording_state *state = &recordings->states[i];
        if (state->key_length == key.length && memcmp(state->key, key.at, key.length) == 0)
            return state;
    }
    return NULL;
}

/* Run 0 is that of the benchmarks. */
static bool is_benchmarks(const struct grammar_recorder_line *line)
{
    return line->run.length == 2 && line->run.at[1] == '0';
}

bool recordings_begins_run(const struct recordings *recordings,
                           const struct grammar_recorder_line *line)
{
    if (line->version != RECORDER_FORMAT || is_benchmarks(line) ||
        line->run.length > sizeof(((struct recording_state *)NULL)->key))
        return false;
    const struct recording_state *state = find_state(recordings, line->run);
    /* A log that is several, one after the other, may have the same run again. */
    return state == NULL ||
           (line->number == 1 && is_word(line->kind, "begin") && state->last_number > 1);
}

uint32_t recordings_run(const struct recordings *recordings,
                        const struct grammar_recorder_line *line)
{
    const struct recording_state *state = find_state(recordings, line->run);
    return state == NULL ? 0 : recordings->all[state->index].run;
}

/* Room for `id` in a map. Untouched zero pages cost nothing, so an absurd id is cheap. */
static uint32_t *map_at(struct id_map *map, uint32_t id)
{
    if (id >= map->ids.count) {
        size_t count = map->ids.count < 64 ? 64 : 2 * map->ids.count;
        while (count <= id)
            count *= 2;
        uint32_t *at = mem_zeroed(count, sizeof *at);
        if (map->ids.count > 0)
            memcpy(at, map->ids.at, map->ids.count * sizeof *at);
        free(map->ids.at);
        map->ids = (struct event_ids){at, count};
    }
    return &map->ids.at[id];
}

static bool read_id(struct span text, uint32_t *id)
{
    uint64_t value;
    if (!number_count(text, &value) || value > EVENT_OPERAND_MAX)
        return false;
    *id = (uint32_t)value;
    return true;
}

static struct recording *recording_of(const struct recordings *recordings,
                                      const struct recording_state *state)
{
    return &recordings->all[state->index];
}

/* What one line is read with. */
struct reading {
    struct recordings *recordings;
    struct recording_state *state;
    struct events *events;
    const struct grammar_recorder_line *line;
    struct error *err;
};

/* Everything that follows is of the line's run. */
static void choose_run(struct reading *reading)
{
    if (reading->recordings->current == reading->state->index)
        return;
    reading->recordings->current = reading->state->index;
    events_put(reading->events, event_make(EVENT_RUN, reading->state->index, 0));
}

static uint32_t intern_escaped(struct reading *reading, struct span text)
{
    struct text plain = {0};
    for (size_t i = 0; i < text.length; i++) {
        int code = -1;
        if (text.at[i] == '\\' && i + 3 < text.length) {
            code = 0;
            for (size_t k = 1; k <= 3; k++)
                code = text.at[i + k] < '0' || text.at[i + k] > '9' || code < 0
                           ? -1
                           : code * 10 + (text.at[i + k] - '0');
        }
        char byte = code >= 0 && code <= 255 ? (char)code : text.at[i];
        i += code >= 0 && code <= 255 ? 3 : 0;
        text_put(&plain, &byte, 1);
    }
    struct span span = text_span(&plain);
    uint32_t id = intern_add(&reading->recordings->symbols->strings, span.at, span.length);
    text_release(&plain);
    return id;
}

static uint32_t intern_word(struct symbols *symbols, const char *word)
{
    return intern_add(&symbols->strings, word, strlen(word));
}

static bool is_suspending(const struct symbols *symbols, uint32_t name)
{
    static const char *const names[] = {
        "WaitTicks", "WaitFor", "WaitSeconds", "SuspendCurrentThread", "yield", "coroutine.yield"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_word(intern_get(&symbols->strings, name), names[i]))
            return true;
    return false;
}

/* Returns the new function, which no number of the log means yet. */
static uint32_t define_function(struct reading *reading, uint32_t source, int32_t line,
                                uint32_t name, bool calibrates)
{
    struct symbols *symbols = reading->recordings->symbols;
    struct recording_state *state = reading->state;
    uint32_t function = state->functions.count++;
    uint32_t symbol = symbols_add_function(symbols, source, line, name);
    struct event_function definition = {
        .id = symbol,
        .is_lua = line >= 0,
        .calibrates = calibrates,
        .suspends = line < 0 && is_suspending(symbols, name),
    };
    state->known =
        mem_grow(state->known, &state->known_capacity, (size_t)function + 1, sizeof *state->known);
    state->known[function] = (struct recorded_function){.symbol = symbol};
    choose_run(reading);
    events_put(reading->events, event_make(EVENT_FUNCTION, function, 0));
    events_put_payload(reading->events, &definition, sizeof definition);
    return function;
}

static void name_function(struct reading *reading, uint32_t function, uint32_t name)
{
    struct symbols *symbols = reading->recordings->symbols;
    struct recorded_function *known = &reading->state->known[function];
    if (known->is_named || symbols_is_no_name(symbols, name))
        return;
    known->is_named = true;
    symbols_add_name(symbols, known->symbol, name, 1);
}

/* What stands for all functions whose definition is missing. */
static uint32_t lost_function(struct reading *reading)
{
    struct symbols *symbols = reading->recordings->symbols;
    struct recording_state *state = reading->state;
    if (state->lost_function == 0)
        state->lost_function = 1 + define_function(reading, intern_word(symbols, "=(lost)"), -1,
                                                   intern_word(symbols, ""), false);
    return state->lost_function - 1;
}

static uint32_t function_of(struct reading *reading, uint32_t id)
{
    uint32_t known = *map_at(&reading->state->functions, id);
    return known != 0 ? known - 1 : lost_function(reading);
}

static void define_site(struct reading *reading, uint32_t id, uint32_t function, int32_t line)
{
    struct recording_state *state = reading->state;
    uint32_t site = state->sites.count++;
    struct event_site definition = {.function = function, .line = line};
    enum event_kind kind = line == NO_CALLER ? EVENT_ROOT_CALL : EVENT_CALL;
    *map_at(&state->sites, id) = event_make(kind, site, 0).what;
    choose_run(reading);
    events_put(reading->events, event_make(EVENT_SITE, site, 0));
    events_put_payload(reading->events, &definition, sizeof definition);
}

static void define_thread(struct reading *reading, uint32_t id, bool is_coroutine)
{
    struct recording_state *state = reading->state;
    uint32_t thread = state->threads.count++;
    *map_at(&state->threads, id) = thread + 1;
    choose_run(reading);
    if (is_coroutine)
        events_put(reading->events, event_make(EVENT_COROUTINE, thread, 0));
}

static bool read_source(struct reading *reading, const struct span *fields)
{
    uint32_t id;
    if (!read_id(fields[0], &id))
        return false;
    uint32_t *known = map_at(&reading->state->sources, id);
    if (*known == 0)
        *known = intern_escaped(reading, fields[1]) + 1;
    return true;
}

static bool read_function(struct reading *reading, const struct span *fields)
{
    uint32_t id, source;
    int32_t line;
    if (!read_id(fields[0], &id) || !read_id(fields[1], &source) || !number_line(fields[2], &line))
        return false;
    if (*map_at(&reading->state->functions, id) != 0)
        return true;
    uint32_t text = *map_at(&reading->state->sources, source);
    if (text == 0)
        text = intern_word(reading->recordings->symbols, "=(lost)") + 1;
    uint32_t name = intern_escaped(reading, fields[3]);
    /* Frames lost to tail calls have no name, and are shown as their source. */
    if (line < 0 &&
        !is_word(intern_get(&reading->recordings->symbols->strings, text - 1), "=[C]") &&
        is_word(intern_get(&reading->recordings->symbols->strings, name), "?"))
        name = intern_word(reading->recordings->symbols, "");
    uint32_t function =
        define_function(reading, text - 1, line, name, id == reading->state->calibrator);
    *map_at(&reading->state->functions, id) = function + 1;
    name_function(reading, function, name);
    return true;
}

static bool read_name(struct reading *reading, const struct span *fields)
{
    uint32_t id;
    if (!read_id(fields[0], &id))
        return false;
    uint32_t function = *map_at(&reading->state->functions, id);
    if (function != 0)
        name_function(reading, function - 1, intern_escaped(reading, fields[1]));
    return true;
}

static bool read_site(struct reading *reading, const struct span *fields)
{
    uint32_t id, function;
    int32_t line;
    if (!read_id(fields[0], &id) || !read_id(fields[1], &function) ||
        !number_line(fields[2], &line))
        return false;
    if (*map_at(&reading->state->sites, id) == 0)
        define_site(reading, id, function_of(reading, function), line);
    return true;
}

static bool read_thread(struct reading *reading, const struct span *fields)
{
    uint32_t id;
    if (!read_id(fields[0], &id))
        return false;
    if (*map_at(&reading->state->threads, id) == 0)
        define_thread(reading, id, is_word(fields[1], "coroutine"));
    return true;
}

/* After lines that are missing: no stack of the run can be trusted, and `thread` runs now. */
static void begin_anew(struct reading *reading, uint32_t thread)
{
    reading->state->is_lost = false;
    events_put(reading->events, event_make(EVENT_LOST, 0, 0));
    if (*map_at(&reading->state->threads, thread) == 0)
        define_thread(reading, thread, true);
    events_put(reading->events,
               event_make(EVENT_THREAD, *map_at(&reading->state->threads, thread) - 1, 0));
}

static void define_missing(struct reading *reading, enum events_problem problem, uint32_t id)
{
    if (problem == EVENTS_NO_SITE)
        define_site(reading, id, lost_function(reading), 0);
    else if (problem == EVENTS_NO_FUNCTION)
        *map_at(&reading->state->functions, id) = lost_function(reading) + 1;
    else
        define_thread(reading, id, true);
}

static bool read_events(struct reading *reading, uint32_t thread, const struct span *fields,
                        bool is_cut)
{
    struct recording_state *state = reading->state;
    struct recording *recording = recording_of(reading->recordings, state);
    int64_t lost_ns;
    if (number_seconds(fields[2], &lost_ns))
        recording->lost_ns = (double)lost_ns;
    choose_run(reading);
    if (state->is_lost)
        begin_anew(reading, thread);
    size_t from = 0;
    uint32_t id = 0;
    enum events_problem problem;
    do {
        struct events_text text = {
            .text = fields[3],
            .sites = &state->sites.ids,
            .functions = &state->functions.ids,
            .threads = &state->threads.ids,
            .is_cut = is_cut,
        };
        problem = events_read(reading->events, &text, &from, &recording->events, &id);
        /* A site with more letters than any that exists is damage. */
        if (problem == EVENTS_NO_SITE && id > EVENT_OPERAND_MAX)
            problem = EVENTS_DAMAGED;
        if (problem != EVENTS_READ && problem != EVENTS_DAMAGED)
            define_missing(reading, problem, id);
    } while (problem != EVENTS_READ && problem != EVENTS_DAMAGED);
    /* So that it does not depend on batches whether the next line is seen from this one. */
    events_put(reading->events, event_make(EVENT_NONE, 0, 0));
    if (problem == EVENTS_READ && !is_cut)
        return true;
    state->is_lost = true;
    if (is_cut)
        return error_set(reading->err,
                         "the line of events is cut off; what is whole of it was used");
    return error_set(reading->err,
                     "there is no event at byte %zu of the events; those before it were used",
                     from + 1);
}

/* The value of "key=value" among others; empty when there is none. */
static struct span value_of(struct span text, const char *key)
{
    size_t length = strlen(key);
    for (size_t at = 0; at < text.length;) {
        const char *blank = memchr(text.at + at, ' ', text.length - at);
        size_t end = blank == NULL ? text.length : (size_t)(blank - text.at);
        if (end - at > length && memcmp(text.at + at, key, length) == 0 &&
            text.at[at + length] == '=')
            return (struct span){text.at + at + length + 1, end - at - length - 1};
        at = end + 1;
    }
    return (struct span){"", 0};
}

static double seconds_of(struct span text, const char *key, double otherwise)
{
    int64_t ns;
    return number_seconds(value_of(text, key), &ns) ? (double)ns / 1e9 : otherwise;
}

/*
 * The unit is a power of two, of which the log has nine digits: the power itself is
 * what sums must be made of.
 */
static double unit_of(struct span text)
{
    enum { MAX_DIGITS = 31 };
    char digits[MAX_DIGITS + 1] = "";
    struct span value = value_of(text, "unit");
    if (value.length <= MAX_DIGITS)
        memcpy(digits, value.at, value.length);
    double unit = strtod(digits, NULL);
    if (!(unit > 1e-10 && unit < 10))
        return usual_unit_ns;
    double power = exp2(round(log2(unit)));
    return 1e9 * (fabs(unit - power) < 1e-8 * power ? power : unit);
}

static bool read_begin(struct reading *reading)
{
    struct span text = reading->line->text;
    struct recording *recording = recording_of(reading->recordings, reading->state);
    struct symbols *symbols = reading->recordings->symbols;
    struct span clock = value_of(text, "clock");
    uint64_t tick;
    recording->has_begin = true;
    recording->clock = intern_add(&symbols->strings, clock.at, clock.length);
    recording->step_ns = seconds_of(text, "step", 0) * 1e9;
    recording->unit_ns = unit_of(text);
    recording->has_marks = is_word(value_of(text, "marks"), "yes");
    recording->has_memory = is_word(value_of(text, "memory"), "yes");
    struct event_begin begin = {
        .unit_ns = recording->unit_ns,
        .turn_ns = {1e9 * seconds_of(text, "lua_call", -1), 1e9 * seconds_of(text, "c_call", -1)},
        .time_seconds = seconds_of(text, "time", -1),
        .tick = number_count(value_of(text, "tick"), &tick) ? (int64_t)tick : -1,
        .has_marks = recording->has_marks,
    };
    if (!read_id(value_of(text, "calibrator"), &reading->state->calibrator))
        reading->state->calibrator = UINT32_MAX;
    choose_run(reading);
    events_put(reading->events, event_make(EVENT_BEGIN, reading->state->index, 0));
    events_put_payload(reading->events, &begin, sizeof begin);
    return true;
}

static bool read_end(struct reading *reading)
{
    struct span text = reading->line->text;
    struct recording *recording = recording_of(reading->recordings, reading->state);
    uint64_t events;
    if (!number_count(value_of(text, "events"), &events))
        return false;
    recording->has_end = true;
    recording->events_written = events;
    recording->lost_ns = seconds_of(text, "lost", recording->lost_ns / 1e9) * 1e9;
    choose_run(reading);
    if (reading->state->is_lost)
        events_put(reading->events, event_make(EVENT_LOST, 0, 0));
    events_put(reading->events, event_make(EVENT_END, 0, 0));
    return true;
}

void recordings_add_benchmark(struct recordings *recordings, const struct benchmark *benchmark)
{
    recordings->benchmarks =
        mem_grow(recordings->benchmarks, &recordings->benchmark_capacity,
                 recordings->benchmark_count + 1, sizeof *recordings->benchmarks);
    recordings->benchmarks[recordings->benchmark_count++] = *benchmark;
}

static bool read_benchmark(struct recordings *recordings, const struct grammar_recorder_line *line,
                           bool is_cut, struct error *err)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    struct benchmark benchmark;
    if (!is_word(line->kind, "benchmark"))
        return true;
    if (is_cut)
        return error_set(err, "the line of a benchmark is cut off");
    if (!grammar_fields(recordings->grammar, FIELDS_BENCHMARK, line->text, fields) ||
        !number_seconds(fields[0], &benchmark.from_ns) ||
        !number_seconds(fields[1], &benchmark.to_ns) ||
        !number_seconds(fields[2], &benchmark.time_ns))
        return error_set(err, "a benchmark is not <from> <to> <seconds>");
    recordings_add_benchmark(recordings, &benchmark);
    return true;
}

/* The kinds of lines that define something, and what they are read by. */
static const struct definition_kind {
    const char *word;
    enum grammar_fields fields;
    bool (*read)(struct reading *reading, const struct span *fields);
} definition_kinds[] = {
    {"source", FIELDS_SOURCE, read_source}, {"function", FIELDS_FUNCTION, read_function},
    {"name", FIELDS_NAME, read_name},       {"site", FIELDS_SITE, read_site},
    {"thread", FIELDS_THREAD, read_thread},
};

static const struct definition_kind *find_definition(struct span kind)
{
    for (size_t i = 0; i < sizeof definition_kinds / sizeof definition_kinds[0]; i++)
        if (is_word(kind, definition_kinds[i].word))
            return &definition_kinds[i];
    return NULL;
}

static bool read_kind(struct reading *reading, bool is_cut, bool is_late)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    const struct grammar_recorder_line *line = reading->line;
    struct recording *recording = recording_of(reading->recordings, reading->state);
    const struct definition_kind *definition = find_definition(line->kind);
    bool is_read = true;
    if (definition != NULL) {
        /* What is cut may be another number or name. */
        is_read =
            !is_cut &&
            grammar_fields(reading->recordings->grammar, definition->fields, line->text, fields) &&
            definition->read(reading, fields);
    } else if (is_late) {
        return true;
    } else if (is_word(line->kind, "events")) {
        error_set(reading->err, "the line is not <thread> <time> <lost> <events>");
        uint32_t thread;
        is_read = grammar_fields(reading->recordings->grammar, FIELDS_EVENTS, line->text, fields) &&
                  read_id(fields[0], &thread);
        reading->state->is_lost |= !is_read;
        return is_read && read_events(reading, thread, fields, is_cut);
    } else if (is_word(line->kind, "begin")) {
        is_read = !is_cut && line->number == 1 && read_begin(reading);
    } else if (is_word(line->kind, "end")) {
        is_read = !is_cut && read_end(reading);
    } else {
        recording->unknown_lines++;
    }
    return is_read || error_set(reading->err, "the line '%.*s' of the recording is damaged",
                                (int)line->kind.length, line->kind.at);
}

static struct recording_state *add_run(struct recordings *recordings, struct span key, uint32_t run)
{
    recordings->all = mem_grow(recordings->all, &recordings->capacity, recordings->count + 1,
                               sizeof *recordings->all);
    recordings->all[recordings->count] = (struct recording){
        .run = run,
        .is_sim = key.at[0] != 'u',
        .clock = intern_word(recordings->symbols, ""),
        .unit_ns = usual_unit_ns,
    };
    recordings->states = mem_grow(recordings->states, &recordings->state_capacity,
                                  recordings->state_count + 1, sizeof *recordings->states);
    struct recording_state *state = &recordings->states[recordings->state_count++];
    *state = (struct recording_state){
        .key_length = key.length, .index = (uint32_t)recordings->count++, .calibrator = UINT32_MAX};
    memcpy(state->key, key.at, key.length);
    return state;
}

bool recordings_read(struct recordings *recordings, const struct grammar_recorder_line *line,
                     bool is_cut, uint32_t run, struct events *events, struct error *err)
{
    if (line->version != RECORDER_FORMAT)
        return error_set(err,
                         "a line of profiler.lua's format %llu, and this supprof reads format %d; "
                         "take the supprof that came with that profiler.lua",
                         (unsigned long long)line->version, (int)RECORDER_FORMAT);
    if (is_benchmarks(line))
        return read_benchmark(recordings, line, is_cut, err);
    struct recording_state *state = recordings_begins_run(recordings, line)
                                        ? add_run(recordings, line->run, run)
                                        : find_state(recordings, line->run);
    if (state == NULL)
        return error_set(err, "'%.*s' is no run", (int)line->run.length, line->run.at);
    struct recording *recording = recording_of(recordings, state);
    struct reading reading = {recordings, state, events, line, err};
    bool is_late = line->number <= state->last_number;
    if (is_late) {
        recording->late_lines++;
    } else {
        recording->lines++;
        if (line->number > state->last_number + 1) {
            recording->missing_lines += line->number - state->last_number - 1;
            state->is_lost = true;
        }
        state->last_number = line->number;
    }
    bool is_read = read_kind(&reading, is_cut, is_late);
    recording_of(recordings, state)->damaged_lines += !is_read;
    return is_read;
}

void recordings_finish(struct recordings *recordings)
{
    struct symbols *symbols = recordings->symbols;
    uint32_t no_name = intern_word(symbols, "?");
    for (uint32_t i = 0; i < symbols->function_count; i++)
        if (symbols->functions[i].name == INTERN_NONE)
            symbols->functions[i].name = no_name;
}
