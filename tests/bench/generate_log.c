/*
 * generate_log - writes a game log of any size whose call stacks are all distinct.
 *
 *     generate_log MEGABYTES [SEED] > FILE
 *
 * A megabyte is 1e6 bytes. The same seed gives the same bytes on every machine.
 * At the end "records R stacks S bytes B" goes to standard error.
 *
 * Repeating a small log would make a large file, but no large call tree: a reader
 * that keeps a node per stack would look good on it for the wrong reason. So this
 * grows a random call tree and writes one record per node, in the format of the
 * existing profiler. No stack comes twice, and none is missing: whatever is above
 * a node has a record too, so a reader makes S nodes out of R = S records.
 *
 * What is like a log from the game: paths, the number of functions, files and
 * call lines, how deep stacks are, how many end in a C function, tail calls,
 * names that differ from caller to caller, ascending times that add up along the
 * tree, and what stands before, between and after the records.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Functions by id. The engine is what threads start from, and no frame. */
    ENGINE,
    TAIL_CALL, /* the frame that stands for one lost to a tail call */
    C_CALLER,  /* the first C function that calls back into Lua */
    C_CALLER_COUNT = 3,
    C_LEAF = C_CALLER + C_CALLER_COUNT,
    C_LEAF_COUNT = 24,
    LUA = C_LEAF + C_LEAF_COUNT,
    LUA_COUNT = 423,
    FUNCTION_COUNT = LUA + LUA_COUNT,

    /* Lua functions that threads start with: those of the first file, then of the second. */
    COROUTINE_ROOT_COUNT = 32,
    MAIN_ROOT_COUNT = 8,
    ROOT_COUNT = COROUTINE_ROOT_COUNT + MAIN_ROOT_COUNT,
    SHALLOW_COUNT = 8 * ROOT_COUNT,

    NAME_COUNT = 2,       /* names of a function */
    PLAIN_LINE_COUNT = 3, /* lines of a function that call and return */
    TAIL_LINE_COUNT = 1,  /* the first of them, when they make a tail call */
    LINE_COUNT = PLAIN_LINE_COUNT + TAIL_LINE_COUNT,
    SITE_COUNT = 48, /* places in a function that call: also the most children of a node */

    DEPTH_MAX = 40,
    FRAME_BYTES_MAX = 190,
    RECORD_BYTES_MAX = (DEPTH_MAX + 1) * FRAME_BYTES_MAX,
    TOTALS_BYTES_MEAN = 26,

    RECORDS_PER_NOISE = 750,
    OUTPUT_BUFFER_BYTES = 1 << 20,
    MEGABYTES_MAX = 1000 * 1000,
    NODES_MAX = INT32_MAX,

    /* A self time has 4 to 10 binary digits, in steps: 0.5 to 61 microseconds. */
    SELF_OCTAVE_FIRST = 3,
    SELF_OCTAVE_COUNT = 7,
};

/* The step of the game's clock in its first second: exact in the float32 that it counts in. */
static const double seconds_per_step = 1.0 / (1 << 24);

static const char mark[] = "info: prof: ";
enum { MARK_BYTES = sizeof mark - 1 };

#define GAME                                                                                       \
    "c:\\program files (x86)\\steam\\steamapps\\common\\supreme commander forged alliance\\LOUD\\"

static const char *const sources[] = {
    /* Where threads start. */
    "@" GAME "gamedata\\lua\\lua\\threads.lua",
    "@wl1nc/main.lua",
    "@" GAME "gamedata\\lua\\lua\\utilities.lua",
    "@" GAME "gamedata\\lua\\lua\\platoon.lua",
    "@" GAME "gamedata\\lua\\lua\\siminit.lua",
    "@" GAME "gamedata\\lua\\lua\\effectutilities.lua",
    "@" GAME "gamedata\\mohodata\\lua\\globalinit.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\aiaddbuildertable.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\aiattackutilities.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\aibehaviors.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\aibrain.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\aibuildstructures.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\aieconomic.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\aiutilities.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\lineararea.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\platoonai.lua",
    "@" GAME "gamedata\\lua\\lua\\ai\\sorianutilities.lua",
    "@" GAME "gamedata\\lua\\lua\\aibuilders\\airattack.lua",
    "@" GAME "gamedata\\lua\\lua\\aibuilders\\engineer.lua",
    "@" GAME "gamedata\\lua\\lua\\aibuilders\\landattack.lua",
    "@" GAME "gamedata\\lua\\lua\\aibuilders\\seaattack.lua",
    "@" GAME "gamedata\\lua\\lua\\loudutils\\basemanager.lua",
    "@" GAME "gamedata\\lua\\lua\\loudutils\\loudutilities.lua",
    "@" GAME "gamedata\\lua\\lua\\loudutils\\threatmap.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\adjacencybuffs.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\buff.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\collisionbeam.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\defaultprojectiles.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\defaultunits.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\defaultweapons.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\entity.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\matchstate.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\navutils.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\ping.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\projectile.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\prop.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\scenarioutilities.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\score.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\shield.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\simhooks.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\simutils.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\unit.lua",
    "@" GAME "gamedata\\lua\\lua\\sim\\weapon.lua",
};
enum {
    SOURCE_COUNT = sizeof sources / sizeof sources[0],
    THREAD_SOURCE_COUNT = 2,
    SHARED_SOURCE_COUNT = SOURCE_COUNT - THREAD_SOURCE_COUNT,
};

