/*
 * sim_host - plays the sim of the game to a profiler; see sim_host.h and usage below.
 *
 * Order: the game's own Lua, --set, --workload files, --without, simInit.lua with the
 * profiler as its end, SetupSession(), the ticks. A tick T ends what goes TO it, runs its
 * --command, begins what goes FROM it, calls SimBeat (a function or a list of them),
 * runs the threads. So `--truth 10,20 --command '10=On()' --command '20=Off()'` counts what
 * a profiler that is on between these commands is shown, except the ends of On and Off.
 *
 * Where the global WAIT_MS is a number, the clock then passes so many milliseconds, as the game
 * waits for the next tick. Lua code may change it.
 *
 * All but the clock is the same in every run of the same arguments. Exit status: 1 if a
 * file cannot be read, written or run, 2 for wrong arguments. Failing callbacks, commands
 * and threads are logged as in the game, and change nothing about it.
 */
#include "sim_host.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FAILED = 1, USAGE = 2 };

/* The game collects each 7 s, and shows its time each 30 s. */
enum { TICKS_A_SECOND = 10, COLLECT_TICKS = 70, SHOW_TIME_TICKS = 300 };

static const char usage[] =
    "usage: sim_host [OPTION]...\n"
    "  --ticks N            run N ticks (default 0)\n"
    "  --clock-start S      the clock shows S seconds at the start (default 0)\n"
    "  --own-time           the clock stands still while other programs run\n"
    "  --with-precise-clock have GetTimeForProfile(), as FAF has\n"
    "  --log FILE           the game's log (default standard output)\n"
    "  --set NAME=VALUE     set a global, to a number if it looks like one\n"
    "  --workload FILE      run FILE before the profiler is loaded\n"
    "  --without NAME       remove a function (LOG, debug.gethook) before that\n"
    "  --profiler FILE      append FILE to simInit.lua\n"
    "  --c-functions HOW    type() says 'cfunction' (game, the default), 'function' (plain), or\n"
    "                       'cfunction', and debug.getinfo() refuses them (refused)\n"
    "  --log-raises         LOG raises an error if the profiler calls it after its start\n"
    "  --log-takes MS       LOG takes so long if the profiler calls it after its start\n"
    "  --command TICK=CODE  run Lua code on the main thread, as SimLua does\n"
    "  --empty-hook FROM,TO have a hook that does nothing from tick FROM to tick TO\n"
    "  --truth FROM,TO      count all calls from tick FROM to tick TO\n"
    "  --truth hooked       count the calls that Lua code's hook is told of\n"
    "  --truth-out FILE     write the counts there\n"
    "  --truth-stacks       count whole stacks too\n"
    "  --truth-lines        count lines too; the clock shows how many lines, calls and returns "
    "were\n"
    "  --times              print the wall and CPU seconds of the ticks to standard error\n"
    "  --tick-times         print the CPU seconds of each tick there, too\n"
    "--set, --workload, --without and --command can be given several times.\n";

/* What every script of the game finds: the start of globalInit.lua and simInit.lua. */
static const char global_init[] =
    "setmetatable(_G, {__index = function(t, name)\n"
    "    error('access to nonexistent global variable \"' .. tostring(name) .. '\"', 2)\n"
    "end})\n"
    "WaitTicks = coroutine.yield\n"
    "function WaitSeconds(seconds)\n"
    "    WaitTicks(math.max(1, seconds * 10))\n"
    "end\n"
    "function table.keys(t, comparator)\n"
    "    local keys = {}\n"
    "    for key in pairs(t) do table.insert(keys, key) end\n"
    "    if comparator then table.sort(keys, comparator) end\n"
    "    return keys\n"
    "end\n"
    "function table.getsize(t)\n"
    "    local size = 0\n"
    "    for key in pairs(t) do size = size + 1 end\n"
    "    return size\n"
    "end\n"
    "function table.copy(t)\n"
    "    local copy = {}\n"
    "    for key, value in pairs(t) do copy[key] = value end\n"
    "    return copy\n"
    "end\n";

/* What 5.0 has and 5.1 has not, or only with the compatibility options of its build. */
static const char compatibility[] =
    "function table.setn() end\n"
    "if not table.getn then function table.getn(t) return select('#', unpack(t)) end end\n"
    "math.mod = math.mod or math.fmod\n"
    "string.gfind = string.gfind or string.gmatch\n"
    "if not gcinfo then function gcinfo() return collectgarbage('count') end end\n";

