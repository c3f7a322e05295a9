#include "cli/options/opening.h"

#include "cli/options/known_logs.h"
#include "platform/file.h"
#include "platform/process.h"

#include <stdlib.h>

/* Returns a copy that lives as long as the options. */
static char *keep(struct options *options, const struct text *text)
{
    return arena_copy(&options->names, text->at, text->length);
}

/* Replaces folders by logs; without a log, adds one. */
static bool find_logs(struct options *options, struct error *err)
{
    struct text path = {0};
    bool is_good = options->logs.count > 0 || known_logs_find(&path);
    if (!is_good) {
        error_set(err, "no game log was found beside this program, or where FAF, LOUD and Steam "
                       "put logs; name one, or drag it onto the program");
    } else if (options->logs.count == 0) {
        options->took_example = known_logs_is_example(path.at);
        name_list_add(&options->logs, keep(options, &path));
    }
    for (size_t i = 0; i < options->logs.count && is_good; i++) {
        struct file_status status;
        const char **log = &options->logs.all[i];
        if (!file_status(&status, *log) || status.kind != FILE_DIRECTORY)
            continue;
        is_good = known_logs_find_below(*log, &path) ||
                  error_set(err, "'%s' contains no log (*.log, *.log.gz)", *log);
        *log = is_good ? keep(options, &path) : *log;
    }
    text_release(&path);
    return is_good;
}

/* "game.log.gz" becomes "game.html". */
static void put_report_name(struct text *path, const char *log)
{
    struct span name = span_of(file_name(log));
    if (span_ends_like(name, ".gz"))
        name.length -= strlen(".gz");
    if (span_ends_like(name, ".log"))
        name.length -= strlen(".log");
    text_put_span(path, name);
    text_put_string(path, ".html");
}

/* Whether files can be created beside a path. */
static bool can_write_beside(const char *path)
{
    struct text probe = {0};
    text_put(&probe, path, (size_t)(file_name(path) - path));
    text_put_string(&probe, "supprof-XXXXXX");
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
        text_cut(path, 0);
        if (folder == NULL)
            continue;
        text_printf(path, "%s%s", folder, places[i].rest);
        free(folder);
        bool is_there = file_create_directory(path->at);
        text_put_string(path, "/");
        if (is_there)
            return true;
    }
    return false;
}

bool opening_add_names(struct options *options, struct error *err)
{
    if (!find_logs(options, err))
        return false;
    if (options->output_count > 0)
        return true;
    const char *log = options->logs.all[0];
    if (strcmp(log, "-") == 0)
        return error_set(err, "--open of standard input needs a file; name one with --output");
    struct text path = {0};
    bool is_beside = can_write_beside(log);
    bool has_folder = is_beside || put_own_folder(&path);
    if (is_beside)
        text_put(&path, log, (size_t)(file_name(log) - log));
    put_report_name(&path, log);
    if (has_folder)
        options_add_output(options, keep(options, &path), NULL);
    else
        error_set(err, "cannot write into the folder of '%s'; name a file with --output", log);
    text_release(&path);
    return has_folder;
}
