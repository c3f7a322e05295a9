#include "platform/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void process_set_up(int *argc, char ***argv)
{
}

/* There are no signals. */
void process_at_end(void (*clean_up)(void))
{
    atexit(clean_up);
}

bool process_is_alone(void)
{
    return false;
}

char *process_file(void)
{
    return NULL;
}

char *process_variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? strdup(value) : NULL;
}

bool process_show(const char *path)
{
    errno = ENOSYS;
    return false;
}
