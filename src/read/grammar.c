#include "read/grammar.h"
#include "base/number.h"
#include "base/pcre2_memory.h"
#include "platform/bytes.h"

/* A loop over a long source needs more than the 32 KB of PCRE2's own JIT stack. */
enum { JIT_STACK_START_BYTES = 32 * 1024, JIT_STACK_MAX_BYTES = 1024 * 1024 };

enum pattern {
    PATTERN_KEYWORD,
    PATTERN_MOUNT,
    PATTERN_SEVERITY,
    PATTERN_FRAME_TAIL,
    PATTERN_LOOSE_TAIL,
    PATTERN_NO_PATH,
    PATTERN_NO_CHUNK,
    PATTERN_RECORDER_LINE,
    PATTERN_NOT_FINITE,
    PATTERN_GAME_LINE, /* is made of game_lines[] */
    PATTERN_SEVERITY_LINE,
    PATTERN_SEVERITY_END,
    PATTERN_FOLDED,
    PATTERN_FOLDED_PATHS,
    PATTERN_FIELDS, /* the first of them: that of FIELDS_SOURCE */
    PATTERN_COUNT = PATTERN_FIELDS + FIELDS_COUNT
};

/* Pieces of the patterns of the game's own lines: see supprof-log(5). */
#define CLOCK "([0-9]{2,4}:[0-5][0-9]:[0-5][0-9])"
#define JOINT "(?:\\\\000|\\t)"
#define SIZE "([0-9]{1,10}(?:\\.[0-9]{1,3})?[BKMG])"
#define PLACE "[^\\n]*?(?:(?i:\\.lua|\\.bp)|\"\\])(?:\\([0-9]{1,9}\\)|:[0-9]{1,9}(?=: ))"
#define MESSAGE "(?:(" PLACE "): )?([^\\r\\n]*+)"
/* Words up to a colon and a blank, and a place that begins right there: of a file in a folder,
 * whose path may be cut at its start, or of a chunk. */
#define WORDS "(?:[^:\\r\\n]|:(?! ))*+"
#define PLACE_AFTER_WORDS                                                                          \
    "(?:(?=\\.\\.\\.|@?[\\w.:~-]{0,60}[\\\\/])(?:[^:\\r\\n]|:(?! ))*?(?i:\\.lua|\\.bp)|"           \
    "\\[string \"[^\\r\\n]*?\"\\])(?:\\([0-9]{1,9}\\)|:[0-9]{1,9})(?=: )"
#define LAZY "error evaluating lazy variable"
#define NUMBER_OR_ADDRESS                                                                          \
    "(?<![\\w.])(?:-?(?:0x[0-9a-f]++|[0-9]++(?:\\.[0-9]++)?(?:e[-+]?[0-9]++)?)"                    \
    "|(?=[a-f]*[0-9])[0-9a-f]{6,16}+)(?!\\w)"
/* Other writers of such lines begin them with a date, and copies with a mark or in quotes. */
#define MARK "> |[\"'`]|\xe2\x80[\x98\x9c]"
#define CLOSING_MARKS "[\"'`,\xe2\x80\x99\x9d]*"
#define LEADING_MARKS "(?:" MARK ")*+"
#define BEFORE_SEVERITY "[ \\t]*+(?:" MARK "|\\[[0-9][^]\\n]{0,39}\\] )*+"
#define SEVERITY(names) "(?:(?i:" names "): |\\[(?i:" names ")\\] )"
/* The same as alternatives of one length each, as a lookbehind wants them. */
#define BEFORE(name, text) "(?i:" name "): " text "|\\[(?i:" name ")\\] " text
#define BEFORE_RECORD                                                                              \
    BEFORE("info", "prof: ") "|" BEFORE("debug", "prof: ") "|" BEFORE("warning", "prof: ")
#define BEFORE_START BEFORE("info", "Starting profiler")
#define BEFORE_HOOK BEFORE("info", "Hooked /")
#define ANY_SEVERITY SEVERITY("info|debug|warning")
#define INFO SEVERITY("info")

/*
 * The game's own words. A row is tried in lines of some severities, `i`nfo, `w`arning and `d`ebug,
 * or in those without one; the first row that fits says what the line is.
 */
