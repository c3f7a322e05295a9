#include "cli/options/unknown_option.h"

#include "base/text.h"
#include "base/wildcard.h"
#include "cli/options/option_rows.h"
#include "platform/file.h"
#include "report/figures/formats.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t spelling_distance(struct span a, struct span b)
{
    size_t rows[SPELLING_LENGTH_MAX + 1][SPELLING_LENGTH_MAX + 1];
    if (a.length > SPELLING_LENGTH_MAX || b.length > SPELLING_LENGTH_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i <= a.length; i++)
        rows[i][0] = i;
    for (size_t k = 0; k <= b.length; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= a.length; i++)
        for (size_t k = 1; k <= b.length; k++) {
            size_t changed = rows[i - 1][k - 1] + (a.at[i - 1] != b.at[k - 1]);
            rows[i][k] = least(changed, least(rows[i - 1][k], rows[i][k - 1]) + 1);
            if (i > 1 && k > 1 && a.at[i - 1] == b.at[k - 2] && a.at[i - 2] == b.at[k - 1])
                rows[i][k] = least(rows[i][k], rows[i - 2][k - 2] + 1);
        }
    return rows[a.length][b.length];
}

/* Up to two mistakes from six letters on; fewer in shorter names. */
enum { LETTERS_PER_MISTAKE = 3 };

/* Returns the option with the fewest mistakes, or NULL when all have too many. */
static const char *find_nearest(struct span name)
{
    const char *nearest = NULL;
    size_t most = name.length / LETTERS_PER_MISTAKE;
    for (size_t i = 0; i < option_row_count; i++) {
        size_t mistakes = spelling_distance(name, span_of(option_rows[i].name));
        if (mistakes > most || (mistakes == most && nearest != NULL))
            continue;
        most = mistakes;
        nearest = option_rows[i].name;
    }
    return nearest;
}

/* Returns the option for a word that says what it does, or what is looked for, or by which perf,
 * pprof and uftrace know it; or NULL. */
