#include "tree.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/lerpmesh-tree-XXXXXX";

int tree_make(void **state) {
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

int tree_remove(void **state) {
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
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
    char path[256];
    snprintf(path, sizeof path, "%s/", tree_at(name));
    for (char *slash = path + sizeof root; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    assert_int_equal(access(path, F_OK), 0);
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
