#include "platform/file.h"
#include "platform/interrupt.h"
#include "platform/process.h"
#include "platform/terminal.h"
#include "platform/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
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

/*
 * There is no current directory to resolve, and no link; and all files are those that the user gave
 * this program to read.
 */
char *file_real_path(const char *path)
{
    struct file_status ignored;
    return file_status(&ignored, path) ? strdup(path) : NULL;
}

char *file_target(const char *path)
{
    return strdup(path);
}

bool file_is_trusted(const char *path)
{
    return true;
}

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

void process_take_pages(void *block, size_t byte_count)
{
}

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

uint64_t process_memory_bytes(void)
{
    return 0;
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

/* A page has its own way to show what is printed. */
struct terminal terminal_of(int file)
{
    return (struct terminal){0};
}

void terminal_wait_for_key(void)
{
}

/* WASI has no threads: the thread that asks for another does its work. */
size_t thread_processor_count(void)
{
    return 1;
}

void thread_begin_end(void)
{
}

bool worker_start(struct worker **worker, void (*run)(void *context), void *context)
{
    *worker = NULL;
    return false;
}

void worker_enter(struct worker *worker)
{
}

void worker_leave(struct worker *worker)
{
}

void worker_wait(struct worker *worker)
{
}

void worker_wake(struct worker *worker)
{
}

void worker_join(struct worker *worker)
{
}
