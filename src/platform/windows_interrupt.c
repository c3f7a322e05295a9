#include "platform/interrupt.h"

#include <stdatomic.h>
#include <stddef.h>
#include <windows.h>

/* A control handler takes no context. */
static atomic_bool is_pending, is_seen;
static bool is_caught;
static atomic_ulong reading_thread; /* its number; 0: none */

/*
 * The system calls this on a thread of its own. The reading thread may be about to wait for a pipe,
 * so its reading is cancelled until it has seen the key.
 */
static BOOL WINAPI on_event(DWORD event)
{
    enum { TRIES = 50, PAUSE_MS = 20 };
    if (event != CTRL_C_EVENT || is_pending)
        return FALSE;
    is_pending = true;
    HANDLE thread =
        reading_thread != 0 ? OpenThread(THREAD_TERMINATE, FALSE, reading_thread) : NULL;
    for (int i = 0; i < TRIES && thread != NULL && !is_seen; i++) {
        CancelSynchronousIo(thread);
        Sleep(PAUSE_MS);
    }
    if (thread != NULL)
        CloseHandle(thread);
    return TRUE;
}

void interrupt_catch(void)
{
    is_pending = false;
    is_seen = false;
    reading_thread = 0;
    if (!is_caught)
        is_caught = SetConsoleCtrlHandler(on_event, TRUE);
}

void interrupt_release(void)
{
    if (is_caught)
        SetConsoleCtrlHandler(on_event, FALSE);
    is_seen = true;
    is_caught = false;
    is_pending = false;
}

bool interrupt_is_pending(void)
{
    return is_pending;
}

bool interrupt_wait_for_bytes(int file)
{
    (void)file;
    if (!is_caught)
        return true;
    reading_thread = GetCurrentThreadId();
    is_seen = is_pending;
    return !is_pending;
}
