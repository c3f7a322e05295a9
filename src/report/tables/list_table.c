#include "report/tables/list_table.h"

#include "base/mem.h"
#include "report/figures/formats.h"
#include "report/sentences/amounts.h"
#include "report/sentences/wrap.h"
#include "report/tables/tables.h"

struct line_pair {
    int32_t line, old_line; /* 0: there is none */
};

/*
 * Which lines of two versions of a function have the same text.
 *
 * Blanks before and after the text do not count. The order of the lines stays: as few as possible
 * are left alone. Where functions have thousands of different lines, all of these are, up to the
 * next that is equal by chance.
 *
 *     old 10 function F()     new 20 function F()        pairs  20 and 10
 *         11   Prepare()          21   if x then                21
 *         12   Run()              22     Run()                      11
 *         13 end                  23   end                      22 and 12
 *                                 24 end                        23
 *                                                               24 and 13
 */

static struct span trimmed(struct span text)
{
    while (text.length > 0 && strchr(" \t", text.at[0]) != NULL)
        text = span_from(text, 1);
    while (text.length > 0 && strchr(" \t", text.at[text.length - 1]) != NULL)
        text.length--;
    return text;
}

/* Returns the texts of the lines of a file without blanks around them, [its line_count], by id. */
static const uint32_t *texts_of(struct listing *listing, const struct source_file *file)
{
    uint32_t id;
    struct span key = {(const char *)&file, sizeof file};
    bool is_new = intern_is_new(&listing->files, key, &id);
    MEM_GROW(listing->texts_of, listing->file_capacity, listing->files.count);
    if (!is_new)
        return listing->texts_of[id];
    uint32_t *texts = listing->texts_of[id] = mem_zeroed((size_t)file->line_count, sizeof *texts);
    for (int32_t line = 1; line <= file->line_count; line++)
        texts[line - 1] = intern_add_span(&listing->texts, trimmed(source_line(file, line)));
    return texts;
}

/* Lines of both versions: as texts, and the numbers of the first. One without a file has none. */
struct both_lines {
    const uint32_t *now, *old; /* [now_count], [old_count] */
    size_t now_count, old_count;
    int32_t first, old_first;
    struct line_pair *pairs; /* [count] */
    size_t count;
};

static size_t count_lines(const struct source_lines *lines)
{
    return lines->file != NULL ? (size_t)(lines->last - lines->first + 1) : 0;
}

/* Adds the next line of one version or of both, and goes on after it. */
static void take_lines(struct both_lines *lines, bool is_now, bool is_old)
{
    lines->pairs[lines->count++] =
        (struct line_pair){is_now ? lines->first++ : 0, is_old ? lines->old_first++ : 0};
    lines->now += is_now;
    lines->now_count -= is_now;
    lines->old += is_old;
    lines->old_count -= is_old;
}

/*
 * Returns how many pairs there are from two lines on, [(now_count + 1) * (old_count + 1)]; NULL if
 * these are more than `*cells`, which it takes from them.
 */
static uint16_t *count_pairs(const struct both_lines *lines, size_t *cells)
{
    size_t width = lines->old_count + 1, height = lines->now_count + 1;
    if (height > *cells / width)
        return NULL;
    *cells -= height * width;
    uint16_t *pairs = mem_zeroed(height * width, sizeof *pairs);
    for (size_t i = lines->now_count; i-- > 0;)
        for (size_t k = lines->old_count; k-- > 0;) {
            uint16_t *at = &pairs[i * width + k];
            *at = at[width] > at[1] ? at[width] : at[1];
            if (lines->now[i] == lines->old[k])
                *at = (uint16_t)(at[width + 1] + 1);
        }
    return pairs;
}

/* Takes all lines but those at the end that are equal in both. */
static void take_different(struct both_lines *lines, size_t *cells)
{
    size_t width = lines->old_count + 1, i = 0, k = 0;
    SCOPED_ARRAY uint16_t *pairs = count_pairs(lines, cells);
    while (lines->now_count > 0 || lines->old_count > 0) {
        bool is_now = lines->now_count > 0, is_old = lines->old_count > 0;
        if (is_now && is_old && *lines->now != *lines->old) {
            is_now = pairs != NULL && pairs[(i + 1) * width + k] > pairs[i * width + k + 1];
            is_old = !is_now;
        }
        take_lines(lines, is_now, is_old);
        i += is_now;
        k += is_old;
    }
}

