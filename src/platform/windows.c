#define _CRT_RAND_S

#include "platform/clock.h"
#include "platform/file.h"
#include "platform/interrupt.h"
#include "platform/process.h"
#include "platform/random.h"
#include "platform/terminal.h"
#include "platform/thread.h"

#include <windows.h>

#include <conio.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/*
 * Conversion between supprof's UTF-8 and Windows' UTF-16.
 */

/* Both return a copy, which the caller frees; NULL with errno set if there is no memory. */
static wchar_t *widen(const char *text)
{
    int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide == NULL)
        errno = ENOMEM;
    else
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

static char *windows_narrow(const wchar_t *text)
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

/* A path of any length as the system's functions take it; NULL on failure. The caller frees it. */
static wchar_t *path_of(const char *path)
{
    /* MAX_PATH is 260, and directories must leave room for a name of 12. */
    enum { LENGTH_MAX = 240 };
    wchar_t *wide = widen(path);
    if (wide == NULL)
        return NULL;
    for (wchar_t *at = wide; *at != L'\0'; at++)
        if (*at == L'/')
            *at = L'\\';
    bool is_long = wcslen(wide) > LENGTH_MAX && wcsncmp(wide, L"\\\\?\\", 4) != 0;
    return is_long ? lengthen(wide) : wide;
}

/* Sets errno to the value closest to the system's last error; returns -1. */
static int fail(void)
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

/*
 * Reading that Ctrl-C cancels.
 */

/* A control handler takes no context. */
static atomic_bool is_pending;
static bool is_caught;
static atomic_ulong reading_thread; /* the number of the thread that is in ReadFile(); 0: none */

/*
 * The system calls this on a thread of its own. The reading thread may be about to wait for a pipe,
 * so its reading is cancelled until it has returned; nothing else that the thread does is.
 */
static BOOL WINAPI on_event(DWORD event)
{
    enum { TRIES = 50, PAUSE_MS = 20 };
    if (event != CTRL_C_EVENT || is_pending)
        return FALSE;
    is_pending = true;
    for (int i = 0; i < TRIES && reading_thread != 0; i++) {
        HANDLE thread = OpenThread(THREAD_TERMINATE, FALSE, reading_thread);
        if (thread != NULL) {
            CancelSynchronousIo(thread);
            CloseHandle(thread);
        }
        Sleep(PAUSE_MS);
    }
    return TRUE;
}

void interrupt_catch(void)
{
    is_pending = false;
    if (!is_caught)
        is_caught = SetConsoleCtrlHandler(on_event, TRUE);
}

void interrupt_release(void)
{
    if (is_caught)
        SetConsoleCtrlHandler(on_event, FALSE);
    is_caught = false;
    is_pending = false;
}

bool interrupt_is_pending(void)
{
    return is_pending;
}

/*
 * ReadFile(), which Ctrl-C cancels while it waits for a pipe. Returns false if Ctrl-C was caught,
 * or if it fails. One thread at a time may read what is no file on a disk.
 */
static bool interrupt_read(HANDLE handle, void *buffer, DWORD capacity, DWORD *got)
{
    if (GetFileType(handle) == FILE_TYPE_DISK)
        return !is_pending && ReadFile(handle, buffer, capacity, got, NULL);
    reading_thread = GetCurrentThreadId();
    /* Ctrl-C either sees the thread, or is seen here. */
    bool is_read = !is_pending && ReadFile(handle, buffer, capacity, got, NULL);
    reading_thread = 0;
    return is_read;
}

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* Opens with all sharing: the game may still be writing its log, and a report may be replaced. */
static HANDLE open_handle(const char *path, DWORD access, DWORD creation)
{
    wchar_t *wide = path_of(path);
    if (wide == NULL)
        return INVALID_HANDLE_VALUE;
    /* Without FILE_FLAG_BACKUP_SEMANTICS a directory cannot be opened, so not recognised either. */
    HANDLE handle = CreateFileW(wide,
                                access,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                NULL,
                                creation,
                                FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS,
                                NULL);
    if (handle == INVALID_HANDLE_VALUE)
        fail();
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
        return type != FILE_TYPE_UNKNOWN || fail() == 0;
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
    if (interrupt_read(
            handle_of(file), buffer, (DWORD)(capacity < BYTES_MAX ? capacity : BYTES_MAX), &got)) {
        *length = got;
        return true;
    }
    /* A pipe without a writer is at its end. */
    DWORD error = GetLastError();
    return interrupt_is_pending() || error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ||
           fail() == 0;
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
            return fail() == 0;
        at += written;
        length -= written;
    }
    return true;
}

unsigned file_default_permissions(void)
{
    return 0;
}

bool file_rename(const char *from, const char *to)
{
    wchar_t *wide_from = path_of(from);
    wchar_t *wide_to = path_of(to);
    bool is_done = wide_from != NULL && wide_to != NULL &&
                   (MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING) || fail() == 0);
    free(wide_from);
    free(wide_to);
    return is_done;
}

