/*
 * json.h - a report as JSON.
 */
#pragma once

#include "base/json.h"
#include "base/text.h"
#include "report/sentences/findings.h"
#include "report/tables/function_table.h"

/*
 * The parts of the format json; man/supprof.schema.json.in describes all of them.
 *
 * Functions are referred to by their index in the document's array of functions.
 */

/* What stands before each cell of rows with the same columns, and after the last one. */
struct json_keys {
    struct table_column columns[TABLE_COLUMNS_MAX]; /* [count] */
    size_t count;
    bool has_samples;
    struct text text;
    size_t ends[TABLE_COLUMNS_MAX + 1]; /* [count + 1]: of the parts of the text */
};

/* Of so many tables rows take turns: of functions, their edges, calling lines and listed lines. */
enum { JSON_KEYS_KEPT = 4 };

struct json_report {
    const struct report *report;
    struct json_writer json;
    struct cell cell;                      /* the last one: keeps its memory */
    struct json_keys keys[JSON_KEYS_KEPT]; /* of the tables whose rows were put last */
    size_t made_keys;                      /* how many were made */
    struct function_table table;           /* by function */
    uint32_t *functions;     /* [function_count]: ids of symbols.h, as they are written */
    uint32_t function_count; /* those of the table, then others that only ticks or a watch have */
    uint32_t *number_of;     /* [symbols' function_count]: index of `functions` */
    uint64_t left_out_count; /* rows that had no room */
};

/* Makes the list of functions. */
void json_number_functions(struct json_report *file);

/* Adds a function that is not among them. */
void json_number_function(struct json_report *file, uint32_t function);

/* Puts the index of a function; null for TREE_NONE, the engine. Nothing without `number_of`. */
void json_put_function(struct json_writer *json, const char *key, uint32_t function,
                       const uint32_t *number_of);

/*
 * Tables: json_table.c. A cell's key is the name of its column. Values of an old profile are in an
 * object "old", those of threads in one of that name; those of samples are in an object of the
 * column and one of the side.
 */

/* Puts the cells of a row into the open object. */
void json_put_row(struct json_report *file, const struct table *table, size_t row);

/* Puts an object with the cells of a row. */
void json_put_object(struct json_report *file, const char *key, const struct table *table,
                     size_t row);

/* Puts an array with an object for each row. */
void json_put_all(struct json_report *file, const char *key, const struct table *table);

/* Puts "rows", an array of as many as have room, see report_has_room(), and how many had none. */
void json_put_table(struct json_report *file, const struct table *table, unsigned lists);

/* Adds the functions that its rows name. */
void json_number_table(struct json_report *file, const struct table *table);

/* Puts all tables that have a key; before all functions are numbered, adds theirs. */
void json_walk_keyed(struct json_report *file, bool are_numbered);

/* 0: it is not known, null. */
void json_put_ratio(struct json_writer *json, const char *name, double ratio);

/* The parts of the document. */
void json_put_functions(struct json_report *file);
void json_put_rows(struct json_report *file);
void json_put_repeated(struct json_report *file);
void json_put_ticks(struct json_report *file);

/* What a watch says of the whole game; nothing without one. It needs its functions before. */
void json_number_watch(struct json_report *file);
void json_put_watch(struct json_report *file);

/* How ticks grow with the number of units; nothing if that is not known. */
void json_put_units(struct json_report *file);

/*
 * The same for any document: the findings, and of a comparison what became of them. Functions have
 * the numbers of `number_of`, by their ids.
 */
void json_put_findings(struct json_writer *json, const struct report *report,
                       const struct findings *findings, const uint32_t *number_of);

/* Puts the headline of a report_plain(), and all findings; or none, where the report has not kept
 * what they need. */
void json_put_sentences(struct json_writer *json, const struct report *report,
                        const uint32_t *number_of, bool has_findings);

/* Puts an error of Lua. */
void json_put_error(struct json_writer *json, const struct game_log *game_log, uint32_t row);

/* What the game itself has logged; nothing if that is nothing. */
void json_put_game_log(struct json_writer *json, const struct profile *profile);

/*
 * Appends what the schema of json has of the columns of a table: the members that describe them, or
 * the names of those that each row has, with commas between them. The names of `findings` are their
 * kinds, the members of `tables` those that have a key. Returns whether it has the table.
 */
bool json_schema_put(struct text *text, struct span name, bool are_members);
