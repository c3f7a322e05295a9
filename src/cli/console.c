#include "cli/console.h"

#include "base/mem.h"
#include "cli/checks.h"
#include "platform/clock.h"
#include "platform/file.h"
#include "platform/terminal.h"
#include "report/text/wrap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DAMAGE_LINES_MAX = 10,
    OTHER_FUNCTIONS_MAX = 20,
    OTHER_NAMES_MAX = 5,
    PROGRESS_INTERVAL_NS = 100 * 1000 * 1000
};

static void erase_progress(struct console *console)
{
    if (console->has_progress_line)
        fputs("\r\x1b[K", stderr);
    console->has_progress_line = false;
}

void console_say(struct console *console, const char *message)
{
    struct text text = {0}, lines = {0};
    const struct wrap wrap = {.width = terminal_width(FILE_STANDARD_ERROR), .indent = 2};
    erase_progress(console);
    text_put_string(&text, "supprof: ");
    text_put_clean(&text, (struct span){message, strlen(message)}, false);
    wrap_put(&lines, &wrap, text_span(&text));
    if (console->is_held)
        text_put(&console->held, lines.at, lines.length);
    else
        fwrite(lines.at, 1, lines.length, stderr);
    text_release(&text);
    text_release(&lines);
}

void console_hold(struct console *console)
{
    console->is_held = true;
}

void console_let_go(struct console *console)
{
    fwrite(text_span(&console->held).at, 1, console->held.length, stderr);
    text_release(&console->held);
    console->held = (struct text){0};
    console->is_held = false;
}

void console_damage(void *context, const char *path, uint64_t line, const char *what)
{
    struct console *console = context;
    console->damage_count++;
    if (console->options->is_quiet ||
        (console->damage_count > DAMAGE_LINES_MAX && !console->options->is_verbose))
        return;
    struct error message;
    error_set(&message, "%s:%llu: damaged: %s", path, (unsigned long long)line, what);
    console_say(console, message.text);
}

void console_progress(void *context, const char *path, double done, uint64_t bytes)
{
    struct console *console = context;
    int64_t now_ns = clock_now_ns();
    if (now_ns - console->last_progress_ns < PROGRESS_INTERVAL_NS)
        return;
    console->last_progress_ns = now_ns;
    struct error line;
    if (done >= 0)
        error_set(&line, "%.60s: %.0f%%", path, 100 * done);
    else
        error_set(&line, "%.60s: %llu MB", path, (unsigned long long)(bytes / 1000000));
    fputs("\r\x1b[K", stderr);
    console->has_progress_line = false;
    struct text text = {0};
    text_put_clean(&text, (struct span){line.text, strlen(line.text)}, false);
    fwrite(text.at, 1, text.length, stderr);
    text_release(&text);
    console->has_progress_line = true;
}

void console_stopped(struct console *console, const struct profile *profile, const char *path,
                     uint64_t bytes_before, size_t logs_left)
{
    struct text text = {0};
    double read_part = profile->read_part;
    bool is_whole = read_part >= 1;
    if (is_whole && logs_left == 0)
        return;
    text_put_string(&text, "Ctrl-C ended the reading ");
    text_printf(&text, is_whole ? "after " : "of ");
    text_put_string(&text, strcmp(path, "-") == 0 ? "standard input" : path);
    if (!is_whole)
        text_printf(&text, " after %.1f MB", (double)(profile->counts.bytes - bytes_before) / 1e6);
    if (!is_whole && read_part >= 0)
        text_printf(&text, " (%.0f%%)", floor(100 * read_part));
    if (logs_left > 0) {
        text_put_string(&text, "; not read: ");
        report_put_count(&text, logs_left, "more log", "more logs");
    }
    text_put_string(&text, "; the report is of the part that was read");
    text_put(&text, "", 1);
    console_say(console, text.at);
    text_release(&text);
}

void console_end_reading(struct console *console)
{
    erase_progress(console);
    const struct options *options = console->options;
    if (options->is_quiet || options->is_verbose || console->damage_count <= DAMAGE_LINES_MAX)
        return;
    struct error message;
    error_set(&message, "%llu more damaged records were skipped (--verbose lists them)",
              (unsigned long long)(console->damage_count - DAMAGE_LINES_MAX));
    console_say(console, message.text);
}

