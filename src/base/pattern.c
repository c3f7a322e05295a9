#include "base/pattern.h"
#include "base/pcre2_memory.h"
#include "base/text.h"

/*
 * What searches may take. A sound pattern needs hundreds of steps on a label. One that tries
 * out every way to split a text needs millions, on each of thousands of labels: so what is
 * above a few is taken from what a pattern has for all of its searches together, and is used
 * up in a fraction of a second.
 */
enum { STEPS_FREE = 1000, STEPS_MAX = 20000000, DEPTH_MAX = 100000, HEAP_MAX_KB = 65536 };
enum { JIT_STACK_START_BYTES = 32 * 1024, JIT_STACK_MAX_BYTES = 4 * 1024 * 1024 };

struct pattern {
    struct text text;
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *context;
    pcre2_jit_stack *jit_stack;
    uint32_t steps_left; /* for searches that need more than STEPS_FREE */
};

/* The pattern up to where PCRE2 stopped, at most the last 100 bytes of that. */
static bool refuse(struct error *err, int code, struct span text, size_t at)
{
    enum { SHOWN_MAX = 100 };
    enum { NOTHING_TO_REPEAT = 109 };
    PCRE2_UCHAR reason[128] =
        "nothing is before a '*', '+' or '?' that it could repeat ('.*' is any text)";
    if (code != NOTHING_TO_REPEAT)
        pcre2_get_error_message(code, reason, sizeof reason);
    at = at < text.length ? at : text.length;
    size_t characters = text_width((struct span){text.at, at});
    size_t from = at > SHOWN_MAX ? at - SHOWN_MAX : 0;
    while (from < at && from > 0 && text_is_inside_character(text.at[from]))
        from++;
    return error_set(err,
                     "%s at character %zu, '%s%.*s <-- here'",
                     (const char *)reason,
                     characters + (at < text.length),
                     from > 0 ? "..." : "",
                     (int)(at - from),
                     text.at + from);
}

static bool compile(struct pattern *pattern, struct span text, pcre2_general_context *general,
                    struct error *err)
{
    int code;
    PCRE2_SIZE at;
    pcre2_compile_context *context = pcre2_compile_context_create(general);
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pattern->code = pcre2_compile((PCRE2_SPTR)text.at,
                                  text.length,
                                  PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C,
                                  &code,
                                  &at,
                                  context);
    pcre2_compile_context_free(context);
    return pattern->code != NULL || refuse(err, code, text, at);
}

struct pattern *pattern_new(struct span text, struct error *err)
{
    if (text.length == 0) {
        error_set(err,
                  "the pattern is empty, and would match everything; write '.' if you want that");
        return NULL;
    }
    struct pattern *pattern = mem_zeroed(1, sizeof *pattern);
    pcre2_general_context *general = pcre2_memory_new();
    bool is_compiled = compile(pattern, text, general, err);
    if (is_compiled) {
        text_put_span(&pattern->text, text);
        pattern->match = pcre2_match_data_create_from_pattern(pattern->code, general);
        pattern->context = pcre2_match_context_create(general);
        pattern->steps_left = STEPS_MAX;
        pcre2_set_depth_limit(pattern->context, DEPTH_MAX);
        pcre2_set_heap_limit(pattern->context, HEAP_MAX_KB);
        pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
    }
    pcre2_general_context_free(general);
    if (is_compiled)
        return pattern;
    pattern_free(pattern);
    return NULL;
}

void pattern_free(struct pattern *pattern)
{
    if (pattern == NULL)
        return;
    text_release(&pattern->text);
    pcre2_code_free(pattern->code);
    pcre2_match_data_free(pattern->match);
    pcre2_match_context_free(pattern->context);
    pcre2_jit_stack_free(pattern->jit_stack);
    free(pattern);
}

struct span pattern_text(const struct pattern *pattern)
{
    return text_span(&pattern->text);
}

/*
 * Few patterns need more than the 32 KB that a search has by itself. A stack reserves 4 MB of
 * addresses, which a list of thousands of patterns must not do for each.
 */
static bool give_stack(struct pattern *pattern)
{
    if (pattern->jit_stack != NULL)
        return false;
    pcre2_general_context *general = pcre2_memory_new();
    pattern->jit_stack =
        pcre2_jit_stack_create(JIT_STACK_START_BYTES, JIT_STACK_MAX_BYTES, general);
    pcre2_general_context_free(general);
    pcre2_jit_stack_assign(pattern->context, NULL, pattern->jit_stack);
    return pattern->jit_stack != NULL;
}

static int search_once(struct pattern *pattern, struct span text)
{
    return pcre2_match(pattern->code,
                       (PCRE2_SPTR)text.at,
                       text.length,
                       0,
                       PCRE2_NO_UTF_CHECK,
                       pattern->match,
                       pattern->context);
}

/* PCRE2 does not tell how many steps it needed, so the limit is raised until it is enough. */
static int search(struct pattern *pattern, struct span text)
{
    int result = PCRE2_ERROR_MATCHLIMIT;
    for (uint32_t limit = STEPS_FREE; result == PCRE2_ERROR_MATCHLIMIT; limit *= 2) {
        if (limit > STEPS_FREE && pattern->steps_left < limit)
            return result;
        pattern->steps_left -= limit > STEPS_FREE ? limit : 0;
        pcre2_set_match_limit(pattern->context, limit);
        result = search_once(pattern, text);
        if (result == PCRE2_ERROR_JIT_STACKLIMIT && give_stack(pattern))
            result = search_once(pattern, text);
    }
    return result;
}

bool pattern_find(struct pattern *pattern, struct span text, bool *is_match, struct error *err)
{
    int result = search(pattern, text);
    *is_match = result >= 0;
    if (result >= 0 || result == PCRE2_ERROR_NOMATCH)
        return true;
    PCRE2_UCHAR reason[128];
    pcre2_get_error_message(result, reason, sizeof reason);
    return error_set(err,
                     "%s on '%.*s'; make the pattern simpler",
                     (const char *)reason,
                     (int)(text.length < 200 ? text.length : 200),
                     text.at);
}
