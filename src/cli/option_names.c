#include "cli/option_names.h"

#include "base/text.h"
#include "cli/option_rows.h"

#include <string.h>

enum {
    NAME_LENGTH_MAX = 31,
    /* Up to two mistakes from six letters on; fewer in shorter names. */
    LETTERS_PER_MISTAKE = 3
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * The number of letters that must be added, removed, changed, or swapped with their neighbour to
 * turn one word into the other (optimal string alignment). Words have at most NAME_LENGTH_MAX
 * letters.
 */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[NAME_LENGTH_MAX + 1][NAME_LENGTH_MAX + 1];
    for (size_t i = 0; i <= a_length; i++)
        rows[i][0] = i;
    for (size_t k = 0; k <= b_length; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= a_length; i++)
        for (size_t k = 1; k <= b_length; k++) {
            size_t changed = rows[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            rows[i][k] = least(changed, least(rows[i - 1][k], rows[i][k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                rows[i][k] = least(rows[i][k], rows[i - 2][k - 2] + 1);
        }
    return rows[a_length][b_length];
}

/* Returns the option with the fewest mistakes, or NULL when all have too many. */
static const struct option_row *find_nearest(const char *name, size_t length)
{
    const struct option_row *nearest = NULL;
    if (length > NAME_LENGTH_MAX)
        return NULL;
    size_t most = length / LETTERS_PER_MISTAKE;
    for (size_t i = 0; i < option_row_count; i++) {
        size_t mistakes = distance(name, length, option_rows[i].name, strlen(option_rows[i].name));
        if (mistakes > most || (mistakes == most && nearest != NULL))
            continue;
        most = mistakes;
        nearest = &option_rows[i];
    }
    return nearest;
}

/* Appends the options with this beginning; returns their number. */
static size_t put_longer(struct text *text, const char *name, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < option_row_count; i++) {
        if (strncmp(option_rows[i].name, name, length) != 0)
            continue;
        text_printf(text, "%s%s", count++ > 0 ? ", --" : "--", option_rows[i].name);
    }
    return count;
}

bool option_names_refuse(const char *word, struct error *err)
{
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    int shown = (int)(name - word + (ptrdiff_t)length);
    struct text longer = {0};
    const struct option_row *nearest = find_nearest(name, length);
    if (put_longer(&longer, name, length) > 1)
        error_set(err, "ambiguous option '%.*s' (%.*s)", shown, word, (int)longer.length,
                  longer.at);
    else if (nearest != NULL)
        error_set(err, "unknown option '%.*s'; did you mean '--%s'?", shown, word, nearest->name);
    else
        error_set(err, "unknown option '%.*s'", shown, word);
    text_release(&longer);
    return false;
}
