/*
 * Which threads did an error end, and with what error? What the game's log says of such an error. A
 * row of its errors is of the function that begins last before its line, in the same file.
 */
#include "base/number.h"
#include "report/sentences/finder.h"
#include "report/sentences/findings.h"

/* An error of a function that is no callee is one that nothing has caught. */
uint64_t *ended_threads_count(const struct tree *tree, uint32_t function_count)
{
    uint64_t *threads = mem_zeroed(function_count, sizeof *threads);
    for (uint32_t node = TREE_ROOT + 1; tree->details != NULL && node < tree->node_count; node++)
        if (tree->calls[node].parent == TREE_ROOT && (tree->flags[node] & NODE_COROUTINE) != 0)
            threads[tree->calls[node].function] += tree->details[node].errors;
    return threads;
}

static double measure_ended_threads(struct finder *finder, struct finding *finding)
{
    SCOPED_ARRAY uint64_t *threads =
        ended_threads_count(finder->report->tree, finder->function_count);
    uint64_t most = 0;
    for (uint32_t i = 0; i < finder->function_count; i++)
        if (threads[i] > most && !function_is_unfit(finder->report, i)) {
            finding->function = i;
            most = threads[i];
        }
    if (most > 0)
        finding->time_ns = finder->sums[finding->function].self_ns;
    finding_add(finding, "threads", (double)most);
    return (double)most;
}

/* Whether a path of the game's log, with either slash and perhaps cut at its start, is of a file.
 */
static bool is_path_of(struct span path, struct span file)
{
    if (file.length == 0 || path.length < file.length)
        return false;
    struct span end = span_from(path, path.length - file.length);
    char before = path.length > file.length ? end.at[-1] : '/';
    if (before != '/' && before != '\\' && before != '.')
        return false;
    for (size_t i = 0; i < file.length; i++) {
        char byte = end.at[i] == '\\' ? '/' : end.at[i];
        if (!span_is_alike((struct span){&byte, 1}, (struct span){file.at + i, 1}))
            return false;
    }
    return true;
}

/* Splits "...\\sim\\unit.lua(30)" or "/lua/sim/unit.lua:30". */
static bool split_place(struct span place, struct span *path, int32_t *line)
{
    struct span number;
    place.length -= span_ends_with(place, ")");
    size_t start = place.length;
    while (start > 0 && place.at[start - 1] >= '0' && place.at[start - 1] <= '9')
        start--;
    number = span_from(place, start);
    *path = (struct span){place.at, start > 0 ? start - 1 : 0};
    return number_line(number, line);
}

/* Returns TREE_NONE if no function has the line. */
static uint32_t function_at(const struct finder *finder, struct span place)
{
    const struct labels *labels = finder->report->labels;
    const struct function *functions = finder->profile->symbols.functions;
    struct span path;
    int32_t line;
    uint32_t best = TREE_NONE;
    if (!split_place(place, &path, &line))
        return TREE_NONE;
    for (uint32_t i = 0; i < finder->function_count; i++)
        if (functions[i].is_used && functions[i].line >= 0 && functions[i].line <= line &&
            (best == TREE_NONE || functions[i].line > functions[best].line) &&
            is_path_of(path, labels_text(labels, labels->of[i].file)))
            best = i;
    return best;
}

/* How many errors ended calls of a function in threads that began with the other. */
static uint64_t count_errors(const struct finder *finder, uint32_t function, uint32_t root)
{
    const struct tree *tree = finder->report->tree;
    SCOPED_ARRAY bool *is_below = mem_zeroed(tree->node_count, sizeof *is_below);
    uint64_t count = 0;
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        is_below[node] =
            call->parent == TREE_ROOT ? call->function == root : is_below[call->parent];
        if (is_below[node] && call->function == function)
            count += tree->details[node].errors;
    }
    return count;
}

/* Whether an error of the log ended threads of a finding; without a place, whether it may have. */
static bool may_end(const struct finder *finder, const struct finding *finding,
                    const struct game_log *game_log, const struct game_log_error *error)
{
    struct span place = intern_get(&game_log->texts, error->place);
    if (place.length == 0)
        return (double)error->count >= finding_number(finding, "threads");
    uint32_t function = function_at(finder, place);
    return function != TREE_NONE && count_errors(finder, function, finding->function) > 0;
}

/*
 * Appends the error of the log that ended most of the threads, or else the most frequent one
 * without a place; of rare ones nothing is said.
 */
static void put_error(const struct finder *finder, const struct finding *finding,
                      const struct game_log *game_log, struct text *text)
{
    enum { RARE_PARTS = 50, MESSAGE_BYTES = 200 };
    const struct game_log_error *most[2] = {NULL, NULL}; /* with a place, without */
    uint64_t all = 0;
    for (uint32_t i = 0; i < game_log->row_count; i++)
        all += game_log->errors[i].count;
    for (uint32_t i = 0; i < game_log->row_count; i++) {
        const struct game_log_error *error = &game_log->errors[i];
        bool has_no_place = intern_get(&game_log->texts, error->place).length == 0;
        const struct game_log_error **best = &most[has_no_place];
        if (error->count > all / RARE_PARTS && (*best == NULL || error->count > (*best)->count) &&
            may_end(finder, finding, game_log, error))
            *best = error;
    }
    const struct game_log_error *error = most[0] != NULL ? most[0] : most[1];
    if (error == NULL)
        return;
    if (error == most[1])
        text_printf(text,
                    ", perhaps with what the log has %s without a place: ",
                    amount_things(error->count, "time", "times").at);
    else
        text_put_string(
            text,
            (double)error->count >= finding_number(finding, "threads") ? ": " : ", most often: ");
    text_put_clean(text, intern_get(&game_log->texts, error->place), false);
    text_put_string(text, error == most[1] ? "" : ": ");
    text_put_clean(
        text, text_start(intern_get(&game_log->texts, error->message), MESSAGE_BYTES), false);
}

static void put_ended_threads(const struct finder *finder, const struct finding *finding,
                              struct text *text)
{
    const struct game_logs *logs = &finder->profile->game_logs;
    text_printf(text,
                "%s threads that began in %s ended with an error that nothing caught",
                finding_count(finder, finding, "threads").at,
                finder_name(finder, finding->function));
    if (logs->count == 1)
        put_error(finder, finding, &logs->all[0].log, text);
}

const struct finding_row finding_ended_threads = {
    .name = "ended-threads",
    .measure = measure_ended_threads,
    .least = 10, /* threads */
    .put = put_ended_threads,
    .option = "--sort errors",
    .count = "threads",
    .is_no_share = true,
};