/* Returns all lines of both, [*count], which the caller frees. One without a file has no lines. */
static struct line_pair *find_line_pairs(struct listing *listing, const struct source_lines *now,
                                         const struct source_lines *old, size_t *count)
{
    struct both_lines lines = {.now_count = count_lines(now),
                               .old_count = count_lines(old),
                               .first = now->first,
                               .old_first = old->first};
    size_t same = 0;
    lines.pairs = mem_zeroed(lines.now_count + lines.old_count, sizeof *lines.pairs);
    if (lines.now_count > 0)
        lines.now = texts_of(listing, now->file) + now->first - 1;
    if (lines.old_count > 0)
        lines.old = texts_of(listing, old->file) + old->first - 1;
    while (lines.now_count > 0 && lines.old_count > 0 && *lines.now == *lines.old)
        take_lines(&lines, true, true);
    while (same < lines.now_count && same < lines.old_count &&
           lines.now[lines.now_count - same - 1] == lines.old[lines.old_count - same - 1])
        same++;
    lines.now_count -= same;
    lines.old_count -= same;
    take_different(&lines, &listing->cells_left);
    for (lines.now_count = lines.old_count = same; lines.now_count > 0;)
        take_lines(&lines, true, true);
    *count = lines.count;
    return lines.pairs;
}

/* An expensive line has a hundredth of the time of its function. */
enum { EXPENSIVE_LINES = 3, EXPENSIVE_PART = 100 };

static int64_t value_ns(const struct listed_value *value)
{
    return value->total_ns + value->self_ns;
}

static const struct row_group *group_at(const struct listing *listing, uint32_t row)
{
    return &listing->table.groups.all[listing->table.rows[row].group];
}

/* Rows ------------------------------------------------------------------------------------- */

void listing_init(struct listing *listing, const struct report *report, const uint8_t *is_chosen)
{
    /* JSON has four times as many bytes as a list, or a TAB may have become four blanks. */
    enum { CELLS_MAX = 1 << 24, PART = 4 };
    *listing = (struct listing){.report = report,
                                .table = report_rows(report, BY_LINE, false),
                                .bytes_left = report_bytes_max(report) / PART,
                                .cells_left = CELLS_MAX};
    edges_init(&listing->edges, report, is_chosen, false);
    listing->rows = mem_zeroed(listing->table.row_count, sizeof *listing->rows);
    for (uint32_t i = 0; i < listing->table.row_count; i++) {
        uint32_t function = group_at(listing, i)->function;
        if (function != TREE_NONE && is_chosen[function])
            listing->rows[listing->row_count++] = (struct keyed){function, i};
    }
    key_sort(listing->rows, listing->row_count);
    if (report->old != NULL && report->old->sources->found_count > 0)
        listing->old_of = report_old_functions(report);
}

void listing_release(struct listing *listing)
{
    edges_release(&listing->edges);
    row_sums_release(&listing->table);
    for (uint32_t i = 0; i < listing->files.count; i++)
        free(listing->texts_of[i]);
    MEM_FREE(listing->rows, listing->old_of, listing->texts_of);
    intern_release(&listing->files);
    intern_release(&listing->texts);
}

/* Lines ------------------------------------------------------------------------------------ */

static int compare_function(const void *id, const void *row)
{
    return ORDER(*(const uint32_t *)id, ((const struct keyed *)row)->key, 0);
}

COMPARES(compare_lines, struct listed_line, ORDER(a->line, b->line, 0))

/* Returns the line of a calling line, or NULL if it is not listed. */
static struct listed_line *find_line(const struct listed_function *function, int32_t line)
{
    const struct listed_line sought = {.line = line_number(line)};
    return bsearch(&sought, function->lines, function->count, sizeof sought, compare_lines);
}

static int32_t line_at(const struct listing *listing, uint32_t item)
{
    return line_number(group_at(listing, item)->line);
}

/* Makes the lines without values: those of `rows`, [count], and of the source. */
static void make_lines(const struct listing *listing, const struct keyed *rows, size_t count,
                       struct listed_function *function)
{
    const struct source_lines *source = &function->source;
    size_t of_source = function->has_source ? (size_t)(source->last - source->first + 1) : 0;
    struct listed_line *lines = mem_zeroed(of_source + count, sizeof *lines);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        lines[i].line = line_at(listing, rows[i].item);
    for (size_t i = 0; i < of_source; i++)
        lines[count + i].line = source->first + (int32_t)i;
    qsort(lines, of_source + count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < of_source + count; i++) {
        lines[i].callee = TREE_NONE;
        if (used == 0 || lines[i].line != lines[used - 1].line)
            lines[used++] = lines[i];
    }
    function->lines = lines;
    function->count = used;
}

