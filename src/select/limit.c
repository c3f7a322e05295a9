#include "select/limit.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

enum limit_type { OF_TIME, OF_COUNT, OF_MEMORY };

static const struct quantity {
    const char *name;
    enum limit_type type;
} quantities[] = {
    [LIMIT_TOTAL] = {"total", OF_TIME},
    [LIMIT_SELF] = {"self", OF_TIME},
    [LIMIT_CALLS] = {"calls", OF_COUNT},
    [LIMIT_ERRORS] = {"errors", OF_COUNT},
    [LIMIT_ALLOC] = {"alloc", OF_MEMORY},
    [LIMIT_TICKS_OVER] = {"ticks-over", OF_COUNT},
};

static const struct unit {
    const char *name;
    enum limit_type type;
    double value;
} units[] = {
    {"ns", OF_TIME, 1},
    {"us", OF_TIME, 1e3},
    {"ms", OF_TIME, 1e6},
    {"s", OF_TIME, 1e9},
    {"", OF_COUNT, 1},
    {"KB", OF_MEMORY, 1},
    {"MB", OF_MEMORY, 1024},
};

enum {
    QUANTITY_COUNT = sizeof quantities / sizeof quantities[0],
    UNIT_COUNT = sizeof units / sizeof units[0]
};

const char *limit_quantity_name(enum limit_quantity quantity)
{
    return quantities[quantity].name;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* Reads digits with a point, or none. */
static bool read_number(const char **at, double *number)
{
    char digits[32] = "", *end;
    size_t length = strspn(*at, "0123456789.");
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, *at, length);
    *number = strtod(digits, &end);
    *at += length;
    return *end == '\0' && end != digits;
}

/* The functions below fail with a text that goes on after the limit in quotes. */

static bool read_quantity(struct limit *limit, const char **at, struct error *err)
{
    size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyz-");
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (span_is((struct span){*at, length}, quantities[i].name)) {
            limit->quantity = (enum limit_quantity)i;
            *at = skip_blanks(*at + length);
            return true;
        }
    return error_set(err,
                     " does not begin with a quantity; choose one of total, self, calls, "
                     "errors, alloc, ticks-over");
}

static bool read_tick(struct limit *limit, struct span argument, struct error *err)
{
    char text[32] = "";
    double ms = 0;
    const char *at = text;
    if (argument.length < sizeof text)
        memcpy(text, argument.at, argument.length);
    if (!read_number(&at, &ms) || *at != '\0' || ms > 1e6)
        return error_set(err, ": ticks-over needs milliseconds, as in ticks-over(100)");
    limit->tick_ns = (int64_t)(ms * 1e6);
    return true;
}

/* The text in parentheses; a number and a unit have none, so the last one ends it. */
static bool read_argument(struct limit *limit, const char **at, struct error *err)
{
    struct error why;
    struct span argument = span_of("");
    bool is_given = **at == '(', is_tick = limit->quantity == LIMIT_TICKS_OVER;
    if (is_given) {
        const char *end = strrchr(*at, ')');
        if (end == NULL)
            return error_set(err, ": the parenthesis is not closed");
        argument = (struct span){*at + 1, (size_t)(end - *at - 1)};
        *at = skip_blanks(end + 1);
    }
    if (is_tick || !is_given)
        return !is_tick || read_tick(limit, argument, err);
    /* No valid pattern begins with '?': there would be nothing to make optional. */
    limit->may_match_nothing = span_starts_with(argument, "?");
    limit->pattern = pattern_new(span_from(argument, limit->may_match_nothing), &why);
    return limit->pattern != NULL || error_set(err, ": %s", why.text);
}

static bool read_operator(struct limit *limit, const char **at, struct error *err)
{
    if (**at != '>' && **at != '<')
        return error_set(err,
                         " has no '>' or '<' after the quantity; write for example "
                         "\"total>+5%%\", in quotes");
    limit->is_below = **at == '<';
    *at = skip_blanks(*at + 1);
    return true;
}

static bool read_per(struct limit *limit, const char *at, struct error *err)
{
    limit->per = strcmp(at, "/tick") == 0   ? PER_TICK
                 : strcmp(at, "/call") == 0 ? PER_CALL
                                            : PER_NOTHING;
    return limit->per != PER_NOTHING || *at == '\0' || error_set(err, ": unknown unit '%s'", at);
}

static bool read_unit(struct limit *limit, const char *at, struct error *err)
{
    static const char *const examples[] = {
        [OF_TIME] = "a time needs a unit: ns, us, ms or s",
        [OF_COUNT] = "a number of calls, errors or ticks has no unit",
        [OF_MEMORY] = "memory needs a unit: KB or MB",
    };
    enum limit_type type = quantities[limit->quantity].type;
    struct span unit = {at, strcspn(at, "/ \t")};
    snprintf(limit->unit_name, sizeof limit->unit_name, "%s", at);
    if (strcmp(at, "%") == 0) {
        limit->is_percent = limit->is_change = true;
        limit->unit = 1;
        return true;
    }
    if (*at == '%')
        return error_set(err, ": nothing can follow a percentage");
    for (int i = 0; i < UNIT_COUNT; i++)
        if (units[i].type == type && span_is(unit, units[i].name)) {
            limit->unit = units[i].value;
            limit->bound *= units[i].value;
            return read_per(limit, at + unit.length, err);
        }
    return error_set(err, ": %s", examples[type]);
}

static bool read_bound(struct limit *limit, const char *at, struct error *err)
{
    bool is_negative = *at == '-';
    limit->is_change = *at == '+' || *at == '-';
    at = skip_blanks(at + limit->is_change);
    if (!read_number(&at, &limit->bound))
        return error_set(err, " has no number after '%c'", limit->is_below ? '<' : '>');
    limit->bound = is_negative ? -limit->bound : limit->bound;
    at = skip_blanks(at);
    char rest[12] = "";
    size_t length = strlen(at);
    while (length > 0 && strchr(" \t", at[length - 1]) != NULL)
        length--;
    if (length >= sizeof rest)
        return error_set(err, ": unknown unit '%s'", at);
    memcpy(rest, at, length);
    return read_unit(limit, rest, err);
}

static bool read_all(struct limit *limit, struct error *err)
{
    const char *at = skip_blanks(limit->text);
    if (!read_quantity(limit, &at, err) || !read_argument(limit, &at, err) ||
        !read_operator(limit, &at, err) || !read_bound(limit, at, err))
        return false;
    if (limit->per == PER_TICK && limit->quantity == LIMIT_TICKS_OVER)
        return error_set(err, ": it counts ticks; leave out /tick");
    if (limit->per == PER_CALL && limit->quantity == LIMIT_CALLS)
        return error_set(err, ": it counts calls; leave out /call");
    return true;
}

bool limit_parse(struct limit *limit, const char *text, struct error *err)
{
    struct error why;
    *limit = (struct limit){.text = text};
    if (read_all(limit, &why))
        return true;
    limit_release(limit);
    return error_set(err, "'%s'%s", text, why.text);
}

void limit_release(struct limit *limit)
{
    pattern_free(limit->pattern);
    limit->pattern = NULL;
}
