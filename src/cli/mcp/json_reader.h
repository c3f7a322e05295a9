/*
 * json_reader.h - finds values in JSON (RFC 8259) that others wrote.
 *
 * A value is a span of the text, from its first byte to its last. The text is checked as a whole
 * once; the other functions take values of a text that has passed.
 */
#pragma once

#include "base/text.h"

/* Whether a text is one value; false, too, if it is nested so deep that it is an attack. */
bool json_is_value(struct span text);

/*
 * Gives the next member of an object. `*rest` is the object at first, and then what is left of it.
 * False at its end, and if it is no object.
 */
bool json_next(struct span *rest, struct text *key, struct span *value);

/* The same for an array, and whether a value is one. */
bool json_next_item(struct span *rest, struct span *value);
bool json_is_array(struct span value);

/* Finds the first member with this key. False if there is none, and if the value is no object. */
bool json_find(struct span object, const char *key, struct span *value);

/*
 * Sets the text to what a string stands for, as UTF-8; half a pair of surrogates becomes U+FFFD.
 * False, and an empty text, if the value is no string.
 */
bool json_read_string(struct span value, struct text *text);
