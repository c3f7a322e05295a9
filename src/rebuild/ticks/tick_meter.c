#include "rebuild/ticks/tick_meter.h"

#include "base/number.h"

#include <math.h>

/* What one function did in one tick; times in units. */
struct meter_sum {
    int64_t self;
    int64_t calls;                 /* of it */
    int64_t made[CALL_KIND_COUNT]; /* calls made by it */
};

/* The sum of one function in a kept tick, unpacked. */
struct measured_function {
    uint32_t function; /* id in symbols.h */
    enum call_kind kind;
    struct meter_sum sum;
};

struct measured_tick {
    int64_t number;
    int64_t self;
    int64_t calls[CALL_KIND_COUNT];
    int64_t made[CALL_KIND_COUNT]; /* of those, by a function: roots have no caller */
    char *functions;               /* [function_count] measured functions, packed; NULL: not kept */
    size_t function_count;
};

/*
 * All ticks of a long game may be kept, so their functions are packed: most of their numbers are
 * small, and take a byte for each 7 bits, the least significant first. That is a fifth of the
 * memory.
 */
enum { PACKED_NUMBER_MAX = 10, PACKED_FUNCTION_MAX = (3 + CALL_KIND_COUNT) * PACKED_NUMBER_MAX };

/* Writes at most PACKED_NUMBER_MAX bytes, and returns the end of them. */
static char *pack_number(char *to, int64_t number)
{
    /* The sign becomes the last bit. */
    uint64_t bits = (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0);
    for (; bits >= 0x80; bits >>= 7)
        *to++ = (char)(bits | 0x80);
    *to++ = (char)bits;
    return to;
}

static int64_t unpack_number(const char **at)
{
    uint64_t bits = 0;
    unsigned shift = 0;
    for (;; shift += 7) {
        uint64_t byte = (unsigned char)*(*at)++;
        bits |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return (int64_t)(bits >> 1 ^ (bits % 2 != 0 ? UINT64_MAX : 0));
}

static void pack(struct text *text, const struct event_function *function,
                 const struct meter_sum *sum)
{
    char packed[PACKED_FUNCTION_MAX];
    char *end =
        pack_number(packed, (int64_t)function->id * CALL_KIND_COUNT + function_kind(function));
    end = pack_number(end, sum->self);
    end = pack_number(end, sum->calls);
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        end = pack_number(end, sum->made[kind]);
    text_put(text, packed, (size_t)(end - packed));
}

static struct measured_function unpack(const char **at)
{
    int64_t function_and_kind = unpack_number(at);
    struct measured_function function = {
        .function = (uint32_t)(function_and_kind / CALL_KIND_COUNT),
        .kind = (enum call_kind)(function_and_kind % CALL_KIND_COUNT),
    };
    function.sum.self = unpack_number(at);
    function.sum.calls = unpack_number(at);
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        function.sum.made[kind] = unpack_number(at);
    return function;
}

static struct measured_tick measure(const struct nodes *nodes, int64_t number, int64_t units)
{
    struct measured_tick tick = {.number = number, .self = units};
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++) {
        tick.calls[kind] = nodes->counts.calls[kind];
        tick.made[kind] = nodes->counts.calls[kind] - nodes->counts.callerless[kind];
    }
    return tick;
}

/*
 * Makes room for all functions of the recording. The arrays are all zero between ticks: there is
 * nothing to copy.
 */
static void reserve_functions(struct tick_meter *meter, const struct nodes *nodes)
{
    if (meter->function_capacity >= nodes->function_count)
        return;
    free(meter->sums);
    free(meter->is_found);
    meter->function_capacity = nodes->function_capacity;
    meter->sums = mem_zeroed(meter->function_capacity, sizeof *meter->sums);
    meter->is_found = mem_zeroed(meter->function_capacity, sizeof *meter->is_found);
    /* sum_of() writes before it looks whether the function is listed: one more than all. */
    MEM_GROW(meter->found, meter->found_capacity, meter->function_capacity + 1);
}

/* Returns the sum of a node's function, and lists the function if it is new in this tick. */
static inline struct meter_sum *sum_of(struct tick_meter *meter, const struct nodes *nodes,
                                       const struct node *node)
{
    uint32_t function = nodes->sites[node->site & ~SITE_IS_OPEN].function;
    /* No branch: processors would often predict it wrongly. */
    meter->found[meter->found_count] = function;
    meter->found_count += !meter->is_found[function];
    meter->is_found[function] = true;
    return &meter->sums[function];
}

