#include "cli/option_names.h"

#include "base/spelling.h"
#include "base/text.h"
#include "cli/option_rows.h"
#include "cli/option_words.h"
#include "platform/file.h"

#include <string.h>

enum {
    /* Up to two mistakes from six letters on; fewer in shorter names. */
    LETTERS_PER_MISTAKE = 3
};

/* Returns the option with the fewest mistakes, or NULL when all have too many. */
static const struct option_row *find_nearest(const char *name, size_t length)
{
    const struct option_row *nearest = NULL;
    size_t most = length / LETTERS_PER_MISTAKE;
    for (size_t i = 0; i < option_row_count; i++) {
        size_t mistakes =
            spelling_distance((struct span){name, length},
                              (struct span){option_rows[i].name, strlen(option_rows[i].name)});
        if (mistakes > most || (mistakes == most && nearest != NULL))
            continue;
        most = mistakes;
        nearest = &option_rows[i];
    }
    return nearest;
}

/* Words for what options do, which are the names of options elsewhere. */
static const struct {
    const char *word, *name;
} others[] = {
    {"callees", "peek"},   {"callers", "peek"},  {"compare", "diff"},
    {"exclude", "ignore"}, {"export", "output"}, {"filter", "focus"},
    {"find", "peek"},      {"rows", "top"},      {"who", "peek"},
};

static bool is_word(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && strncmp(word, name, length) == 0;
}

/* Appends the option that takes this word as its value, as in "by=mod"; nothing if none does. */
static void put_option_of_value(struct text *text, const char *name, size_t length)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        struct option_word word;
        if (row->words == NULL || row->takes_list)
            continue;
        for (size_t k = 0; option_words_at(row->words, k, &word); k++)
            if (is_word(word.word, name, length)) {
                text_printf(text, "%s=%s", row->name, word.word);
                return;
            }
    }
}

/* Returns the longest name of an option that is a part of this one, or NULL. */
static const char *find_part(const char *name, size_t length)
{
    enum { LETTERS_MIN = 4 };
    const char *longest = NULL;
    size_t most = LETTERS_MIN - 1;
    for (size_t i = 0; i < option_row_count; i++) {
        const char *part = option_rows[i].name;
        size_t part_length = strlen(part);
        for (size_t at = 0; part_length > most && at + part_length <= length; at++)
            if (strncmp(name + at, part, part_length) == 0) {
                longest = part;
                most = part_length;
            }
    }
    return longest;
}

/* Appends what may have been meant, without the dashes; nothing if there is no guess. */
static void put_guess(struct text *text, const char *name, size_t length)
{
    const struct option_row *nearest = find_nearest(name, length);
    for (size_t i = 0; i < sizeof others / sizeof others[0] && text->length == 0; i++)
        if (is_word(others[i].word, name, length))
            text_put_string(text, others[i].name);
    if (text->length == 0)
        put_option_of_value(text, name, length);
    if (text->length == 0 && nearest != NULL)
        text_put_string(text, nearest->name);
    const char *part = find_part(name, length);
    if (text->length == 0 && part != NULL)
        text_put_string(text, part);
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

static bool is_option(const char *name, size_t length)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (is_word(option_rows[i].name, name, length))
            return true;
    return false;
}

bool option_names_suggest(struct error *err, const char *path)
{
    struct file_status status;
    const char *name = path + (path[0] == '/');
    if (path[0] == '/' && (strcmp(name, "?") == 0 || strcmp(name, "h") == 0))
        name = "help";
    if (!is_option(name, strlen(name)) || file_status(&status, path))
        return false;
    struct error before = *err;
    error_set(err, "%s; did you mean '--%s'?", before.text, name);
    return true;
}

bool option_names_refuse(const char *word, struct error *err)
{
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    int shown = (int)(name - word + (ptrdiff_t)length);
    struct text longer = {0}, guess = {0};
    /* With two dashes it would be an option. */
    bool is_name = is_option(name, length);
    if (is_name)
        text_put(&guess, name, length);
    else
        put_guess(&guess, name, length);
    if (put_longer(&longer, name, length) > 1 && !is_name)
        error_set(err, "ambiguous option '%.*s' (%.*s)", shown, word, (int)longer.length,
                  longer.at);
    else if (guess.length > 0)
        error_set(err, "unknown option '%.*s'; did you mean '--%.*s'?", shown, word,
                  (int)guess.length, guess.at);
    else
        error_set(err, "unknown option '%.*s'", shown, word);
    text_release(&longer);
    text_release(&guess);
    return false;
}
