#include "read/watch.h"

#include "base/number.h"

enum { TENTH_OF_MS_NS = 100000, US_NS = 1000 };

/* The state for reading one line. */
struct watch_line {
    struct watches *watches;
    uint32_t recording;
    const struct watch_names *names;
    struct span text; /* what is left of it */
};

static bool take_count(struct span *text, char end, uint64_t *count)
{
    return number_count(span_take(text, end), count);
}

static bool take_tick(struct watch_line *line, int64_t *tick)
{
    uint64_t count;
    if (!take_count(&line->text, ' ', &count))
        return false;
    *tick = (int64_t)count;
    return true;
}

/* Reads a number of steps of some nanoseconds. */
static bool take_time(struct span *text, char end, int64_t step_ns, int64_t *ns)
{
    uint64_t count;
    if (!take_count(text, end, &count) || count > NUMBER_TIME_MAX_NS / (uint64_t)step_ns)
        return false;
    *ns = (int64_t)count * step_ns;
    return true;
}

static bool take_function(const struct watch_line *line, struct span *text, char end,
                          int64_t *function)
{
    uint64_t id;
    if (!take_count(text, end, &id))
        return false;
    *function = id == 0 ? WATCH_OTHERS : line->names->function(line->names->context, id);
    return true;
}

/* "wakes:time:longest" */
static bool take_times(struct span *text, struct watch_sum *sum)
{
    return take_count(text, ':', &sum->wakes) && take_time(text, ':', US_NS, &sum->time_ns) &&
           take_time(text, ':', US_NS, &sum->longest_ns);
}

/* Reads words "function:wakes:time:longest" to the end, or to one that begins with "-". */
static bool take_sums(struct watch_line *line, size_t *from, size_t *count)
{
    struct watches *watches = line->watches;
    *from = watches->sum_count;
    while (line->text.length > 0 && line->text.at[0] != '-') {
        struct span word = span_take(&line->text, ' ');
        struct watch_sum sum;
        if (!take_function(line, &word, ':', &sum.function) || !take_times(&word, &sum) ||
            word.length > 0) {
            watches->sum_count = *from;
            return false;
        }
        MEM_APPEND(watches->sums, watches->sum_count, watches->sum_capacity, sum);
    }
    *count = watches->sum_count - *from;
    return true;
}

static bool read_ticks(struct watch_line *line)
{
    struct watches *watches = line->watches;
    struct watch_ticks ticks = {.recording = line->recording, .from = watches->length_count};
    if (!take_tick(line, &ticks.first))
        return false;
    while (line->text.length > 0) {
        int64_t length_ns;
        if (!take_time(&line->text, ' ', TENTH_OF_MS_NS, &length_ns)) {
            watches->length_count = ticks.from;
            return false;
        }
        MEM_APPEND(watches->lengths, watches->length_count, watches->length_capacity, length_ns);
    }
    ticks.count = watches->length_count - ticks.from;
    MEM_APPEND(watches->ticks, watches->tick_count, watches->tick_capacity, ticks);
    return true;
}

static bool read_threads(struct watch_line *line)
{
    struct watches *watches = line->watches;
    struct watch_threads threads = {.recording = line->recording};
    if (!take_tick(line, &threads.first) || !take_tick(line, &threads.last) ||
        threads.last < threads.first || !take_sums(line, &threads.from, &threads.count))
        return false;
    if (line->text.length > 0) {
        watches->sum_count = threads.from;
        return false;
    }
    MEM_APPEND(watches->threads, watches->thread_count, watches->thread_capacity, threads);
    return true;
}

/* "-:gaps:time:longest:function" at the end of a line, or nothing. */
static bool take_gaps(struct watch_line *line, struct watch_sum *gaps)
{
    *gaps = (struct watch_sum){.function = WATCH_UNKNOWN};
    if (line->text.length == 0)
        return true;
    struct span sign = span_take(&line->text, ':');
    return sign.length == 1 && take_times(&line->text, gaps) &&
           take_function(line, &line->text, ' ', &gaps->function) && line->text.length == 0;
}

static bool read_slow(struct watch_line *line)
{
    struct watches *watches = line->watches;
    struct watch_slow_tick slow = {.recording = line->recording};
    if (!take_tick(line, &slow.tick) || !take_time(&line->text, ' ', US_NS, &slow.time_ns) ||
        !take_sums(line, &slow.from, &slow.count))
        return false;
    if (!take_gaps(line, &slow.gaps)) {
        watches->sum_count = slow.from;
        return false;
    }
    MEM_APPEND(watches->slow_ticks, watches->slow_tick_count, watches->slow_tick_capacity, slow);
    return true;
}

/* Reads a site of a stack: the number that its letters are, of which the first is a capital. */
static bool take_site(struct span *text, uint64_t *site)
{
    const uint64_t limit = UINT32_MAX;
    char first = text->length > 0 ? text->at[0] : '\0';
    if (first < 'A' || first > 'Z')
        return false;
    uint64_t number = (uint64_t)(first - 'A') + 1;
    *text = span_from(*text, 1);
    while (text->length > 0 && text->at[0] >= 'a' && text->at[0] <= 'z') {
        number = number * 26 + (uint64_t)(text->at[0] - 'a') + 1;
        if (number > limit)
            return false;
        *text = span_from(*text, 1);
    }
    *site = number - 1;
    return true;
}

