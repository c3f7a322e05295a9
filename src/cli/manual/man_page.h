/*
 * man_page.h - the parts of supprof(1) and supprof-formats(5) that are made from tables.
 */
#pragma once

#include "base/text.h"

/* Appends all options as mdoc: for each group of them its heading and a list. */
void man_page_put_options(struct text *text);

/* Each appends the items of a list, or the words of a sentence, as mdoc. */
void man_page_put_list_options(struct text *text);
void man_page_put_format_names(struct text *text);
void man_page_put_formats(struct text *text);
