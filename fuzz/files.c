/* Fuzzes the files around models: clips, .skin files, shader scripts, images, palettes and
 * archives. */
#include "clips/clip_names.h"
#include "elements.h"
#include "files/directory.h"
#include "files/path.h"
#include "formats/write_document.h"
#include "fuzz.h"
#include "image/decoded_image.h"
#include "scene/check.h"
#include "shaders/script.h"
#include "sources.h"

#include <math.h>
#include <string.h>

/* ---- Clips ----------------------------------------------------------------------------------- */

#define MAX_PLAYED 4
#define MAX_FRAMES 256 /* more than the standard table's 198 */

static void play(const lm_clip *clip, uint32_t num_frames) {
    static const double times[] = {0, 0.05, -3.25, 1e9, 1e300, HUGE_VAL};
    PROMISE(clip->count >= 1 && clip->first < num_frames &&
            clip->count <= num_frames - clip->first);
    PROMISE(clip->fps > 0 && isfinite(clip->fps) && clip->loop_frames <= clip->count);
    for (int mode = LM_PLAY_AS_CLIP; mode <= LM_PLAY_PING_PONG; mode++)
        for (size_t i = 0; i < 2 * sizeof times / sizeof *times; i++) {
            lm_pose pose;
            lm_clip_pose(clip, times[i / 2], (lm_play_mode)mode, i % 2 != 0, &pose);
            PROMISE(pose.frame_a - clip->first < clip->count &&
                    pose.frame_b - clip->first < clip->count && pose.t >= 0 && pose.t <= 1);
            PROMISE(lm_clip_duration(clip, (lm_play_mode)mode) >= 0);
        }
    PROMISE(lmi_clip_frames(clip, lm_clip_seconds(clip, 2.5)) >= 0);
}

static void play_all(const lm_clip *clips, uint32_t num_clips, uint32_t num_frames) {
    for (uint32_t i = 0; i < num_clips; i++) {
        PROMISE(clips[i].name);
        if (i < MAX_PLAYED || i + 1 == num_clips)
            play(&clips[i], num_frames);
    }
    PROMISE(!num_clips == !lmi_rest_clip(clips, num_clips));
}

/* The same values change no byte; others read back, or the file cannot store them. */
static void change(fuzz_input *input, const lm_clips *clips, uint32_t num_frames,
                   const lm_clips_options *options) {
    const uint32_t index = fuzz_choose(input, clips->num_clips < 32 ? clips->num_clips : 32);
    lm_clip to = clips->clips[index];
    lm_buffer same = {0}, other = {0};
    lm_error error = {0};
    PROMISE(
        lm_clips_change(input->data, input->size, num_frames, index, &to, options, &same, &error));
    PROMISE(same.size == input->size && memcmp(same.data, input->data, same.size) == 0);
    to.name = "LEGS_NEW";
    to.first = 0;
    to.count = num_frames;
    to.fps = 7;
    to.loop_frames = 0;
    if (!lm_clips_change(input->data, input->size, num_frames, index, &to, options, &other, &error))
        PROMISE(error.code == LM_CODE_NOT_HELD && other.size == 0);
    lm_buffer_free(&same);
    lm_buffer_free(&other);
}

static void read_file(fuzz_input *input, uint32_t num_frames) {
    static const char *const names[] = {NULL,    "animation.cfg", "a.md3.framegroups",
                                        "b.txt", "c.anm",         "weapon.cfg"};
    lm_error error = {0};
    const lm_clips_options options = {
        .format = (lm_clips_format)fuzz_choose(input, LM_CLIPS_WEAPON_CFG + 1),
        .file_name = names[fuzz_choose(input, 6)]};
    lm_clips *clips = lm_clips_read(input->data, input->size, num_frames, &options, &error);
    if (clips) {
        play_all(clips->clips, clips->num_clips, num_frames);
        change(input, clips, num_frames, &options);
    } else {
        assert_error_valid(&error);
    }
    lm_clips_free(clips);
}

static void read_table(uint32_t num_frames) {
    lm_clips *clips = lm_clips_read(NULL, 0, num_frames,
                                    &(const lm_clips_options){.format = LM_CLIPS_QUAKE2}, NULL);
    if (clips)
        play_all(clips->clips, clips->num_clips, num_frames);
    lm_clips_free(clips);
}

/* Reads the next line as a field of a file: without a NUL if it fills the field. */
static size_t mesh_name(const fuzz_input *input, size_t at, lm_md2_frame *frame) {
    size_t length = 0;
    while (at + length < input->size && input->data[at + length] != '\n')
        length++;
    memset(frame->name, 0, sizeof frame->name);
    if (length)
        memcpy(frame->name, input->data + at,
               length < sizeof frame->name ? length : sizeof frame->name);
    return at + length + 1;
}

