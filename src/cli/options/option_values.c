#include "cli/options/option_values.h"

#include "base/number.h"
#include "report/formats.h"

#include <errno.h>

static bool refuse(const struct given_option *given, const char *wanted, struct error *err)
{
    const char *flag = given->row->flag;
    return error_set_code(err, flag, "invalid value '%s' for %s; give %s", given->value, flag,
                          wanted);
}

/* Quotes the failure of another module. */
static bool fail(const struct given_option *given, const struct error *why, struct error *err)
{
    return error_set_code(err, given->row->flag, "%s: %s", given->row->flag, why->text);
}

static bool read_word(const struct given_option *given, int *value, struct error *err)
{
    struct text wanted = {0};
    bool is_known = option_words_find(given->row->words, given->value, value);
    if (!is_known) {
        text_put_string(&wanted, "one of: ");
        option_words_put(&wanted, given->row->words, ", ");
        if (given->row->similar != NULL)
            text_printf(&wanted, "; %s", given->row->similar);
        refuse(given, wanted.at, err);
    }
    text_release(&wanted);
    return is_known;
}

bool option_values_apply(const struct given_option *given, struct error *err)
{
    char *member = (char *)given->options + given->row->offset;
    bool is_set = true;
    int value = 0;
    if (given->row->apply != NULL)
        return given->row->apply(given, err);
    if (given->row->words == NULL)
        memcpy(member, &is_set, sizeof is_set);
    else if (!read_word(given, &value, err))
        return false;
    else
        memcpy(member, &value, sizeof value);
    return true;
}

/* Reads digits alone: strtoull() would accept a sign and blanks. */
static bool read_count(const char *digits, size_t max, size_t *count)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(digits, &end, 10);
    *count = (size_t)value;
    return digits[0] >= '0' && digits[0] <= '9' && *end == '\0' && errno == 0 && value <= max;
}

static bool apply_count(const struct given_option *given, size_t max, size_t *count,
                        struct error *err)
{
    return read_count(given->value, max, count) || refuse(given, "a whole number", err);
}

/* Reads digits with a point, or none. */
static bool read_decimal(struct span text, double max, double *value)
{
    int64_t ns;
    if (text.length == 0 || strspn(text.at, "0123456789.") < text.length ||
        !number_seconds(text, &ns))
        return false;
    *value = (double)ns / 1e9;
    return *value <= max;
}

bool apply_output(const struct given_option *given, struct error *err)
{
    (void)err;
    options_add_output(given->options, given->value, NULL);
    return true;
}

bool apply_lua_root(const struct given_option *given, struct error *err)
{
    (void)err;
    name_list_add(&given->options->reading.lua_roots, given->value);
    return true;
}

bool apply_format(const struct given_option *given, struct error *err)
{
    int index = 0;
    const struct report_format *format = format_by_suffix(given->value);
    if (format == NULL && !read_word(given, &index, err))
        return false;
    given->options->format = format != NULL ? format : formats[index];
    return true;
}

bool apply_top(const struct given_option *given, struct error *err)
{
    given->options->has_top = true;
    return apply_count(given, SIZE_MAX, &given->options->show.row_limit, err);
}

bool apply_ticks(const struct given_option *given, struct error *err)
{
    struct options *options = given->options;
    options->has_ticks = true;
    options->has_tick_limit = given->value != NULL;
    options->show.tick_limit = DEFAULT_TICK_COUNT;
    return given->value == NULL || apply_count(given, SIZE_MAX, &options->show.tick_limit, err);
}

bool apply_run(const struct given_option *given, struct error *err)
{
    size_t run = 0;
    bool is_good = read_count(given->value, UINT32_MAX, &run) && run > 0;
    given->options->reading.run = (uint32_t)run;
    return is_good || refuse(given, "a whole number from 1 on", err);
}

