/*
 * pattern.h - a regular expression of the user's, as PCRE2 has them.
 *
 * Texts are clean (see text.h), so patterns are read as UTF-8, and classes such as \w
 * go by Unicode. Letter case counts; (?i) in a pattern takes that back. A pattern is
 * compiled by PCRE2's JIT where there is one.
 */
#ifndef SUPPROF_PATTERN_H
#define SUPPROF_PATTERN_H

#include "base/error.h"
#include "base/intern.h"

#include <stdbool.h>

struct pattern;

/*
 * Returns a compiled pattern, or NULL where the text is none or empty; the error then says why,
 * and where in the text:
 *
 *     missing closing parenthesis at character 6, '(unit <-- here'
 */
struct pattern *pattern_new(struct span text, struct error *err);
void pattern_free(struct pattern *pattern);

/* The text that it was made from. */
struct span pattern_text(const struct pattern *pattern);

/*
 * Sets `*is_match` to whether the pattern is found anywhere in a clean text. Fails when
 * that takes more steps or more memory than a pattern may take.
 */
bool pattern_find(struct pattern *pattern, struct span text, bool *is_match, struct error *err);

#endif
