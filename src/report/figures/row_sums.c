#include "report/figures/row_sums.h"

#include "base/number.h"
#include "rebuild/ending/overhead.h"
#include "tree/line_runs.h"
#include "tree/samples.h"

#include <math.h>

const struct table_by_info table_by_infos[] = {
    [BY_FUNCTION] = {"function", "function"},
    [BY_FILE] = {"file", "file"},
    [BY_MOD] = {"mod", "mod"},
    [BY_LINE] = {"line", "called from"},
    [BY_STACK] = {"stack", "stack"},
    [BY_THREAD] = {"thread", "thread began in"},
};

/* `owner`: the function that the node counts for. Where only the old profile has the node, it gives
 * the thread. */
static struct row_group group_of(const struct row_sums *table, uint32_t node, uint32_t owner)
{
    const struct tree *tree = table->tree;
    const struct tree *old_tree = table->old_tree;
    const struct call *call = &tree->calls[node];
    const struct label *label = &table->labels->of[owner];
    struct row_group group = {.function = TREE_NONE};
    switch (table->by) {
    case BY_FUNCTION:
    case BY_STACK:
        group.function = owner;
        break;
    case BY_FILE:
        group.text = label->file;
        break;
    case BY_MOD:
        group.text = label->mod;
        break;
    case BY_LINE:
        group.function = tree->calls[call->parent].function;
        group.line = call->line;
        break;
    case BY_THREAD:
        group.function = owner;
        group.flags = tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        if (group.flags == 0 && old_tree != NULL)
            group.flags = old_tree->flags[node] & (NODE_MAIN | NODE_COROUTINE);
        break;
    }
    return group;
}

/* Returns the number of a group: a new one is the number of those that are known. */
static uint32_t find_group(struct intern *keys, const struct row_group *group)
{
    const uint32_t key[] = {group->function, group->text, (uint32_t)group->line, group->flags};
    return intern_add(keys, (const char *)key, sizeof key);
}

uint32_t *row_sums_owners(const struct tree *tree, enum table_by by, const struct symbols *charging)
{
    bool charges = (by == BY_FILE || by == BY_MOD) && charging != NULL;
    uint32_t *owners = mem_zeroed(tree->node_count, sizeof *owners);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        bool counts_for_caller =
            by == BY_THREAD || (charges && symbols_is_c(charging, call->function));
        owners[node] =
            counts_for_caller && call->parent != TREE_ROOT ? owners[call->parent] : call->function;
    }
    return owners;
}

/* Returns the group of each line that ran, and adds those from which nothing was called. */
static uint32_t *group_lines(struct row_groups *groups, struct intern *keys,
                             const struct tree *tree)
{
    const struct line_runs *runs = tree != NULL ? tree->lines : NULL;
    uint32_t *of_lines = runs != NULL ? mem_zeroed(runs->count, sizeof *of_lines) : NULL;
    for (size_t i = 0; runs != NULL && i < runs->count; i++) {
        struct row_group group = {.function = tree->calls[runs->at[i].node].function,
                                  .line = runs->at[i].line};
        of_lines[i] = find_group(keys, &group);
        if (of_lines[i] == groups->count)
            MEM_APPEND(groups->all, groups->count, groups->capacity, group);
    }
    return of_lines;
}

static bool *find_outermost(const struct row_sums *table)
{
    const struct tree *tree = table->tree;
    if (table->by != BY_FUNCTION)
        return tree_find_outermost(tree, table->groups.of_nodes, table->by == BY_LINE);
    bool *outermost = mem_zeroed(tree->node_count, sizeof *outermost);
    memcpy(outermost, tree->outermost, tree->node_count);
    return outermost;
}

/*
 * Groups the nodes by any kind except BY_STACK. With threads, a root has one group for all of its
 * coroutines, also those whose stacks were seen on the main thread, too: its wakes are those of one
 * function.
 */
