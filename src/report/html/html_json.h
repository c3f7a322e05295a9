/*
 * html_json.h - pieces of the JSON of a page's data, appended to a text.
 */
#ifndef SUPPROF_HTML_JSON_H
#define SUPPROF_HTML_JSON_H

#include "base/text.h"

#include <stdint.h>

/* Begins a member of an object: a comma, unless it is the first one, and its key. */
void html_put_key(struct text *json, const char *key);

/* Puts a comma, unless an array has just begun. */
void html_put_comma(struct text *json);

/* Members; the string is cleaned, see text.h. */
void html_put_string(struct text *json, const char *key, const char *string);
void html_put_number(struct text *json, const char *key, int64_t number);

/* Puts lines of text into an array. A line that begins with blanks continues the last one. */
void html_put_lines(struct text *json, const char *key, struct span lines);

#endif
