/*
 * The ticks of recordings as CSV: a line for each tick, in the order of the recording; of a
 * comparison a line for each tick that either recording has.
 */
#include "report/figures/report_format.h"
#include "report/figures/tick_pairs.h"
#include "report/files/file_formats.h"
#include "report/sentences/amounts.h"

#include <math.h>

static void put_seconds(struct text *line, const struct profile *profile, const struct tick *tick)
{
    double seconds = rebuilt_run_seconds(&profile->runs[tick->run], tick->number);
    /* Frames have no game time. */
    if (profile->rebuild.state == LUA_STATE_UI)
        return;
    amount_put_time(line, (int64_t)llround(seconds * 1e9), UNIT_S, 1);
}

/* The cells from here on are empty without a tick. */
static void put_run(struct text *line, const struct profile *profile, const struct tick *tick)
{
    if (tick != NULL)
        text_put_count(line, profile->recordings.all[tick->run].run);
    text_put_string(line, ",");
}

static void put_us(struct text *line, const struct tick *tick, int64_t ns)
{
    if (tick != NULL)
        amount_put_time(line, ns, UNIT_US, 3);
    text_put_string(line, ",");
}

static void put_calls(struct text *line, const struct tick *tick)
{
    if (tick != NULL)
        text_put_count(line, tick->calls);
    text_put_string(line, ",");
}

static int64_t time_ns(const struct tick *tick)
{
    return tick != NULL ? tick->time_ns : 0;
}

static int64_t measured_ns(const struct tick *tick)
{
    return tick != NULL ? tick->measured_ns : 0;
}

static int64_t over_ns(const struct tick *tick)
{
    return tick != NULL && tick->over_ns > 0 ? tick->over_ns : 0;
}

static void end_line(struct text *line, const struct tick_list *list, int64_t number,
                     struct output *out)
{
    text_put_string(line, tick_collects(list, number) ? "1\n" : "0\n");
    output_put_text(out, line);
}

static void write_ticks(const struct profile *profile, struct output *out)
{
    struct text line = {0};
    output_put_string(out, "run,tick,game_seconds,time_us,measured_us,calls,over_us,collection\n");
    for (size_t i = 0; i < profile->ticks.count && !output_has_failed(out); i++) {
        const struct tick *tick = &profile->ticks.ticks[i];
        put_run(&line, profile, tick);
        text_put_number(&line, tick->number);
        text_put_string(&line, ",");
        put_seconds(&line, profile, tick);
        text_put_string(&line, ",");
        put_us(&line, tick, tick->time_ns);
        put_us(&line, tick, tick->measured_ns);
        put_calls(&line, tick);
        put_us(&line, tick, over_ns(tick));
        end_line(&line, &profile->ticks, tick->number, out);
    }
    text_release(&line);
}

static void put_pair(struct text *line, const struct tick *now, const struct tick *old)
{
    put_us(line, old, time_ns(old));
    put_us(line, now, time_ns(now));
    put_us(line, old != NULL ? now : NULL, time_ns(now) - time_ns(old));
    put_us(line, old, measured_ns(old));
    put_us(line, now, measured_ns(now));
    put_calls(line, old);
    put_calls(line, now);
    put_us(line, old, over_ns(old));
    put_us(line, now, over_ns(now));
}

static void write_pairs(const struct profile *profile, const struct profile *old,
                        struct output *out)
{
    struct tick_pairs pairs;
    struct text line = {0};
    tick_pairs_init(&pairs, &profile->ticks, &old->ticks);
    output_put_string(out, "tick,game_seconds,old_run,new_run,old_time_us,new_time_us,diff_time_us,"
                           "old_measured_us,new_measured_us,old_calls,new_calls,old_over_us,"
                           "new_over_us,collection\n");
    for (size_t i = 0; i < pairs.count && !output_has_failed(out); i++) {
        const struct tick_pair *pair = &pairs.all[i];
        text_put_number(&line, tick_pair_number(pair));
        text_put_string(&line, ",");
        put_seconds(&line, pair->now != NULL ? profile : old,
                    pair->now != NULL ? pair->now : pair->old);
        text_put_string(&line, ",");
        put_run(&line, old, pair->old);
        put_run(&line, profile, pair->now);
        put_pair(&line, pair->now, pair->old);
        end_line(&line, &profile->ticks, tick_pair_number(pair), out);
    }
    text_release(&line);
    tick_pairs_release(&pairs);
}

static struct report_result write_ticks_csv(const struct report *report, struct output *out)
{
    if (report->old != NULL)
        write_pairs(report->profile, report->old->profile, out);
    else
        write_ticks(report->profile, out);
    const struct tick_list *list = &report->profile->ticks;
    const struct tick_kind *kind = &tick_kinds[list->state];
    return (struct report_result){.count = list->count, .one = kind->one, .many = kind->many};
}

const struct report_format report_ticks_csv = {
    .name = "ticks-csv",
    .summary = "a line for each tick, for spreadsheets",
    .uses = USES_COSTS | SHOWS_COMPARISON,
    .suffixes = {".ticks.csv", NULL},
    .write = write_ticks_csv,
};
