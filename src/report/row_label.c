#include "report/row_label.h"

#include "report/stack_text.h"
#include "tree/stacks.h"

#include <stddef.h>

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

void row_label_put(struct text *name, struct text *place, const struct table *table,
                   const struct row *row, bool call_sites)
{
    const struct labels *labels = table->labels;
    if (table->by == BY_STACK) {
        stack_put(name, table->tree, labels, row->group, call_sites);
        return;
    }
    const struct row_group *group = &table->groups.all[row->group];
    if (table->by == BY_FILE || table->by == BY_MOD) {
        struct span text = labels_text(labels, group->text);
        text_put(name, text.at, text.length);
        return;
    }
    if (group->function == TREE_NONE) {
        text_put_string(name, group->is_recorder ? "(profiler)" : "(engine)");
        return;
    }
    const struct label *label = &labels->labels[group->function];
    struct span text = labels_text(labels, label->name);
    struct span where = labels_text(labels, table->by == BY_LINE ? label->file : label->place);
    text_put(name, text.at, text.length);
    if (label->name != label->place)
        text_put(place, where.at, where.length);
    if (table->by != BY_LINE)
        put_number(place, labels, label);
    if (table->by == BY_LINE && group->line != LINE_UNKNOWN && group->line != LINE_TAIL_CALL) {
        text_put_string(place, ":");
        text_put_number(place, group->line < 0 ? -(int64_t)group->line : group->line);
    }
    if (table->by == BY_LINE && group->line < 0)
        text_put_string(place, " (tail call)");
    static const char *const threads[] = {"", " (main)", " (coroutine)", " (main and coroutine)"};
    if (table->by == BY_THREAD)
        text_put_string(place, threads[group->flags & (NODE_MAIN | NODE_COROUTINE)]);
}

const char *row_label_title(enum table_by by)
{
    static const char *const titles[] = {
        [BY_FUNCTION] = "function", [BY_FILE] = "file",   [BY_MOD] = "mod",
        [BY_LINE] = "called from",  [BY_STACK] = "stack", [BY_THREAD] = "thread began in",
    };
    return titles[by];
}
