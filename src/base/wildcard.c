#include "base/wildcard.h"

#include "base/text.h"
#include "platform/file.h"

bool wildcard_is(const char *path)
{
    struct file_status status;
    return strpbrk(file_name(path), "*?") != NULL && !file_status(&status, path);
}

bool wildcard_fits(const char *pattern, const char *name)
{
    if (name[0] == '.' && pattern[0] != '.')
        return false;
    /*
     * The place of the last '*', and of the text that it has matched so far: only the last one must
     * be tried again.
     */
    const char *star = NULL, *taken = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            taken = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++taken;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

struct wildcard_search {
    const char *path;
    size_t directory_length; /* of the path, with its last separator */
    struct arena *arena;
    const char **found; /* [count] */
    size_t count, capacity;
};

static void consider(void *context, const char *name)
{
    struct wildcard_search *search = context;
    if (!wildcard_fits(search->path + search->directory_length, name))
        return;
    SCOPED(text) path = {0};
    text_put(&path, search->path, search->directory_length);
    text_put_string(&path, name);
    const char *found = arena_copy(search->arena, path.at, path.length);
    MEM_APPEND(search->found, search->count, search->capacity, found);
}

static int compare_paths(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

const char **wildcard_find(const char *path, struct arena *arena, size_t *count)
{
    struct wildcard_search search = {
        .path = path, .directory_length = (size_t)(file_name(path) - path), .arena = arena};
    SCOPED_ARRAY char *directory = mem_copy(path, search.directory_length);
    file_list_directory(directory[0] != '\0' ? directory : ".", consider, &search);
    if (search.count > 0)
        qsort(search.found, search.count, sizeof *search.found, compare_paths);
    *count = search.count;
    return search.found;
}