/* "(ABaC)", or "-": none. */
static bool take_stack(struct watch_line *line, struct watch_wake *wake)
{
    struct watches *watches = line->watches;
    struct span text = line->text;
    wake->stack_from = watches->frame_count;
    if (span_is(text, "-"))
        return true;
    if (text.length < 2 || text.at[0] != '(' || text.at[text.length - 1] != ')')
        return false;
    text = (struct span){text.at + 1, text.length - 2};
    while (text.length > 0) {
        uint64_t site;
        if (!take_site(&text, &site)) {
            watches->frame_count = wake->stack_from;
            return false;
        }
        struct watch_frame frame = line->names->site(line->names->context, site);
        MEM_APPEND(watches->frames, watches->frame_count, watches->frame_capacity, frame);
    }
    wake->stack_count = watches->frame_count - wake->stack_from;
    return true;
}

static bool read_wake(struct watch_line *line)
{
    struct watches *watches = line->watches;
    struct watch_wake wake = {.recording = line->recording};
    if (!take_tick(line, &wake.tick) || !take_time(&line->text, ' ', US_NS, &wake.time_ns) ||
        !take_function(line, &line->text, ' ', &wake.function) || !take_stack(line, &wake))
        return false;
    MEM_APPEND(watches->wakes, watches->wake_count, watches->wake_capacity, wake);
    return true;
}

static bool read_units(struct watch_line *line)
{
    struct watches *watches = line->watches;
    struct watch_units units = {.recording = line->recording};
    if (!take_tick(line, &units.tick) || !take_count(&line->text, ' ', &units.count) ||
        line->text.length > 0)
        return false;
    MEM_APPEND(watches->units, watches->unit_count, watches->unit_capacity, units);
    return true;
}

static const struct watch_kind {
    const char *word;
    bool (*read)(struct watch_line *line);
} kinds[] = {
    {"ticks", read_ticks},
    {"threads", read_threads},
    {"slow", read_slow},
    {"wake", read_wake},
    {"units", read_units},
};

static const struct watch_kind *kind_of(struct span word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (span_is(word, kinds[i].word))
            return &kinds[i];
    return NULL;
}

bool watch_has_kind(struct span kind)
{
    return kind_of(kind) != NULL;
}

bool watch_read(struct watches *watches, uint32_t recording, const struct watch_names *names,
                struct span kind, struct span text)
{
    struct watch_line line = {watches, recording, names, text};
    return kind_of(kind)->read(&line);
}

static int64_t joined_function(int64_t function, const uint32_t *functions)
{
    return function < 0 ? function : (int64_t)functions[function];
}

/* Adds what the rows of all kinds are made of. */
static void join_parts(struct watches *watches, const struct watches *later,
                       const uint32_t *functions)
{
    for (size_t i = 0; i < later->length_count; i++)
        MEM_APPEND(
            watches->lengths, watches->length_count, watches->length_capacity, later->lengths[i]);
    for (size_t i = 0; i < later->sum_count; i++) {
        struct watch_sum sum = later->sums[i];
        sum.function = joined_function(sum.function, functions);
        MEM_APPEND(watches->sums, watches->sum_count, watches->sum_capacity, sum);
    }
    for (size_t i = 0; i < later->frame_count; i++) {
        struct watch_frame frame = later->frames[i];
        frame.function = joined_function(frame.function, functions);
        MEM_APPEND(watches->frames, watches->frame_count, watches->frame_capacity, frame);
    }
}

void watches_join(struct watches *watches, const struct watches *later, uint32_t first,
                  const uint32_t *functions)
{
    size_t length = watches->length_count, sum = watches->sum_count, frame = watches->frame_count;
    join_parts(watches, later, functions);
    for (size_t i = 0; i < later->tick_count; i++) {
        struct watch_ticks ticks = later->ticks[i];
        ticks.recording += first;
        ticks.from += length;
        MEM_APPEND(watches->ticks, watches->tick_count, watches->tick_capacity, ticks);
    }
    for (size_t i = 0; i < later->thread_count; i++) {
        struct watch_threads threads = later->threads[i];
        threads.recording += first;
        threads.from += sum;
        MEM_APPEND(watches->threads, watches->thread_count, watches->thread_capacity, threads);
    }
    for (size_t i = 0; i < later->slow_tick_count; i++) {
        struct watch_slow_tick slow = later->slow_ticks[i];
        slow.recording += first;
        slow.from += sum;
        slow.gaps.function = joined_function(slow.gaps.function, functions);
        MEM_APPEND(
            watches->slow_ticks, watches->slow_tick_count, watches->slow_tick_capacity, slow);
    }
    for (size_t i = 0; i < later->wake_count; i++) {
        struct watch_wake wake = later->wakes[i];
        wake.recording += first;
        wake.function = joined_function(wake.function, functions);
        wake.stack_from += frame;
        MEM_APPEND(watches->wakes, watches->wake_count, watches->wake_capacity, wake);
    }
    for (size_t i = 0; i < later->unit_count; i++) {
        struct watch_units units = later->units[i];
        units.recording += first;
        MEM_APPEND(watches->units, watches->unit_count, watches->unit_capacity, units);
    }
}
