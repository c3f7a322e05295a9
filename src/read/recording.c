#include "read/recording.h"

#include "base/number.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* With `symbols` set and all else zero it has no definitions yet. */
struct recording_symbols {
    struct symbols *symbols; /* not owned */
    struct events *events;   /* not owned; set before each line: definitions are put there */
    struct id_map sources;   /* 1 + string id */
    struct id_map functions; /* 1 + function */
    struct id_map sites;     /* event_make(EVENT_CALL or EVENT_ROOT_CALL, site, 0).what */
    struct id_map threads;   /* 1 + thread */
    uint32_t function_count, site_count, thread_count;
    uint32_t calibrator;    /* 1 + function of the log; 0: unknown */
    uint32_t file;          /* 1 + string id of its source, when it is defined */
    uint32_t lost_function; /* 1 + function of sites whose definition is missing */
    struct known_function {
        uint32_t symbol;    /* id in symbols.h */
        bool is_named;      /* the recording has named it, which it does only once */
        uint32_t arguments; /* 1 + index in recordings.arguments; 0: none */
    } * known;              /* [function_count] */
    size_t known_capacity;
    struct watch_frame *site_frames; /* [site_count]; only in a watch, else NULL */
    size_t site_capacity;
    bool is_watch;
};

/*
 * The definitions of one recording of the recorder: sources, functions, sites and
 * threads, by their numbers in the log.
 *
 * Functions, sites and threads get new numbers here, which count from 0, and their definitions are
 * put among the events.
 */

/* Reads a number of the log. */
static bool read_id(struct span text, uint32_t *id)
{
    uint64_t value;
    if (!number_count(text, &value) || value > EVENT_OPERAND_MAX)
        return false;
    *id = (uint32_t)value;
    return true;
}

/* Returns the byte that "\" and three digits mean, or -1. */
static int escaped_byte(struct span text, size_t at)
{
    if (text.at[at] != '\\' || at + 3 >= text.length)
        return -1;
    int code = 0;
    for (size_t k = 1; k <= 3; k++) {
        char digit = text.at[at + k];
        if (digit < '0' || digit > '9')
            return -1;
        code = code * 10 + (digit - '0');
    }
    return code <= 255 ? code : -1;
}

/* Returns the string id of a name or a source. */
static uint32_t add_string(struct recording_symbols *recording, struct span text, bool is_source)
{
    SCOPED(text) plain = {0};
    for (size_t i = 0; i < text.length; i++) {
        int code = escaped_byte(text, i);
        char byte = code >= 0 ? (char)code : text.at[i];
        i += code >= 0 ? 3 : 0;
        text_put(&plain, &byte, 1);
    }
    return is_source ? symbols_add_source(recording->symbols, text_span(&plain))
                     : intern_add_span(&recording->symbols->strings, text_span(&plain));
}

/* Functions of C that suspend their thread. */
static const char *const suspending[] = {"WaitTicks",
                                         "WaitFor",
                                         "WaitSeconds",
                                         "SuspendCurrentThread",
                                         "yield",
                                         "coroutine.yield",
                                         NULL};

/* The recorder's two functions that people call. */
static const char *const commands[] = {"StartProfiler", "StopProfiler", NULL};

static bool is_one_of(struct span text, const char *const *names)
{
    while (*names != NULL && !span_is(text, *names))
        names++;
    return *names != NULL;
}

/*
 * Whether a thread that stays in this C function was ended by its error: functions of Lua, and
 * methods that ask an object of the engine, which may be destroyed. Other methods may kill their
 * own thread.
 */
static bool never_suspends(struct span text)
{
    static const char *const names[] = {
        "error", "assert", "next", "pairs", "ipairs", "unpack", "setmetatable", NULL};
    if (span_starts_with(text, "moho.")) {
        struct span method = span_after_last(text, '.');
        return span_starts_with(method, "Get") || span_starts_with(method, "Is") ||
               span_starts_with(method, "Can") || span_starts_with(method, "Has");
    }
    return span_starts_with(text, "string.") || span_starts_with(text, "table.") ||
           span_starts_with(text, "math.") || is_one_of(text, names);
}

/* Returns the new function. It has no number of the log yet. */
static uint32_t define_function(struct recording_symbols *recording, uint32_t source, int32_t line,
                                uint32_t name, bool calibrates)
{
    uint32_t function = recording->function_count++;
    recording->file = calibrates ? 1 + source : recording->file;
    uint32_t symbol = symbols_add_function(recording->symbols, source, line, name);
    struct span text = intern_get(&recording->symbols->strings, name);
    struct event_function definition = {
        .id = symbol,
        .is_lua = line >= 0,
        .is_iterator = line < 0 && symbols_iterates(recording->symbols, name),
        .calibrates = calibrates,
        .is_beside = recording->file == 1 + source,
        .is_command = recording->file == 1 + source && is_one_of(text, commands),
        .suspends = line < 0 && is_one_of(text, suspending),
        .never_suspends = line < 0 && never_suspends(text),
    };
    MEM_GROW(recording->known, recording->known_capacity, (size_t)function + 1);
    recording->known[function] = (struct known_function){.symbol = symbol};
    events_put(recording->events, event_make(EVENT_FUNCTION, function, 0));
    events_put_payload(recording->events, &definition, sizeof definition);
    return function;
}

static void name_function(struct recording_symbols *recording, uint32_t function, uint32_t name)
{
    struct known_function *known = &recording->known[function];
    if (known->is_named || symbols_is_no_name(recording->symbols, name))
        return;
    known->is_named = true;
    symbols_add_name(recording->symbols, known->symbol, name, 1);
}

