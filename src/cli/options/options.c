#include "cli/options/options.h"

#include "base/wildcard.h"
#include "platform/process.h"
#include "platform/terminal.h"
#include "report/figures/formats.h"

void name_list_add(struct name_list *list, const char *name)
{
    MEM_APPEND(list->all, list->count, list->capacity, name);
}

size_t name_list_standard_count(const struct name_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += file_is_standard(list->all[i]);
    return count;
}

void options_add_logs(struct options *options, struct name_list *list, const char *name)
{
    size_t count = 1;
    SCOPED_ARRAY const char **found =
        wildcard_is(name) ? wildcard_find(name, &options->names, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        name_list_add(list, found != NULL ? found[i] : name);
    if (count == 0)
        name_list_add(list, name);
}

void options_add_output(struct options *options, const char *path,
                        const struct report_format *format, unsigned wanted_tables)
{
    struct option_output output = {.path = path, .format = format};
    if (format != NULL)
        output.shows = tables_shown(format, wanted_tables);
    MEM_APPEND(options->outputs, options->output_count, options->output_capacity, output);
}

bool options_set_path(struct text *path, const char *variable, const char *rest)
{
    SCOPED_ARRAY char *folder = process_variable(variable);
    bool is_known = folder != NULL;
    text_cut(path, 0);
    if (is_known)
        text_printf(path, "%s%s", folder, rest);
    return is_known;
}

void options_release(struct options *options)
{
    MEM_FREE(options->logs.all,
             options->old_logs.all,
             options->defaults.all,
             options->default_files.all,
             options->reading.lua_roots.all,
             options->outputs,
             options->hide_files.all);
    arena_release(&options->names);
    for (size_t i = 0; i < options->limit_count; i++)
        limit_release(&options->limits[i]);
    free(options->limits);
    for (size_t i = 0; i < options->what_if_count; i++)
        pattern_free(options->what_ifs[i].pattern);
    free(options->what_ifs);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        pattern_free(options->patterns[i]);
    selection_release(&options->selection);
    *options = (struct options){0};
}

bool options_wants(enum when when, bool otherwise)
{
    return when == WHEN_ALWAYS || (when == WHEN_AUTO && otherwise);
}

bool options_wants_color(const struct options *options, bool is_standard_output)
{
    const char *no_color = getenv("NO_COLOR");
    bool is_refused = no_color != NULL && no_color[0] != '\0';
    return options_wants(options->color,
                         is_standard_output && !is_refused &&
                             terminal_of(FILE_STANDARD_OUTPUT).has_color);
}

const struct option_output *options_output_with(const struct options *options, unsigned uses)
{
    for (size_t i = 0; i < options->output_count; i++)
        if ((options->outputs[i].shows.uses & uses) != 0)
            return &options->outputs[i];
    return NULL;
}

const struct option_output *options_output_without(const struct options *options, unsigned uses)
{
    for (size_t i = 0; i < options->output_count; i++)
        if ((options->outputs[i].shows.uses & uses) == 0)
            return &options->outputs[i];
    return NULL;
}

const struct option_output *options_output_of(const struct options *options, enum report_table kind)
{
    for (size_t i = 0; i < options->output_count; i++)
        if ((options->outputs[i].shows.kinds >> kind & 1) != 0)
            return &options->outputs[i];
    return NULL;
}

bool options_add_timeline(const struct options *options)
{
    return settings_have_window(&options->reading.rebuild) && !options->reading.chooses_ticks &&
           !selection_changes_stacks(&options->selection);
}
