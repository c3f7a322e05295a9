/*
 * completions.h - the parts of the completions for bash and zsh that are made from tables.
 */
#pragma once

#include "base/text.h"

/* For bash: a line for each option, as supprof.bash.in describes it. */
void completions_put_bash_options(struct text *text);

/* For zsh: arrays of words with their meanings, and the options in the form for _arguments. */
void completions_put_zsh_words(struct text *text);
void completions_put_zsh_options(struct text *text);
