/*
 * Reads any bytes as Lua: whatever they hold, reading ends, and the definitions lie in the
 * source, in order, with names. Like fuzz_log.c, this is called by libFuzzer and by replay.c.
 */
#include "names/definitions.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_true)
{
    if (!is_true)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { NAME_BYTES_MAX = 200 };
    struct definitions definitions;
    definitions_read(&definitions, (struct span){(const char *)data, size});
    check(definitions.error_line <= definitions.line_count + 1);
    for (size_t i = 0; i < definitions.count; i++) {
        const struct definition *definition = &definitions.all[i];
        size_t count;
        check(definition->line >= 1 && definition->last_line >= definition->line);
        check(definition->last_line <= definitions.line_count + 1);
        check(i == 0 || definition[-1].line <= definition->line);
        check(definitions_at(&definitions, definition->line, &count) <= definition && count > 0);
        check(definition->name < definitions.texts.count);
        size_t length = intern_get(&definitions.texts, definition->name).length;
        check(length > 0 && length <= NAME_BYTES_MAX);
        check(definition->simple == INTERN_NONE ||
              definition->simple < definitions.simple_names.count);
    }
    definitions_release(&definitions);
    return 0;
}
