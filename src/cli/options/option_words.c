#include "cli/options/option_words.h"

#include "cli/options/options.h"
#include "report/figures/report_format.h"
#include "report/formats.h"

static bool format_at(size_t index, struct option_word *word)
{
    const struct report_format *format = formats[index];
    if (format != NULL)
        *word = (struct option_word){format->name, (int)index, format->summary, NULL};
    return format != NULL;
}

static bool column_at(size_t index, struct option_word *word)
{
    if (index >= COLUMN_KIND_COUNT)
        return false;
    const struct column_info *column = &column_infos[index];
    *word = (struct option_word){column->word, (int)index, column->text, column->alias};
    return true;
}

static bool sort_key_at(size_t index, struct option_word *word)
{
    size_t key_count = 0;
    for (size_t i = 0; column_at(i, word); i++)
        if (column_infos[i].is_sort_key && key_count++ == index)
            return true;
    return false;
}

static const struct option_word by_words[] = {
    {"function", BY_FUNCTION, "a function", NULL},
    {"file", BY_FILE, "all functions of one source file, with the C functions that they call",
     NULL},
    {"mod", BY_MOD, "all functions of one mod, of one map, or of the game itself", NULL},
    {"line", BY_LINE, "a line that makes calls: the calls and times of what it calls", NULL},
    {"stack", BY_STACK, "a call stack: a chain of functions, the first caller first", NULL},
    {"thread", BY_THREAD, "the function that a thread or an engine callback began with", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word c_functions_words[] = {
    {"caller", C_OF_CALLER, "that of the function that called them", NULL},
    {"own", C_OWN, "one of their own, '[C]'", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word state_words[] = {
    {"first", LUA_STATE_FIRST, "that of the first recording", NULL},
    {"sim", LUA_STATE_SIM, "the sim", NULL},
    {"ui", LUA_STATE_UI, "the user interface", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word thread_words[] = {
    {"main", NODE_MAIN, "stacks that ran on the main thread", NULL},
    {"coroutine", NODE_COROUTINE, "stacks that ran in coroutines", NULL},
    {"all", NODE_MAIN | NODE_COROUTINE, "all stacks", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word normalize_words[] = {
    {"call", NORMALIZE_CALLS, "as many calls in each row as now", NULL},
    {"tick", NORMALIZE_TICKS, "as many ticks as now; scales calls, errors and memory, too", NULL},
    {"total", NORMALIZE_TOTALS, "the same time in total as now", NULL},
    {"none", NORMALIZE_NOTHING, "nothing is scaled", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word metric_words[] = {
    {"time", METRIC_TIME, "self time", NULL},
    {"calls", METRIC_CALLS, "calls", NULL},
    {"errors", METRIC_ERRORS, "calls that an error ended; recordings only", NULL},
    {"heap", METRIC_ALLOC, "heap growth in KB; recordings with memory only", "alloc"},
    {NULL, 0, NULL, NULL},
};
static const struct option_word orientation_words[] = {
    {"icicle", ORIENTATION_ICICLE, "root at the top", NULL},
    {"flame", ORIENTATION_FLAME, "root at the bottom", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word unit_words[] = {
    {"ns", UNIT_NS, "nanoseconds", NULL},
    {"us", UNIT_US, "microseconds", NULL},
    {"ms", UNIT_MS, "milliseconds", NULL},
    {"s", UNIT_S, "seconds", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word path_words[] = {
    {"short", PATHS_SHORT, "where a file lies inside the game, with /", NULL},
    {"full", PATHS_FULL, "as in the log, without the @ in front", NULL},
    {NULL, 0, NULL, NULL},
};
/* For texts only: apply_overhead() reads them, and pairs of numbers. */
static const struct option_word overhead_words[] = {
    {"auto", 0, "subtract what a recording has measured itself", NULL},
    {"off", 0, "leave the times as they were measured", NULL},
    {"IN,OUT", 0, "subtract so many microseconds per call in the callee and in the caller", NULL},
    {NULL, 0, NULL, NULL},
};
static const struct option_word when_words[] = {
    {"auto", WHEN_AUTO, "on a terminal only", NULL},
    {"always", WHEN_ALWAYS, "in files and pipes, too", NULL},
    {"never", WHEN_NEVER, "nowhere", NULL},
    {NULL, 0, NULL, NULL},
};

const struct option_words words_of_format = {.at = format_at};
const struct option_words words_of_columns = {.at = column_at};
const struct option_words words_of_by = {.array = by_words};
const struct option_words words_of_sort = {.at = sort_key_at};
const struct option_words words_of_state = {.array = state_words};
const struct option_words words_of_thread = {.array = thread_words};
const struct option_words words_of_c_functions = {.array = c_functions_words};
const struct option_words words_of_normalize = {.array = normalize_words};
const struct option_words words_of_metric = {.array = metric_words};
const struct option_words words_of_orientation = {.array = orientation_words};
const struct option_words words_of_unit = {.array = unit_words};
const struct option_words words_of_paths = {.array = path_words};
const struct option_words words_of_overhead = {.array = overhead_words};
const struct option_words words_of_when = {.array = when_words};

bool option_words_at(const struct option_words *words, size_t index, struct option_word *word)
{
    if (words->at != NULL)
        return words->at(index, word);
    *word = words->array[index];
    return word->word != NULL;
}

void option_words_put(struct text *text, const struct option_words *words, const char *between)
{
    struct option_word word;
    for (size_t i = 0; option_words_at(words, i, &word); i++) {
        text_printf(text, "%s%s", i > 0 ? between : "", word.word);
    }
}

bool option_words_find(const struct option_words *words, const char *wanted, int *value)
{
    struct option_word word;
    for (size_t i = 0; option_words_at(words, i, &word); i++)
        if (strcmp(word.word, wanted) == 0 ||
            (word.alias != NULL && strcmp(word.alias, wanted) == 0)) {
            *value = word.value;
            return true;
        }
    return false;
}
