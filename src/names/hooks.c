#include "names/hooks.h"

#include <string.h>

static void put_path(struct text *text, struct span path)
{
    text_put(text, path.at, path.length);
    text_put(text, "\n", 1);
}

struct span hooks_next_path(struct span *rest)
{
    const char *feed = memchr(rest->at, '\n', rest->length);
    size_t length = feed == NULL ? rest->length : (size_t)(feed - rest->at);
    struct span path = {rest->at, length};
    size_t step = feed == NULL ? length : length + 1;
    *rest = (struct span){rest->at + step, rest->length - step};
    return path;
}

static bool is_same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Whether the line belongs to the open batch: of the same file, with a hook that is new in it. */
static bool continues_batch(const struct hooks *hooks, struct span base, struct span file)
{
    struct span rest = text_span(&hooks->open);
    if (hooks->open_count == 0 || hooks->open_count == HOOKS_PER_BATCH_MAX ||
        !is_same(hooks_next_path(&rest), base))
        return false;
    while (rest.length > 0)
        if (is_same(hooks_next_path(&rest), file))
            return false;
    return true;
}

void hooks_end_batch(struct hooks *hooks)
{
    if (hooks->open_count > 0)
        intern_add(&hooks->batches, hooks->open.at, hooks->open.length);
    hooks->open.length = 0;
    hooks->open_count = 0;
}

void hooks_add(struct hooks *hooks, struct span base, struct span file)
{
    if (!continues_batch(hooks, base, file)) {
        hooks_end_batch(hooks);
        put_path(&hooks->open, base);
    }
    put_path(&hooks->open, file);
    hooks->open_count++;
}

void hooks_release(struct hooks *hooks)
{
    intern_release(&hooks->batches);
    text_release(&hooks->open);
    *hooks = (struct hooks){0};
}
