/*
 * completions.h - the parts of the completions for bash and zsh that are made from tables.
 */
#ifndef SUPPROF_COMPLETIONS_H
#define SUPPROF_COMPLETIONS_H

#include "base/text.h"

/* For bash: all options as words; for each option that takes a value, its values. */
void completions_put_bash_options(struct text *text);
void completions_put_bash_values(struct text *text);

/* For bash: options that are letters, without and with a value, and the names of the latter. */
void completions_put_bash_flags(struct text *text);
void completions_put_bash_letters(struct text *text);
void completions_put_bash_names(struct text *text);

/* For zsh: arrays of words with their meanings, and the options in the form for _arguments. */
void completions_put_zsh_words(struct text *text);
void completions_put_zsh_options(struct text *text);

#endif
