/*
 * styles.h - the escape sequences with which terminals show text bold or in colors.
 */
#pragma once

#define STYLE_PLAIN "\x1b[0m"
#define STYLE_BOLD "\x1b[1m"
#define STYLE_DIM "\x1b[2m"
/* These can be read on black and on white. */
#define STYLE_RED "\x1b[31m"
#define STYLE_GREEN "\x1b[32m"
#define STYLE_MAGENTA "\x1b[35m"
