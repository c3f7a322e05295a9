#include "platform/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* No other program creates files there: counting makes a name unique. */
int file_create_temporary(char *name, unsigned permissions)
{
    enum { UNKNOWN_COUNT = 6, TRIES = 1000000 };
    static unsigned count;
    (void)permissions;
    for (int i = 0; i < TRIES; i++) {
        unsigned rest = count++;
        char *at = name + strlen(name) - UNKNOWN_COUNT;
        for (int k = UNKNOWN_COUNT; k-- > 0; rest /= 10)
            at[k] = (char)('0' + rest % 10);
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

unsigned file_default_permissions(void)
{
    return 0666;
}

/* There is no current directory to resolve, and no link. */
char *file_real_path(const char *path)
{
    struct file_status ignored;
    return file_status(&ignored, path) ? strdup(path) : NULL;
}

char *file_target(const char *path)
{
    return strdup(path);
}
