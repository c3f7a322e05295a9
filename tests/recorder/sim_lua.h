/*
 * sim_lua.h - the two Lua APIs the sim host is written for.
 *
 * Lua 5.1, which everybody has, and the game's Lua 5.0, whose header names no
 * LUA_VERSION_NUM. The host keeps to what both have; this is the rest. What
 * differs at run time, and is not hidden here:
 *
 * - SIM_HOOK_IS_GLOBAL: in the game one hook sees all threads; in 5.1 each thread
 *   has its own, see sim_host_hook.c.
 * - The resume mark (a second `call` of the innermost Lua
 *   function after a yield) comes only on the game's VM.
 * - A Lua function's current line at its `call` is -1 on the game's VM, and that of
 *   its first statement in 5.1; debug.getinfo() is made to say -1 there too.
 * - At the `call` that a tail call makes, the caller is gone on the game's VM, and still
 *   there in 5.1, so that 5.1 counts more edges.
 * - The iterators of pairs() and ipairs() are closures without a name in 5.1; on the
 *   game's VM they are next and ipairs themselves.
 * - SIM_RESUMES_C_FUNCTIONS: 5.1 crashes when it resumes a thread whose first function is a C
 *   function that has yielded, so its ForkThread() takes Lua functions only.
 * - A failed thread of 5.0 has no frames left to write a traceback of.
 */
#pragma once

#include <lua.h>

#include <lauxlib.h>
#include <lualib.h>

#ifdef LUA_VERSION_NUM
#define SIM_LUA_VERSION LUA_VERSION_NUM
#else
#define SIM_LUA_VERSION 500
#endif

#if SIM_LUA_VERSION != 500 && SIM_LUA_VERSION != 501
#error "the sim host needs Lua 5.1, or the 5.0 of the game"
#endif

#define SIM_HOOK_IS_GLOBAL (SIM_LUA_VERSION == 500)
#define SIM_RESUMES_C_FUNCTIONS (SIM_LUA_VERSION == 500)

enum sim_status { SIM_YIELDED, SIM_ENDED, SIM_FAILED };

static inline lua_State *sim_lua_open(void)
{
#if SIM_LUA_VERSION == 500
    return lua_open();
#else
    return luaL_newstate();
#endif
}

/* What it yielded, returned or raised is left on the thread's stack. */
static inline enum sim_status sim_lua_resume(lua_State *thread, int argument_count)
{
    int status = lua_resume(thread, argument_count);
#if SIM_LUA_VERSION == 500
    /* 5.0 has one status for both ends; only a thread that yielded has a frame. */
    lua_Debug frame;
    if (status == 0)
        return lua_getstack(thread, 0, &frame) ? SIM_YIELDED : SIM_ENDED;
    return SIM_FAILED;
#else
    return status == LUA_YIELD ? SIM_YIELDED : status == 0 ? SIM_ENDED : SIM_FAILED;
#endif
}

static inline void sim_lua_collect(lua_State *L)
{
#if SIM_LUA_VERSION == 500
    lua_setgcthreshold(L, 0);
#else
    lua_gc(L, LUA_GCCOLLECT, 0);
#endif
}
