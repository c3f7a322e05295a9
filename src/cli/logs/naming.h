/*
 * naming.h - completes the names of functions after logs were read: functions of hooks go to their
 * mods, and sources of --lua-root name functions without a name.
 */
#pragma once

#include "cli/messages/console.h"
#include "cli/options/options.h"
#include "names/hooked_functions.h"
#include "names/source_files.h"
#include "profile/profile.h"

/*
 * Says how many functions got a name. With --verbose it lists functions that calls gave several
 * names, beginning with the name that reports show:
 *
 *     lua/x.lua:12 is called OnDamage (120 calls), DoDamage (3 calls)
 *
 * Sets `files`, which looks for sources in the last --lua-root first if `is_old`, keeps the texts
 * of sources if an output uses them, and is to be released in any case. Fails if one of the
 * directories cannot be opened.
 */
bool naming_complete(struct profile *profile, struct hooked_functions *hooked,
                     struct source_files *files, const struct options *options, bool is_old,
                     struct console *console, struct error *err);