bool apply_filter(const struct given_option *given, struct error *err)
{
    struct error why;
    return filters_add(&given->options->selection.filters, (enum filter_kind)given->row->value,
                       span_of(given->value), &why) ||
           fail(given, &why, err);
}

bool apply_hide_file(const struct given_option *given, struct error *err)
{
    return filters_add_file(&given->options->selection.filters, given->value, err);
}

bool apply_max_depth(const struct given_option *given, struct error *err)
{
    size_t depth = 0;
    bool is_good = apply_count(given, UINT32_MAX, &depth, err);
    given->options->selection.depth_max = (uint32_t)depth;
    given->options->selection.lists_all_frames = depth == 0;
    return is_good;
}

bool apply_min_pct(const struct given_option *given, struct error *err)
{
    return read_decimal(span_of(given->value), 100, &given->options->selection.min_percent) ||
           refuse(given, "a percentage such as 0.5", err);
}

bool apply_max_size(const struct given_option *given, struct error *err)
{
    enum { MEGABYTE = 1000 * 1000, MEGABYTES_MAX = 1000 * 1000 };
    double megabytes = 0;
    bool is_good = read_decimal(span_of(given->value), MEGABYTES_MAX, &megabytes);
    given->options->show.max_bytes = is_good ? (size_t)(megabytes * MEGABYTE) : 0;
    return is_good || refuse(given, "megabytes such as 10 or 0.5", err);
}

bool apply_pattern(const struct given_option *given, struct error *err)
{
    struct error why;
    struct pattern **member =
        (struct pattern **)(void *)((char *)given->options + given->row->offset);
    pattern_free(*member);
    *member = pattern_new(span_of(given->value), &why);
    return *member != NULL || fail(given, &why, err);
}

bool apply_tree(const struct given_option *given, struct error *err)
{
    given->options->show.has_tree = true;
    return given->value == NULL || apply_pattern(given, err);
}

bool apply_rows(const struct given_option *given, struct error *err)
{
    given->options->show.has_rows = true;
    return apply_count(given, SIZE_MAX, &given->options->show.rows, err);
}

