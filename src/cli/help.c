#include "cli/help.h"

#include "base/text.h"
#include "cli/option_rows.h"

#include <string.h>

enum { HELP_COLUMN = 26, FORMAT_COLUMN = 14, WIDTH = 80 };

static void put_blanks(FILE *out, size_t count)
{
    fprintf(out, "%*s", (int)count, "");
}

/* Prints words from this column on, in as many lines as they need. */
static void print_wrapped(FILE *out, struct span words, size_t column)
{
    const char *at = words.at;
    const char *end = words.at + words.length;
    size_t used = 0;
    while (at < end) {
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        size_t length = blank != NULL ? (size_t)(blank - at) : (size_t)(end - at);
        if (used > 0 && column + used + 1 + length > WIDTH) {
            fputs("\n", out);
            put_blanks(out, column);
            used = 0;
        }
        fprintf(out, "%s%.*s", used > 0 ? " " : "", (int)length, at);
        used += (used > 0) + length;
        at += length + (blank != NULL);
    }
    fputs("\n", out);
}

/* "of the row: function (default), file, mod" */
static void put_words(struct text *text, const struct option_row *row)
{
    struct option_word word;
    for (size_t i = 0; option_words_at(row->words, i, &word); i++) {
        text_printf(text, "%s%s", i == 0 ? ": " : ", ", word.word);
        if (row->default_word != NULL && strcmp(row->default_word, word.word) == 0)
            text_put_string(text, " (default)");
    }
}

static void print_row(FILE *out, const struct option_row *row)
{
    struct text start = {0}, help = {0};
    char letter[8] = "    ";
    if (row->letter != '\0')
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    const char *argument = row->argument != NULL ? row->argument : "";
    bool is_optional = argument[0] == '[';
    const char *equals = is_optional ? "[=" : argument[0] != '\0' ? "=" : "";
    text_printf(&start, "  %s--%s%s%s  ", letter, row->name, equals, argument + is_optional);
    fwrite(start.at, 1, start.length, out);
    if (start.length > HELP_COLUMN) {
        fputs("\n", out);
        start.length = 0;
    }
    put_blanks(out, HELP_COLUMN - start.length);
    text_put_string(&help, row->help);
    /* Formats have a list of their own. */
    if (row->words != NULL && row->words != &words_of_format)
        put_words(&help, row);
    print_wrapped(out, text_span(&help), HELP_COLUMN);
    text_release(&start);
    text_release(&help);
}

static void print_format(FILE *out, const struct report_format *format)
{
    struct text text = {0};
    text_printf(&text, "%s (", format->summary);
    report_put_suffixes(&text, format, " ");
    text_put_string(&text, ")");
    fprintf(out, "  %-*s", FORMAT_COLUMN - 2, format->name);
    print_wrapped(out, text_span(&text), FORMAT_COLUMN);
    text_release(&text);
}

void help_print(FILE *out)
{
    fputs("Usage: supprof [OPTION]... [LOG]...\n"
          "Show where the time goes in the Lua of Supreme Commander: Forged Alliance.\n"
          "\n"
          "  supprof loud.log                      what matters, on one screen\n"
          "  supprof --ticks loud.log              which ticks were slow, and why\n"
          "  supprof --tick 912 loud.log           what one of them did\n"
          "  supprof --peek OnDamage loud.log      who calls a function, and what it calls\n"
          "  supprof --by mod loud.log             what each mod costs\n"
          "  supprof --diff old.log new.log        did my change help?\n"
          "  supprof loud.log -o report.html       everything, on a page for the browser\n"
          "  supprof loud.log -o functions.csv     for a spreadsheet\n"
          "\n"
          "LOG is a game log with profiler lines, gzipped or not; several are added up.\n"
          "Without LOG, or where it is -, standard input is read.\n"
          "\n",
          out);
    for (size_t i = 0; i < option_row_count; i++)
        print_row(out, &option_rows[i]);
    fputs("\nFormats:\n", out);
    for (size_t i = 0; report_formats[i] != NULL; i++)
        print_format(out, report_formats[i]);
    fputs("\n"
          "Exit status: 0 done; 1 input or output failed; 2 wrong usage; 3 the log has no\n"
          "profiler lines, or --strict found damage; 4 a limit of --fail-if is broken.\n"
          "The manual is supprof(1).\n",
          out);
}
