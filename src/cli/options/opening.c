#include "cli/options/command_line.h"

#include "base/input.h"
#include "platform/process.h"

/* The places where games write their logs --------------------------------------------------- */

/* Folders below another one, ended by NULL, and how names of logs begin in them. */
struct report_folder {
    const char *folder, *prefix;
};

#define GAME "/steamapps/common/Supreme Commander Forged Alliance"

static const struct report_folder
    /* A folder that may hold the game, LOUD, FAF, or logs. */
    below[] = {{"", ""}, {"/bin", ""}, {"/LOUD/bin", ""}, {"/logs", "game_"}, {NULL, NULL}},
    /* A folder in the path of the game's folder: not all logs in it are from a game. */
    above[] = {{"", "loud"}, {"", "game_"}, {"/LOUD/bin", ""}, {"/logs", "game_"}, {NULL, NULL}},
    library[] = {{GAME "/bin", ""}, {GAME "/LOUD/bin", ""}, {NULL, NULL}};

/* A search for the newest log. */
struct folder_search {
    struct text *path; /* the newest so far; empty for none */
    int64_t written_ns;
    const char *folder, *prefix; /* of the folder that is listed now */
};

static void add_entry(void *context, const char *name)
{
    struct folder_search *search = context;
    struct span span = span_of(name);
    bool is_log = span_ends_like(span, ".log") || span_ends_like(span, ".log.gz") ||
                  span_ends_like(span, ".sclog"); /* of the game's /log NAME */
    if (!is_log || !span_starts_like(span, search->prefix))
        return;
    SCOPED(text) path = {0};
    text_printf(&path, "%s/%s", search->folder, name);
    struct file_status status;
    bool is_newer = file_status(&status, path.at) && status.kind == FILE_REGULAR &&
                    (search->path->length == 0 || status.written_ns > search->written_ns);
    if (is_newer) {
        text_cut(search->path, 0);
        text_put_span(search->path, text_span(&path));
        search->written_ns = status.written_ns;
    }
}

static void look(struct folder_search *search, const char *folder,
                 const struct report_folder *places)
{
    for (; places->folder != NULL; places++) {
        SCOPED(text) path = {0};
        text_printf(&path, "%s%s", folder, places->folder);
        search->folder = text_string(&path);
        search->prefix = places->prefix;
        file_list_directory(search->folder, add_entry, search);
    }
}

/* Takes the value of a line `"path"  "D:\\Games"`, with each \\ as one. */
static bool read_library(struct span line, struct text *path)
{
    if (!span_starts_with(line, "\"path\""))
        return false;
    for (int quotes = 0; quotes < 3; quotes++)
        span_take(&line, '"');
    text_cut(path, 0);
    for (size_t i = 0; i < line.length && line.at[i] != '"'; i++) {
        i += line.at[i] == '\\' && i + 1 < line.length;
        text_put(path, &line.at[i], 1);
    }
    return path->length > 0;
}

/* Steam itself and the libraries that it lists. */
static void look_in_steam(struct folder_search *search, const char *steam)
{
    SCOPED(text) path = {0};
    struct line_file list;
    struct span line;
    struct error ignored;
    look(search, steam, library);
    text_printf(&path, "%s/steamapps/libraryfolders.vdf", steam);
    if (line_file_read(&list, path.at, &ignored)) {
        while (line_file_next(&list, &line))
            if (read_library(line, &path))
                look(search, path.at, library);
        line_file_release(&list);
    }
}

/* The program may be in the game's folder or below it. */
static void look_around_program(struct folder_search *search)
{
    enum { FOLDERS_MAX = 4 };
    SCOPED_ARRAY char *path = process_file();
    for (int i = 0; path != NULL && i < FOLDERS_MAX; i++) {
        char *name = path + (file_name(path) - path);
        if (name <= path + 1)
            break;
        name[-1] = '\0';
        look(search, path, i == 0 ? below : above);
    }
}

/* Finds the log that was written last in a folder, or in those of its folders into which the game
 * and LOUD write logs. */
