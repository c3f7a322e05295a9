#include "platform/memory.h"

/* Windows gives large pages to privileged users only, and WebAssembly has none. */
void memory_want_large_pages(void *memory, size_t size)
{
}
