/*
 * option_words.h - the words that options take as values, and their meanings.
 */
#pragma once

#include "base/text.h"

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

/* Sets the value of a word. Returns false if it is none of the list. */
bool option_words_find(const struct option_words *words, const char *wanted, int *value);