static const char *const c_names[C_CALLER_COUNT + C_LEAF_COUNT] = {
    /* Those that call back come first. */
    "pcall",        "sort",      "ForkThread",
    "next",         "mod",       "sqrt",
    "max",          "min",       "floor",
    "insert",       "remove",    "pairs",
    "ipairs",       "format",    "sub",
    "len",          "upper",     "setmetatable",
    "GetGameTick",  "WaitTicks", "SuspendCurrentThread",
    "ResumeThread", "LOG",       "WARN",
    "SPEW",         "WaitFor",   "KillThread",
};

static const char *const verbs[] = {"Handle", "Destroy",   "Check",  "Compute",
                                    "Apply",  "OnReclaim", "Filter", "Run"};
static const char *const nouns[] = {"Target",  "Area",    "Threat", "Energy",
                                    "Effects", "LayerAt", "Thread"};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0], NOUN_COUNT = sizeof nouns / sizeof nouns[0] };

static const char front[] =
    "info: SetupSession\n"
    "info: DISK: AddSearchPath: '" GAME "gamedata\\lua\\lua', mounted as '/lua/'\n"
    "info: DISK: AddSearchPath: '" GAME "gamedata\\mohodata\\lua', mounted as '/lua/'\n"
    "info: DISK: AddSearchPath: '" GAME "gamedata\\units\\units', mounted as '/units/'\n"
    "info: Hooked /lua/siminit.lua with /mods/supprof/hook/lua/siminit.lua\n"
    "info: Hooked /lua/sim/unit.lua with /mods/brewlan/hook/lua/sim/unit.lua\n"
    "warning: Profiler: To activate UI Profiler press CTRL-O\n"
    "warning:           To deactivate:          press CTRL-P\n"
    "warning: Note that to enable the profiler ingame using the hotkeys, cheats have to be "
    "enabled.\n"
    "info: Scheduled to profiler to run at 2s\n"
    "warning: Error running lua script: wl1nc/main.lua:8: attempt to index a nil value\n"
    "         stack traceback:\n"
    "         \twl1nc/main.lua:8: in function `SimBeat'\n"
    "debug: Loading module '/units/uel0001/uel0001_script.lua'\n"
    "info: prof is not a profiler line; 1,2,t,f\n"
    "info: Starting profiler\n"
    "debug: Loading module '/units/url0105/url0105_script.lua'\n"
    "warning: GetResource: Invalid name \"\"\n"
    "info: playable area: {4, 56;252}\n"
    "      { x0=-96, y1=300 },\n"
    "      }\n"
    "info: prof is not a profiler line; 1,2,t,f\n"
    "info: Stopping profiler\n"
    "info: Printing profiler data\n";

/* What the game says while the profiler prints: another thread may come in between. */
static const char *const noise[] = {
    "debug: Loading module '/units/uel0001/uel0001_script.lua'\n",
    "warning: GetResource: Invalid name \"\"\n",
    "info: playable area: {4, 56;252}\n      { x0=-96, y1=300 },\n      }\n",
    "info: prof is not a profiler line; 1,2,t,f\n",
};
enum { NOISE_COUNT = sizeof noise / sizeof noise[0] };

static const char back[] = "debug: end of session\n"
                           "info: Run time: 0h00m41s\n";

/* A frame as the log has it, with the ';' after it. */
struct frame_text {
    uint16_t length;
    char bytes[FRAME_BYTES_MAX];
};