/* Returns the one function that replaces all functions whose definition is missing. */
static uint32_t lost_function(struct recording_symbols *recording)
{
    if (recording->lost_function == 0)
        recording->lost_function =
            1 +
            define_function(recording,
                            intern_add_span(&recording->symbols->strings, span_of(SYMBOLS_LOST)),
                            -1,
                            intern_add_span(&recording->symbols->strings, span_of("")),
                            false);
    return recording->lost_function - 1;
}

static void define_site(struct recording_symbols *recording, uint32_t id, uint32_t function,
                        int32_t line)
{
    uint32_t site = recording->site_count++;
    struct event_site definition = {.function = function, .line = line};
    enum event_kind kind = line == NO_CALLER ? EVENT_ROOT_CALL : EVENT_CALL;
    id_map_define(&recording->sites, id, event_make(kind, site, 0).what);
    if (recording->is_watch) {
        MEM_GROW(recording->site_frames, recording->site_capacity, (size_t)site + 1);
        recording->site_frames[site] =
            (struct watch_frame){recording->known[function].symbol, line};
    }
    events_put(recording->events, event_make(EVENT_SITE, site, 0));
    events_put_payload(recording->events, &definition, sizeof definition);
}

static void define_thread(struct recording_symbols *recording, uint32_t id, bool is_coroutine)
{
    uint32_t thread = recording->thread_count++;
    id_map_define(&recording->threads, id, thread + 1);
    if (is_coroutine)
        events_put(recording->events, event_make(EVENT_COROUTINE, thread, 0));
}

/* Returns the thread with a number of the log; one that is not defined becomes a coroutine. */
static uint32_t thread_of(struct recording_symbols *recording, uint32_t id)
{
    if (id_map_find(&recording->threads, id) == 0)
        define_thread(recording, id, true);
    return id_map_find(&recording->threads, id) - 1;
}

/* Defines an id that events_read() has not found, because its definition is lost. */
static void define_missing(struct recording_symbols *recording, enum events_problem problem,
                           uint32_t id)
{
    if (problem == EVENTS_NO_SITE)
        define_site(recording, id, lost_function(recording), 0);
    else if (problem == EVENTS_NO_FUNCTION)
        id_map_define(&recording->functions, id, lost_function(recording) + 1);
    else
        define_thread(recording, id, true);
}

/*
 * The functions below read a line: `ids` are its first fields as numbers. They fail if another one
 * is damaged.
 */

static bool read_source(struct recording_symbols *recording, const uint32_t *ids,
                        const struct span *fields)
{
    if (id_map_find(&recording->sources, ids[0]) == 0)
        id_map_define(&recording->sources, ids[0], add_string(recording, fields[1], true) + 1);
    return true;
}

static bool read_function(struct recording_symbols *recording, const uint32_t *ids,
                          const struct span *fields)
{
    int32_t line;
    struct intern *strings = &recording->symbols->strings;
    if (!number_line(fields[2], &line))
        return false;
    if (id_map_find(&recording->functions, ids[0]) != 0)
        return true;
    uint32_t known = id_map_find(&recording->sources, ids[1]);
    uint32_t source = known != 0 ? known - 1 : intern_add_span(strings, span_of(SYMBOLS_LOST));
    uint32_t name = add_string(recording, fields[3], false);
    /* Frames that were lost by tail calls have no name, and are shown as their source. */
    if (line < 0 && !span_is(intern_get(strings, source), "=[C]") &&
        span_is(intern_get(strings, name), "?"))
        name = intern_add_span(strings, span_of(""));
    uint32_t function =
        define_function(recording, source, line, name, ids[0] + 1 == recording->calibrator);
    id_map_define(&recording->functions, ids[0], function + 1);
    name_function(recording, function, name);
    return true;
}

static bool read_name(struct recording_symbols *recording, const uint32_t *ids,
                      const struct span *fields)
{
    uint32_t function = id_map_find(&recording->functions, ids[0]);
    if (function != 0)
        name_function(recording, function - 1, add_string(recording, fields[1], false));
    return true;
}

static bool read_shares(struct recording_symbols *recording, const uint32_t *ids,
                        const struct span *fields)
{
    uint32_t count, function = id_map_find(&recording->functions, ids[0]);
    if (!read_id(fields[1], &count))
        return false;
    if (function != 0)
        symbols_share_line(recording->symbols, recording->known[function - 1].symbol, count);
    return true;
}

static bool read_site(struct recording_symbols *recording, const uint32_t *ids,
                      const struct span *fields)
{
    int32_t line;
    if (!number_line(fields[2], &line))
        return false;
    if (id_map_find(&recording->sites, ids[0]) != 0)
        return true;
    uint32_t known = id_map_find(&recording->functions, ids[1]);
    define_site(recording, ids[0], known != 0 ? known - 1 : lost_function(recording), line);
    return true;
}

static bool read_thread(struct recording_symbols *recording, const uint32_t *ids,
                        const struct span *fields)
{
    if (id_map_find(&recording->threads, ids[0]) == 0)
        define_thread(recording, ids[0], span_is(fields[1], "coroutine"));
    return true;
}

enum { IDS_MAX = 2 };

