#include "read/run_symbols.h"

#include "base/number.h"
#include "base/text.h"

void run_symbols_release(struct run_symbols *run)
{
    index_release(&run->sources.index);
    index_release(&run->functions.index);
    index_release(&run->sites.index);
    index_release(&run->threads.index);
    free(run->known);
    *run = (struct run_symbols){0};
}

bool run_symbols_id(struct span text, uint32_t *id)
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

static uint32_t intern_escaped(struct run_symbols *run, struct span text)
{
    struct text plain = {0};
    for (size_t i = 0; i < text.length; i++) {
        int code = escaped_byte(text, i);
        char byte = code >= 0 ? (char)code : text.at[i];
        i += code >= 0 ? 3 : 0;
        text_put(&plain, &byte, 1);
    }
    uint32_t id = intern_add(&run->symbols->strings, text_string(&plain), plain.length);
    text_release(&plain);
    return id;
}

static bool is_suspending(const struct symbols *symbols, uint32_t name)
{
    static const char *const names[] = {
        "WaitTicks", "WaitFor", "WaitSeconds", "SuspendCurrentThread", "yield", "coroutine.yield"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (span_is(intern_get(&symbols->strings, name), names[i]))
            return true;
    return false;
}

/* Those of the game's Lua; ipairs calls itself there. */
static bool is_iterating(const struct symbols *symbols, uint32_t name)
{
    struct span text = intern_get(&symbols->strings, name);
    return span_is(text, "next") || span_is(text, "ipairs");
}

/* Returns the new function. It has no number of the log yet. */
static uint32_t define_function(struct run_symbols *run, uint32_t source, int32_t line,
                                uint32_t name, bool calibrates)
{
    uint32_t function = run->function_count++;
    uint32_t symbol = symbols_add_function(run->symbols, source, line, name);
    struct event_function definition = {
        .id = symbol,
        .is_lua = line >= 0,
        .is_iterator = line < 0 && is_iterating(run->symbols, name),
        .calibrates = calibrates,
        .suspends = line < 0 && is_suspending(run->symbols, name),
    };
    MEM_GROW(run->known, run->known_capacity, (size_t)function + 1);
    run->known[function] = (struct known_function){.symbol = symbol};
    events_put(run->events, event_make(EVENT_FUNCTION, function, 0));
    events_put_payload(run->events, &definition, sizeof definition);
    return function;
}

static void name_function(struct run_symbols *run, uint32_t function, uint32_t name)
{
    struct known_function *known = &run->known[function];
    if (known->is_named || symbols_is_no_name(run->symbols, name))
        return;
    known->is_named = true;
    symbols_add_name(run->symbols, known->symbol, name, 1);
}

/* Returns the one function that replaces all functions whose definition is missing. */
static uint32_t lost_function(struct run_symbols *run)
{
    if (run->lost_function == 0)
        run->lost_function =
            1 + define_function(run, intern_add_span(&run->symbols->strings, span_of(SYMBOLS_LOST)),
                                -1, intern_add_span(&run->symbols->strings, span_of("")), false);
    return run->lost_function - 1;
}

static uint32_t function_of(struct run_symbols *run, uint32_t id)
{
    uint32_t known = id_map_find(&run->functions, id);
    return known != 0 ? known - 1 : lost_function(run);
}

static void define_site(struct run_symbols *run, uint32_t id, uint32_t function, int32_t line)
{
    uint32_t site = run->site_count++;
    struct event_site definition = {.function = function, .line = line};
    enum event_kind kind = line == NO_CALLER ? EVENT_ROOT_CALL : EVENT_CALL;
    id_map_define(&run->sites, id, event_make(kind, site, 0).what);
    events_put(run->events, event_make(EVENT_SITE, site, 0));
    events_put_payload(run->events, &definition, sizeof definition);
}

static void define_thread(struct run_symbols *run, uint32_t id, bool is_coroutine)
{
    uint32_t thread = run->thread_count++;
    id_map_define(&run->threads, id, thread + 1);
    if (is_coroutine)
        events_put(run->events, event_make(EVENT_COROUTINE, thread, 0));
}

uint32_t run_symbols_thread(struct run_symbols *run, uint32_t id)
{
    if (id_map_find(&run->threads, id) == 0)
        define_thread(run, id, true);
    return id_map_find(&run->threads, id) - 1;
}

void run_symbols_define_missing(struct run_symbols *run, enum events_problem problem, uint32_t id)
{
    if (problem == EVENTS_NO_SITE)
        define_site(run, id, lost_function(run), 0);
    else if (problem == EVENTS_NO_FUNCTION)
        id_map_define(&run->functions, id, lost_function(run) + 1);
    else
        define_thread(run, id, true);
}

/*
 * The functions below read a line: `ids` are its first fields as numbers. They fail if another one
 * is damaged.
 */

static bool read_source(struct run_symbols *run, const uint32_t *ids, const struct span *fields)
{
    if (id_map_find(&run->sources, ids[0]) == 0)
        id_map_define(&run->sources, ids[0], intern_escaped(run, fields[1]) + 1);
    return true;
}

static bool read_function(struct run_symbols *run, const uint32_t *ids, const struct span *fields)
{
    int32_t line;
    struct intern *strings = &run->symbols->strings;
    if (!number_line(fields[2], &line))
        return false;
    if (id_map_find(&run->functions, ids[0]) != 0)
        return true;
    uint32_t known = id_map_find(&run->sources, ids[1]);
    uint32_t source = known != 0 ? known - 1 : intern_add_span(strings, span_of(SYMBOLS_LOST));
    uint32_t name = intern_escaped(run, fields[3]);
    /* Frames that were lost by tail calls have no name, and are shown as their source. */
    if (line < 0 && !span_is(intern_get(strings, source), "=[C]") &&
        span_is(intern_get(strings, name), "?"))
        name = intern_add_span(strings, span_of(""));
    uint32_t function = define_function(run, source, line, name, ids[0] + 1 == run->calibrator);
    id_map_define(&run->functions, ids[0], function + 1);
    name_function(run, function, name);
    return true;
}

static bool read_name(struct run_symbols *run, const uint32_t *ids, const struct span *fields)
{
    uint32_t function = id_map_find(&run->functions, ids[0]);
    if (function != 0)
        name_function(run, function - 1, intern_escaped(run, fields[1]));
    return true;
}

static bool read_site(struct run_symbols *run, const uint32_t *ids, const struct span *fields)
{
    int32_t line;
    if (!number_line(fields[2], &line))
        return false;
    if (id_map_find(&run->sites, ids[0]) == 0)
        define_site(run, ids[0], function_of(run, ids[1]), line);
    return true;
}

static bool read_thread(struct run_symbols *run, const uint32_t *ids, const struct span *fields)
{
    if (id_map_find(&run->threads, ids[0]) == 0)
        define_thread(run, ids[0], span_is(fields[1], "coroutine"));
    return true;
}

enum { IDS_MAX = 2 };

static const struct definition_kind {
    const char *word;
    enum grammar_fields fields;
    size_t id_count; /* of the first fields */
    bool makes_events;
    bool (*read)(struct run_symbols *run, const uint32_t *ids, const struct span *fields);
} kinds[] = {
    {"source", FIELDS_SOURCE, 1, false, read_source},
    {"function", FIELDS_FUNCTION, 2, true, read_function},
    {"name", FIELDS_NAME, 1, false, read_name},
    {"site", FIELDS_SITE, 2, true, read_site},
    {"thread", FIELDS_THREAD, 1, true, read_thread},
};

const struct definition_kind *run_symbols_kind(struct span kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (span_is(kind, kinds[i].word))
            return &kinds[i];
    return NULL;
}

bool run_symbols_makes_events(const struct definition_kind *kind)
{
    return kind->makes_events;
}

bool run_symbols_read(struct run_symbols *run, const struct definition_kind *kind,
                      struct grammar *grammar, struct span text)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    uint32_t ids[IDS_MAX] = {0};
    bool is_read = grammar_fields(grammar, kind->fields, text, fields);
    for (size_t i = 0; i < kind->id_count && is_read; i++)
        is_read = run_symbols_id(fields[i], &ids[i]);
    return is_read && kind->read(run, ids, fields);
}