/* Adds up what was counted in this tick, for each function. */
static void sum_functions(struct tick_meter *meter, const struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->touched_count; i++) {
        const struct touched_node *touched = &nodes->touched[i];
        const struct node *node = &nodes->at[touched->node];
        if (touched->node < NODES_FIRST)
            continue;
        struct meter_sum *sum = sum_of(meter, nodes, node);
        int64_t calls = (int64_t)(node->calls - touched->before.calls);
        sum->self += node->self - touched->before.self;
        sum->calls += calls;
        if (nodes_has_caller(nodes, touched->node)) {
            enum call_kind kind = nodes->site_kinds[node->site];
            sum_of(meter, nodes, &nodes->at[node->parent])->made[kind] += calls;
        }
    }
}

static void price_functions(struct tick_meter *meter, const struct nodes *nodes)
{
    meter->prices.tick_count++;
    for (size_t i = 0; i < meter->found_count; i++) {
        const struct meter_sum *sum = &meter->sums[meter->found[i]];
        prices_add(&meter->prices, nodes->functions[meter->found[i]].id, (uint64_t)sum->calls,
                   sum->self);
    }
}

static void clear_functions(struct tick_meter *meter)
{
    for (size_t i = 0; i < meter->found_count; i++) {
        meter->sums[meter->found[i]] = (struct meter_sum){0};
        meter->is_found[meter->found[i]] = false;
    }
    meter->found_count = 0;
}

static void keep_functions(struct tick_meter *meter, const struct nodes *nodes,
                           struct measured_tick *tick)
{
    text_cut(&meter->packed, 0);
    for (size_t i = 0; i < meter->found_count; i++)
        pack(&meter->packed, &nodes->functions[meter->found[i]], &meter->sums[meter->found[i]]);
    /* mem_copy() would take more than that for each of many ticks. */
    struct span packed = text_span(&meter->packed);
    tick->functions = mem_zeroed(packed.length, 1);
    if (packed.length > 0)
        memcpy(tick->functions, packed.at, packed.length);
    tick->function_count = meter->found_count;
}

/* Drops the functions of the shortest tick that has them, and finds the next shortest. */
static void drop_cheapest(struct tick_meter *meter)
{
    size_t cheapest = 0;
    for (size_t i = 1; i < meter->kept_count; i++)
        if (meter->measured[meter->kept[i]].self < meter->measured[meter->kept[cheapest]].self)
            cheapest = i;
    struct measured_tick *tick = &meter->measured[meter->kept[cheapest]];
    free(tick->functions);
    tick->functions = NULL;
    tick->function_count = 0;
    meter->kept[cheapest] = meter->kept[--meter->kept_count];
    meter->least_kept = INT64_MAX;
    for (size_t i = 0; i < meter->kept_count; i++)
        if (meter->measured[meter->kept[i]].self < meter->least_kept)
            meter->least_kept = meter->measured[meter->kept[i]].self;
}

/* Keeps the functions of the last tick, and drops those of another if it keeps too many. */
static void keep_tick(struct tick_meter *meter, const struct nodes *nodes, size_t kept_max)
{
    struct measured_tick *tick = &meter->measured[meter->count - 1];
    if (meter->kept_count == 0 || tick->self < meter->least_kept)
        meter->least_kept = tick->self;
    keep_functions(meter, nodes, tick);
    MEM_GROW(meter->kept, meter->kept_capacity, meter->kept_count + 1);
    meter->kept[meter->kept_count++] = meter->count - 1;
    if (meter->kept_count > kept_max)
        drop_cheapest(meter);
}

/*
 * Of a long recording, a quarter of the ticks is enough for the prices. Threads wake at regular
 * distances, so these ticks do not come at one: the number is multiplied by 2^32 times the golden
 * ratio, whose upper bits are as good as random.
 */
static bool is_priced(size_t index)
{
    enum { ALL = 2000 };
    return index < ALL || (uint32_t)index * 2654435769u >> 30 == 0;
}

