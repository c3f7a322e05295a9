#include "report/sentences/next_option.h"

void next_option_put_tick(struct text *text, const struct report *report, const struct tick *tick)
{
    const struct recordings *recordings = &report->profile->recordings;
    if (recordings->count > 1 && report->profile->only_run == 0)
        text_printf(text, "--run %u ", (unsigned)recordings->all[tick->recording].run);
    text_printf(text, "--tick %lld", (long long)tick->number);
}

/* Whether it is short, and no shell and no pattern takes a character of it for more than a letter.
   A '.' also matches other characters, which does not matter here. */
static bool is_plain(struct span text)
{
    enum { LENGTH_MAX = 80 };
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_letter && (c == '\0' || strchr("_./:-", c) == NULL))
            return false;
    }
    return text.length > 0 && text.length <= LENGTH_MAX && text.at[0] != '-';
}

static bool has_part(struct span whole, struct span part)
{
    for (size_t i = 0; i + part.length <= whole.length; i++)
        if (memcmp(whole.at + i, part.at, part.length) == 0)
            return true;
    return false;
}

/* Counts the used functions whose labels have a text in them, or begin with it and a blank. */
static size_t count_matches(const struct report *report, struct span part, bool is_start)
{
    const struct symbols *symbols = &report->profile->symbols;
    size_t count = 0;
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        const struct labels *labels = report->labels;
        struct span label = labels_text(labels, labels->of[i].label);
        if (is_start)
            count += label.length > part.length && label.at[part.length] == ' ' &&
                     memcmp(label.at, part.at, part.length) == 0;
        else
            count += has_part(label, part);
    }
    return count;
}

void next_option_put_function(struct text *text, const struct report *report, uint32_t function,
                              const char *option, const char *end)
{
    const struct label *label = &report->labels->of[function];
    struct span name = labels_text(report->labels, label->name);
    struct span place = labels_text(report->labels, label->place);
    if (is_plain(name) && count_matches(report, name, false) == 1)
        text_printf(text, "%s %s%s", option, name.at, end);
    else if (is_plain(name) && count_matches(report, name, true) == 1)
        text_printf(text, "%s \"^%s %s\"", option, name.at, end);
    else if (is_plain(place))
        text_printf(text, "%s %s%s", option, place.at, end);
}
