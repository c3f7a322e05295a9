#include "names/call_lines.h"

struct call_lines *call_lines_find(const struct tree *tree, uint32_t function_count)
{
    struct call_lines *all = mem_zeroed(function_count, sizeof *all);
    for (uint32_t node = TREE_ROOT + 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        if (call->parent == TREE_ROOT || call->line <= 0)
            continue;
        struct call_lines *lines = &all[tree->calls[call->parent].function];
        if (lines->first == 0 || call->line < lines->first)
            lines->first = call->line;
        if (call->line > lines->last)
            lines->last = call->line;
    }
    return all;
}

const char *call_lines_problem(const struct definitions *definitions, int32_t line,
                               struct call_lines lines)
{
    size_t count;
    const struct definition *at = definitions_at(definitions, line, &count);
    if (count == 0)
        return "no function begins there";
    int32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = at[i].last_line > last ? at[i].last_line : last;
    bool has_lines = lines.first == 0 || (lines.first >= line && lines.last <= last);
    return has_lines ? NULL : "the one there does not have the lines that it called from";
}
