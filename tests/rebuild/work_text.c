/*
 * work-text LOG: prints the sums of work_sums.h as lines of fields that are separated by tabs, with
 * all numbers. A Lua function is its source and line, any other its source and name.
 *
 *     lines     caller, line of the call, callee, invocations, calls, largest, width, buckets ...
 *     same      function, calls that do the same, calls below
 *     long      function, units, tick, whether it is the first
 *     function  function, units
 */
#include "profile/profile.h"

#include <inttypes.h>
#include <stdio.h>

static void put_function(const struct symbols *symbols, uint32_t function)
{
    const struct function *at = &symbols->functions[function];
    printf("%s ", intern_get(&symbols->strings, at->source).at);
    if (symbols_is_lua(symbols, function))
        printf("%" PRId32, at->line);
    else
        printf("%s", at->name == INTERN_NONE ? "" : intern_get(&symbols->strings, at->name).at);
}

static void put_lines(const struct symbols *symbols, const struct work_sums *work)
{
    for (size_t i = 0; i < work->line_count; i++) {
        const struct line_sum *line = &work->lines[i];
        printf("lines\t");
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

static void put_rest(const struct symbols *symbols, const struct work_sums *work)
{
    for (size_t i = 0; i < work->same_count; i++) {
        printf("same\t");
        put_function(symbols, work->same[i].function);
        printf("\t%" PRIu32 "\t%" PRIu32 "\n", work->same[i].calls, work->same[i].below);
    }
    for (size_t i = 0; i < work->long_count; i++) {
        const struct long_call *call = &work->long_calls[i];
        printf("long\t");
        put_function(symbols, call->function);
        printf("\t%" PRId64 "\t%" PRIu32 "\t%d\n", call->units, call->tick, call->is_first);
    }
    for (uint32_t i = 0; i < work->function_count; i++) {
        printf("function\t");
        put_function(symbols, i);
        printf("\t%.0f\t%.0f\n", work->functions[i].measured_ns / work->unit_ns,
               work->functions[i].price_ns);
    }
}

int main(int argc, char **argv)
{
    struct profile profile;
    struct error err;
    if (argc != 2 || !profile_init(&profile, &err))
        return 1;
    profile.rebuild.sums_slow_ticks = profile.rebuild.counts_work = true;
    if (!profile_read(&profile, argv[1], &err)) {
        fprintf(stderr, "work-text: %s\n", err.text);
        return 1;
    }
    profile_finish(&profile);
    put_lines(&profile.symbols, &profile.work);
    put_rest(&profile.symbols, &profile.work);
    profile_release(&profile);
    return 0;
}
