#include "report/pages/html/html_data.h"

#include "base/mem.h"
#include "report/tables/tables.h"

static void put_zeros(struct html_column *column)
{
    for (; column->zero_count > 0; column->zero_count--)
        text_put_string(&column->values, column->values.length > 0 ? ",0" : "0");
}

/* Returns where the caller appends the next value of a column. */
static struct text *next_value(struct html_column *column)
{
    put_zeros(column);
    if (column->values.length > 0)
        text_put_string(&column->values, ",");
    return &column->values;
}

static void add_number(struct html_column *column, int64_t number)
{
    if (number == 0)
        column->zero_count++;
    else
        text_put_number(next_value(column), number);
}

/* Puts a column, unless all is 0 and it is not kept; releases it. */
static void put_column(struct html_column *column, bool is_kept, struct json_writer *json)
{
    if (column->values.length > 0 || is_kept) {
        struct text *value = json_value(json, column->key);
        put_zeros(column);
        text_put_string(value, "[");
        text_put_span(value, text_span(&column->values));
        text_put_string(value, "]");
    }
    text_release(&column->values);
}

void html_columns_add(struct html_columns *columns, const struct html_cell *row)
{
    for (struct html_column *column = columns->columns; row->key != NULL; row++, column++) {
        column->key = row->key;
        add_number(column, row->number);
    }
    columns->group_size++;
}

void html_columns_end_group(struct html_columns *columns)
{
    add_number(&columns->counts, columns->group_size);
    columns->group_size = 0;
    columns->counts.key = "counts";
}

void html_columns_put(struct html_columns *columns, struct json_writer *json)
{
    for (size_t i = 0; i < HTML_COLUMNS_MAX && columns->columns[i].key != NULL; i++)
        put_column(&columns->columns[i], !columns->leaves_out_zeros, json);
    if (columns->counts.key != NULL)
        put_column(&columns->counts, true, json);
}

/* Tables ------------------------------------------------------------------------------------ */

void html_table_init(struct html_table *table, const struct report *report, enum table_by by)
{
    table->shown = *report;
    table->shown.show = (struct report_options){.by = by, .has_threads = by == BY_THREAD};
    function_table_init(&table->functions, &table->shown, by, FOR_PAGE);
}

/* Whether a column says what a row is. */
static bool is_key(const struct column_info *info)
{
    return info->type == TYPE_FUNCTION || info->type == TYPE_NUMBER || info->type == TYPE_TEXT ||
           info->type == TYPE_LABEL;
}

/* Fills the cells of a row, [column_count]; returns whether the page has use for it. */
static bool get_row(const struct html_writing *writing, const struct table *table, size_t row,
                    struct cell *cells)
{
    bool is_known = false;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct table_column *column = &table->columns[i];
        table_get(table, row, column, &cells[i]);
        if (cells[i].type == TYPE_FUNCTION &&
            (!cells[i].is_known || !html_knows(writing, (uint32_t)cells[i].number)))
            return false;
        is_known |= cells[i].is_known && !is_key(column->info);
    }
    return is_known;
}

static void add_label(struct html_column *column, const struct cell *cell)
{
    struct text *value = next_value(column);
    text_put_string(value, "[");
    json_put_string(value, text_span(&cell->text));
    text_put_string(value, ",");
    json_put_string(value, text_span(&cell->place));
    text_put_string(value, "]");
}

static void add_cell(const struct html_writing *writing, struct html_column *column,
                     const struct cell *cell)
{
    column->is_known |= cell->is_known;
    if (!cell->is_known)
        text_put_string(next_value(column), "null");
    else if (cell->type == TYPE_TEXT)
        json_put_string(next_value(column), text_span(&cell->text));
    else if (cell->type == TYPE_LABEL)
        add_label(column, cell);
    else if (cell->type == TYPE_FUNCTION)
        add_number(column, writing->number_of[cell->number]);
    else if (cell->type == TYPE_REAL || cell->type == TYPE_CHANCE)
        text_printf(next_value(column), "%.12g", cell->real);
    else
        add_number(column, cell->number);
}

/* The name that programs know a column by. */
static const char *key_of(struct text *key, const struct table *table,
                          const struct table_column *column)
{
    text_cut(key, 0);
    column_put_key(key, table, column);
    return text_string(key);
}

static void put_infos(struct json_writer *json, const struct table *table)
{
    static const char *const kinds[] = {[TYPE_SUM] = "time",
                                        [TYPE_CALL] = "time",
                                        [TYPE_PERCENT] = "part",
                                        [TYPE_COUNT] = "count",
                                        [TYPE_LABEL] = NULL};
    SCOPED(text) key = {0}, title = {0};
    JSON_ARRAY(json, "columns");
    for (size_t i = 0; i < table->column_count; i++) {
        const struct column_info *info = table->columns[i].info;
        if (is_key(info) || info->title == NULL)
            continue;
        JSON_ARRAY(json, NULL);
        key_of(&key, table, &table->columns[i]);
        json_text(json, NULL, text_span(&key));
        text_cut(&title, 0);
        column_put_title(&title, table, &table->columns[i]);
        json_text(json, NULL, text_span(&title));
        const char *kind =
            aspect_infos[table->columns[i].aspect].is_change ? "change" : kinds[info->type];
        const char *text = info->text != NULL ? info->text : "";
        /* What help says of options is of no use in a page. */
        const char *option = strstr(text, "; with --");
        size_t length = option != NULL ? (size_t)(option - text) : strlen(text);
        json_text(json, NULL, span_of(kind != NULL ? kind : "other"));
        json_text(json, NULL, (struct span){text, length});
        json_count(json, NULL, table->columns[i].order);
    }
}

void html_put_table(struct html_writing *writing, const struct table *table)
{
    SCOPED_ARRAY struct html_column *columns = mem_zeroed(table->column_count, sizeof *columns);
    SCOPED_ARRAY struct cell *cells = mem_zeroed(table->column_count, sizeof *cells);
    SCOPED(text) key = {0};
    for (size_t row = 0; row < table->row_count; row++)
        if (get_row(writing, table, row, cells))
            for (size_t i = 0; i < table->column_count; i++)
                add_cell(writing, &columns[i], &cells[i]);
    /* The medians and changes of samples are the page's own. */
    if (!table->has_samples)
        put_infos(&writing->json, table);
    for (size_t i = 0; i < table->column_count; i++) {
        bool is_null = !columns[i].is_known && columns[i].values.length > 0;
        columns[i].key = key_of(&key, table, &table->columns[i]);
        if (is_null) {
            json_null(&writing->json, columns[i].key);
            text_release(&columns[i].values);
        } else {
            put_column(&columns[i], i == 0, &writing->json);
        }
        cell_release(&cells[i]);
    }
}

void html_put_object(struct html_writing *writing, const char *key, const struct table *table)
{
    JSON_OBJECT(&writing->json, key);
    html_put_table(writing, table);
}

static void put_keyed(struct table_walk *walk, const struct table *table)
{
    struct html_writing *writing = walk->context;
    JSON_OBJECT(&writing->json, walk->kind->key);
    json_string(&writing->json, "heading", walk->kind->heading);
    json_string(&writing->json, "about", walk->kind->about);
    json_string(&writing->json, "label_title", table->label_title);
    html_put_table(writing, table);
}

void html_put_keyed(struct html_writing *writing)
{
    JSON_OBJECT(&writing->json, "tables");
    tables_walk_keyed(&(struct table_walk){
        .report = writing->report, .reader = FOR_PAGE, .context = writing, .take = put_keyed});
}
