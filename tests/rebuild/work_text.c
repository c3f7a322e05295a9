/*
 * work-text LOG: prints the sums of work_sums.h of each run, as lines of fields that are separated
 * by tabs, after the number of the run. A Lua function is its source and line, any other its source
 * and name.
 *
 *     lines     caller, line of the call, callee, invocations, calls, largest, width, buckets ...
 *     same      function, calls that do the same, calls below, ticks between them
 *     long      function, units, tick, whether it is the first
 *     function  function, units
 */
#include "profile/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_function(const struct symbols *symbols, uint32_t function)
{
    const struct function *at = &symbols->functions[function];
    for (const char *c = intern_get(&symbols->strings, at->source).at; *c != '\0'; c++)
        printf(*c == '\n' ? "\\n" : "%c", *c);
    if (symbols_is_lua(symbols, function))
        printf(" %" PRId32, at->line);
    else
        printf(" %s", at->name == INTERN_NONE ? "" : intern_get(&symbols->strings, at->name).at);
}

static void put_lines(uint32_t run, const struct symbols *symbols, const struct work_sums *work)
{
    for (size_t i = 0; i < work->line_count; i++) {
        const struct line_sum *line = &work->lines[i];
        printf("%" PRIu32 "\tlines\t", run);
        put_function(symbols, line->caller);
        printf("\t%" PRId32 "\t", line->line);
        put_function(symbols, line->callee);
        printf("\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32, line->invocations, line->calls,
               line->largest, line->width);
        for (size_t k = 0; k < CALL_LINE_BUCKETS; k++)
            printf("\t%" PRIu32, line->buckets[k]);
        printf("\n");
    }
}

static void put_rest(uint32_t run, const struct symbols *symbols, const struct work_sums *work)
{
    for (size_t i = 0; i < work->same_count; i++) {
        printf("%" PRIu32 "\tsame\t", run);
        put_function(symbols, work->same[i].function);
        printf("\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", work->same[i].calls,
               work->same[i].below, work->same[i].every);
    }
    for (size_t i = 0; i < work->long_count; i++) {
        const struct long_call *call = &work->long_calls[i];
        printf("%" PRIu32 "\tlong\t", run);
        put_function(symbols, call->function);
        printf("\t%" PRId64 "\t%" PRIu32 "\t%d\n", call->units, call->tick, call->is_first);
    }
    for (uint32_t i = 0; i < work->function_count; i++) {
        printf("%" PRIu32 "\tfunction\t", run);
        put_function(symbols, i);
        printf("\t%.0f\t%.0f\n", work->functions[i].measured_ns / work->unit_ns,
               work->functions[i].price_ns);
    }
}

/* Returns the number of runs of the log. */
static size_t put_run(const char *path, uint32_t number)
{
    struct profile profile;
    struct error err;
    size_t count = 0;
    if (!profile_init(&profile, &err))
        exit(EXIT_FAILURE);
    profile.rebuild.sums_slow_ticks = profile.rebuild.counts_work = true;
    profile.only_run = number;
    if (!profile_read(&profile, path, &err)) {
        fprintf(stderr, "work-text: %s\n", err.text);
        exit(EXIT_FAILURE);
    }
    profile_finish(&profile);
    count = profile.recordings.count;
    put_lines(number, &profile.symbols, &profile.work);
    put_rest(number, &profile.symbols, &profile.work);
    profile_release(&profile);
    return count;
}

int main(int argc, char **argv)
{
    uint32_t number = 1;
    while (argc == 2 && put_run(argv[1], number) > number)
        number++;
    return argc == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
