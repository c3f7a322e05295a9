#include "platform/process.h"
#include "platform/windows_text.h"

#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

/* The command line, split into arguments. */
struct arguments {
    char **at; /* [count], then NULL */
    size_t count, capacity;
};

static _Noreturn void end_without_memory(void)
{
    fputs("supprof: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

static void *must(void *memory)
{
    if (memory == NULL)
        end_without_memory();
    return memory;
}

static void add_argument(struct arguments *arguments, const wchar_t *argument)
{
    if (arguments->count + 1 >= arguments->capacity) {
        arguments->capacity = arguments->capacity > 0 ? 2 * arguments->capacity : 16;
        arguments->at = must(realloc(arguments->at, arguments->capacity * sizeof *arguments->at));
    }
    arguments->at[arguments->count++] = must(windows_narrow(argument));
    arguments->at[arguments->count] = NULL;
}

/*
 * Takes the next argument off the command line, by the rules of Microsoft's C library: "..." keeps
 * blanks, \" is a quotation mark, and before one each pair of backslashes means one.
 */
static const wchar_t *next_argument(const wchar_t *at, wchar_t *argument)
{
    bool is_quoted = false;
    while (*at != L'\0' && (is_quoted || (*at != L' ' && *at != L'\t'))) {
        size_t backslashes = wcsspn(at, L"\\");
        at += backslashes;
        bool is_mark = *at == L'"';
        for (size_t i = 0; i < (is_mark ? backslashes / 2 : backslashes); i++)
            *argument++ = L'\\';
        if (is_mark && backslashes % 2 == 0) {
            if (is_quoted && at[1] == L'"')
                *argument++ = *at++;
            else
                is_quoted = !is_quoted;
            at++;
        } else if (is_mark || (*at != L'\0' && (is_quoted || (*at != L' ' && *at != L'\t')))) {
            *argument++ = *at++;
        }
    }
    *argument = L'\0';
    return at + wcsspn(at, L" \t");
}

/* In the program's own name only quotation marks are special. */
static const wchar_t *skip_name(const wchar_t *at)
{
    bool is_quoted = false;
    for (; *at != L'\0' && (is_quoted || (*at != L' ' && *at != L'\t')); at++)
        is_quoted ^= *at == L'"';
    return at + wcsspn(at, L" \t");
}

static bool has_options(const wchar_t *line, wchar_t *argument)
{
    while (*line != L'\0') {
        line = next_argument(line, argument);
        if (argument[0] == L'-')
            return true;
    }
    return false;
}

static void read_command_line(struct arguments *arguments)
{
    const wchar_t *line = GetCommandLineW();
    wchar_t *argument = must(malloc((wcslen(line) + 1) * sizeof *argument));
    add_argument(arguments, L"supprof");
    line = skip_name(line);
    if (process_is_alone() && !has_options(line, argument))
        add_argument(arguments, L"--open");
    while (*line != L'\0') {
        line = next_argument(line, argument);
        add_argument(arguments, argument);
    }
    free(argument);
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
    /* It lives as long as the process. */
    static struct arguments arguments;
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    set_up_console();
    read_command_line(&arguments);
    *argc = (int)arguments.count;
    *argv = arguments.at;
}

static void (*registered[PROCESS_CLEAN_UPS_MAX])(void);

static BOOL WINAPI clean_up_and_end(DWORD event)
{
    (void)event;
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
