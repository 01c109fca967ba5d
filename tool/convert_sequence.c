/* Numbered files, each a pose, as the frames of one model: walk_{frame}.obj, {clip}_{frame}.obj. */
#include "convert_take.h"
#include "lerpmesh/io.h"
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

/* Whether a file shows the first one's triangles in another pose. */
static bool check_same(const sequence *s, size_t index, const lm_take *first, const lm_take *take) {
    bool same = first->num_surfaces == take->num_surfaces && take->num_frames == 1;
    for (uint32_t i = 0; same && i < first->num_surfaces; i++) {
        const lm_take_surface *a = &first->surfaces[i], *b = &take->surfaces[i];
        same = a->num_vertices == b->num_vertices && a->num_triangles == b->num_triangles &&
               memcmp(a->triangles, b->triangles,
                      (size_t)a->num_triangles * 3 * sizeof *a->triangles) == 0;
    }
    if (!same)
        tool_fail(s->job,
                  "%s is no other pose of what %s has: a sequence needs the same vertices and "
                  "triangles in each file, in the same order, and one pose",
                  s->files[index].name, s->files[0].name);
    return same;
}

/* The tag of a take that is called so, `index` being where it is in most; NULL: there is none. */
static const lm_take_tag *find_tag(const lm_take *take, const char *name, uint32_t index) {
    if (index < take->num_tags && strcmp(take->tags[index].name, name) == 0)
        return &take->tags[index];
    for (uint32_t i = 0; i < take->num_tags; i++)
        if (strcmp(take->tags[i].name, name) == 0)
            return &take->tags[i];
    return NULL;
}

/* A tag of `take` that the other has not; NULL: it has all. */
static const char *find_missing(const lm_take *take, const lm_take *other) {
    for (uint32_t i = 0; i < take->num_tags; i++)
        if (!find_tag(other, take->tags[i].name, i))
            return take->tags[i].name;
    return NULL;
}

static bool check_tags(const sequence *s, size_t index, const lm_take *first, const lm_take *take) {
    const char *missing = find_missing(first, take), *more = find_missing(take, first);
    if (missing || more)
        tool_fail(s->job, "%s has no tag %s, which %s has: a tag is in each file of a sequence",
                  s->files[missing ? index : 0].name, missing ? missing : more,
                  s->files[missing ? 0 : index].name);
    return !missing && !more;
}

static bool alloc_tags(const sequence *s, convert_take *made) {
    const lm_take *first = made->import->take;
    lm_take_tag *tags = convert_take_alloc(made, s->job, first->num_tags, sizeof *tags);
    made->take.tags = tags;
    for (uint32_t i = 0; tags && i < first->num_tags; i++) {
        tags[i].name = first->tags[i].name;
        tags[i].poses = convert_take_alloc(made, s->job, s->count, sizeof(lm_transform));
        if (!tags[i].poses)
            return false;
    }
    return tags != NULL;
}

/* What is not in frames is the first file's. */
static bool alloc_take(const sequence *s, convert_take *made) {
    const lm_take *first = made->import->take;
    lm_take *take = &made->take;
    *take = *first;
    take->num_frames = (uint32_t)s->count;
    take->frame_names = NULL;
    take->num_clips = 0;
    lm_take_surface *surfaces =
        convert_take_alloc(made, s->job, first->num_surfaces, sizeof *surfaces);
    lm_clip *clips = convert_take_alloc(made, s->job, s->count, sizeof *clips);
    take->surfaces = surfaces;
    take->clips = clips;
    for (uint32_t i = 0; surfaces && clips && i < first->num_surfaces; i++) {
        const uint64_t floats = (uint64_t)s->count * first->surfaces[i].num_vertices * 3;
        surfaces[i] = first->surfaces[i];
        surfaces[i].positions = convert_take_alloc(made, s->job, floats, sizeof(float));
        if (surfaces[i].normals)
            surfaces[i].normals = convert_take_alloc(made, s->job, floats, sizeof(float));
        if (!surfaces[i].positions || (first->surfaces[i].normals && !surfaces[i].normals))
            return false;
    }
    return surfaces && clips && alloc_tags(s, made);
}

static void copy_frame(convert_take *made, size_t frame, const lm_take *from) {
    for (uint32_t i = 0; i < from->num_surfaces; i++) {
        lm_take_surface *to = (lm_take_surface *)&made->take.surfaces[i];
        const size_t floats = (size_t)to->num_vertices * 3, size = floats * sizeof(float);
        memcpy((float *)to->positions + frame * floats, from->surfaces[i].positions, size);
        if (to->normals && from->surfaces[i].normals)
            memcpy((float *)to->normals + frame * floats, from->surfaces[i].normals, size);
        else
            to->normals = NULL; /* where one file has none, they are computed */
    }
    for (uint32_t i = 0; i < made->take.num_tags; i++) {
        const lm_take_tag *to = &made->take.tags[i];
        ((lm_transform *)to->poses)[frame] = find_tag(from, to->name, i)->poses[0];
    }
}

static bool add_clip(const sequence *s, const convert_settings *settings, convert_take *made,
                     size_t frame) {
    lm_take *take = &made->take;
    lm_clip *clips = (lm_clip *)take->clips;
    const sequence_file *file = &s->files[frame];
    if (frame > 0 && compare_clips(file, file - 1) == 0) {
        clips[take->num_clips - 1].count++;
        return true;
    }
    char *name = convert_take_alloc(made, s->job, file->clip_length + 1, 1);
    if (!name)
        return false;
    memcpy(name, file->clip, file->clip_length);
    clips[take->num_clips++] = (lm_clip){.name = name,
                                         .first = (uint32_t)frame,
                                         .count = 1,
                                         .fps = settings->fps > 0 ? settings->fps : LM_DEFAULT_FPS,
                                         .source = LM_CLIP_FILE};
    return true;
}

static bool read_all(sequence *s, const convert_settings *settings, convert_take *made) {
    if (!(made->import = read_file(s, settings, 0)) ||
        !check_same(s, 0, made->import->take, made->import->take) || !alloc_take(s, made))
        return false;
    for (size_t i = 0; i < s->count; i++) {
        lm_import *import = i > 0 ? read_file(s, settings, i) : made->import;
        const bool same = import && check_same(s, i, made->import->take, import->take) &&
                          check_tags(s, i, made->import->take, import->take);
        if (same)
            copy_frame(made, i, import->take);
        if (i > 0)
            convert_import_free(import);
        if (!same || !add_clip(s, settings, made, i))
            return false;
    }
    return true;
}

bool convert_is_sequence(const tool_job *job) {
    return strstr(lm_disk_base_name(job->disk, job->path), "{frame") != NULL &&
           !lm_disk_is_file(job->disk, job->path);
}

convert_take *convert_sequence(tool_job *job, const convert_settings *settings,
                               convert_subject *subject) {
    const char *pattern = lm_disk_base_name(job->disk, job->path);
    sequence s = {.job = job, .pattern = pattern, .folder = (size_t)(pattern - job->path)};
    convert_take *made = list_files(&s) ? convert_take_new(job) : NULL;
    if (made &&
        (!read_all(&s, settings, made) || !convert_plan_take(job, settings, &made->take, subject) ||
         !convert_dress_import(job, made, subject))) {
        convert_take_free(made);
        made = NULL;
    }
    for (size_t i = 0; i < s.count; i++)
        free(s.files[i].name);
    free(s.files);
    lm_file_free(&s.first);
    return made;
}
