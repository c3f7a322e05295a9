/*
 * supprof-documents TEMPLATE: prints a document of supprof, and replaces each @NAME@ by text
 * made from the tables of options and formats. The build runs it; it is not installed.
 */
#include "base/json_writer.h"
#include "cli/manual/completions.h"
#include "cli/manual/man_page.h"
#include "report/files/json/json_schema.h"
#include "report/formats.h"

#include <stdio.h>

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
        json_end(&json);
    }
    json_end(&json);
    text_put_span(text, text_span(&json.text));
    text_release(&json.text);
}

static const struct part {
    const char *name;
    void (*put)(struct text *text);
} parts[] = {
    {"@options@\n", man_page_put_options},
    {"@list-options@\n", man_page_put_list_options},
    {"@formats@\n", man_page_put_formats},
    {"@format-names@\n", man_page_put_format_names},
    {"@bash-options@\n", completions_put_bash_options},
    {"@zsh-words@\n", completions_put_zsh_words},
    {"@zsh-options@\n", completions_put_zsh_options},
    {"@page-formats@\n", put_page_formats},
    {"@column-members@", json_schema_put_members},
    {"@column-names@", json_schema_put_names},
};

static const struct part *find_part(const char *at)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strncmp(at, parts[i].name, strlen(parts[i].name)) == 0)
            return &parts[i];
    return NULL;
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
        const struct part *part = *at == '@' ? find_part(at) : NULL;
        if (part != NULL) {
            struct text made = {0};
            part->put(&made);
            text_put_span(document, text_span(&made));
            text_release(&made);
        } else {
            text_put(document, at, 1);
        }
        at += part != NULL ? strlen(part->name) : 1;
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
