#include "names/parser.h"

#include "base/mem.h"

static void add_target(struct parser *parser, uint32_t path)
{
    MEM_APPEND(parser->targets, parser->target_count, parser->target_capacity, path);
}

/* values = expression {"," expression}, for the targets from `first` on, one each. */
static void values(struct parser *parser, size_t first)
{
    do {
        struct parser_use use = parser_no_use;
        if (first < parser->target_count)
            use.target = parser->targets[first++];
        parser_expression(parser, use);
    } while (parser_accept(parser, ','));
}

/* call or assignment = prefix [{"," prefix} "=" values] */
static void call_or_assignment(struct parser *parser)
{
    size_t first = parser->target_count;
    bool is_call;
    add_target(parser, parser_prefix(parser, NO_PATH, &is_call));
    if (is_call)
        return;
    while (parser_accept(parser, ',')) {
        if (parser->token.kind != TOKEN_NAME)
            parser_expect(parser, '(');
        add_target(parser, parser_prefix(parser, NO_PATH, &is_call));
    }
    if (is_call)
        parser_fail(parser);
    parser_expect(parser, '=');
    values(parser, first);
}

/* local = "local" ("function" NAME body | NAME {"," NAME} ["=" values]) */
static void local(struct parser *parser)
{
    size_t first = parser->target_count;
    parser_next(parser);
    if (parser_accept(parser, TOKEN_FUNCTION)) {
        struct parser_use use = parser_no_use;
        use.target = parser_name(parser, NO_PATH, PART_NAME);
        parser_body(parser, use, 0);
        return;
    }
    do
        add_target(parser, parser_name(parser, NO_PATH, PART_NAME));
    while (parser_accept(parser, ','));
    if (parser_accept(parser, '='))
        values(parser, first);
}

/* function = "function" NAME {("." | ":") NAME} body */
static void function(struct parser *parser)
{
    struct parser_use use = parser_no_use;
    int32_t line = parser->token.line;
    do {
        /* A method is named A.b like any other field. */
        parser_next(parser);
        use.target = parser_name(parser, use.target, PART_NAME);
    } while (parser->token.kind == '.' || parser->token.kind == ':');
    parser_body(parser, use, line);
}

/* for = "for" NAME {"," NAME} ("=" | "in") expressions "do" block "end" */
static void for_loop(struct parser *parser)
{
    do {
        parser_next(parser);
        parser_expect(parser, TOKEN_NAME);
    } while (parser->token.kind == ',');
    if (!parser_accept(parser, '='))
        parser_expect(parser, TOKEN_IN);
    parser_expressions(parser, parser_no_use);
    parser_expect(parser, TOKEN_DO);
    parser_block(parser);
    parser_expect(parser, TOKEN_END);
}

/* while = "while" expression "do" block "end" */
static void while_loop(struct parser *parser)
{
    parser_next(parser);
    parser_expression(parser, parser_no_use);
    parser_expect(parser, TOKEN_DO);
    parser_block(parser);
    parser_expect(parser, TOKEN_END);
}

/* repeat = "repeat" block "until" expression */
static void repeat_loop(struct parser *parser)
{
    parser_next(parser);
    parser_block(parser);
    parser_expect(parser, TOKEN_UNTIL);
    parser_expression(parser, parser_no_use);
}

/* if = "if" expression "then" block {"elseif" expression "then" block} ["else" block] "end" */
static void if_statement(struct parser *parser)
{
    do {
        parser_next(parser);
        parser_expression(parser, parser_no_use);
        parser_expect(parser, TOKEN_THEN);
        parser_block(parser);
    } while (parser->token.kind == TOKEN_ELSEIF);
    if (parser_accept(parser, TOKEN_ELSE))
        parser_block(parser);
    parser_expect(parser, TOKEN_END);
}

static bool is_end_of_block(int kind)
{
    return kind == TOKEN_END || kind == TOKEN_ELSE || kind == TOKEN_ELSEIF || kind == TOKEN_UNTIL ||
           kind == TOKEN_END_OF_FILE || kind == TOKEN_ERROR;
}

/* return = "return" [expressions] */
static void return_statement(struct parser *parser)
{
    parser_next(parser);
    if (parser->token.kind != ';' && !is_end_of_block(parser->token.kind))
        parser_expressions(parser, parser_no_use);
}

/*
 * statement = "do" block "end" | while | repeat | if | for | function | local | return
 *           | "break" | "continue" | ";" | call or assignment
 */
static void statement(struct parser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_DO:
        parser_next(parser);
        parser_block(parser);
        parser_expect(parser, TOKEN_END);
        break;
    case TOKEN_WHILE:
        while_loop(parser);
        break;
    case TOKEN_REPEAT:
        repeat_loop(parser);
        break;
    case TOKEN_IF:
        if_statement(parser);
        break;
    case TOKEN_FOR:
        for_loop(parser);
        break;
    case TOKEN_FUNCTION:
        function(parser);
        break;
    case TOKEN_LOCAL:
        local(parser);
        break;
    case TOKEN_RETURN:
        return_statement(parser);
        break;
    case TOKEN_BREAK:
    case ';':
        parser_next(parser);
        break;
    case TOKEN_NAME:
    case '(':
        call_or_assignment(parser);
        break;
    default:
        parser_fail(parser);
    }
}

/* block = {statement} */
void parser_block(struct parser *parser)
{
    if (!parser_enter(parser))
        return;
    while (!is_end_of_block(parser->token.kind)) {
        size_t path_count = parser->path_count, target_count = parser->target_count;
        statement(parser);
        parser->path_count = path_count;
        parser->target_count = target_count;
    }
    parser_leave(parser);
}
