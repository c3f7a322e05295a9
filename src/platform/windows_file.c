#include "platform/file.h"
#include "platform/interrupt.h"
#include "platform/windows_interrupt.h"
#include "platform/windows_text.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* Opens with all sharing: the game may still be writing its log, and a report may be replaced. */
static HANDLE open_handle(const char *path, DWORD access, DWORD creation)
{
    wchar_t *wide = windows_path(path);
    if (wide == NULL)
        return INVALID_HANDLE_VALUE;
    /* Without FILE_FLAG_BACKUP_SEMANTICS a directory cannot be opened, so not recognised either. */
    HANDLE handle =
        CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    creation, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        windows_fail();
    free(wide);
    return handle;
}

static int open_file(const char *path, DWORD access, DWORD creation)
{
    HANDLE handle = open_handle(path, access, creation);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    int file = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (file < 0)
        CloseHandle(handle);
    return file;
}

static bool set_status(struct file_status *status, HANDLE handle)
{
    *status = (struct file_status){.kind = FILE_OTHER};
    DWORD type = GetFileType(handle);
    if (type != FILE_TYPE_DISK)
        return type != FILE_TYPE_UNKNOWN || windows_fail() == 0;
    BY_HANDLE_FILE_INFORMATION known;
    /* Wine does not know which file a redirected stream is; such a file is read as a pipe is. */
    if (!GetFileInformationByHandle(handle, &known))
        return true;
    bool is_directory = (known.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    status->kind = is_directory ? FILE_DIRECTORY : FILE_REGULAR;
    status->device = known.dwVolumeSerialNumber;
    status->number = (uint64_t)known.nFileIndexHigh << 32 | known.nFileIndexLow;
    status->byte_count = (int64_t)((uint64_t)known.nFileSizeHigh << 32 | known.nFileSizeLow);
    /* In units of 100 ns. */
    status->written_ns = (int64_t)((uint64_t)known.ftLastWriteTime.dwHighDateTime << 32 |
                                   known.ftLastWriteTime.dwLowDateTime) *
                         100;
    return true;
}

bool file_status(struct file_status *status, const char *path)
{
    HANDLE handle = open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool is_known = set_status(status, handle);
    CloseHandle(handle);
    return is_known;
}

bool file_status_of_open(struct file_status *status, int file)
{
    return set_status(status, handle_of(file));
}

/* Links are rare; a link to a file that does not exist is replaced like any other file. */
bool file_is_dangling_link(const char *path)
{
    return false;
}

/* Nothing here waits for the other end of a pipe. */
int file_open(const char *path, enum file_waiting waiting)
{
    return open_file(path, GENERIC_READ, OPEN_EXISTING);
}

bool file_read(int file, void *buffer, size_t capacity, size_t *length)
{
    enum { BYTES_MAX = 1 << 30 };
    DWORD got = 0;
    *length = 0;
    if (windows_interrupt_read(handle_of(file), buffer,
                               (DWORD)(capacity < BYTES_MAX ? capacity : BYTES_MAX), &got)) {
        *length = got;
        return true;
    }
    /* A pipe without a writer is at its end. */
    DWORD error = GetLastError();
    return interrupt_is_pending() || error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ||
           windows_fail() == 0;
}

bool file_close(int file)
{
    return _close(file) == 0;
}

int file_create_new(const char *path, unsigned permissions)
{
    return open_file(path, GENERIC_WRITE, CREATE_NEW);
}

int file_open_to_write(const char *path)
{
    int file = open_file(path, GENERIC_WRITE, CREATE_ALWAYS);
    /* Devices and the like cannot be created, and exist already. */
    return file >= 0 ? file : open_file(path, GENERIC_WRITE, OPEN_EXISTING);
}

bool file_write(int file, const void *bytes, size_t length)
{
    /* Consoles do not accept large blocks. */
    enum { FILE_BYTES_MAX = 1 << 20, CONSOLE_BYTES_MAX = 16 * 1024 };
    HANDLE handle = handle_of(file);
    size_t limit = GetFileType(handle) == FILE_TYPE_CHAR ? CONSOLE_BYTES_MAX : FILE_BYTES_MAX;
    for (const char *at = bytes; length > 0;) {
        DWORD written = 0;
        if (!WriteFile(handle, at, (DWORD)(length < limit ? length : limit), &written, NULL))
            return windows_fail() == 0;
        at += written;
        length -= written;
    }
    return true;
}

unsigned file_default_permissions(void)
{
    return 0;
}

/* The size of a Windows pipe is chosen by the program that makes it. */
void file_widen_pipe(int file, size_t size)
{
}

bool file_rename(const char *from, const char *to)
{
    wchar_t *wide_from = windows_path(from);
    wchar_t *wide_to = windows_path(to);
    bool is_done =
        wide_from != NULL && wide_to != NULL &&
        (MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING) || windows_fail() == 0);
    free(wide_from);
    free(wide_to);
    return is_done;
}

