/* System calls of the command as a WebAssembly program; Node provides them (web/lib/command.js). */
#include "../../tool/system.h"

#include "../wasm/web.h"

#include <errno.h>

#define SYSTEM(name) WEB_IMPORT("system", #name) int name
SYSTEM(system_write)(int stream, const void *data, size_t size); /* 0, or -errno */
SYSTEM(system_is_terminal)(int stream);
WEB_IMPORT("system", "system_seconds") double system_seconds(void);

int main(int argc, char **argv);

/* Runs the command and returns its exit status. */
int WEB_EXPORT(web_main)(void) {
    return main(0, NULL);
}

void tool_system_begin(void) {}

bool tool_system_write(int stream, const void *data, size_t size) {
    const int result = system_write(stream, data, size);
    if (result < 0)
        errno = -result;
    return result >= 0;
}

bool tool_system_is_terminal(int stream) {
    return system_is_terminal(stream) > 0;
}

double tool_system_seconds(void) {
    return system_seconds();
}

unsigned tool_system_processors(void) {
    return 1;
}
