/* Numbered files with one pose each, as the frames of one model: walk_{frame}.obj,
 * {clip}_{frame}.obj. */
#include "convert_internal.h"
#include "core/names.h"
#include "lerpmesh/files.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILES 65536u

typedef struct sequence_file {
    const char *name; /* of the file, without its folder */
    const char *clip;
    size_t clip_length;
    uint64_t number;
} sequence_file;

typedef struct sequence {
    conversion *c;
    const char *pattern; /* the file name, without the folder */
    size_t folder;       /* length of the folder in the path */
    sequence_file *files;
    size_t count, capacity;
    bool many; /* more files than a model can have frames */
    /* The mesh of all files: like the first one, with room for a frame per file. */
    lm_import *first;
    lm_mesh *mesh;
    lm_mesh_surface *surfaces;
    lm_mesh_tag *tags;
    lm_names tag_names;      /* 1 + index of the first tag of that name */
    const lm_mesh_tag **row; /* [num_tags] those of the file that was read last */
} sequence;

/* ---- Files ----------------------------------------------------------------------------------- */

/* The length of a name bounds the recursion. */
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

/* Names a file's clip without {clip}: the text before the number, without punctuation at its
 * end. */
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
    lm_arena *arena = s->c->arena;
    sequence_file file = {0};
    if (is_folder || !match(s->pattern, name, &file))
        return true;
    s->many = s->count == MAX_FILES;
    if (s->many)
        return false;
    file.name = lmi_copy_text(arena, name);
    if (!file.name ||
        !lmi_arena_grow(arena, &s->files, &s->capacity, s->count + 1, sizeof *s->files))
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

static bool list_files(sequence *s) {
    conversion *c = s->c;
    lm_error error;
    const char *folder = s->folder > 0 ? lmi_arena_text(c->arena, c->subject, s->folder) : ".";
    const lm_files *files = folder ? lm_vfs_folder(c->vfs, folder, &error) : NULL;
    const bool listed = files && (files->list ? lmi_view_list(files, "", note_file, s, &error)
                                              : lm_fail_plain(&error, LM_CODE_IO,
                                                              "this view cannot list its files"));
    if (lmi_arena_failed(c->arena))
        return false;
    if (s->many)
        return lm_cv_fail(
            c, "more than %u files match the pattern, the limit for the frames of one model",
            MAX_FILES);
    if (!listed)
        return lmi_cv_fail_error(c, &error);
    if (s->count == 0)
        return lm_cv_fail(c, "no file matches the pattern, with a number in place of {frame}");
    qsort(s->files, s->count, sizeof *s->files, compare_files);
    return true;
}

/* ---- One mesh ------------------------------------------------------------------------------ */

/* Keeps the first file for its images. */
static lm_import *read_file(const sequence *s, size_t index) {
    conversion *c = s->c;
    lm_error error;
    const char *pattern = c->subject;
    lm_buffer file = {0};
    lm_import *import = NULL;
    const char *path =
        lmi_arena_printf(c->arena, "%.*s%s", (int)s->folder, pattern, s->files[index].name);
    if (!path)
        return NULL;
    c->subject = path;
    if (lm_vfs_read(c->vfs, path, c->options->open.max_input, &file, &error))
        import = lmi_cv_read_import(c, &file, index == 0 && c->options->path);
    else if (error.code == LM_CODE_LIMIT && !error.section[0])
        lm_cv_fail_code(c, error.code, "%s (" OPTION "max-input)", error.message);
    else
        lmi_cv_fail_error(c, &error);
    if (index == 0)
        s->c->file = file;
    else
        lm_buffer_free(&file);
    c->subject = pattern;
    return import;
}

