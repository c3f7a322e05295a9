#include "cli/manual/markup.h"

enum { LINE_LENGTH = 78 };

static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char small_letters[] = "abcdefghijklmnopqrstuvwxyz";

static bool is_one_of(char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

/* Whether all bytes of a span are in a set. */
static bool is_made_of(struct span bytes, const char *set)
{
    bool is_all = true;
    for (size_t i = 0; i < bytes.length; i++)
        is_all &= is_one_of(bytes.at[i], set);
    return is_all;
}

/* Appends bytes, escaped so that roff and mdoc see only text. */
static void put_escaped(struct text *text, struct span bytes)
{
    if (bytes.length > 0 && !is_one_of(bytes.at[0], small_letters) && bytes.at[0] != '-')
        text_put_string(text, "\\&");
    for (size_t i = 0; i < bytes.length; i++) {
        char byte = bytes.at[i];
        const char plain[] = {byte, '\0'};
        text_put_string(text, byte == '\\'  ? "\\e"
                              : byte == '-' ? "\\-"
                              : byte == '"' ? "\\(dq"
                                            : plain);
    }
}

/* Appends words with commas between them, each a value or a literal word. */
static void put_values(struct text *text, struct span values)
{
    while (values.length > 0) {
        struct span value = span_take(&values, ',');
        bool is_value = value.length > 0 && is_made_of(value, capitals);
        text_put_string(text, is_value ? "Ar " : "Cm ");
        if (is_value)
            text_put_span(text, value);
        else
            put_escaped(text, value);
        text_put_string(text, values.length > 0 ? " , Ns " : "");
    }
}

/* Appends "-o FILE" or "--by=mod" as arguments of mdoc. */
static void put_option(struct text *text, struct span option)
{
    size_t length = 0;
    while (length < option.length && !is_one_of(option.at[length], "= "))
        length++;
    text_put_string(text, "Fl ");
    text_put(text, option.at + 1, length - 1);
    if (length == option.length)
        return;
    text_put_string(text, option.at[length] == '=' ? " Ns = Ns " : " ");
    put_values(text, span_from(option, length + 1));
}

void markup_put_mark(struct text *text, struct span mark)
{
    bool is_macro = mark.length > 3 && is_one_of(mark.at[0], capitals) &&
                    is_one_of(mark.at[1], small_letters) && mark.at[2] == ' ';
    if (is_macro)
        text_put_span(text, mark);
    else if (mark.length > 1 && mark.at[0] == '-')
        put_option(text, mark);
    else
        put_values(text, mark);
}

/* A piece of prose without blanks outside of a mark. */
struct token {
    struct span before, mark, after; /* no mark: all of it is `before` */
    bool has_mark, is_literal;
};

/* Whether a quote opens a literal: an apostrophe stands after a letter. */
static const char *find_literal_end(const char *start, const char *at, const char *end)
{
    bool opens = at == start || is_one_of(at[-1], "([");
    for (const char *close = at + 2; opens && close < end; close++)
        if (*close == '\'' && (close + 1 == end || is_one_of(close[1], " .,:;)")))
            return close;
    return NULL;
}

/* Takes the first token of some prose, which does not begin with a blank. */
static struct token take_token(struct span *prose)
{
    const char *start = prose->at, *at = start, *end = start + prose->length;
    struct token token = {.before = {start, 0}};
    for (; at < end && *at != ' '; at++) {
        const char *close = *at == '{'    ? memchr(at, '}', (size_t)(end - at))
                            : *at == '\'' ? find_literal_end(start, at, end)
                                          : NULL;
        if (close == NULL || token.has_mark)
            continue;
        token.has_mark = true;
        token.is_literal = *at == '\'';
        token.before.length = (size_t)(at - start);
        token.mark = (struct span){at + 1, (size_t)(close - at - 1)};
        token.after.at = close + 1;
        at = close;
    }
    if (token.has_mark)
        token.after.length = (size_t)(at - token.after.at);
    else
        token.before.length = (size_t)(at - start);
    *prose = span_from(*prose, (size_t)(at - start));
    return token;
}

/* Appends ".Ar ( N ) ," or ".Ar N Ns th". */
static void put_macro_line(struct text *text, const struct token *token)
{
    struct text arguments = {0};
    bool is_punctuation = is_made_of(token->after, ".,:;)]?!");
    if (token->is_literal) {
        bool has_blank = memchr(token->mark.at, ' ', token->mark.length) != NULL;
        text_put_string(&arguments, has_blank ? "Ql \"" : "Ql ");
        put_escaped(&arguments, token->mark);
        text_put_string(&arguments, has_blank ? "\"" : "");
    } else {
        markup_put_mark(&arguments, token->mark);
    }
    /* The macro has two letters; opening brackets follow it. */
    text_printf(text, ".%.2s", arguments.at);
    for (size_t i = 0; i < token->before.length; i++)
        text_printf(text, " %c", token->before.at[i]);
    text_put_string(text, arguments.at + 2);
    text_put_string(text, is_punctuation ? "" : " Ns ");
    for (size_t i = 0; i < token->after.length; i++)
        text_printf(text, is_punctuation ? " %c" : "%c", token->after.at[i]);
    text_put_string(text, "\n");
    text_release(&arguments);
}

/* Ends a line of prose that has `used` bytes, if there is one. */
static void end_line(struct text *text, size_t *used)
{
    text_put_string(text, *used > 0 ? "\n" : "");
    *used = 0;
}

static void put_word(struct text *text, struct span word, size_t *used)
{
    char last = word.at[word.length - 1];
    if (*used > 0 && *used + 1 + word.length > LINE_LENGTH)
        end_line(text, used);
    if (*used > 0)
        text_put_string(text, " ");
    else if (is_one_of(word.at[0], ".'"))
        text_put_string(text, "\\&");
    for (size_t i = 0; i < word.length; i++)
        text_printf(text, word.at[i] == '\\' ? "%ce" : "%c", word.at[i]);
    *used += 1 + word.length;
    /* In mdoc a sentence must begin on a new line. */
    if (last == '.' || (last == ')' && word.length > 1 && word.at[word.length - 2] == '.'))
        end_line(text, used);
}

static void put_prose(struct text *text, struct span prose)
{
    size_t used = 0;
    while (prose.length > 0) {
        struct token token = take_token(&prose);
        if (token.has_mark) {
            end_line(text, &used);
            put_macro_line(text, &token);
        } else if (token.before.length > 0) {
            put_word(text, token.before, &used);
        }
        prose = span_from(prose, prose.length > 0);
    }
    end_line(text, &used);
}

void markup_put_mdoc(struct text *text, const char *manual)
{
    for (struct span rest = span_of(manual); rest.length > 0;) {
        struct span line = span_take(&rest, '\n');
        if (line.length == 0) {
            text_put_string(text, ".Pp\n");
        } else if (line.at[0] == '.') {
            text_put_span(text, line);
            text_put_string(text, "\n");
        } else {
            put_prose(text, line);
        }
    }
}
