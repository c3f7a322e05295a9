#include "platform/file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int file_create_new(const char *path, unsigned permissions)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL, (mode_t)permissions);
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
