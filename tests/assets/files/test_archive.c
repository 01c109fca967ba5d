/* Tests archives: their contents are read correctly, and nothing in a malicious one escapes,
 * crashes or costs too much. */
#include "files/directory.h"
#include "packing/deflate.h"
#include "run_threads.h"
#include "tree.h"

static char path[64];
static uint8_t noise[5000];

static int make_file(void **state) {
    if (tree_make(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s", tree_at("archive"));
    chance c = chance_from(1);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)(chance_next(&c) & 7);
    return 0;
}

static lm_archive *open_bytes(const void *data, size_t size, lm_error *error) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return lm_archive_open(path, NULL, NULL, error);
}

static lm_archive *open_memory(const void *data, size_t size, const char *name, lm_error *error) {
    return lm_archive_open(name, &(lm_reader){.user = (void *)data, .size = size}, NULL, error);
}

static lm_archive *open_blob(const blob *b) {
    lm_error error = {0};
    lm_archive *archive = open_bytes(b->data, b->size, &error);
    assert_done(archive, error);
    return archive;
}

static lm_code refused(const blob *b) {
    lm_error error = {0};
    assert_null(open_bytes(b->data, b->size, &error));
    assert_error_valid(&error);
    return error.code;
}

static lm_code unreadable(const lm_archive *archive, const char *name, size_t max_size) {
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_buffer_text(&out, "kept");
    assert_false(lm_archive_read(archive, name, max_size, &out, &error));
    assert_error_valid(&error);
    assert_int_equal(out.size, 4);
    return error.code;
}

static void assert_holds(const lm_archive *archive, const char *name, const void *data,
                         size_t size) {
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer out = {0};
    if (!lm_archive_read(archive, name, size, &out, &error))
        fail_msg("%s: %s", name, error.message);
    assert_int_equal(out.size, size);
    if (size)
        assert_memory_equal(out.data, data, size);
}

static const packed_file plain[] = {
    {.name = "progs/ogre.mdl", .data = "OGRE", .size = 4},
    {.name = "Models/A.md2", .data = noise, .size = sizeof noise, .deflate = true},
    {.name = "empty"},
    {.name = "a", .data = "abc", .size = 3, .deflate = true},
};

/* ---- Contents ------------------------------------------------------------------------------ */

static void check_plain(const blob *bytes, const char *format) {
    static const char *const sorted[] = {"a", "empty", "Models/A.md2", "progs/ogre.mdl"};
    OWNED(lm_archive) *archive = open_blob(bytes);
    assert_string_equal(archive->format, format);
    assert_int_equal(archive->num_members, COUNT_OF(plain));
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        assert_string_equal(archive->members[i]->path, sorted[i]);
        assert_int_equal(archive->members[i]->code, LM_CODE_OK);
        assert_string_equal(archive->members[i]->problem, "");
        assert_holds(archive, plain[i].name, plain[i].data, plain[i].size);
        assert_int_equal(lm_archive_find(archive, plain[i].name)->size, plain[i].size);
    }
    assert_int_equal(unreadable(archive, "models", 0), LM_CODE_IO);
    assert_int_equal(unreadable(archive, "", 0), LM_CODE_IO);
    assert_int_equal(unreadable(archive, "Models/A.md2", sizeof noise - 1), LM_CODE_LIMIT);
}

TEST(test_members) {
    AT_END(blob_free)
    blob pak = make_pak(plain, COUNT_OF(plain)), pk3 = make_pk3(plain, COUNT_OF(plain));
    check_plain(&pak, "pak");
    assert_true(lm_archive_is(path));
    check_plain(&pk3, "pk3");
    assert_true(lm_archive_is(path));
    assert_false(lm_archive_is("/tmp"));
    assert_false(lm_archive_is("/dev/zero"));
}

/* Each reader's allocator provides all memory for reading. If any call fails, all memory is
 * freed. */
TEST(test_readers_allocator) {
    AT_END(blob_free) blob pk3 = make_pk3(plain, COUNT_OF(plain));
    OWNED(lm_archive) *archive = open_blob(&pk3);
    EACH_ALLOCATION_FAILS (f) {
        AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
        f.done = lm_archive_read(archive, "Models/A.md2", 0, &out, &f.error);
    }
}