void file_remove(const char *path)
{
    wchar_t *wide = path_of(path);
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
    wchar_t *wide = path_of(path);
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
    wchar_t *wide_a = widen(a);
    wchar_t *wide_b = widen(b);
    bool is_same = wide_a != NULL && wide_b != NULL &&
                   CompareStringOrdinal(wide_a, -1, wide_b, -1, TRUE) == CSTR_EQUAL;
    free(wide_a);
    free(wide_b);
    return is_same;
}

/* An owner says little here: what a program with an administrator's rights makes is of a group. */
bool file_is_trusted(const char *path)
{
    return true;
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
    wchar_t *wide = path_of(path);
    bool is_there = wide != NULL && (CreateDirectoryW(wide, NULL) ||
                                     GetLastError() == ERROR_ALREADY_EXISTS || fail() == 0);
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
    wchar_t *wide = path_of(pattern);
    free(pattern);
    WIN32_FIND_DATAW entry;
    HANDLE search = wide != NULL ? FindFirstFileW(wide, &entry) : INVALID_HANDLE_VALUE;
    if (search == INVALID_HANDLE_VALUE)
        fail();
    free(wide);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    do {
        char *name = windows_narrow(entry.cFileName);
        if (name != NULL)
            add(context, name);
        free(name);
    } while (FindNextFileW(search, &entry));
    bool is_whole = GetLastError() == ERROR_NO_MORE_FILES || fail() == 0;
    FindClose(search);
    return is_whole;
}

static void *must(void *memory)
{
    if (memory != NULL)
        return memory;
    fputs("supprof: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

/* Whether --open is to be inserted: an option says that another program has started this one. */
static bool is_opened(wchar_t *const *arguments, int count)
{
    for (int i = 1; i < count; i++)
        if (arguments[i][0] == L'-')
            return false;
    return process_is_alone();
}

/* Returns the arguments, [*count] and NULL. They live as long as the process. */
static char **read_command_line(int *count)
{
    static char name[] = "supprof", open[] = "--open";
    int given, used = 0;
    wchar_t **wide = must(CommandLineToArgvW(GetCommandLineW(), &given));
    char **arguments = must(calloc((size_t)given + 2, sizeof *arguments));
    for (int i = 0; i < given; i++) {
        arguments[used++] = i == 0 ? name : must(windows_narrow(wide[i]));
        if (i == 0 && is_opened(wide, given))
            arguments[used++] = open;
    }
    LocalFree(wide);
    *count = used;
    return arguments;
}

static UINT old_code_page;

static void restore_code_page(void)
{
    SetConsoleOutputCP(old_code_page);
}

/* UTF-8 and escape sequences. */
static void set_up_console(void)
{
    static const DWORD streams[] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    bool is_console = false;
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        DWORD mode;
        HANDLE handle = GetStdHandle(streams[i]);
        if (!GetConsoleMode(handle, &mode))
            continue;
        SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        is_console = true;
    }
    if (!is_console)
        return;
    old_code_page = GetConsoleOutputCP();
    SetConsoleOutputCP(CP_UTF8);
    (void)atexit(restore_code_page);
}

void process_take_pages(void *block, size_t byte_count)
{
}

void process_set_up(int *argc, char ***argv)
{
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    set_up_console();
    *argv = read_command_line(argc);
}

static void (*registered[PROCESS_CLEAN_UPS_MAX])(void);

static BOOL WINAPI clean_up_and_end(DWORD event)
{
    for (size_t i = 0; i < PROCESS_CLEAN_UPS_MAX && registered[i] != NULL; i++)
        registered[i]();
    return FALSE;
}

void process_at_end(void (*clean_up)(void))
{
    size_t count = 0;
    while (registered[count] != NULL)
        count++;
    registered[count] = clean_up;
    (void)atexit(clean_up);
    if (count == 0)
        SetConsoleCtrlHandler(clean_up_and_end, TRUE);
}

size_t thread_processor_count(void)
{
    DWORD_PTR allowed = 0, all;
    size_t count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all))
        for (; allowed != 0; allowed &= allowed - 1)
            count++;
    return count > 1 ? count : 1;
}

bool process_is_alone(void)
{
    DWORD processes[2];
    return GetConsoleProcessList(processes, sizeof processes / sizeof processes[0]) == 1;
}

uint64_t process_memory_bytes(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
}

char *process_file(void)
{
    /* No path is longer. */
    enum { LENGTH_MAX = 32768 };
    wchar_t *wide = malloc(LENGTH_MAX * sizeof *wide);
    DWORD length = wide != NULL ? GetModuleFileNameW(NULL, wide, LENGTH_MAX) : 0;
    char *path = length > 0 && length < LENGTH_MAX ? windows_narrow(wide) : NULL;
    free(wide);
    return path;
}

