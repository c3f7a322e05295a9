#include "cli/options/command_line.h"

#include "base/input.h"
#include "cli/options/option_rows.h"
#include "platform/file.h"

#include <errno.h>

/* The source of options. */
struct config_file {
    struct options *options;
    const char *path;
    const char *folder;    /* real path of its own, for one that was found; NULL: the user's */
    struct line_file file; /* its number is 0 for a variable of the environment */
};

static bool set(const struct config_file *source, const struct option_row *row, struct span value,
                struct error *err)
{
    struct options *options = source->options;
    struct filters *filters = &options->selection.filters;
    size_t filter_count = filters->count;
    struct text name = {0};
    SCOPED(text) origin = {0};
    struct given_option given = {
        options, row, arena_copy(&options->names, value.at, value.length), err};
    unsigned long long number = source->file.number;
    text_put_string(&name, source->path);
    if (number > 0)
        text_printf(&name, ":%llu", number);
    text_printf(&name, ": %s%s%s", row->flag, value.length > 0 ? "=" : "", given.value);
    name_list_add(&options->defaults, arena_copy(&options->names, name.at, name.length));
    text_release(&name);
    if (!option_values_apply(&given))
        return false;
    /* The folder of the user's own file says who the user is: reports name it without that. */
    text_printf(
        &origin, "%s:%llu", source->folder != NULL ? source->path : "supprof/config", number);
    const char *kept = arena_copy(&options->names, origin.at, origin.length);
    for (size_t i = filter_count; i < filters->count; i++)
        filters->all[i].origin = kept;
    return true;
}

/* Whether a path really is in the folder of a file that was found. */
static bool check_place(const struct config_file *source, const struct option_row *row,
                        const char *path, struct error *err)
{
    SCOPED_ARRAY char *real = file_real_path(path);
    if (real == NULL)
        return error_set(err, "cannot open '%s': %s", path, strerror(errno));
    return file_is_in(real, source->folder) ||
           error_set(err,
                     "a path in this file must stay in its folder, and '%s' leads out of it; to "
                     "use it, give %s on the command line",
                     path,
                     row->flag);
}

/* Adds the folder of the source to a relative path, and the home to one that begins with "~/". */
static bool set_path(const struct config_file *source, const struct option_row *row,
                     struct span value, struct error *err)
{
    SCOPED(text) path = {0};
    bool is_found = source->folder != NULL;
    bool is_home = span_starts_with(value, "~/");
    bool is_absolute =
        strchr("/\\", value.at[0]) != NULL || (value.length > 1 && value.at[1] == ':');
    if ((is_absolute || is_home) && is_found)
        return error_set(err, "a path in this file must be relative to its folder");
    if (is_home && options_set_path(&path, "HOME", ""))
        value = span_from(value, 1);
    else if (!is_absolute)
        text_put(&path, source->path, (size_t)(file_name(source->path) - source->path));
    text_put_span(&path, value);
    return (!is_found || check_place(source, row, path.at, err)) &&
           set(source, row, text_span(&path), err);
}

/*
 * A line that is no option may be of any file that this one is a link to: it is quoted only as far
 * as it could be the name of an option.
 */
static bool refuse_name(struct span name, struct error *err)
{
    enum { SHOWN_MAX = 20 };
    struct span shown = text_start(name, SHOWN_MAX);
    size_t letters = strspn(name.at, "abcdefghijklmnopqrstuvwxyz-");
    int length = (int)(letters < shown.length ? letters : shown.length);
    if (length == 0)
        return error_set(err, "this line is not an option");
    return error_set(
        err, "unknown option '%.*s%s'", length, name.at, (size_t)length < name.length ? "..." : "");
}