void tick_meter_add(struct tick_meter *meter, const struct nodes *nodes, int64_t number,
                    int64_t units, size_t kept_max, bool has_prices)
{
    MEM_GROW(meter->measured, meter->capacity, meter->count + 1);
    struct measured_tick *tick = &meter->measured[meter->count++];
    *tick = measure(nodes, number, units);
    bool is_kept = kept_max > 0 && (meter->kept_count < kept_max || tick->self > meter->least_kept);
    has_prices = has_prices && is_priced(meter->count);
    if (!is_kept && !has_prices)
        return;
    reserve_functions(meter, nodes);
    sum_functions(meter, nodes);
    if (has_prices)
        price_functions(meter, nodes);
    if (is_kept)
        keep_tick(meter, nodes, kept_max);
    clear_functions(meter);
}

/* Never below 0: a cost is a mean. */
static int64_t less_cost(int64_t units, double unit_ns, double cost_ns)
{
    double ns = (double)units * unit_ns - cost_ns;
    return ns > 0 ? number_nearest(ns) : 0;
}

static bool is_more_expensive(const struct tick_function *a, const struct tick_function *b)
{
    if (a->self_ns != b->self_ns)
        return a->self_ns > b->self_ns;
    return a->function < b->function;
}

/*
 * The tick loses its whole cost, but a function loses no more than its time: the sum may be too
 * large.
 */
static void scale_down(struct tick *tick, size_t count)
{
    double sum_ns = 0;
    for (size_t i = 0; i < count; i++)
        sum_ns += (double)tick->functions[i].self_ns;
    if (sum_ns <= (double)tick->time_ns)
        return;
    double scale = (double)tick->time_ns / sum_ns;
    for (size_t i = 0; i < count; i++)
        tick->functions[i].self_ns = (int64_t)((double)tick->functions[i].self_ns * scale);
}

/* Moves the most expensive functions to the front, in order, and returns their number. */
static size_t find_most_expensive(struct tick_function *all, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        struct tick_function function = all[i];
        if (found == TICK_FUNCTIONS_MAX && !is_more_expensive(&function, &all[found - 1]))
            continue;
        found += found < TICK_FUNCTIONS_MAX;
        size_t at = found - 1;
        for (; at > 0 && is_more_expensive(&function, &all[at - 1]); at--)
            all[at] = all[at - 1];
        all[at] = function;
    }
    return found;
}

/* Keeps the most expensive of the functions, [count], and their memory only. */
static void drop_cheap(struct tick *tick, size_t count)
{
    struct tick_function *all = tick->functions;
    tick->function_count = find_most_expensive(all, count);
    tick->functions = mem_zeroed(tick->function_count, sizeof *all);
    if (count > 0)
        memcpy(tick->functions, all, tick->function_count * sizeof *all);
    free(all);
}

static void keep_all(struct tick *tick)
{
    tick->all = mem_zeroed(tick->function_count, sizeof *tick->all);
    for (size_t i = 0; i < tick->function_count; i++)
        if (tick->functions[i].self_ns > 0)
            tick->all[tick->all_count++] =
                (struct tick_self){tick->functions[i].function, tick->functions[i].self_ns};
}

static void finish_functions(const struct measured_tick *from, struct tick *to, double unit_ns,
                             const struct call_costs *costs, struct priced_tick *priced,
                             const struct prices *prices, int64_t all_over_ns)
{
    const char *at = from->functions;
    size_t count = from->function_count;
    to->functions = mem_zeroed(count, sizeof *to->functions);
    for (size_t i = 0; i < count; i++) {
        struct measured_function function = unpack(&at);
        priced_tick_add(priced, prices, function.function, (uint64_t)function.sum.calls,
                        function.sum.self);
        double cost_ns = (double)function.sum.calls * costs->in_ns[function.kind];
        for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
            cost_ns += (double)function.sum.made[kind] * costs->out_ns[kind];
        to->functions[i] = (struct tick_function){
            .function = function.function,
            .self_ns = less_cost(function.sum.self, unit_ns, cost_ns),
            .calls = (uint64_t)function.sum.calls,
        };
    }
    to->function_count = count;
    scale_down(to, count);
    if (to->time_ns > all_over_ns)
        keep_all(to);
    drop_cheap(to, count);
}

static double cost_ns_of(const struct measured_tick *tick, const struct call_costs *costs)
{
    double cost_ns = 0;
    for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
        cost_ns += (double)tick->calls[kind] * costs->in_ns[kind] +
                   (double)tick->made[kind] * costs->out_ns[kind];
    return cost_ns;
}