static const struct definition_kind {
    const char *word;
    enum grammar_fields fields;
    size_t id_count;   /* of the first fields */
    bool makes_events; /* its definitions are put among the events */
    bool (*read)(struct recording_symbols *recording, const uint32_t *ids,
                 const struct span *fields);
} kinds[] = {
    {"source", FIELDS_SOURCE, 1, false, read_source},
    {"function", FIELDS_FUNCTION, 2, true, read_function},
    {"name", FIELDS_NAME, 1, false, read_name},
    {"shares", FIELDS_NAME, 1, false, read_shares},
    {"site", FIELDS_SITE, 2, true, read_site},
    {"thread", FIELDS_THREAD, 1, true, read_thread},
};

/* Returns NULL if lines of that kind define nothing. */
static const struct definition_kind *kind_of_line(struct span kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (span_is(kind, kinds[i].word))
            return &kinds[i];
    return NULL;
}

/* Reads a line of that kind and appends its events. Fails on a damaged line. */
static bool read_symbols(struct recording_symbols *recording, const struct definition_kind *kind,
                         struct grammar *grammar, struct span text)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    uint32_t ids[IDS_MAX] = {0};
    bool is_read = grammar_fields(grammar, kind->fields, text, fields);
    for (size_t i = 0; i < kind->id_count && is_read; i++)
        is_read = read_id(fields[i], &ids[i]);
    return is_read && kind->read(recording, ids, fields);
}

size_t last_line_start(const struct last_line *last, const struct events *events)
{
    return last->start < last->end ? last->start : events->count;
}

/* The time that an event takes; 0 where `units` is something else. */
static uint64_t units_of(struct event event)
{
    enum event_kind kind = event_kind(event);
    if (kind == EVENT_LEAF)
        return (uint64_t)event_call_units(event) + event_return_units(event);
    return kind >= EVENT_CALL && kind <= EVENT_RESUME ? event.units : 0;
}

/* How many events of the log became this one. */
static unsigned count_in_log(struct event event)
{
    enum event_kind kind = event_kind(event);
    if (kind == EVENT_LEAF)
        return 2;
    return kind != EVENT_NONE && kind != EVENT_MEMORY && kind < EVENT_LOST;
}

/*
 * Removes the events that end more than `units_max` units after the first began, and all events
 * behind them in the line; definitions among them stay. Returns how many events of the log were
 * removed.
 */
static uint64_t cut_last_line(struct last_line *last, struct events *events, double units_max)
{
    uint64_t units = 0, removed = 0;
    size_t at = last->start;
    assert(last->end <= events->count);
    for (; at < last->end; at += event_length(events->at[at])) {
        units += units_of(events->at[at]);
        if ((double)units > units_max)
            break;
    }
    size_t to = at;
    for (size_t length; at < last->end; at += length) {
        length = event_length(events->at[at]);
        removed += count_in_log(events->at[at]);
        /* What other events refer to stays. */
        if (event_kind(events->at[at]) < EVENT_LOST)
            continue;
        memmove(events->at + to, events->at + at, length * sizeof *events->at);
        to += length;
    }
    if (to < last->end)
        memmove(events->at + to,
                events->at + last->end,
                (events->count - last->end) * sizeof *events->at);
    events->count -= last->end - to;
    last->end = last->start;
    return removed;
}

/* The longest name of a recording, "s1". */
enum { KEY_MAX = 16 };

struct recording_state {
    uint32_t index; /* in recordings->all */
    uint64_t last_number;
    struct recording_symbols symbols;
    bool has_events;
    bool is_lost; /* lines are missing, and no events were read since */
    /* Of a watch: a wake is recorded, its thread is known, and nothing of it is missing. */
    bool is_in_wake, has_wake_thread, has_whole_wake;
};

/* Defaults for a recording without its begin line: those that the game's clock allows. */
static const double usual_unit_ns = 1e9 / 1048576;

void recordings_init(struct recordings *recordings, struct grammar *grammar,
                     struct symbols *symbols)
{
    *recordings =
        (struct recordings){.grammar = grammar, .symbols = symbols, .current = UINT32_MAX};
}

static void forget_states(struct recordings *recordings)
{
    for (size_t i = 0; i < recordings->state_count; i++) {
        struct recording_symbols *symbols = &recordings->states[i].symbols;
        index_release(&symbols->sources.index);
        index_release(&symbols->functions.index);
        index_release(&symbols->sites.index);
        index_release(&symbols->threads.index);
        MEM_FREE(symbols->known, symbols->site_frames);
    }
    recordings->state_count = 0;
    intern_release(&recordings->keys);
    recordings->current = UINT32_MAX;
}

void recordings_begin_log(struct recordings *recordings)
{
    forget_states(recordings);
    recordings->log_count++;
    recordings->game = 0;
}

void recordings_release(struct recordings *recordings)
{
    const struct watches *watches = &recordings->watches;
    forget_states(recordings);
    MEM_FREE(recordings->states,
             recordings->state_of_key,
             recordings->all,
             recordings->benchmarks,
             recordings->arguments,
             recordings->heaps);
    MEM_FREE(watches->lengths,
             watches->sums,
             watches->frames,
             watches->ticks,
             watches->threads,
             watches->slow_ticks,
             watches->wakes,
             watches->units);
    known_events_release(&recordings->known_events);
    *recordings = (struct recordings){0};
}

/* Run 0 has the benchmarks. */
static bool is_benchmarks(const struct grammar_recorder_line *line)
{
    return line->run.length == 2 && line->run.at[1] == '0';
}

static bool is_readable(const struct grammar_recorder_line *line)
{
    return line->version >= RECORDER_FORMAT_OLDEST && line->version <= RECORDER_FORMAT;
}

