#include "rebuild/ticks/tick_choice.h"

#include "base/mem.h"

void tick_choice_init(struct tick_choice *choice, const struct tick_list *list, size_t run_count,
                      int64_t over_ns, int64_t up_to_ns, bool takes_others)
{
    *choice = (struct tick_choice){
        .starts = mem_zeroed(run_count + 1, sizeof *choice->starts),
        .is_chosen = mem_zeroed(list->count, 1),
        .run_count = run_count,
        .count = list->count,
    };
    for (size_t i = 0; i < list->count; i++)
        choice->starts[list->ticks[i].run + 1]++;
    for (size_t run = 0; run < run_count; run++)
        choice->starts[run + 1] += choice->starts[run];
    size_t *next = mem_zeroed(run_count, sizeof *next);
    for (size_t i = 0; i < list->count; i++) {
        const struct tick *tick = &list->ticks[i];
        bool is_between = tick->time_ns > over_ns && tick->time_ns <= up_to_ns;
        bool is_chosen = is_between != takes_others;
        choice->is_chosen[choice->starts[tick->run] + next[tick->run]++] = is_chosen;
        choice->chosen_count += is_chosen;
        if (tick->time_ns > choice->longest_ns)
            choice->longest_ns = tick->time_ns;
    }
    free(next);
}

void tick_choice_release(struct tick_choice *choice)
{
    free(choice->starts);
    free(choice->is_chosen);
    *choice = (struct tick_choice){0};
}