static const char sim_init[] = "-- The start of simInit.lua; the profiler's text follows.\n"
                               "local isSetUp = false\n"
                               "function SetupSession()\n"
                               "    isSetUp = true\n"
                               "end\n";

struct window {
    int from, to; /* ticks; 0: never */
};

struct list {
    const char **items; /* [count]; arguments of main() */
    int count;
};

struct command {
    int tick;
    const char *code;
};

struct run {
    int tick_count, log_takes_ms;
    double clock_start;
    const char *log_path, *profiler_path, *truth_path;
    struct list sets, workloads, removed, commands;
    struct window truth, empty_hook;
    bool counts_hooked, counts_stacks, counts_lines, has_precise_clock, log_raises, prints_times,
        prints_tick_times, has_own_time;
    enum c_functions c_functions;
    struct engine engine;
};

/* Arguments */

static bool parse_int(const char *text, char end, int *value)
{
    char *rest;
    errno = 0;
    long number = strtol(text, &rest, 10);
    if (rest == text || *rest != end || errno != 0 || number < 0 || number > INT_MAX)
        return false;
    *value = (int)number;
    return true;
}

static bool parse_window(const char *text, struct window *window)
{
    const char *comma = strchr(text, ',');
    return comma != NULL && parse_int(text, ',', &window->from) &&
           parse_int(comma + 1, '\0', &window->to) && window->from > 0 && window->to > window->from;
}

static bool parse_seconds(const char *text, double *seconds)
{
    char *rest;
    *seconds = strtod(text, &rest);
    return rest != text && *rest == '\0';
}

static bool parse_command(const char *text, struct command *command)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || !parse_int(text, '=', &command->tick))
        return false;
    command->code = equals + 1;
    return true;
}

static bool add_item(struct list *list, const char *item)
{
    list->items[list->count++] = item;
    return true;
}

static bool set_flag(struct run *run, const char *name)
{
    bool *flag = strcmp(name, "--with-precise-clock") == 0 ? &run->has_precise_clock
                 : strcmp(name, "--log-raises") == 0       ? &run->log_raises
                 : strcmp(name, "--times") == 0            ? &run->prints_times
                 : strcmp(name, "--tick-times") == 0       ? &run->prints_tick_times
                 : strcmp(name, "--truth-stacks") == 0     ? &run->counts_stacks
                 : strcmp(name, "--own-time") == 0         ? &run->has_own_time
                 : strcmp(name, "--truth-lines") == 0      ? &run->counts_lines
                                                           : NULL;
    if (flag != NULL)
        *flag = true;
    return flag != NULL;
}

static bool set_path(struct run *run, const char *name, const char *path)
{
    const char **member = strcmp(name, "--log") == 0         ? &run->log_path
                          : strcmp(name, "--profiler") == 0  ? &run->profiler_path
                          : strcmp(name, "--truth-out") == 0 ? &run->truth_path
                                                             : NULL;
    if (member != NULL)
        *member = path;
    return member != NULL;
}

static bool set_truth(struct run *run, const char *value)
{
    run->counts_hooked = strcmp(value, "hooked") == 0;
    return run->counts_hooked || parse_window(value, &run->truth);
}

static bool set_c_functions(struct run *run, const char *value)
{
    static const char *const names[] = {"game", "plain", "refused"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            run->c_functions = (enum c_functions)i;
            return true;
        }
    }
    return false;
}

static bool set_value(struct run *run, const char *name, const char *value)
{
    struct command command;
    if (strcmp(name, "--ticks") == 0)
        return parse_int(value, '\0', &run->tick_count);
    if (strcmp(name, "--log-takes") == 0)
        return parse_int(value, '\0', &run->log_takes_ms);
    if (strcmp(name, "--clock-start") == 0)
        return parse_seconds(value, &run->clock_start);
    if (strcmp(name, "--truth") == 0)
        return set_truth(run, value);
    if (strcmp(name, "--c-functions") == 0)
        return set_c_functions(run, value);
    if (strcmp(name, "--empty-hook") == 0)
        return parse_window(value, &run->empty_hook);
    if (strcmp(name, "--set") == 0)
        return strchr(value, '=') != NULL && add_item(&run->sets, value);
    if (strcmp(name, "--workload") == 0)
        return add_item(&run->workloads, value);
    if (strcmp(name, "--without") == 0)
        return add_item(&run->removed, value);
    if (strcmp(name, "--command") == 0)
        return parse_command(value, &command) && add_item(&run->commands, value);
    return set_path(run, name, value);
}

