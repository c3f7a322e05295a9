#include "cli/logs/similar_file.h"

#include "base/spelling.h"
#include "base/text.h"
#include "platform/file.h"

/* One mistake for so many bytes of a name. */
enum { BYTES_PER_MISTAKE = 4, NAME_LENGTH_MIN = 3 };

struct search {
    struct span name;
    struct text best; /* empty: none */
    size_t best_mistakes;
    bool exists;
};

static void compare(void *context, const char *name)
{
    struct search *search = context;
    struct span other = span_of(name);
    bool is_longer = other.length > search->name.length &&
                     memcmp(name, search->name.at, search->name.length) == 0;
    size_t mistakes = is_longer ? 1 : spelling_distance(search->name, other);
    search->exists |= mistakes == 0;
    /* The order of a folder is not known: of equal ones the first by name is taken. */
    bool is_better = mistakes < search->best_mistakes ||
                     (mistakes == search->best_mistakes && search->best.length > 0 &&
                      strcmp(name, search->best.at) < 0);
    if (mistakes > search->name.length / BYTES_PER_MISTAKE || !is_better)
        return;
    search->best_mistakes = mistakes;
    text_cut(&search->best, 0);
    text_put_span(&search->best, other);
}

void similar_file_suggest(struct error *err, const char *path)
{
    const char *name = file_name(path);
    struct search search = {.name = span_of(name), .best_mistakes = SIZE_MAX};
    struct text folder = {0};
    if (search.name.length < NAME_LENGTH_MIN)
        return;
    if (name == path)
        text_put_string(&folder, ".");
    text_put(&folder, path, (size_t)(name - path));
    if (file_list_directory(folder.at, compare, &search) && !search.exists &&
        search.best.length > 0) {
        struct error before = *err;
        error_set_code(err, before.code, "%s; did you mean '%.*s%s'?", before.text,
                       (int)(name - path), path, search.best.at);
    }
    text_release(&search.best);
    text_release(&folder);
}
