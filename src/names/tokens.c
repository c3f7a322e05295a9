#include "names/tokens.h"

#include <ctype.h>

/* In the C locale, as in the game. */
static bool is_letter(int c)
{
    return isalpha(c) || c == '_';
}

/* The byte at an offset, for ctype.h; after the end 0, which is not valid in Lua. */
static int peek(const struct tokens *tokens, size_t offset)
{
    bool is_there = (size_t)(tokens->end - tokens->at) > offset;
    return is_there ? (unsigned char)tokens->at[offset] : '\0';
}

void tokens_init(struct tokens *tokens, struct span source)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    bool has_mark = span_starts_with(source, byte_order_mark);
    size_t start = has_mark ? strlen(byte_order_mark) : 0;
    *tokens = (struct tokens){source.at + start, source.at + source.length, 1};
}

static void pass(struct tokens *tokens)
{
    tokens->line += *tokens->at == '\n';
    tokens->at++;
}

/* Reads on after "[["; `text` becomes the part inside. Returns false if it does not end. */
static bool read_nested(struct tokens *tokens, struct span *text)
{
    size_t depth = 0;
    text->at = tokens->at;
    while (tokens->at < tokens->end) {
        char c = *tokens->at;
        bool is_pair = (c == '[' || c == ']') && peek(tokens, 1) == c;
        text->length = (size_t)(tokens->at - text->at);
        tokens->at += is_pair;
        pass(tokens);
        if (is_pair && c == '[')
            depth++;
        else if (is_pair && depth-- == 0)
            return true;
    }
    return false;
}

/* The same after a bracket with '='; the closing one must have the same number. */
static bool read_leveled(struct tokens *tokens, size_t level, struct span *text)
{
    text->at = tokens->at;
    size_t run = SIZE_MAX; /* of '=' after the last ']' */
    for (; tokens->at < tokens->end; pass(tokens)) {
        char c = *tokens->at;
        if (c == ']' && run == level) {
            text->length = (size_t)(tokens->at - text->at) - level - 1;
            pass(tokens);
            return true;
        }
        run = c == ']' ? 0 : c == '=' && run != SIZE_MAX ? run + 1 : SIZE_MAX;
    }
    return false;
}

static int read_quoted(struct tokens *tokens, struct span *text)
{
    char quote = *tokens->at++;
    text->at = tokens->at;
    for (; tokens->at < tokens->end && *tokens->at != '\n'; pass(tokens)) {
        if (*tokens->at == quote) {
            text->length = (size_t)(tokens->at++ - text->at);
            return TOKEN_STRING;
        }
        if (*tokens->at != '\\')
            continue;
        tokens->at++;
        /* If line ends are CR LF, the game may have read them as LF. */
        if (peek(tokens, 0) == '\r' && peek(tokens, 1) == '\n')
            tokens->at++;
        if (tokens->at == tokens->end)
            break;
    }
    return TOKEN_ERROR;
}

static int read_bracket(struct tokens *tokens, struct span *text)
{
    size_t level = 0;
    while (peek(tokens, 1 + level) == '=')
        level++;
    if (peek(tokens, 1 + level) != '[') {
        tokens->at++;
        return '[';
    }
    tokens->at += level + 2;
    bool is_read = level == 0 ? read_nested(tokens, text) : read_leveled(tokens, level, text);
    return is_read ? TOKEN_STRING : TOKEN_ERROR;
}

/* Reads the same characters as the VM; only the VM checks that they form a number. */
static int read_number(struct tokens *tokens)
{
    bool is_hex = peek(tokens, 0) == '0' && (peek(tokens, 1) | 0x20) == 'x';
    tokens->at += is_hex ? 2 : 0;
    while (is_hex ? isxdigit(peek(tokens, 0)) : isdigit(peek(tokens, 0)))
        tokens->at++;
    if (!is_hex && peek(tokens, 0) == '.') {
        tokens->at++;
        if (peek(tokens, 0) == '.')
            return TOKEN_ERROR;
        while (isdigit(peek(tokens, 0)))
            tokens->at++;
    }
    if ((peek(tokens, 0) | 0x20) == (is_hex ? 'p' : 'e')) {
        tokens->at++;
        tokens->at += peek(tokens, 0) == '+' || peek(tokens, 0) == '-';
        while (isdigit(peek(tokens, 0)))
            tokens->at++;
    }
    return TOKEN_VALUE;
}

