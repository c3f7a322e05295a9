#include "names/hook_batches.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* At most so many folders before the shown path are tried. */
enum { FOLDERS_MAX = 8 };

static void put_small(struct text *text, struct span path)
{
    text->length = 0;
    text_put(text, path.at, path.length);
    for (size_t i = 0; i < text->length; i++)
        if (text->at[i] >= 'A' && text->at[i] <= 'Z')
            text->at[i] = (char)(text->at[i] - 'A' + 'a');
}

void hook_batches_init(struct hook_batches *batches, const struct hooks *hooks)
{
    struct text small = {0};
    *batches = (struct hook_batches){0};
    batches->next = mem_zeroed(hooks->batches.count, sizeof *batches->next);
    for (uint32_t i = 0; i < hooks->batches.count; i++) {
        struct span rest = intern_get(&hooks->batches, i);
        struct span path = hooks_next_path(&rest);
        put_small(&small, (struct span){path.at + 1, path.length - 1});
        uint32_t known_count = batches->bases.count;
        uint32_t base = intern_add(&batches->bases, small.at, small.length);
        batches->first = mem_grow(batches->first, &batches->first_capacity, (size_t)base + 1,
                                  sizeof *batches->first);
        batches->last = mem_grow(batches->last, &batches->last_capacity, (size_t)base + 1,
                                 sizeof *batches->last);
        if (base == known_count)
            batches->first[base] = i;
        else
            batches->next[batches->last[base]] = i;
        batches->last[base] = i;
        batches->next[i] = INTERN_NONE;
    }
    text_release(&small);
}

void hook_batches_release(struct hook_batches *batches)
{
    intern_release(&batches->bases);
    free(batches->first);
    free(batches->last);
    free(batches->next);
    *batches = (struct hook_batches){0};
}

static uint32_t find(const struct hook_batches *batches, struct text *small, struct span path)
{
    put_small(small, path);
    struct span key = text_span(small);
    uint32_t base = intern_find(&batches->bases, key.at, key.length);
    return base == INTERN_NONE ? INTERN_NONE : batches->first[base];
}

uint32_t hook_batches_find(const struct hook_batches *batches, struct span shown, struct span full)
{
    struct text small = {0};
    uint32_t found = find(batches, &small, shown);
    size_t start = full.length > shown.length ? full.length - shown.length : 0;
    for (int i = 0; i < FOLDERS_MAX && found == INTERN_NONE && start > 0; i++) {
        /* The start of the folder before the '/'. */
        start--;
        while (start > 0 && full.at[start - 1] != '/')
            start--;
        found = find(batches, &small, (struct span){full.at + start, full.length - start});
    }
    text_release(&small);
    return found;
}
