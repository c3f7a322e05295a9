#include "names/definitions.h"

#include "base/mem.h"
#include "base/text.h"
#include "names/tokens.h"

#include <stdlib.h>
#include <string.h>

/* Lua allows 200 (LUA_MAXPARSERLEVEL), of which each of these is at least one. */
enum { LEVELS_MAX = 256, NAME_BYTES_MAX = 200, PARTS_MAX = 256 };

#define NO_PATH UINT32_MAX

/* What a path ends in. */
enum part_kind { PART_NAME, PART_METHOD, PART_STRING, PART_KEY, PART_ITEM, PART_UNKNOWN };

/* A variable or field: A.b[3] is {{NO_PATH, A}, b}, 3. */
struct path {
    uint32_t parent; /* index of a path, smaller than its own; or NO_PATH */
    enum part_kind kind;
    struct span text; /* in the source */
    uint32_t number;  /* PART_ITEM */
};

enum level_kind {
    LEVEL_FUNCTION, /* from its parameters to its end; the first level is the main chunk */
    LEVEL_BLOCK,    /* ends with `end` */
    LEVEL_IF,       /* the same, and may have an `else` */
    LEVEL_REPEAT,
    LEVEL_GROUP, /* ( ) around an expression */
    LEVEL_CALL,  /* ( ) around arguments */
    LEVEL_INDEX, /* [ ] behind an operand */
    LEVEL_KEY,   /* [ ] before a field's value */
    LEVEL_TABLE,
};

/* Which token may be next. */
enum place {
    AT_STATEMENT,
    AT_OPERAND,
    AT_MEMBER,       /* behind '.' or ':' */
    BEHIND_PREFIX,   /* behind what can be called or indexed */
    BEHIND_VALUE,    /* behind any other operand */
    AT_FIELD,        /* of a table */
    AT_FIELD_EQUALS, /* behind its [key] */
    AT_LOCAL,        /* behind `local` */
    AT_LOCAL_NAME,   /* behind a ',' */
    BEHIND_LOCAL_NAME,
    AT_LOCAL_FUNCTION, /* behind `local function` */
    AT_FUNCTION_NAME,
    BEHIND_FUNCTION_NAME,
    AT_FUNCTION_MEMBER,
    AT_FOR,
    AT_PARAMETERS,
    IN_PARAMETERS,
    PLACE_COUNT
};

/* What the expressions of a block's statement are for. */
enum purpose { TARGETS, VALUES, RETURNED, IF_CONDITION, LOOP_CONDITION, UNTIL_CONDITION };

/* Brackets or a block around the place that is read. */
struct level {
    enum level_kind kind;
    enum place place;
    enum purpose purpose; /* in blocks */
    bool may_be_empty;    /* AT_OPERAND: there may be none */
    bool is_call;         /* BEHIND_PREFIX: it is a call */
    bool is_method;       /* BEHIND_PREFIX: a call must follow */
    bool is_computed;     /* what is read next is only part of the value */
    bool is_name_alone;   /* LEVEL_TABLE: the field may yet turn out to be a key */
    bool has_key;         /* LEVEL_TABLE: the field has one; its path is the target */
    bool is_complex;      /* LEVEL_INDEX, LEVEL_KEY: no key that could be shown */

    uint32_t first_live, live; /* paths up to here are in use, at the start and now */
    uint32_t path;             /* of the prefix that is being read */
    uint32_t target;           /* what the value is for */
    uint32_t owner;            /* LEVEL_CALL: what is called; LEVEL_TABLE: the table's path */
    uint32_t item;             /* blocks: which of the values; LEVEL_TABLE: of the items, from 1 */
    uint32_t first_target;     /* blocks: of reader->targets, up to the last */
    struct token key;          /* LEVEL_INDEX, LEVEL_KEY */
    int32_t function_line;     /* of the word `function` of a statement */

    uint32_t definition;    /* LEVEL_FUNCTION */
    uint32_t outer_context; /* LEVEL_FUNCTION: text id */
};