static void add_row(struct listed_value *value, const struct row *row)
{
    value->calls += row->sum.calls;
    value->errors += row->sum.details.errors;
    value->total_ns += row->sum.total_ns;
    if (row->line == NULL)
        return;
    value->runs += row->line->runs;
    value->self_ns += row->line->self_ns;
}

static void add_item(const struct listing *listing, uint32_t item, struct listed_function *function)
{
    struct listed_line *line = find_line(function, line_at(listing, item));
    const struct row *row = &listing->table.rows[item], *old = row_sums_old(&listing->table, row);
    line->is_used = true;
    add_row(&line->now, row);
    if (old != NULL)
        add_row(&line->old, old);
    function->has_self |= row->line != NULL || (old != NULL && old->line != NULL);
    function->has_runs |= line->now.runs > 0 || line->old.runs > 0;
}

static void add_callees(const struct listing *listing, struct listed_function *function)
{
    const struct edges *edges = &listing->edges;
    for (size_t i = 0; i < function->sums->callee_count; i++) {
        const struct edge *edge = &edges->callees[function->sums->first_callee + i];
        for (size_t k = 0; k < edge->line_count; k++) {
            const struct edge_line *calls = &edges->lines[edge->first_line + k];
            struct listed_line *line = find_line(function, calls->line);
            if (function->is_matched && calls->calls == 0 && calls->total_ns == 0)
                continue;
            line->callee_count++;
            if (line->callee == TREE_NONE || calls->total_ns > line->callee_ns) {
                line->callee = edge->function;
                line->callee_ns = calls->total_ns;
            }
        }
    }
}

static void mark_expensive(struct listed_function *function)
{
    int64_t ns_min = function->sums->total_ns / EXPENSIVE_PART;
    for (int i = 0; i < EXPENSIVE_LINES; i++) {
        struct listed_line *most = NULL;
        for (size_t k = 0; k < function->count; k++) {
            struct listed_line *line = &function->lines[k];
            int64_t ns = value_ns(&line->now);
            bool is_more = most == NULL || ns > value_ns(&most->now);
            if (!line->is_expensive && line->line > 0 && ns > ns_min && is_more)
                most = line;
        }
        if (most != NULL)
            most->is_expensive = true;
    }
}

/* Sides ------------------------------------------------------------------------------------ */

/* Finds the lines of a function, and takes them from those that may still be listed. */
static bool take_source(struct listing *listing, struct source_lines *lines,
                        const struct source_files *sources, const struct symbols *symbols,
                        uint32_t id, struct error *why)
{
    enum { LINE_BYTES = 64 }; /* of its numbers and blanks, as a list has them */
    if (!source_lines_find(lines, sources, symbols, id, why))
        return false;
    size_t count = count_lines(lines);
    const size_t *starts = lines->file->starts + lines->first - 1;
    uint64_t bytes = starts[count] - starts[0] + LINE_BYTES * (uint64_t)count;
    if (bytes > listing->bytes_left) {
        *lines = (struct source_lines){0};
        return error_set(why,
                         "with its %zu lines, the list would be too long for a log of this "
                         "size; list fewer functions (--max-depth=0 has no limit)",
                         count);
    }
    listing->bytes_left -= bytes;
    return true;
}

static void find_sources(struct listing *listing, uint32_t id, struct listed_function *function)
{
    const struct report *report = listing->report;
    const struct symbols *symbols = &report->profile->symbols;
    struct error why;
    bool is_gone = report->old != NULL && id >= report->old->gone_from;
    function->has_source =
        !is_gone &&
        take_source(listing, &function->source, report->sources, symbols, id, &function->why);
    if (listing->old_of == NULL || listing->old_of[id] == TREE_NONE)
        return;
    bool has_old = take_source(listing,
                               &function->old_source,
                               report->old->sources,
                               &report->old->profile->symbols,
                               listing->old_of[id],
                               &why);
    function->is_matched = has_old && (function->has_source || is_gone);
    if (!has_old && function->has_source)
        function->why = why;
}

/* Appends a line, and moves to it what the lines of both sides have. */
static void add_pair(struct listed_function *to, struct line_pair pair, struct listed_line *now,
                     struct listed_line *old)
{
    static const struct listed_value none;
    struct listed_line *line = &to->lines[to->count++];
    *line = now != NULL ? *now : (struct listed_line){.callee = TREE_NONE};
    line->line = pair.line;
    line->old_line = pair.old_line;
    line->old = old != NULL ? old->old : none;
    line->is_used =
        memcmp(&line->now, &none, sizeof none) != 0 || memcmp(&line->old, &none, sizeof none) != 0;
    if (now != NULL)
        now->now = none;
    if (old != NULL)
        old->old = none;
}