TEST(test_view) {
    AT_END(blob_free) blob pk3 = make_pk3(plain, COUNT_OF(plain));
    OWNED(lm_archive) *archive = open_blob(&pk3);
    const lm_files *files = archive->files;
    char actual[LM_PATH_SIZE];
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    assert_int_equal(files->find(files->user, "MODELS/a.MD2", actual), LM_FIND_FILE);
    assert_string_equal(actual, "Models/A.md2");
    assert_true(files->read(files->user, actual, 0, &out, &error));
    assert_int_equal(out.size, sizeof noise);
    assert_false(files->read(files->user, actual, 100, &out, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_false(files->read(files->user, "none", 0, &out, &error));
    assert_non_null(strstr(error.message, "no file none in "));
    assert_int_equal(files->find(files->user, "models", actual), LM_FIND_NOTHING);
    assert_string_equal(actual, "");
    assert_int_equal(files->find(files->user, "../a", actual), LM_FIND_NOTHING);
}

TEST(test_list) {
    static const packed_file files[] = {{.name = "b/x/1"}, {.name = "B/y"},    {.name = "b/Z"},
                                        {.name = "b-c"},   {.name = "a.md3"},  {.name = "a/m"},
                                        {.name = "b/x/2"}, {.name = "b/../e"}, {.name = "b/a!"},
                                        {.name = "b/a/x"}, {.name = "c\\d"}};
    static const struct {
        const char *folder;
        unsigned most;
        const char *names; /* NULL: rejected */
    } cases[] = {{"", 99, "B/ a/ a.md3 b/ b-c e "},
                 {"", 2, "B/ a/ "},
                 {"b", 99, "Z a/ a! x/ y "},
                 {"B/X", 9, "1 2 "},
                 {"a.md3", 9, NULL},
                 {"b/x/1", 9, NULL},
                 {"none", 9, NULL},
                 {"b/..", 9, NULL},
                 {"b/", 9, NULL},
                 {"/", 9, NULL}};
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free)
        blob b = zip ? make_pk3(files, COUNT_OF(files) - 1) : make_pak(files, COUNT_OF(files));
        OWNED(lm_archive) *archive = open_blob(&b);
        const lm_files *view = archive->files;
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            lm_error error = {0};
            told_names t = {"", cases[i].most};
            bool there = view->list(view->user, cases[i].folder, tell, &t, &error);
            assert_int_equal(there, cases[i].names != NULL);
            assert_string_equal(t.text, there ? cases[i].names : "");
            assert_int_equal(error.code, there ? LM_CODE_OK : LM_CODE_IO);
        }
    }
    OWNED(lm_archive) *empty = open_memory("PACK\14\0\0\0\0\0\0\0", 12, "empty", NULL);
    told_names t = {"", 9};
    assert_null(lm_archive_find(empty, NULL));
    assert_null(lm_archive_find(NULL, "a"));
    assert_true(empty->files->list(empty, "", tell, &t, NULL));
    assert_string_equal(t.text, "");
}

/* Spellings that differ only in case, and a duplicate name. */
TEST(test_equal) {
    static const packed_file files[] = {{.name = "x/B", .data = "1", .size = 1},
                                        {.name = "X/b", .data = "2", .size = 1},
                                        {.name = "twice", .data = "3", .size = 1},
                                        {.name = "twice", .data = "4", .size = 1}};
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free) blob b = zip ? make_pk3(files, 4) : make_pak(files, 4);
        OWNED(lm_archive) *archive = open_blob(&b);
        assert_holds(archive, "x/B", "1", 1);
        assert_holds(archive, "X/b", "2", 1);
        assert_holds(archive, "x/b", "2", 1);               /* the first in byte order */
        assert_holds(archive, "twice", zip ? "4" : "3", 1); /* as in the games */
        assert_int_equal(archive->num_members, 4);
        assert_int_equal(archive->members[0]->code, LM_CODE_OK);
        assert_int_equal(archive->members[0]->order, zip ? 3 : 2);
        assert_int_equal(archive->members[1]->code, LM_CODE_BAD_ARCHIVE);
        assert_int_equal(archive->members[1]->order, zip ? 2 : 3);
        assert_non_null(strstr(archive->members[1]->problem,
                               zip ? "a later member of the same name hides it"
                                   : "an earlier member of the same name hides it"));
    }
}

static uint64_t sum_of_member(const void *shared, unsigned which) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    OWNED(lm_archive) *own = which == 1 ? lm_archive_open(path, NULL, NULL, NULL) : NULL;
    const bool done = lm_archive_read(own ? own : shared, plain[1].name, 0, &out, NULL);
    return done ? sum_bytes(SUM_START, out.data, out.size) : 0;
}

TEST(test_threads) {
    AT_END(blob_free) blob pk3 = make_pk3(plain, COUNT_OF(plain));
    OWNED(lm_archive) *archive = open_blob(&pk3);
    assert_threads_agree(sum_of_member, archive, 2, 50);
}

/* ---- Untrusted names ----------------------------------------------------------------------- */

TEST(test_unsafe_names) {
    static const char *const names[] = {
        "../out", "a/../../out", "/etc/passwd", "C:/autoexec", "c:x",   "a\\b",      "./a",
        "b//c",   "..",          ".",           "d/..",        "e/./f", "g:h/stream"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (int zip = 0; zip < 2; zip++) {
            packed_file files[] = {
                {.name = names[i], .data = "evil", .size = 4, .mode = 0100644, .host = 3},
                {.name = "good", .data = "good", .size = 4}};
            AT_END(blob_free) blob b = zip ? make_pk3(files, 2) : make_pak(files, 2);
            OWNED(lm_archive) *archive = open_blob(&b);
            char actual[LM_PATH_SIZE];
            const lm_files *view = archive->files;
            assert_int_equal(archive->num_members, 2);
            assert_int_equal(lm_archive_find(archive, names[i])->code, LM_CODE_UNSAFE_PATH);
            assert_int_equal(unreadable(archive, names[i], 0), LM_CODE_UNSAFE_PATH);
            assert_int_equal(view->find(view->user, names[i], actual), LM_FIND_NOTHING);
            assert_holds(archive, "good", "good", 4);
        }
}

/* A member with ".." inside the archive has its resolved path, as Quake II's own archive needs. It
 * is found by either. */
TEST(test_parents) {
    static const packed_file files[] = {
        {.name = "models/tank/../ctank/skin.pcx", .data = "x", .size = 1},
        {.name = "models/tank/skin.pcx", .data = "y", .size = 1}};
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free) blob b = zip ? make_pk3(files, 2) : make_pak(files, 2);
        OWNED(lm_archive) *archive = open_blob(&b);
        assert_string_equal(archive->members[0]->path, "models/ctank/skin.pcx");
        assert_holds(archive, "models/ctank/skin.pcx", "x", 1);
        assert_holds(archive, files[0].name, "x", 1);
        assert_holds(archive, files[1].name, "y", 1);
        assert_null(lm_archive_find(archive, "models/../../ctank/skin.pcx"));
    }
}

