#include "sim_host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TICKS_A_SECOND = 10, TRACEBACK_LEVELS = 24, DEFAULT_WAIT_TICKS = 2 };

/* A thread the scheduler knows; coroutines of scripts are none. */
struct task {
    struct task *next;
    lua_State *thread; /* kept alive by the registry, where it is the value for this address */
    int wake_tick;
    int argument_count; /* of its first resume, on its stack */
    bool is_dead, is_suspended;
};

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double engine_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/*
 * What the game's clocks show. CPU time is asked for after a gap only, since that is a system call
 * and a part of what is measured.
 */
static double clock_seconds(struct engine *engine)
{
    if (engine->has_line_time)
        return hook_time();
    static const double GAP = 20e-6;
    double now = engine_seconds();
    double gap = now - engine->last_read;
    if (engine->has_own_time && gap > GAP) {
        double waited = now - seconds_of(CLOCK_THREAD_CPUTIME_ID);
        double more = waited - engine->waited;
        engine->waited = waited;
        engine->clock_zero += more > gap ? gap : more > 0 ? more : 0;
    }
    engine->last_read = now;
    return now - engine->clock_zero;
}

void engine_use_own_time(struct engine *engine)
{
    engine->has_own_time = true;
    engine->last_read = engine_seconds();
    engine->waited = engine->last_read - seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Every engine function has the engine as its only upvalue. */
static struct engine *engine_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* The log */

void engine_say(struct engine *engine, const char *severity, const char *text)
{
    int indent = 0;
    fprintf(engine->log, "%s: ", severity);
    for (;;) {
        size_t length = strcspn(text, "\n");
        fprintf(engine->log, "%*s%.*s\n", indent, "", (int)length, text);
        if (text[length] == '\0')
            break;
        text += length + 1;
        indent = (int)strlen(severity) + 2;
    }
    fflush(engine->log);
}

static void write_escaped(FILE *log, const char *text, size_t length)
{
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte >= 0x20)
            continue;
        fwrite(text + written, 1, i - written, log);
        fprintf(log, "\\%03o", byte);
        written = i + 1;
    }
    fwrite(text + written, 1, length - written, log);
}

/* A script's message: each line has a prefix. The game writes through, and so do we. */
static void write_message(FILE *log, const char *severity, const char *text, size_t length)
{
    const char *newline;
    while ((newline = memchr(text, '\n', length)) != NULL) {
        fprintf(log, "%s: ", severity);
        write_escaped(log, text, (size_t)(newline - text));
        putc('\n', log);
        length -= (size_t)(newline + 1 - text);
        text = newline + 1;
    }
    fprintf(log, "%s: ", severity);
    write_escaped(log, text, length);
    putc('\n', log);
    fflush(log);
}

static void push_text(lua_State *L, int index)
{
    if (lua_isstring(L, index)) {
        lua_pushvalue(L, index);
        lua_tostring(L, -1);
    } else if (lua_isboolean(L, index)) {
        lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
    } else if (lua_isnil(L, index)) {
        lua_pushstring(L, "nil");
    } else {
        char text[64]; /* 5.0 has no %p */
        snprintf(text, sizeof text, "%s: %p", lua_typename(L, lua_type(L, index)),
                 lua_topointer(L, index));
        lua_pushstring(L, text);
    }
}

static int log_arguments(lua_State *L, const char *severity)
{
    int count = lua_gettop(L);
    luaL_checkstack(L, 2 * count + 2, "too many arguments");
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            lua_pushstring(L, "\\000");
        push_text(L, i);
    }
    if (count == 0)
        lua_pushstring(L, "");
    else
        lua_concat(L, 2 * count - 1);
    write_message(engine_of(L)->log, severity, lua_tostring(L, -1), lua_strlen(L, -1));
    return 0;
}

/* The innermost Lua function decides: `pcall(LOG, text)` is the profiler's call too. */
static bool is_called_by_profiler(lua_State *L)
{
    lua_Debug frame;
    for (int level = 1; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "S", &frame);
        if (strcmp(frame.what, "Lua") == 0 || strcmp(frame.what, "main") == 0)
            return strcmp(frame.source, SIM_INIT) == 0;
    }
    return false;
}

