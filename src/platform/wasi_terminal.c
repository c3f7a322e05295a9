#include "platform/terminal.h"

/* A page has its own way to show what is printed. */
bool terminal_is(int file)
{
    return false;
}

bool terminal_has_color(void)
{
    return false;
}

size_t terminal_width(int file)
{
    return 0;
}

size_t terminal_height(void)
{
    return 0;
}

void terminal_wait_for_key(void)
{
}
