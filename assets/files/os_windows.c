#ifdef _WIN32

#include "files/os.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <share.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>
/* The headers that need it follow. */
#include <windows.h>

#include <shellapi.h>

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Returns the absolute path, in the form that may exceed 260 characters. Fails for names that
 * Windows reserves for devices (con, nul.txt). */
static wchar_t *full_path(const wchar_t *path) {
    static const wchar_t mark[] = L"\\\\?\\", share[] = L"\\\\?\\UNC";
    DWORD size = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = size ? malloc(size * sizeof *full) : NULL;
    wchar_t *whole = full ? malloc((size + 8) * sizeof *whole) : NULL;
    bool named =
        whole && GetFullPathNameW(path, size, full, NULL) > 0 && wcsncmp(full, L"\\\\.\\", 4) != 0;
    if (named) {
        bool shared = full[0] == L'\\', marked = wcsncmp(full, mark, 4) == 0;
        wcscpy(whole, marked ? L"" : shared ? share : mark);
        wcscat(whole, shared && !marked ? full + 1 : full);
    } else {
        errno = size && !whole ? ENOMEM : EINVAL;
        free(whole);
        whole = NULL;
    }
    free(full);
    return whole;
}

/* Returns memory to free. NULL with errno set if the path is no UTF-8 or no valid file name. */
static wchar_t *to_wide(const char *path) {
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (!wide) {
        errno = length > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, length);
    wchar_t *whole = full_path(wide);
    free(wide);
    return whole;
}

/* Returns memory to free, with '/' for '\'. `strict`: 0, or WC_ERR_INVALID_CHARS to return NULL for
 * text that is no Unicode. */
static char *from_wide(const wchar_t *wide, DWORD strict) {
    int length = WideCharToMultiByte(CP_UTF8, strict, wide, -1, NULL, 0, NULL, NULL);
    char *path = length > 0 ? malloc((size_t)length) : NULL;
    if (!path) {
        errno = length > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, length, NULL, NULL);
    for (char *c = path; *c; c++)
        *c = *c == '\\' ? '/' : *c;
    return path;
}

static bool fail_as_system(void) {
    DWORD code = GetLastError();
    errno = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND     ? ENOENT
            : code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION ? EACCES
            : code == ERROR_ALREADY_EXISTS                                   ? EEXIST
            : code == ERROR_DISK_FULL                                        ? ENOSPC
                                                                             : EIO;
    return false;
}

/* The C library's arguments are in the user's code page and have lost all other letters. */
void lmi_utf8_arguments(int *argc, char ***argv) {
    int given = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &given);
    char **texts = wide ? (char **)calloc((size_t)given + 1, sizeof *texts) : NULL;
    for (int i = 0; texts && i < given; i++)
        if (!(texts[i] = from_wide(wide[i], 0)))
            texts = NULL;
    LocalFree(wide);
    *argc = texts ? given : *argc;
    *argv = texts ? texts : *argv;
}

