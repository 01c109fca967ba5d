/* Numbered files, each a pose, as the frames of one model: walk_{frame}.obj, {clip}_{frame}.obj. */
#include "convert.h"
#include "lerpmesh/files.h"
#include "paths.h"
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FILES 65536u

typedef struct sequence_file {
    char *name; /* of the file, in its folder */
    const char *clip;
    size_t clip_length;
    uint64_t number;
} sequence_file;

typedef struct sequence {
    tool_job *job;
    const char *pattern; /* the name, without the folder */
    size_t folder;       /* bytes of the path */
    sequence_file *files;
    size_t count, capacity;
    bool failed;   /* for want of memory */
    bool many;     /* more than a model has frames */
    lm_file first; /* of which pictures are read when all frames are there */
} sequence;

/* ---- Which files --------------------------------------------------------------------------------
 */

/* As deep as a name is long. */
// NOLINTNEXTLINE(misc-no-recursion)
static bool match(const char *pattern, const char *name, sequence_file *out) {
    const char *end = strncmp(pattern, "{frame", 6) == 0 ? strchr(pattern, '}') : NULL;
    if (end) {
        const size_t digits = strspn(name, "0123456789");
        out->number = strtoull(name, NULL, 10);
        return digits > 0 && digits < 10 && match(end + 1, name + digits, out);
    }
    if (strncmp(pattern, "{clip}", 6) == 0) {
        for (size_t length = 1; name[length - 1]; length++)
            if (match(pattern + 6, name + length, out)) {
                out->clip = name;
                out->clip_length = length;
                return true;
            }
        return false;
    }
    return *pattern == *name && (*name == '\0' || match(pattern + 1, name + 1, out));
}

/* What clips are called without {clip}: what stands before the number, but for marks. */
static void name_clip(const sequence *s, sequence_file *file) {
    const char *number = strstr(s->pattern, "{frame");
    size_t length = (size_t)(number - s->pattern);
    while (length > 0 && !isalnum((unsigned char)s->pattern[length - 1]) &&
           (unsigned char)s->pattern[length - 1] < 0x80)
        length--;
    if (!file->clip) {
        file->clip = length > 0 ? s->pattern : "frame";
        file->clip_length = length > 0 ? length : 5;
    }
}

static bool note_file(void *caller, const char *name, bool is_folder) {
    sequence *s = caller;
    sequence_file file = {0};
    if (is_folder || !match(s->pattern, name, &file))
        return true;
    s->many = s->count == MOST_FILES;
    if (s->many)
        return false;
    if (s->count == s->capacity) {
        const size_t capacity = s->capacity ? s->capacity * 2 : 64;
        sequence_file *grown = realloc(s->files, capacity * sizeof *grown);
        s->failed = !grown;
        if (!grown)
            return false;
        s->files = grown;
        s->capacity = capacity;
    }
    file.name = tool_copy(name, strlen(name));
    s->failed = !file.name;
    if (s->failed)
        return false;
    if (file.clip)
        file.clip = file.name + (file.clip - name);
    name_clip(s, &file);
    s->files[s->count++] = file;
    return true;
}

static int compare_clips(const sequence_file *a, const sequence_file *b) {
    const size_t least = a->clip_length < b->clip_length ? a->clip_length : b->clip_length;
    const int order = memcmp(a->clip, b->clip, least);
    return order ? order : (a->clip_length > b->clip_length) - (a->clip_length < b->clip_length);
}

static int compare_files(const void *x, const void *y) {
    const sequence_file *a = x, *b = y;
    const int order = compare_clips(a, b);
    return order                    ? order
           : a->number != b->number ? (a->number > b->number ? 1 : -1)
                                    : strcmp(a->name, b->name);
}

static bool read_names(sequence *s, const lm_files *files) {
    lm_error error;
    const bool read = files->list(files->user, "", note_file, s, &error);
    if (s->failed)
        tool_fail(s->job, "out of memory");
    else if (s->many)
        tool_fail(s->job,
                  "more than %u files are called so, the most that become frames of one model",
                  MOST_FILES);
    else if (!read)
        tool_fail_error(s->job, &error, false);
    else if (s->count == 0)
        tool_fail(s->job, "no file is called so, with a number in the place of {frame}");
    else
        return true;
    return false;
}

static bool list_files(sequence *s) {
    lm_error error;
    char *folder = s->folder > 0 ? tool_copy(s->job->path, s->folder) : tool_copy(".", 1);
    lm_folder *opened = folder ? lm_folder_open(folder, NULL, &error) : NULL;
    const bool listed = opened && read_names(s, lm_folder_files(opened));
    if (!folder)
        tool_fail(s->job, "out of memory");
    else if (!opened)
        tool_fail_error(s->job, &error, false);
    else if (listed)
        qsort(s->files, s->count, sizeof *s->files, compare_files);
    lm_folder_free(opened);
    free(folder);
    return listed;
}