struct line_owner recordings_find_owner(const struct recordings *recordings,
                                        const struct grammar_recorder_line *line)
{
    uint32_t key = intern_find(&recordings->keys, line->run.at, line->run.length);
    bool can_begin = is_readable(line) && !is_benchmarks(line) && line->run.length <= KEY_MAX;
    if (key == INTERN_NONE)
        return (struct line_owner){.state = INTERN_NONE, .begins_one = can_begin};
    /* The last one of the log with that name. */
    uint32_t number = recordings->state_of_key[key];
    const struct recording_state *state = &recordings->states[number];
    return (struct line_owner){
        .state = number,
        .run = recordings->all[state->index].run,
        /* If several logs were joined into one, a recording may appear again. */
        .begins_one = can_begin && line->number == 1 && span_is(line->kind, "begin") &&
                      state->last_number > 1,
    };
}

/* The state for reading one line. */
struct line_reading {
    struct recordings *recordings;
    struct recording_state *state;
    struct recording *recording; /* that of the state */
    struct events *events;
    const struct grammar_recorder_line *line;
    struct error *err;
};

/* All events after this belong to the line's recording. */
static void choose_recording(struct line_reading *reading)
{
    if (reading->recordings->current == reading->state->index)
        return;
    reading->recordings->current = reading->state->index;
    events_put(reading->events, event_make(EVENT_RECORDING, reading->state->index, 0));
}

/* After missing lines no stack of the recording can be trusted, and `thread` is the running thread.
 */
static void restart_thread(struct line_reading *reading, uint32_t thread)
{
    reading->state->is_lost = false;
    events_put(reading->events, event_make(EVENT_LOST, 0, 0));
    uint32_t running = thread_of(&reading->state->symbols, thread);
    events_put(reading->events, event_make(EVENT_THREAD, running, 0));
}

/*
 * Reads the text of events. Returns whether it was read completely; `*from` is where reading ended.
 */
static bool read_event_text(struct line_reading *reading, struct span text, size_t *from)
{
    struct recording_symbols *symbols = &reading->state->symbols;
    uint64_t *event_count = &reading->recording->events;
    uint32_t run = reading->state->index + 1;
    const struct events_text events_text = {
        .text = text,
        .sites = &symbols->sites,
        .functions = &symbols->functions,
        .threads = &symbols->threads,
        .known = run <= KNOWN_RECORDING_MAX ? &reading->recordings->known_events : NULL,
        .run = run,
    };
    for (*from = 0;;) {
        uint32_t id = 0;
        enum events_problem problem =
            events_read(reading->events, &events_text, from, event_count, &id);
        /* A site with more letters than any site can have is damage. */
        if (problem == EVENTS_DAMAGED || (problem == EVENTS_NO_SITE && id > EVENT_OPERAND_MAX))
            return false;
        if (problem == EVENTS_READ)
            return true;
        define_missing(symbols, problem, id);
    }
}

/* After missing lines: the last line before them took no longer than until this one began. */
static void bound_last_line(struct line_reading *reading, int64_t time_ns)
{
    const double precision = 1.001; /* of the times in the log, generously */
    struct last_line *last = &reading->recordings->last;
    struct recording *recording = reading->recording;
    if (last->run != reading->state->index || time_ns < last->time_ns)
        return;
    double units_max = (double)(time_ns - last->time_ns) / recording->unit_ns * precision + 2;
    recording->events -= cut_last_line(last, reading->events, units_max);
}

static bool read_events(struct line_reading *reading, uint32_t thread, const struct span *fields,
                        bool is_cut)
{
    struct recording_state *state = reading->state;
    int64_t lost_ns;
    if (number_seconds(fields[2], &lost_ns))
        reading->recording->lost_ns = (double)lost_ns;
    int64_t time_ns;
    bool has_time = number_seconds(fields[1], &time_ns);
    if (state->is_lost && has_time)
        bound_last_line(reading, time_ns);
    choose_recording(reading);
    if (state->is_lost) {
        restart_thread(reading, thread);
    } else if (!state->has_events && !reading->recording->is_watch) {
        /* If the line does not name the thread of the first events, it is the one defined first. */
        uint32_t known = id_map_find(&state->symbols.threads, thread);
        if (known > 1)
            events_put(reading->events, event_make(EVENT_THREAD, known - 1, 0));
    }
    state->has_events = true;
    struct span text = fields[3];
    if (is_cut)
        text.length = events_whole_length(text);
    struct last_line last = {.start = reading->events->count, .run = state->index};
    size_t from;
    bool is_whole = read_event_text(reading, text, &from);
    last.end = has_time ? reading->events->count : last.start;
    last.time_ns = has_time ? time_ns : 0;
    reading->recordings->last = last;
    /* So the result does not depend on where batches end. */
    events_put(reading->events, event_make(EVENT_NONE, 0, 0));
    if (is_whole && !is_cut)
        return true;
    state->is_lost = true;
    if (is_cut)
        return error_set(reading->err,
                         "the line of events is cut off; its complete events were used");
    return error_set(reading->err,
                     "the events cannot be read from byte %zu on; those before it were used",
                     from + 1);
}

/* Returns the value of "key=value" in a text of several; empty if it is not there. */
static struct span value_of(struct span text, const char *key)
{
    while (text.length > 0) {
        struct span word = span_take(&text, ' '), value = word;
        struct span name = span_take(&value, '=');
        if (span_is(name, key) && name.length < word.length)
            return value;
    }
    return span_of("");
}

