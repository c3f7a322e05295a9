/*
 * ctrl_c.c - ctrl_c LOG PROGRAM [ARGUMENT]...: runs a program that reads a pipe, writes a log into
 * the pipe, which stays open, and presses Ctrl-C once. Exits with the program's status, or 99 if it
 * has not ended after 5 seconds.
 *
 * The pipe is one of Windows: a shell's pipe is one of Linux, and Wine cannot cancel its reading.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

enum { READING_MS = 1500, PATIENCE_MS = 5000, STILL_RUNNING = 99, FAILED = 98 };

static int fail(const char *what)
{
    fprintf(stderr, "ctrl_c: %s fails: %lu\n", what, GetLastError());
    return FAILED;
}

static bool write_log(HANDLE pipe, const char *path)
{
    static char block[64 * 1024];
    size_t length;
    DWORD written;
    FILE *log = fopen(path, "rb");
    bool is_written = log != NULL;
    while (is_written && (length = fread(block, 1, sizeof block, log)) > 0)
        is_written = WriteFile(pipe, block, (DWORD)length, &written, NULL);
    if (log != NULL)
        fclose(log);
    return is_written;
}

int main(int count, char **arguments)
{
    char command[4096] = "";
    if (count < 3)
        return fail("the command line");
    for (int i = 2; i < count; i++) {
        size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, "\"%s\" ", arguments[i]);
    }
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE reading, writing;
    if (!CreatePipe(&reading, &writing, &inherited, 0) ||
        !SetHandleInformation(writing, HANDLE_FLAG_INHERIT, 0))
        return fail("CreatePipe");
    STARTUPINFOA startup = {.cb = sizeof startup,
                            .dwFlags = STARTF_USESTDHANDLES,
                            .hStdInput = reading,
                            .hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE),
                            .hStdError = GetStdHandle(STD_ERROR_HANDLE)};
    PROCESS_INFORMATION child;
    if (!CreateProcessA(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &child))
        return fail("CreateProcess");
    CloseHandle(reading);
    if (!write_log(writing, arguments[1]))
        return fail("the log");
    Sleep(READING_MS);
    SetConsoleCtrlHandler(NULL, TRUE);
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0))
        return fail("GenerateConsoleCtrlEvent");
    DWORD status = STILL_RUNNING;
    if (WaitForSingleObject(child.hProcess, PATIENCE_MS) == WAIT_OBJECT_0)
        GetExitCodeProcess(child.hProcess, &status);
    else
        TerminateProcess(child.hProcess, STILL_RUNNING);
    return (int)status;
}
