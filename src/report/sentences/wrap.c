#include "report/sentences/wrap.h"

enum { OPTION_GAP = 2 };

/* The end of the word that begins at `from`. */
static size_t find_end(struct span sentence, size_t from)
{
    const char *blank = memchr(sentence.at + from, ' ', sentence.length - from);
    return blank == NULL ? sentence.length : (size_t)(blank - sentence.at);
}

/* The end of the words that begin at `from` and stay together: a number and what follows it. */
static size_t find_group_end(const struct wrap *wrap, struct span sentence, size_t from)
{
    size_t end = find_end(sentence, from);
    bool is_number = end > from && sentence.at[end - 1] >= '0' && sentence.at[end - 1] <= '9';
    if (!is_number || end == sentence.length)
        return end;
    size_t both = find_end(sentence, end + 1);
    return both - from + wrap->indent <= wrap->width ? both : end;
}

/* Appends the sentence; returns the columns that its last line takes. */
static size_t put_words(struct text *text, const struct wrap *wrap, struct span sentence)
{
    size_t used = wrap->start, indent = wrap->start;
    text_put_blanks(text, wrap->start);
    for (size_t at = 0; at < sentence.length;) {
        size_t end = find_group_end(wrap, sentence, at);
        struct span word = {sentence.at + at, end - at};
        size_t columns = text_width(word);
        if (used > indent && wrap->width != 0 && used + 1 + columns > wrap->width) {
            text_put_string(text, "\n");
            used = indent = wrap->indent;
            text_put_blanks(text, indent);
        } else if (at > 0) {
            text_put_string(text, " ");
            used++;
        }
        size_t room = wrap->width == 0 ? SIZE_MAX : wrap->width > indent ? wrap->width - indent : 1;
        text_put_cut_path(text, word, room);
        used += columns < room ? columns : room;
        at = end + 1;
    }
    return used;
}

static void put_option(struct text *text, const struct wrap *wrap, size_t used)
{
    const char *verb = wrap->is_other ? "use " : "add ";
    size_t columns = strlen(verb) + text_width(wrap->option);
    bool fits = wrap->width == 0 || used + OPTION_GAP + columns <= wrap->width;
    if (!fits)
        text_put_string(text, "\n");
    size_t blanks = fits ? OPTION_GAP : 0;
    if (wrap->width != 0)
        blanks = columns >= wrap->width ? 0 : wrap->width - columns - (fits ? used : 0);
    text_put_blanks(text, blanks);
    if (wrap->is_marked)
        text_put(text, (const char[]){WRAP_HINT}, 1);
    text_put_string(text, verb);
    if (wrap->is_colored)
        text_put_string(text, STYLE_BOLD);
    text_put_span(text, wrap->option);
    if (wrap->is_colored)
        text_put_string(text, STYLE_PLAIN);
}

void wrap_put(struct text *text, const struct wrap *wrap, struct span sentence)
{
    bool has_style = wrap->is_colored && wrap->style != NULL;
    if (has_style)
        text_put_string(text, wrap->style);
    size_t used = put_words(text, wrap, sentence);
    if (has_style)
        text_put_string(text, STYLE_PLAIN);
    if (wrap->option.length > 0)
        put_option(text, wrap, used);
    text_put_string(text, "\n");
}

void wrap_put_line(struct text *text, size_t width, size_t indent, struct text *sentence)
{
    wrap_put(text, &(struct wrap){.width = width, .indent = indent}, text_span(sentence));
    text_release(sentence);
}

void wrap_put_lines(struct text *text, size_t width, size_t more, struct text *lines)
{
    for (struct span rest = text_span(lines); rest.length > 0;) {
        struct span line = span_take(&rest, '\n');
        size_t start = 0;
        while (start < line.length && line.at[start] == ' ')
            start++;
        struct wrap wrap = {.width = width, .start = start, .indent = start + more};
        wrap_put(text, &wrap, span_from(line, start));
    }
    text_release(lines);
}

size_t wrap_count_lines(struct span lines)
{
    size_t count = 0;
    for (size_t i = 0; i < lines.length; i++)
        count += lines.at[i] == '\n';
    return count;
}
