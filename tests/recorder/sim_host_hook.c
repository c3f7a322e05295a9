#include "sim_host.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Their addresses are keys in the registry. */
static const char hook_key = 'h';      /* the Lua function */
static const char threads_key = 't';   /* {[thread] = true}, weak */
static const char names_key = 'n';     /* {[C function] = name} */
static const char functions_key = 'f'; /* {[function] = id}, weak: closures come and go */
static const char ids_key = 'i';       /* {[KEY, or the bytes of a struct edge_key] = id} */

struct edge_key {
    uint32_t caller, callee;
    int32_t line;
};

struct edge {
    struct edge_key key;
    uint64_t count;
};

struct line {
    uint32_t function;
    int32_t line;
    uint64_t count, units;
};

struct function {
    char *key;
    uint64_t count;
};

/* From the function that was called to the root. */
struct stack_frame {
    uint32_t function; /* LOST_FUNCTION: a tail call has taken it away */
    int32_t line;
};
#define LOST_FUNCTION UINT32_MAX
struct stack {
    struct stack_frame *frames; /* [depth] */
    size_t depth;
    uint64_t count;
};

/*
 * Lua gives a hook no context, and to look it up at every event would be part of the
 * costs that profilers are measured by.
 */
static struct {
    lua_State *main;
    int mask, count; /* as given by Lua code; 0: it has no hook */
    bool was_set;
    bool is_running; /* the Lua function; 5.1 only, see call_lua_hook() */
    bool is_at_call; /* the event it runs for is a call of ... */
    int event_frame; /* ... this frame */
    lua_CFunction stock_getinfo, stock_create, stock_wrap;
    bool refuses_c_functions;

    enum truth truth;
    bool counts_lines;
    uint64_t units;     /* of hook_time() */
    struct line *lines; /* [line_count], by id */
    uint32_t line_count;
    size_t line_capacity;
    bool counts_stacks;
    struct stack *stacks; /* [stack_count], by id */
    uint32_t stack_count;
    size_t stack_capacity;
    struct function *functions; /* [function_count], by id */
    struct edge *edges;         /* [edge_count], by id */
    uint32_t function_count, edge_count;
    size_t function_capacity, edge_capacity;
} hook;

static void push_registry(lua_State *L, const char *key)
{
    lua_pushlightuserdata(L, (void *)key);
    lua_rawget(L, LUA_REGISTRYINDEX);
}

/* Pops the value. */
static void set_registry(lua_State *L, const char *key)
{
    lua_pushlightuserdata(L, (void *)key);
    lua_insert(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
}

static void make_table(lua_State *L, const char *key, bool has_weak_keys)
{
    lua_newtable(L);
    if (has_weak_keys) {
        lua_newtable(L);
        lua_pushstring(L, "__mode");
        lua_pushstring(L, "k");
        lua_rawset(L, -3);
        lua_setmetatable(L, -2);
    }
    set_registry(L, key);
}

/* The true counts */

static void *grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return array;
    *capacity = 2 * needed;
    array = realloc(array, *capacity * size);
    if (array == NULL)
        abort();
    return array;
}

static char *make_key(lua_State *L, const lua_Debug *frame)
{
    bool is_c = strcmp(frame->what, "C") == 0;
    const char *source = is_c ? lua_tostring(L, -1) : frame->source;
    if (source == NULL)
        source = "?";
    char *key = malloc(2 * strlen(source) + 32);
    if (key == NULL)
        abort();
    char *end = key + sprintf(key, "%s", is_c ? "C:" : "");
    for (; *source != '\0'; source++) {
        if (*source == '\n' || *source == '\t')
            end += sprintf(end, "\\%c", *source == '\n' ? 'n' : 't');
        else
            *end++ = *source;
    }
    *end = '\0';
    if (!is_c)
        sprintf(end, ":%d", frame->linedefined);
    return key;
}

/* Pops a string. Returns its number in ids_key, which is `next` if it is new. */
static uint32_t find_id(lua_State *L, uint32_t next)
{
    push_registry(L, &ids_key);
    lua_pushvalue(L, -2);
    lua_rawget(L, -2);
    uint32_t id = next;
    if (lua_isnumber(L, -1)) {
        id = (uint32_t)lua_tonumber(L, -1);
    } else {
        lua_pushvalue(L, -3);
        lua_pushnumber(L, (lua_Number)next);
        lua_rawset(L, -4);
    }
    lua_pop(L, 3);
    return id;
}