static bool find_below(const char *folder, struct text *path)
{
    struct folder_search search = {.path = path};
    text_cut(path, 0);
    look(&search, folder, below);
    return path->length > 0;
}

bool opening_find_newest(struct text *path)
{
    static const struct {
        const char *variable, *rest;
        bool is_steam;
    } homes[] = {
        {"APPDATA", "/Forged Alliance Forever", false},
        {"ProgramFiles(x86)", "/Steam", true},
        {"ProgramFiles", "/Steam", true},
        {"HOME", "/.faforever", false},
        {"HOME", "/.steam/steam", true},
        {"HOME", "/.local/share/Steam", true},
        {"HOME", "/.var/app/com.valvesoftware.Steam/.local/share/Steam", true},
    };
    struct folder_search search = {.path = path};
    text_cut(path, 0);
    look_around_program(&search);
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        SCOPED(text) folder = {0};
        bool is_known = options_set_path(&folder, homes[i].variable, homes[i].rest);
        if (is_known && homes[i].is_steam)
            look_in_steam(&search, folder.at);
        else if (is_known)
            look(&search, folder.at, below);
    }
    return path->length > 0;
}

/* The names that --open adds ----------------------------------------------------------------- */

/* Returns a copy that lives as long as the options. */
static char *keep(struct options *options, const struct text *text)
{
    return arena_copy(&options->names, text->at, text->length);
}

/* Replaces folders by logs; without a log, adds one. */
static bool find_logs(struct options *options, struct error *err)
{
    SCOPED(text) path = {0};
    if (options->logs.count == 0) {
        if (!opening_find_newest(&path))
            return error_set(err,
                             "no game log was found beside this program, or where FAF, LOUD and "
                             "Steam put logs; name one, or drag it onto the program");
        options->took_example = strcmp(file_name(path.at), "example.log.gz") == 0;
        name_list_add(&options->logs, keep(options, &path));
    }
    for (size_t i = 0; i < options->logs.count; i++) {
        struct file_status status;
        const char **log = &options->logs.all[i];
        if (!file_status(&status, *log) || status.kind != FILE_DIRECTORY)
            continue;
        if (!find_below(*log, &path))
            return error_set(err, "'%s' contains no log (*.log, *.log.gz, *.sclog)", *log);
        *log = keep(options, &path);
    }
    return true;
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
    SCOPED(text) probe = {0};
    text_put(&probe, path, (size_t)(file_name(path) - path));
    text_put_string(&probe, "supprof-XXXXXX");
    int file = file_create_temporary(probe.at, file_default_permissions());
    if (file >= 0) {
        file_close(file);
        file_remove(probe.at);
    }
    return file >= 0;
}

/* Appends the user's own folder for reports, creates it if it is missing, and appends '/'. */
static bool put_own_folder(struct text *path)
{
    bool is_there =
        (options_set_path(path, "LOCALAPPDATA", "/supprof") && file_create_directory(path->at)) ||
        (options_set_path(path, "XDG_DATA_HOME", "/supprof") && file_create_directory(path->at)) ||
        (options_set_path(path, "HOME", "/.local/share/supprof") &&
         file_create_directory(path->at)) ||
        (options_set_path(path, "HOME", "/supprof") && file_create_directory(path->at));
    text_put_string(path, "/");
    return is_there;
}

bool opening_add_names(struct options *options, struct error *err)
{
    if (!find_logs(options, err))
        return false;
    if (options->output_count > 0)
        return true;
    const char *log = options->logs.all[0];
    if (file_is_standard(log))
        return error_set(err, "--open of standard input needs a file; name one with --output");
    SCOPED(text) path = {0};
    if (can_write_beside(log))
        text_put(&path, log, (size_t)(file_name(log) - log));
    else if (!put_own_folder(&path))
        return error_set(
            err, "cannot write into the folder of '%s'; name a file with --output", log);
    put_report_name(&path, log);
    options_add_output(options, keep(options, &path), NULL, 0);
    return true;
}