/* Of members with the same path, each is found by its own name, and by the path the one that has it
 * as its name. Only a member of the same name is hidden. */
TEST(test_parents_of_same_path) {
    static const packed_file files[] = {{.name = "b/../c", .data = "1", .size = 1},
                                        {.name = "c", .data = "2", .size = 1},
                                        {.name = "B/x/../../C", .data = "3", .size = 1},
                                        {.name = "b/../c", .data = "4", .size = 1},
                                        {.name = "a/../e", .data = "5", .size = 1}};
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free) blob b = zip ? make_pk3(files, 5) : make_pak(files, 5);
        OWNED(lm_archive) *archive = open_blob(&b);
        const lm_files *view = archive->files;
        char actual[LM_PATH_SIZE];
        const char *kept = zip ? "4" : "1";
        assert_holds(archive, "c", "2", 1);
        assert_holds(archive, "b/../c", kept, 1);
        assert_holds(archive, "b/../C", kept, 1);
        assert_holds(archive, "B/x/../../C", "3", 1);
        assert_holds(archive, "C", "3", 1);
        assert_holds(archive, "x/../c", "2", 1);
        assert_holds(archive, "e", "5", 1);
        assert_int_equal(archive->num_members, 5);
        unsigned hidden = 0;
        for (unsigned i = 0; i < 5; i++) {
            const lm_member *member = archive->members[i];
            hidden += member->code != LM_CODE_OK;
            assert_int_equal(member->code,
                             member->order == (zip ? 0 : 3) ? LM_CODE_BAD_ARCHIVE : LM_CODE_OK);
            assert_string_equal(member->name, files[member->order].name);
        }
        assert_int_equal(hidden, 1);
        assert_int_equal(view->find(view->user, "b/../c", actual), LM_FIND_FILE);
        assert_string_equal(actual, "b/../c");
        assert_int_equal(view->find(view->user, "a/../e", actual), LM_FIND_FILE);
        assert_string_equal(actual, "e");
        assert_int_equal(view->find(view->user, "x/../e", actual), LM_FIND_NOTHING);
    }
}

/* On FAT, a backslash is a separator. */
TEST(test_backslashes) {
    packed_file file = {.name = "a\\b.md2", .data = "x", .size = 1};
    AT_END(blob_free) blob b = make_pk3(&file, 1);
    OWNED(lm_archive) *archive = open_blob(&b);
    assert_holds(archive, "a/b.md2", "x", 1);
}

TEST(test_unusual_but_valid_names) {
    static const packed_file files[] = {{.name = "\x1b[31mred\n", .data = "1", .size = 1},
                                        {.name = "caf\xe9/\xff\xfe", .data = "2", .size = 1},
                                        {.name = "a b/...", .data = "3", .size = 1}};
    AT_END(blob_free) blob b = make_pk3(files, 3);
    OWNED(lm_archive) *archive = open_blob(&b);
    for (size_t i = 0; i < 3; i++)
        assert_holds(archive, files[i].name, files[i].data, 1);
}

/* Members with such names cannot be read; all others can. */
TEST(test_name_length_limits) {
    static char name[65536], deep[2 * 66];
    for (size_t i = 0; i < sizeof deep - 1; i++)
        deep[i] = "a/"[i % 2];
    memset(name, 'a', sizeof name - 1);
    const char *const names[] = {name + sizeof name - 511, /* the longest valid name */
                                 name + sizeof name - 512, /* one byte longer */
                                 name, deep + 2, deep};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const bool valid = i == 0 || i == 3;
        const packed_file files[] = {{.name = names[i], .data = "x", .size = 1},
                                     {.name = "other", .data = "y", .size = 1}};
        AT_END(blob_free) blob b = make_pk3(files, 2);
        OWNED(lm_archive) *archive = open_blob(&b);
        if (valid)
            assert_holds(archive, names[i], "x", 1);
        else
            assert_int_equal(unreadable(archive, names[i], 0), LM_CODE_LIMIT);
        assert_holds(archive, "other", "y", 1);
    }
}

/* ---- Damage -------------------------------------------------------------------------------- */

/* Reads everything. Nothing may crash, and every rejection has a reason. */
static void read_all(const lm_archive *archive) {
    for (size_t i = 0; i < archive->num_members; i++) {
        const lm_member *member = archive->members[i];
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_error error = {0};
        assert_true((member->code == LM_CODE_OK) == (member->problem[0] == '\0'));
        if (lm_archive_read(archive, member->path, 1 << 16, &out, &error))
            assert_int_equal(out.size, member->size);
        else
            assert_error_valid(&error);
    }
}

/* Returns whether the bytes can be opened as an archive. */
static bool try_bytes(const uint8_t *data, size_t size) {
    lm_error error = {0};
    AT_END(blob_free) blob copy = blob_copy(data, size);
    OWNED(lm_archive) *archive = open_memory(copy.data, size, "pak", &error);
    if (archive)
        read_all(archive);
    else
        assert_error_valid(&error);
    return archive != NULL;
}

