/* Tests files: they are read completely, and written so that no reader sees a partial file. */
#include "files/file.h"
#include "files/path.h"
#include "skipping.h"
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

OWNER(lm_folder, lmi_folder_free)

static char folder[64]; /* the tree's */

static int make_folder(void **state) {
    const int failed = tree_make(state);
    snprintf(folder, sizeof folder, "%s", tree_at(""));
    folder[strlen(folder) - 1] = '\0'; /* the slash */
    return failed;
}

/* Counts the names in the folder, to reveal left-over files. */
static size_t count_names(void) {
    size_t count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open))
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

/* ---- Failures of the system ---------------------------------------------------------------- */

static int close_error, stat_error; /* an errno for the next call */

/* The effect on the next bytes written: one changes, the rest is missing, one is added, or none. */
enum {
    NO_LIE,
    LIE_BY_CHANGING,
    LIE_BY_CUTTING,
    LIE_BY_ADDING,
    LIE_BY_NOTHING
};
static int lie;
static size_t lie_at;

long syscall(long number, ...);

/* Replace the system's functions, for the library too. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
int close(int descriptor) {
    int problem = close_error;
    close_error = 0;
    int result = (int)syscall(SYS_close, descriptor);
    errno = problem ? problem : errno;
    return problem ? -1 : result;
}

// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
int fstat(int descriptor, struct stat *info) {
    if (stat_error == 0)
        return fstatat(descriptor, "", info, 0x1000 /* AT_EMPTY_PATH */);
    errno = stat_error;
    stat_error = 0;
    return -1;
}

/* Simulates a disk that reports success without writing everything. */
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
ssize_t write(int descriptor, const void *bytes, size_t size) {
    uint8_t copy[100000];
    if (lie == NO_LIE || descriptor <= 2 || size > sizeof copy - 1)
        return syscall(SYS_write, descriptor, bytes, size);
    memcpy(copy, bytes, size);
    copy[size] = 'x';
    const size_t real = lie == LIE_BY_CUTTING   ? lie_at
                        : lie == LIE_BY_ADDING  ? size + 1
                        : lie == LIE_BY_NOTHING ? 0
                                                : size;
    if (lie == LIE_BY_CHANGING)
        copy[lie_at] ^= 1;
    lie = NO_LIE;
    return syscall(SYS_write, descriptor, copy, real) == (long)real ? (ssize_t)size : -1;
}

/* Another program: before call number `swap_at` to the system, it replaces the folder in/sub by a
 * link to the folder `outside`. */
static size_t num_calls, swap_at;

static void count_call(void) {
    char from[256], to[256];
    if (swap_at == 0 || ++num_calls != swap_at)
        return;
    snprintf(from, sizeof from, "%s/in/sub", folder);
    snprintf(to, sizeof to, "%s/in/moved", folder);
    assert_true(rename(from, to) == 0 || errno == ENOENT);
    snprintf(to, sizeof to, "%s/outside", folder);
    assert_int_equal(symlink(to, from), 0);
}

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
int openat(int at, const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    count_call();
    return (int)syscall(SYS_openat, at, path, flags, mode);
}

int mkdirat(int at, const char *path, mode_t mode) {
    count_call();
    return (int)syscall(SYS_mkdirat, at, path, mode);
}

int renameat(int at, const char *from, int to_at, const char *to) {
    count_call();
    return (int)syscall(SYS_renameat2, at, from, to_at, to, 0);
}

int unlinkat(int at, const char *path, int flags) {
    count_call();
    return (int)syscall(SYS_unlinkat, at, path, flags);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

static bool write_file(const char *path, const void *data, size_t size, lm_error *error) {
    return lm_file_write(&(lm_file_output){.path = path, .data = data, .size = size}, 1, false,
                         error);
}

/* Checks that the old file stays, that no other remains, and that the message has the byte. */
static void expect_detected_write_failure(int kind, size_t at, size_t size) {
    static uint8_t bytes[70000];
    char words[80];
    lm_error error = {0};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 >> 3);
    lie = kind;
    lie_at = at;
    assert_false(write_file(tree_at("lied"), bytes, size, &error));
    assert_int_equal(lie, NO_LIE);
    assert_int_equal(error.code, LM_CODE_IO);
    snprintf(words, sizeof words, "the file on disk differs from the data at byte %zu", at);
    assert_non_null(strstr(error.message, words));
    assert_non_null(strstr(error.message, "lied"));
    blob got = blob_read(tree_at("lied"));
    assert_true(got.size == 3 && memcmp(got.data, "old", 3) == 0);
    blob_free(&got);
    assert_int_equal(count_names(), 1);
}

