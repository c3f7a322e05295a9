/*
 * amounts.h - how is a time, a count or a share written? The same in all formats.
 */
#pragma once

#include "base/text.h"
#include "report/figures/report.h"

extern const struct amount_unit {
    const char *name;
    int64_t ns;
    int decimals; /* that a table shows */
} amount_units[];

/* The unit that suits a profile of this length. */
enum report_unit amount_unit_for(int64_t ns);
enum report_unit amount_unit_of(const struct report *report,
                                int64_t ns); /* of --unit, or as above */

/*
 * Appends a time in a unit with this number of decimals, rounded half away from zero;
 * never finer than nanoseconds.
 */
void amount_put_time(struct text *text, int64_t ns, enum report_unit unit, int decimals);

/*
 * Amounts for sentences that text_printf() makes: each is a short text that lives until the end of
 * the expression it is in. report_format.js writes the same in pages: tests/report/amounts.txt.
 *
 *     text_printf(text, "%s in %s", amount_with_unit(ns, UNIT_S, 3).at, amount_count(n).at);
 */
struct amount {
    char at[64];
};

struct amount amount_count(uint64_t count);                                     /* "1,234" */
struct amount amount_things(uint64_t count, const char *one, const char *many); /* "1 stack" */
struct amount amount_percent(int64_t ns, int64_t all_ns); /* "12.3": a part of `all_ns` */
double amount_percent_number(int64_t ns, int64_t all_ns); /* the same for programs: 12.34 */

/* Whether negative times leave a time a part of another one, which may be that of
 * tree_share_ns(). */
bool amount_is_share(int64_t ns, int64_t all_ns);

/* A percentage between two texts; nothing where it is no share. */
struct amount amount_share(const char *before, int64_t ns, int64_t all_ns, const char *after);

/* "12.34% of the time", of the part that the options choose; "5.0 ms" where negative times make it
 * more than the whole. */
struct amount amount_of_shown(const struct report *report);

struct amount amount_factor(double factor); /* "1,083", "5.7", "0.03" or "<0.01" */

/* As amount_put_time(), with commas between thousands, or with the name of the unit. */
struct amount amount_time(int64_t ns, enum report_unit unit, int decimals);
struct amount amount_grouped_time(int64_t ns, enum report_unit unit, int decimals);
struct amount amount_with_unit(int64_t ns, enum report_unit unit, int decimals);

/* A time as a sentence says it, in the unit that suits it: "10.019 s", "246.5 ms", "7.0 us",
 * "48 ns". */
struct amount amount_said(int64_t ns);

/* Milliseconds with two digits or more, for sentences about short times: "0.036", or "less than
 * 0.01". */
struct amount amount_ms(double ns);
struct amount amount_clock(int64_t seconds);  /* "12:30" */
struct amount amount_megabytes(double bytes); /* "1,534" */
/* Estimates: two digits, "1,200" and "0.087". */
struct amount amount_about(uint64_t count);
struct amount amount_time_about(int64_t ns, enum report_unit unit);

/* Sums of a report in its sentences: with two digits where they are estimates, as in its rows. */
bool amount_is_about(const struct report *report);
struct amount amount_sum_count(const struct report *report, uint64_t count);
struct amount amount_sum_things(const struct report *report, uint64_t count, const char *one,
                                const char *many);
struct amount amount_sum_time(const struct report *report, int64_t ns, enum report_unit unit,
                              int decimals);                            /* with the unit's name */
struct amount amount_sum_said(const struct report *report, int64_t ns); /* as amount_said() */

/* Makes another one, as printf() would; it must be short enough. */
struct amount amount_make(const char *format, ...) FORMATS_LIKE_PRINTF(1, 2);

/*
 * Ticks as text, for several reports: their names, times and functions.
 */

/* "1:31.2", for text_printf(). */
struct amount tick_game_time(double seconds);

/* The limit of ticks: "100 ms". */
struct amount tick_limit(const struct tick_list *list);

/* The name of a tick, with the game time at which it began: "#912 (1:31.2)". Frames have no time.
 */
struct amount tick_name(const struct report *report, const struct tick *tick);

/* The name of a tick of a run of the profile. */
struct amount tick_name_in(const struct profile *profile, const struct rebuilt_recording *rebuilt,
                           int64_t number);

/* The time of a tick, "480.3 ms" or "1.480 s", with the decimals that suit the ticks of the report.
 */
int tick_decimals(const struct report *report);
struct amount tick_time(const struct report *report, int64_t ns);

/*
 * Appends the functions with the most self time in a tick, on one line: at most `limit`,
 * only those that matter, and as many as take at most `room` columns. The places
 * of those that have names are left out unless that is SIZE_MAX.
 */
void tick_put_functions(struct text *text, const struct report *report, const struct tick *tick,
                        size_t limit, size_t room);
