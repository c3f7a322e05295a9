#include "cli/manual/man_page.h"

#include "cli/manual/markup.h"
#include "cli/options/option_rows.h"
#include "report/figures/report_format.h"
#include "report/formats.h"

static void put_mark(struct text *text, const char *before, const char *mark)
{
    text_put_string(text, before);
    markup_put_mark(text, span_of(mark));
}

/* Appends a clause as a sentence: "a function" becomes "A function.". */
static void put_sentence(struct text *text, const char *clause, const char *end)
{
    struct text sentence = {0};
    text_put_string(&sentence, clause);
    if (sentence.length > 0 && sentence.at[0] >= 'a' && sentence.at[0] <= 'z')
        sentence.at[0] = (char)(sentence.at[0] - 'a' + 'A');
    text_put_string(&sentence, end);
    markup_put_mdoc(text, sentence.at);
    text_release(&sentence);
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
        put_mark(text, ".It ", word.word);
        text_put_string(text, "\n");
        put_sentence(text, word.text, is_default ? " (the default)." : ".");
    }
    text_put_string(text, ".El\n");
}

/* Appends ".It Fl o Ar FILE , Fl -output Ns = Ns Ar FILE". */
static void put_item(struct text *text, const struct option_row *row)
{
    const char *argument = row->argument != NULL ? row->argument : "";
    bool is_optional = argument[0] == '[';
    text_put_string(text, ".It ");
    bool has_argument = argument[0] != '\0';
    if (row->letter != '\0')
        text_printf(text, "Fl %c%s%s , ", row->letter, has_argument ? " Ar " : "", argument);
    const char *equals = is_optional ? " Ns Op = Ns Ar " : has_argument ? " Ns = Ns Ar " : "";
    text_printf(text, "Fl -%s%s", row->name, equals);
    text_put(text, argument + is_optional, strcspn(argument + is_optional, "]"));
    text_put_string(text, "\n");
}

void man_page_put_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->heading != NULL)
            text_printf(text, "%s.Ss %s\n.Bl -tag -width Ds\n", i > 0 ? ".El\n" : "", row->heading);
        put_item(text, row);
        markup_put_mdoc(text, row->manual);
        /* Formats have a section of their own. */
        if (row->words != NULL && row->words != &words_of_format)
            put_words(text, row);
    }
    text_put_string(text, ".El\n");
}

void man_page_put_list_options(struct text *text)
{
    for (size_t i = 0; i < option_row_count; i++)
        if (option_rows[i].is_list)
            text_printf(text, "%s.Fl -%s", text->length > 0 ? " ,\n" : "", option_rows[i].name);
    text_put_string(text, " .\n");
}

/* Appends ".It Cm folded Pq Pa .folded , .txt". */
static void put_format_item(struct text *text, const struct report_format *format)
{
    put_mark(text, ".It ", format->name);
    text_put_string(text, " Pq Pa ");
    format_put_suffixes(text, format, " , ");
    text_put_string(text, "\n");
}

void man_page_put_format_names(struct text *text)
{
    for (size_t i = 0; formats[i] != NULL; i++) {
        put_format_item(text, formats[i]);
        put_sentence(text, formats[i]->summary, ".");
    }
}

void man_page_put_formats(struct text *text)
{
    for (size_t i = 0; formats[i] != NULL; i++) {
        put_format_item(text, formats[i]);
        markup_put_mdoc(text, formats[i]->manual);
    }
}
