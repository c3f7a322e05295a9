#include "cli/manual/help.h"

#include "base/text.h"
#include "cli/options/option_rows.h"
#include "report/figures/formats.h"
#include "report/figures/report.h"
#include "report/sentences/wrap.h"

enum { HELP_COLUMN = 26, USUAL_COLUMN = 22, FORMAT_COLUMN = 14, WIDTH = 80 };

static const char usage[] =
    "Usage: supprof [OPTION]... [LOG]...\n"
    "Show where the time goes in the Lua of Supreme Commander: Forged Alliance.\n"
    "\n";

/* Prints the start of an item, and its text from this column on, in as many lines as it needs. */
static void print_item(FILE *out, struct text *start, struct text *item, size_t column)
{
    const struct wrap wrap = {.width = WIDTH, .start = column, .indent = column};
    SCOPED(text) lines = {0};
    wrap_put(&lines, &wrap, text_span(item));
    bool has_room = start->length <= column;
    while (!has_room && start->at[start->length - 1] == ' ')
        text_cut(start, start->length - 1);
    fprintf(
        out, "%s%s%s", start->at, has_room ? "" : "\n", lines.at + (has_room ? start->length : 0));
    text_release(start);
    text_release(item);
}

/* "of the row: function (default), file, mod" */
static void put_words(struct text *text, const struct option_row *row)
{
    struct option_word word;
    for (size_t i = 0; option_word_at(row, i, &word); i++) {
        text_printf(text, "%s%s", i == 0 ? ": " : ", ", word.word);
        if (option_word_is_default(row, &word))
            text_put_string(text, " (default)");
    }
}

/* Appends "  -n, --top=N  ". */
static void put_name(struct text *text, const struct option_row *row)
{
    char letter[8] = "    ";
    if (row->letter != '\0')
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    const char *argument = row->argument != NULL ? row->argument : "";
    bool is_optional = argument[0] == '[';
    const char *equals = is_optional ? "[=" : argument[0] != '\0' ? "=" : "";
    text_printf(text, "  %s%s%s%s  ", letter, row->flag, equals, argument + is_optional);
}

static void print_row(FILE *out, const struct option_row *row)
{
    struct text start = {0}, help = {0};
    put_name(&start, row);
    text_put_string(&help, row->help);
    if ((row->is & NAMES_FORMATS) != 0) {
        text_put_string(&help, "; in ");
        option_formats_put(&help, row);
    }
    /* Formats have a list of their own. */
    if ((row->is & WORDS_BELOW) == 0)
        put_words(&help, row);
    print_item(out, &start, &help, HELP_COLUMN);
}

static void print_format(FILE *out, const struct report_format *format)
{
    struct text start = {0}, text = {0};
    text_printf(&start, "  %-*s", FORMAT_COLUMN - 2, format->name);
    text_printf(&text, "%s (", format->summary);
    format_put_suffixes(&text, format, " ");
    text_put_string(&text, ")");
    print_item(out, &start, &text, FORMAT_COLUMN);
}

/* An option that people use, with the first clause of its text and its words if they have room. */
static void print_usual_row(FILE *out, const struct option_row *row)
{
    SCOPED(text) line = {0}, words = {0};
    const char *end = strstr(row->help, "; ");
    put_name(&line, row);
    text_put_blanks(&line, line.length < USUAL_COLUMN ? USUAL_COLUMN - line.length : 0);
    text_put(&line, row->help, end != NULL ? (size_t)(end - row->help) : strlen(row->help));
    option_words_put(&words, row);
    if (words.length > 0 && line.length + words.length + 2 <= WIDTH)
        text_printf(&line, ": %s", words.at);
    fprintf(out, "%s\n", line.at);
}

/* "Formats: top, ticks, ..." */
static void print_format_names(FILE *out)
{
    struct text names = {0};
    SCOPED(text) lines = {0};
    text_put_string(&names, "Formats: ");
    for (size_t i = 0; formats[i] != NULL && !formats[i]->is_old; i++)
        text_printf(&names, "%s%s", i > 0 ? ", " : "", formats[i]->name);
    wrap_put_line(&lines, WIDTH, 2, &names);
    fputs(lines.at, out);
}

void help_print_short(FILE *out)
{
    fputs(usage, out);
    fputs("  supprof loud.log                what matters, on one screen\n"
          "  supprof loud.log -o loud.html   everything, on a page for the browser\n"
          "\n",
          out);
    for (size_t i = 0; i < option_row_count; i++)
        if ((option_rows[i].is & IS_USUAL) != 0)
            print_usual_row(out, &option_rows[i]);
    print_format_names(out);
    fputs("Marks: ~ too short to tell or chance, ^ mostly long calls, ! wrong callers.\n"
          "supprof --help shows more options, the manual supprof(1) all.\n",
          out);
}

void help_print(FILE *out)
{
    fputs(usage, out);
    fputs("  supprof loud.log                      what matters, on one screen\n"
          "  supprof --ticks loud.log              which ticks were slow, and why\n"
          "  supprof --tick 912 loud.log           what one of them did\n"
          "  supprof --peek OnDamage loud.log      who calls a function, and what it calls\n"
          "  supprof --by mod loud.log             what each mod costs\n"
          "  supprof --diff old.log new.log        did my change help?\n"
          "  supprof loud.log -o report.html       everything, on a page for the browser\n"
          "  supprof loud.log -o functions.csv     for a spreadsheet\n"
          "\n"
          "LOG is a game log, gzipped or not; several are added up. Without a recording\n"
          "in it, the report is of the game alone: speed, heap, errors, how it ended.\n"
          "Without LOG, or where it is -, standard input is read.\n",
          out);
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_rows[i].heading != NULL)
            fprintf(out, "\n%s:\n", option_rows[i].heading);
        if ((option_rows[i].is & IS_RARE) == 0)
            print_row(out, &option_rows[i]);
    }
    fputs("\nFormats:\n", out);
    for (size_t i = 0; formats[i] != NULL && !formats[i]->is_old; i++)
        print_format(out, formats[i]);
    fputs("\n"
          "Exit status: 0 done; 1 input or output failed; 2 wrong usage; 3 the log is not\n"
          "of the game, or has no recording, which --ticks, folded and others need, or\n"
          "--strict found damage; 4 a limit of --fail-if is broken.\n"
          "The manual, supprof(1), has some rare options, too.\n",
          out);
}