struct reader {
    struct definitions *definitions;
    struct level levels[LEVELS_MAX];
    size_t depth;
    struct path *paths;
    size_t path_count, path_capacity;
    uint32_t *targets; /* of the assignments that are being read, outer ones first */
    size_t target_count, target_capacity;
    uint32_t context; /* text id of the innermost function with a name of its own; or INTERN_NONE */
};

/* What became of a token. */
enum outcome { TAKEN, AGAIN /* it belongs to the place that is next now */, NO_LUA };

static struct level *top(struct reader *reader)
{
    return &reader->levels[reader->depth - 1];
}

static bool is_block(const struct level *level)
{
    return level->kind <= LEVEL_REPEAT;
}

/* Returns false where it is nested deeper than Lua allows. */
static bool push(struct reader *reader, enum level_kind kind, enum place place)
{
    if (reader->depth == LEVELS_MAX)
        return false;
    reader->levels[reader->depth++] = (struct level){
        .kind = kind,
        .place = place,
        .path = NO_PATH,
        .target = NO_PATH,
        .owner = NO_PATH,
        .first_live = (uint32_t)reader->path_count,
        .live = (uint32_t)reader->path_count,
        .first_target = (uint32_t)reader->target_count,
    };
    return true;
}

static enum outcome begin_block(struct reader *reader, enum level_kind kind)
{
    top(reader)->place = AT_STATEMENT;
    return push(reader, kind, AT_STATEMENT) ? TAKEN : NO_LUA;
}

/* Paths ------------------------------------------------------------------------------------ */

static uint32_t add_path(struct reader *reader, uint32_t parent, enum part_kind kind,
                         struct span text)
{
    reader->paths = mem_grow(reader->paths, &reader->path_capacity, reader->path_count + 1,
                             sizeof *reader->paths);
    reader->paths[reader->path_count] = (struct path){.parent = parent, .kind = kind, .text = text};
    return (uint32_t)reader->path_count++;
}

/* The path of a field with a key between brackets. */
static uint32_t add_keyed_path(struct reader *reader, uint32_t parent, const struct level *level)
{
    const struct token *key = &level->key;
    if (level->is_complex)
        return add_path(reader, parent, PART_UNKNOWN, key->text);
    if (key->kind != TOKEN_STRING)
        return add_path(reader, parent, PART_KEY, key->text);
    return add_path(reader, parent, tokens_is_name(key->text) ? PART_NAME : PART_STRING, key->text);
}

/* A path of one name, for an operand; what paths the operand before had are no longer needed. */
static uint32_t begin_path(struct reader *reader, struct span name)
{
    reader->path_count = top(reader)->live;
    return add_path(reader, NO_PATH, PART_NAME, name);
}

static void set_target(struct reader *reader, uint32_t path)
{
    struct level *level = top(reader);
    level->target = path;
    level->is_computed = false;
    level->live = (uint32_t)reader->path_count;
}

static void add_target(struct reader *reader, uint32_t path)
{
    reader->targets = mem_grow(reader->targets, &reader->target_capacity, reader->target_count + 1,
                               sizeof *reader->targets);
    reader->targets[reader->target_count++] = path;
    top(reader)->live = (uint32_t)reader->path_count;
}

/* What the value that begins now is assigned to. */
static uint32_t value_target(struct reader *reader)
{
    const struct level *level = top(reader);
    if (level->is_computed || (is_block(level) && level->purpose != VALUES))
        return NO_PATH;
    if (level->kind != LEVEL_TABLE || level->has_key)
        return level->target;
    if (level->owner == NO_PATH)
        return NO_PATH;
    uint32_t number = level->item;
    uint32_t path = add_path(reader, level->owner, PART_ITEM, (struct span){"", 0});
    reader->paths[path].number = number;
    return path;
}

/* Names ------------------------------------------------------------------------------------ */

static void put_part(struct text *text, const struct path *path)
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
        text_put(text, path->text.at, path->text.length);
    if (!is_name)
        text_put_string(text, path->kind == PART_STRING ? "\"]" : "]");
}

/* Appends a path, from as many of its last parts as can be seen of it. */
static void put_path(struct text *text, const struct reader *reader, uint32_t path)
{
    uint32_t parts[PARTS_MAX];
    size_t count = 0, length = 0;
    for (; path != NO_PATH && count < PARTS_MAX && length <= NAME_BYTES_MAX; count++) {
        parts[count] = path;
        length += reader->paths[path].text.length + 1;
        path = reader->paths[path].parent;
    }
    while (count > 0)
        put_part(text, &reader->paths[parts[--count]]);
}

