#include "report/figures/formats.h"

#define ADDRESS_OF_FORMAT(name) &report_##name,
const struct report_format *const formats[] = {REPORT_FORMATS(ADDRESS_OF_FORMAT) NULL};

static bool has_suffix(const char *path, const char *suffix)
{
    size_t path_length = strlen(path);
    size_t length = strlen(suffix);
    return path_length > length && strcasecmp(path + path_length - length, suffix) == 0;
}

const struct report_format *format_by_path(const char *path)
{
    const struct report_format *found = NULL;
    size_t length = 0;
    for (size_t i = 0; formats[i] != NULL; i++) {
        const char *prefix = formats[i]->prefix;
        if (prefix != NULL && strncasecmp(file_name(path), prefix, strlen(prefix)) == 0)
            return formats[i];
    }
    for (size_t i = 0; formats[i] != NULL; i++)
        for (size_t k = 0; formats[i]->suffixes[k] != NULL; k++) {
            const char *suffix = formats[i]->suffixes[k];
            /* Such as trace.json and ticks.csv. */
            bool is_named_so =
                strchr(suffix + 1, '.') != NULL && strcasecmp(file_name(path), suffix + 1) == 0;
            if ((is_named_so || has_suffix(path, suffix)) && strlen(suffix) > length) {
                found = formats[i];
                length = strlen(suffix);
            }
        }
    return found;
}

static const struct report_format *format_by_name(const char *name)
{
    for (size_t i = 0; formats[i] != NULL; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

const struct report_format *format_by_word(const char *word)
{
    const struct report_format *named = format_by_name(word);
    if (named != NULL)
        return named;
    for (size_t i = 0; formats[i] != NULL; i++)
        for (size_t k = 0; formats[i]->suffixes[k] != NULL; k++)
            if (strcmp(formats[i]->suffixes[k] + 1, word) == 0)
                return formats[i];
    return NULL;
}

void format_put_suffixes(struct text *text, const struct report_format *format, const char *between)
{
    for (size_t i = 0; format->suffixes[i] != NULL; i++) {
        text_printf(text, "%s%s", i > 0 ? between : "", format->suffixes[i]);
    }
    if (format->prefix != NULL)
        text_printf(text, "%s%s*", between, format->prefix);
}
