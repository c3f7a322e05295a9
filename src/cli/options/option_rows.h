/*
 * option_rows.h - the table of options: parsing, --help, the manual's items and the completions
 * of shells are all made from it.
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
    int value;         /* 0: what holds without the option; struct options is zero at first */
    const char *text;  /* its meaning: a clause, lower case, no full stop */
    const char *alias; /* an older word for the same, which no list names; NULL for none */
};

/*
 * What an option is: its names and texts, and what it does when it is given.
 */

/* What completion offers if an option has no list of words. */
enum option_takes { TAKES_TEXT, TAKES_FILE, TAKES_DIRECTORY, TAKES_FUNCTION };

/* What an option is, beside its texts. */
enum option_traits {
    IS_USUAL = 1,        /* one of the few that -h shows */
    IS_LIST = 2,         /* all count, not only the last one */
    IS_WORD_LIST = 4,    /* its value is words, with commas between them */
    WORDS_BELOW = 8,     /* --help has a list of its words elsewhere */
    CAN_FOLLOW = 16,     /* makes sense for a log that still grows */
    CAN_BE_DEFAULT = 32, /* chooses only names and looks: see command_line.h */
    IS_RARE = 64,        /* only the manual and completions have it */
    NAMES_FORMATS = 128, /* --help says with which formats it works */
};

/* An option of the command line. */
struct given_option {
    struct options *options; /* to be set */
    const struct option_row *row;
    const char *value; /* NULL for none */
    struct error *err;
};

/* Reads the value. Fails with a message that names the option. */
typedef bool option_read(const struct given_option *given);

struct option_row {
    const char *name, *flag; /* "from" and "--from" */
    char letter;             /* '\0' for none */
    const char *argument;    /* NULL for none; "[X]" is optional */
    unsigned is;             /* or of enum option_traits */

    /*
     * For --help and completions: clauses, lower case, no full stop. Words are added to it, and
     * in completions only the first clause is shown.
     */
    const char *help;
    const char *heading; /* of the group of options that begins here; NULL in a group */
    enum option_takes takes;
    const char *similar; /* for errors: "; --x does y" of an option with a similar name; or NULL */

    /* The formats on which it has an effect: or of enum report_use; 0 for all formats. */
    unsigned works_with;
    enum report_table asks_for; /* a kind of table that it wants; TABLE_FUNCTIONS: none */

    /* What it does to struct options, by offsets there: it sets a bool, and then calls read(). */
    size_t flag_offset; /* 0 for none */
    option_read *read;  /* or NULL */
    size_t offset;      /* of the value, for read() */
    int value;          /* for read(): tells options apart that it reads in the same way */

    /*
     * The words that it takes: an array that ends with a NULL word; or, for those of a table
     * elsewhere, a function that sets the word at an index and returns false at the end.
     */
    const struct option_word *words;
    bool (*word_at)(size_t index, struct option_word *word);
};

/* Sets the word at an index; false if there are no more, or none at all. */
bool option_word_at(const struct option_row *row, size_t index, struct option_word *word);

/* Appends the formats on which it has an effect: "top, csv and json". */
void option_formats_put(struct text *text, const struct option_row *row);

/* Appends all words with commas between them. */
void option_words_put(struct text *text, const struct option_row *row);

/* Whether a word is what holds without the option. */
bool option_word_is_default(const struct option_row *row, const struct option_word *word);

enum { DEFAULT_ROW_COUNT = 20, DEFAULT_TICK_COUNT = 10, DEFAULT_PAGE_BYTES = 10 * 1000 * 1000 };

/* Does what the row of an option says. Fails with a message that names the option. */
bool option_values_apply(const struct given_option *given);

extern const struct option_row option_rows[];
extern const size_t option_row_count; /* at most OPTION_ROWS_MAX */

/* The option with this name, or NULL. */
const struct option_row *option_row_find(struct span name);
