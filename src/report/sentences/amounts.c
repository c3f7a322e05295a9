#include "report/sentences/amounts.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const struct amount_unit amount_units[] = {
    [UNIT_AUTO] = {"", 1, 0},
    [UNIT_NS] = {"ns", 1, 0},
    [UNIT_US] = {"us", 1000, 1},
    [UNIT_MS] = {"ms", 1000000, 3},
    [UNIT_S] = {"s", 1000000000, 4},
};

enum report_unit amount_unit_for(int64_t ns)
{
    return ns >= 1000000000 ? UNIT_S : ns >= 1000000 ? UNIT_MS : UNIT_US;
}

enum report_unit amount_unit_of(const struct report *report, int64_t ns)
{
    return report->show.unit != UNIT_AUTO ? report->show.unit : amount_unit_for(ns);
}

static void put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals,
                     void (*put_whole)(struct text *text, uint64_t whole))
{
    uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    uint64_t quantum = (uint64_t)amount_units[unit].ns;
    uint64_t base = 1;
    for (int i = 0; i < decimals && quantum >= 10; i++) {
        quantum /= 10;
        base *= 10;
    }
    uint64_t count = size / quantum + (quantum > 1 && size % quantum >= quantum / 2);
    if (ns < 0 && count > 0)
        text_put_string(text, "-");
    put_whole(text, count / base);
    if (base == 1)
        return;
    /* A leading 1, which becomes the point, keeps the zeros after it. */
    size_t point = text->length;
    text_put_count(text, base + count % base);
    text->at[point] = '.';
}

void amount_put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals)
{
    put_time(text, ns, unit, decimals, text_put_count);
}

struct amount amount_said(int64_t ns)
{
    enum { MS_MIN = 999950, S_MIN = 999950000 }; /* less is rounded to a smaller unit */
    double size = fabs((double)ns);
    if (ns == 0)
        return amount_make("0 ms");
    if (size >= S_MIN)
        return amount_make("%s s", amount_grouped_time(ns, UNIT_S, 3).at);
    if (size >= MS_MIN)
        return amount_with_unit(ns, UNIT_MS, 1);
    return size >= 1000 ? amount_with_unit(ns, UNIT_US, 1) : amount_with_unit(ns, UNIT_NS, 0);
}

struct amount amount_ms(double ns)
{
    return ns < 9600    ? amount_make("less than 0.01")
           : ns < 99500 ? amount_make("%.3f", ns / 1e6)
           : ns < 1e6   ? amount_make("%.2f", ns / 1e6)
                        : amount_make("%.1f", ns / 1e6);
}

struct amount amount_clock(int64_t seconds)
{
    return amount_make("%lld:%02lld", (long long)(seconds / 60), (long long)(seconds % 60));
}

struct amount amount_megabytes(double bytes)
{
    return amount_count((uint64_t)llround(bytes / 0x1p20));
}

struct amount amount_make(const char *format, ...)
{
    struct amount amount;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(amount.at, sizeof amount.at, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < sizeof amount.at);
    (void)length;
    return amount;
}

/* Makes an amount of a text, and releases that. */
static struct amount amount_of(struct text *text)
{
    struct amount amount = amount_make("%s", text_string(text));
    text_release(text);
    return amount;
}

struct amount amount_count(uint64_t count)
{
    struct text text = {0};
    text_put_grouped(&text, count);
    return amount_of(&text);
}

struct amount amount_things(uint64_t count, const char *one, const char *many)
{
    return amount_make("%s %s", amount_count(count).at, count == 1 ? one : many);
}

/* Halves are rounded as in the script of pages. No "-0.0". */
static double percent_of(int64_t ns, int64_t all_ns, int steps)
{
    double percent = all_ns == 0 ? 0 : 100.0 * (double)ns / (double)all_ns;
    return (double)llround(steps * percent) / steps;
}

double amount_percent_number(int64_t ns, int64_t all_ns)
{
    return percent_of(ns, all_ns, 100);
}

struct amount amount_percent(int64_t ns, int64_t all_ns)
{
    return amount_make("%.1f", percent_of(ns, all_ns, 10));
}

bool amount_is_share(int64_t ns, int64_t all_ns)
{
    return all_ns >= 0 && ns <= all_ns && ns >= -all_ns;
}

struct amount amount_share(const char *before, int64_t ns, int64_t all_ns, const char *after)
{
    if (!amount_is_share(ns, all_ns))
        return (struct amount){""};
    return amount_make("%s%s%s", before, amount_percent(ns, all_ns).at, after);
}

struct amount amount_of_shown(const struct report *report)
{
    int64_t shown_ns = report_total_ns(report), all_ns = report->all_ns;
    return shown_ns >= 0 && amount_is_share(shown_ns, all_ns)
               ? amount_make("%s%% of the time", amount_percent(shown_ns, all_ns).at)
               : amount_said(shown_ns);
}

struct amount amount_factor(double factor)
{
    if (factor >= 9.95)
        return amount_count((uint64_t)llround(factor));
    if (factor > 0 && factor < 0.005)
        return amount_make("<0.01");
    int base = factor < 0.095 ? 100 : 10;
    return amount_make("%.*f", base == 100 ? 2 : 1, (double)llround(base * factor) / base);
}

