#include "cli/manual/completions.h"

#include "cli/options/option_rows.h"

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

/* Appends "-f --format= words top ticks ...", or ". --open". */
void completions_put_bash_options(struct text *text)
{
    static const char *const kinds[] = {[TAKES_TEXT] = " words",
                                        [TAKES_FILE] = " file",
                                        [TAKES_DIRECTORY] = " directory",
                                        [TAKES_FUNCTION] = " function"};
    struct option_word word;
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        const char letter[] = {row->letter, '\0'};
        bool needs_value = row->argument != NULL && row->argument[0] != '[';
        PUT(text, row->letter != '\0' ? "-" : ".", letter, " ", row->flag, needs_value ? "=" : "");
        if (row->argument != NULL)
            text_put_string(text, row->takes_list ? " list" : kinds[row->takes]);
        for (size_t k = 0; row->words != NULL && option_words_at(row->words, k, &word); k++)
            if (is_typed(&word))
                PUT(text, " ", word.word);
        text_put_string(text, "\n");
    }
}

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
    static const char *const actions[] = {[TAKES_TEXT] = " ",
                                          [TAKES_FILE] = "_files",
                                          [TAKES_DIRECTORY] = "_files -/",
                                          [TAKES_FUNCTION] = "_supprof_functions"};
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
        text_put_string(text, actions[row->takes]);
    }
}

void completions_put_zsh_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        const char *value = row->argument == NULL ? "" : row->argument[0] == '[' ? "=-" : "=";
        const char letter[] = {row->letter, '\0'};
        text_put_string(text, "    ");
        if (row->is_list)
            text_put_string(text, row->letter != '\0' ? "'*'" : "'*");
        else if (row->letter != '\0')
            PUT(text, "'(-", letter, " ", row->flag, ")'");
        if (row->letter != '\0')
            PUT(text, "{-", letter, row->argument != NULL ? "+" : "", ",--", row->name, value,
                "}'[");
        else
            PUT(text, row->is_list ? "--" : "'--", row->name, value, "[");
        put_zsh_text(text, row->help, "[]:");
        text_put_string(text, "]");
        if (row->argument != NULL)
            put_zsh_value(text, row);
        text_put_string(text, "' \\\n");
    }
}
