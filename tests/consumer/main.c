/* What somebody else's program sees of an installed lerpmesh. */
#include <lerpmesh/lerpmesh.h>
#include <stdio.h>

int main(void) {
    int major = -1;
    int minor = -1;
    int read = sscanf(lm_version(), "%d.%d", &major, &minor);
    printf("lerpmesh %s\n", lm_version());
    return read != 2 || major != LM_VERSION_MAJOR || minor != LM_VERSION_MINOR;
}
