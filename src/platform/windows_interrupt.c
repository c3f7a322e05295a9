#include "platform/windows_interrupt.h"
#include "platform/interrupt.h"

#include <stdatomic.h>
#include <stddef.h>

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

bool windows_interrupt_read(HANDLE handle, void *buffer, DWORD capacity, DWORD *got)
{
    reading_thread = GetCurrentThreadId();
    /* Ctrl-C either sees the thread, or is seen here. */
    bool is_read = !is_pending && ReadFile(handle, buffer, capacity, got, NULL);
    reading_thread = 0;
    return is_read;
}
