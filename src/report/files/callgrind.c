/*
 * Callgrind's profile data, for KCachegrind, QCachegrind and callgrind_annotate (the
 * format is in the manual of Valgrind, "Callgrind Format Specification"): the self time
 * of each function, and for each of its calling lines the number of calls and their
 * total time.
 *
 * Readers add up the calls of a function to get its total time, so in a recursion only
 * the outermost call may have a cost. For the stack A;B;C;B with 1 ms self time in each:
 *
 *     caller  callee  calls  cost
 *     (all)   A       1      4
 *     A       B       1      3
 *     B       C       1      2
 *     C       B       1      0    B is on the stack already
 *
 * and the total time of B is 3 ms, as in every other report. The caller of all roots is a
 * function "(all)", without which roots would have no total time.
 *
 * A function is written with its name and the line it is defined at, in a file. Readers
 * merge two functions with the same name in one file, and ignore blanks before a name. So
 * if both " next [C]" and "next [C]" occur, the second gets a number: "next #37".
 *
 * A number of calls must be at least 1: if a profile began in the middle of a call, that
 * call is counted here. Edges with neither calls nor a cost are left out.
 */
#include "base/mem.h"
#include "base/sort.h"
#include "report/figures/formats.h"
#include "report/figures/report.h"
#include "select/viewer_tree.h"
#include "tree/stacks.h"
#include "tree/tree.h"

struct graph {
    const struct report *report;
    const struct symbols *symbols;
    struct viewer_tree viewer;
    uint32_t function_count;
    int64_t *self_ns;    /* [function_count] */
    struct keyed *calls; /* [call_count]: the nodes by caller, line and callee */
    size_t call_count;
    struct intern files;      /* whose names were written; numbers in the file are these + 1 */
    struct intern identities; /* the written functions as readers identify them */
    uint8_t *is_named;        /* [function_count]: its name was written */
};

/* Position among all functions in order of label. */
static uint32_t rank_of(const struct graph *graph, uint32_t function)
{
    return graph->report->labels->ranks[function];
}

/* 0 for "(all)", which comes first; then in order of label. */
static uint64_t caller_rank(const struct graph *graph, uint32_t node)
{
    const struct tree *tree = &graph->viewer.tree;
    uint32_t caller = tree->calls[tree->calls[node].parent].function;
    return caller == TREE_NONE ? 0 : 1 + (uint64_t)rank_of(graph, caller);
}

static void build(struct graph *graph)
{
    const struct tree *tree = &graph->viewer.tree;
    graph->self_ns = mem_zeroed(graph->function_count, sizeof *graph->self_ns);
    graph->calls = mem_zeroed(tree->node_count, sizeof *graph->calls);
    for (uint32_t node = 1; node < tree->node_count; node++) {
        const struct call *call = &tree->calls[node];
        uint64_t line = (uint32_t)line_number(call->line);
        graph->self_ns[call->function] += tree->self_ns[node];
        graph->calls[graph->call_count++] =
            (struct keyed){line << 32 | rank_of(graph, call->function), node};
    }
    key_sort(graph->calls, graph->call_count);
    for (size_t i = 0; i < graph->call_count; i++)
        graph->calls[i].key = caller_rank(graph, graph->calls[i].item);
    key_sort(graph->calls, graph->call_count);
}

static struct span without_blanks(struct span span)
{
    for (; span.length > 0 && span.at[0] == ' '; span.length--)
        span.at++;
    return span;
}

/* Whether readers would not confuse a function with one written before. */
static bool is_new(struct graph *graph, struct span file, struct span name)
{
    SCOPED(text) identity = {0};
    uint32_t known = graph->identities.count;
    file = without_blanks(file);
    name = without_blanks(name);
    text_put_span(&identity, file);
    text_put_string(&identity, ":");
    text_put_span(&identity, name);
    return intern_add_span(&graph->identities, text_span(&identity)) == known;
}

static void put_name(struct text *text, struct graph *graph, uint32_t function, struct span file)
{
    const struct labels *labels = graph->report->labels;
    struct span name = labels_text(labels, labels->of[function].name);
    size_t start = text->length;
    text_put_span(text, name);
    if (symbols_is_lua(graph->symbols, function)) {
        text_put_string(text, ":");
        text_put_number(text, symbols_line(graph->symbols, function));
    }
    size_t end = text->length;
    /* Numbers grow with the functions written: most are new at the first attempt. */
    for (uint32_t number = graph->identities.count;
         !is_new(graph, file, (struct span){text->at + start, text->length - start});
         number++) {
        text_cut(text, end);
        text_put_string(text, " #");
        text_put_count(text, number);
    }
}

