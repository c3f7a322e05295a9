#define _GNU_SOURCE
#include "platform/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is(int file)
{
    return isatty(file);
}

bool terminal_has_color(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind != NULL && strcmp(kind, "dumb") != 0;
}

static struct winsize find_size(int file)
{
    struct winsize size = {0};
    if (!isatty(file) || ioctl(file, TIOCGWINSZ, &size) != 0)
        size = (struct winsize){0};
    return size;
}

size_t terminal_width(int file)
{
    return find_size(file).ws_col;
}

size_t terminal_height(void)
{
    return find_size(STDOUT_FILENO).ws_row;
}

/* Needed where the window closes with the process (see process_is_alone()); it never does here. */
void terminal_wait_for_key(void)
{
}
