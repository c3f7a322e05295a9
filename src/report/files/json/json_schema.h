/*
 * json_schema.h - the parts of the schema of json that follow the table of columns.
 */
#pragma once

#include "base/text.h"

/* Appends the members that describe the columns of a row, with commas between them. */
void json_schema_put_members(struct text *text);

/* Appends the keys of these members as strings, with commas between them. */
void json_schema_put_names(struct text *text);
