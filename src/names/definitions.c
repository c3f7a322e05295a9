#include "names/definitions.h"

#include "base/sort.h"
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

/*
 * Adds the definition of a function that is for `use`. If it has a name of its own, that becomes
 * the context of the functions in it.
 */
static void parser_define(struct parser *parser, struct parser_use use, int32_t line);

/* Rules of the grammar: see their definitions. */
static void parse_block(struct parser *parser);
static void parse_expression(struct parser *parser, struct parser_use use);

void definitions_release(struct definitions *definitions)
{
    intern_release(&definitions->texts);
    intern_release(&definitions->simple_names);
    free(definitions->all);
    *definitions = (struct definitions){0};
}

static int compare_line(const void *line, const void *definition)
{
    return ORDER(*(const int32_t *)line, ((const struct definition *)definition)->line, 0);
}

const struct definition *definitions_at(const struct definitions *definitions, int32_t line,
                                        size_t *count)
{
    const struct definition *all = definitions->all;
    size_t first = search_first(&line, all, definitions->count, sizeof *all, compare_line);
    size_t end = first;
    while (end < definitions->count && all[end].line == line)
        end++;
    *count = end - first;
    return end > first ? &all[first] : NULL;
}

/*
 * Finds the functions that a Lua source defines.
 *
 * A parser by recursive descent, like Lua's own: one function for each rule of the grammar, with
 * the rule above it. Blocks, brackets and functions may be nested 256 deep, so the C stack
 * stays small. Lua allows 200 levels (LUA_MAXPARSERLEVEL) and counts at least one for each here.
 *
 * After an error no token fits any rule, so all rules end at once, and loops stop.
 */

enum { LEVELS_MAX = 256 };
static const struct parser_use parser_no_use = {.target = NO_PATH, .callee = NO_PATH};

/* Sets an error at the line of the next token. */
static void fail(struct parser *parser)
{
    if (parser->definitions->error_line == 0)
        parser->definitions->error_line = parser->token.line;
    parser->token.kind = TOKEN_ERROR;
}

/*
 * All go to the next token: advance() always, accept() only if the present one is of
 * that kind, and expect() otherwise sets an error.
 */
static void advance(struct parser *parser)
{
    if (parser->definitions->error_line > 0)
        return;
    parser->previous = parser->token;
    parser->token = tokens_next(&parser->tokens);
    if (parser->token.kind == TOKEN_ERROR)
        fail(parser);
}

static bool accept(struct parser *parser, int kind)
{
    bool is_there = parser->token.kind == kind;
    if (is_there)
        advance(parser);
    return is_there;
}

static void expect(struct parser *parser, int kind)
{
    if (!accept(parser, kind))
        fail(parser);
}

/* Goes one level deeper. If Lua does not allow that, sets an error and returns false. */
static bool enter(struct parser *parser)
{
    if (parser->depth == LEVELS_MAX) {
        fail(parser);
        return false;
    }
    parser->depth++;
    return true;
}

/* Returns the index of a new path. `text` is part of the source, or empty. */
static uint32_t add_path(struct parser *parser, uint32_t parent, enum parser_part kind,
                         struct span text)
{
    MEM_GROW(parser->paths, parser->path_capacity, parser->path_count + 1);
    parser->paths[parser->path_count] =
        (struct parser_path){.parent = parent, .kind = kind, .text = text};
    return (uint32_t)parser->path_count++;
}

/* Expects a name, and returns the path of that name in `parent`. */
static uint32_t parse_name(struct parser *parser, uint32_t parent, enum parser_part kind)
{
    struct span text = parser->token.text;
    expect(parser, TOKEN_NAME);
    return add_path(parser, parent, kind, text);
}

void definitions_read(struct definitions *definitions, struct span source)
{
    *definitions = (struct definitions){0};
    for (size_t i = 0; i < source.length; i++)
        definitions->line_count += source.at[i] == '\n';
    struct parser parser = {.definitions = definitions, .context = INTERN_NONE};
    tokens_init(&parser.tokens, source);
    advance(&parser);
    parse_block(&parser);
    expect(&parser, TOKEN_END_OF_FILE);
    free(parser.paths);
    free(parser.targets);
}