/* Loads a model of one triangle whose frames take the lines as names, repeated as needed. */
static void load_named(const fuzz_input *input, uint32_t num_frames) {
    enum {
        FRAME = 52
    };
    uint8_t frames[MAX_FRAMES * FRAME] = {0}, st[LM_MD2_ST_SIZE] = {0}, triangle[12] = {0};
    const lm_md2_triangle corners = {{0, 1, 2}, {0}};
    lm_buffer file = {0};
    size_t at = 0;
    for (uint32_t i = 0; i < num_frames; i++) {
        lm_md2_frame frame = {.scale = {1, 1, 1}};
        at = at < input->size ? at : 0;
        at = mesh_name(input, at, &frame);
        lmi_md2_put_frame(frames + (size_t)i * FRAME, &frame);
    }
    lmi_md2_put_triangle(triangle, &corners);
    const lm_md2 md2 = {.skinwidth = 1,
                        .skinheight = 1,
                        .framesize = FRAME,
                        .num_xyz = 3,
                        .num_st = 1,
                        .num_tris = 1,
                        .num_frames = (int32_t)num_frames,
                        .st = st,
                        .tris = triangle,
                        .frames = frames};
    const bool written = lmi_write_document(&lmi_md2_kind, &md2, &file, NULL);
    lm_model *model = written ? lm_load_memory(file.data, file.size, NULL, NULL) : NULL;
    PROMISE(model);
    assert_model_valid(model);
    play_all(model->clips, model->num_clips, num_frames);
    lm_model_free(model);
    lm_buffer_free(&file);
}

/* Reads text as a clips file, and its lines as frame names. Clips stay within their frames, and
 * so does playback. Changes of a file keep its other values. */
void fuzz_clips(fuzz_input *input) {
    static const uint32_t counts[] = {20, 1, 198, 173, 174, 40, 255, 3};
    const uint32_t num_frames = counts[fuzz_choose(input, 8)];
    const uint32_t kind = fuzz_choose(input, 8);
    if (kind < 5)
        read_file(input, num_frames);
    else if (kind < 7)
        load_named(input, num_frames);
    else
        read_table(num_frames);
}

/* ---- Skins ----------------------------------------------------------------------------------- */

/* Entries have names and paths, and each is found by its name. */
void fuzz_skin(fuzz_input *input) {
    lm_error error = {0};
    lm_skin_file *skin = lm_skin_file_read(input->data, input->size, NULL, &error);
    if (!skin)
        assert_error_valid(&error);
    for (uint32_t i = 0; skin && i < skin->num_entries; i++) {
        PROMISE(skin->entries[i].surface[0] && skin->entries[i].path[0] && skin->entries[i].line);
        (void)lm_skin_file_find(skin, skin->entries[i].surface);
    }
    for (uint32_t i = 0; skin && i < skin->num_tags; i++)
        PROMISE(skin->tags[i][0]);
    (void)(skin && lm_skin_file_find(skin, "h_head_1"));
    lm_skin_file_free(skin);
}

/* ---- Shader scripts -------------------------------------------------------------------------- */

#define MAX_LABELS 32 /* per script; each is parsed again from its text */

static void query_stage(const lm_stage *stage, double seconds) {
    lm_stage_state state;
    bool has_image = false;
    lm_stage_at(stage, seconds, &state);
    for (uint32_t i = 0; i < stage->num_images; i++)
        has_image = has_image || stage->images[i] == state.image;
    PROMISE(has_image || (stage->num_images == 0 && state.image == LM_NO_TEXTURE));
    for (size_t i = 0; i < 4; i++)
        PROMISE(state.rgba[i] >= 0 && state.rgba[i] <= 1);
}

static void query(const lm_shader *shader, double seconds) {
    for (uint32_t i = 0; i < shader->num_stages; i++)
        query_stage(&shader->stages[i], seconds);
    for (uint32_t i = 0; i < shader->num_deforms; i++)
        (void)lm_wave_value(&shader->deforms[i].wave, 0.5, seconds);
    lm_shader_summary summary;
    lm_shader_summarize(shader, &summary);
    PROMISE(!isnan(summary.sort) && summary.alpha <= LM_ALPHA_BLEND);
}

static void read_shader(const lm_script *script, uint32_t label, size_t size) {
    static const double times[] = {0, 0.3, -7, 1e9};
    const lm_script_label *l = &script->labels[label];
    lm_arena *arena = lmi_arena_new(NULL);
    lm_script_shader shader;
    PROMISE(l->name[0] && l->line > 0 && l->begin <= l->end && l->end <= size);
    PROMISE(arena && lmi_shader_fill(script, label, arena, &shader));
    PROMISE(lmi_shader_valid(&shader.shader, shader.num_images));
    PROMISE(shader.shader.line == l->line && shader.num_notes <= LM_MAX_SCRIPT_NOTES);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        query(&shader.shader, times[i]);
    lmi_arena_delete(arena);
}

/* Every label occurs in the text, every shader is valid by lerpmesh/scene.h, and can be
 * evaluated at any time. */
void fuzz_shader(fuzz_input *input) {
    lm_script *script = lmi_script_read(input->data, input->size, NULL, NULL);
    for (uint32_t i = 0; script && i < script->num_labels && i < MAX_LABELS; i++)
        read_shader(script, i, input->size);
    lmi_script_free(script);
}