static double seconds_of(struct span text, const char *key, double otherwise)
{
    int64_t ns;
    return number_seconds(value_of(text, key), &ns) ? (double)ns / 1e9 : otherwise;
}

/* The unit is a power of two, but the log has only nine digits of it: sums need the exact power. */
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

/* Nothing changes the events before it any more: they are of another tick. */
static void put_sample(struct line_reading *reading, uint32_t sample, uint32_t tick)
{
    choose_recording(reading);
    reading->recordings->last = (struct last_line){0};
    events_put(reading->events, event_make(EVENT_SAMPLE, sample, tick));
}

static bool read_begin(struct line_reading *reading)
{
    struct span text = reading->line->text;
    struct recording *recording = reading->recording;
    struct symbols *symbols = reading->recordings->symbols;
    struct span clock = value_of(text, "clock");
    uint64_t tick;
    recording->has_begin = true;
    recording->clock = intern_add_span(&symbols->strings, clock);
    struct span step = value_of(text, "step");
    /* Of a line that was wrapped there, it is "9" in place of 9.5e-07. */
    bool is_cut = step.at + step.length == text.at + text.length;
    recording->step_ns = is_cut ? 0 : seconds_of(text, "step", 0) * 1e9;
    /* A step of 2 ms is measured as a little less. */
    recording->is_coarse = recording->step_ns >= 1.99e6;
    recording->is_clock_still = span_is(value_of(text, "step"), "?");
    recording->unit_ns = unit_of(text);
    recording->from_ns = seconds_of(text, "at", 0) * 1e9;
    recording->has_resumes = span_is(value_of(text, "marks"), "yes");
    recording->has_memory = span_is(value_of(text, "memory"), "yes");
    recording->has_bursts = span_is(value_of(text, "mode"), "sample");
    if (recording->has_bursts)
        return true;
    uint32_t calibrator;
    bool is_known = read_id(value_of(text, "calibrator"), &calibrator);
    struct event_begin begin = {
        .unit_ns = recording->unit_ns,
        .turn_ns = {1e9 * seconds_of(text, "lua_call", -1),
                    1e9 * seconds_of(text, "c_call", -1),
                    1e9 * seconds_of(text, "next_call", -1)},
        .hook_ns = 1e9 * seconds_of(text, "event", 0),
        .time_seconds = seconds_of(text, "time", -1),
        .tick = number_count(value_of(text, "tick"), &tick) ? (int64_t)tick : -1,
        .has_resumes = recording->has_resumes,
        .has_no_time = recording->is_coarse,
        .recorder = is_known ? symbols_add_made_up(symbols, SYMBOLS_RECORDER) : 0,
    };
    reading->state->symbols.calibrator = is_known ? 1 + calibrator : 0;
    choose_recording(reading);
    events_put(reading->events, event_make(EVENT_BEGIN, reading->state->index, 0));
    events_put_payload(reading->events, &begin, sizeof begin);
    recording->is_sampled = span_is(value_of(text, "mode"), "ticks");
    recording->is_watch = span_is(value_of(text, "mode"), "watch");
    recording->begin_tick = begin.tick;
    reading->state->symbols.is_watch = recording->is_watch;
    if (recording->is_watch)
        recording->slow_ns = (int64_t)(seconds_of(text, "slow", 0) * 1e6);
    if (recording->is_sampled || recording->is_watch)
        put_sample(reading, recording->is_watch ? SAMPLE_WATCH : SAMPLE_NOTHING, 0);
    return true;
}

static bool read_end(struct line_reading *reading)
{
    struct span text = reading->line->text;
    struct recording *recording = reading->recording;
    uint64_t events;
    if (!number_count(value_of(text, "events"), &events))
        return false;
    recording->has_end = true;
    recording->events_written = events;
    recording->lost_ns = seconds_of(text, "lost", recording->lost_ns / 1e9) * 1e9;
    recording->to_ns = seconds_of(text, "at", 0) * 1e9;
    number_count(value_of(text, "slow"), &recording->slow_events);
    number_count(value_of(text, "clock_faults"), &recording->clock_faults);
    number_count(value_of(text, "passed"), &recording->passed_ticks);
    number_count(value_of(text, "wakes"), &recording->wakes);
    number_count(value_of(text, "unknown"), &recording->unknown_wakes);
    recording->added_share = seconds_of(text, "share", recording->added_share);
    choose_recording(reading);
    if (reading->state->is_lost)
        events_put(reading->events, event_make(EVENT_LOST, 0, 0));
    bool has_more = span_is(value_of(text, "reference"), "yes");
    events_put(reading->events, event_make(EVENT_END, has_more, 0));
    return true;
}

static void put_reference(struct line_reading *reading, const struct event_reference *reference)
{
    choose_recording(reading);
    events_put(reading->events, event_make(EVENT_REFERENCE, 0, 0));
    events_put_payload(reading->events, reference, sizeof *reference);
}