/* The function is on top of the stack; stays there. */
static uint32_t add_function(lua_State *L, lua_Debug *frame)
{
    push_registry(L, &names_key);
    lua_pushvalue(L, -2);
    lua_rawget(L, -2);
    char *key = make_key(L, frame);
    lua_pop(L, 2);
    lua_pushstring(L, key);
    uint32_t id = find_id(L, hook.function_count);
    if (id < hook.function_count) { /* another closure of a function we know */
        free(key);
        return id;
    }
    hook.functions = grow(hook.functions, &hook.function_capacity, (size_t)hook.function_count + 1,
                          sizeof *hook.functions);
    hook.functions[hook.function_count++] = (struct function){.key = key};
    return id;
}

/* Returns false for a frame that a tail call took away. */
static bool function_id(lua_State *L, lua_Debug *frame, uint32_t *id)
{
    lua_getinfo(L, "Sl", frame);
    if (*frame->what == 't')
        return false;
    lua_getinfo(L, "f", frame);
    push_registry(L, &functions_key);
    lua_pushvalue(L, -2);
    lua_rawget(L, -2);
    if (lua_isnumber(L, -1)) {
        *id = (uint32_t)lua_tonumber(L, -1);
        lua_pop(L, 3);
        return true;
    }
    lua_pop(L, 1);
    lua_insert(L, -2);
    *id = add_function(L, frame);
    lua_pushnumber(L, (lua_Number)*id);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    return true;
}

static void count_edge(lua_State *L, struct edge_key key)
{
    lua_pushlstring(L, (const char *)&key, sizeof key);
    uint32_t id = find_id(L, hook.edge_count);
    if (id == hook.edge_count) {
        hook.edges =
            grow(hook.edges, &hook.edge_capacity, (size_t)hook.edge_count + 1, sizeof *hook.edges);
        hook.edges[hook.edge_count++] = (struct edge){.key = key};
    }
    hook.edges[id].count++;
}

/* Counts the stack of a function that was called, all of whose frames are on L. */
static void count_stack(lua_State *L, uint32_t callee)
{
    struct stack stack = {.frames = malloc(sizeof *stack.frames), .depth = 1};
    size_t capacity = 1;
    lua_Debug caller;
    if (stack.frames == NULL)
        abort();
    stack.frames[0] = (struct stack_frame){callee, -1};
    for (int level = 1; lua_getstack(L, level, &caller); level++) {
        struct stack_frame frame = {LOST_FUNCTION, -1};
        if (function_id(L, &caller, &frame.function))
            frame.line = caller.currentline;
        stack.frames = grow(stack.frames, &capacity, stack.depth + 1, sizeof *stack.frames);
        stack.frames[stack.depth++] = frame;
    }
    lua_pushstring(L, "stack");
    lua_pushlstring(L, (const char *)stack.frames, stack.depth * sizeof *stack.frames);
    lua_concat(L, 2);
    uint32_t id = find_id(L, hook.stack_count);
    if (id < hook.stack_count) {
        free(stack.frames);
    } else {
        hook.stacks = grow(hook.stacks, &hook.stack_capacity, (size_t)hook.stack_count + 1,
                           sizeof *hook.stacks);
        hook.stacks[hook.stack_count++] = stack;
    }
    hook.stacks[id].count++;
}

static void count_call(lua_State *L, lua_Debug *called)
{
    struct edge_key edge;
    lua_Debug caller;
    if (!function_id(L, called, &edge.callee))
        return;
    /* On the game's VM this is the mark of a thread that goes on; see sim_lua.h. */
    if (SIM_HOOK_IS_GLOBAL && called->currentline >= 0)
        return;
    hook.functions[edge.callee].count++;
    if (hook.counts_stacks)
        count_stack(L, edge.callee);
    if (!lua_getstack(L, 1, &caller) || !function_id(L, &caller, &edge.caller))
        return;
    edge.line = caller.currentline;
    count_edge(L, edge);
}

/* Counts a run of a line, or a unit that has passed in it. */
static void count_line(lua_State *L, lua_Debug *frame, int32_t line, bool is_unit)
{
    uint32_t function;
    if (line < 0 || !function_id(L, frame, &function))
        return;
    uint32_t key[] = {function, (uint32_t)line};
    lua_pushstring(L, "line");
    lua_pushlstring(L, (const char *)key, sizeof key);
    lua_concat(L, 2);
    uint32_t id = find_id(L, hook.line_count);
    if (id == hook.line_count) {
        hook.lines =
            grow(hook.lines, &hook.line_capacity, (size_t)hook.line_count + 1, sizeof *hook.lines);
        hook.lines[hook.line_count++] = (struct line){.function = function, .line = line};
    }
    if (is_unit)
        hook.lines[id].units++;
    else
        hook.lines[id].count++;
}