static const struct game_line_text {
    enum game_line kind;
    const char *severities, *text;
} game_lines[] = {
    {LINE_TIMES,
     "d",
     "Session time: " CLOCK JOINT "Game time: " CLOCK "(?:" JOINT "Heap: " SIZE " / " SIZE ")?"},
    {LINE_GAME_TIME, "d", "Current gametime: " CLOCK},
    {LINE_MODULE, "d", "Loading module '"},
    {LINE_UNITS,
     "i",
     "LogGamePerformanceData: GameTime=[0-9.]{1,20} Time taken=([0-9.]{1,20}); "
     "Unit Count=([0-9]{1,9})"},
    {LINE_TIMER,
     "i",
     "ProfilerOutput: No\\.([0-9]{1,9})=([^;\\r\\n]{1,200}); TimesRun=([0-9]{1,15}); "
     "Time=([0-9.]{1,20})"},
    {LINE_MODS, "id", "Active mods in (?:session|sim):"},
    {LINE_MAP, "i", "Loading script file: (?:" JOINT ")?/maps/([^/\\r\\n]++)/"},
    {LINE_CHANGED, "i", "PROF: "},
    {LINE_RUN_TIME, "i", "Run time: "},
    {LINE_SIM_CRASH,
     "iwd",
     "(?:Sim crashed hard in [^:\\r\\n]*+|Sim::Create\\(\\) crashed)(?:: ([^\\r\\n]*+))?"},
    {LINE_DESYNC,
     "iwd",
     "(?|Checksum for beat ([0-9]{1,9}) mismatched|Desync at beat ([0-9]{1,9}))"},
    {LINE_WAIT, "iwd", "LOBBY: lost connection to ([^\\r\\n]{1,200}?), (waiting|ejecting)"},
    {LINE_EXCEPTION,
     "",
     "(EXCEPTION_[A-Z0-9_]++|(?:[A-Za-z+]++ ){0,2}(?i:exception))[^\\n]{0,60}?"
     " at (?:address )?(0x[0-9A-Fa-f]{1,16})"},
    {LINE_PROGRAM, "", "Program : "},
    {LINE_REPORT, "", "Last ([0-9]{1,9}) lines of (?:the )?log"},
    {LINE_ERROR,
     "w",
     "(?|Error running (?|(lua (?:script|command))(?: from destroyed thread)?"
     "|([^ \\n]++) script in [^\\n]*?|'(?:[^'\\n]*/)?([^'/\\n]++)'(?: (?=:))?)"
     "|(BeginSession)\\(\\) failed|Running (\"{1,2}[^\"\\n]++\"{1,2}) failed): ?" MESSAGE},
    /* While files are loaded. */
    {LINE_ERROR,
     "w",
     "(SCR_\\w++): (?=[^\\n]* failed)(?:[^\\n]*? failed: (?=" PLACE ": ))?" MESSAGE},
    {LINE_ERROR, "w", "()Error in file ([^\\n]*?) ?: ([^\\r\\n]*+)"},
    {LINE_ERROR, "w", "()()(Error importing [^\\r\\n]*+)"},
    {LINE_ERROR,
     "w",
     "()()((?:Can(?:'t|not)|Could(?:n't| not)|Unable to|Failed to) (?:open|find|load|read) "
     "(?:lua )?(?:file|module|script)[^\\r\\n]*+)"},
    /* The rule: whatever stands before the place that Lua names. A variable that is computed when
     * it is asked for names where that was, too. */
    {LINE_ERROR,
     "w",
     "(?:(" WORDS "(?:: (?!" LAZY ")" WORDS "){0,7}?)(?:: " LAZY "(?:: " PLACE_AFTER_WORDS
     "(?=: " LAZY "))?)*: )?(" PLACE_AFTER_WORDS "): (?!in (?:function|main chunk)|" LAZY
     ")([^\\r\\n]*+)"},
    /* The last line of a game that crashed, which was being written. */
    {LINE_EXCEPTION,
     "iwd",
     "[^\\n]*?(EXCEPTION_[A-Z0-9_]++) \\(0x[0-9A-Fa-f]++\\) at address (0x[0-9A-Fa-f]{1,16})"},
    {LINE_TRACEBACK, "iwd", "[ \\t]*+stack traceback:"},
    {LINE_TRACEBACK, "", "stack traceback:"},
};

struct pattern_text {
    const char *text;
    uint32_t options;
};

/*
 * PATTERN_KEYWORD begins inside its words, with "rof" of "prof", "ock" of "wallclock" or "ook" of
 * "Hooked": PCRE2 then jumps from one place with two of these few bytes to the next, and they are
 * rare. What must precede a keyword is checked only there. A pattern that begins with "p" and "w"
 * is slower, and so is one with three different first bytes.
 */
