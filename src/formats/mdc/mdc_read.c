/* Reads bytes into a document, verifies them, and decodes the document into a model. */
#include "formats/mdc/mdc_format.h"

#include "math/vectors.h"

/* Returns true unless there are vertices but no base frame. */
static bool counts_sound(const void *owner) {
    const lm_mdc_surface *surface = owner;
    return surface->num_vertices == 0 || surface->num_base_frames > 0;
}

/* ---- Contents of lumps --------------------------------------------------------------------- */

/* Reports an entry of a surface's frame tables that is not below `count`. */
static bool report_entry(lm_location table, const char *what, int32_t frame, int32_t entry,
                         int32_t count, lm_reporter *reporter) {
    return lmi_report_damage(reporter, LM_CODE_FRAME_INDEX,
                             lmi_element_location(table, (uint32_t)frame, LM_MDC_FRAME_INDEX_SIZE),
                             "surface %u: frame %d uses %s frame %d, but the surface has %d",
                             (unsigned)table.surface, (int)frame, what, (int)entry, (int)count);
}

static bool verify_tables(const void *document, lm_location start, lm_reporter *reporter) {
    const lm_mdc *mdc = document;
    const lm_mdc_surface *surface = &mdc->surfaces[start.surface];
    const int32_t num_base = surface->num_base_frames, num_comp = surface->num_comp_frames;
    for (int32_t f = 0; f < mdc->num_frames && surface->num_vertices > 0; f++) {
        int32_t base = lmi_mdc_get_frame_base_frame(surface, f);
        if ((base < 0 || base >= num_base) &&
            !report_entry(
                lmi_lump_location(start, "base frame table", surface->ofs_frame_base_frames),
                "base", f, base, num_base, reporter))
            return false;
        /* The engine reads this table only if there are compressed frames. Any negative entry means
         * none. */
        int32_t comp = num_comp > 0 ? lmi_mdc_get_frame_comp_frame(surface, f) : -1;
        if (comp >= 0 && comp >= num_comp &&
            !report_entry(
                lmi_lump_location(start, "compressed frame table", surface->ofs_frame_comp_frames),
                "compressed", f, comp, num_comp, reporter))
            return false;
    }
    return true;
}

/* ---- Documents ---------------------------------------------------------------------------- */

static bool read(lm_reading *reading, void *document) {
    return lmi_vertex_mesh_parse(reading, &lmi_mdc_mesh, document) &&
           lmi_vertex_mesh_verify(&lmi_mdc_mesh, document, reading->reporter);
}

const lm_document_kind lmi_mdc_kind = {&lmi_format_mdc, "MDC", &lmi_mdc_header, read};

LM_DOCUMENT_READ(mdc, lmi_mdc_kind)

/* ---- Models ------------------------------------------------------------------------------- */

static bool decode_frame_tables(lm_arena *arena, const lm_mdc *mdc, const lm_mdc_surface *surface,
                                lm_surface *out) {
    const bool has_deltas = surface->num_comp_frames > 0;
    const uint64_t count = (uint64_t)mdc->num_frames;
    uint16_t *keys = lmi_arena_alloc(arena, count, sizeof *keys);
    uint16_t *deltas = has_deltas ? lmi_arena_alloc(arena, count, sizeof *deltas) : NULL;
    if (!keys || (has_deltas && !deltas))
        return false;
    out->frame_keys = keys;
    out->frame_deltas = deltas;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        int32_t base = lmi_mdc_get_frame_base_frame(surface, f);
        int32_t comp = lmi_mdc_get_frame_comp_frame(surface, f);
        /* Entries out of range were reported. A tolerant reader uses base frame 0 and no compressed
         * frame for them. */
        keys[f] = (uint16_t)(base >= 0 && base < surface->num_base_frames ? base : 0);
        if (deltas)
            deltas[f] =
                (uint16_t)(comp >= 0 && comp < surface->num_comp_frames ? comp : LM_NO_DELTA);
    }
    return true;
}

