/* Shows files as a program sees them: files.c FOLDER, which has Sub/tick.md2 and pack.pk3. The
 * output is the same on every system. */
#include <lerpmesh/assets.h>
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>
#include <string.h>

static char path[600];

static const char *in(const char *folder, const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool tell(void *caller, const char *name, bool is_folder) {
    (void)caller;
    printf(" %s%s", name, is_folder ? "/" : "");
    return true;
}

static void look(const lm_files *files, const char *name) {
    char actual[LM_PATH_SIZE];
    lm_buffer out = {0};
    lm_error error = {0};
    lm_find found = files->find(files->user, name, actual);
    bool read = files->read(files->user, actual, 0, &out, &error);
    printf("%s: %d '%s', %zu bytes, %d\n", name, (int)found, actual, out.size, (int)error.code);
    (void)read;
    lm_buffer_free(&out);
}

static void list(const lm_files *files, const char *name) {
    lm_error error = {0};
    printf("'%s':", name);
    bool there = files->list(files->user, name, tell, NULL, &error);
    printf("%s\n", there ? "" : " there is none");
}

static void write_and_read(const char *name, const char *text) {
    lm_error error = {0};
    lm_buffer file = {0};
    const lm_file_output output = {.path = name, .data = text, .size = strlen(text)};
    bool written = lm_file_write(&output, 1, false, &error);
    bool read = written && lm_file_read(name, 100, &file, &error);
    printf("%d %d %.*s %s\n", written, read, (int)file.size, (const char *)file.data,
           lm_code_name(error.code));
    lm_buffer_free(&file);
}

int main(int count, char **arguments) {
    const char *top = count == 2 ? arguments[1] : "";
    lm_error error = {0};
    write_and_read(in(top, "sch\xC3\xB6n.txt"), "one\n");
    write_and_read(in(top, "sch\xC3\xB6n.txt"), "two\r\n\x1A!");
    write_and_read(in(top, "none/x"), "");
    write_and_read(in(top, "Sub"), "");
    lm_vfs *vfs = lm_vfs_new(NULL, NULL);
    const lm_files *folder = lm_vfs_folder(vfs, top, &error);
    lm_archive *archive = lm_archive_open(in(top, "pack.pk3"), NULL, NULL, &error);
    if (!folder || !archive)
        return printf("%s\n", error.message), 1;
    const lm_files *views[] = {folder, archive->files};
    static const char *const names[] = {"sub/TICK.md2", "SCH\xC3\xB6N.TXT", "Sub",
                                        "../x",         "Sub/../pack.pk3",  "none",
                                        "/pack.pk3",    "sub\\tick.md2"};
    for (int i = 0; i < 2; i++) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            look(views[i], names[n]);
        list(views[i], "");
        list(views[i], "SUB");
        list(views[i], "..");
    }
    lm_archive_free(archive);
    lm_vfs_free(vfs);
    printf("%d %d\n", lm_archive_is(in(top, "pack.pk3")), lm_archive_is(top));
    printf("%d\n", lm_archive_open(top, NULL, NULL, &error) != NULL);
    lm_model *model = lm_load_file(in(top, "Sub/tick.md2"), NULL, &error);
    printf("%s, %u frames\n", model ? model->format : error.message,
           model ? (unsigned)model->num_frames : 0);
    lm_model_free(model);
    return 0;
}