static const struct pattern_text pattern_texts[PATTERN_COUNT] = {
    [PATTERN_KEYWORD] = {"rof(?:: (?<=" BEFORE_RECORD "|^prof: |^\"prof: )|iler(?<=" BEFORE_START
                         "))"
                         "|ock time: (?<=measured wallclock time: )(?=[-0-9])"
                         "|ooked /(?<=" BEFORE_HOOK ")",
                         PCRE2_MULTILINE},
    [PATTERN_MOUNT] = {"AddSearchPath: '([^'\\n]*+)', mounted as '([^'\\n]*+)'", 0},
    [PATTERN_SEVERITY] = {"\\A[ \\t]*+(?:" BEFORE_SEVERITY
                          "(?|(?i:(info)|(debug|warning)): |\\[(?i:(info)|(debug|warning))\\] ))?",
                          0},
    [PATTERN_FRAME_TAIL] = {",(-?[0-9]{1,10}+),([^,;\\n]*+),(-?[0-9]{1,10}+)(?=;|\\z)", 0},
    /* The same for a name with `,` or `;` in it, directly after a possible end of a source. */
    [PATTERN_LOOSE_TAIL] =
        {"(?<=(?i:\\.lua)|(?i:\\.bp)|=\\[C\\]),(-?[0-9]{1,10}+),"
         "((?:(?!;[@=]|prof: |(?i:\\.lua|\\.bp),-?[0-9])[^\\n])*?),(-?[0-9]{1,10}+)(?=;|\\z)",
         0},
    [PATTERN_NO_PATH] = {";[@=]|\\n|(?i:\\.lua|\\.bp),-?[0-9]+,|prof: ", 0},
    [PATTERN_NO_CHUNK] = {";@[A-Za-z]:[\\\\/]|;=\\[C\\],|;=\\(tail call\\),|" ANY_SEVERITY "prof: ",
                          0},
    [PATTERN_RECORDER_LINE] = {"\\A\\$([0-9]{1,9}) ([a-z]+[0-9]+) ([0-9]{1,15}) ([a-z]+) ?(.*)\\z",
                               PCRE2_DOTALL},
    [PATTERN_FIELDS + FIELDS_SOURCE] = {"\\A([0-9]{1,9}) (.*)\\z", PCRE2_DOTALL},
    [PATTERN_FIELDS +
        FIELDS_FUNCTION] = {"\\A([0-9]{1,9}) ([0-9]{1,9}) (-?[0-9]{1,10}) (.*)\\z", PCRE2_DOTALL},
    [PATTERN_FIELDS + FIELDS_NAME] = {"\\A([0-9]{1,9}) (.*)\\z", PCRE2_DOTALL},
    [PATTERN_FIELDS + FIELDS_SITE] = {"\\A([0-9]{1,9}) ([0-9]{1,9}),(-?[0-9]{1,10})\\z", 0},
    [PATTERN_FIELDS + FIELDS_THREAD] = {"\\A([0-9]{1,9}) (main|coroutine)\\z", 0},
    [PATTERN_FIELDS + FIELDS_EVENTS] = {"\\A([0-9]{1,9}) ([^ ]+) ([^ ]+) (.*)\\z", PCRE2_DOTALL},
    [PATTERN_FIELDS + FIELDS_BENCHMARK] = {"\\A([^ ]+) ([^ ]+) ([^ ]+)\\z", 0},
    /* Before it may be any mark of a copy. */
    [PATTERN_FIELDS + FIELDS_WALLCLOCK] = {"\\A[^\\n]{0,200}?" INFO
                                           "benchmark started at: ([^,]+)s, duration: ([^,]+)s, "
                                           "measured wallclock time: ([^,]+)s" CLOSING_MARKS
                                           "[ \\t\\r]*\\z",
                                           0},
    [PATTERN_FIELDS +
        FIELDS_HOOK] = {"\\A" BEFORE_SEVERITY INFO
                        "Hooked (/[^\\n]{1,300}?) with (/[^\"\\r\\n]{1,300}?)" CLOSING_MARKS
                        "\\r?\\z",
                        0},
    [PATTERN_GAME_LINE] = {NULL, PCRE2_MULTILINE},
    [PATTERN_SEVERITY_LINE] = {"^" BEFORE_SEVERITY ANY_SEVERITY, PCRE2_MULTILINE},
    [PATTERN_SEVERITY_END] = {"(?:\\[[0-9][^]\\n]{0,39}\\] )?" ANY_SEVERITY "(?:Starting )?\\z", 0},
    [PATTERN_FOLDED] = {NUMBER_OR_ADDRESS "|([`'\"])\\w++['\"]", PCRE2_CASELESS},
    /* A path in quotes, which may have blanks, or another; any quoted text. */
    [PATTERN_FOLDED_PATHS] =
        {"(?<=[`'\"])([^`'\"\\\\/\\n]*+[\\\\/][^`'\"\\n]*+)(?=['\"])"
         "|(?<![^ \\t:=(,])((?:[a-z]:|\\.\\.\\.)?[\\\\/][^ \\t`'\"<>|,()\\n]++)"
         "|" NUMBER_OR_ADDRESS "|(?<!\\w)([`'\"])[^`'\"\\\\/\\n]{1,100}+['\"]",
         PCRE2_CASELESS},
    [PATTERN_FIELDS +
        FIELDS_CONTINUED] = {"\\A(?:" LEADING_MARKS "[ \\t]++(?!" LEADING_MARKS ANY_SEVERITY
                             ")|" BEFORE_SEVERITY SEVERITY(
                                 "warning") "(?:[ \\t]++|(?=stack traceback:)))"
                                            "(?:(" PLACE
                                            "): (?!in (?:function|main chunk))([^\\r\\n]*+))?",
                             0},
    [PATTERN_FIELDS +
        FIELDS_INDENTED] = {"\\A(?:" LEADING_MARKS "[ \\t]++(?!" LEADING_MARKS ANY_SEVERITY
                            ")|" BEFORE_SEVERITY ANY_SEVERITY "(?:[ \\t]++|(?=stack traceback:)))",
                            0},
    [PATTERN_FIELDS + FIELDS_MARK] = {"^([^\\n]{1,60}?)" ANY_SEVERITY, PCRE2_MULTILINE},
    [PATTERN_FIELDS + FIELDS_PATH_MOD] = {"[\\\\/](?:user)?mods[\\\\/]([^\\\\/\\n]{1,100})[\\\\/]",
                                          PCRE2_CASELESS},
    /* A folder above the game may be called mods, too. A path may be cut right before it. */
    [PATTERN_FIELDS +
        FIELDS_STACK_MOD] = {"(?:[\\\\/]|\\.\\.\\.)(?:user)?mods[\\\\/](?![^\\n]*?[\\\\/"
                             "]gamedata[\\\\/])([^\\\\/\\n]{1,100})[\\\\/]"
                             "(?:[^\\\\/(\\n]++[\\\\/])*+([^\\\\/(\\n]{1,100}\\([0-9]{1,9}\\))",
                             PCRE2_CASELESS},
    [PATTERN_FIELDS + FIELDS_IMPORT] = {"\\AError importing '?([^'\\n]+?)'?:?\\z", 0},
    [PATTERN_FIELDS + FIELDS_MOD] = {"\\A" BEFORE_SEVERITY SEVERITY(
                                         "info|debug") "(?=[ \\t{}]|\\\\011)(?|(?:[ \\t]|\\\\011)++"
                                                       "\"{1,2}([^\"\\n]*)\"{1,2} ++v([0-9.]++)| "
                                                       "{4}name=\"{1,2}([^\"\\n]*))?",
                                     0},
    /* 1.#INF, -1.#IND and the like on Windows, inf and nan elsewhere. */
    [PATTERN_NOT_FINITE] = {"\\A-?(?i:inf(?:inity)?|nan(?:\\([a-z]*\\))?|1\\.#[a-z]+[0-9]*)\\z", 0},
};

