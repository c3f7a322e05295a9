#include "platform/process.h"
#include "platform/windows_text.h"

#include <fcntl.h>
#include <io.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

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
    bool has_options = false;
    for (int i = 1; i < count; i++)
        has_options |= arguments[i][0] == L'-';
    return !has_options && process_is_alone();
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

bool process_is_alone(void)
{
    DWORD processes[2];
    return GetConsoleProcessList(processes, sizeof processes / sizeof processes[0]) == 1;
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
    wchar_t *wide = windows_wide(name);
    const wchar_t *value = wide != NULL ? _wgetenv(wide) : NULL;
    char *narrow = value != NULL ? windows_narrow(value) : NULL;
    free(wide);
    return narrow;
}

bool process_show(const char *path)
{
    /* ShellExecute() no longer returns a real handle: values above 32 mean success. */
    enum { ERRORS_MAX = 32 };
    wchar_t *wide = windows_path(path);
    bool is_shown = wide != NULL && (intptr_t)ShellExecuteW(NULL, L"open", wide, NULL, NULL,
                                                            SW_SHOWNORMAL) > ERRORS_MAX;
    free(wide);
    return is_shown;
}