/* ---- One take -----------------------------------------------------------------------------------
 */

static lm_import *read_file(sequence *s, const convert_settings *settings, size_t index) {
    tool_job *job = s->job;
    const char *pattern = job->path;
    const char *name = s->files[index].name;
    const size_t size = s->folder + strlen(name) + 1;
    char *path = malloc(size);
    lm_file file = {0};
    lm_import *import = NULL;
    if (!path) {
        tool_fail(job, "out of memory");
        return NULL;
    }
    snprintf(path, size, "%.*s%s", (int)s->folder, pattern, name);
    job->path = path;
    if (tool_read(job, &file, false))
        import =
            convert_read_import(job, settings, &file, index == 0 && convert_has_beside(settings));
    if (index == 0)
        s->first = file;
    else
        lm_file_free(&file);
    job->path = pattern;
    free(path);
    return import;
}

/* All files one after the other; false, and the job failed, if one shows something else. */
static bool read_all(sequence *s, const convert_settings *settings, lm_import **imports,
                     const lm_take **poses) {
    lm_error error;
    for (size_t i = 0; i < s->count; i++) {
        imports[i] = read_file(s, settings, i);
        if (!imports[i])
            return false;
        poses[i] = imports[i]->take;
        if (!lm_take_is_pose(poses[0], s->files[0].name, poses[i], s->files[i].name, &error)) {
            tool_fail(s->job, "%s", error.message);
            return false;
        }
    }
    return true;
}

/* A clip of each run of files that name it. */
static uint32_t make_clips(const sequence *s, const convert_settings *settings, lm_clip *clips) {
    uint32_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const sequence_file *file = &s->files[i];
        if (i > 0 && compare_clips(file, file - 1) == 0) {
            clips[count - 1].count++;
            continue;
        }
        const char *name = tool_copy(file->clip, file->clip_length);
        clips[count++] = (lm_clip){.name = name,
                                   .first = (uint32_t)i,
                                   .count = 1,
                                   .fps = settings->fps > 0 ? settings->fps : LM_DEFAULT_FPS,
                                   .source = LM_CLIP_FILE};
        if (!name)
            return 0;
    }
    return count;
}

static lm_take *join(sequence *s, const convert_settings *settings, lm_import **imports,
                     const lm_take **poses, lm_clip *clips) {
    lm_error error;
    lm_take *joined = NULL;
    if (imports && poses && clips && read_all(s, settings, imports, poses)) {
        const uint32_t count = make_clips(s, settings, clips);
        joined =
            count > 0 ? lm_take_join(poses, (uint32_t)s->count, clips, count, NULL, &error) : NULL;
    }
    if (!joined && s->job->status != TOOL_FAILED)
        tool_fail(s->job, "out of memory");
    return joined;
}

/* The first file is kept for its images. */
static lm_take *read_sequence(sequence *s, const convert_settings *settings, lm_import **first) {
    lm_import **imports = (lm_import **)calloc(s->count, sizeof(lm_import *));
    const lm_take **poses = (const lm_take **)calloc(s->count, sizeof(lm_take *));
    lm_clip *clips = calloc(s->count, sizeof *clips);
    lm_take *joined = join(s, settings, imports, poses, clips);
    for (size_t i = 0; i < s->count; i++) {
        if (imports && i == 0)
            *first = imports[i];
        else if (imports)
            convert_import_free(imports[i]);
        if (clips)
            free((void *)clips[i].name);
    }
    free(clips);
    free((void *)poses);
    free((void *)imports);
    return joined;
}

bool convert_is_sequence(const tool_job *job) {
    return strstr(lm_disk_base_name(job->disk, job->path), "{frame") != NULL &&
           !lm_disk_is_file(job->disk, job->path);
}

bool convert_sequence(tool_job *job, const convert_settings *settings, convert_opened *opened) {
    const char *pattern = lm_disk_base_name(job->disk, job->path);
    sequence s = {.job = job, .pattern = pattern, .folder = (size_t)(pattern - job->path)};
    convert_imported *m = &opened->imported;
    if (list_files(&s))
        m->mesh = m->joined = read_sequence(&s, settings, &m->import);
    opened->file = s.first; /* of which its images are */
    for (size_t i = 0; i < s.count; i++)
        free(s.files[i].name);
    free(s.files);
    return m->joined && convert_plan_import(job, settings, opened);
}
