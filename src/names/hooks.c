#include "names/hooks.h"

#include "names/names.h"
#include "tree/stacks.h"

/* Whether the line belongs to the open batch: of the same file, with a hook that is new in it. */
static bool continues_batch(const struct hooks *hooks, struct span base, struct span file)
{
    struct span rest = text_span(&hooks->open);
    if (hooks->open_count == 0 || hooks->open_count == HOOKS_PER_BATCH_MAX ||
        !span_is_same(span_take(&rest, '\n'), base))
        return false;
    while (rest.length > 0)
        if (span_is_same(span_take(&rest, '\n'), file))
            return false;
    return true;
}

/* Makes a new batch the last one of its file. */
static void link_batch(struct hooks *hooks, uint32_t batch)
{
    SCOPED(text) small = {0};
    struct span rest = intern_get(&hooks->batches, batch);
    text_put_small(&small, span_from(span_take(&rest, '\n'), 1));
    uint32_t base;
    bool is_new = intern_is_new(&hooks->bases, text_span(&small), &base);
    MEM_GROW(hooks->next, hooks->next_capacity, hooks->batches.count);
    MEM_GROW(hooks->ends, hooks->end_capacity, hooks->bases.count);
    if (is_new)
        hooks->ends[base].first = batch;
    else
        hooks->next[hooks->ends[base].last] = batch;
    hooks->ends[base].last = batch;
    hooks->next[batch] = INTERN_NONE;
}

void hooks_end_batch(struct hooks *hooks)
{
    uint32_t batch;
    if (intern_is_new(&hooks->batches, text_span(&hooks->open), &batch))
        link_batch(hooks, batch);
    text_cut(&hooks->open, 0);
    hooks->open_count = 0;
}

void hooks_add(struct hooks *hooks, struct span base, struct span file)
{
    if (!continues_batch(hooks, base, file)) {
        if (hooks->open_count > 0)
            hooks_end_batch(hooks);
        text_put_span(&hooks->open, base);
        text_put_string(&hooks->open, "\n");
    }
    text_put_span(&hooks->open, file);
    text_put_string(&hooks->open, "\n");
    hooks->open_count++;
}

void hooks_join(struct hooks *hooks, const struct hooks *later)
{
    for (uint32_t i = 0; i < later->batches.count; i++) {
        uint32_t batch;
        if (intern_is_new(&hooks->batches, intern_get(&later->batches, i), &batch))
            link_batch(hooks, batch);
    }
}

static uint32_t find(const struct hooks *hooks, struct text *small, struct span path)
{
    text_cut(small, 0);
    text_put_small(small, path);
    uint32_t base = intern_find(&hooks->bases, text_string(small), small->length);
    return base == INTERN_NONE ? INTERN_NONE : hooks->ends[base].first;
}

/*
 * Returns the first batch of a file, or INTERN_NONE; `shown` and `full` are its path in reports and
 * in the log, with '/'. Letter case is ignored. If the path in reports is only the end of the path
 * in the game, a longer end of the full path is tried:
 *
 *     C:/sc/lua/sim/unit.lua, shown as sim/unit.lua     has the hooks of /lua/sim/unit.lua
 *
 * The batches must be ended.
 */
static uint32_t find_hooks(const struct hooks *hooks, struct span shown, struct span full)
{
    /* At most so many folders before the shown path are tried. */
    enum { FOLDERS_MAX = 8 };
    SCOPED(text) small = {0};
    uint32_t found = find(hooks, &small, shown);
    size_t start = full.length > shown.length ? full.length - shown.length : 0;
    for (int i = 0; i < FOLDERS_MAX && found == INTERN_NONE && start > 0; i++) {
        /* The start of the folder before the '/'. */
        start--;
        while (start > 0 && full.at[start - 1] != '/')
            start--;
        found = find(hooks, &small, span_from(full, start));
    }
    return found;
}

void hooks_release(struct hooks *hooks)
{
    intern_release(&hooks->batches);
    intern_release(&hooks->bases);
    free(hooks->next);
    free(hooks->ends);
    text_release(&hooks->open);
    *hooks = (struct hooks){0};
}