static void init_groups(struct row_sums *table)
{
    struct row_groups *groups = &table->groups;
    const struct tree *tree = table->tree;
    enum table_by by = table->by;
    SCOPED_ARRAY uint32_t *owners = row_sums_owners(tree, by, table->charging);
    SCOPED(intern) keys = {0};
    *groups =
        (struct row_groups){.of_nodes = mem_zeroed(tree->node_count, sizeof *groups->of_nodes)};
    /* 1 + the group of each owner, if that is all that it depends on; 0: not met. */
    bool is_of_owner = by == BY_FUNCTION || by == BY_FILE || by == BY_MOD;
    SCOPED_ARRAY uint32_t *of_owner =
        is_of_owner ? mem_zeroed(tree_count_functions(tree), sizeof *of_owner) : NULL;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        if (is_of_owner && of_owner[owners[node]] != 0) {
            groups->of_nodes[node] = of_owner[owners[node]] - 1;
            continue;
        }
        struct row_group group = group_of(table, node, owners[node]), found = group;
        if (table->threads != NULL && (group.flags & NODE_COROUTINE) != 0)
            found.flags = NODE_COROUTINE;
        groups->of_nodes[node] = find_group(&keys, &found);
        if (groups->of_nodes[node] == groups->count)
            MEM_APPEND(groups->all, groups->count, groups->capacity, group);
        groups->all[groups->of_nodes[node]].flags |= group.flags;
        if (is_of_owner)
            of_owner[owners[node]] = groups->of_nodes[node] + 1;
    }
    groups->outermost = find_outermost(table);
    if (by == BY_LINE) {
        groups->of_lines = group_lines(groups, &keys, tree);
        groups->of_old_lines = group_lines(groups, &keys, table->old_tree);
    }
}

const char *threads_name(uint8_t flags)
{
    static const char *const names[] = {
        [0] = "?",
        [NODE_MAIN] = "main",
        [NODE_COROUTINE] = "coroutine",
        [NODE_MAIN | NODE_COROUTINE] = "main+coroutine",
    };
    return names[flags & (NODE_MAIN | NODE_COROUTINE)];
}

/* No share of `all_ns` is below 0, nor above 1. */
static void set_exact_error(struct row *row, double all_ns)
{
    double self_ns = (double)row->sum.self_ns;
    row->has_errors = true;
    row->self_error_ns =
        fmin(2 * call_details_noise_ns(&row->sum.details), fmax(self_ns, all_ns - self_ns));
}

/* Of the self times of groups: the costs of different functions are wrong in different directions,
 * those of one function everywhere in the same. */
static void join_functions(struct row *rows, enum table_by by, const struct row_groups *groups,
                           const struct tree *tree)
{
    SCOPED(intern) pairs = {0};
    SCOPED_ARRAY double *of_pairs = mem_zeroed(tree->node_count, sizeof *of_pairs);
    SCOPED_ARRAY double *squares = mem_zeroed(groups->count, sizeof *squares);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t group = groups->of_nodes[node];
        const uint32_t key[] = {group, tree->calls[node].function};
        uint32_t pair =
            by == BY_FUNCTION ? group : intern_add(&pairs, (const char *)key, sizeof key);
        double *of_pair = &of_pairs[pair];
        double error_ns = tree->details[node].cost_error_ns;
        squares[group] += (2 * *of_pair + error_ns) * error_ns;
        *of_pair += error_ns;
    }
    for (size_t i = 0; i < groups->count; i++) {
        struct call_details *details = &rows[i].sum.details;
        const struct error_sum own = {
            0, details->cost_error_ns, details->common_error_ns, squares[i]};
        details->cost_error_ns = error_sum_cost_ns(&own);
    }
}

/* The errors of self times of ticks that were chosen by chance. */
static void sum_sampled_errors(struct row *rows, const struct row_groups *groups,
                               const struct tree *tree)
{
    SCOPED_ARRAY struct sample_sums *totals = sample_totals(tree);
    SCOPED_ARRAY struct sample_sums *of_rows = mem_zeroed(groups->count, sizeof *of_rows);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        struct sample_sums own = sample_sums_of(tree, node);
        sample_sums_add(&of_rows[groups->of_nodes[node]], &own);
    }
    for (size_t i = 0; i < groups->count; i++) {
        rows[i].is_sampled = rows[i].has_errors = true;
        rows[i].self_error_ns = sample_error_ns(&of_rows[i], &totals[TREE_ROOT]);
    }
}

/* Half of the intervals of total times: of groups of nodes; NULL: they are not asked for, or not
 * known. */
static double *sum_total_errors(const struct row_sums *table, const struct tree *tree,
                                const struct row_groups *groups)
{
    if (tree == NULL || (tree->samples == NULL && !table->wants_total_errors))
        return NULL;
    return groups != NULL
               ? total_half_widths(tree, groups->of_nodes, groups->outermost, groups->count)
               : total_half_widths(tree, NULL, NULL, tree->node_count);
}

