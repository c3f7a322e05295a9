/*
 * parser.h - finds the functions that a Lua source defines; for parser*.c alone.
 *
 * A parser by recursive descent, like Lua's own: one function for each rule of the grammar, with
 * the rule above it. Blocks, brackets and functions may be nested 256 deep, so the C stack
 * stays small. Lua allows 200 levels (LUA_MAXPARSERLEVEL) and counts at least one for each here.
 *
 * After an error no token fits any rule, so all rules end at once, and loops stop.
 */
#pragma once

#include "names/definitions.h"
#include "names/tokens.h"

#define NO_PATH UINT32_MAX

/* The kinds of the last part of a path. */
enum parser_part { PART_NAME, PART_METHOD, PART_STRING, PART_KEY, PART_ITEM, PART_UNKNOWN };

/* A variable or field: A.b[3] is {{NO_PATH, A}, b}, 3. */
struct parser_path {
    uint32_t parent; /* index of a path, smaller than its own; or NO_PATH */
    enum parser_part kind;
    struct span text; /* in the source */
    uint32_t number;  /* PART_ITEM */
};

/* How the value of an expression is used. */
struct parser_use {
    uint32_t target;  /* the path that it is assigned to, or NO_PATH */
    bool is_argument; /* of a call; then `target` is for the call's result */
    uint32_t callee;  /* the path of the called function, or NO_PATH */
};

extern const struct parser_use parser_no_use;

struct parser {
    struct definitions *definitions;
    struct tokens tokens;
    struct token token;    /* the next one; after an error always TOKEN_ERROR, on its line */
    struct token previous; /* the one before */
    uint32_t depth;
    struct parser_path *paths; /* those in use; each rule removes the paths it added */
    size_t path_count, path_capacity;
    uint32_t *targets; /* of the assignments that are being read, outer ones first */
    size_t target_count, target_capacity;
    uint32_t context; /* text id of the innermost function with a name of its own; or INTERN_NONE */
};

/* Sets an error at the line of the next token. */
void parser_fail(struct parser *parser);

/*
 * All go to the next token: parser_next() always, parser_accept() only if the present one is of
 * that kind, and parser_expect() otherwise sets an error.
 */
void parser_next(struct parser *parser);
bool parser_accept(struct parser *parser, int kind);
void parser_expect(struct parser *parser, int kind);

/* Goes one level deeper. If Lua does not allow that, sets an error and returns false. */
bool parser_enter(struct parser *parser);
void parser_leave(struct parser *parser);

/* Returns the index of a new path. `text` is part of the source, or empty. */
uint32_t parser_add_path(struct parser *parser, uint32_t parent, enum parser_part kind,
                         struct span text);

/* Expects a name, and returns the path of that name in `parent`. */
uint32_t parser_name(struct parser *parser, uint32_t parent, enum parser_part kind);

/*
 * Adds the definition of a function that is for `use`. If it has a name of its own, that becomes
 * the context of the functions in it.
 */
void parser_define(struct parser *parser, struct parser_use use, int32_t line);

/* Rules of the grammar: see their definitions. */
void parser_block(struct parser *parser);
void parser_body(struct parser *parser, struct parser_use use, int32_t statement_line);
void parser_expression(struct parser *parser, struct parser_use use);
void parser_expressions(struct parser *parser, struct parser_use use);
uint32_t parser_prefix(struct parser *parser, uint32_t target, bool *is_call);
