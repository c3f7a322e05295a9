#include "report/figures/running_rows.h"

#include "base/mem.h"
#include "base/span.h"

static int compare(const void *left, const void *right)
{
    const struct running_row *a = left, *b = right;
    return ORDER(b->sum.self_ns, a->sum.self_ns,
                 ORDER(b->sum.calls, a->sum.calls, ORDER(a->rank, b->rank, 0)));
}

static int64_t less(int64_t ns, int64_t before_ns)
{
    return ns > before_ns ? ns - before_ns : 0;
}

static uint64_t fewer(uint64_t calls, uint64_t before)
{
    return calls > before ? calls - before : 0;
}

static struct function_sum since(struct function_sum sum, struct function_sum before)
{
    return (struct function_sum){
        .calls = fewer(sum.calls, before.calls),
        .self_ns = less(sum.self_ns, before.self_ns),
        .total_ns = less(sum.total_ns, before.total_ns),
        .recorder_calls = fewer(sum.recorder_calls, before.recorder_calls),
        .recorder_ns = less(sum.recorder_ns, before.recorder_ns),
    };
}

static void add(struct running_rows *rows, uint32_t function, uint32_t rank,
                struct function_sum sum)
{
    if (sum.calls > 0 || sum.self_ns != 0)
        rows->all[rows->count++] = (struct running_row){function, rank, sum};
}

void running_rows_init(struct running_rows *rows, const struct function_sums *now,
                       const struct function_sums *before, const uint32_t *ranks)
{
    struct function_sum recorder = {0};
    *rows = (struct running_rows){.all = mem_zeroed(now->count + 1, sizeof *rows->all)};
    for (uint32_t i = 0; i < now->count; i++) {
        struct function_sum sum = now->at[i];
        if (before != NULL)
            sum = since(sum, function_sums_get(before, i));
        if (sum.calls == 0 && sum.self_ns == 0)
            continue;
        rows->function_count++;
        rows->whole.calls += sum.calls;
        rows->whole.self_ns += sum.self_ns;
        recorder.calls += sum.recorder_calls;
        recorder.self_ns += sum.recorder_ns;
        sum.calls = fewer(sum.calls, sum.recorder_calls);
        if (sum.recorder_ns > 0)
            sum.self_ns = less(sum.self_ns, sum.recorder_ns);
        add(rows, i, ranks[i], sum);
    }
    recorder.total_ns = recorder.self_ns;
    add(rows, RUNNING_ROW_OF_RECORDER, UINT32_MAX, recorder);
    qsort(rows->all, rows->count, sizeof *rows->all, compare);
}

void running_rows_release(struct running_rows *rows)
{
    free(rows->all);
    *rows = (struct running_rows){0};
}