/* "before|after <line> <wakes> <ns> <standard deviation> <source>": see supprof-log(5). */
static bool read_reference(struct line_reading *reading)
{
    struct span text = reading->line->text, when = span_take(&text, ' ');
    struct span line = span_take(&text, ' '), wakes = span_take(&text, ' ');
    struct span ns = span_take(&text, ' '), deviation = span_take(&text, ' ');
    struct symbols *symbols = reading->recordings->symbols;
    bool is_after = span_is(when, "after");
    uint64_t counts[4];
    if ((!is_after && !span_is(when, "before")) || !number_count(line, &counts[0]) ||
        counts[0] > INT32_MAX || !number_count(wakes, &counts[1]) || counts[1] == 0 ||
        !number_count(ns, &counts[2]) || !number_count(deviation, &counts[3]) || text.length == 0)
        return false;
    uint32_t source = add_string(&reading->state->symbols, text, true);
    struct event_reference reference = {
        .function = symbols_add_function(symbols, source, (int32_t)counts[0], INTERN_NONE),
        .is_after = is_after,
        .wakes = (double)counts[1],
        .ns = (double)counts[2],
        .deviation_ns = (double)counts[3],
    };
    put_reference(reading, &reference);
    return true;
}

void recordings_add_benchmark(struct recordings *recordings, const struct benchmark *benchmark)
{
    MEM_APPEND(recordings->benchmarks,
               recordings->benchmark_count,
               recordings->benchmark_capacity,
               *benchmark);
}

static bool read_benchmark(struct recordings *recordings, const struct grammar_recorder_line *line,
                           bool is_cut, struct error *err)
{
    struct benchmark benchmark;
    if (!span_is(line->kind, "benchmark"))
        return true;
    if (is_cut)
        return error_set(err, "the line of a benchmark is cut off");
    if (!grammar_benchmark(recordings->grammar, FIELDS_BENCHMARK, line->text, &benchmark))
        return error_set(err, "the line is not <from> <to> <seconds>");
    recordings_add_benchmark(recordings, &benchmark);
    return true;
}

const char *const argument_count_names[ARGUMENTS_COUNT] = {
    "calls",      "distinct",      "other",      "repeats",  "equal",         "tick_repeats",
    "tick_equal", "tick_contents", "tick_other", "results",  "large",         "failed",
    "ns",         "tick_ns",       "changed",    "equal_ns", "between_ticks", "kept_1",
    "kept_3",     "kept_10",       "kept_30",    "kept_100"};

/* "<function id> <key>=<count> ...", all from the beginning on: the last line of a function counts.
 */
static bool read_arguments(struct line_reading *reading)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    struct recordings *recordings = reading->recordings;
    struct recording_symbols *symbols = &reading->state->symbols;
    struct function_arguments arguments = {.recording = reading->state->index};
    uint32_t id;
    if (!grammar_fields(recordings->grammar, FIELDS_NAME, reading->line->text, fields) ||
        !read_id(fields[0], &id))
        return false;
    for (size_t i = 0; i < ARGUMENTS_COUNT; i++)
        if (!number_count(value_of(fields[1], argument_count_names[i]), &arguments.counts.of[i]) &&
            i < ARGUMENTS_NS)
            return false;
    uint32_t function = id_map_find(&symbols->functions, id);
    if (function == 0)
        return true;
    struct known_function *known = &symbols->known[function - 1];
    arguments.function = known->symbol;
    if (known->arguments == 0) {
        MEM_APPEND(recordings->arguments,
                   recordings->argument_count,
                   recordings->argument_capacity,
                   arguments);
        known->arguments = (uint32_t)recordings->argument_count;
    }
    recordings->arguments[known->arguments - 1] = arguments;
    return true;
}

/*
 * "<KB in use> <limit>": Lua collects the next time when twice as much is in use as was left. What
 * is in use may be more than was left, since some has been taken since then.
 */
static bool read_heap(struct line_reading *reading)
{
    struct recordings *recordings = reading->recordings;
    struct span text = reading->line->text, used = span_take(&text, ' ');
    uint64_t used_kb, limit_kb;
    if (!number_count(used, &used_kb) || !number_count(text, &limit_kb))
        return false;
    struct heap_size heap = {reading->state->index, fmin((double)used_kb, (double)limit_kb / 2)};
    MEM_APPEND(recordings->heaps, recordings->heap_count, recordings->heap_capacity, heap);
    return true;
}

/* "lost <tick>"; an unknown tick is "?". */
static void lose_hook(struct recording *recording, struct span tick)
{
    uint64_t number;
    if (recording->hook_losses++ == 0)
        recording->hook_lost_tick = number_count(tick, &number) ? (int64_t)number : -1;
}

/* "watched", and in a watch "left" and "cut". */
static void put_wake(struct line_reading *reading, struct span word, uint32_t tick)
{
    struct recording_state *state = reading->state;
    bool is_begin = span_is(word, "watched"), is_whole = state->has_whole_wake && !state->is_lost;
    enum tick_sampling end = span_is(word, "left") ? SAMPLE_WHOLE_WAKE : SAMPLE_CUT_WAKE;
    reading->recording->watched += is_begin;
    put_sample(reading, is_begin ? SAMPLE_WAKE : is_whole ? end : SAMPLE_WATCH, tick);
    state->is_in_wake = state->has_whole_wake = is_begin;
    state->has_wake_thread = false;
    /* Whatever is missing before it, a wake has its whole stack. */
    state->is_lost &= !is_begin;
}

/* "chosen <tick> <block>", "watched <tick> <function>", and "left", "cut" and "slow" with a tick.
 */
static bool read_sample(struct line_reading *reading, struct span word, struct span text)
{
    struct recording *recording = reading->recording;
    bool is_chosen = span_is(word, "chosen"), is_cut = span_is(word, "cut");
    uint32_t tick, block = is_cut ? SAMPLE_NOTHING : SAMPLE_LEFT;
    if (span_is(word, "slow"))
        block = SAMPLE_SLOW;
    if (!read_id(span_take(&text, ' '), &tick))
        return false;
    if (is_chosen && (!read_id(text, &block) || block == 0 || block > SAMPLE_BLOCK_MAX))
        return false;
    if (recording->is_watch) {
        put_wake(reading, word, tick);
        return true;
    }
    recording->is_sampled |= is_chosen;
    recording->chosen_ticks += is_chosen;
    recording->cut_ticks += is_cut;
    put_sample(reading, block, tick);
    return true;
}

