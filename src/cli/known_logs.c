#include "cli/known_logs.h"

#include "base/input.h"
#include "base/mem.h"
#include "platform/file.h"
#include "platform/process.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A search for the newest log. */
struct search {
    struct text *path; /* the newest so far; empty for none */
    int64_t written_ns;
    const char *folder, *prefix; /* of the folder that is listed now */
};

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return length > suffix_length && strcasecmp(name + length - suffix_length, suffix) == 0;
}

static void add_entry(void *context, const char *name)
{
    struct search *search = context;
    if (strncasecmp(name, search->prefix, strlen(search->prefix)) != 0 ||
        !(has_suffix(name, ".log") || has_suffix(name, ".log.gz")))
        return;
    struct text path = {0};
    text_printf(&path, "%s/%s", search->folder, name);
    text_put(&path, "", 1);
    struct file_status status;
    bool is_newer = file_status(&status, path.at) && status.kind == FILE_REGULAR &&
                    (search->path->length == 0 || status.written_ns > search->written_ns);
    if (is_newer) {
        search->path->length = 0;
        text_put(search->path, path.at, path.length);
        search->written_ns = status.written_ns;
    }
    text_release(&path);
}

/* Looks for logs with a prefix in a folder below `base`. */
static void look_in(struct search *search, const char *base, const char *rest, const char *prefix)
{
    struct text folder = {0};
    text_printf(&folder, "%s%s", base, rest);
    text_put(&folder, "", 1);
    search->folder = folder.at;
    search->prefix = prefix;
    file_list_directory(folder.at, add_entry, search);
    text_release(&folder);
}

/* A folder that may hold the game, LOUD, FAF, or logs. */
static void look_below(struct search *search, const char *folder)
{
    look_in(search, folder, "", "");
    look_in(search, folder, "/bin", "");
    look_in(search, folder, "/LOUD/bin", "");
    look_in(search, folder, "/logs", "game_");
}

/* A folder in the path of the game's folder: not all logs in it are from a game. */
static void look_above(struct search *search, const char *folder)
{
    look_in(search, folder, "", "loud");
    look_in(search, folder, "", "game_");
    look_in(search, folder, "/LOUD/bin", "");
    look_in(search, folder, "/logs", "game_");
}

static void look_in_library(struct search *search, const char *library)
{
    struct text game = {0};
    text_printf(&game, "%s/steamapps/common/Supreme Commander Forged Alliance", library);
    text_put(&game, "", 1);
    look_in(search, game.at, "/bin", "");
    look_in(search, game.at, "/LOUD/bin", "");
    text_release(&game);
}

/* Takes the value of a line `"path"  "D:\\Games"`, with each \\ as one. */
static bool read_library(const char *line, size_t length, struct text *library)
{
    static const char key[] = "\"path\"";
    size_t i = 0;
    while (i < length && (line[i] == ' ' || line[i] == '\t'))
        i++;
    if (length - i < sizeof key || memcmp(line + i, key, sizeof key - 1) != 0)
        return false;
    i += sizeof key - 1;
    while (i < length && line[i] != '"')
        i++;
    library->length = 0;
    for (i++; i < length && line[i] != '"'; i++) {
        i += line[i] == '\\' && i + 1 < length;
        text_put(library, &line[i], 1);
    }
    text_put(library, "", 1);
    return library->length > 1;
}

/* Steam itself and the libraries that it lists. */
static void look_in_steam(struct search *search, const char *steam)
{
    enum { LIST_BYTES_MAX = 1 << 20, BLOCK_BYTES = 4096 };
    look_in_library(search, steam);
    struct text list = {0}, path = {0};
    text_printf(&path, "%s/steamapps/libraryfolders.vdf", steam);
    text_put(&path, "", 1);
    struct input input;
    struct error ignored;
    if (input_open(&input, path.at, FILE_DOES_NOT_WAIT, NULL, &ignored)) {
        char block[BLOCK_BYTES];
        size_t length;
        while (list.length < LIST_BYTES_MAX &&
               input_read(&input, block, sizeof block, &length, &ignored) && length > 0)
            text_put(&list, block, length);
        input_close(&input);
    }
    for (size_t from = 0; from < list.length;) {
        const char *feed = memchr(list.at + from, '\n', list.length - from);
        size_t end = feed == NULL ? list.length : (size_t)(feed - list.at);
        if (read_library(list.at + from, end - from, &path))
            look_in_library(search, path.at);
        from = end + 1;
    }
    text_release(&list);
    text_release(&path);
}

/* Calls look() with a path below the folder in an environment variable. */
static void look_at(struct search *search, const char *variable, const char *rest,
                    void (*look)(struct search *search, const char *folder))
{
    char *value = process_variable(variable);
    if (value == NULL)
        return;
    struct text folder = {0};
    text_printf(&folder, "%s%s", value, rest);
    text_put(&folder, "", 1);
    look(search, folder.at);
    text_release(&folder);
    free(value);
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
        if (i == 0)
            look_below(search, path);
        else
            look_above(search, path);
    }
    free(path);
}

bool known_logs_find_below(const char *folder, struct text *path)
{
    struct search search = {.path = path};
    path->length = 0;
    look_below(&search, folder);
    return path->length > 0;
}

bool known_logs_find(struct text *path)
{
    static const struct {
        const char *variable, *rest;
        void (*look)(struct search *search, const char *folder);
    } places[] = {
        {"APPDATA", "/Forged Alliance Forever", look_below},
        {"ProgramFiles(x86)", "/Steam", look_in_steam},
        {"ProgramFiles", "/Steam", look_in_steam},
        {"HOME", "/.faforever", look_below},
        {"HOME", "/.steam/steam", look_in_steam},
        {"HOME", "/.local/share/Steam", look_in_steam},
        {"HOME", "/.var/app/com.valvesoftware.Steam/.local/share/Steam", look_in_steam},
    };
    struct search search = {.path = path};
    path->length = 0;
    look_around_program(&search);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        look_at(&search, places[i].variable, places[i].rest, places[i].look);
    return path->length > 0;
}
