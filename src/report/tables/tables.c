#include "report/tables/tables.h"

#include "report/tables/line_table.h"
#include "report/tables/repeated_tables.h"
#include "report/tables/tick_tables.h"
#include "report/tables/tree_table.h"

static void walk_functions(const struct table_walk *walk)
{
    struct function_table functions;
    struct repeated_tables repeated;
    if (walk->report->repeated != NULL) {
        repeated_tables_init(&repeated, walk->report, walk->reader);
        walk->take(walk->context, &repeated.rows);
        repeated_tables_release(&repeated);
    } else {
        function_table_init(&functions, walk->report, walk->report->show.by, walk->reader);
        walk->take(walk->context, &functions.table);
        function_table_release(&functions);
    }
}

static void pass_on(const struct table_walk *walk, enum tick_table_kind kind)
{
    SCOPED(tick_table) ticks;
    tick_table_init(&ticks, walk->report, kind, walk->reader);
    walk->take(walk->context, &ticks.table);
}

static void walk_ticks(const struct table_walk *walk)
{
    pass_on(walk, TICKS_EACH);
}

static void walk_what_if(const struct table_walk *walk)
{
    pass_on(walk, TICKS_WHAT_IF);
}

static void walk_lines(const struct table_walk *walk)
{
    SCOPED(listing) listing;
    listing_init(&listing, walk->report, walk->report->is_listed);
    for (size_t i = 0; i < listing.edges.function_count; i++) {
        SCOPED(line_table) lines;
        line_table_init(&lines, &listing, i, SIZE_MAX, walk->reader);
        walk->take(walk->context, &lines.table);
    }
}

static void walk_tree(const struct table_walk *walk)
{
    SCOPED(tree_table) tree;
    tree_table_init(&tree, walk->report, report_room(walk->report, 0), walk->reader);
    walk->take(walk->context, &tree.table);
}

void tables_walk(const struct table_walk *walk, enum report_table kind)
{
    static void (*const walks[TABLE_COUNT])(const struct table_walk *walk) = {
        [TABLE_FUNCTIONS] = walk_functions, [TABLE_TICKS] = walk_ticks,
        [TABLE_WHAT_IF] = walk_what_if,     [TABLE_PEEK] = edge_tables_walk,
        [TABLE_LIST] = walk_lines,          [TABLE_TREE] = walk_tree,
    };
    walks[kind](walk);
}
