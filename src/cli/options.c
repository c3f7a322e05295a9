#include "cli/options.h"

#include "platform/terminal.h"

#include <stdlib.h>

bool options_wants(enum when when, bool otherwise)
{
    return when == WHEN_ALWAYS || (when == WHEN_AUTO && otherwise);
}

bool options_add_timeline(const struct options *options)
{
    bool has_window = options->from.kind != WINDOW_OPEN || options->to.kind != WINDOW_OPEN;
    return has_window && !options->chooses_ticks && !selection_changes_stacks(&options->selection);
}

void options_release(struct options *options)
{
    free(options->found_logs);
    free(options->outputs);
    free(options->old_logs);
    arena_release(&options->names);
    for (size_t i = 0; i < options->limit_count; i++)
        limit_release(&options->limits[i]);
    free(options->limits);
    pattern_free(options->peek);
    selection_release(&options->selection);
    free(options->lua_roots);
    *options = (struct options){0};
}

bool options_wants_color(const struct options *options, bool is_standard_output)
{
    const char *no_color = getenv("NO_COLOR");
    bool is_refused = no_color != NULL && no_color[0] != '\0';
    return options_wants(options->color, is_standard_output && !is_refused && terminal_has_color());
}
