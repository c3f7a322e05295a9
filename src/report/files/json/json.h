/*
 * json.h - a report as JSON.
 */
#pragma once

#include "base/json.h"
#include "base/text.h"
#include "report/figures/report.h"

/*
 * The parts of the format json; man/supprof.schema.json.in describes all of them.
 *
 * Functions are referred to by their index in the document's array of functions.
 */

struct json_report {
    const struct report *report;
    struct json_writer json;
    struct row_sums table;   /* by function */
    uint32_t *functions;     /* [function_count]: ids of symbols.h, as they are written */
    uint32_t function_count; /* those of the table, then others that only ticks have */
    uint32_t *number_of;     /* [symbols' function_count]: index of `functions` */
    uint64_t left_out_count; /* rows that had no room */
};

/* Makes the list of functions. */
void json_number_functions(struct json_report *file);

/* Puts the index of a function; null for TREE_NONE, the engine. */
void json_put_function(struct json_report *file, const char *key, uint32_t function);

/*
 * Whether rows have a column, and whether those have not of which the value is not known; and its
 * key: its name in CSV, with "ns" instead of "us".
 */
enum { JSON_COLUMN_KEY_BYTES = 32 };

bool json_has_column(enum column_kind kind);
bool json_column_is_optional(enum column_kind kind);
const char *json_column_key(char key[JSON_COLUMN_KEY_BYTES], enum column_kind kind);

/* Puts all values of a row of a table, and with --diff the old ones. */
void json_put_values(struct json_report *file, const struct row_sums *table, const struct row *row);
void json_put_functions(struct json_report *file);
void json_put_rows(struct json_report *file);
void json_put_repeated(struct json_report *file);
void json_put_ticks(struct json_report *file);

/* The same for any document: what the game itself has logged; nothing if that is nothing. */
void json_put_game_log(struct json_writer *json, const struct report *report);

/*
 * The parts of the schema of json that follow the table of columns.
 */

/* Appends the members that describe the columns of a row, with commas between them. */
void json_schema_put_members(struct text *text);

/* Appends the keys of these members as strings, with commas between them. */
void json_schema_put_names(struct text *text);