static int engine_LOG(lua_State *L)
{
    struct engine *engine = engine_of(L);
    if ((engine->log_raises || engine->log_takes_ms > 0) && hook_was_set() &&
        is_called_by_profiler(L)) {
        if (engine->log_raises)
            return luaL_error(L, "LOG fails, as it was told to");
        double end = engine_seconds() + engine->log_takes_ms / 1000.0;
        while (engine_seconds() < end)
            continue;
    }
    return log_arguments(L, "info");
}

static int engine_WARN(lua_State *L)
{
    return log_arguments(L, "warning");
}

static int engine_SPEW(lua_State *L)
{
    return log_arguments(L, "debug");
}

/* In the game it is shown on the screen. */
static int engine_print(lua_State *L)
{
    return log_arguments(L, "debug");
}

/* Errors */

/* Puts a traceback from `level` of `thread` after the message on top of L's stack. */
static void add_traceback(lua_State *L, lua_State *thread, int level)
{
    lua_Debug frame;
    if (!lua_isstring(L, -1)) {
        lua_pushfstring(L, "(a %s as an error)", lua_typename(L, lua_type(L, -1)));
        lua_remove(L, -2);
    }
    lua_pushstring(L, "\nstack traceback:");
    lua_concat(L, 2);
    for (int end = level + TRACEBACK_LEVELS; level < end; level++) {
        if (!lua_getstack(thread, level, &frame))
            break;
        lua_getinfo(thread, "Snl", &frame);
        lua_pushfstring(L, "\n\t%s", frame.short_src);
        if (frame.currentline > 0)
            lua_pushfstring(L, "(%d)", frame.currentline);
        else
            lua_pushstring(L, "");
        lua_pushfstring(L, ": in function `%s'", frame.name != NULL ? frame.name : "?");
        lua_concat(L, 4);
    }
}

/* Called by Lua where the error is raised, so the frames are still there. */
static int handle_error(lua_State *L)
{
    lua_settop(L, 1);
    add_traceback(L, L, 1);
    return 1;
}

/* Logs and pops the message on top of L's stack. */
static void report_error(struct engine *engine, lua_State *L)
{
    lua_pushstring(L, "Error running lua script: ");
    lua_insert(L, -2);
    if (!lua_isstring(L, -1)) {
        lua_pop(L, 1);
        lua_pushstring(L, "(no message)");
    }
    lua_concat(L, 2);
    engine_say(engine, "warning", lua_tostring(L, -1));
    lua_pop(L, 1);
}

bool engine_call(struct engine *engine)
{
    lua_State *L = engine->main;
    lua_pushcfunction(L, handle_error);
    lua_insert(L, -2);
    int handler = lua_gettop(L) - 1;
    int status = lua_pcall(L, 0, 0, handler);
    if (status != 0)
        report_error(engine, L);
    lua_remove(L, handler);
    return status == 0;
}

/* The scheduler */

static struct task *find_task(struct engine *engine, const lua_State *thread)
{
    struct task *task = engine->tasks;
    while (task != NULL && (task->thread != thread || task->is_dead))
        task = task->next;
    return task;
}

static void append_task(struct engine *engine, lua_State *thread, int argument_count)
{
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL)
        abort();
    task->thread = thread;
    task->wake_tick = engine->tick;
    task->argument_count = argument_count;
    *engine->tasks_end = task;
    engine->tasks_end = &task->next;
}

static int engine_ForkThread(lua_State *L)
{
    int count = lua_gettop(L);
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_argcheck(L, SIM_RESUMES_C_FUNCTIONS || !lua_iscfunction(L, 1), 1, "Lua function expected");
    lua_State *thread = lua_newthread(L);
    hook_watch_thread(L);
    lua_pushlightuserdata(L, thread);
    lua_pushvalue(L, -2);
    lua_rawset(L, LUA_REGISTRYINDEX);
    lua_insert(L, 1);
    luaL_checkstack(thread, count, "too many arguments");
    lua_xmove(L, thread, count);
    append_task(engine_of(L), thread, count - 1);
    return 1;
}

static int engine_KillThread(lua_State *L)
{
    struct engine *engine = engine_of(L);
    lua_State *thread = lua_tothread(L, 1);
    struct task *task = thread != NULL ? find_task(engine, thread) : NULL;
    if (task == NULL)
        return 0;
    task->is_dead = true;
    return thread == L ? lua_yield(L, 0) : 0;
}