static bool same_triangles(const lm_mesh *a, const lm_mesh *b) {
    bool same = a->num_surfaces == b->num_surfaces && b->num_frames == 1;
    for (uint32_t i = 0; same && i < a->num_surfaces; i++) {
        const lm_mesh_surface *x = &a->surfaces[i], *y = &b->surfaces[i];
        same = x->num_vertices == y->num_vertices && x->num_triangles == y->num_triangles &&
               memcmp(x->triangles, y->triangles,
                      (size_t)x->num_triangles * 3 * sizeof *x->triangles) == 0;
    }
    return same;
}

/* Finds the first file's tags in another one. `more` becomes the name of a tag that the first
 * lacks, `missing` one that the other lacks; NULL: there is none. */
static void find_tags(const sequence *s, const lm_mesh *pose, const char **more,
                      const char **missing) {
    const lm_mesh *first = s->first->mesh;
    *more = *missing = NULL;
    memset(s->row, 0, first->num_tags * sizeof *s->row);
    for (uint32_t i = pose->num_tags; i-- > 0;) {
        const lm_name *name = lmi_names_find(&s->tag_names, pose->tags[i].name);
        if (name)
            s->row[name->number - 1] = &pose->tags[i];
        else
            *more = pose->tags[i].name;
    }
    for (uint32_t i = 0; i < first->num_tags && !*missing; i++) {
        s->row[i] = s->row[lmi_names_find(&s->tag_names, first->tags[i].name)->number - 1];
        if (!s->row[i])
            *missing = first->tags[i].name;
    }
}

/* Checks that a file is one pose of the model of the first one. */
static bool check_pose(const sequence *s, const lm_mesh *pose, size_t index) {
    const char *first = s->files[0].name, *name = s->files[index].name, *missing, *more;
    if (!same_triangles(s->first->mesh, pose))
        return lm_cv_fail(
            s->c,
            "%s is not a pose of the same model as %s: each file of a sequence needs one pose, "
            "with the same vertices and triangles in the same order",
            name, first);
    find_tags(s, pose, &more, &missing);
    return (!missing && !more) ||
           lm_cv_fail(s->c,
                      "%s has no tag %s, but %s has: the files of a sequence need the same tags",
                      missing ? name : first, missing ? missing : more, missing ? first : name);
}

/* Makes the mesh of all files. Fails if its frames need more memory than an import may. */
static bool begin_mesh(sequence *s) {
    conversion *c = s->c;
    const lm_mesh *first = s->first->mesh;
    const uint64_t most = lmi_cv_import_memory(c);
    uint64_t bytes = first->num_tags * (uint64_t)sizeof(lm_transform);
    for (uint32_t i = 0; i < first->num_surfaces; i++)
        bytes += 2 * sizeof(lm_vec3) * (uint64_t)first->surfaces[i].num_vertices;
    if (bytes * s->count > most)
        return lm_cv_fail_code(c, LM_CODE_LIMIT,
                               "the frames of %zu files need more than %llu bytes of memory "
                               "(" OPTION "import-memory)",
                               s->count, (unsigned long long)most);
    s->mesh = lmi_arena_zeros(c->arena, 1, sizeof *s->mesh);
    s->surfaces = lmi_arena_zeros(c->arena, first->num_surfaces, sizeof *s->surfaces);
    s->tags = lmi_arena_zeros(c->arena, first->num_tags, sizeof *s->tags);
    s->row = lmi_arena_zeros(c->arena, first->num_tags, sizeof(lm_mesh_tag *));
    s->tag_names.arena = c->arena;
    if (!s->mesh || !s->surfaces || !s->tags || !s->row)
        return false;
    *s->mesh = *first;
    for (uint32_t i = 0; i < first->num_surfaces; i++) {
        const uint64_t vertices = s->count * (uint64_t)first->surfaces[i].num_vertices;
        s->surfaces[i] = first->surfaces[i];
        s->surfaces[i].positions = lmi_arena_zeros(c->arena, vertices, sizeof(lm_vec3));
        s->surfaces[i].normals = lmi_arena_zeros(c->arena, vertices, sizeof(lm_vec3));
    }
    for (uint32_t i = 0; i < first->num_tags; i++) {
        lm_name *name = lmi_names_put(&s->tag_names, first->tags[i].name);
        s->tags[i] =
            (lm_mesh_tag){.name = first->tags[i].name,
                          .poses = lmi_arena_zeros(c->arena, s->count, sizeof *s->tags->poses)};
        if (!name)
            return false;
        name->number = name->number > 0 ? name->number : i + 1;
    }
    return !lmi_arena_failed(c->arena);
}

