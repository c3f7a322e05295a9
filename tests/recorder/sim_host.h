/*
 * sim_host.h - a stand-in for the sim of the game, to test profilers with.
 *
 * Three files: sim_host.c is the program (options, loading, ticks),
 * sim_host_engine.c what Lua code finds of the engine (log, clock, threads),
 * sim_host_hook.c the hook and the true counts. None of supprof's code is in it, so
 * that a fault there cannot hide itself.
 */
#pragma once

#include "sim_lua.h"

#include <stdbool.h>
#include <stdio.h>

#define SIM_INSTALLED                                                                              \
    "c:\\program files (x86)\\steam\\steamapps\\common\\supreme commander forged alliance\\LOUD"
#define SIM_SOURCE(path) "@" SIM_INSTALLED "\\gamedata\\lua\\lua\\" path

/* The chunk that the profiler is the end of. */
#define SIM_INIT SIM_SOURCE("siminit.lua")

struct task;

struct engine {
    lua_State *main;
    FILE *log;
    double clock_zero;        /* seconds of engine_seconds() where the game's clock has its 0 */
    double last_read, waited; /* see engine_use_own_time() */
    bool has_own_time, has_line_time;
    int tick; /* 0 before the first */
    struct task *tasks, **tasks_end;
    struct task *running; /* NULL while the main thread runs */
    bool log_raises;      /* for the profiler, from its first hook on */
    int log_takes_ms;     /* the same */
};

/* What type() and debug.getinfo() make of a C function. */
enum c_functions {
    C_FUNCTIONS_OF_GAME, /* a 'cfunction', which getinfo() takes */
    C_FUNCTIONS_PLAIN,   /* a 'function', as in stock Lua */
    C_FUNCTIONS_REFUSED, /* a 'cfunction', which getinfo() raises an error for */
};

/* A method of a class of the engine, for which Lua code finds moho.<class>.<name>. */
struct engine_method {
    const char *class, *name;
};

/* Of a steady clock; double. */
double engine_seconds(void);

/*
 * Makes a Lua state with the libraries the sim has (no io, os or package) and the
 * engine's functions. The engine must not move from then on. Returns false when
 * there is no memory.
 */
bool engine_open(struct engine *engine, FILE *log, double clock_start);
void engine_release(struct engine *engine);

/* Makes the game's clocks stand still while other programs run. */
void engine_use_own_time(struct engine *engine);

void engine_add_precise_clock(struct engine *engine);

void engine_choose_c_functions(struct engine *engine, enum c_functions c_functions);

/* The methods where they are defined, and not where they are inherited; ends with NULL. */
extern const struct engine_method engine_methods[];

/* Removes a global, or a member of one ("debug.gethook"). Returns false if it is not there. */
bool engine_remove(struct engine *engine, const char *name);

/* A message of the engine's own: its second and further lines are indented. */
void engine_say(struct engine *engine, const char *severity, const char *text);

/*
 * Calls the function on top of the main thread's stack as the engine calls a script's,
 * and pops it. A failure is logged with a traceback and returned as false.
 */
bool engine_call(struct engine *engine);

/*
 * Calls what the global `name` holds: a function, or each one of a list. A global that is
 * not there is passed over.
 */
void engine_call_global(struct engine *engine, const char *name);

/* Resumes each thread whose time has come, those started meanwhile too. */
void engine_run_threads(struct engine *engine);

/* Puts debug.sethook and what goes with it in place. There can be one at a time. */
void hook_open(lua_State *main);

/* Makes the hook reach the thread on top of the stack, now and later. */
void hook_watch_thread(lua_State *L);

/* From now on debug.getinfo() raises an error for a C function as its argument. */
void hook_refuse_c_functions(void);

/* Whether Lua code has ever set a hook. */
bool hook_was_set(void);

/* Sets a hook that is an empty Lua function: what every hook costs at least. */
void hook_set_empty(lua_State *L);
void hook_clear(lua_State *L);

/*
 * The true counts: calls of each function, and of each by line and function of its
 * caller. A caller that is not there (a root, a frame lost to a tail call) makes no edge.
 * TRUTH_HOOKED counts exactly the calls that a hook of Lua code is told of.
 */
enum truth { TRUTH_OFF, TRUTH_ON, TRUTH_HOOKED };

/* Takes the names of all C functions that can be reached by name. */
void truth_open(lua_State *L);

/*
 * Counts the lines of Lua functions too, and makes a clock of them: while calls are counted, one
 * unit passes with each line, call by a Lua function and return of one.
 */
void truth_count_lines(void);

/* Seconds of that clock; a unit is 1/64. */
double hook_time(void);

/* Counts whole stacks too. */
void truth_count_stacks(void);
void truth_set(lua_State *L, enum truth truth);

/*
 * Lines `call KEY COUNT` and `edge CALLERKEY LINE KEY COUNT`, with tabs between, in the
 * order of their first events. KEY is `source:linedefined` with `\n` and `\t` for those
 * bytes, or `C:name`. With whole stacks also `stack COUNT LINE KEY LINE KEY ...`, root first,
 * of the Lua stack that runs; KEY is `?` for a frame lost to a tail call. With lines also `line
 * KEY LINE COUNT UNITS`, with the units of that clock that have passed there. Returns false when
 * writing failed; releases the counts.
 */
bool truth_close(FILE *file);
