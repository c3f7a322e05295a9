/*
 * supprof-documents TEMPLATE: prints a document of supprof, and replaces each @NAME@ by text
 * made from the tables of options and formats. The build runs it; it is not installed.
 */
#include "base/text.h"
#include "cli/completions.h"
#include "cli/man_page.h"

#include <stdio.h>
#include <string.h>

static const struct part {
    const char *name;
    void (*put)(struct text *text);
} parts[] = {
    {"@options@\n", man_page_put_options},
    {"@repeated-options@\n", man_page_put_repeated_options},
    {"@formats@\n", man_page_put_formats},
    {"@bash-options@", completions_put_bash_options},
    {"@bash-values@\n", completions_put_bash_values},
    {"@bash-flags@", completions_put_bash_flags},
    {"@bash-letters@", completions_put_bash_letters},
    {"@bash-names@\n", completions_put_bash_names},
    {"@zsh-words@\n", completions_put_zsh_words},
    {"@zsh-options@\n", completions_put_zsh_options},
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
    text_put(text, "", 1);
    return ferror(in) == 0;
}

static void put_document(struct text *document, const struct text *template)
{
    for (const char *at = template->at; *at != '\0';) {
        const struct part *part = *at == '@' ? find_part(at) : NULL;
        if (part != NULL) {
            struct text made = {0};
            part->put(&made);
            text_put(document, made.at, made.length);
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