/* A place in a function that calls another. */
struct site {
    uint16_t callee;
    uint8_t line; /* of the caller: an index below LINE_COUNT */
    uint8_t name; /* of the callee: an index below NAME_COUNT */
};

/* Everything that does not grow with the log. */
struct program {
    struct frame_text texts[FUNCTION_COUNT][NAME_COUNT][LINE_COUNT];
    struct site sites[FUNCTION_COUNT][SITE_COUNT];
};

/*
 * A node of the call tree: a site of the parent's function, called on the
 * parent's path. Node 0 is the engine. A parent's id is smaller than its
 * children's. Sites of one function have different callees, and a node uses
 * each site once, so that siblings differ in function, and not only in line.
 */
struct node {
    uint32_t parent;
    uint16_t site;
    uint16_t prefix_bytes; /* of the frames above it */
    uint16_t self_steps;   /* time without callees */
    uint8_t depth;         /* frames in its stack */
    uint8_t child_count;
};

/* The nodes of one depth that can still be called from. */
struct level {
    uint32_t *nodes; /* [count] */
    size_t count, capacity;
};

struct tree {
    struct node *nodes; /* [count] */
    size_t count, capacity;
    struct level levels[DEPTH_MAX + 1]; /* by depth */
};

struct timed_node {
    uint64_t total_steps; /* with callees */
    uint32_t node;
};

struct writer {
    const struct program *program;
    const struct tree *tree;
    uint64_t random;
    uint64_t bytes, records;
    uint64_t total_steps; /* the time that `seconds` is the text of */
    char seconds[32];
};

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "generate_log: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

/* xorshift64*: the state must not be 0. */
static uint32_t random_below(uint64_t *state, uint32_t bound)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    uint64_t bits = (*state * 0x2545f4914f6cdd1du) >> 32;
    return (uint32_t)((bits * bound) >> 32);
}

static void *grow(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return array;
    *capacity = *capacity == 0 ? 1024 : 2 * *capacity;
    void *grown = realloc(array, *capacity * size);
    if (grown == NULL)
        fail("cannot allocate memory");
    return grown;
}

static bool is_lua(uint32_t function)
{
    return function >= LUA;
}

static bool is_leaf(uint32_t function)
{
    return function >= C_LEAF && function < LUA;
}

static uint32_t site_count(uint32_t function)
{
    if (function == ENGINE)
        return ROOT_COUNT;
    return is_leaf(function) ? 0 : SITE_COUNT;
}

/* The first files hold the functions that threads start with, the others share the rest. */
static uint32_t source_of(uint32_t lua_index)
{
    if (lua_index < ROOT_COUNT)
        return lua_index < COROUTINE_ROOT_COUNT ? 0 : 1;
    return THREAD_SOURCE_COUNT + lua_index % SHARED_SOURCE_COUNT;
}

/* Functions of one file must differ in this: it is what tells them apart. */
static uint32_t line_defined(uint32_t lua_index)
{
    return 4 + 11 * (lua_index < ROOT_COUNT ? lua_index : lua_index / SHARED_SOURCE_COUNT);
}

/*
 * A function has a name for those that call it as a field, and another or none
 * for those that call it through a local variable.
 */
static void set_lua_name(char *name, size_t size, uint32_t lua_index, uint32_t which)
{
    if (lua_index < ROOT_COUNT || which > 0)
        snprintf(name, size, "%s", lua_index % 3 == 0 ? "f" : "?");
    else if (lua_index % 2 == 0)
        snprintf(name, size, "%s%s", verbs[lua_index % VERB_COUNT], nouns[lua_index % NOUN_COUNT]);
    else
        snprintf(name, size, "F%u", (unsigned)lua_index);
}

static void set_lua_text(struct frame_text *text, uint32_t lua_index, uint32_t which, uint32_t line)
{
    static const int offsets[PLAIN_LINE_COUNT] = {1, 3, 9};
    char name[32];
    set_lua_name(name, sizeof name, lua_index, which);
    bool is_tail_call = line >= PLAIN_LINE_COUNT;
    uint32_t defined = line_defined(lua_index);
    int current = (int)defined + offsets[is_tail_call ? line - PLAIN_LINE_COUNT : line];
    int length =
        snprintf(text->bytes, sizeof text->bytes, "%s,%u,%s,%d;", sources[source_of(lua_index)],
                 (unsigned)defined, name, is_tail_call ? -current : current);
    text->length = (uint16_t)length;
}

