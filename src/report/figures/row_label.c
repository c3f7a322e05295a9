#include "report/figures/row_label.h"

#include "report/figures/stack_text.h"
#include "tree/stacks.h"

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
    const struct label *label = &labels->labels[group->function];
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
    const struct label *label = &labels->labels[function];
    text_put_span(name, labels_text(labels, label->name));
    if (label->name != label->place)
        text_put_span(place, labels_text(labels, label->place));
}

void row_label_put(struct text *name, struct text *place, const struct table *table,
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
    } else if (group->is_recorder) {
        text_put_string(name, "(profiler)");
    } else if (table->by == BY_LINE && is_function) {
        put_calling_line(name, place, labels, group);
    } else {
        function_label_put(name, place, labels, group->function);
        if (is_function)
            put_number(place, labels, &labels->labels[group->function]);
        if (is_function && table->by == BY_THREAD && table->threads == NULL)
            text_put_string(place, threads[group->flags & (NODE_MAIN | NODE_COROUTINE)]);
    }
}