/* Returns a row for each group. */
static struct row *sum_rows(const struct row_sums *table, const struct tree *tree)
{
    const struct row_groups *groups = &table->groups;
    struct row *rows = mem_zeroed(groups->count, sizeof *rows);
    for (uint32_t i = 0; i < groups->count; i++)
        rows[i] = (struct row){.sum = sum_of_none(tree->details != NULL), .group = i};
    for (uint32_t node = 1; node < tree->node_count; node++)
        sum_add_node(&rows[groups->of_nodes[node]].sum, tree, node, groups->outermost[node]);
    if (tree->samples != NULL) {
        sum_sampled_errors(rows, groups, tree);
    } else if (tree->details != NULL) {
        join_functions(rows, table->by, groups, tree);
        for (size_t i = 0; i < groups->count; i++)
            set_exact_error(&rows[i], (double)tree->whole_ns);
    }
    SCOPED_ARRAY double *totals_ns = sum_total_errors(table, tree, groups);
    for (size_t i = 0; i < groups->count && totals_ns != NULL; i++)
        rows[i].total_error_ns = totals_ns[i];
    return rows;
}

/* Sums up what the lines of the rows did themselves. */
static struct line_run *sum_lines(struct row *rows, const struct row_groups *groups,
                                  const struct tree *tree, const uint32_t *of_lines)
{
    struct line_run *sums = mem_zeroed(groups->count, sizeof *sums);
    for (size_t i = 0; i < tree->lines->count; i++) {
        const struct line_run *run = &tree->lines->at[i];
        struct line_run *sum = &sums[of_lines[i]];
        sum->runs += run->runs;
        sum->self_ns += run->self_ns;
        rows[of_lines[i]].line = sum;
    }
    return sums;
}

struct ordered_row {
    struct span text;
    uint32_t rank;
    int32_t line;
    uint32_t row;
};

static int compare_ordered(const void *left, const void *right)
{
    const struct ordered_row *a = left, *b = right;
    int order = span_compare(a->text, b->text);
    return order != 0 ? order
                      : ORDER(a->rank, b->rank, ORDER(a->line, b->line, ORDER(a->row, b->row, 0)));
}

static void order_by_label(struct row_sums *table)
{
    const struct labels *labels = table->labels;
    SCOPED_ARRAY struct ordered_row *ordered = mem_zeroed(table->row_count, sizeof *ordered);
    bool has_text = table->by == BY_FILE || table->by == BY_MOD;
    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct row_group *group = &table->groups.all[table->rows[i].group];
        bool has_function = !has_text && group->function != TREE_NONE;
        ordered[i] = (struct ordered_row){
            .text = has_text ? labels_text(labels, group->text) : span_of(""),
            .rank = has_function ? labels->ranks[group->function] + 1 : 0,
            .line = table->by == BY_THREAD ? group->flags : group->line,
            .row = i,
        };
    }
    qsort(ordered, table->row_count, sizeof *ordered, compare_ordered);
    for (uint32_t i = 0; i < table->row_count; i++)
        table->rows[ordered[i].row].order = i;
}

static bool is_stack(const struct tree *tree, uint32_t node)
{
    if (tree == NULL)
        return false;
    /* An error can end a call that was counted before the profile began. */
    const struct call_details *details = tree->details != NULL ? &tree->details[node] : NULL;
    return tree->call_counts[node] > 0 || tree->self_ns[node] != 0 ||
           (details != NULL && (details->errors > 0 || details->memory_kb > 0));
}

/* Of chosen ticks; NULL: others. */
static struct sample_sums *sum_samples(const struct tree *tree)
{
    return tree != NULL && tree->samples != NULL ? sample_totals(tree) : NULL;
}

/* `samples`: see sum_samples(); `totals_ns`: see sum_total_errors(). */
static struct row row_of_node(const struct tree *tree, const struct sample_sums *samples,
                              const double *totals_ns, uint32_t node, uint32_t order)
{
    struct row row = {.sum = sum_of_none(tree->details != NULL), .group = node, .order = order};
    sum_add_node(&row.sum, tree, node, true);
    if (samples != NULL) {
        struct sample_sums own = sample_sums_of(tree, node);
        row.is_sampled = row.has_errors = true;
        row.self_error_ns = sample_error_ns(&own, &samples[TREE_ROOT]);
    } else if (tree->details != NULL) {
        set_exact_error(&row, (double)tree->whole_ns);
    }
    row.total_error_ns = totals_ns != NULL ? totals_ns[node] : 0;
    return row;
}

