/*
 * file.h - files, directories and the three standard streams of a process.
 *
 * Paths are UTF-8 on every system. An open file is a small number, as POSIX has it; it is
 * not inherited by other programs, and its bytes are never translated. A function that
 * fails leaves the reason in errno, for strerror().
 */
#ifndef SUPPROF_FILE_H
#define SUPPROF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files that are always open. */
enum { FILE_STANDARD_INPUT = 0, FILE_STANDARD_OUTPUT = 1, FILE_STANDARD_ERROR = 2 };

enum file_kind {
    FILE_REGULAR,
    FILE_DIRECTORY,
    FILE_OTHER, /* a pipe, a device */
};

struct file_status {
    enum file_kind kind;
    unsigned permissions;    /* as chmod() takes them */
    uint64_t device, number; /* which file it is, whatever names lead to it */
    int64_t byte_count;
    int64_t written_ns; /* when it was last written, since some moment */
};

/* What a path leads to, links followed, or what an open file is. */
bool file_status(struct file_status *status, const char *path);
bool file_status_of_open(struct file_status *status, int file);

/* Whether the path is a link that leads nowhere. */
bool file_is_dangling_link(const char *path);

bool file_is_same(const struct file_status *a, const struct file_status *b);

enum file_waiting {
    FILE_WAITS, /* for another program to open the other end of a pipe */
    FILE_DOES_NOT_WAIT,
};

/*
 * Opens a file to read, also one that another program is writing. Returns -1 on failure. Of
 * a named pipe that has no writer, FILE_DOES_NOT_WAIT reads the end at once.
 */
int file_open(const char *path, enum file_waiting waiting);

/* Reads up to `capacity` bytes; `*length` is 0 only at the end. */
bool file_read(int file, void *buffer, size_t capacity, size_t *length);

bool file_close(int file);

/*
 * Creates an empty file and opens it to write. The last six bytes of `name` are replaced by
 * what makes the name unique. Returns -1 on failure.
 */
int file_create_temporary(char *name, unsigned permissions);

/* Opens what is there to write, or a new file. Returns -1 on failure. */
int file_open_to_write(const char *path);

/* Writes all of the bytes, or fails. */
bool file_write(int file, const void *bytes, size_t length);

/* The permissions that a new file gets. */
unsigned file_default_permissions(void);

/* Gives a file another name, in one step; what had that name before is gone. */
bool file_rename(const char *from, const char *to);

/* May be called from a signal handler. */
void file_remove(const char *path);

/* Returns the absolute path without links, with '/' between its parts; to be freed. NULL on
 * failure. */
char *file_real_path(const char *path);

/*
 * Returns the real path of what would be created if one opened a path to write where nothing
 * is yet, links that lead nowhere followed; to be freed. NULL on failure.
 */
char *file_target(const char *path);

/* Whether two real paths are the same on this system. */
bool file_is_same_path(const char *a, const char *b);

/* Returns where the last part of a path begins. */
const char *file_name(const char *path);

/* Creates a directory below one that is there. It may be there already. */
bool file_create_directory(const char *path);

/* Calls add() with the name of each entry of a directory, in any order, even if it then fails. */
bool file_list_directory(const char *path, void (*add)(void *context, const char *name),
                         void *context);

#endif
