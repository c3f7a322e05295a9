#include "report/tables/table.h"

#include "report/sentences/amounts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

void table_add_column(struct table *table, const struct column_info *info,
                      enum column_aspect aspect, unsigned order)
{
    assert(table->column_count < TABLE_COLUMNS_MAX);
    table->columns[table->column_count++] = (struct table_column){info, aspect, order};
}

void table_add(struct table *table, const struct column_info *info)
{
    table_add_column(table, info, ASPECT_BOTH, info->order);
}

static const struct column_info name_columns[NAME_PARTS] = {
    [NAME_FUNCTION] = {.name = "function", .type = TYPE_TEXT},
    [NAME_SOURCE] = {.name = "source", .type = TYPE_TEXT},
    [NAME_LINE] = {.name = "line", .type = TYPE_NUMBER},
    [NAME_INDEX] = {.name = "function", .type = TYPE_FUNCTION, .may_be_unknown = true},
};

void table_add_function(struct table *table, enum table_reader reader)
{
    if (reader == FOR_JSON)
        table_add(table, &name_columns[NAME_INDEX]);
    for (int part = NAME_FUNCTION; part <= NAME_LINE && reader == FOR_PROGRAMS; part++)
        table_add(table, &name_columns[part]);
}

void cell_put_name(struct cell *cell, const struct report *report, uint32_t function,
                   enum name_part part)
{
    const struct labels *labels = report->labels;
    bool is_engine = function == TREE_NONE;
    cell->is_known = !is_engine || part != NAME_INDEX;
    if (is_engine && part == NAME_FUNCTION)
        text_put_string(&cell->text, "(engine)");
    if (is_engine)
        return;
    if (part == NAME_INDEX)
        cell->number = function;
    else if (part == NAME_LINE)
        cell->number = report->profile->symbols.functions[function].line;
    else if (part == NAME_SOURCE)
        report_put_source(&cell->text, report, function);
    else
        text_put_span(&cell->text, labels_text(labels, labels->of[function].name));
}

bool table_get_function(const struct report *report, uint32_t function,
                        const struct column_info *info, struct cell *cell)
{
    bool is_name = info >= name_columns && info < name_columns + NAME_PARTS;
    if (is_name)
        cell_put_name(cell, report, function, (enum name_part)(info - name_columns));
    return is_name;
}

/* The unit of a column of times; UNIT_AUTO: it has none. */
static enum report_unit unit_of(const struct table *table, enum column_type type)
{
    return type == TYPE_SUM ? table->unit : type == TYPE_CALL ? table->call_unit : UNIT_AUTO;
}

/* Sides with other numbers of ticks have no difference. */
static void set_rate(const struct table *table, struct cell *cell)
{
    size_t ticks = cell->aspect == ASPECT_OLD ? table->old_ticks : table->ticks;
    bool is_of_side = cell->aspect == ASPECT_NEW || cell->aspect == ASPECT_OLD;
    cell->is_known &= ticks > 0 && (is_of_side || ticks == table->old_ticks);
    if (cell->is_known && !aspect_infos[cell->aspect].is_percent)
        cell->real = (double)cell->number / (double)ticks;
}

void table_get(const struct table *table, size_t row, const struct table_column *column,
               struct cell *cell)
{
    text_cut(&cell->text, 0);
    text_cut(&cell->place, 0);
    text_cut(&cell->suffix, 0);
    cell->type = column->info->type;
    cell->unit = unit_of(table, column->info->type);
    cell->aspect = column->aspect;
    cell->style = CELL_PLAIN;
    cell->is_known = false;
    cell->number = 0;
    cell->real = 0;
    cell->word = NULL;
    table->get(table, row, column, cell);
    if (cell->type == TYPE_PERCENT && column->info->needs != NEEDS_ERRORS)
        cell->is_known &= amount_is_share(cell->number, cell_all_ns(table, cell));
    if (cell->type == TYPE_RATE)
        set_rate(table, cell);
}

void cell_release(struct cell *cell)
{
    text_release(&cell->text);
    text_release(&cell->place);
    text_release(&cell->suffix);
}

/* Text for programs -------------------------------------------------------------------------- */

void column_put_key(struct text *text, const struct table *table, const struct table_column *column)
{
    const struct aspect_info *aspect = &aspect_infos[column->aspect];
    const char *name = column->info->name, *unit = strrchr(name, '_');
    size_t length = unit != NULL ? (size_t)(unit - name) : strlen(name);
    if (table->is_compared)
        text_put_string(text, aspect->prefix);
    text_put(text, name, length);
    text_put_string(text, aspect->suffix);
    if (!aspect->has_no_unit)
        text_put_string(text, name + length);
}

int64_t cell_all_ns(const struct table *table, const struct cell *cell)
{
    return cell->aspect == ASPECT_OLD ? table->old_all_ns : table->all_ns;
}

/* Puts a whole number, as most are, without parsing a format; returns false for others. */
static bool put_whole(struct text *text, double real)
{
    bool is_whole = real == floor(real) && fabs(real) < 1e6;
    if (is_whole)
        text_put_number(text, (int64_t)real);
    return is_whole;
}

