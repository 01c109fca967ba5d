/* Any bytes as an archive: whatever its directory says, what is listed can be found, what is called
 * sound has a name that stays inside, and what is unpacked has the size that was stated. */
#include "lerpmesh/archive.h"

#include <stdlib.h>
#include <unistd.h>

#define MOST_READ 64            /* members of an archive */
#define MOST_UNPACKED (1 << 20) /* bytes of a member */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "/tmp/lerpmesh-fuzz-XXXXXX";

static void remove_file(void) {
    unlink(path);
}

/* The input as a file, the same one every time: PhysicsFS reads files only. */
static void write_input(const uint8_t *data, size_t size) {
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = mkstemp(path);
        atexit(remove_file);
    }
    if (descriptor < 0 || ftruncate(descriptor, 0) != 0 ||
        pwrite(descriptor, data, size, 0) != (ssize_t)size)
        abort();
}

static void read_member(const lm_archive *archive, const lm_member *member) {
    char clean[LM_PATH_SIZE];
    lm_buffer out = {0};
    lm_error error;
    const lm_member *found = lm_archive_find(archive, member->path);
    if (!found || (member->code == LM_CODE_OK && !lm_path_clean(member->path, clean)))
        abort();
    if (lm_archive_read(archive, member->path, MOST_UNPACKED, &out, &error) &&
        (found->code != LM_CODE_OK || out.size != found->size || out.size > MOST_UNPACKED))
        abort();
    lm_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lm_error error;
    write_input(data, size);
    lm_archive *archive = lm_archive_open(path, &error);
    size_t count = archive ? lm_archive_num_members(archive) : 0;
    for (size_t i = 0; i < count && i < MOST_READ; i++)
        read_member(archive, lm_archive_member(archive, i));
    lm_archive_close(archive);
    return 0;
}
