#include "report/pages/html/html_columns.h"

static void put_number(struct html_column *column, int64_t number)
{
    text_put_string(&column->numbers, column->numbers.length > 0 ? "," : "");
    text_put_number(&column->numbers, number);
}

static void put_zeros(struct html_column *column)
{
    for (; column->zero_count > 0; column->zero_count--)
        put_number(column, 0);
}

void html_columns_add(struct html_columns *columns, const int64_t *row)
{
    for (size_t i = 0; i < HTML_COLUMNS_MAX && columns->keys[i] != NULL; i++) {
        struct html_column *column = &columns->columns[i];
        if (row[i] == 0) {
            column->zero_count++;
            continue;
        }
        put_zeros(column);
        put_number(column, row[i]);
    }
}

void html_columns_put(struct html_columns *columns, struct json_writer *json)
{
    for (size_t i = 0; i < HTML_COLUMNS_MAX && columns->keys[i] != NULL; i++) {
        struct html_column *column = &columns->columns[i];
        if (column->numbers.length > 0 || i < columns->kept_count) {
            put_zeros(column);
            struct text *value = json_value(json, columns->keys[i]);
            text_put_string(value, "[");
            text_put_span(value, text_span(&column->numbers));
            text_put_string(value, "]");
        }
        text_release(&column->numbers);
    }
}