TEST(test_silent_write_failures_are_detected) {
    tree_put("lied", "old", 3);
    static const size_t sizes[] = {1, 100, 16384, 16385, 70000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const size_t size = sizes[i], places[] = {0, size / 2, size - 1};
        for (size_t k = 0; k < COUNT_OF(places); k++) {
            expect_detected_write_failure(LIE_BY_CHANGING, places[k], size);
            expect_detected_write_failure(LIE_BY_CUTTING, places[k], size);
        }
        expect_detected_write_failure(LIE_BY_ADDING, size, size);
        expect_detected_write_failure(LIE_BY_NOTHING, 0, size);
    }
    lm_error error;
    const lm_file_output flushed = {.path = tree_at("lied"), .data = "new", .size = 3};
    lie = LIE_BY_CHANGING;
    lie_at = 2;
    assert_false(lm_file_write(&flushed, 1, true, &error));
    assert_int_equal(count_names(), 1);
    assert_true(write_file(tree_at("lied"), "", 0, &error));
    assert_true(write_file(tree_at("lied"), "new", 3, &error));
    unlink(tree_at("lied"));
}

TEST(test_links_are_followed) {
    lm_buffer out = {0};
    tree_put("real", "x", 1);
    assert_int_equal(symlink("real", tree_at("one")), 0);
    assert_int_equal(symlink("one", tree_at("two")), 0);
    assert_int_equal(symlink("nowhere", tree_at("lost")), 0);
    static const char *const names[][2] = {
        {"real", "real"}, {"one", "real"}, {"two", "real"}, {"lost", "lost"}, {"none", "none"}};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char wanted[256];
        snprintf(wanted, sizeof wanted, "%s", tree_at(names[i][1]));
        out.size = 0;
        assert_true(lmi_path_follow(tree_at(names[i][0]), &out));
        assert_string_equal((const char *)out.data, wanted);
    }
    lm_buffer_free(&out);
    for (size_t i = 0; i < 4; i++)
        unlink(tree_at(names[i][0]));
}

TEST(test_failing_close_is_reported) {
    lm_error error = {0};
    errno = ENOTDIR; /* of an earlier call */
    close_error = EDQUOT;
    assert_false(write_file(tree_at("closing"), "x", 1, &error));
    assert_int_equal(close_error, 0);
    assert_non_null(strstr(error.message, strerror(EDQUOT)));
    assert_int_equal(count_names(), 0);
    close_error = EIO;
    assert_false(write_file("/dev/null", "x", 1, &error));
    assert_non_null(strstr(error.message, strerror(EIO)));
    close_error = EIO; /* the first failure counts */
    assert_false(write_file("/dev/full", "x", 1, &error));
    assert_non_null(strstr(error.message, strerror(ENOSPC)));
}

TEST(test_unknown_size) {
    lm_error error = {0};
    lm_buffer file = {0};
    stat_error = EOVERFLOW;
    assert_null(lm_archive_open(folder, NULL, NULL, &error));
    assert_non_null(strstr(error.message, strerror(EOVERFLOW)));
    tree_put("unknown", "abc", 3);
    stat_error = EIO;
    assert_true(lm_file_read(tree_at("unknown"), 3, &file, &error));
    assert_int_equal(file.size, 3);
    lm_buffer_free(&file);
    unlink(tree_at("unknown"));
}

/* ---- Reading ------------------------------------------------------------------------------- */

TEST(test_files_are_read_completely) {
    static const size_t sizes[] = {0, 1, 4095, 65535, 65536, 65537, 300000};
    uint8_t *bytes = malloc(300000);
    assert_non_null(bytes);
    for (size_t i = 0; i < 300000; i++)
        bytes[i] = (uint8_t)(i * 7 >> 4);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lm_buffer file = {0};
        lm_error error;
        tree_put("whole", bytes, sizes[i]);
        assert_true(lm_file_read(tree_at("whole"), 0, &file, &error));
        assert_int_equal(file.size, sizes[i]);
        if (sizes[i])
            assert_memory_equal(file.data, bytes, sizes[i]);
        lm_buffer_free(&file);
        assert_null(file.data);
        assert_true(lm_file_read(tree_at("whole"), sizes[i], &file, &error) || sizes[i] == 0);
        lm_buffer_free(&file);
        bool fits = lm_file_read(tree_at("whole"), sizes[i] > 1 ? sizes[i] - 1 : 1, &file, &error);
        assert_int_equal(fits, sizes[i] <= 1);
        lm_buffer_free(&file);
    }
    free(bytes);
    unlink(tree_at("whole"));
}