static uint32_t add_name(struct definitions *definitions, struct span name)
{
    static const char dots[] = "...";
    if (name.length <= NAME_BYTES_MAX)
        return intern_add(&definitions->texts, name.at, name.length);
    char cut[NAME_BYTES_MAX];
    size_t kept = sizeof cut - strlen(dots);
    memcpy(cut, dots, strlen(dots));
    memcpy(cut + strlen(dots), name.at + name.length - kept, kept);
    return intern_add(&definitions->texts, cut, sizeof cut);
}

/* Appends what a function without a name of its own is called. */
static void put_nameless(struct text *text, struct reader *reader)
{
    const struct level *level = top(reader);
    if (level->kind != LEVEL_CALL || level->owner == NO_PATH) {
        text_put_string(text, "anonymous");
        return;
    }
    put_path(text, reader, level->owner);
    text_put_string(text, "(function)");
}

/*
 * Adds a definition of what is assigned to `path`, or to nothing, and begins its level.
 * `line` is 0 where it is that of the parameters.
 */
static enum outcome begin_function(struct reader *reader, uint32_t path, int32_t line)
{
    struct definitions *definitions = reader->definitions;
    struct definition definition = {.line = line, .simple = INTERN_NONE};
    uint32_t outer_context = reader->context;
    struct text name = {0};
    if (path != NO_PATH) {
        const struct path *last = &reader->paths[path];
        put_path(&name, reader, path);
        reader->context = add_name(definitions, text_span(&name));
        name.length = 0;
        struct span span = intern_get(&definitions->texts, reader->context);
        text_put(&name, span.at, span.length);
        if (last->kind == PART_NAME)
            definition.simple = intern_add(&definitions->texts, last->text.at, last->text.length);
    } else {
        put_nameless(&name, reader);
    }
    if (outer_context != INTERN_NONE) {
        struct span context = intern_get(&definitions->texts, outer_context);
        text_put_string(&name, " in ");
        text_put(&name, context.at, context.length);
    }
    definition.name = add_name(definitions, text_span(&name));
    text_release(&name);
    if (!push(reader, LEVEL_FUNCTION, line > 0 ? IN_PARAMETERS : AT_PARAMETERS))
        return NO_LUA;
    top(reader)->definition = (uint32_t)definitions->count;
    top(reader)->outer_context = outer_context;
    definitions->all = mem_grow(definitions->all, &definitions->capacity, definitions->count + 1,
                                sizeof *definitions->all);
    definitions->all[definitions->count++] = definition;
    return TAKEN;
}

static void end_function(struct reader *reader, int32_t line)
{
    const struct level *level = top(reader);
    reader->definitions->all[level->definition].last_line = line;
    reader->context = level->outer_context;
}

/* Statements ------------------------------------------------------------------------------- */

static enum outcome begin_expression(struct reader *reader, enum purpose purpose)
{
    struct level *level = top(reader);
    level->purpose = purpose;
    level->place = AT_OPERAND;
    level->may_be_empty = purpose == RETURNED;
    level->is_computed = false;
    return TAKEN;
}

static enum outcome end_block(struct reader *reader, const struct token *token)
{
    enum level_kind kind = top(reader)->kind;
    bool is_else = token->kind == TOKEN_ELSE || token->kind == TOKEN_ELSEIF;
    bool fits = is_else                      ? kind == LEVEL_IF
                : token->kind == TOKEN_UNTIL ? kind == LEVEL_REPEAT
                                             : kind != LEVEL_REPEAT;
    if (reader->depth == 1 || !fits)
        return NO_LUA;
    if (kind == LEVEL_FUNCTION)
        end_function(reader, token->line);
    reader->depth--;
    reader->target_count = reader->levels[reader->depth].first_target;
    if (token->kind == TOKEN_ELSE)
        return begin_block(reader, LEVEL_BLOCK);
    if (token->kind == TOKEN_ELSEIF)
        return begin_expression(reader, IF_CONDITION);
    if (token->kind == TOKEN_UNTIL)
        return begin_expression(reader, UNTIL_CONDITION);
    return TAKEN;
}