/* nil in a coroutine that is not the scheduler's. */
static int engine_CurrentThread(lua_State *L)
{
    if (L == engine_of(L)->main)
        return luaL_error(L, "attempt to use main lua state as a thread");
    lua_pushlightuserdata(L, L);
    lua_rawget(L, LUA_REGISTRYINDEX);
    return 1;
}

static struct task *check_running(lua_State *L)
{
    struct task *running = engine_of(L)->running;
    if (running == NULL || running->thread != L)
        luaL_error(L, "only a thread can wait");
    return running;
}

/* The game waits for a manipulator or an event; here it comes after a number of ticks. */
static int engine_WaitFor(lua_State *L)
{
    struct task *task = check_running(L);
    int ticks = lua_isnumber(L, 1) ? (int)lua_tonumber(L, 1) : DEFAULT_WAIT_TICKS;
    task->wake_tick = engine_of(L)->tick + ticks;
    return lua_yield(L, 0);
}

static int engine_SuspendCurrentThread(lua_State *L)
{
    check_running(L)->is_suspended = true;
    return lua_yield(L, 0);
}

static int engine_ResumeThread(lua_State *L)
{
    lua_State *thread = lua_tothread(L, 1);
    struct task *task = thread != NULL ? find_task(engine_of(L), thread) : NULL;
    if (task != NULL)
        task->is_suspended = false;
    return 0;
}

/* WaitTicks is coroutine.yield: the number of ticks arrives as what was yielded. */
static void resume_task(struct engine *engine, struct task *task)
{
    lua_State *thread = task->thread;
    int argument_count = task->argument_count;
    task->argument_count = 0;
    engine->running = task;
    enum sim_status status = sim_lua_resume(thread, argument_count);
    engine->running = NULL;
    if (status == SIM_FAILED) {
        add_traceback(thread, thread, 0);
        report_error(engine, thread);
    }
    if (status != SIM_YIELDED) {
        task->is_dead = true;
        return;
    }
    if (lua_gettop(thread) > 0 && lua_isnumber(thread, 1))
        task->wake_tick = engine->tick + (int)lua_tonumber(thread, 1);
    lua_settop(thread, 0);
    if (task->wake_tick <= engine->tick)
        task->wake_tick = engine->tick + 1;
}

static void forget_task(struct engine *engine, struct task **link)
{
    struct task *task = *link;
    lua_pushlightuserdata(engine->main, task->thread);
    lua_pushnil(engine->main);
    lua_rawset(engine->main, LUA_REGISTRYINDEX);
    *link = task->next;
    if (engine->tasks_end == &task->next)
        engine->tasks_end = link;
    free(task);
}

void engine_run_threads(struct engine *engine)
{
    struct task **link = &engine->tasks;
    while (*link != NULL) {
        struct task *task = *link;
        if (!task->is_dead && !task->is_suspended && task->wake_tick <= engine->tick)
            resume_task(engine, task);
        if (task->is_dead)
            forget_task(engine, link);
        else
            link = &task->next;
    }
}

/* Clocks, and the rest of the engine */

/* The game's clock is a float32, whose step grows with the time it shows. */
static int engine_GetSystemTimeSecondsOnlyForProfileUse(lua_State *L)
{
    float now = (float)clock_seconds(engine_of(L));
    lua_pushnumber(L, (lua_Number)now);
    return 1;
}

/* FAF's: seconds since the origin, which a call with 0 gives; the difference is exact. */
static int engine_GetTimeForProfile(lua_State *L)
{
    double origin = (double)luaL_checknumber(L, 1);
    float since = (float)(clock_seconds(engine_of(L)) - origin);
    lua_pushnumber(L, (lua_Number)since);
    return 1;
}

/* TakeTime(us): the clock is so much further on when it returns. */
static int engine_TakeTime(lua_State *L)
{
    engine_of(L)->clock_zero -= (double)luaL_checknumber(L, 1) / 1e6;
    return 0;
}

static int engine_GetGameTick(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)engine_of(L)->tick);
    return 1;
}