void console_problem(void *context, const char *message)
{
    struct console *console = context;
    if (console->options->is_verbose && !console->options->is_quiet)
        console_say(console, message);
}

/* A function with several names. */
struct several {
    struct span path;
    int32_t line;
    size_t first, count; /* in symbols->names */
};

static int compare_several(const void *left, const void *right)
{
    const struct several *a = left;
    const struct several *b = right;
    int order = labels_compare_texts(a->path, b->path);
    if (order == 0)
        order = a->line < b->line ? -1 : a->line > b->line;
    return order != 0 ? order : a->first < b->first ? -1 : 1;
}

/* Returns the used functions with several names, [*count], by place; the caller frees them. */
static struct several *find_several(const struct symbols *symbols, const struct paths *paths,
                                    size_t *count)
{
    struct several *all = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0, next; i < symbols->name_count; i = next) {
        uint32_t id = symbols->names[i].function;
        const struct function *function = &symbols->functions[id];
        size_t named = 0;
        for (next = i; next < symbols->name_count && symbols->names[next].function == id; next++)
            named += !symbols_is_no_name(symbols, symbols->names[next].name);
        if (!function->is_used || named < 2)
            continue;
        struct several several = {intern_get(&paths->texts, paths->shown[function->source]),
                                  function->line, i, named};
        all = mem_append(all, count, &capacity, &several, sizeof several);
    }
    if (*count > 0)
        qsort(all, *count, sizeof *all, compare_several);
    return all;
}

static void put_more(struct text *text, size_t count, const char *what)
{
    text_put_string(text, text->length > 0 ? " and " : "");
    text_put_grouped(text, count);
    text_put_string(text, what);
}

static void put_several(struct text *text, const struct symbols *symbols,
                        const struct several *several)
{
    text_put(text, several->path.at, several->path.length);
    text_printf(text, ":%d is called ", (int)several->line);
    for (size_t i = 0; i < several->count && i < OTHER_NAMES_MAX; i++) {
        const struct symbol_name *name = &symbols->names[several->first + i];
        text_put_string(text, i > 0 ? ", " : "");
        text_put_clean(text, intern_get(&symbols->strings, name->name), false);
        text_put_string(text, " (");
        text_put_grouped(text, name->calls);
        text_put_string(text, name->calls == 1 ? " call)" : " calls)");
    }
    if (several->count > OTHER_NAMES_MAX)
        put_more(text, several->count - OTHER_NAMES_MAX, " more");
}

void console_other_names(struct console *console, const struct symbols *symbols,
                         const struct paths *paths)
{
    if (console->options->is_quiet || !console->options->is_verbose)
        return;
    size_t count;
    struct several *all = find_several(symbols, paths, &count);
    struct text text = {0};
    for (size_t i = 0; i < count && i <= OTHER_FUNCTIONS_MAX; i++) {
        text.length = 0;
        if (i < OTHER_FUNCTIONS_MAX)
            put_several(&text, symbols, &all[i]);
        else
            put_more(&text, count - i, " more have several names");
        text_put(&text, "", 1);
        console_say(console, text.at);
    }
    text_release(&text);
    free(all);
}

/* Appends "; 1 file WHAT" or "; 2 files WHAT"; nothing for 0 files. */
static void put_files(struct text *text, uint32_t count, const char *what)
{
    if (count == 0)
        return;
    text_put_string(text, "; ");
    text_put_grouped(text, count);
    text_printf(text, "%s%s", count == 1 ? " file " : " files ", what);
}