static bool parse_arguments(struct run *run, int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        if (set_flag(run, arguments[i]))
            continue;
        if (i + 1 == count || !set_value(run, arguments[i], arguments[i + 1])) {
            fprintf(stderr, "sim_host: wrong argument: %s\n%s", arguments[i], usage);
            return false;
        }
        i++;
    }
    if ((run->counts_hooked || run->truth.from > 0) != (run->truth_path != NULL)) {
        fprintf(stderr, "sim_host: --truth and --truth-out need each other\n");
        return false;
    }
    return true;
}

/* Loading */

struct buffer {
    char *bytes;
    size_t length;
};

static bool append_file(struct buffer *buffer, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length = 1;
    while (file != NULL && length > 0) {
        char *bytes = realloc(buffer->bytes, buffer->length + BUFSIZ);
        if (bytes == NULL)
            abort();
        buffer->bytes = bytes;
        length = fread(bytes + buffer->length, 1, BUFSIZ, file);
        buffer->length += length;
    }
    bool is_read = file != NULL && !ferror(file);
    if (!is_read)
        fprintf(stderr, "sim_host: cannot read '%s': %s\n", path, strerror(errno));
    if (file != NULL)
        fclose(file);
    return is_read;
}

/* A chunk that cannot be compiled is logged like one that fails. */
static bool run_chunk(struct engine *engine, const char *code, size_t length, const char *name)
{
    lua_State *L = engine->main;
    if (luaL_loadbuffer(L, code, length, name) == 0)
        return engine_call(engine);
    lua_pushfstring(L, "Error running lua script: %s", lua_tostring(L, -1));
    engine_say(engine, "warning", lua_tostring(L, -1));
    lua_pop(L, 2);
    return false;
}

/* Runs `start`, followed by the file, as one chunk. `name` NULL: the file's own. */
static bool run_file(struct engine *engine, const char *start, const char *path, const char *name)
{
    struct buffer buffer = {.bytes = malloc(strlen(start) + 1), .length = strlen(start)};
    if (buffer.bytes == NULL)
        abort();
    memcpy(buffer.bytes, start, buffer.length);
    bool is_run = path == NULL || append_file(&buffer, path);
    if (is_run) {
        const char *chunk = lua_pushfstring(engine->main, "@%s", path != NULL ? path : "");
        is_run = run_chunk(engine, buffer.bytes, buffer.length, name != NULL ? name : chunk);
        lua_pop(engine->main, 1);
        if (!is_run)
            fprintf(stderr, "sim_host: '%s' failed: see the log\n", path != NULL ? path : name);
    }
    free(buffer.bytes);
    return is_run;
}

static void set_global(lua_State *L, const char *assignment)
{
    const char *value = strchr(assignment, '=') + 1;
    double number;
    lua_pushlstring(L, assignment, (size_t)(value - 1 - assignment));
    if (parse_seconds(value, &number))
        lua_pushnumber(L, (lua_Number)number);
    else
        lua_pushstring(L, value);
    lua_rawset(L, LUA_GLOBALSINDEX);
}

static bool load_game(struct engine *engine)
{
    static const char name[] = SIM_SOURCE("globalinit.lua");
    engine_say(engine, "info",
               "DISK: AddSearchPath: '" SIM_INSTALLED "\\gamedata\\lua\\lua', mounted as '/lua/'");
    if (SIM_LUA_VERSION != 500 &&
        !run_chunk(engine, compatibility, sizeof compatibility - 1, "=compatibility"))
        return false;
    return run_chunk(engine, global_init, sizeof global_init - 1, name);
}

static bool load(struct run *run)
{
    struct engine *engine = &run->engine;
    if (run->has_own_time)
        engine_use_own_time(engine);
    if (run->has_precise_clock)
        engine_add_precise_clock(engine);
    engine_choose_c_functions(engine, run->c_functions);
    if (!load_game(engine))
        return false;
    truth_open(engine->main);
    if (run->counts_stacks)
        truth_count_stacks();
    engine->has_line_time = run->counts_lines;
    if (run->counts_lines)
        truth_count_lines();
    for (int i = 0; i < run->sets.count; i++)
        set_global(engine->main, run->sets.items[i]);
    for (int i = 0; i < run->workloads.count; i++) {
        if (!run_file(engine, "", run->workloads.items[i], NULL))
            return false;
    }
    for (int i = 0; i < run->removed.count; i++) {
        if (!engine_remove(engine, run->removed.items[i])) {
            fprintf(stderr, "sim_host: there is no '%s' to remove\n", run->removed.items[i]);
            return false;
        }
    }
    engine->log_raises = run->log_raises;
    engine->log_takes_ms = run->log_takes_ms;
    return run_file(engine, sim_init, run->profiler_path, SIM_INIT);
}

