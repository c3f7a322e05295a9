#include "cli/markup.h"

#include <string.h>

enum { LINE_LENGTH = 78 };

static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char small_letters[] = "abcdefghijklmnopqrstuvwxyz";

static bool is_one_of(char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

static bool is_in_capitals(struct span word)
{
    for (size_t i = 0; i < word.length; i++)
        if (!is_one_of(word.at[i], capitals))
            return false;
    return word.length > 0;
}

/* Appends bytes, escaped so that roff and mdoc see only text. */
static void put_escaped(struct text *text, struct span bytes)
{
    if (bytes.length > 0 && !is_one_of(bytes.at[0], small_letters) && bytes.at[0] != '-')
        text_put_string(text, "\\&");
    for (size_t i = 0; i < bytes.length; i++)
        switch (bytes.at[i]) {
        case '\\':
            text_put_string(text, "\\e");
            break;
        case '-':
            text_put_string(text, "\\-");
            break;
        case '"':
            text_put_string(text, "\\(dq");
            break;
        default:
            text_put(text, &bytes.at[i], 1);
        }
}

/* Appends words with commas between them, each a value or a literal word. */
static void put_values(struct text *text, struct span values)
{
    const char *end = values.at + values.length;
    for (const char *at = values.at; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        struct span value = {at, comma != NULL ? (size_t)(comma - at) : (size_t)(end - at)};
        if (is_in_capitals(value)) {
            text_put_string(text, "Ar ");
            text_put(text, value.at, value.length);
        } else {
            text_put_string(text, "Cm ");
            put_escaped(text, value);
        }
        text_put_string(text, comma != NULL ? " , Ns " : "");
        at += value.length + (comma != NULL);
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
    put_values(text, (struct span){option.at + length + 1, option.length - length - 1});
}

void markup_put_mark(struct text *text, struct span mark)
{
    bool is_macro = mark.length > 3 && is_one_of(mark.at[0], capitals) &&
                    is_one_of(mark.at[1], small_letters) && mark.at[2] == ' ';
    if (is_macro)
        text_put(text, mark.at, mark.length);
    else if (mark.length > 1 && mark.at[0] == '-')
        put_option(text, mark);
    else
        put_values(text, mark);
}

/* A piece of prose without blanks outside of a mark. */
struct token {
    struct span before, mark, after; /* no mark: all of it is `before` */
    bool has_mark, is_literal;
    size_t length;
};

/* Whether a quote opens a literal: an apostrophe stands after a letter. */
static const char *find_literal_end(const char *start, const char *at, const char *end)
{
    bool opens = at == start || is_one_of(at[-1], "([");
    if (!opens)
        return NULL;
    for (const char *close = at + 2; close < end; close++)
        if (*close == '\'' && (close + 1 == end || is_one_of(close[1], " .,:;)")))
            return close;
    return NULL;
}

static struct token read_token(const char *start, const char *end)
{
    struct token token = {.before = {start, 0}};
    const char *at = start;
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
    token.length = (size_t)(at - start);
    if (token.has_mark)
        token.after.length = (size_t)(at - token.after.at);
    else
        token.before.length = token.length;
    return token;
}

/* Appends ".Ar ( N ) ," or ".Ar N Ns th". */
static void put_macro_line(struct text *text, const struct token *token)
{
    struct text arguments = {0};
    if (token->is_literal) {
        bool has_blank = memchr(token->mark.at, ' ', token->mark.length) != NULL;
        text_put_string(&arguments, has_blank ? "Ql \"" : "Ql ");
        put_escaped(&arguments, token->mark);
        text_put_string(&arguments, has_blank ? "\"" : "");
    } else {
        markup_put_mark(&arguments, token->mark);
    }
    /* The first word is the macro; an opening bracket follows it. */
    size_t macro = 2;
    text_put_string(text, ".");
    text_put(text, arguments.at, macro);
    for (size_t i = 0; i < token->before.length; i++) {
        text_put_string(text, " ");
        text_put(text, &token->before.at[i], 1);
    }
    text_put(text, arguments.at + macro, arguments.length - macro);
    bool is_punctuation = true;
    for (size_t i = 0; i < token->after.length; i++)
        is_punctuation &= is_one_of(token->after.at[i], ".,:;)]?!");
    if (!is_punctuation)
        text_put_string(text, " Ns ");
    for (size_t i = 0; i < token->after.length; i++) {
        text_put_string(text, is_punctuation ? " " : "");
        text_put(text, &token->after.at[i], 1);
    }
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
    if (*used > 0 && *used + 1 + word.length > LINE_LENGTH)
        end_line(text, used);
    if (*used > 0)
        text_put_string(text, " ");
    else if (is_one_of(word.at[0], ".'"))
        text_put_string(text, "\\&");
    for (size_t i = 0; i < word.length; i++) {
        text_put(text, &word.at[i], 1);
        text_put_string(text, word.at[i] == '\\' ? "e" : "");
    }
    *used += 1 + word.length;
    /* In mdoc a sentence must begin on a new line. */
    bool is_sentence_end = word.at[word.length - 1] == '.' ||
                           (word.length > 1 && memcmp(word.at + word.length - 2, ".)", 2) == 0);
    if (is_sentence_end)
        end_line(text, used);
}

static void put_prose(struct text *text, const char *at, const char *end)
{
    size_t used = 0;
    while (at < end) {
        struct token token = read_token(at, end);
        if (token.has_mark) {
            end_line(text, &used);
            put_macro_line(text, &token);
        } else if (token.length > 0) {
            put_word(text, token.before, &used);
        }
        at += token.length;
        at += at < end;
    }
    end_line(text, &used);
}

void markup_put_mdoc(struct text *text, const char *manual)
{
    for (const char *line = manual; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length == 0) {
            text_put_string(text, ".Pp\n");
        } else if (line[0] == '.') {
            text_put(text, line, length);
            text_put_string(text, "\n");
        } else {
            put_prose(text, line, line + length);
        }
        line += length + (line[length] == '\n');
    }
}