struct grammar {
    pcre2_code *codes[PATTERN_COUNT];
    bool has_jit;
    pcre2_match_data *match; /* shared: a result is used before the next match */
    uint32_t group_count;    /* of the last match, up to the last that has matched */
    pcre2_match_context *context;
    pcre2_compile_context *compile_context;
    pcre2_jit_stack *jit_stack;
};

/* Appends the rows that are for a severity as alternatives, each with its mark. */
static void put_alternatives(struct text *text, char severity)
{
    const char *before = "(?|";
    for (size_t i = 0; i < sizeof game_lines / sizeof game_lines[0]; i++) {
        const char *severities = game_lines[i].severities;
        if (severity != '\0' ? strchr(severities, severity) == NULL : severities[0] != '\0')
            continue;
        text_printf(text, "%s(*:%c)%s", before, (char)('A' + i), game_lines[i].text);
        before = "|";
    }
    text_put_string(text, ")");
}

/* Makes one pattern of all kinds of lines: a log is searched only once. */
static void put_game_lines(struct text *text)
{
    text_put_string(text, "^" BEFORE_SEVERITY "(?=[disw[A-Z])(?|" SEVERITY("debug"));
    put_alternatives(text, 'd');
    text_put_string(text, "|" SEVERITY("info"));
    put_alternatives(text, 'i');
    text_put_string(text, "|" SEVERITY("warning"));
    put_alternatives(text, 'w');
    text_put_string(text, "|");
    put_alternatives(text, '\0');
    text_put_string(text, ")");
}

static bool compile(struct grammar *grammar, enum pattern pattern, struct error *err)
{
    int code;
    size_t offset;
    const struct pattern_text *source = &pattern_texts[pattern];
    SCOPED(text) made = {0};
    if (pattern == PATTERN_GAME_LINE)
        put_game_lines(&made);
    else
        text_put_string(&made, source->text);
    grammar->codes[pattern] = pcre2_compile((PCRE2_SPTR)text_string(&made),
                                            PCRE2_ZERO_TERMINATED,
                                            source->options | PCRE2_NEVER_UTF,
                                            &code,
                                            &offset,
                                            grammar->compile_context);
    if (grammar->codes[pattern] == NULL)
        return error_set(err,
                         "PCRE2 refuses supprof's pattern %d at offset %zu with error %d",
                         (int)pattern,
                         offset,
                         code);
    /* Without a JIT for this processor the interpreter does the same, but slower. */
    grammar->has_jit &= pcre2_jit_compile(grammar->codes[pattern], PCRE2_JIT_COMPLETE) == 0;
    return true;
}

struct grammar *grammar_new(struct error *err)
{
    struct grammar *grammar = mem_zeroed(1, sizeof *grammar);
    pcre2_general_context *general = pcre2_memory_new();
    grammar->compile_context = pcre2_compile_context_create(general);
    /* '$' and '^' must not depend on how PCRE2 was built. */
    pcre2_set_newline(grammar->compile_context, PCRE2_NEWLINE_LF);
    grammar->has_jit = true;
    /* Most logs need few of the others: they are compiled when they are used first. */
    bool is_compiled = compile(grammar, PATTERN_KEYWORD, err);
    grammar->match = pcre2_match_data_create(8, general);
    grammar->context = pcre2_match_context_create(general);
    grammar->jit_stack =
        pcre2_jit_stack_create(JIT_STACK_START_BYTES, JIT_STACK_MAX_BYTES, general);
    if (grammar->jit_stack != NULL)
        pcre2_jit_stack_assign(grammar->context, NULL, grammar->jit_stack);

    pcre2_general_context_free(general);
    if (is_compiled)
        return grammar;
    grammar_free(grammar);
    return NULL;
}

void grammar_free(struct grammar *grammar)
{
    if (grammar == NULL)
        return;
    for (int i = 0; i < PATTERN_COUNT; i++)
        pcre2_code_free(grammar->codes[i]);
    pcre2_match_data_free(grammar->match);
    pcre2_match_context_free(grammar->context);
    pcre2_compile_context_free(grammar->compile_context);
    pcre2_jit_stack_free(grammar->jit_stack);
    free(grammar);
}