static int engine_GetGameTimeSeconds(lua_State *L)
{
    float seconds = (float)engine_of(L)->tick / TICKS_A_SECOND;
    lua_pushnumber(L, (lua_Number)seconds);
    return 1;
}

static int engine_SimConExecute(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TSTRING);
    return 0;
}

/* Functions of the engine that call back into Lua: errors are logged, and go no further. */

/* Calls the function below so many arguments, all on top of the stack. */
static void call_back(struct engine *engine, lua_State *L, int argument_count)
{
    int handler = lua_gettop(L) - argument_count;
    lua_pushcfunction(L, handle_error);
    lua_insert(L, handler);
    if (lua_pcall(L, argument_count, 0, handler) != 0)
        report_error(engine, L);
    lua_remove(L, handler);
}

/* Callback(f, ...) calls f(...); without a function it raises an error. */
static int engine_Callback(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    call_back(engine_of(L), L, lua_gettop(L) - 1);
    return 0;
}

/* CallbackOnMain(f, ...) calls f(...) on the main thread, whichever thread has called it. */
static int engine_CallbackOnMain(lua_State *L)
{
    struct engine *engine = engine_of(L);
    int count = lua_gettop(L);
    luaL_checktype(L, 1, LUA_TFUNCTION);
    luaL_checkstack(engine->main, count + 1, "too many arguments");
    if (L != engine->main)
        lua_xmove(L, engine->main, count);
    call_back(engine, engine->main, count - 1);
    return 0;
}

/* CallbackEach(f, g, ...) calls f(), g() ..., and raises an error at what is no function. */
static int engine_CallbackEach(lua_State *L)
{
    int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        luaL_checktype(L, i, LUA_TFUNCTION);
        lua_pushvalue(L, i);
        call_back(engine_of(L), L, 0);
    }
    return 0;
}

/* A method that needs its object, as most do. */
static int engine_method(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    return 1;
}

/* Returns a method that no table has, another one each time. */
static int engine_MakeMethod(lua_State *L)
{
    lua_pushlightuserdata(L, engine_of(L));
    lua_pushcclosure(L, engine_method, 1);
    return 1;
}

static void add_function(struct engine *engine, const char *name, lua_CFunction function)
{
    lua_State *L = engine->main;
    lua_pushstring(L, name);
    lua_pushlightuserdata(L, engine);
    lua_pushcclosure(L, function, 1);
    lua_rawset(L, LUA_GLOBALSINDEX);
}

const struct engine_method engine_methods[] = {
    {"entity_methods", "GetPosition"},
    {"entity_methods", "GetHealth"},
    {"entity_methods", "Destroy"},
    {"unit_methods", "GetTarget"},
    {"unit_methods", "Damage"},
    {"unit_methods", "GetFuelRatio"},
    {"aibrain_methods", "GetThreatAtPosition"},
    {NULL, NULL},
};

/* Puts moho.<class> on the stack. */
static void push_class(lua_State *L, const char *class)
{
    lua_pushstring(L, class);
    lua_rawget(L, -2);
    if (lua_istable(L, -1))
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushstring(L, class);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
}

