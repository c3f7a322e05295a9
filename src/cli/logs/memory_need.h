/*
 * memory_need.h - whether a report can need much of the computer's memory: that is said before the
 * logs are read.
 *
 * What a recording needs is known only at its end. Before that, there are the sizes of the files,
 * and what recordings of real games needed for each byte of them. Records of delins' profiler need
 * less than a third of a byte, but only the end of such a log tells what it is.
 */
#pragma once

#include "cli/messages/console.h"
#include "cli/options/options.h"

struct memory_need {
    double log_bytes;      /* of all logs, unpacked */
    bool is_packed;        /* some are compressed: what they are unpacked is a guess */
    double computer_bytes; /* of memory; 0: not known */
};

/* Appends what is to be said: nothing if it is at most half of the memory. */
void memory_need_put(struct text *text, const struct memory_need *need,
                     const struct options *options);

/* Says it of the logs of the options. Those that are no files or cannot be read do not count. */
void memory_need_say(const struct options *options, struct console *console);