/*
 * Returns the offsets of the match and its groups, or NULL if there is no match. A match that
 * exceeds PCRE2's limits counts as no match: its record is then reported as damaged.
 */
static const size_t *match(struct grammar *grammar, enum pattern pattern, struct span text,
                           size_t from, uint32_t options)
{
    struct error err;
    /* A pattern that PCRE2 refuses is found by the first test: here only memory can be missing. */
    if (grammar->codes[pattern] == NULL && !compile(grammar, pattern, &err))
        mem_exhausted();
    /* pcre2_jit_match() omits checks of its arguments, which cost as much as a short match. */
    int (*run)(const pcre2_code *,
               PCRE2_SPTR,
               PCRE2_SIZE,
               PCRE2_SIZE,
               uint32_t,
               pcre2_match_data *,
               pcre2_match_context *) = grammar->has_jit ? pcre2_jit_match : pcre2_match;
    int result = run(grammar->codes[pattern],
                     (PCRE2_SPTR)text.at,
                     text.length,
                     from,
                     options,
                     grammar->match,
                     grammar->context);
    grammar->group_count = result < 0 ? 0 : (uint32_t)result;
    return result < 0 ? NULL : pcre2_get_ovector_pointer(grammar->match);
}

/* Empty if the group has not matched. */
static struct span group(struct span text, const size_t *offsets, size_t number)
{
    size_t start = offsets[2 * number];
    bool is_set = start != PCRE2_UNSET;
    return (struct span){text.at + (is_set ? start : 0),
                         is_set ? offsets[2 * number + 1] - start : 0};
}

/* Whether "info: prof: ", by far the most frequent keyword, has the 'f' of "prof" there. */
static bool is_record_keyword(struct span text, size_t f)
{
    static const char keyword[] = "info: prof: ";
    enum { BEFORE = 9, LENGTH = sizeof keyword - 1 };
    return f >= BEFORE && text.length - f >= LENGTH - BEFORE &&
           memcmp(text.at + f - BEFORE, keyword, LENGTH) == 0;
}

/*
 * The same for PATTERN_KEYWORD. Without a JIT, PCRE2 would try it at each 'r' and each 'o'. Its
 * third byte is less frequent: "rof", "ock" and "ook" are looked for here, and the pattern tried
 * there.
 */
static const size_t *match_keyword(struct grammar *grammar, struct span text, size_t from,
                                   uint32_t options)
{
    if (grammar->has_jit)
        return match(grammar, PATTERN_KEYWORD, text, from, options);
    for (size_t third = from + 2; third < text.length; third++) {
        const char *found = bytes_find_either(text.at + third, 'f', 'k', text.length - third);
        if (found == NULL)
            return NULL;
        third = (size_t)(found - text.at);
        if (is_record_keyword(text, third)) {
            size_t *offsets = pcre2_get_ovector_pointer(grammar->match);
            offsets[0] = third - strlen("ro");
            offsets[1] = third + strlen("f: ");
            return offsets;
        }
        bool is_start = *found == 'f' ? found[-1] == 'o' && found[-2] == 'r'
                                      : (found[-1] == 'o' || found[-1] == 'c') && found[-2] == 'o';
        const size_t *offsets =
            is_start ? match(grammar, PATTERN_KEYWORD, text, third - 2, options | PCRE2_ANCHORED)
                     : NULL;
        if (offsets != NULL)
            return offsets;
    }
    return NULL;
}

enum grammar_keyword grammar_find_keyword(struct grammar *grammar, const char *text, size_t length,
                                          size_t from, bool is_line_start, size_t *at,
                                          size_t *after)
{
    const size_t *offsets =
        match_keyword(grammar, (struct span){text, length}, from, is_line_start ? 0 : PCRE2_NOTBOL);
    if (offsets == NULL)
        return GRAMMAR_NOTHING;
    /* "rof", "ock" or "ook": see PATTERN_KEYWORD. */
    const char *found = text + offsets[0];
    bool is_benchmark = found[1] == 'c';
    *at = offsets[0] - (is_benchmark ? strlen("wallcl") : 1);
    *after = offsets[1];
    if (found[0] == 'o')
        return is_benchmark ? GRAMMAR_BENCHMARK : GRAMMAR_HOOK;
    return text[offsets[1] - 1] == ' ' ? GRAMMAR_RECORD : GRAMMAR_RECORDING_START;
}

bool grammar_find_mount(struct grammar *grammar, const char *text, size_t length, size_t *from,
                        struct span *directory, struct span *mount_point)
{
    struct span all = {text, length};
    const size_t *offsets = match(grammar, PATTERN_MOUNT, all, *from, 0);
    if (offsets == NULL)
        return false;
    *from = offsets[1];
    *directory = group(all, offsets, 1);
    *mount_point = group(all, offsets, 2);
    return true;
}