static const packed_file small[] = {
    {.name = "m/a.md2", .data = "some bytes", .size = 10},
    {.name = "m/b", .data = "bbbbbbbbbb", .size = 10, .deflate = true}};

TEST(test_every_prefix) {
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free) blob b = zip ? make_pk3(small, 2) : make_pak(small, 2);
        for (size_t size = 0; size < b.size; size++)
            assert_false(try_bytes(b.data, size));
    }
}

TEST(test_every_byte) {
    static const uint8_t values[] = {0, 0x7F, 0xFF};
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free) blob b = zip ? make_pk3(small, 2) : make_pak(small, 2);
        for (size_t at = 0; at < b.size; at++)
            for (size_t v = 0; v <= COUNT_OF(values); v++) {
                uint8_t kept = b.data[at];
                b.data[at] = v < COUNT_OF(values) ? values[v] : (uint8_t)(kept ^ 1);
                try_bytes(b.data, b.size);
                b.data[at] = kept;
            }
    }
}

/* Every changed byte of a zip's contents is detected. */
TEST(test_damaged_contents) {
    AT_END(blob_free) blob b = make_pk3(small, 2);
    size_t first = 30 + strlen(small[0].name);
    for (size_t at = first; at < first + small[0].size; at++) {
        b.data[at] ^= 0x10;
        lm_archive *archive = open_blob(&b);
        assert_int_equal(unreadable(archive, small[0].name, 0), LM_CODE_BAD_MEMBER);
        assert_holds(archive, small[1].name, small[1].data, small[1].size);
        lm_archive_free(archive);
        b.data[at] ^= 0x10;
    }
}

TEST(test_invalid_directories) {
    blob pak = make_pak(small, 2);
    size_t directory = pak_directory(&pak);
    put32(&pak, 8, 127);
    assert_int_equal(refused(&pak), LM_CODE_BAD_ARCHIVE);
    put32(&pak, 8, 129 * 64);
    assert_int_equal(refused(&pak), LM_CODE_BAD_ARCHIVE);
    put32(&pak, 8, 128);
    put32(&pak, 4, 0xFFFFFFC0);
    assert_int_equal(refused(&pak), LM_CODE_BAD_ARCHIVE);
    put32(&pak, 4, (uint32_t)directory);
    for (int c = 'n'; c >= 0; c -= 'n') { /* no terminating NUL; no name */
        char name[57] = "";
        memset(name, c, 56);
        memcpy(pak.data + directory, name, 56);
        OWNED(lm_archive) *archive = open_blob(&pak);
        assert_int_equal(unreadable(archive, name, 0), LM_CODE_BAD_ARCHIVE);
        assert_holds(archive, small[1].name, small[1].data, small[1].size);
    }
    blob_free(&pak);
    AT_END(blob_free) blob pk3 = make_pk3(small, 2);
    for (size_t i = 1; i <= 3; i++) { /* one more, one fewer, the directory one byte later */
        AT_END(blob_free) blob b = blob_copy(pk3.data, pk3.size);
        if (i < 3)
            b.data[b.size - 12] = b.data[b.size - 14] = i == 1 ? 3 : 1;
        else
            put32(&b, b.size - 10, get32(&b, b.size - 10) - 1);
        if (i != 2)
            assert_int_equal(refused(&b), LM_CODE_BAD_ARCHIVE);
        else
            try_bytes(b.data, b.size);
    }
}

TEST(test_overlapping_members) {
    blob pak = make_pak(small, 2);
    size_t first = pak_directory(&pak);
    put32(&pak, first + 64 + 56, 15); /* the second begins inside the first */
    OWNED(lm_archive) *archive = open_blob(&pak);
    assert_int_equal(unreadable(archive, "m/a.md2", 0), LM_CODE_BAD_MEMBER);
    assert_int_equal(unreadable(archive, "m/b", 0), LM_CODE_BAD_MEMBER);
    lm_archive_free(archive);
    put32(&pak, first + 64 + 56, 12); /* exactly the same bytes, as some packers write */
    archive = open_blob(&pak);
    assert_holds(archive, "m/b", "some bytes", 10);
    lm_archive_free(archive);
    put32(&pak, first + 64 + 56, (uint32_t)pak.size - 9);
    archive = open_blob(&pak);
    assert_int_equal(unreadable(archive, "m/b", 0), LM_CODE_BAD_MEMBER);
    assert_holds(archive, "m/a.md2", "some bytes", 10);
    lm_archive_free(archive);
    blob_free(&pak);
    /* In a zip, not even exactly the same bytes. */
    packed_file files[] = {small[0], small[0]};
    files[1].name = "m/c.md2";
    AT_END(blob_free) blob pk3 = make_pk3(files, 2);
    put32(&pk3, pk3.size - 22 - strlen("m/c.md2") - 4, 0);
    archive = open_blob(&pk3);
    assert_int_equal(unreadable(archive, "m/a.md2", 0), LM_CODE_BAD_MEMBER);
    assert_int_equal(unreadable(archive, "m/c.md2", 0), LM_CODE_BAD_MEMBER);
}