/* parameters = "(" [parameter {"," parameter}] ")";  parameter = NAME | "..." */
static void parameters(struct parser *parser)
{
    expect(parser, '(');
    if (accept(parser, ')'))
        return;
    do {
        if (!accept(parser, TOKEN_DOTS))
            expect(parser, TOKEN_NAME);
    } while (accept(parser, ','));
    expect(parser, ')');
}

/*
 * body = parameters block "end"
 *
 * `statement_line` is the line of the word `function` in a statement `function f(`; 0 in other
 * definitions, whose line is that of the parameters.
 */
static void parse_body(struct parser *parser, struct parser_use use, int32_t statement_line)
{
    if (parser->token.kind != '(') {
        fail(parser);
        return;
    }
    struct definitions *definitions = parser->definitions;
    uint32_t context = parser->context;
    size_t definition = definitions->count;
    parser_define(parser, use, statement_line > 0 ? statement_line : parser->token.line);
    parameters(parser);
    parse_block(parser);
    definitions->all[definition].last_line = parser->token.line;
    parser->context = context;
    expect(parser, TOKEN_END);
}

/* Whether a text, which does not end in '.', consists only of names with single '.' between them.
 */
static bool is_dotted(struct span text)
{
    while (text.length > 0)
        if (!tokens_is_name(span_take(&text, '.')))
            return false;
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
    if (!enter(parser))
        return NO_PATH;
    expect(parser, '[');
    struct token first = parser->token;
    parse_expression(parser, parser_no_use);
    struct span last = parser->previous.text;
    expect(parser, ']');
    parser->depth--;
    if (parser->token.kind == TOKEN_ERROR)
        return NO_PATH;
    if (first.kind == TOKEN_NAME)
        first.text.length = (size_t)(last.at + last.length - first.text.at);
    else if (first.text.at != last.at)
        return add_path(parser, parent, PART_UNKNOWN, span_of(""));
    if (first.kind == TOKEN_STRING)
        return add_path(
            parser, parent, tokens_is_name(first.text) ? PART_NAME : PART_STRING, first.text);
    bool is_shown =
        first.kind == TOKEN_VALUE || (first.kind == TOKEN_NAME && is_dotted(first.text));
    return add_path(
        parser, parent, is_shown ? PART_KEY : PART_UNKNOWN, is_shown ? first.text : span_of(""));
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
        expect(parser, '=');
    } else if (parser->token.kind == TOKEN_NAME && tokens_next(&ahead).kind == '=') {
        use.target = parse_name(parser, owner, PART_NAME);
        expect(parser, '=');
    } else {
        is_item = true;
        if (owner != NO_PATH) {
            use.target = add_path(parser, owner, PART_ITEM, span_of(""));
            parser->paths[use.target].number = number;
        }
    }
    parse_expression(parser, use);
    return is_item;
}

/*
 * sizes = {"&" NUMBER}
 *
 * An addition of the game: for how many keys and items the table has room at first.
 */
static void sizes(struct parser *parser)
{
    while (parser->token.kind == TOKEN_OPERATOR && span_is(parser->token.text, "&")) {
        advance(parser);
        expect(parser, TOKEN_VALUE);
    }
}

/* table = "{" sizes [field {("," | ";") field} ["," | ";"]] "}" */
static void table(struct parser *parser, uint32_t path)
{
    uint32_t item = 1;
    if (!enter(parser))
        return;
    expect(parser, '{');
    sizes(parser);
    while (parser->token.kind != '}' && parser->token.kind != TOKEN_ERROR) {
        size_t path_count = parser->path_count;
        item += field(parser, path, item);
        parser->path_count = path_count;
        if (!accept(parser, ',') && !accept(parser, ';'))
            break;
    }
    expect(parser, '}');
    parser->depth--;
}

