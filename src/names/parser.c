#include "names/parser.h"

enum { LEVELS_MAX = 256 };

const struct parser_use parser_no_use = {.target = NO_PATH, .callee = NO_PATH};

void parser_fail(struct parser *parser)
{
    if (parser->definitions->error_line == 0)
        parser->definitions->error_line = parser->token.line;
    parser->token.kind = TOKEN_ERROR;
}

void parser_next(struct parser *parser)
{
    if (parser->definitions->error_line > 0)
        return;
    parser->previous = parser->token;
    parser->token = tokens_next(&parser->tokens);
    if (parser->token.kind == TOKEN_ERROR)
        parser_fail(parser);
}

bool parser_accept(struct parser *parser, int kind)
{
    bool is_there = parser->token.kind == kind;
    if (is_there)
        parser_next(parser);
    return is_there;
}

void parser_expect(struct parser *parser, int kind)
{
    if (!parser_accept(parser, kind))
        parser_fail(parser);
}

bool parser_enter(struct parser *parser)
{
    if (parser->depth == LEVELS_MAX) {
        parser_fail(parser);
        return false;
    }
    parser->depth++;
    return true;
}

void parser_leave(struct parser *parser)
{
    parser->depth--;
}

uint32_t parser_add_path(struct parser *parser, uint32_t parent, enum parser_part kind,
                         struct span text)
{
    MEM_GROW(parser->paths, parser->path_capacity, parser->path_count + 1);
    parser->paths[parser->path_count] =
        (struct parser_path){.parent = parent, .kind = kind, .text = text};
    return (uint32_t)parser->path_count++;
}

uint32_t parser_name(struct parser *parser, uint32_t parent, enum parser_part kind)
{
    struct span text = parser->token.text;
    parser_expect(parser, TOKEN_NAME);
    return parser_add_path(parser, parent, kind, text);
}

void definitions_read(struct definitions *definitions, struct span source)
{
    *definitions = (struct definitions){0};
    for (size_t i = 0; i < source.length; i++)
        definitions->line_count += source.at[i] == '\n';
    struct parser parser = {.definitions = definitions, .context = INTERN_NONE};
    tokens_init(&parser.tokens, source);
    parser_next(&parser);
    parser_block(&parser);
    parser_expect(&parser, TOKEN_END_OF_FILE);
    free(parser.paths);
    free(parser.targets);
}
