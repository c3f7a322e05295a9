#include "platform/file.h"

#include "platform/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int file_create_temporary(char *name, unsigned permissions)
{
    enum { TRIES = 100, UNKNOWN_COUNT = 6 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char *unknown = name + strlen(name) - UNKNOWN_COUNT;
    for (int i = 0; i < TRIES; i++) {
        uint64_t random = random_number();
        for (int k = 0; k < UNKNOWN_COUNT; k++, random /= sizeof letters - 1)
            unknown[k] = letters[random % (sizeof letters - 1)];
        int file = file_create_new(name, permissions);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

bool file_is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    /* Only the root of a file system ends in '/'. */
    bool ends_at_name = length > 0 && strlen(path) >= length &&
                        (folder[length - 1] == '/' || strchr("/", path[length]) != NULL);
    char *start = ends_at_name ? malloc(length + 1) : NULL;
    if (start == NULL)
        return false;
    memcpy(start, path, length);
    start[length] = '\0';
    bool is_in = file_is_same_path(start, folder);
    free(start);
    return is_in;
}

bool file_is_standard_output(const char *path, struct file_status *status)
{
    struct file_status standard;
    return file_status(status, path) && file_status_of_open(&standard, FILE_STANDARD_OUTPUT) &&
           file_is_same(status, &standard);
}
