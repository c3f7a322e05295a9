#include "platform/screen.h"

/* There is no terminal. */
void screen_begin(void)
{
}

void screen_end(void)
{
}

enum screen_event screen_wait(int file, int timeout_ms, char *key)
{
    return SCREEN_BYTES;
}
