/* Changes the folder in the paths of a model's skins, and the name of a clip. All other bytes stay:
 * rename MODEL OUT OLD/ NEW/ CLIP=NAME */
#include <lerpmesh/assets.h>
#include <lerpmesh/edit.h>
#include <stdio.h>

int main(int argc, char **argv) {
    lm_error error = {.message = "usage: rename MODEL OUT OLD/ NEW/ CLIP=NAME"};
    lm_buffer in = {0}, out = {0};
    char path[512], clip[512];
    lm_edit *edit = NULL;
    if (argc == 6 && lm_file_read(argv[1], 0, &in, &error))
        edit = lm_edit_open(in.data, in.size, NULL, &error);
    bool done = edit != NULL;
    if (done) {
        snprintf(path, sizeof path, "s#^%s#%s#", argv[3], argv[4]);
        snprintf(clip, sizeof clip, "clips:%s", argv[5]);
        done = lm_edit_set(edit, "path", path, NULL, &error) &&
               lm_edit_set(edit, "rename", clip, NULL, &error) && lm_edit_write(edit, &out, &error);
    }
    const lm_file_output file = {
        .path = argc > 2 ? argv[2] : "", .data = out.data, .size = out.size};
    done = done && lm_file_write(&file, 1, false, &error);
    uint32_t count = 0;
    const lm_edit_change *changes = done ? lm_edit_changes(edit, &count) : NULL;
    for (uint32_t i = 0; i < count; i++)
        printf("%s: %s -> %s\n", changes[i].what, changes[i].before, changes[i].after);
    if (!done)
        fprintf(stderr, "%s\n", error.message);
    lm_edit_free(edit);
    lm_buffer_free(&in);
    lm_buffer_free(&out);
    return done ? 0 : 1;
}