void console_names(struct console *console, const struct names_counts *counts)
{
    const struct options *options = console->options;
    bool is_wrong = counts->unfit + counts->unreadable + counts->unreadable_directories > 0 ||
                    (counts->files == 0 && counts->missing > 0);
    if (options->is_quiet || (!options->is_verbose && !is_wrong))
        return;
    struct text text = {0};
    text_put_string(&text, "--lua-root: named ");
    text_put_grouped(&text, counts->named);
    text_put_string(&text, " of ");
    text_put_grouped(&text, counts->nameless);
    text_put_string(&text, counts->nameless == 1 ? " nameless function from "
                                                 : " nameless functions from ");
    text_put_grouped(&text, counts->files);
    text_put_string(&text, counts->files == 1 ? " file" : " files");
    put_files(&text, counts->missing, "not there");
    put_files(&text, counts->unfit, "of another version than the log");
    put_files(&text, counts->unreadable, "not readable");
    if (counts->unreadable_directories > 0) {
        text_put_string(&text, "; ");
        text_put_grouped(&text, counts->unreadable_directories);
        text_put_string(&text, counts->unreadable_directories == 1 ? " directory not readable"
                                                                   : " directories not readable");
    }
    if (counts->files + counts->unfit + counts->unreadable + counts->unreadable_directories == 0)
        text_put_string(&text, "; name the folder that has 'lua' in it, and unpack .scd archives");
    else if (counts->unfit + counts->unreadable + counts->unreadable_directories > 0 &&
             !options->is_verbose)
        text_put_string(&text, " (--verbose lists them)");
    text_put(&text, "", 1);
    console_say(console, text.at);
    text_release(&text);
}

static void put_time(struct text *text, int64_t ns)
{
    report_put_time(text, ns, UNIT_MS, 3);
    text_put_string(text, " ms");
}

static void put_losses(struct text *text, const struct profile *profile)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < profile->recordings.count; i++)
        lines += profile->recordings.all[i].missing_lines;
    if (lines == 0)
        return;
    text_put_string(text, "; ");
    text_put_grouped(text, lines);
    text_put_string(text, lines == 1 ? " line missing" : " lines missing");
}

static bool has_removed_costs(const struct profile *profile)
{
    bool is_removed = profile->costs.is_known;
    for (size_t i = 0; i < profile->recordings.count; i++)
        is_removed |= profile->runs[i].costs.is_known;
    return is_removed;
}

/* Prints whether the recording overhead was subtracted, and how much that was. */
static void put_costs(struct text *text, const struct profile *profile)
{
    double removed_ns = profile->delins_costs.removed_ns;
    double clamped_ns = profile->delins_costs.clamped_ns;
    for (size_t i = 0; i < profile->recordings.count; i++) {
        removed_ns += profile->runs[i].removed_ns;
        clamped_ns += profile->runs[i].clamped_ns;
    }
    if (!has_removed_costs(profile)) {
        text_put_string(text, "; recording overhead not subtracted");
        return;
    }
    text_put_string(text, "; recording overhead subtracted: ");
    put_time(text, (int64_t)llround(removed_ns));
    if (clamped_ns >= 500) {
        text_put_string(text, " (");
        put_time(text, (int64_t)llround(clamped_ns));
        text_put_string(text, " could not be)");
    }
}

void console_summary(struct console *console, const struct report *report)
{
    const struct profile *profile = report->profile;
    const struct options *options = console->options;
    bool has_files = false;
    for (size_t i = 0; i < options->output_count; i++)
        has_files |= strcmp(options->outputs[i].path, "-") != 0;
    if (options->is_quiet || (!has_files && !options->is_verbose))
        return;
    const struct profile_counts *counts = &profile->counts;
    struct text text = {0};
    text_put_string(&text, "read ");
    if (counts->records > 0 || counts->events == 0) {
        text_put_grouped(&text, counts->records);
        text_put_string(&text, counts->records == 1 ? " record, " : " records, ");
    }
    if (counts->events > 0) {
        text_put_grouped(&text, counts->events);
        text_put_string(&text, counts->events == 1 ? " event, " : " events, ");
    }
    put_time(&text, profile->tree.total_ns[TREE_ROOT]);
    text_put_string(&text, "; ");
    text_put_grouped(&text, counts->damaged);
    text_put_string(&text, " damaged skipped");
    if (counts->untimed > 0) {
        text_put_string(&text, "; ");
        text_put_grouped(&text, counts->untimed);
        text_put_string(&text, " without a usable time");
    }
    put_losses(&text, profile);
    put_costs(&text, profile);
    if (options->is_verbose) {
        text_put_string(&text, "; ");
        text_put_grouped(&text, counts->runs);
        text_put_string(&text, counts->runs == 1 ? " run, " : " runs, ");
        text_put_grouped(&text, report->totals.stacks);
        text_put_string(&text, " distinct stacks, ");
        text_put_grouped(&text, counts->bytes);
        text_put_string(&text, " bytes");
    }
    text_put(&text, "", 1);
    console_say(console, text.at);
    text_release(&text);
}

