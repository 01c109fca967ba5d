/* The clips beside a model, for the edit of its frames. */
#include "convert_options.h"

#include "core/text.h"

#include <string.h>

bool lmi_edit_use_clips_of(lm_vfs *vfs, const lm_given_file *file, lm_edit *edit, lm_arena *arena,
                           const char **clips_path, lm_error *error) {
    const lm_assets_options options = {
        .load.repair = true, .images = LM_IMAGES_NONE, .num_files = 1, .files = file};
    *clips_path = NULL;
    if (strcmp(file->path, "-") == 0)
        return true;
    lm_assets *assets = lm_assets_open(vfs, file->path, &options, NULL);
    const lm_asset *first = assets && assets->scene ? &assets->assets[0] : NULL;
    const lm_clips *clips = first ? first->clips : NULL;
    const bool done = assets
                          ? !clips || lm_edit_use_clips(edit, clips->clips, clips->num_clips, error)
                          : lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
    if (done && clips && first->clips_path)
        *clips_path = lmi_copy_text(arena, first->clips_path);
    lm_assets_free(assets);
    return done;
}
