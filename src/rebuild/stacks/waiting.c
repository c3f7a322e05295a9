#include "rebuild/stacks/waiting.h"

#include "base/search.h"

void run_wait(struct run *run, struct thread *thread, uint32_t units_ago)
{
    struct cursor *cursor = &run->cursor;
    thread->is_waiting = true;
    thread->waiting = (struct waiting){
        .clock = cursor->clock,
        .calls = cursor->calls,
        .unattributed = run->nodes.at[NODES_UNATTRIBUTED].self,
        .unattributed_kb = nodes_known_origin(&run->nodes, NODES_UNATTRIBUTED)->memory_kb,
        .tick = run->tick_count,
        .claim = run->last_claim,
        .gap = timeline_log_wait(&run->log, units_ago),
    };
    cursor->top = NODES_UNATTRIBUTED;
    cursor->base = cursor->depth;
}

void run_leave_unattributed(struct run *run, uint32_t units, uint32_t memory_kb)
{
    struct nodes *nodes = &run->nodes;
    uint32_t top = run->cursor.top;
    nodes->at[top].self -= units;
    run->cursor.clock -= units;
    nodes->at[NODES_UNATTRIBUTED].self += units;
    nodes_move_memory(nodes, top, NODES_UNATTRIBUTED, memory_kb);
}

/* For a binary search: the first claim with a number above this. */
struct wanted_claim {
    const struct claim *claims;
    uint64_t number;
};

static bool is_before(const void *context, size_t at)
{
    const struct wanted_claim *wanted = context;
    return wanted->claims[at].number <= wanted->number;
}

/* Finds the unattributed time that is left when a waiting frame claims its part. */
static struct claim find_claim(const struct run *run, const struct waiting *waiting)
{
    struct claim left = {0, waiting->unattributed, waiting->unattributed_kb};
    if (waiting->tick != run->tick_count)
        left = (struct claim){0, run->unattributed_at_tick, run->unattributed_kb_at_tick};
    struct wanted_claim wanted = {run->claims, waiting->claim};
    /* The first of the claims since then left the least. */
    size_t first = search_first(run->claim_count, is_before, &wanted);
    if (first == run->claim_count)
        return left;
    if (run->claims[first].unattributed < left.unattributed)
        left.unattributed = run->claims[first].unattributed;
    if (run->claims[first].unattributed_kb < left.unattributed_kb)
        left.unattributed_kb = run->claims[first].unattributed_kb;
    return left;
}

static void put_claim(struct run *run, struct claim claim)
{
    enum { CLAIMS_MAX = 16 * 1024 };
    claim.number = ++run->last_claim;
    while (run->claim_count > 0 &&
           run->claims[run->claim_count - 1].unattributed >= claim.unattributed)
        run->claim_count--;
    if (run->claim_count == CLAIMS_MAX) {
        run->claim_count = CLAIMS_MAX / 2;
        memmove(run->claims, run->claims + CLAIMS_MAX / 2, run->claim_count * sizeof *run->claims);
    }
    MEM_APPEND(run->claims, run->claim_count, run->claim_capacity, claim);
}

/* The last frame runs again; it was running all the time since it began to wait. */
static void take_unattributed(struct run *run, const struct waiting *waiting)
{
    struct nodes *nodes = &run->nodes;
    uint32_t top = run->cursor.top;
    struct claim left = find_claim(run, waiting);
    struct node *unattributed = &nodes->at[NODES_UNATTRIBUTED];
    uint64_t unattributed_kb = nodes_known_origin(nodes, NODES_UNATTRIBUTED)->memory_kb;
    /* There may be less, if a root turned out to be the callee of another. */
    int64_t units =
        unattributed->self > left.unattributed ? unattributed->self - left.unattributed : 0;
    uint64_t memory_kb =
        unattributed_kb > left.unattributed_kb ? unattributed_kb - left.unattributed_kb : 0;
    nodes->at[top].self += units;
    run->cursor.clock += units;
    unattributed->self -= units;
    nodes_move_memory(nodes, NODES_UNATTRIBUTED, top, memory_kb);
    if (units > 0 || memory_kb > 0)
        put_claim(run, (struct claim){0, unattributed->self, unattributed_kb - memory_kb});
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
        take_unattributed(run, &thread->waiting);
}