/* The time of a tick, by its index in `measured`, with the recording overhead subtracted. */
static int64_t time_of(const struct tick_meter *meter, size_t index, double unit_ns,
                       const struct call_costs *costs)
{
    const struct measured_tick *tick = &meter->measured[index];
    return less_cost(tick->self, unit_ns, cost_ns_of(tick, costs));
}

void tick_meter_sum(const struct tick_meter *meter, size_t first, double unit_ns,
                    const struct call_costs *costs, int64_t limit_ns, struct tick_sums *sums)
{
    for (size_t i = first; i < meter->count; i++) {
        int64_t time_ns = time_of(meter, i, unit_ns, costs);
        tick_sums_add(sums, meter->measured[i].number, time_ns, limit_ns);
    }
}

/* Moves the functions of a tick, and compares it with the prices, if there are any. */
static void finish_kept(struct tick_meter *meter, struct measured_tick *from, struct tick *to,
                        double unit_ns, const struct call_costs *costs, int64_t all_over_ns)
{
    enum { FACTOR = 3 };
    struct priced_tick priced = {0};
    finish_functions(from, to, unit_ns, costs, &priced, &meter->prices, all_over_ns);
    free(from->functions);
    if (meter->prices.count == 0)
        return;
    double cost_ns = cost_ns_of(from, costs);
    to->usual_ns = number_nearest(fmax(priced.usual_units * unit_ns - cost_ns, 0));
    to->is_disturbed = to->time_ns / FACTOR > to->usual_ns && priced_tick_is_slower(&priced);
}

static int compare_longest(const void *left, const void *right)
{
    const struct tick *a = *(struct tick *const *)left, *b = *(struct tick *const *)right;
    return ORDER(b->measured_ns, a->measured_ns, ORDER(a, b, 0));
}

/* Drops the functions of all ticks from `first` on, but of the longest that have some. */
static void drop_shorter(struct tick_list *list, size_t first, size_t kept_max)
{
    struct tick **kept = mem_zeroed(list->count - first, sizeof(struct tick *));
    size_t kept_count = 0;
    for (size_t i = first; i < list->count; i++)
        if (list->ticks[i].functions != NULL)
            kept[kept_count++] = &list->ticks[i];
    if (kept_count > kept_max)
        qsort(kept, kept_count, sizeof *kept, compare_longest);
    for (size_t i = kept_max; i < kept_count; i++) {
        free(kept[i]->functions);
        kept[i]->functions = NULL;
        kept[i]->function_count = 0;
    }
    free(kept);
}

void tick_meter_finish(struct tick_meter *meter, struct tick_list *list, uint32_t recording,
                       double unit_ns, const struct call_costs *costs, size_t kept_max,
                       int64_t all_over_ns)
{
    size_t first = list->count;
    prices_finish(&meter->prices);
    MEM_GROW(list->ticks, list->capacity, list->count + meter->count);
    for (size_t i = 0; i < meter->count; i++) {
        struct measured_tick *from = &meter->measured[i];
        struct tick *to = &list->ticks[list->count++];
        int64_t calls = 0;
        for (int kind = 0; kind < CALL_KIND_COUNT; kind++)
            calls += from->calls[kind];
        *to = (struct tick){
            .number = from->number,
            .recording = recording,
            .measured_ns = less_cost(from->self, unit_ns, 0),
            .time_ns = time_of(meter, i, unit_ns, costs),
            .usual_ns = -1,
            .calls = (uint64_t)calls,
        };
        to->over_ns = to->time_ns - list->limit_ns;
        if (from->functions != NULL)
            finish_kept(meter, from, to, unit_ns, costs, all_over_ns);
    }
    drop_shorter(list, first, kept_max);
    meter->count = 0;
}

void tick_meter_release(struct tick_meter *meter)
{
    for (size_t i = 0; i < meter->count; i++)
        free(meter->measured[i].functions);
    MEM_FREE(meter->measured, meter->kept, meter->sums, meter->is_found, meter->found);
    text_release(&meter->packed);
    prices_release(&meter->prices);
    *meter = (struct tick_meter){0};
}

static int64_t units_in_tick(const struct nodes *nodes, const struct touched_node *touched)
{
    return nodes->at[touched->node].self - touched->before.self;
}

