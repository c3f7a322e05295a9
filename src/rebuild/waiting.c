#include "rebuild/waiting.h"

#include "base/mem.h"
#include "base/search.h"

#include <string.h>

void run_wait(struct run *run, struct thread *thread, uint32_t units_ago)
{
    struct cursor *cursor = &run->cursor;
    thread->is_waiting = true;
    thread->waiting = (struct waiting){
        .clock = cursor->clock,
        .calls = cursor->calls,
        .nobody = run->nodes.at[NODES_NOBODY].self,
        .nobody_kb = run->nodes.origins[NODES_NOBODY].memory_kb,
        .claim = run->last_claim,
        .gap = timeline_log_wait(&run->log, units_ago),
    };
    cursor->top = NODES_NOBODY;
    cursor->base = cursor->depth;
}

/* A claim that is looked for: the first one with a number above this. */
struct wanted_claim {
    const struct claim *claims;
    uint64_t number;
};

static bool is_before(const void *context, size_t at)
{
    const struct wanted_claim *wanted = context;
    return wanted->claims[at].number <= wanted->number;
}

/* What is to be left of nobody's time when a frame that waited takes what is its own. */
static struct claim find_claim(const struct run *run, const struct waiting *waiting)
{
    struct claim left = {0, waiting->nobody, waiting->nobody_kb};
    struct wanted_claim wanted = {run->claims, waiting->claim};
    /* The first claim since then is the one that left least. */
    size_t first = search_first(run->claim_count, is_before, &wanted);
    if (first == run->claim_count)
        return left;
    if (run->claims[first].nobody < left.nobody)
        left.nobody = run->claims[first].nobody;
    if (run->claims[first].nobody_kb < left.nobody_kb)
        left.nobody_kb = run->claims[first].nobody_kb;
    return left;
}

static void put_claim(struct run *run, struct claim claim)
{
    enum { CLAIMS_MAX = 16 * 1024 };
    claim.number = ++run->last_claim;
    while (run->claim_count > 0 && run->claims[run->claim_count - 1].nobody >= claim.nobody)
        run->claim_count--;
    if (run->claim_count == CLAIMS_MAX) {
        run->claim_count = CLAIMS_MAX / 2;
        memmove(run->claims, run->claims + CLAIMS_MAX / 2, run->claim_count * sizeof *run->claims);
    }
    run->claims =
        mem_append(run->claims, &run->claim_count, &run->claim_capacity, &claim, sizeof claim);
}

/* The last frame, which runs again, has been running since it began to wait. */
static void take_from_nobody(struct run *run, const struct waiting *waiting)
{
    struct nodes *nodes = &run->nodes;
    uint32_t top = run->cursor.top;
    struct claim left = find_claim(run, waiting);
    struct node *nobody = &nodes->at[NODES_NOBODY];
    struct node_origin *nobody_origin = &nodes->origins[NODES_NOBODY];
    /* There may be less than that, where a root was the callee of another after all. */
    int64_t units = nobody->self > left.nobody ? nobody->self - left.nobody : 0;
    uint64_t memory_kb =
        nobody_origin->memory_kb > left.nobody_kb ? nobody_origin->memory_kb - left.nobody_kb : 0;
    nodes->at[top].self += units;
    run->cursor.clock += units;
    nobody->self -= units;
    nodes->origins[top].memory_kb += memory_kb;
    nobody_origin->memory_kb -= memory_kb;
    if (units > 0 || memory_kb > 0)
        put_claim(run, (struct claim){0, nobody->self, nobody_origin->memory_kb});
}

void run_wake(struct run *run, struct thread *thread, bool was_running)
{
    struct cursor *cursor = &run->cursor;
    bool takes_time = was_running && !thread->is_new;
    thread->is_waiting = thread->is_interrupted = thread->is_new = false;
    run_enter_segment(run, thread);
    cursor->top = cursor->frames[cursor->depth - 1].node;
    cursor->clock = thread->waiting.clock;
    cursor->calls = thread->waiting.calls;
    nodes_touch(&run->nodes, cursor->top);
    if (takes_time)
        timeline_log_claim_from(&run->log, thread->waiting.gap, run->current, cursor->depth);
    timeline_log_put(&run->log, STEP_WAKE, 0);
    if (takes_time)
        take_from_nobody(run, &thread->waiting);
}