bool grammar_continues(struct grammar *grammar, struct span line, size_t indentation,
                       size_t *text_start)
{
    const size_t *offsets = match(grammar, PATTERN_SEVERITY, line, 0, 0);
    if (offsets == NULL)
        return false;
    size_t blanks = 0;
    while (blanks < line.length && blanks < indentation && line.at[blanks] == ' ')
        blanks++;
    bool is_info = offsets[2] != PCRE2_UNSET;
    bool is_other_severity = offsets[4] != PCRE2_UNSET;
    *text_start = is_info ? offsets[1] : blanks;
    return !is_other_severity;
}

/* Plain code, because each record has totals. A text with a ',' in it is not a number. */
bool grammar_totals(struct grammar *grammar, struct span text, size_t *stack_length,
                    struct stack *stack)
{
    enum { FLAGS = sizeof ",t,f" - 1 };
    const char *semicolon = bytes_find_last(text.at, ';', text.length);
    if (semicolon == NULL)
        return false;
    *stack_length = (size_t)(semicolon - text.at);
    struct span seconds = span_from(text, *stack_length + 1);
    while (seconds.length > 0 && memchr(" \t\r", seconds.at[seconds.length - 1], 3) != NULL)
        seconds.length--;
    if (seconds.length < FLAGS)
        return false;
    seconds.length -= FLAGS;
    const char *flags = seconds.at + seconds.length;
    stack->on_main = flags[1] == 't';
    stack->on_coroutine = flags[3] == 't';
    if (flags[0] != ',' || flags[2] != ',' || (!stack->on_main && flags[1] != 'f') ||
        (!stack->on_coroutine && flags[3] != 'f') ||
        !number_count(span_take(&seconds, ','), &stack->calls))
        return false;
    stack->total_ns = 0;
    stack->has_time = number_seconds(seconds, &stack->total_ns);
    return stack->has_time || number_is_decimal(seconds) ||
           match(grammar, PATTERN_NOT_FINITE, seconds, 0, 0) != NULL;
}

bool grammar_recorder_line(struct grammar *grammar, struct span text,
                           struct grammar_recorder_line *line)
{
    if (text.length == 0 || text.at[0] != '$')
        return false;
    const size_t *offsets = match(grammar, PATTERN_RECORDER_LINE, text, 0, 0);
    if (offsets == NULL)
        return false;
    line->run = group(text, offsets, 2);
    line->kind = group(text, offsets, 4);
    line->text = group(text, offsets, 5);
    line->length = text.length;
    return number_count(group(text, offsets, 1), &line->version) &&
           number_count(group(text, offsets, 3), &line->number);
}

bool grammar_fields(struct grammar *grammar, enum grammar_fields which, struct span text,
                    struct span fields[GRAMMAR_FIELDS_MAX])
{
    enum pattern pattern = (enum pattern)((int)PATTERN_FIELDS + (int)which);
    const size_t *offsets = match(grammar, pattern, text, 0, 0);
    if (offsets == NULL)
        return false;
    uint32_t count = 0;
    pcre2_pattern_info(grammar->codes[pattern], PCRE2_INFO_CAPTURECOUNT, &count);
    for (size_t i = 0; i < count; i++)
        fields[i] = group(text, offsets, i + 1);
    return true;
}

bool grammar_benchmark(struct grammar *grammar, enum grammar_fields which, struct span text,
                       struct benchmark *benchmark)
{
    struct span fields[GRAMMAR_FIELDS_MAX];
    if (!grammar_fields(grammar, which, text, fields) ||
        !number_seconds(fields[0], &benchmark->from_ns) ||
        !number_seconds(fields[1], &benchmark->to_ns) ||
        !number_seconds(fields[2], &benchmark->time_ns))
        return false;
    benchmark->to_ns += which == FIELDS_WALLCLOCK ? benchmark->from_ns : 0;
    return true;
}

static const char *const quote_marks[][2] = {{"\"", "\""},
                                             {"'", "'"},
                                             {"`", "`"},
                                             {"\xe2\x80\x9c", "\xe2\x80\x9d"},
                                             {"\xe2\x80\x98", "\xe2\x80\x99"}};
enum { QUOTE_MARKS = sizeof quote_marks / sizeof quote_marks[0] };

/* Takes a mark, and a comma behind it, off a text before which the other one stands: the index of
 * the marks, or QUOTE_MARKS. */
static size_t take_mark(struct span before, struct span *text)
{
    size_t i = 0, comma = span_ends_with(*text, ",");
    struct span inner = {text->at, text->length - comma};
    while (i < QUOTE_MARKS &&
           !(span_ends_with(before, quote_marks[i][0]) && span_ends_with(inner, quote_marks[i][1])))
        i++;
    if (i < QUOTE_MARKS)
        text->length = inner.length - strlen(quote_marks[i][1]);
    return i;
}

bool grammar_unquote(struct span before, struct span *text, struct text *plain)
{
    while (span_ends_with(before, " "))
        before.length--;
    size_t i = take_mark(before, text);
    if (i == QUOTE_MARKS)
        return false;
    if (i > 0)
        return true;
    text_cut(plain, 0);
    for (; i < text->length; i++) {
        text_put(plain, &text->at[i], 1);
        i += span_starts_with(span_from(*text, i), "\"\"");
    }
    *text = text_span(plain);
    return true;
}

