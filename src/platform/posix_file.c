#define _GNU_SOURCE
#include "platform/file.h"
#include "platform/interrupt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool set_status(struct file_status *status, bool is_known, const struct stat *known)
{
    if (!is_known)
        return false;
    *status = (struct file_status){
        .kind = S_ISREG(known->st_mode)   ? FILE_REGULAR
                : S_ISDIR(known->st_mode) ? FILE_DIRECTORY
                                          : FILE_OTHER,
        .permissions = known->st_mode & 0777,
        .device = (uint64_t)known->st_dev,
        .number = (uint64_t)known->st_ino,
        .byte_count = (int64_t)known->st_size,
        .written_ns = (int64_t)known->st_mtim.tv_sec * 1000000000 + known->st_mtim.tv_nsec,
    };
    return true;
}

bool file_status(struct file_status *status, const char *path)
{
    struct stat known;
    return set_status(status, stat(path, &known) == 0, &known);
}

bool file_status_of_open(struct file_status *status, int file)
{
    struct stat known;
    return set_status(status, fstat(file, &known) == 0, &known);
}

bool file_is_dangling_link(const char *path)
{
    struct stat known;
    return stat(path, &known) != 0 && lstat(path, &known) == 0;
}

int file_open(const char *path, enum file_waiting waiting)
{
    if (waiting == FILE_WAITS)
        return open(path, O_RDONLY | O_CLOEXEC);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int flags = file < 0 ? -1 : fcntl(file, F_GETFL);
    /* Only the opening must not wait; if there is a writer, the file is read to its end. */
    if (flags != -1)
        fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
    return file;
}

bool file_read(int file, void *buffer, size_t capacity, size_t *length)
{
    ssize_t got;
    *length = 0;
    do {
        if (!interrupt_wait_for_bytes(file))
            return true;
        got = read(file, buffer, capacity);
    } while (got < 0 && errno == EINTR);
    *length = got > 0 ? (size_t)got : 0;
    return got >= 0;
}

bool file_close(int file)
{
    return close(file) == 0;
}

int file_open_to_write(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool file_write(int file, const void *bytes, size_t length)
{
    for (const char *at = bytes; length > 0;) {
        ssize_t written = write(file, at, length);
        if (written >= 0) {
            at += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            /* Another program that shares the descriptor has made it non-blocking. */
            poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

void file_remove(const char *path)
{
    unlink(path);
}

bool file_is_same_path(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool file_create_directory(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

bool file_list_directory(const char *path, void (*add)(void *context, const char *name),
                         void *context)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return false;
    struct dirent *entry;
    for (errno = 0; (entry = readdir(directory)) != NULL; errno = 0)
        add(context, entry->d_name);
    int reason = errno;
    closedir(directory);
    errno = reason;
    return reason == 0;
}