/* Opens a file or folder to query it, not to read it. */
static HANDLE open_anything(const char *path) {
    wchar_t *wide = to_wide(path);
    HANDLE handle = INVALID_HANDLE_VALUE;
    if (wide)
        handle = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                             OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (wide && handle == INVALID_HANDLE_VALUE)
        fail_as_system();
    free(wide);
    return handle;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static int open_as(const char *path, int flags) {
    wchar_t *wide = to_wide(path);
    int file = -1;
    if (wide && _wsopen_s(&file, wide, flags | _O_BINARY | _O_NOINHERIT, _SH_DENYNO,
                          _S_IREAD | _S_IWRITE) != 0)
        file = -1;
    free(wide);
    if (file < 0 && errno == EACCES && lmi_os_kind_of(path) == LM_PATH_FOLDER)
        errno = EISDIR;
    return file;
}

int lmi_os_open(const char *path, bool patient) {
    (void)patient;
    return open_as(path, _O_RDONLY);
}

int lmi_os_open_to_write(const char *path) {
    return open_as(path, _O_WRONLY);
}

bool lmi_os_close(int file) {
    return _close(file) == 0;
}

static lm_path_kind kind_of(const struct _stat64 *info) {
    return (info->st_mode & _S_IFMT) == _S_IFREG   ? LM_PATH_FILE
           : (info->st_mode & _S_IFMT) == _S_IFDIR ? LM_PATH_FOLDER
                                                   : LM_PATH_OTHER;
}

lm_path_kind lmi_os_stat(int file, uint64_t *size) {
    struct _stat64 info;
    *size = 0;
    if (_fstat64(file, &info) != 0)
        return LM_PATH_NOTHING;
    lm_path_kind kind = kind_of(&info);
    if (kind == LM_PATH_FILE && info.st_size > 0)
        *size = (uint64_t)info.st_size;
    return kind;
}

static DWORD attributes_of(const char *path) {
    wchar_t *wide = to_wide(path);
    DWORD attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    return attributes;
}

lm_path_kind lmi_os_kind_of(const char *path) {
    const DWORD attributes = attributes_of(path);
    return attributes == INVALID_FILE_ATTRIBUTES   ? LM_PATH_NOTHING
           : attributes & FILE_ATTRIBUTE_DIRECTORY ? LM_PATH_FOLDER
           : attributes & FILE_ATTRIBUTE_DEVICE    ? LM_PATH_OTHER
                                                   : LM_PATH_FILE;
}

void lmi_path_identify(const char *path, lm_path_identity *identity) {
    BY_HANDLE_FILE_INFORMATION info;
    HANDLE handle = path ? open_anything(path) : INVALID_HANDLE_VALUE;
    *identity = (lm_path_identity){0};
    if (handle == INVALID_HANDLE_VALUE)
        return;
    identity->kind = LM_PATH_OTHER;
    if (GetFileInformationByHandle(handle, &info)) {
        identity->kind =
            info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? LM_PATH_FOLDER : LM_PATH_FILE;
        identity->device = info.dwVolumeSerialNumber;
        identity->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    }
    CloseHandle(handle);
}

bool lmi_os_make_folder(const char *path) {
    wchar_t *wide = to_wide(path);
    bool made = wide && (CreateDirectoryW(wide, NULL) || fail_as_system());
    free(wide);
    return made;
}

/* Links and junctions. Files that are not on this disk yet count too, which does no harm. */
bool lmi_os_is_link(const char *path) {
    const DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

int64_t lmi_os_read(int file, void *bytes, size_t size) {
    if (file == LM_OS_INPUT)
        _setmode(file, _O_BINARY);
    return _read(file, bytes, size < INT_MAX ? (unsigned)size : INT_MAX);
}

int64_t lmi_os_read_at(int file, uint64_t offset, void *bytes, size_t size) {
    DWORD got, most = size < INT_MAX ? (DWORD)size : INT_MAX;
    OVERLAPPED position = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    if (ReadFile((HANDLE)_get_osfhandle(file), bytes, most, &got, &position))
        return got;
    fail_as_system();
    return -1;
}

int64_t lmi_os_write(int file, const void *bytes, size_t size) {
    if (file == LM_OS_OUTPUT)
        _setmode(file, _O_BINARY);
    return _write(file, bytes, size < INT_MAX ? (unsigned)size : INT_MAX);
}

bool lmi_os_flush(int file) {
    return _commit(file) == 0;
}

/* ---- Writing in a folder --------------------------------------------------------------------- */

/* A new file inherits the permissions of its folder. */
int lmi_os_create(int folder, const char *path, int like_folder, const char *like) {
    (void)folder, (void)like_folder, (void)like;
    return open_as(path, _O_WRONLY | _O_CREAT | _O_EXCL);
}

bool lmi_os_flush_folder(int folder, const char *path) {
    (void)folder, (void)path; /* the system does this itself */
    return true;
}

/* Makes a name from the folder's number: the same for every path to it and every process. */
static bool name_lock(const char *path, wchar_t name[64]) {
    BY_HANDLE_FILE_INFORMATION info;
    HANDLE folder = open_anything(path);
    const bool known = folder != INVALID_HANDLE_VALUE && GetFileInformationByHandle(folder, &info);
    if (known)
        swprintf(name, 64, L"Global\\lerpmesh-%08lx-%08lx%08lx", info.dwVolumeSerialNumber,
                 info.nFileIndexHigh, info.nFileIndexLow);
    if (folder != INVALID_HANDLE_VALUE)
        CloseHandle(folder);
    return known;
}

/* Windows cannot lock folders, and a lock file would stay. A mutex with the folder's number
 * replaces them. The system releases it when its process ends; handles fit an int. */
int lmi_os_lock_folder(int folder, const char *path) {
    (void)folder;
    wchar_t name[64];
    HANDLE mutex = name_lock(path, name) ? CreateMutexW(NULL, FALSE, name) : NULL;
    if (!mutex)
        return -1;
    const DWORD result = WaitForSingleObject(mutex, INFINITE);
    if (result == WAIT_OBJECT_0 || result == WAIT_ABANDONED)
        return (int)(intptr_t)mutex;
    CloseHandle(mutex);
    return -1;
}

void lmi_os_unlock_folder(int lock) {
    HANDLE mutex = (HANDLE)(intptr_t)lock;
    if (lock == -1)
        return;
    ReleaseMutex(mutex);
    CloseHandle(mutex);
}

/* Holds the folder of a path's last part. A thread may hold it twice. */
static int lock_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = malloc(strlen(path) + 2);
    int lock = -1;
    if (folder) {
        memcpy(folder, path, strlen(path) + 1);
        strcpy(folder + (slash ? (size_t)(slash - path) + 1 : 0), slash ? "" : ".");
        lock = lmi_os_lock_folder(LM_OS_ANY_FOLDER, folder);
    }
    free(folder);
    return lock;
}

/* A process that only reads a file prevents its replacement. Retries for a quarter of a second in
 * all. */
static bool replace(const wchar_t *from, const wchar_t *to) {
    for (DWORD wait = 1;; wait *= 2) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING))
            return true;
        const DWORD code = GetLastError();
        if ((code != ERROR_ACCESS_DENIED && code != ERROR_SHARING_VIOLATION) || wait > 128) {
            SetLastError(code);
            return fail_as_system();
        }
        Sleep(wait);
    }
}