/* Brings the lines of both sides into one order. Until then, old lines have moved by `shift`. */
static void match_lines(struct listing *listing, struct listed_function *function, int64_t shift)
{
    struct listed_function from = *function;
    size_t count;
    SCOPED_ARRAY struct line_pair *pairs =
        find_line_pairs(listing, &from.source, &from.old_source, &count);
    function->lines = mem_zeroed(count + from.count, sizeof *function->lines);
    function->count = 0;
    /* That of unknown lines is the first. */
    if (from.count > 0 && from.lines[0].line == 0)
        function->lines[function->count++] = from.lines[0];
    size_t first = function->count;
    for (size_t i = 0; i < count; i++) {
        int32_t line = pairs[i].line, old_line = pairs[i].old_line;
        add_pair(function,
                 pairs[i],
                 line > 0 ? find_line(&from, line) : NULL,
                 old_line > 0 ? find_line(&from, line_moved(old_line, shift)) : NULL);
    }
    /* Outside of the function's source is what a damaged log has. */
    for (size_t i = first; i < from.count; i++) {
        struct listed_line *left = &from.lines[i];
        add_pair(function, (struct line_pair){.line = left->line}, left, left);
        function->count -= !function->lines[function->count - 1].is_used;
    }
    free(from.lines);
}

/*
 * Lists the function with this index in `listing->edges`. It has no source if that would be more
 * than may still be listed.
 */
static void take(struct listing *listing, size_t index, struct listed_function *function)
{
    const struct report *report = listing->report;
    *function = (struct listed_function){.sums = &listing->edges.functions[index]};
    uint32_t id = function->sums->function;
    size_t count = 0,
           from = search_first(
               &id, listing->rows, listing->row_count, sizeof *listing->rows, compare_function);
    const struct keyed *rows = listing->rows + from;
    while (from + count < listing->row_count && rows[count].key == id)
        count++;
    find_sources(listing, id, function);
    make_lines(listing, rows, count, function);
    for (size_t i = 0; i < count; i++)
        add_item(listing, rows[i].item, function);
    add_callees(listing, function);
    if (function->is_matched) {
        function->has_source = true;
        match_lines(listing,
                    function,
                    (int64_t)report->profile->symbols.functions[id].line -
                        report->old->profile->symbols.functions[listing->old_of[id]].line);
    }
    mark_expensive(function);
    int64_t self_ns = function->sums->self_ns;
    function->hides_self = function->has_source && !function->has_self &&
                           report->profile->symbols.functions[id].line > 0 &&
                           self_ns >= function->sums->total_ns / 2 &&
                           self_ns > report_total_ns(report) / EXPENSIVE_PART;
}

void source_line_put(struct text *text, const struct source_file *file, int32_t line)
{
    enum { TAB_WIDTH = 4 };
    size_t start = text->length;
    struct span rest = source_line(file, line);
    while (rest.length > 0) {
        bool has_tab = memchr(rest.at, '\t', rest.length) != NULL;
        text_put_clean(text, span_take(&rest, '\t'), false);
        size_t width = text->length - start;
        text_put_blanks(text, has_tab ? TAB_WIDTH - width % TAB_WIDTH : 0);
    }
}

/* Appends the text of a line as source_line_put() does; returns false if it is not known. */
static bool put_text(struct text *text, const struct listed_function *function,
                     const struct listed_line *line)
{
    bool is_gone = line->line == 0 && line->old_line > 0;
    const struct source_lines *source = is_gone ? &function->old_source : &function->source;
    int32_t number = is_gone ? line->old_line : line->line;
    bool is_there = source->file != NULL && number >= source->first && number <= source->last;
    if (is_there)
        source_line_put(text, source->file, number);
    return is_there;
}

enum { CALLEE_WIDTH = 24, WIDTH_ROOMY = 100 };

/* Which lines are shown ------------------------------------------------------------------------ */

/* Shows a line; returns how many rows that adds: folded lines beside it may need a row of their
 * own. */
static size_t show(struct list_table *list, size_t line)
{
    if (line >= list->function.count || list->is_shown[line])
        return 0;
    list->is_shown[line] = true;
    bool has_before = line > 0 && !list->is_shown[line - 1];
    bool has_after = line + 1 < list->function.count && !list->is_shown[line + 1];
    return (size_t)has_before + has_after;
}

/*
 * Shows the first line and the last one, and the most expensive ones with those beside them; where
 * the function's own time may be in any line, as many of the others as there is room for.
 */