/* As the game's Lua leaves it: what a class inherits is copied to it. */
static void copy_methods(lua_State *L, const char *from, const char *to)
{
    push_class(L, from);
    lua_pushstring(L, to);
    lua_rawget(L, -3);
    for (lua_pushnil(L); lua_next(L, -3) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_pop(L, 2);
}

static void add_methods(struct engine *engine)
{
    lua_State *L = engine->main;
    lua_newtable(L);
    for (const struct engine_method *method = engine_methods; method->class != NULL; method++) {
        bool calls_back =
            strcmp(method->name, "Destroy") == 0 || strcmp(method->name, "Damage") == 0;
        push_class(L, method->class);
        lua_pushstring(L, method->name);
        lua_pushlightuserdata(L, engine);
        lua_pushcclosure(L, calls_back ? engine_Callback : engine_method, 1);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    push_class(L, "prop_methods");
    lua_pop(L, 1);
    copy_methods(L, "entity_methods", "unit_methods");
    copy_methods(L, "entity_methods", "prop_methods");
    lua_pushstring(L, "moho");
    lua_insert(L, -2);
    lua_rawset(L, LUA_GLOBALSINDEX);
}

/* The game's own type(), which knows C functions. */
static int game_type(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushstring(L, lua_iscfunction(L, 1) ? "cfunction" : lua_typename(L, lua_type(L, 1)));
    return 1;
}

void engine_choose_c_functions(struct engine *engine, enum c_functions c_functions)
{
    if (c_functions != C_FUNCTIONS_PLAIN)
        add_function(engine, "type", game_type);
    if (c_functions == C_FUNCTIONS_REFUSED)
        hook_refuse_c_functions();
}

void engine_add_precise_clock(struct engine *engine)
{
    add_function(engine, "GetTimeForProfile", engine_GetTimeForProfile);
}

static void add_functions(struct engine *engine)
{
    add_function(engine, "LOG", engine_LOG);
    add_function(engine, "WARN", engine_WARN);
    add_function(engine, "SPEW", engine_SPEW);
    add_function(engine, "print", engine_print);
    add_function(engine, "ForkThread", engine_ForkThread);
    add_function(engine, "KillThread", engine_KillThread);
    add_function(engine, "CurrentThread", engine_CurrentThread);
    add_function(engine, "WaitFor", engine_WaitFor);
    add_function(engine, "SuspendCurrentThread", engine_SuspendCurrentThread);
    add_function(engine, "ResumeThread", engine_ResumeThread);
    add_function(engine, "GetSystemTimeSecondsOnlyForProfileUse",
                 engine_GetSystemTimeSecondsOnlyForProfileUse);
    add_function(engine, "GetGameTick", engine_GetGameTick);
    add_function(engine, "TakeTime", engine_TakeTime);
    add_function(engine, "GetGameTimeSeconds", engine_GetGameTimeSeconds);
    add_function(engine, "SimConExecute", engine_SimConExecute);
    add_function(engine, "Callback", engine_Callback);
    add_function(engine, "CallbackOnMain", engine_CallbackOnMain);
    add_function(engine, "CallbackEach", engine_CallbackEach);
    add_function(engine, "MakeMethod", engine_MakeMethod);
}

/* Through lua_call(), because 5.1 wants its libraries opened by a function with an environment. */
static void open_libraries(lua_State *L)
{
    static const lua_CFunction openers[] = {luaopen_base, luaopen_table, luaopen_string,
                                            luaopen_math, luaopen_debug};
    for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++) {
        lua_pushcfunction(L, openers[i]);
        lua_pushstring(L, "");
        lua_call(L, 1, 0);
    }
}

bool engine_open(struct engine *engine, FILE *log, double clock_start)
{
    *engine = (struct engine){.log = log, .clock_zero = engine_seconds() - clock_start};
    engine->tasks_end = &engine->tasks;
    engine->main = sim_lua_open();
    if (engine->main == NULL)
        return false;
    open_libraries(engine->main);
    hook_open(engine->main);
    add_functions(engine);
    add_methods(engine);
    return true;
}

void engine_release(struct engine *engine)
{
    while (engine->tasks != NULL)
        forget_task(engine, &engine->tasks);
    lua_close(engine->main);
}

bool engine_remove(struct engine *engine, const char *name)
{
    lua_State *L = engine->main;
    const char *dot = strchr(name, '.');
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    if (dot != NULL) {
        lua_pushlstring(L, name, (size_t)(dot - name));
        lua_rawget(L, -2);
        name = dot + 1;
    }
    bool is_there = false;
    if (lua_istable(L, -1)) {
        lua_pushstring(L, name);
        lua_rawget(L, -2);
        is_there = !lua_isnil(L, -1);
        lua_pop(L, 1);
        lua_pushstring(L, name);
        lua_pushnil(L);
        lua_rawset(L, -3);
    }
    lua_settop(L, 0);
    return is_there;
}

void engine_call_global(struct engine *engine, const char *name)
{
    lua_State *L = engine->main;
    lua_pushstring(L, name);
    lua_rawget(L, LUA_GLOBALSINDEX);
    if (lua_istable(L, -1)) {
        for (int i = 1; lua_rawgeti(L, -1, i), lua_isfunction(L, -1); i++)
            engine_call(engine);
    } else if (lua_isfunction(L, -1)) {
        lua_pushvalue(L, -1);
        engine_call(engine);
    }
    lua_settop(L, 0);
}