/* expressions = expression {"," expression} */
static void parse_expressions(struct parser *parser, struct parser_use use)
{
    do
        parse_expression(parser, use);
    while (accept(parser, ','));
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
    if (accept(parser, TOKEN_STRING) || !enter(parser))
        return;
    expect(parser, '(');
    if (parser->token.kind != ')')
        parse_expressions(parser, (struct parser_use){target, true, callee});
    expect(parser, ')');
    parser->depth--;
}

/*
 * prefix = (NAME | "(" expression ")") {"." NAME | index | [":" NAME] arguments}
 *
 * Returns its path, which is NO_PATH after a call and sets `is_call`. Calls are for `target`.
 */
static uint32_t parse_prefix(struct parser *parser, uint32_t target, bool *is_call)
{
    uint32_t path = NO_PATH;
    *is_call = false;
    if (parser->token.kind == TOKEN_NAME) {
        path = parse_name(parser, NO_PATH, PART_NAME);
    } else if (enter(parser)) {
        expect(parser, '(');
        parse_expression(parser, parser_no_use);
        expect(parser, ')');
        parser->depth--;
    }
    for (;;) {
        bool is_method = accept(parser, ':');
        if (is_method)
            path = parse_name(parser, path, PART_METHOD);
        if (is_arguments(parser)) {
            arguments(parser, path, target);
            path = NO_PATH;
            *is_call = true;
            continue;
        }
        if (is_method)
            fail(parser);
        if (accept(parser, '.'))
            path = parse_name(parser, path, PART_NAME);
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
        advance(parser);
        break;
    case '{':
        table(parser, use.target);
        break;
    case TOKEN_FUNCTION:
        advance(parser);
        parse_body(parser, use, 0);
        break;
    case TOKEN_NAME:
    case '(':
        parse_prefix(parser, use.target, &is_call);
        break;
    default:
        fail(parser);
    }
    parser->path_count = path_count;
}

/*
 * expression = {"-" | "not"} operand {operator {"-" | "not"} operand}
 *
 * The operators' precedence makes no difference here. After an operator other than `and` and
 * `or`, the operand is only part of the value.
 */
static void parse_expression(struct parser *parser, struct parser_use use)
{
    for (;;) {
        while (parser->token.kind == '-' || parser->token.kind == TOKEN_NOT)
            advance(parser);
        operand(parser, use);
        int kind = parser->token.kind;
        if (kind != TOKEN_AND_OR && kind != TOKEN_OPERATOR && kind != '-')
            return;
        if (kind != TOKEN_AND_OR)
            use.target = NO_PATH;
        advance(parser);
    }
}

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

static void parser_define(struct parser *parser, struct parser_use use, int32_t line)
{
    struct definitions *definitions = parser->definitions;
    struct definition definition = {.line = line, .simple = INTERN_NONE};
    uint32_t context = parser->context;
    SCOPED(text) text = {0};
    if (use.target != NO_PATH && !use.is_argument) {
        const struct parser_path *last = &parser->paths[use.target];
        put_path(&text, parser, use.target);
        parser->context = add_name(definitions, text_span(&text));
        text_cut(&text, 0);
        text_put_span(&text, intern_get(&definitions->texts, parser->context));
        if (last->kind == PART_NAME)
            definition.simple = intern_add_span(&definitions->simple_names, last->text);
    } else {
        put_path(&text, parser, use.callee);
        text_put_string(&text, use.callee == NO_PATH ? "anonymous" : "(function)");
    }
    if (context != INTERN_NONE) {
        text_put_string(&text, " in ");
        text_put_span(&text, intern_get(&definitions->texts, context));
    }
    definition.name = add_name(definitions, text_span(&text));
    MEM_APPEND(definitions->all, definitions->count, definitions->capacity, definition);
}

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
        parse_expression(parser, use);
    } while (accept(parser, ','));
}