void file_remove(const char *path)
{
    wchar_t *wide = windows_path(path);
    if (wide != NULL)
        DeleteFileW(wide);
    free(wide);
}

static char *with_slashes(char *path)
{
    for (char *at = path; at != NULL && *at != '\0'; at++)
        if (*at == '\\')
            *at = '/';
    return path;
}

char *file_real_path(const char *path)
{
    HANDLE handle = open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    char *real = NULL;
    DWORD length = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *wide = length > 0 ? malloc((length + 1) * sizeof *wide) : NULL;
    if (wide != NULL && GetFinalPathNameByHandleW(handle, wide, length + 1, 0) > 0) {
        static const wchar_t share[] = L"\\\\?\\UNC\\", local[] = L"\\\\?\\";
        wchar_t *start = wide;
        if (wcsncmp(wide, share, wcslen(share)) == 0) {
            start += wcslen(share) - 2;
            start[0] = L'\\';
        } else if (wcsncmp(wide, local, wcslen(local)) == 0) {
            start += wcslen(local);
        }
        real = with_slashes(windows_narrow(start));
    }
    free(wide);
    CloseHandle(handle);
    return real;
}

char *file_target(const char *path)
{
    wchar_t *wide = windows_path(path);
    DWORD length = wide != NULL ? GetFullPathNameW(wide, 0, NULL, NULL) : 0;
    wchar_t *full = length > 0 ? malloc(length * sizeof *full) : NULL;
    char *target = NULL;
    if (full != NULL && GetFullPathNameW(wide, length, full, NULL) > 0)
        target = with_slashes(windows_narrow(full));
    free(full);
    free(wide);
    return target;
}

bool file_is_same_path(const char *a, const char *b)
{
    wchar_t *wide_a = windows_wide(a);
    wchar_t *wide_b = windows_wide(b);
    bool is_same = wide_a != NULL && wide_b != NULL &&
                   CompareStringOrdinal(wide_a, -1, wide_b, -1, TRUE) == CSTR_EQUAL;
    free(wide_a);
    free(wide_b);
    return is_same;
}

const char *file_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at != '\0'; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
            name = at + 1;
    return name;
}

bool file_create_directory(const char *path)
{
    wchar_t *wide = windows_path(path);
    bool is_there = wide != NULL && (CreateDirectoryW(wide, NULL) ||
                                     GetLastError() == ERROR_ALREADY_EXISTS || windows_fail() == 0);
    free(wide);
    return is_there;
}

bool file_list_directory(const char *path, void (*add)(void *context, const char *name),
                         void *context)
{
    size_t length = strlen(path);
    char *pattern = malloc(length + sizeof "/*");
    if (pattern == NULL)
        return false;
    memcpy(pattern, path, length);
    memcpy(pattern + length, "/*", sizeof "/*");
    wchar_t *wide = windows_path(pattern);
    free(pattern);
    WIN32_FIND_DATAW entry;
    HANDLE search = wide != NULL ? FindFirstFileW(wide, &entry) : INVALID_HANDLE_VALUE;
    if (search == INVALID_HANDLE_VALUE)
        windows_fail();
    free(wide);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    do {
        char *name = windows_narrow(entry.cFileName);
        if (name != NULL)
            add(context, name);
        free(name);
    } while (FindNextFileW(search, &entry));
    bool is_whole = GetLastError() == ERROR_NO_MORE_FILES || windows_fail() == 0;
    FindClose(search);
    return is_whole;
}
