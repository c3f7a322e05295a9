#include "platform/interrupt.h"

/* There are no signals. */
void interrupt_catch(void)
{
}

void interrupt_release(void)
{
}

bool interrupt_is_pending(void)
{
    return false;
}

bool interrupt_wait_for_bytes(int file)
{
    return true;
}
