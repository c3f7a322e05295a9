#include "platform/file.h"
#include "platform/terminal.h"

#include <conio.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static bool get_mode(int file, DWORD *mode)
{
    return GetConsoleMode((HANDLE)_get_osfhandle(file), mode);
}

bool terminal_is(int file)
{
    DWORD mode;
    return get_mode(file, &mode);
}

/* Consoles since Windows 10 understand colours; process_set_up() has requested it. */
bool terminal_has_color(void)
{
    DWORD mode;
    return get_mode(FILE_STANDARD_OUTPUT, &mode) &&
           (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

size_t terminal_width(int file)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(file), &info))
        return 0;
    /* A line that fills the last column would be followed by an empty one. */
    return (size_t)(info.srWindow.Right - info.srWindow.Left);
}

size_t terminal_height(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(FILE_STANDARD_OUTPUT), &info))
        return 0;
    return (size_t)(info.srWindow.Bottom - info.srWindow.Top + 1);
}

void terminal_wait_for_key(void)
{
    if (terminal_is(FILE_STANDARD_INPUT))
        _getch();
}