static void choose_lines(struct list_table *list, size_t limit)
{
    size_t count = list->function.count, used = 0;
    SCOPED_ARRAY struct keyed *ordered = mem_zeroed(count, sizeof *ordered);
    for (size_t i = 0; i < count; i++) {
        const struct listed_line *line = &list->function.lines[i];
        int64_t ns = value_ns(&line->now), old_ns = value_ns(&line->old);
        if (line->is_used)
            ordered[used++] =
                (struct keyed){~key_of_double((double)(ns > old_ns ? ns : old_ns)), (uint32_t)i};
    }
    key_sort(ordered, used);
    size_t rows = 1;
    if (list->function.has_source)
        rows += show(list, 0) + show(list, count - 1);
    size_t first_limit = list->function.has_source ? limit - limit / 4 : limit;
    for (size_t i = 0; i < used && rows < first_limit; i++)
        rows += show(list, ordered[i].item);
    for (size_t i = 0; i < used && list->function.has_source && rows + 4 <= limit; i++)
        rows += show(list, (size_t)ordered[i].item - 1) + show(list, (size_t)ordered[i].item + 1);
    for (size_t i = 0; i < count && list->function.hides_self && rows < limit; i++)
        rows += show(list, i);
}

static void make_rows(struct list_table *list, size_t limit)
{
    size_t count = list->function.count;
    list->is_shown = mem_zeroed(count, sizeof *list->is_shown);
    list->rows = mem_zeroed(count, sizeof *list->rows);
    if (limit == SIZE_MAX)
        memset(list->is_shown, true, count);
    else if (count > 0)
        choose_lines(list, limit);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && !list->is_shown[end];)
            end++;
        bool is_folded = end - i > 1;
        end += end == i;
        list->rows[list->table.row_count++] = (struct line_row){i, is_folded ? end - i : 0};
    }
}

/* Cells ------------------------------------------------------------------------------------ */

static size_t count_blanks(struct span text)
{
    size_t count = 0;
    while (count < text.length && text.at[count] == ' ')
        count++;
    return count;
}

/* Finds the blanks that all lines begin with. */
static void measure_indent(struct list_table *list)
{
    SCOPED(text) text = {0};
    list->indent = SIZE_MAX;
    for (size_t i = 0; i < list->function.count; i++) {
        text_cut(&text, 0);
        put_text(&text, &list->function, &list->function.lines[i]);
        size_t blanks = count_blanks(text_span(&text));
        if (blanks < text.length && blanks < list->indent)
            list->indent = blanks;
    }
}

/* Puts the most expensive callee, unless it is the only one and the text of the line names it. */
static void put_callee(struct cell *cell, const struct list_table *list,
                       const struct listed_line *line, const struct text *text)
{
    const struct labels *labels = list->report->labels;
    const struct label *label = &labels->of[line->callee];
    const char *name = labels_string(labels, label->name), *dot = strrchr(name, '.');
    bool has_source = list->function.has_source;
    struct text *to = has_source ? &cell->suffix : &cell->text;
    if (has_source && line->callee_count == 1 &&
        strstr(text_string(text), dot != NULL ? dot + 1 : name) != NULL)
        return;
    if (has_source)
        text_put_string(to, "  -> ");
    if (strcmp(name, "?") == 0)
        text_put_cut_path(to, labels_text(labels, label->place), CALLEE_WIDTH);
    else
        text_put_cut(to, span_of(name), CALLEE_WIDTH);
}

static bool has_number(const struct listed_line *line)
{
    return line->line > 0 || line->old_line > 0;
}

static void get_source(struct cell *cell, const struct list_table *list,
                       const struct listed_line *line)
{
    SCOPED(text) text = {0};
    put_text(&text, &list->function, line);
    size_t blanks = count_blanks(text_span(&text));
    if (list->function.is_matched && has_number(line))
        text_put_string(&cell->text, line->old_line == 0 ? "+ " : line->line == 0 ? "- " : "  ");
    if (blanks < text.length) {
        /* Where there is little room, code that is deep inside needs it more than its indentation.
         */
        bool is_narrow = list->report->width > 0 && list->report->width < WIDTH_ROOMY;
        text_put_blanks(&cell->text, (blanks - list->indent) / (is_narrow ? 2 : 1));
        text_put_span(&cell->text, span_from(text_span(&text), blanks));
    } else if (list->function.has_source && !has_number(line))
        text_put_string(&cell->text, "(from lines that are not known)");
    cell->style = line->is_used ? CELL_PLAIN : CELL_DIM;
    if (line->callee != TREE_NONE)
        put_callee(cell, list, line, &text);
}

