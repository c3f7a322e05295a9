#include "names/parser.h"

#include "base/mem.h"
#include "base/text.h"

enum { NAME_BYTES_MAX = 200, PARTS_MAX = 256 };

static void put_part(struct text *text, const struct parser_path *path)
{
    bool is_name = path->kind == PART_NAME || path->kind == PART_METHOD;
    if (is_name && path->parent != NO_PATH)
        text_put_string(text, path->kind == PART_METHOD ? ":" : ".");
    if (!is_name)
        text_put_string(text, path->kind == PART_STRING ? "[\"" : "[");
    if (path->kind == PART_ITEM)
        text_put_count(text, path->number);
    else if (path->kind == PART_UNKNOWN)
        text_put_string(text, "?");
    else
        text_put_span(text, path->text);
    if (!is_name)
        text_put_string(text, path->kind == PART_STRING ? "\"]" : "]");
}

/* Appends a path, with as many of its last parts as are known. */
static void put_path(struct text *text, const struct parser *parser, uint32_t path)
{
    uint32_t parts[PARTS_MAX];
    size_t count = 0, length = 0;
    for (; path != NO_PATH && count < PARTS_MAX && length <= NAME_BYTES_MAX; count++) {
        parts[count] = path;
        length += parser->paths[path].text.length + 1;
        path = parser->paths[path].parent;
    }
    while (count > 0)
        put_part(text, &parser->paths[parts[--count]]);
}

static void put_text(struct text *text, const struct definitions *definitions, uint32_t id)
{
    struct span span = intern_get(&definitions->texts, id);
    text_put_span(text, span);
}

static uint32_t add_name(struct definitions *definitions, struct span name)
{
    static const char dots[] = "...";
    if (name.length <= NAME_BYTES_MAX)
        return intern_add_span(&definitions->texts, name);
    char cut[NAME_BYTES_MAX];
    size_t kept = sizeof cut - strlen(dots);
    memcpy(cut, dots, strlen(dots));
    memcpy(cut + strlen(dots), name.at + name.length - kept, kept);
    return intern_add(&definitions->texts, cut, sizeof cut);
}

/* Appends the name for a function without a name of its own. */
static void put_nameless(struct text *text, const struct parser *parser, uint32_t callee)
{
    if (callee == NO_PATH) {
        text_put_string(text, "anonymous");
        return;
    }
    put_path(text, parser, callee);
    text_put_string(text, "(function)");
}

void parser_define(struct parser *parser, struct parser_use use, int32_t line)
{
    struct definitions *definitions = parser->definitions;
    struct definition definition = {.line = line, .simple = INTERN_NONE};
    uint32_t context = parser->context;
    struct text text = {0};
    if (use.target != NO_PATH && !use.is_argument) {
        const struct parser_path *last = &parser->paths[use.target];
        put_path(&text, parser, use.target);
        parser->context = add_name(definitions, text_span(&text));
        text_cut(&text, 0);
        put_text(&text, definitions, parser->context);
        if (last->kind == PART_NAME)
            definition.simple = intern_add_span(&definitions->texts, last->text);
    } else {
        put_nameless(&text, parser, use.callee);
    }
    if (context != INTERN_NONE) {
        text_put_string(&text, " in ");
        put_text(&text, definitions, context);
    }
    definition.name = add_name(definitions, text_span(&text));
    text_release(&text);
    MEM_APPEND(definitions->all, definitions->count, definitions->capacity, definition);
}