void slow_ticks_begin(struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->touched_count; i++)
        nodes_part(nodes, nodes->touched[i].node)->outside +=
            units_in_tick(nodes, &nodes->touched[i]);
}

/* Returns whether the callers of all nodes of the tick are known: none will be moved. */
static bool keep_units(struct waiting_tick *waiting, const struct nodes *nodes)
{
    bool has_callers = true;
    waiting->units = mem_zeroed(nodes->touched_count, sizeof *waiting->units);
    for (size_t i = 0; i < nodes->touched_count; i++) {
        uint32_t node = nodes->touched[i].node;
        int64_t units = units_in_tick(nodes, &nodes->touched[i]);
        has_callers &= !nodes_known_origin(nodes, node)->is_listed;
        if (units != 0)
            waiting->units[waiting->count++] = (struct node_units){node, units};
    }
    return has_callers;
}

static void decide(struct slow_ticks *slow, struct nodes *nodes, struct waiting_tick *tick,
                   bool is_slow)
{
    for (size_t i = 0; is_slow && i < tick->count; i++)
        nodes_part(nodes, tick->units[i].node)->slow += tick->units[i].units;
    free(tick->units);
    struct decided_tick decided = {tick->index, is_slow};
    MEM_APPEND(slow->decided, slow->decided_count, slow->decided_capacity, decided);
}

/* A waiting tick, and how far it is from the limit. */
struct distant_tick {
    struct waiting_tick tick;
    int64_t over_ns; /* negative: below the limit */
};

static int compare_distances(const void *left, const void *right)
{
    const struct distant_tick *a = left, *b = right;
    int64_t near = llabs(a->over_ns), far = llabs(b->over_ns);
    return ORDER(near, far, ORDER(a->tick.index, b->tick.index, 0));
}

/* Decides those that are farthest from the limit, all but `left` of them. */
static void decide_farthest(struct slow_ticks *slow, struct nodes *nodes,
                            const struct tick_meter *meter, double unit_ns,
                            const struct call_costs *costs, size_t left)
{
    struct distant_tick distant[SLOW_TICKS_WAITING_MAX];
    for (size_t i = 0; i < slow->waiting_count; i++) {
        size_t index = slow->waiting[i].index;
        distant[i].tick = slow->waiting[i];
        distant[i].over_ns = time_of(meter, index, unit_ns, costs) - slow->limit_ns;
    }
    qsort(distant, slow->waiting_count, sizeof *distant, compare_distances);
    for (size_t i = 0; i < slow->waiting_count; i++)
        if (i < left)
            slow->waiting[i] = distant[i].tick;
        else
            decide(slow, nodes, &distant[i].tick, distant[i].over_ns > 0);
    if (slow->waiting_count > left)
        slow->waiting_count = left;
}

void slow_ticks_add(struct slow_ticks *slow, struct nodes *nodes, const struct tick_meter *meter,
                    double unit_ns, const struct call_costs *costs)
{
    struct waiting_tick tick = {.index = meter->count - 1};
    bool has_callers = keep_units(&tick, nodes);
    slow->is_wrong |= nodes->has_moved_older;
    if (!has_callers) {
        int64_t time_ns = time_of(meter, tick.index, unit_ns, costs);
        decide(slow, nodes, &tick, time_ns > slow->limit_ns);
        return;
    }
    if (slow->waiting_count == SLOW_TICKS_WAITING_MAX)
        decide_farthest(slow, nodes, meter, unit_ns, costs, SLOW_TICKS_WAITING_MAX / 2);
    slow->waiting[slow->waiting_count++] = tick;
}

void slow_ticks_finish(struct slow_ticks *slow, struct nodes *nodes, const struct tick_meter *meter,
                       double unit_ns, const struct call_costs *costs)
{
    decide_farthest(slow, nodes, meter, unit_ns, costs, 0);
    for (size_t i = 0; i < slow->decided_count; i++) {
        const struct decided_tick *tick = &slow->decided[i];
        int64_t time_ns = time_of(meter, tick->index, unit_ns, costs);
        slow->is_wrong |= tick->is_slow != (time_ns > slow->limit_ns);
    }
}

void slow_ticks_release(struct slow_ticks *slow)
{
    for (size_t i = 0; i < slow->waiting_count; i++)
        free(slow->waiting[i].units);
    free(slow->decided);
    *slow = (struct slow_ticks){0};
}
