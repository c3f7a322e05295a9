/*
 * grammar.h - the text of a log line, taken apart. The whole grammar is here.
 *
 * delins' profiler writes one record per call stack (see supprof-log(5)):
 *
 *     info: prof: <frame>;<frame>;...;<calls>,<seconds>,<main>,<coroutine>
 *     <frame> = <source>,<line defined>,<name>,<current line>
 *
 * PCRE2, compiled once by its JIT, recognises lines, the end of a record, and the end of a frame;
 * plain code converts numbers and chooses a reading where `,` and `;` inside a source allow more
 * than one (see the rules for the end of a frame in grammar.c). Nothing here reads a file, so tests
 * and fuzzers call it directly. No function looks beyond the bytes it is given, and none needs a
 * NUL.
 */
#pragma once

#include "base/error.h"
#include "base/hash_index.h"
#include "tree/stacks.h"

struct grammar; /* compiled patterns; one per thread */

/* Returns NULL when PCRE2 cannot compile its patterns. The caller frees it. */
struct grammar *grammar_new(struct error *err);
void grammar_free(struct grammar *grammar);

enum grammar_keyword {
    GRAMMAR_NOTHING,
    GRAMMAR_RECORD, /* "prof: " after "info: " (any severity, any letter case) or at a line's
                       start; the text before that is ignored */
    GRAMMAR_RECORDING_START, /* "info: Starting profiler" */
    GRAMMAR_BENCHMARK,       /* inside a line with FIELDS_WALLCLOCK */
    GRAMMAR_HOOK,            /* inside a line with FIELDS_HOOK */
};

/*
 * Finds the first keyword in text[from, length). `*at` is where the keyword begins and `*after`
 * where it ends; the text of a record begins there. Bytes before `from` are read only to check the
 * text before the keyword. `is_line_start` says whether text[0] begins a line.
 */
enum grammar_keyword grammar_find_keyword(struct grammar *grammar, const char *text, size_t length,
                                          size_t from, bool is_line_start, size_t *at,
                                          size_t *after);

/*
 * A line of the engine that names a mounted directory:
 *
 *     info: DISK: AddSearchPath: 'c:\game\gamedata\lua\lua', mounted as '/lua/'
 *
 * Finds the next in text[*from, length) and moves `*from` after it.
 */
bool grammar_find_mount(struct grammar *grammar, const char *text, size_t length, size_t *from,
                        struct span *directory, struct span *mount_point);

/*
 * Whether a line may continue the record of the line before it: a record has several lines if one
 * of its sources is the text of a chunk that contains a line break. The next lines begin with the
 * severity again, or with blanks instead of it. On success `*text_start` is where the line's own
 * text begins. `indentation` is the number of bytes before the keyword in the first line of the
 * record: at most that many blanks are removed.
 */
bool grammar_continues(struct grammar *grammar, struct span line, size_t indentation,
                       size_t *text_start);

/*
 * Reads the end of a record: the fields after its frames, all but the depth; a time is 0 if it is
 * infinite, too large, or not a number. `*stack_length` is where the ';' before it stands. Fails if
 * the text does not end like a record, for example because it is cut, or because its source
 * continues in the next line.
 */
bool grammar_totals(struct grammar *grammar, struct span text, size_t *stack_length,
                    struct stack *stack);

struct grammar_frame {
    struct span source;
    struct span name;
    int32_t line_defined; /* -1 if it is not a Lua function */
    int32_t current_line; /* as written */
    size_t end;           /* offset after the frame: at a ';' or the end of the stack */

    /* Whether these bytes, followed by ';' or the end, are this frame wherever they stand. */
    bool is_context_free;
};

/*
 * Reads the frame that begins at stack.at + from. Fails if there is no frame, or if the frames of
 * the stack need more than `*work_left`: without this limit a hostile stack could take time in
 * proportion to the square of its length. Before the first frame, set `*work_left` to
 * grammar_work().
 */
bool grammar_frame(struct grammar *grammar, struct span stack, size_t from, size_t *work_left,
                   struct grammar_frame *frame);

/*
 * The limit of work for a stack: the number of bytes that may be examined, where a byte counts each
 * time.
 */
size_t grammar_work(struct span stack);

/*
 * A line of supprof's own recorder, profiler.lua; see supprof-log(5):
 *
 *     info: prof: $<version> <run> <number> <kind> <text>
 *
 * `text` begins after the keyword. Records of delins' profiler never begin with '$', since a Lua
 * source never does.
 */
struct grammar_recorder_line {
    uint64_t version;
    struct span run;  /* "s1": the Lua state, and the recording's number in it */
    uint64_t number;  /* of this line in its run, from 1 */
    struct span kind; /* "begin", "events", ... */
    struct span text;
    size_t length; /* of all of it, from the '$' on */
};

bool grammar_recorder_line(struct grammar *grammar, struct span text,
                           struct grammar_recorder_line *line);

/*
 * The kinds of lines that have fields: the recorder's, the game's own (see game_log.h), a benchmark
 * of delins' profiler, and a file that the engine appended to another:
 *
 *     info: benchmark started at: 600s, duration: 600s, measured wallclock time: 312.5s
 *     info: Hooked /lua/x.lua with /mods/y/hook/lua/x.lua
 */