/* call or assignment = prefix [{"," prefix} "=" values] */
static void call_or_assignment(struct parser *parser)
{
    size_t first = parser->target_count;
    bool is_call;
    add_target(parser, parse_prefix(parser, NO_PATH, &is_call));
    if (is_call)
        return;
    while (accept(parser, ',')) {
        if (parser->token.kind != TOKEN_NAME)
            expect(parser, '(');
        add_target(parser, parse_prefix(parser, NO_PATH, &is_call));
    }
    if (is_call)
        fail(parser);
    expect(parser, '=');
    values(parser, first);
}

/* local = "local" ("function" NAME body | NAME {"," NAME} ["=" values]) */
static void local(struct parser *parser)
{
    size_t first = parser->target_count;
    advance(parser);
    if (accept(parser, TOKEN_FUNCTION)) {
        struct parser_use use = parser_no_use;
        use.target = parse_name(parser, NO_PATH, PART_NAME);
        parse_body(parser, use, 0);
        return;
    }
    do
        add_target(parser, parse_name(parser, NO_PATH, PART_NAME));
    while (accept(parser, ','));
    if (accept(parser, '='))
        values(parser, first);
}

/* function = "function" NAME {("." | ":") NAME} body */
static void function(struct parser *parser)
{
    struct parser_use use = parser_no_use;
    int32_t line = parser->token.line;
    do {
        /* A method is named A.b like any other field. */
        advance(parser);
        use.target = parse_name(parser, use.target, PART_NAME);
    } while (parser->token.kind == '.' || parser->token.kind == ':');
    parse_body(parser, use, line);
}

/* do = "do" block "end" */
static void parse_do(struct parser *parser)
{
    expect(parser, TOKEN_DO);
    parse_block(parser);
    expect(parser, TOKEN_END);
}

/* for = "for" NAME {"," NAME} ("=" | "in") expressions do */
static void for_loop(struct parser *parser)
{
    do {
        advance(parser);
        expect(parser, TOKEN_NAME);
    } while (parser->token.kind == ',');
    if (!accept(parser, '='))
        expect(parser, TOKEN_IN);
    parse_expressions(parser, parser_no_use);
    parse_do(parser);
}

/* while = "while" expression do */
static void while_loop(struct parser *parser)
{
    advance(parser);
    parse_expression(parser, parser_no_use);
    parse_do(parser);
}

/* repeat = "repeat" block "until" expression */
static void repeat_loop(struct parser *parser)
{
    advance(parser);
    parse_block(parser);
    expect(parser, TOKEN_UNTIL);
    parse_expression(parser, parser_no_use);
}

/* if = "if" expression "then" block {"elseif" expression "then" block} ["else" block] "end" */
static void if_statement(struct parser *parser)
{
    do {
        advance(parser);
        parse_expression(parser, parser_no_use);
        expect(parser, TOKEN_THEN);
        parse_block(parser);
    } while (parser->token.kind == TOKEN_ELSEIF);
    if (accept(parser, TOKEN_ELSE))
        parse_block(parser);
    expect(parser, TOKEN_END);
}

static bool is_end_of_block(int kind)
{
    return kind == TOKEN_END || kind == TOKEN_ELSE || kind == TOKEN_ELSEIF || kind == TOKEN_UNTIL ||
           kind == TOKEN_END_OF_FILE || kind == TOKEN_ERROR;
}

/* return = "return" [expressions] */
static void return_statement(struct parser *parser)
{
    advance(parser);
    if (parser->token.kind != ';' && !is_end_of_block(parser->token.kind))
        parse_expressions(parser, parser_no_use);
}

/*
 * statement = do | while | repeat | if | for | function | local | return
 *           | "break" | "continue" | ";" | call or assignment
 */
static void statement(struct parser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_DO:
        parse_do(parser);
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
        advance(parser);
        break;
    case TOKEN_NAME:
    case '(':
        call_or_assignment(parser);
        break;
    default:
        fail(parser);
    }
}

/* block = {statement} */
static void parse_block(struct parser *parser)
{
    if (!enter(parser))
        return;
    while (!is_end_of_block(parser->token.kind)) {
        size_t path_count = parser->path_count, target_count = parser->target_count;
        statement(parser);
        parser->path_count = path_count;
        parser->target_count = target_count;
    }
    parser->depth--;
}