/* More different batches of one file than this are not compared. */
enum { BATCHES_MAX = 8, MODS_SHOWN_MAX = 8, UNKNOWN_LENGTH = -1 };

/* The text of a hook. */
struct hook_part {
    struct span path;               /* in the game, without '/' at the start */
    const struct source_file *file; /* NULL: its length is not known */
};

/* A file's hooks, in their order. */
struct hook_batch {
    struct hook_part parts[HOOKS_PER_BATCH_MAX]; /* [count] */
    size_t count;
};

struct mover {
    struct hooked_functions *hooked;
    struct symbols *symbols;
    const struct hooks *hooks;
    const struct paths *paths;
    struct source_files files;
    struct hook_batch all[BATCHES_MAX]; /* [batch_count], of the present source */
    size_t batch_count;
};

/* Where a line of the whole text is. */
struct line_place {
    const struct hook_part *part; /* NULL: of one of several hooks */
    int32_t lines_before;
    bool is_outside; /* after the last line */
};

static void tell(const struct mover *mover, const char *problem)
{
    source_files_tell(&mover->files, "the functions of mods cannot be told apart: %s", problem);
}

static const struct source_file *find_file(struct mover *mover, struct span shown, struct span full)
{
    bool is_new;
    struct error why;
    const struct source_file *file = source_files_find(&mover->files, shown, full, &is_new);
    if (file == NULL || (file->problem == NULL && file->definitions.error_line == 0))
        return file;
    if (file->problem == NULL)
        error_set(&why,
                  "line %d of '%s' is not valid Lua",
                  (int)file->definitions.error_line,
                  file->path);
    if (is_new)
        tell(mover, file->problem != NULL ? file->problem : why.text);
    return NULL;
}

/* Mods -------------------------------------------------------------------------------------- */

/* The mod of a path in the game, without "mods/"; empty for the game. */
static struct span mod_of(struct span path)
{
    static const char mods[] = "mods/";
    if (!span_starts_like(path, mods))
        return span_of("");
    struct span rest = span_from(path, sizeof mods - 1);
    const char *slash = memchr(rest.at, '/', rest.length);
    return slash == NULL ? span_of("") : (struct span){rest.at, (size_t)(slash - rest.at)};
}

/* Appends "<first> and hooks of y, z"; `first` may be empty. */
static void put_mods(struct text *text, const struct mover *mover, struct span first)
{
    SCOPED(intern) names = {0};
    bool has_game = false;
    for (size_t i = 0; i < mover->batch_count; i++)
        for (size_t k = 0; k < mover->all[i].count; k++) {
            struct span mod = mod_of(mover->all[i].parts[k].path);
            has_game |= mod.length == 0;
            if (mod.length > 0)
                intern_add_span(&names, mod);
        }
    if (first.length > 0)
        text_put_span(text, first);
    else if (has_game)
        text_put_string(text, "game");
    for (uint32_t i = 0; i < names.count && i < MODS_SHOWN_MAX; i++) {
        text_put_string(text, i > 0 ? ", " : text->length > 0 ? " and hooks of " : "hooks of ");
        text_put_clean(text, intern_get(&names, i), false);
    }
    if (names.count > MODS_SHOWN_MAX)
        text_printf(text, " and %u more", (unsigned)(names.count - MODS_SHOWN_MAX));
}

/* Says that the functions of a source are of several mods. */
static void name_mods(struct mover *mover, uint32_t source, struct span first)
{
    struct hooked_functions *hooked = mover->hooked;
    SCOPED(text) text = {0};
    put_mods(&text, mover, first);
    struct hooked_source named = {source, intern_add_span(&hooked->texts, text_span(&text))};
    MEM_APPEND(hooked->sources, hooked->source_count, hooked->source_capacity, named);
}

/* Lines ------------------------------------------------------------------------------------- */

static struct span shown_path(const struct mover *mover, const struct source_group *group)
{
    return intern_get(&mover->paths->texts, mover->paths->shown[group->source]);
}

