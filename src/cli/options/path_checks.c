#include "cli/options/steps.h"

#include "platform/terminal.h"

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Fails if an output would replace this input. */
static bool check_input(const struct options *options, const char *path, const char *what,
                        struct error *err)
{
    struct file_status status;
    bool is_known = is_standard(path) ? file_status_of_open(&status, FILE_STANDARD_INPUT)
                                      : file_status(&status, path);
    for (size_t i = 0; i < options->output_count && is_known; i++) {
        const char *output = options->outputs[i].path;
        if (!is_standard(output) && output_is_input(output, &status))
            return error_set(err, "'%s' is %s; name another file", output, what);
    }
    return true;
}

static bool check_logs(const struct options *options, const struct name_list *logs,
                       struct error *err)
{
    bool is_good = true;
    for (size_t i = 0; i < logs->count && is_good; i++)
        is_good = check_input(options, logs->all[i], "the log itself", err);
    return is_good;
}

static bool check_hide_files(const struct options *options, struct error *err)
{
    const struct filters *filters = &options->selection.filters;
    bool is_good = true;
    for (size_t i = 0; i < filters->count && is_good; i++)
        is_good = filters->all[i].file == NULL ||
                  check_input(options, filters->all[i].file, "the file of --hide-file", err);
    return is_good;
}

/* Fails if an output would replace a source of --lua-root, which may be read after it was written.
 */
static bool check_sources(const struct options *options, struct error *err)
{
    bool is_good = true;
    for (size_t i = 0; i < options->output_count; i++)
        for (size_t k = 0; k < options->reading.lua_roots.count && is_good; k++) {
            const char *output = options->outputs[i].path;
            char *target = is_standard(output) ? NULL : file_target(output);
            char *root = file_real_path(options->reading.lua_roots.all[k]);
            size_t length = root != NULL ? strlen(root) : 0;
            bool is_below = target != NULL && length > 0 && strncmp(target, root, length) == 0;
            if (is_below && span_ends_like(span_of(target), ".lua"))
                is_good =
                    error_set(err, "'%s' may be a source of --lua-root; name another file", output);
            free(target);
            free(root);
        }
    return is_good;
}

/* Whether a file, such as /dev/stdout, is standard output. */
static bool is_standard_output(const char *path)
{
    struct file_status status, standard;
    return file_status(&status, path) && file_status_of_open(&standard, FILE_STANDARD_OUTPUT) &&
           file_is_same(&status, &standard);
}

/* Whether two outputs, which are not both standard output, are the same file. */
static bool is_same_output(const char *path, const char *other)
{
    if (is_standard(path) || is_standard(other))
        return is_standard_output(is_standard(path) ? other : path);
    return output_is_output(path, other);
}

/* Fails if an output is the same file as another under two names, or binary on a terminal. */
static bool check_outputs(const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->output_count; i++) {
        const struct option_output *output = &options->outputs[i];
        bool is_stdout = is_standard(output->path);
        if (is_stdout && terminal_is(FILE_STANDARD_OUTPUT) && output->format->is_binary)
            return error_set(err, "the format %s is binary; write it to a file with --output",
                             output->format->name);
        for (size_t k = 0; k < i; k++) {
            const char *other = options->outputs[k].path;
            if (is_same_output(output->path, other))
                return error_set(err,
                                 "'%s' and '%s' are the same file; name another for one of them",
                                 other, output->path);
        }
    }
    return true;
}

/* --follow needs a terminal for its screen, and a log that is not its keyboard. */
static bool check_following(const struct options *options, struct error *err)
{
    if (!options->reading.follows)
        return true;
    if (!terminal_has_color())
        return error_set(err, "--follow needs a terminal that can show a screen; without --follow, "
                              "the log is read to its end");
    return !is_standard(options->logs.all[0]) || !terminal_is(FILE_STANDARD_INPUT) ||
           error_set(err, "--follow reads keys from the terminal, so the log cannot come from "
                          "there; name a log");
}

bool path_checks_pass(const struct options *options, struct error *err)
{
    return check_following(options, err) && check_outputs(options, err) &&
           check_hide_files(options, err) && check_logs(options, &options->logs, err) &&
           check_logs(options, &options->old_logs, err) && check_sources(options, err);
}
