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

const struct option_words words_of_by = {
    .array = {
        {"function", BY_FUNCTION, "a function", NULL},
        {"file", BY_FILE, "all functions of one source file, with the C functions that they call",
         NULL},
        {"mod", BY_MOD, "all functions of one mod, of one map, or of the game itself", NULL},
        {"line", BY_LINE, "a line that makes calls: the calls and times of what it calls", NULL},
        {"stack", BY_STACK, "a call stack: a chain of functions, the first caller first", NULL},
        {"thread", BY_THREAD, "the function that a thread or an engine callback began with", NULL},
    }};
const struct option_words words_of_c_functions = {
    .array = {
        {"caller", C_OF_CALLER, "that of the function that called them", NULL},
        {"own", C_OWN, "one of their own, '[C]'", NULL},
    }};
const struct option_words words_of_state = {
    .array = {
        {"first", LUA_STATE_FIRST, "that of the first recording", NULL},
        {"sim", LUA_STATE_SIM, "the sim", NULL},
        {"ui", LUA_STATE_UI, "the user interface", NULL},
    }};
const struct option_words words_of_thread = {
    .array = {
        {"main", NODE_MAIN, "stacks that ran on the main thread", NULL},
        {"coroutine", NODE_COROUTINE, "stacks that ran in coroutines", NULL},
        {"all", NODE_MAIN | NODE_COROUTINE, "all stacks", NULL},
    }};
const struct option_words words_of_normalize = {
    .array = {
        {"call", NORMALIZE_CALLS, "as many calls in each row as now", NULL},
        {"tick", NORMALIZE_TICKS, "as many ticks as now; scales calls, errors and memory, too",
         NULL},
        {"total", NORMALIZE_TOTALS, "the same time in total as now", NULL},
        {"none", NORMALIZE_NOTHING, "nothing is scaled", NULL},
    }};
const struct option_words words_of_metric = {
    .array = {
        {"time", METRIC_TIME, "self time", NULL},
        {"calls", METRIC_CALLS, "calls", NULL},
        {"errors", METRIC_ERRORS, "calls that an error ended; recordings only", NULL},
        {"heap", METRIC_ALLOC, "heap growth in KB; recordings with memory only", "alloc"},
    }};
const struct option_words words_of_orientation = {
    .array = {
        {"icicle", ORIENTATION_ICICLE, "root at the top", NULL},
        {"flame", ORIENTATION_FLAME, "root at the bottom", NULL},
    }};
const struct option_words words_of_unit = {.array = {
                                               {"ns", UNIT_NS, "nanoseconds", NULL},
                                               {"us", UNIT_US, "microseconds", NULL},
                                               {"ms", UNIT_MS, "milliseconds", NULL},
                                               {"s", UNIT_S, "seconds", NULL},
                                           }};
const struct option_words words_of_paths = {
    .array = {
        {"short", PATHS_SHORT, "where a file lies inside the game, with /", NULL},
        {"full", PATHS_FULL, "as in the log, without the @ in front", NULL},
    }};
/* For texts only: apply_overhead() reads them, and pairs of numbers. */
const struct option_words words_of_overhead = {
    .array = {
        {"auto", 0, "subtract what a recording has measured itself", NULL},
        {"off", 0, "leave the times as they were measured", NULL},
        {"IN,OUT", 0, "subtract so many microseconds per call in the callee and in the caller",
         NULL},
    }};
const struct option_words words_of_when = {
    .array = {
        {"auto", WHEN_AUTO, "on a terminal only", NULL},
        {"always", WHEN_ALWAYS, "in files and pipes, too", NULL},
        {"never", WHEN_NEVER, "nowhere", NULL},
    }};

const struct option_words words_of_format = {.at = format_at};
const struct option_words words_of_columns = {.at = column_at};
const struct option_words words_of_sort = {.at = sort_key_at};

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
