/*
 * supprof-documents TEMPLATE: prints a document of supprof, and replaces each @NAME@ by text
 * made from the tables of options and formats, "@option OPTION@" by the item of an option in the
 * manual, "@words OPTION@" by the words that it takes, and "@members TABLE@" and "@names TABLE@" by
 * what the schema says of a table's columns. The build runs it; it is not installed.
 */
#include "base/json.h"
#include "base/text.h"
#include "cli/options/option_rows.h"
#include "report/figures/formats.h"
#include "report/files/json/json.h"
#include "report/sentences/wrap.h"

#include <stdio.h>

/*
 * The parts of the completions for bash and zsh that are made from tables.
 */

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

/* For bash: a line for each option, as supprof.bash.in describes it. */
/* Appends "-f --format= words top ticks ...", or ". --open". */
static void put_bash_options(struct text *text)
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
            text_put_string(text, (row->is & IS_WORD_LIST) != 0 ? " list" : kinds[row->takes]);
        for (size_t k = 0; option_word_at(row, k, &word); k++)
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
    bool is_list = (row->is & IS_WORD_LIST) != 0;
    text_put_string(text, "local -a ");
    put_array_name(text, row);
    text_put_string(text, "=(\n");
    for (size_t i = 0; option_word_at(row, i, &word); i++) {
        if (!is_typed(&word))
            continue;
        PUT(text, "    '", word.word, is_list ? "[" : ":");
        put_zsh_text(text, word.text, is_list ? "[]:" : ":");
        PUT(text, is_list ? "]'\n" : "'\n");
    }
    text_put_string(text, ")\n");
}

/* For zsh: arrays of words with their meanings, and the options in the form for _arguments. */
static void put_zsh_words(struct text *text)
{
    struct option_word word;
    for (size_t i = 0; i < option_row_count; i++)
        if (option_word_at(&option_rows[i], 0, &word))
            put_zsh_array(text, &option_rows[i]);
}

/* Appends ":NAME:ACTION", where NAME is the name of the value. */
static void put_zsh_value(struct text *text, const struct option_row *row)
{
    static const char *const actions[] = {[TAKES_TEXT] = " ",
                                          [TAKES_FILE] = "_files",
                                          [TAKES_DIRECTORY] = "_files -/",
                                          [TAKES_FUNCTION] = "_supprof_functions"};
    bool is_optional = row->argument[0] == '[', is_list = (row->is & IS_WORD_LIST) != 0;
    struct option_word word;
    text_put_string(text, is_optional ? "::" : ":");
    text_put(text, row->argument + is_optional, strcspn(row->argument + is_optional, "]"));
    text_put_string(text, ":");
    if (!option_word_at(row, 0, &word)) {
        text_put_string(text, actions[row->takes]);
    } else if (is_list) {
        PUT(text, "_values -s , ", row->name, " $");
        put_array_name(text, row);
    } else {
        text_put_string(text, "(($");
        put_array_name(text, row);
        text_put_string(text, "))");
    }
}

static void put_zsh_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        const char *value = row->argument == NULL ? "" : row->argument[0] == '[' ? "=-" : "=";
        const char letter[] = {row->letter, '\0'};
        text_put_string(text, "    ");
        if ((row->is & IS_LIST) != 0)
            text_put_string(text, row->letter != '\0' ? "'*'" : "'*");
        else if (row->letter != '\0')
            PUT(text, "'(-", letter, " ", row->flag, ")'");
        if (row->letter != '\0')
            PUT(text,
                "{-",
                letter,
                row->argument != NULL ? "+" : "",
                ",--",
                row->name,
                value,
                "}'[");
        else
            PUT(text, (row->is & IS_LIST) != 0 ? "--" : "'--", row->name, value, "[");
        put_zsh_text(text, row->help, "[]:");
        text_put_string(text, "]");
        if (row->argument != NULL)
            put_zsh_value(text, row);
        text_put_string(text, "' \\\n");
    }
}

/* Appends an item of a list of words: what one of them means, as a sentence. */
static void put_item(struct text *text, const char *word, const char *after, const char *meaning,
                     const char *end)
{
    enum { WIDTH = 78 };
    struct text sentence = {0};
    text_put_string(text, ".It Cm ");
    for (const char *at = word; *at != '\0'; at++)
        text_printf(text, *at == '-' ? "\\%c" : "%c", *at);
    text_printf(text, "%s\n", after);
    text_printf(&sentence, "%s%s", meaning, end);
    if (sentence.at[0] >= 'a' && sentence.at[0] <= 'z')
        sentence.at[0] = (char)(sentence.at[0] - 'a' + 'A');
    wrap_put_line(text, WIDTH, 0, &sentence);
}

/* Appends the list of words that an option takes. */
static void put_words(struct text *text, const struct option_row *row)
{
    struct option_word word;
    const char *longest = "";
    for (size_t i = 0; option_word_at(row, i, &word); i++)
        if (strlen(word.word) > strlen(longest))
            longest = word.word;
    text_printf(text, ".Bl -tag -width %s\n", longest);
    for (size_t i = 0; option_word_at(row, i, &word); i++) {
        put_item(text,
                 word.word,
                 "",
                 word.text,
                 option_word_is_default(row, &word) ? " (the default)." : ".");
    }
    text_put_string(text, ".El\n");
}