/* ---- Images and palettes -------------------------------------------------------------------- */

#define MAX_PIXELS (1 << 10)

static void assert_image(const lm_image *image, const fuzz_input *input) {
    uint32_t width, height;
    lm_buffer png = {0};
    lm_error error = {0};
    PROMISE(strcmp(image->format, input->kind) == 0);
    PROMISE(image->width >= 1 && image->height >= 1);
    PROMISE((uint64_t)image->width * image->height <= MAX_PIXELS);
    PROMISE(!image->indices || image->palette);
    if (lmi_image_size(input->data, input->size, &width, &height))
        PROMISE(width == image->width && height == image->height);
    const bool written = lmi_image_write_png(image, &png, &error);
    PROMISE(written);
    lm_buffer_free(&png);
}

/* Decodes one kind of image. The result agrees with its header, and can be written as PNG. */
void fuzz_image(fuzz_input *input) {
    const char *format = lmi_image_format_of(input->data, input->size);
    static const lm_palette reds = {.num_colors = 2, .rgb = {{255, 0, 0}, {127, 0, 0}}};
    lm_error error = {0};
    if (format && strcmp(format, input->kind) != 0)
        return;
    lm_image_options options = {.max_pixels = MAX_PIXELS, .repair = fuzz_choose(input, 2) != 0};
    options.palette = fuzz_choose(input, 3) == 1 ? &reds : NULL;
    options.fallback = fuzz_choose(input, 2) ? &reds : NULL;
    options.transparent_255 = fuzz_choose(input, 2) != 0;
    lm_image *image = lm_image_read(input->data, input->size, &options, &error);
    if (image)
        assert_image(image, input);
    else
        assert_error_valid(&error);
    lm_image_free(image);
}

/* Reads bytes as a palette, and as the indices of an image in its colours. */
void fuzz_palette(fuzz_input *input) {
    lm_error error = {0};
    lm_palette palette;
    if (!lm_palette_read(input->data, input->size, &palette, &error)) {
        assert_error_valid(&error);
        return;
    }
    PROMISE(palette.num_colors >= 1 && palette.num_colors <= 256);
    const uint32_t width = 1 + fuzz_choose(input, 8), most = (uint32_t)input->size / width;
    const uint32_t height = most < 16 ? most : 16;
    if (height == 0)
        return;
    lm_image *image =
        lmi_image_of_indices(width, height, input->data, palette.rgb[0], NULL, &error);
    PROMISE(image && image->width == width && image->height == height);
    lm_image_free(image);
}

/* ---- Archives of one kind -------------------------------------------------------------------- */

#define MAX_READ 24            /* members per archive */
#define MAX_UNPACKED (1 << 12) /* bytes per member */

static void read_member(const lm_archive *archive, const lm_member *member) {
    char clean[LM_PATH_SIZE];
    lm_buffer out = {0};
    lm_error error = {0};
    const lm_member *found = lm_archive_find(archive, member->path);
    PROMISE(found && (member->code != LM_CODE_OK || lmi_path_clean(member->path, clean)));
    PROMISE(member->problem && !member->problem[0] == (member->code == LM_CODE_OK));
    if (lm_archive_read(archive, member->path, MAX_UNPACKED, &out, &error))
        PROMISE(found->code == LM_CODE_OK && out.size == found->size && out.size <= MAX_UNPACKED);
    else
        assert_error_valid(&error);
    lm_buffer_free(&out);
}

static bool listed(void *caller, const char *name, bool is_folder) {
    (void)is_folder;
    PROMISE(name[0]);
    return ++*(size_t *)caller < MAX_READ;
}

/* Reads the archive as a folder, and searches for textures by its members' names. */
static void view(const lm_archive *archive) {
    size_t count = 0;
    lm_error error = {0};
    const lm_files *files = archive->files;
    lm_source root = {files, NULL, "models"};
    const lm_search_path search = {.sources = &root, .count = 1};
    if (!files->list(files->user, "models", listed, &count, &error))
        assert_error_valid(&error);
    for (size_t i = 0; i < archive->num_members && i < 4; i++) {
        lm_texture texture;
        lm_buffer out = {0};
        if (lmi_texture_find(&search, archive->members[i]->path, &texture))
            PROMISE(files->peek(files->user, texture.path, 16, &out) ? out.size <= 16
                                                                     : out.size == 0);
        lm_buffer_free(&out);
    }
}

/* For any directory, listed members can be found, valid names stay inside the archive, and unpacked
 * members have their stated size. */
void fuzz_archive(fuzz_input *input) {
    lm_error error = {0};
    lm_archive *archive = lm_archive_open(
        "input", &(lm_reader){.user = input->data, .size = input->size}, NULL, &error);
    if (!archive)
        assert_error_valid(&error);
    if (archive && strcmp(archive->format, input->kind) == 0) {
        for (size_t i = 0; i < archive->num_members && i < MAX_READ; i++)
            read_member(archive, archive->members[i]);
        view(archive);
    }
    lm_archive_free(archive);
}