static void say_unmatched(struct console *console, const struct filter *filter)
{
    struct text text = {0};
    filter_put_name(&text, filter);
    text_put_string(&text, " matches no function");
    text_put(&text, "", 1);
    console_say(console, text.at);
    text_release(&text);
}

void console_filters(struct console *console)
{
    const struct filters *filters = &console->options->selection.filters;
    size_t of_files = 0, unmatched_of_files = 0;
    if (console->options->is_quiet)
        return;
    for (size_t i = 0; i < filters->count; i++) {
        const struct filter *filter = &filters->all[i];
        bool is_unmatched = filter->match_count == 0;
        of_files += filter->file != NULL;
        unmatched_of_files += filter->file != NULL && is_unmatched;
        if (is_unmatched && (filter->file == NULL || console->options->is_verbose))
            say_unmatched(console, filter);
    }
    if (unmatched_of_files == 0 || console->options->is_verbose)
        return;
    char message[128];
    snprintf(message, sizeof message,
             "%zu of the %zu patterns of --hide-file match no function (-v lists them)",
             unmatched_of_files, of_files);
    console_say(console, message);
}

/* Prints one message about an output. */
static void say_of(struct console *console, const char *name, const char *what)
{
    struct text text = {0};
    text_printf(&text, "%s: %s", name, what);
    text_put(&text, "", 1);
    console_say(console, text.at);
    text_release(&text);
}

/* Prints how many stacks were shortened in the list. */
static void say_listed(struct console *console, const char *name,
                       const struct listed_stacks *listed)
{
    struct text text = {0};
    double gigabytes = (double)listed->whole_bytes / 1e9;
    if (listed->folded_count == 0)
        return;
    report_put_count(&text, listed->folded_count, "stack", "stacks");
    text_printf(&text,
                " of more than %u frames %s a frame '(folded)' in the middle "
                "(--max-depth=0 writes all frames, about %.1f GB)",
                (unsigned)listed->depth_max, listed->folded_count == 1 ? "has" : "have", gigabytes);
    text_put(&text, "", 1);
    say_of(console, name, text.at);
    text_release(&text);
}

void console_all_frames(struct console *console, const struct listed_stacks *listed)
{
    struct error message;
    if (console->options->is_quiet || !console->options->selection.lists_all_frames ||
        !listed->is_too_long)
        return;
    error_set(&message, "all frames of all stacks take about %.1f GB, in each output that has them",
              (double)listed->whole_bytes / 1e9);
    console_say(console, message.text);
}

void console_result(struct console *console, const struct report *report, const char *path,
                    const struct report_result *result)
{
    bool is_file = strcmp(path, "-") != 0;
    const char *name = is_file ? path : "standard output";
    struct text text = {0};
    struct error why;
    if (console->options->is_quiet)
        return;
    if (is_file) {
        text_printf(&text, "wrote %s (", name);
        report_put_count(&text, result->count, result->one, result->many);
        text_put(&text, ")", 2);
        console_say(console, text.at);
        text.length = 0;
    }
    if (result->clamped_ns > 0) {
        put_time(&text, result->clamped_ns);
        text_put(&text, " of negative self times are written as 0", 41);
        say_of(console, name, text.at);
        text.length = 0;
    }
    if (result->truncated_count > 0) {
        report_put_count(&text, result->truncated_count, "stack is", "stacks are");
        text_put(&text, " too deep for viewers, and added to (truncated)", 48);
        say_of(console, name, text.at);
    }
    if (result->listed != NULL)
        say_listed(console, name, result->listed);
    if (result->lacks_timeline && !check_timeline_length(&report->profile->timeline, &why)) {
        text.length = 0;
        text_printf(&text, "written without a time line: %s", why.text);
        text_put(&text, "", 1);
        say_of(console, name, text.at);
    }
    if (result->has_timeline && has_removed_costs(report->profile))
        say_of(console, name, "the recording overhead is not subtracted from time lines");
    text_release(&text);
}