/* Appends ".It Fl n Ar N , Fl -top Ns = Ns Ar N". */
static void put_option(struct text *text, const struct option_row *row)
{
    const char *argument = row->argument;
    bool is_optional = argument != NULL && argument[0] == '[';
    text_put_string(text, ".It ");
    if (row->letter != '\0')
        text_printf(text,
                    "Fl %c%s%s , ",
                    row->letter,
                    argument != NULL ? " Ar " : "",
                    argument != NULL ? argument : "");
    text_printf(text, "Fl -%s", row->name);
    if (is_optional)
        text_printf(text, " Ns Op = Ns Ar %.*s", (int)strcspn(argument + 1, "]"), argument + 1);
    else if (argument != NULL)
        text_printf(text, " Ns = Ns Ar %s", argument);
    text_put_string(text, "\n");
}

static void put_list_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++)
        if ((option_rows[i].is & IS_LIST) != 0)
            text_printf(text, "%s.Fl -%s", text->length > 0 ? " ,\n" : "", option_rows[i].name);
    text_put_string(text, " .\n");
}

static void put_format_names(struct text *text)
{
    for (size_t i = 0; formats[i] != NULL && !formats[i]->is_old; i++) {
        SCOPED(text) suffixes = {0};
        text_put_string(&suffixes, " Pq Pa ");
        format_put_suffixes(&suffixes, formats[i], " , ");
        put_item(text, formats[i]->name, suffixes.at, formats[i]->summary, ".");
    }
}

/* What supprof.html needs to know of formats: see web/page_request.js. */
static void put_page_formats(struct text *text)
{
    struct json_writer json = {0};
    json_array(&json, NULL);
    for (size_t i = 0; formats[i] != NULL; i++) {
        unsigned uses = tables_shown(formats[i], 0).uses;
        /* A report has cards of its ticks itself. */
        if ((uses & NEEDS_TICK) != 0)
            continue;
        JSON_OBJECT(&json, NULL);
        json_string(&json, "name", formats[i]->name);
        json_string(&json, "suffix", formats[i]->suffixes[0]);
        json_string(&json, "summary", formats[i]->summary);
        json_bool(&json, "compares", (uses & SHOWS_COMPARISON) != 0);
        json_bool(&json, "repeats", (uses & SHOWS_REPEATED) != 0);
    }
    json_end(&json);
    text_put_span(text, text_span(&json.text));
    text_release(&json.text);
}

static const struct {
    const char *name;
    void (*put)(struct text *text);
} parts[] = {
    {"@list-options@\n", put_list_options},
    {"@format-names@\n", put_format_names},
    {"@bash-options@\n", put_bash_options},
    {"@zsh-words@\n", put_zsh_words},
    {"@zsh-options@\n", put_zsh_options},
    {"@page-formats@\n", put_page_formats},
};

/* The same for a part with the name of an option or a table. */
static size_t put_named_part(struct text *made, struct span rest)
{
    const char *start = rest.at;
    struct span kind = span_take(&rest, ' '), name = span_take(&rest, '@');
    const struct option_row *row = option_row_find(name);
    size_t length = (size_t)(rest.at - start);
    bool are_members = span_is(kind, "@members");
    if (are_members || span_is(kind, "@names"))
        return json_schema_put(made, name, are_members) ? length : 0;
    if (row == NULL)
        return 0;
    if (span_is(kind, "@words"))
        put_words(made, row);
    else
        put_option(made, row);
    return length + strlen("\n");
}

/* Appends the part that stands for a name, and returns the length of that; 0 if it is none. */
static size_t put_part(struct text *document, const char *at)
{
    size_t length = 0;
    SCOPED(text) made = {0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!span_starts_with(span_of(at), parts[i].name))
            continue;
        length = strlen(parts[i].name);
        parts[i].put(&made);
    }
    if (length == 0)
        length = put_named_part(&made, span_of(at));
    text_put_span(document, text_span(&made));
    return length;
}

static bool read_all(FILE *in, struct text *text)
{
    char bytes[4096];
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, in)) > 0;)
        text_put(text, bytes, length);
    return ferror(in) == 0;
}

static void put_document(struct text *document, const struct text *template)
{
    for (const char *at = text_string(template); *at != '\0';) {
        size_t length = *at == '@' ? put_part(document, at) : 0;
        if (length == 0)
            text_put(document, at, 1);
        at += length > 0 ? length : 1;
    }
}

int main(int argc, char **argv)
{
    SCOPED(text) template = {0}, document = {0};
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    bool is_done = in != NULL && read_all(in, &template);
    if (is_done) {
        put_document(&document, &template);
        is_done = fwrite(document.at, 1, document.length, stdout) == document.length &&
                  fflush(stdout) == 0;
    }
    if (!is_done)
        fputs("supprof-documents: cannot read the template, or cannot write\n", stderr);
    if (in != NULL)
        fclose(in);
    return is_done ? 0 : 1;
}
