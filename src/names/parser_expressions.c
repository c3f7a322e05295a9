#include "names/parser.h"

/* parameters = "(" [parameter {"," parameter}] ")";  parameter = NAME | "..." */
static void parameters(struct parser *parser)
{
    parser_expect(parser, '(');
    if (parser_accept(parser, ')'))
        return;
    do {
        if (!parser_accept(parser, TOKEN_DOTS))
            parser_expect(parser, TOKEN_NAME);
    } while (parser_accept(parser, ','));
    parser_expect(parser, ')');
}

/*
 * body = parameters block "end"
 *
 * `statement_line` is the line of the word `function` in a statement `function f(`; 0 in other
 * definitions, whose line is that of the parameters.
 */
void parser_body(struct parser *parser, struct parser_use use, int32_t statement_line)
{
    if (parser->token.kind != '(') {
        parser_fail(parser);
        return;
    }
    struct definitions *definitions = parser->definitions;
    uint32_t context = parser->context;
    size_t definition = definitions->count;
    parser_define(parser, use, statement_line > 0 ? statement_line : parser->token.line);
    parameters(parser);
    parser_block(parser);
    definitions->all[definition].last_line = parser->token.line;
    parser->context = context;
    parser_expect(parser, TOKEN_END);
}

/* Whether a text consists only of names with single '.' between them. */
static bool is_dotted(struct span text)
{
    for (size_t from = 0; from <= text.length;) {
        const char *start = text.at + from;
        const char *dot = memchr(start, '.', text.length - from);
        size_t length = dot == NULL ? text.length - from : (size_t)(dot - start);
        if (!tokens_is_name((struct span){start, length}))
            return false;
        from += length + 1;
    }
    return true;
}

/*
 * index = "[" expression "]"
 *
 * Returns the path of that key in `parent`. Only a key of one token or of names with dots
 * between them is shown.
 */
static uint32_t index_of(struct parser *parser, uint32_t parent)
{
    static const struct span none = {"", 0};
    if (!parser_enter(parser))
        return NO_PATH;
    parser_expect(parser, '[');
    struct token first = parser->token;
    parser_expression(parser, parser_no_use);
    struct span last = parser->previous.text;
    parser_expect(parser, ']');
    parser_leave(parser);
    if (parser->token.kind == TOKEN_ERROR)
        return NO_PATH;
    if (first.kind == TOKEN_NAME)
        first.text.length = (size_t)(last.at + last.length - first.text.at);
    else if (first.text.at != last.at)
        return parser_add_path(parser, parent, PART_UNKNOWN, none);
    switch (first.kind) {
    case TOKEN_STRING:
        return parser_add_path(parser, parent, tokens_is_name(first.text) ? PART_NAME : PART_STRING,
                               first.text);
    case TOKEN_VALUE:
        return parser_add_path(parser, parent, PART_KEY, first.text);
    case TOKEN_NAME:
        if (is_dotted(first.text))
            return parser_add_path(parser, parent, PART_KEY, first.text);
        break;
    default:
        break;
    }
    return parser_add_path(parser, parent, PART_UNKNOWN, none);
}

/*
 * field = NAME "=" expression | index "=" expression | expression
 *
 * `owner` is the table's path. Returns whether the field is an item, which has no key.
 */
static bool field(struct parser *parser, uint32_t owner, uint32_t number)
{
    struct tokens ahead = parser->tokens;
    struct parser_use use = parser_no_use;
    bool is_item = false;
    if (parser->token.kind == '[') {
        use.target = index_of(parser, owner);
        parser_expect(parser, '=');
    } else if (parser->token.kind == TOKEN_NAME && tokens_next(&ahead).kind == '=') {
        use.target = parser_name(parser, owner, PART_NAME);
        parser_expect(parser, '=');
    } else {
        is_item = true;
        if (owner != NO_PATH) {
            use.target = parser_add_path(parser, owner, PART_ITEM, span_of(""));
            parser->paths[use.target].number = number;
        }
    }
    parser_expression(parser, use);
    return is_item;
}

static bool is_ampersand(const struct token *token)
{
    return token->kind == TOKEN_OPERATOR && token->text.length == 1 && token->text.at[0] == '&';
}

/*
 * sizes = {"&" NUMBER}
 *
 * An addition of the game: for how many keys and items the table has room at first.
 */
