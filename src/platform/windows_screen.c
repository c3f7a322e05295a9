#include "platform/file.h"
#include "platform/interrupt.h"
#include "platform/process.h"
#include "platform/screen.h"

#include <io.h>
#include <windows.h>

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
    keyboard = CreateFileW(L"CONIN$", GENERIC_READ | GENERIC_WRITE,
                           FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
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
    HANDLE handle = (HANDLE)_get_osfhandle(file);
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
