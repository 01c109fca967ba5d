/* Any bytes as an archive: whatever its directory says, what is listed can be found, what is called
 * sound has a name that stays inside, and what is unpacked has the size that was stated. */
#include "lerpmesh/archive.h"

#include <stdlib.h>

#define MOST_READ 64            /* members of an archive */
#define MOST_UNPACKED (1 << 20) /* bytes of a member */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    lm_archive *archive = lm_archive_open_memory(data, size, "input", &error);
    size_t count = archive ? lm_archive_num_members(archive) : 0;
    for (size_t i = 0; i < count && i < MOST_READ; i++)
        read_member(archive, lm_archive_member(archive, i));
    lm_archive_free(archive);
    return 0;
}
