/*
 * option_row.h - what an option is: its names and texts, and what it does when it is given.
 */
#pragma once

#include "base/error.h"
#include "cli/options/option_words.h"
#include "cli/options/options.h"

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
    bool may_be_default;              /* chooses only names and looks: see steps.h */
    enum option_takes takes;

    /* The formats on which it has an effect: or of enum report_use; 0 for all formats. */
    unsigned works_with;

    option_apply *apply;
    size_t offset;
    int value; /* for apply(): tells options apart that it reads in the same way */
};