/* A name is written once; after that only its number. */
static void put_function(struct text *text, struct graph *graph, uint32_t function, bool is_callee)
{
    struct span file = report_path(graph->report, function);
    uint32_t known = graph->files.count;
    uint32_t id = intern_add_span(&graph->files, file);
    text_put_string(text, is_callee ? "cfl=(" : "fl=(");
    text_put_count(text, (uint64_t)id + 1);
    text_put_string(text, ")");
    if (id == known) {
        text_put_string(text, " ");
        text_put_span(text, file);
    }
    text_put_string(text, is_callee ? "\ncfn=(" : "\nfn=(");
    text_put_count(text, (uint64_t)function + 2);
    text_put_string(text, ")");
    if (!graph->is_named[function]) {
        text_put_string(text, " ");
        put_name(text, graph, function, file);
    }
    graph->is_named[function] = 1;
    text_put_string(text, "\n");
}

static void put_cost(struct text *text, int32_t line, int64_t cost_ns)
{
    text_put_number(text, line);
    text_put_string(text, " ");
    text_put_number(text, cost_ns);
    text_put_string(text, "\n");
}

/* Appends the calls of a function from one line, the first of which is at *at, and goes on. */
static void put_edge(struct text *text, struct graph *graph, size_t *at)
{
    const struct tree *tree = &graph->viewer.tree;
    const struct keyed *first = &graph->calls[*at];
    uint32_t callee = tree->calls[first->item].function;
    int32_t line = line_number(tree->calls[first->item].line);
    uint64_t calls = 0;
    int64_t cost_ns = 0;
    for (; *at < graph->call_count && graph->calls[*at].key == first->key; ++*at) {
        uint32_t node = graph->calls[*at].item;
        if (tree->calls[node].function != callee || line_number(tree->calls[node].line) != line)
            break;
        calls += tree->call_counts[node];
        cost_ns += tree->outermost[node] ? tree->total_ns[node] : 0;
    }
    if (calls == 0 && cost_ns == 0)
        return;
    put_function(text, graph, callee, true);
    text_put_string(text, "calls=");
    text_put_count(text, calls > 0 ? calls : 1);
    text_put_string(text, " ");
    text_put_number(text, symbols_line(graph->symbols, callee));
    text_put_string(text, "\n");
    put_cost(text, line, cost_ns);
}

/* Appends all calls of a caller that is next. */
static void put_edges(struct text *text, struct graph *graph, size_t *at, uint64_t rank)
{
    while (*at < graph->call_count && graph->calls[*at].key == rank)
        put_edge(text, graph, at);
}

/* Every function with a cost or a call, in order of labels, after "(all)". */
static void write_functions(struct graph *graph, struct output *out)
{
    struct text text = {0};
    SCOPED_ARRAY uint32_t *by_rank = mem_zeroed(graph->function_count, sizeof *by_rank);
    for (uint32_t i = 0; i < graph->function_count; i++)
        by_rank[rank_of(graph, i)] = i;
    size_t at = 0;
    is_new(graph, span_of("(all)"), span_of("(all)"));
    text_put_string(&text, "fl=(0) (all)\nfn=(1) (all)\n");
    put_edges(&text, graph, &at, 0);
    output_put_text(out, &text);
    for (uint32_t rank = 0; rank < graph->function_count && !output_has_failed(out); rank++) {
        uint32_t function = by_rank[rank];
        bool has_edges = at < graph->call_count && graph->calls[at].key == rank + 1;
        if (!has_edges && graph->self_ns[function] == 0)
            continue;
        text_put_string(&text, "\n");
        put_function(&text, graph, function, false);
        put_cost(&text, symbols_line(graph->symbols, function), graph->self_ns[function]);
        put_edges(&text, graph, &at, (uint64_t)rank + 1);
        output_put_text(out, &text);
    }
    text_printf(&text, "\ntotals: %lld\n", (long long)graph->viewer.tree.total_ns[TREE_ROOT]);
    output_end_text(out, &text);
}

static struct report_result write_callgrind(const struct report *report, struct output *out)
{
    struct graph graph = {.report = report, .symbols = &report->profile->symbols};
    SCOPED(text) head = {0};
    graph.function_count = report->profile->symbols.function_count;
    viewer_tree_init(&graph.viewer, report->tree, report->labels);
    graph.is_named = mem_zeroed(graph.function_count, 1);
    build(&graph);

    text_put_string(&head,
                    "# callgrind format\nversion: 1\ncreator: supprof " SUPPROF_VERSION "\ncmd: ");
    text_put_clean(&head, span_of(report->title), false);
    text_put_string(&head, "\npositions: line\nevent: ns : Time in nanoseconds\nevents: ns\n\n");
    output_put_text(out, &head);
    write_functions(&graph, out);
    struct report_result result = report_viewer_result(report, &graph.viewer);
    viewer_tree_release(&graph.viewer);
    intern_release(&graph.files);
    intern_release(&graph.identities);
    MEM_FREE(graph.self_ns, graph.calls, graph.is_named);
    return result;
}

const struct report_format report_callgrind = {
    .name = "callgrind",
    .summary = "for KCachegrind, QCachegrind",
    .uses = USES_PROFILE | USES_LINES | USES_SOURCES | SHOWS_SUMS,
    .suffixes = {".callgrind", NULL},
    .prefix = "callgrind.",
    .write = write_callgrind,
};
