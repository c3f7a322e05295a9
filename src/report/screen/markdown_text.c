#include "report/screen/markdown_text.h"

/* The longest run of backticks. */
static size_t longest_run(struct span span)
{
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < span.length; i++) {
        run = span.at[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void put_backticks(struct text *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_put_string(text, "`");
}

void markdown_put_code(struct text *text, struct span clean)
{
    static const char bar[] = "\xe2\x94\x82";
    size_t fence = longest_run(clean) + 1;
    bool is_blank = true;
    for (size_t i = 0; i < clean.length; i++)
        is_blank &= clean.at[i] == ' ';
    /* A blank at both ends is taken off, so that a backtick can stand there. */
    bool is_padded = !is_blank && (fence > 1 || clean.at[0] == ' ');
    put_backticks(text, fence);
    text_put_string(text, is_padded ? " " : "");
    for (size_t i = 0; i < clean.length; i++) {
        bool is_after_escape = i > 0 && clean.at[i - 1] == '\\';
        if (clean.at[i] == '|')
            text_put_string(text, is_after_escape ? bar : "\\|");
        else
            text_put(text, &clean.at[i], 1);
    }
    text_put_string(text, clean.length == 0 ? " " : is_padded ? " " : "");
    put_backticks(text, fence);
}

void markdown_put_block(struct text *text, struct span lines, size_t line_max)
{
    enum { FENCE_MIN = 3 };
    size_t fence = longest_run(lines) + 1, count = 0;
    fence = fence < FENCE_MIN ? FENCE_MIN : fence;
    for (size_t i = 0; i < lines.length; i++)
        count += lines.at[i] == '\n';
    size_t shown = count > line_max ? line_max - 1 : count;
    put_backticks(text, fence);
    text_put_string(text, "text\n");
    for (size_t i = 0; i < shown; i++) {
        text_put_span(text, span_take(&lines, '\n'));
        text_put_string(text, "\n");
    }
    if (shown < count)
        text_printf(text, "... and %zu more lines\n", count - shown);
    put_backticks(text, fence);
    text_put_string(text, "\n");
}
