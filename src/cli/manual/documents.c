/*
 * supprof-documents TEMPLATE: prints a document of supprof, and replaces each @NAME@ by text
 * made from the tables of options and formats, and "@words OPTION@" by the words that it takes. The
 * build runs it; it is not installed.
 */
#include "base/json_writer.h"
#include "cli/manual/completions.h"
#include "cli/options/option_rows.h"
#include "report/files/json/json_schema.h"
#include "report/formats.h"
#include "report/sentences/wrap.h"

#include <stdio.h>

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
    for (size_t i = 0; option_words_at(row->words, i, &word); i++)
        if (strlen(word.word) > strlen(longest))
            longest = word.word;
    text_printf(text, ".Bl -tag -width %s\n", longest);
    for (size_t i = 0; option_words_at(row->words, i, &word); i++) {
        bool is_default = row->default_word != NULL && strcmp(row->default_word, word.word) == 0;
        put_item(text, word.word, "", word.text, is_default ? " (the default)." : ".");
    }
    text_put_string(text, ".El\n");
}

static void put_list_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (option_rows[i].is_list)
            text_printf(text, "%s.Fl -%s", text->length > 0 ? " ,\n" : "", option_rows[i].name);
    text_put_string(text, " .\n");
}

static void put_format_names(struct text *text)
{
    for (size_t i = 0; formats[i] != NULL; i++) {
        struct text suffixes = {0};
        text_put_string(&suffixes, " Pq Pa ");
        format_put_suffixes(&suffixes, formats[i], " , ");
        put_item(text, formats[i]->name, suffixes.at, formats[i]->summary, ".");
        text_release(&suffixes);
    }
}

/* What supprof.html needs to know of formats: see web/page_request.js. */
static void put_page_formats(struct text *text)
{
    struct json_writer json = {0};
    json_array(&json, NULL);
    for (size_t i = 0; formats[i] != NULL; i++) {
        json_object(&json, NULL);
        json_string(&json, "name", formats[i]->name);
        json_string(&json, "suffix", formats[i]->suffixes[0]);
        json_string(&json, "summary", formats[i]->summary);
        json_bool(&json, "compares", (formats[i]->uses & SHOWS_COMPARISON) != 0);
        json_bool(&json, "repeats", (formats[i]->uses & SHOWS_REPEATED) != 0);
        json_end(&json);
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
    {"@bash-options@\n", completions_put_bash_options},
    {"@zsh-words@\n", completions_put_zsh_words},
    {"@zsh-options@\n", completions_put_zsh_options},
    {"@page-formats@\n", put_page_formats},
    {"@column-members@", json_schema_put_members},
    {"@column-names@", json_schema_put_names},
};

/* Appends the part that stands for a name, and returns the length of that; 0 if it is none. */
static size_t put_part(struct text *document, const char *at)
{
    static const char of_option[] = "@words ";
    struct span rest = span_of(at);
    size_t length = 0;
    struct text made = {0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!span_starts_with(rest, parts[i].name))
            continue;
        length = strlen(parts[i].name);
        parts[i].put(&made);
    }
    if (span_starts_with(rest, of_option)) {
        rest = span_from(rest, strlen(of_option));
        const struct option_row *row = option_row_find(span_take(&rest, '@'));
        length = row != NULL ? (size_t)(rest.at - at) + strlen("\n") : 0;
        if (row != NULL)
            put_words(&made, row);
    }
    text_put_span(document, text_span(&made));
    text_release(&made);
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
    struct text template = {0}, document = {0};
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
    text_release(&template);
    text_release(&document);
    return is_done ? 0 : 1;
}