static void set_text(struct frame_text *text, uint32_t function, uint32_t which, uint32_t line)
{
    if (function == ENGINE)
        text->length = 0;
    else if (function == TAIL_CALL)
        text->length = (uint16_t)snprintf(text->bytes, sizeof text->bytes, "=(tail call),-1,,-1;");
    else if (is_lua(function))
        set_lua_text(text, function - LUA, which, line);
    else
        text->length = (uint16_t)snprintf(text->bytes, sizeof text->bytes, "=[C],-1,%s,-1;",
                                          c_names[function - C_CALLER]);
    if (text->length >= sizeof text->bytes) {
        errno = ERANGE;
        fail("a frame is too long");
    }
}

/* Often enough a C leaf that 37 stacks in 100 end in one, as in the game. */
static uint16_t random_callee(uint64_t *random, uint32_t caller, uint32_t site)
{
    if (caller == ENGINE)
        return (uint16_t)(LUA + site);
    uint32_t dice = random_below(random, 1000);
    if (dice < 450 && is_lua(caller))
        return (uint16_t)(C_LEAF + random_below(random, C_LEAF_COUNT));
    if (dice < 490 && is_lua(caller))
        return (uint16_t)(C_CALLER + random_below(random, C_CALLER_COUNT));
    if (dice < 491 && is_lua(caller))
        return TAIL_CALL;
    return (uint16_t)(LUA + random_below(random, LUA_COUNT));
}

static bool is_called(const struct site *sites, uint32_t count, uint16_t callee)
{
    for (uint32_t i = 0; i < count; i++)
        if (sites[i].callee == callee)
            return true;
    return false;
}

static uint8_t random_line(uint64_t *random, uint16_t callee)
{
    bool is_tail_call = callee == TAIL_CALL || (is_lua(callee) && random_below(random, 100) < 12);
    return (uint8_t)(is_tail_call ? PLAIN_LINE_COUNT + random_below(random, TAIL_LINE_COUNT)
                                  : random_below(random, PLAIN_LINE_COUNT));
}

static void set_sites(struct site *sites, uint32_t caller, uint64_t *random)
{
    for (uint32_t i = 0; i < site_count(caller); i++) {
        uint16_t callee;
        do
            callee = random_callee(random, caller, i);
        while (is_called(sites, i, callee));
        uint8_t line = random_line(random, callee);
        uint8_t name = (uint8_t)random_below(random, NAME_COUNT);
        sites[i] = (struct site){.callee = callee, .line = line, .name = name};
    }
}

static struct program *make_program(uint64_t *random)
{
    struct program *program = calloc(1, sizeof *program);
    if (program == NULL)
        fail("cannot allocate memory");
    for (uint32_t function = 0; function < FUNCTION_COUNT; function++) {
        for (uint32_t name = 0; name < NAME_COUNT; name++)
            for (uint32_t line = 0; line < LINE_COUNT; line++)
                set_text(&program->texts[function][name][line], function, name, line);
        set_sites(program->sites[function], function, random);
    }
    return program;
}

/* How the node was called. Not for node 0. */
static const struct site *site_of(const struct program *program, const struct node *node)
{
    return &program->sites[node->site / SITE_COUNT][node->site % SITE_COUNT];
}

static uint32_t function_of(const struct program *program, const struct tree *tree, uint32_t node)
{
    return node == 0 ? ENGINE : site_of(program, &tree->nodes[node])->callee;
}

/* The text of a node's frame where it is at `line`, an index below LINE_COUNT. */
static const struct frame_text *text_of(const struct program *program, const struct tree *tree,
                                        uint32_t node, uint32_t line)
{
    if (node == 0)
        return &program->texts[ENGINE][0][0];
    const struct site *site = site_of(program, &tree->nodes[node]);
    return &program->texts[site->callee][site->name][line];
}

/* Adds a node that has no children yet. */
static void add_node(struct tree *tree, struct node node, bool can_call)
{
    if (tree->count >= NODES_MAX) {
        errno = EOVERFLOW;
        fail("too many stacks");
    }
    tree->nodes = grow(tree->nodes, &tree->capacity, tree->count + 1, sizeof *tree->nodes);
    tree->nodes[tree->count] = node;
    if (can_call && node.depth < DEPTH_MAX) {
        struct level *level = &tree->levels[node.depth];
        level->nodes = grow(level->nodes, &level->capacity, level->count + 1, sizeof *level->nodes);
        level->nodes[level->count++] = (uint32_t)tree->count;
    }
    tree->count++;
}