/* Ticks */

/* As SimLua and loadstring() do, the code itself is the chunk's name. */
static void run_commands(struct run *run)
{
    struct command command;
    for (int i = 0; i < run->commands.count; i++) {
        if (parse_command(run->commands.items[i], &command) && command.tick == run->engine.tick)
            run_chunk(&run->engine, command.code, strlen(command.code), command.code);
    }
}

static void show_time(struct engine *engine)
{
    char text[64];
    int seconds = engine->tick / TICKS_A_SECOND;
    snprintf(text, sizeof text, "Current gametime: %02d:%02d:%02d", seconds / 3600,
             seconds / 60 % 60, seconds % 60);
    engine_say(engine, "debug", text);
}

static void pass_wait(struct engine *engine)
{
    lua_pushstring(engine->main, "WAIT_MS");
    lua_rawget(engine->main, LUA_GLOBALSINDEX);
    engine->clock_zero -= lua_tonumber(engine->main, -1) / 1000.0;
    lua_pop(engine->main, 1);
}

static void run_tick(struct run *run)
{
    struct engine *engine = &run->engine;
    int tick = ++engine->tick;
    if (tick == run->truth.to)
        truth_set(engine->main, TRUTH_OFF);
    if (tick == run->empty_hook.to)
        hook_clear(engine->main);
    run_commands(run);
    if (tick == run->empty_hook.from)
        hook_set_empty(engine->main);
    if (tick == run->truth.from)
        truth_set(engine->main, TRUTH_ON);
    engine_call_global(engine, "SimBeat");
    engine_run_threads(engine);
    if (tick % COLLECT_TICKS == 0)
        sim_lua_collect(engine->main);
    if (tick % SHOW_TIME_TICKS == 0)
        show_time(engine);
    pass_wait(engine);
}

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void run_ticks(struct run *run)
{
    if (run->counts_hooked)
        truth_set(run->engine.main, TRUTH_HOOKED);
    engine_call_global(&run->engine, "SetupSession");
    double wall_start = engine_seconds(), cpu_start = cpu_seconds();
    while (run->engine.tick < run->tick_count) {
        double tick_start = cpu_seconds();
        run_tick(run);
        if (run->prints_tick_times)
            fprintf(stderr, "tick %d cpu %.6f\n", run->engine.tick, cpu_seconds() - tick_start);
    }
    if (run->prints_times)
        fprintf(stderr, "wall %.6f cpu %.6f\n", engine_seconds() - wall_start,
                cpu_seconds() - cpu_start);
    int seconds = run->engine.tick / TICKS_A_SECOND;
    char text[64];
    snprintf(text, sizeof text, "Run time: %dh%02dm%02ds", seconds / 3600, seconds / 60 % 60,
             seconds % 60);
    engine_say(&run->engine, "info", text);
}

static FILE *open_output(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fprintf(stderr, "sim_host: cannot write '%s': %s\n", path, strerror(errno));
    return file;
}

static bool finish(struct run *run, bool is_loaded, FILE *log, FILE *truth)
{
    bool is_good = is_loaded;
    engine_release(&run->engine);
    if (truth != NULL) {
        is_good &= truth_close(truth);
        is_good &= fclose(truth) == 0;
    }
    is_good &= fflush(log) == 0 && !ferror(log);
    if (log != stdout)
        fclose(log);
    return is_good;
}

static bool play(struct run *run)
{
    FILE *log = run->log_path != NULL ? open_output(run->log_path) : stdout;
    if (log == NULL)
        return false;
    FILE *truth = run->truth_path != NULL ? open_output(run->truth_path) : NULL;
    if ((truth == NULL && run->truth_path != NULL) ||
        !engine_open(&run->engine, log, run->clock_start))
        return false;
    bool is_loaded = load(run);
    if (is_loaded)
        run_ticks(run);
    return finish(run, is_loaded, log, truth);
}

int main(int argc, char **argv)
{
    struct run run = {0};
    struct list *const lists[] = {&run.sets, &run.workloads, &run.removed, &run.commands};
    const char **items = calloc((size_t)argc * 4, sizeof *items);
    if (items == NULL)
        abort();
    for (int i = 0; i < 4; i++)
        lists[i]->items = items + i * argc;
    int status = USAGE;
    if (parse_arguments(&run, argc, argv))
        status = play(&run) ? EXIT_SUCCESS : FAILED;
    free(items);
    return status;
}
