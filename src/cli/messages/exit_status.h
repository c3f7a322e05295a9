/*
 * exit_status.h - how the program ends: a contract with scripts, which supprof(1) explains.
 */
#pragma once

enum exit_status {
    DONE = 0,
    FAILED = 1,        /* a log cannot be read, or an output not be written */
    USAGE = 2,         /* the command line is wrong */
    NOTHING_FOUND = 3, /* the log does not have what was asked for */
    LIMIT_BROKEN = 4,  /* of --fail-if; all reports are written */
};
