#include "cli/completions.h"

#include "cli/option_rows.h"

#include <string.h>

/* Appends all strings up to NULL. */
static void put_all(struct text *text, const char *const *strings)
{
    for (size_t i = 0; strings[i] != NULL; i++)
        text_put_string(text, strings[i]);
}

#define PUT(text, ...) put_all(text, (const char *const[]){__VA_ARGS__, NULL})

/* Whether the user types the word literally: IN,OUT stands for a value. */
static bool is_typed(const struct option_word *word)
{
    return word->word[0] < 'A' || word->word[0] > 'Z';
}

/* ------------------------------------------------------------------------ bash */

void completions_put_bash_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        bool needs_value = row->argument != NULL && row->argument[0] != '[';
        if (row->letter != '\0') {
            text_put_string(text, i > 0 ? " -" : "-");
            text_put(text, &row->letter, 1);
        }
        PUT(text, text->length > 0 ? " --" : "--", row->name, needs_value ? "=" : "");
    }
}

static void put_bash_value(struct text *text, const struct option_row *row)
{
    struct option_word word;
    PUT(text, "    --", row->name, ")");
    if (row->words != NULL) {
        PUT(text, row->takes_list ? " kind=\"list\"" : " kind=\"words\"", " words=\"");
        for (size_t i = 0; option_words_at(row->words, i, &word); i++)
            if (is_typed(&word))
                PUT(text, i > 0 ? " " : "", word.word);
        text_put_string(text, "\"");
    } else {
        PUT(text, row->takes == TAKES_FILE        ? " kind=\"file\""
                  : row->takes == TAKES_DIRECTORY ? " kind=\"directory\""
                                                  : " kind=\"text\"");
    }
    text_put_string(text, " ;;\n");
}

void completions_put_bash_values(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (option_rows[i].argument != NULL)
            put_bash_value(text, &option_rows[i]);
}

static void put_letters(struct text *text, bool with_value)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (option_rows[i].letter != '\0' && (option_rows[i].argument != NULL) == with_value)
            text_put(text, &option_rows[i].letter, 1);
}

void completions_put_bash_flags(struct text *text)
{
    put_letters(text, false);
}

void completions_put_bash_letters(struct text *text)
{
    put_letters(text, true);
}

void completions_put_bash_names(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->letter == '\0' || row->argument == NULL)
            continue;
        text_put_string(text, "    *");
        text_put(text, &row->letter, 1);
        PUT(text, ") echo --", row->name, " ;;\n");
    }
}

/* ------------------------------------------------------------------------- zsh */

/* Appends the first clause, escaped for zsh between single quotes. */
static void put_zsh_text(struct text *text, const char *string, const char *special)
{
    for (const char *at = string; *at != '\0' && strncmp(at, "; ", 2) != 0; at++) {
        if (*at == '\'') {
            text_put_string(text, "'\\''");
            continue;
        }
        if (strchr(special, *at) != NULL)
            text_put_string(text, "\\");
        text_put(text, at, 1);
    }
}

/* Appends the name of the array with the words of an option. */
static void put_array_name(struct text *text, const struct option_row *row)
{
    for (const char *at = row->name; *at != '\0'; at++)
        text_put(text, *at == '-' ? "_" : at, 1);
    text_put_string(text, "_words");
}

static void put_zsh_array(struct text *text, const struct option_row *row)
{
    struct option_word word;
    text_put_string(text, "local -a ");
    put_array_name(text, row);
    text_put_string(text, "=(\n");
    for (size_t i = 0; option_words_at(row->words, i, &word); i++) {
        if (!is_typed(&word))
            continue;
        PUT(text, "    '", word.word, row->takes_list ? "[" : ":");
        put_zsh_text(text, word.text, row->takes_list ? "[]:" : ":");
        PUT(text, row->takes_list ? "]'\n" : "'\n");
    }
    text_put_string(text, ")\n");
}

void completions_put_zsh_words(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (option_rows[i].words != NULL)
            put_zsh_array(text, &option_rows[i]);
}

/* Appends ":NAME:ACTION", where NAME is the name of the value. */
static void put_zsh_value(struct text *text, const struct option_row *row)
{
    bool is_optional = row->argument[0] == '[';
    text_put_string(text, is_optional ? "::" : ":");
    text_put(text, row->argument + is_optional, strcspn(row->argument + is_optional, "]"));
    text_put_string(text, ":");
    if (row->words != NULL) {
        PUT(text, row->takes_list ? "_values -s , " : "((", row->takes_list ? row->name : "",
            row->takes_list ? " $" : "$");
        put_array_name(text, row);
        text_put_string(text, row->takes_list ? "" : "))");
    } else {
        text_put_string(text, row->takes == TAKES_FILE        ? "_files"
                              : row->takes == TAKES_DIRECTORY ? "_files -/"
                                                              : " ");
    }
}

void completions_put_zsh_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        const char *value = row->argument == NULL ? "" : row->argument[0] == '[' ? "=-" : "=";
        const char letter[] = {row->letter, '\0'};
        text_put_string(text, "    ");
        if (row->is_repeated)
            text_put_string(text, row->letter != '\0' ? "'*'" : "'*");
        else if (row->letter != '\0')
            PUT(text, "'(-", letter, " --", row->name, ")'");
        if (row->letter != '\0')
            PUT(text, "{-", letter, row->argument != NULL ? "+" : "", ",--", row->name, value,
                "}'[");
        else
            PUT(text, row->is_repeated ? "--" : "'--", row->name, value, "[");
        put_zsh_text(text, row->help, "[]:");
        text_put_string(text, "]");
        if (row->argument != NULL)
            put_zsh_value(text, row);
        text_put_string(text, "' \\\n");
    }
}
