#include "report/pages/html/html_data.h"
#include "report/sentences/watched_text.h"
#include "report/tables/watched_table.h"

/* The columns of the chart. */
struct chart {
    int64_t first, last; /* ticks */
    uint32_t recording;  /* of the first */
    int64_t step;        /* ticks of a column */
    int64_t *longest;    /* [count] */
    size_t count;
};

static void find_range(struct chart *chart, const struct profile *profile)
{
    enum { COLUMNS = 240 };
    struct watch_tick tick = {0};
    *chart = (struct chart){.first = INT64_MAX, .last = -1};
    while (profile_next_watch_tick(profile, &tick)) {
        if (tick.number < chart->first) {
            chart->first = tick.number;
            chart->recording = tick.recording;
        }
        chart->last = tick.number > chart->last ? tick.number : chart->last;
    }
    if (chart->last < chart->first)
        return;
    chart->step = (chart->last - chart->first) / COLUMNS + 1;
    chart->count = (size_t)((chart->last - chart->first) / chart->step + 1);
}

/* The longest tick of each column; of several games, of all of them. */
static void find_longest(struct chart *chart, const struct profile *profile)
{
    struct watch_tick tick = {0};
    chart->longest = mem_zeroed(chart->count, sizeof *chart->longest);
    while (profile_next_watch_tick(profile, &tick)) {
        int64_t *longest = &chart->longest[(tick.number - chart->first) / chart->step];
        *longest = tick.length_ns > *longest ? tick.length_ns : *longest;
    }
}

static void put_chart(struct html_writing *writing)
{
    const struct profile *profile = writing->report->profile;
    struct json_writer *json = &writing->json;
    struct chart chart;
    find_range(&chart, profile);
    find_longest(&chart, profile);
    if (chart.count > 0) {
        const struct rebuilt_recording *rebuilt = &profile->rebuilt[chart.recording];
        json_real(json, "from_seconds", recording_seconds(rebuilt, chart.first));
        json_real(json, "to_seconds", recording_seconds(rebuilt, chart.last));
    }
    json_number(json, "step", chart.step);
    JSON_ARRAY(json, "longest");
    for (size_t i = 0; i < chart.count; i++)
        json_number(json, NULL, chart.longest[i]);
    free(chart.longest);
}

static void put_threads(struct html_writing *writing)
{
    SCOPED(watched_table) threads;
    watched_table_init(&threads, writing->report, FOR_PAGE);
    html_put_object(writing, "threads", &threads.table);
}

/* The lines of the slow ticks; the one above them is among the sentences. */
static void put_slow_ticks(struct html_writing *writing)
{
    enum { TICKS = 20 };
    SCOPED(text) lines = {0};
    watched_put_list(&lines, writing->report, TICKS);
    JSON_ARRAY(&writing->json, "slow_ticks");
    for (struct span rest = text_span(&lines); rest.length > 0;) {
        struct span line = span_take(&rest, '\n');
        if (span_starts_with(line, "  "))
            json_text(&writing->json, NULL, span_from(line, 2));
    }
}

void html_put_watch(struct html_writing *writing)
{
    JSON_OBJECT(&writing->json, "watched");
    put_slow_ticks(writing);
    put_chart(writing);
    put_threads(writing);
}
