/*
 * page_text.h - texts in SVG and HTML: escaped, and cut to fit.
 */
#pragma once

#include "base/text.h"

/*
 * Appends clean text (see text.h) for XML, as content or between quotes. U+FFFE and U+FFFF,
 * which XML 1.0 forbids (production [2] Char), become U+FFFD.
 */
void page_put_escaped(struct text *text, struct span clean);

/*
 * Appends clean text, escaped. Text wider than this number of columns is cut and ends in an
 * ellipsis. Appends nothing if there is no room for two characters and the ellipsis. Characters
 * outside ASCII count as two columns, because a font may show them so wide:
 *
 *     OnDamage in 8 columns   OnDamage
 *                 5           OnDa...      (the ellipsis is one character)
 *                 2
 */
void page_put_fitted(struct text *text, struct span clean, size_t columns);

/*
 * The same for the label of a function, whose first `name_length` bytes are its name; a place
 * may follow, after a blank. The name is cut last; of the place the end with the line is kept.
 * For a function without a name only the place is shown:
 *
 *     OnDamage lua/sim/unit.lua:120 in 22 columns   OnDamage ...unit.lua:120
 *                                      14           OnDamage ...:120
 *                                      13           OnDamage
 *                                      5            OnDa...
 *     ? lua/sim/unit.lua:120           10           ...t.lua:120
 *                                      4
 *
 * The scripts of flame graphs do the same where they move frames: fitLabel() in frames.js.
 */
void page_put_fitted_label(struct text *text, struct span label, size_t name_length,
                           size_t columns);
