#include "tree.h"
#include "files/path.h"

#include <unistd.h>

#define TMP "/tmp/"

static char root[] = TMP "lerpmesh-tree-XXXXXX";

int tree_make(void **state) {
    const int file = mkstemp(root);
    return file >= 0 && close(file) == 0 && unlink(root) == 0 && lm_folder_make(root, NULL) ? 0
                                                                                            : -1;
}

int tree_remove(void **state) {
    char command[64];
#ifdef _WIN32
    snprintf(command, sizeof command, "rmdir /s /q \\tmp\\%s", root + strlen(TMP));
#else
    snprintf(command, sizeof command, "rm -rf %s", root);
#endif
    return system(command);
}

const char *tree_at(const char *name) {
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % COUNT_OF(paths)];
    assert_true(snprintf(path, sizeof paths[0], "%s/%s", root, name) < (int)sizeof paths[0]);
    return path;
}

void tree_folder(const char *name) {
    lm_error error;
    assert_done(lm_folder_make(tree_at(name), &error), error);
}

void tree_put(const char *name, const void *data, size_t size) {
    FILE *file = fopen(tree_at(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void tree_put_text(const char *name, const char *text) {
    tree_put(name, text, strlen(text));
}

void tree_put_blob(const char *name, blob b) {
    tree_put(name, b.data, b.size);
    blob_free(&b);
}

void tree_put_buffer(const char *name, lm_buffer b) {
    tree_put(name, b.data, b.size);
    lm_buffer_free(&b);
}

void tree_drop(const char *name) {
    assert_int_equal(unlink(tree_at(name)), 0);
}

void tree_link(const char *target, const char *name) {
#ifdef _WIN32
    skip();
#else
    assert_int_equal(symlink(target, tree_at(name)), 0);
#endif
}

bool tell(void *caller, const char *name, bool is_folder) {
    told_names *t = caller;
    strcat(strcat(t->text, name), is_folder ? "/ " : " ");
    return --t->left > 0;
}
