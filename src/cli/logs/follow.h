/*
 * follow.h - reads a log while the game writes it, and shows the functions on the terminal
 * (--follow).
 */
#pragma once

#include "base/error.h"
#include "cli/messages/console.h"
#include "cli/options/options.h"
#include "profile/profile.h"

/*
 * Reads a log until a key or Ctrl-C ends it, the recording has ended, or standard input has. A file
 * that grows is looked at four times a second. If it gets shorter, or another file takes its name,
 * the new one is read as one more log, and a message says so. Messages are held until the screen
 * has ended. Fails as profile_read() does.
 */
bool follow_log(struct profile *profile, const char *path, const struct options *options,
                struct console *console, struct error *err);
