/*
 * pattern.h - a regular expression from the user, in PCRE2's syntax.
 *
 * Texts are clean (see text.h), so patterns are read as UTF-8, and classes such as \w go by
 * Unicode. Letter case matters, unless the pattern contains (?i). A pattern is compiled by PCRE2's
 * JIT if there is one.
 */
#pragma once

#include "base/error.h"
#include "base/hash_index.h"

struct pattern;

/*
 * Returns a compiled pattern, or NULL if the text is empty or not a valid pattern; the error then
 * tells why, and where in the text:
 *
 *     missing closing parenthesis at character 6, '(unit <-- here'
 */
struct pattern *pattern_new(struct span text, struct error *err);
void pattern_free(struct pattern *pattern);

/* Returns the text of the pattern. */
struct span pattern_text(const struct pattern *pattern);

/*
 * Sets `*is_match` to whether the pattern matches anywhere in a clean text. Fails if the search
 * needs more steps or memory than a pattern may use.
 */
bool pattern_find(struct pattern *pattern, struct span text, bool *is_match, struct error *err);
