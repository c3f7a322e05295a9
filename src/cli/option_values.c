#include "cli/option_values.h"

#include "base/mem.h"
#include "base/number.h"
#include "base/wildcard.h"
#include "cli/option_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_count(const char *option, const char *text, uint64_t max, uint64_t *count,
                       struct error *err)
{
    char *end;
    errno = 0;
    /* strtoull() would accept a sign and blanks. */
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > max)
        return error_set(err, "invalid value '%s' for --%s; give a whole number", text, option);
    *count = value;
    return true;
}

bool apply_output(struct options *options, const char *argument, struct error *err)
{
    (void)err;
    struct option_output output = {.path = argument};
    options->outputs = mem_append(options->outputs, &options->output_count,
                                  &options->output_capacity, &output, sizeof output);
    return true;
}

bool apply_lua_root(struct options *options, const char *argument, struct error *err)
{
    (void)err;
    options->lua_roots = mem_append(options->lua_roots, &options->lua_root_count,
                                    &options->lua_root_capacity, &argument, sizeof argument);
    return true;
}

bool apply_format(struct options *options, const char *argument, struct error *err)
{
    int index = 0;
    options->format = report_by_suffix(argument);
    if (options->format != NULL)
        return true;
    if (!option_words_find(&words_of_format, "format", argument, &index, err))
        return false;
    options->format = report_formats[index];
    return true;
}

bool apply_top(struct options *options, const char *argument, struct error *err)
{
    uint64_t count = 0;
    if (!read_count("top", argument, SIZE_MAX, &count, err))
        return false;
    options->has_top = true;
    options->row_limit = (size_t)count;
    return true;
}

bool apply_run(struct options *options, const char *argument, struct error *err)
{
    uint64_t run = 0;
    if (!read_count("run", argument, UINT32_MAX, &run, err))
        return false;
    if (run == 0)
        return error_set(err, "invalid value '0' for --run; runs are counted from 1");
    options->run = (uint32_t)run;
    return true;
}

/* Reads digits with a point, or none, that end at `end`. */
static bool read_decimal(const char *text, const char *end, double *value)
{
    struct span span = {text, (size_t)(end - text)};
    int64_t ns;
    if (span.length == 0 || strspn(text, "0123456789.") < span.length || !number_seconds(span, &ns))
        return false;
    *value = (double)ns / 1e9;
    return true;
}

bool apply_thread(struct options *options, const char *argument, struct error *err)
{
    int threads = 0;
    bool is_known = option_words_find(&words_of_thread, "thread", argument, &threads, err);
    options->selection.threads = (uint8_t)threads;
    return is_known;
}

static bool add_filter(struct options *options, enum filter_kind kind, const char *argument,
                       struct error *err)
{
    struct error why;
    if (filters_add(&options->selection.filters, kind, (struct span){argument, strlen(argument)},
                    &why))
        return true;
    return error_set(err, "%s: %s", filter_option(kind), why.text);
}

bool apply_focus(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_FOCUS, argument, err);
}

bool apply_ignore(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_IGNORE, argument, err);
}

bool apply_hide(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_HIDE, argument, err);
}

bool apply_show_from(struct options *options, const char *argument, struct error *err)
{
    return add_filter(options, FILTER_SHOW_FROM, argument, err);
}

bool apply_hide_file(struct options *options, const char *argument, struct error *err)
{
    return filters_add_file(&options->selection.filters, argument, err);
}

bool apply_max_depth(struct options *options, const char *argument, struct error *err)
{
    uint64_t depth = 0;
    if (!read_count("max-depth", argument, UINT32_MAX, &depth, err))
        return false;
    options->selection.depth_max = (uint32_t)depth;
    options->selection.lists_all_frames = depth == 0;
    return true;
}

bool apply_min_pct(struct options *options, const char *argument, struct error *err)
{
    double percent = 0;
    if (!read_decimal(argument, argument + strlen(argument), &percent) || percent > 100)
        return error_set(err, "invalid value '%s' for --min-pct; give a percentage such as 0.5",
                         argument);
    options->selection.min_percent = percent;
    return true;
}

bool apply_max_size(struct options *options, const char *argument, struct error *err)
{
    enum { MEGABYTE = 1000 * 1000, MEGABYTES_MAX = 1000 * 1000 };
    double megabytes = 0;
    if (!read_decimal(argument, argument + strlen(argument), &megabytes) ||
        megabytes > MEGABYTES_MAX)
        return error_set(err, "invalid value '%s' for --max-size; give megabytes such as 10 or 0.5",
                         argument);
    options->max_bytes = (size_t)(megabytes * MEGABYTE);
    return true;
}

bool apply_ticks(struct options *options, const char *argument, struct error *err)
{
    uint64_t count = DEFAULT_TICK_COUNT;
    if (argument != NULL && !read_count("ticks", argument, SIZE_MAX, &count, err))
        return false;
    options->has_ticks = true;
    options->has_tick_limit = argument != NULL;
    options->tick_limit = (size_t)count;
    return true;
}

bool apply_peek(struct options *options, const char *argument, struct error *err)
{
    struct error why;
    pattern_free(options->peek);
    options->peek = pattern_new((struct span){argument, strlen(argument)}, &why);
    return options->peek != NULL || error_set(err, "--peek: %s", why.text);
}