/* Whether the hook is there; a reader does not need "back". */
static bool read_hook(struct line_reading *reading)
{
    struct span text = reading->line->text, word = span_take(&text, ' ');
    if (span_is(word, "lost"))
        lose_hook(reading->recording, text);
    else if (span_is(word, "chosen") || span_is(word, "left") || span_is(word, "cut") ||
             span_is(word, "slow") || span_is(word, "watched"))
        return read_sample(reading, word, text);
    return true;
}

static int64_t watched_function(const void *context, uint64_t id)
{
    const struct recording_symbols *symbols = context;
    uint32_t function =
        id <= EVENT_OPERAND_MAX ? id_map_find(&symbols->functions, (uint32_t)id) : 0;
    return function != 0 ? (int64_t)symbols->known[function - 1].symbol : WATCH_UNKNOWN;
}

static struct watch_frame watched_site(const void *context, uint64_t id)
{
    const struct recording_symbols *symbols = context;
    uint32_t what = id <= EVENT_OPERAND_MAX ? id_map_find(&symbols->sites, (uint32_t)id) : 0;
    struct watch_frame lost = {WATCH_UNKNOWN, NO_LINE};
    return what != 0 && symbols->is_watch
               ? symbols->site_frames[event_operand((struct event){what, 0})]
               : lost;
}

/*
 * What threads took is a reference for the wakes that are recorded. How much their wakes differ is
 * not known, but how much at most: as if each had taken nothing, or as long as the longest.
 */
static void put_watched_references(struct line_reading *reading)
{
    const struct watches *watches = &reading->recordings->watches;
    const struct watch_threads *threads = &watches->threads[watches->thread_count - 1];
    for (size_t i = threads->from; i < threads->from + threads->count; i++) {
        const struct watch_sum *sum = &watches->sums[i];
        double mean_ns = (double)sum->time_ns / (double)sum->wakes;
        if (sum->function < 0 || sum->wakes == 0)
            continue;
        put_reference(
            reading,
            &(struct event_reference){
                .function = (uint32_t)sum->function,
                .is_watched = true,
                .wakes = (double)sum->wakes,
                .ns = (double)sum->time_ns,
                .deviation_ns = sqrt(mean_ns * fmax((double)sum->longest_ns - mean_ns, 0)),
                .first_tick = threads->first,
                .last_tick = threads->last,
            });
    }
}

static bool read_watch(struct line_reading *reading)
{
    const struct watch_names names = {&reading->state->symbols, watched_function, watched_site};
    bool is_read = watch_read(&reading->recordings->watches,
                              reading->state->index,
                              &names,
                              reading->line->kind,
                              reading->line->text);
    if (is_read && reading->recording->is_watch && span_is(reading->line->kind, "threads"))
        put_watched_references(reading);
    return is_read;
}

/*
 * Of the events of a line of a watch, from `start` on, keeps those of the wake that is recorded:
 * what follows it, where an error has ended it, begins with another thread. What other events
 * refer to stays.
 */
static void keep_wake(struct line_reading *reading, size_t start)
{
    struct recording_state *state = reading->state;
    struct events *events = reading->events;
    size_t to = start;
    for (size_t at = start, length; at < events->count; at += length) {
        length = event_length(events->at[at]);
        bool is_switch = event_kind(events->at[at]) == EVENT_THREAD;
        state->is_in_wake &= !is_switch || !state->has_wake_thread;
        state->has_wake_thread |= is_switch;
        if (!state->is_in_wake && event_kind(events->at[at]) < EVENT_LOST)
            continue;
        memmove(events->at + to, events->at + at, length * sizeof *events->at);
        to += length;
    }
    events->count = to;
    reading->recordings->last = (struct last_line){0};
}

static bool read_kind(struct line_reading *reading, bool is_cut, bool is_late)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    const struct grammar_recorder_line *line = reading->line;
    struct recording *recording = reading->recording;
    struct grammar *grammar = reading->recordings->grammar;
    const struct definition_kind *definition = kind_of_line(line->kind);
    bool is_read = true;
    if (definition != NULL) {
        if (definition->makes_events)
            choose_recording(reading);
        /* A number or name that was cut may read as another one. */
        is_read =
            !is_cut && read_symbols(&reading->state->symbols, definition, grammar, line->text);
    } else if (is_late) {
        return true;
    } else if (span_is(line->kind, "events")) {
        uint32_t thread = 0;
        is_read = (grammar_fields(grammar, FIELDS_EVENTS, line->text, fields) &&
                   read_id(fields[0], &thread)) ||
                  error_set(reading->err, "the line is not <thread> <time> <lost> <events>");
        reading->state->is_lost |= !is_read;
        size_t start = reading->events->count;
        reading->state->has_whole_wake &= !reading->state->is_lost;
        is_read = is_read && read_events(reading, thread, fields, is_cut);
        if (recording->is_watch)
            keep_wake(reading, start);
        return is_read;
    } else if (span_is(line->kind, "begin")) {
        is_read = !is_cut && line->number == 1 && read_begin(reading);
    } else if (span_is(line->kind, "end")) {
        is_read = !is_cut && read_end(reading);
    } else if (span_is(line->kind, "hook")) {
        is_read = !is_cut && read_hook(reading);
    } else if (span_is(line->kind, "arguments")) {
        is_read = !is_cut && read_arguments(reading);
    } else if (span_is(line->kind, "heap")) {
        is_read = !is_cut && read_heap(reading);
    } else if (span_is(line->kind, "reference")) {
        is_read = !is_cut && read_reference(reading);
    } else if (watch_has_kind(line->kind)) {
        is_read = !is_cut && read_watch(reading);
    } else {
        recording->unknown_lines++;
    }
    return is_read || error_set(reading->err,
                                "the line '%.*s' of the recording is damaged",
                                (int)line->kind.length,
                                line->kind.at);
}