/* As deep as stacks are in a log from the game, with some far deeper ones for recursion. */
static size_t random_depth(uint64_t *random)
{
    /* Stacks of depth 1, 2, ... among 1000. */
    static const uint16_t shares[] = {1, 12, 39, 79, 124, 162, 187, 171, 118, 62, 26, 10, 4, 2, 1};
    enum { SHARE_COUNT = sizeof shares / sizeof shares[0] };
    uint32_t dice = random_below(random, 1000);
    size_t depth = 1;
    while (depth <= SHARE_COUNT && dice >= shares[depth - 1])
        dice -= shares[depth++ - 1];
    if (depth > SHARE_COUNT)
        depth += random_below(random, DEPTH_MAX - SHARE_COUNT);
    return depth;
}

/*
 * The first nodes are the roots and some of their callees. Otherwise what came
 * first would draw all the rest under it, and a seed might leave no coroutines.
 */
static size_t next_depth(const struct tree *tree, uint64_t *random)
{
    if (tree->count <= ROOT_COUNT)
        return 1;
    return tree->count <= SHALLOW_COUNT ? 2 : random_depth(random);
}

/* The deepest level above `depth` that has nodes to call from; else the first below. */
static struct level *caller_level(struct tree *tree, size_t depth)
{
    for (size_t i = depth; i-- > 0;)
        if (tree->levels[i].count > 0)
            return &tree->levels[i];
    while (depth < DEPTH_MAX && tree->levels[depth].count == 0)
        depth++;
    return &tree->levels[depth];
}

/* Adds a child to a random node. Returns about how many bytes its record takes. */
static size_t grow_tree(struct tree *tree, const struct program *program, uint64_t *random)
{
    struct level *level = caller_level(tree, next_depth(tree, random));
    size_t at = random_below(random, (uint32_t)level->count);
    uint32_t parent = level->nodes[at];
    uint32_t function = function_of(program, tree, parent);
    uint32_t count = site_count(function);

    /* Each node begins elsewhere, or all would call only what comes first in their function. */
    uint32_t which = (parent + tree->nodes[parent].child_count++) % count;
    if (tree->nodes[parent].child_count == count)
        level->nodes[at] = level->nodes[--level->count];

    const struct site *site = &program->sites[function][which];
    size_t prefix_bytes =
        tree->nodes[parent].prefix_bytes + text_of(program, tree, parent, site->line)->length;
    uint32_t octave = SELF_OCTAVE_FIRST + random_below(random, SELF_OCTAVE_COUNT);
    struct node node = {
        .parent = parent,
        .site = (uint16_t)(function * SITE_COUNT + which),
        .prefix_bytes = (uint16_t)prefix_bytes,
        .self_steps = (uint16_t)((1u << octave) + random_below(random, 1u << octave)),
        .depth = (uint8_t)(tree->nodes[parent].depth + 1),
    };
    add_node(tree, node, !is_leaf(site->callee));
    return MARK_BYTES + prefix_bytes + program->texts[site->callee][site->name][0].length +
           TOTALS_BYTES_MEAN;
}

static void make_tree(struct tree *tree, const struct program *program, uint64_t bytes,
                      uint64_t *random)
{
    add_node(tree, (struct node){0}, true);
    uint64_t made = sizeof front + sizeof back;
    while (made < bytes)
        made += grow_tree(tree, program, random);
    for (size_t i = 0; i <= DEPTH_MAX; i++)
        free(tree->levels[i].nodes);
}

static int compare_times(const void *left, const void *right)
{
    const struct timed_node *a = left;
    const struct timed_node *b = right;
    if (a->total_steps != b->total_steps)
        return a->total_steps < b->total_steps ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/*
 * Returns [tree->count] the nodes by ascending time, which is the order of the
 * game's logs; the engine, above all, comes last. Self times are random and
 * siblings far apart, so this shuffles them as well.
 */
static struct timed_node *sort_by_time(const struct tree *tree)
{
    struct timed_node *timed = calloc(tree->count, sizeof *timed);
    if (timed == NULL)
        fail("cannot allocate memory");
    for (size_t i = 0; i < tree->count; i++)
        timed[i] = (struct timed_node){tree->nodes[i].self_steps, (uint32_t)i};
    for (size_t i = tree->count; --i > 0;)
        timed[tree->nodes[i].parent].total_steps += timed[i].total_steps;
    /* The engine has no time of its own, and would otherwise tie with a single root. */
    timed[0].total_steps++;
    qsort(timed, tree->count, sizeof *timed, compare_times);
    return timed;
}

static void put(struct writer *writer, const char *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, stdout) != length)
        fail("cannot write");
    writer->bytes += length;
}

