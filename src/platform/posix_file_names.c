#define _GNU_SOURCE
#include "platform/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_create_new(const char *path, unsigned permissions)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)permissions);
    /* Whatever the mask of new files is. */
    if (file < 0 || fchmod(file, (mode_t)permissions) == 0)
        return file;
    int reason = errno;
    close(file);
    unlink(path);
    errno = reason;
    return -1;
}

unsigned file_default_permissions(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

char *file_real_path(const char *path)
{
    return realpath(path, NULL);
}

/* Returns `folder`, '/' and `name` as one text. The caller frees it. */
static char *join(const char *folder, size_t folder_length, const char *name)
{
    size_t name_bytes = strlen(name) + 1;
    char *path = malloc(folder_length + 1 + name_bytes);
    if (path == NULL)
        return NULL;
    memcpy(path, folder, folder_length);
    path[folder_length] = '/';
    memcpy(path + folder_length + 1, name, name_bytes);
    return path;
}

/*
 * Returns the target of a link, relative to the link's directory; NULL if it is not a link. The
 * caller frees it.
 */
static char *read_link(const char *path)
{
    enum { LINK_BYTES_MAX = 4096 };
    char link[LINK_BYTES_MAX + 1];
    ssize_t length = readlink(path, link, LINK_BYTES_MAX);
    if (length < 0)
        return NULL;
    link[length] = '\0';
    size_t folder_length = (size_t)(file_name(path) - path);
    if (link[0] == '/' || folder_length == 0)
        return strdup(link);
    return join(path, folder_length - 1, link);
}

char *file_target(const char *path)
{
    enum { LINKS_MAX = 40 };
    char *end = strdup(path);
    for (int i = 0; end != NULL && i < LINKS_MAX; i++) {
        char *next = read_link(end);
        if (next == NULL)
            break;
        free(end);
        end = next;
    }
    if (end == NULL)
        return NULL;
    char *name = end + (file_name(end) - end);
    char *folder = name > end ? strndup(end, (size_t)(name - end)) : strdup(".");
    char *real = folder != NULL ? realpath(folder, NULL) : NULL;
    char *target = real != NULL ? join(real, strlen(real), name) : NULL;
    free(real);
    free(folder);
    free(end);
    return target;
}
