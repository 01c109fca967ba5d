/* Fuzzes archives of one kind. For any directory, listed members can be found, valid names stay
 * inside the archive, and unpacked members have their stated size. */
#include "files/directory.h"
#include "files/path.h"
#include "fuzz.h"
#include "sources.h"

#include <string.h>

#define MAX_READ 24            /* members per archive */
#define MAX_UNPACKED (1 << 12) /* bytes per member */

static void read_member(const lm_archive *archive, const lm_member *member) {
    char clean[LM_PATH_SIZE];
    lm_buffer out = {0};
    lm_error error = {0};
    const lm_member *found = lm_archive_find(archive, member->path);
    PROMISE(found && (member->code != LM_CODE_OK || lm_path_clean(member->path, clean)));
    PROMISE(member->problem && !member->problem[0] == (member->code == LM_CODE_OK));
    if (lm_archive_read(archive, member->path, MAX_UNPACKED, &out, &error))
        PROMISE(found->code == LM_CODE_OK && out.size == found->size && out.size <= MAX_UNPACKED);
    else
        assert_error_valid(&error);
    lm_buffer_free(&out);
}

static bool listed(void *caller, const char *name, bool is_folder) {
    (void)is_folder;
    PROMISE(name[0]);
    return ++*(size_t *)caller < MAX_READ;
}

/* Reads the archive as a folder, and searches for textures by its members' names. */
static void view(const lm_archive *archive) {
    size_t count = 0;
    lm_error error = {0};
    const lm_files *files = lm_archive_files(archive);
    lm_source root = {files, NULL, "models"};
    const lm_search_path search = {.sources = &root, .count = 1};
    if (!files->list(files->user, "models", listed, &count, &error))
        assert_error_valid(&error);
    for (size_t i = 0; i < lm_archive_num_members(archive) && i < 4; i++) {
        lm_texture texture;
        lm_buffer out = {0};
        if (lm_texture_find(&search, lm_archive_member(archive, i)->path, &texture))
            PROMISE(files->peek(files->user, texture.path, 16, &out) ? out.size <= 16
                                                                     : out.size == 0);
        lm_buffer_free(&out);
    }
}

void fuzz_archive(fuzz_input *input) {
    lm_error error = {0};
    lm_archive *archive = lm_archive_open_memory(input->data, input->size, "input", NULL, &error);
    if (!archive)
        assert_error_valid(&error);
    if (archive && strcmp(lm_archive_format(archive), input->kind) == 0) {
        for (size_t i = 0; i < lm_archive_num_members(archive) && i < MAX_READ; i++)
            read_member(archive, lm_archive_member(archive, i));
        view(archive);
    }
    lm_archive_free(archive);
}