static void put_string(struct writer *writer, const char *string)
{
    put(writer, string, strlen(string));
}

static size_t copy_text(char *to, const struct frame_text *text)
{
    memcpy(to, text->bytes, text->length);
    return text->length;
}

static char *copy_count(char *to, uint32_t count)
{
    char digits[10];
    size_t length = 0;
    do
        digits[length++] = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    while (length > 0)
        *to++ = digits[--length];
    return to;
}

/* Formatting a float takes as long as the rest of a record; but many times come in a row. */
static void set_seconds(struct writer *writer, uint64_t total_steps)
{
    if (writer->total_steps == total_steps)
        return;
    writer->total_steps = total_steps;
    float seconds = (float)((double)total_steps * seconds_per_step);
    snprintf(writer->seconds, sizeof writer->seconds, "%.14g", (double)seconds);
}

static void put_record(struct writer *writer, const struct timed_node *timed)
{
    const struct program *program = writer->program;
    const struct tree *tree = writer->tree;
    const struct node *nodes = tree->nodes;
    char record[RECORD_BYTES_MAX];
    memcpy(record, mark, MARK_BYTES);

    /* From the last frame up to the root: the last one's prefix says where that begins. */
    uint32_t node = timed->node;
    char *front_at = record + MARK_BYTES + nodes[node].prefix_bytes;
    uint32_t return_line = random_below(&writer->random, PLAIN_LINE_COUNT);
    char *at = front_at + copy_text(front_at, text_of(program, tree, node, return_line));
    for (; nodes[node].parent != 0; node = nodes[node].parent) {
        uint32_t line = site_of(program, &nodes[node])->line;
        const struct frame_text *text = text_of(program, tree, nodes[node].parent, line);
        front_at -= text->length;
        copy_text(front_at, text);
    }

    uint32_t calls = 1 + random_below(&writer->random, 1u << random_below(&writer->random, 8));
    bool is_main = function_of(program, tree, node) >= LUA + COROUTINE_ROOT_COUNT;
    at = copy_count(at, calls);
    *at++ = ',';
    set_seconds(writer, timed->total_steps);
    size_t length = strlen(writer->seconds);
    memcpy(at, writer->seconds, length);
    at += length;
    memcpy(at, is_main ? ",t,f\n" : ",f,t\n", 5);
    put(writer, record, (size_t)(at + 5 - record));
    writer->records++;
}

static void write_log(struct writer *writer)
{
    struct timed_node *timed = sort_by_time(writer->tree);
    put_string(writer, front);
    for (size_t i = 0; timed[i].node != 0; i++) {
        put_record(writer, &timed[i]);
        if (i % RECORDS_PER_NOISE == RECORDS_PER_NOISE - 1)
            put_string(writer, noise[i / RECORDS_PER_NOISE % NOISE_COUNT]);
    }
    put_string(writer, back);
    if (fflush(stdout) != 0)
        fail("cannot write");
    free(timed);
}

static bool read_number(const char *text, uint64_t max, uint64_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    *number = value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value <= max;
}

int main(int argc, char **argv)
{
    uint64_t megabytes, seed = 1;
    if (argc < 2 || argc > 3 || !read_number(argv[1], MEGABYTES_MAX, &megabytes) ||
        (argc == 3 && !read_number(argv[2], UINT64_MAX, &seed))) {
        fputs("Usage: generate_log MEGABYTES [SEED] > FILE\n", stderr);
        return 2;
    }
    /* Spread over all bits, and never 0. */
    uint64_t random = (seed + 1) * 0x9e3779b97f4a7c15u;
    if (random == 0)
        random = 1;
    if (setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER_BYTES) != 0)
        fail("cannot set up standard output");

    struct program *program = make_program(&random);
    struct tree tree = {0};
    make_tree(&tree, program, megabytes * 1000 * 1000, &random);
    struct writer writer = {.program = program, .tree = &tree, .random = random};
    write_log(&writer);
    int said = fprintf(stderr, "records %" PRIu64 " stacks %zu bytes %" PRIu64 "\n", writer.records,
                       tree.count - 1, writer.bytes);
    free(tree.nodes);
    free(program);
    return said < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