TEST(test_unsupported_members) {
    static const packed_file files[] = {
        {.name = "secret", .data = "x", .size = 1, .flags = 1},
        {.name = "link", .data = "/etc/passwd", .size = 11, .mode = 0120777, .host = 3},
        {.name = "method", .data = "x", .size = 1},
        {.name = "fine", .data = "x", .size = 1}};
    AT_END(blob_free) blob b = make_pk3(files, 4);
    /* Records of 46 bytes and a name: the third's method becomes 12, bzip2. */
    size_t third = pk3_directory(&b) + 46 + 6 + 46 + 4;
    put16(&b, third + 10, 12);
    OWNED(lm_archive) *archive = open_blob(&b);
    assert_int_equal(unreadable(archive, "secret", 0), LM_CODE_BAD_MEMBER);
    assert_int_equal(unreadable(archive, "link", 0), LM_CODE_UNSAFE_PATH);
    assert_int_equal(unreadable(archive, "method", 0), LM_CODE_BAD_MEMBER);
    assert_holds(archive, "fine", "x", 1);
}

/* Also of a file twice and a folder of the same name, and of a folder whose only file is unsafe. */
TEST(test_file_and_folder) {
    static const packed_file files[] = {
        {.name = "a/b", .data = "x", .size = 1},    {.name = "a!", .data = "x", .size = 1},
        {.name = "a", .data = "1", .size = 1},      {.name = "a", .data = "2", .size = 1},
        {.name = "b/../c", .data = "x", .size = 1}, {.name = "b", .data = "3", .size = 1}};
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free)
        blob b = zip ? make_pk3(files, COUNT_OF(files)) : make_pak(files, COUNT_OF(files));
        OWNED(lm_archive) *archive = open_blob(&b);
        for (size_t i = 0; i < archive->num_members; i++) {
            const lm_member *member = archive->members[i];
            assert_true((member->code == LM_CODE_BAD_ARCHIVE) == (strcmp(member->path, "a") == 0));
        }
        assert_int_equal(unreadable(archive, "a", 0), LM_CODE_BAD_ARCHIVE);
        assert_string_equal(lm_archive_find(archive, "a")->problem, "a folder has the same name");
        assert_holds(archive, "a/b", "x", 1);
        assert_holds(archive, "a!", "x", 1);
        assert_holds(archive, "b", "3", 1);
    }
}

/* Members of a PAK share bytes, as long as all have at most 16 times the archive's size. */
TEST(test_shared_bytes) {
    enum {
        COUNT = 40,
        SIZE = 10000
    };
    static uint8_t bytes[SIZE];
    static char names[COUNT][8];
    packed_file files[COUNT] = {{.data = (const char *)bytes, .size = SIZE}};
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "f%zu", i);
        files[i].name = names[i];
    }
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)(i * i);
    AT_END(blob_free) blob pak = make_pak(files, COUNT);
    const size_t directory = pak_directory(&pak), most = 16 * pak.size / SIZE;
    assert_true(most > 2 && most < COUNT);
    for (size_t shared = most; shared <= most + 1; shared++) {
        for (size_t i = 1; i < COUNT; i++) {
            put32(&pak, directory + i * 64 + 56, 12);
            put32(&pak, directory + i * 64 + 60, i < shared ? SIZE : 0);
        }
        OWNED(lm_archive) *archive = open_blob(&pak);
        for (size_t i = 0; i < COUNT; i++)
            if (i < shared && shared > most)
                assert_int_equal(unreadable(archive, names[i], 0), LM_CODE_BAD_MEMBER);
            else
                assert_holds(archive, names[i], i < shared ? bytes : NULL, i < shared ? SIZE : 0);
    }
}

/* Bytes before a zip belong to a self-extracting program; a comment follows its end. */
TEST(test_bytes_before_and_after_a_zip) {
    AT_END(blob_free) blob pk3 = make_pk3(small, 2);
    lm_buffer around = {0};
    lm_buffer_text(&around, "PK and a few more bytes");
    lm_buffer_append(&around, pk3.data, pk3.size);
    lm_buffer_text(&around, "comment");
    AT_END(blob_free) blob b = blob_from_buffer(&around);
    assert_int_equal(refused(&b), LM_CODE_TRUNCATED);
    put16(&b, b.size - 9, 7);
    OWNED(lm_archive) *archive = open_blob(&b);
    assert_holds(archive, "m/b", "bbbbbbbbbb", 10);
}

/* The directory has a wrong size. */
TEST(test_wrong_sizes) {
    AT_END(blob_free) blob pk3 = make_pk3(small, 2);
    size_t second = pk3_directory(&pk3) + 46 + strlen(small[0].name);
    static const uint32_t sizes[] = {0, 9, 11, 0x7FFFFFFF, 0xFFFFFFFF};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        put32(&pk3, second + 24, sizes[i]);
        OWNED(lm_archive) *archive = open_blob(&pk3);
        lm_code code = unreadable(archive, "m/b", 0);
        assert_int_equal(code,
                         sizes[i] > LM_MAX_ARCHIVE_MEMBER ? LM_CODE_LIMIT : LM_CODE_BAD_MEMBER);
        /* A larger limit of the view's caller does not raise the archive's. */
        const lm_files *files = archive->files;
        AT_END(lm_buffer_free) lm_buffer out = {0};
        lm_error error;
        assert_false(files->read(files->user, "m/b", SIZE_MAX, &out, &error));
        assert_int_equal(error.code, code);
    }
}