/*
 * A unit passes before each call by a Lua function, in the line that calls, and before each return
 * of one, in the line that returns; another at the begin of each line. What the VM shows is enough
 * to know these.
 */
static void pass_before(lua_State *L, const lua_Debug *event)
{
    lua_Debug frame = *event;
    lua_getinfo(L, "Sl", &frame);
    if (event->event == LUA_HOOKCALL) {
        bool is_mark = SIM_HOOK_IS_GLOBAL && frame.currentline >= 0;
        if (is_mark || !lua_getstack(L, 1, &frame))
            return;
        lua_getinfo(L, "Sl", &frame);
    } else if (event->event != LUA_HOOKRET) {
        return;
    }
    if (frame.currentline < 0)
        return;
    hook.units++;
    count_line(L, &frame, frame.currentline, true);
}

double hook_time(void)
{
    return (double)hook.units / 64;
}

static bool truth_counts(void)
{
    return hook.truth == TRUTH_ON ||
           (hook.truth == TRUTH_HOOKED && (hook.mask & LUA_MASKCALL) != 0);
}

/* The hook */

/* The arguments are those of the stock debug library. */
static void push_hook_call(lua_State *L, const lua_Debug *event)
{
    static const char *const names[] = {"call", "return", "line", "count", "tail return"};
    push_registry(L, &hook_key);
    lua_pushstring(L, names[event->event]);
    if (event->currentline >= 0)
        lua_pushnumber(L, (lua_Number)event->currentline);
    else
        lua_pushnil(L);
}

/*
 * Where the hook is global, the VM keeps it out of itself. In 5.1 that state belongs to
 * a thread, and a coroutine that the hook resumes would be hooked: hence the flag, and
 * the detour through lua_pcall(), which puts it back when the hook raises an error.
 */
static void call_lua_hook(lua_State *L, const lua_Debug *event)
{
    push_hook_call(L, event);
#if SIM_HOOK_IS_GLOBAL
    lua_call(L, 2, 0);
#else
    hook.is_running = true;
    hook.is_at_call = event->event == LUA_HOOKCALL;
    hook.event_frame = event->i_ci;
    int status = lua_pcall(L, 2, 0, 0);
    hook.is_running = false;
    if (status != 0)
        lua_error(L);
#endif
}

static void on_event(lua_State *L, lua_Debug *event)
{
    if (hook.is_running)
        return;
    bool is_tail = event->event == LUA_HOOKTAILRET;
    int bit = is_tail ? LUA_MASKRET : 1 << event->event;
    bool is_counted = truth_counts();
    lua_Debug called = *event; /* getinfo would fill in the hook's arguments */
    if (is_counted && hook.counts_lines)
        pass_before(L, event);
    /* First, since at the limit of C calls it fails before it has begun. */
    if ((hook.mask & bit) != 0)
        call_lua_hook(L, event);
    if (is_counted && hook.counts_lines && event->event == LUA_HOOKLINE) {
        count_line(L, &called, called.currentline, false);
        hook.units++;
        count_line(L, &called, called.currentline, true);
    } else if (is_counted && event->event == LUA_HOOKCALL) {
        count_call(L, &called);
    }
}

/* Sets the C hook that is wanted now, on the threads that have to have it. */
static void apply(lua_State *L)
{
    int mask = hook.mask | (truth_counts() ? LUA_MASKCALL : 0) |
               (hook.counts_lines ? LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE : 0);
    lua_Hook function = mask != 0 ? on_event : NULL;
    lua_sethook(hook.main, function, mask, hook.count);
#if SIM_HOOK_IS_GLOBAL
    (void)L;
#else
    push_registry(L, &threads_key);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
        lua_sethook(lua_tothread(L, -2), function, mask, hook.count);
    lua_pop(L, 1);
#endif
}

