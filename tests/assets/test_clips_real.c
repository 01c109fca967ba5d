/* Tests changes in the clips files of OpenArena. */
#include "clip_changes.h"
#include "skipping.h"

#define GAME "/usr/share/games/openarena/baseoa"

TEST(test_archives) {
    static const char *const archives[] = {GAME "/pak0.pk3", GAME "/pak2-players.pk3",
                                           GAME "/pak2-players-mature.pk3",
                                           GAME "/pak6-patch088.pk3"};
    size_t files = 0, changed = 0;
    for (size_t i = 0; i < COUNT_OF(archives); i++) {
        lm_archive *archive = lm_archive_open(archives[i], NULL, NULL);
        for (size_t k = 0; archive && k < lm_archive_num_members(archive); k++) {
            const char *path = lm_archive_member(archive, k)->path;
            const size_t length = strlen(path), name = strlen("animation.cfg");
            lm_buffer text = {0};
            if (length < name || strcmp(path + length - name, "animation.cfg") != 0)
                continue;
            assert_true(lm_archive_read(archive, path, 0, &text, NULL));
            files++;
            changed += check_clip_changes(path, text.data, text.size, 400, (uint32_t)k);
            lm_buffer_free(&text);
        }
        lm_archive_free(archive);
    }
    if (files == 0)
        SKIP("OpenArena is not installed");
    assert_true(changed > 10 * files);
}
