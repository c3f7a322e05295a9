#include "names/definitions.h"

#include "base/search.h"

void definitions_release(struct definitions *definitions)
{
    intern_release(&definitions->texts);
    free(definitions->all);
    *definitions = (struct definitions){0};
}

struct sought_line {
    const struct definition *all;
    int32_t line;
};

static bool is_before(const void *context, size_t index)
{
    const struct sought_line *sought = context;
    return sought->all[index].line < sought->line;
}

const struct definition *definitions_at(const struct definitions *definitions, int32_t line,
                                        size_t *count)
{
    struct sought_line sought = {definitions->all, line};
    size_t from = search_first(definitions->count, is_before, &sought), end = from;
    while (end < definitions->count && definitions->all[end].line == line)
        end++;
    *count = end - from;
    return definitions->all + from;
}