/* A row for each node that has calls or time of its own, in either tree. */
static void list_stacks(struct row_sums *table)
{
    const struct tree *tree = table->tree, *old_tree = table->old_tree;
    for (uint32_t node = 1; node < tree->node_count; node++)
        table->row_count += is_stack(tree, node) || is_stack(old_tree, node);
    table->rows = mem_zeroed(table->row_count, sizeof *table->rows);
    if (old_tree != NULL)
        table->old_rows = mem_zeroed(table->row_count, sizeof *table->old_rows);
    SCOPED(tree_order) order;
    tree_order_init(&order, tree, table->labels->ranks);
    SCOPED_ARRAY struct sample_sums *samples = sum_samples(tree);
    SCOPED_ARRAY struct sample_sums *old_samples = sum_samples(old_tree);
    SCOPED_ARRAY double *totals_ns = sum_total_errors(table, tree, NULL);
    SCOPED_ARRAY double *old_totals_ns = sum_total_errors(table, old_tree, NULL);
    uint32_t count = 0;
    for (uint32_t place = 1; place < tree->node_count; place++) {
        uint32_t node = order.nodes[place];
        if (!is_stack(tree, node) && !is_stack(old_tree, node))
            continue;
        table->rows[count] = row_of_node(tree, samples, totals_ns, node, count);
        if (old_tree != NULL)
            table->old_rows[count] = row_of_node(old_tree, old_samples, old_totals_ns, node, count);
        count++;
    }
}

/* Gives rows their threads, and removes those without any. */
static void keep_threads(struct row_sums *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row_group *group = &table->groups.all[table->rows[i].group];
        struct row row = table->rows[i];
        if ((group->flags & NODE_COROUTINE) == 0)
            continue;
        row.threads = thread_sums_of(table->threads, group->function);
        if (row.threads != NULL)
            table->rows[count++] = row;
    }
    table->row_count = count;
}

/* A row for each group of nodes. */
static void list_groups(struct row_sums *table)
{
    struct row_groups *groups = &table->groups;
    init_groups(table);
    table->row_count = groups->count;
    table->rows = sum_rows(table, table->tree);
    if (groups->of_lines != NULL)
        table->lines = sum_lines(table->rows, groups, table->tree, groups->of_lines);
    if (table->threads != NULL)
        keep_threads(table);
    order_by_label(table);
    if (table->old_tree != NULL) {
        SCOPED_ARRAY struct row *old_rows = sum_rows(table, table->old_tree);
        if (groups->of_old_lines != NULL)
            table->old_lines = sum_lines(old_rows, groups, table->old_tree, groups->of_old_lines);
        table->old_rows = mem_zeroed(table->row_count, sizeof *table->old_rows);
        for (size_t i = 0; i < table->row_count; i++)
            table->old_rows[table->rows[i].order] = old_rows[i];
    }
}

/* Orders rows by a column, or by the sizes of its differences: the largest first. */
static void sort_by_column(struct keyed *keyed, const struct row_sums *table, enum column_kind sort)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[keyed[i].item];
        const struct row *old = row_sums_old(table, row);
        double value = column_sort_key(sort, row);
        keyed[i].key =
            ~key_of_double(old != NULL ? fabs(value - column_sort_key(sort, old)) : value);
    }
    key_sort(keyed, table->row_count);
}

void row_sums_sort(struct row_sums *table, const struct keyed *order)
{
    struct row *sorted = mem_zeroed(table->row_count, sizeof *sorted);
    for (size_t i = 0; i < table->row_count; i++)
        sorted[i] = table->rows[order[i].item];
    free(table->rows);
    table->rows = sorted;
}

static void sort_rows(struct row_sums *table)
{
    SCOPED_ARRAY struct keyed *keyed = mem_zeroed(table->row_count, sizeof *keyed);
    for (uint32_t i = 0; i < table->row_count; i++)
        keyed[table->rows[i].order].item = i;
    sort_by_column(keyed, table, COLUMN_SELF);
    if (table->sort != COLUMN_SELF)
        sort_by_column(keyed, table, table->sort);
    row_sums_sort(table, keyed);
    int64_t sum_ns = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        sum_ns += table->rows[i].sum.self_ns;
        table->rows[i].sum_ns = sum_ns;
    }
}