void cell_put_exactly(struct text *text, const struct table *table, const struct cell *cell)
{
    if (aspect_infos[cell->aspect].is_percent) {
        text_printf(text, "%.1f", cell->real);
        return;
    }
    switch (cell->type) {
    case TYPE_SUM:
    case TYPE_CALL:
        amount_put_time(text, cell->number, UNIT_US, 3);
        break;
    case TYPE_PERCENT:
        text_printf(text, "%.2f", amount_percent_number(cell->number, cell_all_ns(table, cell)));
        break;
    case TYPE_SECONDS:
        amount_put_time(text, cell->number, UNIT_S, 1);
        break;
    case TYPE_RATE:
        text_printf(text, "%.3f", cell->real);
        break;
    case TYPE_REAL:
        if (!put_whole(text, cell->real))
            text_printf(text, cell->real == floor(cell->real) ? "%.0f" : "%.2f", cell->real);
        break;
    case TYPE_CHANCE:
        if (!put_whole(text, cell->real))
            text_printf(text, "%.6g", cell->real);
        break;
    default:
        text_put_number(text, cell->number);
    }
}

/* Text for people ---------------------------------------------------------------------------- */

void column_put_title(struct text *text, const struct table *table,
                      const struct table_column *column)
{
    if (table->prefixes != NULL && column->aspect != ASPECT_BOTH)
        text_put_string(text, table->prefixes[column->aspect]);
    text_put_string(text, column->info->title);
}

void cell_put_title(struct text *text, const struct table *table, const struct table_column *column)
{
    const struct column_info *info = column->info;
    enum report_unit unit = unit_of(table, info->type);
    if (aspect_infos[column->aspect].title != NULL) {
        text_put_string(text, aspect_infos[column->aspect].title);
        return;
    }
    column_put_title(text, table, column);
    if (unit != UNIT_AUTO && info->title[0] != '\0')
        text_put_string(text, " ");
    text_put_string(text, amount_units[unit].name);
}

/* A larger change is told as a factor. */
enum { PERCENT_MAX = 1000 };

static void put_percent(struct text *text, double percent)
{
    if (percent >= PERCENT_MAX)
        text_printf(text, "x %s", amount_factor(1 + percent / 100).at);
    else
        text_printf(text, fabs(percent) < 0.05 ? "0.0%%" : "%+.1f%%", percent);
}

/* A number with a fraction is below 2^53, and has one decimal. */
static void put_real(struct text *text, double real)
{
    char digits[24];
    if (real < 0)
        text_put_string(text, "-");
    if (real == floor(real)) {
        text_put_grouped(text, (uint64_t)fabs(real));
        return;
    }
    snprintf(digits, sizeof digits, "%.1f", fabs(real));
    text_put_grouped(text, strtoull(digits, NULL, 10));
    text_put_string(text, strchr(digits, '.'));
}

/* The digits of a number, without the sign of a difference. */
static void put_number(struct text *text, const struct table *table, const struct cell *cell)
{
    int64_t number = cell->number;
    uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;
    bool has_decimals = cell->type == TYPE_SUM && table->decimals > 0;
    switch (cell->type) {
    case TYPE_SUM:
    case TYPE_CALL:
        if (table->is_estimate && cell->type == TYPE_SUM) {
            text_put_string(text, amount_time_about(number, cell->unit).at);
            break;
        }
        text_put_string(
            text,
            amount_grouped_time(number,
                                cell->unit,
                                has_decimals ? table->decimals : amount_units[cell->unit].decimals)
                .at);
        break;
    case TYPE_PERCENT:
        text_put_string(text, amount_percent(number, cell_all_ns(table, cell)).at);
        break;
    case TYPE_COUNT:
        if (number < 0)
            text_put_string(text, "-");
        text_put_string(text, (table->is_estimate ? amount_about(size) : amount_count(size)).at);
        break;
    case TYPE_FLAG:
        text_put_string(text, number != 0 ? "yes" : "no");
        break;
    case TYPE_NUMBER:
        text_put_number(text, number);
        break;
    case TYPE_SECONDS:
        text_put_string(text, tick_game_time((double)number / 1e9).at);
        break;
    case TYPE_RATE:
        text_printf(text, fabs(cell->real) < 10 ? "%.2f" : "%.1f", cell->real);
        break;
    case TYPE_REAL:
        put_real(text, cell->real);
        break;
    case TYPE_CHANCE:
        text_printf(text, "%.3f", cell->real);
        break;
    default:
        text_put_span(text, text_span(&cell->text));
    }
}

void cell_put(struct text *text, const struct table *table, const struct cell *cell)
{
    size_t start = text->length;
    const struct aspect_info *aspect = &aspect_infos[cell->aspect];
    if (cell->word != NULL || !cell->is_known) {
        text_put_string(text, cell->word != NULL ? cell->word : "-");
    } else if (aspect->is_percent) {
        put_percent(text, cell->real);
    } else {
        if (aspect->is_change && (cell->number > 0 || cell->real > 0))
            text_put_string(text, "+");
        put_number(text, table, cell);
        if (cell->type != TYPE_TEXT)
            text_drop_sign_of_zero(text, start);
    }
}
