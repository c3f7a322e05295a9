#include "report/figures/label_texts.h"

void timeline_put_function(struct text *text, const struct report *report, uint32_t function)
{
    if (function == TIMELINE_TRUNCATED) {
        text_put_string(text, "(truncated)");
        return;
    }
    struct span label = labels_text(report->labels, report->labels->of[function].label);
    struct span start = text_start(label, TIMELINE_NAME_MAX);
    text_put_span(text, start);
    if (start.length < label.length)
        text_put_string(text, "...");
}

void timeline_put_track(struct text *text, const struct report *report,
                        const struct timeline_track *track, bool names_run)
{
    const struct recordings *recordings = &report->profile->recordings;
    if (names_run && recordings->count > 1)
        text_printf(text, "run %u, ", (unsigned)recordings->all[track->recording].run);
    if (track->is_coroutine)
        timeline_put_function(text, report, track->root);
    else
        text_put_string(text, "main");
    if (track->is_coroutine || track->thread > 0)
        text_printf(text, " #%llu", (unsigned long long)track->thread);
}

void stack_put_call_site(struct text *text, const struct labels *labels, uint32_t function,
                         int32_t line)
{
    if (!line_is_known(line))
        return;
    struct span label = labels_text(labels, labels->of[function].label);
    text_put_span(text, label);
    text_put_string(text, "->");
    text_put_number(text, line);
    text_put_string(text, ";");
}

/* Appends frames, [depth], of which the first is the last one that was called. */
static void put_frames(struct text *text, const struct labels *labels, const struct call *frames,
                       size_t depth, bool call_sites)
{
    for (size_t i = depth; i-- > 0;) {
        if (i + 1 < depth) {
            text_put(text, ";", 1);
            if (call_sites)
                stack_put_call_site(text, labels, frames[i + 1].function, frames[i].line);
        }
        text_put_span(text, labels_text(labels, labels->of[frames[i].function].label));
    }
}

void stack_put(struct text *text, const struct tree *tree, const struct labels *labels,
               uint32_t node, bool call_sites)
{
    enum { USUAL_DEPTH = 64 };
    struct call usual[USUAL_DEPTH];
    SCOPED_ARRAY struct call *deep = NULL;
    size_t depth = 0;
    for (uint32_t at = node; at != TREE_ROOT; at = tree->calls[at].parent)
        depth++;
    if (depth > USUAL_DEPTH)
        deep = mem_zeroed(depth, sizeof *deep);
    struct call *frames = deep != NULL ? deep : usual;
    for (size_t i = 0; i < depth; i++, node = tree->calls[node].parent)
        frames[i] = tree->calls[node];
    put_frames(text, labels, frames, depth, call_sites);
}

void stack_path_enter(struct stack_path *path, const struct tree *tree, uint32_t node,
                      const char *between)
{
    for (; path->node != tree->calls[node].parent; path->node = tree->calls[path->node].parent)
        text_cut(&path->text, path->ends[--path->depth]);
    MEM_APPEND(path->ends, path->depth, path->capacity, path->text.length);
    if (path->depth > 1)
        text_put_string(&path->text, between);
    path->node = node;
}

void stack_path_release(struct stack_path *path)
{
    text_release(&path->text);
    free(path->ends);
}

/* Appends the " #2" that distinguishes functions with the same name and place. */
static void put_number(struct text *place, const struct labels *labels, const struct label *label)
{
    struct span whole = labels_text(labels, label->label);
    size_t length = labels_text(labels, label->name).length;
    if (label->name != label->place)
        length += 1 + labels_text(labels, label->place).length;
    if (whole.length > length + 2 && whole.at[length] == ' ' && whole.at[length + 1] == '#')
        text_put(place, whole.at + length, whole.length - length);
}

/* Appends a function, and the place of one of its lines. */
static void put_calling_line(struct text *name, struct text *place, const struct labels *labels,
                             const struct row_group *group)
{
    const struct label *label = &labels->of[group->function];
    text_put_span(name, labels_text(labels, label->name));
    if (label->name != label->place)
        text_put_span(place, labels_text(labels, label->file));
    if (line_is_known(group->line)) {
        text_put_string(place, ":");
        text_put_number(place, group->line < 0 ? -(int64_t)group->line : group->line);
    }
    if (group->line < 0)
        text_put_string(place, " (tail call)");
}

void function_label_put(struct text *name, struct text *place, const struct labels *labels,
                        uint32_t function)
{
    if (function == TREE_NONE) {
        text_put_string(name, "(engine)");
        return;
    }
    const struct label *label = &labels->of[function];
    text_put_span(name, labels_text(labels, label->name));
    if (label->name != label->place)
        text_put_span(place, labels_text(labels, label->place));
}

void row_label_put(struct text *name, struct text *place, const struct row_sums *table,
                   const struct row *row, bool call_sites)
{
    static const char *const threads[] = {"", " (main)", " (coroutine)", " (main and coroutine)"};
    const struct labels *labels = table->labels;
    if (table->by == BY_STACK) {
        stack_put(name, table->tree, labels, row->group, call_sites);
        return;
    }
    const struct row_group *group = &table->groups.all[row->group];
    bool is_function = group->function != TREE_NONE;
    if (table->by == BY_FILE || table->by == BY_MOD) {
        text_put_span(name, labels_text(labels, group->text));
    } else if (table->by == BY_LINE && is_function) {
        put_calling_line(name, place, labels, group);
    } else {
        function_label_put(name, place, labels, group->function);
        if (is_function)
            put_number(place, labels, &labels->of[group->function]);
        if (is_function && table->by == BY_THREAD && table->threads == NULL)
            text_put_string(place, threads[group->flags & (NODE_MAIN | NODE_COROUTINE)]);
    }
}