void hook_watch_thread(lua_State *L)
{
#if SIM_HOOK_IS_GLOBAL
    (void)L;
#else
    push_registry(L, &threads_key);
    lua_pushvalue(L, -2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    /* A new thread has its parent's hook: lua_newthread() copies it. */
#endif
}

bool hook_was_set(void)
{
    return hook.was_set;
}

static int parse_mask(const char *letters, int count)
{
    return (strchr(letters, 'c') != NULL ? LUA_MASKCALL : 0) |
           (strchr(letters, 'r') != NULL ? LUA_MASKRET : 0) |
           (strchr(letters, 'l') != NULL ? LUA_MASKLINE : 0) | (count > 0 ? LUA_MASKCOUNT : 0);
}

static int debug_sethook(lua_State *L)
{
    int mask = 0, count = 0;
    if (!lua_isnoneornil(L, 1)) {
        luaL_checktype(L, 1, LUA_TFUNCTION);
        count = (int)luaL_optnumber(L, 3, 0);
        mask = parse_mask(luaL_checkstring(L, 2), count);
        hook.was_set = true;
    }
    lua_settop(L, 1);
    set_registry(L, &hook_key);
    hook.mask = mask;
    hook.count = count;
    apply(L);
    return 0;
}

static int debug_gethook(lua_State *L)
{
    push_registry(L, &hook_key);
    lua_pushfstring(L, "%s%s%s", (hook.mask & LUA_MASKCALL) != 0 ? "c" : "",
                    (hook.mask & LUA_MASKRET) != 0 ? "r" : "",
                    (hook.mask & LUA_MASKLINE) != 0 ? "l" : "");
    lua_pushnumber(L, (lua_Number)hook.count);
    return 3;
}

/* Returns what was there. */
static lua_CFunction replace(lua_State *L, const char *library, const char *name,
                             lua_CFunction function)
{
    lua_pushstring(L, library);
    lua_rawget(L, LUA_GLOBALSINDEX);
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    lua_CFunction stock = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    lua_pushstring(L, name);
    lua_pushcfunction(L, function);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    return stock;
}

/* On 5.1 as on the game's VM: a Lua function has no line yet when its call is reported. */
static int debug_getinfo(lua_State *L)
{
    if (hook.refuses_c_functions && lua_iscfunction(L, 1))
        return luaL_error(L, "bad argument #1 to `getinfo' (function or level expected)");
#if SIM_HOOK_IS_GLOBAL
    return hook.stock_getinfo(L);
#else
    lua_Debug frame;
    bool is_called = hook.is_running && hook.is_at_call && lua_type(L, 1) == LUA_TNUMBER &&
                     lua_getstack(L, (int)lua_tonumber(L, 1), &frame) != 0 &&
                     frame.i_ci == hook.event_frame;
    int count = hook.stock_getinfo(L);
    if (!is_called || !lua_istable(L, -1))
        return count;
    lua_pushstring(L, "currentline");
    lua_rawget(L, -2);
    bool has_line = lua_isnumber(L, -1);
    lua_pop(L, 1);
    if (has_line) {
        lua_pushstring(L, "currentline");
        lua_pushnumber(L, -1);
        lua_rawset(L, -3);
    }
    return count;
#endif
}

void hook_refuse_c_functions(void)
{
    hook.refuses_c_functions = true;
    if (SIM_HOOK_IS_GLOBAL)
        hook.stock_getinfo = replace(hook.main, "debug", "getinfo", debug_getinfo);
}

#if !SIM_HOOK_IS_GLOBAL
static int coroutine_create(lua_State *L)
{
    int count = hook.stock_create(L);
    hook_watch_thread(L);
    return count;
}

/* The function that wrap() returns has the thread as its upvalue. */
static int coroutine_wrap(lua_State *L)
{
    int count = hook.stock_wrap(L);
    if (lua_getupvalue(L, -1, 1) != NULL) {
        hook_watch_thread(L);
        lua_pop(L, 1);
    }
    return count;
}

#endif

void hook_open(lua_State *main)
{
    hook.main = main;
    make_table(main, &threads_key, true);
    replace(main, "debug", "sethook", debug_sethook);
    replace(main, "debug", "gethook", debug_gethook);
#if !SIM_HOOK_IS_GLOBAL
    hook.stock_getinfo = replace(main, "debug", "getinfo", debug_getinfo);
    hook.stock_create = replace(main, "coroutine", "create", coroutine_create);
    hook.stock_wrap = replace(main, "coroutine", "wrap", coroutine_wrap);
#endif
}

void hook_set_empty(lua_State *L)
{
    static const char code[] = "return function() end";
    lua_pushcfunction(L, debug_sethook);
    if (luaL_loadbuffer(L, code, sizeof code - 1, "=empty hook") != 0)
        abort();
    lua_call(L, 0, 1);
    lua_pushstring(L, "cr");
    lua_call(L, 2, 0);
}

void hook_clear(lua_State *L)
{
    lua_pushcfunction(L, debug_sethook);
    lua_call(L, 0, 0);
}

/* Names */

/* The function on top of the stack has this name; pops it. */
static void name_function(lua_State *L, const char *name)
{
    push_registry(L, &names_key);
    lua_insert(L, -2);
    lua_pushstring(L, name);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

static void name_methods(lua_State *L)
{
    lua_pushstring(L, "moho");
    lua_rawget(L, LUA_GLOBALSINDEX);
    for (const struct engine_method *method = engine_methods; method->class != NULL; method++) {
        lua_pushstring(L, method->class);
        lua_rawget(L, -2);
        lua_pushstring(L, method->name);
        lua_rawget(L, -2);
        char name[64];
        snprintf(name, sizeof name, "moho.%s.%s", method->class, method->name);
        name_function(L, name);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/*
 * Names the C functions of the table on top of the stack. One with several names gets
 * the least, so that the order of the table does not matter.
 */
static void name_functions(lua_State *L, const char *prefix)
{
    int table = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || !lua_iscfunction(L, -1))
            continue;
        push_registry(L, &names_key);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -1);
        lua_rawget(L, -3);
        const char *old = lua_tostring(L, -1);
        const char *name = lua_pushfstring(L, "%s%s", prefix, lua_tostring(L, -5));
        if (old == NULL || strcmp(name, old) < 0) {
            lua_remove(L, -2);
            lua_rawset(L, -3);
        } else {
            lua_pop(L, 3);
        }
        lua_pop(L, 1);
    }
}

void truth_open(lua_State *L)
{
    static const char *const libraries[] = {"coroutine", "debug", "math", "string", "table"};
    make_table(L, &names_key, false);
    make_table(L, &functions_key, true);
    make_table(L, &ids_key, false);
    name_methods(L);
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    name_functions(L, "");
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        lua_pushstring(L, libraries[i]);
        lua_rawget(L, LUA_GLOBALSINDEX);
        char prefix[16];
        snprintf(prefix, sizeof prefix, "%s.", libraries[i]);
        if (lua_istable(L, -1))
            name_functions(L, prefix);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The game's VM tells nothing of the first instruction after lua_sethook(), be it a new line. */
static void begin_lines(lua_State *L)
{
    if (luaL_loadbuffer(L, "", 0, "=lines") != 0)
        abort();
    lua_call(L, 0, 0);
}

void truth_set(lua_State *L, enum truth truth)
{
    if (hook.counts_lines) {
        hook.truth = TRUTH_OFF;
        apply(L);
        begin_lines(L);
    }
    hook.truth = truth;
    if (!hook.counts_lines)
        apply(L);
}

void truth_count_lines(void)
{
    hook.counts_lines = true;
    apply(hook.main);
}

void truth_count_stacks(void)
{
    hook.counts_stacks = true;
}

static void write_stack(FILE *file, const struct stack *stack)
{
    fprintf(file, "stack\t%llu", (unsigned long long)stack->count);
    for (size_t i = stack->depth; i-- > 0;) {
        const struct stack_frame *frame = &stack->frames[i];
        const char *key =
            frame->function == LOST_FUNCTION ? "?" : hook.functions[frame->function].key;
        fprintf(file, "\t%d\t%s", (int)frame->line, key);
    }
    putc('\n', file);
}

bool truth_close(FILE *file)
{
    for (uint32_t i = 0; i < hook.function_count; i++) {
        const struct function *function = &hook.functions[i];
        if (function->count > 0) /* others were met as callers only */
            fprintf(file, "call\t%s\t%llu\n", function->key, (unsigned long long)function->count);
    }
    for (uint32_t i = 0; i < hook.edge_count; i++) {
        const struct edge_key *key = &hook.edges[i].key;
        fprintf(file, "edge\t%s\t%d\t%s\t%llu\n", hook.functions[key->caller].key, (int)key->line,
                hook.functions[key->callee].key, (unsigned long long)hook.edges[i].count);
    }
    for (uint32_t i = 0; i < hook.stack_count; i++) {
        write_stack(file, &hook.stacks[i]);
        free(hook.stacks[i].frames);
    }
    for (uint32_t i = 0; i < hook.line_count; i++) {
        const struct line *line = &hook.lines[i];
        fprintf(file, "line\t%s\t%d\t%llu\t%llu\n", hook.functions[line->function].key,
                (int)line->line, (unsigned long long)line->count, (unsigned long long)line->units);
    }
    free(hook.lines);
    free(hook.stacks);
    for (uint32_t i = 0; i < hook.function_count; i++)
        free(hook.functions[i].key);
    free(hook.functions);
    free(hook.edges);
    return fflush(file) == 0 && !ferror(file);
}