static struct line_place find_place(const struct hook_batch *batch, int32_t base_length,
                                    int32_t line)
{
    int64_t start = base_length;
    for (size_t i = 0; i < batch->count; i++) {
        const struct hook_part *part = &batch->parts[i];
        bool is_last = i + 1 == batch->count;
        if (part->file == NULL)
            return (struct line_place){is_last ? part : NULL, (int32_t)start, false};
        if (line <= start + part->file->line_count)
            return (struct line_place){part, (int32_t)start, false};
        start += part->file->line_count;
    }
    return (struct line_place){NULL, 0, true};
}

/*
 * Whether the hooks define a function at the line of each function after the end of the file
 * itself. Adds the number of functions that were checked to `*shown`: the length of a hook can be
 * unknown.
 */
static bool fits(const struct mover *mover, const struct source_group *group,
                 const struct hook_batch *batch, int32_t base_length, size_t *shown)
{
    size_t agreed = 0;
    for (size_t i = 0; i < group->count; i++) {
        uint32_t id = group->functions[i];
        int32_t line = mover->symbols->functions[id].line;
        if (line <= base_length)
            continue;
        struct line_place place = find_place(batch, base_length, line);
        if (place.is_outside)
            return false;
        if (place.part == NULL || place.part->file == NULL)
            continue;
        struct call_lines lines = mover->files.call_lines[id];
        if (lines.first != 0) {
            lines.first -= place.lines_before;
            lines.last -= place.lines_before;
        }
        if (call_lines_problem(&place.part->file->definitions, line - place.lines_before, lines) !=
            NULL)
            return false;
        agreed++;
    }
    *shown += agreed;
    return true;
}

/* Whether the file defines a function at the line of each function up to its end. */
static bool base_fits(const struct mover *mover, const struct source_group *group,
                      const struct source_file *base, size_t *shown, struct error *err)
{
    for (size_t i = 0; i < group->count; i++) {
        uint32_t id = group->functions[i];
        int32_t line = mover->symbols->functions[id].line;
        if (line == 0 || line > base->line_count)
            continue;
        const char *problem =
            call_lines_problem(&base->definitions, line, mover->files.call_lines[id]);
        if (problem != NULL)
            return error_set(err,
                             "the log has another version of '%s', with a function at line %d",
                             shown_path(mover, group).at,
                             (int)line);
        (*shown)++;
    }
    return true;
}

/* Leaves out the batches that do not fit. Returns whether the lengths can be trusted. */
static bool check_lengths(struct mover *mover, const struct source_group *group,
                          const struct source_file *base, struct error *err)
{
    size_t shown = 0, kept = 0;
    if (!base_fits(mover, group, base, &shown, err))
        return false;
    bool is_kept[BATCHES_MAX];
    for (size_t i = 0; i < mover->batch_count; i++)
        kept += is_kept[i] = fits(mover, group, &mover->all[i], base->line_count, &shown);
    if (shown == 0 || kept == 0)
        return error_set(
            err, "the log has other versions of '%s' or its hooks", shown_path(mover, group).at);
    size_t count = 0;
    for (size_t i = 0; i < mover->batch_count; i++)
        if (is_kept[i])
            mover->all[count++] = mover->all[i];
    mover->batch_count = count;
    return true;
}

/* The place on which all batches agree; none if they do not. */
static struct line_place agreed_place(const struct mover *mover, int32_t base_length, int32_t line)
{
    struct line_place place = find_place(&mover->all[0], base_length, line);
    for (size_t i = 1; i < mover->batch_count && place.part != NULL; i++) {
        struct line_place other = find_place(&mover->all[i], base_length, line);
        if (other.part == NULL || other.lines_before != place.lines_before ||
            !span_is_same(other.part->path, place.part->path))
            place.part = NULL;
    }
    return place;
}

/* Moving ------------------------------------------------------------------------------------ */

static uint32_t add_source(struct mover *mover, struct span start, const char *end)
{
    SCOPED(text) text = {0};
    if (start.length == 0 || start.at[0] != '@')
        text_put_string(&text, "@");
    text_put_span(&text, start);
    text_put_string(&text, end);
    return symbols_add_source(mover->symbols, text_span(&text));
}

