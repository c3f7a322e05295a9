/*
 * svg_text.h - texts as an SVG file can hold and show them.
 */
#ifndef SUPPROF_SVG_TEXT_H
#define SUPPROF_SVG_TEXT_H

#include "base/text.h"

/*
 * Appends clean text (see text.h) for XML, as content or between quotes. U+FFFE and U+FFFF,
 * which XML 1.0 forbids (production [2] Char), become U+FFFD.
 */
void svg_put_escaped(struct text *text, struct span clean);

/*
 * Appends clean text, escaped, cut so that it is at most so many columns wide: then it ends
 * in an ellipsis. Nothing where there is no room for two characters and that. What is not
 * ASCII counts as two columns, since a font may show it so:
 *
 *     OnDamage in 8 columns   OnDamage
 *                 5           OnDa...      (the ellipsis is one character)
 *                 2
 *
 * The script does the same where it moves frames: see web/embedded.h.
 */
void svg_put_fitted(struct text *text, struct span clean, size_t columns);

#endif