static int kind_of_word(struct span word)
{
    static const struct keyword {
        const char *word;
        int kind;
    } keywords[] = {
        {"and", TOKEN_AND_OR},     {"break", TOKEN_BREAK},
        {"continue", TOKEN_BREAK}, {"do", TOKEN_DO},
        {"else", TOKEN_ELSE},      {"elseif", TOKEN_ELSEIF},
        {"end", TOKEN_END},        {"false", TOKEN_VALUE},
        {"for", TOKEN_FOR},        {"function", TOKEN_FUNCTION},
        {"if", TOKEN_IF},          {"in", TOKEN_IN},
        {"local", TOKEN_LOCAL},    {"nil", TOKEN_VALUE},
        {"not", TOKEN_NOT},        {"or", TOKEN_AND_OR},
        {"repeat", TOKEN_REPEAT},  {"return", TOKEN_RETURN},
        {"then", TOKEN_THEN},      {"true", TOKEN_VALUE},
        {"until", TOKEN_UNTIL},    {"while", TOKEN_WHILE},
    };
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (keywords[i].word[0] == word.at[0] && span_is(word, keywords[i].word))
            return keywords[i].kind;
    return TOKEN_NAME;
}

static int read_word(struct tokens *tokens)
{
    const char *start = tokens->at;
    while (is_letter(peek(tokens, 0)) || isdigit(peek(tokens, 0)))
        tokens->at++;
    return kind_of_word((struct span){start, (size_t)(tokens->at - start)});
}

bool tokens_is_name(struct span text)
{
    struct tokens tokens = {text.at, text.at + text.length, 1};
    return text.length > 0 && is_letter(peek(&tokens, 0)) && read_word(&tokens) == TOKEN_NAME &&
           tokens.at == tokens.end;
}

/* Skips blanks and comments. Returns false if a comment does not end. */
static bool skip_blanks(struct tokens *tokens)
{
    struct span comment;
    while (tokens->at < tokens->end) {
        bool is_comment = *tokens->at == '-' && peek(tokens, 1) == '-';
        if (isspace(peek(tokens, 0))) {
            pass(tokens);
        } else if (is_comment && peek(tokens, 2) == '[' && peek(tokens, 3) == '[') {
            tokens->at += 4;
            if (!read_nested(tokens, &comment))
                return false;
        } else if (is_comment || *tokens->at == '#') {
            const char *feed = memchr(tokens->at, '\n', (size_t)(tokens->end - tokens->at));
            tokens->at = feed == NULL ? tokens->end : feed;
        } else {
            break;
        }
    }
    return true;
}

/* Reads a token that does not begin with a letter, a digit or a quote. */
static int read_sign(struct tokens *tokens)
{
    static const char *const operators[] = {"==", "<=", ">=", "~=", "!=", "<<", ">>"};
    static const char alone[] = "+*/^&|<>%";
    if (peek(tokens, 0) == '.' && peek(tokens, 1) == '.') {
        bool is_dots = peek(tokens, 2) == '.';
        tokens->at += is_dots ? 3 : 2;
        return is_dots ? TOKEN_DOTS : TOKEN_OPERATOR;
    }
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (peek(tokens, 0) != operators[i][0] || peek(tokens, 1) != operators[i][1])
            continue;
        tokens->at += 2;
        return TOKEN_OPERATOR;
    }
    char c = *tokens->at;
    if (c == '\0' || strchr("+*/^&|<>%-(){}];:,.=", c) == NULL)
        return TOKEN_ERROR;
    tokens->at++;
    return strchr(alone, c) != NULL ? TOKEN_OPERATOR : c;
}

static int read_token(struct tokens *tokens, struct span *text)
{
    int c = peek(tokens, 0);
    if (c == '"' || c == '\'')
        return read_quoted(tokens, text);
    if (c == '[')
        return read_bracket(tokens, text);
    if (isdigit(c) || (c == '.' && isdigit(peek(tokens, 1))))
        return read_number(tokens);
    return is_letter(c) ? read_word(tokens) : read_sign(tokens);
}

struct token tokens_next(struct tokens *tokens)
{
    struct token token = {.kind = TOKEN_ERROR};
    if (skip_blanks(tokens)) {
        token.text.at = tokens->at;
        token.kind =
            tokens->at == tokens->end ? TOKEN_END_OF_FILE : read_token(tokens, &token.text);
    }
    if (token.kind != TOKEN_STRING && token.kind != TOKEN_ERROR)
        token.text.length = (size_t)(tokens->at - token.text.at);
    token.line = tokens->line;
    if (token.kind != TOKEN_ERROR)
        return token;
    /* So that the next call finds the error again. */
    static const char no_lua[] = "\1";
    tokens->at = no_lua;
    tokens->end = no_lua + 1;
    token.text = (struct span){no_lua, 0};
    return token;
}
