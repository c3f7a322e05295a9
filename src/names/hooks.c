#include "names/hooks.h"

/* Whether the line belongs to the open batch: of the same file, with a hook that is new in it. */
static bool continues_batch(const struct hooks *hooks, struct span base, struct span file)
{
    struct span rest = text_span(&hooks->open);
    if (hooks->open_count == 0 || hooks->open_count == HOOKS_PER_BATCH_MAX ||
        !span_is_same(hooks_next_path(&rest), base))
        return false;
    while (rest.length > 0)
        if (span_is_same(hooks_next_path(&rest), file))
            return false;
    return true;
}

/* Makes a new batch the last one of its file. */
static void link_batch(struct hooks *hooks, uint32_t batch)
{
    struct text small = {0};
    struct span rest = intern_get(&hooks->batches, batch);
    text_put_small(&small, span_from(hooks_next_path(&rest), 1));
    uint32_t base;
    bool is_new = intern_is_new(&hooks->bases, text_span(&small), &base);
    text_release(&small);
    MEM_GROW(hooks->next, hooks->next_capacity, hooks->batches.count);
    MEM_GROW(hooks->ends, hooks->end_capacity, hooks->bases.count);
    if (is_new)
        hooks->ends[base].first = batch;
    else
        hooks->next[hooks->ends[base].last] = batch;
    hooks->ends[base].last = batch;
    hooks->next[batch] = INTERN_NONE;
}

void hooks_end_batch(struct hooks *hooks)
{
    if (hooks->open_count == 0)
        return;
    uint32_t batch;
    if (intern_is_new(&hooks->batches, text_span(&hooks->open), &batch))
        link_batch(hooks, batch);
    text_cut(&hooks->open, 0);
    hooks->open_count = 0;
}

static void put_path(struct text *text, struct span path)
{
    text_put_span(text, path);
    text_put_string(text, "\n");
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

static uint32_t find(const struct hooks *hooks, struct text *small, struct span path)
{
    text_cut(small, 0);
    text_put_small(small, path);
    uint32_t base = intern_find(&hooks->bases, text_string(small), small->length);
    return base == INTERN_NONE ? INTERN_NONE : hooks->ends[base].first;
}

uint32_t hooks_find(const struct hooks *hooks, struct span shown, struct span full)
{
    /* At most so many folders before the shown path are tried. */
    enum { FOLDERS_MAX = 8 };
    struct text small = {0};
    uint32_t found = find(hooks, &small, shown);
    size_t start = full.length > shown.length ? full.length - shown.length : 0;
    for (int i = 0; i < FOLDERS_MAX && found == INTERN_NONE && start > 0; i++) {
        /* The start of the folder before the '/'. */
        start--;
        while (start > 0 && full.at[start - 1] != '/')
            start--;
        found = find(hooks, &small, span_from(full, start));
    }
    text_release(&small);
    return found;
}

void hooks_release(struct hooks *hooks)
{
    intern_release(&hooks->batches);
    intern_release(&hooks->bases);
    free(hooks->next);
    free(hooks->ends);
    text_release(&hooks->open);
    *hooks = (struct hooks){0};
}