static void move_functions(struct mover *mover, const struct source_group *group,
                           int32_t base_length)
{
    uint32_t rest = INTERN_NONE;
    for (size_t i = 0; i < group->count; i++) {
        uint32_t id = group->functions[i];
        struct function *function = &mover->symbols->functions[id];
        if (function->line <= base_length)
            continue;
        struct line_place place = agreed_place(mover, base_length, function->line);
        if (place.part != NULL) {
            function->source = add_source(mover, place.part->path, "");
            function->line -= place.lines_before;
            mover->hooked->shifts[id] = place.lines_before;
            mover->hooked->moved++;
            continue;
        }
        if (rest == INTERN_NONE) {
            rest =
                add_source(mover, intern_get(&mover->symbols->strings, group->source), " (hooks)");
            name_mods(mover, rest, span_of(""));
        }
        function->source = rest;
    }
}

/* Reads the batches of a file. Returns false if there are too many. */
static bool read_batches(struct mover *mover, uint32_t first)
{
    mover->batch_count = 0;
    for (uint32_t id = first; id != INTERN_NONE; id = mover->hooks->next[id]) {
        if (mover->batch_count == BATCHES_MAX)
            return false;
        struct hook_batch *batch = &mover->all[mover->batch_count++];
        struct span rest = intern_get(&mover->hooks->batches, id);
        span_take(&rest, '\n');
        for (batch->count = 0; rest.length > 0; batch->count++) {
            struct span path = span_from(span_take(&rest, '\n'), 1);
            batch->parts[batch->count] = (struct hook_part){path, find_file(mover, path, path)};
        }
    }
    return true;
}

static void move_group(void *context, const struct source_group *group)
{
    struct mover *mover = context;
    struct span shown = shown_path(mover, group);
    struct span source = intern_get(&mover->symbols->strings, group->source);
    if (source.length == 0 || source.at[0] != '@')
        return;
    SCOPED(text) full = {0};
    struct error err = {0};
    paths_put(&full, span_from(source, 1));
    uint32_t first = find_hooks(mover->hooks, shown, text_span(&full));
    if (first != INTERN_NONE) {
        bool is_known = read_batches(mover, first);
        const struct source_file *base = find_file(mover, shown, text_span(&full));
        if (is_known && base != NULL && check_lengths(mover, group, base, &err)) {
            move_functions(mover, group, base->line_count);
        } else {
            if (err.text[0] != '\0')
                tell(mover, err.text);
            name_mods(mover,
                      group->source,
                      intern_get(&mover->paths->texts, mover->paths->mods[group->source]));
        }
    }
}

bool hooked_functions_move(struct hooked_functions *hooked, struct symbols *symbols,
                           const struct hooks *hooks, const struct source_request *request,
                           struct error *err)
{
    *hooked = (struct hooked_functions){.function_count = symbols->function_count};
    hooked->shifts = mem_zeroed(symbols->function_count, sizeof *hooked->shifts);
    if (hooks->batches.count == 0)
        return true;
    SCOPED_ARRAY struct mover *mover = mem_zeroed(1, sizeof *mover);
    mover->hooked = hooked;
    mover->symbols = symbols;
    mover->hooks = hooks;
    mover->paths = request->paths;
    bool is_open = source_files_init(&mover->files, request, symbols->function_count, err);
    if (is_open) {
        functions_by_source(symbols, move_group, mover);
        symbols_index_functions(symbols);
    }
    source_files_release(&mover->files);
    return is_open;
}

void hooked_functions_shift_lines(const struct hooked_functions *hooked, struct tree *tree)
{
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct call *call = &tree->calls[node];
        if (call->parent != TREE_ROOT)
            call->line = line_moved(call->line,
                                    -(int64_t)hooked->shifts[tree->calls[call->parent].function]);
    }
}

void hooked_functions_name_mods(const struct hooked_functions *hooked, struct paths *paths)
{
    for (size_t i = 0; i < hooked->source_count; i++) {
        struct span mods = intern_get(&hooked->texts, hooked->sources[i].mods);
        if (paths->mods[hooked->sources[i].source] != INTERN_NONE)
            paths->mods[hooked->sources[i].source] = intern_add_span(&paths->texts, mods);
    }
}

void hooked_functions_release(struct hooked_functions *hooked)
{
    free(hooked->shifts);
    free(hooked->sources);
    intern_release(&hooked->texts);
    *hooked = (struct hooked_functions){0};
}