static bool apply_line(const struct config_file *source, struct span line, struct error *err)
{
    struct span value = span_from(line, strspn(line.at, "-"));
    struct span name = {value.at, strcspn(value.at, "= \t\r\n")};
    const struct option_row *row = option_row_find(name);
    value = span_from(value, name.length);
    while (value.length > 0 && strchr("= \t", value.at[0]) != NULL)
        value = span_from(value, 1);
    if (row == NULL)
        return refuse_name(name, err);
    if ((row->is & CAN_BE_DEFAULT) == 0)
        return error_set(err, "%s can only be given on the command line", row->flag);
    if ((row->argument != NULL) != (value.length > 0))
        return error_set(
            err, "%s %s", row->flag, value.length > 0 ? "takes no value" : "needs a value");
    if (source->options->is_given[row - option_rows] && (row->is & IS_LIST) == 0)
        return true;
    bool is_path = row->takes == TAKES_FILE || row->takes == TAKES_DIRECTORY;
    return is_path ? set_path(source, row, value, err) : set(source, row, value, err);
}

static bool read_file(struct options *options, const char *path, const char *folder,
                      struct error *err)
{
    struct config_file source = {.options = options, .path = path, .folder = folder};
    struct span line;
    struct error why;
    bool is_good = true;
    name_list_add(&options->default_files, arena_copy(&options->names, path, strlen(path)));
    if (!line_file_read(&source.file, path, &why))
        return error_set(err, "%s; --no-config ignores this file", why.text);
    while (is_good && line_file_next(&source.file, &line))
        is_good = apply_line(&source, line, &why);
    if (!is_good)
        error_set(err,
                  "%s:%llu: %s; --no-config ignores this file",
                  path,
                  (unsigned long long)source.file.number,
                  why.text);
    line_file_release(&source.file);
    return is_good;
}

static bool is_file(const struct text *path)
{
    struct file_status status;
    return file_status(&status, path->at) && status.kind == FILE_REGULAR;
}

/* The nearest one. */
static bool find_above(struct text *path)
{
    enum { FOLDERS_MAX = 32 };
    static const char name[] = ".supprof";
    /* With a folder, so that "-" below it is not standard input. */
    text_printf(path, "./%s", name);
    for (int i = 0; i < FOLDERS_MAX && !is_file(path); i++) {
        text_cut(path, path->length - strlen(name));
        text_printf(path, "../%s", name);
    }
    return is_file(path);
}

static bool read_variable(struct options *options, struct error *err)
{
    const struct config_file source = {.options = options, .path = "SUPPROF_LUA_ROOT"};
    SCOPED(text) root = {0};
    return !options_set_path(&root, source.path, "") || root.length == 0 ||
           set(&source, option_row_find(span_of("lua-root")), text_span(&root), err);
}

/* Reads the user's own file, the first that is there. */
static bool read_own(struct options *options, struct error *err)
{
    static const char *const places[][2] = {{"APPDATA", "/supprof/config"},
                                            {"XDG_CONFIG_HOME", "/supprof/config"},
                                            {"HOME", "/.config/supprof/config"}};
    SCOPED(text) path = {0};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (options_set_path(&path, places[i][0], places[i][1]) && is_file(&path))
            return read_file(options, path.at, NULL, err);
    return true;
}

/* Reads the file that was found in a folder, unless somebody else may have put it there. */
static bool read_found(struct options *options, struct error *err)
{
    SCOPED(text) path = {0}, folder = {0};
    if (!find_above(&path))
        return true;
    if (!file_is_trusted(path.at)) {
        options->untrusted = arena_copy(&options->names, path.at, path.length);
        return true;
    }
    text_put(&folder, path.at, (size_t)(file_name(path.at) - path.at));
    SCOPED_ARRAY char *real = file_real_path(folder.at);
    if (real == NULL)
        return error_set(err, "cannot find the folder of '%s': %s", path.at, strerror(errno));
    return read_file(options, path.at, real, err);
}

bool defaults_read(struct options *options, struct error *err)
{
    const char *refused = getenv("SUPPROF_NO_CONFIG");
    return options->ignores_defaults || (refused != NULL && refused[0] != '\0') ||
           (read_variable(options, err) && read_own(options, err) && read_found(options, err));
}