enum line_column {
    LINE_NUMBER, /* where only the old source has the line, its number there */
    /* Those of JSON, in its order. */
    LINE_NEW_NUMBER,
    LINE_OLD_NUMBER,
    LINE_TEXT,
    LINE_CALLS, /* this and those up to LINE_SELF: of each side */
    LINE_ERRORS,
    LINE_CALLED, /* time of what was called */
    LINE_RUNS,
    LINE_SELF,
    LINE_INDEX, /* the callee */
    LINE_TIME,
    LINE_SIDE, /* the same of one side, for people */
    LINE_SHARE,
    LINE_FUNCTION_LINE,
    LINE_MARK,
    LINE_LABEL,
    LINE_FUNCTION,
    LINE_SOURCE,
    LINE_CALLEE,
    LINE_COLUMNS
};

static const struct column_info columns[LINE_COLUMNS] = {
    [LINE_NUMBER] = {.title = "line", .name = "line", .type = TYPE_NUMBER},
    [LINE_NEW_NUMBER] = {.name = "line", .type = TYPE_NUMBER},
    [LINE_OLD_NUMBER] = {.name = "old_line", .type = TYPE_NUMBER},
    [LINE_TEXT] = {.name = "text", .type = TYPE_TEXT},
    [LINE_CALLS] = {.title = "calls", .name = "calls", .type = TYPE_COUNT, .order = 1},
    [LINE_ERRORS] = {.title = "errors", .name = "errors", .type = TYPE_COUNT},
    [LINE_CALLED] = {.name = "total_ns", .type = TYPE_SUM},
    [LINE_RUNS] = {.title = "runs", .name = "runs", .type = TYPE_COUNT, .order = 1},
    [LINE_SELF] = {.title = "self", .name = "self_ns", .type = TYPE_SUM, .order = 1},
    [LINE_INDEX] = {.name = "callee", .type = TYPE_FUNCTION},
    [LINE_TIME] = {.title = "total", .name = "total_ns", .type = TYPE_SUM},
    [LINE_SIDE] = {.title = "", .type = TYPE_SUM},
    [LINE_SHARE] = {.title = "total%", .type = TYPE_PERCENT},
    [LINE_FUNCTION_LINE] = {.name = "function_line", .type = TYPE_NUMBER},
    [LINE_MARK] = {.title = "", .type = TYPE_MARK},
    [LINE_LABEL] = {.type = TYPE_LABEL},
    [LINE_FUNCTION] = {.name = "function", .type = TYPE_TEXT},
    [LINE_SOURCE] = {.name = "source", .type = TYPE_TEXT},
    [LINE_CALLEE] = {.name = "callee", .type = TYPE_TEXT},
};

/* Whether the log can say it. */
static bool is_known(const struct listed_function *function, enum line_column kind)
{
    return (kind != LINE_RUNS || function->has_runs) && (kind != LINE_SELF || function->has_self) &&
           (kind != LINE_OLD_NUMBER || function->is_matched);
}

static int64_t number_of(const struct listed_value *value, enum line_column kind)
{
    switch (kind) {
    case LINE_CALLS:
        return (int64_t)value->calls;
    case LINE_RUNS:
        return (int64_t)value->runs;
    case LINE_SELF:
        return value->self_ns;
    case LINE_CALLED:
        return value->total_ns;
    case LINE_ERRORS:
        return (int64_t)value->errors;
    default:
        return value_ns(value);
    }
}

/* Numbers of lines that were not used are not shown. */
static void get_number(struct cell *cell, const struct list_table *list,
                       const struct listed_line *line, const struct table_column *column)
{
    const struct listed_value *value = column->aspect == ASPECT_OLD ? &line->old : &line->now;
    enum line_column kind = (enum line_column)(column->info - columns);
    int64_t change_ns = value_ns(value) - value_ns(&line->old);
    bool is_run = list->function.has_self && line->now.calls == 0 && line->now.total_ns == 0;
    cell->is_known = is_known(&list->function, kind);
    cell->number = column->aspect == ASPECT_DIFFERENCE ? change_ns : number_of(value, kind);
    bool is_empty = (kind == LINE_CALLS && is_run) || (kind == LINE_ERRORS && value->errors == 0);
    cell->word = !line->is_used || is_empty ? "" : NULL;
    if (column->aspect == ASPECT_DIFFERENCE)
        cell->style = change_ns > 0 ? CELL_MUCH : change_ns < 0 ? CELL_LESS : CELL_PLAIN;
    else if (kind == LINE_TIME && line->is_expensive && !list->is_compared)
        cell->style = CELL_MUCH;
}

