#ifdef _WIN32

#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
/* Behind it, what needs it. */
#include <windows.h>

#include <shellapi.h>

/* ---- Texts ------------------------------------------------------------------------------------
 */

/* From the root on, in the form that may be longer than 260 characters. Names that Windows keeps
 * for devices (con, nul.txt) are none. */
static wchar_t *whole_path(const wchar_t *path) {
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

/* For the caller to free; NULL with errno set if it is no UTF-8, or no name for a file. */
static wchar_t *to_wide(const char *path) {
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (!wide) {
        errno = length > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, length);
    wchar_t *whole = whole_path(wide);
    free(wide);
    return whole;
}

/* With '/' for '\', which no option means otherwise. NULL: there is no memory. */
static char *argument_of(const wchar_t *wide) {
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (!text)
        return NULL;
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    for (char *c = text; *c; c++)
        *c = *c == '\\' ? '/' : *c;
    return text;
}

/* What the C library gives is in the letters of the user's language; those of others are lost. */
static tool_arguments take_arguments(int argc, char **argv) {
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **texts = wide ? calloc((size_t)count + 1, sizeof *texts) : NULL;
    bool taken = texts != NULL;
    for (int i = 0; taken && i < count; i++)
        taken = (texts[i] = argument_of(wide[i])) != NULL;
    LocalFree(wide);
    return taken ? (tool_arguments){count, texts} : (tool_arguments){argc, argv};
}

/* ---- The process ------------------------------------------------------------------------------
 */

tool_arguments tool_system_begin(int argc, char **argv) {
    for (int stream = 0; stream <= 2; stream++)
        _setmode(stream, _O_BINARY);
    return take_arguments(argc, argv);
}

bool tool_system_write(int stream, const void *data, size_t size) {
    for (const uint8_t *from = data; size > 0;) {
        int written = _write(stream, from, size < INT_MAX ? (unsigned)size : INT_MAX);
        if (written < 0)
            return false;
        from += written;
        size -= (size_t)written;
    }
    return true;
}

bool tool_system_is_terminal(int stream) {
    return _isatty(stream) != 0;
}

double tool_system_seconds(void) {
    return (double)GetTickCount64() * 1e-3;
}

unsigned tool_system_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors < 1 ? 1 : (unsigned)info.dwNumberOfProcessors;
}

/* ---- Files ------------------------------------------------------------------------------------
 */

tool_about tool_system_look(const char *path) {
    tool_about about = {TOOL_NOTHING, 0, 0};
    BY_HANDLE_FILE_INFORMATION info;
    wchar_t *wide = to_wide(path);
    HANDLE file = wide
                      ? CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
                      : INVALID_HANDLE_VALUE;
    free(wide);
    if (file == INVALID_HANDLE_VALUE)
        return about;
    about.kind = TOOL_OTHER;
    if (GetFileInformationByHandle(file, &info)) {
        about.kind = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? TOOL_FOLDER : TOOL_FILE;
        about.disk = info.dwVolumeSerialNumber;
        about.number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    }
    CloseHandle(file);
    return about;
}

/* A new file has the rights of its folder. */
unsigned tool_system_mode(const char *path) {
    (void)path;
    return 0;
}

void tool_system_set_mode(const char *path, unsigned mode) {
    (void)path;
    (void)mode;
}

bool tool_system_make_folder(const char *path) {
    wchar_t *wide = to_wide(path);
    bool made = wide && CreateDirectoryW(wide, NULL);
    if (wide && !made) {
        DWORD code = GetLastError();
        errno = code == ERROR_ALREADY_EXISTS   ? EEXIST
                : code == ERROR_PATH_NOT_FOUND ? ENOENT
                                               : EACCES;
    }
    free(wide);
    return made;
}

#endif
