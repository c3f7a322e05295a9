#include "cli/outputs.h"

#include "cli/option_values.h"

#include <string.h>

/* Whether a file is written in this format; then standard output is not needed. */
static bool has_file_of(const struct options *options, const struct report_format *wanted)
{
    for (size_t i = 0; i < options->output_count; i++) {
        const char *path = options->outputs[i].path;
        if ((options->format != NULL ? options->format : report_by_path(path)) == wanted)
            return true;
    }
    return false;
}

/* Finds the report that an option writes to standard output; NULL for none. */
static bool choose_table(const struct options *options, const struct report_format **table,
                         struct error *err)
{
    const struct {
        const struct report_format *format;
        bool is_wanted;
    } tables[] = {
        {&report_top, options->has_top},
        {&report_ticks, options->has_ticks},
        {&report_peek, options->peek != NULL && !has_file_of(options, &report_peek)},
    };
    *table = NULL;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (!tables[i].is_wanted)
            continue;
        if (*table != NULL)
            return error_set(err, "--%s and --%s both want standard output; the one or the other",
                             (*table)->name, tables[i].format->name);
        *table = tables[i].format;
    }
    return true;
}

static bool refuse_suffix(const char *path, struct error *err)
{
    struct text suffixes = {0};
    for (size_t i = 0; report_formats[i] != NULL; i++) {
        if (i > 0)
            text_put_string(&suffixes, ", ");
        report_put_suffixes(&suffixes, report_formats[i], ", ");
    }
    error_set(err, "'%s' has no suffix of a known format (%.*s); name a format with --format", path,
              (int)suffixes.length, suffixes.at);
    text_release(&suffixes);
    return false;
}

bool outputs_settle(struct options *options, struct error *err)
{
    const struct report_format *table;
    if (!choose_table(options, &table, err))
        return false;
    if (options->output_count == 0) {
        if (table != NULL && options->format != NULL && options->format != table)
            return error_set(err,
                             "--%s and --format=%s both want standard output; name a file "
                             "for one with --output",
                             table->name, options->format->name);
        apply_output(options, "-", err);
        options->outputs[0].format = options->format != NULL ? options->format
                                     : table != NULL         ? table
                                                             : &report_top;
        return true;
    }
    size_t stdout_count = table != NULL;
    for (size_t i = 0; i < options->output_count; i++) {
        struct option_output *output = &options->outputs[i];
        bool is_stdout = strcmp(output->path, "-") == 0;
        stdout_count += is_stdout;
        output->format = options->format != NULL ? options->format
                         : is_stdout             ? &report_top
                                                 : report_by_path(output->path);
        if (output->format == NULL)
            return refuse_suffix(output->path, err);
        for (size_t k = 0; k < i; k++)
            if (strcmp(options->outputs[k].path, output->path) == 0)
                return error_set(err, "'%s' is named twice as output", output->path);
    }
    if (stdout_count > 1)
        return error_set(err, "more than one report wants standard output; name a file for one");
    if (table != NULL) {
        apply_output(options, "-", err);
        options->outputs[options->output_count - 1].format = table;
    }
    return true;
}