static struct recording_state *add_run(struct recordings *recordings, struct span key, uint32_t run)
{
    uint32_t found = intern_find(&recordings->keys, key.at, key.length);
    if (found != INTERN_NONE) {
        /* A name that this game has had already is of the next one. */
        uint32_t index = recordings->states[recordings->state_of_key[found]].index;
        recordings->game += recordings->all[index].game == recordings->game;
    }
    MEM_GROW(recordings->all, recordings->capacity, recordings->count + 1);
    recordings->all[recordings->count] = (struct recording){
        .run = run,
        .log = recordings->log_count > 0 ? recordings->log_count - 1 : 0,
        .game = recordings->game,
        .is_sim = key.at[0] != 'u',
        .clock = intern_add_span(&recordings->symbols->strings, span_of("")),
        .unit_ns = usual_unit_ns,
        .added_share = -1,
    };
    uint32_t number = (uint32_t)recordings->state_count;
    struct recording_state state = {.index = (uint32_t)recordings->count++,
                                    .symbols = {.symbols = recordings->symbols}};
    MEM_APPEND(recordings->states, recordings->state_count, recordings->state_capacity, state);
    uint32_t key_id = intern_add_span(&recordings->keys, key);
    MEM_GROW(recordings->state_of_key, recordings->key_capacity, recordings->keys.count);
    recordings->state_of_key[key_id] = number;
    return &recordings->states[number];
}

static void count_width(struct line_widths *widths, const struct grammar_recorder_line *line)
{
    if (!span_is(line->kind, "events"))
        return;
    widths->lines++;
    if (line->length > widths->widest)
        *widths = (struct line_widths){.lines = widths->lines, .widest = line->length};
    widths->widest_count += line->length == widths->widest;
}

bool recordings_read(struct recordings *recordings, const struct grammar_recorder_line *line,
                     struct line_owner owner, bool is_cut, struct events *events, struct error *err)
{
    if (!is_readable(line))
        return error_set(err,
                         "a line of profiler.lua's format %llu, and this supprof reads formats %d "
                         "to %d; take the supprof that came with that profiler.lua",
                         (unsigned long long)line->version,
                         (int)RECORDER_FORMAT_OLDEST,
                         (int)RECORDER_FORMAT);
    if (is_benchmarks(line))
        return read_benchmark(recordings, line, is_cut, err);
    if (!owner.begins_one && owner.state == INTERN_NONE)
        return error_set(err, "unknown run '%.*s'", (int)line->run.length, line->run.at);
    struct recording_state *state = owner.begins_one ? add_run(recordings, line->run, owner.run)
                                                     : &recordings->states[owner.state];
    struct recording *recording = &recordings->all[state->index];
    struct line_reading reading = {recordings, state, recording, events, line, err};
    state->symbols.events = events;
    count_width(&recording->widths, line);
    bool is_late = line->number <= state->last_number;
    if (recording->has_bursts) {
        state->last_number = line->number;
        return true;
    }
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
    recording->damaged_lines += !is_read;
    return is_read;
}

void recordings_join(struct recordings *recordings, const struct recordings *later,
                     const uint32_t *strings, const uint32_t *functions, uint32_t run_count)
{
    uint32_t first = (uint32_t)recordings->count;
    for (size_t i = 0; i < later->count; i++) {
        struct recording recording = later->all[i];
        recording.run += run_count;
        recording.log += recordings->log_count;
        recording.clock = strings[recording.clock];
        MEM_APPEND(recordings->all, recordings->count, recordings->capacity, recording);
    }
    for (size_t i = 0; i < later->benchmark_count; i++)
        recordings_add_benchmark(recordings, &later->benchmarks[i]);
    for (size_t i = 0; i < later->argument_count; i++) {
        struct function_arguments arguments = later->arguments[i];
        arguments.recording += first;
        arguments.function = functions[arguments.function];
        MEM_APPEND(recordings->arguments,
                   recordings->argument_count,
                   recordings->argument_capacity,
                   arguments);
    }
    for (size_t i = 0; i < later->heap_count; i++) {
        struct heap_size heap = later->heaps[i];
        heap.recording += first;
        MEM_APPEND(recordings->heaps, recordings->heap_count, recordings->heap_capacity, heap);
    }
    watches_join(&recordings->watches, &later->watches, first, functions);
    recordings->log_count += later->log_count;
}

void recordings_finish(struct recordings *recordings)
{
    struct symbols *symbols = recordings->symbols;
    uint32_t no_name = intern_add_span(&symbols->strings, span_of("?"));
    known_events_release(&recordings->known_events);
    for (uint32_t i = 0; i < symbols->function_count; i++)
        if (symbols->functions[i].name == INTERN_NONE)
            symbols->functions[i].name = no_name;
}