static const char *find_other(struct span name)
{
    static const struct {
        const char *word, *name;
    } others[] = {
        {"baseline", "diff"},
        {"call-graph", "tree"},
        {"callbacks", "by=thread"},
        {"callees", "peek"},
        {"callers", "peek"},
        {"children", "sort=total"},
        {"compare", "diff"},
        {"cum", "sort=total"},
        {"exclude", "ignore"},
        {"export", "output"},
        {"filter", "focus"},
        {"find", "peek"},
        {"flamegraph", "output=FILE.svg"},
        {"functions", "by=function"},
        {"g", "tree"},
        {"graph", "tree"},
        {"http", "open"},
        {"lag", "ticks"},
        {"leak", "sort=heap"},
        {"manual", "help"},
        {"memory", "sort=heap"},
        {"mods", "by=mod"},
        {"names", "lua-root"},
        {"percent-limit", "min-pct"},
        {"report", "top"},
        {"source", "list"},
        {"sources", "lua-root"},
        {"spikes", "ticks"},
        {"stdio", "top"},
        {"time", "from=1:00 --to=2:00"},
        {"units", "by=file --focus=units/"},
        {"until", "to"},
        {"who", "peek"},
        {"worst", "ticks"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (span_is(name, others[i].word))
            return others[i].name;
    return NULL;
}

/* Appends the option that takes this word as its value, as in "by=mod", or that writes this format,
 * as in "output=FILE.csv"; nothing if none does. */
static void put_option_of_value(struct text *text, struct span name)
{
    struct option_word word;
    for (size_t i = 0; i < option_row_count && text->length == 0; i++) {
        const struct option_row *row = &option_rows[i];
        bool is_list = (row->is & IS_WORD_LIST) != 0, is_format = (row->is & WORDS_BELOW) != 0;
        for (size_t k = 0; !is_list && option_word_at(row, k, &word); k++) {
            if (!span_is(name, word.word) || text->length > 0)
                continue;
            if (is_format)
                text_printf(text, "output=FILE%s", formats[word.value]->suffixes[0]);
            else
                text_printf(text, "%s=%s", row->name, word.word);
        }
    }
}

/* Appends what may have been meant, without the dashes; nothing if there is no guess. */
static void put_guess(struct text *text, struct span name)
{
    const char *other = find_other(name), *nearest = find_nearest(name);
    if (other == NULL)
        put_option_of_value(text, name);
    if (text->length == 0 && (other != NULL || nearest != NULL))
        text_put_string(text, other != NULL ? other : nearest);
}

/* Appends the options with this beginning; returns their number. */
static size_t put_longer(struct text *text, struct span name)
{
    size_t count = 0;
    for (size_t i = 0; i < option_row_count; i++)
        if (strncmp(option_rows[i].name, name.at, name.length) == 0)
            text_printf(text, "%s%s", count++ > 0 ? ", --" : "--", option_rows[i].name);
    return count;
}

/*
 * Sets `path` to the longest path that exists and consists of `first` and words after it, with
 * blanks between them. Returns whether there is one.
 */
static bool join_words(struct text *path, const char *first, char *const *words)
{
    enum { WORDS_MAX = 8 };
    struct file_status status;
    size_t length = 0;
    text_cut(path, 0);
    text_put_string(path, first);
    for (size_t i = 0; i < WORDS_MAX && words[i] != NULL && words[i][0] != '-'; i++) {
        text_printf(path, " %s", words[i]);
        if (file_status(&status, path->at))
            length = path->length;
    }
    text_cut(path, length);
    return length > 0;
}

/* The value in a word such as "--diff=old.log", or the word. */
static const char *value_of(const char *word)
{
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    return equals != NULL ? equals + 1 : word;
}

/* Sets `joined` to a path with blanks that `path` is a part of. Returns whether there is one. */
static bool find_joined(struct text *joined, const char *path, char *const *words)
{
    for (size_t i = 1; words[0] != NULL && words[i] != NULL; i++) {
        /* New logs are read first: it may be the rest of an old one's path. */
        const char *before = words[i - 1];
        bool is_part = i > 1 && (before[0] != '-' || strncmp(before, "--diff=", 7) == 0);
        if (strcmp(value_of(words[i]), path) == 0 &&
            (join_words(joined, path, words + i + 1) ||
             (is_part && join_words(joined, value_of(before), words + i))))
            return true;
    }
    return false;
}

/* Whether a word stands where the value of --tree would, which needs a '='. */
static bool is_after_tree(const char *path, char *const *words)
{
    for (size_t i = 1; words[0] != NULL && words[i] != NULL; i++)
        if (strcmp(words[i], path) == 0 && strcmp(words[i - 1], "--tree") == 0)
            return true;
    return false;
}

void unknown_option_suggest(struct error *err, const char *path, char *const *words)
{
    struct file_status status;
    SCOPED(text) joined = {0};
    struct error before = *err;
    const char *name = path + (path[0] == '/'), *other = find_other(span_of(name));
    if (option_row_find(span_of(name)) != NULL)
        other = name;
    if (find_joined(&joined, path, words))
        error_set_code(err,
                       before.code,
                       "%s; put a path with spaces in quotes: \"%s\"",
                       before.text,
                       joined.at);
    else if (other != NULL && !file_status(&status, path))
        error_set_code(err, before.code, "%s; did you mean '--%s'?", before.text, other);
    else if (is_after_tree(path, words))
        error_set_code(
            err, before.code, "%s; a pattern for --tree is written --tree='%s'", before.text, path);
    else if (wildcard_is(path) && before.code != NULL)
        error_set_code(err, before.code, "%s: no file has a name that fits it", before.text);
    else if (strcmp(name, "record") == 0)
        error_set_code(err,
                       before.code,
                       "%s; the mod records, in the game: see supprof-recorder(7)",
                       before.text);
}

bool unknown_option_refuse(const char *word, struct error *err)
{
    size_t dashes = strspn(word, "-");
    struct span name = {word + dashes, strcspn(word + dashes, "=")};
    int shown = (int)(dashes + name.length);
    SCOPED(text) longer = {0}, guess = {0};
    /* With two dashes it would be an option. */
    bool is_name = option_row_find(name) != NULL;
    if (is_name)
        text_put_span(&guess, name);
    else
        put_guess(&guess, name);
    if (put_longer(&longer, name) > 1 && !is_name && dashes > 1)
        error_set(err, "ambiguous option '%.*s' (%s)", shown, word, longer.at);
    else if (guess.length > 0)
        error_set(err, "unknown option '%.*s'; did you mean '--%s'?", shown, word, guess.at);
    else if (span_is(name, "i") || span_is(name, "input"))
        error_set(err, "unknown option '%.*s'; name the log without an option", shown, word);
    else
        error_set(err, "unknown option '%.*s'", shown, word);
    return false;
}