static enum outcome take_statement(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    level->live = level->first_live;
    reader->target_count = level->first_target;
    switch (token->kind) {
    case ';':
    case TOKEN_BREAK:
        return TAKEN;
    case TOKEN_NAME:
    case '(':
        begin_expression(reader, TARGETS);
        return AGAIN;
    case TOKEN_IF:
        return begin_expression(reader, IF_CONDITION);
    case TOKEN_WHILE:
        return begin_expression(reader, LOOP_CONDITION);
    case TOKEN_RETURN:
        return begin_expression(reader, RETURNED);
    case TOKEN_FOR:
        level->place = AT_FOR;
        return TAKEN;
    case TOKEN_LOCAL:
        level->place = AT_LOCAL;
        return TAKEN;
    case TOKEN_FUNCTION:
        level->place = AT_FUNCTION_NAME;
        level->function_line = token->line;
        return TAKEN;
    case TOKEN_DO:
        return begin_block(reader, LEVEL_BLOCK);
    case TOKEN_REPEAT:
        return begin_block(reader, LEVEL_REPEAT);
    case TOKEN_END:
    case TOKEN_ELSE:
    case TOKEN_ELSEIF:
    case TOKEN_UNTIL:
        return end_block(reader, token);
    default:
        return NO_LUA;
    }
}

static enum outcome take_for(struct reader *reader, const struct token *token)
{
    if (token->kind == '=' || token->kind == TOKEN_IN)
        return begin_expression(reader, LOOP_CONDITION);
    return token->kind == TOKEN_NAME || token->kind == ',' ? TAKEN : NO_LUA;
}

static enum outcome take_local(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (token->kind == TOKEN_FUNCTION && level->place == AT_LOCAL) {
        level->place = AT_LOCAL_FUNCTION;
        return TAKEN;
    }
    if (token->kind != TOKEN_NAME)
        return NO_LUA;
    level->place = BEHIND_LOCAL_NAME;
    add_target(reader, begin_path(reader, token->text));
    return TAKEN;
}

static enum outcome begin_value(struct reader *reader, uint32_t item)
{
    begin_expression(reader, VALUES);
    struct level *level = top(reader);
    size_t index = (size_t)level->first_target + item;
    level->item = item;
    set_target(reader, index < reader->target_count ? reader->targets[index] : NO_PATH);
    return TAKEN;
}

static enum outcome take_behind_local_name(struct reader *reader, const struct token *token)
{
    if (token->kind == '=')
        return begin_value(reader, 0);
    top(reader)->place = token->kind == ',' ? AT_LOCAL_NAME : AT_STATEMENT;
    return token->kind == ',' ? TAKEN : AGAIN;
}

static enum outcome take_local_function(struct reader *reader, const struct token *token)
{
    if (token->kind != TOKEN_NAME)
        return NO_LUA;
    top(reader)->place = AT_STATEMENT;
    return begin_function(reader, begin_path(reader, token->text), 0);
}

static enum outcome take_function_name(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (token->kind != TOKEN_NAME)
        return NO_LUA;
    /* A method is called A.b like any other field. */
    level->path = level->place == AT_FUNCTION_NAME
                      ? begin_path(reader, token->text)
                      : add_path(reader, level->path, PART_NAME, token->text);
    level->place = BEHIND_FUNCTION_NAME;
    return TAKEN;
}

static enum outcome take_behind_function_name(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (token->kind == '(') {
        level->place = AT_STATEMENT;
        return begin_function(reader, level->path, level->function_line);
    }
    level->place = AT_FUNCTION_MEMBER;
    return token->kind == '.' || token->kind == ':' ? TAKEN : NO_LUA;
}

static enum outcome take_parameters(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (level->place == AT_PARAMETERS) {
        if (token->kind != '(')
            return NO_LUA;
        level->place = IN_PARAMETERS;
        reader->definitions->all[level->definition].line = token->line;
        return TAKEN;
    }
    if (token->kind == ')')
        level->place = AT_STATEMENT;
    bool is_parameter = token->kind == TOKEN_NAME || token->kind == TOKEN_DOTS;
    return is_parameter || token->kind == ',' || token->kind == ')' ? TAKEN : NO_LUA;
}