/* Copies a file's pose. Surfaces of which a file has no normals have none. */
static void add_pose(sequence *s, const lm_mesh *pose, size_t frame) {
    for (uint32_t i = 0; i < pose->num_surfaces; i++) {
        const lm_mesh_surface *from = &pose->surfaces[i];
        const size_t count = from->num_vertices, at = 3 * frame * count;
        lm_mesh_surface *to = &s->surfaces[i];
        if (!from->normals)
            to->normals = NULL;
        if (count > 0)
            memcpy((float *)to->positions + at, from->positions, count * sizeof(lm_vec3));
        if (count > 0 && to->normals)
            memcpy((float *)to->normals + at, from->normals, count * sizeof(lm_vec3));
    }
    for (uint32_t i = 0; i < s->first->mesh->num_tags; i++)
        ((lm_transform *)s->tags[i].poses)[frame] = s->row[i]->poses[0];
}

/* Reads all files. Fails the job if one has different surfaces or vertices. */
static bool read_all(sequence *s) {
    for (size_t i = 0; i < s->count; i++) {
        lm_import *import = read_file(s, i);
        if (!import)
            return false;
        if (i == 0)
            s->first = import;
        const bool ok = (i > 0 || begin_mesh(s)) && check_pose(s, import->mesh, i);
        if (ok)
            add_pose(s, import->mesh, i);
        if (i > 0)
            lm_import_free(import);
        if (!ok)
            return false;
    }
    return true;
}

/* Makes one clip per run of files with the same clip name. The result is incomplete if memory ran
 * out. */
static uint32_t make_clips(const sequence *s, lm_clip *clips) {
    const float fps = s->c->options->fps;
    s->c->imported.sampled = true;
    uint32_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const sequence_file *file = &s->files[i];
        if (i > 0 && compare_clips(file, file - 1) == 0) {
            clips[count - 1].count++;
            continue;
        }
        const char *name = lmi_arena_text(s->c->arena, file->clip, file->clip_length);
        clips[count++] = (lm_clip){.name = name,
                                   .first = (uint32_t)i,
                                   .count = 1,
                                   .fps = fps > 0 ? fps : LM_DEFAULT_FPS,
                                   .source = LM_CLIP_FILE};
    }
    return count;
}

bool lmi_cv_is_sequence(const conversion *c) {
    return strstr(lmi_vfs_base_name(c->vfs, c->source), "{frame") != NULL &&
           !lmi_vfs_is_file(c->vfs, c->source);
}

const lm_mesh *lmi_cv_sequence(conversion *c, lm_import **first) {
    const char *pattern = lmi_vfs_base_name(c->vfs, c->source);
    sequence s = {.c = c, .pattern = pattern, .folder = (size_t)(pattern - c->source)};
    lm_clip *clips = list_files(&s) ? lmi_arena_zeros(c->arena, s.count, sizeof *clips) : NULL;
    const bool done = clips && read_all(&s);
    *first = s.first;
    if (!done)
        return NULL;
    s.mesh->num_frames = (uint32_t)s.count;
    s.mesh->frame_names = NULL;
    s.mesh->surfaces = s.surfaces;
    s.mesh->tags = s.tags;
    s.mesh->clips = clips;
    s.mesh->num_clips = make_clips(&s, clips);
    return lmi_arena_failed(c->arena) ? NULL : s.mesh;
}