/* Scales the times of all old rows to the numbers of calls of the new ones. */
static void scale_rows(struct row_sums *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        struct row *row = &table->old_rows[table->rows[i].order];
        struct sum *old = &row->sum;
        uint64_t calls = table->rows[i].sum.calls;
        if (old->calls == 0 || calls == 0)
            continue;
        double factor = (double)calls / (double)old->calls;
        old->self_ns = number_scaled(old->self_ns, factor);
        old->total_ns = number_scaled(old->total_ns, factor);
        call_details_scale_times(&old->details, factor);
        row->self_error_ns *= factor;
        row->total_error_ns *= factor;
    }
}

void row_sums_init(struct row_sums *table)
{
    if (table->by == BY_STACK)
        list_stacks(table);
    else
        list_groups(table);
    if (table->old_tree != NULL && table->scales_calls)
        scale_rows(table);
    sort_rows(table);
}

void row_sums_release(struct row_sums *table)
{
    struct row_groups *groups = &table->groups;
    MEM_FREE(table->rows, table->old_rows, table->lines, table->old_lines);
    MEM_FREE(
        groups->all, groups->of_nodes, groups->outermost, groups->of_lines, groups->of_old_lines);
    *table = (struct row_sums){0};
}

/*
 * The largest rounding error of a log line's time: delins' profiler adds up its calls as floats
 * of 24 bits, and each addition rounds.
 */
static double rounding_ns(const struct tree *tree, uint32_t node)
{
    enum { CALLS_MAX = 1 << 14 }; /* the errors of more cancel out */
    uint64_t calls = tree->call_counts[node] + 1;
    double share = (double)(calls < CALLS_MAX ? calls : CALLS_MAX) / (1 << 24);
    return fabs((double)tree->total_ns[node]) * share + 1;
}

/* A self time is the difference between a line's time and the times below it. */
static void sum_up_negative(struct report_totals *totals, const struct tree *tree)
{
    SCOPED_ARRAY double *unsure_ns = mem_zeroed(tree->node_count, sizeof *unsure_ns);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        unsure_ns[node] += rounding_ns(tree, node);
        unsure_ns[tree->calls[node].parent] += rounding_ns(tree, node);
    }
    for (uint32_t node = 1; node < tree->node_count; node++) {
        bool is_explained = (double)-tree->self_ns[node] <= unsure_ns[node];
        totals->negative_count += !is_explained;
        totals->negative_ns += is_explained ? 0 : tree->self_ns[node];
    }
}

/* What the nodes of a function add up to. */
struct used {
    int64_t self_ns;
    bool is_used;
};

struct report_totals totals_sum_up(const struct tree *tree, const struct symbols *symbols)
{
    struct report_totals totals = {0};
    SCOPED_ARRAY struct used *used = mem_zeroed(symbols->function_count, sizeof *used);
    bool has_negative = false;
    int64_t of_threads_ns[(NODE_MAIN | NODE_COROUTINE) + 1] = {0};
    for (uint32_t node = 1; node < tree->node_count; node++) {
        uint32_t function = tree->calls[node].function;
        totals.stacks += (tree->flags[node] & NODE_SEEN) != 0;
        totals.calls += tree->call_counts[node];
        of_threads_ns[tree->flags[node] & (NODE_MAIN | NODE_COROUTINE)] += tree->self_ns[node];
        has_negative |= tree->self_ns[node] < 0;
        used[function].is_used = true;
        used[function].self_ns += tree->self_ns[node];
    }
    for (uint32_t i = 0; i < symbols->function_count; i++) {
        totals.functions += used[i].is_used;
        totals.c_ns += symbols_is_c(symbols, i) ? used[i].self_ns : 0;
    }
    totals.main_ns = of_threads_ns[NODE_MAIN];
    totals.coroutine_ns = of_threads_ns[NODE_COROUTINE];
    totals.both_ns = of_threads_ns[0] + of_threads_ns[NODE_MAIN | NODE_COROUTINE];
    if (has_negative)
        sum_up_negative(&totals, tree);
    return totals;
}
