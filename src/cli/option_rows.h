/*
 * option_rows.h - the table of options: parsing, --help, the man page and the completions of
 * shells are all made from it.
 */
#ifndef SUPPROF_OPTION_ROWS_H
#define SUPPROF_OPTION_ROWS_H

#include "base/error.h"
#include "cli/option_words.h"
#include "cli/options.h"

#include <stdbool.h>
#include <stddef.h>

/* What completion offers if an option has no list of words. */
enum option_takes { TAKES_TEXT, TAKES_FILE, TAKES_DIRECTORY };

/*
 * An option calls apply(); or it sets the enum at `offset` of struct options to one of `words`;
 * or, without both, it sets the bool at `offset`.
 */
struct option_row {
    char letter; /* '\0' for none */
    const char *name;
    const char *argument; /* NULL for none; "[X]" is optional */

    /*
     * For --help and completions: clauses, lower case, no full stop. Words are added to it, and
     * in completions only the first clause is shown.
     */
    const char *help;
    const char *manual; /* for the man page: see cli/markup.h; words are added to it */

    const struct option_words *words; /* or NULL */
    const char *default_word;         /* or NULL */
    bool takes_list;                  /* words, with commas between them */
    bool is_repeated;                 /* all count, not only the last one */
    enum option_takes takes;

    /* The formats on which it has an effect: or of enum report_use; 0 for all formats. */
    unsigned works_with;

    bool (*apply)(struct options *options, const char *argument, struct error *err);
    size_t offset;
};

enum { OPTION_ROWS_MAX = 64 };

extern const struct option_row option_rows[];
extern const size_t option_row_count; /* at most OPTION_ROWS_MAX */

#endif
