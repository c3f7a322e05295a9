#include "cli/options/known_logs.h"

#include "base/line_file.h"
#include "platform/file.h"
#include "platform/process.h"

#include <stdlib.h>

/* Folders below another one, ended by NULL, and how names of logs begin in them. */
struct place {
    const char *folder, *prefix;
};

#define GAME "/steamapps/common/Supreme Commander Forged Alliance"

static const struct place
    /* A folder that may hold the game, LOUD, FAF, or logs. */
    below[] = {{"", ""}, {"/bin", ""}, {"/LOUD/bin", ""}, {"/logs", "game_"}, {NULL, NULL}},
    /* A folder in the path of the game's folder: not all logs in it are from a game. */
    above[] = {{"", "loud"}, {"", "game_"}, {"/LOUD/bin", ""}, {"/logs", "game_"}, {NULL, NULL}},
    library[] = {{GAME "/bin", ""}, {GAME "/LOUD/bin", ""}, {NULL, NULL}};

/* A search for the newest log. */
struct search {
    struct text *path; /* the newest so far; empty for none */
    int64_t written_ns;
    const char *folder, *prefix; /* of the folder that is listed now */
};

static void add_entry(void *context, const char *name)
{
    struct search *search = context;
    struct span span = span_of(name);
    bool is_log = span_ends_like(span, ".log") || span_ends_like(span, ".log.gz");
    if (!is_log || !span_starts_like(span, search->prefix))
        return;
    struct text path = {0};
    text_printf(&path, "%s/%s", search->folder, name);
    struct file_status status;
    bool is_newer = file_status(&status, path.at) && status.kind == FILE_REGULAR &&
                    (search->path->length == 0 || status.written_ns > search->written_ns);
    if (is_newer) {
        text_cut(search->path, 0);
        text_put_span(search->path, text_span(&path));
        search->written_ns = status.written_ns;
    }
    text_release(&path);
}

static void look(struct search *search, const char *folder, const struct place *places)
{
    for (; places->folder != NULL; places++) {
        struct text path = {0};
        text_printf(&path, "%s%s", folder, places->folder);
        search->folder = text_string(&path);
        search->prefix = places->prefix;
        file_list_directory(search->folder, add_entry, search);
        text_release(&path);
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
static void look_in_steam(struct search *search, const char *steam)
{
    struct text path = {0};
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
    text_release(&path);
}

/* The program may be in the game's folder or below it. */
static void look_around_program(struct search *search)
{
    enum { FOLDERS_MAX = 4 };
    char *path = process_file();
    for (int i = 0; path != NULL && i < FOLDERS_MAX; i++) {
        char *name = path + (file_name(path) - path);
        if (name <= path + 1)
            break;
        name[-1] = '\0';
        look(search, path, i == 0 ? below : above);
    }
    free(path);
}

bool known_logs_find_below(const char *folder, struct text *path)
{
    struct search search = {.path = path};
    text_cut(path, 0);
    look(&search, folder, below);
    return path->length > 0;
}

bool known_logs_is_example(const char *path)
{
    return strcmp(file_name(path), "example.log.gz") == 0;
}

bool known_logs_find(struct text *path)
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
    struct search search = {.path = path};
    text_cut(path, 0);
    look_around_program(&search);
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        char *value = process_variable(homes[i].variable);
        struct text folder = {0};
        if (value != NULL)
            text_printf(&folder, "%s%s", value, homes[i].rest);
        if (folder.length > 0 && homes[i].is_steam)
            look_in_steam(&search, folder.at);
        else if (folder.length > 0)
            look(&search, folder.at, below);
        text_release(&folder);
        free(value);
    }
    return path->length > 0;
}