static void sizes(struct parser *parser)
{
    while (is_ampersand(&parser->token)) {
        parser_next(parser);
        parser_expect(parser, TOKEN_VALUE);
    }
}

/* table = "{" sizes [field {("," | ";") field} ["," | ";"]] "}" */
static void table(struct parser *parser, uint32_t path)
{
    uint32_t item = 1;
    if (!parser_enter(parser))
        return;
    parser_expect(parser, '{');
    sizes(parser);
    while (parser->token.kind != '}' && parser->token.kind != TOKEN_ERROR) {
        size_t path_count = parser->path_count;
        item += field(parser, path, item);
        parser->path_count = path_count;
        if (!parser_accept(parser, ',') && !parser_accept(parser, ';'))
            break;
    }
    parser_expect(parser, '}');
    parser_leave(parser);
}

/* expressions = expression {"," expression} */
void parser_expressions(struct parser *parser, struct parser_use use)
{
    do
        parser_expression(parser, use);
    while (parser_accept(parser, ','));
}

static bool is_arguments(const struct parser *parser)
{
    int kind = parser->token.kind;
    return kind == '(' || kind == '{' || kind == TOKEN_STRING;
}

/*
 * arguments = "(" [expressions] ")" | table | STRING
 *
 * A table among them has the same use as the result.
 */
static void arguments(struct parser *parser, uint32_t callee, uint32_t target)
{
    if (parser->token.kind == '{') {
        table(parser, target);
        return;
    }
    if (parser_accept(parser, TOKEN_STRING) || !parser_enter(parser))
        return;
    parser_expect(parser, '(');
    if (parser->token.kind != ')')
        parser_expressions(parser, (struct parser_use){target, true, callee});
    parser_expect(parser, ')');
    parser_leave(parser);
}

/*
 * prefix = (NAME | "(" expression ")") {"." NAME | index | [":" NAME] arguments}
 *
 * Returns its path, which is NO_PATH after a call and sets `is_call`. Calls are for `target`.
 */
uint32_t parser_prefix(struct parser *parser, uint32_t target, bool *is_call)
{
    uint32_t path = NO_PATH;
    *is_call = false;
    if (parser->token.kind == TOKEN_NAME) {
        path = parser_name(parser, NO_PATH, PART_NAME);
    } else if (parser_enter(parser)) {
        parser_expect(parser, '(');
        parser_expression(parser, parser_no_use);
        parser_expect(parser, ')');
        parser_leave(parser);
    }
    for (;;) {
        bool is_method = parser_accept(parser, ':');
        if (is_method)
            path = parser_name(parser, path, PART_METHOD);
        if (is_arguments(parser)) {
            arguments(parser, path, target);
            path = NO_PATH;
            *is_call = true;
            continue;
        }
        if (is_method)
            parser_fail(parser);
        if (parser_accept(parser, '.'))
            path = parser_name(parser, path, PART_NAME);
        else if (parser->token.kind == '[')
            path = index_of(parser, path);
        else
            return path;
        *is_call = false;
    }
}

/* operand = STRING | VALUE | "..." | table | "function" body | prefix */
static void operand(struct parser *parser, struct parser_use use)
{
    size_t path_count = parser->path_count;
    bool is_call;
    switch (parser->token.kind) {
    case TOKEN_STRING:
    case TOKEN_VALUE:
    case TOKEN_DOTS:
        parser_next(parser);
        break;
    case '{':
        table(parser, use.target);
        break;
    case TOKEN_FUNCTION:
        parser_next(parser);
        parser_body(parser, use, 0);
        break;
    case TOKEN_NAME:
    case '(':
        parser_prefix(parser, use.target, &is_call);
        break;
    default:
        parser_fail(parser);
    }
    parser->path_count = path_count;
}

/*
 * expression = {"-" | "not"} operand {operator {"-" | "not"} operand}
 *
 * The operators' precedence makes no difference here. After an operator other than `and` and
 * `or`, the operand is only part of the value.
 */
void parser_expression(struct parser *parser, struct parser_use use)
{
    for (;;) {
        while (parser->token.kind == '-' || parser->token.kind == TOKEN_NOT)
            parser_next(parser);
        operand(parser, use);
        int kind = parser->token.kind;
        if (kind != TOKEN_AND_OR && kind != TOKEN_OPERATOR && kind != '-')
            return;
        if (kind != TOKEN_AND_OR)
            use.target = NO_PATH;
        parser_next(parser);
    }
}