static void get_text(struct cell *cell, const struct list_table *list,
                     const struct listed_line *line, enum line_column kind)
{
    uint32_t function = list->function.sums->function;
    const struct report *report = list->report;
    cell->is_known = true;
    switch (kind) {
    case LINE_LABEL:
        get_source(cell, list, line);
        break;
    case LINE_MARK:
        cell->style = CELL_MUCH;
        if (line->is_expensive)
            text_put_string(&cell->text, "*");
        break;
    case LINE_TEXT:
        cell->is_known = put_text(&cell->text, &list->function, line);
        break;
    case LINE_CALLEE:
        if (line->callee != TREE_NONE)
            cell_put_name(cell, report, line->callee, NAME_FUNCTION);
        break;
    case LINE_FUNCTION:
        cell_put_name(cell, report, function, NAME_FUNCTION);
        break;
    case LINE_SOURCE:
        cell_put_name(cell, report, function, NAME_SOURCE);
        break;
    default:
        cell_put_name(cell, report, function, NAME_LINE);
        break;
    }
}

static void get(const struct table *table, size_t row, const struct table_column *column,
                struct cell *cell)
{
    const struct list_table *list = table->of;
    const struct listed_line *line = &list->function.lines[list->rows[row].line];
    enum line_column kind = (enum line_column)(column->info - columns);
    size_t folded = list->rows[row].folded;
    if (folded > 0) {
        cell->word = "";
        cell->style = CELL_DIM;
        if (kind == LINE_LABEL)
            text_printf(&cell->text, "... %zu lines (--rows 0)", folded);
    } else if (kind <= LINE_OLD_NUMBER) {
        bool is_old = kind == LINE_OLD_NUMBER || (kind == LINE_NUMBER && line->line == 0);
        cell->number = is_old ? line->old_line : line->line;
        cell->is_known = cell->number > 0 || (kind == LINE_NEW_NUMBER && line->old_line == 0);
        cell->word = cell->is_known ? NULL : "";
        cell->style = line->is_used ? CELL_PLAIN : CELL_DIM;
    } else if (kind == LINE_INDEX) {
        cell->is_known = line->callee != TREE_NONE;
        cell->number = line->callee;
    } else if (kind >= LINE_CALLS && kind <= LINE_SHARE) {
        get_number(cell, list, line, column);
    } else {
        get_text(cell, list, line, kind);
    }
}

/* Columns ---------------------------------------------------------------------------------- */

static void add(struct list_table *list, enum line_column kind, enum column_aspect aspect,
                unsigned order)
{
    table_add_column(&list->table, &columns[kind], aspect, order);
}

static void add_known(struct list_table *list, enum line_column first, enum line_column last,
                      enum column_aspect aspect, unsigned order)
{
    for (enum line_column kind = first; kind <= last; kind++)
        if (is_known(&list->function, kind))
            add(list, kind, aspect, order);
}

static void add_for_people(struct list_table *list)
{
    bool has_errors = false, is_compared = list->is_compared;
    unsigned order = is_compared ? 1 : 0;
    for (size_t i = 0; i < list->function.count && !has_errors; i++)
        has_errors = list->function.lines[i].now.errors > 0;
    add(list, LINE_NUMBER, ASPECT_BOTH, 0);
    add(list, LINE_CALLS, ASPECT_BOTH, order);
    add_known(list, LINE_RUNS, LINE_SELF, ASPECT_BOTH, order);
    if (is_compared)
        add(list, LINE_SIDE, ASPECT_OLD, 2);
    add(list, is_compared ? LINE_SIDE : LINE_TIME, ASPECT_NEW, 0);
    if (is_compared)
        add(list, LINE_SIDE, ASPECT_DIFFERENCE, 0);
    else
        add(list, LINE_SHARE, ASPECT_BOTH, 1);
    if (has_errors)
        add(list, LINE_ERRORS, ASPECT_BOTH, 2);
    add(list, LINE_MARK, ASPECT_BOTH, 0);
    add(list, LINE_LABEL, ASPECT_BOTH, 0);
}

static void add_for_programs(struct list_table *list)
{
    static const enum line_column values[] = {
        LINE_CALLS, LINE_RUNS, LINE_SELF, LINE_TIME, LINE_ERRORS};
    add(list, LINE_FUNCTION, ASPECT_BOTH, 0);
    add(list, LINE_SOURCE, ASPECT_BOTH, 0);
    add(list, LINE_NUMBER, ASPECT_BOTH, 0);
    add(list, LINE_FUNCTION_LINE, ASPECT_BOTH, 0);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (list->is_compared)
            add(list, values[i], ASPECT_OLD, 0);
        add(list, values[i], ASPECT_NEW, 0);
    }
    add(list, LINE_CALLEE, ASPECT_BOTH, 0);
    add(list, LINE_TEXT, ASPECT_BOTH, 0);
}

