#ifdef _WIN32

#include "terminal.h"

#include <fcntl.h>
#include <io.h>
#include <limits.h>
/* The headers that need it follow. */
#include <windows.h>

/* ---- The process --------------------------------------------------------------------------- */

void tool_system_begin(void) {
    for (int stream = 0; stream <= 2; stream++)
        _setmode(stream, _O_BINARY);
}

bool tool_system_write(int stream, const void *data, size_t size) {
    for (const uint8_t *from = data; size > 0;) {
        int written = _write(stream, from, size < INT_MAX ? (unsigned)size : INT_MAX);
        if (written < 0)
            return false;
        from += written;
        size -= (size_t)written;
    }
    return true;
}

bool tool_system_is_terminal(int stream) {
    return _isatty(stream) != 0;
}

double tool_system_seconds(void) {
    return (double)GetTickCount64() * 1e-3;
}

unsigned tool_system_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors < 1 ? 1 : (unsigned)info.dwNumberOfProcessors;
}

#endif
