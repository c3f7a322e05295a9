/*
 * tokens.h - reads Lua source and returns its tokens.
 *
 * The language is that of the game's Lua 5.0, as its lexer reads it (src/llex.c of
 * https://github.com/FAForever/lua-lang). It differs from Lua 5.1:
 *
 *     !=  ^ & | << >>       operators, and `continue` a keyword
 *     # to the line's end   a comment, anywhere
 *     [[ a [[ b ]] c ]]     one string, or after -- one comment: brackets nest
 *     --[==[                begins a comment that ends with the line
 *     CR                    a blank: only LF counts lines
 *
 * [==[ ]==] of Lua 5.1 is read as a string, because it is not valid in 5.0.
 */
#pragma once

#include "base/hash_index.h"

/* A token of one character is that character: '(' '{' '=' ',' and so on. */
enum token_kind {
    TOKEN_END_OF_FILE = 256,
    TOKEN_ERROR, /* not valid Lua; the rest is not read */
    TOKEN_NAME,
    TOKEN_STRING,
    TOKEN_VALUE,    /* a number, nil, true, false */
    TOKEN_DOTS,     /* ... */
    TOKEN_OPERATOR, /* between two operands; '-' is its own kind */
    TOKEN_AND_OR,
    TOKEN_NOT,
    TOKEN_BREAK, /* or continue */
    TOKEN_DO,
    TOKEN_ELSE,
    TOKEN_ELSEIF,
    TOKEN_END,
    TOKEN_FOR,
    TOKEN_FUNCTION,
    TOKEN_IF,
    TOKEN_IN,
    TOKEN_LOCAL,
    TOKEN_REPEAT,
    TOKEN_RETURN,
    TOKEN_THEN,
    TOKEN_UNTIL,
    TOKEN_WHILE,
};

struct token {
    int kind;
    int32_t line;     /* where it ends, counted from 1 */
    struct span text; /* in the source; of a string the part between the quotes, as written */
};

struct tokens {
    const char *at, *end; /* the rest of the source */
    int32_t line;
};

/* `source` must outlive the tokens, and have fewer than INT32_MAX lines. */
void tokens_init(struct tokens *tokens, struct span source);

/* Returns the next token. After the last token or an error it returns that again. */
struct token tokens_next(struct tokens *tokens);

/* Whether a text has the form of a name and is not a keyword. */
bool tokens_is_name(struct span text);