/* Says why there is no source, or no time of its lines. */
static void put_above(struct text *text, const struct list_table *list)
{
    const struct listed_function *function = &list->function;
    struct text line = {0};
    if (function->why.text[0] != '\0' && list->report->has_sources) {
        text_printf(&line,
                    "  %s: %s",
                    function->has_source ? "old lines are counted from the definition, without the "
                                           "old source (a second --lua-root)"
                                         : "no source",
                    function->why.text);
        wrap_put_line(text, list->report->width, 4, &line);
    }
    const struct labels *labels = list->report->labels;
    const char *place = labels_string(labels, labels->of[function->sums->function].place);
    /* A place is sure: a name may be that of the source alone, or of several functions. What a mod
     * has hooked into a file of the game is at another line there. */
    if (function->hides_self && strstr(place, "/hook/") == NULL && strchr(place, '\'') == NULL) {
        text_printf(&line,
                    "  the log does not say which lines take its own time: record with lines = "
                    "{'%s'}",
                    place);
        wrap_put_line(text, list->report->width, 4, &line);
    }
}

void list_table_init(struct list_table *list, struct listing *listing, size_t index, size_t limit,
                     enum table_reader reader)
{
    static const char *const prefixes[] = {"new ", "old ", "change "};
    const struct report *report = listing->report;
    *list = (struct list_table){.report = report, .is_compared = report->old != NULL};
    take(listing, index, &list->function);
    list->table = (struct table){
        .get = get,
        .of = list,
        .unit = amount_unit_of(report, list->function.sums->total_ns),
        .is_estimate = amount_is_about(report),
        .all_ns = tree_share_ns(report->tree),
        .function = list->function.sums,
        .function_count = listing->edges.function_count,
        .is_compared = list->is_compared,
        .prefixes = list->is_compared ? prefixes : NULL,
        .label_title = list->function.has_source ? "source" : "callee",
        .indent = 2,
    };
    make_rows(list,
              limit == SIZE_MAX && reader == FOR_PEOPLE && !report_shows_all(report) ? SIZE_MAX - 1
                                                                                     : limit);
    if (reader == FOR_PEOPLE) {
        measure_indent(list);
        add_for_people(list);
        put_above(&list->table.above, list);
    } else if (reader == FOR_JSON) {
        add_known(list, LINE_NEW_NUMBER, LINE_INDEX, ASPECT_NEW, 0);
        if (list->is_compared)
            add_known(list, LINE_CALLS, LINE_SELF, ASPECT_OLD, 0);
    } else {
        add_for_programs(list);
    }
}

void list_table_release(struct list_table *list)
{
    text_release(&list->table.above);
    MEM_FREE(list->function.lines, list->is_shown, list->rows);
}

enum { HEADING_LINES = 5, ROWS_MIN = 4 };

/* The rows that a function may have: the most expensive ones leave room for others. */
static size_t rows_of(size_t room, bool is_last)
{
    enum { SHARE_MIN = HEADING_LINES + 2 * ROWS_MIN };
    if (room == SIZE_MAX)
        return SIZE_MAX;
    if (!is_last)
        room = room / 2 > SHARE_MIN ? room / 2 : SHARE_MIN;
    return room > HEADING_LINES + ROWS_MIN ? room - HEADING_LINES : ROWS_MIN;
}

static void pass_on(struct table_walk *walk)
{
    SCOPED(listing) listing;
    listing_init(&listing, walk->report, walk->report->chosen[TABLE_LIST].is_chosen);
    size_t count = listing.edges.function_count;
    for (size_t i = 0; i < count && (i == 0 || walk->room >= HEADING_LINES + ROWS_MIN); i++) {
        SCOPED(list_table) list;
        list_table_init(&list, &listing, i, rows_of(walk->room, i + 1 == count), walk->reader);
        walk->take(walk, &list.table);
    }
}

const struct report_format report_list = {
    .name = "list",
    .summary = "source of the functions that --list matches, with what each line called",
    .uses = USES_UNIT,
    .suffixes = {".list", NULL},
    .tables = 1 << TABLE_LIST,
    .is_table = true,
    .write = tables_write,
};

const struct table_kind list_tables = {
    .uses = USES_PROFILE | USES_LINES | USES_SOURCES | USES_LENGTH | SHOWS_COMPARISON,
    .shown_by = USES_LIST,
    .for_people = &report_list,
    .title = "List",
    .walk = pass_on,
};