/* Expressions ------------------------------------------------------------------------------ */

/* Begins what is read between brackets; what stands before them is then an operand of `place`. */
static enum outcome begin_brackets(struct reader *reader, enum level_kind kind, enum place place,
                                   uint32_t owner, uint32_t target)
{
    struct level *outer = top(reader);
    outer->place = place;
    if (kind != LEVEL_INDEX)
        outer->path = NO_PATH;
    if (!push(reader, kind, kind == LEVEL_TABLE ? AT_FIELD : AT_OPERAND))
        return NO_LUA;
    struct level *level = top(reader);
    level->owner = owner;
    level->target = target;
    level->may_be_empty = kind == LEVEL_CALL;
    return TAKEN;
}

/* Notes what may become a key, of which only "name.name" and single tokens are shown. */
static void note_key(struct level *level, const struct token *token)
{
    bool is_first = level->key.text.at == NULL;
    bool is_shown = token->kind == TOKEN_NAME || token->kind == TOKEN_STRING ||
                    (token->kind == TOKEN_VALUE && token->text.length > 0);
    level->is_complex |= !is_first || !is_shown;
    if (is_first)
        level->key = *token;
}

static enum outcome take_operand(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    bool is_target = is_block(level) && level->purpose == TARGETS;
    bool may_be_empty = level->may_be_empty;
    level->may_be_empty = level->is_call = level->is_method = false;
    if (level->kind == LEVEL_INDEX || level->kind == LEVEL_KEY)
        note_key(level, token);
    switch (token->kind) {
    case TOKEN_NAME:
        level->path = begin_path(reader, token->text);
        level->place = BEHIND_PREFIX;
        return TAKEN;
    case '(':
        return begin_brackets(reader, LEVEL_GROUP, BEHIND_PREFIX, NO_PATH, NO_PATH);
    default:
        break;
    }
    if (!is_target && (token->kind == '-' || token->kind == TOKEN_NOT))
        return TAKEN;
    if (!is_target && token->kind == '{')
        return begin_brackets(reader, LEVEL_TABLE, BEHIND_VALUE, value_target(reader), NO_PATH);
    level->place = BEHIND_VALUE;
    if (!is_target && token->kind == TOKEN_FUNCTION) {
        bool is_argument = level->kind == LEVEL_CALL || level->kind == LEVEL_GROUP;
        return begin_function(reader, is_argument ? NO_PATH : value_target(reader), 0);
    }
    if (!is_target &&
        (token->kind == TOKEN_VALUE || token->kind == TOKEN_STRING || token->kind == TOKEN_DOTS))
        return TAKEN;
    return may_be_empty ? AGAIN : NO_LUA;
}

static enum outcome take_member(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (token->kind != TOKEN_NAME)
        return NO_LUA;
    /* A key may be k.x, where nothing stands between its parts. */
    struct span *key = &level->key.text;
    bool is_key = level->kind == LEVEL_INDEX || level->kind == LEVEL_KEY;
    level->is_complex |= is_key && token->text.at != key->at + key->length + 1;
    if (is_key && !level->is_complex)
        key->length += 1 + token->text.length;
    level->path =
        add_path(reader, level->path, level->is_method ? PART_METHOD : PART_NAME, token->text);
    level->place = BEHIND_PREFIX;
    return TAKEN;
}

static enum outcome take_behind_value(struct reader *reader, const struct token *token);

