#include "read/log.h"

#include "platform/bytes.h"

enum {
    /* More than the longest keyword with what may precede it: a mark, a date, a severity. */
    KEYWORD_BYTES_MAX = 80,
    /* The bytes of an unfinished line that are kept to find a mount in it. */
    KEPT_LINE_BYTES = 4096,
    /* The bytes that a record over several lines may have: more is damage. */
    JOINED_BYTES_MAX = 16 * 1024 * 1024,
    /* After so many bytes of a line, the rest is searched for keywords only. */
    LINE_BYTES_MAX = 16 * 1024 * 1024,
    /* The number of new frames of a record that are held until the record proves whole. */
    NEW_FRAMES_MAX = 4096,
    /* The number of ';' in a path that is still found without the grammar. */
    SEMICOLONS_IN_PATH = 3,
};

void log_init(struct log *log, struct log_source source, struct grammar *grammar,
              struct frames *frames)
{
    *log = (struct log){.source = source,
                        .grammar = grammar,
                        .frames = frames,
                        .buffer = "",
                        .is_line_start = true};
}

void log_release(struct log *log)
{
    free(log->long_line);
    text_release(&log->joined);
    text_release(&log->plain);
    free(log->stack);
    free(log->new_frames);
    *log = (struct log){0};
}

/* Moves `begin` up to `to`, and counts the lines there. */
static void consume(struct log *log, size_t to)
{
    const char *text = log->buffer + log->begin, *end = log->buffer + to;
    while (text < end && (text = memchr(text, '\n', (size_t)(end - text))) != NULL) {
        log->line_count++;
        text++;
    }
    log->begin = to;
}

/* Takes the next block. After a failure, the log ends. */
static struct read_block next_block(struct log *log)
{
    struct read_block block = {0};
    log->has_failed = !log->source.next(log->source.context, &block, &log->failure);
    log->is_at_end = block.length == 0;
    return block;
}

/*
 * Copies the part of a long line to memory of its own, and reads on to the line's end, or until it
 * has twice as many bytes: to search it after each block would take time with the square of its
 * length.
 */
static void read_long_line(struct log *log, struct span left)
{
    MEM_GROW(log->long_line, log->long_capacity, left.length);
    memmove(log->long_line, left.at, left.length);
    log->end = left.length;
    bool has_end = false;
    while (!has_end && !log->is_at_end && log->end < 2 * left.length) {
        struct read_block block = next_block(log);
        log->long_line = mem_grow(
            log->long_line, &log->long_capacity, log->end + block.length + READ_TAIL_BYTES, 1);
        memcpy(log->long_line + log->end, block.at, block.length);
        log->end += block.length;
        log->long_line[log->end] = '\n';
        has_end = memchr(block.at, '\n', block.length) != NULL;
    }
    log->buffer = log->long_line;
}

/*
 * Goes to the next block, and puts the bytes that are not consumed yet in front of it, with as many
 * before them as a keyword looks back at.
 */
static void refill(struct log *log)
{
    size_t kept = log->begin < KEYWORD_BYTES_MAX ? 0 : log->begin - KEYWORD_BYTES_MAX;
    if (kept > 0)
        log->is_line_start = log->buffer[kept - 1] == '\n';
    struct span left = {log->buffer + kept, log->end - kept};
    log->begin -= kept;
    log->glued_end = 0;
    if (left.length > READ_HEAD_BYTES) {
        read_long_line(log, left);
        return;
    }
    struct read_block block = next_block(log);
    memcpy(block.at - left.length, left.at, left.length);
    log->buffer = block.at - left.length;
    log->end = left.length + block.length;
}

/*
 * Finds the end of the line at `from`, without its line feed. Returns false if the line is not
 * completely in the buffer and refill() can bring more.
 */
static bool find_line_end(const struct log *log, size_t from, size_t *line_end)
{
    const char *feed = memchr(log->buffer + from, '\n', log->end - from);
    *line_end = feed == NULL ? log->end : (size_t)(feed - log->buffer);
    return feed != NULL || log->is_at_end;
}

