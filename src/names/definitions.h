/*
 * definitions.h - the functions that a Lua source defines: lines and names.
 *
 * A function's line is Lua's `linedefined`, because logs identify functions by it: the
 * line of the word `function` in a statement `function f(`, and the line of the `(` of
 * the parameters in every other definition (statement(), localfunc() and simpleexp() in
 * src/lparser.c of https://github.com/FAForever/lua-lang; Lua 5.1 does the same).
 *
 * A function is named after what it is assigned to:
 *
 *     function f()  local function f()  f = function()        f
 *     function A.b.c()  A.b.c = function()                    A.b.c
 *     function A:c()  A["c"] = function()                     A.c
 *     A[3] = function()  A[k.x] = function()                  A[3]  A[k.x]
 *     A[i + 1] = function()  A["b c"] = function()            A[?]  A["b c"]
 *     A, B = function(), function()                           A and B
 *     A = A or function()                                     A
 *     A = {b = function()}  A = {t = {b = function()}}        A.b  A.t.b
 *     A = Class(Base) {b = function()}                        A.b
 *     A = setmetatable({b = function()}, {})                  A.b
 *     A = {function(), function()}                            A[1] and A[2]
 *     return {b = function()}  Call {b = function()}          b
 *
 * Any other function has no name of its own:
 *
 *     Call(function())  a.b:Call(1, function())               Call(function)  a.b:Call(function)
 *     return function()  (function() end)()  x()(function())  anonymous
 *
 * Inside a function with a name of its own, the innermost such function is added:
 *
 *     function A:c() local function f()                       f in A.c
 *     function A:c() ForkThread(function()                    ForkThread(function) in A.c
 *     function A:c() return function()                        anonymous in A.c
 *     function A:c() local function f() return function()     anonymous in f
 *
 * In a name longer than 200 bytes, "..." replaces the beginning.
 */
#pragma once

#include "base/hash_index.h"

struct definition {
    int32_t line;
    int32_t last_line; /* of its `end` */
    uint32_t name;     /* text id */
    uint32_t simple;   /* simple name: the last part of its own name, "c" of A.c; or INTERN_NONE */
};

struct definitions {
    struct intern texts, simple_names;
    struct definition *all; /* [count], in the order of the source, so by line */
    size_t count, capacity;
    int32_t line_count; /* that end in a line feed */

    /*
     * The line at which the source stops being valid Lua, or is nested deeper than Lua
     * allows; 0 if all of it is valid. Definitions before that line are kept; a function
     * that is still open there ends on this line.
     */
    int32_t error_line;
};

/* Reads a source of fewer than INT32_MAX lines. */
void definitions_read(struct definitions *definitions, struct span source);
void definitions_release(struct definitions *definitions);

/* Returns the definitions at this line, [*count]; NULL if there are none. */
const struct definition *definitions_at(const struct definitions *definitions, int32_t line,
                                        size_t *count);