/* "#900" is a tick; "90", "1:30" and "1:00:30.5" are game times. */
static bool read_border(const char *option, const char *text, struct window_border *border,
                        struct error *err)
{
    const char *whole = text;
    uint64_t tick = 0;
    if (text[0] == '#' && read_count(option, text + 1, UINT32_MAX, &tick, err)) {
        *border = (struct window_border){WINDOW_TICK, (double)tick};
        return true;
    }
    double seconds = 0, part = 0;
    for (int parts = 0; text[0] != '#' && parts < 3; parts++) {
        const char *end = text + strcspn(text, ":");
        if (!read_decimal(text, end, &part) || (parts > 0 && part >= 60))
            break;
        seconds = 60 * seconds + part;
        if (*end == '\0') {
            *border = (struct window_border){WINDOW_SECONDS, seconds};
            return true;
        }
        text = end + 1;
    }
    return error_set(err,
                     "invalid value '%s' for --%s; give a game time such as 90 or 1:30, or a tick "
                     "such as '#900'",
                     whole, option);
}

bool apply_from(struct options *options, const char *argument, struct error *err)
{
    return read_border("from", argument, &options->from, err);
}

bool apply_to(struct options *options, const char *argument, struct error *err)
{
    return read_border("to", argument, &options->to, err);
}

bool apply_tick(struct options *options, const char *argument, struct error *err)
{
    uint64_t tick = 0;
    if (!read_count("tick", argument + (argument[0] == '#'), UINT32_MAX - 1, &tick, err))
        return false;
    options->from = (struct window_border){WINDOW_TICK, (double)tick};
    options->to = (struct window_border){WINDOW_TICK, (double)(tick + 1)};
    return true;
}

/* Reads milliseconds that end at `end`. */
static bool read_ms(const char *text, const char *end, int64_t *ns)
{
    double ms;
    if (!read_decimal(text, end, &ms) || ms > 1e9)
        return false;
    *ns = (int64_t)(ms * 1e6 + 0.5);
    return true;
}

/* "100", "100..200" or "..50". */
bool apply_ticks_over(struct options *options, const char *argument, struct error *err)
{
    const char *end = argument + strlen(argument);
    const char *dots = strstr(argument, "..");
    options->chooses_ticks = true;
    options->ticks_over_ns = -1;
    options->ticks_up_to_ns = INT64_MAX;
    bool is_read = dots == NULL
                       ? read_ms(argument, end, &options->ticks_over_ns)
                       : (dots == argument || read_ms(argument, dots, &options->ticks_over_ns)) &&
                             read_ms(dots + 2, end, &options->ticks_up_to_ns);
    if (is_read && options->ticks_up_to_ns > options->ticks_over_ns)
        return true;
    return error_set(err,
                     "invalid value '%s' for --ticks-over (milliseconds as 100, 100..200 or ..50)",
                     argument);
}

bool apply_overhead(struct options *options, const char *argument, struct error *err)
{
    options->keeps_costs = strcmp(argument, "off") == 0;
    options->costs = (struct call_costs){0};
    if (options->keeps_costs || strcmp(argument, "auto") == 0)
        return true;
    const char *comma = strchr(argument, ',');
    double in_us = 0, out_us = 0;
    if (comma == NULL || !read_decimal(argument, comma, &in_us) ||
        !read_decimal(comma + 1, comma + 1 + strlen(comma + 1), &out_us) || in_us > 1000 ||
        out_us > 1000)
        return error_set(
            err,
            "invalid value '%s' for --overhead (one of: auto, off, or the cost of a call in "
            "the callee and in the caller, in microseconds, as in 0.2,0.3)",
            argument);
    options->costs = (struct call_costs){.is_known = true};
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        options->costs.in_ns[kind] = 1000 * in_us;
        options->costs.out_ns[kind] = 1000 * out_us;
    }
    return true;
}

bool apply_columns(struct options *options, const char *argument, struct error *err)
{
    return columns_parse(&options->columns, argument, err);
}

static void add_old_log(struct options *options, const char *path)
{
    options->old_logs = mem_append(options->old_logs, &options->old_log_count,
                                   &options->old_log_capacity, &path, sizeof path);
}

/* In quotes, so that the shell does not split it into several arguments: --diff 'old/a*.log'. */
bool apply_diff(struct options *options, const char *argument, struct error *err)
{
    if (!wildcard_is(argument)) {
        add_old_log(options, argument);
        return true;
    }
    size_t count;
    const char **found = wildcard_find(argument, &options->names, &count);
    for (size_t i = 0; i < count; i++)
        add_old_log(options, found[i]);
    free(found);
    return count > 0 || error_set(err, "--diff: no file is called '%s'", argument);
}

bool apply_fail_if(struct options *options, const char *argument, struct error *err)
{
    struct error why;
    struct limit limit;
    if (!limit_parse(&limit, argument, &why))
        return error_set(err, "--fail-if: %s", why.text);
    options->limits = mem_append(options->limits, &options->limit_count, &options->limit_capacity,
                                 &limit, sizeof limit);
    return true;
}