struct amount amount_time(int64_t ns, enum report_unit unit, int decimals)
{
    struct text text = {0};
    put_time(&text, ns, unit, decimals, text_put_count);
    return amount_of(&text);
}

struct amount amount_grouped_time(int64_t ns, enum report_unit unit, int decimals)
{
    struct text text = {0};
    put_time(&text, ns, unit, decimals, text_put_grouped);
    return amount_of(&text);
}

struct amount amount_with_unit(int64_t ns, enum report_unit unit, int decimals)
{
    return amount_make("%s %s", amount_time(ns, unit, decimals).at, amount_units[unit].name);
}

static uint64_t two_digits(uint64_t count)
{
    uint64_t last = 1;
    while (count / last >= 100)
        last *= 10;
    return (count + last / 2) / last * last;
}

struct amount amount_about(uint64_t count)
{
    return amount_count(two_digits(count));
}

struct amount amount_time_about(int64_t ns, enum report_unit unit)
{
    double value = fabs((double)ns) / (double)amount_units[unit].ns;
    int decimals = value < 0.0995 ? 3 : value < 0.995 ? 2 : value < 9.95 ? 1 : 0;
    int64_t about_ns = (int64_t)two_digits(ns < 0 ? -(uint64_t)ns : (uint64_t)ns);
    return amount_grouped_time(
        ns < 0 ? -about_ns : about_ns,
        unit,
        decimals < amount_units[unit].decimals ? decimals : amount_units[unit].decimals);
}

bool amount_is_about(const struct report *report)
{
    return report->tree->samples != NULL;
}

struct amount amount_sum_count(const struct report *report, uint64_t count)
{
    return amount_is_about(report) ? amount_about(count) : amount_count(count);
}

struct amount amount_sum_things(const struct report *report, uint64_t count, const char *one,
                                const char *many)
{
    return amount_make("%s %s", amount_sum_count(report, count).at, count == 1 ? one : many);
}

struct amount amount_sum_time(const struct report *report, int64_t ns, enum report_unit unit,
                              int decimals)
{
    return amount_is_about(report)
               ? amount_make("%s %s", amount_time_about(ns, unit).at, amount_units[unit].name)
               : amount_with_unit(ns, unit, decimals);
}

struct amount amount_sum_said(const struct report *report, int64_t ns)
{
    enum report_unit unit = ns >= 1000 ? amount_unit_for(ns) : UNIT_NS;
    return amount_is_about(report) ? amount_sum_time(report, ns, unit, 0) : amount_said(ns);
}

struct amount tick_game_time(double seconds)
{
    unsigned long long tenths = seconds < 0 ? 0 : (unsigned long long)llround(seconds * 10);
    return amount_make("%llu:%02llu.%llu", tenths / 600, tenths % 600 / 10, tenths % 10);
}

struct amount tick_limit(const struct tick_list *list)
{
    return amount_make("%.10g ms", (double)list->limit_ns / 1e6);
}

struct amount tick_name_in(const struct profile *profile, const struct rebuilt_recording *rebuilt,
                           int64_t number)
{
    if (profile->rebuild.state == LUA_STATE_UI)
        return amount_make("#%lld", (long long)number);
    return amount_make(
        "#%lld (%s)", (long long)number, tick_game_time(recording_seconds(rebuilt, number)).at);
}

struct amount tick_name(const struct report *report, const struct tick *tick)
{
    return tick_name_in(report->profile, &report->profile->rebuilt[tick->recording], tick->number);
}

int tick_decimals(const struct report *report)
{
    enum { LONG_NS = 10000000 };
    return report->ticks.longest_ns >= LONG_NS ? 1 : 3;
}

struct amount tick_time(const struct report *report, int64_t ns)
{
    return ns >= 1000000000 ? amount_said(ns)
                            : amount_with_unit(ns, UNIT_MS, tick_decimals(report));
}

void tick_put_functions(struct text *text, const struct report *report, const struct tick *tick,
                        size_t limit, size_t room)
{
    enum { LEAST_PART = 50, GAP = 2 };
    const struct labels *labels = report->labels;
    SCOPED(text) one = {0};
    size_t used = 0;
    for (size_t i = 0; i < limit && i < tick->function_count; i++) {
        const struct tick_function *function = &tick->functions[i];
        const struct label *label = &labels->of[function->function];
        bool is_whole = room == SIZE_MAX || label->said != label->name;
        if (function->self_ns <= tick->time_ns / LEAST_PART)
            break;
        struct span name = labels_text(labels, is_whole ? label->label : label->name);
        text_cut(&one, 0);
        text_printf(
            &one, "%s ", amount_grouped_time(function->self_ns, UNIT_MS, tick_decimals(report)).at);
        size_t time_width = text_width(text_span(&one)), columns = time_width + text_width(name);
        if (i > 0 && (room < columns || used + GAP > room - columns))
            break;
        if (i > 0)
            text_put_string(text, ", ");
        text_put_cut(text, text_span(&one), room);
        if (room > time_width)
            text_put_cut_path(text, name, room - time_width);
        used += columns + (i > 0 ? GAP : 0);
    }
}
