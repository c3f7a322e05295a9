#include "profile/snapshot.h"

#include "profile/queue.h"

void snapshot_sum(struct profile *profile, struct running_sums *sums)
{
    if (profile->queue == NULL) {
        running_sums_begin(sums, 0);
        return;
    }
    queue_drain(profile->queue);
    profile->recordings.last = (struct last_line){0};
    rebuild_sum(profile->rebuilding, sums);
    function_sums_add_builder(&sums->functions, &profile->stacks);
}

void snapshot_sum_recent_ticks(const struct profile *profile, struct running_sums *sums)
{
    if (profile->rebuilding != NULL)
        rebuild_sum_recent_ticks(profile->rebuilding, sums);
}

void snapshot_name(struct profile *profile, const struct function_sums *sums,
                   struct symbols *symbols)
{
    uint32_t no_name = intern_add_span(&profile->symbols.strings, span_of("?"));
    *symbols = profile->symbols;
    symbols->function_capacity = symbols->function_count;
    symbols->name_capacity = symbols->name_count;
    symbols->functions = mem_zeroed(symbols->function_count, sizeof *symbols->functions);
    symbols->names = mem_zeroed(symbols->name_count, sizeof *symbols->names);
    if (symbols->function_count > 0)
        memcpy(symbols->functions, profile->symbols.functions,
               symbols->function_count * sizeof *symbols->functions);
    if (symbols->name_count > 0)
        memcpy(symbols->names, profile->symbols.names,
               symbols->name_count * sizeof *symbols->names);
    struct frames frames = profile->frames;
    frames.symbols = symbols;
    frames_name_functions(&frames);
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        struct function_sum sum = function_sums_get(sums, i);
        struct function *function = &symbols->functions[i];
        function->is_used = sum.calls > 0 || sum.self_ns != 0;
        if (function->name == INTERN_NONE)
            function->name = no_name;
    }
}

void snapshot_release_symbols(struct symbols *symbols)
{
    free(symbols->functions);
    free(symbols->names);
    *symbols = (struct symbols){0};
}