TEST(test_files_that_are_not_archives) {
    lm_error error = {0};
    assert_null(lm_archive_open("/tmp/there/is/none.pk3", NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_null(lm_archive_open("/tmp", NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_null(lm_archive_open("/dev/zero", NULL, NULL, NULL));
    assert_null(open_bytes("IDP2 and more than twelve", 25, &error));
    assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
    AT_END(blob_free) blob empty = make_pk3(NULL, 0);
    OWNED(lm_archive) *archive = open_blob(&empty);
    assert_int_equal(archive->num_members, 0);
}

/* ---- Other sources ------------------------------------------------------------------------- */

TEST(test_memory) {
    for (int zip = 0; zip < 2; zip++) {
        AT_END(blob_free)
        blob b = zip ? make_pk3(plain, COUNT_OF(plain)) : make_pak(plain, COUNT_OF(plain));
        lm_error error = {0};
        lm_archive *archive = open_memory(b.data, b.size, "a name", &error);
        assert_non_null(archive);
        for (size_t i = 0; i < COUNT_OF(plain); i++)
            assert_holds(archive, plain[i].name, plain[i].data, plain[i].size);
        assert_string_equal(archive->files->name, "a name");
        lm_archive_free(archive);
        assert_null(open_memory(b.data, 3, "three bytes", &error));
        assert_int_equal(error.code, LM_CODE_TRUNCATED);
    }
    assert_null(open_memory(NULL, 0, "nothing", NULL));
}

/* A source that fails after some calls, and rejects reads past its end. */
typedef struct limited_source {
    blob bytes;
    unsigned calls_left;
} limited_source;

static bool read_limited(void *user, uint64_t offset, void *bytes, size_t size) {
    limited_source *source = user;
    assert_true(size > 0 && offset <= source->bytes.size && size <= source->bytes.size - offset);
    if (source->calls_left == 0)
        return false;
    source->calls_left--;
    memcpy(bytes, source->bytes.data + offset, size);
    return true;
}

TEST(test_failing_source) {
    for (int zip = 0; zip < 2; zip++) {
        limited_source source = {.bytes = zip ? make_pk3(small, 2) : make_pak(small, 2)};
        lm_reader reader = {.user = &source, .size = source.bytes.size, .read_at = read_limited};
        unsigned opening = zip ? 3 : 2, reading = zip ? 2 : 1; /* calls that each takes */
        for (unsigned calls = 0; calls <= opening + reading; calls++) {
            lm_error error = {0};
            source.calls_left = calls;
            OWNED(lm_archive) *archive = lm_archive_open("weary", &reader, NULL, &error);
            assert_int_equal(archive != NULL, calls >= opening);
            if (!archive)
                assert_error_valid(&error);
            else if (calls < opening + reading)
                assert_int_equal(unreadable(archive, "m/b", 0), LM_CODE_BAD_MEMBER);
            else
                assert_holds(archive, "m/b", "bbbbbbbbbb", 10);
        }
        blob_free(&source.bytes);
    }
    limited_source source = {.bytes = make_pak(plain, COUNT_OF(plain)), .calls_left = 99};
    lm_reader reader = {.user = &source, .size = source.bytes.size, .read_at = read_limited};
    lm_archive *archive = lm_archive_open("weary", &reader, NULL, NULL);
    assert_holds(archive, "empty", NULL, 0);
    lm_archive_free(archive);
    blob_free(&source.bytes);
}

/* ---- Compressed contents ------------------------------------------------------------------- */

/* A member's own header gives the position of its bytes, and must not point into the next
 * member. */
TEST(test_own_headers) {
    static const struct {
        size_t at;
        uint8_t value;
    } changes[] = {{2, 'Q'}, {8, 8}, {26, 8}, {28, 1}, {29, 255}};
    AT_END(blob_free) blob pk3 = make_pk3(small, 2);
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        uint8_t kept = pk3.data[changes[i].at];
        pk3.data[changes[i].at] = changes[i].value;
        lm_archive *archive = open_blob(&pk3);
        assert_int_equal(unreadable(archive, small[0].name, 0), LM_CODE_BAD_MEMBER);
        assert_holds(archive, small[1].name, small[1].data, small[1].size);
        lm_archive_free(archive);
        pk3.data[changes[i].at] = kept;
    }
    blob_free(&pk3);
    /* Not even if the bytes there equal its own. */
    packed_file files[] = {small[0], small[0]};
    files[1].name = "m/c.md2";
    pk3 = make_pk3(files, 2);
    pk3.data[28] = (uint8_t)(small[0].size + 30 + strlen(files[1].name));
    OWNED(lm_archive) *archive = open_blob(&pk3);
    assert_int_equal(unreadable(archive, small[0].name, 0), LM_CODE_BAD_MEMBER);
}

/* Opens one deflated member of those bytes; its directory claims `size` bytes with that
 * checksum. */
static lm_archive *open_stream(blob *b, const void *stream, size_t packed, uint32_t size,
                               uint32_t crc) {
    packed_file file = {.name = "m", .data = stream, .size = packed};
    *b = make_pk3(&file, 1);
    size_t record = pk3_directory(b);
    put16(b, 8, 8);
    put16(b, record + 10, 8);
    put32(b, record + 16, crc);
    put32(b, record + 24, size);
    return open_blob(b);
}

TEST(test_streams) {
    static const struct {
        uint8_t bytes[12];
        uint32_t packed, size, crc;
        bool sound;
    } streams[] = {
        {{3, 0}, 2, 0, 0, true},                               /* fixed codes, nothing */
        {{0x4B, 4, 0}, 3, 1, 0xE8B7BE43, true},                /* "a" */
        {{0x4B, 4, 0}, 3, 2, 0x3D3F4819, false},               /* one too few */
        {{0x4B, 4, 0}, 3, 1, 0xE8B7BE42, false},               /* another checksum */
        {{0x4B, 4, 0}, 1, 1, 0xE8B7BE43, false},               /* cut off */
        {{1, 1, 0, 0xFE, 0xFF, 'a'}, 6, 1, 0xE8B7BE43, true},  /* stored */
        {{1, 1, 0, 0xFF, 0xFF, 'a'}, 6, 1, 0xE8B7BE43, false}, /* stored, a wrong complement */
        {{1, 9, 0, 0xF6, 0xFF, 'a'}, 6, 9, 0xE8B7BE43, false}, /* stored, more than there is */
        {{7}, 1, 1, 0xE8B7BE43, false},                        /* an invalid block type */
        {{0x4B, 0x04, 0x62, 0}, 4, 300, 0, false},             /* a distance before the start */
        {{0x4B, 0x84, 0x03, 0}, 4, 300, 0, false},
        {{5, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 6, 300, 0, false}, /* codes without lengths */
        {{0xED, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 7, 9, 0, false},
    };
    for (size_t i = 0; i < COUNT_OF(streams); i++) {
        AT_END(blob_free) blob b;
        OWNED(lm_archive) *archive =
            open_stream(&b, streams[i].bytes, streams[i].packed, streams[i].size, streams[i].crc);
        if (streams[i].sound)
            assert_holds(archive, "m", "a", streams[i].size);
        else
            assert_int_equal(unreadable(archive, "m", 0), LM_CODE_BAD_MEMBER);
    }
}

/* For any stream, nothing is written past the claimed size: the sanitizers detect it. */
TEST(test_random_streams) {
    chance c = chance_from(7);
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t stream[64 + LM_INFLATE_MARGIN] = {0};
        size_t packed = 1 + chance_next(&c) % 64, most = chance_next(&c) % 300, size = most;
        for (size_t at = 0; at < packed; at++)
            stream[at] = (uint8_t)chance_next(&c);
        stream[0] = (uint8_t)((stream[0] & ~6u) | (i % 3) << 1);
        AT_END(drop_bytes) uint8_t *out = calloc(most + 1, 1);
        out[most] = 0xA5;
        lm_code code = lmi_inflate(stream, packed, out, &size);
        assert_true(code == LM_CODE_OK ? size <= most : size == 0);
        assert_int_equal(out[most], 0xA5);
    }
}

/* Memory is not allocated for sizes that no stream of that length can have. */
TEST(test_implausible_sizes) {
    static const uint8_t stream[] = {3, 0};
    AT_END(blob_free) blob b;
    OWNED(lm_archive) *archive = open_stream(&b, stream, sizeof stream, 200 << 20, 0);
    lm_buffer out = {.max_size = 1 << 20};
    lm_error error;
    assert_false(lm_archive_read(archive, "m", 0, &out, &error));
    assert_int_equal(error.code, LM_CODE_BAD_MEMBER);
    assert_false(out.failed);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* A view of files that contain their own names, repeated. The file "changes" has other contents
 * each time. */
static bool read_repeated_name(void *user, const char *name, size_t max_size, lm_buffer *out,
                               lm_error *error) {
    unsigned *reads = user;
    lm_buffer_printf(out, "%u", strcmp(name, "changes") == 0 ? (*reads)++ : 0);
    for (int i = 0; i < 50; i++)
        lm_buffer_text(out, name);
    return !out->failed || lm_fail_plain(error, LM_CODE_OUT_OF_MEMORY, "out of memory");
}

static lm_code write_fails(const char *const *names, size_t count, const char *format,
                           size_t max_size) {
    unsigned reads = 0;
    const lm_files files = {.user = &reads, .name = "view", .read = read_repeated_name};
    lm_error error = {0};
    AT_END(lm_buffer_free) lm_buffer out = {.max_size = max_size};
    lm_buffer_text(&out, "kept");
    assert_false(lm_archive_write(&files, names, count, format, &out, &error));
    assert_error_valid(&error);
    assert_int_equal(out.size, 4);
    assert_false(out.failed);
    return error.code;
}

TEST(test_written) {
    static const char *const names[] = {"b/c", "a", "b.txt"}, *const formats[] = {"pak", "pk3"};
    const lm_files files = {.name = "view", .read = read_repeated_name};
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t count = 0; count <= COUNT_OF(names); count++) {
            lm_error error = {0};
            AT_END(lm_buffer_free) lm_buffer out = {0}, meant = {0};
            lm_buffer_text(&out, "kept");
            assert_true(lm_archive_write(&files, names, count, formats[f], &out, &error));
            OWNED(lm_archive) *archive =
                open_memory(out.data + 4, out.size - 4, formats[f], &error);
            assert_non_null(archive);
            assert_string_equal(archive->format, formats[f]);
            assert_int_equal(archive->num_members, count);
            for (size_t i = 0; i < count; i++, meant.size = 0) {
                assert_true(read_repeated_name(NULL, names[i], 0, &meant, &error));
                assert_holds(archive, names[i], meant.data, meant.size);
            }
        }
}

TEST(test_invalid_archives_are_not_written) {
    static const char *const twice[] = {"b", "a", "b"}, *const changes[] = {"a", "changes"};
    static const char *const unsafe[] = {"", "../a", "/a", "a//b", "a/", "a\\b", "a:b", "./a"};
    static const char *const tree[] = {"a", "a/b"};
    static const char *formats[] = {"pak", "pk3"};
    const char **many = (const char **)calloc((1 << 20) + 1, sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i <= 1 << 20; i++)
        many[i] = "same";
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        assert_int_equal(write_fails(twice, 3, formats[f], 0), LM_CODE_BAD_ARGUMENT);
        assert_int_equal(write_fails(changes, 2, formats[f], 0), LM_CODE_IO);
        assert_int_equal(write_fails(tree, 2, formats[f], 0), LM_CODE_BAD_ARCHIVE);
        assert_int_equal(write_fails(twice, 1, formats[f], 40), LM_CODE_LIMIT);
        for (size_t i = 0; i < COUNT_OF(unsafe); i++)
            assert_int_equal(write_fails(&unsafe[i], 1, formats[f], 0), LM_CODE_UNSAFE_PATH);
        const size_t most = f == 0 ? 1 << 20 : 65534;
        assert_int_equal(write_fails(many, most, formats[f], 0), LM_CODE_BAD_ARGUMENT);
        assert_int_equal(write_fails(many, most + 1, formats[f], 0), LM_CODE_LIMIT);
    }
    lm_error error;
    assert_false(lm_archive_write(&(lm_files){0}, NULL, 0, "rar", &(lm_buffer){0}, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_string_equal(error.message, "unknown archive format \"rar\": use pak or pk3");
    free((void *)many);
}

/* The limit of 2 GiB is the archive's, wherever it begins in the buffer. Most of the buffer is
 * never touched. */
TEST(test_an_archive_begins_anywhere) {
    if (sizeof(size_t) < 8)
        skip(); /* no buffer gets as large */
    static const char *const names[] = {"a"}, *const formats[] = {"pak", "pk3"};
    unsigned reads = 0;
    const lm_files files = {.user = &reads, .name = "view", .read = read_repeated_name};
    const size_t before = (size_t)INT32_MAX, size = before + 65536;
    AT_END(drop_bytes) uint8_t *data = calloc(size, 1);
    if (!data)
        skip(); /* there is no room for it */
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        lm_error error = {0};
        lm_buffer out = {.data = data, .size = before, .capacity = size};
        assert_done(lm_archive_write(&files, names, 1, formats[f], &out, &error), error);
        OWNED(lm_archive) *archive =
            open_memory(out.data + before, out.size - before, formats[f], &error);
        assert_non_null(archive);
        assert_int_equal(archive->num_members, 1);
    }
}

/* If any allocation fails, the buffer is unchanged. */
TEST(test_writing_without_memory) {
    static const char *const names[] = {"b/c", "a"}, *const formats[] = {"pak", "pk3"};
    const lm_files files = {.name = "view", .read = read_repeated_name};
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        EACH_ALLOCATION_FAILS (f) {
            AT_END(lm_buffer_free) lm_buffer out = {.allocator = f.memory.allocator};
            f.done = lm_archive_write(&files, names, 2, formats[i], &out, &f.error);
            assert_true(f.done ? f.at > 5 : out.size == 0 && !out.failed);
        }
}

/* Without stb, uncompressed members can still be read. */
static bool test_without_stb(void) {
    lm_error error;
    lm_buffer out = {0};
    blob pk3 = make_pk3(small, 2);
    lm_archive *archive = open_memory(pk3.data, pk3.size, "pk3", &error);
    bool sound = archive && lm_archive_read(archive, small[0].name, 0, &out, &error) &&
                 out.size == small[0].size && memcmp(out.data, small[0].data, out.size) == 0 &&
                 !lm_archive_read(archive, small[1].name, 0, &out, &error) &&
                 error.code == LM_CODE_NOT_BUILT_IN && out.size == small[0].size;
    lm_archive_free(archive);
    lm_buffer_free(&out);
    blob_free(&pk3);
    puts("members that are packed are not built in, and reading one says so");
    return sound;
}

static bool meet(void *caller, const char *name, bool is_folder) {
    *(size_t *)caller += strlen(name) + is_folder;
    return true;
}

/* An archive's whole memory comes from the caller's allocator, whichever allocation fails. */
TEST(test_directory_uses_the_callers_allocator) {
    const packed_file files[] = {{.name = "models/a.md3", .data = "abc", .size = 3},
                                 {.name = "models/b/c.md3", .data = "d", .size = 1},
                                 {.name = "models/b/d.md3"}};
    blob archives[] = {make_pak(files, COUNT_OF(files)), make_pk3(files, COUNT_OF(files))};
    for (size_t i = 0; i < COUNT_OF(archives); i++) {
        lm_archive_free(open_bytes(archives[i].data, archives[i].size, NULL));
        EACH_ALLOCATION_FAILS (f) {
            size_t met = 0;
            OWNED(lm_archive) *archive = lm_archive_open(path, NULL, &f.memory, &f.error);
            const lm_files *view = archive ? archive->files : NULL;
            f.done = view && view->list(view->user, "models", meet, &met, &f.error);
            assert_true(!f.done || met == strlen("a.md3") + strlen("b") + 1);
        }
        blob_free(&archives[i]);
    }
}

TEST_GROUP(make_file, tree_remove)

int main(void) {
    size_t size = 0;
    if (lmi_inflate((const uint8_t *)"\3\0\0\0\0", 2, NULL, &size) == LM_CODE_NOT_BUILT_IN)
        return !test_without_stb();
    return run_test_list();
}