/* Windows rejects the replacement of a file that is being replaced, so this holds the folder. */
bool lmi_os_replace(int folder, const char *from, const char *to) {
    (void)folder;
    wchar_t *old = to_wide(from), *new = to_wide(to);
    const int lock = lock_folder_of(to);
    const bool done = old && new && replace(old, new);
    const int problem = errno;
    lmi_os_unlock_folder(lock);
    errno = problem;
    free(old);
    free(new);
    return done;
}

void lmi_os_remove(int folder, const char *path) {
    (void)folder;
    wchar_t *wide = to_wide(path);
    if (wide)
        _wunlink(wide);
    free(wide);
}

void lmi_os_remove_folder(int folder, const char *path) {
    (void)folder;
    wchar_t *wide = to_wide(path);
    if (wide)
        RemoveDirectoryW(wide);
    free(wide);
}

unsigned lmi_os_process(void) {
    return (unsigned)_getpid();
}

/* ---- Real paths ------------------------------------------------------------------------------ */

static char *path_of(HANDLE handle) {
    DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *wide = size ? malloc((size_t)size * sizeof *wide) : NULL;
    char *path = NULL;
    if (wide && GetFinalPathNameByHandleW(handle, wide, size, FILE_NAME_NORMALIZED) < size)
        path = from_wide(wide, WC_ERR_INVALID_CHARS);
    free(wide);
    size_t length = path ? strlen(path) : 0;
    if (length && path[length - 1] == '/')
        path[length - 1] = '\0';
    return path;
}

char *lmi_os_real_path(const char *path) {
    HANDLE handle = open_anything(path);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    char *real = path_of(handle);
    CloseHandle(handle);
    return real;
}

/* Windows follows links here, so the real path of the open file is compared. */
int lmi_os_open_real(const char *root, const char *real) {
    (void)root;
    int file = lmi_os_open(real, false);
    if (file < 0)
        return -1;
    char *now = path_of((HANDLE)_get_osfhandle(file));
    bool same = now && strcmp(now, real) == 0;
    free(now);
    if (same)
        return file;
    _close(file);
    errno = EACCES;
    return -1;
}

bool lmi_os_list(const char *path, bool (*each)(void *user, const char *name), void *user) {
    size_t length = strlen(path);
    char *pattern = malloc(length + 3);
    if (!pattern)
        return false;
    memcpy(pattern, path, length);
    memcpy(pattern + length, "/*", 3);
    wchar_t *wide = to_wide(pattern);
    free(pattern);
    WIN32_FIND_DATAW entry;
    HANDLE found = wide ? FindFirstFileW(wide, &entry) : INVALID_HANDLE_VALUE;
    free(wide);
    if (found == INVALID_HANDLE_VALUE)
        return fail_as_system();
    for (bool more = true; more;) {
        char *name = from_wide(entry.cFileName, WC_ERR_INVALID_CHARS);
        more = !name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || each(user, name);
        free(name);
        more = more && FindNextFileW(found, &entry);
    }
    FindClose(found);
    return true;
}

#else
typedef int lm_no_windows; /* a translation unit must not be empty */
#endif