static void expect_unreadable(const char *path, const char *reason) {
    lm_error error = {0};
    lm_buffer file = {0};
    assert_false(lm_file_read(path, 0, &file, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_error_valid(&error);
    if (!strstr(error.message, path) || !strstr(error.message, reason))
        fail_msg("\"%s\" does not say %s", error.message, reason);
    assert_null(file.data);
    assert_int_equal(file.size, 0);
    assert_false(lm_file_read(path, 0, &file, NULL));
    assert_null(lm_load_file(path, NULL, &error));
    assert_int_equal(error.code, LM_CODE_IO);
}

/* Checks a file without read permission. Root could read it, so the test runs as another user. */
static void expect_permission_denied(const char *path) {
    bool root = geteuid() == 0;
    if (root && (chmod(folder, 0755) != 0 || seteuid(65534) != 0)) {
        REPORT_SKIPPED(__func__, "root may read everything here");
        return;
    }
    expect_unreadable(path, "Permission denied");
    if (root)
        assert_int_equal(seteuid(0), 0);
}

TEST(test_unreadable_files) {
    expect_unreadable(tree_at("missing"), "No such file");
    expect_unreadable(tree_at("missing/inside"), "No such file");
    expect_unreadable(folder, "Is a directory");
    expect_unreadable("", "the file name is empty");
    tree_put("closed", "x", 1);
    chmod(tree_at("closed"), 0);
    expect_permission_denied(tree_at("closed"));
    unlink(tree_at("closed"));
}

/* Runs `child` in a process of its own with `input` as its standard input. Returns its exit status;
 * `output` receives its standard output. */
static int in_child(int (*child)(void), const void *input, size_t size, blob *output) {
    int in[2], out[2], status;
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        _exit(child());
    }
    close(in[0]), close(out[1]);
    size_t sent = 0;
    while (sent < size) { /* in pieces, to cause short reads */
        size_t piece = size - sent < 777 ? size - sent : 777;
        ssize_t put = write(in[1], (const char *)input + sent, piece);
        if (put <= 0)
            break;
        sent += (size_t)put;
    }
    close(in[1]);
    uint8_t got[4096];
    ssize_t length;
    *output = (blob){malloc(1 << 20), 0};
    assert_non_null(output->data);
    while ((length = read(out[0], got, sizeof got)) > 0) {
        assert_true(output->size + (size_t)length <= 1 << 20);
        memcpy(output->data + output->size, got, (size_t)length);
        output->size += (size_t)length;
    }
    close(out[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int copy_input_to_output(void) {
    lm_buffer file = {0};
    lm_error error;
    if (!lm_file_read("-", 0, &file, &error))
        return 1;
    bool written = write_file("-", file.data, file.size, &error);
    lm_buffer_free(&file);
    return written ? 0 : 2;
}

TEST(test_standard_input_and_output) {
    blob input = {malloc(200000), 200000}, output;
    assert_non_null(input.data);
    for (size_t i = 0; i < input.size; i++)
        input.data[i] = (uint8_t)(i * 13 >> 5);
    assert_int_equal(in_child(copy_input_to_output, input.data, 60000, &output), 0);
    assert_int_equal(output.size, 60000);
    assert_memory_equal(output.data, input.data, 60000);
    blob_free(&output);
    assert_int_equal(in_child(copy_input_to_output, "", 0, &output), 0);
    assert_int_equal(output.size, 0);
    blob_free(&output);
    blob_free(&input);
}

static int read_too_much(void) {
    lm_buffer file = {0};
    lm_error error;
    bool read = lm_file_read("-", 1000, &file, &error);
    return !read && error.code == LM_CODE_LIMIT && strstr(error.message, "standard input") ? 0 : 1;
}

TEST(test_standard_input_respects_the_limit) {
    uint8_t input[2000] = {0};
    blob output;
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(in_child(read_too_much, input, sizeof input, &output), 0);
    blob_free(&output);
    signal(SIGPIPE, SIG_DFL);
}

/* Records the largest single allocation. */
static size_t largest_request;

static void *ask(void *user, size_t size) {
    largest_request = size > largest_request ? size : largest_request;
    return malloc(size);
}

static void *ask_again(void *user, void *pointer, size_t old_size, size_t size) {
    largest_request = size > largest_request ? size : largest_request;
    return realloc(pointer, size);
}

static void give_back(void *user, void *pointer, size_t size) {
    free(pointer);
}

#define LIMIT ((size_t)100000)

static bool load_is_rejected(const char *path) {
    lm_error error = {0};
    lm_load_options options = {
        .memory = {.allocator = {ask, ask_again, give_back, NULL}, .max_bytes = LIMIT}};
    return !lm_load_file(path, &options, &error) && error.code == LM_CODE_LIMIT &&
           strstr(error.message, "100000") && largest_request <= LIMIT + 1;
}

static int load_beyond_the_limit(void) {
    return load_is_rejected("-") && largest_request == LIMIT + 1 ? 0 : 1;
}

/* Calls without a path report that. */
TEST(test_no_path) {
    lm_buffer file = {0};
    lm_error error = {0};
    lm_vfs *vfs = lm_vfs_new(NULL, NULL);
    assert_null(lm_load_file(NULL, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_false(lm_file_read(NULL, 0, &file, &error));
    assert_false(lm_vfs_read(vfs, NULL, 0, &file, &error));
    assert_string_equal(error.message, "the path to read from is NULL");
    assert_false(write_file(NULL, "x", 1, &error));
    assert_string_equal(error.message, "writing: files[0].path is NULL");
    assert_null(lm_archive_open(NULL, NULL, NULL, &error));
    assert_string_equal(error.message, "the path of the archive is NULL");
    assert_false(lm_vfs_find_player(vfs, NULL, NULL, 0, &error));
    assert_null(lm_vfs_folder(vfs, NULL, &error));
    assert_string_equal(error.message, "the path of the folder is NULL");
    assert_null(lm_assets_open(vfs, NULL, NULL, &error));
    assert_string_equal(error.message, "lm_assets_open: path is NULL");
    lm_vfs_free(vfs);
    lm_buffer_free(NULL);
    lm_archive_free(NULL);
    lmi_folder_free(NULL);
    lm_vfs_free(NULL);
    lm_assets_free(NULL);
}

/* A file of known size is rejected for free; a stream is read up to the limit. */
TEST(test_limits_apply_before_reading) {
    lm_buffer file = {0};
    lm_error error = {0};
    AT_END(blob_free) blob input = {calloc(200000, 1), 200000}, output;
    tree_put("sparse", "IDP2", 4);
    assert_int_equal(truncate(tree_at("sparse"), (off_t)5 << 30), 0);
    largest_request = 0;
    assert_true(load_is_rejected(tree_at("sparse")));
    assert_int_equal(largest_request, 0);
    const lm_load_options unbounded = {.memory.allocator = {ask, ask_again, give_back, NULL}};
    assert_null(lm_load_file(tree_at("sparse"), &unbounded, &error));
    assert_non_null(strstr(error.message, "exceeds the limit of 2147483647 bytes"));
    assert_int_equal(largest_request, 0);
    assert_false(lm_file_read(tree_at("sparse"), LIMIT, &file, &error));
    assert_int_equal(error.code, LM_CODE_LIMIT);
    assert_non_null(strstr(error.message, ": it exceeds the limit of "));
    assert_null(file.data);
    unlink(tree_at("sparse"));
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(in_child(load_beyond_the_limit, input.data, input.size, &output), 0);
    signal(SIGPIPE, SIG_DFL);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* A failure leaves the bytes that are there, or no memory. */
TEST(test_reading_appends) {
    AT_END(lm_buffer_free) lm_buffer out = {0};
    lm_error error;
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    tree_put("part", "abc", 3);
    assert_false(lm_file_read(tree_at("part"), 2, &out, &error));
    assert_true(!out.data && out.capacity == 0);
    assert_true(lm_file_read(tree_at("part"), 0, &out, &error));
    assert_false(lm_file_read(tree_at("part"), 2, &out, &error));
    assert_false(lm_vfs_read(vfs, tree_at("no part"), 0, &out, &error));
    assert_true(lm_vfs_read(vfs, tree_at("part"), 3, &out, &error));
    assert_true(out.size == 6 && memcmp(out.data, "abcabc", 6) == 0);
    unlink(tree_at("part"));
}

TEST(test_room_for_later_members_is_zero) {
    lm_error error;
    const lm_file_output output = {.path = tree_at("room"), .reserved = {0, 1}};
    assert_false(lm_file_write(&output, 1, false, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    assert_null(lm_archive_open("a", &(lm_reader){.reserved = {1}}, NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    lm_buffer out = {0};
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_files *view = lm_vfs_folder(vfs, folder, NULL);
    lm_files later = *view;
    later.reserved[0] = 1;
    assert_false(lm_archive_write(&later, NULL, 0, "pak", &out, &error));
    assert_non_null(strstr(error.message, "reserved"));
    assert_false(lm_archive_write(view, NULL, 0, NULL, &out, &error));
}

#define ASSERT_REJECTED(call, part)                         \
    do {                                                    \
        error.code = LM_CODE_OK;                            \
        assert_false(call);                                 \
        assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT); \
        assert_non_null(strstr(error.message, part));       \
    } while (0)

/* NULL where a call needs a value: the message names it. */
TEST(test_incomplete_arguments) {
    static const char *const no_path[] = {NULL};
    const lm_file_output no_data = {.path = tree_at("room"), .size = 1};
    lm_buffer out = {0};
    lm_error error;
    OWNED(lm_vfs) *vfs = lm_vfs_new(NULL, NULL);
    const lm_files *view = lm_vfs_folder(vfs, folder, NULL);
    const lm_files none = {0}, blind = {.find = view->find};
    ASSERT_REJECTED(lm_vfs_mount(vfs, "a", NULL, &error), "the view of files is NULL");
    ASSERT_REJECTED(lm_vfs_mount(vfs, "a", &none, &error), "find of the view");
    ASSERT_REJECTED(lm_vfs_mount(vfs, "a", &blind, &error), "read of the view");
    ASSERT_REJECTED(lm_archive_write(NULL, NULL, 0, "pak", &out, &error), "the view of files");
    ASSERT_REJECTED(lm_archive_write(&none, NULL, 0, "pak", &out, &error), "read of the view");
    ASSERT_REJECTED(lm_archive_write(view, NULL, 1, "pak", &out, &error), "paths is NULL");
    ASSERT_REJECTED(lm_archive_write(view, no_path, 1, "pak", &out, &error), "paths[0] is NULL");
    ASSERT_REJECTED(lm_file_write(NULL, 1, false, &error), "files is NULL");
    ASSERT_REJECTED(lm_file_write(&no_data, 1, false, &error), "is NULL");
    assert_true(lm_file_write(NULL, 0, false, &error));
    const lm_skin_entry entry = {.surface = "a"};
    ASSERT_REJECTED(lm_skin_file_write(NULL, 1, NULL, 0, &out, &error), "entries is NULL");
    ASSERT_REJECTED(lm_skin_file_write(&entry, 1, NULL, 0, &out, &error), "entries[0].path");
    ASSERT_REJECTED(lm_skin_file_write(NULL, 0, NULL, 1, &out, &error), "tags is NULL");
    ASSERT_REJECTED(lm_skin_file_write(NULL, 0, no_path, 1, &out, &error), "tags[0] is NULL");
    char actual[LM_PATH_SIZE];
    assert_int_equal(view->find(view->user, NULL, actual), LM_FIND_NOTHING);
    assert_false(view->read(view->user, NULL, 0, &out, &error));
    assert_false(view->peek(view->user, NULL, 1, &out));
    assert_null(lm_archive_open("a", &(lm_reader){.size = 9}, NULL, &error));
    assert_non_null(strstr(error.message, "read_at and user"));
    ASSERT_REJECTED(lm_pixels_write(NULL, 1, 1, LM_PIXELS_PNG, NULL, &out, &error), "NULL");
    ASSERT_REJECTED(lm_floats_write(NULL, 1, 1, LM_FLOATS_PNG, &out, &error), "NULL");
    assert_null(out.data);
}

TEST(test_files_are_written_and_replaced) {
    static const size_t sizes[] = {5000, 3, 0, 100000};
    uint8_t *bytes = malloc(100000);
    assert_non_null(bytes);
    memset(bytes, 0x42, 100000);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        lm_error error;
        assert_true(write_file(tree_at("out"), bytes, sizes[i], &error));
        blob got = blob_read(tree_at("out"));
        assert_int_equal(got.size, sizes[i]);
        assert_memory_equal(got.data, bytes, sizes[i]);
        blob_free(&got);
        assert_int_equal(count_names(), 1);
    }
    free(bytes);
    tree_drop("out");
}

/* The mode equals that of any program's new file. */
TEST(test_mode_follows_the_mask) {
    static const mode_t masks[] = {022, 077, 0};
    for (size_t i = 0; i < COUNT_OF(masks); i++) {
        struct stat info;
        mode_t old = umask(masks[i]);
        unlink(tree_at("mode"));
        assert_true(write_file(tree_at("mode"), "x", 1, NULL));
        assert_int_equal(umask(old), masks[i]);
        assert_int_equal(stat(tree_at("mode"), &info), 0);
        assert_int_equal(info.st_mode & 0777, 0666 & ~masks[i]);
    }
    unlink(tree_at("mode"));
}

/* A new version keeps the mode of the old one, and another file can lend its mode. */
TEST(test_replacing_keeps_the_mode) {
    static const mode_t modes[] = {0600, 0640, 0664, 0444};
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        struct stat info;
        AT_END(drop_bytes) char *path = strdup(tree_at("private"));
        assert_true(write_file(path, "x", 1, NULL));
        assert_int_equal(chmod(path, modes[i]), 0);
        assert_true(write_file(path, "new", 3, NULL));
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 0777, modes[i]);
        const lm_file_output copy = {
            .path = tree_at("copy"), .data = "old", .size = 3, .like = path};
        assert_true(lm_file_write(&copy, 1, false, NULL));
        assert_int_equal(stat(tree_at("copy"), &info), 0);
        assert_int_equal(info.st_mode & 0777, modes[i]);
        unlink(path);
        unlink(tree_at("copy"));
    }
}

/* The old file, still open, keeps its contents: the name moved to the new one. */
TEST(test_a_reader_never_sees_an_incomplete_file) {
    char got[8] = {0};
    tree_put("swap", "old", 3);
    int old = open(tree_at("swap"), O_RDONLY);
    assert_true(old >= 0);
    assert_true(write_file(tree_at("swap"), "new!", 4, NULL));
    assert_int_equal(read(old, got, sizeof got), 3);
    assert_string_equal(got, "old");
    close(old);
    unlink(tree_at("swap"));
}

static void expect_write_error(const char *path) {
    lm_error error = {0};
    size_t names = count_names();
    assert_false(write_file(path, "data", 4, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_error_valid(&error);
    assert_non_null(strstr(error.message, path));
    assert_int_equal(count_names(), names);
    assert_false(write_file(path, "data", 4, NULL));
}

TEST(test_unwritable_files) {
    char inside[300];
    expect_write_error("/dev/full");
    assert_int_equal(mkdir(tree_at("directory"), 0777), 0);
    expect_write_error(tree_at("directory"));
    snprintf(inside, sizeof inside, "%s/", tree_at("directory"));
    expect_write_error(inside);
    assert_int_equal(rmdir(tree_at("directory")), 0); /* no file remained in it */
    assert_true(write_file("/dev/null", "data", 4, NULL));
}

/* A full disk: the old file stays unchanged, and no other remains. */
static int write_beyond_the_limit(void) {
    static uint8_t bytes[100000];
    lm_error error = {0};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, 4096}) != 0)
        return 3;
    bool written = write_file(tree_at("full"), bytes, sizeof bytes, &error);
    return !written && error.code == LM_CODE_IO ? 0 : 1;
}

TEST(test_a_full_disk_leaves_the_old_file) {
    blob output;
    tree_put("full", "old", 3);
    assert_int_equal(in_child(write_beyond_the_limit, "", 0, &output), 0);
    blob_free(&output);
    blob got = blob_read(tree_at("full"));
    assert_int_equal(got.size, 3);
    assert_memory_equal(got.data, "old", 3);
    blob_free(&got);
    assert_int_equal(count_names(), 1);
    unlink(tree_at("full"));
}

/* A file of a group cannot be renamed to the name of a folder: the other files stay. */
TEST(test_a_folder_in_the_way_leaves_the_old_files) {
    char first[300], last[300];
    lm_error error = {0};
    snprintf(first, sizeof first, "%s", tree_at("way"));
    snprintf(last, sizeof last, "%s", tree_at("old"));
    const lm_file_output files[] = {{.path = first, .data = "new", .size = 3},
                                    {.path = last, .data = "new", .size = 3}};
    assert_int_equal(mkdir(first, 0777), 0);
    tree_put("old", "old", 3);
    const size_t names = count_names();
    assert_false(lm_file_write(files, 2, false, &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_non_null(strstr(error.message, first));
    assert_int_equal(count_names(), names);
    blob got = blob_read(last);
    assert_int_equal(got.size, 3);
    assert_memory_equal(got.data, "old", 3);
    blob_free(&got);
    rmdir(first);
    unlink(last);
}

/* If a file of a group cannot be written, the folders that were created for it go, and others
 * stay. */
TEST(a_failure_leaves_no_empty_folders) {
    lm_error error = {0};
    char first[300], last[300];
    static const struct {
        const char *first, *last; /* of which the last is a folder */
    } cases[] = {{"new/a/b/one", "way"}, {"new/one", "way"}, {"keep/a//b/one", "way"}};
    assert_int_equal(mkdir(tree_at("way"), 0777), 0);
    assert_int_equal(mkdir(tree_at("keep"), 0777), 0);
    const size_t names = count_names();
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        snprintf(first, sizeof first, "%s", tree_at(cases[i / 2].first));
        snprintf(last, sizeof last, "%s", tree_at(cases[i / 2].last));
        const size_t root = strlen(tree_at("")) - 1;
        const lm_file_output files[] = {
            {.path = first, .data = "1", .size = 1, .below = i % 2 ? first + root + 1 : NULL},
            {.path = last, .data = "2", .size = 1, .below = i % 2 ? last + root + 1 : NULL}};
        assert_false(lm_file_write(files, 2, false, &error));
        assert_int_equal(count_names(), names);
        assert_int_equal(rmdir(tree_at("keep")), 0);
        assert_int_equal(mkdir(tree_at("keep"), 0777), 0);
    }
    rmdir(tree_at("keep"));
    rmdir(tree_at("way"));
}

/* What becomes of an existing file: by its contents, and by what the caller wants. */
TEST(existing_files_are_replaced_stop_or_stay) {
    static const struct {
        const char *there; /* NULL: nothing */
        lm_existing existing;
        bool done, stayed;
        const char *then;
    } cases[] = {{NULL, LM_EXISTING_STOPS, true, false, "new"},
                 {NULL, LM_EXISTING_STAYS, true, false, "new"},
                 {"new", LM_EXISTING_STOPS, true, false, "new"},
                 {"new", LM_EXISTING_STAYS, true, false, "new"},
                 {"old", LM_EXISTING_REPLACED, true, false, "new"},
                 {"old", LM_EXISTING_STOPS, false, false, "old"},
                 {"old", LM_EXISTING_STAYS, true, true, "old"},
                 {"older", LM_EXISTING_STAYS, true, true, "older"},
                 {"", LM_EXISTING_STOPS, false, false, ""},
                 {"old", (lm_existing)3, false, false, "old"}};
    char first[300], last[300];
    snprintf(first, sizeof first, "%s", tree_at("side"));
    snprintf(last, sizeof last, "%s", tree_at("main"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool stayed = true;
        lm_error error = {0};
        const lm_file_output files[] = {{.path = first,
                                         .data = "new",
                                         .size = 3,
                                         .existing = cases[i].existing,
                                         .stayed = &stayed},
                                        {.path = last, .data = "new", .size = 3}};
        if (cases[i].there)
            tree_put("side", cases[i].there, strlen(cases[i].there));
        tree_put("main", "main", 4);
        assert_int_equal(lm_file_write(files, 2, false, &error), cases[i].done);
        assert_true(cases[i].done || error.code == LM_CODE_IO || cases[i].existing > 2);
        assert_int_equal(stayed, cases[i].stayed);
        AT_END(blob_free) blob side = blob_read(first), main = blob_read(last);
        assert_int_equal(side.size, strlen(cases[i].then));
        assert_memory_equal(side.data, cases[i].then, side.size);
        assert_memory_equal(main.data, cases[i].done ? "new" : "main", main.size);
        unlink(first);
    }
    unlink(last);
}

/* ---- Models -------------------------------------------------------------------------------- */

static void load_by_path(const char *path, const blob *file) {
    lm_error error;
    OWNED(lm_model) *m = lm_load_file(path, NULL, &error);
    assert_done(m, error);
    assert_model_valid(m);
}

TEST(test_models_load_from_files) {
    lm_error error;
    each_model(load_by_path);
    tree_put("no_model", "IDP2", 4);
    assert_null(lm_load_file(tree_at("no_model"), NULL, &error));
    assert_int_equal(error.code, LM_CODE_TRUNCATED);
    tree_put("no_model", "", 0);
    assert_null(lm_load_file(tree_at("no_model"), NULL, &error));
    assert_int_equal(error.code, LM_CODE_UNKNOWN_FORMAT);
    unlink(tree_at("no_model"));
}

/* ---- Links below a folder ------------------------------------------------------------------ */

static void run(const char *command) {
    char line[600];
    snprintf(line, sizeof line, "cd %s && %s", folder, command);
    assert_int_equal(system(line), 0);
}

/* Writes in/sub/deep/a and in/sub/deep/b as a group, below the folder `in`. */
static bool write_below(lm_error *error) {
    char paths[2][256];
    lm_file_output files[2];
    for (size_t i = 0; i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/in/sub/deep/%c", folder, (int)('a' + i));
        files[i] = (lm_file_output){.path = paths[i],
                                    .data = "new",
                                    .size = 3,
                                    .below = paths[i] + strlen(folder) + strlen("/in/")};
    }
    return lm_file_write(files, 2, true, error);
}

/* Whenever another program replaces a folder by a link, nothing is written to the link's target. */
TEST(test_a_folder_that_becomes_a_link) {
    lm_error error;
    size_t num_failed = 0;
    for (int exists = 0; exists < 2; exists++)
        for (size_t k = 1;; k++) {
            run(exists ? "mkdir -p in/sub/deep outside/deep && echo old > outside/deep/a"
                       : "mkdir -p in outside");
            num_calls = 0;
            swap_at = k;
            error = (lm_error){0};
            const bool done = write_below(&error), swapped = num_calls >= k;
            swap_at = 0;
            run(exists ? "test \"$(find outside)\" = \"$(printf 'outside\\noutside/deep\\noutside/"
                         "deep/a')\" && test $(cat outside/deep/a) = old && rm -rf in outside"
                       : "test \"$(find outside)\" = outside && rm -rf in outside");
            if (!done) {
                assert_true(swapped && error.code == LM_CODE_IO);
                assert_non_null(strstr(error.message, "in/sub/deep/"));
                num_failed++;
            }
            if (!swapped)
                break;
            assert_true(k < 100);
        }
    assert_true(num_failed > 10);
}

/* A file below a folder: no link is followed, no special file opened, and no part is "..". */
TEST(test_special_files_below_a_folder) {
    static const struct {
        const char *make, *below, *reason; /* NULL: the file is written */
    } cases[] = {
        {"ln -s ../outside in/x", "x/a", "a folder in its path is a link"},
        {"ln -s ../nowhere in/x", "x/a", "a folder in its path is a link"},
        {"mkdir in/y && ln -s ../../outside in/y/x", "y/x/a", "a folder in its path is a link"},
        {"true", "../outside/a", "a folder in its path is a link"},
        {"touch in/x", "x/a", "a folder in its path is a file"},
        {"mkfifo in/x", "x/a", "a folder in its path is a file"},
        {"mkfifo in/a", "a", "it is a pipe, socket or device"},
        {"mkdir in/a", "a", "Is a directory"},
        {"ln -s ../outside/victim in/a", "a", NULL},
        {"ln -s ../nowhere in/a", "a", NULL},
        {"ln -s /dev/full in/a", "a", NULL},
        {"true", "x//y/a", NULL},
        {"touch in/-", "-", NULL},
    };
    char path[400], long_part[300];
    lm_error error;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct stat info;
        run("mkdir in outside && echo before > outside/victim");
        run(cases[i].make);
        snprintf(path, sizeof path, "%s/in/%s", folder, cases[i].below);
        const lm_file_output output = {
            .path = path, .data = "new", .size = 3, .below = path + strlen(folder) + 4};
        assert_int_equal(lm_file_write(&output, 1, false, &error), !cases[i].reason);
        if (cases[i].reason)
            assert_non_null(strstr(error.message, cases[i].reason));
        else
            assert_true(lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 3);
        run("test $(find outside | wc -l) = 2 && test $(cat outside/victim) = before");
        run("test -z \"$(find . -name '.lerpmesh*')\" && rm -r in outside");
    }
    memset(long_part, 'a', sizeof long_part);
    snprintf(path, sizeof path, "%s/%.256s/a", folder, long_part);
    const lm_file_output output = {
        .path = path, .data = "new", .size = 3, .below = path + strlen(folder) + 1};
    assert_false(lm_file_write(&output, 1, false, &error));
    assert_non_null(strstr(error.message, "name too long"));
}

static lm_path_identity inspect_path(const char *path) {
    lm_path_identity about;
    lmi_path_identify(path, &about);
    return about;
}

TEST(test_paths_are_identified) {
    lm_error error;
    tree_put("a", "x", 1);
    const lm_path_identity a = inspect_path(tree_at("a"));
    assert_int_equal(a.kind, LM_PATH_FILE);
    assert_int_equal(symlink("a", tree_at("b")), 0);
    const lm_path_identity b = inspect_path(tree_at("b"));
    assert_true(b.kind == LM_PATH_FILE && b.device == a.device && b.number == a.number);
    const lm_path_identity here = inspect_path(folder);
    assert_true(here.kind == LM_PATH_FOLDER && here.number != a.number);
    assert_int_equal(inspect_path("/dev/null").kind, LM_PATH_OTHER);
    assert_int_equal(inspect_path(tree_at("none")).kind, LM_PATH_NOTHING);
    assert_int_equal(inspect_path(NULL).kind, LM_PATH_NOTHING);
    assert_false(lmi_folder_make(tree_at("a/b/c"), &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_non_null(strstr(error.message, "a file has this name"));
    assert_false(lmi_folder_make("", &error));
    assert_int_equal(error.code, LM_CODE_IO);
    assert_false(lmi_folder_make(NULL, &error));
    assert_int_equal(error.code, LM_CODE_BAD_ARGUMENT);
    unlink(tree_at("a"));
    unlink(tree_at("b"));
}

TEST(test_folders_are_created_with_their_parents) {
    lm_error error;
    for (int again = 0; again < 2; again++) {
        assert_true(lmi_folder_make(tree_at("x/y//z/"), &error));
        assert_int_equal(inspect_path(tree_at("x/y/z")).kind, LM_PATH_FOLDER);
    }
    assert_true(lmi_folder_make("/", &error));
    rmdir(tree_at("x/y/z"));
    rmdir(tree_at("x/y"));
    rmdir(tree_at("x"));
}

/* Folders above `below` are created, too; not for a file that has no data. */
TEST(test_missing_folders_are_created) {
    char path[300];
    lm_error error = {0};
    snprintf(path, sizeof path, "%s", tree_at("new/a/b/out"));
    assert_false(lm_file_write(&(lm_file_output){.path = path, .size = 4}, 1, false, &error));
    assert_int_equal(inspect_path(tree_at("new")).kind, LM_PATH_NOTHING);
    tree_put("new", "old", 3);
    assert_false(write_file(path, "data", 4, &error));
    assert_non_null(strstr(error.message, "new/a/b/: a file has this name"));
    unlink(tree_at("new"));
    for (size_t below = 0; below < 3; below++) {
        const char *const ends[] = {NULL, "out", "b/out"};
        const lm_file_output file = {.path = path,
                                     .data = "data",
                                     .size = 4,
                                     .below = ends[below] ? strstr(path, ends[below]) : NULL};
        assert_done(lm_file_write(&file, 1, false, &error), error);
        blob got = blob_read(path);
        assert_int_equal(got.size, 4);
        blob_free(&got);
        run("rm -r new");
    }
}

TEST(test_arguments_are_paths) {
    char name[] = "program", text[] = "sch\xC3\xB6n";
    char *given[] = {name, text, NULL};
    int count = 2;
    char **texts = given;
    lmi_utf8_arguments(&count, &texts);
    assert_int_equal(count, 2);
    assert_string_equal(texts[1], "sch\xC3\xB6n");
}

static bool meet(void *caller, const char *name, bool is_folder) {
    *(size_t *)caller += strlen(name) + is_folder;
    return true;
}

/* The memory of a cached folder listing comes from the caller's allocator, whichever allocation
 * fails. */
TEST(test_listings_use_the_callers_allocator) {
    lm_error error = {0};
    assert_true(lmi_folder_make(tree_at("in/Deep"), &error));
    for (char name[] = "in/Deep/a"; name[8] <= 'z'; name[8]++)
        tree_put(name, "x", 1);
    tree_put("in/Deep/A1", "x", 1); /* more than a listing's initial capacity */
    for (char name[] = "in/Deep/0x"; name[8] <= '9'; name[8]++)
        tree_put(name, "x", 1);
    EACH_ALLOCATION_FAILS (f) {
        char actual[LM_PATH_SIZE];
        size_t met = 0;
        OWNED(lm_folder) *opened = lmi_folder_open(tree_at("in"), &f.memory.allocator, &f.error);
        const lm_files *view = opened ? lmi_folder_files(opened) : NULL;
        const lm_find found =
            view ? view->find(view->user, "deep/Q", actual) : LM_FIND_OUT_OF_MEMORY;
        f.done = found == LM_FIND_FILE && view->list(view->user, "deep", meet, &met, &f.error);
        if (opened && !f.done)
            f.error.code = LM_CODE_OUT_OF_MEMORY; /* find() has no error */
        assert_true(f.done || found == LM_FIND_OUT_OF_MEMORY);
        assert_true(!f.done || (met == 26 + 2 + 2 * 10 && strcmp(actual, "Deep/q") == 0));
    }
    run("rm -r in");
}

TEST_GROUP(make_folder, tree_remove)