/* "90", "1:30" or "1:00:30.5". */
static bool read_game_time(const char *text, double *seconds)
{
    enum { PARTS_MAX = 3, PART_MAX = 60 };
    *seconds = 0;
    for (int parts = 0; parts < PARTS_MAX; parts++) {
        double part = 0;
        size_t length = strcspn(text, ":");
        if (!read_decimal((struct span){text, length}, 1e10, &part) ||
            (parts > 0 && part >= PART_MAX))
            return false;
        *seconds = PART_MAX * *seconds + part;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
    return false;
}

/* A game time, or "#900" for a tick. */
bool apply_border(const struct given_option *given, struct error *err)
{
    struct window_border border = {.kind = WINDOW_SECONDS};
    size_t tick = 0;
    if (given->value[0] == '#' && read_count(given->value + 1, UINT32_MAX, &tick))
        border = (struct window_border){WINDOW_TICK, (double)tick};
    else if (!read_game_time(given->value, &border.value))
        return refuse(given, "a game time such as 90 or 1:30, or a tick such as '#900'", err);
    memcpy((char *)given->options + given->row->offset, &border, sizeof border);
    return true;
}

/* A tick, or a game time in it. */
bool apply_tick(const struct given_option *given, struct error *err)
{
    /* A time is in the tick that began at most 100 ms before it; game time is exact to 10 ms. */
    static const double before = 0.08, after = 0.02;
    size_t tick = 0;
    double seconds = 0;
    struct rebuild_settings *window = &given->options->reading.rebuild;
    if (read_count(given->value + (given->value[0] == '#'), UINT32_MAX - 1, &tick)) {
        window->from = (struct window_border){WINDOW_TICK, (double)tick};
        window->to = (struct window_border){WINDOW_TICK, (double)tick + 1};
        return true;
    }
    if (strpbrk(given->value, ":.") == NULL || !read_game_time(given->value, &seconds))
        return refuse(given, "the number of a tick such as 900, or a game time such as 1:30", err);
    window->from = (struct window_border){WINDOW_SECONDS, seconds - before};
    window->to = (struct window_border){WINDOW_SECONDS, seconds + after};
    return true;
}

static bool read_ms(struct span text, int64_t *ns)
{
    double ms = 0;
    bool is_read = read_decimal(text, 1e9, &ms);
    *ns = is_read ? (int64_t)(ms * 1e6 + 0.5) : 0;
    return is_read;
}

/* "100", "100..200" or "..50". */
bool apply_ticks_over(const struct given_option *given, struct error *err)
{
    struct reading *reading = &given->options->reading;
    const char *dots = strstr(given->value, "..");
    struct span over = span_of(given->value);
    over.length = dots != NULL ? (size_t)(dots - over.at) : over.length;
    reading->chooses_ticks = true;
    reading->ticks_over_ns = -1;
    reading->ticks_up_to_ns = INT64_MAX;
    bool is_read = (dots == given->value || read_ms(over, &reading->ticks_over_ns)) &&
                   (dots == NULL || read_ms(span_of(dots + 2), &reading->ticks_up_to_ns));
    return (is_read && reading->ticks_up_to_ns > reading->ticks_over_ns) ||
           refuse(given, "milliseconds such as 100, 100..200 or ..50", err);
}

bool apply_slow_over(const struct given_option *given, struct error *err)
{
    int64_t *limit_ns = &given->options->reading.rebuild.limit_ns;
    return (read_ms(span_of(given->value), limit_ns) && *limit_ns > 0) ||
           refuse(given, "milliseconds above 0, such as 50", err);
}

bool apply_overhead(const struct given_option *given, struct error *err)
{
    enum { US_MAX = 1000, NS_PER_US = 1000 };
    struct rebuild_settings *rebuild = &given->options->reading.rebuild;
    const char *comma = strchr(given->value, ',');
    struct span in = {given->value, comma != NULL ? (size_t)(comma - given->value) : 0};
    double in_us = 0, out_us = 0;
    rebuild->keeps_costs = strcmp(given->value, "off") == 0;
    rebuild->costs = (struct call_costs){0};
    if (rebuild->keeps_costs || strcmp(given->value, "auto") == 0)
        return true;
    if (!read_decimal(in, US_MAX, &in_us) || !read_decimal(span_of(comma + 1), US_MAX, &out_us))
        return refuse(given,
                      "auto, off, or the microseconds that a call costs in the callee and in the "
                      "caller, such as 0.2,0.3",
                      err);
    rebuild->costs.is_known = true;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        rebuild->costs.in_ns[kind] = NS_PER_US * in_us;
        rebuild->costs.out_ns[kind] = NS_PER_US * out_us;
    }
    return true;
}

bool apply_columns(const struct given_option *given, struct error *err)
{
    return columns_parse(&given->options->show.columns, given->value, err);
}

/* In quotes, so that the shell does not split it into several arguments: --diff 'old/a*.log'. */
bool apply_diff(const struct given_option *given, struct error *err)
{
    return options_add_logs(given->options, &given->options->old_logs, given->value) ||
           error_set(err, "--diff: no file matches '%s'", given->value);
}

bool apply_fail_if(const struct given_option *given, struct error *err)
{
    struct error why;
    struct limit limit;
    struct options *options = given->options;
    if (!limit_parse(&limit, given->value, &why))
        return fail(given, &why, err);
    MEM_APPEND(options->limits, options->limit_count, options->limit_capacity, limit);
    return true;
}

bool apply_what_if(const struct given_option *given, struct error *err)
{
    struct error why;
    struct what_if what_if;
    struct options *options = given->options;
    if (!what_if_parse(&what_if, given->value, &why))
        return fail(given, &why, err);
    MEM_APPEND(options->what_ifs, options->what_if_count, options->what_if_capacity, what_if);
    return true;
}
