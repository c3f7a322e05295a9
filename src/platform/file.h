/*
 * file.h - files, directories and the three standard streams of a process.
 *
 * Paths are UTF-8 on every system. An open file is a small number, as POSIX has it; it is
 * not inherited by other programs, and its bytes are never translated. A function that
 * fails leaves the reason in errno, for strerror().
 */
#pragma once

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
    uint64_t device, number; /* identify the file, under all of its names */
    int64_t byte_count;
    int64_t written_ns; /* time of the last write, since some fixed moment */
};

/* Status of the file that a path leads to, with links followed, or of an open file. */
bool file_status(struct file_status *status, const char *path);
bool file_status_of_open(struct file_status *status, int file);

/* Whether a path is "-": standard input or output, whatever files there are. */
static inline bool file_is_standard(const char *path)
{
    return path[0] == '-' && path[1] == '\0';
}

/* Whether a path, such as /dev/stdout, names the same file as standard output; sets its status. */
bool file_is_standard_output(const char *path, struct file_status *status);

/* Whether the path is a link to a file that does not exist. */
bool file_is_dangling_link(const char *path);

static inline bool file_is_same(const struct file_status *a, const struct file_status *b)
{
    return a->device == b->device && a->number == b->number;
}

enum file_waiting {
    FILE_WAITS, /* for another program to open the other end of a pipe */
    FILE_DOES_NOT_WAIT,
};

/*
 * Opens a file to read; another program may be writing it. Returns -1 on failure. With
 * FILE_DOES_NOT_WAIT, a named pipe without a writer is at its end at once.
 */
int file_open(const char *path, enum file_waiting waiting);

/*
 * Reads up to `capacity` bytes; `*length` becomes 0 only at the end, or when Ctrl-C was caught (see
 * interrupt.h). Bytes of a pipe are returned as soon as there are any.
 */
bool file_read(int file, void *buffer, size_t capacity, size_t *length);

bool file_close(int file);

/*
 * Creates a file with just these permissions, and opens it to write. Returns -1 on failure: with
 * EEXIST if there is one.
 */
int file_create_new(const char *path, unsigned permissions);

/*
 * Creates an empty file and opens it to write. The last six bytes of `name` are replaced by
 * characters that make it unique. Returns -1 on failure.
 */
int file_create_temporary(char *name, unsigned permissions);

/* Opens an existing file to write, or creates it. Returns -1 on failure. */
int file_open_to_write(const char *path);

/* Writes all of the bytes, or fails. */
bool file_write(int file, const void *bytes, size_t length);

/* The permissions that a new file gets. */
unsigned file_default_permissions(void);

/* Gives a file another name in one step; an older file with that name is replaced. */
bool file_rename(const char *from, const char *to);

/* May be called from a signal handler. */
void file_remove(const char *path);

/*
 * Returns the absolute path without links, with '/' between its parts, or NULL on failure. The
 * caller frees it.
 */
char *file_real_path(const char *path);

/*
 * Returns the real path of the file that opening `path` to write would create; links to files that
 * do not exist are followed. NULL on failure. The caller frees it.
 */
char *file_target(const char *path);

/* Whether this system takes two real paths for the same. */
bool file_is_same_path(const char *a, const char *b);

/* Whether a real path is that of a folder, or of something below it; false without memory. */
bool file_is_in(const char *path, const char *folder);

/*
 * Whether a file, with a folder in its path, is of somebody whom the user trusts: of the user or of
 * root. As root, and in a container, where users have other numbers than outside, the owner of that
 * folder is the user, too. If the file is a link, both the link and its target must be so. True on
 * a system without owners.
 */
bool file_is_trusted(const char *path);

/* Returns the beginning of the last part of a path. */
const char *file_name(const char *path);

/* Creates a directory in an existing one. It may exist already. */
bool file_create_directory(const char *path);

/*
 * Calls add() with the name of each entry of a directory, in any order. If reading fails in the
 * middle, add() has been called for the entries before.
 */
bool file_list_directory(const char *path, void (*add)(void *context, const char *name),
                         void *context);
