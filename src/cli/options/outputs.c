#include "cli/options/steps.h"

#include "report/formats.h"

static bool refuse_suffix(const char *path, struct error *err)
{
    struct text suffixes = {0};
    for (size_t i = 0; formats[i] != NULL; i++) {
        if (i > 0)
            text_put_string(&suffixes, ", ");
        format_put_suffixes(&suffixes, formats[i], ", ");
    }
    error_set(err, "'%s' does not end in a known suffix (%s); name a format with --format", path,
              suffixes.at);
    text_release(&suffixes);
    return false;
}

/* Gives each output that is named its format. */
static bool choose_named(struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++) {
        struct option_output *output = &options->outputs[i];
        output->format = options->format != NULL          ? options->format
                         : strcmp(output->path, "-") == 0 ? &report_top
                                                          : format_by_path(output->path);
        if (output->format == NULL)
            return refuse_suffix(output->path, err);
        for (size_t k = 0; k < i; k++)
            if (strcmp(options->outputs[k].path, output->path) == 0)
                return error_set(err, "'%s' is named twice as output; leave out one", output->path);
    }
    return true;
}

bool outputs_choose_formats(struct options *options, struct error *err)
{
    bool has_named = options->output_count > 0;
    if (!choose_named(options, err))
        return false;
    /* What --peek, --list and --tree show may go to a file. */
    const struct report_format *format = has_named ? NULL : options->format;
    unsigned uses = format != NULL ? format->uses : 0;
    for (size_t i = 0; i < options->output_count; i++)
        uses |= options->outputs[i].format->uses;
    bool shows_ticks = options->what_if_count > 0 && !options->has_ticks && !options->has_top;
    const struct {
        bool is_wanted;
        const struct report_format *format;
    } tables[] = {
        {format != NULL, format},
        {options->has_top && format != &report_top, &report_top},
        {options->has_ticks && format != &report_ticks, &report_ticks},
        {options->peek != NULL && (uses & USES_PEEK) == 0, &report_peek},
        {options->list != NULL && (uses & USES_LIST) == 0, &report_list},
        {options->show.has_tree && (uses & USES_TREE) == 0, &report_tree},
        {shows_ticks && !has_named && format == NULL, &report_ticks},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i].is_wanted)
            options_add_output(options, "-", tables[i].format);
    if (options->output_count == 0)
        options_add_output(options, "-", &report_top);
    size_t stdout_count = 0;
    for (size_t i = 0; i < options->output_count; i++)
        stdout_count += strcmp(options->outputs[i].path, "-") == 0;
    return stdout_count <= 1 ||
           error_set(err, "only one report can use standard output; write the other to a file "
                          "with --output");
}