static enum outcome take_behind_prefix(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    uint32_t path = level->path;
    bool is_member = token->kind == '.' || token->kind == ':';
    bool is_call = token->kind == '(' || token->kind == '{' || token->kind == TOKEN_STRING;
    if (level->is_method && !is_call)
        return NO_LUA;
    if (!is_member && !is_call && token->kind != '[')
        return take_behind_value(reader, token);
    level->is_name_alone = false;
    level->is_complex |= token->kind != '.';
    level->is_call = is_call;
    level->is_method = token->kind == ':';
    if (is_member) {
        level->place = AT_MEMBER;
        return TAKEN;
    }
    if (token->kind == '[')
        return begin_brackets(reader, LEVEL_INDEX, BEHIND_PREFIX, NO_PATH, NO_PATH);
    /* What a table among the arguments is for is what the result is for. */
    uint32_t target = value_target(reader);
    if (token->kind == '(')
        return begin_brackets(reader, LEVEL_CALL, BEHIND_PREFIX, path, target);
    if (token->kind == '{')
        return begin_brackets(reader, LEVEL_TABLE, BEHIND_PREFIX, target, NO_PATH);
    level->path = NO_PATH;
    return TAKEN;
}

static enum outcome end_brackets(struct reader *reader)
{
    struct level ended = *top(reader);
    reader->depth--;
    struct level *level = top(reader);
    if (ended.kind == LEVEL_INDEX) {
        level->path = add_keyed_path(reader, level->path, &ended);
    } else if (ended.kind == LEVEL_KEY) {
        uint32_t owner = level->owner;
        level->has_key = true;
        level->place = AT_FIELD_EQUALS;
        set_target(reader, add_keyed_path(reader, owner, &ended));
    }
    return TAKEN;
}

static enum outcome take_field(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    level->live = level->first_live;
    level->is_computed = level->has_key = false;
    level->is_name_alone = token->kind == TOKEN_NAME;
    if (token->kind == '}')
        return end_brackets(reader);
    if (token->kind == '[')
        return begin_brackets(reader, LEVEL_KEY, AT_FIELD_EQUALS, NO_PATH, NO_PATH);
    level->item++;
    level->place = AT_OPERAND;
    return AGAIN;
}

static enum outcome take_field_equals(struct reader *reader, const struct token *token)
{
    top(reader)->place = AT_OPERAND;
    return token->kind == '=' ? TAKEN : NO_LUA;
}

static enum outcome end_of_field(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (token->kind == '}')
        return end_brackets(reader);
    if (token->kind == '=' && level->is_name_alone) {
        uint32_t name = level->path;
        struct span text = reader->paths[name].text;
        level->item--;
        level->has_key = true;
        level->is_name_alone = false;
        level->place = AT_OPERAND;
        set_target(reader, add_path(reader, level->owner, PART_NAME, text));
        return TAKEN;
    }
    level->place = AT_FIELD;
    return token->kind == ',' || token->kind == ';' ? TAKEN : NO_LUA;
}

static enum outcome end_of_argument(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (token->kind == ')')
        return end_brackets(reader);
    level->place = AT_OPERAND;
    level->is_computed = false;
    return token->kind == ',' ? TAKEN : NO_LUA;
}

static enum outcome end_of_target(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    if (level->is_call) {
        level->place = AT_STATEMENT;
        return AGAIN;
    }
    add_target(reader, level->path);
    level->place = AT_OPERAND;
    if (token->kind == '=')
        return begin_value(reader, 0);
    return token->kind == ',' ? TAKEN : NO_LUA;
}

static enum outcome end_of_expression(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    switch (level->purpose) {
    case TARGETS:
        return end_of_target(reader, token);
    case IF_CONDITION:
        return token->kind == TOKEN_THEN ? begin_block(reader, LEVEL_IF) : NO_LUA;
    case LOOP_CONDITION:
        if (token->kind == TOKEN_DO)
            return begin_block(reader, LEVEL_BLOCK);
        return token->kind == ',' ? begin_expression(reader, LOOP_CONDITION) : NO_LUA;
    case VALUES:
        if (token->kind == ',')
            return begin_value(reader, level->item + 1);
        break;
    case RETURNED:
    case UNTIL_CONDITION:
        if (token->kind != ',' || level->purpose == UNTIL_CONDITION)
            break;
        begin_expression(reader, RETURNED);
        level->may_be_empty = false;
        return TAKEN;
    }
    level->place = AT_STATEMENT;
    return AGAIN;
}

