/*
 * option_rows.h - the table of options: parsing, --help and the completions of
 * shells are all made from it.
 */
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "cli/options/options.h"

/*
 * The words that options take as values, and their meanings.
 */

struct option_word {
    const char *word;
    int value;
    const char *text;  /* its meaning: a clause, lower case, no full stop */
    const char *alias; /* an older word for the same, which no list names; NULL for none */
};

enum { OPTION_WORDS_MAX = 7 };

/*
 * Some lists are made from tables of other folders. So a list is an array that ends with a
 * NULL word, or a function that sets the word at an index and returns false at the end.
 */
struct option_words {
    struct option_word array[OPTION_WORDS_MAX + 1];
    bool (*at)(size_t index, struct option_word *word);
};

extern const struct option_words words_of_format, words_of_columns, words_of_by, words_of_sort,
    words_of_c_functions, words_of_state, words_of_thread, words_of_normalize, words_of_metric,
    words_of_orientation, words_of_unit, words_of_paths, words_of_overhead, words_of_when;

/* Sets the word at an index; false if there are no more. */
bool option_words_at(const struct option_words *words, size_t index, struct option_word *word);

/* Appends all words with `between` between them. */
void option_words_put(struct text *text, const struct option_words *words, const char *between);

/*
 * What an option is: its names and texts, and what it does when it is given.
 */

/* What completion offers if an option has no list of words. */
enum option_takes { TAKES_TEXT, TAKES_FILE, TAKES_DIRECTORY, TAKES_FUNCTION };

/* An option of the command line. */
struct given_option {
    struct options *options; /* to be set */
    const struct option_row *row;
    const char *value; /* NULL for none */
};

/* Sets members of the options. Fails with a message that names the option. */
typedef bool option_apply(const struct given_option *given, struct error *err);

/*
 * An option calls apply(); or it sets the enum at `offset` of struct options to one of `words`;
 * or, without both, it sets the bool at `offset`.
 */
struct option_row {
    const char *heading;     /* of the group of options that begins here; NULL in a group */
    bool is_usual;           /* one of the few that -h shows */
    char letter;             /* '\0' for none */
    const char *name, *flag; /* "from" and "--from" */
    const char *argument;    /* NULL for none; "[X]" is optional */

    /*
     * For --help and completions: clauses, lower case, no full stop. Words are added to it, and
     * in completions only the first clause is shown.
     */
    const char *help;

    const char *similar; /* what an option with nearly the same name does, for errors; or NULL */
    const struct option_words *words; /* or NULL */
    const char *default_word;         /* or NULL */
    bool takes_list;                  /* words, with commas between them */
    bool is_list;                     /* all count, not only the last one */
    bool works_with_follow;           /* makes sense for a log that still grows */
    bool may_be_default;              /* chooses only names and looks: see command_line.h */
    enum option_takes takes;

    /* The formats on which it has an effect: or of enum report_use; 0 for all formats. */
    unsigned works_with;

    option_apply *apply;
    size_t offset;
    int value; /* for apply(): tells options apart that it reads in the same way */
};

/*
 * Reads the values of options: words of a list, numbers, times, files, patterns.
 */

enum { DEFAULT_ROW_COUNT = 20, DEFAULT_TICK_COUNT = 10, DEFAULT_PAGE_BYTES = 10 * 1000 * 1000 };

/* Does what the row of an option says. Fails with a message that names the option. */
bool option_values_apply(const struct given_option *given, struct error *err);

option_apply apply_border, apply_columns, apply_diff, apply_fail_if, apply_filter, apply_format,
    apply_hide_file, apply_lua_root, apply_max_depth, apply_max_size, apply_min_pct, apply_output,
    apply_overhead, apply_pattern, apply_rows, apply_run, apply_tick, apply_ticks, apply_slow_over,
    apply_ticks_over, apply_top, apply_tree, apply_what_if;

enum { OPTION_ROWS_MAX = 64 };
extern const struct option_row option_rows[];
extern const size_t option_row_count; /* at most OPTION_ROWS_MAX */

/* The option with this name, or NULL. */
const struct option_row *option_row_find(struct span name);