static bool decode_keys(lm_arena *arena, const void *document, lm_location start, lm_surface *out) {
    const lm_mdc *mdc = document;
    const lm_mdc_surface *s = &mdc->surfaces[start.surface];
    uint64_t vertices = (uint64_t)s->num_vertices;
    out->flags = s->flags;
    out->num_keys = (uint32_t)s->num_base_frames;
    out->keys =
        lmi_arena_bytes(arena, s->base_vertices, vertices * out->num_keys, LM_MDC_BASE_VERTEX_SIZE);
    out->num_deltas = (uint32_t)s->num_comp_frames;
    out->delta_stride = (size_t)vertices * LM_MDC_COMP_VERTEX_SIZE;
    out->deltas = lmi_arena_bytes(arena, s->comp_vertices, vertices * out->num_deltas,
                                  LM_MDC_COMP_VERTEX_SIZE);
    return decode_frame_tables(arena, mdc, s, out);
}

static lm_vec3 sum(lm_vec3 a, lm_vec3 b) {
    return (lm_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/* Adds the local origin to every vertex, as the quirk requires. */
static void move_frames(const lm_mdc *mdc, lm_model *model) {
    lm_frame *frames = (lm_frame *)model->frames;
    for (int32_t f = 0; f < mdc->num_frames; f++) {
        lm_mdc_frame frame;
        lmi_mdc_get_frame(mdc, f, &frame);
        lm_vec3 origin = lmi_sanitize_vec3(frame.local_origin);
        frames[f].translate = origin;
        frames[f].min = sum(frames[f].min, origin);
        frames[f].max = sum(frames[f].max, origin);
    }
}

static bool decode_tags(lm_arena *arena, const void *document, lm_model *model) {
    const lm_mdc *mdc = document;
    const bool prinz = model->delta_normals_add;
    const lm_tag_encoding encoding = prinz ? LM_TAG_U16 : LM_TAG_S16;
    const size_t num_tags = (size_t)mdc->num_tags, stride = num_tags * LM_MDC_TAG_SIZE;
    lm_tag *tags = lmi_arena_alloc(arena, num_tags, sizeof *tags);
    const uint8_t *poses = lmi_arena_bytes(arena, mdc->tags, model->num_frames, stride);
    if (!tags || (!poses && num_tags > 0))
        return false;
    for (size_t t = 0; t < num_tags; t++)
        tags[t] = (lm_tag){
            lmi_arena_field(arena, mdc->tag_names + t * LM_MDC_TAG_NAME_SIZE, LM_MDC_TAG_NAME_SIZE),
            encoding, poses + t * LM_MDC_TAG_SIZE, stride};
    model->num_tags = (uint32_t)num_tags;
    model->tags = tags;
    if (prinz)
        move_frames(mdc, model);
    return true;
}

const lm_vertex_mesh_kind lmi_mdc_mesh = {
    .header = &lmi_mdc_header,
    .name = offsetof(lm_mdc_surface, name),
    .first_count = offsetof(lm_mdc_surface, num_comp_frames),
    .counts_sound = counts_sound,
    .unsound = "a negative count, or vertices but no base frame",
    .verify_tables = verify_tables,
    .decode_tags = decode_tags,
    .decode_keys = decode_keys,
};

static bool parse(lm_reading *reading, void *document) {
    return lmi_vertex_mesh_parse(reading, &lmi_mdc_mesh, document);
}

static bool decode(lm_reading *reading, const void *document, const lm_load_options *options,
                   lm_model *model) {
    const bool prinz = (options->quirks & LM_QUIRK_MDC_PRINZ) != 0;
    lm_arena *arena = lmi_arena_of(model);
    const lm_mdc *mdc = document;
    if (!lmi_vertex_mesh_verify(&lmi_mdc_mesh, mdc, reading->reporter))
        return false;
    model->version = LM_MDC_VERSION;
    model->name = lmi_arena_field(arena, mdc->name, sizeof mdc->name);
    model->delta_scale = prinz ? LM_MDC_COMP_STEP_PRINZ : LM_MDC_COMP_STEP;
    model->delta_normals_add = prinz;
    model->flags = mdc->flags;
    return lmi_vertex_mesh_decode(arena, &lmi_mdc_mesh, mdc, model);
}

const lm_format lmi_format_mdc = {
    .info = {.name = "mdc",
             .game = "Return to Castle Wolfenstein",
             .ident = "IDPC",
             .version = LM_MDC_VERSION,
             .mime = "model/x-mdc",
             .extension = "mdc",
             .features = LM_FEATURE_SURFACES | LM_FEATURE_TAGS | LM_FEATURE_BASE_FRAMES},
    .header = &lmi_mdc_header,
    .parse = parse,
    .decode = decode,
};