char *process_variable(const char *name)
{
    wchar_t *wide = widen(name);
    const wchar_t *value = wide != NULL ? _wgetenv(wide) : NULL;
    char *narrow = value != NULL ? windows_narrow(value) : NULL;
    free(wide);
    return narrow;
}

bool process_show(const char *path)
{
    /* ShellExecute() no longer returns a real handle: values above 32 mean success. */
    enum { ERRORS_MAX = 32 };
    wchar_t *wide = path_of(path);
    bool is_shown =
        wide != NULL &&
        (intptr_t)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > ERRORS_MAX;
    free(wide);
    return is_shown;
}

uint64_t random_number(void)
{
    unsigned int low, high;
    if (rand_s(&low) != 0 || rand_s(&high) != 0)
        return (uint64_t)clock_now_ns();
    return (uint64_t)high << 32 | low;
}

/* The alternate screen, without a cursor, and without a second line for one that is too long. */
static const char begin[] = "\x1b[?1049h\x1b[?25l\x1b[?7l", end[] = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/* The console must be restored by a control handler, which takes no context. */
static volatile bool is_on;
static HANDLE keyboard = INVALID_HANDLE_VALUE;
static DWORD old_mode;

static void leave(void)
{
    DWORD written;
    if (!is_on)
        return;
    is_on = false;
    WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), end, sizeof end - 1, &written, NULL);
    if (keyboard != INVALID_HANDLE_VALUE)
        SetConsoleMode(keyboard, old_mode);
}

void screen_begin(void)
{
    keyboard = CreateFileW(L"CONIN$",
                           GENERIC_READ | GENERIC_WRITE,
                           FILE_SHARE_READ | FILE_SHARE_WRITE,
                           NULL,
                           OPEN_EXISTING,
                           0,
                           NULL);
    if (keyboard != INVALID_HANDLE_VALUE && GetConsoleMode(keyboard, &old_mode))
        SetConsoleMode(keyboard, ENABLE_PROCESSED_INPUT | ENABLE_EXTENDED_FLAGS);
    process_at_end(leave);
    is_on = true;
    file_write(FILE_STANDARD_OUTPUT, begin, sizeof begin - 1);
}

void screen_end(void)
{
    leave();
    if (keyboard != INVALID_HANDLE_VALUE)
        CloseHandle(keyboard);
    keyboard = INVALID_HANDLE_VALUE;
}

/* Takes the next key that is a character; other events are dropped. */
static bool read_key(char *key)
{
    INPUT_RECORD event;
    DWORD count;
    while (keyboard != INVALID_HANDLE_VALUE && PeekConsoleInputW(keyboard, &event, 1, &count) &&
           count > 0) {
        ReadConsoleInputW(keyboard, &event, 1, &count);
        wchar_t character = event.Event.KeyEvent.uChar.UnicodeChar;
        if (event.EventType == KEY_EVENT && event.Event.KeyEvent.bKeyDown && character > 0 &&
            character < 0x80) {
            *key = (char)character;
            return true;
        }
    }
    return false;
}

/* Whether a pipe has bytes, or is at its end; other files never wait. */
static bool has_bytes(int file)
{
    HANDLE handle = handle_of(file);
    DWORD count = 0;
    return GetFileType(handle) != FILE_TYPE_PIPE ||
           !PeekNamedPipe(handle, NULL, 0, NULL, &count, NULL) || count > 0;
}

/* There is no way to wait for a pipe and for keys at once, so this looks 20 times a second. */
enum screen_event screen_wait(int file, int timeout_ms, char *key)
{
    enum { PAUSE_MS = 50 };
    for (int waited_ms = 0;; waited_ms += PAUSE_MS) {
        if (interrupt_is_pending())
            return SCREEN_INTERRUPT;
        if (read_key(key))
            return SCREEN_KEY;
        if (file >= 0 && has_bytes(file))
            return SCREEN_BYTES;
        if (waited_ms >= timeout_ms)
            return SCREEN_NOTHING;
        Sleep(PAUSE_MS);
    }
}

struct terminal terminal_of(int file)
{
    DWORD mode;
    CONSOLE_SCREEN_BUFFER_INFO info;
    HANDLE handle = handle_of(file);
    struct terminal terminal = {.is_there = GetConsoleMode(handle, &mode)};
    /* Consoles since Windows 10 understand colours; process_set_up() has requested it. */
    terminal.has_color = terminal.is_there && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
    if (GetConsoleScreenBufferInfo(handle, &info)) {
        /* A line that fills the last column would be followed by an empty one. */
        terminal.width = (size_t)(info.srWindow.Right - info.srWindow.Left);
        terminal.height = (size_t)(info.srWindow.Bottom - info.srWindow.Top + 1);
    }
    return terminal;
}

void terminal_wait_for_key(void)
{
    if (terminal_of(FILE_STANDARD_INPUT).is_there)
        _getch();
}