enum grammar_fields {
    FIELDS_SOURCE,    /* id, text */
    FIELDS_FUNCTION,  /* id, source, line, name */
    FIELDS_NAME,      /* id, name; or id, count */
    FIELDS_SITE,      /* number, function, line */
    FIELDS_THREAD,    /* id, "main" or "coroutine" */
    FIELDS_EVENTS,    /* thread, time, lost, events */
    FIELDS_BENCHMARK, /* from, to, seconds */
    FIELDS_CONTINUED, /* of a line that goes on with an error: place and message, or nothing */
    FIELDS_INDENTED,  /* of a line that goes on with another one; nothing */
    FIELDS_MARK,      /* what stands before the severity of the first line that has one */
    FIELDS_PATH_MOD,  /* of a path: a mod */
    FIELDS_STACK_MOD, /* of a line of a call stack: a mod, and a file and line in it */
    FIELDS_IMPORT,    /* of an error's message: a file that could not be imported */
    FIELDS_MOD,       /* of a list of mods: name and version, or nothing */
    FIELDS_WALLCLOCK, /* from, duration, seconds */
    FIELDS_HOOK,      /* paths of a file and of the one that is appended to it */
    FIELDS_COUNT
};
enum { GRAMMAR_FIELDS_MAX = 4 };

/*
 * Splits a text into its fields. Ids have at most 9 digits, lines 10 and a sign, and paths of hooks
 * 300 bytes. A field that is not there is empty.
 */
bool grammar_fields(struct grammar *grammar, enum grammar_fields which, struct span text,
                    struct span fields[GRAMMAR_FIELDS_MAX]);

/* Wall-clock time between two game times. */
struct benchmark {
    int64_t from_ns, to_ns; /* of the game */
    int64_t time_ns;
};

/* Reads one from a line with FIELDS_BENCHMARK or FIELDS_WALLCLOCK. */
bool grammar_benchmark(struct grammar *grammar, enum grammar_fields which, struct span text,
                       struct benchmark *benchmark);

/*
 * Takes the quote marks off a line of a copy, which may be CSV or a list: a line whose text
 * `before` ends in one, but for blanks, and whose other text does, too, but for a comma. Between
 * marks ", "" is a mark, and the text is then in `plain`. Returns whether it is such a line.
 */
bool grammar_unquote(struct span before, struct span *text, struct text *plain);

/* Whether a line is a warning. `*text_start` is where the text after any severity begins. */
bool grammar_is_warning(struct grammar *grammar, struct span line, size_t *text_start);

/* Whether a line begins with a severity, as the game writes it. */
bool grammar_has_severity(struct grammar *grammar, struct span text, bool is_line_start);

/* Where the severity at the end of a text begins, with its date; without one, the text's length. */
size_t grammar_severity_start(struct grammar *grammar, struct span text);

/*
 * The kinds of the game's own lines, and their fields. Those that tell how a game ended need no
 * line end: a program that has crashed writes none.
 */
enum game_line {
    LINE_TIMES,     /* session time, game time, size and committed size of the heap or nothing */
    LINE_GAME_TIME, /* game time */
    LINE_ERROR,     /* what ran or nothing, place or nothing, message; see FIELDS_CONTINUED */
    LINE_TRACEBACK, /* the first line of a call stack: what it is of is before it */
    LINE_MODS,      /* the lines after it have FIELDS_MOD, as long as they can be read as that */
    LINE_MODULE,    /* a module of Lua is loaded */
    LINE_UNITS,     /* of M28AI, of the last 10 s: seconds they took, units */
    LINE_TIMER,     /* of M28AI: number in its list from 1 on, function, calls, seconds */
    LINE_WAIT,      /* player whose connection is lost; "waiting" or "ejecting" */
    LINE_MAP,       /* the folder of the map, which is loaded */
    LINE_CHANGED,   /* of the recorder, but in upper case */
    LINE_RUN_TIME,  /* the game has ended */
    LINE_SIM_CRASH, /* reason */
    LINE_EXCEPTION, /* kind, address */
    LINE_PROGRAM,   /* of the report of a crash: what has ended the program is before it */
    LINE_REPORT,    /* of a crash: the number of lines at the log's end that follow */
    LINE_DESYNC,    /* beat */
};

/*
 * Finds the next such line in text[*from, length), and moves `*from` after it. `*line` is without
 * its line feed.
 */
bool grammar_find_game_line(struct grammar *grammar, struct span text, size_t *from,
                            bool is_line_start, enum game_line *kind, struct span *line,
                            struct span fields[GRAMMAR_FIELDS_MAX]);

/*
 * Appends a message in which numbers and addresses are "N", and quoted names "'...'"; paths in
 * quotes stay: Invalid unit handle 49 is Invalid unit handle N.
 */
void grammar_fold(struct grammar *grammar, struct span message, struct text *folded);

/*
 * The same for a line that is no error: any quoted text is "'...'", and paths, in quotes or not,
 * are
 * "...". `*path` is the first of them, or empty, and `*path_at` where it stands in `folded`.
 */
void grammar_fold_paths(struct grammar *grammar, struct span message, struct text *folded,
                        struct span *path, size_t *path_at);
