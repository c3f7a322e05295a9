#include "cli/opening.h"

#include "base/mem.h"
#include "cli/known_logs.h"
#include "cli/option_values.h"
#include "platform/file.h"
#include "platform/process.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char suffix[] = ".html";

/* Returns a copy that lives as long as the options. */
static char *keep(struct options *options, const struct text *text)
{
    return arena_copy(&options->names, text->at, text->length);
}

/* Replaces folders by logs; without a log, adds one. */
static bool settle_logs(struct options *options, struct error *err)
{
    struct text path = {0};
    bool is_good = true;
    size_t count = options->log_count > 0 ? options->log_count : 1;
    const char **logs = mem_zeroed(count, sizeof *logs);
    for (size_t i = 0; i < options->log_count && is_good; i++) {
        struct file_status status;
        const char *log = options->logs[i];
        bool is_folder = file_status(&status, log) && status.kind == FILE_DIRECTORY;
        logs[i] = log;
        if (is_folder && known_logs_find_below(log, &path))
            logs[i] = keep(options, &path);
        else if (is_folder)
            is_good = error_set(err, "no log (*.log, *.log.gz) is in '%s'", log);
    }
    if (options->log_count == 0 && known_logs_find(&path))
        logs[0] = keep(options, &path);
    else if (options->log_count == 0)
        is_good = error_set(err, "no game log is found beside this program, nor where FAF, LOUD "
                                 "and Steam put it; name one, or drag it on the program");
    free(options->found_logs);
    options->found_logs = logs;
    options->logs = logs;
    options->log_count = count;
    text_release(&path);
    return is_good;
}

static bool is_suffix(const char *name, size_t length, const char *end)
{
    size_t end_length = strlen(end);
    return length > end_length && strncasecmp(name + length - end_length, end, end_length) == 0;
}

static void put_report_name(struct text *path, const char *log)
{
    const char *name = file_name(log);
    size_t length = strlen(name);
    length -= is_suffix(name, length, ".gz") ? strlen(".gz") : 0;
    length -= is_suffix(name, length, ".log") ? strlen(".log") : 0;
    text_put(path, name, length);
    text_put_string(path, suffix);
    text_put(path, "", 1);
}

/* Whether files can be created beside a path. */
static bool can_write_beside(const char *path)
{
    struct text probe = {0};
    text_put(&probe, path, (size_t)(file_name(path) - path));
    text_put_string(&probe, "supprof-XXXXXX");
    text_put(&probe, "", 1);
    int file = file_create_temporary(probe.at, file_default_permissions());
    if (file >= 0) {
        file_close(file);
        file_remove(probe.at);
    }
    text_release(&probe);
    return file >= 0;
}

/* Appends the user's own folder for reports, creates it if it is missing, and appends '/'. */
static bool put_own_folder(struct text *path)
{
    static const struct {
        const char *variable, *rest;
    } places[] = {{"LOCALAPPDATA", "/supprof"},
                  {"XDG_DATA_HOME", "/supprof"},
                  {"HOME", "/.local/share/supprof"},
                  {"HOME", "/supprof"}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char *folder = process_variable(places[i].variable);
        path->length = 0;
        if (folder == NULL)
            continue;
        text_printf(path, "%s%s", folder, places[i].rest);
        text_put(path, "", 1);
        free(folder);
        bool is_there = file_create_directory(path->at);
        path->at[path->length - 1] = '/';
        if (is_there)
            return true;
    }
    return false;
}

bool opening_settle(struct options *options, struct error *err)
{
    if (!settle_logs(options, err))
        return false;
    if (options->output_count > 0)
        return true;
    const char *log = options->logs[0];
    if (strcmp(log, "-") == 0)
        return error_set(err, "--open of standard input needs a file; name one with --output");
    struct text path = {0};
    bool has_folder = true;
    if (can_write_beside(log))
        text_put(&path, log, (size_t)(file_name(log) - log));
    else
        has_folder = put_own_folder(&path);
    put_report_name(&path, log);
    if (has_folder)
        apply_output(options, keep(options, &path), err);
    else
        error_set(err, "cannot write beside '%s'; name a file with --output", log);
    text_release(&path);
    return has_folder;
}

void opening_show(const struct options *options, struct console *console)
{
    struct error message;
    for (size_t i = 0; i < options->output_count; i++) {
        const char *path = options->outputs[i].path;
        if (strcmp(path, "-") == 0)
            continue;
        if (!process_show(path))
            error_set(&message, "cannot open '%s'; open it in your browser", path);
        else
            error_set(&message, "opened %s", path);
        console_say(console, message.text);
        return;
    }
}
