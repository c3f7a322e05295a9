#include "report/sentences/checks.h"

/* What the virtual machine of the tests says, and what another answer means. */
static const struct expectation {
    const char *key, *value;
    const char *otherwise;
} expectations[] = {
    {"type", "cfunction", "C functions have another type: this does not change recordings"},
    {"getinfo", "true", "debug.getinfo refuses C functions: this does not change recordings"},
    {"float", "true", "numbers are not 32-bit floats: times are finer than expected"},
    {"main", "false", "the main thread looks like any other: it may be shown as a coroutine"},
    {"moho", "table", "engine methods are not in moho: they have numbers instead of names"},
    {"gethook", "nil", "something else has set a hook: recordings replace it until they end"},
    {"events", "r-c-c-c-c-r-r+r+t+cpcerpc-",
     "calls, returns or errors are not reported as expected: call stacks may be wrong"},
    {"thread", "1", "the hook does not see other threads: only the main one is recorded"},
    {"marks", "1",
     "no resume marks: functions that wait are charged for it, except those that supprof knows"},
};

static bool is_equal(struct span text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
}

/* Returns what the answer means, or NULL for the expected one. Other threads may add resume marks.
 */
static const char *find_consequence(struct span key, struct span value)
{
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        const struct expectation *expectation = &expectations[i];
        if (!is_equal(key, expectation->key))
            continue;
        bool is_expected =
            is_equal(key, "marks") ? !is_equal(value, "0") : is_equal(value, expectation->value);
        return is_expected ? NULL : expectation->otherwise;
    }
    return NULL;
}

void checks_put(struct text *text, const struct report *report)
{
    const struct recordings *recordings = &report->profile->recordings;
    const struct intern *strings = &report->profile->symbols.strings;
    size_t surprises = 0;
    if (recordings->check_count == 0)
        return;
    text_put_string(text, "Checks:  ");
    for (size_t i = 0; i < recordings->check_count; i++) {
        struct span key = intern_get(strings, recordings->checks[i].key);
        struct span value = intern_get(strings, recordings->checks[i].value);
        const char *consequence = find_consequence(key, value);
        if (consequence == NULL)
            continue;
        text_put_string(text, surprises++ > 0 ? "         " : "");
        text_put_clean(text, key, false);
        text_put_string(text, "=");
        text_put_clean(text, value, false);
        text_printf(text, ": %s\n", consequence);
    }
    if (surprises == 0)
        text_put_string(text, "the game is as the recorder expects it\n");
}
