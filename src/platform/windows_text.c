#include "platform/windows_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

wchar_t *windows_wide(const char *text)
{
    int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide == NULL)
        errno = ENOMEM;
    else
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

char *windows_narrow(const wchar_t *text)
{
    int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *narrow = length > 0 ? malloc((size_t)length) : NULL;
    if (narrow == NULL)
        errno = ENOMEM;
    else
        WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, length, NULL, NULL);
    return narrow;
}

/* Returns the full path with the prefix that allows any length, and frees `path`. */
static wchar_t *lengthen(wchar_t *path)
{
    static const wchar_t local[] = L"\\\\?\\", share[] = L"\\\\?\\UNC";
    DWORD length = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = malloc((length + sizeof share / sizeof share[0]) * sizeof *full);
    if (full == NULL) {
        free(path);
        errno = ENOMEM;
        return NULL;
    }
    bool is_share = path[0] == L'\\' && path[1] == L'\\';
    const wchar_t *prefix = is_share ? share : local;
    size_t prefix_length = wcslen(prefix);
    /* In "\\server", the prefix of a share replaces the first backslash. */
    GetFullPathNameW(path, length, full + prefix_length - is_share, NULL);
    memcpy(full, prefix, prefix_length * sizeof *full);
    free(path);
    return full;
}

wchar_t *windows_path(const char *path)
{
    /* MAX_PATH is 260, and directories must leave room for a name of 12. */
    enum { LENGTH_MAX = 240 };
    wchar_t *wide = windows_wide(path);
    if (wide == NULL)
        return NULL;
    for (wchar_t *at = wide; *at != L'\0'; at++)
        if (*at == L'/')
            *at = L'\\';
    bool is_long = wcslen(wide) > LENGTH_MAX && wcsncmp(wide, L"\\\\?\\", 4) != 0;
    return is_long ? lengthen(wide) : wide;
}

int windows_fail(void)
{
    static const struct {
        DWORD error;
        int reason;
    } reasons[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EACCES},
        {ERROR_WRITE_PROTECT, EACCES},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    };
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].error == error)
            errno = reasons[i].reason;
    return -1;
}