bool grammar_is_warning(struct grammar *grammar, struct span line, size_t *text_start)
{
    const size_t *offsets = match(grammar, PATTERN_SEVERITY, line, 0, 0);
    *text_start = offsets != NULL ? offsets[1] : 0;
    return offsets != NULL && span_starts_like(group(line, offsets, 2), "w");
}

bool grammar_has_severity(struct grammar *grammar, struct span text, bool is_line_start)
{
    uint32_t options = is_line_start ? 0 : PCRE2_NOTBOL;
    return match(grammar, PATTERN_SEVERITY_LINE, text, 0, options) != NULL;
}

size_t grammar_severity_start(struct grammar *grammar, struct span text)
{
    enum { LONGEST = 80 };
    size_t from = text.length < LONGEST ? 0 : text.length - LONGEST;
    const size_t *offsets = match(grammar, PATTERN_SEVERITY_END, text, from, 0);
    return offsets != NULL ? offsets[0] : text.length;
}

bool grammar_find_game_line(struct grammar *grammar, struct span text, size_t *from,
                            bool is_line_start, enum game_line *kind, struct span *line,
                            struct span fields[GRAMMAR_FIELDS_MAX])
{
    const size_t *offsets =
        match(grammar, PATTERN_GAME_LINE, text, *from, is_line_start ? 0 : PCRE2_NOTBOL);
    if (offsets == NULL)
        return false;
    struct span rest = span_from(text, offsets[0]);
    *kind = game_lines[*pcre2_get_mark(grammar->match) - 'A'].kind;
    uint32_t set_count = grammar->group_count;
    for (size_t i = 0; i < GRAMMAR_FIELDS_MAX; i++)
        fields[i] = i + 1 < set_count ? group(text, offsets, i + 1) : (struct span){text.at, 0};
    *line = span_take(&rest, '\n');
    line->length -= span_ends_with(*line, "\r");
    /* A line of a list may be indented. */
    size_t indent = 0, opening;
    while (indent < line->length && line->at[indent] == ' ')
        indent++;
    opening = indent < line->length && line->at[indent] == '\xe2' ? 3 : 1;
    struct span before = {line->at, indent + opening}, inner = *line;
    if (line->length > before.length)
        take_mark(before, &inner);
    const char *end = inner.at + inner.length;
    for (size_t i = 0; i < GRAMMAR_FIELDS_MAX; i++)
        if (fields[i].at + fields[i].length > end && fields[i].at <= end)
            fields[i].length = (size_t)(end - fields[i].at);
    line->length = inner.length;
    *from = text.length - rest.length;
    return true;
}

void grammar_fold(struct grammar *grammar, struct span message, struct text *folded)
{
    const size_t *offsets;
    size_t from = 0;
    while ((offsets = match(grammar, PATTERN_FOLDED, message, from, 0)) != NULL) {
        text_put(folded, message.at + from, offsets[0] - from);
        text_put_string(folded, group(message, offsets, 1).length > 0 ? "'...'" : "N");
        from = offsets[1];
    }
    text_put_span(folded, span_from(message, from));
}

void grammar_fold_paths(struct grammar *grammar, struct span message, struct text *folded,
                        struct span *path, size_t *path_at)
{
    const size_t *offsets;
    size_t from = 0;
    *path = (struct span){message.at, 0};
    *path_at = 0;
    while ((offsets = match(grammar, PATTERN_FOLDED_PATHS, message, from, 0)) != NULL) {
        text_put(folded, message.at + from, offsets[0] - from);
        struct span quoted = group(message, offsets, 1), bare = group(message, offsets, 2);
        struct span found = quoted.length > 0 ? quoted : bare;
        bool is_name = group(message, offsets, 3).length > 0;
        if (path->length == 0 && found.length > 0) {
            *path = found;
            *path_at = folded->length;
        }
        text_put_string(folded, found.length > 0 ? "..." : is_name ? "'...'" : "N");
        from = offsets[1];
    }
    text_put_span(folded, span_from(message, from));
}

static bool ends_in_script_suffix(struct span text)
{
    return span_ends_like(text, ".lua") || span_ends_like(text, ".bp");
}

static bool is_path(struct span source)
{
    return source.length > 0 && (source.at[0] == '@' || source.at[0] == '=');
}

/*
 * The rules for where a frame ends. A candidate is `,line,name,line` before a
 * ';' or the end of the stack; `rest` is what follows it.
 *
 * - "=[C]" and the like: the first candidate.
 * - "@path": the first candidate after a .lua or .bp; for other files the first
 *   that is followed by the end or by something that begins like a source.
 * - The text of a chunk, which may hold anything: the first candidate that is
 *   followed by the end or by something that begins like a source, or by the
 *   same text again (a function inside the chunk), or that has line 0, which
 *   only a chunk itself has.
 */
static bool ends_frame(const struct grammar_frame *frame, struct span rest)
{
    struct span source = frame->source;
    char kind = source.length > 0 ? source.at[0] : '\0';
    if (kind == '=' || (kind == '@' && ends_in_script_suffix(source)))
        return true;
    if (rest.length < 2 || rest.at[1] == '@' || rest.at[1] == '=')
        return true;
    if (kind == '@')
        return false;
    struct span next = span_from(rest, 1);
    return frame->line_defined == 0 ||
           (next.length > source.length && next.at[source.length] == ',' &&
            memcmp(next.at, source.at, source.length) == 0);
}

