#include "names/read_definitions.h"

#include "names/parser.h"

#include <stdlib.h>

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