/* Without a carriage return, and the blanks that copies of a log may have there. */
static struct span without_line_end(const char *text, size_t length)
{
    while (length > 0 &&
           (text[length - 1] == '\r' || text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return (struct span){text, length};
}

/* Looks for a known frame at stack.at + from; `*end` is set to where it ends. */
static uint32_t find_frame(const struct log *log, struct span stack, size_t from, size_t *end)
{
    size_t field_end = from;
    size_t semicolons = log->frames->semicolon_max;
    semicolons = semicolons < SEMICOLONS_IN_PATH ? semicolons : SEMICOLONS_IN_PATH;
    for (size_t i = 0; i <= semicolons && field_end <= stack.length; i++, field_end++) {
        const char *semicolon = memchr(stack.at + field_end, ';', stack.length - field_end);
        field_end = semicolon == NULL ? stack.length : (size_t)(semicolon - stack.at);
        uint32_t frame = frames_find(log->frames, stack.at + from, field_end - from);
        if (frame != INTERN_NONE) {
            *end = field_end;
            return frame;
        }
    }
    return INTERN_NONE;
}

/* Adds the new frames of a record that has proved whole. */
static void add_new_frames(struct log *log, struct span stack)
{
    for (size_t i = 0; i < log->new_frame_count; i++) {
        const struct new_frame *new = &log->new_frames[i];
        log->stack[new->depth] = frames_add(
            log->frames, stack.at + new->from, new->parsed.end - new->from, &new->parsed);
    }
    log->new_frame_count = 0;
}

/* Gives an unknown frame to the grammar. Returns false if it is not a frame. */
static bool read_new_frame(struct log *log, struct span stack, size_t depth, size_t from,
                           size_t *work_left, size_t *end)
{
    MEM_GROW(log->new_frames, log->new_frame_capacity, log->new_frame_count + 1);
    struct new_frame *new = &log->new_frames[log->new_frame_count];
    *new = (struct new_frame){.depth = depth, .from = from};
    if (!grammar_frame(log->grammar, stack, from, work_left, &new->parsed))
        return false;
    *end = new->parsed.end;
    /* After so many good frames the record is probably good, and holding more would take memory. */
    if (++log->new_frame_count >= NEW_FRAMES_MAX)
        add_new_frames(log, stack);
    return true;
}

enum parse_result { PARSED, NO_TOTALS, NO_FRAME, TOO_LONG };

static enum parse_result parse(struct log *log, struct span text, struct record *record)
{
    struct span stack = {text.at, 0};
    if (!grammar_totals(log->grammar, text, &stack.length, &record->stack))
        return NO_TOTALS;
    size_t work_left = grammar_work(stack);
    record->stack.depth = 0;
    log->new_frame_count = 0;
    size_t from = 0;
    while (from <= stack.length) {
        size_t end;
        uint32_t frame = find_frame(log, stack, from, &end);
        MEM_GROW(log->stack, log->stack_capacity, record->stack.depth + 1);
        log->stack[record->stack.depth] = frame;
        if (frame == INTERN_NONE &&
            !read_new_frame(log, stack, record->stack.depth, from, &work_left, &end))
            return NO_FRAME;
        record->stack.depth++;
        from = end + 1;
    }
    add_new_frames(log, stack);
    record->frames = log->stack;
    return PARSED;
}

/* Gives the bytes from `begin` up to `to`, which have no keyword, to those that want such lines. */
static void report_others(struct log *log, size_t to)
{
    struct span directory, mount_point;
    size_t from = log->begin;
    const char *feed = to > from ? bytes_find_last(log->buffer + from, '\n', to - from) : NULL;
    if (feed != NULL && log->source.game_log != NULL)
        game_log_read(log->source.game_log,
                      log->grammar,
                      (struct span){log->buffer + from, (size_t)(feed + 1 - log->buffer) - from},
                      from == 0 ? log->is_line_start : log->buffer[from - 1] == '\n');
    size_t rest = feed != NULL ? (size_t)(feed + 1 - log->buffer) : from;
    if (log->is_at_end && to == log->end && rest < to && log->source.game_log != NULL)
        game_log_read_rest(
            log->source.game_log, log->grammar, (struct span){log->buffer + rest, to - rest});
    if (log->has_records || log->source.mounted == NULL)
        return;
    while (grammar_find_mount(log->grammar, log->buffer, to, &from, &directory, &mount_point))
        log->source.mounted(log->source.context, directory, mount_point);
}

/*
 * Reads on until the whole next line is in the buffer. Returns false if there is none, or it is too
 * long.
 */
static bool have_line(struct log *log, size_t *line_end)
{
    while (!find_line_end(log, log->begin, line_end)) {
        if (log->end - log->begin > JOINED_BYTES_MAX)
            return false;
        refill(log);
    }
    return log->begin < log->end;
}

/*
 * How many bytes of a line are the mark of a copy that also stands before the severity of the first
 * line, as "> " or "log.txt:"; numbers of lines are others there. 0: the line has no such mark.
 */
static size_t mark_length(struct span line, struct span mark)
{
    static const char digits[] = "0123456789";
    size_t at = 0;
    for (size_t i = 0; i < mark.length;) {
        size_t blanks = 0, length = 0;
        while (i + blanks < mark.length && mark.at[i + blanks] == ' ')
            blanks++;
        while (i + blanks + length < mark.length &&
               memchr(digits, mark.at[i + blanks + length], 10) != NULL)
            length++;
        if (length == 0 && (at == line.length || line.at[at] != mark.at[i]))
            return 0;
        while (length > 0 && at < line.length && line.at[at] == ' ')
            at++;
        if (length > 0 && (at == line.length || memchr(digits, line.at[at], 10) == NULL))
            return 0;
        while (length > 0 && at < line.length && memchr(digits, line.at[at], 10) != NULL)
            at++;
        at += length == 0;
        i += length == 0 ? 1 : blanks + length;
    }
    return at;
}

/* What stands before the severity of the line whose keyword is at `at`; empty if that is blanks. */
static struct span mark_before(const struct log *log, size_t line_start, size_t at)
{
    struct span before = {log->buffer, at};
    size_t end = grammar_severity_start(log->grammar, before), from = line_start;
    while (from < end && log->buffer[from] == ' ')
        from++;
    return (struct span){log->buffer + line_start, from < end ? end - line_start : 0};
}

/*
 * Tries to complete a record of several lines: the source of a chunk is its text, which may contain
 * line breaks. `begin` is at the second line; `first` is the text of the first, which may have been
 * in quotes; `mark`, which is copied, stands before its severity.
 */
static enum parse_result parse_over_lines(struct log *log, struct span first, struct span mark,
                                          size_t indentation, size_t mark_bytes,
                                          struct record *record)
{
    enum { MARK_MAX = 200 };
    SCOPED(text) kept_mark = {0};
    text_cut(&log->joined, 0);
    if (first.length > JOINED_BYTES_MAX)
        return NO_TOTALS;
    if (mark.length <= MARK_MAX && mark_bytes == 0)
        text_put_span(&kept_mark, mark);
    text_put_span(&log->joined, first);
    size_t line_end, text_start, at, after;
    while (log->joined.length < JOINED_BYTES_MAX && have_line(log, &line_end)) {
        struct span line = without_line_end(log->buffer + log->begin, line_end - log->begin);
        bool is_marked = mark_bytes > 0 && line.length > mark_bytes;
        struct span quoted = span_from(line, is_marked ? mark_bytes : 0);
        if (is_marked && grammar_unquote((struct span){line.at, mark_bytes}, &quoted, &log->plain))
            line = quoted;
        size_t mark_end = mark_length(line, text_span(&kept_mark));
        line = span_from(line, mark_end);
        size_t indented = mark_end < indentation ? indentation - mark_end : 0;
        if (grammar_find_keyword(log->grammar, line.at, line.length, 0, true, &at, &after) !=
                GRAMMAR_NOTHING ||
            !grammar_continues(log->grammar, line, indented, &text_start))
            break;
        text_put_string(&log->joined, "\n");
        text_put_span(&log->joined, span_from(line, text_start));
        /* Search the line only: to search the whole text each time would be quadratic. */
        size_t stack_length;
        bool is_last = grammar_totals(log->grammar, line, &stack_length, &record->stack);
        consume(log, line_end < log->end ? line_end + 1 : line_end);
        if (is_last)
            return log->joined.length > JOINED_BYTES_MAX
                       ? TOO_LONG
                       : parse(log, text_span(&log->joined), record);
    }
    return NO_TOTALS;
}

static size_t line_start_of(const struct log *log, size_t at)
{
    const char *feed = at == 0 ? NULL : bytes_find_last(log->buffer, '\n', at);
    return feed == NULL ? 0 : (size_t)(feed - log->buffer) + 1;
}

static enum log_status damaged(enum parse_result result, size_t depth, bool is_torn, bool is_cut,
                               struct error *err)
{
    if (result == TOO_LONG)
        error_set(err, "the line has more than %d MB", LINE_BYTES_MAX / 1024 / 1024);
    else if (is_torn)
        error_set(err, "the line is cut off");
    else if (result == NO_FRAME)
        error_set(err, "frame %zu is not <source>,<line>,<name>,<line>", depth + 1);
    else if (is_cut)
        error_set(err, "the record is cut off at the end of the log");
    else
        error_set(err, "the record does not end in <calls>,<seconds>,<t|f>,<t|f>");
    return LOG_DAMAGED;
}

/*
 * Whether a line of the recorder's events contains another keyword: then it was cut, and another
 * line was joined to it, since events never contain ':'. Lines with definitions may contain any
 * text.
 */
static bool has_inner_keyword(const struct log *log, size_t after, size_t line_end)
{
    static const char kind[] = " events ";
    enum { KIND_END_MAX = 64 };
    struct span text = {log->buffer + after, line_end - after};
    if (!span_starts_with(text, "$"))
        return false;
    struct span start = {text.at, text.length < KIND_END_MAX ? text.length : KIND_END_MAX};
    while (start.length > 0 && !span_starts_with(start, kind))
        start = span_from(start, 1);
    return start.length > 0 && memchr(text.at, ':', text.length) != NULL;
}

/* Takes the quote marks off the text after a keyword at `at`; returns whether it has them. */
static bool unquote(struct log *log, size_t at, struct span *text)
{
    enum { DATE_BYTES_MAX = 40 };
    struct span before = {log->buffer, at};
    if (text->length == 0 || memchr("\"'`,\x99\x9d", text->at[text->length - 1], 6) == NULL)
        return false;
    before.length = grammar_severity_start(log->grammar, before);
    /* A date may stand between the mark and the severity. */
    size_t end = before.length;
    while (before.length > 0 && end - before.length < DATE_BYTES_MAX &&
           memchr("0123456789-/:.,TZ[] ", before.at[before.length - 1], 20) != NULL)
        before.length--;
    return grammar_unquote(before, text, &log->plain);
}

static bool find_inner_keyword(const struct log *log, size_t after, size_t line_end,
                               size_t *inner_at, size_t *inner_after)
{
    return grammar_find_keyword(
        log->grammar, log->buffer, line_end, after, log->is_line_start, inner_at, inner_after);
}

/*
 * Reads the record whose keyword is at [at, after) in a line that ends at `line_end`. A line that
 * cannot be read as one record but contains another keyword is two lines, joined by a crash or a
 * lost line feed: each is then read by itself.
 */
static enum log_status read_record(struct log *log, size_t at, size_t after, size_t line_end,
                                   struct record *record, struct error *err)
{
    if (at >= log->glued_end && has_inner_keyword(log, after, line_end))
        log->glued_end = line_end;
    bool is_glued = at < log->glued_end;
    size_t inner_at, inner_after, text_end = line_end, next = line_end;
    if (is_glued && find_inner_keyword(log, after, line_end, &inner_at, &inner_after)) {
        next = inner_at;
        text_end = grammar_severity_start(log->grammar, (struct span){log->buffer, inner_at});
        /* What looks like its date and severity may begin before the first keyword. */
        text_end = text_end < after ? after : text_end;
    }
    struct span text = without_line_end(log->buffer + after, text_end - after);
    bool is_quoted = unquote(log, at, &text);
    if (grammar_recorder_line(log->grammar, text, &record->recorder)) {
        record->is_cut = next != line_end || line_end == log->end;
        consume(log, next == line_end && line_end < log->end ? line_end + 1 : next);
        return LOG_RECORDER;
    }
    bool is_too_long = text_end - after > LINE_BYTES_MAX ||
                       (next == line_end && line_end == log->end && !log->is_at_end);
    enum parse_result result = is_too_long ? TOO_LONG : parse(log, text, record);
    if (result != PARSED && !is_glued &&
        find_inner_keyword(log, after, line_end, &inner_at, &inner_after)) {
        log->glued_end = line_end;
        return read_record(log, at, after, line_end, record, err);
    }
    /* Nothing says that it is a record: the recorder's lines begin so, too. */
    bool is_recorder = span_starts_with(text, "$"), is_torn = is_recorder || text.length == 0;
    bool may_go_on = result == NO_TOTALS && !is_recorder && next == line_end && line_end < log->end;
    /* Search it only here, or a line of many keywords would be searched for each of them. */
    size_t line_start = may_go_on ? line_start_of(log, at) : at;
    struct span mark = may_go_on ? mark_before(log, line_start, at) : (struct span){0};
    size_t mark_bytes = !is_quoted ? 0 : log->buffer[line_start] == '\xe2' ? 3 : 1;
    size_t indentation = may_go_on ? after - line_start - strlen("prof: ") - mark_bytes : 0;
    log->begin = next;
    if (next == line_end && line_end < log->end) {
        log->begin++;
        log->line_count++;
    }
    size_t text_length = text.length;
    if (may_go_on)
        result = parse_over_lines(log, text, mark, indentation, mark_bytes, record);
    if (result == PARSED)
        return LOG_RECORD;
    /* The last line has no end, or the lines of the record reach the end of the log. */
    record->is_cut =
        log->is_at_end && log->begin == log->end &&
        (log->buffer[log->end - 1] != '\n' || (may_go_on && log->joined.length > text_length));
    return damaged(result, record->stack.depth, is_torn, record->is_cut, err);
}

/* Skips bytes without a keyword, but keeps the last ones, where a keyword may begin. */
static void skip_without_keyword(struct log *log)
{
    const char *feed = bytes_find_last(log->buffer + log->begin, '\n', log->end - log->begin);
    size_t kept = feed == NULL ? log->begin : (size_t)(feed - log->buffer) + 1;
    if (log->end - kept > KEPT_LINE_BYTES)
        kept = log->end - KEYWORD_BYTES_MAX;
    report_others(log, log->is_at_end ? log->end : kept);
    consume(log, log->is_at_end ? log->end : kept);
}

/*
 * Consumes the bytes before the line with a keyword at `at`. Returns false if the line is not
 * completely in the buffer and refill() can bring more.
 */
static bool have_marked_line(struct log *log, size_t at, size_t after, size_t *line_end)
{
    size_t start = line_start_of(log, at);
    consume(log, start > log->begin ? start : log->begin);
    return find_line_end(log, after, line_end) || *line_end - log->begin >= KEPT_LINE_BYTES;
}

/* Reads the line with the keyword of a benchmark. */
static enum log_status read_benchmark(struct log *log, size_t after, size_t line_end,
                                      struct record *record, struct error *err)
{
    record->line = log->line_count + 1;
    record->is_cut = line_end == log->end;
    struct span line = {log->buffer + log->begin, line_end - log->begin};
    bool is_read = grammar_benchmark(log->grammar, FIELDS_WALLCLOCK, line, &record->benchmark);
    /*
     * If it is another kind of line, only the keyword is consumed: other keywords may follow in the
     * line.
     */
    consume(log, is_read ? line_end : after);
    if (is_read)
        return LOG_BENCHMARK;
    error_set(err, "a benchmark does not say its start, duration and wallclock time in seconds");
    return LOG_DAMAGED;
}

/* Reports a hook. The last line of a log may be cut, and is not used without its end. */
static void read_hook(struct log *log, size_t after, size_t line_end)
{
    struct span fields[GRAMMAR_FIELDS_MAX],
        line = {log->buffer + log->begin, line_end - log->begin};
    bool is_read = line_end < log->end && grammar_fields(log->grammar, FIELDS_HOOK, line, fields);
    if (is_read && log->source.hooked != NULL)
        log->source.hooked(log->source.context, fields[0], fields[1]);
    consume(log, is_read ? line_end : after);
}

/*
 * Reads the record at `begin` in one pass, if its line is the usual one. Otherwise nothing is
 * changed.
 *
 * It reads exactly what log_next() would read: "info: prof: " is the first keyword of a text that
 * begins with it, since no other can begin inside it; the ends of frames are the ';', if all pieces
 * are known frames; and a record that can be read is never several joined lines.
 */
static bool read_usual_record(struct log *log, struct record *record)
{
    static const char mark[] = "info: prof: ";
    const char *line = log->buffer + log->begin, *end = log->buffer + log->end;
    bool is_start = log->begin == 0 ? log->is_line_start : line[-1] == '\n';
    if (!is_start || log->begin < log->glued_end || (size_t)(end - line) < strlen(mark) ||
        memcmp(line, mark, strlen(mark)) != 0)
        return false;
    const char *text = line + strlen(mark);
    struct frame_row row = {.next = text};
    size_t depth = 0;
    do {
        if (!frames_find_row(log->frames, row.next, &row))
            return false;
        MEM_GROW(log->stack, log->stack_capacity, depth + FRAMES_ROW_MAX);
        memcpy(log->stack + depth, row.ids, sizeof row.ids);
        depth += row.count;
    } while (!row.is_last);
    const char *feed = memchr(row.next, '\n', (size_t)(end - row.next));
    size_t stack_length;
    if (feed == NULL || depth == 0 || feed - text > LINE_BYTES_MAX ||
        !grammar_totals(log->grammar,
                        without_line_end(row.next - 1, (size_t)(feed - row.next) + 1),
                        &stack_length,
                        &record->stack))
        return false;
    record->frames = log->stack;
    record->stack.depth = depth;
    record->line = ++log->line_count;
    record->is_cut = false;
    log->begin = (size_t)(feed + 1 - log->buffer);
    log->run += log->run == 0;
    record->run = log->run;
    return true;
}

enum log_status log_next(struct log *log, struct record *record, struct error *err)
{
    if (log->has_records && log->frames->known != NULL && read_usual_record(log, record))
        return LOG_RECORD;
    for (;;) {
        size_t at, after, line_end;
        enum grammar_keyword keyword = grammar_find_keyword(
            log->grammar, log->buffer, log->end, log->begin, log->is_line_start, &at, &after);
        if (keyword == GRAMMAR_NOTHING) {
            skip_without_keyword(log);
            if (log->is_at_end)
                break;
            refill(log);
            continue;
        }
        report_others(log, at);
        if (keyword == GRAMMAR_BENCHMARK || keyword == GRAMMAR_HOOK) {
            if (!have_marked_line(log, at, after, &line_end)) {
                refill(log);
                continue;
            }
            if (keyword == GRAMMAR_BENCHMARK)
                return read_benchmark(log, after, line_end, record, err);
            read_hook(log, after, line_end);
            continue;
        }
        consume(log, at);
        if (keyword == GRAMMAR_RECORDING_START) {
            consume(log, after);
            log->run++;
            continue;
        }
        if (at < log->glued_end) {
            line_end = log->glued_end;
        } else if (!find_line_end(log, after, &line_end) && log->end - at < LINE_BYTES_MAX) {
            refill(log);
            continue;
        }
        record->line = log->line_count + 1;
        record->is_cut = false;
        enum log_status status = read_record(log, at, after, line_end, record, err);
        log->has_records |= status != LOG_DAMAGED;
        log->run += log->run == 0 && status == LOG_RECORD;
        record->run = log->run;
        return status;
    }
    if (!log->has_failed)
        return LOG_END;
    log->has_failed = false;
    *err = log->failure;
    return LOG_FAILED;
}