/* Whether the bytes can be a source, not parts that damage has joined. */
static bool is_source(struct grammar *grammar, struct span source)
{
    /* A chunk never begins with ';', since a statement cannot. */
    if (source.length == 0 || source.at[0] == ';')
        return false;
    enum pattern impossible = is_path(source) ? PATTERN_NO_PATH : PATTERN_NO_CHUNK;
    return match(grammar, impossible, source, 0, 0) == NULL;
}

size_t grammar_work(struct span stack)
{
    enum { WORK_MIN = 1 << 20, WORK_PER_BYTE = 64 };
    return WORK_MIN + WORK_PER_BYTE * stack.length;
}

static bool spend(size_t *work_left, size_t bytes)
{
    *work_left = *work_left < bytes ? 0 : *work_left - bytes;
    return *work_left > 0;
}

static bool read_tail(struct grammar *grammar, enum pattern tail, struct span stack, size_t start,
                      size_t from, size_t *work_left, struct grammar_frame *frame,
                      size_t *candidate)
{
    const size_t *offsets = match(grammar, tail, stack, from, 0);
    if (!spend(work_left, (offsets == NULL ? stack.length : offsets[1]) - from) ||
        offsets == NULL || !number_line(group(stack, offsets, 1), &frame->line_defined) ||
        !number_line(group(stack, offsets, 3), &frame->current_line))
        return false;
    *candidate = offsets[0];
    frame->end = offsets[1];
    frame->source = (struct span){stack.at + start, offsets[0] - start};
    frame->name = group(stack, offsets, 2);
    return true;
}

/*
 * Returns the stack up to the last possible end of a frame that begins at `from`, with the ';'
 * there: a path and the name after it never contain the text that begins the next path.
 */
static struct span up_to_next_path(struct span stack, size_t from)
{
    const char *end = stack.at + stack.length;
    const char *at = stack.at + from;
    if (!is_path((struct span){at, stack.length - from}))
        return stack;
    while ((at = memchr(at, ';', (size_t)(end - at))) != NULL) {
        at++;
        if (at < end && (*at == '@' || *at == '='))
            return (struct span){stack.at, (size_t)(at - stack.at)};
    }
    return stack;
}

static bool take_last_field(struct span *text, struct span *field)
{
    const char *comma = bytes_find_last(text->at, ',', text->length);
    if (comma == NULL)
        return false;
    size_t length = (size_t)(comma - text->at);
    *field = span_from(*text, length + 1);
    text->length = length;
    return true;
}

static bool take_last_line(struct span *text, int32_t *line)
{
    enum { DIGITS_MAX = 10 };
    struct span field;
    if (!take_last_field(text, &field))
        return false;
    struct span digits = span_from(field, span_starts_with(field, "-"));
    bool is_number = digits.length > 0 && digits.length <= DIGITS_MAX;
    for (size_t i = 0; i < digits.length; i++)
        is_number &= digits.at[i] >= '0' && digits.at[i] <= '9';
    return is_number && number_line(field, line);
}

/*
 * Reads the frame that begins at `from` if no reading but one is possible, as of nearly all frames:
 * its source is a path of a script, or "=[C]" and the like, without ',', and no ';' is in it. Then
 * the patterns say the same, and take six times as long.
 */
static bool read_usual_frame(struct span stack, size_t from, struct grammar_frame *frame)
{
    struct span rest = span_from(stack, from), text = span_take(&rest, ';');
    frame->end = from + text.length;
    frame->is_context_free = true;
    if (memchr(text.at, '\n', text.length) != NULL ||
        !take_last_line(&text, &frame->current_line) || !take_last_field(&text, &frame->name) ||
        !take_last_line(&text, &frame->line_defined))
        return false;
    frame->source = text;
    if (!is_path(text) || memchr(text.at, ',', text.length) != NULL ||
        (text.at[0] == '@' && !ends_in_script_suffix(text)))
        return false;
    /* "prof: " in a source is damage. */
    while (text.length > 0 && text.at[0] != ' ')
        span_take(&text, ':');
    return text.length == 0;
}

bool grammar_frame(struct grammar *grammar, struct span stack, size_t from, size_t *work_left,
                   struct grammar_frame *frame)
{
    if (read_usual_frame(stack, from, frame))
        return spend(work_left, frame->end - from + frame->source.length);
    size_t candidate = from;
    struct span near = up_to_next_path(stack, from);
    for (size_t next = from;
         read_tail(grammar, PATTERN_FRAME_TAIL, near, from, next, work_left, frame, &candidate);
         next = candidate + 1) {
        struct span rest = {stack.at + frame->end, stack.length - frame->end};
        if (!ends_frame(frame, rest))
            continue;
        frame->is_context_free = is_path(frame->source) && (frame->source.at[0] == '=' ||
                                                            ends_in_script_suffix(frame->source));
        if (spend(work_left, frame->source.length) && is_source(grammar, frame->source))
            return true;
        break;
    }
    frame->is_context_free = false;
    return read_tail(grammar, PATTERN_LOOSE_TAIL, near, from, from, work_left, frame, &candidate) &&
           is_source(grammar, frame->source);
}