static enum outcome take_behind_value(struct reader *reader, const struct token *token)
{
    struct level *level = top(reader);
    bool is_target = is_block(level) && level->purpose == TARGETS;
    if (!is_target &&
        (token->kind == TOKEN_OPERATOR || token->kind == '-' || token->kind == TOKEN_AND_OR)) {
        level->is_computed |= token->kind != TOKEN_AND_OR;
        level->is_name_alone = false;
        level->is_complex = true;
        level->place = AT_OPERAND;
        return TAKEN;
    }
    switch (level->kind) {
    case LEVEL_TABLE:
        return end_of_field(reader, token);
    case LEVEL_CALL:
        return end_of_argument(reader, token);
    case LEVEL_GROUP:
        return token->kind == ')' ? end_brackets(reader) : NO_LUA;
    case LEVEL_INDEX:
    case LEVEL_KEY:
        return token->kind == ']' ? end_brackets(reader) : NO_LUA;
    default:
        return end_of_expression(reader, token);
    }
}

/* All of it -------------------------------------------------------------------------------- */

static enum outcome take(struct reader *reader, const struct token *token)
{
    static enum outcome (*const takers[PLACE_COUNT])(struct reader * reader,
                                                     const struct token *token) = {
        [AT_STATEMENT] = take_statement,
        [AT_OPERAND] = take_operand,
        [AT_MEMBER] = take_member,
        [BEHIND_PREFIX] = take_behind_prefix,
        [BEHIND_VALUE] = take_behind_value,
        [AT_FIELD] = take_field,
        [AT_FIELD_EQUALS] = take_field_equals,
        [AT_LOCAL] = take_local,
        [AT_LOCAL_NAME] = take_local,
        [BEHIND_LOCAL_NAME] = take_behind_local_name,
        [AT_LOCAL_FUNCTION] = take_local_function,
        [AT_FUNCTION_NAME] = take_function_name,
        [BEHIND_FUNCTION_NAME] = take_behind_function_name,
        [AT_FUNCTION_MEMBER] = take_function_name,
        [AT_FOR] = take_for,
        [AT_PARAMETERS] = take_parameters,
        [IN_PARAMETERS] = take_parameters,
    };
    return takers[top(reader)->place](reader, token);
}

/* Reads to the end, or to what is no Lua. Returns the line of that, or 0. */
static int32_t read_all(struct reader *reader, struct span source)
{
    struct tokens tokens;
    tokens_init(&tokens, source);
    for (;;) {
        struct token token = tokens_next(&tokens);
        enum outcome outcome;
        do {
            bool is_end = token.kind == TOKEN_END_OF_FILE && reader->depth == 1 &&
                          top(reader)->place == AT_STATEMENT;
            if (is_end)
                return 0;
            outcome = take(reader, &token);
        } while (outcome == AGAIN);
        if (outcome == NO_LUA)
            return token.line;
    }
}

/* Ends what had not ended, and drops a function that had not begun. */
static void end_broken(struct reader *reader, int32_t line)
{
    struct definitions *definitions = reader->definitions;
    for (; reader->depth > 1; reader->depth--)
        if (top(reader)->kind == LEVEL_FUNCTION)
            end_function(reader, line);
    size_t count = definitions->count;
    if (count > 0 && definitions->all[count - 1].line == 0)
        definitions->count--;
}

void definitions_read(struct definitions *definitions, struct span source)
{
    *definitions = (struct definitions){0};
    for (size_t i = 0; i < source.length; i++)
        definitions->line_count += source.at[i] == '\n';
    struct reader *reader = mem_zeroed(1, sizeof *reader);
    reader->definitions = definitions;
    reader->context = INTERN_NONE;
    push(reader, LEVEL_FUNCTION, AT_STATEMENT);
    definitions->error_line = read_all(reader, source);
    end_broken(reader, definitions->error_line);
    free(reader->paths);
    free(reader->targets);
    free(reader);
}

void definitions_release(struct definitions *definitions)
{
    intern_release(&definitions->texts);
    free(definitions->all);
    *definitions = (struct definitions){0};
}

const struct definition *definitions_at(const struct definitions *definitions, int32_t line,
                                        size_t *count)
{
    size_t from = 0, end = definitions->count;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        if (definitions->all[middle].line < line)
            from = middle + 1;
        else
            end = middle;
    }
    while (end < definitions->count && definitions->all[end].line == line)
        end++;
    *count = end - from;
    return definitions->all + from;
}
